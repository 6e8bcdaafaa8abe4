// The Varlink interface descriptions, which the compiler embeds from their .varlink files.
#pragma once

/// The text of io.belfry.Scheduler.varlink; constant, ends with NUL.
const char *_Nonnull cinterface_scheduler(void);
/// The text of org.varlink.service.varlink; constant, ends with NUL.
const char *_Nonnull cinterface_service(void);
