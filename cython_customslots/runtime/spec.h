/* SPDX-License-Identifier: MIT
 *
 * runtime/spec.h - heap types from a PyType_Spec, with our metaclass.
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_SPEC_H
#define Py_CUSTOMSLOTS_RUNTIME_SPEC_H

#include "runtime/runtime.h"

_Pycs_PRIVATE PyObject *_Pycs_from_spec(
    _Pycs_API *api, PyTypeObject *metaclass, PyObject *module, PyType_Spec *spec,
    PyObject *bases, const PyCustomSlot *own, Py_ssize_t count);

#endif /* Py_CUSTOMSLOTS_RUNTIME_SPEC_H */
