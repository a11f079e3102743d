/* SPDX-License-Identifier: MIT
 *
 * runtime/birth.h - how a class comes into being.
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_BIRTH_H
#define Py_CUSTOMSLOTS_RUNTIME_BIRTH_H

#include "runtime/runtime.h"

_PyExtensibleType_PRIVATE PyObject *_PyExtensibleType_alloc(
    _PyExtensibleType_API *api, PyTypeObject *metaclass, Py_ssize_t nitems);
_PyExtensibleType_PRIVATE int _PyExtensibleType_init(
    _PyExtensibleType_API *api, PyObject *self, PyObject *args, PyObject *kwargs);
_PyExtensibleType_PRIVATE PyObject *_PyExtensibleType_meta_call(
    _PyExtensibleType_API *api, PyObject *self, PyObject *args, PyObject *kwargs);

#endif /* Py_CUSTOMSLOTS_RUNTIME_BIRTH_H */
