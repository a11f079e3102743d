/* SPDX-License-Identifier: MIT
 *
 * runtime/bases.h - the setter of __bases__.
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_BASES_H
#define Py_CUSTOMSLOTS_RUNTIME_BASES_H

#include "runtime/runtime.h"

_Pycs_PRIVATE int _Pycs_set_bases(_Pycs_API *api, PyObject *self, PyObject *value);

#endif /* Py_CUSTOMSLOTS_RUNTIME_BASES_H */
