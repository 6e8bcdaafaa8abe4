#include "cloader_sndfile.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// From the documented ABI of libsndfile.so.1.
typedef struct {
    int64_t frames;
    int rate, channels, format, sections, seekable;
} info;
typedef struct {
    int64_t (*size)(void *);
    int64_t (*seek)(int64_t, int, void *);
    int64_t (*read)(void *, int64_t, void *);
    int64_t (*write)(const void *, int64_t, void *);
    int64_t (*tell)(void *);
} virtual_io;
enum { MODE_READ = 0x10, SET_SCALE_FLOAT_INT_READ = 0x1014 };

static struct {
    int tried;
    void *(*open)(virtual_io *, int, info *, void *);
    int64_t (*read)(void *, double *, int64_t);
    int (*command)(void *, int, void *, int);
    int (*close)(void *);
} library;

struct cloader_sndfile {
    cloader_sndfile_read_at read_at;
    void *context;
    int64_t size, position;
    void *handle;
};

static void load(void) {
    library.tried = 1;
    void *handle = dlopen("libsndfile.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!handle) return;
    // POSIX lets a pointer from dlsym become one to a function; memcpy keeps ISO C out of it.
    const char *names[] = {"sf_open_virtual", "sf_readf_double", "sf_command", "sf_close"};
    void *found[4];
    for (int i = 0; i < 4; i++)
        if (!(found[i] = dlsym(handle, names[i]))) return;
    memcpy(&library.read, &found[1], sizeof found[1]);
    memcpy(&library.command, &found[2], sizeof found[2]);
    memcpy(&library.close, &found[3], sizeof found[3]);
    memcpy(&library.open, &found[0], sizeof found[0]);
}

int cloader_sndfile_present(void) {
    if (!library.tried) load();
    return library.open != NULL;
}

static int64_t size_of(void *opaque) { return ((cloader_sndfile *)opaque)->size; }

static int64_t tell(void *opaque) { return ((cloader_sndfile *)opaque)->position; }

static int64_t seek(int64_t offset, int whence, void *opaque) {
    cloader_sndfile *file = opaque;
    int64_t base = whence == SEEK_CUR ? file->position : whence == SEEK_END ? file->size : 0;
    int64_t target;
    if (__builtin_add_overflow(base, offset, &target) || target < 0) return -1;
    return file->position = target;
}

static int64_t read_on(void *target, int64_t count, void *opaque) {
    cloader_sndfile *file = opaque;
    if (count <= 0) return 0;
    int64_t got = file->read_at(file->context, target, count, file->position);
    if (got > 0) file->position += got;
    return got > 0 ? got : 0;
}

static int64_t refuse_write(const void *source, int64_t count, void *opaque) {
    (void)source, (void)count, (void)opaque;
    return 0;
}

cloader_sndfile *cloader_sndfile_open(cloader_sndfile_read_at read_at, void *context, int64_t size,
                                      int32_t *ret_channels, int32_t *ret_rate) {
    if (!cloader_sndfile_present()) return NULL;
    cloader_sndfile *file = calloc(1, sizeof *file);
    if (!file) return NULL;
    file->read_at = read_at;
    file->context = context;
    file->size = size;
    virtual_io io = {size_of, seek, read_on, refuse_write, tell};
    info info = {0};
    file->handle = library.open(&io, MODE_READ, &info, file);
    if (!file->handle) {
        free(file);
        return NULL;
    }
    // Float files otherwise come out silent wherever whole numbers are asked for.
    library.command(file->handle, SET_SCALE_FLOAT_INT_READ, NULL, 1);
    *ret_channels = info.channels;
    *ret_rate = info.rate;
    return file;
}

int64_t cloader_sndfile_read(cloader_sndfile *file, double *target, int64_t frames) {
    return library.read(file->handle, target, frames);
}

void cloader_sndfile_close(cloader_sndfile *file) {
    library.close(file->handle);
    free(file);
}
