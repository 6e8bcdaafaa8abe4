// What the files of this plugin share.
#ifndef BELFRY_CALENDARS_H
#define BELFRY_CALENDARS_H

#include <unicode/ucal.h>

#include "belfry/belfry.h"
#include "belfry/helpers.h"

// Farther than this from its anchor no day is told: the host's time ends long before.
#define MOST_YEARS 3000

// An anchor, read in its calendar.
struct reckoning {
    UCalendar *calendar;
    int64_t anchor_day;
    int32_t month, is_leap_month, day_of_month;
    // Of BELFRY_UNIT_WEEK_YEAR: the year, its week from 0, the day of that week from 0.
    int32_t week_year, week, weekday;
    UErrorCode status;
};

void reckoning_begin(struct reckoning *reckoning, UCalendar *calendar,
                     const belfry_calendar_question *question);

// The day of the occurrence `units` units after the anchor, or BELFRY_NO_DAY. Returns 0, or -1 where
// the calendar cannot tell; `status` says then whether that is ICU's failure.
int reckoning_day(struct reckoning *reckoning, const belfry_calendar_question *question,
                  int64_t units, int64_t *ret_day);

#endif
