/* SPDX-License-Identifier: MIT
 *
 * runtime/setter.h - giving C fields values, from C and from Python.
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_SETTER_H
#define Py_CUSTOMSLOTS_RUNTIME_SETTER_H

#include "runtime/fields.h"

_PyExtensibleType_PRIVATE int _PyExtensibleType_ChangeField(
    _PyExtensibleType_API *api, PyTypeObject *type, const _PyExtensibleType_FieldEntry *field,
    _PyExtensibleType_Value *value);
_PyExtensibleType_PRIVATE int _PyExtensibleType_set_field(
    _PyExtensibleType_API *api, PyTypeObject *type, Py_ssize_t offset, const void *value,
    Py_ssize_t size);
_PyExtensibleType_PRIVATE int _PyExtensibleType_delete_field(
    _PyExtensibleType_API *api, PyTypeObject *type, Py_ssize_t offset);
_PyExtensibleType_PRIVATE int _PyExtensibleType_mark_fields(
    _PyExtensibleType_API *api, PyTypeObject *type, const Py_ssize_t *offsets, Py_ssize_t count);
_PyExtensibleType_PRIVATE int _PyExtensibleType_SetEntry(
    _PyExtensibleType_API *api, PyTypeObject *type, _PyExtensibleType_FieldEntry *field,
    PyObject *value);
_PyExtensibleType_PRIVATE int _PyExtensibleType_set_field_object(
    _PyExtensibleType_API *api, PyTypeObject *type, PyObject *name, PyObject *value);
_PyExtensibleType_PRIVATE PyObject *_PyExtensibleType_field_get(
    _PyExtensibleType_API *api, PyObject *self, void *closure);
_PyExtensibleType_PRIVATE int _PyExtensibleType_field_set(
    _PyExtensibleType_API *api, PyObject *self, PyObject *value, void *closure);

#endif /* Py_CUSTOMSLOTS_RUNTIME_SETTER_H */
