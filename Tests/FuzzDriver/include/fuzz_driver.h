#ifndef FUZZ_DRIVER_H
#define FUZZ_DRIVER_H
#include <stddef.h>
#include <stdint.h>

/* Runs libFuzzer on the program's own LLVMFuzzerTestOneInput; what main returns. */
int fuzz_driver_run(int argc, char *_Nullable *_Nonnull argv);

#endif
