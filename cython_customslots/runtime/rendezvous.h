/* SPDX-License-Identifier: MIT
 *
 * runtime/rendezvous.h - creates what providers share, for the first one that asks.
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_RENDEZVOUS_H
#define Py_CUSTOMSLOTS_RUNTIME_RENDEZVOUS_H

#include "runtime/runtime.h"

_Pycs_ENTRY PyObject *_Pycs_CreateModule(void);

#endif /* Py_CUSTOMSLOTS_RUNTIME_RENDEZVOUS_H */
