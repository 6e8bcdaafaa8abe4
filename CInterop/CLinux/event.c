#define _GNU_SOURCE
#include "clinux_event.h"

#include <errno.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

int clinux_event_make(void) {
    int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return fd < 0 ? -errno : fd;
}

int clinux_event_ring(int event) {
    uint64_t one = 1;
    ssize_t size;
    do
        size = write(event, &one, sizeof one);
    while (size < 0 && errno == EINTR);
    // A full counter is a rung bell.
    return size < 0 && errno != EAGAIN ? -errno : 0;
}

int clinux_event_clear(int event) {
    uint64_t count;
    ssize_t size;
    do
        size = read(event, &count, sizeof count);
    while (size < 0 && errno == EINTR);
    if (size >= 0)
        return 1;
    return errno == EAGAIN ? 0 : -errno;
}
