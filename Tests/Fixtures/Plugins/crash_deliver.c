// Crashes in the delivery.
#include "fixture.h"

SHOW {
    UNUSED_ARGUMENTS;
    *(volatile int *)0 = 1;
    return BELFRY_DONE;
}
FUNCTIONS
FIXTURE("fixture.crash-deliver", functions)
