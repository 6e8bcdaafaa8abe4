#include "cslim_sqlite.h"

struct sqlite3;

static int none(struct sqlite3 *connection) {
    (void)connection;
    return 0; // SQLITE_OK
}

int sqlite3Fts3Init(struct sqlite3 *connection) { return none(connection); }
int sqlite3Fts5Init(struct sqlite3 *connection) { return none(connection); }
int sqlite3RtreeInit(struct sqlite3 *connection) { return none(connection); }
int sqlite3JsonTableFunctions(struct sqlite3 *connection) { return none(connection); }
void sqlite3RegisterJsonFunctions(void) {}
