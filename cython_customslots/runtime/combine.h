/* SPDX-License-Identifier: MIT
 *
 * runtime/combine.h - metaclasses for classes that are extensible and something else, too.
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_COMBINE_H
#define Py_CUSTOMSLOTS_RUNTIME_COMBINE_H

#include "runtime/runtime.h"

/* With n atoms there are 2**n combinations.  Above this number of atoms and metaclasses
   below them, only the one that was asked for is made. */
#define _Pycs_MAX_ATOMS 8

_Pycs_PRIVATE PyObject *_Pycs_PlaceOfCombination(PyObject *metaclass, int is_module);

#endif /* Py_CUSTOMSLOTS_RUNTIME_COMBINE_H */
