/* SPDX-License-Identifier: MIT
 *
 * runtime/adopt.h - a metaclass becomes one of ours.
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_ADOPT_H
#define Py_CUSTOMSLOTS_RUNTIME_ADOPT_H

#include "runtime/runtime.h"

_Pycs_PRIVATE int _Pycs_Adopt(_Pycs_API *api, PyTypeObject *metaclass);
_Pycs_PRIVATE void _Pycs_MendMetaclass(PyTypeObject *metaclass);
_Pycs_PRIVATE PyTypeObject *_Pycs_calculate_metaclass(
    _Pycs_API *api, PyTypeObject *wanted, PyTypeObject *base, PyObject *bases);
_Pycs_PRIVATE int _Pycs_AdoptNames(_Pycs_API *api, PyTypeObject *metaclass);

#endif /* Py_CUSTOMSLOTS_RUNTIME_ADOPT_H */
