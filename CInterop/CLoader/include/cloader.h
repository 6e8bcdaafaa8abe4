// dlopen(3) for the worker and the speaker. Apart from CLinux because the clock is static and must
// not reach it. libsndfile has its own header beside this one.
#pragma once

#if defined(__clang__)
#define CLOADER_NONNULL _Nonnull
#define CLOADER_NULLABLE _Nullable
#else
#define CLOADER_NONNULL
#define CLOADER_NULLABLE
#endif

/// Opens a shared object with RTLD_NOW | RTLD_LOCAL; NULL: see cloader_error.
void *CLOADER_NULLABLE cloader_open(const char *CLOADER_NONNULL path);
void *CLOADER_NULLABLE cloader_symbol(void *CLOADER_NONNULL handle,
                                      const char *CLOADER_NONNULL name);
/// The last failure in words; valid until the next call on this thread.
const char *CLOADER_NONNULL cloader_error(void);
