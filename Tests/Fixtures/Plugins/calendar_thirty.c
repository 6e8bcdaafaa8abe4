// A calendar whose months all have thirty days; with FIXTURE_FILE it appends a byte per question.
#include "fixture.h"

#include <stdio.h>

DAYS {
    UNUSED_DAYS_ARGUMENTS;
    const char *path = getenv("FIXTURE_FILE");
    FILE *file = path == NULL ? NULL : fopen(path, "a");
    if (file != NULL) {
        fputc('.', file);
        fclose(file);
    }
    for (uint32_t index = 0; index < question->count; index++)
        ret_days[index] = question->anchor_day + 30 * (question->first_index + index);
    *ret_count = question->count;
    return BELFRY_DONE;
}
CALENDAR_FIXTURE("fixture.calendar-thirty")
