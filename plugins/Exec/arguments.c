// The program's command line, from the configuration alone.
#include <stdlib.h>

#include "exec.h"

static char *copy(belfry_text text) {
    size_t room = (size_t)text.size + 1;
    char *result = malloc(room);
    if (result != NULL) belfry_text_copy(text, result, room);
    return result;
}

// Divides at blanks; "…" keeps them, and a backslash takes the next character as it is.
static const char *split(char *words, char **ret_arguments, int room) {
    char *from = words;
    int count = 0;
    for (;;) {
        while (*from == ' ' || *from == '\t') from++;
        if (*from == '\0') break;
        if (count == room) return "`arguments` has more than 60 words: put them into a script";
        char *to = from;
        ret_arguments[count++] = to;
        int quoted = 0;
        for (; *from != '\0' && (quoted || (*from != ' ' && *from != '\t')); from++) {
            if (*from == '"') {
                quoted = !quoted;
            } else {
                if (*from == '\\' && from[1] != '\0') from++;
                *to++ = *from;
            }
        }
        if (quoted) return "`arguments` has a quote that is not closed";
        if (*from != '\0') from++;
        *to = '\0';
    }
    ret_arguments[count] = NULL;
    return NULL;
}

const char *exec_arguments_split(struct exec_plugin *plugin, belfry_text program,
                                 belfry_text arguments, int shell) {
    static char sh[] = "/bin/sh", option[] = "-c";
    char *first = copy(program), *rest = copy(arguments);
    if (first == NULL || rest == NULL) return "out of memory";
    char **next = plugin->arguments;
    if (shell) {
        *next++ = sh;
        *next++ = option;
    } else if (first[0] != '/') {
        return "`program` must be an absolute path, such as /usr/local/bin/ring";
    }
    *next++ = first;
    return split(rest, next, 60);
}
