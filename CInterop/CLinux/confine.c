#define _GNU_SOURCE
#include "clinux_confine.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
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

_Static_assert(sizeof(gid_t) == sizeof(uint32_t), "gid_t");

int clinux_confine_become(uint32_t uid, uint32_t gid, const uint32_t *groups, size_t count) {
    const struct rlimit none = {0, 0};
    // Only root may; whoever has no capabilities and no way to new ones does without.
    for (unsigned long capability = 0; capability < 64; capability++)
        if (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) < 0)
            break;
    if (setrlimit(RLIMIT_RTPRIO, &none) < 0 || setgroups(count, groups) < 0 || setresgid(gid, gid, gid) < 0
        || setresuid(uid, uid, uid) < 0)
        return -errno;
    return 0;
}

int clinux_confine_drop_capabilities(void) {
    // As in linux/capability.h, version 3.
    struct {
        uint32_t version;
        int pid;
    } header = {0x20080522, 0};
    struct {
        uint32_t effective, permitted, inheritable;
    } none[2] = {{0, 0, 0}, {0, 0, 0}};
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    return syscall(SYS_capset, &header, none) < 0 ? -errno : 0;
}

int clinux_confine_worsen_oom(int score) {
    char text[16] = "";
    int file = open("/proc/self/oom_score_adj", O_RDWR | O_CLOEXEC);
    if (file < 0) return -errno;
    ssize_t size = read(file, text, sizeof text - 1);
    int result = 0;
    if (size > 0 && atoi(text) < score) {
        int length = snprintf(text, sizeof text, "%d", score);
        if (pwrite(file, text, (size_t)length, 0) < 0) result = -errno;
    }
    close(file);
    return result;
}

/// Of /proc/self/task/ID/children; 0: none. Nothing here may be unsafe in a signal's handler.
static pid_t first_child(const char *path) {
    char text[32] = "";
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    ssize_t size = read(file, text, sizeof text - 1);
    close(file);
    pid_t pid = 0;
    for (ssize_t i = 0; i < size && text[i] >= '0' && text[i] <= '9'; i++)
        pid = pid * 10 + (text[i] - '0');
    return pid;
}

/// Those that left the process group, too: whoever loses its parent comes to us meanwhile.
static void end_descendants(void) {
    char path[64] = "/proc/self/task/", *next = path + strlen(path), digits[16];
    int count = 0;
    for (pid_t pid = getpid(); pid > 0; pid /= 10) digits[count++] = (char)('0' + pid % 10);
    while (count > 0) *next++ = digits[--count];
    memcpy(next, "/children", sizeof "/children");
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    for (int left = 4096; left > 0; left--) {
        pid_t child = first_child(path);
        if (child <= 0 || kill(child, SIGKILL) < 0) return;
        if (waitpid(child, NULL, 0) < 0 && errno != EINTR) return;
    }
}

void clinux_confine_end_group(void) {
    end_descendants();
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

int clinux_confine_hide(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0 ? -errno : 0; }

int clinux_confine_adopt(void) {
    return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) < 0 ? -errno : 0;
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
