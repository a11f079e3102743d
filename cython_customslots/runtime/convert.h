/* SPDX-License-Identifier: MIT
 *
 * runtime/convert.h - values of C fields as Python sees them.
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_CONVERT_H
#define Py_CUSTOMSLOTS_RUNTIME_CONVERT_H

#include "runtime/layers.h"

_PyExtensibleType_PRIVATE void _PyExtensibleType_FreeValue(
    const _PyExtensibleType_FieldEntry *field, char *value);
_PyExtensibleType_PRIVATE char *_PyExtensibleType_Convert(
    const char *class_name, const _PyExtensibleType_FieldEntry *field, PyObject *object);
_PyExtensibleType_PRIVATE PyObject *_PyExtensibleType_ReadField(
    _PyExtensibleType_API *api, PyTypeObject *type, _PyExtensibleType_FieldEntry *field);

#endif /* Py_CUSTOMSLOTS_RUNTIME_CONVERT_H */
