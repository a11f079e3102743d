/* SPDX-License-Identifier: MIT
 *
 * runtime/implementation.h - this implementation, as one table of functions.
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_IMPLEMENTATION_H
#define Py_CUSTOMSLOTS_RUNTIME_IMPLEMENTATION_H

#include "runtime/runtime.h"

_PyExtensibleType_PRIVATE const _PyExtensibleType_Impl *_PyExtensibleType_Mine(void);
_PyExtensibleType_PRIVATE _PyExtensibleType_Met *_PyExtensibleType_NewMet(
    const _PyExtensibleType_Impl *found, uintptr_t verdict);
_PyExtensibleType_ENTRY int _PyExtensibleType_Meet(_PyExtensibleType_API *api);

#endif /* Py_CUSTOMSLOTS_RUNTIME_IMPLEMENTATION_H */
