#define _GNU_SOURCE
#include "clinux_thread.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

_Static_assert(sizeof(pthread_t) <= sizeof(uintptr_t), "a thread fits");

struct start {
    void (*body)(void *);
    void *context;
    char name[16];
};

static void *run(void *opaque) {
    struct start start = *(struct start *)opaque;
    free(opaque);
    prctl(PR_SET_NAME, start.name);
    start.body(start.context);
    return NULL;
}

int clinux_thread_start(const char *name, size_t stack_size, void (*body)(void *), void *context,
                        uintptr_t *ret_thread) {
    struct start *start = calloc(1, sizeof *start);
    if (!start)
        return -ENOMEM;
    start->body = body;
    start->context = context;
    strncpy(start->name, name, sizeof start->name - 1);

    long least = sysconf(_SC_THREAD_STACK_MIN);
    if (least > 0 && stack_size < (size_t)least)
        stack_size = (size_t)least;
    long page = sysconf(_SC_PAGESIZE);
    stack_size = (stack_size + (size_t)page - 1) / (size_t)page * (size_t)page;

    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    int error = pthread_attr_setstacksize(&attributes, stack_size);
    pthread_t thread;
    if (!error)
        error = pthread_create(&thread, &attributes, run, start);
    pthread_attr_destroy(&attributes);
    if (error) {
        free(start);
        return -error;
    }
    *ret_thread = (uintptr_t)thread;
    return 0;
}

int clinux_thread_join(uintptr_t thread) { return -pthread_join((pthread_t)thread, NULL); }
