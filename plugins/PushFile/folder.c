// The folders: which are accepted, and how they are watched.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pushfile.h"

#define EVENTS                                                                                \
    (IN_CREATE | IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE_SELF | IN_MOVE_SELF | \
     IN_ONLYDIR)

static const char *say(struct spool_plugin *plugin, const char *what, const char *app) {
    snprintf(plugin->reason, sizeof plugin->reason, "%.300s%s%s %s", plugin->path,
             app[0] == '\0' ? "" : "/", app, what);
    return plugin->reason;
}

static const char *say_error(struct spool_plugin *plugin, const char *what, const char *app) {
    char words[160];
    snprintf(words, sizeof words, "%s: %s", what, strerror(errno));
    return say(plugin, words, app);
}

// NULL, or why it is not used. Whoever may write to a folder that is not sticky may put a file in
// another's place.
static const char *distrust(struct spool_plugin *plugin, int fd, const char *app) {
    struct stat status;
    if (fstat(fd, &status) < 0) return say_error(plugin, "cannot be looked at", app);
    if (app[0] == '\0' && status.st_uid != 0 && status.st_uid != geteuid())
        return say(plugin, "belongs to neither root nor the plugin's user: chown it", app);
    if (status.st_mode & S_IWOTH && !(status.st_mode & S_ISVTX))
        return say(plugin, "can be written by everybody: chmod o-w, or chmod +t to let everybody in",
                   app);
    if (status.st_mode & S_ISVTX && status.st_uid != geteuid() && geteuid() != 0)
        return say(plugin, "is sticky and not ours, so no file could be taken: chown it, or chmod -t",
                   app);
    if (faccessat(fd, ".", R_OK | W_OK | X_OK, AT_EACCESS) < 0)
        return say_error(plugin, "is not ours to take files from", app);
    return NULL;
}

// Watches what `fd` is, wherever its name leads by now. Takes the descriptor.
static const char *add(struct spool_plugin *plugin, struct spool_folder *folder, int fd,
                       const char *app) {
    char path[40];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    const char *problem = distrust(plugin, fd, app);
    int watch = problem == NULL ? inotify_add_watch(plugin->inotify, path, EVENTS) : -1;
    if (problem == NULL && watch < 0) problem = say_error(plugin, "cannot be watched", app);
    if (problem != NULL) {
        close(fd);
        return problem;
    }
    struct stat status;
    fstat(fd, &status);
    *folder = (struct spool_folder){.used = 1, .fd = fd, .device = status.st_dev,
                                    .inode = status.st_ino, .watch = watch, .must_scan = 1};
    snprintf(folder->app, sizeof folder->app, "%s", app);
    spool_claim(fd);
    return NULL;
}

static const char not_absolute[] =
    "`folder` must be an absolute path, such as /var/spool/belfry";

// What can be said without making it: `spool_open` makes the last folder of the path.
const char *spool_check(const char *path) {
    if (path[0] != '/') return not_absolute;
    struct stat status;
    if (stat(path, &status) == 0)
        return S_ISDIR(status.st_mode) ? NULL : "`folder` is no folder";
    // The plugin may be another user than whoever asks.
    if (errno == EACCES) return NULL;
    if (errno != ENOENT) return "`folder` cannot be reached: look at the folders that lead to it";
    char *outer = strdup(path);
    if (outer == NULL) return "out of memory";
    int is_there = stat(dirname(outer), &status) == 0;
    free(outer);
    return is_there ? NULL : "`folder` cannot be made: the folder that it is to lie in is not there";
}

