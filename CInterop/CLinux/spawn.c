#define _GNU_SOURCE
#include "clinux_spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef P_PIDFD
#define P_PIDFD 3
#endif

enum { most_descriptors = 8 };

static int prepare_attributes(posix_spawnattr_t *attributes) {
    short flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    int error = posix_spawnattr_setsigmask(attributes, &none);
    if (!error)
        error = posix_spawnattr_setsigdefault(attributes, &all);
    if (!error)
        error = posix_spawnattr_setpgroup(attributes, 0);
    int policy = sched_getscheduler(0) & ~SCHED_RESET_ON_FORK;
    if (!error && (policy == SCHED_FIFO || policy == SCHED_RR)) {
        struct sched_param ordinary = {.sched_priority = 0};
        error = posix_spawnattr_setschedpolicy(attributes, SCHED_OTHER);
        if (!error)
            error = posix_spawnattr_setschedparam(attributes, &ordinary);
        flags |= POSIX_SPAWN_SETSCHEDULER;
    }
    if (!error)
        error = posix_spawnattr_setflags(attributes, flags);
    return -error;
}

/// Copies lie above every target, so that no dup2 hits a descriptor still to be copied.
static int prepare_descriptors(posix_spawn_file_actions_t *actions,
                               const clinux_spawn_descriptor *descriptors, size_t count,
                               int copies[most_descriptors]) {
    int highest = 2;
    for (size_t i = 0; i < count; i++)
        if (descriptors[i].to > highest)
            highest = descriptors[i].to;
    for (size_t i = 0; i < count; i++) {
        copies[i] = fcntl(descriptors[i].from, F_DUPFD_CLOEXEC, highest + 1);
        if (copies[i] < 0)
            return -errno;
        int error = posix_spawn_file_actions_adddup2(actions, copies[i], descriptors[i].to);
        if (error)
            return -error;
    }
    // What lies between the targets; closing what is not open is no error here.
    for (int number = 3; number < highest; number++) {
        int is_given = 0;
        for (size_t i = 0; i < count; i++)
            is_given |= descriptors[i].to == number;
        int error = is_given ? 0 : posix_spawn_file_actions_addclose(actions, number);
        if (error)
            return -error;
    }
#ifdef __GLIBC__
    // All of ours are close-on-exec; this is for those that some starter of ours left open.
    return -posix_spawn_file_actions_addclosefrom_np(actions, highest + 1);
#else
    return 0;
#endif
}

static int start(const char *path, char *const *arguments, char *const *environment,
                 const clinux_spawn_descriptor *descriptors, size_t count, pid_t *ret_pid) {
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t actions;
    int copies[most_descriptors] = {-1, -1, -1, -1, -1, -1, -1, -1};
    int result = -posix_spawnattr_init(&attributes);
    if (result < 0)
        return result;
    result = -posix_spawn_file_actions_init(&actions);
    if (result < 0) {
        posix_spawnattr_destroy(&attributes);
        return result;
    }
    result = prepare_attributes(&attributes);
    if (result == 0)
        result = prepare_descriptors(&actions, descriptors, count, copies);
    if (result == 0)
        result = -posix_spawn(ret_pid, path, &actions, &attributes, arguments, environment);
    for (size_t i = 0; i < most_descriptors; i++)
        if (copies[i] >= 0)
            close(copies[i]);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return result;
}

int clinux_spawn_start(const char *path, char *const *arguments, char *const *environment,
                       const clinux_spawn_descriptor *descriptors, size_t count,
                       int32_t *ret_pid, int *ret_pidfd) {
    if (count > most_descriptors)
        return -EINVAL;
    pid_t pid = -1;
    int result = start(path, arguments, environment, descriptors, count, &pid);
    if (result < 0)
        return result;
    // The number cannot be reused before we reap it.
    int pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
    if (pidfd < 0) {
        result = -errno;
        kill(pid, SIGKILL);
        while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {
        }
        return result;
    }
    *ret_pid = pid;
    *ret_pidfd = pidfd;
    return 0;
}

int clinux_spawn_reap(int pidfd, int wait, int *ret_status) {
    siginfo_t info = {0};
    int result;
    do
        result = waitid((idtype_t)P_PIDFD, (id_t)pidfd, &info, WEXITED | (wait ? 0 : WNOHANG));
    while (result < 0 && errno == EINTR);
    if (result < 0)
        return -errno;
    if (info.si_pid == 0)
        return 0;
    *ret_status = info.si_status;
    return info.si_code == CLD_EXITED ? 1 : 2;
}

int clinux_spawn_reap_orphan(int32_t pid) {
    pid_t result;
    do
        result = waitpid(pid, NULL, WNOHANG);
    while (result < 0 && errno == EINTR);
    return result < 0 ? -errno : result > 0;
}

int clinux_spawn_mark(int32_t pid, uint64_t value) {
    const struct rlimit limit = {(rlim_t)value, (rlim_t)value};
    return prlimit(pid, RLIMIT_MSGQUEUE, &limit, NULL) < 0 ? -errno : 0;
}

int clinux_spawn_kill_group(int32_t pid, int signal) {
    if (pid <= 1)
        return -EINVAL;
    return kill(-pid, signal) < 0 ? -errno : 0;
}

int clinux_spawn_kill(int32_t pid, int signal) {
    if (pid <= 0)
        return -EINVAL;
    return kill(pid, signal) < 0 ? -errno : 0;
}
