/* SPDX-License-Identifier: MIT
 *
 * ufunc.c - functions with records for bench_ufunc.py, and C loops over the same pointers.
 * Built twice: the loop of the one calls functions of the other, as a ufunc does.
 */
#include <Python.h>
#include "typedmethod.h"

#include <math.h>
#include <time.h>

static double tiny(double x) { return x * x + 1.0; }
static double checked(double x) { return x < -1e300 ? -1.0 : x * x + 1.0; }
static double heavy(double x) { return exp(-x * x); }

PyTypedMethod_FUNCTION(tiny_quiet, tiny, PyTypedMethod_NOGIL, 0, f8(f8));
PyTypedMethod_FUNCTION(tiny_checked, checked, PyTypedMethod_NOGIL | PyTypedMethod_RAISES_MAYBE,
                       -1.0, f8(f8));
PyTypedMethod_FUNCTION(tiny_gil, checked, PyTypedMethod_RAISES_MAYBE, -1.0, f8(f8));
PyTypedMethod_FUNCTION(tiny_any, checked, PyTypedMethod_RAISES_ANY, 0, f8(f8));
PyTypedMethod_FUNCTION(heavy_quiet, heavy, PyTypedMethod_NOGIL, 0, f8(f8));

static PyObject *
for_c(PyObject *module, PyObject *args)
{
    (void)module;
    (void)args;
    Py_RETURN_NONE;
}

static double
now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* loop(callable, input, output, repetitions): nanoseconds of a C loop over the pointer, which
   looks at the result as every caller must */
static PyObject *
loop(PyObject *module, PyObject *args)
{
    PyObject *callable;
    Py_buffer in, out;
    long repetitions;
    Py_ssize_t i, n;
    PyTypedMethodCall call;
    double (*volatile stored)(double);
    double start;
    (void)module;
    if (!PyArg_ParseTuple(args, "Oy*w*l", &callable, &in, &out, &repetitions)) return NULL;
    n = in.len / (Py_ssize_t)sizeof(double);
    if (!PyTypedMethod_Find(callable, PyTypedMethod_SIGNATURE(f8(f8)), &call)
            || out.len < in.len) {
        PyBuffer_Release(&in);
        PyBuffer_Release(&out);
        PyErr_SetString(PyExc_TypeError, "loop: found no f8(f8), or too short an output");
        return NULL;
    }
    stored = (double (*)(double))(uintptr_t)call.function;
    start = now();
    for (; repetitions > 0; repetitions--) {
        double (*f)(double) = stored;
        const double *x = (const double *)in.buf;
        double *y = (double *)out.buf, error = call.error.f;
        if (!(call.flags & PyTypedMethod_RAISES)) {
            for (i = 0; i < n; i++) y[i] = f(x[i]);
        }
        else if ((call.flags & PyTypedMethod_RAISES) == PyTypedMethod_RAISES_ANY) {
            for (i = 0; i < n; i++) {
                y[i] = f(x[i]);
                if (PyErr_Occurred()) break;
            }
        }
        else {
            for (i = 0; i < n; i++) {
                double result = f(x[i]);
                y[i] = result;
                if (result == error && PyErr_Occurred()) break;
            }
        }
    }
    start = now() - start;
    PyBuffer_Release(&in);
    PyBuffer_Release(&out);
    return PyFloat_FromDouble(start);
}

#define FOR_C(name) {#name, for_c, METH_VARARGS, NULL}

static PyMethodDef methods[] = {
    FOR_C(tiny_quiet), FOR_C(tiny_checked), FOR_C(tiny_gil), FOR_C(tiny_any), FOR_C(heavy_quiet),
    {"loop", loop, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL}
};

static int
ufunc_exec(PyObject *module)
{
    static const PyTypedMethodRecord *const records[] = {
        &tiny_quiet_typed, &tiny_checked_typed, &tiny_gil_typed, &tiny_any_typed,
        &heavy_quiet_typed};
    (void)module;
    return PyTypedMethod_RegisterMethods(methods, records, 5);
}

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, (void *)(uintptr_t)ufunc_exec},
#ifdef Py_mod_gil
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
    {0, NULL}
};

static PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "ufunc", NULL, 0, methods, slots, NULL, NULL, NULL
};

#ifdef TWIN
PyMODINIT_FUNC PyInit_ufunc_twin(void);
#  define PyInit_ufunc PyInit_ufunc_twin
#endif

PyMODINIT_FUNC
PyInit_ufunc(void)
{
    return PyModuleDef_Init(&definition);
}
