// inotify(7): what happens to the names in folders.
#pragma once
#include <stdint.h>

#include "clinux_macros.h"

enum {
    /// A name was made, moved in or out, written or removed.
    CLINUX_WATCH_NAME = 1,
    /// The folder itself was moved, removed or unmounted.
    CLINUX_WATCH_FOLDER = 2,
    /// More happened than the kernel could keep.
    CLINUX_WATCH_OVERFLOW = 3
};

typedef void (*clinux_watch_seen)(
    void *CLINUX_NULLABLE context, int32_t folder, int32_t kind, const char *CLINUX_NONNULL name);

/// A descriptor to poll; non-blocking, close-on-exec.
int clinux_watch_make(void);
/// What of a path is watched.
enum {
    /// What happens to the names in a folder, and to the folder itself.
    CLINUX_WATCH_NAMES = 1,
    /// What happens to a folder itself.
    CLINUX_WATCH_SELF = 2,
    /// What happens to a file, which is no link: its events are CLINUX_WATCH_NAME with an empty name,
    /// and CLINUX_WATCH_FOLDER.
    CLINUX_WATCH_FILE = 3
};

/// The path's number in events; the same one again for what is already watched.
int clinux_watch_add(int watch, const char *CLINUX_NONNULL path, int what);
int clinux_watch_remove(int watch, int32_t folder);
/// Calls `seen` for each event of one read; how many there were, 0 when none waits.
int clinux_watch_read(
    int watch, clinux_watch_seen CLINUX_NONNULL seen, void *CLINUX_NULLABLE context);
