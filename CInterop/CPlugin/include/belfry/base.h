/*
 * The contract between Belfry and a plugin: what all plugins have. <belfry/belfry.h> includes this
 * header and those of the extensions, which include it and none beside it. Together they are the
 * specification, and need nothing but <stddef.h> and <stdint.h>; they are C99 and C++11.
 *
 * A plugin is a shared object that exports one function, belfry_plugin_entry. Belfry loads it into
 * a process of its own (`belfry-worker`), one process a plugin: a plugin that crashes or hangs is
 * killed with its process group, restarted with back-off, and handed its unanswered deliveries
 * again. A plugin is never unloaded; its process ends.
 *
 * Growth. The major version changes when something is removed or means something else: both sides
 *   must have the same one. The minor version changes when something is added. Fields are appended
 *   only. Every struct that may grow begins with its size in bytes, written by the side that owns
 *   it; the reader uses a field only if that size covers it (BELFRY_HAS). In an array of such
 *   structs all have one size, and that is the distance from one to the next. belfry_text and
 *   belfry_extension never grow.
 *
 * Threads. [worker] is called on, or may be called from, the process's first thread, one call at a
 *   time; while such a call runs, nothing else of this plugin does. [any] may be called from any
 *   thread. A plugin needs no thread of its own: see watch_fd and start_timer. A callback given to
 *   the host is called [worker].
 *
 * Ownership. Who allocated a thing frees it. What the host passes as an argument, and all it points
 *   to, lives until the call returns: copy what is needed longer. The host copies whatever it is
 *   given before its function returns. `ret_…` arguments are written by the callee, and by it
 *   alone; whatever they point to afterwards stays valid until the plugin is called next. Nothing
 *   else of the other side's is ever written to.
 *
 * Text is UTF-8 with a length and need not end with NUL. The host never passes malformed UTF-8; it
 *   repairs malformed text from plugins with U+FFFD. Text of a notification comes from strangers:
 *   it may hold control characters, escape sequences and directional overrides.
 *
 * Time. `real` instants are nanoseconds of CLOCK_REALTIME since 1970 UTC, and may step. `elapsed`
 *   ones are nanoseconds of CLOCK_BOOTTIME, and only go forward.
 *
 * Surroundings. SIGPIPE is ignored, no-new-privileges and a memory limit are set and go over to
 *   every program that the plugin starts. Descriptor 3 is the host's. Standard input is /dev/null,
 *   standard output and error are the daemon's. The host kills the process group when it ends the
 *   plugin: programs that the plugin starts should stay in it.
 */
#ifndef BELFRY_BASE_H
#define BELFRY_BASE_H

#include <stddef.h>
#include <stdint.h>

#if defined(__clang__)
#define BELFRY_NULLABLE _Nullable
/* What every header of the contract begins and ends with. */
#define BELFRY_BEGIN                                                   \
    _Pragma("clang diagnostic push")                                   \
    _Pragma("clang diagnostic ignored \"-Wnullability-extension\"")    \
    _Pragma("clang diagnostic ignored \"-Wnullability-completeness\"") \
    BELFRY_BEGIN_C _Pragma("clang assume_nonnull begin")
#define BELFRY_END _Pragma("clang assume_nonnull end") BELFRY_END_C _Pragma("clang diagnostic pop")
#else
#define BELFRY_NULLABLE
#define BELFRY_BEGIN BELFRY_BEGIN_C
#define BELFRY_END BELFRY_END_C
#endif

#ifdef __cplusplus
#define BELFRY_BEGIN_C extern "C" {
#define BELFRY_END_C }
#else
#define BELFRY_BEGIN_C
#define BELFRY_END_C
#endif

#if defined(__cplusplus)
#define BELFRY_ASSERT(condition) static_assert(condition, "layout")
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define BELFRY_ASSERT(condition) _Static_assert(condition, "layout")
#else
/* Declared again by each assertion of every header, never defined. */
#define BELFRY_ASSERT(condition) extern char belfry_layout_holds[(condition) ? 1 : -1]
#endif

#define BELFRY_EXPORT __attribute__((visibility("default")))

BELFRY_BEGIN

#define BELFRY_ABI_MAJOR 1
/* 1: calendar/1. 2: input/1, the actions of a delivery, reports of what the user does. 3: push/1.
 * 4: how many deliveries a plugin works on at a time. 5: settings/1. */
#define BELFRY_ABI_MINOR 5

/* Is `field` there in `*pointer`, a struct that begins with its size? */
#define BELFRY_HAS(type, pointer, field) \
    ((pointer)->size >= offsetof(type, field) + sizeof(((type *)0)->field))

