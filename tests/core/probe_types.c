/* SPDX-License-Identifier: MIT
 *
 * probe_types.c - types made in every way that C code can make them.
 *
 * A "draft" is a static type object before it is readied: Python builds it, looks at
 * its bytes, readies it, and sees what a failure left behind.
 */
/* Two functions look at what the runtime keeps to itself: where the files of this module leave it out
   (tests/support.py), this is the one that carries it. */
#undef _Pycs_SEPARATE
#undef _Pycs_ENTRY
#define _Pycs_ENTRY _Pycs_HIDDEN
#include "probe.h"

#if defined(__unix__) || defined(__APPLE__)
#  include <sys/mman.h>
#  include <unistd.h>
#endif

const PyVarObject static_head[1] = {PyVarObject_HEAD_INIT(NULL, 0)};

void *
guarded_block(size_t size)
{
#if defined(__unix__) || defined(__APPLE__)
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t body = (size + page - 1) / page * page;
    char *pages = (char *)mmap(NULL, body + page, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == (char *)MAP_FAILED || mprotect(pages + body, page, PROT_NONE) < 0) {
        PyErr_NoMemory();
        return NULL;
    }
    return pages + body - size;      /* what follows is a page that cannot be read */
#else
    void *block = calloc(1, size);
    if (block == NULL) PyErr_NoMemory();
    return block;
#endif
}

/* Programs of many steps run out of pages otherwise. */
static void
free_guarded(void *block, size_t size)
{
#if defined(__unix__) || defined(__APPLE__)
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t body = (size + page - 1) / page * page;
    munmap((char *)block + size - body, body + page);
#else
    (void)size;
    free(block);
#endif
}

