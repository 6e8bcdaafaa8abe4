// A plugin as somebody wrote it for Belfry 0.2.0. Tests compile it against the headers of that time,
// which lie in include beside it, and today's worker loads it.
#include <belfry/plugin.h>
#include <stdio.h>
#include <string.h>

static const belfry_host *host;
static char said[200];

static int32_t answer(belfry_answer *ret_answer, int32_t status) {
    ret_answer->text.bytes = said;
    ret_answer->text.size = (uint32_t)strlen(said);
    return status;
}

static int32_t show(void *instance, const belfry_delivery *delivery, belfry_answer *ret_answer) {
    (void)instance;
    snprintf(said, sizeof said, "%.*s: %.*s, %u actions", (int)delivery->identifier.size,
             delivery->identifier.bytes, (int)delivery->body.size, delivery->body.bytes,
             (unsigned)delivery->action_count);
    return answer(ret_answer, BELFRY_DONE);
}

static int32_t withdraw(void *instance, const belfry_withdrawal *withdrawal,
                        belfry_answer *ret_answer) {
    (void)instance, (void)withdrawal, (void)ret_answer;
    return BELFRY_DONE;
}

static int32_t changed(void *instance, const belfry_badge *badge, belfry_answer *ret_answer) {
    (void)instance;
    snprintf(said, sizeof said, "%.*s has %d", (int)badge->app.size, badge->app.bytes,
             (int)badge->value);
    return answer(ret_answer, BELFRY_DONE);
}

static uint32_t context(void *instance) {
    (void)instance;
    return BELFRY_CONTEXT_MINIMAL;
}

static int32_t start(const belfry_host *given, void **ret_instance, belfry_answer *ret_answer) {
    *ret_instance = NULL;
    host = given;
    static const belfry_text key = BELFRY_TEXT("brightness");
    int64_t brightness = 0;
    if (host->config_number(host, key, &brightness) != BELFRY_OK || brightness != 70) {
        snprintf(said, sizeof said, "brightness is %d", (int)brightness);
        return answer(ret_answer, BELFRY_FAILED);
    }
    return BELFRY_DONE;
}

static const belfry_delivery_1 deliveries = {.size = sizeof deliveries, .concurrency = 2,
                                             .show = show, .withdraw = withdraw};
static const belfry_badge_1 badges = {.size = sizeof badges, .changed = changed};
static const belfry_input_1 input = {.size = sizeof input, .context = context};
static const belfry_extension extensions[] = {{BELFRY_TEXT(BELFRY_DELIVERY_1), &deliveries},
                                              {BELFRY_TEXT(BELFRY_BADGE_1), &badges},
                                              {BELFRY_TEXT(BELFRY_INPUT_1), &input}};
static const belfry_config_key keys[] = {
    {.size = sizeof keys[0], .type = BELFRY_TYPE_INTEGER, .name = BELFRY_TEXT("brightness"),
     .default_value = BELFRY_TEXT("50"), .help = BELFRY_TEXT("Percent.")}};
static const belfry_descriptor descriptor = {
    .size = sizeof descriptor, .abi_major = BELFRY_ABI_MAJOR, .abi_minor = BELFRY_ABI_MINOR,
    .id = BELFRY_TEXT("org.example.lamp"), .name = BELFRY_TEXT("Lamp"),
    .version = BELFRY_TEXT("1.2"), .extensions = extensions, .config_keys = keys,
    .extension_count = 3, .config_key_count = 1, .start = start};

const belfry_descriptor *belfry_plugin_entry(uint32_t host_abi) {
    return host_abi >> 16 == BELFRY_ABI_MAJOR ? &descriptor : NULL;
}
