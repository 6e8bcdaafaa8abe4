#define _GNU_SOURCE
#include "clinux_descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

_Static_assert(CLINUX_POLL_IN == POLLIN && CLINUX_POLL_OUT == POLLOUT, "poll bits");
_Static_assert(CLINUX_POLL_ERROR == POLLERR && CLINUX_POLL_HANGUP == POLLHUP, "poll bits");

int clinux_descriptor_close(int fd) {
    // Never retried: Linux has freed the number even on EINTR (close(2)).
    return close(fd) < 0 && errno != EINTR ? -errno : 0;
}

int64_t clinux_descriptor_read(int fd, void *buffer, size_t size) {
    ssize_t count;
    do
        count = read(fd, buffer, size);
    while (count < 0 && errno == EINTR);
    return count < 0 ? -errno : count;
}

int64_t clinux_descriptor_write(int fd, const void *bytes, size_t size) {
    ssize_t count;
    do
        count = write(fd, bytes, size);
    while (count < 0 && errno == EINTR);
    return count < 0 ? -errno : count;
}

static int change_flag(int fd, int get, int set, int flag, int on) {
    int flags = fcntl(fd, get);
    if (flags < 0)
        return -errno;
    int wanted = on ? flags | flag : flags & ~flag;
    if (wanted != flags && fcntl(fd, set, wanted) < 0)
        return -errno;
    return 0;
}

int clinux_descriptor_set_nonblocking(int fd, int on) {
    return change_flag(fd, F_GETFL, F_SETFL, O_NONBLOCK, on);
}

int clinux_descriptor_set_close_on_exec(int fd, int on) {
    return change_flag(fd, F_GETFD, F_SETFD, FD_CLOEXEC, on);
}

int clinux_descriptor_duplicate(int fd, int least) {
    int copy = fcntl(fd, F_DUPFD_CLOEXEC, least);
    return copy < 0 ? -errno : copy;
}

int clinux_descriptor_is_terminal(int fd) { return isatty(fd) == 1; }

int clinux_descriptor_columns(int fd) {
    struct winsize size;
    if (ioctl(fd, TIOCGWINSZ, &size) < 0)
        return -errno;
    return size.ws_col;
}

int clinux_descriptor_identity(int fd, uint64_t *ret_device, uint64_t *ret_inode) {
    struct stat status;
    if (fstat(fd, &status) < 0)
        return -errno;
    *ret_device = status.st_dev;
    *ret_inode = status.st_ino;
    return 0;
}

int clinux_descriptor_pipe(int *ret_read, int *ret_write) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0)
        return -errno;
    *ret_read = ends[0];
    *ret_write = ends[1];
    return 0;
}

static int64_t now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int clinux_descriptor_poll(clinux_poll_entry *entries, size_t count, int timeout_ms) {
    struct pollfd fds[64];
    if (count > 64)
        return -EINVAL;
    for (size_t i = 0; i < count; i++) {
        fds[i].fd = entries[i].fd;
        fds[i].events = entries[i].events;
        fds[i].revents = 0;
    }
    int64_t end = timeout_ms < 0 ? 0 : now_ms() + timeout_ms;
    int ready;
    for (;;) {
        ready = poll(fds, count, timeout_ms);
        if (ready >= 0 || errno != EINTR)
            break;
        if (timeout_ms >= 0) {
            int64_t left = end - now_ms();
            timeout_ms = left < 0 ? 0 : (int)left;
        }
    }
    if (ready < 0)
        return -errno;
    for (size_t i = 0; i < count; i++)
        entries[i].ready = fds[i].revents;
    return ready;
}
