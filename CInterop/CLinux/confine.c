#define _GNU_SOURCE
#include "clinux_confine.h"

#include <errno.h>
#include <grp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif

int clinux_confine_memory(uint64_t bytes) {
#ifdef SANITIZED
    (void)bytes;
    return 0;
#else
    struct rlimit limit;
    if (getrlimit(RLIMIT_DATA, &limit) < 0) return -errno;
    rlim_t wanted = (rlim_t)bytes;
    if (limit.rlim_max != RLIM_INFINITY && limit.rlim_max < wanted) wanted = limit.rlim_max;
    limit.rlim_cur = limit.rlim_max = wanted;
    return setrlimit(RLIMIT_DATA, &limit) < 0 ? -errno : 0;
#endif
}

int clinux_confine_become(uint32_t uid, uint32_t gid) {
    if (setgroups(0, NULL) < 0 || setresgid(gid, gid, gid) < 0 || setresuid(uid, uid, uid) < 0)
        return -errno;
    return 0;
}

void clinux_confine_end_group(void) {
    if (getpgrp() == getpid()) kill(0, SIGKILL);
    kill(getpid(), SIGKILL);
    _exit(137);
}

static void parent_died(int signal) {
    (void)signal;
    clinux_confine_end_group();
}

int clinux_confine_die_with_parent(void) {
    // A realtime signal, so that a plugin's own use of the ordinary ones does not collide with it;
    // a handler and not SIGKILL, so that what the plugin forked goes, too.
    int signal = SIGRTMIN + 7;
    struct sigaction action = {.sa_handler = parent_died};
    sigfillset(&action.sa_mask);
    if (sigaction(signal, &action, NULL) < 0) return -errno;
    sigset_t mine;
    sigemptyset(&mine);
    sigaddset(&mine, signal);
    if (sigprocmask(SIG_UNBLOCK, &mine, NULL) < 0) return -errno;
    return prctl(PR_SET_PDEATHSIG, (unsigned long)signal, 0, 0, 0) < 0 ? -errno : 0;
}

int clinux_confine_give(const char *path, uint32_t uid, uint32_t gid) {
    return lchown(path, uid, gid) < 0 ? -errno : 0;
}

int clinux_confine_resolve(const char *path, char *ret_path, size_t size) {
    char *found = realpath(path, NULL);
    if (found == NULL) return -errno;
    size_t length = strlen(found) + 1;
    int result = length <= size ? 0 : -ENAMETOOLONG;
    if (result == 0) memcpy(ret_path, found, length);
    free(found);
    return result;
}
