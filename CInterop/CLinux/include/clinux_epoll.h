// epoll(7), level-triggered.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "clinux_macros.h"

#define CLINUX_EPOLL_IN 0x001
#define CLINUX_EPOLL_OUT 0x004
#define CLINUX_EPOLL_ERROR 0x008
#define CLINUX_EPOLL_HANGUP 0x010
#define CLINUX_EPOLL_PEER_HANGUP 0x2000

typedef struct {
    uint32_t events;
    uint64_t token;
} clinux_epoll_event;

int clinux_epoll_make(void);
int clinux_epoll_add(int epoll, int fd, uint32_t events, uint64_t token);
int clinux_epoll_change(int epoll, int fd, uint32_t events, uint64_t token);
int clinux_epoll_remove(int epoll, int fd);
/// How many events, at most 64. `timeout_ms` -1: for ever; a wait that a signal ends starts again.
int clinux_epoll_wait(int epoll, clinux_epoll_event *CLINUX_NONNULL ret_events, size_t count,
                      int timeout_ms);
