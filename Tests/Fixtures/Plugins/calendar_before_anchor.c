// Answers days before the anchor.
#include "fixture.h"

DAYS {
    UNUSED_DAYS_ARGUMENTS;
    for (uint32_t index = 0; index < question->count; index++)
        ret_days[index] = question->anchor_day - 30 + index;
    *ret_count = question->count;
    return BELFRY_DONE;
}
CALENDAR_FIXTURE("fixture.calendar-before-anchor")
