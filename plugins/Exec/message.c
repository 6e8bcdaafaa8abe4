// What the program is told. JSON by RFC 8259; environment values cannot hold NUL, so text that does
// is only whole in the JSON.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exec.h"

static void put(struct exec_message *message, const char *bytes, size_t size) {
    if (message->failed) return;
    if (message->room - message->size < size) {
        size_t room = (message->size + size) * 2 + 256;
        char *grown = realloc(message->json, room);
        if (grown == NULL) {
            message->failed = 1;
            return;
        }
        message->json = grown;
        message->room = room;
    }
    memcpy(message->json + message->size, bytes, size);
    message->size += size;
}

static void put_words(struct exec_message *message, const char *words) {
    put(message, words, strlen(words));
}

static void put_quoted(struct exec_message *message, belfry_text text) {
    put_words(message, "\"");
    uint32_t start = 0;
    for (uint32_t index = 0; index < text.size; index++) {
        unsigned char byte = (unsigned char)text.bytes[index];
        if (byte >= 0x20 && byte != '"' && byte != '\\' && byte != 0x7f) continue;
        put(message, text.bytes + start, index - start);
        char escape[8];
        int size = byte == '"' || byte == '\\' ? snprintf(escape, sizeof escape, "\\%c", byte)
                                               : snprintf(escape, sizeof escape, "\\u%04x", byte);
        put(message, escape, (size_t)size);
        start = index + 1;
    }
    if (text.size > start) put(message, text.bytes + start, text.size - start);
    put_words(message, "\"");
}

static void put_name(struct exec_message *message, const char *name) {
    put_words(message, message->size > 1 ? ",\"" : "\"");
    put_words(message, name);
    put_words(message, "\":");
}

static void set_variable(struct exec_message *message, const char *name, belfry_text value) {
    if (message->failed || message->count == EXEC_VARIABLES - 1) return;
    size_t length = strlen(name);
    char *variable = malloc(length + value.size + 2);
    if (variable == NULL) {
        message->failed = 1;
        return;
    }
    memcpy(variable, name, length);
    variable[length] = '=';
    if (value.size > 0) memcpy(variable + length + 1, value.bytes, value.size);
    variable[length + 1 + value.size] = '\0';
    message->variables[message->count++] = variable;
    message->variables[message->count] = NULL;
}

static void add_text(struct exec_message *message, const char *name, const char *variable,
                     belfry_text value) {
    if (value.bytes == NULL) return;
    put_name(message, name);
    put_quoted(message, value);
    set_variable(message, variable, value);
}

static void add_words(struct exec_message *message, const char *name, const char *variable,
                      const char *words) {
    belfry_text text = belfry_text_of(words);
    put_name(message, name);
    put(message, words, text.size);
    set_variable(message, variable, text);
}

static void add_number(struct exec_message *message, const char *name, const char *variable,
                       int64_t value) {
    char words[24];
    snprintf(words, sizeof words, "%" PRId64, value);
    add_words(message, name, variable, words);
}

static void add_event(struct exec_message *message, const char *event) {
    memset(message, 0, sizeof *message);
    put_words(message, "{");
    add_text(message, "event", "BELFRY_EVENT", belfry_text_of(event));
}

static const char *level_words(uint32_t level) {
    switch (level) {
        case BELFRY_LEVEL_PASSIVE: return "\"passive\"";
        case BELFRY_LEVEL_TIME_SENSITIVE: return "\"timeSensitive\"";
        case BELFRY_LEVEL_CRITICAL: return "\"critical\"";
        default: return "\"active\"";
    }
}

static void add_parts(struct exec_message *message, uint32_t parts) {
    static const char *const names[] = {"alert", "badge", "sound", "userInfo"};
    char words[48] = "[";
    for (unsigned bit = 0; bit < 4; bit++) {
        if ((parts & 1u << bit) == 0) continue;
        if (words[1] != '\0') strcat(words, ",");
        strcat(strcat(strcat(words, "\""), names[bit]), "\"");
    }
    put_name(message, "parts");
    put_words(message, strcat(words, "]"));
}

void exec_message_delivery(struct exec_message *message, const belfry_delivery *delivery) {
    add_event(message, "deliver");
    add_text(message, "id", "BELFRY_ID", delivery->id);
    add_number(message, "attempt", "BELFRY_ATTEMPT", delivery->attempt);
    add_text(message, "app", "BELFRY_APP", delivery->app);
    add_text(message, "identifier", "BELFRY_IDENTIFIER", delivery->identifier);
    add_text(message, "title", "BELFRY_TITLE", delivery->title);
    add_text(message, "subtitle", "BELFRY_SUBTITLE", delivery->subtitle);
    add_text(message, "body", "BELFRY_BODY", delivery->body);
    if (delivery->flags & BELFRY_FLAG_HAS_ACTION)
        add_text(message, "action", "BELFRY_ACTION", delivery->action);
    add_text(message, "launchImage", "BELFRY_LAUNCH_IMAGE", delivery->launch_image);
    add_text(message, "category", "BELFRY_CATEGORY", delivery->category);
    add_text(message, "thread", "BELFRY_THREAD", delivery->thread);
    add_text(message, "sound", "BELFRY_SOUND", delivery->sound);
    add_text(message, "replaces", "BELFRY_REPLACES", delivery->replaces_id);
    // Microseconds since 1970 UTC, as everywhere outside the clock.
    add_number(message, "due", "BELFRY_DUE", delivery->due_ns / 1000);
    add_number(message, "handedOver", "BELFRY_HANDED_OVER", delivery->handed_over_ns / 1000);
    add_words(message, "late", "BELFRY_LATE",
              delivery->flags & BELFRY_FLAG_LATE ? "true" : "false");
    add_number(message, "missed", "BELFRY_MISSED", delivery->missed);
    if (delivery->missed > 0)
        add_number(message, "missedSince", "BELFRY_MISSED_SINCE",
                   delivery->missed_since_ns / 1000);
    if (delivery->flags & BELFRY_FLAG_HAS_BADGE)
        add_number(message, "badge", "BELFRY_BADGE", delivery->badge);
    put_name(message, "level");
    put_words(message, level_words(delivery->level));
    add_parts(message, delivery->parts);
    put_name(message, "userInfo");
    if (delivery->user_info.size > 0)
        put(message, delivery->user_info.bytes, delivery->user_info.size);
    else
        put_words(message, "{}");
    put_words(message, "}\n");
}

void exec_message_withdrawal(struct exec_message *message, const belfry_withdrawal *withdrawal) {
    add_event(message, "withdraw");
    add_text(message, "id", "BELFRY_ID", withdrawal->id);
    put_words(message, "}\n");
}

void exec_message_free(struct exec_message *message) {
    free(message->json);
    for (int index = 0; index < message->count; index++) free(message->variables[index]);
}
