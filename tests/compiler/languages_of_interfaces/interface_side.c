/* SPDX-License-Identifier: MIT
 *
 * A consumer of interfaces in C, and a provider: lists are shapes, by registration.
 */
#include "interface_shapes.h"

static double
list_area(PyObject *self)
{
    return (double)PyList_GET_SIZE(self);
}

static double
list_scale(PyObject *self, double factor)
{
    (void)self;
    if (factor < 0) {
        PyErr_SetString(PyExc_ValueError, "negative");
        return -1;
    }
    return factor;
}

static int
list_is_larger(PyObject *self, PyObject *other, const double *limits)
{
    tests_Shape_Ref ref;
    int larger;
    (void)limits;
    if (tests_Shape_Cast(other, &ref) < 0) return -1;
    larger = list_area(self) > tests_Shape_area(ref);
    tests_Shape_Release(&ref);
    return larger;
}

static PyObject *
list_label(PyObject *self)
{
    return PyUnicode_FromFormat("list of %zd", PyList_GET_SIZE(self));
}

static tests_Shape_Provided list_shape = {
    NULL, {list_area, list_scale, list_is_larger, list_label}};

static PyObject *
total(PyObject *module, PyObject *shapes)
{
    double sum = 0;
    Py_ssize_t i;
    (void)module;
    for (i = 0; i < PyTuple_GET_SIZE(shapes); i++) {
        tests_Shape_Ref ref;
        if (tests_Shape_Cast(PyTuple_GET_ITEM(shapes, i), &ref) < 0) return NULL;
        sum += tests_Shape_area(ref);
        tests_Shape_Release(&ref);
    }
    return PyFloat_FromDouble(sum);
}

static PyObject *
centre(PyObject *module, PyObject *obj)
{
    tests_Solid_Ref ref;
    interface_shapes_Point point;
    (void)module;
    if (tests_Solid_Cast(obj, &ref) < 0) return NULL;
    point = tests_Solid_centre(ref);
    tests_Solid_Release(&ref);
    return PyErr_Occurred() ? NULL : Py_BuildValue("dd", point.x, point.y);
}

static PyObject *
colour(PyObject *module, PyObject *obj)
{
    interface_shapes_Painted_Ref ref;
    long found;
    (void)module;
    if (interface_shapes_Painted_Cast(obj, &ref) < 0) return NULL;
    found = interface_shapes_Painted_colour(ref) == interface_shapes_GREEN;
    interface_shapes_Painted_Release(&ref);
    return PyLong_FromLong(found);
}

static PyObject *
check(PyObject *module, PyObject *obj)
{
    (void)module;
    return Py_BuildValue("ii", tests_Shape_Check(obj), tests_Solid_Check(obj));
}

static PyMethodDef methods[] = {
    {"total", total, METH_O, NULL},
    {"centre", centre, METH_O, NULL},
    {"colour", colour, METH_O, NULL},
    {"check", check, METH_O, NULL},
    {NULL, NULL, 0, NULL}
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "interface_side", NULL, -1, methods, NULL, NULL, NULL, NULL
};

PyMODINIT_FUNC
PyInit_interface_side(void)
{
    PyObject *module;
    if (tests_Shape_Init() < 0 || tests_Solid_Init() < 0 || interface_shapes_Painted_Init() < 0
            || tests_Shape_Register(&PyList_Type, &list_shape) < 0) return NULL;
    module = PyModule_Create(&definition);
#ifdef Py_GIL_DISABLED
    if (module != NULL) PyUnstable_Module_SetGIL(module, Py_MOD_GIL_NOT_USED);
#endif
    return module;
}
