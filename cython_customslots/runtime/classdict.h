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
_Pycs_CarriedValues(_Pycs_API *api, PyObject *ns)
{
    return PyDict_GetItemWithError(ns, api->state->name_fields);
}

/* The class whose values without a name are to be copied, according to that entry; a new
   reference, NULL with or without an exception. */
_Pycs_PRIVATE PyTypeObject *_Pycs_CarriedOrigin(_Pycs_API *api, PyObject *values);

/* Copies the value of a field from `origin`, if it set one that does not go by name, to *value, as
   if converted from `object` (or NULL); NULL if there is none.  0, or -1 with an exception. */
_Pycs_PRIVATE int _Pycs_CopyFromOrigin(
    _Pycs_API *api, PyTypeObject *origin, const _Pycs_FieldEntry *field,
    PyObject *object, _Pycs_Value **value);
_Pycs_PRIVATE int _Pycs_FollowOrigin(_Pycs_API *api, PyTypeObject *type, PyTypeObject *origin);
_Pycs_PRIVATE PyObject *_Pycs_ValuesOfClass(_Pycs_API *api, PyTypeObject *type);
_Pycs_PRIVATE int _Pycs_ExpectNamed(_Pycs_API *api, PyTypeObject *type, PyObject *values);
_Pycs_PRIVATE int _Pycs_set_values_of_class(_Pycs_API *api, PyObject *self, PyObject *values);
_Pycs_PRIVATE PyObject *_Pycs_get_dir(_Pycs_API *api, PyObject *self);
_Pycs_PRIVATE PyObject *_Pycs_get_dict(_Pycs_API *api, PyObject *self);
_Pycs_PRIVATE PyObject *_Pycs_CarriedValue(_Pycs_API *api, PyObject *ns, PyObject *values, PyObject *name);

#endif /* Py_CUSTOMSLOTS_RUNTIME_CLASSDICT_H */
