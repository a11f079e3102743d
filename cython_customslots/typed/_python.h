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

/* boxed(callable, signature): what bind() returns, for a C function of arrays that calls Python.  None: no code for
   it is built in. */
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

/* Stores an address that ctypes gives as an int, or as None.  0, or -1 with an exception. */
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

/* A callable for ctypes, which would give C undefined bytes after an exception.  This one never raises:
   sys.unraisablehook gets what the callable raises, and what is wrong with its result.  Calling it raises nothing,
   either: by `vectorcall` it does not count as one more level of recursion. */
typedef struct {
    PyObject_HEAD
    vectorcallfunc vectorcall;
    PyObject *callable;
    PyObject *failure;                  /* what C gets after an exception */
    int       code;                     /* of the result */
} Guarded;

static int
guarded_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(op));
    Py_VISIT(((Guarded *)op)->callable);
    return 0;
}

static void
guarded_dealloc(PyObject *op)
{
    PyTypeObject *type = Py_TYPE(op);
    PyObject_GC_UnTrack(op);
    Py_CLEAR(((Guarded *)op)->callable);
    Py_CLEAR(((Guarded *)op)->failure);
    type->tp_free(op);
    Py_DECREF(type);
}

static PyObject *
guarded_vectorcall(PyObject *op, PyObject *const *args, size_t count, PyObject *names)
{
    Guarded *self = (Guarded *)op;
    PyObject *result = PyObject_Vectorcall(self->callable, args, count, names), *shown = NULL;
    Result value;
    if (result != NULL && (self->code == PyTypedMethod_POINTER ? store_address(result, &value.p)
                           : _Pycs_FromPython(self->code, result, &value)) == 0) {
        shown = show_result(self->code, &value);
    }
    Py_XDECREF(result);
    if (shown == NULL) {
        PyErr_WriteUnraisable(self->callable);
        Py_INCREF(self->failure);
        shown = self->failure;
    }
    return shown;
}

static PyObject *
guarded_call(PyObject *op, PyObject *args, PyObject *kwargs)
{
    (void)kwargs;                       /* ctypes has none */
    return guarded_vectorcall(op, ((PyTupleObject *)args)->ob_item, (size_t)PyTuple_GET_SIZE(args), NULL);
}

static PyMemberDef guarded_members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(Guarded, vectorcall), READONLY, NULL},
    {NULL, 0, 0, 0, NULL}
};

static PyType_Slot guarded_slots[] = {
    {Py_tp_dealloc, (void *)(uintptr_t)guarded_dealloc},
    {Py_tp_traverse, (void *)(uintptr_t)guarded_traverse},
    {Py_tp_call, (void *)(uintptr_t)guarded_call},
    {Py_tp_members, guarded_members},
    {0, NULL}
};

#ifdef PYPY_VERSION
#  define GUARDED_FLAGS 0
#else
#  define GUARDED_FLAGS Py_TPFLAGS_HAVE_VECTORCALL
#endif

static PyType_Spec guarded_spec = {
    "cython_customslots.typed._typed.Guarded", sizeof(Guarded), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE
        | GUARDED_FLAGS,
    guarded_slots
};

/* guarded(callable, signature, bits of the error value or None): a Guarded. */
static PyObject *
make_guarded(PyObject *module, PyObject *args)
{
    PyTypeObject *type = (PyTypeObject *)((State *)PyModule_GetState(module))->guarded_type;
    PyObject *callable, *bits, *failure;
    unsigned long long signature;
    PyTypedMethodError error;
    Result value;
    Guarded *self;
    int code;

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
    if (!(failure = show_result(code, &value))) return NULL;
    if (!(self = (Guarded *)type->tp_alloc(type, 0))) {
        Py_DECREF(failure);
        return NULL;
    }
    Py_INCREF(callable);
    self->callable = callable;
    self->failure = failure;
    self->code = code;
    self->vectorcall = guarded_vectorcall;
    return (PyObject *)self;
}

#endif /* CYTHON_CUSTOMSLOTS_TYPED_PYTHON_H */
