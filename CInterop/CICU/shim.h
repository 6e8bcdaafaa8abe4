#ifndef CICU_SHIM_H
#define CICU_SHIM_H

#include <unicode/ucal.h>
#include <unicode/uenum.h>

#endif
