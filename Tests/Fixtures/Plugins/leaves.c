// Leaves processes behind in sessions of their own, one of them without a parent; their numbers go
// to the log.
#include "fixture.h"

#include <stdio.h>
#include <unistd.h>

static void say(const char *what, int pid) {
    char line[64];
    belfry_text text = {line, (uint32_t)snprintf(line, sizeof line, "%s=%d", what, pid)};
    fixture_host->log(fixture_host, BELFRY_LOG_NOTICE, text);
}

SHOW {
    UNUSED_ARGUMENTS;
    int ends[2];
    pid_t left = 0;
    if (pipe(ends) < 0) return BELFRY_FAILED;
    pid_t child = fork();
    if (child == 0) {
        setsid();
        pid_t grandchild = fork();
        if (grandchild == 0)
            for (;;) pause();
        if (write(ends[1], &grandchild, sizeof grandchild) < 0) _exit(1);
        _exit(0);
    }
    if (read(ends[0], &left, sizeof left) < 0) return BELFRY_FAILED;
    say("orphan", (int)left);
    child = fork();
    if (child == 0) {
        setsid();
        for (;;) pause();
    }
    say("leader", (int)child);
    return BELFRY_DONE;
}
FUNCTIONS
FIXTURE("fixture.leaves", functions)
