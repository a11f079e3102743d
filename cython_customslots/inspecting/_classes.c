/* SPDX-License-Identifier: MIT
 *
 * _classes.c - what a class of this process carries, as C sees it: for classes.py.
 *
 * Nothing here changes what is looked at, finishes a class, or brings an implementation along.  This
 * code reads as every reader does, by the headers, and trusts what readers trust.
 */
#define PY_SSIZE_T_CLEAN
#if defined(__linux__) && !defined(_GNU_SOURCE)
#  define _GNU_SOURCE
#endif
#include "typedmethod.h"
#include "../typed/_reasons.h"
#if _Pycs_SUPPORTED
#  include "runtime/fields.h"
#endif

#if defined(_WIN32)
#  include <windows.h>
#else
#  include <dlfcn.h>
#endif

/* Appends a new reference, or what failed.  0, or -1 with an exception. */
static int
append(PyObject *list, PyObject *item)
{
    const int status = item != NULL ? PyList_Append(list, item) : -1;
    Py_XDECREF(item);
    return status;
}

static PyObject *
text_of(const char *text)
{
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
}

/* --------------------------------------------------------------------------- slots -- */

PyDoc_STRVAR(table_doc,
"table(cls, /)\n--\n\n"
"Return (state, [(id, data)]) of a class: \"finished\", \"unfinished\", \"answered\" by the table of a base\n"
"or \"\", and the table that answers for it.");

static PyObject *
table(PyObject *module, PyObject *arg)
{
    const char *state = "";
    PyObject *rows = PyList_New(0);
    (void)module;
#if _Pycs_SUPPORTED
    {
        PyTypeObject *type = (PyTypeObject *)arg;
        const PyCustomSlot *slot = PyCustomSlots_TableType(type);
        if (PyCustomSlots_CheckType(type)) state = _Pycs_HasTable(type) ? "finished" : "answered";
        if (_Pycs_IsUnfinished(type)) state = "unfinished";
        for (; rows != NULL && slot != NULL && slot->id != PyCustomSlots_EMPTY; slot++) {
            if (append(rows, Py_BuildValue("KK", (unsigned long long)slot->id,
                                           (unsigned long long)slot->data.flags)) < 0) Py_CLEAR(rows);
        }
    }
#else
    (void)arg;
#endif
    return rows != NULL ? Py_BuildValue("sN", state, rows) : NULL;
}

/* find(cls, id): what a look-up in the table finds, None if nothing */
static PyObject *
find(PyObject *module, PyObject *args)
{
    PyObject *cls;
    unsigned long long id;
    const PyCustomSlot *slot;
    (void)module;
    if (!PyArg_ParseTuple(args, "O!K:find", &PyType_Type, &cls, &id)) return NULL;
    slot = PyCustomSlots_FindType((PyTypeObject *)cls, (uintptr_t)id, 0);
    if (slot == NULL) Py_RETURN_NONE;
    return PyLong_FromUnsignedLongLong((unsigned long long)slot->data.flags);
}

/* A loop over the entries of the table of the process under keys of one kind. */
#define EACH_CELL(cells, i, kind)                                                                     \
    for (i = 0; cells != NULL && i <= cells->mask; i++)                                               \
        if ((_Pycs_LOAD(uintptr_t, &cells->cells[i].key) & _Pycs_KEY_KIND) == (kind))

/* names(): {ID: name} of all IDs that were interned.  RuntimeError: something else took the place of the table. */
static PyObject *
names(PyObject *module, PyObject *ignored)
{
    _Pycs_ProcessTable *table = _Pycs_GetTable("inspect");
    PyObject *found = table != NULL ? PyDict_New() : NULL, *key, *text;
    const _Pycs_Cells *cells = found != NULL ? _Pycs_LOAD(_Pycs_Cells *, &table->cells) : NULL;
    size_t i;
    (void)module;
    (void)ignored;
    EACH_CELL(cells, i, _Pycs_KEY_NAME) {
        const _Pycs_Name *name = (const _Pycs_Name *)_Pycs_LOAD(const void *, &cells->cells[i].value);
        for (; found != NULL && name != NULL; name = name->next) {
            key = PyLong_FromVoidPtr((void *)(uintptr_t)name);
            text = PyUnicode_DecodeUTF8(name->text, (Py_ssize_t)name->length, "replace");
            if (key == NULL || text == NULL || PyDict_SetItem(found, key, text) < 0) Py_CLEAR(found);
            Py_XDECREF(key);
            Py_XDECREF(text);
        }
    }
    return found;
}

