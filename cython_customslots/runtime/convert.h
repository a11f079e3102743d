/* SPDX-License-Identifier: MIT
 *
 * runtime/convert.h - values of C fields as Python sees them.
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_CONVERT_H
#define Py_CUSTOMSLOTS_RUNTIME_CONVERT_H

#include "runtime/fields.h"

_Pycs_PRIVATE _Pycs_Value *_Pycs_Convert(
    const char *class_name, const _Pycs_FieldEntry *field, PyObject *object);
_Pycs_PRIVATE PyObject *_Pycs_ReadField(_Pycs_API *api, PyTypeObject *type, const _Pycs_FieldEntry *field);

#endif /* Py_CUSTOMSLOTS_RUNTIME_CONVERT_H */
