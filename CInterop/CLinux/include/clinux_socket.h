// Unix sockets (unix(7)), close-on-exec. A path may be longer than sun_path.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "clinux_macros.h"

#define CLINUX_SOCKET_STREAM 1
#define CLINUX_SOCKET_DATAGRAM 2
#define CLINUX_SOCKET_PACKET 5

/// Binds and listens, non-blocking. The file gets `mode` whatever the umask, and never more.
int clinux_socket_listen(const char *CLINUX_NONNULL path, int kind, uint32_t mode, int backlog);
/// Connects, blocking; a leading `@` means the abstract name space. -EAGAIN: the listener's queue was
/// full for so many milliseconds; 0: waits for ever.
int clinux_socket_connect(const char *CLINUX_NONNULL path, int kind, int milliseconds);
/// Accepts, non-blocking; -EAGAIN: nobody there.
int clinux_socket_accept(int listener);
int clinux_socket_pair(int kind, int *CLINUX_NONNULL ret_first, int *CLINUX_NONNULL ret_second);
/// Bytes sent or -errno; never SIGPIPE. `wait` 0: -EAGAIN instead of blocking.
int64_t clinux_socket_send(int fd, const void *CLINUX_NULLABLE bytes, size_t size, int wait);
/// Bytes received, 0 at the end, or -errno. `size` + 1: the packet was longer, and its rest is gone.
int64_t clinux_socket_receive(int fd, void *CLINUX_NULLABLE buffer, size_t size, int wait);
/// SO_PEERCRED.
int clinux_socket_peer(int fd, int32_t *CLINUX_NONNULL ret_pid, uint32_t *CLINUX_NONNULL ret_uid,
                       uint32_t *CLINUX_NONNULL ret_gid);
/// SO_PEERGROUPS: how many groups were written, or -ERANGE when `count` is too small.
int clinux_socket_peer_groups(int fd, uint32_t *CLINUX_NONNULL ret_groups, size_t count);
/// SO_SNDBUF, doubled by the kernel.
int clinux_socket_set_send_buffer(int fd, int size);
/// 1: a listening Unix socket of this kind.
int clinux_socket_is_listening(int fd, int kind);
/// Bytes that the other end has not read, as the kernel accounts them (SIOCOUTQ); 0: it has read all.
int clinux_socket_unread(int fd);
int clinux_socket_shut_down(int fd);
