// What the linker takes in place of a part of Embedded Swift's runtime.
#pragma once

/// Retains the object that a bridge object refers to, if there is one, and returns its argument.
void *swift_bridgeObjectRetain(void *object);
