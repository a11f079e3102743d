/* SPDX-License-Identifier: MIT
 *
 * _python.h - Python functions for C code that knows nothing of Python: behind C functions of arrays that are compiled
 * here, and behind those that ctypes makes of numbers.
 */
#ifndef CYTHON_CUSTOMSLOTS_TYPED_PYTHON_H
#define CYTHON_CUSTOMSLOTS_TYPED_PYTHON_H

#include "_thunks.h"

/* ------------------------------------------------------------------ arrays -- */

PyTypedMethod_CALLER_WITH_GIL(call_of_array, f8, const_array(f8))
PyTypedMethod_CALLER_WITH_GIL(call_of_two, void, const_array(f8), array(f8))
PyTypedMethod_CALLER_WITH_GIL(call_of_indices, void, const_array(Py_ssize_t), array(f8))

/* `data`: a PyTypedCallable. */
static double
python_array(const PyTypedMethodArray *a, void *data)
{
    const double result = call_of_array((PyTypedCallable *)data, a);
    return result == -1.0 && PyErr_Occurred() ? Py_NAN : result;
}

static void
python_two(const PyTypedMethodArray *a, const PyTypedMethodArray *b, void *data)
{
    (void)call_of_two((PyTypedCallable *)data, a, b);
}

static void
python_indices(const PyTypedMethodArray *a, const PyTypedMethodArray *b, void *data)
{
    (void)call_of_indices((PyTypedCallable *)data, a, b);
}

static const Thunk python_thunks[] = {
    {PyTypedMethod_SIGNATURE(f8(const_array(f8))), (void *)(uintptr_t)python_array},
    {PyTypedMethod_SIGNATURE(void(const_array(f8), array(f8))), (void *)(uintptr_t)python_two},
    {PyTypedMethod_SIGNATURE(void(const_array(Py_ssize_t), array(f8))), (void *)(uintptr_t)python_indices},
    {0, NULL}
};

#define BOXED_NAME "cython_customslots.typed.boxed"

static void
destroy_boxed(PyObject *capsule)
{
    PyTypedCallable *held = (PyTypedCallable *)PyCapsule_GetPointer(capsule, BOXED_NAME);
    PyTypedCallable_Clear(held);
    PyMem_Free(held);
}

/* boxed(callable, signature): what bind() returns, of a C function of arrays that calls Python.  None: no code for it
   is built in. */
static PyObject *
boxed(PyObject *module, PyObject *args)
{
    PyObject *callable, *capsule;
    unsigned long long signature;
    PyTypedCallable *held;
    PyTypedMethodError error;
    void *function;
    int has_value;

    (void)module;
    if (!PyArg_ParseTuple(args, "OK:boxed", &callable, &signature)) return NULL;
    if (!(function = find_thunk(python_thunks, (uint64_t)signature))) Py_RETURN_NONE;
    if (!(held = (PyTypedCallable *)PyMem_Calloc(1, sizeof(*held)))) return PyErr_NoMemory();
    if (PyTypedCallable_Init(held, callable, (uint64_t)signature) < 0
            || !(capsule = PyCapsule_New(held, BOXED_NAME, destroy_boxed))) {
        PyTypedCallable_Clear(held);
        PyMem_Free(held);
        return NULL;
    }
    has_value = _Pycs_CODE_AT((uint64_t)signature, 0) != PyTypedMethod_VOID;
    error.u = 0;
    if (has_value) error.f = Py_NAN;
    return Py_BuildValue("NNIK", capsule, PyLong_FromVoidPtr(function),
                         (unsigned int)(PyTypedMethod_CTX_LAST | (has_value ? PyTypedMethod_RAISES_MAYBE
                                                                            : PyTypedMethod_RAISES_ANY)),
                         (unsigned long long)error.u);
}

/* ----------------------------------------------------------------- numbers -- */

/* A result of any type of numbers, or an address. */
typedef union {
    char      bytes[2 * sizeof(long double)];
    int64_t   i;
    long double f;
    void     *p;
} Result;

/* What ctypes makes of a Python object is an address: 0, or -1 with an exception. */
static int
store_address(PyObject *object, void **address)
{
    *address = object == Py_None ? NULL : PyLong_AsVoidPtr(object);
    return *address == NULL && PyErr_Occurred() ? -1 : 0;
}

static PyObject *
show_result(int code, const Result *value)
{
    if (code == PyTypedMethod_VOID) Py_RETURN_NONE;
    return code == PyTypedMethod_POINTER ? PyLong_FromVoidPtr(value->p) : _Pycs_ToPython(code, value);
}

/* The call of guarded(): `self` is (callable, code of the result, result after an exception). */
static PyObject *
call_guarded(PyObject *self, PyObject *args)
{
    PyObject *callable = PyTuple_GET_ITEM(self, 0), *failure = PyTuple_GET_ITEM(self, 2);
    const int code = (int)PyLong_AsLong(PyTuple_GET_ITEM(self, 1));
    PyObject *result = PyObject_CallObject(callable, args), *shown = NULL;
    Result value;
    if (result != NULL && (code == PyTypedMethod_POINTER ? store_address(result, &value.p)
                                                         : _Pycs_FromPython(code, result, &value)) == 0) {
        shown = show_result(code, &value);
    }
    Py_XDECREF(result);
    if (shown == NULL) {
        PyErr_WriteUnraisable(callable);
        Py_INCREF(failure);
        shown = failure;
    }
    return shown;
}

static PyMethodDef guarded_method = {"guarded", call_guarded, METH_VARARGS, NULL};

/* guarded(callable, signature, bits of the error value or None): the callable for ctypes, which gives C what happens to lie
   there after an exception.  This one never raises: sys.unraisablehook gets what the callable raises, and what is
   wrong with its result. */
static PyObject *
guarded(PyObject *module, PyObject *args)
{
    PyObject *callable, *bits, *self, *result;
    unsigned long long signature;
    PyTypedMethodError error;
    Result value;
    int code;

    (void)module;
    if (!PyArg_ParseTuple(args, "OKO:guarded", &callable, &signature, &bits)) return NULL;
    code = _Pycs_CODE_AT((uint64_t)signature, 0);
    memset(&value, code >= PyTypedMethod_F4 && code <= PyTypedMethod_F16 ? 0xff : 0, sizeof(value));
    if (bits != Py_None) {
        error.u = (uint64_t)PyLong_AsUnsignedLongLong(bits);
        if (PyErr_Occurred()) return NULL;
        if (code == PyTypedMethod_F4) *(float *)(void *)&value = (float)error.f;
        else if (code == PyTypedMethod_F8) *(double *)(void *)&value = error.f;
        else if (code == PyTypedMethod_F16) value.f = (long double)error.f;
        else memcpy(&value, &error, sizeof(error));
    }
    if (!(self = Py_BuildValue("OiN", callable, code, show_result(code, &value)))) return NULL;
    result = PyCFunction_New(&guarded_method, self);
    Py_DECREF(self);
    return result;
}

#endif /* CYTHON_CUSTOMSLOTS_TYPED_PYTHON_H */
