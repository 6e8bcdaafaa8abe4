// Pushes what is put into a folder: each file is a payload in APNs' shape, written there or renamed
// into it, and gone once it is in its app's inbox. What is no payload is moved to `rejected`.
#include "pushfile.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void spool_log(struct spool_plugin *plugin, int32_t level, const char *format, ...) {
    char line[1000];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    belfry_log(plugin->host, level, line);
}

void spool_problem(struct spool_plugin *plugin, const char *format, ...) {
    char line[sizeof plugin->problem];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (strcmp(line, plugin->problem) == 0) return;
    memcpy(plugin->problem, line, sizeof line);
    belfry_log(plugin->host, BELFRY_LOG_ERROR, line);
}

static void pushed(void *instance, uint64_t token, int32_t status, const belfry_answer *answer) {
    struct spool_plugin *plugin = instance;
    int index = 0;
    while (index < SPOOL_UNDER_WAY &&
           !(plugin->files[index].used && plugin->files[index].token == token))
        index++;
    if (index == SPOOL_UNDER_WAY) return;
    struct spool_file file = plugin->files[index];
    plugin->files[index].used = 0;
    plugin->files_used--;
    spool_answered(plugin, &file, status, answer);
    spool_pump(plugin);
}

static int32_t check_health(void *instance, belfry_answer *ret_answer) {
    struct spool_plugin *plugin = instance;
    if (plugin->problem[0] != '\0')
        return belfry_answer_with(ret_answer, BELFRY_HEALTH_DEGRADED, plugin->problem);
    int apps = -1;
    for (int index = 0; index < SPOOL_FOLDERS; index++) apps += plugin->folders[index].used;
    snprintf(plugin->reason, sizeof plugin->reason,
             "%.300s is watched; folders of apps: %d; files under way: %d", plugin->path, apps,
             plugin->files_used);
    return belfry_answer_with(ret_answer, BELFRY_HEALTH_GOOD, plugin->reason);
}

static int32_t start(const belfry_host *host, void **ret_instance, belfry_answer *ret_answer) {
    // One for each process, and too large for its stack.
    static struct spool_plugin started;
    struct spool_plugin *plugin = &started;
    *ret_instance = plugin;
    plugin->host = host;
    if (host->extension(host, belfry_text_of(BELFRY_PUSH_1)) == NULL)
        return belfry_answer_with(
            ret_answer, BELFRY_FAILED,
            "this Belfry takes no pushes from plugins: a newer one is needed");
    belfry_text folder = belfry_config_text(host, "folder");
    if (!belfry_text_copy(folder, plugin->path, sizeof plugin->path))
        return belfry_answer_with(ret_answer, BELFRY_FAILED, "`folder` is too long for a path");
    plugin->app = belfry_config_text(host, "app");
    if (plugin->app.size == 0) plugin->app.bytes = NULL;
    const char *problem = spool_open(plugin);
    if (problem != NULL) return belfry_answer_with(ret_answer, BELFRY_FAILED, problem);
    spool_pump(plugin);
    return BELFRY_DONE;
}

static int32_t check_settings(const belfry_host *host, belfry_answer *ret_answer) {
    static char path[PATH_MAX];
    const char *problem = "`folder` is too long for a path";
    if (belfry_text_copy(belfry_config_text(host, "folder"), path, sizeof path))
        problem = spool_check(path);
    if (problem != NULL) return belfry_answer_with(ret_answer, BELFRY_FAILED, problem);
    return BELFRY_DONE;
}

static const belfry_push_1 push_functions = {.size = sizeof push_functions, .pushed = pushed};
static const belfry_health_1 health_functions = {.size = sizeof health_functions,
                                                 .check = check_health};
static const belfry_settings_1 settings_functions = {.size = sizeof settings_functions,
                                                     .check = check_settings};
static const belfry_extension extensions[] = {
    {BELFRY_TEXT(BELFRY_PUSH_1), &push_functions},
    {BELFRY_TEXT(BELFRY_HEALTH_1), &health_functions},
    {BELFRY_TEXT(BELFRY_SETTINGS_1), &settings_functions}};

#define KEY(key_name, value, sentence)                                                \
    {                                                                                 \
        .size = sizeof(belfry_config_key), .type = BELFRY_TYPE_TEXT,                  \
        .name = BELFRY_TEXT(key_name), .default_value = value, .help = BELFRY_TEXT(sentence) \
    }
#define MUST_BE_GIVEN {NULL, 0}

static const belfry_config_key keys[] = {
    KEY("folder", MUST_BE_GIVEN,
        "The folder's absolute path; it is made if its parent is there. Root's or the plugin's own."),
    KEY("app", BELFRY_TEXT(""),
        "The app that files in the folder itself are for; without it user.UID of a file's owner. "
        "Files in a folder in it are for the app of that name.")};

static const belfry_descriptor descriptor = {
    .size = sizeof descriptor,
    .abi_major = BELFRY_ABI_MAJOR,
    .abi_minor = BELFRY_ABI_MINOR,
    .id = BELFRY_TEXT("io.belfry.pushfile"),
    .name = BELFRY_TEXT("PushFile"),
    .version = BELFRY_TEXT("0.1"),
    .vendor = BELFRY_TEXT("Belfry"),
    .licence = BELFRY_TEXT("Apache-2.0"),
    .extensions = extensions,
    .config_keys = keys,
    .extension_count = sizeof extensions / sizeof extensions[0],
    .config_key_count = sizeof keys / sizeof keys[0],
    .start = start};

const belfry_descriptor *belfry_plugin_entry(uint32_t host_abi) {
    return host_abi >> 16 == BELFRY_ABI_MAJOR ? &descriptor : NULL;
}
