/* SPDX-License-Identifier: MIT
 *
 * runtime/classdict.h - what a class set itself stands in its __dict__.
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_CLASSDICT_H
#define Py_CUSTOMSLOTS_RUNTIME_CLASSDICT_H

#include "runtime/fields.h"
#include "runtime/state.h"

_Pycs_PRIVATE PyObject *_Pycs_ValuesOfClass(_Pycs_API *api, PyTypeObject *type);
_Pycs_PRIVATE int _Pycs_ExpectOwn(_Pycs_API *api, PyTypeObject *type, PyObject *values);
_Pycs_PRIVATE int _Pycs_ExpectNamed(_Pycs_API *api, PyTypeObject *type, PyObject *values);
_Pycs_PRIVATE int _Pycs_set_values_of_class(_Pycs_API *api, PyObject *self, PyObject *values);
_Pycs_PRIVATE PyObject *_Pycs_get_dir(_Pycs_API *api, PyObject *self);
_Pycs_PRIVATE PyObject *_Pycs_get_dict(_Pycs_API *api, PyObject *self);
_Pycs_PRIVATE PyObject *_Pycs_CarriedValue(_Pycs_API *api, PyObject *ns, PyObject *values, PyObject *name);

#endif /* Py_CUSTOMSLOTS_RUNTIME_CLASSDICT_H */
