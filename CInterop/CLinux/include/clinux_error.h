// Errors in words.
#pragma once

#include "clinux_macros.h"

/// The C locale's words for a positive errno; valid for ever.
const char *CLINUX_NONNULL clinux_error_text(int code);
