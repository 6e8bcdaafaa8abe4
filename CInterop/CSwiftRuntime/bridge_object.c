#include "cswift_runtime.h"

#include <stdint.h>

// Swift 6.3's own returns the bare address, without the bits around it, although it is declared to return
// its argument. Code for 64-bit ARM goes on with what comes back, and a short String has lost its length.
#if defined(__aarch64__)

void *swift_retain(void *object);

void *swift_bridgeObjectRetain(void *object) {
    intptr_t bits = (intptr_t)object;
    // The sign says that it is no object, or one that lives for ever.
    if (bits >= 0) swift_retain((void *)(bits & 0x0ffffffffffffff8));
    return object;
}

#endif
