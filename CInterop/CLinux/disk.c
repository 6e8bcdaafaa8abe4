#define _GNU_SOURCE
#include "clinux_disk.h"

#include <errno.h>
#include <linux/magic.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>

int clinux_disk_free(const char *path, int64_t *ret_bytes, int32_t *ret_read_only) {
    struct statvfs room;
    while (statvfs(path, &room) < 0)
        if (errno != EINTR) return -errno;
    *ret_bytes = (int64_t)room.f_bavail * (int64_t)room.f_frsize;
    *ret_read_only = (room.f_flag & ST_RDONLY) != 0;
    return 0;
}

int clinux_disk_is_memory(const char *path) {
    struct statfs found;
    while (statfs(path, &found) < 0)
        if (errno != EINTR) return -errno;
    // A signed number, of 32 bits on 32-bit machines.
    uint32_t type = (uint32_t)found.f_type;
    return type == TMPFS_MAGIC || type == RAMFS_MAGIC;
}
