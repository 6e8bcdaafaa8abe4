// Completes what is no delivery, and answers.
#include "fixture.h"

DAYS {
    UNUSED_DAYS_ARGUMENTS;
    fixture_host->complete(fixture_host, 1, BELFRY_DONE, NULL);
    fixture_host->complete(fixture_host, 2, BELFRY_FAILED, NULL);
    for (uint32_t index = 0; index < question->count; index++)
        ret_days[index] = question->anchor_day + 30 * (question->first_index + index);
    *ret_count = question->count;
    return BELFRY_DONE;
}
CALENDAR_FIXTURE("fixture.calendar-answers-twice")
