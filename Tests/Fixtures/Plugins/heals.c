// A recorder that is not always well: `start` fails while the file of its key `broken` exists, and
// each `show` waits for a byte of the FIFO of its key `gate` before it appends "event=show
// identifier=… attempt=… entered=…" to the file of its key `out`.
#include "fixture.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

static int record = -1, gate = -1;

SHOW {
    UNUSED_ARGUMENTS;
    belfry_now now = {.size = sizeof now};
    fixture_host->now(fixture_host, &now);
    char line[300];
    if (gate >= 0 && read(gate, line, 1) != 1) return BELFRY_FAILED;
    int size = snprintf(line, sizeof line,
                        "event=show identifier=%.*s attempt=%" PRIu32 " entered=%" PRId64 "\n",
                        (int)delivery->identifier.size, delivery->identifier.bytes,
                        delivery->attempt, now.real_ns);
    return write(record, line, (size_t)size) == size ? BELFRY_DONE : BELFRY_FAILED;
}

static belfry_text value(const char *name) {
    belfry_text key = {name, (uint32_t)strlen(name)}, text = {NULL, 0};
    fixture_host->config(fixture_host, key, &text);
    return text;
}

static int32_t start(const belfry_host *host, void **ret_instance, belfry_answer *ret_answer) {
    static const belfry_text no_display = BELFRY_TEXT("no display yet");
    static const belfry_text no_file = BELFRY_TEXT("`out` cannot be opened");
    fixture_start(host, ret_instance, ret_answer);
    belfry_text broken = value("broken");
    if (broken.size > 0 && access(broken.bytes, F_OK) == 0) {
        ret_answer->text = no_display;
        return BELFRY_FAILED;
    }
    belfry_text path = value("gate");
    if (path.size > 0) gate = open(path.bytes, O_RDONLY | O_CLOEXEC);
    record = open(value("out").bytes, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (record < 0) ret_answer->text = no_file;
    return record < 0 ? BELFRY_FAILED : BELFRY_DONE;
}

FUNCTIONS
static const belfry_extension extensions[] = {{BELFRY_TEXT(BELFRY_DELIVERY_1), &functions}};
static const belfry_config_key keys[] = {
    {.size = sizeof keys[0], .type = BELFRY_TYPE_TEXT, .name = BELFRY_TEXT("out"),
     .help = BELFRY_TEXT("Where to write the lines.")},
    {.size = sizeof keys[0], .type = BELFRY_TYPE_TEXT, .name = BELFRY_TEXT("broken"),
     .default_value = BELFRY_TEXT(""), .help = BELFRY_TEXT("While it exists, `start` fails.")},
    {.size = sizeof keys[0], .type = BELFRY_TYPE_TEXT, .name = BELFRY_TEXT("gate"),
     .default_value = BELFRY_TEXT(""), .help = BELFRY_TEXT("A byte of it lets one `show` go on.")}};
static const belfry_descriptor descriptor = {
    .size = sizeof descriptor, .abi_major = BELFRY_ABI_MAJOR, .abi_minor = BELFRY_ABI_MINOR,
    .id = BELFRY_TEXT("fixture.heals"), .name = BELFRY_TEXT("Heals"), .version = BELFRY_TEXT("1"),
    .extensions = extensions, .config_keys = keys, .extension_count = 1, .config_key_count = 3,
    .start = start};

const belfry_descriptor *belfry_plugin_entry(uint32_t host_abi) {
    (void)host_abi;
    return &descriptor;
}
