// What a worker does to itself before it loads foreign code.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "clinux_macros.h"

/// RLIMIT_DATA, soft and hard: private writable memory. Builds with AddressSanitizer keep theirs,
/// which counts a shadow of terabytes.
int clinux_confine_memory(uint64_t bytes);
/// Becomes this user with this group and these further ones, for good, without a realtime class.
int clinux_confine_become(uint32_t uid, uint32_t gid, const uint32_t *CLINUX_NULLABLE groups,
                          size_t count);
/// Gives up every capability (capabilities(7)).
int clinux_confine_drop_capabilities(void);
/// Raises /proc/self/oom_score_adj to `score`, so that the kernel ends this process before the clock.
int clinux_confine_worsen_oom(int score);
/// Nobody but root traces this process or reads its memory (PR_SET_DUMPABLE).
int clinux_confine_hide(void);
/// Descendants whose parents end become children of this process (PR_SET_CHILD_SUBREAPER).
int clinux_confine_adopt(void);
/// When the thread that started this process ends, ends this process's group like
/// clinux_confine_end_group, also while foreign code runs. Undone by clinux_confine_become.
int clinux_confine_die_with_parent(void);
/// Kills this process's descendants, its group if it leads that, and itself.
_Noreturn void clinux_confine_end_group(void);
/// The absolute path without links (realpath(3)), at most `size` bytes with its NUL.
int clinux_confine_resolve(const char *CLINUX_NONNULL path, char *CLINUX_NONNULL ret_path,
                           size_t size);
