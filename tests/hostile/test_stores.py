# SPDX-License-Identifier: MIT
"""The runtime is compiled with loads and stores that are counted and noted: words that readers take without a lock are
stored in the order that they rely on, and a change takes as many steps as it should."""
import pytest
import support

SOURCE = r"""
#include "customslots.h"

static const void *stored[1000];
static int count;
static long loads;

static void note(const void *place) { if (count < 1000) stored[count++] = place; }

static const void *watched;
static PyObject *called;

/* The load of a place after at_load() calls Python first. */
static void look(const void *place)
{
    PyObject *function = called;
    loads++;
    if (place == NULL || place != watched) return;
    watched = NULL;
    called = NULL;
    Py_XDECREF(PyObject_CallNoArgs(function));
    Py_DECREF(function);
}

#undef _Pycs_STORE
#define _Pycs_STORE(T, p, v) (__atomic_store_n((T *)(p), (v), __ATOMIC_RELEASE), note(p))
#undef _Pycs_LOAD
#define _Pycs_LOAD(T, p) (look(p), __atomic_load_n((T *)(p), __ATOMIC_ACQUIRE))
#include "extensibletype.h"

typedef struct { PyHeapExtensibleTypeObject head; int level; } LevelType;
static PyExtensibleType_Field field = {
    "level", offsetof(LevelType, level), sizeof(int), 1, PyExtensibleType_READABLE | PyExtensibleType_WRITABLE, NULL,
    NULL, NULL, NULL, NULL, NULL, NULL};

/* with_field(): a metaclass that has the field `level` */
static PyObject *with_field(PyObject *self, PyObject *ignored)
{
    PyTypeObject *base = PyExtensibleType_Import(), *made;
    PyType_Slot slots[] = {{Py_tp_base, base}, {0, NULL}};
    PyType_Spec spec = {"storing.LevelType", sizeof(LevelType), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
    (void)self, (void)ignored;
    if (base == NULL || !(made = (PyTypeObject *)PyType_FromSpec(&spec))) return NULL;
#if PY_VERSION_HEX < 0x030C0000
    Py_INCREF((PyObject *)Py_TYPE(base));
    Py_SET_TYPE((PyObject *)made, Py_TYPE(base));
#endif
    if (PyExtensibleType_RegisterFields(made, &field, 1) < 0) Py_CLEAR(made);
    return (PyObject *)made;
}

/* at_load(cls, function): when the subclasses of the class are looked for next */
static PyObject *at_load(PyObject *self, PyObject *arguments)
{
    PyObject *cls;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OO", &cls, &called)) return NULL;
    Py_INCREF(called);
    watched = &((PyTypeObject *)cls)->tp_subclasses;
    Py_RETURN_NONE;
}

static PyObject *loaded(PyObject *self, PyObject *ignored)
{
    const long result = loads;
    (void)self, (void)ignored;
    loads = 0;
    return PyLong_FromLong(result);
}

/* stores(function, ...): what the function stored in its result, a class, as a string of letters */
static PyObject *stores(PyObject *self, PyObject *arguments)
{
    char letters[1001] = "";
    PyObject *function = PyTuple_GET_ITEM(arguments, 0), *rest, *cls = NULL, *result = NULL;
    int i, n = 0;
    (void)self;
    count = 0;
    if ((rest = PyTuple_GetSlice(arguments, 1, PyTuple_GET_SIZE(arguments))) != NULL
            && (cls = PyObject_CallObject(function, rest)) != NULL && PyType_Check(cls)) {
        PyHeapExtensibleTypeObject *t = (PyHeapExtensibleTypeObject *)cls;
        for (i = 0; i < count; i++) {
            if (stored[i] == &t->etp_custom_slots) letters[n++] = 't';
            else if (stored[i] == &t->etp_custom_slot_count) letters[n++] = 'n';
            else if (stored[i] == &t->etp_check) letters[n++] = 'c';
#if _Pycs_STAMPS
            else if (stored[i] == (void *)_Pycs_UPPER((PyTypeObject *)cls)) letters[n++] = 's';
#endif
        }
        result = Py_BuildValue("si", letters, count);
    }
    Py_XDECREF(rest);
    Py_XDECREF(cls);
    return result;
}

static PyObject *with_slots(PyObject *self, PyObject *arguments)
{
    PyObject *cls;
    PyCustomSlot slots[2] = {{257, {0}}, {513, {0}}};
    int n;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "Oi", &cls, &n)) return NULL;
    if (PyExtensibleType_SetSlots((PyTypeObject *)cls, slots, n) < 0) return NULL;
    return Py_NewRef(cls);
}

static PyObject *count_slots(PyObject *self, PyObject *cls)
{
    (void)self;
    return PyLong_FromSsize_t(PyCustomSlots_CountType((PyTypeObject *)cls));
}

static PyMethodDef methods[] = {
    {"stores", stores, METH_VARARGS, NULL}, {"with_slots", with_slots, METH_VARARGS, NULL},
    {"with_field", with_field, METH_NOARGS, NULL}, {"loaded", loaded, METH_NOARGS, NULL},
    {"at_load", at_load, METH_VARARGS, NULL}, {"count", count_slots, METH_O, NULL}, {NULL, NULL, 0, NULL}};
static PyModuleDef module = {PyModuleDef_HEAD_INIT, "storing", NULL, -1, methods, NULL, NULL, NULL, NULL};
PyMODINIT_FUNC PyInit_storing(void)
{
    PyObject *created = PyModule_Create(&module);
    if (created != NULL) PyModule_AddObject(created, "metaclass", Py_XNewRef((PyObject *)PyExtensibleType_Import()));
#ifdef Py_GIL_DISABLED
    if (created != NULL) PyUnstable_Module_SetGIL(created, Py_MOD_GIL_NOT_USED);
#endif
    return created;
}
"""


