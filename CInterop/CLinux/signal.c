#define _GNU_SOURCE
#include "clinux_signal.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

_Static_assert(CLINUX_SIGNAL_HANGUP == SIGHUP && CLINUX_SIGNAL_INTERRUPT == SIGINT, "signals");
_Static_assert(CLINUX_SIGNAL_KILL == SIGKILL && CLINUX_SIGNAL_PIPE == SIGPIPE, "signals");
_Static_assert(CLINUX_SIGNAL_TERMINATE == SIGTERM && CLINUX_SIGNAL_CHILD == SIGCHLD, "signals");

int clinux_signal_make(const int *signals, size_t count) {
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < count; i++)
        if (sigaddset(&set, signals[i]) < 0)
            return -errno;
    int error = pthread_sigmask(SIG_BLOCK, &set, NULL);
    if (error)
        return -error;
    int fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    return fd < 0 ? -errno : fd;
}

int clinux_signal_read(int signal_fd) {
    struct signalfd_siginfo info;
    ssize_t size;
    do
        size = read(signal_fd, &info, sizeof info);
    while (size < 0 && errno == EINTR);
    if (size == sizeof info)
        return (int)info.ssi_signo;
    return size < 0 && errno != EAGAIN ? -errno : 0;
}

int clinux_signal_ignore_pipe(void) {
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    return sigaction(SIGPIPE, &ignore, NULL) < 0 ? -errno : 0;
}
