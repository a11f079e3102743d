/* SPDX-License-Identifier: MIT
 *
 * runtime/statics.h - static types.
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_STATICS_H
#define Py_CUSTOMSLOTS_RUNTIME_STATICS_H

#include "runtime/runtime.h"

_PyExtensibleType_PRIVATE PyTypeObject *_PyExtensibleType_new_static(
    _PyExtensibleType_API *api, PyTypeObject *tmpl, PyTypeObject *metaclass, PyTypeObject *base,
    PyObject *bases, void *memory);
_PyExtensibleType_PRIVATE int _PyExtensibleType_CheckInstances(
    _PyExtensibleType_API *api, const char *function, PyTypeObject *type, PyTypeObject *metaclass,
    PyTypeObject *base, PyObject *bases);
_PyExtensibleType_PRIVATE int _PyExtensibleType_ready(
    _PyExtensibleType_API *api, PyHeapExtensibleTypeObject *t, Py_ssize_t slot_table_size);
_PyExtensibleType_PRIVATE int _PyExtensibleType_ReadyWith(
    _PyExtensibleType_API *api, PyHeapExtensibleTypeObject *t, const PyCustomSlot *own,
    Py_ssize_t count, Py_ssize_t room);

#endif /* Py_CUSTOMSLOTS_RUNTIME_STATICS_H */
