// Crashes while it is loaded.
#include "fixture.h"

__attribute__((constructor)) static void crash(void) { abort(); }

SHOW {
    UNUSED_ARGUMENTS;
    return BELFRY_DONE;
}
FUNCTIONS
FIXTURE("fixture.crash-load", functions)
