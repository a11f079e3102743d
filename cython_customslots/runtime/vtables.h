/* SPDX-License-Identifier: MIT
 *
 * runtime/vtables.h - the C methods of objects whose class has several bases from Cython.
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_VTABLES_H
#define Py_CUSTOMSLOTS_RUNTIME_VTABLES_H

#include "runtime/runtime.h"

_Pycs_PRIVATE int _Pycs_ChooseVtable(_Pycs_API *api, PyTypeObject *type);

#endif /* Py_CUSTOMSLOTS_RUNTIME_VTABLES_H */
