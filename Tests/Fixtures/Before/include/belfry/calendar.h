/*
 * Repeats in calendars that the host does not know. Part of the contract that <belfry/plugin.h>
 * begins, which is included first and includes this.
 */
#ifndef BELFRY_CALENDAR_H
#define BELFRY_CALENDAR_H

#include <belfry/plugin.h>

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wnullability-extension"
#pragma clang diagnostic ignored "-Wnullability-completeness"
#pragma clang assume_nonnull begin
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- calendar/1 -------------------------------------------------------------------------- */

#define BELFRY_CALENDAR_1 "calendar/1"

/* Units of a repeat, numbered as NSCalendar.Unit. Shorter ones are the same in every calendar and
 * are never asked for. Three months: */
#define BELFRY_UNIT_YEAR 4u
#define BELFRY_UNIT_MONTH 8u
#define BELFRY_UNIT_QUARTER 2048u
/* The same week of the year and day of the week; weeks begin on Monday, and a year's first week is
 * the first with four days in it. What becomes of a year without that week BELFRY_MONTH_END says, as
 * of a day that a month lacks: the same day of its last week, none, or that of the week after. */
#define BELFRY_UNIT_WEEK_YEAR 16384u

/* What stands for a day that the month does not have: its last day; nothing; the next month's
 * first day. */
#define BELFRY_MONTH_END_CLAMP 0u
#define BELFRY_MONTH_END_SKIP 1u
#define BELFRY_MONTH_END_ROLL 2u

/* In `ret_days`: this occurrence is left out (BELFRY_MONTH_END_SKIP). */
#define BELFRY_NO_DAY INT64_MIN

/* On which days does a repeat fall? Days are counted from 1970-01-01, which is 0, as the civil
 * calendar (Gregorian, also before 1582) has them; they begin at midnight in every calendar. Time
 * of day, zones and daylight saving time are the host's.
 *
 * Occurrence k is the anchor + k * every * unit, reckoned in `calendar` and always from the anchor,
 * never from another occurrence: occurrence 0 is the anchor, and a day that was clamped does not
 * shorten those after it. Months are counted as the calendar has them, leap months included. The
 * occurrence of a year is the day of the same name: same month, same day of the month. In a year
 * without the anchor's month (a leap month) it is the month that bears the same name without being
 * leap (Hebrew Adar for Adar I, Chinese 4 for leap 4), under every BELFRY_MONTH_END. */
typedef struct belfry_calendar_question {
    uint32_t size;
    /* BELFRY_UNIT_… */
    uint32_t unit;
    /* BELFRY_MONTH_END_… */
    uint32_t month_end;
    /* How many days to write, 1 to 512. */
    uint32_t count;
    int64_t anchor_day;
    /* 1 to 1,000,000. */
    int64_t every;
    /* k of the first day to write; 0 to 1,000,000, and `count` more. */
    int64_t first_index;
    /* One of the plugin's `calendars`. */
    belfry_text calendar;
} belfry_calendar_question;

BELFRY_ASSERT(offsetof(belfry_calendar_question, anchor_day) == 16);
BELFRY_ASSERT(sizeof(belfry_calendar_question) == 40 + sizeof(belfry_text));

typedef struct belfry_calendar_1 {
    uint32_t size;
    /* Of `calendars`; at most 64. */
    uint32_t calendar_count;

    /* [worker] Writes `question->count` days to `ret_days`, which has room for so many, and to
     * `ret_count` how many it wrote: fewer, if the calendar cannot tell the rest. Days ascend.
     * Returns DONE; or FAILED with the reason in `ret_answer`: the repeat then waits, and the
     * question is asked again later. It waits for nothing: a call that takes 10 s has hung. The
     * same question always has the same answer. Called after `start`. */
    int32_t (*days)(void *BELFRY_NULLABLE instance, const belfry_calendar_question *question,
                    int64_t *ret_days, uint32_t *ret_count, belfry_answer *ret_answer);

    /* What it knows, by the names of ICU's calendar keyword, such as "hebrew". The Gregorian ones
     * ("gregorian", "iso8601", "buddhist", "japanese", "roc") are the host's own and never asked
     * for. The texts are the plugin's and live until the process ends. */
    const belfry_text *calendars;
} belfry_calendar_1;

BELFRY_ASSERT(offsetof(belfry_calendar_1, days) == 8);
BELFRY_ASSERT(sizeof(belfry_calendar_1) == 8 + 2 * sizeof(void *));

#ifdef __cplusplus
}
#endif

#if defined(__clang__)
#pragma clang assume_nonnull end
#pragma clang diagnostic pop
#endif

#endif