/* registered(cls): [(id, data)] of the slots that were registered for exactly this class */
static PyObject *
registered(PyObject *module, PyObject *cls)
{
    _Pycs_ProcessTable *table = _Pycs_GetTable(NULL);
    const _Pycs_Cells *cells = table != NULL ? _Pycs_LOAD(_Pycs_Cells *, &table->cells) : NULL;
    PyObject *found = PyList_New(0);
    size_t i;
    (void)module;
    EACH_CELL(cells, i, _Pycs_KEY_SLOTS) {
        const _Pycs_Entry *entry = (const _Pycs_Entry *)_Pycs_LOAD(const void *, &cells->cells[i].value);
        for (; found != NULL && entry != NULL; entry = entry->next) {
            PyTypeObject *const *referent = _Pycs_LOAD(PyTypeObject *const *, &entry->referent);
            if ((PyObject *)entry->type != cls || referent == NULL || (PyObject *)*referent != cls) continue;
            if (append(found, Py_BuildValue("KK", (unsigned long long)entry->slot.id,
                                            (unsigned long long)entry->slot.data.flags)) < 0) Py_CLEAR(found);
        }
    }
    return found;
}

PyDoc_STRVAR(interface_doc,
"interface(id, data, /)\n--\n\n"
"Return (position, name, [(name, signature, overridden)], base) for a slot that holds the functions of an\n"
"interface: *base* is the table that a class of Python made this one of, or 0.  (position,) for functions\n"
"without a description, None if this is the ID of no interface.");

static PyObject *
interface_of(PyObject *module, PyObject *args)
{
    unsigned long long id, data;
    _Pycs_ProcessTable *table;
    const _Pycs_Cells *cells;
    const _Pycs_InterfaceNode *node;
    const PyCustomSlots_Interface *iface;
    const PyCustomSlots_Function *functions, *base;
    PyObject *rows;
    char line[_Pycs_LONGEST_LINE];
    size_t i;

    (void)module;
    if (!PyArg_ParseTuple(args, "KK:interface", &id, &data)) return NULL;
    table = _Pycs_GetTable(NULL);
    cells = table != NULL ? _Pycs_LOAD(_Pycs_Cells *, &table->cells) : NULL;
    node = cells == NULL ? NULL : _Pycs_SameInterface(
        _Pycs_ValueOf((_Pycs_Cells *)(uintptr_t)cells, _Pycs_InterfaceKey((uintptr_t)id)), (uintptr_t)id);
    if (node == NULL) Py_RETURN_NONE;
    functions = (const PyCustomSlots_Function *)(uintptr_t)data;
    if (!(iface = PyCustomSlots_InterfaceOf(functions))) return Py_BuildValue("(n)", node->position);
    base = (const PyCustomSlots_Function *)iface->base;
    if (!(rows = PyList_New(0))) return NULL;
    for (i = 0; rows != NULL && i < iface->count; i++) {
        const char *name = iface->names != NULL && iface->names[i] != NULL ? iface->names[i] : "?";
        _Pycs_LineText(iface, i, line);
        if (append(rows, Py_BuildValue("NNO", text_of(name), text_of(line),
                                       base != NULL && base[i] != functions[i] ? Py_True : Py_False)) < 0) {
            Py_CLEAR(rows);
        }
    }
    if (rows == NULL) return NULL;
    return Py_BuildValue("nNNK", node->position, text_of(iface->name != NULL ? iface->name : "?"), rows,
                         (unsigned long long)(uintptr_t)base);
}

/* capsule(obj): (pointer, name) of a capsule, None for any other object */
static PyObject *
capsule(PyObject *module, PyObject *obj)
{
    const char *name;
    (void)module;
    if (!PyCapsule_CheckExact(obj)) Py_RETURN_NONE;
    name = PyCapsule_GetName(obj);
    return Py_BuildValue("Kz", (unsigned long long)(uintptr_t)PyCapsule_GetPointer(obj, name), name);
}

