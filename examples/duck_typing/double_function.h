/* SPDX-License-Identifier: MIT
 *
 * A protocol in one page: "my instances are functions double -> double".
 *
 * It belongs to nobody's library.  Whoever offers or uses such functions has a copy
 * of this file; that is all they have in common.
 */
#ifndef DOUBLE_FUNCTION_H
#define DOUBLE_FUNCTION_H

#include <Python.h>

/* The slot's name; its ID is PyCustomSlots_Intern(DOUBLE_FUNCTION). */
#define DOUBLE_FUNCTION  "functions.double"

/* The position where providers should put the slot, so that users find it at the
   first look.  A slot in another position is found, too. */
#define DOUBLE_FUNCTION_POSITION  0

/* What the slot's data.pointer points to.  It cannot fail and needs no GIL; the
   caller keeps `self` alive. */
typedef double (*double_function)(PyObject *self, double x);

#endif
