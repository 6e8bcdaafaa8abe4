// What the linker takes in place of a part of Embedded Swift's runtime, or of the C library that it needs.
#pragma once

#include <stddef.h>

/// Retains the object that a bridge object refers to, if there is one, and returns its argument.
void *swift_bridgeObjectRetain(void *object);

/// Fills `size` bytes with random ones (arc4random(3)); aborts if the kernel has none.
void arc4random_buf(void *ret_bytes, size_t size);
