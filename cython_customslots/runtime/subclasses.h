/* SPDX-License-Identifier: MIT
 *
 * runtime/subclasses.h - the classes below a class.
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_SUBCLASSES_H
#define Py_CUSTOMSLOTS_RUNTIME_SUBCLASSES_H

#include "runtime/runtime.h"

_Pycs_PRIVATE PyObject *_Pycs_CollectSubclasses(_Pycs_API *api, PyTypeObject *type);

#endif /* Py_CUSTOMSLOTS_RUNTIME_SUBCLASSES_H */
