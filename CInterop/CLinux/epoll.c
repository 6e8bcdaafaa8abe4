#define _GNU_SOURCE
#include "clinux_epoll.h"

#include <errno.h>
#include <sys/epoll.h>

_Static_assert(CLINUX_EPOLL_IN == EPOLLIN && CLINUX_EPOLL_OUT == EPOLLOUT, "epoll bits");
_Static_assert(CLINUX_EPOLL_ERROR == EPOLLERR && CLINUX_EPOLL_HANGUP == EPOLLHUP, "epoll bits");
_Static_assert(CLINUX_EPOLL_PEER_HANGUP == EPOLLRDHUP, "epoll bits");

int clinux_epoll_make(void) {
    int fd = epoll_create1(EPOLL_CLOEXEC);
    return fd < 0 ? -errno : fd;
}

static int control(int epoll, int operation, int fd, uint32_t events, uint64_t token) {
    struct epoll_event event = {.events = events, .data.u64 = token};
    return epoll_ctl(epoll, operation, fd, &event) < 0 ? -errno : 0;
}

int clinux_epoll_add(int epoll, int fd, uint32_t events, uint64_t token) {
    return control(epoll, EPOLL_CTL_ADD, fd, events, token);
}

int clinux_epoll_change(int epoll, int fd, uint32_t events, uint64_t token) {
    return control(epoll, EPOLL_CTL_MOD, fd, events, token);
}

int clinux_epoll_remove(int epoll, int fd) { return control(epoll, EPOLL_CTL_DEL, fd, 0, 0); }

int clinux_epoll_wait(int epoll, clinux_epoll_event *ret_events, size_t count, int timeout_ms) {
    // Packed on x86-64, so not the layout that Swift sees.
    struct epoll_event events[64];
    if (count > 64)
        count = 64;
    int ready;
    do
        ready = epoll_wait(epoll, events, (int)count, timeout_ms);
    while (ready < 0 && errno == EINTR);
    if (ready < 0)
        return -errno;
    for (int i = 0; i < ready; i++) {
        ret_events[i].events = events[i].events;
        ret_events[i].token = events[i].data.u64;
    }
    return ready;
}
