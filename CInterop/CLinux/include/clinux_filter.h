// The system calls that a plugin does not get (seccomp(2), landlock(7)).
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "clinux_macros.h"

/// Threads of the clock that a filter knows at most.
#define CLINUX_FILTER_THREADS 24

/// Denies with EPERM, from now on and in every child, what no plugin needs: tracing, mounting,
/// kernel modules, the system's clock and so on; and whatever is aimed at one of these threads of
/// the clock, its process group `group`, or everybody: signals, limits, scheduling. Needs
/// no-new-privileges. 1: it is in force; 0: this processor is not known, nothing is denied.
int clinux_filter_install(const int32_t *CLINUX_NULLABLE threads, size_t count, int32_t group);
/// From now on this process and its children signal nobody else. 0 where the kernel cannot
/// (Linux 6.12, with Landlock), else 1.
int clinux_filter_scope_signals(void);
