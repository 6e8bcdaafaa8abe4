// What every misbehaving plugin here shares: a descriptor around one `show`. Tests compile each file
// with: cc -shared -fPIC -I CInterop/CPlugin/include -o NAME.so NAME.c
#ifndef FIXTURE_H
#define FIXTURE_H

#include <belfry/plugin.h>
#include <stdlib.h>
#include <string.h>

static const belfry_host *fixture_host __attribute__((unused));

static inline int32_t fixture_start(const belfry_host *host, void **ret_instance,
                                    belfry_answer *ret_answer) {
    (void)ret_answer;
    *ret_instance = NULL;
    fixture_host = host;
    return BELFRY_DONE;
}

#define FIXTURE(fixture_id, fixture_functions) \
    FIXTURE_OF(fixture_id, BELFRY_DELIVERY_1, fixture_functions)

#define FIXTURE_OF(fixture_id, extension_id, fixture_functions)                               \
    static const belfry_extension fixture_extensions[] = {                                    \
        {BELFRY_TEXT(extension_id), &fixture_functions}};                                     \
    static const belfry_descriptor fixture_descriptor = {.size = sizeof fixture_descriptor,   \
                                                         .abi_major = BELFRY_ABI_MAJOR,       \
                                                         .abi_minor = BELFRY_ABI_MINOR,       \
                                                         .id = BELFRY_TEXT(fixture_id),       \
                                                         .name = BELFRY_TEXT("Fixture"),      \
                                                         .version = BELFRY_TEXT("1"),         \
                                                         .extensions = fixture_extensions,    \
                                                         .extension_count = 1,                \
                                                         .start = fixture_start};             \
    const belfry_descriptor *belfry_plugin_entry(uint32_t host_abi) {                         \
        (void)host_abi;                                                                       \
        return &fixture_descriptor;                                                           \
    }

#define SHOW                                                                     \
    static int32_t show(void *instance, const belfry_delivery *delivery,         \
                        belfry_answer *ret_answer)
#define UNUSED_ARGUMENTS (void)instance, (void)delivery, (void)ret_answer
#define FUNCTIONS static const belfry_delivery_1 functions = {.size = sizeof functions, .show = show};

// A plugin that knows the calendar "hebrew", around one `days`.
#define DAYS                                                                              \
    static int32_t days(void *instance, const belfry_calendar_question *question,         \
                        int64_t *ret_days, uint32_t *ret_count, belfry_answer *ret_answer)
#define UNUSED_DAYS_ARGUMENTS \
    (void)instance, (void)question, (void)ret_days, (void)ret_count, (void)ret_answer
#define CALENDAR_FIXTURE(fixture_id)                                                          \
    static const belfry_text fixture_calendars[] = {BELFRY_TEXT("hebrew")};                   \
    static const belfry_calendar_1 functions = {.size = sizeof functions,                     \
                                                .calendar_count = 1,                          \
                                                .days = days,                                 \
                                                .calendars = fixture_calendars};              \
    FIXTURE_OF(fixture_id, BELFRY_CALENDAR_1, functions)

#endif
