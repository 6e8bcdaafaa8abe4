#define _GNU_SOURCE
#include "clinux_socket.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

_Static_assert(CLINUX_SOCKET_STREAM == SOCK_STREAM, "kinds");
_Static_assert(CLINUX_SOCKET_DATAGRAM == SOCK_DGRAM, "kinds");
_Static_assert(CLINUX_SOCKET_PACKET == SOCK_SEQPACKET, "kinds");
_Static_assert(sizeof(gid_t) == sizeof(uint32_t) && sizeof(uid_t) == sizeof(uint32_t), "ids");

/// An address, and the folder that must stay open while it is used.
struct place {
    struct sockaddr_un address;
    socklen_t size;
    int folder;
};

static int abstract_place(const char *path, struct place *ret_place) {
    size_t length = strlen(path);
    if (length > sizeof ret_place->address.sun_path)
        return -ENAMETOOLONG;
    memcpy(ret_place->address.sun_path, path, length);
    ret_place->address.sun_path[0] = 0;
    ret_place->size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length);
    return 0;
}

/// A path that does not fit is reached through its open folder.
static int long_place(const char *path, struct place *ret_place) {
    const char *slash = strrchr(path, '/');
    if (!slash || slash == path)
        return -ENAMETOOLONG;
    char *folder = strndup(path, (size_t)(slash - path));
    if (!folder)
        return -ENOMEM;
    int fd = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    int error = errno;
    free(folder);
    if (fd < 0)
        return -error;
    size_t room = sizeof ret_place->address.sun_path;
    int length =
        snprintf(ret_place->address.sun_path, room, "/proc/self/fd/%d/%s", fd, slash + 1);
    if (length < 0 || (size_t)length >= room) {
        close(fd);
        return -ENAMETOOLONG;
    }
    ret_place->folder = fd;
    return 0;
}

static int find_place(const char *path, struct place *ret_place) {
    memset(ret_place, 0, sizeof *ret_place);
    ret_place->address.sun_family = AF_UNIX;
    ret_place->size = sizeof ret_place->address;
    ret_place->folder = -1;
    if (path[0] == '@')
        return abstract_place(path, ret_place);
    if (strlen(path) >= sizeof ret_place->address.sun_path)
        return long_place(path, ret_place);
    strcpy(ret_place->address.sun_path, path);
    return 0;
}

static void leave_place(struct place *place) {
    if (place->folder >= 0)
        close(place->folder);
}

static int bind_and_listen(int fd, const char *path, struct place *place, uint32_t mode,
                           int backlog) {
    // Before bind(2) so that the file is never wider than asked, after it because of the umask.
    if (fchmod(fd, mode) < 0)
        return -errno;
    if (bind(fd, (struct sockaddr *)&place->address, place->size) < 0)
        return -errno;
    if ((path[0] != '@' && chmod(place->address.sun_path, mode) < 0) || listen(fd, backlog) < 0) {
        int error = errno;
        if (path[0] != '@')
            unlink(path);
        return -error;
    }
    return 0;
}

int clinux_socket_listen(const char *path, int kind, uint32_t mode, int backlog) {
    struct place place;
    int result = find_place(path, &place);
    if (result < 0)
        return result;
    int fd = socket(AF_UNIX, kind | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    result = fd < 0 ? -errno : bind_and_listen(fd, path, &place, mode, backlog);
    leave_place(&place);
    if (result < 0) {
        if (fd >= 0)
            close(fd);
        return result;
    }
    return fd;
}

/// How long connect(2) and send(2) may block; 0: for ever. unix(7) heeds it in connect(2) too.
static int set_send_timeout(int fd, int milliseconds) {
    struct timeval time = {.tv_sec = milliseconds / 1000,
                           .tv_usec = milliseconds % 1000 * 1000};
    return setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &time, sizeof time) < 0 ? -errno : 0;
}

int clinux_socket_connect(const char *path, int kind, int milliseconds) {
    struct place place;
    int result = find_place(path, &place);
    if (result < 0)
        return result;
    int fd = socket(AF_UNIX, kind | SOCK_CLOEXEC, 0);
    if (fd < 0)
        result = -errno;
    else if (milliseconds > 0)
        result = set_send_timeout(fd, milliseconds);
    if (result >= 0) {
        do
            result = connect(fd, (struct sockaddr *)&place.address, place.size) < 0 ? -errno : 0;
        while (result == -EINTR);
    }
    if (result >= 0 && milliseconds > 0)
        result = set_send_timeout(fd, 0);
    leave_place(&place);
    if (result < 0) {
        if (fd >= 0)
            close(fd);
        return result;
    }
    return fd;
}

int clinux_socket_accept(int listener) {
    int fd;
    do
        fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    while (fd < 0 && (errno == EINTR || errno == ECONNABORTED));
    return fd < 0 ? -errno : fd;
}

int clinux_socket_pair(int kind, int *ret_first, int *ret_second) {
    int ends[2];
    if (socketpair(AF_UNIX, kind | SOCK_CLOEXEC, 0, ends) < 0)
        return -errno;
    *ret_first = ends[0];
    *ret_second = ends[1];
    return 0;
}

int64_t clinux_socket_send(int fd, const void *bytes, size_t size, int wait) {
    ssize_t count;
    do
        count = send(fd, bytes, size, MSG_NOSIGNAL | (wait ? 0 : MSG_DONTWAIT));
    while (count < 0 && errno == EINTR);
    return count < 0 ? -errno : count;
}

int64_t clinux_socket_receive(int fd, void *buffer, size_t size, int wait) {
    struct iovec place = {.iov_base = buffer, .iov_len = size};
    struct msghdr message = {.msg_iov = &place, .msg_iovlen = 1};
    ssize_t count;
    do
        count = recvmsg(fd, &message, wait ? 0 : MSG_DONTWAIT);
    while (count < 0 && errno == EINTR);
    if (count < 0)
        return -errno;
    return message.msg_flags & MSG_TRUNC ? (int64_t)size + 1 : count;
}

int clinux_socket_peer(int fd, int32_t *ret_pid, uint32_t *ret_uid, uint32_t *ret_gid) {
    struct ucred peer;
    socklen_t size = sizeof peer;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) < 0)
        return -errno;
    *ret_pid = peer.pid;
    *ret_uid = peer.uid;
    *ret_gid = peer.gid;
    return 0;
}

int clinux_socket_peer_groups(int fd, uint32_t *ret_groups, size_t count) {
    socklen_t size = (socklen_t)(count * sizeof *ret_groups);
    if (getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, ret_groups, &size) < 0)
        return -errno;
    return (int)(size / sizeof *ret_groups);
}

int clinux_socket_set_send_buffer(int fd, int size) {
    return setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof size) < 0 ? -errno : 0;
}

static int option(int fd, int name) {
    int value = 0;
    socklen_t size = sizeof value;
    return getsockopt(fd, SOL_SOCKET, name, &value, &size) < 0 ? -errno : value;
}

int clinux_socket_is_listening(int fd, int kind) {
    int domain = option(fd, SO_DOMAIN);
    if (domain < 0)
        return domain;
    return domain == AF_UNIX && option(fd, SO_TYPE) == kind && option(fd, SO_ACCEPTCONN) == 1;
}

int clinux_socket_unread(int fd) {
    int count = 0;
    return ioctl(fd, SIOCOUTQ, &count) < 0 ? -errno : count;
}

int clinux_socket_shut_down(int fd) { return shutdown(fd, SHUT_RDWR) < 0 ? -errno : 0; }
