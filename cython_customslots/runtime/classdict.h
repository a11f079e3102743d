/* SPDX-License-Identifier: MIT
 *
 * runtime/classdict.h - what a class set itself stands in its __dict__.
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_CLASSDICT_H
#define Py_CUSTOMSLOTS_RUNTIME_CLASSDICT_H

#include "runtime/state.h"

/* What a namespace carries under FIELDS; borrowed, NULL with or without an exception. */
static inline PyObject *
_PyExtensibleType_CarriedValues(_PyExtensibleType_API *api, PyObject *ns)
{
    return PyDict_GetItemWithError(ns, api->state->name_fields);
}

_PyExtensibleType_PRIVATE PyObject *_PyExtensibleType_ValuesOfClass(
    _PyExtensibleType_API *api, PyTypeObject *type);
_PyExtensibleType_PRIVATE int _PyExtensibleType_set_values_of_class(
    _PyExtensibleType_API *api, PyObject *self, PyObject *values);
_PyExtensibleType_PRIVATE PyObject *_PyExtensibleType_get_dict(
    _PyExtensibleType_API *api, PyObject *self);
_PyExtensibleType_PRIVATE PyObject *_PyExtensibleType_CarriedValue(
    _PyExtensibleType_API *api, PyObject *ns, PyObject *values, PyObject *name);

#endif /* Py_CUSTOMSLOTS_RUNTIME_CLASSDICT_H */
