/* SPDX-License-Identifier: MIT
 *
 * example_module.h - between the translation units of the module of examples.
 */
#ifndef EXAMPLE_MODULE_H
#define EXAMPLE_MODULE_H

#include <Python.h>

#ifdef __cplusplus
extern "C" {
#endif

int example_init(void);
double example_call_or_zero(PyObject *obj, double x);
PyObject *example_twice_type(void);
double example_integrate(PyObject *callable, double from, double to, int steps);
double example_dot(PyObject *x, PyObject *y);

#ifdef __cplusplus
}
#endif

#endif /* EXAMPLE_MODULE_H */
