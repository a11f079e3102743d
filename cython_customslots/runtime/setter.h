/* SPDX-License-Identifier: MIT
 *
 * runtime/setter.h - giving C fields values, from C and from Python.
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_SETTER_H
#define Py_CUSTOMSLOTS_RUNTIME_SETTER_H

#include "runtime/fields.h"

_Pycs_PRIVATE int _Pycs_ChangeField(
    _Pycs_API *api, PyTypeObject *type, const _Pycs_FieldEntry *field,
    _Pycs_Value *value);
_Pycs_PRIVATE int _Pycs_set_field(
    _Pycs_API *api, PyTypeObject *type, Py_ssize_t offset, const void *value,
    Py_ssize_t size);
_Pycs_PRIVATE int _Pycs_delete_field(_Pycs_API *api, PyTypeObject *type, Py_ssize_t offset);
_Pycs_PRIVATE int _Pycs_mark_fields(
    _Pycs_API *api, PyTypeObject *type, const Py_ssize_t *offsets, Py_ssize_t count);
_Pycs_PRIVATE int _Pycs_SetEntry(
    _Pycs_API *api, PyTypeObject *type, _Pycs_FieldEntry *field,
    PyObject *value);
_Pycs_PRIVATE int _Pycs_set_field_object(_Pycs_API *api, PyTypeObject *type, PyObject *name, PyObject *value);
_Pycs_PRIVATE PyObject *_Pycs_field_get(_Pycs_API *api, PyObject *self, void *closure);
_Pycs_PRIVATE int _Pycs_field_set(_Pycs_API *api, PyObject *self, PyObject *value, void *closure);

#endif /* Py_CUSTOMSLOTS_RUNTIME_SETTER_H */
