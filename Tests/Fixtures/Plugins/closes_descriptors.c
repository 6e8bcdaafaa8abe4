// Closes every descriptor there is, the host's too.
#include "fixture.h"

#include <unistd.h>

SHOW {
    UNUSED_ARGUMENTS;
    for (int fd = 0; fd < 1024; fd++) close(fd);
    return BELFRY_DONE;
}
FUNCTIONS
FIXTURE("fixture.closes-descriptors", functions)
