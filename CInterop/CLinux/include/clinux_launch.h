// Starting a program as another user (vfork(2), setsid(2), setresuid(2), execve(2)).
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "clinux_macros.h"

typedef struct {
    const char *CLINUX_NONNULL path;
    /// End with NULL.
    char *CLINUX_NULLABLE const *CLINUX_NONNULL arguments;
    char *CLINUX_NULLABLE const *CLINUX_NONNULL environment;
    /// Where it starts; where it cannot, in the root.
    const char *CLINUX_NONNULL folder;
    /// Its descriptors 0, and 1 and 2.
    int input;
    int output;
    /// 0: it stays the user that we are.
    int changes_user;
    uint32_t uid;
    uint32_t gid;
    const uint32_t *CLINUX_NULLABLE groups;
    size_t group_count;
} clinux_launch_program;

#define CLINUX_LAUNCH_START 1
#define CLINUX_LAUNCH_USER 2
#define CLINUX_LAUNCH_PROGRAM 3

/// Starts it in a session of its own, with an empty signal mask, default handlers, no realtime class
/// (as another user: nor the right to one), umask 022, and no descriptors but these. The caller waits until exec. On failure
/// *ret_step says at what.
int clinux_launch_start(const clinux_launch_program *CLINUX_NONNULL program,
                        int32_t *CLINUX_NONNULL ret_pid, int *CLINUX_NONNULL ret_pidfd,
                        int *CLINUX_NONNULL ret_step);
