// A mutex whose holder inherits the priority of who waits for it: PTHREAD_PRIO_INHERIT of
// pthread_mutexattr_setprotocol(3).
#pragma once

#include "clinux_macros.h"

typedef struct clinux_mutex clinux_mutex;

/// NULL: out of memory.
clinux_mutex *CLINUX_NULLABLE clinux_mutex_make(void);
void clinux_mutex_free(clinux_mutex *CLINUX_NONNULL mutex);
void clinux_mutex_lock(clinux_mutex *CLINUX_NONNULL mutex);
void clinux_mutex_unlock(clinux_mutex *CLINUX_NONNULL mutex);
