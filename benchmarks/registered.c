/* SPDX-License-Identifier: MIT
 *
 * registered.c - asking for a slot where the type has no room for a table.
 *
 * The same function answers for all objects.  Extensible types carry it as a slot; plain
 * ones were registered for it, and carry it as an attribute with a capsule, too: what is
 * done today for types of other packages.
 */
#include "extensibletype.h"
#include "loops.h"

#define SLOT PyCustomSlots_ID(PyCustomSlots_REGISTRAR_INTERNAL, 0xBE10, 0)
#define NONE PyCustomSlots_ID(PyCustomSlots_REGISTRAR_INTERNAL, 0xBE11, 0)
#define CAPSULE_NAME "bench.registered"

typedef uintptr_t (*Answer)(PyObject *, uintptr_t);

static PyObject *capsule_name;          /* interned */

BENCH_NOINLINE static uintptr_t
answer(PyObject *self, uintptr_t x)
{
    return ((uintptr_t)self & 1) + x;
}

/* In tp_dict along the MRO: an attribute of the type that holds a capsule. */
static inline Answer
find_capsule(PyObject *o)
{
    PyObject *capsule;
    Answer found = NULL;
#if PY_VERSION_HEX >= 0x030D0000
    if (PyObject_GetOptionalAttr((PyObject *)Py_TYPE(o), capsule_name, &capsule) < 0) {
        PyErr_Clear();
    }
#else
    capsule = PyObject_GetAttr((PyObject *)Py_TYPE(o), capsule_name);
    if (capsule == NULL) PyErr_Clear();
#endif
    if (capsule != NULL) {
        found = (Answer)(uintptr_t)PyCapsule_GetPointer(capsule, CAPSULE_NAME);
        Py_DECREF(capsule);
    }
    return found;
}

BENCH_LOOP(find, {
    const PyCustomSlot *slot = PyCustomSlots_Find(o, SLOT, 0);
    if (slot != NULL) sum += ((Answer)(uintptr_t)slot->data.pointer)(o, i);
})
BENCH_LOOP(find_any, {
    const PyCustomSlot *slot = PyCustomSlots_FindAny(o, SLOT, 0);
    if (slot != NULL) sum += ((Answer)(uintptr_t)slot->data.pointer)(o, i);
})
BENCH_LOOP(capsule, {
    Answer found = find_capsule(o);
    if (found != NULL) sum += found(o, i);
})
BENCH_LOOP(empty, sum += (uintptr_t)o & 1)
BENCH_LOOP(miss_find, sum += PyCustomSlots_Find(o, SLOT, 0) != NULL)
BENCH_LOOP(miss_any, sum += PyCustomSlots_FindAny(o, SLOT, 0) != NULL)
BENCH_LOOP(miss_any_unknown, sum += PyCustomSlots_FindAny(o, NONE, 0) != NULL)
BENCH_LOOP(miss_capsule, sum += find_capsule(o) != NULL)

static const BenchNamedLoop loops[] = {
    BENCH_ENTRY(find), BENCH_ENTRY(find_any), BENCH_ENTRY(capsule), BENCH_ENTRY(empty), BENCH_ENTRY(miss_find),
    BENCH_ENTRY(miss_any), BENCH_ENTRY(miss_any_unknown), BENCH_ENTRY(miss_capsule), {NULL, NULL}
};

static PyObject *
run(PyObject *module, PyObject *args)
{
    (void)module;
    return bench_run(loops, "registered.c", args);
}

/* speak(cls): a slot if cls is extensible, a registration and a capsule if it is not */
static PyObject *
speak(PyObject *module, PyObject *cls)
{
    PyCustomSlot slot = {SLOT, {(void *)(uintptr_t)answer}};
    PyObject *capsule;
    int status;
    (void)module;
    if (!PyType_Check(cls)) {
        PyErr_SetString(PyExc_TypeError, "speak: expected a class");
        return NULL;
    }
    if (PyCustomSlots_CheckType((PyTypeObject *)cls)) {
        status = PyExtensibleType_SetSlots((PyTypeObject *)cls, &slot, 1);
    }
    else {
        if (PyCustomSlots_Register((PyTypeObject *)cls, &slot) < 0) return NULL;
        capsule = PyCapsule_New(slot.data.pointer, CAPSULE_NAME, NULL);
        if (capsule == NULL) return NULL;
        status = PyObject_SetAttr(cls, capsule_name, capsule);
        Py_DECREF(capsule);
    }
    if (status < 0) return NULL;
    Py_RETURN_NONE;
}

/* more_ids(cls, first, last): registers IDs that no look-up asks for */
static PyObject *
more_ids(PyObject *module, PyObject *args)
{
    PyObject *cls;
    int number, last;
    (void)module;
    if (!PyArg_ParseTuple(args, "O!ii", &PyType_Type, &cls, &number, &last)) return NULL;
    for (; number < last; number++) {
        PyCustomSlot slot = {PyCustomSlots_ID(PyCustomSlots_REGISTRAR_INTERNAL, 0xC000 + number, 0), {NULL}};
        if (PyCustomSlots_Register((PyTypeObject *)cls, &slot) < 0) return NULL;
    }
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"more_ids", more_ids, METH_VARARGS, NULL},
    {"run", run, METH_VARARGS, NULL},
    {"speak", speak, METH_O, NULL},
    {NULL, NULL, 0, NULL}
};

static struct PyModuleDef module_def = {
    PyModuleDef_HEAD_INIT, "registered", NULL, -1, methods, NULL, NULL, NULL, NULL
};

PyMODINIT_FUNC
PyInit_registered(void)
{
    PyObject *module = PyModule_Create(&module_def);
    if (module == NULL) return NULL;
    capsule_name = PyUnicode_InternFromString("__bench_registered__");
    if (capsule_name == NULL
            || PyModule_AddIntConstant(module, "COPIES", BENCH_COPIES) < 0
            || PyModule_AddIntConstant(module, "OBJECTS", BENCH_OBJECTS) < 0) {
        Py_CLEAR(module);
    }
    return module;
}
