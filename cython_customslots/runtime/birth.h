/* SPDX-License-Identifier: MIT
 *
 * runtime/birth.h - how a class comes into being.
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_BIRTH_H
#define Py_CUSTOMSLOTS_RUNTIME_BIRTH_H

#include "runtime/resolve.h"

_Pycs_PRIVATE void _Pycs_FreeBody(_Pycs_Handover *node);
_Pycs_PRIVATE int _Pycs_ReadBody(
    _Pycs_API *api, _Pycs_Handover *node, PyObject *class_name,
    PyObject **kwargs);
_Pycs_PRIVATE void _Pycs_ExplainFailure(
    _Pycs_API *api, PyTypeObject *metaclass, PyObject *class_name, PyObject *kwargs);
_Pycs_PRIVATE void _Pycs_PlaceBody(_Pycs_API *api, _Pycs_Handover *node, PyTypeObject *type);
_Pycs_PRIVATE int _Pycs_RetractBody(_Pycs_API *api, _Pycs_Handover *node);
_Pycs_PRIVATE int _Pycs_FinishBody(_Pycs_API *api, PyTypeObject *type, const _Pycs_Handover *node);

_Pycs_PRIVATE PyObject *_Pycs_alloc(_Pycs_API *api, PyTypeObject *metaclass, Py_ssize_t nitems);
_Pycs_PRIVATE int _Pycs_init(_Pycs_API *api, PyObject *self, PyObject *args, PyObject *kwargs);
_Pycs_PRIVATE PyObject *_Pycs_meta_call(_Pycs_API *api, PyObject *self, PyObject *args, PyObject *kwargs);

#endif /* Py_CUSTOMSLOTS_RUNTIME_BIRTH_H */
