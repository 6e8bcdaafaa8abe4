// Refuses every host.
#include <belfry/plugin.h>

const belfry_descriptor *belfry_plugin_entry(uint32_t host_abi) {
    (void)host_abi;
    return NULL;
}
