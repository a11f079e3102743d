/* SPDX-License-Identifier: MIT
 *
 * runtime/core.h - the part that belongs to the creator for ever, whichever implementation serves.
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_CORE_H
#define Py_CUSTOMSLOTS_RUNTIME_CORE_H

#include "runtime/state.h"

_Pycs_PRIVATE PyTypeObject *_Pycs_NewMetaclass(void);
_Pycs_PRIVATE PyTypeObject *_Pycs_NewMetaMetaclass(void);
_Pycs_PRIVATE int _Pycs_AddNames(PyTypeObject *metaclass);
_Pycs_PRIVATE void _Pycs_InitCore(_Pycs_State *state);
_Pycs_PRIVATE PyTypeObject *_Pycs_NewInterfaceMetaclass(_Pycs_API *api);

#endif /* Py_CUSTOMSLOTS_RUNTIME_CORE_H */
