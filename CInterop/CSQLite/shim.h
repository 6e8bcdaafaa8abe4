#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

#include <sqlite3.h>

// What Swift cannot import of sqlite3.h: SQLITE_TRANSIENT, and a hook that carries a counter.
// Pointers are never null unless said.

/// sqlite3_bind_text with SQLITE_TRANSIENT: the bytes are copied. `bytes` may be null if count is 0.
static inline int csqlite_bind_text(
    sqlite3_stmt *statement, int index, const char *bytes, int count) {
  return sqlite3_bind_text(statement, index, bytes ? bytes : "", count, SQLITE_TRANSIENT);
}

/// sqlite3_bind_blob with SQLITE_TRANSIENT: the bytes are copied; an empty blob is not null.
static inline int csqlite_bind_blob(
    sqlite3_stmt *statement, int index, const void *bytes, int count) {
  return sqlite3_bind_blob(statement, index, bytes ? bytes : "", count, SQLITE_TRANSIENT);
}

static inline int csqlite_note_frames(
    void *counter, sqlite3 *database, const char *name, int frames) {
  (void)database;
  (void)name;
  *(int *)counter = frames;
  return SQLITE_OK;
}

/// After every commit `*counter` is the number of frames in the log; replaces the automatic
/// checkpoint (sqlite3_wal_hook). `counter` outlives the database.
static inline void csqlite_count_frames(sqlite3 *database, int *counter) {
  sqlite3_wal_hook(database, csqlite_note_frames, counter);
}

#endif
