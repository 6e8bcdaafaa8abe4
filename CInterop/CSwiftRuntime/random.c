#include "cswift_runtime.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/random.h>

// glibc has it (2.36), musl does not; Swift asks it for the seed of its hashes.
#if !defined(__GLIBC__)

void arc4random_buf(void *ret_bytes, size_t size) {
    char *bytes = ret_bytes;
    while (size > 0) {
        ssize_t count = getrandom(bytes, size, 0);
        if (count < 0 && errno != EINTR) abort();
        if (count < 0) continue;
        bytes += count;
        size -= (size_t)count;
    }
}

#endif
