// The least that can hand an alert to another process on time: one absolute timerfd, one socketpair
// hop to each of two children. Belfry's lateness is printed beside this program's.
//
// usage: lateness_baseline LEAD_NS OUT0 OUT1 DUE_NS...   (CLOCK_REALTIME nanoseconds, ascending)
// With a lead above 0 it wakes that much earlier, wakes its children too, and spins to the due instant.
// Each child writes "DUE ENTERED" lines, in nanoseconds, as the recorder plugin does.
#define _GNU_SOURCE
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { CHILDREN = 2, PAYLOAD = 256 };

static int64_t now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void serve(int socket, const char *path) {
    FILE *out = fopen(path, "w");
    if (!out) {
        perror(path);
        _exit(1);
    }
    char message[PAYLOAD];
    while (recv(socket, message, sizeof message, 0) > 0) {
        int64_t entered = now_ns();
        if (!*(int64_t *)message)
            continue;
        fprintf(out, "%lld %lld\n", (long long)*(int64_t *)message, (long long)entered);
    }
    fclose(out);
    _exit(0);
}

int main(int argc, char **argv) {
    if (argc < 5) {
        fprintf(stderr, "usage: lateness_baseline LEAD_NS OUT0 OUT1 DUE_NS...\n");
        return 2;
    }
    int64_t lead = strtoll(argv[1], NULL, 10);
    int sockets[CHILDREN];
    for (int i = 0; i < CHILDREN; i++) {
        int pair[2];
        if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair)) {
            perror("socketpair");
            return 1;
        }
        if (fork() == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            close(pair[0]);
            for (int j = 0; j < i; j++) close(sockets[j]);
            serve(pair[1], argv[2 + i]);
        }
        close(pair[1]);
        sockets[i] = pair[0];
    }
    int timer = timerfd_create(CLOCK_REALTIME, TFD_NONBLOCK | TFD_CLOEXEC);
    int loop = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = timer};
    epoll_ctl(loop, EPOLL_CTL_ADD, timer, &event);
    for (int i = 4; i < argc;) {
        int64_t due = strtoll(argv[i], NULL, 10), wake = due - lead;
        struct itimerspec at = {
            .it_value = {.tv_sec = wake / 1000000000, .tv_nsec = wake % 1000000000}};
        timerfd_settime(timer, TFD_TIMER_ABSTIME, &at, NULL);
        while (epoll_wait(loop, &event, 1, -1) < 0 && errno == EINTR) {
        }
        uint64_t expirations;
        if (read(timer, &expirations, sizeof expirations) < 0 && errno == EAGAIN) continue;
        char message[PAYLOAD] = {0};
        if (lead > 0) {
            for (int j = 0; j < CHILDREN; j++) send(sockets[j], message, sizeof due, 0);
            while (now_ns() < due) {
            }
        }
        for (int64_t now = now_ns(); i < argc && strtoll(argv[i], NULL, 10) <= now; i++) {
            *(int64_t *)message = strtoll(argv[i], NULL, 10);
            for (int j = 0; j < CHILDREN; j++) send(sockets[j], message, sizeof message, 0);
        }
    }
    for (int i = 0; i < CHILDREN; i++) close(sockets[i]);
    while (wait(NULL) > 0) {
    }
    return 0;
}
