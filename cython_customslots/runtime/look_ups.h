/* SPDX-License-Identifier: MIT
 *
 * runtime/look_ups.h - what tables lead readers to.
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_LOOK_UPS_H
#define Py_CUSTOMSLOTS_RUNTIME_LOOK_UPS_H

#include "runtime/runtime.h"

_Pycs_PRIVATE PyCustomSlot *_Pycs_find_in(PyTypeObject *type, PyCustomSlot *table, uintptr_t id);
_Pycs_PRIVATE PyTypeObject *_Pycs_find_whole(PyTypeObject *type);

#endif /* Py_CUSTOMSLOTS_RUNTIME_LOOK_UPS_H */
