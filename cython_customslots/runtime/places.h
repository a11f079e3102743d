/* SPDX-License-Identifier: MIT
 *
 * runtime/places.h - where another process finds the metaclasses that we make.
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_PLACES_H
#define Py_CUSTOMSLOTS_RUNTIME_PLACES_H

#include "runtime/runtime.h"

_Pycs_PRIVATE PyObject *_Pycs_FieldPlace(_Pycs_API *api, PyObject *metaclass, int is_module);

#endif /* Py_CUSTOMSLOTS_RUNTIME_PLACES_H */