@pytest.fixture(scope="module")
def storing():
    source = support.write_source(support.cache_directory("storing", SOURCE) / "storing.c", SOURCE)
    return support.build_c("storing", source, carries=True)


def test_a_table_is_stored_before_its_count_both_before_the_check_and_the_stamp_last(storing):
    support.check_child("""
        import re
        from storing import *
        Base = metaclass("Base", (), {})
        Child = metaclass("Child", (Base,), {})
        def rebased(bases):
            Child.__bases__ = bases
            return Child
        Other = metaclass("Other", (), {})
        seen = [stores(metaclass, "New", (Base,), {}), stores(with_slots, Base, 1), stores(with_slots, Base, 2),
                stores(rebased, (Other,)), stores(with_slots, Child, 2), stores(with_slots, Base, 0)]
        for letters, count in seen:
            # One mark of an unfinished class, where it is new; a stamp that is there already is not written again.
            assert re.fullmatch("c?tncs?", letters) and count < 1000, seen
        assert seen[0][0].startswith("c")
        """, modules=[storing])


def test_a_change_below_a_chain_walks_along_the_mro_of_each_class_once(storing):
    """So twice the depth takes four times the steps, and not eight."""
    support.check_child("""
        from storing import *
        Meta = with_field()
        def steps(depth):
            Root, Other = Meta("Root", (), {}), Meta("Other", (), {})
            top = cls = Meta("Top", (Root,), {})
            for i in range(depth): cls = type("C", (cls,), {})
            taken = []
            for change in (lambda: setattr(top, "level", 5), lambda: delattr(top, "level"),
                           lambda: setattr(top, "__bases__", (Other,))):
                loaded()
                change()
                taken.append(loaded())
            return taken
        few, many = steps(60), steps(120)
        assert all(more < 6 * some for some, more in zip(few, many)), (few, many)
        """, modules=[storing])


def test_a_class_that_is_made_between_the_last_look_and_the_commit_has_the_table_of_its_mro(storing):
    """Its base has a new MRO, in which the class that is moved is not any more, and no table for it yet."""
    support.check_child("""
        from storing import *
        class Meta(metaclass):
            moved = None
            def mro(cls):
                if cls.__name__ == "Last" and Meta.moved: at_load(cls, lambda: made.append(Meta("D", (C,), {})))
                return [cls, *Meta.moved.__mro__] if cls.__name__ == "C" and Meta.moved else super().mro()
        made = []
        P, Q = with_slots(Meta("P", (), {}), 1), with_slots(Meta("Q", (), {}), 2)
        B = Meta("B", (P,), {})
        C = Meta("C", (B,), {})
        Last = Meta("Last", (C,), {})
        Meta.moved = Q
        B.__bases__ = (Q,)
        D, = made
        assert D.__mro__ == (D, C, Q, object)
        assert [count(cls) for cls in (B, C, D, Last)] == [2] * 4, [count(cls) for cls in (B, C, D, Last)]
        """, modules=[storing])
