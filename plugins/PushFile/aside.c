// What will never be taken goes to the folder `rejected`, and why into a file beside it.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pushfile.h"

// Room in a name for `.reason`.
enum { MOST_NAME = NAME_MAX - 7 };

// Whose it may be: a folder of that name that a stranger put into the spool is none of ours.
static int is_ours(int folder, int rejected) {
    struct stat outer, inner;
    if (fstat(folder, &outer) < 0 || fstat(rejected, &inner) < 0) return 0;
    return inner.st_uid == 0 || inner.st_uid == geteuid() || inner.st_uid == outer.st_uid;
}

// Who can write to the folder can clean up in `rejected`. Returns a descriptor, or -1 with errno.
static int open_rejected(int folder) {
    const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    int made = mkdirat(folder, "rejected", 0700) == 0;
    if (!made && errno != EEXIST) return -1;
    int rejected = openat(folder, "rejected", flags);
    if (rejected < 0) return -1;
    struct stat outer;
    if (made && fstat(folder, &outer) == 0) {
        int ignored = fchown(rejected, (uid_t)-1, outer.st_gid);
        (void)ignored;
        // The group's bit is denied to a confined service.
        if (fchmod(rejected, outer.st_mode & 07777) < 0) fchmod(rejected, outer.st_mode & 01777);
    }
    if (is_ours(folder, rejected)) return rejected;
    close(rejected);
    errno = EPERM;
    return -1;
}

static int write_all(int fd, const char *bytes, size_t size) {
    while (size > 0) {
        ssize_t written = write(fd, bytes, size);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return -1;
        bytes += written;
        size -= (size_t)written;
    }
    return 0;
}

// Whole or not at all: whoever waits for it reads it when it is there.
static int write_reason(int rejected, const char *name, const char *reason) {
    static const char temporary[] = ".reason.tmp";
    unlinkat(rejected, temporary, 0);
    int fd = openat(rejected, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0) return -1;
    int failed = write_all(fd, reason, strlen(reason)) < 0 || write_all(fd, "\n", 1) < 0 ||
                 fchmod(fd, 0644) < 0;
    int error = errno;
    close(fd);
    if (!failed) {
        char path[NAME_MAX + sizeof ".reason"];
        snprintf(path, sizeof path, "%s.reason", name);
        if (renameat(rejected, temporary, rejected, path) == 0) return 0;
        error = errno;
    }
    unlinkat(rejected, temporary, 0);
    errno = error;
    return -1;
}

void spool_set_aside(struct spool_plugin *plugin, int folder, const char *name,
                     const char *reason) {
    const struct spool_folder *from = &plugin->folders[folder];
    if (spool_enter(plugin, folder) < 0) return;
    const char *slash = from->app[0] == '\0' ? "" : "/";
    char kept[NAME_MAX + 1];
    snprintf(kept, sizeof kept, "%.*s", (int)MOST_NAME, name);
    int rejected = open_rejected(from->fd);
    // The reason first: a file never lies there without one.
    int failed = rejected < 0 || write_reason(rejected, kept, reason) < 0 ||
                 renameat(from->fd, name, rejected, kept) < 0;
    int error = errno;
    if (rejected >= 0) close(rejected);
    if (!failed) {
        spool_log(BELFRY_LOG_WARNING, "%s%s%s is set aside: %s", from->app, slash, name, reason);
        return;
    }
    spool_problem(plugin, "%s%s%s (%s) cannot be set aside to %s%s%s/rejected: %s", from->app, slash,
                  name, reason, plugin->path, slash, from->app, strerror(error));
    spool_look_again(plugin, SPOOL_RETRY_NS);
}
