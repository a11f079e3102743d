/* SPDX-License-Identifier: MIT
 *
 * The functions of array_consumer.c: look(obj, code, bits, ndim, flags, device=0, owns=False, ...) and its like. */
#include <Python.h>

PyObject *look(PyObject *module, PyObject *args);
PyObject *hold(PyObject *module, PyObject *args);
PyObject *add_one(PyObject *module, PyObject *held);
