// Takes all watches and timers that it gets, and tells in its answer how many, and the host's version.
#include "fixture.h"

#include <stdio.h>
#include <unistd.h>

static void readable(void *context, int32_t fd, uint32_t events) {
    (void)context, (void)fd, (void)events;
}

static void expired(void *context, uint32_t timer) { (void)context, (void)timer; }

SHOW {
    (void)instance, (void)delivery;
    static char text[100];
    const belfry_host *host = fixture_host;
    int watches = 0, timers = 0;
    uint32_t number;
    // Nothing is ever written to it.
    int ends[2];
    if (pipe(ends) != 0) return BELFRY_FAILED;
    while (host->watch_fd(host, ends[0], BELFRY_READABLE, readable, NULL, &number) == BELFRY_OK) watches++;
    while (host->start_timer(host, 1000000000000, expired, NULL, &number) == BELFRY_OK) timers++;
    int size = snprintf(text, sizeof text, "%d watches, %d timers, version %.*s", watches, timers,
                        (int)host->version.size, host->version.bytes);
    ret_answer->text.bytes = text;
    ret_answer->text.size = (uint32_t)size;
    return watches == BELFRY_WATCHES && timers == BELFRY_TIMERS ? BELFRY_DONE : BELFRY_FAILED;
}

FUNCTIONS
FIXTURE("fixture.asks-everything", functions)
