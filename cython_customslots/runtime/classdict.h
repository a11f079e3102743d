/* SPDX-License-Identifier: MIT
 *
 * runtime/classdict.h - what a class set itself stands in its __dict__.
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_CLASSDICT_H
#define Py_CUSTOMSLOTS_RUNTIME_CLASSDICT_H

#include "runtime/fields.h"
#include "runtime/state.h"

/* The entry FIELDS of a namespace: values that come along with a class that is made again;
   borrowed, NULL with or without an exception. */
static inline PyObject *
_PyExtensibleType_CarriedValues(_PyExtensibleType_API *api, PyObject *ns)
{
    return PyDict_GetItemWithError(ns, api->state->name_fields);
}

/* The class whose values without a name are to be copied, according to that entry; a new
   reference, NULL with or without an exception. */
_PyExtensibleType_PRIVATE PyTypeObject *_PyExtensibleType_CarriedOrigin(
    _PyExtensibleType_API *api, PyObject *values);

/* Copies the value of a field from `origin`, if it set one that does not go by name, to *value, as
   if converted from `object` (or NULL); NULL if there is none.  0, or -1 with an exception. */
_PyExtensibleType_PRIVATE int _PyExtensibleType_CopyFromOrigin(
    _PyExtensibleType_API *api, PyTypeObject *origin, const _PyExtensibleType_FieldEntry *field,
    PyObject *object, _PyExtensibleType_Value **value);
_PyExtensibleType_PRIVATE int _PyExtensibleType_FollowOrigin(
    _PyExtensibleType_API *api, PyTypeObject *type, PyTypeObject *origin);
_PyExtensibleType_PRIVATE PyObject *_PyExtensibleType_ValuesOfClass(
    _PyExtensibleType_API *api, PyTypeObject *type);
_PyExtensibleType_PRIVATE int _PyExtensibleType_ExpectNamed(
    _PyExtensibleType_API *api, PyTypeObject *type, PyObject *values);
_PyExtensibleType_PRIVATE int _PyExtensibleType_set_values_of_class(
    _PyExtensibleType_API *api, PyObject *self, PyObject *values);
_PyExtensibleType_PRIVATE PyObject *_PyExtensibleType_get_dir(
    _PyExtensibleType_API *api, PyObject *self);
_PyExtensibleType_PRIVATE PyObject *_PyExtensibleType_get_dict(
    _PyExtensibleType_API *api, PyObject *self);
_PyExtensibleType_PRIVATE PyObject *_PyExtensibleType_CarriedValue(
    _PyExtensibleType_API *api, PyObject *ns, PyObject *values, PyObject *name);

#endif /* Py_CUSTOMSLOTS_RUNTIME_CLASSDICT_H */
