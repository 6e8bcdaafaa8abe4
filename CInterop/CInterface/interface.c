#include "cinterface.h"

// #embed is C23; clang knows it in C17, too, and warns.
#pragma clang diagnostic ignored "-Wc23-extensions"

// Clang's dependency files name embedded files, so a changed description is compiled again.
static const char scheduler[] = {
#embed "../../Sources/BelfryWire/Varlink/io.belfry.Scheduler.varlink" suffix(, 0)
};

static const char service[] = {
#embed "../../Sources/BelfryWire/Varlink/org.varlink.service.varlink" suffix(, 0)
};

const char *cinterface_scheduler(void) { return scheduler; }

const char *cinterface_service(void) { return service; }
