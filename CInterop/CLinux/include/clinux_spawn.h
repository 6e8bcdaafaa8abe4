// Children (posix_spawn(3), pidfd_open(2), waitid(2)).
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "clinux_macros.h"

typedef struct {
    /// Which descriptor of ours the child gets.
    int from;
    /// Under which number.
    int to;
} clinux_spawn_descriptor;

/// Starts a program by path, in a process group of its own, with an empty signal mask, default
/// handlers, no realtime class, and no descriptors but these. `arguments` and `environment` end
/// with NULL. The caller waits until exec.
int clinux_spawn_start(const char *CLINUX_NONNULL path,
                       char *CLINUX_NULLABLE const *CLINUX_NONNULL arguments,
                       char *CLINUX_NULLABLE const *CLINUX_NONNULL environment,
                       const clinux_spawn_descriptor *CLINUX_NULLABLE descriptors, size_t count,
                       int32_t *CLINUX_NONNULL ret_pid, int *CLINUX_NONNULL ret_pidfd);
/// Reaps. 0: still runs (only with `wait` 0); 1: exited with *ret_status; 2: killed by the signal
/// *ret_status.
int clinux_spawn_reap(int pidfd, int wait, int *CLINUX_NONNULL ret_status);
/// Reaps a child that has ended, by its number. 1: reaped; 0: it still runs.
int clinux_spawn_reap_orphan(int32_t pid);
/// Sets the hard limit of message queues of a child, which it leaves to its own children.
int clinux_spawn_mark(int32_t pid, uint64_t value);
/// Sends a signal to the process group of `pid`; -ESRCH: nobody left.
int clinux_spawn_kill_group(int32_t pid, int signal);
/// Sends a signal to one process.
int clinux_spawn_kill(int32_t pid, int signal);
