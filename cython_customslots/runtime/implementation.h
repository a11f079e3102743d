/* SPDX-License-Identifier: MIT
 *
 * runtime/implementation.h - this implementation, as one table of functions, and what it creates for
 * the first provider.
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_IMPLEMENTATION_H
#define Py_CUSTOMSLOTS_RUNTIME_IMPLEMENTATION_H

#include "runtime/runtime.h"

_Pycs_PRIVATE const _Pycs_Impl *_Pycs_Mine(void);
_Pycs_PRIVATE _Pycs_Met *_Pycs_NewMet(const _Pycs_Impl *found, uintptr_t verdict);
_Pycs_ENTRY int _Pycs_Meet(_Pycs_API *api);

_Pycs_ENTRY PyObject *_Pycs_CreateModule(void);

#endif /* Py_CUSTOMSLOTS_RUNTIME_IMPLEMENTATION_H */
