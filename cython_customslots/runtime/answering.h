/* SPDX-License-Identifier: MIT
 *
 * runtime/answering.h - what the classes that stand for interfaces answer.
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_ANSWERING_H
#define Py_CUSTOMSLOTS_RUNTIME_ANSWERING_H

#include "runtime/runtime.h"

_PyExtensibleType_PRIVATE PyObject *_PyExtensibleType_interface_do(
    _PyExtensibleType_API *api, int what, PyObject *self, PyObject *args, PyObject *kwargs);

#endif /* Py_CUSTOMSLOTS_RUNTIME_ANSWERING_H */
