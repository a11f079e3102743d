/* SPDX-License-Identifier: MIT
 *
 * The C library of the examples: a table of greetings that exists before any
 * Python class does.  Think of it as the type descriptions of a serialization
 * library, the opcodes of a protocol, the units of a physics code.
 */
#ifndef GREETINGS_H
#define GREETINGS_H

typedef struct greeting_class {
    const char *name;       /* what the Python class is to be called */
    const char *sentence;   /* what its instances say */
} greeting_class;

/* Ends with an entry whose name is NULL. */
extern const greeting_class greetings[];

#endif
