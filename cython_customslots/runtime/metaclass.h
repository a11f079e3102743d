/* SPDX-License-Identifier: MIT
 *
 * runtime/metaclass.h - what stands behind the slots of extensibletype and of its metaclass.
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_METACLASS_H
#define Py_CUSTOMSLOTS_RUNTIME_METACLASS_H

#include "runtime/runtime.h"

_PyExtensibleType_PRIVATE void _PyExtensibleType_dealloc(
    _PyExtensibleType_API *api, PyObject *self);
_PyExtensibleType_PRIVATE int _PyExtensibleType_traverse(
    _PyExtensibleType_API *api, PyObject *self, visitproc visit, void *arg);
_PyExtensibleType_PRIVATE int _PyExtensibleType_clear(_PyExtensibleType_API *api, PyObject *self);
_PyExtensibleType_PRIVATE int _PyExtensibleType_meta_clear(
    _PyExtensibleType_API *api, PyObject *self);
_PyExtensibleType_PRIVATE PyObject *_PyExtensibleType_get(
    _PyExtensibleType_API *api, PyObject *self, int what);
_PyExtensibleType_PRIVATE int _PyExtensibleType_set(
    _PyExtensibleType_API *api, PyObject *self, int what, PyObject *value);
_PyExtensibleType_PRIVATE int _PyExtensibleType_meta_init(
    _PyExtensibleType_API *api, PyObject *self, PyObject *args, PyObject *kwargs);
_PyExtensibleType_PRIVATE PyObject *_PyExtensibleType_meta_getattro(
    _PyExtensibleType_API *api, PyObject *self, PyObject *name);
_PyExtensibleType_PRIVATE PyObject *_PyExtensibleType_meta_repr(
    _PyExtensibleType_API *api, PyObject *self);
_PyExtensibleType_PRIVATE void _PyExtensibleType_meta_dealloc(
    _PyExtensibleType_API *api, PyObject *self);
_PyExtensibleType_PRIVATE int _PyExtensibleType_meta_traverse(
    _PyExtensibleType_API *api, PyObject *self, visitproc visit, void *arg);

#endif /* Py_CUSTOMSLOTS_RUNTIME_METACLASS_H */
