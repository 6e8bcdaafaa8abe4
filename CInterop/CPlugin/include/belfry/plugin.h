/*
 * The older name of <belfry/belfry.h>: both are the whole contract.
 */
#ifndef BELFRY_PLUGIN_H
#define BELFRY_PLUGIN_H

#include <belfry/belfry.h>

#endif
