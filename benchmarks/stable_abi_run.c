/* SPDX-License-Identifier: MIT
 *
 * stable_abi_run.c - runs the loops of stable_abi.c, and has a typed function to find.
 */
#include "typedmethod.h"
#include "loops.h"
#include "stable_abi.h"

/* run(name, copy, objects, callable or None, name of a slot, repetitions) -> nanoseconds */
static PyObject *
run(PyObject *module, PyObject *args)
{
    const char *name, *slot;
    int copy;
    PyObject *objects, *callable;
    Py_ssize_t repetitions;
    (void)module;
    if (!PyArg_ParseTuple(args, "siO!Osn", &name, &copy, &PyTuple_Type, &objects, &callable, &slot,
                          &repetitions)) return NULL;
    if (bench_check(copy, objects) < 0 || stable_prepare(callable, slot) < 0) return NULL;
    return bench_time(stable_loops, "stable_abi.c", name, copy, objects, repetitions);
}

/* register_slot(cls, name) */
static PyObject *
register_slot(PyObject *module, PyObject *args)
{
    PyCustomSlot slot = {0, {NULL}};
    PyObject *type;
    const char *name;
    (void)module;
    if (!PyArg_ParseTuple(args, "O!s", &PyType_Type, &type, &name)) return NULL;
    if (!(slot.id = PyCustomSlots_Intern(name))) return NULL;
    if (PyCustomSlots_Register((PyTypeObject *)type, &slot) < 0) return NULL;
    Py_RETURN_NONE;
}

BENCH_NOINLINE static double half_impl(double x) { return x / 2; }
PyTypedMethod_FUNCTION(half, half_impl, PyTypedMethod_NOGIL, 0, f8(f8));

static PyObject *
half(PyObject *module, PyObject *number)
{
    double x = PyFloat_AsDouble(number);
    (void)module;
    return x == -1.0 && PyErr_Occurred() ? NULL : PyFloat_FromDouble(half_impl(x));
}

static PyMethodDef methods[] = {
    {"half", half, METH_O, NULL},
    {"run", run, METH_VARARGS, NULL},
    {"register_slot", register_slot, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL}
};

static struct PyModuleDef module_def = {
    PyModuleDef_HEAD_INIT, "stable_abi", NULL, -1, methods, NULL, NULL, NULL, NULL
};

PyMODINIT_FUNC
PyInit_stable_abi(void)
{
    static const PyTypedMethodRecord *const records[] = {&half_typed};
    PyObject *module = PyModule_Create(&module_def);
    if (module != NULL && (PyTypedMethod_RegisterMethods(methods, records, 1) < 0
                           || PyModule_AddIntConstant(module, "COPIES", BENCH_COPIES) < 0
                           || PyModule_AddIntConstant(module, "OBJECTS", BENCH_OBJECTS) < 0)) Py_CLEAR(module);
    return module;
}
