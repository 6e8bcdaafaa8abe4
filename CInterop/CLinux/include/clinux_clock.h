// Readings of the kernel's clocks (clock_gettime(2)).
#pragma once

#include <stdint.h>

#include "clinux_macros.h"

/// Nanoseconds of CLOCK_REALTIME since 1970 UTC.
int64_t clinux_clock_realtime(void);
/// Nanoseconds of CLOCK_BOOTTIME.
int64_t clinux_clock_boottime(void);
/// adjtimex(2): 1 where the kernel says that the clock is synchronised, else 0; `ret_error`: the
/// greatest error it expects, in nanoseconds.
int clinux_clock_synchronised(int64_t *CLINUX_NONNULL ret_error);
