// Never comes back from a question.
#include "fixture.h"

#include <unistd.h>

DAYS {
    UNUSED_DAYS_ARGUMENTS;
    for (;;) pause();
}
CALENDAR_FIXTURE("fixture.calendar-hangs")
