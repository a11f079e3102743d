/* SPDX-License-Identifier: MIT
 *
 * natural_types.c - the objects and the function that the loops of natural.c call.
 *
 * All objects have a pointer to a vtable, which is the baseline, and their types carry the
 * same function as a slot.  One function serves all types: what is compared is the
 * look-up, not how well the processor predicts the callee.
 */
#include "extensibletype.h"
#include "natural.h"

#define N_STATIC 32

BENCH_NOINLINE static double
stepper_step(PyObject *self, double x)
{
    return ((Stepper *)self)->factor * x + 1.0;
}

BENCH_NOINLINE static double
step_impl(double x)
{
    return 0.5 * x + 1.0;
}

static const StepTable step_table = {stepper_step};
static PyHeapExtensibleTypeObject static_types[N_STATIC];
static PyCustomSlot static_slots[N_STATIC][1];

static PyObject *
stepper_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    PyObject *self = type->tp_alloc(type, 0);
    (void)args, (void)kwargs;
    if (self != NULL) {
        ((Stepper *)self)->vtable = &step_table;
        ((Stepper *)self)->factor = 0.5;
    }
    return self;
}

static void
fill_slot(PyCustomSlot *slot)
{
    slot->id = STEP;
    slot->data.pointer = (void *)(uintptr_t)stepper_step;
}

/* own_table(cls): a table that cls shares with no other class */
static PyObject *
own_table(PyObject *module, PyObject *cls)
{
    PyCustomSlot slot;
    (void)module;
    if (!PyType_Check(cls)) {
        PyErr_SetString(PyExc_TypeError, "own_table: expected a class");
        return NULL;
    }
    fill_slot(&slot);
    if (PyExtensibleType_SetSlots((PyTypeObject *)cls, &slot, 1) < 0) return NULL;
    Py_RETURN_NONE;
}

static PyObject *
step(PyObject *module, PyObject *number)
{
    double x = PyFloat_AsDouble(number);
    (void)module;
    if (x == -1.0 && PyErr_Occurred()) return NULL;
    return PyFloat_FromDouble(step_impl(x));
}

PyTypedMethod_FUNCTION(step, step_impl, PyTypedMethod_NOGIL, 0, f8(f8));
PyTypedMethod_FUNCTION(step_with_gil, step_impl, PyTypedMethod_RAISES_MAYBE, -1.0, f8(f8));

static PyMethodDef methods[] = {
    {"own_table", own_table, METH_O, NULL},
    {"step", step, METH_O, NULL},
    {"step_with_gil", step, METH_O, NULL},
    {NULL, NULL, 0, NULL}
};

static struct PyModuleDef module_def = {
    PyModuleDef_HEAD_INIT, "natural_types", NULL, -1, methods, NULL, NULL, NULL, NULL
};

static int
add_types(PyObject *module)
{
    PyObject *types = PyTuple_New(N_STATIC);
    int status = -1;
    if (types == NULL) return -1;
    for (int i = 0; i < N_STATIC; i++) {
        PyTypeObject *type = (PyTypeObject *)&static_types[i];
        type->tp_name = "natural_types.Stepper";
        type->tp_basicsize = sizeof(Stepper);
        type->tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE;
        type->tp_new = stepper_new;
        fill_slot(static_slots[i]);
        static_types[i].etp_custom_slots = static_slots[i];
        static_types[i].etp_custom_slot_count = 1;
        if (PyExtensibleType_Ready(&static_types[i], 1) < 0) goto done;
        PyTuple_SET_ITEM(types, i, Py_NewRef((PyObject *)type));
    }
    status = PyObject_SetAttrString(module, "static_types", types);
done:
    Py_DECREF(types);
    return status;
}

PyMODINIT_FUNC
PyInit_natural_types(void)
{
    static const PyTypedMethodRecord *const records[] = {&step_typed, &step_with_gil_typed};
    PyObject *module = PyModule_Create(&module_def);
    if (module == NULL) return NULL;
    if (add_types(module) < 0 || PyTypedMethod_RegisterMethods(methods, records, 2) < 0) {
        Py_CLEAR(module);
    }
    return module;
}
