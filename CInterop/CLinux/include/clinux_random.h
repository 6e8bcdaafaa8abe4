// getrandom(2).
#pragma once

#include <stddef.h>

#include "clinux_macros.h"

int clinux_random_fill(void *CLINUX_NONNULL ret_bytes, size_t size);
