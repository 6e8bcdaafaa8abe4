// Never comes back from its function.
#include "fixture.h"

#include <unistd.h>

SHOW {
    UNUSED_ARGUMENTS;
    for (;;) pause();
    return BELFRY_DONE;
}
FUNCTIONS
FIXTURE("fixture.never-answers", functions)