/* ---- Text -------------------------------------------------------------------------------- */

/* UTF-8. `bytes` NULL: there is none; `size` is 0 then. */
typedef struct belfry_text {
    const char *BELFRY_NULLABLE bytes;
    uint32_t size;
} belfry_text;

BELFRY_ASSERT(sizeof(belfry_text) == 2 * sizeof(void *));

/* Initialiser of a belfry_text from a string literal. */
#define BELFRY_TEXT(literal) {literal, (uint32_t)(sizeof(literal) - 1)}

/* ---- Answers ----------------------------------------------------------------------------- */

/* It is done; `text` may say what a user should know, such as a fallback that was taken. */
#define BELFRY_DONE 0
/* It will be answered by `complete`, before the delivery's deadline. */
#define BELFRY_PENDING 1
/* Not now: hand it over again after `retry_after_ns`. At the third attempt it means FAILED: what
 * may take longer is answered PENDING, and what only waits for its turn is kept until then. */
#define BELFRY_RETRY 2
/* It will never be done; `text` says why, in one sentence for the operator. */
#define BELFRY_FAILED 3

/* What the host's services return; more negative numbers may be added. */
#define BELFRY_OK 0
/* An argument breaks the rule that stands at the function. */
#define BELFRY_INVALID (-1)
/* There is no such key, watch or timer. */
#define BELFRY_NOT_FOUND (-2)
/* A limit that stands at the function is reached. */
#define BELFRY_FULL (-3)
/* This host does not offer it. */
#define BELFRY_UNSUPPORTED (-4)
/* The system refused; the host has logged why. */
#define BELFRY_SYSTEM (-5)

/* What goes with an answer. As `ret_answer` it is the host's, with `size` set and the rest zero;
 * as an argument of `complete` it is the plugin's. */
typedef struct belfry_answer {
    uint32_t size;
    uint32_t reserved;
    /* With BELFRY_RETRY: at least this many nanoseconds later. */
    int64_t retry_after_ns;
    /* Of at most 1,000 bytes; the rest is cut. */
    belfry_text text;
} belfry_answer;

BELFRY_ASSERT(offsetof(belfry_answer, retry_after_ns) == 8);
BELFRY_ASSERT(offsetof(belfry_answer, text) == 16);
BELFRY_ASSERT(sizeof(belfry_answer) == 16 + sizeof(belfry_text));

/* ---- The host ---------------------------------------------------------------------------- */

/* Levels of `log`, numbered as syslog's. */
#define BELFRY_LOG_ERROR 3
#define BELFRY_LOG_WARNING 4
#define BELFRY_LOG_NOTICE 5
#define BELFRY_LOG_INFO 6
#define BELFRY_LOG_DEBUG 7

/* How far `real_ns` can be relied on. Earlier than this software was made: */
#define BELFRY_CLOCK_UNTRUSTED 0
/* later, but nothing says that the clock was set: */
#define BELFRY_CLOCK_PLAUSIBLE 1
/* the kernel says that it is synchronised. */
#define BELFRY_CLOCK_SYNCHRONISED 2

typedef struct belfry_now {
    uint32_t size;
    uint32_t trust;
    int64_t real_ns;
    int64_t elapsed_ns;
} belfry_now;

BELFRY_ASSERT(offsetof(belfry_now, real_ns) == 8);
BELFRY_ASSERT(sizeof(belfry_now) == 24);

/* What a plugin tells of by itself. */
#define BELFRY_REPORT_ACTION 1    /* `delivery_id`, `name`: the action ("" the default), `text` */
#define BELFRY_REPORT_DISMISSED 2 /* `delivery_id` */
#define BELFRY_REPORT_FIX 3       /* `latitude`, `longitude`, `accuracy_metres`, `at_ns` */
#define BELFRY_REPORT_PUSH 4      /* UNSUPPORTED by every host: push/1 is the way */
#define BELFRY_REPORT_SNOOZED 5   /* `delivery_id`, `duration_ns` */

typedef struct belfry_report {
    uint32_t size;
    uint32_t kind;
    /* When it happened, real. */
    int64_t at_ns;
    /* Degrees, WGS 84. */
    double latitude;
    double longitude;
    double accuracy_metres;
    belfry_text delivery_id;
    belfry_text name;
    belfry_text text;
    /* From a second to 7 days; 0: nine minutes. Since minor version 2. */
    int64_t duration_ns;
} belfry_report;

