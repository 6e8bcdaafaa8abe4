/*
 * What the user does at a plugin: a button, a touch screen, a remote. input/1.
 */
#ifndef BELFRY_INPUT_H
#define BELFRY_INPUT_H

#include <belfry/base.h>

BELFRY_BEGIN

#define BELFRY_INPUT_1 "input/1"

/* Bits of what `context` returns: there is room for two actions alone: */
#define BELFRY_CONTEXT_MINIMAL 1u
/* nobody has said who they are; this means the minimal context, too. */
#define BELFRY_CONTEXT_LOCKED 2u

/* What a plugin has that reports what its user does: BELFRY_REPORT_ACTION, _DISMISSED, _SNOOZED.
 * The host believes reports of deliveries that were handed over to this sink, and are shown or under
 * way; it tells the app, withdraws the delivery from every sink, this one too, and stops its sound.
 * What it refuses it logs. More than 50 reports in a second are ignored. */
typedef struct belfry_input_1 {
    uint32_t size;
    uint32_t reserved;
    /* [worker] BELFRY_CONTEXT_… bits. Asked before each delivery, which then has the actions of that
     * context, and again for each report. */
    uint32_t (*context)(void *BELFRY_NULLABLE instance);
} belfry_input_1;

BELFRY_ASSERT(offsetof(belfry_input_1, context) == 8);
BELFRY_ASSERT(sizeof(belfry_input_1) == 8 + sizeof(void *));

BELFRY_END

#endif
