// Shared by the shims: nullability that gcc accepts too.
#pragma once

#if defined(__clang__)
#define CLINUX_NONNULL _Nonnull
#define CLINUX_NULLABLE _Nullable
#else
#define CLINUX_NONNULL
#define CLINUX_NULLABLE
#endif
