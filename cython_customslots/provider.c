/* SPDX-License-Identifier: MIT
 *
 * provider.c - the module cython_customslots.provider.
 *
 * Joins the rendezvous and shows it to Python: the metaclass, which plain Cython
 * imports from here (provider.pxd), and functions to look at types.  Providers that
 * were built with the compiler list or in C do not need this module.
 */
#include "runtime/info.h"
#include "runtime/fields.h"

#include "extensibletype.h"

static int
expect_type(PyObject *arg, const char *function)
{
    if (PyType_Check(arg)) return 0;
    PyErr_Format(PyExc_TypeError, "%s: found an object of type '%.200s', expected a class",
                 function, Py_TYPE(arg)->tp_name);
    return -1;
}

PyDoc_STRVAR(table_doc,
"table(cls, /)\n--\n\n"
"Return the slot table that answers for instances of *cls*.\n\n"
"A list of (position, id, data), skipped and empty positions included; [] for a class\n"
"without slots.  A class that C code made and that is unfinished is finished.");

static PyObject *
table(PyObject *module, PyObject *arg)
{
    PyObject *list = NULL, *row = NULL;
    Py_ssize_t i, count;
    PyCustomSlot *slots;

    (void)module;
    if (expect_type(arg, "table") < 0) return NULL;
    if (_Pycs_APIOf(Py_TYPE(arg)) != NULL && _Pycs_Finish((PyTypeObject *)arg) < 0) return NULL;
    count = PyCustomSlots_CountType((PyTypeObject *)arg);
    slots = PyCustomSlots_TableType((PyTypeObject *)arg);
    if (!(list = PyList_New(0))) return NULL;
    for (i = 0; i < count; i++) {
        row = Py_BuildValue("nKK", i, (unsigned long long)slots[i].id,
                            (unsigned long long)slots[i].data.flags);
        if (row == NULL || PyList_Append(list, row) < 0) goto bad;
        Py_CLEAR(row);
    }
    return list;
bad:
    Py_XDECREF(row);
    Py_DECREF(list);
    return NULL;
}

PyDoc_STRVAR(layout_doc,
"layout(cls, /)\n--\n\n"
"Return a dict that says how the type object of *cls* is laid out, sizes in bytes.\n\n"
"=============  ============================================================\n"
"metaclass      name of type(cls)\n"
"word_size      ``sizeof(void *)``, the size of a slot's ID and of its data\n"
"heaptype_size  CPython's own part, sizeof(PyHeapTypeObject)\n"
"type_size      that and the five words behind it\n"
"basicsize      the whole type object: type(cls).__basicsize__, or, if cls is a static\n"
"               type made without this library, sizeof(PyTypeObject)\n"
"heap           cls is a heap type\n"
"extensible     instances of cls carry a slot table\n"
"resolved       the table is its own and not answered by a base\n"
"count          entries of the table\n"
"owner_fields   [(metaclass, offset, size)] of the C fields that cls has memory for\n"
"=============  ============================================================");

static PyObject *
layout(PyObject *module, PyObject *arg)
{
    PyTypeObject *type = (PyTypeObject *)arg, *m;
    PyObject *fields = NULL, *row = NULL, *result = NULL;
    int has_memory;

    (void)module;
    if (expect_type(arg, "layout") < 0) return NULL;
    has_memory = _Pycs_HasMemory(type);
    if (!(fields = PyList_New(0))) return NULL;
    if (has_memory && _Pycs_APIOf(Py_TYPE(type)) != NULL) {
        for (m = Py_TYPE(type); m->tp_base != &PyType_Type; m = m->tp_base) {
            Py_ssize_t size = m->tp_basicsize - m->tp_base->tp_basicsize;
            if (size == 0) continue;
            row = Py_BuildValue("snn", m->tp_name, m->tp_base->tp_basicsize, size);
            if (row == NULL || PyList_Insert(fields, 0, row) < 0) goto done;
            Py_CLEAR(row);
        }
    }
    result = Py_BuildValue(
        "{s:s, s:n, s:n, s:n, s:n, s:O, s:O, s:O, s:n, s:O}",
        "metaclass", Py_TYPE(type)->tp_name,
        "word_size", (Py_ssize_t)sizeof(void *),
        "heaptype_size", (Py_ssize_t)sizeof(PyHeapTypeObject),
        "type_size", (Py_ssize_t)sizeof(PyHeapExtensibleTypeObject),
        "basicsize", has_memory ? Py_TYPE(type)->tp_basicsize
                                : (Py_ssize_t)sizeof(PyTypeObject),
        "heap", _Pycs_IsHeap(type) ? Py_True : Py_False,
        "extensible", PyCustomSlots_CheckType(type) ? Py_True : Py_False,
        "resolved", _Pycs_HasTable(type) ? Py_True : Py_False,
        "count", PyCustomSlots_CountType(type),
        "owner_fields", fields);
done:
    Py_XDECREF(row);
    Py_DECREF(fields);
    return result;
}

