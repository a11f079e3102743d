/* SPDX-License-Identifier: MIT
 *
 * runtime/api.c - what the classes of an interpreter share: objects of the API and of the rendezvous module.
 */
#include "runtime/prototypes.h"

/* A descriptor in type.__dict__ (which is not type.tp_dict: that is NULL from 3.12 on). */
static PyObject *
_Pycs_TypeAttribute(const char *name)
{
    PyObject *dict = PyObject_GetAttrString((PyObject *)&PyType_Type, "__dict__");
    PyObject *value = dict != NULL ? PyMapping_GetItemString(dict, name) : NULL;
    Py_XDECREF(dict);
    return value;
}

/* The objects that the functions need: type's own descriptors, names, and what is answered or kept. */
#define _Pycs_OBJECTS(OBJECT) \
    OBJECT(type_bases, _Pycs_TypeAttribute("__bases__")) \
    OBJECT(type_module, _Pycs_TypeAttribute("__module__")) \
    OBJECT(type_doc, _Pycs_TypeAttribute("__doc__")) \
    OBJECT(type_subclasses, _Pycs_TypeAttribute("__subclasses__")) \
    OBJECT(type_mro, _Pycs_TypeAttribute("__mro__")) \
    OBJECT(type_dict, _Pycs_TypeAttribute("__dict__")) \
    OBJECT(name_module, PyUnicode_InternFromString("__module__")) \
    OBJECT(name_doc, PyUnicode_InternFromString("__doc__")) \
    OBJECT(name_new, PyUnicode_InternFromString("__new__")) \
    OBJECT(name_slots, PyUnicode_InternFromString("__slots__")) \
    OBJECT(name_fields, PyUnicode_InternFromString(_Pycs_FIELDS)) \
    OBJECT(name_interface, PyUnicode_InternFromString(_Pycs_INTERFACE)) \
    OBJECT(name_annotations, PyUnicode_InternFromString("__annotations__")) \
    OBJECT(name_annotate, PyUnicode_InternFromString("__annotate_func__")) \
    OBJECT(name_attrs, PyUnicode_InternFromString("__attrs_attrs__")) \
    OBJECT(metaclass_module, PyUnicode_FromString(_Pycs_MODULE)) \
    OBJECT(metaclass_doc, PyUnicode_FromString( \
        "The metaclass of types with custom slots and C fields (SEP 200).")) \
    OBJECT(adopted_modules, PyDict_New()) \
    OBJECT(texts, PyDict_New())
#define _Pycs_GET(member, made) && (state->member = made) != NULL
#define _Pycs_DROP(member, made) Py_CLEAR(state->member);

/* Gets these objects, which are released with the API.  0, or -1 with an exception. */
_Pycs_PRIVATE int
_Pycs_GetObjects(_Pycs_State *state)
{
    return 1 _Pycs_OBJECTS(_Pycs_GET) ? 0 : -1;
}

/* The entry of the rendezvous module under a name.  If there was none, `made` becomes it (stolen;
   NULL: an exception is set), so that all threads get the same.  A new reference. */
_Pycs_PRIVATE PyObject *
_Pycs_KeepInModule(const char *name, PyObject *made)
{
    PyObject *dict = made != NULL ? _Pycs_NeedStateDict("extensible types") : NULL;
    PyObject *module = dict != NULL ? PyMapping_GetItemString(dict, _Pycs_MODULE) : NULL;
    PyObject *kept = module == NULL ? NULL
                     : PyObject_CallMethod(PyModule_GetDict(module), "setdefault", "sO", name, made);
    Py_XDECREF(made);
    Py_XDECREF(module);
    return kept;
}

/* Answers __module__ and __doc__ of metaclasses, as their dicts say.  An ordinary look-up would find
   the descriptors for classes, which are in the dict of extensibletype, and so in the MRO of each
   metaclass. */
_Pycs_PRIVATE PyObject *
_Pycs_OwnAttribute(_Pycs_API *api, PyObject *self, PyObject *name)
{
    PyObject *value = NULL;
    int is_module;

    if (api == NULL || !PyUnicode_Check(name)) return PyType_Type.tp_getattro(self, name);
    is_module = PyUnicode_Compare(name, api->state->name_module) == 0;
    if (!is_module && PyUnicode_Compare(name, api->state->name_doc) != 0) return PyType_Type.tp_getattro(self, name);
    if (self == (PyObject *)api->metaclass) {
        value = is_module ? api->state->metaclass_module : api->state->metaclass_doc;
    }
    else if (is_module) {
        value = PyDict_GetItemWithError(api->state->adopted_modules, self);
        if (value == NULL && PyErr_Occurred()) return NULL;
    }
    if (value != NULL) return Py_NewRef(value);
    return _Pycs_Delegate(is_module ? api->state->type_module : api->state->type_doc, self);
}

/* Frees an API whose metaclass has died, and with it every class that used it. */
_Pycs_PRIVATE void
_Pycs_FreeAPI(_Pycs_API *api)
{
    _Pycs_State *const state = api->state;
    while (state->field_lists != NULL) {
        _Pycs_FieldList *list = state->field_lists;
        state->field_lists = list->next;
        _Pycs_FreeFieldList(list);
    }
    _Pycs_OBJECTS(_Pycs_DROP)
    while (state->interfaces != NULL) {
        _Pycs_Declaration *declaration = state->interfaces;
        state->interfaces = declaration->next;
        PyMem_RawFree(declaration);
    }
    while (api->met != NULL) {
        _Pycs_Met *met = api->met;
        api->met = met->next;
        PyMem_RawFree(met);
    }
    PyMem_RawFree(state);
    PyMem_RawFree(api);
}
