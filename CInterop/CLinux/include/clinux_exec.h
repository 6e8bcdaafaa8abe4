// Becoming another program (execve(2)).
#pragma once

#include <stddef.h>

#include "clinux_macros.h"

/// Replaces this process by the program at `path`, with this environment. `arguments` holds `count`
/// texts, the name first, each ended by NUL. Returns only on failure: negative errno.
int clinux_exec_replace(
    const char *CLINUX_NONNULL path, const char *CLINUX_NONNULL arguments, size_t count);
