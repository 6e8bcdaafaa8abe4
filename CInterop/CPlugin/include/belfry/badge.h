/*
 * Numbers that apps show: badge/1.
 */
#ifndef BELFRY_BADGE_H
#define BELFRY_BADGE_H

#include <belfry/base.h>

BELFRY_BEGIN

#define BELFRY_BADGE_1 "badge/1"

/* An app's number changed; the newest is the one that counts. */
typedef struct belfry_badge {
    uint32_t size;
    uint32_t reserved;
    uint64_t token;
    /* 0: no badge. */
    int64_t value;
    belfry_text app;
} belfry_badge;

BELFRY_ASSERT(sizeof(belfry_badge) == 24 + sizeof(belfry_text));

typedef struct belfry_badge_1 {
    uint32_t size;
    uint32_t reserved;
    /* [worker] Shows the number. Returns an answer, as belfry_delivery_1.show does. */
    int32_t (*changed)(void *BELFRY_NULLABLE instance, const belfry_badge *badge,
                       belfry_answer *ret_answer);
} belfry_badge_1;

BELFRY_ASSERT(offsetof(belfry_badge_1, changed) == 8);
BELFRY_ASSERT(sizeof(belfry_badge_1) == 8 + sizeof(void *));

BELFRY_END

#endif
