// File descriptors: read(2), write(2), fcntl(2), poll(2).
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "clinux_macros.h"

int clinux_descriptor_close(int fd);
/// Bytes read, 0 at the end, or -errno (-EAGAIN: would block).
int64_t clinux_descriptor_read(int fd, void *CLINUX_NULLABLE buffer, size_t size);
/// Bytes written, perhaps fewer than asked, or -errno (-EAGAIN: would block).
int64_t clinux_descriptor_write(int fd, const void *CLINUX_NULLABLE bytes, size_t size);
int clinux_descriptor_set_nonblocking(int fd, int on);
int clinux_descriptor_set_close_on_exec(int fd, int on);
/// A duplicate with close-on-exec, numbered at least `least`.
int clinux_descriptor_duplicate(int fd, int least);
int clinux_descriptor_is_terminal(int fd);
/// Columns of a terminal, or -errno.
int clinux_descriptor_columns(int fd);
/// Device and inode of an open descriptor, as JOURNAL_STREAM spells them.
int clinux_descriptor_identity(int fd, uint64_t *CLINUX_NONNULL ret_device,
                               uint64_t *CLINUX_NONNULL ret_inode);
/// The read end and the write end, both close-on-exec.
int clinux_descriptor_pipe(int *CLINUX_NONNULL ret_read, int *CLINUX_NONNULL ret_write);

typedef struct {
    int fd;
    /// POLLIN and its like.
    int16_t events;
    int16_t ready;
} clinux_poll_entry;

#define CLINUX_POLL_IN 0x001
#define CLINUX_POLL_OUT 0x004
#define CLINUX_POLL_ERROR 0x008
#define CLINUX_POLL_HANGUP 0x010

/// How many entries are ready, 0 after `timeout_ms` (-1: for ever), or -errno. At most 64 entries.
int clinux_descriptor_poll(clinux_poll_entry *CLINUX_NONNULL entries, size_t count,
                           int timeout_ms);
