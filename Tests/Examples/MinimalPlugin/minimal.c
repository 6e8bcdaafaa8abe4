// A whole plugin: cc -shared -fPIC -I CInterop/CPlugin/include -o minimal.so minimal.c
#include <belfry/plugin.h>
#include <stdio.h>

static int32_t show(void *instance, const belfry_delivery *delivery, belfry_answer *ret_answer) {
    (void)instance, (void)ret_answer;
    printf("ding: %.*s\n", (int)delivery->body.size, delivery->body.bytes);
    return fflush(stdout) == 0 ? BELFRY_DONE : BELFRY_FAILED;
}
static const belfry_delivery_1 functions = {.size = sizeof functions, .show = show};
static const belfry_extension extensions[] = {{BELFRY_TEXT(BELFRY_DELIVERY_1), &functions}};
static const belfry_descriptor descriptor = {
    .size = sizeof descriptor, .abi_major = BELFRY_ABI_MAJOR, .abi_minor = BELFRY_ABI_MINOR,
    .id = BELFRY_TEXT("org.example.minimal"), .name = BELFRY_TEXT("Minimal"),
    .version = BELFRY_TEXT("1.0"), .extensions = extensions, .extension_count = 1};

const belfry_descriptor *belfry_plugin_entry(uint32_t host_abi) {
    return host_abi >> 16 == BELFRY_ABI_MAJOR ? &descriptor : NULL;
}
