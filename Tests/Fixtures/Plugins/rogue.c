// Misbehaves as the hash of what it is shown and its key `seed` decide: most deliveries it shows, the
// others it answers late, never, with a refusal, or by crashing or hanging; some starts it refuses.
// Each `show` writes the recorder's line to the file of its key `out` first.
#include "fixture.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static int record = -1;
static int64_t seed;

static uint32_t hash(const char *bytes, uint32_t size, uint32_t salt) {
    uint32_t value = 2166136261u ^ (uint32_t)seed ^ salt * 2654435761u;
    for (uint32_t i = 0; i < size; ++i) value = (value ^ (unsigned char)bytes[i]) * 16777619u;
    return (value ^ value >> 15) * 2246822519u >> 7;
}

static void nap(int64_t milliseconds) {
    struct timespec span = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    nanosleep(&span, NULL);
}

static void complete(void *token, uint32_t timer) {
    (void)timer;
    fixture_host->complete(fixture_host, *(uint64_t *)token, BELFRY_DONE, NULL);
    free(token);
}

static int32_t complete_later(uint64_t token) {
    uint64_t *kept = malloc(sizeof *kept);
    uint32_t timer;
    if (!kept) return BELFRY_FAILED;
    *kept = token;
    if (fixture_host->start_timer(fixture_host, 200 * 1000000, complete, kept, &timer) == BELFRY_OK)
        return BELFRY_PENDING;
    free(kept);
    return BELFRY_DONE;
}

static int32_t retry(belfry_answer *answer) {
    answer->retry_after_ns = 100 * 1000000;
    return BELFRY_RETRY;
}

SHOW {
    (void)instance;
    struct timespec now;
    char line[512];
    clock_gettime(CLOCK_REALTIME, &now);
    int size = snprintf(line, sizeof line,
                        "event=show token=%" PRIu64 " id=%.*s attempt=%" PRIu32 " due=%" PRId64
                        " entered=%" PRId64 " identifier=%.*s body=%" PRIu32 "\n",
                        delivery->token, (int)delivery->id.size, delivery->id.bytes,
                        delivery->attempt, delivery->due_ns,
                        (int64_t)now.tv_sec * 1000000000 + now.tv_nsec,
                        (int)delivery->identifier.size, delivery->identifier.bytes,
                        delivery->body.size);
    if (write(record, line, (size_t)size) != size) return BELFRY_FAILED;
    uint32_t roll = hash(delivery->id.bytes, delivery->id.size, delivery->attempt) % 200;
    if (roll < 2) nap(3600 * 1000);
    if (roll < 8) abort();
    if (roll < 12) nap(300);
    if (roll < 20) return BELFRY_FAILED;
    if (roll < 30) return retry(ret_answer);
    if (roll < 34) return BELFRY_PENDING;
    if (roll < 60) return complete_later(delivery->token);
    return BELFRY_DONE;
}

static int32_t start(const belfry_host *host, void **ret_instance, belfry_answer *ret_answer) {
    static const belfry_text out = BELFRY_TEXT("out"), salt = BELFRY_TEXT("seed");
    static const belfry_text mood = BELFRY_TEXT("not today");
    fixture_start(host, ret_instance, ret_answer);
    belfry_text path = {NULL, 0};
    host->config(host, out, &path);
    host->config_number(host, salt, &seed);
    record = open(path.bytes, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    int refuses = hash("", 0, (uint32_t)getpid()) % 8 == 0;
    if (refuses) ret_answer->text = mood;
    return record < 0 || refuses ? BELFRY_FAILED : BELFRY_DONE;
}

static const belfry_delivery_1 deliveries = {.size = sizeof deliveries, .show = show};
static const belfry_extension extensions[] = {{BELFRY_TEXT(BELFRY_DELIVERY_1), &deliveries}};
static const belfry_config_key keys[] = {
    {.size = sizeof keys[0], .type = BELFRY_TYPE_TEXT, .name = BELFRY_TEXT("out"),
     .help = BELFRY_TEXT("Where to write the lines.")},
    {.size = sizeof keys[0], .type = BELFRY_TYPE_INTEGER, .name = BELFRY_TEXT("seed"),
     .default_value = BELFRY_TEXT("1"), .help = BELFRY_TEXT("Of its moods.")}};
static const belfry_descriptor descriptor = {
    .size = sizeof descriptor, .abi_major = BELFRY_ABI_MAJOR, .abi_minor = BELFRY_ABI_MINOR,
    .id = BELFRY_TEXT("fixture.rogue"), .name = BELFRY_TEXT("Rogue"), .version = BELFRY_TEXT("1"),
    .extensions = extensions, .config_keys = keys, .extension_count = 1, .config_key_count = 2,
    .start = start};

const belfry_descriptor *belfry_plugin_entry(uint32_t host_abi) {
    (void)host_abi;
    return &descriptor;
}
