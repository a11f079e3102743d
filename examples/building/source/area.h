/* SPDX-License-Identifier: MIT
 *
 * A protocol: "my instances have an area".  Providers and users have a copy of this file.
 */
#ifndef AREA_H
#define AREA_H

#include <Python.h>

/* The slot's name; its ID is PyCustomSlots_Intern(AREA). */
#define AREA  "shapes.area"

/* What the slot's pointer points to; needs no GIL and cannot fail. */
typedef double (*area_function)(PyObject *self);

#endif
