/* SPDX-License-Identifier: MIT
 *
 * runtime/fill.h - a class that is new gets its fields.
 *
 * All classes go the same way: what the class inherits is made ready (Inherit), which can fail; then
 * there is a type object, which is filled (Fill), and that cannot fail.  It is finished later
 * (resolve.c).  This way is used by calls of a metaclass (birth.c); by static types (statics.c); by
 * types from a spec before CPython 3.12 (spec.c); and by classes whose allocation our code did not
 * see (resolve.c).
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_FILL_H
#define Py_CUSTOMSLOTS_RUNTIME_FILL_H

#include "runtime/fields.h"
#include "runtime/slots.h"
#include "runtime/state.h"

/* What is known of a class before it is there. */
typedef struct {
    PyTypeObject               *metaclass;    /* borrowed */
    _Pycs_Sidecar              *sidecar;      /* to be put beside it */
    _Pycs_Mro                   mro;          /* what it inherits by */
    int                         known;        /* is there an MRO? */
    _Pycs_Value    *values;       /* copies of values with hooks */
} _Pycs_Birth;

#define _Pycs_BIRTH_INIT \
    {NULL, NULL, _Pycs_MRO_INIT, 0, NULL}

_Pycs_PRIVATE int _Pycs_BirthInherit(_Pycs_API *api, _Pycs_Birth *birth, PyObject *bases);
_Pycs_PRIVATE void _Pycs_BirthFill(
    _Pycs_API *api, _Pycs_Birth *birth, PyTypeObject *type,
    int only_untouched);
_Pycs_PRIVATE void _Pycs_BirthEnd(_Pycs_Birth *birth);

#endif /* Py_CUSTOMSLOTS_RUNTIME_FILL_H */
