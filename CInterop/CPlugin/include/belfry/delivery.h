/*
 * Notifications that a plugin shows: delivery/1.
 */
#ifndef BELFRY_DELIVERY_H
#define BELFRY_DELIVERY_H

#include <belfry/base.h>

BELFRY_BEGIN

#define BELFRY_DELIVERY_1 "delivery/1"

/* What of a notification a delivery is about: its text, its badge, its sound, its userInfo. A
 * plugin that did not ask for everything only gets deliveries that have the first. */
#define BELFRY_PART_ALERT 1u
#define BELFRY_PART_BADGE 2u
#define BELFRY_PART_SOUND 4u
#define BELFRY_PART_USER_INFO 8u

#define BELFRY_LEVEL_PASSIVE 0u
#define BELFRY_LEVEL_ACTIVE 1u
#define BELFRY_LEVEL_TIME_SENSITIVE 2u
#define BELFRY_LEVEL_CRITICAL 3u

/* Bits of `flags`. The notification has an action button, titled `action`: */
#define BELFRY_FLAG_HAS_ACTION 1u
/* it is handed over late, after a time when it could not be: */
#define BELFRY_FLAG_LATE 2u
/* `badge` holds. */
#define BELFRY_FLAG_HAS_BADGE 4u

/* Bits of an action's flags. It brings the app to the front: */
#define BELFRY_ACTION_FOREGROUND 1u
/* it destroys something; show it so: */
#define BELFRY_ACTION_DESTRUCTIVE 2u
/* the host refuses it from a sink that is locked: */
#define BELFRY_ACTION_AUTHENTICATION 4u
/* it takes text, which goes with its report: */
#define BELFRY_ACTION_TEXT_INPUT 8u
/* it is one of the two of the minimal context. */
#define BELFRY_ACTION_MINIMAL 16u

/* A button that the app offers beside the default action, in the order to show them. */
typedef struct belfry_action {
    uint32_t size;
    uint32_t flags;
    /* What a report says as its `name`; 1 to 128 bytes. */
    belfry_text id;
    belfry_text title;
} belfry_action;

BELFRY_ASSERT(offsetof(belfry_action, id) == 8);
BELFRY_ASSERT(sizeof(belfry_action) == 8 + 2 * sizeof(belfry_text));

/* One occurrence of a notification, handed over to one plugin. */
typedef struct belfry_delivery {
    uint32_t size;
    /* From 1. Above 1: this may have been shown already, under the same `id`. */
    uint32_t attempt;
    /* Names this hand-over in `complete`; another attempt has another token. */
    uint64_t token;
    /* When it should fire, and when the clock handed it over; real. */
    int64_t due_ns;
    int64_t handed_over_ns;
    /* The call must have returned by the first, and PENDING have been completed by the second;
     * elapsed. Past the first the process is killed, past the second the delivery ends as
     * `unknown`, which is not `failed`. */
    int64_t return_by_ns;
    int64_t deadline_ns;
    /* Older occurrences that were missed and are folded into this one; and, if that is not 0,
     * since when, real. */
    int64_t missed;
    int64_t missed_since_ns;
    /* The app's number after this occurrence; only with BELFRY_FLAG_HAS_BADGE. */
    int64_t badge;
    uint32_t parts;
    uint32_t flags;
    uint32_t level;
    uint32_t reserved;
    /* The delivery's id, the same at every attempt: at most 255 bytes, no control characters. */
    belfry_text id;
    /* The id of a delivery that this one takes the place of; see `update`. NULL: none. */
    belfry_text replaces_id;
    /* The app's id, and the notification's identifier as the app gave it. */
    belfry_text app;
    belfry_text identifier;
    /* Texts as they are to be shown: looked up in the app's tables, arguments put in, escapes taken
     * out. NULL: none. At an update they may be in other words than before. */
    belfry_text title;
    belfry_text subtitle;
    belfry_text body;
    /* Title of the action button. */
    belfry_text action;
    /* File name of an image. */
    belfry_text launch_image;
    belfry_text category;
    belfry_text thread;
    /* A file name in the sound folders, or "default"; the speaker plays it, not the plugin. */
    belfry_text sound;
    /* A JSON object; a date is {"$date": microseconds}, data {"$data": base64}, and a key of the
     * app's own that begins with $ has another $ before it. Always there, "{}" if empty. */
    belfry_text user_info;
    /* How many `actions`, at most 4, and BELFRY_CONTEXT_…, as this plugin said. These three since
     * minor version 2. */
    uint32_t action_count;
    uint32_t context;
    const belfry_action *BELFRY_NULLABLE actions;
    /* For each of `actions` what the button beside the text says that it asks for; NULL: the
     * plugin's own word. Since minor version 3. */
    const belfry_text *BELFRY_NULLABLE action_buttons;
} belfry_delivery;

