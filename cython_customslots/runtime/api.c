/* SPDX-License-Identifier: MIT
 *
 * runtime/api.c - what the classes of an interpreter share: objects of the API and of the rendezvous module.
 */
#include "runtime/api.h"

#include "runtime/known.h"
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
_PyExtensibleType_PRIVATE int
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

/* The rendezvous module; a new reference, NULL with an exception. */
_PyExtensibleType_PRIVATE PyObject *
_PyExtensibleType_TheModule(void)
{
    PyObject *dict = _PyCustomSlots_StateDict();
    PyObject *module = dict != NULL ? PyMapping_GetItemString(dict, _PyExtensibleType_MODULE) : NULL;
    if (dict == NULL) PyErr_SetString(PyExc_RuntimeError, "extensible types: the interpreter is ending");
    return module;
}

/* The entry of the rendezvous module under a name.  If there was none, `made` becomes it (stolen;
   NULL: an exception is set), so that all threads get the same.  A new reference. */
_PyExtensibleType_PRIVATE PyObject *
_PyExtensibleType_KeepInModule(PyObject *module, const char *name, PyObject *made)
{
    PyObject *kept = made != NULL ? PyObject_CallMethod(PyModule_GetDict(module), "setdefault", "sO", name,
                                                        made) : NULL;
    Py_XDECREF(made);
    return kept;
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
