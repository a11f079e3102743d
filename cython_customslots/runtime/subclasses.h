/* SPDX-License-Identifier: MIT
 *
 * runtime/subclasses.h - the classes below a class.
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_SUBCLASSES_H
#define Py_CUSTOMSLOTS_RUNTIME_SUBCLASSES_H

#include "runtime/runtime.h"

_PyExtensibleType_PRIVATE PyObject *_PyExtensibleType_CollectSubclasses(
    _PyExtensibleType_API *api, PyTypeObject *type);

#endif /* Py_CUSTOMSLOTS_RUNTIME_SUBCLASSES_H */
