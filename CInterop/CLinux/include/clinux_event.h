// eventfd(2) as a bell between threads, non-blocking and close-on-exec.
#pragma once

int clinux_event_make(void);
int clinux_event_ring(int event);
/// 1: had been rung; 0: had not.
int clinux_event_clear(int event);
