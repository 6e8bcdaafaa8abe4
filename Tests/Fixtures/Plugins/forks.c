// Leaves a child behind that runs for ever; its process id goes to the file that the environment
// variable FIXTURE_FILE names.
#include "fixture.h"

#include <stdio.h>
#include <unistd.h>

SHOW {
    UNUSED_ARGUMENTS;
    pid_t child = fork();
    if (child == 0)
        for (;;) pause();
    const char *path = getenv("FIXTURE_FILE");
    FILE *file = path ? fopen(path, "a") : NULL;
    if (file) {
        fprintf(file, "%d\n", (int)child);
        fclose(file);
    }
    return BELFRY_DONE;
}
FUNCTIONS
FIXTURE("fixture.forks", functions)
