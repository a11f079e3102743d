/* SPDX-License-Identifier: MIT
 *
 * A module that makes heap types with PyExtensibleType_FromSpec(), and a metaclass with
 * C fields for them.  See test_from_spec.py.
 */
#include "extensibletype.h"
#include <structmember.h>
#include "../module.h"

typedef struct {
    PyHeapExtensibleTypeObject head;
    long answer;
    double weights[9];              /* long enough to reach behind several members */
} AnswerType;

typedef struct {
    PyObject_HEAD
    PyObject *object;
    long number;
} Instance;

static PyTypeObject *AnswerMeta;

static PyMemberDef members[] = {
    {"object", T_OBJECT, offsetof(Instance, object), 0, NULL},
    {"number", T_LONG, offsetof(Instance, number), 0, NULL},
    {NULL, 0, 0, 0, NULL}
};

static PyObject *
answer(PyObject *self, PyObject *ignored)
{
    AnswerType *fields = (AnswerType *)PyExtensibleType_Fields(Py_TYPE(self), AnswerMeta);
    if (fields == NULL) Py_RETURN_NONE;
    return PyLong_FromLong(fields->answer);
}

static PyMethodDef type_methods[] = {
    {"answer", answer, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL}
};

static void
dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    if (PyType_IS_GC(type)) PyObject_GC_UnTrack(self);      /* a base may have brought it */
    Py_XDECREF(((Instance *)self)->object);
    type->tp_free(self);
    Py_DECREF((PyObject *)type);
}

/* make(bases or None, with_members, answer or None, slots, use_meta, count or None) */
static PyObject *
make(PyObject *module, PyObject *args)
{
    PyObject *bases, *value, *ids, *type = NULL;
    int with_members, use_meta;
    Py_ssize_t i, n = 0, count = -99;
    PyType_Slot slots[4];
    PyType_Spec spec = {"fromspec.Made", (int)sizeof(Instance), 0,
                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
    PyCustomSlot own[8];

    if (!PyArg_ParseTuple(args, "OiOO!i|n", &bases, &with_members, &value, &PyTuple_Type,
                          &ids, &use_meta, &count)) return NULL;
    if (bases != Py_None) spec.basicsize = 0;    /* that of the base */
    slots[n].slot = Py_tp_methods;
    slots[n++].pfunc = type_methods;
    slots[n].slot = Py_tp_dealloc;
    slots[n++].pfunc = (void *)(uintptr_t)dealloc;
    if (with_members) {
        slots[n].slot = Py_tp_members;
        slots[n++].pfunc = members;
    }
    slots[n].slot = 0;
    slots[n].pfunc = NULL;
    for (i = 0; i < PyTuple_GET_SIZE(ids) && i < 8; i++) {
        own[i].id = (uintptr_t)PyLong_AsUnsignedLongLong(PyTuple_GET_ITEM(ids, i));
        own[i].data.flags = 100 + (uintptr_t)i;
    }
    if (PyErr_Occurred()) return NULL;
    type = PyExtensibleType_FromSpec(use_meta ? AnswerMeta : NULL, module, &spec,
                                     bases == Py_None ? NULL : bases, own,
                                     count != -99 ? count : i);
    if (type != NULL && value != Py_None) {
        ((AnswerType *)type)->answer = PyLong_AsLong(value);
        ((AnswerType *)type)->weights[8] = 8.5;
    }
    return type;
}

/* A class with C fields whose instances have the layout of `object`. */
static PyObject *
make_bare(PyObject *module, PyObject *ignored)
{
    PyType_Slot slots[] = {{0, NULL}};
    PyType_Spec spec = {"fromspec.Bare", (int)sizeof(PyObject), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
    return PyExtensibleType_FromSpec(AnswerMeta, module, &spec, NULL, NULL, 0);
}

/* fields(cls): (answer, last weight), or None where the checked accessor says no */
static PyObject *
fields(PyObject *module, PyObject *cls)
{
    AnswerType *found;
    if (!PyType_Check(cls)) Py_RETURN_NONE;
    found = (AnswerType *)PyExtensibleType_Fields((PyTypeObject *)cls, AnswerMeta);
    if (found == NULL) Py_RETURN_NONE;
    return Py_BuildValue("ld", found->answer, found->weights[8]);
}

static PyMethodDef methods[] = {
    TAKES_NONE(make_bare), TAKES_ARGS(make), TAKES_ONE(fields),
    {NULL, NULL, 0, NULL}
};

static int
exec_module(PyObject *module)
{
    PyTypeObject *base = PyExtensibleType_Import();
    PyType_Slot slots[] = {{Py_tp_base, base}, {0, NULL}};
    PyType_Spec spec = {"fromspec.AnswerType", (int)sizeof(AnswerType), 0,
                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
    if (base == NULL || !(AnswerMeta = (PyTypeObject *)PyType_FromSpec(&spec))) return -1;
#if PY_VERSION_HEX < 0x030C0000
    Py_INCREF((PyObject *)Py_TYPE(base));       /* FromSpec gives the metaclass `type` */
    Py_SET_TYPE((PyObject *)AnswerMeta, Py_TYPE(base));
#endif
    if (PyExtensibleType_InheritFields(AnswerMeta) < 0) return -1;
    return PyModule_AddObjectRef(module, "AnswerType", (PyObject *)AnswerMeta);
}

MODULE(fromspec, methods, EXECUTE(exec_module))
