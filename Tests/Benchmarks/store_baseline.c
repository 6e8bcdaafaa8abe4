// What a plain C program stores in a second: the store's table and index, prepared statements, the
// same settings and durability, the same rows in groups of the same size, and no socket.
//
// usage: store_baseline FOLDER GROUP COUNT
// prints ROWS_PER_SECOND BYTES_WRITTEN_PER_ROW for COUNT rows in groups of GROUP.
// Bytes are write_bytes of /proc/self/io, checkpoint at the end included.
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

static long long written(void) {
  long long bytes = 0;
  char line[128];
  FILE *io = fopen("/proc/self/io", "r");
  while (io && fgets(line, sizeof line, io)) sscanf(line, "write_bytes: %lld", &bytes);
  if (io) fclose(io);
  return bytes;
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
  need(sqlite3_open_v2(path, &books,
                       SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL),
       SQLITE_OK, path);
  need(sqlite3_exec(books,
                    "PRAGMA locking_mode = EXCLUSIVE; PRAGMA page_size = 1024;"
                    "PRAGMA auto_vacuum = NONE; PRAGMA journal_mode = WAL;"
                    "PRAGMA synchronous = FULL; PRAGMA cache_size = -256;"
                    "PRAGMA secure_delete = OFF;"
                    "CREATE TABLE notification (slot INTEGER PRIMARY KEY, app INTEGER NOT NULL,"
                    "  generation INTEGER NOT NULL, sequence INTEGER NOT NULL,"
                    "  anchor INTEGER NOT NULL, unit INTEGER NOT NULL,"
                    "  firedThrough INTEGER NOT NULL, uuidHigh INTEGER NOT NULL,"
                    "  uuidLow INTEGER NOT NULL, identifier TEXT NOT NULL,"
                    "  content BLOB NOT NULL, relative BLOB, mode INTEGER NOT NULL,"
                    "  zone TEXT, plan TEXT, tolerance INTEGER NOT NULL,"
                    "  wakes INTEGER NOT NULL);"
                    "CREATE UNIQUE INDEX notificationName ON notification (app, identifier);",
                    NULL, NULL, NULL),
       SQLITE_OK, "schema");
}

static void insert(sqlite3_stmt *statement, int64_t slot) {
  uint64_t mixed = (uint64_t)slot * 0x9e3779b97f4a7c15ULL;
  char identifier[64];
  char content[256];
  int64_t due = (int64_t)2000000000 * 1000000 + slot * 1000000;
  snprintf(identifier, sizeof identifier, "%08x-load-%016" PRIx64, 7u, mixed);
  snprintf(content, sizeof content,
           "{\"alertBody\":\"The kettle in the ward kitchen is ready\",\"fireDate\":%" PRId64
           ",\"soundName\":\"default\"}",
           due);
  sqlite3_bind_int64(statement, 1, slot);
  sqlite3_bind_int64(statement, 2, 1);
  sqlite3_bind_int64(statement, 3, 0);
  sqlite3_bind_int64(statement, 4, slot);
  sqlite3_bind_int64(statement, 5, due * 1000);
  sqlite3_bind_int64(statement, 6, 0);
  sqlite3_bind_int64(statement, 7, -1);
  sqlite3_bind_int64(statement, 8, (int64_t)mixed);
  sqlite3_bind_int64(statement, 9, (int64_t)(mixed * 3));
  sqlite3_bind_text(statement, 10, identifier, -1, SQLITE_STATIC);
  sqlite3_bind_blob(statement, 11, content, (int)strlen(content), SQLITE_STATIC);
  run(statement);
}

static void measure(const char *folder, int group, int count) {
  char path[512];
  snprintf(path, sizeof path, "%s/baseline-%d.sqlite", folder, group);
  unlink(path);
  open_books(path);
  sqlite3_stmt *begin = prepare("BEGIN IMMEDIATE");
  sqlite3_stmt *commit = prepare("COMMIT");
  sqlite3_stmt *add = prepare("INSERT INTO notification VALUES (?,?,?,?,?,?,?,?,?,?,?,NULL,0,NULL,NULL,0,0)");
  long long bytes = written();
  double start = seconds();
  for (int row = 0; row < count;) {
    run(begin);
    for (int i = 0; i < group && row < count; i++) insert(add, ++row);
    run(commit);
  }
  double elapsed = seconds() - start;
  sqlite3_finalize(begin);
  sqlite3_finalize(commit);
  sqlite3_finalize(add);
  sqlite3_close(books);
  printf("%.0f %.0f\n", count / elapsed, (double)(written() - bytes) / count);
  unlink(path);
}

int main(int argc, char **argv) {
  if (argc != 4 || atoi(argv[2]) < 1 || atoi(argv[3]) < 1) {
    fprintf(stderr, "usage: store_baseline FOLDER GROUP COUNT\n");
    return 2;
  }
  measure(argv[1], atoi(argv[2]), atoi(argv[3]));
  return 0;
}
