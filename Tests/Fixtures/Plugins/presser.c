// Has input/1 and presses a button of whatever it is shown, 100 ms after it, as its key `press` says:
// an action's id ("" is the default one), or one of the words below. To the file of its key `out` it
// writes a line for each delivery, with its actions, and one for each report, with the host's answer:
//     event=show identifier=… context=0 actions=reply/8,delete/20
//     event=report answer=0
#include "fixture.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

static int record = -1;
static char shown_id[512];

static belfry_text setting(const char *name) {
    belfry_text key = {name, (uint32_t)strlen(name)}, value = {NULL, 0};
    fixture_host->config(fixture_host, key, &value);
    return value;
}

static int is(belfry_text text, const char *word) {
    return text.size == strlen(word) && memcmp(text.bytes, word, text.size) == 0;
}

static uint32_t context(void *instance) {
    (void)instance;
    belfry_text value = setting("context");
    return is(value, "locked") ? BELFRY_CONTEXT_LOCKED : is(value, "minimal") ? BELFRY_CONTEXT_MINIMAL : 0;
}

static void say(const char *line, int size) {
    if (write(record, line, (size_t)size) != size) abort();
}

static void report(uint32_t kind, const char *id, belfry_text name, belfry_text text) {
    belfry_report told = {.size = sizeof told, .kind = kind, .name = name, .text = text,
                          .delivery_id = {id, (uint32_t)strlen(id)},
                          .duration_ns = 2000000000};
    int32_t answer = fixture_host->report(fixture_host, &told);
    char line[64];
    say(line, snprintf(line, sizeof line, "event=report answer=%" PRId32 "\n", answer));
}

static void press(void) {
    static const belfry_text none = {NULL, 0};
    belfry_text what = setting("press"), typed = setting("typed");
    if (typed.size == 0) typed = none;
    if (is(what, "dismiss")) {
        report(BELFRY_REPORT_DISMISSED, shown_id, none, none);
    } else if (is(what, "snooze")) {
        report(BELFRY_REPORT_SNOOZED, shown_id, none, none);
    } else if (is(what, "unknown")) {
        report(BELFRY_REPORT_DISMISSED, "no id at all", none, none);
        report(BELFRY_REPORT_DISMISSED, "01234567-89ab-cdef-fedc-ba9876543210.0.0@presser", none, none);
        report(BELFRY_REPORT_FIX, shown_id, none, none);
    } else if (is(what, "other")) {
        char other[512];
        snprintf(other, sizeof other, "%.*s@one", (int)(strchr(shown_id, '@') - shown_id), shown_id);
        report(BELFRY_REPORT_DISMISSED, other, none, none);
    } else if (is(what, "flood")) {
        for (int count = 0; count < 3000; ++count)
            report(BELFRY_REPORT_DISMISSED, "01234567-89ab-cdef-fedc-ba9876543210.0.0@presser", none, none);
    } else {
        report(BELFRY_REPORT_ACTION, shown_id, what, typed);
    }
}

static void later(void *instance, uint32_t timer) {
    (void)instance, (void)timer;
    press();
}

SHOW {
    UNUSED_ARGUMENTS;
    char line[1024];
    int size = snprintf(line, sizeof line, "event=show identifier=%.*s context=%" PRIu32 " actions=",
                        (int)delivery->identifier.size, delivery->identifier.bytes, delivery->context);
    for (uint32_t index = 0; index < delivery->action_count; ++index) {
        const belfry_action *action = &delivery->actions[index];
        size += snprintf(line + size, sizeof line - (size_t)size, "%s%.*s/%" PRIu32,
                         index > 0 ? "," : "", (int)action->id.size, action->id.bytes, action->flags);
        const belfry_text *button = &delivery->action_buttons[index];
        if (button->bytes) {
            size += snprintf(line + size, sizeof line - (size_t)size, "/%.*s", (int)button->size,
                             button->bytes);
        }
    }
    line[size++] = '\n';
    say(line, size);
    snprintf(shown_id, sizeof shown_id, "%.*s", (int)delivery->id.size, delivery->id.bytes);
    if (is(setting("when"), "early")) {
        press();
    } else {
        uint32_t timer;
        fixture_host->start_timer(fixture_host, 100000000, later, NULL, &timer);
    }
    return BELFRY_DONE;
}

static int32_t withdraw(void *instance, const belfry_withdrawal *withdrawal, belfry_answer *ret_answer) {
    (void)instance, (void)withdrawal, (void)ret_answer;
    say("event=withdraw\n", 15);
    return BELFRY_DONE;
}

static int32_t start(const belfry_host *host, void **ret_instance, belfry_answer *ret_answer) {
    fixture_start(host, ret_instance, ret_answer);
    record = open(setting("out").bytes, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    return record < 0 ? BELFRY_FAILED : BELFRY_DONE;
}

static const belfry_delivery_1 deliveries = {.size = sizeof deliveries, .show = show,
                                             .withdraw = withdraw};
static const belfry_input_1 input = {.size = sizeof input, .context = context};
static const belfry_extension extensions[] = {{BELFRY_TEXT(BELFRY_DELIVERY_1), &deliveries},
                                              {BELFRY_TEXT(BELFRY_INPUT_1), &input}};
#define KEY(key_name, key_default)                                                              \
    {.size = sizeof(belfry_config_key), .type = BELFRY_TYPE_TEXT, .name = BELFRY_TEXT(key_name), \
     .default_value = BELFRY_TEXT(key_default), .help = BELFRY_TEXT("See presser.c.")}
static const belfry_config_key keys[] = {KEY("out", ""), KEY("press", ""), KEY("typed", ""),
                                         KEY("context", "default"), KEY("when", "later")};
static const belfry_descriptor descriptor = {
    .size = sizeof descriptor, .abi_major = BELFRY_ABI_MAJOR, .abi_minor = BELFRY_ABI_MINOR,
    .id = BELFRY_TEXT("fixture.presser"), .name = BELFRY_TEXT("Presser"),
    .version = BELFRY_TEXT("1"), .extensions = extensions, .config_keys = keys,
    .extension_count = 2, .config_key_count = 5, .start = start};

const belfry_descriptor *belfry_plugin_entry(uint32_t host_abi) {
    (void)host_abi;
    return &descriptor;
}
