// What a worker does to itself before it loads foreign code.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "clinux_macros.h"

/// RLIMIT_DATA, soft and hard: private writable memory. Builds with AddressSanitizer keep theirs,
/// which counts a shadow of terabytes.
int clinux_confine_memory(uint64_t bytes);
/// Gives up root for this user and group, with no further groups, for good.
int clinux_confine_become(uint32_t uid, uint32_t gid);
/// When the thread that started this process ends, ends this process's group like
/// clinux_confine_end_group, also while foreign code runs. Undone by clinux_confine_become.
int clinux_confine_die_with_parent(void);
/// Kills every process of the group, this one included, if it leads the group; else only itself.
_Noreturn void clinux_confine_end_group(void);
/// Changes the owner of a file or folder.
int clinux_confine_give(const char *CLINUX_NONNULL path, uint32_t uid, uint32_t gid);
/// The absolute path without links (realpath(3)), at most `size` bytes with its NUL.
int clinux_confine_resolve(const char *CLINUX_NONNULL path, char *CLINUX_NONNULL ret_path,
                           size_t size);
