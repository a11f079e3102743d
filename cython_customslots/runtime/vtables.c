/* SPDX-License-Identifier: MIT
 *
 * runtime/vtables.c - the C methods of objects whose class has several bases from Cython.
 *
 * An object has one vtable, which the tp_new of a cdef class puts in, and CPython gives a class the tp_new of its
 * tp_base, whose vtable may lack the methods of another base (docs/vtables.md, "Python classes with several bases", has
 * the example).  Here the class gets the tp_new of the base whose vtable fits all.  (Its tp_dealloc would be found
 * along tp_base only.)  Where none fits, that is a warning, because there are programs that never call those methods.
 */
#include "runtime/prototypes.h"

/* What a vtable slot leads to: docs/abi.md. */
typedef struct {
    size_t size;
    const void *vtable;
    size_t count;
} _Pycs_VtableData;

/* PyType_IsSubtype() for a class that another thread may be about to change. */
static int
_Pycs_DerivesFrom(_Pycs_API *api, PyTypeObject *type, const PyTypeObject *base)
{
    PyObject *mro = _Pycs_FetchMro(api, type);
    const int found = mro != NULL && _Pycs_PlaceIn(mro, base, 0) >= 0;
    Py_XDECREF(mro);
    return found;
}

/* The vtable that a cdef class has itself, or NULL. */
static const void *
_Pycs_OwnVtable(PyTypeObject *type)
{
    PyObject *capsule = type->tp_dict != NULL ? PyDict_GetItemString(type->tp_dict, "__pyx_vtable__") : NULL;
    return capsule != NULL && PyCapsule_IsValid(capsule, NULL) ? PyCapsule_GetPointer(capsule, NULL) : NULL;
}

/* The tp_base of a type with this MRO, borrowed from the MRO; NULL if another thread is about to
   change it: only the pointer is looked at. */
static PyTypeObject *
_Pycs_BaseIn(PyTypeObject *type, PyObject *mro)
{
    PyTypeObject *base = _Pycs_BASE(type);
    return _Pycs_PlaceIn(mro, base, 0) >= 0 ? base : NULL;
}

/* The class in an MRO whose vtable the objects of `type`, which is in the MRO or NULL, get; NULL if they have none. */
static PyTypeObject *
_Pycs_VtableOwner(PyTypeObject *type, PyObject *mro)
{
    Py_ssize_t i;
    for (; type != NULL; type = _Pycs_BaseIn(type, mro)) {
        for (i = 0; i < PyTuple_GET_SIZE(mro); i++) {
            PyTypeObject *owner = (PyTypeObject *)PyTuple_GET_ITEM(mro, i);
            if (owner->tp_new == type->tp_new && _Pycs_OwnVtable(owner) != NULL) return owner;
        }
    }
    return NULL;
}

/* How many entries its own vtable has; 0, with or without an exception, if nothing says so. */
static size_t
_Pycs_VtableCount(PyTypeObject *type)
{
    const _Pycs_VtableData *data = NULL;
    PyObject *text = PyUnicode_FromFormat("cython.vtable:%s", type->tp_name);
    const char *name = text != NULL ? PyUnicode_AsUTF8(text) : NULL;
    const uintptr_t id = name != NULL ? PyCustomSlots_Intern(name) : 0;
    const PyCustomSlot *slot = id != 0 ? PyCustomSlots_FindType(type, id, 0) : NULL;

    if (slot != NULL) data = (const _Pycs_VtableData *)slot->data.pointer;
    Py_XDECREF(text);
    return data != NULL && data->vtable == _Pycs_OwnVtable(type) ? data->count : 0;
}

/* Does a cdef class have C methods that its base lacks, as far as anybody knows?  -1 with an exception. */
static int
_Pycs_HasOwnMethods(PyTypeObject *type)
{
    PyTypeObject *base = _Pycs_BASE(type);
    size_t count, before;

    while (base != NULL && _Pycs_OwnVtable(base) == NULL) base = _Pycs_BASE(base);
    if (base == NULL) return 1;
    count = _Pycs_VtableCount(type);
    before = PyErr_Occurred() ? 0 : _Pycs_VtableCount(base);
    if (PyErr_Occurred()) return -1;
    return before == 0 || count != before
           || memcmp(_Pycs_OwnVtable(type), _Pycs_OwnVtable(base), count * sizeof(void (*)(void))) != 0;
}

/* Looks for the class in an MRO whose vtable fits all classes in it, where the vtable of `has`, which `base`
   brings, does not: *better, NULL if there is none; *left_out: the last class that `has` leaves out, NULL if
   that fits.  0, or -1 with an exception. */
static int
_Pycs_FindVtable(_Pycs_API *api, PyObject *mro, PyTypeObject *base, PyTypeObject *has,
                 PyTypeObject **better, PyTypeObject **left_out)
{
    Py_ssize_t i;
    for (i = 0; i < PyTuple_GET_SIZE(mro); i++) {
        PyTypeObject *other = (PyTypeObject *)PyTuple_GET_ITEM(mro, i);
        int status;
        /* The bases of the base were looked at when the base was made. */
        if (_Pycs_OwnVtable(other) == NULL || _Pycs_DerivesFrom(api, base, other)) continue;
        if (*better == NULL && _Pycs_DerivesFrom(api, other, has)) *better = other;
        if ((status = _Pycs_HasOwnMethods(other)) < 0) return -1;
        if (status == 0) continue;
        *left_out = other;
        if (*better == NULL || !_Pycs_DerivesFrom(api, *better, other)) {
            *better = NULL;
            break;
        }
    }
    return 0;
}

/* Called for a new class with several bases, which has the tp_new of its tp_base.  0, or -1 with an exception. */
_Pycs_PRIVATE int
_Pycs_ChooseVtable(_Pycs_API *api, PyTypeObject *type)
{
    PyTypeObject *base, *has, *better = NULL, *left_out = NULL;
    PyObject *mro = _Pycs_FetchMro(api, type);
    int status = 0;

    if (mro == NULL) return 0;
    base = _Pycs_BaseIn(type, mro);
    if (!(has = _Pycs_VtableOwner(base, mro))) goto done;
    status = _Pycs_FindVtable(api, mro, base, has, &better, &left_out);
    if (status < 0 || left_out == NULL || (better != NULL && type->tp_new == better->tp_new)) goto done;
    if (better != NULL && type->tp_new == base->tp_new) {       /* no __new__ of Python */
        type->tp_new = better->tp_new;
        goto done;
    }
    status = PyErr_WarnFormat(
        PyExc_RuntimeWarning, 1,
        "class '%.200s': found the C methods of base '%.200s' in its objects, expected those of base '%.200s', too, "
        "whose calls in C go to wrong functions; make it the first base, or derive one of the two from the other",
        type->tp_name, has->tp_name, left_out->tp_name);
done:
    Py_DECREF(mro);
    return status;
}
