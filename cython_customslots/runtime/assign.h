/* SPDX-License-Identifier: MIT
 *
 * runtime/assign.h - slots, attributes and __bases__ of a class are set.
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_ASSIGN_H
#define Py_CUSTOMSLOTS_RUNTIME_ASSIGN_H

#include "runtime/runtime.h"

_Pycs_PRIVATE int _Pycs_set_slots(
    _Pycs_API *api, PyTypeObject *type, const PyCustomSlot *own, Py_ssize_t count);
_Pycs_PRIVATE int _Pycs_publish(
    _Pycs_API *api, PyTypeObject *type, const PyCustomSlot *own, Py_ssize_t count);

_Pycs_PRIVATE int _Pycs_set_bases(_Pycs_API *api, PyObject *self, PyObject *value);

#endif /* Py_CUSTOMSLOTS_RUNTIME_ASSIGN_H */
