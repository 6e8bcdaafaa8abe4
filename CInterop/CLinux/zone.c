#define _GNU_SOURCE
#include "clinux_zone.h"

#include <errno.h>
#include <time.h>

int clinux_zone_offset(int64_t seconds, int32_t *ret_offset) {
    struct tm civil;
    time_t when = (time_t)seconds;
    if (when != seconds) return -EOVERFLOW;
    tzset();
    if (localtime_r(&when, &civil) == NULL) return -EOVERFLOW;
    *ret_offset = (int32_t)civil.tm_gmtoff;
    return 0;
}