PyDoc_STRVAR(intern_doc,
"intern(name, /)\n--\n\n"
"Return the process-wide slot ID of a name, as PyCustomSlots_Intern() does in C.");

static PyObject *
intern(PyObject *module, PyObject *arg)
{
    const char *name;
    Py_ssize_t length;
    uintptr_t id;

    (void)module;
    if (!PyUnicode_Check(arg)) {
        return PyErr_Format(PyExc_TypeError, "intern: found an object of type '%.200s', "
                            "expected a str", Py_TYPE(arg)->tp_name);
    }
    if (!(name = PyUnicode_AsUTF8AndSize(arg, &length))) return NULL;
    if (strlen(name) != (size_t)length) {
        PyErr_SetString(PyExc_ValueError, "intern: found a name with a NUL character, "
                        "expected one without: C would see only the part before it");
        return NULL;
    }
    if (!(id = PyCustomSlots_Intern(name))) return NULL;
    return PyLong_FromUnsignedLongLong((unsigned long long)id);
}

/* Sets, or with NULL deletes, a field as Python code does: by name, with conversion. */
static int
set_field_object(PyTypeObject *type, PyObject *name, PyObject *value)
{
    _Pycs_SERVE(-1, set_field_object, type, name, value);
}

/* With or without a value, as the format says. */
static PyObject *
change_field(PyObject *args, const char *format, const char *function)
{
    PyObject *cls, *name, *value = NULL;
    if (!PyArg_ParseTuple(args, format, &cls, &name, &value)) return NULL;
    if (expect_type(cls, function) < 0) return NULL;
    if (set_field_object((PyTypeObject *)cls, name, value) < 0) return NULL;
    Py_RETURN_NONE;
}

PyDoc_STRVAR(set_field_doc,
"set_field(cls, name, value, /)\n--\n\n"
"Give *cls* a value of its own for the C field *name* of its metaclass.\n\n"
"As `cls.name = value` does, but also for static types, whose attributes CPython\n"
"protects.  The field must be one that Python may set.  The value is converted;\n"
"subclasses that inherit the field follow.  With the metaclass that has the field in place\n"
"of a class, the value is that of all classes in whose MRO no class has one.  Raises\n"
"AttributeError for an unknown name, TypeError for a class without C fields, and what the\n"
"conversion raises.");

static PyObject *
set_field(PyObject *module, PyObject *args)
{
    (void)module;
    return change_field(args, "OUO:set_field", "set_field");
}

PyDoc_STRVAR(delete_field_doc,
"delete_field(cls, name, /)\n--\n\n"
"Take away the value that *cls* itself has for the C field *name*: it inherits again, or,\n"
"where no base has a value, has the metaclass's default.\n\n"
"Raises AttributeError if it has no value of its own.");

static PyObject *
delete_field(PyObject *module, PyObject *args)
{
    (void)module;
    return change_field(args, "OU:delete_field", "delete_field");
}

/* ------------------------------ for slotted.py and combining.py, not public -- */

/* _combine((metaclass, ...)): the metaclass that derives from all of them */
static PyObject *
combine(PyObject *module, PyObject *arg)
{
    (void)module;
    return _Pycs_Combine(arg, "combine");
}

/* _set_slots(cls, [(id, data)]) */
static PyObject *
set_slots(PyObject *module, PyObject *args)
{
    PyObject *cls, *rows, *result = NULL;
    PyCustomSlot *slots;
    Py_ssize_t i, count;

    (void)module;
    if (!PyArg_ParseTuple(args, "O!O!:_set_slots", &PyType_Type, &cls, &PyList_Type, &rows)) {
        return NULL;
    }
    count = PyList_GET_SIZE(rows);
    slots = (PyCustomSlot *)PyMem_Calloc((size_t)count + 1, sizeof(*slots));
    if (slots == NULL) return PyErr_NoMemory();
    for (i = 0; i < count; i++) {
        unsigned long long id, data;
        if (!PyArg_ParseTuple(PyList_GET_ITEM(rows, i), "KK:_set_slots", &id, &data)) goto done;
        slots[i].id = (uintptr_t)id;
        slots[i].data.flags = (uintptr_t)data;
    }
    if (PyExtensibleType_SetSlots((PyTypeObject *)cls, slots, count) < 0) goto done;
    Py_INCREF(Py_None);
    result = Py_None;
done:
    PyMem_Free(slots);
    return result;
}

/* _capsule_pointer(obj): the pointer as an int, None for what is no capsule */
static PyObject *
capsule_pointer(PyObject *module, PyObject *arg)
{
    void *pointer;
    (void)module;
    if (!PyCapsule_CheckExact(arg)) Py_RETURN_NONE;
    pointer = PyCapsule_GetPointer(arg, PyCapsule_GetName(arg));
    return pointer != NULL ? PyLong_FromVoidPtr(pointer) : NULL;
}

