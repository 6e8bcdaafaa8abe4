#include "cloader.h"

#include <dlfcn.h>

void *cloader_open(const char *path) { return dlopen(path, RTLD_NOW | RTLD_LOCAL); }

void *cloader_symbol(void *handle, const char *name) { return dlsym(handle, name); }

const char *cloader_error(void) {
    const char *message = dlerror();
    return message ? message : "unknown error of the dynamic loader";
}
