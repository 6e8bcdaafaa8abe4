// Says that it wrote a million days.
#include "fixture.h"

DAYS {
    UNUSED_DAYS_ARGUMENTS;
    for (uint32_t index = 0; index < question->count; index++)
        ret_days[index] = question->anchor_day + 30 * (question->first_index + index);
    *ret_count = 1000000;
    return BELFRY_DONE;
}
CALENDAR_FIXTURE("fixture.calendar-million")