BELFRY_ASSERT(offsetof(belfry_report, at_ns) == 8);
BELFRY_ASSERT(offsetof(belfry_report, delivery_id) == 40);

/* Events of a watched descriptor, numbered as poll(2)'s. */
#define BELFRY_READABLE 1u
#define BELFRY_WRITABLE 4u
/* Reported whether asked for or not. */
#define BELFRY_BROKEN 8u
#define BELFRY_HUNG_UP 16u

/* How many watches, and how many timers, a plugin may have at a time. */
#define BELFRY_WATCHES 64
#define BELFRY_TIMERS 64

/* [worker] `context` is as given to watch_fd, and the plugin's. */
typedef void (*belfry_fd_callback)(void *BELFRY_NULLABLE context, int32_t fd, uint32_t events);
/* [worker] `context` is as given to start_timer, and the plugin's. */
typedef void (*belfry_timer_callback)(void *BELFRY_NULLABLE context, uint32_t timer);

/* What the host offers. It lives until the process ends; the plugin may keep the pointer. */
typedef struct belfry_host belfry_host;
struct belfry_host {
    uint32_t size;
    uint16_t abi_major;
    uint16_t abi_minor;
    /* The host's own. */
    void *data;
    /* The sink's name: NAME of `[plugin:NAME]`. */
    belfry_text sink;
    /* The host's version, for logs. */
    belfry_text version;

    /* [any] Functions that a later host adds, by id and revision such as "input/1"; NULL: this
     * one does not have them. The result is the host's and lives until the process ends. */
    const void *BELFRY_NULLABLE (*extension)(const belfry_host *host, belfry_text id);

    /* [any] One line for the daemon's log, of at most 1,000 bytes; control characters are
     * replaced. Lines are dropped when the plugin logs faster than they are taken. `message` is the
     * plugin's and copied. */
    void (*log)(const belfry_host *host, int32_t level, belfry_text message);

    /* [worker] The value of one of the descriptor's keys, or its default. The text is the host's
     * and lives until the process ends. NOT_FOUND: the descriptor has no such key. */
    int32_t (*config)(const belfry_host *host, belfry_text key, belfry_text *ret_value);

    /* [worker] The same for keys of the types integer, boolean (0 or 1) and duration
     * (nanoseconds). INVALID: the key is of another type. */
    int32_t (*config_number)(const belfry_host *host, belfry_text key, int64_t *ret_value);

    /* [worker] Reads the plugin's own store, which outlives the process but not the run directory
     * (usually: not a reboot). The value is the host's, bytes of any kind, and lives until the
     * store is next written to. NOT_FOUND: no such key. */
    int32_t (*store_get)(const belfry_host *host, belfry_text key, belfry_text *ret_value);

    /* [worker] Writes to it; on return the value survives a kill -9. `value.bytes` NULL: the key
     * goes. Key and value are the plugin's and copied. INVALID: a key of 0 or over 128 bytes;
     * FULL: 64 KiB in all. */
    int32_t (*store_set)(const belfry_host *host, belfry_text key, belfry_text value);

    /* [any] `ret_now` is the plugin's, with `size` set. */
    void (*now)(const belfry_host *host, belfry_now *ret_now);

    /* [any] Answers what was answered BELFRY_PENDING, with DONE, RETRY or FAILED. `answer` is the
     * plugin's and copied; NULL: nothing to add. INVALID: no such status. A token that awaits no
     * answer (answered already, withdrawn) is logged and otherwise ignored. */
    int32_t (*complete)(const belfry_host *host, uint64_t token, int32_t status,
                        const belfry_answer *BELFRY_NULLABLE answer);

    /* [any] `report` is the plugin's and copied; what its user did needs input/1. OK: the clock will
     * be told. UNSUPPORTED: this host takes no such kind, or the plugin has no input/1. INVALID: the
     * delivery is none of this sink's, or a text is too long: 128 bytes for an action, 16 KiB for
     * what was typed. FULL: 64 reports wait. */
    int32_t (*report)(const belfry_host *host, const belfry_report *report);

    /* [worker] Calls back whenever one of `events` holds for `fd`, which stays the plugin's:
     * unwatch, then close. FULL: BELFRY_WATCHES; INVALID: not an open descriptor, or no event. */
    int32_t (*watch_fd)(const belfry_host *host, int32_t fd, uint32_t events,
                        belfry_fd_callback callback, void *BELFRY_NULLABLE context,
                        uint32_t *ret_watch);

