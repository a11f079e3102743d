/* SPDX-License-Identifier: MIT
 *
 * runtime/explaining.h - interfaces in words.
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_EXPLAINING_H
#define Py_CUSTOMSLOTS_RUNTIME_EXPLAINING_H

#include "runtime/known.h"

_PyExtensibleType_PRIVATE PyObject *_PyExtensibleType_SignatureOf(
    const PyExtensibleType_InterfaceSpec *spec, size_t place);
_PyExtensibleType_PRIVATE PyObject *_PyExtensibleType_MethodDoc(
    const PyExtensibleType_InterfaceSpec *spec, size_t place);
_PyExtensibleType_PRIVATE PyObject *_PyExtensibleType_TextSignature(PyObject *signature);
_PyExtensibleType_PRIVATE PyObject *_PyExtensibleType_WhyNot(
    const PyExtensibleType_InterfaceSpec *spec, const PyCustomSlot *slot);
_PyExtensibleType_PRIVATE PyObject *_PyExtensibleType_Explain(
    const _PyExtensibleType_API *api, const _PyExtensibleType_Known *known, PyTypeObject *type,
    const PyCustomSlot *slot);

#endif /* Py_CUSTOMSLOTS_RUNTIME_EXPLAINING_H */