/* dlpack_versions(address): a list of (major, minor), the versions of a DLPack table, which begins with its version,
   and of the older tables that it leads to */
static PyObject *
dlpack_versions(PyObject *module, PyObject *address)
{
    typedef struct Exchange { uint32_t major, minor; const struct Exchange *former; } Exchange;
    const Exchange *here = (const Exchange *)PyLong_AsVoidPtr(address);
    PyObject *found = here != NULL || !PyErr_Occurred() ? PyList_New(0) : NULL;
    (void)module;
    /* (Small numbers are no address.) */
    for (; found != NULL && (uintptr_t)here >= 4096 && PyList_GET_SIZE(found) < 17; here = here->former) {
        if (append(found, Py_BuildValue("II", here->major, here->minor)) < 0) Py_CLEAR(found);
    }
    return found;
}

/* -------------------------------------------------------------------------- fields -- */

#if _Pycs_SUPPORTED
static int
is_own(const _Pycs_API *api, PyTypeObject *type, const _Pycs_FieldEntry *field)
{
    const _Pycs_Sidecar *sidecar = (const _Pycs_Sidecar *)_Pycs_LOAD(void *, &_Pycs_CAST(type)->etp_extension);
    const Py_ssize_t place = field->def.offset - api->type_size;
    const char *value = (const char *)type + field->def.offset, *noted;
    Py_ssize_t i = 0;

    if (sidecar != NULL && sidecar->marks[place] != 0) return 1;
    if (field->kind == _Pycs_HOOKS) return 0;
    noted = sidecar != NULL ? (const char *)(sidecar + 1) + place
                            : field->list->defaults + field->def.offset - field->list->offset;
    if (memcmp(value, noted, (size_t)field->def.size) == 0) return 0;
    while (i < field->def.size && value[i] == 0) i++;
    return sidecar != NULL || i < field->def.size;
}
#endif

PyDoc_STRVAR(fields_doc,
"fields(cls, /)\n--\n\n"
"Return [(metaclass, name, offset, size, type, flags, hooked, doc, bytes, own)] of the C fields that a\n"
"class has: name None for bytes that nobody described, *own* if the class set the value itself.\n"
"NotImplementedError if the state is of another version.");

static PyObject *
fields(PyObject *module, PyObject *arg)
{
    PyObject *rows = PyList_New(0);
#if _Pycs_SUPPORTED
    PyTypeObject *type = (PyTypeObject *)arg;
    _Pycs_API *api = _Pycs_HasTable(type) || _Pycs_IsUnfinished(type) ? _Pycs_APIOf(Py_TYPE(type)) : NULL;
    PyTypeObject *m;
    const _Pycs_FieldList *fields;
    Py_ssize_t i;

    if (rows != NULL && api != NULL && (api->rendezvous_version != _Pycs_RENDEZVOUS_VERSION
                                        || api->state_version != _Pycs_STATE_VERSION)) {
        PyErr_Format(PyExc_NotImplementedError, "C fields cannot be told: found rendezvous %u, state version %u, "
                     "expected %u and %u; use a later cython-customslots", (unsigned)api->rendezvous_version,
                     (unsigned)api->state_version, _Pycs_RENDEZVOUS_VERSION, _Pycs_STATE_VERSION);
        Py_CLEAR(rows);
    }
    for (m = Py_TYPE(type); rows != NULL && api != NULL && m != api->metaclass; m = m->tp_base) {
        fields = _Pycs_LOAD(_Pycs_FieldList *, &api->state->field_lists);
        while (fields != NULL && fields->metaclass != m) fields = fields->next;
        for (i = 0; rows != NULL && fields != NULL && i < fields->count; i++) {
            const _Pycs_FieldEntry *field = &fields->fields[i];
            if (append(rows, Py_BuildValue(
                    "OznniIOzy#O", (PyObject *)m, field->def.name, field->def.offset, field->def.size,
                    field->def.type, field->def.flags, field->kind == _Pycs_HOOKS ? Py_True : Py_False,
                    field->def.doc, (const char *)type + field->def.offset, field->def.size,
                    is_own(api, type, field) ? Py_True : Py_False)) < 0) Py_CLEAR(rows);
        }
    }
#else
    (void)arg;
#endif
    (void)module;
    return rows;
}

