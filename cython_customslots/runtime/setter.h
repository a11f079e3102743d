/* SPDX-License-Identifier: MIT
 *
 * runtime/setter.h - giving C fields values, from C and from Python.
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_SETTER_H
#define Py_CUSTOMSLOTS_RUNTIME_SETTER_H

#include "runtime/fields.h"

_Pycs_PRIVATE _Pycs_Value *_Pycs_Convert(
    const char *class_name, const _Pycs_FieldEntry *field, PyObject *object);
_Pycs_PRIVATE PyObject *_Pycs_ReadField(_Pycs_API *api, PyTypeObject *type, const _Pycs_FieldEntry *field);
_Pycs_PRIVATE int _Pycs_ChangeField(
    _Pycs_API *api, PyTypeObject *type, const _Pycs_FieldEntry *field,
    _Pycs_Value *value);
_Pycs_PRIVATE int _Pycs_SetEntry(
    _Pycs_API *api, PyTypeObject *type, _Pycs_FieldEntry *field,
    PyObject *value);
_Pycs_PRIVATE int _Pycs_set_field_object(_Pycs_API *api, PyTypeObject *type, PyObject *name, PyObject *value);

#endif /* Py_CUSTOMSLOTS_RUNTIME_SETTER_H */
