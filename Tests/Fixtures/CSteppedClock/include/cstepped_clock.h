// Nothing is called by its name here: the functions of stepped_clock.c are the C library's.
#ifndef CSTEPPED_CLOCK_H
#define CSTEPPED_CLOCK_H
#endif
