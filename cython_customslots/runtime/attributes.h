/* SPDX-License-Identifier: MIT
 *
 * runtime/attributes.h - attributes of classes that override functions of interfaces.
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_ATTRIBUTES_H
#define Py_CUSTOMSLOTS_RUNTIME_ATTRIBUTES_H

#include "runtime/runtime.h"

_Pycs_PRIVATE int _Pycs_setattr(_Pycs_API *api, PyObject *self, PyObject *name, PyObject *value);

#endif /* Py_CUSTOMSLOTS_RUNTIME_ATTRIBUTES_H */
