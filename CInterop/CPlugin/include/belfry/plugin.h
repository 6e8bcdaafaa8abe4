#ifndef BELFRY_PLUGIN_H
#define BELFRY_PLUGIN_H
#include <stdint.h>
#endif
