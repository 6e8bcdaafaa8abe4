#define _GNU_SOURCE
#include "clinux_sound.h"

#include <errno.h>
#include <unistd.h>

int64_t clinux_sound_read(int descriptor, void *target, size_t count, int64_t offset) {
    ssize_t got;
    do {
        got = pread(descriptor, target, count, offset);
    } while (got < 0 && errno == EINTR);
    return got < 0 ? -errno : got;
}
