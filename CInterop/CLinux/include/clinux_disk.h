// What a file system is and has (statfs(2), statvfs(3)).
#pragma once

#include <stdint.h>

#include "clinux_macros.h"

/// Bytes that an ordinary user may still write where `path` lies, and whether it is mounted
/// read-only. 0 or negative errno.
int clinux_disk_free(
    const char *CLINUX_NONNULL path, int64_t *CLINUX_NONNULL ret_bytes,
    int32_t *CLINUX_NONNULL ret_read_only);

/// 1 where `path` lies in memory, on tmpfs or ramfs; 0 where it lies on a disk; negative errno.
int clinux_disk_is_memory(const char *CLINUX_NONNULL path);
