#define _GNU_SOURCE
#include "clinux_launch.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// The calls themselves: libc's functions of these names change every thread, and the child shares
// our memory until its exec. Old 32-bit ABIs have 16-bit ids under the plain names.
#ifdef SYS_setresuid32
enum { set_groups = SYS_setgroups32, set_gid = SYS_setresgid32, set_uid = SYS_setresuid32 };
#else
enum { set_groups = SYS_setgroups, set_gid = SYS_setresgid, set_uid = SYS_setresuid };
#endif

struct failure {
    int step;
    int error;
};

static _Noreturn void give_up(int report, int step) {
    struct failure failure = {step, errno};
    ssize_t size = write(report, &failure, sizeof failure);
    _exit(size == sizeof failure ? 127 : 126);
}

static void reset_signals(void) {
    struct sigaction action = {.sa_handler = SIG_DFL};
    for (int number = 1; number < NSIG; number++)
        sigaction(number, &action, NULL);
}

static void reset_scheduling(const clinux_launch_program *program) {
    const struct sched_param ordinary = {.sched_priority = 0};
    const struct rlimit none = {0, 0};
    int policy = sched_getscheduler(0) & ~SCHED_RESET_ON_FORK;
    if (policy == SCHED_FIFO || policy == SCHED_RR)
        sched_setscheduler(0, SCHED_OTHER, &ordinary);
    if (program->changes_user)
        setrlimit(RLIMIT_RTPRIO, &none);
}

/// An app has no part in the clock's claim to memory.
static void reset_blame(void) {
    char text[16];
    int file = open("/proc/self/oom_score_adj", O_RDWR | O_CLOEXEC);
    if (file < 0) return;
    if (read(file, text, sizeof text) > 0 && text[0] == '-' && pwrite(file, "0", 1, 0) < 0)
        text[0] = 0;
    close(file);
}

/// All of ours are close-on-exec; this is for those that some starter of ours left open.
static void close_others(int report) {
#ifdef SYS_close_range
    if (syscall(SYS_close_range, 3u, (unsigned)report - 1, 0u) == 0
        && syscall(SYS_close_range, (unsigned)report + 1, ~0u, 0u) == 0)
        return;
#endif
    struct rlimit limit;
    rlim_t end = getrlimit(RLIMIT_NOFILE, &limit) < 0 ? 1024 : limit.rlim_cur;
    for (int number = 3; number < (end > 65536 ? 65536 : (int)end); number++)
        if (number != report)
            close(number);
}

static int change_user(const clinux_launch_program *program) {
    if (syscall(set_groups, program->group_count, program->groups) < 0)
        return -1;
    if (syscall(set_gid, program->gid, program->gid, program->gid) < 0)
        return -1;
    return (int)syscall(set_uid, program->uid, program->uid, program->uid);
}

static _Noreturn void become(const clinux_launch_program *program, int report) {
    sigset_t none;
    reset_signals();
    reset_scheduling(program);
    reset_blame();
    setsid();
    umask(022);
    if (dup2(program->input, 0) < 0 || dup2(program->output, 1) < 0 || dup2(1, 2) < 0)
        give_up(report, CLINUX_LAUNCH_START);
    close_others(report);
    if (program->changes_user && change_user(program) < 0)
        give_up(report, CLINUX_LAUNCH_USER);
    if (chdir(program->folder) < 0 && chdir("/") < 0)
        give_up(report, CLINUX_LAUNCH_START);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execve(program->path, program->arguments, program->environment);
    give_up(report, CLINUX_LAUNCH_PROGRAM);
}

/// No handler of ours may run in the child.
static pid_t start(const clinux_launch_program *program, int report) {
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    pid_t pid = vfork();
    if (pid == 0)
        become(program, report);
    int error = errno;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    errno = error;
    return pid;
}

static int read_failure(int from, struct failure *failure) {
    ssize_t size;
    do
        size = read(from, failure, sizeof *failure);
    while (size < 0 && errno == EINTR);
    return size == sizeof *failure;
}

int clinux_launch_start(const clinux_launch_program *program, int32_t *ret_pid, int *ret_pidfd,
                        int *ret_step) {
    struct failure failure = {CLINUX_LAUNCH_START, 0};
    clinux_launch_program copy = *program;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0) {
        *ret_step = failure.step;
        return -errno;
    }
    // Above what the child puts in place.
    int report = fcntl(ends[1], F_DUPFD_CLOEXEC, 4);
    copy.input = fcntl(program->input, F_DUPFD_CLOEXEC, 4);
    copy.output = fcntl(program->output, F_DUPFD_CLOEXEC, 4);
    pid_t pid = -1;
    if (report >= 0 && copy.input >= 0 && copy.output >= 0)
        pid = start(&copy, report);
    failure.error = pid < 0 ? errno : 0;
    close(ends[1]);
    if (report >= 0) close(report);
    if (copy.input >= 0) close(copy.input);
    if (copy.output >= 0) close(copy.output);
    int pidfd = -1;
    if (pid > 0 && !read_failure(ends[0], &failure)) {
        // The number cannot be reused before we reap it.
        pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
        failure.error = pidfd < 0 ? errno : 0;
        if (pidfd < 0)
            kill(pid, SIGKILL);
    }
    close(ends[0]);
    if (failure.error == 0) {
        *ret_pid = pid;
        *ret_pidfd = pidfd;
        return 0;
    }
    while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR) {
    }
    *ret_step = failure.step;
    return -failure.error;
}
