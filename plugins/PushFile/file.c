// One file: what it is, its push, and what becomes of it after the answer.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "pushfile.h"

static int ends_with(const char *name, const char *end) {
    size_t size = strlen(name), length = strlen(end);
    return size >= length && memcmp(name + size - length, end, length) == 0;
}

int spool_is_meant(const char *name) {
    return name[0] != '.' && strcmp(name, "rejected") != 0 && !ends_with(name, ".tmp") &&
           !ends_with(name, ".part");
}

static struct spool_file *under_way(struct spool_plugin *plugin, int folder, const char *name) {
    for (int index = 0; index < SPOOL_UNDER_WAY; index++) {
        struct spool_file *file = &plugin->files[index];
        if (file->used && file->folder == folder && strcmp(file->name, name) == 0) return file;
    }
    return NULL;
}

static struct spool_file *unused(struct spool_plugin *plugin) {
    struct spool_file *file = plugin->files;
    while (file->used) file++;
    return file;
}

// What is no file to be read is said in a sentence; NULL: it is one.
static const char *oddity(const struct stat *status) {
    if (S_ISLNK(status->st_mode)) return "it is a symbolic link: put the file itself here";
    if (!S_ISREG(status->st_mode)) return "it is no regular file";
    if (status->st_nlink > 1)
        return "it has another name, a hard link, so it may be another user's: copy it or move it";
    return NULL;
}

// What has nothing to do with the file: it is looked at again.
static int is_passing(int error) {
    return error == EMFILE || error == ENFILE || error == ENOMEM || error == EIO || error == EINTR;
}

// Its bytes, at most `room`; -1 with errno.
static ssize_t read_all(int fd, char *bytes, size_t room) {
    size_t size = 0;
    while (size < room) {
        ssize_t some = read(fd, bytes + size, room - size);
        if (some < 0 && errno == EINTR) continue;
        if (some < 0) return -1;
        if (some == 0) break;
        size += (size_t)some;
    }
    return (ssize_t)size;
}

static void refuse_size(struct spool_plugin *plugin, int folder, const char *name, int64_t size) {
    char reason[96];
    snprintf(reason, sizeof reason, "payload: %lld bytes; at most %d are a payload",
             (long long)size, SPOOL_PAYLOAD);
    spool_set_aside(plugin, folder, name, reason);
}

static void failed(struct spool_plugin *plugin, int folder, const char *name, int error) {
    if (error == ENOENT) return;
    if (is_passing(error)) {
        spool_problem(plugin, "%s: %s", name, strerror(error));
        return spool_look_again(plugin, SPOOL_YOUNG_NS);
    }
    char reason[160];
    snprintf(reason, sizeof reason, "it cannot be read: %s", strerror(error));
    spool_set_aside(plugin, folder, name, reason);
}

static void push(struct spool_plugin *plugin, struct spool_file *file, uid_t owner,
                 const char *bytes, size_t size) {
    const struct spool_folder *folder = &plugin->folders[file->folder];
    belfry_push push = {.size = sizeof push, .token = file->token, .uid = (int64_t)owner};
    push.payload.bytes = bytes;
    push.payload.size = (uint32_t)size;
    push.app = plugin->app;
    if (folder->app[0] != '\0') {
        push.app.bytes = folder->app;
        push.app.size = (uint32_t)strlen(folder->app);
    }
    spool_id(&file->stamp, bytes, size, push.id);
    const belfry_push_host_1 *host =
        plugin->host->extension(plugin->host, (belfry_text)BELFRY_TEXT(BELFRY_PUSH_1));
    int32_t answer = host->push(plugin->host, &push);
    if (answer == BELFRY_OK) {
        file->used = 1;
        plugin->files_used++;
    } else {
        spool_problem(plugin, "%s cannot be pushed: the host says %d", file->name, (int)answer);
        spool_look_again(plugin, SPOOL_YOUNG_NS);
    }
}

