// What a plain C program stores in a second of pushes: the tables and the index of the inboxes, prepared
// statements, the store's settings and durability, in groups of the same size, and no socket.
//
// usage: push_baseline FOLDER GROUP COUNT [PAGES]
// prints ROWS_PER_SECOND for COUNT pushes in groups of GROUP; then, for PAGES pages of 100 anywhere in
// the inbox, MEDIAN and the 99th PERCENTILE in microseconds, each payload copied out.
#include <inttypes.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static sqlite3 *books;

static void need(int result, int wanted, const char *what) {
  if (result == wanted) return;
  fprintf(stderr, "%s: %s\n", what, sqlite3_errmsg(books));
  exit(1);
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static sqlite3_stmt *prepare(const char *sql) {
  sqlite3_stmt *statement;
  need(sqlite3_prepare_v3(books, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL), SQLITE_OK,
       sql);
  return statement;
}

static void run(sqlite3_stmt *statement) {
  need(sqlite3_step(statement), SQLITE_DONE, sqlite3_sql(statement));
  sqlite3_reset(statement);
}

static void open_books(const char *path) {
  unlink(path);
  need(sqlite3_open_v2(path, &books,
                       SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL),
       SQLITE_OK, path);
  need(sqlite3_exec(books,
                    "PRAGMA locking_mode = EXCLUSIVE; PRAGMA page_size = 1024;"
                    "PRAGMA auto_vacuum = NONE; PRAGMA journal_mode = WAL;"
                    "PRAGMA synchronous = FULL; PRAGMA cache_size = -256;"
                    "PRAGMA secure_delete = OFF;"
                    "CREATE TABLE inbox (number INTEGER PRIMARY KEY, last INTEGER NOT NULL,"
                    "  entries INTEGER NOT NULL, bytes INTEGER NOT NULL);"
                    "CREATE TABLE entry (key INTEGER PRIMARY KEY, inbox INTEGER NOT NULL,"
                    "  idHigh INTEGER NOT NULL, idLow INTEGER NOT NULL, kind INTEGER NOT NULL,"
                    "  received INTEGER NOT NULL, pruned TEXT, payload BLOB);"
                    "CREATE UNIQUE INDEX entryID ON entry (inbox, idHigh, idLow);"
                    "INSERT INTO inbox VALUES (1, 0, 0, 0);",
                    NULL, NULL, NULL),
       SQLITE_OK, "schema");
}

static void push(sqlite3_stmt *add, sqlite3_stmt *count, int64_t position) {
  uint64_t mixed = (uint64_t)position * 0x9e3779b97f4a7c15ULL;
  char payload[256];
  int size = snprintf(payload, sizeof payload,
                      "{\"aps\":{\"alert\":\"The kettle in the ward kitchen is ready\","
                      "\"badge\":%" PRId64 "},\"ck\":{\"nid\":\"%08x-0000-4000-8000-%012" PRIx64
                      "\",\"qry\":{\"fo\":1,\"rid\":\"kettle\"}}}",
                      position, 7u, mixed >> 16);
  sqlite3_bind_int64(add, 1, (int64_t)1 << 40 | position);
  sqlite3_bind_int64(add, 2, (int64_t)mixed);
  sqlite3_bind_int64(add, 3, (int64_t)(mixed * 3));
  sqlite3_bind_int64(add, 4, position * 1000);
  sqlite3_bind_blob(add, 5, payload, size, SQLITE_STATIC);
  run(add);
  sqlite3_bind_int64(count, 1, position);
  sqlite3_bind_int64(count, 2, size);
  run(count);
}

static int ascending(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

// The 100 entries after a position, as StoreBenchmark asks for them.
static void page(sqlite3_stmt *after, int64_t position, int64_t last) {
  char *payloads[100];
  int rows = 0;
  sqlite3_bind_int64(after, 1, (int64_t)1 << 40 | (position + 1));
  sqlite3_bind_int64(after, 2, (int64_t)1 << 40 | last);
  while (rows < 100 && sqlite3_step(after) == SQLITE_ROW) {
    int size = sqlite3_column_bytes(after, 6);
    payloads[rows] = malloc((size_t)size + 1);
    if (!payloads[rows]) exit(1);
    memcpy(payloads[rows++], sqlite3_column_blob(after, 6), (size_t)size);
  }
  sqlite3_reset(after);
  if (rows != 100) need(SQLITE_ERROR, SQLITE_OK, "page");
  while (rows > 0) free(payloads[--rows]);
}

static void pages(int64_t last, int wanted) {
  sqlite3_stmt *after = prepare(
      "SELECT key, idHigh, idLow, kind, received, pruned, payload FROM entry "
      "WHERE key BETWEEN ? AND ? ORDER BY key");
  double *took = calloc((size_t)wanted, sizeof *took);
  if (!took) exit(1);
  for (int i = 0; i < wanted; i++) {
    uint64_t mixed = (uint64_t)(i + 1) * 0x9e3779b97f4a7c15ULL;
    int64_t position = (int64_t)((mixed >> 20) % (uint64_t)(last - 100));
    double start = seconds();
    page(after, position, last);
    took[i] = seconds() - start;
  }
  qsort(took, (size_t)wanted, sizeof *took, ascending);
  printf("%.1f %.1f\n", took[wanted / 2] * 1e6, took[wanted * 99 / 100] * 1e6);
  free(took);
  sqlite3_finalize(after);
}

int main(int argc, char **argv) {
  if (argc < 4 || argc > 5 || atoi(argv[2]) < 1 || atoi(argv[3]) < 1) {
    fprintf(stderr, "usage: push_baseline FOLDER GROUP COUNT [PAGES]\n");
    return 2;
  }
  char path[512];
  snprintf(path, sizeof path, "%s/pushes.sqlite", argv[1]);
  open_books(path);
  sqlite3_stmt *begin = prepare("BEGIN IMMEDIATE");
  sqlite3_stmt *commit = prepare("COMMIT");
  sqlite3_stmt *add = prepare("INSERT INTO entry VALUES (?1, 1, ?2, ?3, 1, ?4, NULL, ?5)");
  sqlite3_stmt *count = prepare(
      "UPDATE inbox SET last = ?1, entries = entries + 1, bytes = bytes + ?2 WHERE number = 1");
  int group = atoi(argv[2]), wanted = atoi(argv[3]);
  double start = seconds();
  for (int row = 0; row < wanted;) {
    run(begin);
    for (int i = 0; i < group && row < wanted; i++) push(add, count, ++row);
    run(commit);
  }
  printf("%.0f\n", wanted / (seconds() - start));
  if (argc == 5 && wanted > 100 && atoi(argv[4]) > 0) pages(wanted, atoi(argv[4]));
  sqlite3_finalize(begin);
  sqlite3_finalize(commit);
  sqlite3_finalize(add);
  sqlite3_finalize(count);
  sqlite3_close(books);
  unlink(path);
  return 0;
}
