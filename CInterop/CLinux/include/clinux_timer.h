// Absolute timers (timerfd_create(2)), non-blocking and close-on-exec.
#pragma once

#include <stdint.h>

#include "clinux_macros.h"

/// On CLOCK_REALTIME.
int clinux_timer_make_realtime(void);
/// On CLOCK_BOOTTIME.
int clinux_timer_make_boottime(void);
/// On CLOCK_REALTIME_ALARM, which wakes a sleeping machine; -EPERM without CAP_WAKE_ALARM,
/// -EOPNOTSUPP without a clock that can.
int clinux_timer_make_alarm(void);
/// Runs out at `nanoseconds` of its clock. `cancel_on_set`, realtime only: reading gives -ECANCELED
/// after the clock was stepped, and so does arming when a step was pending: it is armed then, too.
int clinux_timer_arm(int timer, int64_t nanoseconds, int cancel_on_set);
int clinux_timer_disarm(int timer);
/// 1: ran out; 0: not yet; -ECANCELED: the clock was stepped.
int clinux_timer_read(int timer);
