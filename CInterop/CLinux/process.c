#define _GNU_SOURCE
#include "clinux_process.h"

#include <errno.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

int32_t clinux_process_pid(void) { return getpid(); }

int32_t clinux_process_parent(void) { return getppid(); }

int32_t clinux_process_group(int32_t pid) {
    pid_t group = getpgid(pid);
    return group < 0 ? 0 : group;
}

uint32_t clinux_process_uid(void) { return geteuid(); }

uint32_t clinux_process_gid(void) { return getegid(); }

const char *clinux_process_environment(const char *name) { return getenv(name); }

const char *clinux_process_environment_at(size_t index) {
    if (!environ)
        return NULL;
    for (size_t i = 0; i <= index; i++)
        if (!environ[i])
            return NULL;
    return environ[index];
}

int clinux_process_set_environment(const char *name, const char *value) {
    return setenv(name, value, 1) < 0 ? -errno : 0;
}

int clinux_process_unset_environment(const char *name) { return unsetenv(name) < 0 ? -errno : 0; }

void clinux_process_exit(int status) { _exit(status); }

void clinux_process_kill_self(void) {
    kill(getpid(), SIGKILL);
    for (;;)
        pause();
}

int clinux_process_no_new_privileges(void) {
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ? -errno : 0;
}

int clinux_process_die_with_parent(int signal, int32_t parent) {
    if (prctl(PR_SET_PDEATHSIG, signal, 0, 0, 0) < 0)
        return -errno;
    return getppid() == parent ? 0 : -ESRCH;
}

void clinux_process_sleep(int64_t nanoseconds) {
    struct timespec left = {.tv_sec = (time_t)(nanoseconds / 1000000000),
                            .tv_nsec = (long)(nanoseconds % 1000000000)};
    while (nanosleep(&left, &left) < 0 && errno == EINTR) {
    }
}

static int resource_of(int which) {
    switch (which) {
    case CLINUX_LIMIT_ADDRESS_SPACE:
        return RLIMIT_AS;
    case CLINUX_LIMIT_CORE:
        return RLIMIT_CORE;
    case CLINUX_LIMIT_CPU_SECONDS:
        return RLIMIT_CPU;
    case CLINUX_LIMIT_FILE_SIZE:
        return RLIMIT_FSIZE;
    case CLINUX_LIMIT_DESCRIPTORS:
        return RLIMIT_NOFILE;
    case CLINUX_LIMIT_PROCESSES:
        return RLIMIT_NPROC;
    case CLINUX_LIMIT_LOCKED_MEMORY:
        return RLIMIT_MEMLOCK;
    default:
        return -1;
    }
}

static rlim_t to_rlim(uint64_t value) {
    return value >= (uint64_t)RLIM_INFINITY ? RLIM_INFINITY : (rlim_t)value;
}

static uint64_t from_rlim(rlim_t value) { return value == RLIM_INFINITY ? UINT64_MAX : value; }

int clinux_process_set_limit(int which, uint64_t value, int hard) {
    int resource = resource_of(which);
    struct rlimit limit;
    if (resource < 0)
        return -EINVAL;
    if (getrlimit(resource, &limit) < 0)
        return -errno;
    limit.rlim_cur = to_rlim(value);
    if (hard)
        limit.rlim_max = limit.rlim_cur;
    else if (limit.rlim_cur > limit.rlim_max)
        limit.rlim_cur = limit.rlim_max;
    return setrlimit(resource, &limit) < 0 ? -errno : 0;
}

int clinux_process_limit(int which, uint64_t *ret_soft, uint64_t *ret_hard) {
    int resource = resource_of(which);
    struct rlimit limit;
    if (resource < 0)
        return -EINVAL;
    if (getrlimit(resource, &limit) < 0)
        return -errno;
    *ret_soft = from_rlim(limit.rlim_cur);
    *ret_hard = from_rlim(limit.rlim_max);
    return 0;
}

int clinux_process_set_realtime(int priority) {
    struct sched_param parameter = {.sched_priority = priority};
    return sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &parameter) < 0 ? -errno : 0;
}

// As in linux/sched/types.h, first version; glibc has neither struct nor calls before 2.41.
struct scheduling {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime, deadline, period;
};
_Static_assert(sizeof(struct scheduling) == 48, "SCHED_ATTR_SIZE_VER0");

int clinux_process_set_slice(int64_t nanoseconds) {
    enum { RESET_ON_FORK = 1 };
    struct scheduling thread;
    if (syscall(SYS_sched_getattr, 0, &thread, sizeof thread, 0) < 0)
        return -errno;
    if (thread.policy != SCHED_OTHER)
        return 0;
    thread.size = sizeof thread;
    thread.flags |= RESET_ON_FORK;
    thread.runtime = (uint64_t)nanoseconds;
    return syscall(SYS_sched_setattr, 0, &thread, 0) < 0 ? -errno : 0;
}

int clinux_process_cpus(void) {
    unsigned long mask[128];
    long size = syscall(SYS_sched_getaffinity, 0, sizeof mask, mask);
    int count = 0;
    for (long i = 0; i < size / (long)sizeof *mask; i++)
        count += __builtin_popcountl(mask[i]);
    return count > 0 ? count : 1;
}

void clinux_process_trim_memory(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

int clinux_process_lock_memory(void) { return mlockall(MCL_CURRENT | MCL_FUTURE) < 0 ? -errno : 0; }
