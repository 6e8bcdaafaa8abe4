// Answers pending, and that is all.
#include "fixture.h"

SHOW {
    UNUSED_ARGUMENTS;
    return BELFRY_PENDING;
}
FUNCTIONS
FIXTURE("fixture.never-completes", functions)
