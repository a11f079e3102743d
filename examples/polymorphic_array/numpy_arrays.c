/* SPDX-License-Identifier: MIT
 *
 * NumPy's arrays speak the protocol, too: importing this registers a slot for ndarray.
 * NumPy knows nothing of it, nor do those who add arrays up.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#define NPY_NO_DEPRECATED_API NPY_1_7_API_VERSION
#include <numpy/arrayobject.h>

#include <string.h>

#include "customslots.h"

#include "array_protocol.h"

/* NumPy's number of a type, its letter, its C type. */
#define TYPES(X) \
    X(NPY_DOUBLE, 'd', double) X(NPY_FLOAT, 'f', float) \
    X(NPY_BYTE, 'b', npy_byte) X(NPY_UBYTE, 'B', npy_ubyte) X(NPY_BOOL, '?', npy_bool) \
    X(NPY_SHORT, 'h', npy_short) X(NPY_USHORT, 'H', npy_ushort) \
    X(NPY_INT, 'i', npy_int) X(NPY_UINT, 'I', npy_uint) \
    X(NPY_LONG, 'l', npy_long) X(NPY_ULONG, 'L', npy_ulong) \
    X(NPY_LONGLONG, 'q', npy_longlong) X(NPY_ULONGLONG, 'Q', npy_ulonglong)

static char
letter_of(int type)
{
    switch (type) {
#define X(number, letter, ctype) case number: return letter;
    TYPES(X)
#undef X
    default: return 0;
    }
}

/* Reads nothing but ndarray's own fields.  Subclasses (masked arrays) may mean something else
   by their items, and swapped or unaligned ones are no C doubles: these decline. */
static int
describe(PyObject *self, array_layout *layout)
{
    PyArrayObject *array = (PyArrayObject *)self;
    int axis, ndim;
    if (!PyArray_CheckExact(self) || !PyArray_ISBEHAVED_RO(array)) {
        return -1;
    }
    ndim = PyArray_NDIM(array);
    layout->dtype = letter_of(PyArray_TYPE(array));
    if (ndim > ARRAY_MAX_NDIM || layout->dtype == 0) {
        return -1;
    }
    layout->ndim = ndim;
    layout->data = PyArray_BYTES(array);
    for (axis = 0; axis < ndim; axis++) {
        layout->shape[axis] = PyArray_DIM(array, axis);
        layout->strides[axis] = PyArray_STRIDE(array, axis);
    }
    return 0;
}

static double
get(PyObject *self, const Py_ssize_t *index)
{
    PyArrayObject *array = (PyArrayObject *)self;
    const char *place = PyArray_BYTES(array);
    int axis;
    for (axis = 0; axis < PyArray_NDIM(array); axis++) {
        place += index[axis] * PyArray_STRIDE(array, axis);
    }
    switch (PyArray_TYPE(array)) {
#define X(number, letter, ctype) \
    case number: { ctype item; memcpy(&item, place, sizeof(item)); return (double)item; }
    TYPES(X)
#undef X
    default: return 0.0;        /* describe() has declined it */
    }
}

static array_vtable vtable = {describe, get};

static int
numpy_arrays_exec(PyObject *module)
{
    (void)module;
    if (PyArray_ImportNumPyAPI() < 0) {
        return -1;
    }
    /* [register.begin] */
    PyCustomSlot slot = {ARRAY_ID, {&vtable}};
    return PyCustomSlots_Register(&PyArray_Type, &slot);
    /* [register.end] */
}

static PyModuleDef_Slot numpy_arrays_slots[] = {
    {Py_mod_exec, (void *)numpy_arrays_exec},
#ifdef Py_mod_gil
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
    {0, NULL},
};

static PyModuleDef numpy_arrays_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "numpy_arrays",
    .m_doc = "Registers NumPy's arrays with the protocol of array_protocol.h.",
    .m_slots = numpy_arrays_slots,
};

PyMODINIT_FUNC
PyInit_numpy_arrays(void)
{
    return PyModuleDef_Init(&numpy_arrays_module);
}
