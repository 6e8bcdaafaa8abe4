#define _GNU_SOURCE
#include "cterminal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

// A terminal that is not there is a slip, and no file in its place shows anything.
static int is_made(const char *path) {
    return strncmp(path, "/dev/", 5) != 0 || strncmp(path, "/dev/shm/", 9) == 0;
}

int cterminal_is_missing(const char *path) {
    if (access(path, F_OK) == 0 || (errno != ENOENT && errno != ENOTDIR)) return 0;
    if (!is_made(path)) return 1;
    char folder[PATH_MAX];
    size_t size = (size_t)(strrchr(path, '/') - path);
    if (size >= sizeof folder) return 0;
    memcpy(folder, path, size);
    strcpy(folder + size, "/.");
    return access(folder, F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR);
}

int cterminal_is_folder(const char *path) {
    struct stat file;
    return stat(path, &file) == 0 && S_ISDIR(file.st_mode);
}

int cterminal_open(const char *path) {
    int flags = O_WRONLY | O_APPEND | O_NOCTTY | O_NONBLOCK | O_CLOEXEC;
    if (is_made(path)) flags |= O_CREAT;
    int fd = open(path, flags, 0600);
    return fd < 0 ? -errno : fd;
}

int cterminal_follow(int *fd, const char *path) {
    struct stat file, there;
    if (fstat(*fd, &file) != 0 || !S_ISREG(file.st_mode)) return 0;
    if (stat(path, &there) == 0 && there.st_dev == file.st_dev && there.st_ino == file.st_ino)
        return 0;
    int next = cterminal_open(path);
    if (next < 0) return next;
    close(*fd);
    *fd = next;
    return 0;
}

int cterminal_write(int fd, const void *bytes, size_t size) {
    const char *next = bytes;
    while (size > 0) {
        ssize_t written = write(fd, next, size);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0 && errno == EAGAIN) {
            struct pollfd ready = {.fd = fd, .events = POLLOUT};
            poll(&ready, 1, -1);
            continue;
        }
        if (written < 0) return -errno;
        next += written, size -= (size_t)written;
    }
    return 0;
}

int cterminal_is_terminal(int fd) { return isatty(fd); }

int cterminal_columns(int fd) {
    struct winsize size;
    return ioctl(fd, TIOCGWINSZ, &size) < 0 ? 0 : size.ws_col;
}

int cterminal_is_plain(void) {
    const char *term = getenv("TERM"), *forbidden = getenv("NO_COLOR");
    return (forbidden != NULL && forbidden[0] != '\0') || (term != NULL && !strcmp(term, "dumb"));
}

void cterminal_local_time(int64_t nanoseconds, char *ret_text) {
    time_t seconds = (time_t)(nanoseconds / 1000000000);
    if (nanoseconds % 1000000000 < 0) seconds--;
    struct tm local;
    if (localtime_r(&seconds, &local) == NULL || strftime(ret_text, 9, "%H:%M:%S", &local) == 0)
        strcpy(ret_text, "--:--:--");
}
