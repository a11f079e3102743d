/* SPDX-License-Identifier: MIT
 *
 * customslots::array in a module: what its members do, of several types and numbers of dimensions. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "typedarray.hpp"
#include "../module.h"

using customslots::array;

double example_largest_row(PyObject *object);

static PyObject *
largest_row(PyObject *, PyObject *object)
{
    const double result = example_largest_row(object);
    return PyErr_Occurred() ? nullptr : PyFloat_FromDouble(result);
}

/* Every item by range-for, by [], by (), in three dimensions; the same three times. */
static PyObject *
sum3(PyObject *, PyObject *object)
{
    array<const int32_t, 3> a(object);
    long long by_range = 0, by_brackets = 0, by_call = 0;
    if (!a) return nullptr;
    for (auto plane : a) for (auto row : plane) for (int32_t x : row) by_range += x;
    for (Py_ssize_t i = 0; i < a.shape(0); i++) {
        for (Py_ssize_t j = 0; j < a[i].shape(); j++) {
            for (int k = 0; k < a[i][j].shape(); k++) {
                by_brackets += a[i][j][k];
                by_call += a(i, j, k);
            }
        }
    }
    return Py_BuildValue("LLLn", by_range, by_brackets, by_call, a.size());
}

static PyObject *
doubled(PyObject *, PyObject *object)
{
    array<double> a(object);
    if (!a) return nullptr;
    for (double &x : a) x *= 2;
    Py_RETURN_NONE;
}

template <typename T> static PyObject *
takes(PyObject *object)
{
    array<const T> a(object, customslots::keep, PyTypedArray_C_CONTIGUOUS);
    if (!a) return nullptr;
    return PyBytes_FromStringAndSize((const char *)a.data(), a.size() * (Py_ssize_t)sizeof(T));
}

static PyObject *
bytes_of(PyObject *, PyObject *args)
{
    PyObject *object;
    int which;
    if (!PyArg_ParseTuple(args, "Oi", &object, &which)) return nullptr;
    switch (which) {
    case 0: return takes<bool>(object);
    case 1: return takes<signed char>(object);
    case 2: return takes<unsigned short>(object);
    case 3: return takes<long>(object);
    case 4: return takes<unsigned long long>(object);
    case 5: return takes<float>(object);
    case 6: return takes<long double>(object);
    case 7: return takes<std::complex<float>>(object);
    default: return takes<std::complex<double>>(object);
    }
}

static PyObject *
of_nothing(PyObject *, PyObject *)
{
    array<double> empty(nullptr);
    return PyBool_FromLong(!empty && empty.size() == 0 && empty.get()->data == nullptr);
}

static PyMethodDef methods[] = {
    {"largest_row", largest_row, METH_O, nullptr}, {"sum3", sum3, METH_O, nullptr},
    {"doubled", doubled, METH_O, nullptr}, {"bytes_of", bytes_of, METH_VARARGS, nullptr},
    {"of_nothing", of_nothing, METH_NOARGS, nullptr}, {nullptr, nullptr, 0, nullptr}};

MODULE(array_module, methods, )
