// The program's command line, from the configuration alone.
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

const char exec_unreachable[] = "`program` cannot be reached: look at the rights of its folders";
const char exec_not_ours[] = "`program` may not be run by the plugin's user: look at its rights";

// It holds until the next one.
static const char *with_path(const char *problem, const char *path) {
    static char text[PATH_MAX + 64];
    snprintf(text, sizeof text, "%s%s", problem, path);
    return text;
}

// A script whose first line the kernel cannot use (execve(2)); what cannot be read is not judged.
static const char *check_script(const char *path) {
    char line[PATH_MAX + 4] = "";
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t size = fd < 0 ? -1 : read(fd, line, sizeof line - 1);
    if (fd >= 0) close(fd);
    if (size < 0) return NULL;
    if (size == 0) return with_path("`program` is empty: ", path);
    if (strncmp(line, "#!", 2) != 0) {
        // What is no text may be for binfmt_misc.
        int is_text = isprint((unsigned char)line[0]) || isspace((unsigned char)line[0]);
        static const char problem[] = "`program` does not begin with #!/bin/sh or another #! line: ";
        return is_text ? with_path(problem, path) : NULL;
    }
    line[strcspn(line, "\n")] = '\0';
    if (strchr(line, '\r') != NULL)
        return with_path("`program` has the line ends of Windows: sed -i 's/\\r//' ", path);
    char *interpreter = line + 2 + strspn(line + 2, " \t");
    interpreter[strcspn(interpreter, " \t")] = '\0';
    if (access(interpreter, X_OK) == 0 || interpreter[0] != '/') return NULL;
    static char missing[PATH_MAX];
    snprintf(missing, sizeof missing, "%s, for %s", interpreter, path);
    return with_path("the interpreter of `program` is not there: ", missing);
}

// What would fail at the first delivery is said at the start. The host tries the start again, so
// that the program may also come with a disk that is mounted later.
static const char *check_program(const char *path) {
    static const char command_line[] =
        "`program` is a command line: set `shell = yes`, or put its words into `arguments`";
    int has_blanks = strpbrk(path, " \t") != NULL;
    if (path[0] == '~')
        return "`program` begins with ~, which only a shell knows: write the whole path";
    if (path[0] != '/')
        return has_blanks ? command_line
                          : "`program` must be an absolute path, such as /usr/local/bin/ring";
    struct stat file;
    if (stat(path, &file) != 0) {
        if (errno != ENOENT && errno != ENOTDIR) return exec_unreachable;
        return has_blanks ? command_line : with_path("`program` is not there: ", path);
    }
    if (!S_ISREG(file.st_mode)) return with_path("`program` is no file: ", path);
    if ((file.st_mode & 0111) == 0)
        return with_path("`program` may not be run: chmod +x ", path);
    return access(path, X_OK) == 0 ? check_script(path) : exec_not_ours;
}

// Of a line for the shell what begins it, where that is a path and all of the line hangs on it.
static const char *check_command(const char *line) {
    static const char problem[] = "`program` begins with what is not there: ";
    char path[PATH_MAX];
    size_t size = strcspn(line, " \t<>");
    if (line[0] != '/' || size >= sizeof path || strpbrk(line, ";&|\n") != NULL) return NULL;
    memcpy(path, line, size);
    path[size] = '\0';
    // What the shell would make something else of is not judged.
    if (strpbrk(path, "$`\\\"'*?[]{}()#~!=") != NULL) return NULL;
    struct stat file;
    if (stat(path, &file) == 0) return S_ISREG(file.st_mode) ? check_program(path) : NULL;
    return errno == ENOENT || errno == ENOTDIR ? with_path(problem, path) : NULL;
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
    }
    *next++ = first;
    const char *problem = split(rest, next, 60);
    if (problem != NULL) return problem;
    return shell ? check_command(first) : check_program(first);
}
