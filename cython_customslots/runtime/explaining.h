/* SPDX-License-Identifier: MIT
 *
 * runtime/explaining.h - interfaces in words.
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_EXPLAINING_H
#define Py_CUSTOMSLOTS_RUNTIME_EXPLAINING_H

#include "runtime/known.h"

_Pycs_PRIVATE PyObject *_Pycs_SignatureOf(const PyExtensibleType_InterfaceSpec *spec, size_t place);
_Pycs_PRIVATE PyObject *_Pycs_MethodDoc(const PyExtensibleType_InterfaceSpec *spec, size_t place);
_Pycs_PRIVATE PyObject *_Pycs_TextSignature(PyObject *signature);
_Pycs_PRIVATE PyObject *_Pycs_WhyNot(const PyExtensibleType_InterfaceSpec *spec, const PyCustomSlot *slot);
_Pycs_PRIVATE PyObject *_Pycs_Explain(
    const _Pycs_API *api, const _Pycs_Known *known, PyTypeObject *type,
    const PyCustomSlot *slot);

#endif /* Py_CUSTOMSLOTS_RUNTIME_EXPLAINING_H */
