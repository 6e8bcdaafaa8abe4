// Threads with small stacks (pthread_create(3)).
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "clinux_macros.h"

/// Starts `body(context)`; `name` is cut to 15 bytes, `stack_size` raised to what the system needs.
int clinux_thread_start(const char *CLINUX_NONNULL name, size_t stack_size,
                        void (*CLINUX_NONNULL body)(void *CLINUX_NULLABLE),
                        void *CLINUX_NULLABLE context, uintptr_t *CLINUX_NONNULL ret_thread);
int clinux_thread_join(uintptr_t thread);
