#define _GNU_SOURCE
#include "clinux_sound.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

const int32_t CLINUX_SOUND_MISSING = ENOENT;
const int32_t CLINUX_SOUND_DENIED = EACCES;
const int32_t CLINUX_SOUND_FOLDER = EISDIR;
const int32_t CLINUX_SOUND_SPECIAL = ENODEV;

int32_t clinux_sound_open(const char *path, int64_t *ret_size) {
    int descriptor;
    // O_NONBLOCK: a pipe without a writer must not hold the caller.
    do {
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    } while (descriptor < 0 && errno == EINTR);
    if (descriptor < 0) return errno == ENOTDIR ? -ENOENT : errno == ENXIO ? -ENODEV : -errno;
    struct stat status;
    int error = 0;
    if (fstat(descriptor, &status) < 0)
        error = errno;
    else if (S_ISDIR(status.st_mode))
        error = EISDIR;
    else if (!S_ISREG(status.st_mode))
        error = ENODEV;
    if (error) {
        close(descriptor);
        return -error;
    }
    *ret_size = status.st_size;
    return descriptor;
}

ptrdiff_t clinux_sound_read(int32_t descriptor, void *target, size_t count, int64_t offset) {
    ssize_t got;
    do {
        got = pread(descriptor, target, count, offset);
    } while (got < 0 && errno == EINTR);
    return got < 0 ? -errno : got;
}

void clinux_sound_close(int32_t descriptor) { close(descriptor); }
