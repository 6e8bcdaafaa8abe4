#define _GNU_SOURCE
#include "clinux_error.h"

#include <string.h>

const char *clinux_error_text(int code) {
#ifdef __GLIBC__
    // strerror would go through message catalogues, and so through iconv.
    const char *text = strerrordesc_np(code);
#else
    const char *text = strerror(code);
#endif
    return text ? text : "unknown error";
}
