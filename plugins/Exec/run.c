// The programs that run.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "exec.h"

extern char **environ;

static void close_input(struct exec_run *run) {
    const belfry_host *host = run->plugin->host;
    if (run->has_input_watch) host->unwatch_fd(host, run->input_watch);
    run->has_input_watch = 0;
    if (run->input >= 0) close(run->input);
    run->input = -1;
    free(run->json);
    run->json = NULL;
}

// A program that does not read its input is no error: EPIPE ends the writing, nothing else.
static void write_input(void *context, int32_t fd, uint32_t events) {
    struct exec_run *run = context;
    (void)events;
    while (run->sent < run->size) {
        ssize_t written = write(fd, run->json + run->sent, run->size - run->sent);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0 && errno == EAGAIN) return;
        if (written < 0) break;
        run->sent += (size_t)written;
    }
    close_input(run);
}

static void release(struct exec_run *run) {
    const belfry_host *host = run->plugin->host;
    close_input(run);
    exec_output_close(run);
    if (run->has_timer) host->stop_timer(host, run->timer);
    if (run->end_watch != 0) host->unwatch_fd(host, run->end_watch);
    if (run->pidfd >= 0) close(run->pidfd);
    if (run->report >= 0) close(run->report);
    memset(run, 0, sizeof *run);
}

static void ended(void *context, int32_t fd, uint32_t events) {
    struct exec_run *run = context;
    (void)fd, (void)events;
    siginfo_t end = {.si_pid = 0};
    if (waitid(P_PID, (id_t)run->pid, &end, WEXITED | WNOHANG | WNOWAIT) == 0 && end.si_pid == 0)
        return;
    // What it left behind in its group goes with it, before the group's number is free.
    kill(-run->pid, SIGKILL);
    int status = 0;
    pid_t pid = waitpid(run->pid, &status, WNOHANG);
    int signal = pid > 0 && WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    int code = pid > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : 127;
    int error = 0;
    if (read(run->report, &error, sizeof error) != sizeof error) error = 0;
    exec_output_close(run);
    exec_ended(run, error, code, signal);
    struct exec_plugin *plugin = run->plugin;
    release(run);
    exec_queue_pump(plugin);
}

static void timed_out(void *context, uint32_t timer) {
    struct exec_run *run = context;
    (void)timer;
    run->has_timer = 0;
    run->timed_out = 1;
    kill(-run->pid, SIGKILL);
}

// Between fork and exec: only async-signal-safe calls.
static void become(struct exec_plugin *plugin, int input, int output, int report,
                   char **environment) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    sigset_t none;
    sigemptyset(&none);
    for (int signal = 1; signal < 32; signal++) {
        struct sigaction action = {.sa_handler = SIG_DFL};
        sigaction(signal, &action, NULL);
    }
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (dup2(input, 0) < 0 || dup2(output, 1) < 0 || dup2(output, 2) < 0) goto failed;
    // The worker's descriptors are none of the program's business.
    int kept = fcntl(report, F_DUPFD_CLOEXEC, 3);
    if (kept < 0) goto failed;
    if (kept != 3) {
        if (dup3(kept, 3, O_CLOEXEC) < 0) goto failed;
        kept = 3;
    }
    report = kept;
    if (syscall(SYS_close_range, 4u, ~0u, 0u) < 0) {
        struct rlimit limit;
        int most = getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < 65536
                       ? (int)limit.rlim_cur
                       : 65536;
        for (int fd = 4; fd < most; fd++) close(fd);
    }
    execve(plugin->arguments[0], plugin->arguments, environment);
failed:;
    int error = errno;
    ssize_t ignored = write(report, &error, sizeof error);
    (void)ignored;
    _exit(127);
}

// The worker's environment with the message's variables; the strings stay theirs.
static char **environment_for(const struct exec_message *message) {
    size_t count = 0;
    while (environ[count] != NULL) count++;
    char **result = calloc(count + (size_t)message->count + 1, sizeof *result);
    if (result == NULL) return NULL;
    size_t size = 0;
    for (size_t index = 0; index < count; index++)
        if (strncmp(environ[index], "BELFRY_", 7) != 0) result[size++] = environ[index];
    for (int index = 0; index < message->count; index++) result[size++] = message->variables[index];
    return result;
}

// Forks; if exec fails, its errno will be in run->report before the child ends. Returns 0 or errno.
static int spawn(struct exec_run *run, int input, int output, char **environment) {
    int report[2];
    if (pipe2(report, O_CLOEXEC | O_NONBLOCK) < 0) return errno;
    pid_t pid = fork();
    if (pid == 0) become(run->plugin, input, output, report[1], environment);
    int error = pid < 0 ? errno : 0;
    close(report[1]);
    run->report = report[0];
    run->pid = pid;
    // Both sides do it, so that neither needs to wait for the other.
    if (pid > 0) setpgid(pid, pid);
    return error;
}

static int watch(struct exec_run *run) {
    const belfry_host *host = run->plugin->host;
    run->pidfd = (int)syscall(SYS_pidfd_open, run->pid, 0u);
    if (run->pidfd < 0) return errno;
    if (host->watch_fd(host, run->pidfd, BELFRY_READABLE, ended, run, &run->end_watch) != 0)
        return EAGAIN;
    if (host->start_timer(host, run->plugin->limit_ns, timed_out, run, &run->timer) != 0)
        return EAGAIN;
    run->has_timer = 1;
    int error = exec_output_watch(run);
    if (error != 0) return error;
    write_input(run, run->input, BELFRY_WRITABLE);
    if (run->input < 0) return 0;
    if (host->watch_fd(host, run->input, BELFRY_WRITABLE, write_input, run,
                       &run->input_watch) != 0)
        return EAGAIN;
    run->has_input_watch = 1;
    return 0;
}

int exec_run_start(struct exec_plugin *plugin, uint64_t token, struct exec_message *message) {
    struct exec_run *run = plugin->runs;
    while (run < plugin->runs + EXEC_RUNS && run->used) run++;
    if (run == plugin->runs + EXEC_RUNS) return EAGAIN;
    int input[2];
    if (pipe2(input, O_CLOEXEC) < 0) return errno;
    *run = (struct exec_run){.plugin = plugin, .token = token, .pidfd = -1, .report = -1,
                             .input = input[1], .output = -1, .used = 1, .json = message->json,
                             .size = message->size};
    message->json = NULL;
    char **environment = environment_for(message);
    int output = -1;
    int error = environment == NULL ? ENOMEM : exec_output_open(run, &output);
    if (error == 0) error = spawn(run, input[0], output, environment);
    free(environment);
    close(input[0]);
    if (output >= 0) close(output);
    if (error == 0) {
        fcntl(input[1], F_SETFL, O_NONBLOCK);
        error = watch(run);
        if (error != 0) {
            kill(-run->pid, SIGKILL);
            waitpid(run->pid, NULL, 0);
        }
    }
    if (error != 0) release(run);
    return error;
}

void exec_run_forget(struct exec_plugin *plugin, uint64_t token) {
    for (int index = 0; token != 0 && index < EXEC_RUNS; index++)
        if (plugin->runs[index].used && plugin->runs[index].token == token)
            plugin->runs[index].token = 0;
}

int exec_run_count(const struct exec_plugin *plugin) {
    int count = 0;
    for (int index = 0; index < EXEC_RUNS; index++) count += plugin->runs[index].used;
    return count;
}

void exec_run_end_all(struct exec_plugin *plugin) {
    for (int index = 0; index < EXEC_RUNS; index++)
        if (plugin->runs[index].used) kill(-plugin->runs[index].pid, SIGKILL);
}
