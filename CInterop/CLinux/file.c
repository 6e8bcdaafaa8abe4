#define _GNU_SOURCE
#include "clinux_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static int open_flags(int how) {
    static const int access[] = {O_RDONLY, O_WRONLY, O_WRONLY | O_APPEND, O_RDWR};
    int flags = access[how & 3] | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
    if (how & CLINUX_FILE_CREATE)
        flags |= O_CREAT;
    if (how & CLINUX_FILE_EXCLUSIVE)
        flags |= O_EXCL;
    if (how & CLINUX_FILE_TRUNCATE)
        flags |= O_TRUNC;
    if (how & CLINUX_FILE_NO_FOLLOW)
        flags |= O_NOFOLLOW;
    return flags;
}

int clinux_file_open(const char *path, int how, uint32_t mode) {
    int fd;
    do
        fd = open(path, open_flags(how), (mode_t)mode);
    while (fd < 0 && errno == EINTR);
    return fd < 0 ? -errno : fd;
}

int clinux_file_open_at(int folder, const char *name, int how, uint32_t mode) {
    int fd;
    do
        fd = openat(folder, name, open_flags(how), (mode_t)mode);
    while (fd < 0 && errno == EINTR);
    return fd < 0 ? -errno : fd;
}

int clinux_file_open_folder(const char *path) {
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 && errno == EACCES)
        fd = open(path, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    return fd < 0 ? -errno : fd;
}

int clinux_file_give(int fd, uint32_t uid, uint32_t gid) {
    return fchown(fd, uid, gid) < 0 ? -errno : 0;
}

int clinux_file_rename_at(int folder, const char *from, const char *to) {
    return renameat(folder, from, folder, to) < 0 ? -errno : 0;
}

int clinux_file_remove_at(int folder, const char *name) {
    return unlinkat(folder, name, 0) < 0 ? -errno : 0;
}

static int32_t kind_of(mode_t mode) {
    switch (mode & S_IFMT) {
    case S_IFREG:
        return CLINUX_FILE_REGULAR;
    case S_IFDIR:
        return CLINUX_FILE_FOLDER;
    case S_IFLNK:
        return CLINUX_FILE_LINK;
    case S_IFSOCK:
        return CLINUX_FILE_SOCKET;
    default:
        return CLINUX_FILE_OTHER;
    }
}

static void copy_status(const struct stat *from, clinux_file_status *to) {
    to->kind = kind_of(from->st_mode);
    to->mode = from->st_mode & 07777;
    to->uid = from->st_uid;
    to->gid = from->st_gid;
    to->size = from->st_size;
    to->modified = (int64_t)from->st_mtim.tv_sec * 1000000000 + from->st_mtim.tv_nsec;
    to->changed = (int64_t)from->st_ctim.tv_sec * 1000000000 + from->st_ctim.tv_nsec;
    to->device = from->st_dev;
    to->inode = from->st_ino;
    to->links = from->st_nlink;
}

int clinux_file_status_of(const char *path, int follow, clinux_file_status *ret_status) {
    struct stat status;
    if (fstatat(AT_FDCWD, path, &status, follow ? 0 : AT_SYMLINK_NOFOLLOW) < 0)
        return -errno;
    copy_status(&status, ret_status);
    return 0;
}

int clinux_file_status_of_open(int fd, clinux_file_status *ret_status) {
    struct stat status;
    if (fstat(fd, &status) < 0)
        return -errno;
    copy_status(&status, ret_status);
    return 0;
}

int clinux_file_make_folder(const char *path, uint32_t mode) {
    if (mkdir(path, (mode_t)mode) < 0)
        return -errno;
    return chmod(path, (mode_t)mode) < 0 ? -errno : 0;
}

int clinux_file_remove(const char *path) { return unlink(path) < 0 ? -errno : 0; }

int clinux_file_remove_folder(const char *path) { return rmdir(path) < 0 ? -errno : 0; }

int clinux_file_rename(const char *from, const char *to) {
    return rename(from, to) < 0 ? -errno : 0;
}

int clinux_file_change_mode(const char *path, uint32_t mode) {
    return chmod(path, (mode_t)mode) < 0 ? -errno : 0;
}

int clinux_file_sync(int fd) {
    int result;
    do
        result = fsync(fd);
    while (result < 0 && errno == EINTR);
    return result < 0 ? -errno : 0;
}

int clinux_file_read_link(const char *path, char *ret_target, size_t size) {
    ssize_t length = readlink(path, ret_target, size);
    if (length < 0)
        return -errno;
    return (size_t)length == size ? -ENAMETOOLONG : (int)length;
}

int clinux_file_list(const char *path, void (*visit)(void *, const char *), void *context) {
    DIR *folder = opendir(path);
    if (!folder)
        return -errno;
    for (;;) {
        errno = 0;
        struct dirent *entry = readdir(folder);
        if (!entry)
            break;
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            visit(context, entry->d_name);
    }
    int error = errno;
    closedir(folder);
    return -error;
}

int clinux_file_lock(int fd) {
    int result;
    do
        result = flock(fd, LOCK_EX | LOCK_NB);
    while (result < 0 && errno == EINTR);
    return result < 0 ? -errno : 0;
}

int clinux_file_may(const char *path, int bits) { return access(path, bits & 7) < 0 ? -errno : 0; }

int64_t clinux_file_read_at(int fd, void *ret_bytes, size_t size, int64_t offset) {
    char *next = ret_bytes;
    size_t left = size;
    while (left > 0) {
        ssize_t count = pread(fd, next, left, (off_t)offset);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return -errno;
        if (count == 0) break;
        next += count, offset += count, left -= (size_t)count;
    }
    return (int64_t)(size - left);
}

int clinux_file_is_locked(int fd, int64_t offset, int64_t size) {
    struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET,
                         .l_start = (off_t)offset, .l_len = (off_t)size};
    if (fcntl(fd, F_GETLK, &lock) < 0) return -errno;
    return lock.l_type != F_UNLCK;
}

int clinux_file_write_at(int fd, const void *bytes, size_t size, int64_t offset) {
    const char *next = bytes;
    while (size > 0) {
        ssize_t written = pwrite(fd, next, size, (off_t)offset);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return -errno;
        next += written, offset += written, size -= (size_t)written;
    }
    return 0;
}
