// Regular files for the speaker (open(2), fstat(2), pread(2)).
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "clinux_macros.h"

/// Refusals of clinux_sound_open that are told apart, as positive errno values.
extern const int32_t CLINUX_SOUND_MISSING;
extern const int32_t CLINUX_SOUND_DENIED;
extern const int32_t CLINUX_SOUND_FOLDER;
extern const int32_t CLINUX_SOUND_SPECIAL;

/// Opens a regular file for reading without waiting for anything; the descriptor or -errno.
int32_t clinux_sound_open(const char *CLINUX_NONNULL path, int64_t *CLINUX_NONNULL ret_size);
/// Reads at an offset; the count, 0 at the end, or -errno.
ptrdiff_t clinux_sound_read(int32_t descriptor, void *CLINUX_NONNULL target, size_t count,
                            int64_t offset);
void clinux_sound_close(int32_t descriptor);
