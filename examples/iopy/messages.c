/* SPDX-License-Identifier: MIT */
#include "messages.h"

#include <stdio.h>
#include <string.h>

struct event { long id; };
struct payment { struct event event; double amount; char payer[TEXT_SIZE]; };
struct refund { struct payment payment; long of; };

#define COUNT(fields) (sizeof(fields) / sizeof(*(fields)))

static const field_desc event_fields[] = {
    {"id", FIELD_INTEGER, offsetof(struct event, id)},
};
static const field_desc payment_fields[] = {
    {"amount", FIELD_REAL, offsetof(struct payment, amount)},
    {"payer", FIELD_TEXT, offsetof(struct payment, payer)},
};
static const field_desc refund_fields[] = {
    {"of", FIELD_INTEGER, offsetof(struct refund, of)},
};

static const message_desc event_desc = {
    "Event", NULL, sizeof(struct event), COUNT(event_fields), event_fields};
static const message_desc payment_desc = {
    "Payment", &event_desc, sizeof(struct payment), COUNT(payment_fields), payment_fields};
static const message_desc refund_desc = {
    "Refund", &payment_desc, sizeof(struct refund), COUNT(refund_fields), refund_fields};

const message_desc *const all_messages[] = {&event_desc, &payment_desc, &refund_desc, NULL};

const message_desc empty_message = {"Message", NULL, 0, 0, NULL};

size_t
message_text_length(const char *text)
{
    const char *end = (const char *)memchr(text, 0, TEXT_SIZE);
    return end != NULL ? (size_t)(end - text) : TEXT_SIZE;
}

/* Where to go on writing, and how much is left there. */
static void
advance(size_t written, size_t *length, char **buffer, size_t *size)
{
    size_t step = written < *size ? written : *size;
    *length += written;
    if (step > 0) {             /* who asks for the length only has no buffer */
        *buffer += step;
        *size -= step;
    }
}

static size_t
print_fields(const message_desc *desc, const void *message, char *buffer, size_t size)
{
    size_t i, length = 0;
    if (desc->parent != NULL) {
        advance(print_fields(desc->parent, message, buffer, size), &length, &buffer, &size);
    }
    for (i = 0; i < desc->count; i++) {
        const field_desc *field = &desc->fields[i];
        const char *place = (const char *)message + field->offset;
        const char *comma = length > 0 ? ", " : "";
        int written;
        switch (field->kind) {
        case FIELD_INTEGER:
            written = snprintf(buffer, size, "%s%s=%ld", comma, field->name,
                               *(const long *)(const void *)place);
            break;
        case FIELD_REAL:
            written = snprintf(buffer, size, "%s%s=%g", comma, field->name,
                               *(const double *)(const void *)place);
            break;
        default:
            written = snprintf(buffer, size, "%s%s='%.*s'", comma, field->name,
                               (int)message_text_length(place), place);
        }
        advance(written > 0 ? (size_t)written : 0, &length, &buffer, &size);
    }
    return length;
}

size_t
message_print(const message_desc *desc, const void *message, char *buffer, size_t size)
{
    size_t length = 0;
    int written = snprintf(buffer, size, "%s(", desc->name);
    advance(written > 0 ? (size_t)written : 0, &length, &buffer, &size);
    advance(print_fields(desc, message, buffer, size), &length, &buffer, &size);
    written = snprintf(buffer, size, ")");
    return length + (written > 0 ? (size_t)written : 0);
}
