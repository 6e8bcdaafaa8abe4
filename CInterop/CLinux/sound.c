#define _GNU_SOURCE
#include "clinux_sound.h"

#include <errno.h>
#include <time.h>
#include <unistd.h>

int64_t clinux_sound_read(int descriptor, void *target, size_t count, int64_t offset) {
    ssize_t got;
    do {
        got = pread(descriptor, target, count, offset);
    } while (got < 0 && errno == EINTR);
    return got < 0 ? -errno : got;
}

int clinux_sound_local_minutes(int64_t seconds) {
    time_t time = (time_t)seconds;
    struct tm local;
    tzset();
    if (!localtime_r(&time, &local)) return -EOVERFLOW;
    return local.tm_hour * 60 + local.tm_min;
}
