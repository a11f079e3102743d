/* SPDX-License-Identifier: MIT
 *
 * runtime/rendezvous.c - creates what providers share, for the first one that asks.
 *
 * How they find it: _extensibletype/find.h.
 */
#include "runtime/rendezvous.h"

#include "runtime/core.h"
#include "runtime/implementation.h"
#include "runtime/interfaces.h"
#include "runtime/layers.h"
#include "runtime/layouts.h"
#include "runtime/sidecar.h"
#include "runtime/state.h"

/* A descriptor in type.__dict__ (which is not type.tp_dict: that is NULL from 3.12 on). */
static PyObject *
_PyExtensibleType_TypeAttribute(const char *name)
{
    PyObject *dict = PyObject_GetAttrString((PyObject *)&PyType_Type, "__dict__");
    PyObject *value = dict != NULL ? PyMapping_GetItemString(dict, name) : NULL;
    Py_XDECREF(dict);
    return value;
}

/* Gets the objects that the functions need: type's own descriptors, and names.  0, or -1 with an
   exception; what was got is released with the API. */
static int
_PyExtensibleType_GetObjects(_PyExtensibleType_State *state)
{
    return (state->type_base = _PyExtensibleType_TypeAttribute("__base__"))
           && (state->type_bases = _PyExtensibleType_TypeAttribute("__bases__"))
           && (state->type_module = _PyExtensibleType_TypeAttribute("__module__"))
           && (state->type_doc = _PyExtensibleType_TypeAttribute("__doc__"))
           && (state->type_subclasses = _PyExtensibleType_TypeAttribute("__subclasses__"))
           && (state->type_mro = _PyExtensibleType_TypeAttribute("__mro__"))
           && (state->type_dict = _PyExtensibleType_TypeAttribute("__dict__"))
           && (state->name_module = PyUnicode_InternFromString("__module__"))
           && (state->name_doc = PyUnicode_InternFromString("__doc__"))
           && (state->name_mro = PyUnicode_InternFromString("mro"))
           && (state->name_new = PyUnicode_InternFromString("__new__"))
           && (state->name_slots = PyUnicode_InternFromString("__slots__"))
           && (state->name_fields = PyUnicode_InternFromString(_PyExtensibleType_FIELDS))
           && (state->name_interface = PyUnicode_InternFromString(_PyExtensibleType_INTERFACE))
           && (state->metaclass_module = PyUnicode_FromString(_PyExtensibleType_MODULE))
           && (state->metaclass_doc = PyUnicode_FromString(
                  "The metaclass of types with custom slots and C fields (SEP 200)."))
           && (state->adopted_modules = PyDict_New()) ? 0 : -1;
}

/* Releases what GetObjects() got. */
static void
_PyExtensibleType_DropObjects(_PyExtensibleType_State *state)
{
    Py_CLEAR(state->type_base);
    Py_CLEAR(state->type_bases);
    Py_CLEAR(state->type_module);
    Py_CLEAR(state->type_doc);
    Py_CLEAR(state->type_subclasses);
    Py_CLEAR(state->type_mro);
    Py_CLEAR(state->type_dict);
    Py_CLEAR(state->name_module);
    Py_CLEAR(state->name_doc);
    Py_CLEAR(state->name_mro);
    Py_CLEAR(state->name_new);
    Py_CLEAR(state->name_slots);
    Py_CLEAR(state->name_fields);
    Py_CLEAR(state->name_interface);
    Py_CLEAR(state->metaclass_module);
    Py_CLEAR(state->metaclass_doc);
    Py_CLEAR(state->adopted_modules);
}

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

/* Frees an API whose metaclass has died, and with it every class that used it. */
_PyExtensibleType_PRIVATE void
_PyExtensibleType_FreeAPI(_PyExtensibleType_API *api)
{
    _PyExtensibleType_State *const state = api->state;
    while (state->layers != NULL) {
        _PyExtensibleType_Layer *layer = state->layers;
        state->layers = layer->next;
        _PyExtensibleType_FreeLayer(layer);
    }
    _PyExtensibleType_FreeSettings(state->limbo);
    _PyExtensibleType_DropObjects(state);
    while (state->layouts != NULL) {
        _PyExtensibleType_Layout *layout = state->layouts;
        state->layouts = layout->next;
        _PyExtensibleType_FreeLayout(layout);
    }
    while (state->spares != NULL) {
        _PyExtensibleType_Spare *spare = state->spares;
        state->spares = spare->next;
        PyMem_RawFree(spare);
    }
    while (state->interfaces != NULL) {
        _PyExtensibleType_Known *known = state->interfaces;
        state->interfaces = known->next;
        PyMem_RawFree(known);
    }
    while (api->met != NULL) {
        _PyExtensibleType_Met *met = api->met;
        api->met = met->next;
        PyMem_RawFree(met);
    }
    PyMem_RawFree(state);
    PyMem_RawFree(api);
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
