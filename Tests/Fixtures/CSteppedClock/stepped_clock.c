// The clocks of belfryd and its children as a test steps them: time stands still until it moves it.
//
// Takes the place of the C library's functions: linked into belfryd-breakable, and preloaded (LD_PRELOAD)
// to its children. BELFRY_TEST_CLOCK names a file of `struct clocks`, which the test writes and all
// processes read; without it nothing is changed. CLOCK_REALTIME and CLOCK_BOOTTIME are read from there,
// and what waits for them (timerfd_create(2), the timeout of poll(2), in children nanosleep(2)) goes on
// once the test has moved them so far. CLOCK_MONOTONIC is the machine's.
#define _GNU_SOURCE
#include "cstepped_clock.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define SECOND INT64_C(1000000000)
#define TIMERS 64
#define POLLED 256
#define PROCESSES 126
#define NEVER INT64_MAX

struct clocks {
    // Nanoseconds since 1970 UTC, and since the start.
    _Atomic int64_t real, elapsed;
    // The test's moves, and those of them that set the real clock.
    _Atomic uint32_t moves, steps;
    // Processes that have timers, and when the next of each runs out; NEVER: none is armed.
    _Atomic uint32_t count, unused;
    struct {
        _Atomic int64_t pid, real, elapsed;
    } processes[PROCESSES];
};

struct timer {
    int fd, clock;
    int64_t due;
};

static struct clocks *clocks;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
// Under the lock.
static struct timer timers[TIMERS];
static unsigned timer_count;
static uint32_t place, seen_steps;
// Waits in place of this thread's poll(2).
static _Thread_local int poll_timer = -1;

