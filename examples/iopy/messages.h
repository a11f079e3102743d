/* SPDX-License-Identifier: MIT
 *
 * A C library that describes its structures: what a generator of code makes from
 * definitions of messages.  It knows nothing of Python.
 */
#ifndef MESSAGES_H
#define MESSAGES_H

#include <stddef.h>

typedef enum { FIELD_INTEGER, FIELD_REAL, FIELD_TEXT } field_kind;

typedef struct {
    const char *name;
    field_kind kind;    /* long, double, char[TEXT_SIZE] */
    size_t offset;      /* in the structure, in bytes */
} field_desc;

#define TEXT_SIZE 24

/* [desc.begin] */
typedef struct message_desc {
    const char *name;
    const struct message_desc *parent;  /* NULL: none; its structure stands first in ours */
    size_t size;                        /* of the whole structure, in bytes */
    size_t count;                       /* of our own fields, without the parent's */
    const field_desc *fields;
} message_desc;

/* All there are, parents before children, ending with NULL. */
extern const message_desc *const all_messages[];

/* One without fields, for what is below them all. */
extern const message_desc empty_message;
/* [desc.end] */

/* How long a text is, which need not end with a 0. */
size_t message_text_length(const char *text);

/* Writes a structure as text, the parent's fields first, cut off after `size` bytes, the
   ending 0 included.  Returns how long the whole text is, without the 0. */
size_t message_print(const message_desc *desc, const void *message, char *buffer, size_t size);

#endif
