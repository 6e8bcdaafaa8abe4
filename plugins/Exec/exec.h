// What the files of this plugin share.
#ifndef BELFRY_EXEC_H
#define BELFRY_EXEC_H

#include <stdint.h>
#include <sys/types.h>

#include "belfry/belfry.h"
#include "belfry/helpers.h"

// Programs at a time; each takes three of the host's watches and one of its timers.
#define EXEC_RUNS 16
BELFRY_ASSERT(3 * EXEC_RUNS <= BELFRY_WATCHES && EXEC_RUNS < BELFRY_TIMERS);
#define EXEC_ARGUMENTS 64
#define EXEC_VARIABLES 24

// What a program is told: JSON for its standard input, and NAME=value for its environment.
struct exec_message {
    char *json;
    size_t size, room;
    char *variables[EXEC_VARIABLES];
    int count;
    int failed;
};

// Of a program: only who runs it can tell.
extern const char exec_unreachable[], exec_not_ours[];

void exec_message_delivery(struct exec_message *message, const belfry_delivery *delivery);
void exec_message_withdrawal(struct exec_message *message, const belfry_withdrawal *withdrawal);
void exec_message_free(struct exec_message *message);

// A program that runs.
struct exec_run {
    struct exec_plugin *plugin;
    // 0: nobody awaits an answer.
    uint64_t token;
    pid_t pid;
    // -1: none.
    int pidfd, input, report, output;
    uint32_t end_watch, input_watch, output_watch, timer;
    char *json;
    size_t sent, size;
    int used, timed_out, has_input_watch, has_output_watch, has_timer;
    // What it printed since its last line end, and how many lines it had printed before.
    char line[400];
    size_t line_size;
    int lines;
};

// What waits for a program to end.
struct exec_waiting;
struct exec_queue {
    struct exec_waiting *first, *last;
    int count, has_timer;
    uint32_t timer;
};

struct exec_plugin {
    const belfry_host *host;
    int64_t limit_ns, retry_ns;
    int everything, withdraws;
    // Programs in a row that have failed, the newest last; how it did.
    int failures;
    char failure[256];
    char *arguments[EXEC_ARGUMENTS + 1];
    struct exec_run runs[EXEC_RUNS];
    struct exec_queue queue;
    char reason[512];
};

// NULL, or what is wrong with the configuration.
const char *exec_arguments_split(struct exec_plugin *plugin, belfry_text program,
                                 belfry_text arguments, int shell);

// 0 or an errno; EAGAIN: too many run. Takes `message->json` on success.
int exec_run_start(struct exec_plugin *plugin, uint64_t token, struct exec_message *message);
void exec_run_forget(struct exec_plugin *plugin, uint64_t token);
int exec_run_count(const struct exec_plugin *plugin);
void exec_run_end_all(struct exec_plugin *plugin);

// What the program prints: opens the pipe, watches its end, and reads what is left before closing
// it. 0 or an errno.
int exec_output_open(struct exec_run *run, int *ret_end);
int exec_output_watch(struct exec_run *run);
void exec_output_close(struct exec_run *run);

// Puts a message in line for when a program has ended; `token` 0: nobody awaits an answer, and there
// is no deadline. Takes the message. 0 or ENOMEM.
int exec_queue_add(struct exec_plugin *plugin, uint64_t token, int64_t deadline_ns,
                   int may_be_shown, struct exec_message *message);
// Starts what can be started.
void exec_queue_pump(struct exec_plugin *plugin);
// 1: it waited and was never shown, so there is nothing to take back.
int exec_queue_forget(struct exec_plugin *plugin, uint64_t token);
void exec_queue_end(struct exec_plugin *plugin);

// Answers what waited and could not be started, for this errno.
void exec_not_started(struct exec_plugin *plugin, uint64_t token, int error);
// Called by the run when its program has ended; `error`: the errno for which it was never started.
void exec_ended(struct exec_run *run, int error, int exit_status, int signal);

#endif
