/* SPDX-License-Identifier: MIT
 *
 * runtime/answering.h - what the classes that stand for interfaces answer.
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_ANSWERING_H
#define Py_CUSTOMSLOTS_RUNTIME_ANSWERING_H

#include "runtime/runtime.h"

_Pycs_PRIVATE PyObject *_Pycs_interface_do(
    _Pycs_API *api, int what, PyObject *self, PyObject *args, PyObject *kwargs);

#endif /* Py_CUSTOMSLOTS_RUNTIME_ANSWERING_H */
