/* SPDX-License-Identifier: MIT
 *
 * runtime/body.h - C fields that a class statement gives values.
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_BODY_H
#define Py_CUSTOMSLOTS_RUNTIME_BODY_H

#include "runtime/handover.h"

_Pycs_PRIVATE void _Pycs_FreeBody(_Pycs_Handover *node);
_Pycs_PRIVATE int _Pycs_ReadBody(
    _Pycs_API *api, _Pycs_Handover *node, PyObject *class_name,
    PyObject **kwargs);
_Pycs_PRIVATE void _Pycs_ExplainFailure(
    _Pycs_API *api, PyTypeObject *metaclass, PyObject *class_name, PyObject *kwargs);
_Pycs_PRIVATE void _Pycs_PlaceBody(_Pycs_API *api, _Pycs_Handover *node, PyTypeObject *type);
_Pycs_PRIVATE int _Pycs_RetractBody(_Pycs_API *api, _Pycs_Handover *node);
_Pycs_PRIVATE int _Pycs_FinishBody(_Pycs_API *api, PyTypeObject *type, const _Pycs_Handover *node);

#endif /* Py_CUSTOMSLOTS_RUNTIME_BODY_H */