BELFRY_ASSERT(offsetof(belfry_delivery, token) == 8);
BELFRY_ASSERT(offsetof(belfry_delivery, badge) == 64);
BELFRY_ASSERT(offsetof(belfry_delivery, parts) == 72);
BELFRY_ASSERT(offsetof(belfry_delivery, id) == 88);
BELFRY_ASSERT(offsetof(belfry_delivery, action_count) == 88 + 13 * sizeof(belfry_text));
BELFRY_ASSERT(offsetof(belfry_delivery, actions) == 96 + 13 * sizeof(belfry_text));

/* Something to take back. */
typedef struct belfry_withdrawal {
    uint32_t size;
    uint32_t reserved;
    /* The hand-over's token if it awaits an answer, which is then no longer wanted; else 0. */
    uint64_t token;
    /* The delivery's id; it may be unknown to this process, if an earlier one showed it. */
    belfry_text id;
} belfry_withdrawal;

BELFRY_ASSERT(sizeof(belfry_withdrawal) == 16 + sizeof(belfry_text));

/* Bits of what `wants` returns: occurrences without a body, too. */
#define BELFRY_WANTS_EVERYTHING 1u

/* The functions of "delivery/1". `instance` is what `start` returned. */
typedef struct belfry_delivery_1 {
    uint32_t size;
    /* How many deliveries the plugin works on at a time, at most 64, those that it answered
     * PENDING among them: it is handed no more than that, so that an urgent one never waits behind
     * a queue of the plugin's own. 0, and before minor version 4 always: what it answered PENDING
     * is taken to be worked on, up to 64; of the rest it is handed two, the one in hand and the
     * next. */
    uint32_t concurrency;

    /* [worker] Shows it. Returns an answer; what goes with it is written to `ret_answer`. */
    int32_t (*show)(void *BELFRY_NULLABLE instance, const belfry_delivery *delivery,
                    belfry_answer *ret_answer);

    /* [worker] Shows it in the place of `replaces_id`, which may be unknown here. NULL: the host
     * calls `show` and, once that is done, `withdraw` for the one replaced. */
    int32_t (*BELFRY_NULLABLE update)(void *BELFRY_NULLABLE instance,
                                      const belfry_delivery *delivery,
                                      belfry_answer *ret_answer);

    /* [worker] Takes it back, or does nothing if it is not shown. Returns DONE or FAILED, which is
     * logged. NULL: what this plugin shows cannot be taken back. */
    int32_t (*BELFRY_NULLABLE withdraw)(void *BELFRY_NULLABLE instance,
                                        const belfry_withdrawal *withdrawal,
                                        belfry_answer *ret_answer);

    /* [worker] Called once after `start`: BELFRY_WANTS_… bits. NULL: none of them. */
    uint32_t (*BELFRY_NULLABLE wants)(void *BELFRY_NULLABLE instance);
} belfry_delivery_1;

BELFRY_ASSERT(offsetof(belfry_delivery_1, show) == 8);
BELFRY_ASSERT(sizeof(belfry_delivery_1) == 8 + 4 * sizeof(void *));

BELFRY_END

#endif
