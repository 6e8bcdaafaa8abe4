// Prints and logs megabytes.
#include "fixture.h"

#include <unistd.h>

SHOW {
    UNUSED_ARGUMENTS;
    char block[4096];
    memset(block, 'x', sizeof block);
    belfry_text line = {block, 900};
    for (int index = 0; index < 1024; index++) {
        if (write(1, block, sizeof block) < 0) break;
        for (int times = 0; times < 4; times++)
            fixture_host->log(fixture_host, BELFRY_LOG_NOTICE, line);
    }
    return BELFRY_DONE;
}
FUNCTIONS
FIXTURE("fixture.prints-megabytes", functions)
