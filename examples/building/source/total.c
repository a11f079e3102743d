/* SPDX-License-Identifier: MIT
 *
 * The user of the slot, in C: it has never heard of circles.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "customslots.h"

#include "area.h"

static uintptr_t area_id;               /* the same in the whole process */

static PyObject *
total_area(PyObject *module, PyObject *things)
{
    double sum = 0.0;
    (void)module;
    /* A tuple: nobody can change it meanwhile. */
    PyObject *items = PySequence_Tuple(things);
    if (items == NULL) {
        return NULL;
    }
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(items); i++) {
        PyObject *thing = PyTuple_GET_ITEM(items, i);
        const PyCustomSlot *slot = PyCustomSlots_FindAny(thing, area_id, 0);
        if (slot != NULL) {
            sum += ((area_function)slot->data.pointer)(thing);
        }
    }
    Py_DECREF(items);
    return PyFloat_FromDouble(sum);
}

static PyMethodDef total_methods[] = {
    {"area", total_area, METH_O, "The sum of the areas of those things that have one."},
    {NULL, NULL, 0, NULL},
};

static int
total_exec(PyObject *module)
{
    (void)module;
    area_id = PyCustomSlots_Intern(AREA);
    return area_id != 0 ? 0 : -1;
}

static PyModuleDef_Slot total_slots[] = {
    {Py_mod_exec, (void *)total_exec},
#ifdef Py_mod_gil
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
    {0, NULL},
};

static PyModuleDef total_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "total",
    .m_methods = total_methods,
    .m_slots = total_slots,
};

PyMODINIT_FUNC
PyInit_total(void)
{
    return PyModuleDef_Init(&total_module);
}
