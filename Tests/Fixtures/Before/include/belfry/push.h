/*
 * What comes from outside. Part of the contract that <belfry/plugin.h> begins, which is included
 * first and includes this.
 */
#ifndef BELFRY_PUSH_H
#define BELFRY_PUSH_H

#include <belfry/plugin.h>

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wnullability-extension"
#pragma clang diagnostic ignored "-Wnullability-completeness"
#pragma clang assume_nonnull begin
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- push/1 ------------------------------------------------------------------------------- */

#define BELFRY_PUSH_1 "push/1"

/* What became of a push. It is in the app's inbox, and survives whatever comes: */
#define BELFRY_PUSH_ACCEPTED 0
/* it was there already; nothing is shown again: */
#define BELFRY_PUSH_DUPLICATE 1
/* it will never be taken as it is; the text says why, and names the field, such as `aps.badge: …`: */
#define BELFRY_PUSH_REFUSED 2
/* not now: the store cannot be written, or there are too many at a time. It may have been shown.
 * Send it again, under the same id, after `retry_after_ns`. */
#define BELFRY_PUSH_LATER 3

/* A payload in the shape of APNs, for an app's inbox and for what its notifications go to. */
typedef struct belfry_push {
    uint32_t size;
    uint32_t reserved;
    /* The plugin's name for it in `pushed`; none that is still to be answered has the same. */
    uint64_t token;
    /* On whose behalf: the app must be this user's, or nobody's yet. -1: on the operator's, for any
     * app. */
    int64_t uid;
    /* It is not shown later than this, real; 0: there is no such limit. */
    int64_t expires_ns;
    /* The app's id. NULL: the user's own, user.<uid>. */
    belfry_text app;
    /* A JSON object, at most 64 KiB. What is wrong with it, malformed UTF-8 included, is answered
     * REFUSED. */
    belfry_text payload;
    /* What is shown under the same one is replaced; 1 to 128 bytes. NULL: there is none. */
    belfry_text collapse_id;
    /* The push's name where the payload has no `ck.nid`: the same name twice is one push, also across
     * restarts of both sides. All zero: it has none, and one sent again is another. */
    uint8_t id[16];
} belfry_push;

BELFRY_ASSERT(offsetof(belfry_push, token) == 8);
BELFRY_ASSERT(offsetof(belfry_push, app) == 32);
BELFRY_ASSERT(offsetof(belfry_push, id) == 32 + 3 * sizeof(belfry_text));
BELFRY_ASSERT(sizeof(belfry_push) == 48 + 3 * sizeof(belfry_text));

/* The host's functions of "push/1", from its `extension`. */
typedef struct belfry_push_host_1 {
    uint32_t size;
    uint32_t reserved;
    /* [any] `push` is the plugin's and copied. OK: `pushed` will be called with its token, unless the
     * process ends first; a plugin that must not lose it keeps it until then and sends it again.
     * INVALID: a text is longer than its field says, a uid is none, or the token is still to be
     * answered. FULL: 64 are still to be answered. UNSUPPORTED: the plugin has no push/1. */
    int32_t (*push)(const belfry_host *host, const belfry_push *push);
} belfry_push_host_1;

BELFRY_ASSERT(offsetof(belfry_push_host_1, push) == 8);
BELFRY_ASSERT(sizeof(belfry_push_host_1) == 8 + sizeof(void *));

/* What a plugin has that pushes. More than 10,000 pushes in a second are answered LATER;
 * a plugin that goes on then floods the clock, and is ended. */
typedef struct belfry_push_1 {
    uint32_t size;
    uint32_t reserved;
    /* [worker] What became of the push of this token, BELFRY_PUSH_…; a status that is unknown means
     * LATER. `answer` is the host's: `text` is one sentence, and `retry_after_ns` goes with LATER. A
     * push of this token may be made again inside the call. */
    void (*pushed)(void *BELFRY_NULLABLE instance, uint64_t token, int32_t status,
                   const belfry_answer *answer);
} belfry_push_1;

BELFRY_ASSERT(offsetof(belfry_push_1, pushed) == 8);
BELFRY_ASSERT(sizeof(belfry_push_1) == 8 + sizeof(void *));

#ifdef __cplusplus
}
#endif

#if defined(__clang__)
#pragma clang assume_nonnull end
#pragma clang diagnostic pop
#endif

#endif
