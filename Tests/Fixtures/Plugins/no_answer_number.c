// Answers a number that is no answer.
#include "fixture.h"

SHOW {
    UNUSED_ARGUMENTS;
    return 17;
}
FUNCTIONS
FIXTURE("fixture.no-answer-number", functions)
