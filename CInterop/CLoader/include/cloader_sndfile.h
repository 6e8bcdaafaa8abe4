// libsndfile through dlopen(3), for FLAC, Ogg and MP3: its headers are not needed to build, nor the
// library to run. The few declarations of its ABI (sndfile.h, version 1) stand in sndfile.c.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "cloader.h"

typedef struct cloader_sndfile cloader_sndfile;

/// Reads at an offset; the count, 0 at the end, negative on failure.
typedef int64_t (*cloader_sndfile_read_at)(void *CLOADER_NONNULL context,
                                           void *CLOADER_NONNULL target, int64_t count,
                                           int64_t offset);

/// Whether the library is installed; loads it at the first call.
int cloader_sndfile_present(void);
/// Opens what `read_at` gives; NULL: no library, or it does not understand the bytes.
/// `context` must live as long as the handle.
cloader_sndfile *CLOADER_NULLABLE cloader_sndfile_open(
    cloader_sndfile_read_at CLOADER_NONNULL read_at, void *CLOADER_NONNULL context, int64_t size,
    int32_t *CLOADER_NONNULL ret_channels, int32_t *CLOADER_NONNULL ret_rate);
/// Whole frames as numbers from -1 to 1; 0 at the end.
int64_t cloader_sndfile_read(cloader_sndfile *CLOADER_NONNULL file, double *CLOADER_NONNULL target,
                             int64_t frames);
void cloader_sndfile_close(cloader_sndfile *CLOADER_NONNULL file);
