// What a program prints becomes lines of the daemon's log: the first ones, the rest is read and
// dropped, so that a program that prints for ever fills no log and blocks on nothing.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "exec.h"

enum { MOST_LINES = 20, READS_AT_ONCE = 16 };

static void say(struct exec_run *run) {
    if (run->line_size == 0) return;
    run->line[run->line_size] = '\0';
    run->line_size = 0;
    run->lines++;
    if (run->lines <= MOST_LINES) belfry_log(run->plugin->host, BELFRY_LOG_INFO, run->line);
    if (run->lines == MOST_LINES + 1)
        belfry_log(run->plugin->host, BELFRY_LOG_INFO,
                   "the program prints more lines, which are dropped");
}

static void take(struct exec_run *run, const char *bytes, ssize_t size) {
    for (ssize_t index = 0; index < size && run->lines <= MOST_LINES; index++) {
        // A line that is too long is divided; NUL would end it for the log.
        if (bytes[index] == '\n') {
            say(run);
        } else {
            run->line[run->line_size++] = bytes[index] == '\0' ? ' ' : bytes[index];
            if (run->line_size == sizeof run->line - 1) say(run);
        }
    }
}

// 0: nothing more will come.
static int read_some(struct exec_run *run) {
    char bytes[4096];
    for (int reads = 0; reads < READS_AT_ONCE; reads++) {
        ssize_t size = read(run->output, bytes, sizeof bytes);
        if (size < 0 && errno == EINTR) continue;
        if (size < 0 && errno == EAGAIN) return 1;
        if (size <= 0) return 0;
        take(run, bytes, size);
    }
    return 1;
}

static void readable(void *context, int32_t fd, uint32_t events) {
    struct exec_run *run = context;
    (void)fd, (void)events;
    if (!read_some(run)) exec_output_close(run);
}

int exec_output_open(struct exec_run *run, int *ret_end) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0) return errno;
    run->output = ends[0];
    *ret_end = ends[1];
    return fcntl(ends[0], F_SETFL, O_NONBLOCK) < 0 ? errno : 0;
}

int exec_output_watch(struct exec_run *run) {
    const belfry_host *host = run->plugin->host;
    if (host->watch_fd(host, run->output, BELFRY_READABLE, readable, run, &run->output_watch) != 0)
        return EAGAIN;
    run->has_output_watch = 1;
    return 0;
}

void exec_output_close(struct exec_run *run) {
    const belfry_host *host = run->plugin->host;
    if (run->output < 0) return;
    read_some(run);
    say(run);
    if (run->has_output_watch) host->unwatch_fd(host, run->output_watch);
    run->has_output_watch = 0;
    close(run->output);
    run->output = -1;
}