/* _member_offset(descriptor): (offset, class) of a member descriptor */
static PyObject *
member_offset(PyObject *module, PyObject *arg)
{
    (void)module;
    if (!PyObject_TypeCheck(arg, &PyMemberDescr_Type)) {
        return PyErr_Format(PyExc_TypeError, "_member_offset: found an object of type '%.200s', "
                            "expected a member descriptor", Py_TYPE(arg)->tp_name);
    }
    return Py_BuildValue("nO", ((PyMemberDescrObject *)arg)->d_member->offset,
                         (PyObject *)PyDescr_TYPE(arg));
}

/* For cython_customslots.runtime_info(). */
static PyObject *
runtime(PyObject *module, PyObject *ignored)
{
    _Pycs_API *api = _Pycs_GetAPI();
    (void)module;
    (void)ignored;
    return api != NULL ? _Pycs_Info(api) : NULL;
}

/* For cython_customslots.interface(): the class, or None. */
static PyObject *
interface_class(PyObject *module, PyObject *name)
{
    _Pycs_API *api = _Pycs_GetAPI();
    (void)module;
    return api == NULL ? NULL : _Pycs_IMPL(api)->interface_do(api, _Pycs_DO_NAMED, NULL, name, NULL);
}

/* _fields(metaclass): [(metaclass, name, flags, type, doc)] of the described fields, the most derived
   metaclass first; for stubs.  What fields are is in the state, of the version that this file knows. */
static PyObject *
fields(PyObject *module, PyObject *metaclass)
{
    _Pycs_API *api = _Pycs_GetAPI();
    const PyTypeObject *m = (PyTypeObject *)metaclass;
    const _Pycs_FieldList *added;
    PyObject *list, *row;
    Py_ssize_t i;

    (void)module;
    if (api == NULL || expect_type(metaclass, "_fields") < 0) return NULL;
    if (api->state_version != _Pycs_STATE_VERSION) {
        return PyErr_Format(PyExc_NotImplementedError, "fields: found state version %u, expected %u; run this "
                            "where no module with another version of cython-customslots was imported before",
                            (unsigned)api->state_version, (unsigned)_Pycs_STATE_VERSION);
    }
    if (!(list = PyList_New(0))) return NULL;
    if (!PyType_IsSubtype((PyTypeObject *)metaclass, api->metaclass)) return list;
    for (; m != api->metaclass; m = m->tp_base) {
        added = _Pycs_LOAD(_Pycs_FieldList *, &api->state->field_lists);
        while (added != NULL && added->metaclass != m) added = added->next;
        for (i = 0; added != NULL && i < added->count; i++) {
            const _Pycs_FieldEntry *field = &added->fields[i];
            if (field->def.name == NULL) continue;
            row = Py_BuildValue("OsIiz", (PyObject *)m, field->def.name,
                                field->def.flags, field->def.type, field->def.doc);
            if (row == NULL || PyList_Append(list, row) < 0) Py_CLEAR(list);
            Py_XDECREF(row);
            if (list == NULL) return NULL;
        }
    }
    return list;
}

static PyMethodDef methods[] = {
    {"_fields", fields, METH_O, NULL},
    {"_runtime", runtime, METH_NOARGS, NULL},
    {"_combine", combine, METH_O, NULL},
    {"_interface", interface_class, METH_O, NULL},
    {"_set_slots", set_slots, METH_VARARGS, NULL},
    {"_capsule_pointer", capsule_pointer, METH_O, NULL},
    {"_member_offset", member_offset, METH_O, NULL},
    {"table", table, METH_O, table_doc},
    {"layout", layout, METH_O, layout_doc},
    {"intern", intern, METH_O, intern_doc},
    {"set_field", set_field, METH_VARARGS, set_field_doc},
    {"delete_field", delete_field, METH_VARARGS, delete_field_doc},
    {NULL, NULL, 0, NULL}
};

static int
exec_module(PyObject *module)
{
    PyTypeObject *metaclass = PyExtensibleType_Import();
    if (metaclass == NULL) return -1;
    return PyObject_SetAttrString(module, "extensibletype", (PyObject *)metaclass);
}

static PyModuleDef_Slot module_slots[] = {
    {Py_mod_exec, (void *)(uintptr_t)exec_module},
#ifdef Py_mod_multiple_interpreters
    {Py_mod_multiple_interpreters, Py_MOD_PER_INTERPRETER_GIL_SUPPORTED},
#endif
#ifdef Py_mod_gil
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
    {0, NULL}
};

static struct PyModuleDef module_def = {
    PyModuleDef_HEAD_INIT, "provider",
    "The metaclass of extensible types, and functions to look at their tables.",
    0, methods, module_slots, NULL, NULL, NULL
};

PyMODINIT_FUNC
PyInit_provider(void)
{
    return PyModuleDef_Init(&module_def);
}
