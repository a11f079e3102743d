/* SPDX-License-Identifier: MIT
 *
 * runtime/attributes.c - classes get attributes that may override a function of an interface, or say that a class
 * is a dataclass.
 */
#include "runtime/arguments.h"
#include "runtime/change.h"
#include "runtime/prototypes.h"
#include "runtime/override_tables.h"
#include "runtime/overriding.h"

/* Is it the name of a function that can be overridden? */
static int
_Pycs_NamesFunction(const void *table, const char *name)
{
    const PyCustomSlots_Interface *iface = _Pycs_Overridable(table);
    size_t i;
    for (i = 0; iface != NULL && i < iface->count; i++) {
        if (iface->dispatch[i] != NULL && iface->names[i] != NULL && strcmp(iface->names[i], name) == 0) return 1;
    }
    return 0;
}

/* May an attribute with this name of this class decide what a slot of an interface leads to?  Finishes the class if
   possible.  While the class is about to change, any attribute may: the class may get such a slot.  -1 with an
   exception. */
static int
_Pycs_Matters(_Pycs_API *api, PyTypeObject *type, PyObject *name)
{
    const _Pycs_Refresh *refresh;
    const _Pycs_Record *record;
    const char *text;
    PyObject *mro;
    Py_ssize_t i;
    int found = 0;

    if (_Pycs_LOAD(uintptr_t, api->state->overridable) && _Pycs_FinishType(api, type) < 0) return -1;
    if (!PyUnicode_Check(name) || !_Pycs_HasTable(type) || !_Pycs_IsHeap(type)) return 0;
    if ((_Pycs_LOAD(uintptr_t, &api->state->mixed) & _Pycs_MixedBit(type)) != 0) {
        return 1;
    }
    if (!(text = PyUnicode_AsUTF8(name))) {
        PyErr_Clear();                          /* no function has such a name */
        return 0;
    }
    mro = _Pycs_FetchMro(api, type);
    _Pycs_Lock(api);
    for (refresh = api->state->refreshes; !found && refresh != NULL; refresh = refresh->next) {
        found = mro == NULL || _Pycs_PlaceIn(mro, refresh->change.top, 0) >= 0;
    }
    record = _Pycs_RecordOf(type);
    for (i = 0; !found && record != NULL && record->watched && i < record->count; i++) {
        if (_Pycs_KnownInterface(record->slots[i].id) == NULL) continue;
        found = _Pycs_NamesFunction(record->slots[i].data.pointer, text);
    }
    _Pycs_Unlock(api);
    Py_XDECREF(mro);
    return found;
}

/* Sets the attribute as the next class behind extensibletype in the metaclass's MRO does: `type`, mostly. */
static int
_Pycs_SetBehind(_Pycs_API *api, PyObject *self, PyObject *name, PyObject *value)
{
    PyObject *mro = _Pycs_FetchMro(api, Py_TYPE(self)), *behind = NULL, *result = NULL;
    Py_ssize_t i = 0, n = mro != NULL ? PyTuple_GET_SIZE(mro) : 0;
    int is_type;

    while (i < n && PyTuple_GET_ITEM(mro, i) != (PyObject *)api->metaclass) i++;
    is_type = i + 1 >= n || PyTuple_GET_ITEM(mro, i + 1) == (PyObject *)&PyType_Type;
    Py_XDECREF(mro);
    if (is_type) return PyType_Type.tp_setattro(self, name, value);
    behind = PyObject_CallFunctionObjArgs((PyObject *)&PySuper_Type, (PyObject *)api->metaclass, self, NULL);
    if (behind != NULL) {
        result = value != NULL ? PyObject_CallMethod(behind, "__setattr__", "OO", name, value)
                               : PyObject_CallMethod(behind, "__delattr__", "O", name);
    }
    Py_XDECREF(behind);
    Py_XDECREF(result);
    return result != NULL ? 0 : -1;
}

/* Is this the name of a member of instances?  `members`: the __dataclass_fields__ (a dict of them, but also of
   pseudo-fields, such as a ClassVar) or __attrs_attrs__ (a tuple) of a class.  -1 with an exception. */
