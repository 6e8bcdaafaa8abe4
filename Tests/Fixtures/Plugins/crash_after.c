// Answers, and crashes a moment later.
#include "fixture.h"

static void crash(void *context, uint32_t timer) {
    (void)context, (void)timer;
    abort();
}

SHOW {
    UNUSED_ARGUMENTS;
    uint32_t timer;
    fixture_host->start_timer(fixture_host, 20 * 1000000, crash, NULL, &timer);
    return BELFRY_DONE;
}
FUNCTIONS
FIXTURE("fixture.crash-after", functions)
