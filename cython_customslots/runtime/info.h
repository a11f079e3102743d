/* SPDX-License-Identifier: MIT
 *
 * runtime/info.h - which implementation serves, and which others it met.
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_INFO_H
#define Py_CUSTOMSLOTS_RUNTIME_INFO_H

#include "runtime/runtime.h"

_Pycs_PRIVATE PyObject *_Pycs_Info(_Pycs_API *api);

#endif /* Py_CUSTOMSLOTS_RUNTIME_INFO_H */
