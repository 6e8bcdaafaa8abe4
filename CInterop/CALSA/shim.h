// libasound, and what of it Swift cannot import.
#pragma once

#include <alsa/asoundlib.h>
#include <errno.h>

static const int CALSA_AGAIN = -EAGAIN;
static const int CALSA_BUSY = -EBUSY;
static const int CALSA_UNDERRUN = -EPIPE;
static const int CALSA_SUSPENDED = -ESTRPIPE;
static const int CALSA_INVALID = -EINVAL;

static const int CALSA_NO_AUTO_CHANNELS = SND_PCM_NO_AUTO_CHANNELS;

__attribute__((unused)) static void calsa_ignore(const char *file, int line, const char *function,
                                                 int error, const char *format, ...) {
    (void)file, (void)line, (void)function, (void)error, (void)format;
}

/// Stops libasound from printing: its handlers are variadic.
static inline void calsa_silence(void) { snd_lib_error_set_handler(calsa_ignore); }
