/*
 * What most plugins in C need, in functions of their own; no part of the contract. They need the C
 * library's <string.h>, and nothing of them is exported.
 */
#ifndef BELFRY_HELPERS_H
#define BELFRY_HELPERS_H

#include <belfry/base.h>
#include <string.h>

BELFRY_BEGIN

/* The text of a string that ends with NUL; NULL: none. It lives as long as the string. */
static inline belfry_text belfry_text_of(const char *BELFRY_NULLABLE string) {
    belfry_text text = {string, string == NULL ? 0 : (uint32_t)strlen(string)};
    return text;
}

/* Whether both are the same bytes; no text and an empty one are not. */
static inline int belfry_text_equal(belfry_text one, belfry_text other) {
    if (one.bytes == NULL || other.bytes == NULL) return one.bytes == other.bytes;
    return one.size == other.size && memcmp(one.bytes, other.bytes, one.size) == 0;
}

/* Copies a text into `buffer`, cut to what fits before a NUL. Returns whether it fitted whole; no
 * text is copied as an empty string. */
static inline int belfry_text_copy(belfry_text text, char *buffer, size_t room) {
    size_t size = text.bytes == NULL ? 0 : text.size;
    int fits = size < room;
    if (room == 0) return 0;
    if (!fits) size = room - 1;
    if (size > 0) memcpy(buffer, text.bytes, size);
    buffer[size] = '\0';
    return fits;
}

/* Puts a sentence into an answer and returns `status`, to be returned in turn. The string must stay
 * as it is until the plugin is called next. */
static inline int32_t belfry_answer_with(belfry_answer *ret_answer, int32_t status,
                                         const char *sentence) {
    ret_answer->text = belfry_text_of(sentence);
    return status;
}

/* Completes a delivery with a status, a sentence (NULL: none) and, with BELFRY_RETRY, the time after
 * which to hand it over again. */
static inline int32_t belfry_complete(const belfry_host *host, uint64_t token, int32_t status,
                                      const char *BELFRY_NULLABLE sentence,
                                      int64_t retry_after_ns) {
    belfry_answer answer;
    memset(&answer, 0, sizeof answer);
    answer.size = sizeof answer;
    answer.retry_after_ns = retry_after_ns;
    answer.text = belfry_text_of(sentence);
    return host->complete(host, token, status, &answer);
}

/* One line for the daemon's log. */
static inline void belfry_log(const belfry_host *host, int32_t level, const char *line) {
    host->log(host, level, belfry_text_of(line));
}

/* The value of a key; no text if the descriptor has no such key. */
static inline belfry_text belfry_config_text(const belfry_host *host, const char *key) {
    belfry_text value = {NULL, 0};
    host->config(host, belfry_text_of(key), &value);
    return value;
}

/* The number of a key of the types integer, boolean (0 or 1) and duration (nanoseconds); 0 if the
 * descriptor has no such key. */
static inline int64_t belfry_config_number(const belfry_host *host, const char *key) {
    int64_t value = 0;
    host->config_number(host, belfry_text_of(key), &value);
    return value;
}

BELFRY_END

#endif
