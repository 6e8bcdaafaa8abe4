// Day arithmetic in one calendar. A month is reached from the first day of the anchor's month, so
// that nothing is clamped on the way; only then is the day looked for.
#include "calendars.h"

static const int64_t day_ms = 86400000;

// Noon, so that no rounding moves the day.
static void go_to(struct reckoning *reckoning, int64_t day) {
    double noon = (double)(day * day_ms + day_ms / 2);
    ucal_setMillis(reckoning->calendar, noon, &reckoning->status);
}

static int64_t current_day(struct reckoning *reckoning) {
    int64_t time = (int64_t)ucal_getMillis(reckoning->calendar, &reckoning->status);
    return time / day_ms - (time % day_ms < 0);
}

static int32_t get(struct reckoning *reckoning, UCalendarDateFields field) {
    return ucal_get(reckoning->calendar, field, &reckoning->status);
}

// The Monday of a year's week 1: of the week that the year's fourth day is in.
static int64_t first_monday(struct reckoning *reckoning, int32_t year) {
    ucal_clear(reckoning->calendar);
    ucal_set(reckoning->calendar, UCAL_EXTENDED_YEAR, year);
    ucal_set(reckoning->calendar, UCAL_MONTH, 0);
    ucal_set(reckoning->calendar, UCAL_IS_LEAP_MONTH, 0);
    ucal_set(reckoning->calendar, UCAL_DATE, 1);
    int64_t fourth = current_day(reckoning) + 3;
    // 1970-01-01 was a Thursday.
    int64_t weekday = ((fourth + 3) % 7 + 7) % 7;
    return fourth - weekday;
}

static void begin_week_year(struct reckoning *reckoning) {
    int32_t year = get(reckoning, UCAL_EXTENDED_YEAR) + 1;
    int64_t first = first_monday(reckoning, year);
    // The days around a new year may belong to the year before or after.
    for (int tries = 0; first > reckoning->anchor_day && tries < 2; tries++)
        first = first_monday(reckoning, --year);
    reckoning->week_year = year;
    reckoning->week = (int32_t)((reckoning->anchor_day - first) / 7);
    reckoning->weekday = (int32_t)((reckoning->anchor_day - first) % 7);
}

void reckoning_begin(struct reckoning *reckoning, UCalendar *calendar,
                     const belfry_calendar_question *question) {
    *reckoning = (struct reckoning){
        .calendar = calendar, .anchor_day = question->anchor_day, .status = U_ZERO_ERROR};
    go_to(reckoning, question->anchor_day);
    reckoning->month = get(reckoning, UCAL_MONTH);
    reckoning->is_leap_month = get(reckoning, UCAL_IS_LEAP_MONTH);
    reckoning->day_of_month = get(reckoning, UCAL_DATE);
    if (question->unit == BELFRY_UNIT_WEEK_YEAR) begin_week_year(reckoning);
}

static int64_t week_year_day(struct reckoning *reckoning, int32_t years, uint32_t month_end) {
    int32_t year = reckoning->week_year + years;
    int64_t first = first_monday(reckoning, year);
    int64_t weeks = (first_monday(reckoning, year + 1) - first) / 7;
    int64_t week = reckoning->week;
    if (week >= weeks) {
        if (month_end == BELFRY_MONTH_END_SKIP) return BELFRY_NO_DAY;
        week = month_end == BELFRY_MONTH_END_ROLL ? weeks : weeks - 1;
    }
    return first + week * 7 + reckoning->weekday;
}

// The first day of a month.
static void go_to_month(struct reckoning *reckoning, UCalendarDateFields field, int32_t amount) {
    go_to(reckoning, reckoning->anchor_day - (reckoning->day_of_month - 1));
    ucal_add(reckoning->calendar, field, amount, &reckoning->status);
    if (field == UCAL_MONTH || !reckoning->is_leap_month) return;
    // ICU goes on to the month after where a leap month is missing; its namesake is the one before.
    if (!get(reckoning, UCAL_IS_LEAP_MONTH) && get(reckoning, UCAL_MONTH) != reckoning->month)
        ucal_add(reckoning->calendar, UCAL_MONTH, -1, &reckoning->status);
}

static int64_t day_of_month(struct reckoning *reckoning, uint32_t month_end) {
    int64_t first = current_day(reckoning);
    // Of a Chinese month UCAL_ACTUAL_MAXIMUM may be the length of its leap namesake (ICU 72).
    ucal_add(reckoning->calendar, UCAL_MONTH, 1, &reckoning->status);
    int64_t length = current_day(reckoning) - first;
    if (reckoning->day_of_month <= length) return first + reckoning->day_of_month - 1;
    switch (month_end) {
        case BELFRY_MONTH_END_SKIP: return BELFRY_NO_DAY;
        case BELFRY_MONTH_END_ROLL: return first + length;
        default: return first + length - 1;
    }
}

int reckoning_day(struct reckoning *reckoning, const belfry_calendar_question *question,
                  int64_t units, int64_t *ret_day) {
    if (units == 0) {
        *ret_day = question->anchor_day;
        return 0;
    }
    int64_t months = question->unit == BELFRY_UNIT_QUARTER ? 3 : 1;
    int of_years = question->unit == BELFRY_UNIT_YEAR || question->unit == BELFRY_UNIT_WEEK_YEAR;
    if (units > MOST_YEARS * (of_years ? 1 : 12)) return -1;
    int32_t amount = (int32_t)(units * months);
    if (question->unit == BELFRY_UNIT_WEEK_YEAR) {
        *ret_day = week_year_day(reckoning, amount, question->month_end);
    } else {
        go_to_month(reckoning, of_years ? UCAL_EXTENDED_YEAR : UCAL_MONTH, amount);
        *ret_day = day_of_month(reckoning, question->month_end);
    }
    return U_FAILURE(reckoning->status) ? -1 : 0;
}
