/* SPDX-License-Identifier: MIT
 *
 * runtime/core.h - the part that belongs to the creator for ever, whichever implementation serves.
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_CORE_H
#define Py_CUSTOMSLOTS_RUNTIME_CORE_H

#include "runtime/state.h"

_PyExtensibleType_PRIVATE PyTypeObject *_PyExtensibleType_NewMetaclass(void);
_PyExtensibleType_PRIVATE PyTypeObject *_PyExtensibleType_NewMetaMetaclass(void);
_PyExtensibleType_PRIVATE int _PyExtensibleType_AddNames(PyTypeObject *metaclass);
_PyExtensibleType_PRIVATE void _PyExtensibleType_InitCore(_PyExtensibleType_State *state);
_PyExtensibleType_PRIVATE PyTypeObject *_PyExtensibleType_NewInterfaceMetaclass(
    _PyExtensibleType_API *api);

#endif /* Py_CUSTOMSLOTS_RUNTIME_CORE_H */
