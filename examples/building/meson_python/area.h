/* SPDX-License-Identifier: MIT
 *
 * A protocol: "my instances have an area".  Providers and users have a copy of this file.
 */
#ifndef AREA_H
#define AREA_H

#include <Python.h>

/* Registrar 0x01 is for private use. */
#define AREA_ID  PyCustomSlots_ID(0x01, 0xA4EA, 0)

/* What the slot's pointer points to; needs no GIL and cannot fail. */
typedef double (*area_function)(PyObject *self);

#endif
