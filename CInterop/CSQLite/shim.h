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

/// Closing copies nothing of the log into the file, and leaves it there.
static inline void csqlite_keep_log(sqlite3 *database) {
  sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

/// The errno of the last failed call on the file or its log; 0: none. SQLite answers "corrupt" to
/// EIO on reading, and only this tells the two apart. It stands until the file is opened again.
static inline int csqlite_file_errno(sqlite3 *database) {
  int error = 0;
  sqlite3_file_control(database, "main", SQLITE_FCNTL_LAST_ERRNO, &error);
  if (error) return error;
  sqlite3_file *log = 0;
  sqlite3_file_control(database, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log);
  if (log && log->pMethods) log->pMethods->xFileControl(log, SQLITE_FCNTL_LAST_ERRNO, &error);
  return error;
}

#endif
