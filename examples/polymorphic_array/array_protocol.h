/* SPDX-License-Identifier: MIT
 *
 * A protocol in one page: "my instances are arrays of numbers".
 *
 * It belongs to nobody's library.  Whoever offers or uses arrays has a copy of this
 * file; that is all they have in common.
 */
#ifndef ARRAY_PROTOCOL_H
#define ARRAY_PROTOCOL_H

#include <Python.h>

/* A number, a constant for the compiler, in the place of a name.  It has to be reserved:
   docs/abi.md, "ID registry".  Registrar 5, idea 1, version 0. */
#define ARRAY_ID  PyCustomSlots_ID(0x05, 1, 0)
#define ARRAY_POSITION  0

#define ARRAY_MAX_NDIM  8

/* [protocol.begin] */
/* What an array is like, and where its items are if they are in memory. */
typedef struct {
    Py_ssize_t ndim;                        /* 0 to ARRAY_MAX_NDIM */
    Py_ssize_t shape[ARRAY_MAX_NDIM];
    Py_ssize_t strides[ARRAY_MAX_NDIM];     /* in bytes, if data is not NULL */
    const char *data;                       /* the first item; NULL: ask get() for items */
    char dtype;                             /* of the items: 'd' is double, ... as in `struct` */
} array_layout;

/* What the slot's data.pointer points to.  No function needs the GIL, none raises; the caller
   keeps `self` alive. */
typedef struct {
    /* 0, or -1: "this instance cannot be described; use it as any Python object". */
    int (*describe)(PyObject *self, array_layout *layout);
    /* One item as a double; every index must be within the shape. */
    double (*get)(PyObject *self, const Py_ssize_t *index);
} array_vtable;
/* [protocol.end] */

#endif
