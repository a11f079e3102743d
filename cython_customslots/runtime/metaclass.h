/* SPDX-License-Identifier: MIT
 *
 * runtime/metaclass.h - what stands behind the slots of extensibletype and of its metaclass.
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_METACLASS_H
#define Py_CUSTOMSLOTS_RUNTIME_METACLASS_H

#include "runtime/runtime.h"

_Pycs_PRIVATE PyObject *_Pycs_FieldPlace(_Pycs_API *api, PyObject *metaclass, int is_module);

_Pycs_PRIVATE void _Pycs_dealloc(_Pycs_API *api, PyObject *self);
_Pycs_PRIVATE int _Pycs_traverse(_Pycs_API *api, PyObject *self, visitproc visit, void *arg);
_Pycs_PRIVATE int _Pycs_clear(_Pycs_API *api, PyObject *self);
_Pycs_PRIVATE int _Pycs_meta_clear(_Pycs_API *api, PyObject *self);
_Pycs_PRIVATE PyObject *_Pycs_get(_Pycs_API *api, PyObject *self, int what);
_Pycs_PRIVATE int _Pycs_set(_Pycs_API *api, PyObject *self, int what, PyObject *value);
_Pycs_PRIVATE int _Pycs_meta_init(_Pycs_API *api, PyObject *self, PyObject *args, PyObject *kwargs);
_Pycs_PRIVATE PyObject *_Pycs_meta_getattro(_Pycs_API *api, PyObject *self, PyObject *name);
_Pycs_PRIVATE PyObject *_Pycs_meta_repr(_Pycs_API *api, PyObject *self);
_Pycs_PRIVATE void _Pycs_meta_dealloc(_Pycs_API *api, PyObject *self);
_Pycs_PRIVATE int _Pycs_meta_traverse(_Pycs_API *api, PyObject *self, visitproc visit, void *arg);

#endif /* Py_CUSTOMSLOTS_RUNTIME_METACLASS_H */
