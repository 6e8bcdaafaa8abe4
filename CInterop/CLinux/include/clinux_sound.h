// What the speaker alone needs of the kernel and libc: pread(2).
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "clinux_macros.h"

/// Reads at an offset; the count, 0 at the end, or -errno.
int64_t clinux_sound_read(int descriptor, void *CLINUX_NONNULL target, size_t count,
                          int64_t offset);
