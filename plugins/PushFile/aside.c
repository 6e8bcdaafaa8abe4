// What will never be taken goes to the folder `rejected`, and why into a file beside it.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pushfile.h"

// Room in a name for `.reason`.
enum { MOST_NAME = NAME_MAX - 7 };

#define FOLDER (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
// What a folder of our own is called where `rejected` cannot be used. Names that begin with a dot are
// never pushed.
static const char detour[] = ".rejected.";

static int refuse(int fd, int error) {
    if (fd >= 0) close(fd);
    errno = error;
    return -1;
}

// The folder's group and rights, so that who can write to it can clean up in `rejected`; but where
// everybody can write, nobody else may put a name in our way there.
static void share(int rejected, const struct stat *outer) {
    mode_t mode = outer->st_mode & S_IWOTH ? 0755 : outer->st_mode & 07777;
    int ignored = fchown(rejected, (uid_t)-1, outer->st_gid);
    (void)ignored;
    // The group's bit is denied to a confined service.
    if (fchmod(rejected, mode) < 0) fchmod(rejected, mode & 01777);
}

// The folder `rejected`. Returns a descriptor, or -1 with errno: EPERM where it is a stranger's.
static int open_rejected(int folder) {
    struct stat outer, inner;
    if (fstat(folder, &outer) < 0) return -1;
    int made = mkdirat(folder, "rejected", 0700) == 0;
    if (!made && errno != EEXIST) return -1;
    int rejected = openat(folder, "rejected", FOLDER);
    if (rejected < 0 || fstat(rejected, &inner) < 0) return refuse(rejected, errno);
    if (inner.st_uid != 0 && inner.st_uid != geteuid() && inner.st_uid != outer.st_uid)
        return refuse(rejected, EPERM);
    if (made || (inner.st_mode & S_IWOTH && inner.st_uid == geteuid())) share(rejected, &outer);
    return rejected;
}

void spool_claim(int folder) {
    struct stat status;
    if (fstat(folder, &status) < 0 || !(status.st_mode & S_IWOTH)) return;
    int rejected = open_rejected(folder);
    if (rejected >= 0) close(rejected);
}

// A folder of our own that nobody else can write to, by its name; -1: it is none.
static int open_own(int folder, const char *name) {
    struct stat status;
    int fd = openat(folder, name, FOLDER);
    if (fd < 0 || fstat(fd, &status) < 0) return refuse(fd, errno);
    if (status.st_uid != geteuid() || status.st_mode & (S_IWGRP | S_IWOTH)) return refuse(fd, EPERM);
    return fd;
}

// One that an earlier life made.
static int find_own(struct spool_folder *from) {
    int fd = openat(from->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *directory = fd < 0 ? NULL : fdopendir(fd);
    if (directory == NULL) return refuse(fd, errno);
    int found = -1;
    for (struct dirent *entry; found < 0 && (entry = readdir(directory)) != NULL;) {
        size_t size = strlen(entry->d_name);
        if (size >= sizeof from->detour || strncmp(entry->d_name, detour, strlen(detour)) != 0) continue;
        found = open_own(from->fd, entry->d_name);
        if (found >= 0) memcpy(from->detour, entry->d_name, size + 1);
    }
    closedir(directory);
    return found;
}

// A folder of our own beside `rejected`, under a name that nobody could foresee.
static int open_detour(struct spool_folder *from) {
    int fd = from->detour[0] == '\0' ? find_own(from) : open_own(from->fd, from->detour);
    if (fd >= 0) return fd;
    uint32_t number = 0;
    if (getrandom(&number, sizeof number, 0) != sizeof number) return -1;
    snprintf(from->detour, sizeof from->detour, "%s%08x", detour, number);
    if (mkdirat(from->fd, from->detour, 0755) < 0) return -1;
    fd = open_own(from->fd, from->detour);
    // Whatever our umask is.
    if (fd >= 0) fchmod(fd, 0755);
    return fd;
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

// The reason first: a file never lies there without one. Takes the descriptor; -1 with errno.
static int move(const struct spool_folder *from, int rejected, const char *name, const char *kept,
                const char *reason) {
    if (rejected < 0) return -1;
    int failed = write_reason(rejected, kept, reason) < 0 ||
                 renameat(from->fd, name, rejected, kept) < 0;
    return failed ? refuse(rejected, errno) : close(rejected);
}

// Nothing of the disk's, which another folder would not help against.
static int is_in_the_way(int error) {
    return error == EPERM || error == EACCES || error == ELOOP || error == ENOTDIR ||
           error == EISDIR || error == ENOTEMPTY || error == EEXIST;
}

void spool_set_aside(struct spool_plugin *plugin, int folder, const char *name,
                     const char *reason) {
    struct spool_folder *from = &plugin->folders[folder];
    if (spool_enter(plugin, folder) < 0) return;
    const char *slash = from->app[0] == '\0' ? "" : "/", *where = "rejected";
    char kept[NAME_MAX + 1];
    snprintf(kept, sizeof kept, "%.*s", (int)MOST_NAME, name);
    int failed = move(from, open_rejected(from->fd), name, kept, reason) < 0;
    int error = errno;
    if (failed && is_in_the_way(error)) {
        failed = move(from, open_detour(from), name, kept, reason) < 0;
        where = from->detour;
        if (!failed)
            spool_problem(plugin, "%s%s%s/rejected cannot be used (%s): what is wrong goes to %s",
                          plugin->path, slash, from->app, strerror(error), where);
        else
            error = errno;
    }
    if (!failed) {
        spool_log(plugin, BELFRY_LOG_WARNING, "%s%s%s is set aside to %s: %s", from->app, slash, name,
                  where, reason);
        return;
    }
    spool_problem(plugin, "%s%s%s (%s) cannot be set aside to %s%s%s/%s: %s", from->app, slash, name,
                  reason, plugin->path, slash, from->app, where, strerror(error));
    spool_look_again(plugin, SPOOL_RETRY_NS);
}
