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
static _PyExtensibleType_API *
_PyExtensibleType_NewAPI(PyTypeObject *root)
{
    _PyExtensibleType_API *api = (_PyExtensibleType_API *)PyMem_RawCalloc(1, sizeof(*api));
    _PyExtensibleType_State *state
        = (_PyExtensibleType_State *)PyMem_RawCalloc(1, sizeof(*state));
    _PyExtensibleType_Met *met = _PyExtensibleType_NewMet(NULL, _PyExtensibleType_MET_CREATED);

    if (api == NULL || state == NULL || met == NULL) {
        PyMem_RawFree(api);
        PyMem_RawFree(state);
        PyMem_RawFree(met);
        PyErr_NoMemory();
        return NULL;
    }
    api->rendezvous_version = _PyExtensibleType_RENDEZVOUS_VERSION;
    api->table_abi = PyCustomSlots_ABI_VERSION;
    api->state_version = _PyExtensibleType_STATE_VERSION;
    api->heaptype_size = (Py_ssize_t)sizeof(PyHeapTypeObject);
    api->type_size = (Py_ssize_t)sizeof(PyHeapExtensibleTypeObject);
    api->metaclass = root;
    api->state = state;
    api->impl = _PyExtensibleType_Mine();
    api->met = met;
    state->interpreter = PyInterpreterState_Get();
    _PyExtensibleType_InitCore(state);
    return api;
}

/* A new API with its metaclass; a new reference to the metaclass, which owns it. */
static PyTypeObject *
_PyExtensibleType_Create(void)
{
    _PyExtensibleType_API *api = NULL;
    PyTypeObject *meta = NULL, *root = NULL;
    PyHeapExtensibleTypeObject *r;
    int done = 0;

    if (!(meta = _PyExtensibleType_NewMetaMetaclass())) goto end;
    if (!(root = _PyExtensibleType_NewMetaclass())) goto end;
    if (_PyExtensibleType_AddNames(root) < 0) goto end;
    if (!(api = _PyExtensibleType_NewAPI(root))) goto end;
    /* From here on the metaclass owns the API and frees it with itself. */
    r = (PyHeapExtensibleTypeObject *)root;
    Py_SET_TYPE((PyObject *)root, meta);
    meta = NULL;
    r->etp_private = api;
    r->etp_check = (uintptr_t)root ^ _PyExtensibleType_ROOT;
    PyType_Modified(root);
    if (_PyExtensibleType_GetObjects(api->state) < 0) goto end;
    done = 1;
end:
    Py_XDECREF((PyObject *)meta);
    if (!done) Py_CLEAR(root);
    return root;
}

/* A module that holds the metaclass and its API; a new reference. */
_PyExtensibleType_ENTRY PyObject *
_PyExtensibleType_CreateModule(void)
{
    PyTypeObject *root = _PyExtensibleType_Create();
    PyObject *capsule = NULL, *module = NULL;

    if (root == NULL) return NULL;
    capsule = PyCapsule_New(((PyHeapExtensibleTypeObject *)root)->etp_private,
                            _PyExtensibleType_CAPSULE, NULL);
    module = capsule != NULL ? PyModule_New(_PyExtensibleType_MODULE) : NULL;
    if (module == NULL
            || PyObject_SetAttrString(module, _PyExtensibleType_ATTRIBUTE, (PyObject *)root) < 0
            || PyObject_SetAttrString(module, _PyExtensibleType_ATTRIBUTE "_meta",
                                      (PyObject *)Py_TYPE(root)) < 0
            || PyObject_SetAttrString(module, "_api", capsule) < 0) {
        Py_CLEAR(module);
    }
    Py_XDECREF(capsule);
    Py_DECREF((PyObject *)root);
    return module;
}
