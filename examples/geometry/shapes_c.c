/* SPDX-License-Identifier: MIT
 *
 * Rectangles, and a consumer, in C.
 */
#include "extensibletype.h"
#include "geometry.h"

typedef struct {
    PyObject_HEAD
    double width, height;
} Rectangle;

/* ------------------------------------------------------------------ what it implements */

static double
rectangle_area(PyObject *self)
{
    return ((Rectangle *)self)->width * ((Rectangle *)self)->height;
}

static int
rectangle_scale(PyObject *self, double factor)
{
    ((Rectangle *)self)->width *= factor;
    ((Rectangle *)self)->height *= factor;
    return 0;
}

static int
rectangle_contains(PyObject *self, double x, double y)
{
    return x >= 0 && x <= ((Rectangle *)self)->width && y >= 0 && y <= ((Rectangle *)self)->height;
}

/* [tables.begin] */
static geometry_Shape_Provided rectangle_shape = {NULL, {rectangle_area, rectangle_scale}};
static geometry_Region_Provided rectangle_region = {NULL, {rectangle_contains}};
/* [tables.end] */

/* -------------------------------------------------------------------------- the class */

static int
rectangle_init(PyObject *self, PyObject *args, PyObject *kwargs)
{
    (void)kwargs;
    return PyArg_ParseTuple(args, "dd", &((Rectangle *)self)->width,
                            &((Rectangle *)self)->height) ? 0 : -1;
}

static PyType_Slot rectangle_slots[] = {
    {Py_tp_init, (void *)rectangle_init},
    {0, NULL}
};

static PyType_Spec rectangle_spec = {
    "shapes_c.Rectangle", sizeof(Rectangle), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    rectangle_slots
};

/* -------------------------------------------------------------------------- consumer */

static PyObject *
total_area(PyObject *module, PyObject *shapes)
{
    double total = 0;
    PyObject *iterator = PyObject_GetIter(shapes), *obj;
    (void)module;
    if (iterator == NULL) return NULL;
    while ((obj = PyIter_Next(iterator)) != NULL) {
        geometry_Shape_Ref shape;
        int found = geometry_Shape_Cast(obj, &shape);
        Py_DECREF(obj);
        if (found < 0) break;
        total += geometry_Shape_area(shape);
        geometry_Shape_Release(&shape);
    }
    Py_DECREF(iterator);
    return PyErr_Occurred() ? NULL : PyFloat_FromDouble(total);
}

/* ------------------------------------------------------------------------- the module */

static PyMethodDef methods[] = {
    {"total_area", total_area, METH_O, "The sum of the areas of shapes."},
    {NULL, NULL, 0, NULL}
};

static int
execute(PyObject *module)
{
    /* A process has one table of them, which every interpreter's class shares. */
    static PyCustomSlot slots[PyCustomSlots_MIN_CAPACITY];
    PyObject *rectangle;
    int result;
    if (geometry_Shape_Init() < 0 || geometry_Region_Init() < 0) return -1;
    /* [slots.begin] */
    geometry_Shape_Provide(&rectangle_shape, slots, PyCustomSlots_MIN_CAPACITY);
    geometry_Region_Provide(&rectangle_region, slots, PyCustomSlots_MIN_CAPACITY);
    rectangle = PyExtensibleType_FromSpec(NULL, module, &rectangle_spec, NULL, slots,
                                          PyCustomSlots_MIN_CAPACITY);
    /* [slots.end] */
    if (rectangle == NULL) return -1;
    result = PyModule_AddObjectRef(module, "Rectangle", rectangle);
    Py_DECREF(rectangle);
    return result;
}

static PyModuleDef_Slot module_slots[] = {
    {Py_mod_exec, (void *)execute},
#ifdef Py_mod_gil
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
    {0, NULL}
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "shapes_c", "Rectangles, in C.", 0, methods, module_slots, NULL, NULL, NULL
};

PyMODINIT_FUNC
PyInit_shapes_c(void)
{
    return PyModuleDef_Init(&definition);
}
