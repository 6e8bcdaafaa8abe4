#define _GNU_SOURCE
#include "clinux_clock.h"

#include <time.h>

static int64_t read_clock(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t clinux_clock_realtime(void) { return read_clock(CLOCK_REALTIME); }

int64_t clinux_clock_boottime(void) { return read_clock(CLOCK_BOOTTIME); }
