// A good plugin: appends a line for everything to the file of its key `out`, and takes as many
// milliseconds for each delivery then as its key `takes` says:
//     event=show token=7 id=… attempt=1 due=… entered=… identifier=… body=9 level=1
//     event=badge token=8 app=… value=3
// Events are show, update, withdraw (whose attempt and due are 0, and identifier empty) and badge;
// due and entered are nanoseconds since 1970 UTC, body the bytes of that. Identifiers of tests have
// no spaces.
#include "fixture.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static int record = -1;
static int64_t takes;

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static int32_t put(const char *line, int size) {
    return write(record, line, (size_t)size) == size ? BELFRY_DONE : BELFRY_FAILED;
}

static int32_t deliver(const char *event, uint64_t token, belfry_text id, uint32_t attempt,
                       int64_t due, int64_t entered, belfry_text identifier, uint32_t body,
                       uint32_t level) {
    char line[512];
    int size = snprintf(line, sizeof line,
                        "event=%s token=%" PRIu64 " id=%.*s attempt=%" PRIu32 " due=%" PRId64
                        " entered=%" PRId64 " identifier=%.*s body=%" PRIu32 " level=%" PRIu32 "\n",
                        event, token, (int)id.size, id.bytes, attempt, due, entered,
                        (int)identifier.size, identifier.bytes, body, level);
    int32_t status = put(line, size);
    usleep((useconds_t)takes * 1000);
    return status;
}

SHOW {
    int64_t entered = now();
    UNUSED_ARGUMENTS;
    return deliver("show", delivery->token, delivery->id, delivery->attempt, delivery->due_ns,
                   entered, delivery->identifier, delivery->body.size, delivery->level);
}

static int32_t update(void *instance, const belfry_delivery *delivery,
                      belfry_answer *ret_answer) {
    int64_t entered = now();
    UNUSED_ARGUMENTS;
    return deliver("update", delivery->token, delivery->id, delivery->attempt, delivery->due_ns,
                   entered, delivery->identifier, delivery->body.size, delivery->level);
}

static int32_t withdraw(void *instance, const belfry_withdrawal *withdrawal,
                        belfry_answer *ret_answer) {
    (void)instance, (void)ret_answer;
    static const belfry_text none = BELFRY_TEXT("");
    return deliver("withdraw", withdrawal->token, withdrawal->id, 0, 0, now(), none, 0, 0);
}

static int32_t changed(void *instance, const belfry_badge *badge, belfry_answer *ret_answer) {
    (void)instance, (void)ret_answer;
    char line[400];
    return put(line, snprintf(line, sizeof line, "event=badge token=%" PRIu64 " app=%.*s value=%" PRId64
                              "\n",
                              badge->token, (int)badge->app.size, badge->app.bytes, badge->value));
}

static int32_t check(void *instance, belfry_answer *ret_answer) {
    (void)instance;
    static const belfry_text words = BELFRY_TEXT("recording");
    ret_answer->text = words;
    return BELFRY_HEALTH_GOOD;
}

static uint32_t wants(void *instance) {
    (void)instance;
    static const belfry_text key = BELFRY_TEXT("everything");
    int64_t everything = 0;
    fixture_host->config_number(fixture_host, key, &everything);
    return everything ? BELFRY_WANTS_EVERYTHING : 0;
}

static int32_t start(const belfry_host *host, void **ret_instance, belfry_answer *ret_answer) {
    static const belfry_text key = BELFRY_TEXT("out");
    static const belfry_text problem = BELFRY_TEXT("`out` cannot be opened");
    fixture_start(host, ret_instance, ret_answer);
    static const belfry_text slowness = BELFRY_TEXT("takes");
    belfry_text path = {NULL, 0};
    host->config(host, key, &path);
    host->config_number(host, slowness, &takes);
    record = open(path.bytes, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (record < 0) ret_answer->text = problem;
    return record < 0 ? BELFRY_FAILED : BELFRY_DONE;
}

static const belfry_delivery_1 deliveries = {.size = sizeof deliveries, .show = show,
                                             .update = update, .withdraw = withdraw,
                                             .wants = wants};
static const belfry_badge_1 badges = {.size = sizeof badges, .changed = changed};
static const belfry_health_1 health = {.size = sizeof health, .check = check};
static const belfry_extension extensions[] = {{BELFRY_TEXT(BELFRY_DELIVERY_1), &deliveries},
                                              {BELFRY_TEXT(BELFRY_BADGE_1), &badges},
                                              {BELFRY_TEXT(BELFRY_HEALTH_1), &health}};
static const belfry_config_key keys[] = {
    {.size = sizeof keys[0], .type = BELFRY_TYPE_TEXT, .name = BELFRY_TEXT("out"),
     .help = BELFRY_TEXT("Where to write the lines.")},
    {.size = sizeof keys[0], .type = BELFRY_TYPE_BOOLEAN, .name = BELFRY_TEXT("everything"),
     .default_value = BELFRY_TEXT("no"), .help = BELFRY_TEXT("Also what has no body.")},
    {.size = sizeof keys[0], .type = BELFRY_TYPE_INTEGER, .name = BELFRY_TEXT("takes"),
     .default_value = BELFRY_TEXT("0"), .help = BELFRY_TEXT("Milliseconds for a delivery.")}};
static const belfry_descriptor descriptor = {
    .size = sizeof descriptor, .abi_major = BELFRY_ABI_MAJOR, .abi_minor = BELFRY_ABI_MINOR,
    .id = BELFRY_TEXT("fixture.recorder"), .name = BELFRY_TEXT("Recorder"),
    .version = BELFRY_TEXT("1"), .extensions = extensions, .config_keys = keys,
    .extension_count = 3, .config_key_count = 3, .start = start};

const belfry_descriptor *belfry_plugin_entry(uint32_t host_abi) {
    (void)host_abi;
    return &descriptor;
}
