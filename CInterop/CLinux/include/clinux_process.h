// What a process may say of itself: environment, identity, limits, scheduling, prctl(2).
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "clinux_macros.h"

int32_t clinux_process_pid(void);
int32_t clinux_process_parent(void);
/// Its process group; 0: there is no such process.
int32_t clinux_process_group(int32_t pid);
/// The effective ids.
uint32_t clinux_process_uid(void);
uint32_t clinux_process_gid(void);
/// NULL: not set. Valid until the environment changes, which never happens while threads run.
const char *CLINUX_NULLABLE clinux_process_environment(const char *CLINUX_NONNULL name);
/// The n-th `NAME=value`; NULL past the last.
const char *CLINUX_NULLABLE clinux_process_environment_at(size_t index);
int clinux_process_set_environment(const char *CLINUX_NONNULL name,
                                   const char *CLINUX_NONNULL value);
int clinux_process_unset_environment(const char *CLINUX_NONNULL name);
/// Ends at once, without exit handlers.
_Noreturn void clinux_process_exit(int status);
/// SIGKILL to itself.
_Noreturn void clinux_process_kill_self(void);

/// PR_SET_NO_NEW_PRIVS.
int clinux_process_no_new_privileges(void);
/// PR_SET_PDEATHSIG; -ESRCH: `parent` has already gone.
int clinux_process_die_with_parent(int signal, int32_t parent);
/// Sleeps at least so long.
void clinux_process_sleep(int64_t nanoseconds);

#define CLINUX_LIMIT_ADDRESS_SPACE 1
#define CLINUX_LIMIT_CORE 2
#define CLINUX_LIMIT_CPU_SECONDS 3
#define CLINUX_LIMIT_FILE_SIZE 4
#define CLINUX_LIMIT_DESCRIPTORS 5
#define CLINUX_LIMIT_PROCESSES 6
#define CLINUX_LIMIT_LOCKED_MEMORY 7

/// Lowers or raises a soft limit, and the hard one with it where `hard` is set; UINT64_MAX is no
/// limit.
int clinux_process_set_limit(int which, uint64_t value, int hard);
int clinux_process_limit(int which, uint64_t *CLINUX_NONNULL ret_soft,
                         uint64_t *CLINUX_NONNULL ret_hard);

/// SCHED_FIFO at `priority` for the calling thread, not inherited by children.
int clinux_process_set_realtime(int priority);
/// The length of the calling thread's turns on the CPU under SCHED_OTHER, 0.1 to 100 ms
/// (sched_setattr(2), Linux 6.12), not inherited; without effect on older kernels and under other
/// policies.
int clinux_process_set_slice(int64_t nanoseconds);
/// On how many CPUs that are online this thread may run (sched_getaffinity(2)); 1 where that is not
/// known.
int clinux_process_cpus(void);
/// malloc_trim(3), where there is one.
void clinux_process_trim_memory(void);
/// mlockall(2) of what is and what comes.
int clinux_process_lock_memory(void);
