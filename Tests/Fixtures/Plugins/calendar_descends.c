// Answers days in the wrong order.
#include "fixture.h"

DAYS {
    UNUSED_DAYS_ARGUMENTS;
    for (uint32_t index = 0; index < question->count; index++)
        ret_days[index] = question->anchor_day + 30000 - 30 * (question->first_index + index);
    *ret_count = question->count;
    return BELFRY_DONE;
}
CALENDAR_FIXTURE("fixture.calendar-descends")
