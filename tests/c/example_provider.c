/* SPDX-License-Identifier: MIT
 *
 * example_provider.c - the example in the head of extensibletype.h, so that it compiles and runs.
 * What stands between the marks is that text (test_header_examples.py compares them).
 */
#define PY_SSIZE_T_CLEAN
#include "example_module.h"

/* [example.begin] */
#include "extensibletype.h"

typedef struct { double (*call)(PyObject *self, double x); } FuncDD;

static double twice(PyObject *self, double x) { (void)self; return 2 * x; }
static FuncDD twice_vtable = {twice};

static PyHeapExtensibleTypeObject Twice_Type;
static PyCustomSlot twice_slots[] = {{0, {&twice_vtable}}};

static int
init_twice(void)
{
    PyTypeObject *type = (PyTypeObject *)&Twice_Type;
    type->tp_name = "example.Twice";
    type->tp_basicsize = sizeof(PyObject);
    type->tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE;
    type->tp_new = PyType_GenericNew;
    twice_slots[0].id = PyCustomSlots_Intern("example.func_d_d");
    Twice_Type.etp_custom_slot_count = 1;
    Twice_Type.etp_custom_slots = twice_slots;
    return PyExtensibleType_Ready(&Twice_Type, 1);   // fails without the name, too
}
/* [example.end] */

PyObject *
example_twice_type(void)
{
    if (init_twice() < 0) return NULL;
    Py_INCREF((PyObject *)&Twice_Type);
    return (PyObject *)&Twice_Type;
}
