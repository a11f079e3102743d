/* SPDX-License-Identifier: MIT
 *
 * Shows typedarray.h to Python, as a consumer with the full API has it, or for the stable ABI. */
#include "../abi.h"
#include "typedarray.h"
#include "array_consumer.h"

#define PROBE_HELD "array_probe.held"

/* A failure leaves zeros and an exception: checked here for all tests. */
static int
fill(PyTypedArray *a, PyObject *args, PyObject **obj)
{
    int code, bits, ndim, device = 0, owns = 0, result;
    unsigned flags;
    PyTypedArray_Spec spec;
    if (!PyArg_ParseTuple(args, "OiiiI|ip", obj, &code, &bits, &ndim, &flags, &device, &owns)) return -1;
    spec = PyTypedArray_MakeSpec(code, bits, ndim, flags);
    spec.device_type = device;
    memset(a, 0xA5, sizeof(*a));
    result = owns ? PyTypedArray_Own(a, *obj, &spec) : PyTypedArray_Init(a, *obj, &spec);
    if (result < 0) {
        const char *byte = (const char *)a;
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_AssertionError, "-1 without an exception");
        else if (*byte != 0 || memcmp(byte, byte + 1, sizeof(*a) - 1) != 0) {
            PyErr_SetString(PyExc_AssertionError, "a failure leaves something behind");
        }
        PyTypedArray_Clear(a);
    }
    return result;
}

static PyObject *
tuple_of(const Py_ssize_t *numbers, int count)
{
    PyObject *tuple = PyTuple_New(count);
    int i;
    for (i = 0; tuple != NULL && i < count; i++) PyTuple_SetItem(tuple, i, PyLong_FromSsize_t(numbers[i]));
    return tuple;
}

/* The bytes of all items, in C's order; None where the memory is not ours to read. */
static PyObject *
items_of(const PyTypedArray *a)
{
    PyTypedArray_Cursor cursor;
    PyObject *bytes;
    char *item, *to;
    if (a->device.device_type != kDLCPU) Py_RETURN_NONE;
    bytes = PyBytes_FromStringAndSize(NULL, a->size * a->itemsize);
    if (bytes == NULL) return NULL;
    to = PyBytes_AsString(bytes);
    for (item = (char *)PyTypedArray_First(a, &cursor); item != NULL; item = (char *)PyTypedArray_Next(a, &cursor)) {
        if (item != PyTypedArray_At(a, cursor.index) || (a->ndim == 1 && item != PyTypedArray_At1(a, cursor.index[0]))
                || (a->ndim == 2 && item != PyTypedArray_At2(a, cursor.index[0], cursor.index[1]))) {
            PyErr_SetString(PyExc_AssertionError, "accessors differ");
        }
        memcpy(to, item, (size_t)a->itemsize);
        to += a->itemsize;
    }
    return bytes;
}

/* {name: value} of all that is set, and what the memory holds. */
static PyObject *
show(const PyTypedArray *a)
{
    return Py_BuildValue(
        "{sK sN sN s(iii) si s(ii) sn sn si sN}", "data", (unsigned long long)(uintptr_t)a->data,
        "shape", tuple_of(a->shape, a->ndim), "strides", tuple_of(a->strides, a->ndim),
        "dtype", (int)a->dtype.code, (int)a->dtype.bits, (int)a->dtype.lanes, "readonly", a->readonly,
        "device", (int)a->device.device_type, (int)a->device.device_id, "size", a->size,
        "itemsize", a->itemsize, "held", a->held > _Pycs_HOLDS_VERSIONED ? 1 : (int)a->held,
        "items", items_of(a));
}

/* look(obj, code, bits, ndim, flags, device=0, owns=False, ...) */
PyObject *
look(PyObject *module, PyObject *args)
{
    PyTypedArray a;
    PyObject *obj, *shown;
    (void)module;
    if (fill(&a, args, &obj) < 0) return NULL;
    shown = show(&a);
    PyTypedArray_Clear(&a);
    PyTypedArray_Clear(&a);
    return shown;
}

static void
drop(PyObject *capsule)
{
    PyTypedArray *a = (PyTypedArray *)PyCapsule_GetPointer(capsule, PROBE_HELD);
    PyTypedArray_Clear(a);
    PyMem_Free(a);
}

/* hold(the same): an object that holds the array until it dies. */
PyObject *
hold(PyObject *module, PyObject *args)
{
    PyTypedArray *a = (PyTypedArray *)PyMem_Malloc(sizeof(*a));
    PyObject *obj;
    (void)module;
    if (a == NULL) return PyErr_NoMemory();
    if (fill(a, args, &obj) < 0) {
        PyMem_Free(a);
        return NULL;
    }
    return PyCapsule_New(a, PROBE_HELD, drop);
}

/* Adds one to each double of a held array, without the GIL. */
PyObject *
add_one(PyObject *module, PyObject *held)
{
    PyTypedArray *a = (PyTypedArray *)PyCapsule_GetPointer(held, PROBE_HELD);
    PyTypedArray_Cursor cursor;
    double *x;
    (void)module;
    if (a == NULL) return NULL;
    Py_BEGIN_ALLOW_THREADS
    for (x = (double *)PyTypedArray_First(a, &cursor); x != NULL; x = (double *)PyTypedArray_Next(a, &cursor)) *x += 1;
    Py_END_ALLOW_THREADS
    return show(a);
}
