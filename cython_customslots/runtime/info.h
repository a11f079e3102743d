/* SPDX-License-Identifier: MIT
 *
 * runtime/info.h - which implementation serves, and which others it met.
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_INFO_H
#define Py_CUSTOMSLOTS_RUNTIME_INFO_H

#include "runtime/runtime.h"

_PyExtensibleType_PRIVATE PyObject *_PyExtensibleType_Info(_PyExtensibleType_API *api);

#endif /* Py_CUSTOMSLOTS_RUNTIME_INFO_H */
