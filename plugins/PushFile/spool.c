// Which file is looked at next: those of folders that are read from end to end, then those that
// inotify tells of. Nothing is read ahead of what the host takes, so the kernel keeps the rest; if that
// is too much for it, it says so, and all folders are read again.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "pushfile.h"

// Steps until other work of the process has its turn.
enum { STEPS = 1024 };

void spool_end_scan(struct spool_plugin *plugin) {
    if (plugin->scanned != NULL) closedir(plugin->scanned);
    plugin->scanned = NULL;
}

// The host takes no more now.
static int is_full(const struct spool_plugin *plugin) {
    return plugin->is_paused || plugin->files_used == SPOOL_UNDER_WAY;
}

// MARK: Reading folders

static int begin_scan(struct spool_plugin *plugin) {
    int index = 0;
    while (index < SPOOL_FOLDERS &&
           !(plugin->folders[index].used && plugin->folders[index].must_scan))
        index++;
    if (index == SPOOL_FOLDERS) return 0;
    struct spool_folder *folder = &plugin->folders[index];
    folder->must_scan = 0;
    int directory = spool_enter(plugin, index);
    // Gone: inotify tells of it.
    if (directory < 0) return 1;
    int fd = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    plugin->scanned = fd < 0 ? NULL : fdopendir(fd);
    plugin->scanned_folder = index;
    if (plugin->scanned == NULL) {
        spool_problem(plugin, "%s/%s cannot be read: %s", plugin->path, folder->app, strerror(errno));
        if (fd >= 0) close(fd);
        spool_look_again(plugin, SPOOL_RETRY_NS);
    }
    return 1;
}

// 0: every folder has been read.
static int step_scan(struct spool_plugin *plugin) {
    if (plugin->scanned == NULL) return begin_scan(plugin);
    struct dirent *entry = readdir(plugin->scanned);
    if (entry == NULL)
        spool_end_scan(plugin);
    else
        spool_look(plugin, plugin->scanned_folder, entry->d_name, 0);
    return 1;
}

// MARK: inotify

static void scan_all(struct spool_plugin *plugin) {
    for (int index = 0; index < SPOOL_FOLDERS; index++) plugin->folders[index].must_scan = 1;
}

static void lost(struct spool_plugin *plugin) {
    spool_close(plugin);
    spool_problem(plugin, "%s is gone: it is looked for every minute", plugin->path);
    spool_look_again(plugin, SPOOL_YOUNG_NS);
}

static void handle(struct spool_plugin *plugin, const struct inotify_event *event) {
    if (event->mask & IN_Q_OVERFLOW) return scan_all(plugin);
    struct spool_folder *folder = spool_folder_of(plugin, event->wd);
    if (folder == NULL) return;
    int index = (int)(folder - plugin->folders);
    if (event->mask & (IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT | IN_IGNORED)) {
        if (index == 0) return lost(plugin);
        // One that was given another name is known by it already.
        if (!(event->mask & IN_MOVE_SELF)) spool_remove_app(plugin, folder->app);
        return;
    }
    if (event->len == 0) return;
    if (event->mask & IN_ISDIR) {
        if (index == 0 && event->mask & IN_MOVED_FROM) spool_remove_app(plugin, event->name);
        if (event->mask & (IN_CREATE | IN_MOVED_TO)) spool_look(plugin, index, event->name, 0);
        return;
    }
    if (event->mask & IN_CREATE) return spool_look_made(plugin, index, event->name);
    if (event->mask & (IN_CLOSE_WRITE | IN_MOVED_TO))
        spool_look(plugin, index, event->name, (event->mask & IN_MOVED_TO) != 0);
}

// 0: there is nothing to read.
static int read_events(struct spool_plugin *plugin) {
    ssize_t size = read(plugin->inotify, plugin->events, sizeof plugin->events);
    plugin->events_used = 0;
    plugin->events_size = size > 0 ? (size_t)size : 0;
    return size > 0 || (size < 0 && errno == EINTR);
}

// 0: there are none.
static int step_events(struct spool_plugin *plugin) {
    if (plugin->inotify < 0) return 0;
    if (plugin->events_used == plugin->events_size) return read_events(plugin);
    const struct inotify_event *event =
        (const struct inotify_event *)(const void *)(plugin->events + plugin->events_used);
    plugin->events_used += sizeof *event + event->len;
    handle(plugin, event);
    return 1;
}

// MARK: Turns

static void readable(void *context, int32_t fd, uint32_t events) {
    (void)fd, (void)events;
    spool_pump(context);
}

// It is listened to only while what it says can be taken, or the process would turn in circles.
static void listen(struct spool_plugin *plugin, int wanted) {
    const belfry_host *host = plugin->host;
    if (plugin->inotify < 0 || wanted == plugin->is_listening) return;
    if (!wanted) {
        host->unwatch_fd(host, plugin->listening);
        plugin->is_listening = 0;
        return;
    }
    plugin->is_listening = host->watch_fd(host, plugin->inotify, BELFRY_READABLE, readable, plugin,
                                          &plugin->listening) == BELFRY_OK;
}

static void go_on(void *context, uint32_t timer) {
    struct spool_plugin *plugin = context;
    (void)timer;
    plugin->is_between_turns = 0;
    spool_pump(plugin);
}

void spool_pump(struct spool_plugin *plugin) {
    if (plugin->is_between_turns) return;
    int steps = STEPS;
    while (steps > 0 && !is_full(plugin) && (step_scan(plugin) || step_events(plugin))) steps--;
    listen(plugin, steps > 0 && !is_full(plugin));
    if (steps > 0 && plugin->files_used == 0 && plugin->scanned == NULL) spool_rest(plugin);
    uint32_t timer;
    plugin->is_between_turns = steps == 0 && plugin->host->start_timer(plugin->host, 0, go_on, plugin,
                                                                       &timer) == BELFRY_OK;
}

static void timed_out(void *context, uint32_t timer) {
    struct spool_plugin *plugin = context;
    (void)timer;
    plugin->has_timer = 0;
    plugin->is_paused = 0;
    if (plugin->inotify < 0) {
        const char *problem = spool_open(plugin);
        if (problem != NULL) {
            spool_problem(plugin, "%s", problem);
            return spool_look_again(plugin, SPOOL_RETRY_NS);
        }
        spool_log(plugin, BELFRY_LOG_NOTICE, "%s is there again", plugin->path);
    }
    scan_all(plugin);
    spool_pump(plugin);
}

void spool_look_again(struct spool_plugin *plugin, int64_t after_ns) {
    const belfry_host *host = plugin->host;
    belfry_now now = {.size = sizeof now};
    host->now(host, &now);
    int64_t at = after_ns > INT64_MAX - now.elapsed_ns ? INT64_MAX : now.elapsed_ns + after_ns;
    if (plugin->has_timer && plugin->look_at_ns <= at) return;
    if (plugin->has_timer) host->stop_timer(host, plugin->timer);
    plugin->look_at_ns = at;
    plugin->has_timer = host->start_timer(host, after_ns, timed_out, plugin, &plugin->timer) == BELFRY_OK;
}
