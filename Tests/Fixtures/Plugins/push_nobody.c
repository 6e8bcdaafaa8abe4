// Reports a push and calls the host's push/1, though it has none itself.
#include "fixture.h"

SHOW {
    UNUSED_ARGUMENTS;
    belfry_push push = {.size = sizeof push, .uid = -1, .payload = BELFRY_TEXT("{\"aps\":{}}")};
    const belfry_push_host_1 *host =
        fixture_host->extension(fixture_host, (belfry_text)BELFRY_TEXT(BELFRY_PUSH_1));
    belfry_report report = {.size = sizeof report, .kind = BELFRY_REPORT_PUSH,
                            .name = BELFRY_TEXT("org.example.tea"), .text = push.payload};
    if (host->push(fixture_host, &push) != BELFRY_UNSUPPORTED) abort();
    if (fixture_host->report(fixture_host, &report) != BELFRY_UNSUPPORTED) abort();
    belfry_text nonsense = BELFRY_TEXT("push/2");
    if (fixture_host->extension(fixture_host, nonsense) != NULL) abort();
    return BELFRY_DONE;
}
FUNCTIONS
FIXTURE("fixture.push-nobody", functions)
