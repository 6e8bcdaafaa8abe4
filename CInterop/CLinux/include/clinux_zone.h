// The board's own time zone (localtime_r(3)).
#pragma once

#include <stdint.h>

#include "clinux_macros.h"

/// How many seconds the board's clocks are ahead of UTC at `seconds` since 1970, by TZ or
/// /etc/localtime. 0, or -EOVERFLOW for a year that libc cannot count.
int clinux_zone_offset(int64_t seconds, int32_t *CLINUX_NONNULL ret_offset);
