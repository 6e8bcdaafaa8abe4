// Answers at once and completes twice more.
#include "fixture.h"

SHOW {
    UNUSED_ARGUMENTS;
    fixture_host->complete(fixture_host, delivery->token, BELFRY_FAILED, NULL);
    fixture_host->complete(fixture_host, delivery->token, BELFRY_DONE, NULL);
    return BELFRY_DONE;
}
FUNCTIONS
FIXTURE("fixture.answers-twice", functions)
