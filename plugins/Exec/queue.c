// What waits for one of the programs that run to end: deliveries in the order in which they came,
// then withdrawals in theirs.
#include <errno.h>
#include <stdlib.h>

#include "exec.h"

// So long before its deadline a delivery that still waits is given back: the clock hands it over
// again, with a new one.
#define SLACK_NS 2000000000

struct exec_waiting {
    struct exec_waiting *next;
    uint64_t token;
    int64_t deadline_ns;
    int may_be_shown;
    struct exec_message message;
};

static void watch_deadline(struct exec_plugin *plugin);

static struct exec_waiting *take_first(struct exec_queue *queue) {
    struct exec_waiting *first = queue->first;
    queue->first = first->next;
    if (queue->first == NULL) queue->last = NULL;
    queue->count--;
    return first;
}

static void discard(struct exec_waiting *waiting) {
    exec_message_free(&waiting->message);
    free(waiting);
}

int exec_queue_add(struct exec_plugin *plugin, uint64_t token, int64_t deadline_ns,
                   int may_be_shown, struct exec_message *message) {
    struct exec_queue *queue = &plugin->queue;
    struct exec_waiting *waiting = malloc(sizeof *waiting);
    if (waiting == NULL) return ENOMEM;
    *waiting = (struct exec_waiting){.token = token,
                                     .deadline_ns = deadline_ns,
                                     .may_be_shown = may_be_shown,
                                     .message = *message};
    *message = (struct exec_message){.json = NULL};
    // Deliveries go before withdrawals, of which one user may bring hundreds. Of those in hand there
    // are no more than can run, so this is a short way.
    struct exec_waiting *before = token == 0 ? queue->last : NULL;
    struct exec_waiting *after = token == 0 ? NULL : queue->first;
    while (after != NULL && after->token != 0) {
        before = after;
        after = after->next;
    }
    waiting->next = after;
    if (before == NULL)
        queue->first = waiting;
    else
        before->next = waiting;
    if (after == NULL) queue->last = waiting;
    queue->count++;
    watch_deadline(plugin);
    return 0;
}

void exec_queue_pump(struct exec_plugin *plugin) {
    while (plugin->queue.first != NULL && exec_run_count(plugin) < EXEC_RUNS) {
        struct exec_waiting *first = take_first(&plugin->queue);
        int error = exec_run_start(plugin, first->token, &first->message);
        if (error != 0) exec_not_started(plugin, first->token, error);
        discard(first);
    }
}

int exec_queue_forget(struct exec_plugin *plugin, uint64_t token) {
    struct exec_waiting *before = NULL, *waiting = plugin->queue.first;
    while (waiting != NULL && waiting->token != token) {
        before = waiting;
        waiting = waiting->next;
    }
    if (token == 0 || waiting == NULL) return 0;
    int was_shown = waiting->may_be_shown;
    if (before == NULL)
        plugin->queue.first = waiting->next;
    else
        before->next = waiting->next;
    if (plugin->queue.last == waiting) plugin->queue.last = before;
    plugin->queue.count--;
    discard(waiting);
    return !was_shown;
}

void exec_queue_end(struct exec_plugin *plugin) {
    while (plugin->queue.first != NULL) discard(take_first(&plugin->queue));
}

static int64_t elapsed(const struct exec_plugin *plugin) {
    belfry_now now = {.size = sizeof now};
    plugin->host->now(plugin->host, &now);
    return now.elapsed_ns;
}

// Withdrawals have no deadline and are never given back.
static void give_back(void *context, uint32_t timer) {
    struct exec_plugin *plugin = context;
    (void)timer;
    plugin->queue.has_timer = 0;
    int64_t latest = elapsed(plugin) + SLACK_NS;
    struct exec_waiting *waiting = plugin->queue.first;
    while (waiting != NULL) {
        struct exec_waiting *next = waiting->next;
        uint64_t token = waiting->token;
        if (token != 0 && waiting->deadline_ns <= latest) {
            exec_queue_forget(plugin, token);
            exec_not_started(plugin, token, EAGAIN);
        }
        waiting = next;
    }
    watch_deadline(plugin);
}

static void watch_deadline(struct exec_plugin *plugin) {
    if (plugin->queue.has_timer) return;
    // What came first has the earliest deadline.
    struct exec_waiting *waiting = plugin->queue.first;
    while (waiting != NULL && waiting->token == 0) waiting = waiting->next;
    if (waiting == NULL) return;
    int64_t left = waiting->deadline_ns - SLACK_NS - elapsed(plugin);
    plugin->queue.has_timer =
        plugin->host->start_timer(plugin->host, left > 0 ? left : 0, give_back, plugin,
                                  &plugin->queue.timer) == BELFRY_OK;
}
