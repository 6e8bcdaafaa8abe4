// Runs a configured program for every delivery, and where asked for every withdrawal: as JSON on its
// standard input and in its environment, its exit status as the answer. Nothing here waits: the program's
// end is a pidfd that the host watches, its input a pipe that the host watches, its time a timer.
#include "exec.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_DONE = 0, EXIT_RETRY = 75 /* EX_TEMPFAIL of sysexits.h */ };

static void complete(struct exec_run *run, int32_t status, const char *text) {
    struct exec_plugin *plugin = run->plugin;
    if (run->token != 0)
        belfry_complete(plugin->host, run->token, status, text, plugin->retry_ns);
    else if (status != BELFRY_DONE)
        belfry_log(plugin->host, BELFRY_LOG_WARNING, text);
}

// The program has ended: its exit status becomes the answer.
void exec_ended(struct exec_run *run, int error, int exit_status, int signal) {
    char text[256];
    text[0] = '\0';
    int32_t status = BELFRY_FAILED;
    if (error != 0)
        snprintf(text, sizeof text, "%s: %s", run->plugin->arguments[0], strerror(error));
    else if (run->timed_out)
        snprintf(text, sizeof text, "the program ran longer than its time limit and was ended");
    else if (signal != 0)
        snprintf(text, sizeof text, "the program was ended by signal %d", signal);
    else if (exit_status == EXIT_DONE)
        status = BELFRY_DONE;
    else if (exit_status == EXIT_RETRY)
        status = BELFRY_RETRY;
    else
        snprintf(text, sizeof text, "the program exited with status %d", exit_status);
    struct exec_plugin *plugin = run->plugin;
    if (status == BELFRY_FAILED) {
        plugin->failures++;
        snprintf(plugin->failure, sizeof plugin->failure, "%s", text);
    } else if (status == BELFRY_DONE) {
        plugin->failures = 0;
    }
    complete(run, status, text);
}

static int is_temporary(int error) {
    return error == EAGAIN || error == ENOMEM || error == EMFILE;
}

void exec_not_started(struct exec_plugin *plugin, uint64_t token, int error) {
    struct exec_run run = {.plugin = plugin, .token = token};
    if (token != 0 && is_temporary(error))
        belfry_complete(plugin->host, token, BELFRY_RETRY, NULL, 0);
    else
        exec_ended(&run, error, 0, 0);
}

// While others wait, so does it: withdrawals stay behind what they take back.
static int32_t start_program(struct exec_plugin *plugin, uint64_t token, int64_t deadline_ns,
                             int may_be_shown, struct exec_message *message,
                             belfry_answer *ret_answer) {
    int error = message->failed ? ENOMEM : 0;
    if (error == 0 && exec_run_count(plugin) == EXEC_RUNS)
        error = exec_queue_add(plugin, token, deadline_ns, may_be_shown, message);
    else if (error == 0)
        error = exec_run_start(plugin, token, message);
    exec_message_free(message);
    if (error == 0) return BELFRY_PENDING;
    snprintf(plugin->reason, sizeof plugin->reason, "%s: %s", plugin->arguments[0], strerror(error));
    if (is_temporary(error)) ret_answer->retry_after_ns = plugin->retry_ns;
    return belfry_answer_with(ret_answer, is_temporary(error) ? BELFRY_RETRY : BELFRY_FAILED,
                              plugin->reason);
}

static int32_t show(void *instance, const belfry_delivery *delivery, belfry_answer *ret_answer) {
    struct exec_plugin *plugin = instance;
    struct exec_message message;
    exec_message_delivery(&message, delivery);
    return start_program(plugin, delivery->token, delivery->deadline_ns, delivery->attempt > 1,
                         &message, ret_answer);
}

static int32_t withdraw(void *instance, const belfry_withdrawal *withdrawal,
                        belfry_answer *ret_answer) {
    struct exec_plugin *plugin = instance;
    if (exec_queue_forget(plugin, withdrawal->token)) return BELFRY_DONE;
    // What still runs for it has nobody to answer any more, but is let finish: it may be halfway.
    exec_run_forget(plugin, withdrawal->token);
    if (!plugin->withdraws) return BELFRY_DONE;
    struct exec_message message;
    exec_message_withdrawal(&message, withdrawal);
    int32_t status = start_program(plugin, 0, 0, 0, &message, ret_answer);
    return status == BELFRY_PENDING ? BELFRY_DONE : BELFRY_FAILED;
}

static uint32_t wants(void *instance) {
    struct exec_plugin *plugin = instance;
    return plugin->everything ? BELFRY_WANTS_EVERYTHING : 0;
}

static int32_t check_health(void *instance, belfry_answer *ret_answer) {
    struct exec_plugin *plugin = instance;
    if (plugin->failures > 0) {
        snprintf(plugin->reason, sizeof plugin->reason, "it has failed %d times in a row: %s",
                 plugin->failures, plugin->failure);
        if (plugin->failures == 1)
            snprintf(plugin->reason, sizeof plugin->reason, "it has failed: %s", plugin->failure);
        return belfry_answer_with(ret_answer, BELFRY_HEALTH_FAILED, plugin->reason);
    }
    snprintf(plugin->reason, sizeof plugin->reason, "running: %d of %d programs; waiting: %d",
             exec_run_count(plugin), EXEC_RUNS, plugin->queue.count);
    return belfry_answer_with(ret_answer, BELFRY_HEALTH_GOOD, plugin->reason);
}

