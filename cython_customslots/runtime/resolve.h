/* SPDX-License-Identifier: MIT
 *
 * runtime/resolve.h - finishes a class that was filled.
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_RESOLVE_H
#define Py_CUSTOMSLOTS_RUNTIME_RESOLVE_H

#include "runtime/fields.h"
#include "runtime/slots.h"
#include "runtime/state.h"

_PyExtensibleType_PRIVATE int _PyExtensibleType_ResolveAll(
    _PyExtensibleType_API *api, PyObject *bases);
_PyExtensibleType_PRIVATE int _PyExtensibleType_CorrectFields(
    _PyExtensibleType_API *api, PyTypeObject *type, const _PyExtensibleType_Mro *mro,
    _PyExtensibleType_FieldWork *work);
_PyExtensibleType_PRIVATE int _PyExtensibleType_ResolveWith(
    _PyExtensibleType_API *api, PyTypeObject *type, const PyCustomSlot *own, Py_ssize_t count);
_PyExtensibleType_PRIVATE int _PyExtensibleType_Resolve(
    _PyExtensibleType_API *api, PyTypeObject *type);
_PyExtensibleType_PRIVATE int _PyExtensibleType_resolve(
    _PyExtensibleType_API *api, PyTypeObject *type);

#endif /* Py_CUSTOMSLOTS_RUNTIME_RESOLVE_H */
