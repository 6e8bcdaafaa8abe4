#define _GNU_SOURCE
#include "clinux_getopt.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct clinux_getopt {
    int32_t option_count, option_room, argument_count, argument_room;
    struct option *options;
    char **arguments;
    // "+:" or ":", then the letters with a colon each that takes an argument.
    char *letters;
    int32_t started;
    char letter_text[3];
};

clinux_getopt *clinux_getopt_create(int32_t options, int32_t arguments) {
    clinux_getopt *self = calloc(1, sizeof *self);
    if (self == NULL) return NULL;
    self->option_room = options;
    self->argument_room = arguments;
    self->options = calloc((size_t)options + 1, sizeof *self->options);
    self->arguments = calloc((size_t)arguments + 1, sizeof *self->arguments);
    self->letters = calloc((size_t)options * 2 + 3, 1);
    if (self->options != NULL && self->arguments != NULL && self->letters != NULL) return self;
    clinux_getopt_free(self);
    return NULL;
}

int clinux_getopt_add_option(
    clinux_getopt *self, const char *name, char letter, int32_t takes_argument, int32_t value) {
    if (self->option_count == self->option_room) return -ENOBUFS;
    char *copy = strdup(name);
    if (copy == NULL) return -ENOMEM;
    self->options[self->option_count++] = (struct option){
        .name = copy,
        .has_arg = takes_argument ? required_argument : no_argument,
        .val = value,
    };
    if (letter == 0) return 0;
    size_t end = 2 + strlen(self->letters + 2);
    self->letters[end] = letter;
    if (takes_argument) self->letters[end + 1] = ':';
    return 0;
}

int clinux_getopt_add_argument(clinux_getopt *self, const char *text) {
    if (self->argument_count == self->argument_room) return -ENOBUFS;
    char *copy = strdup(text);
    if (copy == NULL) return -ENOMEM;
    self->arguments[self->argument_count++] = copy;
    return 0;
}

// The word with the option that getopt_long stumbled over; a letter is given its dash, since it
// may stand in a bundle.
static const char *offender(clinux_getopt *self) {
    if (optopt > 0 && optopt < 256) {
        self->letter_text[0] = '-';
        self->letter_text[1] = (char)optopt;
        return self->letter_text;
    }
    return self->arguments[optind - 1];
}

int clinux_getopt_next(clinux_getopt *self, int32_t in_order, const char **ret_argument) {
    // glibc starts over, environment and order included, at optind 0.
    if (!self->started) optind = 0;
    self->started = 1;
    opterr = 0;
    optopt = 0;
    self->letters[0] = in_order ? '+' : ':';
    self->letters[1] = ':';
    // Without '+' the list begins at its second colon.
    const char *letters = in_order ? self->letters : self->letters + 1;
    int found = getopt_long(
        self->argument_count, self->arguments, letters, self->options, NULL);
    *ret_argument = optarg;
    if (found == -1) return CLINUX_GETOPT_END;
    if (found != '?' && found != ':') return found;
    *ret_argument = offender(self);
    if (found == ':') return CLINUX_GETOPT_MISSING_ARGUMENT;
    // A long option that is known but was given `=text` leaves its value in optopt.
    return optopt > 255 ? CLINUX_GETOPT_NEEDLESS_ARGUMENT : CLINUX_GETOPT_UNKNOWN;
}

int32_t clinux_getopt_rest(const clinux_getopt *self) {
    (void)self;
    return optind;
}

const char *clinux_getopt_argument(const clinux_getopt *self, int32_t index) {
    return self->arguments[index];
}

void clinux_getopt_free(clinux_getopt *self) {
    for (int32_t i = 0; self->options != NULL && i < self->option_count; i++)
        free((char *)self->options[i].name);
    for (int32_t i = 0; self->arguments != NULL && i < self->argument_count; i++)
        free(self->arguments[i]);
    free(self->options);
    free(self->arguments);
    free(self->letters);
    free(self);
}