// Reads it; the stamp is taken before, so that what is written meanwhile shows.
static void take(struct spool_plugin *plugin, int folder, const char *name, int is_whole) {
    static char bytes[SPOOL_PAYLOAD + 1];
    int directory = spool_enter(plugin, folder);
    struct spool_file *file = unused(plugin);
    *file = (struct spool_file){.folder = folder, .is_whole = is_whole};
    snprintf(file->name, sizeof file->name, "%s", name);
    int error = spool_stamp(directory, name, &file->stamp);
    if (error != 0) return failed(plugin, folder, name, error);
    int fd = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0) return failed(plugin, folder, name, errno);
    struct stat status;
    ssize_t size = fstat(fd, &status);
    // Another one took its place: it comes with an event of its own.
    int is_other = size == 0 && (status.st_ino != file->stamp.inode || oddity(&status) != NULL);
    if (size == 0 && !is_other) size = read_all(fd, bytes, sizeof bytes);
    error = errno;
    close(fd);
    if (is_other) return spool_look_again(plugin, 0);
    if (size < 0) return failed(plugin, folder, name, error);
    if (size > SPOOL_PAYLOAD) return refuse_size(plugin, folder, name, file->stamp.size);
    file->token = ++plugin->last_token;
    push(plugin, file, status.st_uid, bytes, (size_t)size);
}

void spool_look(struct spool_plugin *plugin, int folder, const char *name, int is_whole) {
    if (!spool_is_meant(name)) return;
    int directory = spool_enter(plugin, folder);
    if (directory < 0) return;
    struct stat status;
    if (fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) < 0)
        return failed(plugin, folder, name, errno);
    if (S_ISDIR(status.st_mode)) {
        if (folder == 0) spool_add_app(plugin, name);
        return;
    }
    // What was changed since is seen when the answer comes.
    if (status.st_nlink == 0 || under_way(plugin, folder, name) != NULL) return;
    const char *odd = oddity(&status);
    if (odd != NULL) return spool_set_aside(plugin, folder, name, odd);
    if (status.st_size > SPOOL_PAYLOAD)
        return refuse_size(plugin, folder, name, (int64_t)status.st_size);
    take(plugin, folder, name, is_whole);
}

void spool_look_made(struct spool_plugin *plugin, int folder, const char *name) {
    int directory = spool_enter(plugin, folder);
    struct stat status;
    if (directory < 0 || fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) < 0) return;
    if (oddity(&status) != NULL) spool_look(plugin, folder, name, 0);
}

static int64_t age(struct spool_plugin *plugin, const struct spool_stamp *stamp) {
    belfry_now now = {.size = sizeof now};
    plugin->host->now(plugin->host, &now);
    return now.real_ns - stamp->modified_ns;
}

static void refused(struct spool_plugin *plugin, const struct spool_file *file,
                    const struct spool_stamp *stamp, belfry_text text) {
    int64_t old = age(plugin, stamp);
    if (!file->is_whole && old >= 0 && old < SPOOL_YOUNG_NS)
        return spool_look_again(plugin, SPOOL_YOUNG_NS - old);
    char reason[1100];
    snprintf(reason, sizeof reason, "%.*s", (int)text.size, text.bytes == NULL ? "" : text.bytes);
    spool_set_aside(plugin, file->folder, file->name, reason);
}

void spool_answered(struct spool_plugin *plugin, const struct spool_file *file, int32_t status,
                    const belfry_answer *answer) {
    if (file->folder < 0) return;
    int directory = spool_enter(plugin, file->folder);
    if (directory < 0) return;
    struct spool_stamp stamp;
    int error = spool_stamp(directory, file->name, &stamp);
    if (error != 0) return failed(plugin, file->folder, file->name, error);
    // Written again, or another one of its name: that is to be looked at, too.
    if (!spool_is_same(&stamp, &file->stamp))
        return spool_look(plugin, file->folder, file->name, file->is_whole);
    switch (status) {
    case BELFRY_PUSH_ACCEPTED:
    case BELFRY_PUSH_DUPLICATE:
        plugin->problem[0] = '\0';
        if (unlinkat(directory, file->name, 0) == 0 || errno == ENOENT) return;
        spool_problem(plugin, "%s is taken and cannot be removed: %s", file->name, strerror(errno));
        return spool_look_again(plugin, SPOOL_RETRY_NS);
    case BELFRY_PUSH_REFUSED: return refused(plugin, file, &stamp, answer->text);
    default:
        plugin->is_paused = 1;
        spool_problem(plugin, "pushes wait: %.*s", (int)answer->text.size,
                      answer->text.bytes == NULL ? "" : answer->text.bytes);
        spool_look_again(plugin, answer->retry_after_ns);
    }
}