    /* [worker] Ends a watch, also inside its own callback; it is not called again. */
    int32_t (*unwatch_fd)(const belfry_host *host, uint32_t watch);

    /* [worker] Calls back once, on the elapsed clock, `after_ns` from now or as soon as it can.
     * FULL: BELFRY_TIMERS. */
    int32_t (*start_timer)(const belfry_host *host, int64_t after_ns,
                           belfry_timer_callback callback, void *BELFRY_NULLABLE context,
                           uint32_t *ret_timer);

    /* [worker] Stops a timer that has not called back yet. */
    int32_t (*stop_timer)(const belfry_host *host, uint32_t timer);
};

BELFRY_ASSERT(offsetof(belfry_host, data) == 8);
BELFRY_ASSERT(offsetof(belfry_host, extension) == 8 + 5 * sizeof(void *));
BELFRY_ASSERT(sizeof(belfry_host) == 8 + 18 * sizeof(void *));

/* ---- The plugin -------------------------------------------------------------------------- */

#define BELFRY_TYPE_TEXT 0u
/* Decimal, within an int64_t. */
#define BELFRY_TYPE_INTEGER 1u
/* yes, no, true, false, on, off, 1, 0. */
#define BELFRY_TYPE_BOOLEAN 2u
/* 0.5s, 90s, 10m, 1h30m, 2d. */
#define BELFRY_TYPE_DURATION 3u
/* One of `choices`. */
#define BELFRY_TYPE_CHOICE 4u

/* A key of the plugin's section in the configuration. The host checks values against it, and
 * refuses keys that no descriptor has. `file`, `memory`, `uid` and `gid` are the host's own. */
typedef struct belfry_config_key {
    uint32_t size;
    uint32_t type;
    belfry_text name;
    /* Of the key's type; NULL: the key has no default and must be given. */
    belfry_text default_value;
    /* With BELFRY_TYPE_CHOICE: the words, divided by |. */
    belfry_text choices;
    /* One sentence for people. */
    belfry_text help;
} belfry_config_key;

BELFRY_ASSERT(sizeof(belfry_config_key) == 8 + 4 * sizeof(belfry_text));

/* Functions that the plugin offers: `id` such as "delivery/1", and the struct of that name. */
typedef struct belfry_extension {
    belfry_text id;
    const void *BELFRY_NULLABLE functions;
} belfry_extension;

BELFRY_ASSERT(sizeof(belfry_extension) == 3 * sizeof(void *));

/* What a plugin is; readable without starting anything. It and all it points to are the plugin's
 * and live until the process ends. */
typedef struct belfry_descriptor {
    uint32_t size;
    /* The version of this header that the plugin was compiled with. */
    uint16_t abi_major;
    uint16_t abi_minor;
    /* Reverse-DNS, such as "org.example.lamp". */
    belfry_text id;
    belfry_text name;
    belfry_text version;
    belfry_text vendor;
    /* An SPDX expression. */
    belfry_text licence;
    const belfry_extension *BELFRY_NULLABLE extensions;
    const belfry_config_key *BELFRY_NULLABLE config_keys;
    uint32_t extension_count;
    uint32_t config_key_count;

    /* [worker] Called once before any other function. `host` is the host's and lives until the
     * process ends. Returns DONE, with what the other functions get as `instance`; or FAILED, with
     * the reason in `ret_answer`, and the process ends. NULL: nothing to start. */
    int32_t (*BELFRY_NULLABLE start)(const belfry_host *host,
                                     void *BELFRY_NULLABLE *BELFRY_NULLABLE ret_instance,
                                     belfry_answer *ret_answer);

    /* [worker] Called once, last, when the process is asked to end; not when it is killed.
     * The process then ends without exit handlers: what is buffered must be flushed here.
     * `instance` is the plugin's to free. NULL: nothing to stop. */
    void (*BELFRY_NULLABLE stop)(void *BELFRY_NULLABLE instance);
} belfry_descriptor;

BELFRY_ASSERT(offsetof(belfry_descriptor, id) == 8);
BELFRY_ASSERT(offsetof(belfry_descriptor, extensions) == 8 + 10 * sizeof(void *));
BELFRY_ASSERT(sizeof(belfry_descriptor) == 16 + 14 * sizeof(void *));

/* [worker] The one function that a plugin exports, called once after loading. `host_abi` is the
 * host's major version times 65,536 plus its minor one. NULL: the plugin refuses such a host. */
BELFRY_EXPORT const belfry_descriptor *BELFRY_NULLABLE belfry_plugin_entry(uint32_t host_abi);

BELFRY_END

#endif
