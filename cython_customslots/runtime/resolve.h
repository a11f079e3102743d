/* SPDX-License-Identifier: MIT
 *
 * runtime/resolve.h - finishes a class that was filled.
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_RESOLVE_H
#define Py_CUSTOMSLOTS_RUNTIME_RESOLVE_H

#include "runtime/fields.h"
#include "runtime/slots.h"
#include "runtime/state.h"

/* With one base there is nothing to merge, and the base has every layer that any class behind it
   has: a linearisation with this one entry suffices. */
static inline int
_PyExtensibleType_IsSimple(PyObject *bases)
{
    return PyTuple_GET_SIZE(bases) == 1 && PyType_Check(PyTuple_GET_ITEM(bases, 0))
           && _PyCustomSlots_HasMemory((PyTypeObject *)PyTuple_GET_ITEM(bases, 0))
           /* A class without the metaclass may stand between: PyType_FromSpec() makes
              such subclasses before 3.12, and __bases__ assignment allows them. */
           && _PyExtensibleType_APIOf(Py_TYPE(PyTuple_GET_ITEM(bases, 0))) != NULL;
}

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
