// Answers calendar/1 from ICU: every calendar that the installed ICU has.
#include "calendars.h"

#include <stdio.h>
#include <string.h>
#include <unicode/uenum.h>

enum { MOST_CALENDARS = 64, NAME_SIZE = 64 };

static char names[MOST_CALENDARS][NAME_SIZE];
static belfry_text calendars[MOST_CALENDARS];
// The one asked for last: questions come in rows.
static UCalendar *open_calendar;
static char open_name[NAME_SIZE];
static char reason[256];

static int32_t fail(belfry_answer *ret_answer, const char *what, UErrorCode status) {
    snprintf(reason, sizeof reason, "%s%s%s", what, U_FAILURE(status) ? ": ICU says " : "",
             U_FAILURE(status) ? u_errorName(status) : "");
    return belfry_answer_with(ret_answer, BELFRY_FAILED, reason);
}

static UCalendar *calendar_named(const char *name, UErrorCode *status) {
    if (open_calendar != NULL && strcmp(name, open_name) == 0) return open_calendar;
    if (open_calendar != NULL) ucal_close(open_calendar);
    char locale[NAME_SIZE + 16];
    snprintf(locale, sizeof locale, "root@calendar=%s", name);
    static const UChar utc[] = {'E', 't', 'c', '/', 'U', 'T', 'C'};
    open_calendar = ucal_open(utc, 7, locale, UCAL_DEFAULT, status);
    snprintf(open_name, sizeof open_name, "%s", name);
    return open_calendar;
}

// The plugin's own spelling of a calendar's name; NULL: it has no such calendar.
static const char *find(belfry_text name);

static int32_t days(void *instance, const belfry_calendar_question *question, int64_t *ret_days,
                    uint32_t *ret_count, belfry_answer *ret_answer) {
    (void)instance;
    *ret_count = 0;
    const char *name = find(question->calendar);
    if (name == NULL) return fail(ret_answer, "this ICU has no such calendar", U_ZERO_ERROR);
    UErrorCode status = U_ZERO_ERROR;
    UCalendar *calendar = calendar_named(name, &status);
    if (calendar == NULL || U_FAILURE(status))
        return fail(ret_answer, "the calendar cannot be opened", status);
    struct reckoning reckoning;
    reckoning_begin(&reckoning, calendar, question);
    for (uint32_t index = 0; index < question->count; index++) {
        int64_t units = (question->first_index + index) * question->every;
        if (reckoning_day(&reckoning, question, units, &ret_days[index]) != 0) break;
        *ret_count = index + 1;
    }
    if (U_FAILURE(reckoning.status))
        return fail(ret_answer, "the days cannot be reckoned", reckoning.status);
    return BELFRY_DONE;
}

static void stop(void *instance) {
    (void)instance;
    if (open_calendar != NULL) ucal_close(open_calendar);
    open_calendar = NULL;
}

// `calendar_count` is filled in when the plugin is asked what it is.
static belfry_calendar_1 calendar_functions = {
    .size = sizeof calendar_functions, .days = days, .calendars = calendars};
static const belfry_extension extensions[] = {
    {BELFRY_TEXT(BELFRY_CALENDAR_1), &calendar_functions}};

static const belfry_descriptor descriptor = {
    .size = sizeof descriptor,
    .abi_major = BELFRY_ABI_MAJOR,
    .abi_minor = BELFRY_ABI_MINOR,
    .id = BELFRY_TEXT("io.belfry.calendars"),
    .name = BELFRY_TEXT("Calendars"),
    .version = BELFRY_TEXT("0.1"),
    .vendor = BELFRY_TEXT("Belfry"),
    .licence = BELFRY_TEXT("Apache-2.0"),
    .extensions = extensions,
    .extension_count = sizeof extensions / sizeof extensions[0],
    .stop = stop};

static const char *find(belfry_text name) {
    for (uint32_t index = 0; index < calendar_functions.calendar_count; index++)
        if (belfry_text_equal(calendars[index], name)) return names[index];
    return NULL;
}

static int is_gregorian(const char *name) {
    static const char *const gregorian[] = {"gregorian", "iso8601", "buddhist", "japanese", "roc"};
    for (size_t index = 0; index < sizeof gregorian / sizeof gregorian[0]; index++)
        if (strcmp(name, gregorian[index]) == 0) return 1;
    return 0;
}

static void list_calendars(void) {
    UErrorCode status = U_ZERO_ERROR;
    UEnumeration *values = ucal_getKeywordValuesForLocale("calendar", "root", 0, &status);
    uint32_t count = 0;
    int32_t length = 0;
    const char *name;
    while (count < MOST_CALENDARS && (name = uenum_next(values, &length, &status)) != NULL) {
        if (length >= NAME_SIZE || is_gregorian(name)) continue;
        memcpy(names[count], name, (size_t)length + 1);
        calendars[count] = (belfry_text){names[count], (uint32_t)length};
        count++;
    }
    uenum_close(values);
    calendar_functions.calendar_count = count;
}

const belfry_descriptor *belfry_plugin_entry(uint32_t host_abi) {
    if (host_abi >> 16 != BELFRY_ABI_MAJOR) return NULL;
    list_calendars();
    return &descriptor;
}
