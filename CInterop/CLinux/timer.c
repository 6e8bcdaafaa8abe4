#define _GNU_SOURCE
#include "clinux_timer.h"

#include <errno.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static int make(clockid_t clock) {
    int fd = timerfd_create(clock, TFD_NONBLOCK | TFD_CLOEXEC);
    return fd < 0 ? -errno : fd;
}

int clinux_timer_make_realtime(void) { return make(CLOCK_REALTIME); }

int clinux_timer_make_boottime(void) { return make(CLOCK_BOOTTIME); }

int clinux_timer_make_alarm(void) {
    int fd = make(CLOCK_REALTIME_ALARM);
    if (fd < 0)
        return fd;
    // Without a clock that can wake the machine it is setting that fails.
    int error = clinux_timer_disarm(fd);
    if (error < 0) {
        close(fd);
        return error;
    }
    return fd;
}

int clinux_timer_arm(int timer, int64_t nanoseconds, int cancel_on_set) {
    // Zero would disarm, and before the epoch there is no absolute time.
    if (nanoseconds < 1)
        nanoseconds = 1;
    struct itimerspec at = {
        .it_value = {.tv_sec = (time_t)(nanoseconds / 1000000000),
                     .tv_nsec = (long)(nanoseconds % 1000000000)},
    };
    int flags = TFD_TIMER_ABSTIME | (cancel_on_set ? TFD_TIMER_CANCEL_ON_SET : 0);
    return timerfd_settime(timer, flags, &at, NULL) < 0 ? -errno : 0;
}

int clinux_timer_disarm(int timer) {
    struct itimerspec never = {0};
    return timerfd_settime(timer, 0, &never, NULL) < 0 ? -errno : 0;
}

int clinux_timer_read(int timer) {
    uint64_t count;
    ssize_t size;
    do
        size = read(timer, &count, sizeof count);
    while (size < 0 && errno == EINTR);
    if (size >= 0)
        return 1;
    return errno == EAGAIN ? 0 : -errno;
}
