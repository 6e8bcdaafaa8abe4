#define _GNU_SOURCE
#include "clinux_exec.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int clinux_exec_replace(const char *path, const char *arguments, size_t count) {
    char **list = calloc(count + 1, sizeof *list);
    if (list == NULL) return -ENOMEM;
    for (size_t i = 0; i < count; i++) {
        // execve(2) does not write to them, its type notwithstanding.
        list[i] = (char *)arguments;
        arguments += strlen(arguments) + 1;
    }
    execve(path, list, environ);
    int error = errno;
    free(list);
    return -error;
}