static int
_Pycs_HasMember(PyObject *members, PyObject *name)
{
    int found = 0;
    if (PyDict_Check(members)) {
        PyObject *member = PyDict_GetItemWithError(members, name), *kind, *text;
        if (member == NULL) return PyErr_Occurred() ? -1 : 0;
        kind = PyObject_GetAttrString(member, "_field_type");
        text = kind != NULL ? PyObject_Repr(kind) : NULL;
        if (text != NULL) found = PyUnicode_CompareWithASCIIString(text, "_FIELD") == 0;
        Py_XDECREF(kind);
        Py_XDECREF(text);
        return text != NULL ? found : -1;
    }
    if (PyTuple_Check(members)) {
        Py_ssize_t i;
        for (i = 0; !found && i < PyTuple_GET_SIZE(members); i++) {
            PyObject *own = PyObject_GetAttrString(PyTuple_GET_ITEM(members, i), "name");
            if (own == NULL) return -1;
            found = PyUnicode_Check(own) && PyUnicode_Compare(own, name) == 0;
            Py_DECREF(own);
        }
    }
    return found;
}

/* Warns of members of instances that have the names of C fields: C does not read the values of these members.  0,
   or -1 with an exception, which is the warning if the user wants that. */
_Pycs_PRIVATE int
_Pycs_WarnOfMembers(_Pycs_API *api, PyTypeObject *type, PyObject *members)
{
    const _Pycs_FieldEntry *field;
    _Pycs_EACH_FIELD(field, api, Py_TYPE(type)) {
        int status = field->name != NULL && !_Pycs_IsHidden(api, Py_TYPE(type), field)
                     ? _Pycs_HasMember(members, field->name) : 0;
        if (status < 0 && !PyErr_ExceptionMatches(PyExc_AttributeError)) return -1;
        if (status < 0) PyErr_Clear();                  /* it is not what those decorators put there */
        if (status <= 0) continue;
        if (PyErr_WarnFormat(PyExc_RuntimeWarning, 1,
                             "class '%.200s': found '%s' as a member of its instances, which is the name of a C field "
                             "of its metaclass '%.200s', expected another name: C code reads the value of the class, "
                             "Python that of the instance; rename it, or annotate it as a ClassVar",
                             type->tp_name, field->def.name, field->list->metaclass->tp_name) < 0) return -1;
    }
    return 0;
}

/* __setattr__ and __delattr__ (`value` is NULL) of extensibletype. */
_Pycs_PRIVATE int
_Pycs_setattr(_Pycs_API *api, PyObject *self, PyObject *name, PyObject *value)
{
    PyTypeObject *type = (PyTypeObject *)self;
    _Pycs_Refresh refresh;
    int matters, status;

    if (api == NULL) return PyType_Type.tp_setattro(self, name, value);
    if (value != NULL && PyUnicode_Check(name)
            && (PyUnicode_CompareWithASCIIString(name, "__dataclass_fields__") == 0
                || PyUnicode_CompareWithASCIIString(name, "__attrs_attrs__") == 0)
            && _Pycs_WarnOfMembers(api, type, value) < 0) return -1;
    if ((matters = _Pycs_Matters(api, type, name)) < 0) return -1;
    /* All that derive from the class follow, in two steps, like an assignment of __bases__: change.h. */
    if (matters && _Pycs_RefreshPrepare(api, &refresh, type, _Pycs_ATTRIBUTES, 0) < 0) return -1;
    status = _Pycs_SetBehind(api, self, name, value);
    if (!matters) {
        if (status < 0 || _Pycs_Matters(api, type, name) == 0) return status;
        /* Another thread has looked at a class in between, which makes the attribute matter, mostly without
           seeing it. */
        PyErr_Clear();
        _Pycs_RefreshEnter(api, &refresh, type, NULL, _Pycs_ATTRIBUTES);
    }
    if (status == 0) (void)_Pycs_RefreshCommit(api, &refresh, 1);
    else _Pycs_RefreshDiscard(api, &refresh);
    return status;
}
