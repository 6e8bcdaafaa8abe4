#define _GNU_SOURCE
#include "clinux_watch.h"

#include <errno.h>
#include <stdalign.h>
#include <sys/inotify.h>
#include <unistd.h>

int clinux_watch_make(void) {
    int fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    return fd < 0 ? -errno : fd;
}

static uint32_t mask_of(int what) {
    const uint32_t self = IN_MOVE_SELF | IN_DELETE_SELF;
    switch (what) {
    case CLINUX_WATCH_NAMES:
        return self | IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_CLOSE_WRITE | IN_DELETE
             | IN_ATTRIB | IN_ONLYDIR;
    case CLINUX_WATCH_SELF:
        return self | IN_ONLYDIR;
    default:
        // A file that another replaces loses a link, which is an attribute.
        return self | IN_CLOSE_WRITE | IN_ATTRIB | IN_DONT_FOLLOW;
    }
}

int clinux_watch_add(int watch, const char *path, int what) {
    int number;
    do
        number = inotify_add_watch(watch, path, mask_of(what));
    while (number < 0 && errno == EINTR);
    return number < 0 ? -errno : number;
}

int clinux_watch_remove(int watch, int32_t folder) {
    return inotify_rm_watch(watch, folder) < 0 ? -errno : 0;
}

static int32_t kind_of(uint32_t mask) {
    if (mask & IN_Q_OVERFLOW)
        return CLINUX_WATCH_OVERFLOW;
    if (mask & (IN_MOVE_SELF | IN_DELETE_SELF | IN_UNMOUNT))
        return CLINUX_WATCH_FOLDER;
    // IN_IGNORED only follows another event, or a removal of ours.
    return mask & IN_IGNORED ? 0 : CLINUX_WATCH_NAME;
}

int clinux_watch_read(int watch, clinux_watch_seen seen, void *context) {
    alignas(struct inotify_event) char buffer[4096];
    ssize_t size;
    do
        size = read(watch, buffer, sizeof buffer);
    while (size < 0 && errno == EINTR);
    if (size < 0)
        return errno == EAGAIN ? 0 : -errno;
    int count = 0;
    for (const char *at = buffer; at < buffer + size; count++) {
        const struct inotify_event *event = (const struct inotify_event *)at;
        int32_t kind = kind_of(event->mask);
        if (kind)
            seen(context, event->wd, kind, event->len ? event->name : "");
        at += sizeof *event + event->len;
    }
    return count;
}
