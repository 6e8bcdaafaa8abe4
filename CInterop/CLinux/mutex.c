#define _GNU_SOURCE
#include "clinux_mutex.h"

#include <pthread.h>
#include <stdlib.h>

struct clinux_mutex {
    pthread_mutex_t lock;
};

clinux_mutex *clinux_mutex_make(void) {
    clinux_mutex *mutex = malloc(sizeof *mutex);
    if (!mutex)
        return NULL;
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
    int error = pthread_mutex_init(&mutex->lock, &attributes);
    pthread_mutexattr_destroy(&attributes);
    // A kernel without priority-inheriting futexes still has ordinary ones.
    if (error && pthread_mutex_init(&mutex->lock, NULL)) {
        free(mutex);
        return NULL;
    }
    return mutex;
}

void clinux_mutex_free(clinux_mutex *mutex) {
    pthread_mutex_destroy(&mutex->lock);
    free(mutex);
}

void clinux_mutex_lock(clinux_mutex *mutex) { pthread_mutex_lock(&mutex->lock); }

void clinux_mutex_unlock(clinux_mutex *mutex) { pthread_mutex_unlock(&mutex->lock); }
