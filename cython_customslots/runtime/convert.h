/* SPDX-License-Identifier: MIT
 *
 * runtime/convert.h - values of C fields as Python sees them.
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_CONVERT_H
#define Py_CUSTOMSLOTS_RUNTIME_CONVERT_H

#include "runtime/fields.h"

_PyExtensibleType_PRIVATE _PyExtensibleType_Value *_PyExtensibleType_Convert(
    const char *class_name, const _PyExtensibleType_FieldEntry *field, PyObject *object);
_PyExtensibleType_PRIVATE PyObject *_PyExtensibleType_ReadField(
    _PyExtensibleType_API *api, PyTypeObject *type, const _PyExtensibleType_FieldEntry *field);

#endif /* Py_CUSTOMSLOTS_RUNTIME_CONVERT_H */
