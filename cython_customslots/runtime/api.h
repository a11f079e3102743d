/* SPDX-License-Identifier: MIT
 *
 * runtime/api.h - what the classes of an interpreter share: objects of the API and of the rendezvous module.
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_API_H
#define Py_CUSTOMSLOTS_RUNTIME_API_H

#include "runtime/state.h"

/* The functions of the table, each in a file of its own floor. */
#define _Pycs_PROTOTYPE(result, name, arguments) \
    _Pycs_PRIVATE result _Pycs_##name arguments;
_Pycs_FUNCTIONS(_Pycs_PROTOTYPE)

_Pycs_PRIVATE PyObject *_Pycs_OwnAttribute(_Pycs_API *api, PyObject *self, PyObject *name);
_Pycs_PRIVATE int _Pycs_GetObjects(_Pycs_State *state);
_Pycs_PRIVATE PyObject *_Pycs_TheModule(void);
_Pycs_PRIVATE PyObject *_Pycs_KeepInModule(PyObject *module, const char *name, PyObject *made);
_Pycs_PRIVATE void _Pycs_FreeAPI(_Pycs_API *api);

#endif /* Py_CUSTOMSLOTS_RUNTIME_API_H */
