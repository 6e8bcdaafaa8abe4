#define _GNU_SOURCE
#include "clinux_filter.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#elif defined(__arm__) && defined(__ARM_EABI__)
#define ARCHITECTURE AUDIT_ARCH_ARM
#elif defined(__riscv) && __riscv_xlen == 64
#define ARCHITECTURE AUDIT_ARCH_RISCV64
#endif

#ifdef ARCHITECTURE

// Calls that are the same number everywhere but may be missing in old headers.
enum { io_uring_setup = 425, io_uring_enter = 426, io_uring_register = 427, pidfd_open = 434,
       pidfd_getfd = 438, pidfd_send = 424, open_tree = 428, move_mount = 429, fsopen = 430,
       fsconfig = 431, fsmount = 432, fspick = 433, mount_setattr = 442, quotactl_fd = 443 };

static const int denied[] = {
    SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_kcmp, SYS_mount, SYS_umount2,
    SYS_pivot_root, SYS_chroot, SYS_bpf, SYS_keyctl, SYS_add_key, SYS_request_key, SYS_init_module,
    SYS_finit_module, SYS_delete_module, SYS_reboot, SYS_swapon, SYS_swapoff, SYS_perf_event_open,
    SYS_userfaultfd, SYS_acct, SYS_quotactl, SYS_syslog, SYS_vhangup, SYS_setns, SYS_unshare,
    SYS_open_by_handle_at, SYS_sethostname, SYS_setdomainname, SYS_fanotify_init, io_uring_setup,
    io_uring_enter, io_uring_register, pidfd_getfd, pidfd_send, open_tree, move_mount, fsopen,
    fsconfig, fsmount, fspick, mount_setattr, quotactl_fd,
#ifdef SYS_kexec_load
    SYS_kexec_load,
#endif
#ifdef SYS_kexec_file_load
    SYS_kexec_file_load,
#endif
#ifdef SYS_clock_settime
    SYS_clock_settime,
#endif
#ifdef SYS_clock_settime64
    SYS_clock_settime64,
#endif
#ifdef SYS_settimeofday
    SYS_settimeofday,
#endif
#ifdef SYS_stime
    SYS_stime,
#endif
#ifdef SYS_iopl
    SYS_iopl, SYS_ioperm,
#endif
#ifdef SYS_lookup_dcookie
    SYS_lookup_dcookie,
#endif
#ifdef SYS_migrate_pages
    SYS_migrate_pages, SYS_move_pages,
#endif
};

/// Calls whose argument `argument` is a process that must not be the clock.
static const struct aimed {
    int call;
    int argument;
} aimed[] = {
    {SYS_kill, 0}, {SYS_tkill, 0}, {SYS_tgkill, 0}, {SYS_rt_sigqueueinfo, 0},
    {SYS_rt_tgsigqueueinfo, 0}, {pidfd_open, 0}, {SYS_prlimit64, 0}, {SYS_sched_setscheduler, 0},
    {SYS_sched_setparam, 0}, {SYS_sched_setattr, 0}, {SYS_sched_setaffinity, 0},
    {SYS_setpriority, 1}, {SYS_ioprio_set, 1},
};

enum { room = 2048, owner_of_file = 0x8901, owner_of_socket = 0x8902, push_input = 0x5412 };

struct program {
    struct sock_filter lines[room];
    unsigned short count;
};

static void add(struct program *program, unsigned code, unsigned value, int yes, int no) {
    struct sock_filter line = {(unsigned short)code, (unsigned char)yes, (unsigned char)no, value};
    if (program->count < room)
        program->lines[program->count++] = line;
}

static void load(struct program *program, size_t offset) {
    add(program, BPF_LD | BPF_W | BPF_ABS, (unsigned)offset, 0, 0);
}

/// The lower half: process ids are ints, and the processors above are little-endian.
static void load_argument(struct program *program, int number) {
    load(program, offsetof(struct seccomp_data, args) + 8 * (size_t)number);
}

static void end(struct program *program, unsigned result) {
    add(program, BPF_RET | BPF_K, result, 0, 0);
}

