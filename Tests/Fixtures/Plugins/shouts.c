// Prints 20,000 lines for each alert, and one without an end.
#include "fixture.h"

#include <stdio.h>

SHOW {
    UNUSED_ARGUMENTS;
    for (int index = 0; index < 20000; index++) printf("noise %d\n", index);
    for (int index = 0; index < 5000; index++) putchar('x');
    printf("\nlast words\n");
    return fflush(stdout) == 0 ? BELFRY_DONE : BELFRY_FAILED;
}
FUNCTIONS
FIXTURE("fixture.shouts", functions)
