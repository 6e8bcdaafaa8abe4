// As belfryd's, on a disk that fails where a test says so.
#include "cfault_vfs.h"

void belfryd_main(void);

int main(void) {
    cfault_start_from_environment();
    belfryd_main();
}
