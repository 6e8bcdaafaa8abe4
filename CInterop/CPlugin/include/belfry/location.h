/*
 * Where the board is. The id is reserved: a later minor version says what it means.
 */
#ifndef BELFRY_LOCATION_H
#define BELFRY_LOCATION_H

#include <belfry/base.h>

BELFRY_BEGIN

#define BELFRY_LOCATION_1 "location/1"

BELFRY_END

#endif
