/* SPDX-License-Identifier: MIT
 *
 * typed_finding.c - shows what finds typed functions to Python.  A consumer, for a stable ABI, too.
 */
#include "../abi.h"
#include "typed_probe.h"

static PyObject *
name_of(const void *function)
{
    const CFunction *f = c_functions;
    while (f->name != NULL && f->function != function) f++;
    return PyUnicode_FromString(f->name != NULL ? f->name : "?");
}

/* find(callable, signature) -> None or (C function, context, flags, error as a number);
   context: None, or its address. */
static PyObject *
find(PyObject *module, PyObject *args)
{
    PyObject *callable;
    unsigned long long signature;
    PyTypedMethodCall call;
    if (!PyArg_ParseTuple(args, "OK", &callable, &signature)) return NULL;
    memset(&call, 0x55, sizeof(call));
    if (!PyTypedMethod_Find(callable, signature, &call)) {
        const char *bytes = (const char *)&call;
        size_t i;
        for (i = 0; i < sizeof(call); i++) {
            if (bytes[i] != 0) return PyErr_Format(PyExc_AssertionError, "byte %zu is not 0", i);
        }
        Py_RETURN_NONE;
    }
    return Py_BuildValue("NNIL", name_of(call.function),
                         call.context != NULL ? PyLong_FromVoidPtr(call.context)
                                              : Py_NewRef(Py_None),
                         (unsigned)call.flags, (long long)call.error.i);
}

/* Does a look-up with `pending` raised leave it alone, and one without leave none? */
static PyObject *
find_is_quiet(PyObject *module, PyObject *args)
{
    PyObject *callable, *pending, *type, *value, *traceback;
    unsigned long long signature;
    int round, fine = 1;
    if (!PyArg_ParseTuple(args, "OOK", &callable, &pending, &signature)) return NULL;
    for (round = 1; round >= 0; round--) {      /* the very first with the exception */
        PyTypedMethodCall call;
        if (round) PyErr_SetObject((PyObject *)Py_TYPE(pending), pending);
        (void)PyTypedMethod_Find(callable, signature, &call);
        PyErr_Fetch(&type, &value, &traceback);
        fine = fine && value == (round ? pending : NULL);
        Py_XDECREF(type);
        Py_XDECREF(value);
        Py_XDECREF(traceback);
    }
    return PyBool_FromLong(fine);
}

/* overloads(callable) -> None or (number of entries, bound or None) */
static PyObject *
overloads(PyObject *module, PyObject *callable)
{
    const PyTypedMethodRecord *there;
    PyObject *bound;
    if (!PyTypedMethod_Overloads(callable, &there, &bound)) {
        assert(there == NULL && bound == NULL);
        Py_RETURN_NONE;
    }
    return Py_BuildValue("IO", (unsigned)there->count, bound != NULL ? bound : Py_None);
}

static PyObject *signatures(PyObject *module, PyObject *callable) { return PyTypedMethod_Signatures(callable); }

static PyObject *
why_not(PyObject *module, PyObject *args)
{
    PyObject *callable;
    unsigned long long signature;
    if (!PyArg_ParseTuple(args, "OK", &callable, &signature)) return NULL;
    return PyTypedMethod_WhyNot(callable, signature);
}

PyMethodDef find_methods[] = {
    TAKES_ARGS(find), TAKES_ARGS(find_is_quiet), TAKES_ONE(overloads), TAKES_ONE(signatures),
    TAKES_ARGS(why_not),
    {NULL, NULL, 0, NULL}
};
