// Reading of a command line's options (getopt_long(3)).
#pragma once

#include <stdint.h>

#include "clinux_macros.h"

/// A command line and the options that it may have. One at a time: getopt_long keeps its place in
/// globals. Not for threads.
typedef struct clinux_getopt clinux_getopt;

/// What `clinux_getopt_next` found when it was not an option.
enum {
    CLINUX_GETOPT_END = 0,
    CLINUX_GETOPT_UNKNOWN = -1,
    CLINUX_GETOPT_MISSING_ARGUMENT = -2,
    CLINUX_GETOPT_NEEDLESS_ARGUMENT = -3,
};

/// Room for so many options and arguments; NULL without memory.
clinux_getopt *CLINUX_NULLABLE clinux_getopt_create(int32_t options, int32_t arguments);
/// Adds an option; `name` without dashes, `letter` 0 if it has no short form, `value` above 255.
/// 0, or -ENOMEM, -ENOBUFS.
int clinux_getopt_add_option(
    clinux_getopt *CLINUX_NONNULL self, const char *CLINUX_NONNULL name, char letter,
    int32_t takes_argument, int32_t value);
/// Adds the next argument of the command line, the program's name first. 0, or -ENOMEM, -ENOBUFS.
int clinux_getopt_add_argument(
    clinux_getopt *CLINUX_NONNULL self, const char *CLINUX_NONNULL text);
/// The next option's value, END, or one of the negative findings, for which `ret_argument` is what
/// was written, dashes included. `in_order` ends at the first word that is no option; else words
/// are moved behind the options. The text belongs to `self`.
int clinux_getopt_next(
    clinux_getopt *CLINUX_NONNULL self, int32_t in_order,
    const char *CLINUX_NULLABLE *CLINUX_NONNULL ret_argument);
/// After END: the place of the first word that is no option, among the arguments added.
int32_t clinux_getopt_rest(const clinux_getopt *CLINUX_NONNULL self);
/// Argument `index`, in the order that getopt_long left them in.
const char *CLINUX_NONNULL clinux_getopt_argument(
    const clinux_getopt *CLINUX_NONNULL self, int32_t index);
void clinux_getopt_free(clinux_getopt *CLINUX_NONNULL self);
