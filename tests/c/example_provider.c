/* SPDX-License-Identifier: MIT
 *
 * example_provider.c - the example in the head of extensibletype.h, so that it compiles and runs.
 * What stands between the marks is that text (test_header_examples.py compares them).
 */
#define PY_SSIZE_T_CLEAN
#include "example_module.h"

/* [example.begin] */
#include "extensibletype.h"

#define FUNC_D_D  PyCustomSlots_ID(0x01, 7, 0)
typedef struct { double (*call)(PyObject *self, double x); } FuncDD;

static double twice(PyObject *self, double x) { (void)self; return 2 * x; }
static FuncDD twice_vtable = {twice};
static PyCustomSlot twice_slots[] = {{FUNC_D_D, {&twice_vtable}}};

static PyHeapExtensibleTypeObject Twice_Type;

static int
init_twice(void)
{
    PyTypeObject *type = (PyTypeObject *)&Twice_Type;
    type->tp_name = "example.Twice";
    type->tp_basicsize = sizeof(PyObject);
    type->tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE;
    type->tp_new = PyType_GenericNew;
    Twice_Type.etp_custom_slot_count = 1;
    Twice_Type.etp_custom_slots = twice_slots;
    return PyExtensibleType_Ready(&Twice_Type, 1);
}
/* [example.end] */

PyObject *
example_twice_type(void)
{
    if (init_twice() < 0) return NULL;
    Py_INCREF((PyObject *)&Twice_Type);
    return (PyObject *)&Twice_Type;
}
