// Files and folders.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "clinux_macros.h"

#define CLINUX_FILE_READ 0
#define CLINUX_FILE_WRITE 1
#define CLINUX_FILE_APPEND 2
#define CLINUX_FILE_READ_WRITE 3
/// With one of those above; the file is made with `mode` where it is missing.
#define CLINUX_FILE_CREATE 16
#define CLINUX_FILE_EXCLUSIVE 32
#define CLINUX_FILE_TRUNCATE 64
#define CLINUX_FILE_NO_FOLLOW 128

#define CLINUX_FILE_REGULAR 1
#define CLINUX_FILE_FOLDER 2
#define CLINUX_FILE_LINK 3
#define CLINUX_FILE_SOCKET 4
#define CLINUX_FILE_OTHER 5

typedef struct {
    int32_t kind;
    uint32_t mode;
    uint32_t uid;
    uint32_t gid;
    int64_t size;
    int64_t modified;
    int64_t changed;
    uint64_t device;
    uint64_t inode;
    uint64_t links;
} clinux_file_status;

/// Close-on-exec, never a controlling terminal, never waiting for a FIFO's other end.
int clinux_file_open(const char *CLINUX_NONNULL path, int how, uint32_t mode);
/// The same below an open folder.
int clinux_file_open_at(int folder, const char *CLINUX_NONNULL name, int how, uint32_t mode);
/// -ENOTDIR or -ELOOP where it is no folder itself. One that we may not read is good for passing on
/// to whom it belongs (O_PATH).
int clinux_file_open_folder(const char *CLINUX_NONNULL path);
/// fchown(2).
int clinux_file_give(int fd, uint32_t uid, uint32_t gid);
int clinux_file_rename_at(int folder, const char *CLINUX_NONNULL from,
                          const char *CLINUX_NONNULL to);
int clinux_file_remove_at(int folder, const char *CLINUX_NONNULL name);
int clinux_file_status_of(const char *CLINUX_NONNULL path, int follow,
                          clinux_file_status *CLINUX_NONNULL ret_status);
int clinux_file_status_of_open(int fd, clinux_file_status *CLINUX_NONNULL ret_status);
/// `mode` holds whatever the umask.
int clinux_file_make_folder(const char *CLINUX_NONNULL path, uint32_t mode);
int clinux_file_remove(const char *CLINUX_NONNULL path);
int clinux_file_remove_folder(const char *CLINUX_NONNULL path);
int clinux_file_rename(const char *CLINUX_NONNULL from, const char *CLINUX_NONNULL to);
int clinux_file_change_mode(const char *CLINUX_NONNULL path, uint32_t mode);
int clinux_file_sync(int fd);
/// Bytes of the link's target, not ended by NUL; -ENAMETOOLONG when `size` is too small.
int clinux_file_read_link(const char *CLINUX_NONNULL path, char *CLINUX_NONNULL ret_target,
                          size_t size);
/// Calls `visit` with each name but `.` and `..`, in no order.
int clinux_file_list(const char *CLINUX_NONNULL path,
                     void (*CLINUX_NONNULL visit)(void *CLINUX_NULLABLE,
                                                  const char *CLINUX_NONNULL),
                     void *CLINUX_NULLABLE context);
/// An exclusive flock(2); -EWOULDBLOCK: another process has it.
int clinux_file_lock(int fd);
/// access(2) for reading, writing, running: bits 4, 2, 1.
int clinux_file_may(const char *CLINUX_NONNULL path, int bits);
/// pread(2) of up to `size` bytes: how many came, fewer only at the end of the file.
int64_t clinux_file_read_at(int fd, void *CLINUX_NONNULL ret_bytes, size_t size, int64_t offset);
/// Whether another process holds an fcntl(2) lock on some of these bytes: 0 or 1.
int clinux_file_is_locked(int fd, int64_t offset, int64_t size);
/// pwrite(2) of all bytes.
int clinux_file_write_at(int fd, const void *CLINUX_NONNULL bytes, size_t size, int64_t offset);