static void deny_if(struct program *program, unsigned value) {
    add(program, BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
    end(program, SECCOMP_RET_ERRNO | EPERM);
}

static void deny_unless(struct program *program, unsigned value) {
    add(program, BPF_JMP | BPF_JEQ | BPF_K, value, 1, 0);
    end(program, SECCOMP_RET_ERRNO | EPERM);
}

/// The lines from `start` on are about `call`: others go by them, with its number loaded again.
static unsigned short begin_call(struct program *program, int call) {
    add(program, BPF_JMP | BPF_JEQ | BPF_K, (unsigned)call, 0, 0);
    return program->count;
}

static void end_call(struct program *program, unsigned short start) {
    end(program, SECCOMP_RET_ALLOW);
    program->lines[start - 1].jf = (unsigned char)(program->count - start);
}

static void spare(struct program *program, const int32_t *threads, size_t count, int32_t group) {
    for (size_t i = 0; i < count && i < CLINUX_FILTER_THREADS; i++)
        deny_if(program, (unsigned)threads[i]);
    deny_if(program, (unsigned)-1);
    if (group > 1)
        deny_if(program, (unsigned)-group);
}

static void add_aimed(struct program *program, const int32_t *threads, size_t count, int32_t group) {
    for (size_t i = 0; i < sizeof aimed / sizeof *aimed; i++) {
        unsigned short start = begin_call(program, aimed[i].call);
        // Of a whole group or user the clock could be one.
        if (aimed[i].call == SYS_setpriority || aimed[i].call == SYS_ioprio_set) {
            load_argument(program, 0);
            deny_unless(program, aimed[i].call == SYS_setpriority ? PRIO_PROCESS : 1);
        }
        load_argument(program, aimed[i].argument);
        spare(program, threads, count, group);
        end_call(program, start);
    }
}

/// Whoever owns a file's signals gets them sent by the kernel.
static void add_owners(struct program *program, int call, const int32_t *threads, size_t count,
                       int32_t group) {
    unsigned short start = begin_call(program, call);
    load_argument(program, 1);
    deny_if(program, F_SETOWN_EX);
    add(program, BPF_JMP | BPF_JEQ | BPF_K, F_SETOWN, 1, 0);
    end(program, SECCOMP_RET_ALLOW);
    load_argument(program, 2);
    spare(program, threads, count, group);
    end_call(program, start);
}

static void build(struct program *program, const int32_t *threads, size_t count, int32_t group) {
    load(program, offsetof(struct seccomp_data, arch));
    deny_unless(program, ARCHITECTURE);
    load(program, offsetof(struct seccomp_data, nr));
#ifdef __x86_64__
    // The calls of x32 have numbers of their own.
    add(program, BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1);
    end(program, SECCOMP_RET_ERRNO | ENOSYS);
#endif
    for (size_t i = 0; i < sizeof denied / sizeof *denied; i++)
        deny_if(program, (unsigned)denied[i]);
    add_aimed(program, threads, count, group);
    add_owners(program, SYS_fcntl, threads, count, group);
#ifdef SYS_fcntl64
    add_owners(program, SYS_fcntl64, threads, count, group);
#endif
    unsigned short start = begin_call(program, SYS_ioctl);
    load_argument(program, 1);
    deny_if(program, owner_of_file);
    deny_if(program, owner_of_socket);
    deny_if(program, push_input);
    end_call(program, start);
    end(program, SECCOMP_RET_ALLOW);
}

int clinux_filter_install(const int32_t *threads, size_t count, int32_t group) {
    static struct program program;
    program.count = 0;
    build(&program, threads, count, group);
    if (program.count >= room)
        return -E2BIG;
    struct sock_fprog filter = {.len = program.count, .filter = program.lines};
    // Every thread, since libraries may have started some.
    long result = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter);
    return result < 0 ? -errno : result > 0 ? -EBUSY : 1;
}

#else

int clinux_filter_install(const int32_t *threads, size_t count, int32_t group) {
    (void)threads, (void)count, (void)group;
    return 0;
}

#endif

// As in linux/landlock.h of Linux 6.12.
struct ruleset {
    uint64_t files, network, scoped;
};
_Static_assert(sizeof(struct ruleset) == 24, "landlock_ruleset_attr");

int clinux_filter_scope_signals(void) {
    enum { create_ruleset = 444, restrict_self = 446, signals = 1 << 1 };
    const struct ruleset wanted = {.scoped = signals};
    int ruleset = (int)syscall(create_ruleset, &wanted, sizeof wanted, 0);
    if (ruleset < 0)
        return 0;
    long result = syscall(restrict_self, ruleset, 0);
    close(ruleset);
    return result == 0;
}
