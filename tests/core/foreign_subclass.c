/* SPDX-License-Identifier: MIT
 *
 * foreign_subclass.c - subclasses by C code that never heard of us, as binding generators
 * and limited-API Cython write them.  Built twice: with and without Py_LIMITED_API.
 */
#ifdef FOREIGN_LIMITED
#  define Py_LIMITED_API 0x030A0000
#endif
#include <Python.h>
#include <stddef.h>
#include <stdint.h>
#include "../module.h"
#if PY_VERSION_HEX < 0x030C0000
#  include <structmember.h>
#  define Py_T_LONG T_LONG
#  define Py_T_PYSSIZET T_PYSSIZET
#  define Py_READONLY READONLY
#endif

static PyObject *
describe(PyObject *self, PyObject *ignored)
{
    return PyObject_Repr((PyObject *)Py_TYPE(self));
}

static void
dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    freefunc release = (freefunc)(uintptr_t)PyType_GetSlot(type, Py_tp_free);
    if (PyType_GetFlags(type) & Py_TPFLAGS_HAVE_GC) PyObject_GC_UnTrack(self);
    release(self);
    Py_DECREF((PyObject *)type);
}

/* subclass(bases, basicsize): with members, methods, a deallocator and a larger instance */
static PyObject *
subclass(PyObject *module, PyObject *args)
{
    static PyMethodDef methods[] = {
        {"describe", describe, METH_NOARGS, NULL}, {NULL, NULL, 0, NULL}};
    static PyMemberDef members[2];
    static PyType_Slot slots[] = {
        {Py_tp_methods, methods}, {Py_tp_members, members}, {Py_tp_dealloc, NULL}, {0, NULL}};
    PyType_Spec spec = {"foreign.Sub", 0, 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
    PyObject *bases;
    int basicsize;
    if (!PyArg_ParseTuple(args, "O!i", &PyTuple_Type, &bases, &basicsize)) return NULL;
    members[0].name = "number";
    members[0].type = Py_T_LONG;
    members[0].offset = basicsize;
    members[1].name = NULL;
    slots[2].pfunc = (void *)(uintptr_t)dealloc;
    spec.basicsize = basicsize + (int)sizeof(long);
    return PyType_FromModuleAndSpec(module, &spec, bases);
}

static PyMethodDef module_methods[] = {
    {"subclass", subclass, METH_VARARGS, NULL}, {NULL, NULL, 0, NULL}};

#ifdef FOREIGN_LIMITED
MODULE(foreign_limited, module_methods, )
#else
MODULE(foreign_full, module_methods, )
#endif
