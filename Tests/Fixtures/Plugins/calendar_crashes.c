// Crashes when asked.
#include "fixture.h"

DAYS {
    UNUSED_DAYS_ARGUMENTS;
    abort();
}
CALENDAR_FIXTURE("fixture.calendar-crashes")
