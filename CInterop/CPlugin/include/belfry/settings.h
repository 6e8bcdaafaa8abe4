/*
 * What of its settings a plugin cannot use, told beforehand: settings/1.
 */
#ifndef BELFRY_SETTINGS_H
#define BELFRY_SETTINGS_H

#include <belfry/base.h>

BELFRY_BEGIN

#define BELFRY_SETTINGS_1 "settings/1"

typedef struct belfry_settings_1 {
    uint32_t size;
    uint32_t reserved;
    /* [worker] Whether `start` could use the settings that `host` has: BELFRY_DONE, or BELFRY_FAILED
     * and in `ret_answer` a sentence that begins with the key between backquotes. `belfryd --check`
     * and `belfry doctor` ask it in a process that starts nothing and then ends, perhaps as another
     * user: it looks and changes nothing, and judges no rights. Of the host it may use the
     * configuration and the log. What is missing may come later, as a disk does: `start` decides. */
    int32_t (*check)(const belfry_host *host, belfry_answer *ret_answer);
} belfry_settings_1;

BELFRY_ASSERT(offsetof(belfry_settings_1, check) == 8);
BELFRY_ASSERT(sizeof(belfry_settings_1) == 8 + sizeof(void *));

BELFRY_END

#endif
