#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include "extensibletype.h"

typedef struct {
    PyObject_HEAD
    double side;
} Square;

static double
area(PyObject *self)
{
    return ((Square *)self)->side * ((Square *)self)->side;
}

static int
square_init(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"side", NULL};
    return PyArg_ParseTupleAndKeywords(args, kwargs, "d:Square", names, &((Square *)self)->side) ? 0 : -1;
}

static PyType_Slot square_slots[] = {
    {Py_tp_init, (void *)square_init},
    {0, NULL},
};

static PyType_Spec square_spec = {
    .name = "squares.Square",
    .basicsize = sizeof(Square),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .slots = square_slots,
};

static int
squares_exec(PyObject *module)
{
    PyCustomSlot own[] = {{PyCustomSlots_Intern("shapes.area"), {(void *)area}}};
    PyObject *type = PyExtensibleType_FromSpec(NULL, module, &square_spec, NULL, own, 1);
    int status = type == NULL ? -1 : PyModule_AddObjectRef(module, "Square", type);
    Py_XDECREF(type);
    return status;
}

static PyModuleDef_Slot squares_slots[] = {
    {Py_mod_exec, (void *)squares_exec},
#ifdef Py_mod_gil
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
    {0, NULL},
};

static PyModuleDef squares_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "squares",
    .m_slots = squares_slots,
};

PyMODINIT_FUNC
PyInit_squares(void)
{
    return PyModuleDef_Init(&squares_module);
}
