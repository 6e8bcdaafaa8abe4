// Completes from a thread of its own, 50 ms later.
#include "fixture.h"

#include <pthread.h>
#include <time.h>

static void *complete(void *token) {
    struct timespec pause = {.tv_nsec = 50 * 1000000};
    nanosleep(&pause, NULL);
    belfry_answer answer = {.size = sizeof answer, .text = BELFRY_TEXT("late, but done")};
    fixture_host->complete(fixture_host, *(uint64_t *)token, BELFRY_DONE, &answer);
    free(token);
    return NULL;
}

SHOW {
    UNUSED_ARGUMENTS;
    uint64_t *token = malloc(sizeof *token);
    *token = delivery->token;
    pthread_t thread;
    pthread_create(&thread, NULL, complete, token);
    pthread_detach(thread);
    return BELFRY_PENDING;
}
FUNCTIONS
FIXTURE("fixture.answers-late", functions)
