#define _GNU_SOURCE
#include "clinux_random.h"

#include <errno.h>
#include <sys/random.h>

int clinux_random_fill(void *ret_bytes, size_t size) {
    char *bytes = ret_bytes;
    while (size > 0) {
        ssize_t count = getrandom(bytes, size, 0);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return -errno;
        bytes += count;
        size -= (size_t)count;
    }
    return 0;
}
