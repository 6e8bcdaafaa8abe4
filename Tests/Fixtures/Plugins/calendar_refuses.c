// Fails every question.
#include "fixture.h"

DAYS {
    UNUSED_DAYS_ARGUMENTS;
    static const belfry_text words = BELFRY_TEXT("the almanac is lost");
    ret_answer->text = words;
    return BELFRY_FAILED;
}
CALENDAR_FIXTURE("fixture.calendar-refuses")