static const char *read_arguments(struct exec_plugin *plugin, const belfry_host *host) {
    return exec_arguments_split(plugin, belfry_config_text(host, "program"),
                                belfry_config_text(host, "arguments"),
                                belfry_config_number(host, "shell") != 0);
}

// After `pending` the host waits that long for an answer.
#define MOST_LIMIT_NS (60 * INT64_C(1000000000))

static const char *check_limit(const belfry_host *host) {
    return belfry_config_number(host, "limit") < MOST_LIMIT_NS
               ? NULL
               : "`limit` must be less than 60s: Belfry waits no longer for an answer";
}

static int32_t check_settings(const belfry_host *host, belfry_answer *ret_answer) {
    static struct exec_plugin never_started;
    const char *problem = check_limit(host);
    if (problem == NULL) problem = read_arguments(&never_started, host);
    // The plugin may be another user than whoever asks.
    if (problem == exec_unreachable || problem == exec_not_ours) problem = NULL;
    if (problem != NULL) return belfry_answer_with(ret_answer, BELFRY_FAILED, problem);
    return BELFRY_DONE;
}

static int32_t start(const belfry_host *host, void **ret_instance, belfry_answer *ret_answer) {
    // One for each process, and too large for its stack.
    static struct exec_plugin started;
    struct exec_plugin *plugin = &started;
    *ret_instance = plugin;
    plugin->host = host;
    plugin->limit_ns = belfry_config_number(host, "limit");
    plugin->retry_ns = belfry_config_number(host, "retry");
    plugin->everything = belfry_config_number(host, "everything") != 0;
    plugin->withdraws = belfry_config_number(host, "withdraw") != 0;
    if (check_limit(host) != NULL) {
        // An older Belfry took it, and most programs are quick.
        plugin->limit_ns = MOST_LIMIT_NS - 1;
        host->log(host, BELFRY_LOG_WARNING, belfry_text_of(check_limit(host)));
    }
    const char *problem = read_arguments(plugin, host);
    if (problem != NULL) return belfry_answer_with(ret_answer, BELFRY_FAILED, problem);
    return BELFRY_DONE;
}

static void stop(void *instance) {
    struct exec_plugin *plugin = instance;
    exec_queue_end(plugin);
    exec_run_end_all(plugin);
}

static const belfry_delivery_1 delivery_functions = {.size = sizeof delivery_functions,
                                                     .concurrency = EXEC_RUNS,
                                                     .show = show,
                                                     .withdraw = withdraw,
                                                     .wants = wants};
static const belfry_health_1 health_functions = {.size = sizeof health_functions,
                                                 .check = check_health};
static const belfry_settings_1 settings_functions = {.size = sizeof settings_functions,
                                                     .check = check_settings};
static const belfry_extension extensions[] = {
    {BELFRY_TEXT(BELFRY_DELIVERY_1), &delivery_functions},
    {BELFRY_TEXT(BELFRY_HEALTH_1), &health_functions},
    {BELFRY_TEXT(BELFRY_SETTINGS_1), &settings_functions}};

#define KEY(key_name, key_type, value, sentence)                                      \
    {                                                                                 \
        .size = sizeof(belfry_config_key), .type = key_type,                          \
        .name = BELFRY_TEXT(key_name), .default_value = value, .help = BELFRY_TEXT(sentence) \
    }
#define MUST_BE_GIVEN {NULL, 0}

static const belfry_config_key keys[] = {
    KEY("program", BELFRY_TYPE_TEXT, MUST_BE_GIVEN,
        "The program's absolute path; with shell = yes a command line for /bin/sh."),
    KEY("arguments", BELFRY_TYPE_TEXT, BELFRY_TEXT(""),
        "Its arguments, divided by blanks; \"quotes\" keep blanks together."),
    KEY("shell", BELFRY_TYPE_BOOLEAN, BELFRY_TEXT("no"),
        "Whether /bin/sh -c runs it; the delivery's text is never part of the command line."),
    KEY("limit", BELFRY_TYPE_DURATION, BELFRY_TEXT("30s"),
        "How long it may run before its process group is killed; less than 60s."),
    KEY("retry", BELFRY_TYPE_DURATION, BELFRY_TEXT("30s"),
        "How long to wait after exit status 75 before it is run again."),
    KEY("everything", BELFRY_TYPE_BOOLEAN, BELFRY_TEXT("no"),
        "Whether it also gets notifications without a body."),
    KEY("withdraw", BELFRY_TYPE_BOOLEAN, BELFRY_TEXT("no"),
        "Whether it also runs when what it was run for is taken back.")};

static const belfry_descriptor descriptor = {
    .size = sizeof descriptor,
    .abi_major = BELFRY_ABI_MAJOR,
    .abi_minor = BELFRY_ABI_MINOR,
    .id = BELFRY_TEXT("io.belfry.exec"),
    .name = BELFRY_TEXT("Exec"),
    .version = BELFRY_TEXT("0.1"),
    .vendor = BELFRY_TEXT("Belfry"),
    .licence = BELFRY_TEXT("Apache-2.0"),
    .extensions = extensions,
    .config_keys = keys,
    .extension_count = sizeof extensions / sizeof extensions[0],
    .config_key_count = sizeof keys / sizeof keys[0],
    .start = start,
    .stop = stop};

const belfry_descriptor *belfry_plugin_entry(uint32_t host_abi) {
    return host_abi >> 16 == BELFRY_ABI_MAJOR ? &descriptor : NULL;
}
