/* SPDX-License-Identifier: MIT
 *
 * limited_solver.c - arrays, typed calls and names, for the stable ABI alone: nothing in it has the full API.
 */
#include "../abi.h"
#include "typedarray.h"
#include "typedmethod.h"
#include "../module.h"
#include "../readers.h"

INTERN

PyTypedMethod_CALLER(call_f8_f8, f8, f8)

/* apply(callable, array): the sum of the callable's results for each item */
static PyObject *
apply(PyObject *module, PyObject *args)
{
    static const PyTypedArray_Spec spec = PyTypedArray_SPEC(double, 1, 0);
    PyObject *callable, *obj;
    PyTypedCallable f;
    PyTypedArray a;
    double sum = 0.0;
    Py_ssize_t i;
    (void)module;
    if (!PyArg_ParseTuple(args, "OO", &callable, &obj)) return NULL;
    if (PyTypedCallable_Init(&f, callable, PyTypedMethod_SIGNATURE(f8(f8))) < 0) return NULL;
    if (PyTypedArray_Init(&a, obj, &spec) == 0) {
        for (i = 0; i < a.shape[0] && !PyErr_Occurred(); i++) sum += call_f8_f8(&f, *(double *)PyTypedArray_At1(&a, i));
        PyTypedArray_Clear(&a);
    }
    PyTypedCallable_Clear(&f);
    return PyErr_Occurred() ? NULL : PyFloat_FromDouble(sum);
}

static PyMethodDef methods[] = {
    {"apply", apply, METH_VARARGS, NULL},
    {"intern", intern, METH_O, NULL},
    {NULL, NULL, 0, NULL}
};

MODULE(limited_solver, methods, )
