/* SPDX-License-Identifier: MIT
 *
 * example.c - the example in the head of customslots.h, so that it compiles and runs.
 * What stands between the marks is that text (test_header_examples.py compares them).
 */
#define PY_SSIZE_T_CLEAN
#include "example_module.h"

/* [example.begin] */
#include "customslots.h"

typedef struct { double (*call)(PyObject *self, double x); } FuncDD;
static uintptr_t func_d_d;                    // the ID: a number for a name

static int
init_consumer(void)                           // when the module is imported
{
    func_d_d = PyCustomSlots_Intern("example.func_d_d");
    return func_d_d != 0 ? 0 : -1;
}

static double
call_or_zero(PyObject *obj, double x)
{
    const PyCustomSlot *slot = PyCustomSlots_FindAny(obj, func_d_d, 0);
    if (slot == NULL) return 0.0;             // absent is not an error
    return ((FuncDD *)slot->data.pointer)->call(obj, x);
}
/* [example.end] */

double
example_call_or_zero(PyObject *obj, double x)
{
    return call_or_zero(obj, x);
}

int
example_init(void)
{
    return init_consumer();
}
