/* SPDX-License-Identifier: MIT
 *
 * runtime/statics.h - static types.
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_STATICS_H
#define Py_CUSTOMSLOTS_RUNTIME_STATICS_H

#include "runtime/runtime.h"

_Pycs_PRIVATE int _Pycs_CheckInstances(
    _Pycs_API *api, const char *function, PyTypeObject *type, PyTypeObject *metaclass,
    PyTypeObject *base, PyObject *bases);
_Pycs_PRIVATE int _Pycs_ReadyWith(
    _Pycs_API *api, PyHeapExtensibleTypeObject *t, const PyCustomSlot *own,
    Py_ssize_t count, Py_ssize_t room);

#endif /* Py_CUSTOMSLOTS_RUNTIME_STATICS_H */
