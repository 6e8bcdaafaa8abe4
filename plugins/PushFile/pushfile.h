// What the files of this plugin share.
#ifndef BELFRY_PUSHFILE_H
#define BELFRY_PUSHFILE_H

#include <dirent.h>
#include <limits.h>
#include <stdint.h>
#include <sys/types.h>

#include "belfry/belfry.h"
#include "belfry/helpers.h"

// Pushes that await their answers: as many as the host takes.
#define SPOOL_UNDER_WAY 64
// The spool's own folder, and those of apps in it.
#define SPOOL_FOLDERS 256
// More is no payload.
#define SPOOL_PAYLOAD 65536
// What cannot be read as a payload and was changed less long ago may still be written.
#define SPOOL_YOUNG_NS INT64_C(5000000000)
// Until the next look at what could not be taken or set aside.
#define SPOOL_RETRY_NS INT64_C(60000000000)

// What tells a file that was looked at from another one of its name.
struct spool_stamp {
    uint64_t inode;
    // When the inode was made, or last changed where the file system does not tell.
    int64_t born_ns;
    int64_t modified_ns;
    int64_t size;
};

// A file whose push awaits its answer.
struct spool_file {
    int used;
    // Of `folders`; -1: it is watched no longer.
    int folder;
    // It came under this name as a whole.
    int is_whole;
    uint64_t token;
    struct spool_stamp stamp;
    char name[NAME_MAX + 1];
};

// A folder that files come into.
struct spool_folder {
    int used;
    // -1: closed while nothing is to be done, for whoever removes a folder that somebody has open is
    // not told of by inotify(7).
    int fd;
    dev_t device;
    ino_t inode;
    // Of inotify(7).
    int watch;
    int must_scan;
    // Its name, which is the app's id; empty: the spool itself.
    char app[129];
    // Of the folder for what is wrong where `rejected` cannot be used; empty: none is known.
    char detour[24];
};

struct spool_plugin {
    const belfry_host *host;
    // As configured.
    char path[PATH_MAX];
    belfry_text app;

    int inotify;
    int is_listening, is_between_turns;
    uint32_t listening;
    // What was read of inotify and not looked at yet.
    char events[16384] __attribute__((aligned(8)));
    size_t events_size, events_used;

    struct spool_folder folders[SPOOL_FOLDERS];
    // The folder that is being read; NULL: none.
    DIR *scanned;
    int scanned_folder;

    struct spool_file files[SPOOL_UNDER_WAY];
    int files_used;
    uint64_t last_token;

    // When all is looked at again, elapsed, and the timer for it.
    int has_timer;
    // Nothing is pushed until then.
    int is_paused;
    uint32_t timer;
    int64_t look_at_ns;

    // For `doctor`; empty: all is well.
    char problem[400];
    char reason[512];
};

// spool.c: which file is looked at next.

// Looks at what is there until nothing is left or the host takes no more.
void spool_pump(struct spool_plugin *plugin);
// Has everything looked at again, so many nanoseconds from now.
void spool_look_again(struct spool_plugin *plugin, int64_t after_ns);
void spool_end_scan(struct spool_plugin *plugin);

// folder.c: the folders.

// NULL, or why the spool's own folder cannot be used.
const char *spool_open(struct spool_plugin *plugin);
// NULL, or why it could not be; makes nothing.
const char *spool_check(const char *path);
void spool_close(struct spool_plugin *plugin);
// A folder's descriptor, for this turn; -1: it is not there any more.
int spool_enter(struct spool_plugin *plugin, int folder);
// Nothing is to be done.
void spool_rest(struct spool_plugin *plugin);
// Watches a folder in the spool, if its name can be an app's.
void spool_add_app(struct spool_plugin *plugin, const char *name);
void spool_remove_app(struct spool_plugin *plugin, const char *name);
struct spool_folder *spool_folder_of(struct spool_plugin *plugin, int watch);

// file.c: one file.

// Whether files of this name are looked at.
int spool_is_meant(const char *name);
// Pushes a file of the folder, or sets it aside. `is_whole`: nobody writes to it any more.
void spool_look(struct spool_plugin *plugin, int folder, const char *name, int is_whole);
// The same for what has just come to be: a file that is yet to be written is left alone.
void spool_look_made(struct spool_plugin *plugin, int folder, const char *name);
// What became of the push of `file`, which is done with it.
void spool_answered(struct spool_plugin *plugin, const struct spool_file *file, int32_t status,
                    const belfry_answer *answer);

// aside.c: what will never be taken.

// Takes the name `rejected` in a folder that everybody may write to, before somebody else does.
void spool_claim(int folder);
// Moves it to the folder's `rejected`, or where that is a stranger's to a folder of our own, with the
// reason beside it.
void spool_set_aside(struct spool_plugin *plugin, int folder, const char *name,
                     const char *reason);

// stamp.c: what a file is called by.

// 0 or an errno.
int spool_stamp(int folder, const char *name, struct spool_stamp *ret_stamp);
int spool_is_same(const struct spool_stamp *one, const struct spool_stamp *other);
// The same for the same bytes in the same file, and nothing else.
void spool_id(const struct spool_stamp *stamp, const char *bytes, size_t size, uint8_t ret_id[16]);

// pushfile.c

void spool_log(struct spool_plugin *plugin, int32_t level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// The same as an error, and for `doctor`; once while it does not change.
void spool_problem(struct spool_plugin *plugin, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
