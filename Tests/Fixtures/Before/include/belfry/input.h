/*
 * What the user does at a plugin: a button, a touch screen, a remote. Part of the contract that
 * <belfry/plugin.h> begins, which is included first and includes this.
 */
#ifndef BELFRY_INPUT_H
#define BELFRY_INPUT_H

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

/* ---- Actions of a delivery ---------------------------------------------------------------- */

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
struct belfry_action {
    uint32_t size;
    uint32_t flags;
    /* What a report says as its `name`; 1 to 128 bytes. */
    belfry_text id;
    belfry_text title;
};

BELFRY_ASSERT(offsetof(belfry_action, id) == 8);
BELFRY_ASSERT(sizeof(belfry_action) == 8 + 2 * sizeof(belfry_text));

/* ---- input/1 ------------------------------------------------------------------------------ */

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

#ifdef __cplusplus
}
#endif

#if defined(__clang__)
#pragma clang assume_nonnull end
#pragma clang diagnostic pop
#endif

#endif
