/* SPDX-License-Identifier: MIT
 *
 * runtime/adopt.h - a metaclass becomes one of ours.
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_ADOPT_H
#define Py_CUSTOMSLOTS_RUNTIME_ADOPT_H

#include "runtime/runtime.h"

_PyExtensibleType_PRIVATE int _PyExtensibleType_Adopt(
    _PyExtensibleType_API *api, PyTypeObject *metaclass);
_PyExtensibleType_PRIVATE int _PyExtensibleType_inherit_fields(
    _PyExtensibleType_API *api, PyTypeObject *metaclass);
_PyExtensibleType_PRIVATE int _PyExtensibleType_register_fields(
    _PyExtensibleType_API *api, PyTypeObject *metaclass, const PyExtensibleType_Field *fields,
    Py_ssize_t count, Py_ssize_t field_size);
_PyExtensibleType_PRIVATE void _PyExtensibleType_MendMetaclass(PyTypeObject *metaclass);
_PyExtensibleType_PRIVATE PyTypeObject *_PyExtensibleType_calculate_metaclass(
    _PyExtensibleType_API *api, PyTypeObject *wanted, PyTypeObject *base, PyObject *bases);
_PyExtensibleType_PRIVATE int _PyExtensibleType_AdoptNames(
    _PyExtensibleType_API *api, PyTypeObject *metaclass);

#endif /* Py_CUSTOMSLOTS_RUNTIME_ADOPT_H */
