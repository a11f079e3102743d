/* SPDX-License-Identifier: MIT
 *
 * runtime/rendezvous.c - creates what providers share, for the first one that asks.
 *
 * How they find it: _extensibletype/find.h.
 */
#include "runtime/rendezvous.h"

#include "runtime/api.h"
#include "runtime/core.h"
#include "runtime/implementation.h"
#include "runtime/state.h"

/* A new API, served by this implementation; NULL with a MemoryError.  `root` is to own it. */
static _Pycs_API *
_Pycs_NewAPI(PyTypeObject *root)
{
    _Pycs_API *api = (_Pycs_API *)PyMem_RawCalloc(1, sizeof(*api));
    _Pycs_State *state
        = (_Pycs_State *)PyMem_RawCalloc(1, sizeof(*state));
    _Pycs_Met *met = _Pycs_NewMet(NULL, _Pycs_MET_CREATED);

    if (api == NULL || state == NULL || met == NULL) {
        PyMem_RawFree(api);
        PyMem_RawFree(state);
        PyMem_RawFree(met);
        PyErr_NoMemory();
        return NULL;
    }
    api->rendezvous_version = _Pycs_RENDEZVOUS_VERSION;
    api->table_abi = PyCustomSlots_ABI_VERSION;
    api->state_version = _Pycs_STATE_VERSION;
    api->heaptype_size = (Py_ssize_t)sizeof(PyHeapTypeObject);
    api->type_size = (Py_ssize_t)sizeof(PyHeapExtensibleTypeObject);
    api->metaclass = root;
    api->state = state;
    api->impl = _Pycs_Mine();
    api->met = met;
    state->interpreter = PyInterpreterState_Get();
    _Pycs_InitCore(state);
    return api;
}

/* A new API with its metaclass; a new reference to the metaclass, which owns it. */
static PyTypeObject *
_Pycs_Create(void)
{
    _Pycs_API *api = NULL;
    PyTypeObject *meta = NULL, *root = NULL;
    PyHeapExtensibleTypeObject *r;
    int done = 0;

    if (!(meta = _Pycs_NewMetaMetaclass())) goto end;
    if (!(root = _Pycs_NewMetaclass())) goto end;
    if (_Pycs_AddNames(root) < 0) goto end;
    if (!(api = _Pycs_NewAPI(root))) goto end;
    /* From here on the metaclass owns the API and frees it with itself. */
    r = (PyHeapExtensibleTypeObject *)root;
    Py_SET_TYPE((PyObject *)root, meta);
    meta = NULL;
    r->etp_private = api;
    r->etp_check = (uintptr_t)root ^ _Pycs_ROOT;
    PyType_Modified(root);
    if (_Pycs_GetObjects(api->state) < 0) goto end;
    done = 1;
end:
    Py_XDECREF((PyObject *)meta);
    if (!done) Py_CLEAR(root);
    return root;
}

/* A module that holds the metaclass and its API; a new reference. */
_Pycs_ENTRY PyObject *
_Pycs_CreateModule(void)
{
    PyTypeObject *root = _Pycs_Create();
    PyObject *capsule = NULL, *module = NULL;

    if (root == NULL) return NULL;
    capsule = PyCapsule_New(((PyHeapExtensibleTypeObject *)root)->etp_private, _Pycs_CAPSULE, NULL);
    module = capsule != NULL ? PyModule_New(_Pycs_MODULE) : NULL;
    if (module == NULL
            || PyObject_SetAttrString(module, _Pycs_ATTRIBUTE, (PyObject *)root) < 0
            || PyObject_SetAttrString(module, _Pycs_ATTRIBUTE "_meta",
                                      (PyObject *)Py_TYPE(root)) < 0
            || PyObject_SetAttrString(module, "_api", capsule) < 0) {
        Py_CLEAR(module);
    }
    Py_XDECREF(capsule);
    Py_DECREF((PyObject *)root);
    return module;
}
