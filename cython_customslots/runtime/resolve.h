/* SPDX-License-Identifier: MIT
 *
 * runtime/resolve.h - finishes a class that was filled.
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_RESOLVE_H
#define Py_CUSTOMSLOTS_RUNTIME_RESOLVE_H

#include "runtime/fields.h"
#include "runtime/slots.h"
#include "runtime/state.h"

_Pycs_PRIVATE int _Pycs_ResolveAll(_Pycs_API *api, PyObject *bases);
_Pycs_PRIVATE int _Pycs_CorrectFields(
    _Pycs_API *api, PyTypeObject *type, const _Pycs_Mro *mro,
    _Pycs_Value **values);
_Pycs_PRIVATE int _Pycs_ResolveWith(
    _Pycs_API *api, PyTypeObject *type, const PyCustomSlot *own, Py_ssize_t count);
_Pycs_PRIVATE int _Pycs_Resolve(_Pycs_API *api, PyTypeObject *type);
_Pycs_PRIVATE int _Pycs_resolve(_Pycs_API *api, PyTypeObject *type);

#endif /* Py_CUSTOMSLOTS_RUNTIME_RESOLVE_H */
