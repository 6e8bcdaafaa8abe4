// What a plugin that writes to terminals needs of libc.
#pragma once

#include <stddef.h>
#include <stdint.h>

#if defined(__clang__)
#define CTERMINAL_NONNULL _Nonnull
#define CTERMINAL_NULLABLE _Nullable
#else
#define CTERMINAL_NONNULL
#define CTERMINAL_NULLABLE
#endif

/// Opens a terminal or file for appending, without becoming its foreground process; -errno.
int cterminal_open(const char *CTERMINAL_NONNULL path);
/// 1: nothing is there, and nothing can be made: it is under /dev, or in a folder that is not there.
int cterminal_is_missing(const char *CTERMINAL_NONNULL path);
int cterminal_is_folder(const char *CTERMINAL_NONNULL path);
/// Opens the file at `path` anew where `*fd` is one that has been moved or removed, as who rotates logs
/// does; 0 or -errno.
int cterminal_follow(int *CTERMINAL_NONNULL fd, const char *CTERMINAL_NONNULL path);
/// Writes all of it; 0 or -errno.
int cterminal_write(int fd, const void *CTERMINAL_NULLABLE bytes, size_t size);
int cterminal_is_terminal(int fd);
/// 0: it does not say.
int cterminal_columns(int fd);
/// 1: the environment forbids colour (NO_COLOR is set, or TERM is dumb).
int cterminal_is_plain(void);
/// "HH:MM:SS" in local time and its NUL.
void cterminal_local_time(int64_t nanoseconds, char *CTERMINAL_NONNULL ret_text);
