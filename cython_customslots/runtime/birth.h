/* SPDX-License-Identifier: MIT
 *
 * runtime/birth.h - how a class comes into being.
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_BIRTH_H
#define Py_CUSTOMSLOTS_RUNTIME_BIRTH_H

#include "runtime/resolve.h"

_Pycs_PRIVATE PyObject *_Pycs_alloc(_Pycs_API *api, PyTypeObject *metaclass, Py_ssize_t nitems);
_Pycs_PRIVATE int _Pycs_init(_Pycs_API *api, PyObject *self, PyObject *args, PyObject *kwargs);
_Pycs_PRIVATE PyObject *_Pycs_meta_call(_Pycs_API *api, PyObject *self, PyObject *args, PyObject *kwargs);

#endif /* Py_CUSTOMSLOTS_RUNTIME_BIRTH_H */
