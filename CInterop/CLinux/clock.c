#define _GNU_SOURCE
#include "clinux_clock.h"

#include <errno.h>
#include <sys/timex.h>
#include <time.h>

static int64_t read_clock(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t clinux_clock_realtime(void) { return read_clock(CLOCK_REALTIME); }

int64_t clinux_clock_boottime(void) { return read_clock(CLOCK_BOOTTIME); }

int clinux_clock_synchronised(int64_t *ret_error) {
    struct timex clock = {.modes = 0};
    int state = adjtimex(&clock);
    if (state < 0)
        return -errno;
    *ret_error = (int64_t)clock.maxerror * 1000;
    return state != TIME_ERROR && !(clock.status & STA_UNSYNC);
}
