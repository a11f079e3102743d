/* SPDX-License-Identifier: MIT
 *
 * carrier.c - a module that carries the implementation, reads slots, calls typed functions, and
 * hands callbacks to C code: what our headers have, for compilers of other platforms.
 */
#if defined(_WIN32)
#  include <windows.h>      /* first: it defines words such as `interface` and `small` */
#endif
#include "../module.h"
#include "extensibletype.h"
#include "typedmethod.h"

PyTypedMethod_CALLER(call_f8_f8, f8, f8)
PyTypedCallback_CALLER(integrand, Py_NAN, f8, f8)
PyTypedCallback_TRAMPOLINE_LAST(integrand_last, integrand, f8, f8)
PyTypedCallback_TRAMPOLINE(integrand_bare, integrand, f8, f8)

static const PyTypedCallbackForm forms[] = {
    {PyTypedMethod_SIGNATURE(f8(f8)), "double (double)", NULL},
    {0, NULL, NULL},
};

static double
half(double x)
{
    return x / 2;
}
PyTypedMethod_FUNCTION(half, half, 0, 0.0, f8(f8));

/* The slot `id` of an object, by all doors: (from the table, from any). */
static PyObject *
ask(PyObject *module, PyObject *args)
{
    PyObject *object;
    const char *name;
    uintptr_t id;
    const PyCustomSlot *slot, *any;
    if (!PyArg_ParseTuple(args, "Os", &object, &name)) return NULL;
    id = PyCustomSlots_Intern(name);
    if (id == 0) return NULL;
    slot = PyCustomSlots_Find(object, id, 0);
    any = PyCustomSlots_FindAny(object, id, 0);
    return Py_BuildValue("(NN)", PyLong_FromVoidPtr(slot != NULL ? slot->data.pointer : NULL),
                         PyLong_FromVoidPtr(any != NULL ? any->data.pointer : NULL));
}

/* Gives a type, of whomever, a slot; its data is the type. */
static PyObject *
give(PyObject *module, PyObject *args)
{
    PyTypeObject *type;
    const char *name;
    PyCustomSlot slot;
    if (!PyArg_ParseTuple(args, "O!s", &PyType_Type, &type, &name)) return NULL;
    slot.id = PyCustomSlots_Intern(name);
    slot.data.pointer = type;
    if (slot.id == 0 || PyCustomSlots_Register(type, &slot) < 0) return NULL;
    Py_RETURN_NONE;
}

/* function(x), as C calls it. */
static PyObject *
call(PyObject *module, PyObject *args)
{
    PyTypedCallable callable;
    PyObject *function;
    double x;
    if (!PyArg_ParseTuple(args, "Od", &function, &x)
            || PyTypedCallable_Init(&callable, function, PyTypedMethod_SIGNATURE(f8(f8))) < 0) {
        return NULL;
    }
    x = call_f8_f8(&callable, x);
    PyTypedCallable_Clear(&callable);
    return PyErr_Occurred() ? NULL : PyFloat_FromDouble(x);
}

/* function(x) + function(x), as C calls it that takes a function, with `void *` and without. */
static PyObject *
twice(PyObject *module, PyObject *args)
{
    PyTypedCallback callback;
    PyObject *function;
    double x;
    if (!PyArg_ParseTuple(args, "Od", &function, &x)
            || PyTypedCallable_InitAny(&callback, function, forms) < 0) return NULL;
    if (PyTypedCallback_Enter(&callback) == 0) {
        Py_BEGIN_ALLOW_THREADS
        x = integrand_last(x, &callback) + integrand_bare(x);
        Py_END_ALLOW_THREADS
        (void)PyTypedCallback_Leave(&callback);
    }
    PyTypedCallback_Clear(&callback);
    return PyErr_Occurred() ? NULL : PyFloat_FromDouble(x);
}

static PyObject *
call_half(PyObject *module, PyObject *x)
{
    double value = PyFloat_AsDouble(x);
    return PyErr_Occurred() ? NULL : PyFloat_FromDouble(half(value));
}

static PyMethodDef methods[] = {
    TAKES_ARGS(ask), TAKES_ARGS(give), TAKES_ARGS(call), TAKES_ARGS(twice), {"half", call_half, METH_O, NULL},
    {NULL, NULL, 0, NULL}};

static int
execute(PyObject *module)
{
    static const PyTypedMethodRecord *const records[] = {&half_typed};
    PyObject *metaclass = (PyObject *)PyExtensibleType_Import();
    if (metaclass == NULL) return -1;
    Py_INCREF(metaclass);
    if (PyModule_AddObject(module, "extensibletype", metaclass) < 0) {
        Py_DECREF(metaclass);
        return -1;
    }
    return PyTypedMethod_RegisterMethods(methods, records, 1);
}

MODULE(carrier, methods, EXECUTE(execute))
