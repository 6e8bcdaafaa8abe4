// Readings of the kernel's clocks (clock_gettime(2)).
#pragma once

#include <stdint.h>

#include "clinux_macros.h"

/// Nanoseconds of CLOCK_REALTIME since 1970 UTC.
int64_t clinux_clock_realtime(void);
/// Nanoseconds of CLOCK_BOOTTIME.
int64_t clinux_clock_boottime(void);
