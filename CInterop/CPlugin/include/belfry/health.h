/*
 * How a plugin is: health/1.
 */
#ifndef BELFRY_HEALTH_H
#define BELFRY_HEALTH_H

#include <belfry/base.h>

BELFRY_BEGIN

#define BELFRY_HEALTH_1 "health/1"

#define BELFRY_HEALTH_GOOD 0
#define BELFRY_HEALTH_DEGRADED 1
#define BELFRY_HEALTH_FAILED 2

typedef struct belfry_health_1 {
    uint32_t size;
    uint32_t reserved;
    /* [worker] How the plugin is: BELFRY_HEALTH_…, and in `ret_answer` a sentence for `doctor`.
     * It looks at what it knows and waits for nothing. */
    int32_t (*check)(void *BELFRY_NULLABLE instance, belfry_answer *ret_answer);
} belfry_health_1;

BELFRY_ASSERT(offsetof(belfry_health_1, check) == 8);
BELFRY_ASSERT(sizeof(belfry_health_1) == 8 + sizeof(void *));

BELFRY_END

#endif