__attribute__((constructor)) static void open_clocks(void) {
    const char *path = getenv("BELFRY_TEST_CLOCK");
    int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (fd < 0)
        return;
    void *map = mmap(NULL, sizeof *clocks, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (map != MAP_FAILED)
        clocks = map;
}

static int set_kernel_timer(
    int fd, int flags, const struct itimerspec *value, struct itimerspec *ret_before) {
    return (int)syscall(SYS_timerfd_settime, fd, flags, value, ret_before);
}

static int64_t reading(int clock) {
    return clock == CLOCK_BOOTTIME ? clocks->elapsed : clocks->real;
}

int clock_gettime(clockid_t clock, struct timespec *ret_now) {
    int is_stepped = clock == CLOCK_REALTIME || clock == CLOCK_BOOTTIME;
    if (!clocks || !is_stepped)
        return (int)syscall(SYS_clock_gettime, clock, ret_now);
    int64_t now = reading(clock);
    *ret_now = (struct timespec){now / SECOND, now % SECOND};
    return 0;
}

// Under the lock: what is due becomes readable; a real timer does so, too, when its clock was set,
// and stays armed. Then tells which is next.
static void settle(void) {
    static const struct itimerspec at_once = {.it_value = {.tv_nsec = 1}};
    int64_t real = NEVER, elapsed = NEVER;
    int is_set = seen_steps != clocks->steps;
    seen_steps = clocks->steps;
    for (unsigned i = 0; i < timer_count; ++i) {
        struct timer *timer = &timers[i];
        int is_due = timer->due <= reading(timer->clock);
        if (is_due || (is_set && timer->clock == CLOCK_REALTIME))
            set_kernel_timer(timer->fd, 0, &at_once, NULL);
        if (is_due)
            timer->due = NEVER;
        int64_t *next = timer->clock == CLOCK_BOOTTIME ? &elapsed : &real;
        if (timer->due < *next)
            *next = timer->due;
    }
    clocks->processes[place].real = real;
    clocks->processes[place].elapsed = elapsed;
}

static void *watch_moves(void *unused) {
    (void)unused;
    for (;;) {
        uint32_t seen = clocks->moves;
        pthread_mutex_lock(&lock);
        settle();
        pthread_mutex_unlock(&lock);
        syscall(SYS_futex, &clocks->moves, FUTEX_WAIT, seen, NULL, NULL, 0);
    }
    return NULL;
}

// Under the lock: the process's first timer.
static void begin(void) {
    pthread_t thread;
    sigset_t all, before;
    place = clocks->count++;
    if (place >= PROCESSES)
        abort();
    seen_steps = clocks->steps;
    clocks->processes[place].real = clocks->processes[place].elapsed = NEVER;
    clocks->processes[place].pid = getpid();
    // The process's signals are for its own threads.
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    if (pthread_create(&thread, NULL, watch_moves, NULL) != 0)
        abort();
    pthread_detach(thread);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

int timerfd_create(int clock, int flags) {
    int fd = (int)syscall(SYS_timerfd_create, clock, flags);
    if (fd < 0 || !clocks || clock == CLOCK_MONOTONIC)
        return fd;
    pthread_mutex_lock(&lock);
    unsigned i = 0;
    while (i < timer_count && timers[i].fd != fd)
        ++i;
    if (i == TIMERS)
        abort();
    timers[i] = (struct timer){fd, clock, NEVER};
    if (i == timer_count && ++timer_count == 1)
        begin();
    pthread_mutex_unlock(&lock);
    return fd;
}

int timerfd_settime(
    int fd, int flags, const struct itimerspec *value, struct itimerspec *ret_before) {
    static const struct itimerspec never = {0};
    struct timer *timer = NULL;
    pthread_mutex_lock(&lock);
    for (unsigned i = 0; i < timer_count; ++i)
        if (timers[i].fd == fd)
            timer = &timers[i];
    int result = set_kernel_timer(fd, timer ? 0 : flags, timer ? &never : value, ret_before);
    if (timer && result == 0) {
        int64_t at = value->it_value.tv_sec * SECOND + value->it_value.tv_nsec;
        int64_t from = flags & TFD_TIMER_ABSTIME ? 0 : reading(timer->clock);
        timer->due = at == 0 ? NEVER : from + at;
        settle();
    }
    pthread_mutex_unlock(&lock);
    return result;
}

// As ppoll(2) without a signal mask, for so long by the test's clock.
static int wait_for(struct pollfd *fds, nfds_t count, const struct timespec *timeout) {
    struct pollfd all[POLLED];
    const struct itimerspec span = {.it_value = *timeout};
    if (poll_timer < 0)
        poll_timer = timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK);
    if (count > 0)
        memcpy(all, fds, count * sizeof *fds);
    all[count] = (struct pollfd){.fd = poll_timer, .events = POLLIN};
    timerfd_settime(poll_timer, 0, &span, NULL);
    int ready = (int)syscall(SYS_ppoll, all, count + 1, NULL, NULL, (size_t)0);
    timerfd_settime(poll_timer, 0, &(struct itimerspec){0}, NULL);
    if (count > 0)
        memcpy(fds, all, count * sizeof *fds);
    return ready > 0 && all[count].revents ? ready - 1 : ready;
}

int poll(struct pollfd *fds, nfds_t count, int milliseconds) {
    struct timespec timeout = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
    if (!clocks || milliseconds <= 0 || count >= POLLED)
        return (int)syscall(
            SYS_ppoll, fds, count, milliseconds < 0 ? NULL : &timeout, NULL, (size_t)0);
    return wait_for(fds, count, &timeout);
}

#ifdef FOR_CHILDREN
// belfryd itself sleeps only as it starts, when nobody moves the time.
int nanosleep(const struct timespec *span, struct timespec *ret_left) {
    int is_stepped = clocks && (span->tv_sec > 0 || span->tv_nsec > 0);
    int result = is_stepped ? wait_for(NULL, 0, span)
                            : (int)syscall(SYS_ppoll, NULL, 0, span, NULL, (size_t)0);
    // After a signal all of it is left: who asks again waits longer, never shorter.
    if (result < 0 && ret_left)
        *ret_left = *span;
    return result;
}
#endif
