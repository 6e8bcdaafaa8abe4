// Says that its descriptor has only eight bytes.
#include <belfry/plugin.h>

static const belfry_descriptor descriptor = {
    .size = 8, .abi_major = BELFRY_ABI_MAJOR, .id = BELFRY_TEXT("fixture.short")};

const belfry_descriptor *belfry_plugin_entry(uint32_t host_abi) {
    (void)host_abi;
    return &descriptor;
}
