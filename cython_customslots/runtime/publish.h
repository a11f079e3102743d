/* SPDX-License-Identifier: MIT
 *
 * runtime/publish.h - a class gets slots of its own.
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_PUBLISH_H
#define Py_CUSTOMSLOTS_RUNTIME_PUBLISH_H

#include "runtime/runtime.h"

_Pycs_PRIVATE int _Pycs_set_slots(
    _Pycs_API *api, PyTypeObject *type, const PyCustomSlot *own, Py_ssize_t count);
_Pycs_PRIVATE int _Pycs_publish(
    _Pycs_API *api, PyTypeObject *type, const PyCustomSlot *own, Py_ssize_t count);

#endif /* Py_CUSTOMSLOTS_RUNTIME_PUBLISH_H */
