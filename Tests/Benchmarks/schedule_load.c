// Schedules, or pushes, through belfryd's socket as fast as it acknowledges, and prints the rate.
//
// usage: schedule_load SOCKET CLIENTS DEPTH COUNT FIRE_US|push
//   CLIENTS connections, each with DEPTH calls in flight, COUNT calls in all, due at FIRE_US
//   (microseconds since 1970) plus a second each; or pushes, each with a nid of its own.
// prints: CALLS_PER_SECOND
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { MOST_CLIENTS = 64 };

static long long next_call, count, answered, fire;
static unsigned run;
static int pushes;

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + now.tv_nsec / 1e9;
}

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static int push(char *buffer, size_t room, long long number) {
    return snprintf(
        buffer, room,
        "{\"method\":\"io.belfry.Scheduler.Push\",\"parameters\":{\"payload\":{\"aps\":{"
        "\"alert\":\"The kettle in the ward kitchen is ready\",\"badge\":%lld},\"ck\":{"
        "\"nid\":\"%08x-0000-4000-8000-%012llx\",\"qry\":{\"fo\":1,\"rid\":\"kettle\"}}}}}",
        number % 100 + 1, run, number);
}

static void call(int socket, int calls) {
    static char buffer[1 << 18];
    size_t length = 0;
    for (int i = 0; i < calls && next_call < count; i++, next_call++) {
        if (pushes) {
            length += (size_t)push(buffer + length, sizeof buffer - length, next_call);
            buffer[length++] = 0;
            continue;
        }
        length += (size_t)snprintf(
            buffer + length, sizeof buffer - length,
            "{\"method\":\"io.belfry.Scheduler.Schedule\",\"parameters\":{\"notification\":{"
            "\"identifier\":\"%08x-load-%016llx\",\"fireDate\":%lld,"
            "\"alertBody\":\"The kettle in the ward kitchen is ready\","
            "\"soundName\":\"default\"}}}",
            run, next_call * 0x9e3779b97f4a7c15ULL, fire + next_call * 1000000);
        buffer[length++] = 0;
    }
    for (size_t sent = 0; sent < length;) {
        ssize_t n = send(socket, buffer + sent, length - sent, MSG_NOSIGNAL);
        if (n < 0 && errno != EINTR) fail("send");
        if (n > 0) sent += (size_t)n;
    }
}

/// Reads what has come and returns how many replies ended in it.
static int receive(int socket) {
    static char buffer[1 << 16];
    ssize_t n = recv(socket, buffer, sizeof buffer, 0);
    if (n <= 0) fail("recv");
    int replies = 0;
    for (ssize_t i = 0; i < n; i++) replies += buffer[i] == 0;
    // A reply split over two reads would hide the word; the wrong answer is then found by its count.
    if (memmem(buffer, (size_t)n, "\"error\"", 7)) {
        fprintf(stderr, "refused: %.*s\n", (int)n, buffer);
        exit(1);
    }
    return replies;
}

int main(int argc, char **argv) {
    if (argc != 6) {
        fprintf(stderr, "usage: schedule_load SOCKET CLIENTS DEPTH COUNT FIRE_US|push\n");
        return 2;
    }
    int clients = atoi(argv[2]), depth = atoi(argv[3]);
    count = atoll(argv[4]);
    fire = atoll(argv[5]);
    pushes = strcmp(argv[5], "push") == 0;
    run = (unsigned)getpid();
    if (clients < 1 || clients > MOST_CLIENTS || depth < 1 || depth > 512) {
        fprintf(stderr, "schedule_load: CLIENTS is 1 to %d, DEPTH 1 to 512\n", MOST_CLIENTS);
        return 2;
    }
    struct pollfd sockets[MOST_CLIENTS];
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", argv[1]);
    for (int i = 0; i < clients; i++) {
        int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address)) fail(argv[1]);
        sockets[i] = (struct pollfd){.fd = fd, .events = POLLIN};
    }
    double start = seconds();
    for (int i = 0; i < clients; i++) call(sockets[i].fd, depth);
    while (answered < count) {
        if (poll(sockets, (nfds_t)clients, 30000) <= 0) fail("no reply in 30 s");
        for (int i = 0; i < clients; i++) {
            if (!(sockets[i].revents & POLLIN)) continue;
            int replies = receive(sockets[i].fd);
            answered += replies;
            call(sockets[i].fd, replies);
        }
    }
    printf("%.0f\n", count / (seconds() - start));
    return 0;
}
