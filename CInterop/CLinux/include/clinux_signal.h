// signalfd(2) and signal dispositions.
#pragma once

#include <stddef.h>

#include "clinux_macros.h"

#define CLINUX_SIGNAL_HANGUP 1
#define CLINUX_SIGNAL_INTERRUPT 2
#define CLINUX_SIGNAL_KILL 9
#define CLINUX_SIGNAL_PIPE 13
#define CLINUX_SIGNAL_TERMINATE 15
#define CLINUX_SIGNAL_CHILD 17

/// Blocks these signals in the calling thread and returns a non-blocking signalfd for them.
int clinux_signal_make(const int *CLINUX_NONNULL signals, size_t count);
/// The number of a signal that came; 0: none.
int clinux_signal_read(int signal_fd);
/// So that a write to a closed pipe is EPIPE.
int clinux_signal_ignore_pipe(void);