/* serving(metaclass): the implementation, as text; None: the metaclass does not derive from extensibletype */
static PyObject *
serving(PyObject *module, PyObject *metaclass)
{
    (void)module;
#if _Pycs_SUPPORTED
    {
        const _Pycs_API *api = _Pycs_APIOf((PyTypeObject *)metaclass);
        const _Pycs_Impl *impl = api != NULL ? _Pycs_LOAD(const _Pycs_Impl *, &api->impl) : NULL;
        if (impl != NULL) {
            return PyUnicode_FromFormat("%u.%u.%u of %s", (unsigned)(impl->number >> 24),
                                        (unsigned)(impl->number >> 12 & 0xFFF), (unsigned)(impl->number & 0xFFF),
                                        impl->module[0] ? impl->module : "a module that does not say its name");
        }
    }
#else
    (void)metaclass;
#endif
    Py_RETURN_NONE;
}

/* ------------------------------------------------------------------------- others -- */

/* name(cls): the name that C knows */
static PyObject *
name(PyObject *module, PyObject *cls)
{
    (void)module;
    return text_of(((PyTypeObject *)cls)->tp_name);
}

PyDoc_STRVAR(file_of_doc,
"file_of(address, /)\n--\n\n"
"Return the path of the program or library whose code or static data lies there; None if it is in\n"
"none, as what was allocated.");

static PyObject *
file_of(PyObject *module, PyObject *arg)
{
    void *address = PyLong_AsVoidPtr(arg);
    (void)module;
    if (address == NULL && PyErr_Occurred()) return NULL;
#if defined(_WIN32)
    {
        HMODULE library;
        wchar_t path[1024];
        DWORD length;
        if (!GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS
                                    | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT,
                                (LPCWSTR)address, &library)) Py_RETURN_NONE;
        length = GetModuleFileNameW(library, path, 1024);
        if (length == 0 || length == 1024) Py_RETURN_NONE;
        return PyUnicode_FromWideChar(path, (Py_ssize_t)length);
    }
#else
    {
        Dl_info found;
        if (!dladdr(address, &found) || found.dli_fname == NULL) Py_RETURN_NONE;
        return PyUnicode_DecodeFSDefault(found.dli_fname);
    }
#endif
}

PyDoc_STRVAR(signatures_doc,
"signatures(callable, /)\n--\n\n"
"Return a tuple of the signatures under which C finds something, as typed.signatures() does for what\n"
"has a record, but without the module of typed functions, which brings an implementation along.");

/* why_not(callable): why C finds nothing at all */
static PyObject *
why_not(PyObject *module, PyObject *arg)
{
    (void)module;
    return why_not_found(arg, PyTypedMethod_SIG(PyTypedMethod_VOID));
}

static PyMethodDef methods[] = {
    {"table", table, METH_O, table_doc},
    {"find", find, METH_VARARGS, NULL},
    {"names", names, METH_NOARGS, NULL},
    {"registered", registered, METH_O, NULL},
    {"interface", interface_of, METH_VARARGS, interface_doc},
    {"capsule", capsule, METH_O, NULL},
    {"dlpack_versions", dlpack_versions, METH_O, NULL},
    {"fields", fields, METH_O, fields_doc},
    {"serving", serving, METH_O, NULL},
    {"name", name, METH_O, NULL},
    {"file_of", file_of, METH_O, file_of_doc},
    {"signatures", signatures, METH_O, signatures_doc},
    {"why_not", why_not, METH_O, NULL},
    {NULL, NULL, 0, NULL}
};

static PyModuleDef_Slot module_slots[] = {
#ifdef Py_mod_multiple_interpreters
    {Py_mod_multiple_interpreters, Py_MOD_PER_INTERPRETER_GIL_SUPPORTED},
#endif
#ifdef Py_mod_gil
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
    {0, NULL}
};

static struct PyModuleDef module_def = {
    PyModuleDef_HEAD_INIT, "_classes", "What a class of this process carries, as C sees it.",
    0, methods, module_slots, NULL, NULL, NULL
};

PyMODINIT_FUNC
PyInit__classes(void)
{
    return PyModuleDef_Init(&module_def);
}
