/* SPDX-License-Identifier: MIT
 *
 * runtime/body.h - C fields that a class statement gives values.
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_BODY_H
#define Py_CUSTOMSLOTS_RUNTIME_BODY_H

#include "runtime/handover.h"

_PyExtensibleType_PRIVATE void _PyExtensibleType_FreeBody(_PyExtensibleType_Handover *node);
_PyExtensibleType_PRIVATE int _PyExtensibleType_ReadBody(
    _PyExtensibleType_API *api, _PyExtensibleType_Handover *node, PyObject *class_name,
    PyObject **kwargs);
_PyExtensibleType_PRIVATE void _PyExtensibleType_ExplainKeywords(
    _PyExtensibleType_API *api, PyTypeObject *metaclass, PyObject *class_name, PyObject *kwargs);
_PyExtensibleType_PRIVATE void _PyExtensibleType_PlaceBody(
    _PyExtensibleType_API *api, _PyExtensibleType_Handover *node, PyTypeObject *type);
_PyExtensibleType_PRIVATE int _PyExtensibleType_RetractBody(
    _PyExtensibleType_API *api, _PyExtensibleType_Handover *node);
_PyExtensibleType_PRIVATE int _PyExtensibleType_FinishBody(
    _PyExtensibleType_API *api, PyTypeObject *type, const _PyExtensibleType_Handover *node);

#endif /* Py_CUSTOMSLOTS_RUNTIME_BODY_H */
