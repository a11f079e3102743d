#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include "customslots.h"

typedef double (*area_function)(PyObject *self);

static uintptr_t area_id;                           /* the same in all interpreters of a process */

static PyObject *
total(PyObject *module, PyObject *things)
{
    double sum = 0.0;
    PyObject *thing, *iterator = PyObject_GetIter(things);
    (void)module;
    if (iterator == NULL) return NULL;
    while ((thing = PyIter_Next(iterator)) != NULL) {
        const PyCustomSlot *slot = PyCustomSlots_FindAny(thing, area_id, 0);
        if (slot != NULL) sum += ((area_function)slot->data.pointer)(thing);
        Py_DECREF(thing);
    }
    Py_DECREF(iterator);
    return PyErr_Occurred() ? NULL : PyFloat_FromDouble(sum);
}

static PyMethodDef methods[] = {
    {"total", total, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

static int
totals_exec(PyObject *module)
{
    (void)module;
    area_id = PyCustomSlots_Intern("shapes.area");
    return area_id != 0 ? 0 : -1;
}

static PyModuleDef_Slot totals_slots[] = {
    {Py_mod_exec, (void *)totals_exec},
#ifdef Py_mod_gil
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
    {0, NULL},
};

static PyModuleDef totals_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "totals_c",
    .m_methods = methods,
    .m_slots = totals_slots,
};

PyMODINIT_FUNC
PyInit_totals_c(void)
{
    return PyModuleDef_Init(&totals_module);
}
