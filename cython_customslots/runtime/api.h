/* SPDX-License-Identifier: MIT
 *
 * runtime/api.h - what the classes of an interpreter share: objects of the API and of the rendezvous module.
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_API_H
#define Py_CUSTOMSLOTS_RUNTIME_API_H

#include "runtime/state.h"

_PyExtensibleType_PRIVATE int _PyExtensibleType_GetObjects(_PyExtensibleType_State *state);
_PyExtensibleType_PRIVATE PyObject *_PyExtensibleType_TheModule(void);
_PyExtensibleType_PRIVATE PyObject *_PyExtensibleType_KeepInModule(
    PyObject *module, const char *name, PyObject *made);
_PyExtensibleType_PRIVATE void _PyExtensibleType_FreeAPI(_PyExtensibleType_API *api);

#endif /* Py_CUSTOMSLOTS_RUNTIME_API_H */
