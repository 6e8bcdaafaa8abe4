// Tries to end or hamper the clock, and other things that no plugin needs; a line for each goes to
// the file of its key `out`: NAME=ERROR, 0 where it was allowed.
#define _GNU_SOURCE
#include "fixture.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static FILE *out;

static void note(const char *name, long result) {
    fprintf(out, "%s=%d\n", name, result < 0 ? errno : 0);
    fflush(out);
}

/// Its threads go by numbers that kill(2) takes, too. Signal 0 changes nothing where it is allowed.
static void aim_at_threads(pid_t clock) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task", (int)clock);
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        if (entry->d_name[0] != '.') {
            note("kill-thread", kill(atoi(entry->d_name), 0));
            note("tkill", syscall(SYS_tkill, atoi(entry->d_name), 0));
        }
    if (folder) closedir(folder);
}

static void aim_by_owner(pid_t clock) {
    int ends[2];
    if (pipe(ends) < 0) return;
    note("fcntl-owner", fcntl(ends[0], F_SETOWN, clock));
    close(ends[0]), close(ends[1]);
}

SHOW {
    UNUSED_ARGUMENTS;
    pid_t clock = getppid();
    char path[64];
    struct rlimit limit;
    note("kill-all", kill(-1, 0));
    note("kill-group", kill(-getpgid(clock), 0));
    aim_at_threads(clock);
    aim_by_owner(clock);
    note("tgkill", syscall(SYS_tgkill, clock, clock, 0));
    note("pidfd", syscall(SYS_pidfd_open, clock, 0));
    note("priority", setpriority(PRIO_PROCESS, (id_t)clock, getpriority(PRIO_PROCESS, (id_t)clock)));
    note("limit", prlimit(clock, RLIMIT_NOFILE, NULL, &limit));
    note("trace", ptrace(PTRACE_SEIZE, clock, NULL, NULL));
    note("mount", mount("none", "/nowhere", "tmpfs", 0, NULL));
    note("keys", syscall(SYS_keyctl, 0, 0, 0, 0, 0));
    snprintf(path, sizeof path, "/proc/%d/mem", (int)clock);
    int memory = open(path, O_RDWR | O_CLOEXEC);
    note("memory", memory);
    if (memory >= 0) close(memory);
    // The same from a child, and last of all in earnest.
    pid_t child = fork();
    if (child == 0) {
        note("child-kill", kill(clock, SIGKILL));
        _exit(0);
    }
    note("own-child", kill(child, 0));
    waitpid(child, NULL, 0);
    note("kill", kill(clock, SIGKILL));
    note("end", 0);
    return BELFRY_DONE;
}

static int32_t start(const belfry_host *host, void **ret_instance, belfry_answer *ret_answer) {
    static const belfry_text key = BELFRY_TEXT("out");
    fixture_start(host, ret_instance, ret_answer);
    belfry_text path = {NULL, 0};
    host->config(host, key, &path);
    out = fopen(path.bytes, "a");
    return out ? BELFRY_DONE : BELFRY_FAILED;
}

FUNCTIONS
static const belfry_extension extensions[] = {{BELFRY_TEXT(BELFRY_DELIVERY_1), &functions}};
static const belfry_config_key keys[] = {{.size = sizeof keys[0],
                                          .type = BELFRY_TYPE_TEXT,
                                          .name = BELFRY_TEXT("out"),
                                          .help = BELFRY_TEXT("Where to write the lines.")}};
static const belfry_descriptor descriptor = {
    .size = sizeof descriptor, .abi_major = BELFRY_ABI_MAJOR, .abi_minor = BELFRY_ABI_MINOR,
    .id = BELFRY_TEXT("fixture.attacker"), .name = BELFRY_TEXT("Attacker"),
    .version = BELFRY_TEXT("1"), .extensions = extensions, .config_keys = keys,
    .extension_count = 1, .config_key_count = 1, .start = start};

const belfry_descriptor *belfry_plugin_entry(uint32_t host_abi) {
    (void)host_abi;
    return &descriptor;
}
