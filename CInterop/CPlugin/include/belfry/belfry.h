/*
 * The whole contract between Belfry and a plugin; <belfry/base.h> begins it.
 */
#ifndef BELFRY_BELFRY_H
#define BELFRY_BELFRY_H

#include <belfry/badge.h>
#include <belfry/base.h>
#include <belfry/calendar.h>
#include <belfry/delivery.h>
#include <belfry/health.h>
#include <belfry/input.h>
#include <belfry/location.h>
#include <belfry/push.h>
#include <belfry/settings.h>

#endif
