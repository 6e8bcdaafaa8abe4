// Has push/1 and pushes, when it starts, what its key `do` says: `payload` for `app` on behalf of `owner`,
// or one of the words below. To the file of its key `out` it writes a line for each push, with the host's
// answer, and one for each of the clock's:
//     event=push answer=0
//     event=pushed token=1 status=2 after=0 text=aps.badge:_this_is_…
#include "fixture.h"

#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int record = -1;
static char big[1 << 20];

static belfry_text setting(const char *name) {
    belfry_text key = {name, (uint32_t)strlen(name)}, value = {NULL, 0};
    fixture_host->config(fixture_host, key, &value);
    return value;
}

static int64_t number(const char *name) {
    belfry_text key = {name, (uint32_t)strlen(name)};
    int64_t value = 0;
    fixture_host->config_number(fixture_host, key, &value);
    return value;
}

static int is(belfry_text text, const char *word) {
    return text.size == strlen(word) && memcmp(text.bytes, word, text.size) == 0;
}

static void say(const char *line, int size) {
    if (write(record, line, (size_t)size) != size) abort();
}

static belfry_push sample(uint64_t token) {
    belfry_push push = {.size = sizeof push, .token = token, .uid = number("owner"),
                        .app = setting("app"), .payload = setting("payload"),
                        .collapse_id = setting("collapse")};
    if (push.app.size == 0) push.app.bytes = NULL;
    if (push.collapse_id.size == 0) push.collapse_id.bytes = NULL;
    int64_t id = number("id");
    for (int index = 0; index < 8; index++) push.id[15 - index] = (uint8_t)(id >> (index * 8));
    return push;
}

static void send(const belfry_push *push) {
    const belfry_push_host_1 *host =
        fixture_host->extension(fixture_host, (belfry_text)BELFRY_TEXT(BELFRY_PUSH_1));
    char line[64];
    int32_t answer = host->push(fixture_host, push);
    say(line, snprintf(line, sizeof line, "event=push answer=%" PRId32 "\n", answer));
}

static void *from_a_thread(void *context) {
    send(context);
    return NULL;
}

static void break_rules(void) {
    belfry_push push = sample(1);
    push.size = 8;
    send(&push);
    push = sample(2);
    push.payload = (belfry_text){big, sizeof big};
    send(&push);
    push.payload = (belfry_text){big, (64 << 10) + 1};
    send(&push);
    push = sample(3);
    push.app = (belfry_text){big, 129};
    send(&push);
    push = sample(4);
    push.collapse_id = (belfry_text){big, 129};
    send(&push);
    push = sample(5);
    push.uid = -2;
    send(&push);
    push.uid = INT64_C(0xffffffff);
    send(&push);
    push = sample(6);
    send(&push);
    send(&push);
}

static void push_all(void) {
    belfry_text what = setting("do");
    belfry_push push = sample(1);
    if (is(what, "flood")) {
        for (uint64_t token = 1; token <= 200; token++) {
            push.token = token;
            send(&push);
        }
    } else if (is(what, "break")) {
        break_rules();
    } else if (is(what, "bytes")) {
        push.payload = (belfry_text){"{\"aps\":{\"alert\":\"\xff\x00\"}}", 22};
        send(&push);
    } else if (is(what, "largest")) {
        memset(big, ' ', 64 << 10);
        memcpy(big, push.payload.bytes, push.payload.size);
        push.payload = (belfry_text){big, 64 << 10};
        send(&push);
    } else if (is(what, "thread")) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, from_a_thread, &push) != 0) abort();
        pthread_join(thread, NULL);
    } else if (!is(what, "nothing")) {
        send(&push);
    }
}

static void push_again(void *context, uint32_t timer) {
    (void)timer;
    belfry_push push = sample(*(uint64_t *)context);
    send(&push);
}

static void pushed(void *instance, uint64_t token, int32_t status, const belfry_answer *answer) {
    (void)instance;
    char line[1400], text[1100];
    snprintf(text, sizeof text, "%.*s", (int)answer->text.size, answer->text.bytes);
    for (char *at = text; *at != '\0'; at++)
        if (*at == ' ' || *at == '\n') *at = '_';
    say(line, snprintf(line, sizeof line,
                       "event=pushed token=%" PRIu64 " status=%" PRId32 " after=%" PRId64 " text=%s\n",
                       token, status, answer->retry_after_ns, text));
    if (is(setting("do"), "die")) abort();
    static uint64_t waiting;
    uint32_t timer;
    waiting = token;
    if (status == BELFRY_PUSH_LATER)
        fixture_host->start_timer(fixture_host, answer->retry_after_ns, push_again, &waiting, &timer);
    else if (is(setting("do"), "repeat"))
        push_again(&waiting, 0);
}

static int32_t start(const belfry_host *host, void **ret_instance, belfry_answer *ret_answer) {
    fixture_start(host, ret_instance, ret_answer);
    record = open(setting("out").bytes, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (record < 0) return BELFRY_FAILED;
    push_all();
    return BELFRY_DONE;
}

static const belfry_push_1 functions = {.size = sizeof functions, .pushed = pushed};
static const belfry_extension extensions[] = {{BELFRY_TEXT(BELFRY_PUSH_1), &functions}};
#define KEY(key_name, key_type, key_default)                                          \
    {.size = sizeof(belfry_config_key), .type = key_type, .name = BELFRY_TEXT(key_name), \
     .default_value = BELFRY_TEXT(key_default), .help = BELFRY_TEXT("See pusher.c.")}
static const belfry_config_key keys[] = {
    KEY("out", BELFRY_TYPE_TEXT, "/dev/null"), KEY("do", BELFRY_TYPE_TEXT, "once"),
    KEY("payload", BELFRY_TYPE_TEXT, "{\"aps\":{\"alert\":\"ding\"}}"),
    KEY("app", BELFRY_TYPE_TEXT, ""), KEY("collapse", BELFRY_TYPE_TEXT, ""),
    KEY("owner", BELFRY_TYPE_INTEGER, "-1"), KEY("id", BELFRY_TYPE_INTEGER, "0")};
static const belfry_descriptor descriptor = {
    .size = sizeof descriptor, .abi_major = BELFRY_ABI_MAJOR, .abi_minor = BELFRY_ABI_MINOR,
    .id = BELFRY_TEXT("fixture.pusher"), .name = BELFRY_TEXT("Pusher"),
    .version = BELFRY_TEXT("1"), .extensions = extensions, .config_keys = keys,
    .extension_count = 1, .config_key_count = 7, .start = start};

const belfry_descriptor *belfry_plugin_entry(uint32_t host_abi) {
    (void)host_abi;
    return &descriptor;
}
