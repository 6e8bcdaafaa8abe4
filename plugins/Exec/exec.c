#include "belfry/plugin.h"
