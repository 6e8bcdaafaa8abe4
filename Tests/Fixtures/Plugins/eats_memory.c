// Takes memory until there is none, and uses it.
#include "fixture.h"

SHOW {
    UNUSED_ARGUMENTS;
    for (;;) {
        char *block = malloc(1 << 20);
        if (block == NULL) abort();
        memset(block, 1, 1 << 20);
    }
}
FUNCTIONS
FIXTURE("fixture.eats-memory", functions)
