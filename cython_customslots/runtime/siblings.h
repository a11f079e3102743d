/* SPDX-License-Identifier: MIT
 *
 * runtime/siblings.h - providers that are to be bases of one class.
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_SIBLINGS_H
#define Py_CUSTOMSLOTS_RUNTIME_SIBLINGS_H

#include "runtime/runtime.h"

_Pycs_PRIVATE int _Pycs_ShareAmong(_Pycs_API *api, PyObject *bases);

#endif /* Py_CUSTOMSLOTS_RUNTIME_SIBLINGS_H */
