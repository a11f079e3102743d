/* SPDX-License-Identifier: MIT
 *
 * sums_c.c - a consumer of slots, arrays and typed functions, for a stable ABI: setup.py says which.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include "typedarray.h"
#include "typedmethod.h"

/* -1 with an exception.  The crate in pyo3/ calls them, too. */
double sums_total(PyObject *things);
int64_t sums_apply(PyObject *function, PyObject *numbers, int *typed);

PyTypedMethod_CALLER(call_i8_i8, i8, i8)        /* int64_t call_i8_i8(PyTypedCallable *, int64_t) */

double
sums_total(PyObject *things)
{
    const uintptr_t area = PyCustomSlots_Intern("shapes.area");
    PyObject *thing, *iterator = area != 0 ? PyObject_GetIter(things) : NULL;
    double sum = 0.0;
    if (iterator == NULL) return -1.0;
    while ((thing = PyIter_Next(iterator)) != NULL) {
        const PyCustomSlot *slot = PyCustomSlots_FindAny(thing, area, 0);
        if (slot != NULL) sum += ((double (*)(PyObject *))slot->data.pointer)(thing);
        Py_DECREF(thing);
    }
    Py_DECREF(iterator);
    return PyErr_Occurred() ? -1.0 : sum;
}

int64_t
sums_apply(PyObject *function, PyObject *numbers, int *typed)
{
    static const PyTypedArray_Spec spec = PyTypedArray_SPEC(i8, 1, 0);
    PyTypedCallable f;
    PyTypedArray a;
    int64_t sum = -1, value;
    Py_ssize_t i;
    if (PyTypedCallable_Init(&f, function, PyTypedMethod_SIGNATURE(i8(i8))) < 0) return -1;
    if (PyTypedArray_Init(&a, numbers, &spec) < 0) goto done;
    for (i = 0, sum = 0; i < a.shape[0]; i++) {
        sum += value = call_i8_i8(&f, *(int64_t *)PyTypedArray_At1(&a, i));
        if (value == -1 && PyErr_Occurred()) break;
    }
    *typed = PyTypedCallable_IsTyped(&f);
    PyTypedArray_Clear(&a);
done:
    PyTypedCallable_Clear(&f);
    return PyErr_Occurred() ? -1 : sum;
}

static PyObject *
total(PyObject *module, PyObject *things)
{
    const double sum = sums_total(things);
    (void)module;
    return PyErr_Occurred() ? NULL : PyFloat_FromDouble(sum);
}

static PyObject *
apply(PyObject *module, PyObject *args)
{
    PyObject *function, *numbers;
    int typed = 0;
    int64_t sum;
    (void)module;
    if (!PyArg_ParseTuple(args, "OO:apply", &function, &numbers)) return NULL;
    sum = sums_apply(function, numbers, &typed);
    return PyErr_Occurred() ? NULL : Py_BuildValue("LN", (long long)sum, PyBool_FromLong(typed));
}

static PyMethodDef methods[] = {
    {"total", total, METH_O, "total(things): the sum of the areas of all that have one"},
    {"apply", apply, METH_VARARGS, "apply(f, numbers): the sum of f(x) for x in an array; was f called as C?"},
    {NULL, NULL, 0, NULL}
};

/* [module.begin] */
#ifdef Py_TARGET_ABI3T          /* where PyModuleDef, which begins as an object does, is unknown */
PyABIInfo_VAR(abi_info);

static PySlot slots[] = {
    PySlot_STATIC_DATA(Py_mod_abi, &abi_info),
    PySlot_STATIC_DATA(Py_mod_name, "sums_c"),
    PySlot_STATIC_DATA(Py_mod_methods, methods),
    PySlot_DATA(Py_mod_gil, Py_MOD_GIL_NOT_USED),
    PySlot_END
};

PyMODEXPORT_FUNC
PyModExport_sums_c(void)
{
    return slots;
}
#else
static PyModuleDef_Slot slots[] = {{0, NULL}};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "sums_c", NULL, 0, methods, slots, NULL, NULL, NULL
};

PyMODINIT_FUNC
PyInit_sums_c(void)
{
    return PyModuleDef_Init(&definition);
}
#endif
/* [module.end] */
