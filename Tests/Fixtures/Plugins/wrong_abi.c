// Made for a contract of another major version.
#include <belfry/plugin.h>

static const belfry_descriptor descriptor = {
    .size = sizeof descriptor, .abi_major = 99, .id = BELFRY_TEXT("fixture.wrong-abi")};

const belfry_descriptor *belfry_plugin_entry(uint32_t host_abi) {
    (void)host_abi;
    return &descriptor;
}