const char *
keep_name(const char *name)
{
    char *copy = (char *)malloc(strlen(name) + 1);
    if (copy == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    return strcpy(copy, name);
}

PyCustomSlot *
parse_slots(PyObject *list, Py_ssize_t room, Py_ssize_t *count)
{
    PyCustomSlot *slots;
    Py_ssize_t i;
    if (!PyList_Check(list)) {
        PyErr_SetString(PyExc_TypeError, "slots: expected a list of (id, data)");
        return NULL;
    }
    *count = PyList_GET_SIZE(list);
    if (room < *count) room = *count;
    /* Tight, so that a table that is written or read beyond its end is noticed. */
    slots = (PyCustomSlot *)guarded_block(sizeof(PyCustomSlot) * (size_t)(room ? room : 1));
    for (i = 0; slots != NULL && i < *count; i++) {
        unsigned long long id, data;
        if (!PyArg_ParseTuple(PyList_GET_ITEM(list, i), "KK", &id, &data)) return NULL;
        slots[i].id = (uintptr_t)id;
        slots[i].data.flags = (uintptr_t)data;
    }
    return slots;
}

static PyObject *
import_metaclass(PyObject *module, PyObject *ignored)
{
    PyTypeObject *metaclass = PyExtensibleType_Import();
    Py_XINCREF((PyObject *)metaclass);
    return (PyObject *)metaclass;
}

/* ---------------------------------------------------------------- static types -- */

typedef struct {
    PyHeapExtensibleTypeObject *type;
    PyCustomSlot *array;
    size_t        size;              /* of the type object */
} Draft;

static Draft drafts[4096];
static int draft_count;

/* For PyArg_ParseTuple(). */
static int
to_draft(PyObject *number, void *found)
{
    const long i = PyLong_AsLong(number);
    if (i >= 0 && i < draft_count) *(Draft **)found = &drafts[i];
    else if (!PyErr_Occurred()) PyErr_Format(PyExc_IndexError, "there is no draft %ld", i);
    return i >= 0 && i < draft_count;
}

/* Fills in a zeroed static type object. */
static int
describe(PyTypeObject *type, const char *name, PyObject *bases)
{
    memcpy((void *)type, (const void *)static_head, sizeof(static_head));
    if (!(type->tp_name = keep_name(name))) return -1;
    type->tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE;
    if (PyTuple_GET_SIZE(bases) > 0) {
        type->tp_base = (PyTypeObject *)PyTuple_GET_ITEM(bases, 0);
        Py_INCREF((PyObject *)type->tp_base);
    }
    else {
        type->tp_basicsize = (Py_ssize_t)sizeof(PyObject);
    }
    if (PyTuple_GET_SIZE(bases) > 1) {
        Py_INCREF(bases);
        type->tp_bases = bases;
    }
    if (type->tp_base == NULL || type->tp_base == &PyBaseObject_Type) type->tp_new = PyType_GenericNew;
    return 0;
}

/* draft(name, bases, slots, room, metaclass or None): its number */
static PyObject *
draft(PyObject *module, PyObject *args)
{
    const char *name;
    PyObject *bases, *list, *metaclass;
    Py_ssize_t room, count;
    Draft *d = &drafts[draft_count];

    if (!PyArg_ParseTuple(args, "sO!OnO", &name, &PyTuple_Type, &bases, &list, &room, &metaclass)) return NULL;
    if (draft_count == (int)(sizeof(drafts) / sizeof(drafts[0]))) return PyErr_NoMemory();
    d->size = sizeof(PyHeapExtensibleTypeObject);
    if (metaclass != Py_None && (size_t)((PyTypeObject *)metaclass)->tp_basicsize > d->size) {
        d->size = (size_t)((PyTypeObject *)metaclass)->tp_basicsize;
    }
    d->type = (PyHeapExtensibleTypeObject *)guarded_block(d->size);
    if (d->type == NULL || describe((PyTypeObject *)d->type, name, bases) < 0) return NULL;
    if (metaclass != Py_None) Py_SET_TYPE((PyObject *)d->type, (PyTypeObject *)metaclass);
    if (list != Py_None) {
        if (!(d->array = parse_slots(list, room, &count))) return NULL;
        d->type->etp_custom_slots = d->array;
        d->type->etp_custom_slot_count = count;
    }
    return PyLong_FromLong(draft_count++);
}

static PyObject *
draft_ready(PyObject *module, PyObject *args)
{
    Py_ssize_t size;
    Draft *d;
    if (!PyArg_ParseTuple(args, "O&n", to_draft, &d, &size) || PyExtensibleType_Ready(d->type, size) < 0) return NULL;
    return Py_NewRef((PyObject *)d->type);
}

static PyObject *
draft_bytes(PyObject *module, PyObject *number)
{
    Draft *d;
    return to_draft(number, &d) ? PyBytes_FromStringAndSize((char *)d->type, (Py_ssize_t)d->size) : NULL;
}

static PyObject *
draft_array(PyObject *module, PyObject *args)
{
    Py_ssize_t count;
    Draft *d;
    return PyArg_ParseTuple(args, "O&n", to_draft, &d, &count) ? list_of_slots(d->array, count) : NULL;
}

/* draft_change(number, slots or None, room): another array; None leaves NULL there */
static PyObject *
draft_change(PyObject *module, PyObject *args)
{
    PyObject *list;
    Py_ssize_t room, count = 0;
    Draft *d;
    if (!PyArg_ParseTuple(args, "O&On", to_draft, &d, &list, &room)) return NULL;
    d->array = NULL;
    if (list != Py_None && !(d->array = parse_slots(list, room, &count))) return NULL;
    d->type->etp_custom_slots = d->array;
    d->type->etp_custom_slot_count = count;
    Py_RETURN_NONE;
}

/* A static type by somebody who never heard of extensibletype.h: it owns exactly
   sizeof(PyTypeObject) bytes. */
static PyObject *
foreign_static(PyObject *module, PyObject *args)
{
    const char *name;
    PyObject *bases;
    PyTypeObject *type;
    if (!PyArg_ParseTuple(args, "sO!", &name, &PyTuple_Type, &bases)) return NULL;
    type = (PyTypeObject *)guarded_block(sizeof(PyTypeObject));
    if (type == NULL || describe(type, name, bases) < 0 || PyType_Ready(type) < 0) return NULL;
    return Py_NewRef((PyObject *)type);
}

/* What generated code does for a static class:
   emitted(name, metaclass or None, bases, slots, member=False)
   member: the instances have one that nobody uses */
static PyObject *
emitted(PyObject *module, PyObject *args)
{
    const char *name;
    PyObject *bases, *wanted, *list;
    PyTypeObject tmpl, *metaclass, *type, *base = NULL;
    PyCustomSlot *own;
    Py_ssize_t count, i;
    int heap = 0, member = 0, status;

    if (!PyArg_ParseTuple(args, "sOO!O|p", &name, &wanted, &PyTuple_Type, &bases, &list, &member)) return NULL;
    memset(&tmpl, 0, sizeof(tmpl));
    if (describe(&tmpl, name, bases) < 0) return NULL;
    if (PyTuple_GET_SIZE(bases) == 0) bases = NULL;
    else base = (PyTypeObject *)PyTuple_GET_ITEM(bases, 0);
    metaclass = _Pycs_CalculateMetaclass(wanted == Py_None ? NULL : (PyTypeObject *)wanted, base, bases);
    if (metaclass == NULL) return NULL;
    if (member) {
        tmpl.tp_basicsize = (base != NULL ? base : &PyBaseObject_Type)->tp_basicsize + (Py_ssize_t)sizeof(void *);
        if (base == NULL) tmpl.tp_new = PyType_GenericNew;
    }
    type = _Pycs_NewStatic(&tmpl, metaclass, base, bases);
    if (type == NULL || !(own = parse_slots(list, 0, &count))) return NULL;
    for (i = 0; bases != NULL && i < PyTuple_GET_SIZE(bases); i++) {
        heap |= (((PyTypeObject *)PyTuple_GET_ITEM(bases, i))->tp_flags
                 & Py_TPFLAGS_HEAPTYPE) != 0;
    }
    /* As Cython does: PyType_Ready() refuses heap bases for a static type. */
    i = PyGC_Disable();
    if (heap) type->tp_flags |= Py_TPFLAGS_HEAPTYPE | Py_TPFLAGS_IMMUTABLETYPE;
    status = PyType_Ready(type);
    type->tp_flags &= ~Py_TPFLAGS_HEAPTYPE;
    if (i) PyGC_Enable();
    if (status < 0 || publish_type(type, own, count) < 0) return NULL;
    return Py_NewRef((PyObject *)type);
}

/* ------------------------------------------------------------------ heap types -- */

/* from_spec(name, bases, metaclass or None): by somebody who never heard of us */
static PyObject *
from_spec(PyObject *module, PyObject *args)
{
    const char *name;
    PyObject *bases, *metaclass;
    PyType_Slot slots[1];
    PyType_Spec spec;

    if (!PyArg_ParseTuple(args, "sO!O", &name, &PyTuple_Type, &bases, &metaclass)) return NULL;
    memset(&spec, 0, sizeof(spec));
    memset(slots, 0, sizeof(slots));
    if (!(spec.name = keep_name(name))) return NULL;
    spec.flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE;
    spec.slots = slots;
    if (metaclass == Py_None) return PyType_FromSpecWithBases(&spec, bases);
#if PY_VERSION_HEX >= 0x030C0000
    return PyType_FromMetaclass((PyTypeObject *)metaclass, NULL, &spec, bases);
#else
    PyErr_SetString(PyExc_NotImplementedError, "PyType_FromMetaclass: CPython 3.12");
    return NULL;
#endif
}

static PyObject *
set_slots(PyObject *module, PyObject *args)
{
    PyTypeObject *type;
    PyObject *list;
    PyCustomSlot *own;
    Py_ssize_t count;
    int status;
    if (!PyArg_ParseTuple(args, "O!O", &PyType_Type, &type, &list)) return NULL;
    if (!(own = parse_slots(list, 0, &count))) return NULL;
    status = PyExtensibleType_SetSlots(type, own, count);
    free_guarded(own, sizeof(*own) * (size_t)(count ? count : 1));     /* it was copied */
    if (status < 0) return NULL;
    Py_RETURN_NONE;
}

static PyObject *
finish(PyObject *module, PyObject *type)
{
    if (_Pycs_Finish((PyTypeObject *)type) < 0) return NULL;
    Py_RETURN_NONE;
}

static PyObject *
calculate_metaclass(PyObject *module, PyObject *args)
{
    PyObject *wanted, *bases, *result;
    if (!PyArg_ParseTuple(args, "OO!", &wanted, &PyTuple_Type, &bases)) return NULL;
    result = (PyObject *)_Pycs_CalculateMetaclass(
        wanted == Py_None ? NULL : (PyTypeObject *)wanted, NULL, bases);
    Py_XINCREF(result);
    return result;
}

/* ------------------------------------------------------- a look behind the scenes -- */

/* Which of some C slots has the type in common with another one? */
static PyObject *
same_slots(PyObject *module, PyObject *args)
{
    PyTypeObject *a, *b;
    if (!PyArg_ParseTuple(args, "O!O!", &PyType_Type, &a, &PyType_Type, &b)) return NULL;
    return Py_BuildValue("{s:N, s:N}", "tp_new", PyBool_FromLong(a->tp_new == b->tp_new),
                         "tp_alloc", PyBool_FromLong(a->tp_alloc == b->tp_alloc));
}

#ifdef _Pycs_CARRIES        /* only the implementation knows this */

/* "ready", "unfinished", or "none" for what does not own the five words. */
static PyObject *
state(PyObject *module, PyObject *type)
{
    PyTypeObject *t = (PyTypeObject *)type;
    return PyUnicode_FromString(_Pycs_HasTable(t) ? "ready" : _Pycs_IsUnfinished(t) ? "unfinished" : "none");
}

/* The number of tables that the type keeps for readers that may still use them. */
static PyObject *
retired(PyObject *module, PyObject *type)
{
    _Pycs_Record *record = _Pycs_RecordOf((PyTypeObject *)type);
    Py_ssize_t n = 0;
    for (; record != NULL && record->retired != NULL; record = record->retired) n++;
    return PyLong_FromSsize_t(n);
}

/* Entries that the type's table has in memory. */
static PyObject *
capacity(PyObject *module, PyObject *type)
{
    _Pycs_Record *record = _Pycs_RecordOf((PyTypeObject *)type);
    return PyLong_FromSsize_t(record != NULL ? record->capacity : PyCustomSlots_MIN_CAPACITY);
}

#endif

PyMethodDef types_methods[] = {
    TAKES_NONE(import_metaclass), TAKES_ARGS(draft), TAKES_ARGS(draft_ready), TAKES_ONE(draft_bytes),
    TAKES_ARGS(draft_array), TAKES_ARGS(draft_change), TAKES_ARGS(foreign_static), TAKES_ARGS(emitted),
    TAKES_ARGS(from_spec), TAKES_ARGS(set_slots), TAKES_ONE(finish), TAKES_ARGS(calculate_metaclass),
    TAKES_ARGS(same_slots),
#ifdef _Pycs_CARRIES
    TAKES_ONE(state), TAKES_ONE(retired), TAKES_ONE(capacity),
#endif
    {NULL, NULL, 0, NULL}
};