const char *spool_open(struct spool_plugin *plugin) {
    if (plugin->path[0] != '/') return not_absolute;
    if (mkdir(plugin->path, 0755) < 0 && errno != EEXIST)
        return say_error(plugin, "is not there and cannot be made", "");
    int fd = open(plugin->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return say_error(plugin, "cannot be opened", "");
    plugin->inotify = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (plugin->inotify < 0) {
        close(fd);
        return say_error(plugin, "cannot be watched", "");
    }
    const char *problem = add(plugin, &plugin->folders[0], fd, "");
    if (problem != NULL) spool_close(plugin);
    return problem;
}

int spool_enter(struct spool_plugin *plugin, int index) {
    struct spool_folder *folder = &plugin->folders[index];
    if (folder->fd >= 0) return folder->fd;
    const int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
    int outer = index == 0 ? -1 : spool_enter(plugin, 0);
    if (index == 0)
        folder->fd = open(plugin->path, flags);
    else if (outer >= 0)
        folder->fd = openat(outer, folder->app, flags | O_NOFOLLOW);
    struct stat status;
    if (folder->fd >= 0 && (fstat(folder->fd, &status) < 0 || status.st_dev != folder->device ||
                            status.st_ino != folder->inode)) {
        close(folder->fd);
        folder->fd = -1;
    }
    return folder->fd;
}

void spool_rest(struct spool_plugin *plugin) {
    for (int index = 0; index < SPOOL_FOLDERS; index++) {
        struct spool_folder *folder = &plugin->folders[index];
        if (folder->used && folder->fd >= 0) close(folder->fd);
        folder->fd = -1;
    }
}

static void drop(struct spool_plugin *plugin, int index) {
    struct spool_folder *folder = &plugin->folders[index];
    if (!folder->used) return;
    if (plugin->scanned != NULL && plugin->scanned_folder == index) spool_end_scan(plugin);
    for (int file = 0; file < SPOOL_UNDER_WAY; file++)
        if (plugin->files[file].folder == index) plugin->files[file].folder = -1;
    inotify_rm_watch(plugin->inotify, folder->watch);
    if (folder->fd >= 0) close(folder->fd);
    folder->fd = -1;
    folder->used = 0;
}

void spool_close(struct spool_plugin *plugin) {
    for (int index = 0; index < SPOOL_FOLDERS; index++) drop(plugin, index);
    if (plugin->is_listening) plugin->host->unwatch_fd(plugin->host, plugin->listening);
    plugin->is_listening = 0;
    close(plugin->inotify);
    plugin->inotify = -1;
    plugin->events_size = plugin->events_used = 0;
}

static struct spool_folder *named(struct spool_plugin *plugin, const char *name) {
    for (int index = 1; index < SPOOL_FOLDERS; index++)
        if (plugin->folders[index].used && strcmp(plugin->folders[index].app, name) == 0)
            return &plugin->folders[index];
    return NULL;
}

struct spool_folder *spool_folder_of(struct spool_plugin *plugin, int watch) {
    for (int index = 0; index < SPOOL_FOLDERS; index++)
        if (plugin->folders[index].used && plugin->folders[index].watch == watch)
            return &plugin->folders[index];
    return NULL;
}

// A1: letters, digits, dot, underscore and hyphen, at most 128.
static int is_app(const char *name) {
    size_t size = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-");
    return name[size] == '\0' && size > 0 && size <= 128;
}

// Whether it is watched already. One that was removed may still be, under the name of the new one.
static int is_watched(struct spool_plugin *plugin, const char *name) {
    const struct spool_folder *folder = named(plugin, name);
    int top = spool_enter(plugin, 0);
    struct stat status;
    if (folder == NULL || top < 0 || fstatat(top, name, &status, AT_SYMLINK_NOFOLLOW) < 0)
        return folder != NULL;
    if (status.st_dev == folder->device && status.st_ino == folder->inode) return 1;
    spool_remove_app(plugin, name);
    return 0;
}

void spool_add_app(struct spool_plugin *plugin, const char *name) {
    if (is_watched(plugin, name)) return;
    int index = 1;
    while (index < SPOOL_FOLDERS && plugin->folders[index].used) index++;
    const char *problem = NULL;
    if (!is_app(name)) {
        problem = say(plugin, "has a folder that is not called as an app: it is left alone", "");
    } else if (index == SPOOL_FOLDERS) {
        problem = say(plugin, "is one folder too many: it is left alone", name);
    } else {
        int top = spool_enter(plugin, 0);
        if (top < 0) return;
        int fd = openat(top, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (fd < 0 && errno == ENOENT) return;
        problem = fd < 0 ? say_error(plugin, "cannot be opened", name)
                         : add(plugin, &plugin->folders[index], fd, name);
    }
    if (problem != NULL) spool_problem(plugin, "%s", problem);
}

void spool_remove_app(struct spool_plugin *plugin, const char *name) {
    struct spool_folder *folder = named(plugin, name);
    if (folder != NULL) drop(plugin, (int)(folder - plugin->folders));
}
