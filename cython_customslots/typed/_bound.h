/* SPDX-License-Identifier: MIT
 *
 * _bound.h - C functions made of others, for the common signatures: leading arguments bound to
 * constants (functools.partial), and one step of a ufunc's loop.  Both take their data as the
 * last argument, a `void *` context, which a capsule keeps.
 */
#ifndef CYTHON_CUSTOMSLOTS_TYPED_BOUND_H
#define CYTHON_CUSTOMSLOTS_TYPED_BOUND_H

#include "_thunks.h"

/* --------------------------------------------------------------- constants bound -- */

typedef struct {
    Target target;
    union {
        double  f8;
        float   f4;
        int32_t i4;
        int64_t i8;
    } values[3];
} Bound;

#define BOUND_NAME "cython_customslots.typed.bound"
#define VALUE(i, A) target->values[i].A

#define BOUND(name, R, own, first, last, parameters, a_plain, a_first, a_last)           \
    static T(R) name parameters                                                          \
    {                                                                                    \
        const Bound *target = (const Bound *)data;                                       \
        void *const context = target->target.call.context;                               \
        return target->target.form == FORM_PLAIN ? CALL(&target->target, R, own, a_plain)      \
               : target->target.form == FORM_FIRST ? CALL(&target->target, R, first, a_first)  \
               : CALL(&target->target, R, last, a_last);                                 \
    }

#define BOUND_1_1(R, A, B)                                                               \
    BOUND(bound_1_##R##_##A##_##B, R, (T(A), T(B)), (void *, T(A), T(B)), (T(A), T(B), void *), \
          (T(B) b, void *data), (VALUE(0, A), b), (context, VALUE(0, A), b),             \
          (VALUE(0, A), b, context))
#define BOUND_1_2(R, A, B, D)                                                            \
    BOUND(bound_1_##R##_##A##_##B##_##D, R, (T(A), T(B), T(D)), (void *, T(A), T(B), T(D)), \
          (T(A), T(B), T(D), void *), (T(B) b, T(D) d, void *data), (VALUE(0, A), b, d), \
          (context, VALUE(0, A), b, d), (VALUE(0, A), b, d, context))
#define BOUND_1_3(R, A, B, D, E)                                                         \
    BOUND(bound_1_##R##_##A##_##B##_##D##_##E, R, (T(A), T(B), T(D), T(E)),              \
          (void *, T(A), T(B), T(D), T(E)), (T(A), T(B), T(D), T(E), void *),            \
          (T(B) b, T(D) d, T(E) e, void *data), (VALUE(0, A), b, d, e),                  \
          (context, VALUE(0, A), b, d, e), (VALUE(0, A), b, d, e, context))
#define BOUND_2_1(R, A, B, D)                                                            \
    BOUND(bound_2_##R##_##A##_##B##_##D, R, (T(A), T(B), T(D)), (void *, T(A), T(B), T(D)), \
          (T(A), T(B), T(D), void *), (T(D) d, void *data), (VALUE(0, A), VALUE(1, B), d), \
          (context, VALUE(0, A), VALUE(1, B), d), (VALUE(0, A), VALUE(1, B), d, context))
#define BOUND_2_2(R, A, B, D, E)                                                         \
    BOUND(bound_2_##R##_##A##_##B##_##D##_##E, R, (T(A), T(B), T(D), T(E)),              \
          (void *, T(A), T(B), T(D), T(E)), (T(A), T(B), T(D), T(E), void *),            \
          (T(D) d, T(E) e, void *data), (VALUE(0, A), VALUE(1, B), d, e),                \
          (context, VALUE(0, A), VALUE(1, B), d, e), (VALUE(0, A), VALUE(1, B), d, e, context))
#define BOUND_3_1(R, A, B, D, E)                                                         \
    BOUND(bound_3_##R##_##A##_##B##_##D##_##E, R, (T(A), T(B), T(D), T(E)),              \
          (void *, T(A), T(B), T(D), T(E)), (T(A), T(B), T(D), T(E), void *),            \
          (T(E) e, void *data), (VALUE(0, A), VALUE(1, B), VALUE(2, D), e),              \
          (context, VALUE(0, A), VALUE(1, B), VALUE(2, D), e),                           \
          (VALUE(0, A), VALUE(1, B), VALUE(2, D), e, context))

#define BOUND_ALL_1_1(X)                                                                 \
    X(f8, f8, f8) X(f8, i4, f8) X(f8, i8, f8) X(f4, f4, f4) X(i4, i4, i4) X(i8, i8, i8)
#define BOUND_ALL_1_2(X)                                                                 \
    X(f8, f8, f8, f8) X(f8, i4, f8, f8) X(f8, i8, f8, f8) X(f8, f8, i4, pointer)         \
    X(i4, i4, i4, i4) X(i8, i8, i8, i8)
#define BOUND_ALL_1_3(X) X(f8, f8, f8, f8, f8)
#define BOUND_ALL_2_1(X)                                                                 \
    X(f8, f8, f8, f8) X(f8, f8, i4, f8) X(f8, f8, i8, f8) X(f8, i4, f8, f8) X(f8, i4, i4, f8) \
    X(f8, i8, f8, f8) X(f8, i8, i8, f8)
#define BOUND_ALL_2_2(X) X(f8, f8, f8, f8, f8)
#define BOUND_ALL_3_1(X) X(f8, f8, f8, f8, f8)

BOUND_ALL_1_1(BOUND_1_1)
BOUND_ALL_1_2(BOUND_1_2)
BOUND_ALL_1_3(BOUND_1_3)
BOUND_ALL_2_1(BOUND_2_1)
BOUND_ALL_2_2(BOUND_2_2)
BOUND_ALL_3_1(BOUND_3_1)

/* No constants: arrays as C passes them, an address and a number of items in either order. */
#define LENT const PyTypedMethodArray *a, void *data
BOUND(lent_address, f8, (void *, Py_ssize_t), (void *, void *, Py_ssize_t), (void *, Py_ssize_t, void *), (LENT),
      (a->data, a->length), (context, a->data, a->length), (a->data, a->length, context))
BOUND(lent_length, f8, (int32_t, void *), (void *, int32_t, void *), (int32_t, void *, void *), (LENT),
      ((int32_t)a->length, a->data), (context, (int32_t)a->length, a->data), ((int32_t)a->length, a->data, context))

#define BOUND_ROW_1_1(...) ROW_2(bound_1, __VA_ARGS__)
#define BOUND_ROW_1_2(...) ROW_3(bound_1, __VA_ARGS__)
#define BOUND_ROW_1_3(...) ROW_4(bound_1, __VA_ARGS__)
#define BOUND_ROW_2_1(...) ROW_3(bound_2, __VA_ARGS__)
#define BOUND_ROW_2_2(...) ROW_4(bound_2, __VA_ARGS__)
#define BOUND_ROW_3_1(...) ROW_4(bound_3, __VA_ARGS__)

/* By the number of constants, under the signature of the function that is bound. */
static const Thunk bound_1_thunks[] = {
    BOUND_ALL_1_1(BOUND_ROW_1_1) BOUND_ALL_1_2(BOUND_ROW_1_2) BOUND_ALL_1_3(BOUND_ROW_1_3)
    {0, NULL}
};
static const Thunk bound_2_thunks[] = {
    BOUND_ALL_2_1(BOUND_ROW_2_1) BOUND_ALL_2_2(BOUND_ROW_2_2) {0, NULL}
};
static const Thunk lent_thunks[] = {
    {PyTypedMethod_SIG(C(f8), C(pointer), C(Py_ssize_t)), (void *)(uintptr_t)lent_address},
    {PyTypedMethod_SIG(C(f8), C(i4), C(pointer)), (void *)(uintptr_t)lent_length},
    {0, NULL}
};
static const Thunk bound_3_thunks[] = {BOUND_ALL_3_1(BOUND_ROW_3_1) {0, NULL}};

static void
destroy_bound(PyObject *capsule)
{
    Bound *bound = (Bound *)PyCapsule_GetPointer(capsule, BOUND_NAME);
    Py_XDECREF(bound->target.callable);
    PyMem_Free(bound);
}

/* bind(callable, its signature, constants): (capsule, address, flags, error bits) of
   a C function with the rest of the arguments, which the capsule keeps; its pointer is the
   context.  None: no code for it is built in.  The constants fit, which has been looked at; without
   any, it takes an array for the address and the length. */
static PyObject *
bind(PyObject *module, PyObject *args)
{
    PyObject *callable, *values, *capsule;
    unsigned long long inner;
    const Thunk *thunks;
    _Pycs_Types types;
    PyTypedMethodCall call;
    Py_ssize_t i, count;
    void *function;
    Bound *bound;

    (void)module;
    if (!PyArg_ParseTuple(args, "OKO!:bind", &callable, &inner, &PyTuple_Type, &values)) return NULL;
    count = PyTuple_GET_SIZE(values);
    thunks = count == 0 ? lent_thunks : count == 1 ? bound_1_thunks : count == 2 ? bound_2_thunks : bound_3_thunks;
    function = count <= 3 ? find_thunk(thunks, (uint64_t)inner) : NULL;
    if (function == NULL || _Pycs_Decode((uint64_t)inner, &types) < 0
            || !PyTypedMethod_Find(callable, (uint64_t)inner, &call)) Py_RETURN_NONE;
    if (!(bound = (Bound *)PyMem_Calloc(1, sizeof(Bound)))) return PyErr_NoMemory();
    set_target(&bound->target, &call);
    Py_INCREF(callable);
    bound->target.callable = callable;
    if (!(capsule = PyCapsule_New(bound, BOUND_NAME, destroy_bound))) {
        Py_DECREF(callable);
        PyMem_Free(bound);
        return NULL;
    }
    for (i = 0; i < count; i++) {
        if (_Pycs_FromPython(types.codes[i + 1], PyTuple_GET_ITEM(values, i), &bound->values[i]) < 0) {
            Py_DECREF(capsule);
            return NULL;
        }
    }
    return Py_BuildValue("NNIK", capsule, PyLong_FromVoidPtr(function),
                         (unsigned int)((call.flags & (PyTypedMethod_RAISES | PyTypedMethod_NOGIL
                                                       | PyTypedMethod_UNVERIFIED))
                                        | PyTypedMethod_CTX_LAST),
                         (unsigned long long)call.error.u);
}

/* ------------------------------------------------------------- one step of a loop -- */

/* The beginning of NumPy's PyUFuncObject, which is part of its ABI. */
typedef struct {
    PyObject_HEAD
    int nin, nout, nargs, identity;
    void (**functions)(char **, const Py_ssize_t *, const Py_ssize_t *, void *);
    void *const *data;
    int ntypes, reserved;
    const char *name;
    const char *types;
} UFunc;

typedef struct {
    void (*function)(char **, const Py_ssize_t *, const Py_ssize_t *, void *);
    void *data;
    PyObject *ufunc;
} Step;

#define ONCE_NAME "cython_customslots.typed.step"

#define ONCE_RUN(R)                                                                      \
        SET_NOTHING(R, result);                                                          \
        step->function(arguments, &one, steps, step->data);                              \
        return result;
#define ONCE_1(R, A)                                                                     \
    static T(R) step_##R##_##A(T(A) a, void *data)                                       \
    {                                                                                    \
        const Step *step = (const Step *)data;                                           \
        T(R) result;            /* which the loop leaves as it is if it raises */        \
        char *arguments[2] = {(char *)&a, (char *)&result};                              \
        const Py_ssize_t one = 1, steps[2] = {sizeof(T(A)), sizeof(T(R))};               \
        ONCE_RUN(R)                                                                      \
    }
#define ONCE_2(R, A, B)                                                                  \
    static T(R) step_##R##_##A##_##B(T(A) a, T(B) b, void *data)                         \
    {                                                                                    \
        const Step *step = (const Step *)data;                                           \
        T(R) result;            /* which the loop leaves as it is if it raises */        \
        char *arguments[3] = {(char *)&a, (char *)&b, (char *)&result};                  \
        const Py_ssize_t one = 1, steps[3] = {sizeof(T(A)), sizeof(T(B)), sizeof(T(R))}; \
        ONCE_RUN(R)                                                                      \
    }
#define ONCE_3(R, A, B, D)                                                               \
    static T(R) step_##R##_##A##_##B##_##D(T(A) a, T(B) b, T(D) d, void *data)           \
    {                                                                                    \
        const Step *step = (const Step *)data;                                           \
        T(R) result;            /* which the loop leaves as it is if it raises */        \
        char *arguments[4] = {(char *)&a, (char *)&b, (char *)&d, (char *)&result};      \
        const Py_ssize_t one = 1, steps[4] = {sizeof(T(A)), sizeof(T(B)), sizeof(T(D)),  \
                                              sizeof(T(R))};                             \
        ONCE_RUN(R)                                                                      \
    }

#define ONCE_ALL_1(X) \
    X(f8, f8) X(f4, f4) X(c16, c16) X(c8, c8) X(i4, i4) X(i8, i8) X(bool, f8) X(f8, c16)
#define ONCE_ALL_2(X)                                                                    \
    X(f8, f8, f8) X(f4, f4, f4) X(c16, c16, c16) X(i4, i4, i4) X(i8, i8, i8) X(bool, f8, f8) \
    X(f8, i8, f8) X(f8, i4, f8) X(f8, f8, i4) X(f8, f8, i8)
#define ONCE_ALL_3(X) X(f8, f8, f8, f8) X(f8, i8, i8, f8)

ONCE_ALL_1(ONCE_1)
ONCE_ALL_2(ONCE_2)
ONCE_ALL_3(ONCE_3)

#define ONCE_ROW_1(...) ROW_1(step, __VA_ARGS__)
#define ONCE_ROW_2(...) ROW_2(step, __VA_ARGS__)
#define ONCE_ROW_3(...) ROW_3(step, __VA_ARGS__)

static const Thunk step_thunks[] = {
    ONCE_ALL_1(ONCE_ROW_1) ONCE_ALL_2(ONCE_ROW_2) ONCE_ALL_3(ONCE_ROW_3) {0, NULL}
};

static void
destroy_step(PyObject *capsule)
{
    Step *step = (Step *)PyCapsule_GetPointer(capsule, ONCE_NAME);
    Py_XDECREF(step->ufunc);
    PyMem_Free(step);
}

/* Is what Python says about a ufunc what its struct says?  1, 0, or -1 with an exception. */
static int
is_ufunc(PyObject *ufunc)
{
    static const char *const names[] = {"nin", "nout", "nargs", "ntypes"};
    const UFunc *self = (const UFunc *)ufunc;
    const int found[4] = {self->nin, self->nout, self->nargs, self->ntypes};
    int i;
    if (Py_TYPE(ufunc)->tp_basicsize < (Py_ssize_t)sizeof(UFunc)) return 0;
    for (i = 0; i < 4; i++) {
        PyObject *number = PyObject_GetAttrString(ufunc, names[i]);
        long value = number != NULL ? PyLong_AsLong(number) : -1;
        Py_XDECREF(number);
        if (value == -1 && PyErr_Occurred()) return -1;
        if (value != found[i]) return 0;
    }
    return 1;
}

/* ufunc_loop(ufunc, index, signature): (capsule, address) of a C function that runs its loop
   once; the capsule's pointer is the context.  None: no code for it is built in, or this is
   no ufunc as we know them. */
static PyObject *
ufunc_loop(PyObject *module, PyObject *args)
{
    PyObject *ufunc, *capsule;
    unsigned long long signature;
    Py_ssize_t index;
    void *function;
    Step *step;
    int known;

    (void)module;
    if (!PyArg_ParseTuple(args, "OnK:ufunc_loop", &ufunc, &index, &signature)) return NULL;
    if ((known = is_ufunc(ufunc)) < 0) return NULL;
    function = find_thunk(step_thunks, (uint64_t)signature);
    if (!known || function == NULL || index < 0 || index >= ((UFunc *)ufunc)->ntypes) {
        Py_RETURN_NONE;
    }
    if (!(step = (Step *)PyMem_Calloc(1, sizeof(Step)))) return PyErr_NoMemory();
    step->function = ((UFunc *)ufunc)->functions[index];
    step->data = ((UFunc *)ufunc)->data != NULL ? ((UFunc *)ufunc)->data[index] : NULL;
    Py_INCREF(ufunc);
    step->ufunc = ufunc;
    if (!(capsule = PyCapsule_New(step, ONCE_NAME, destroy_step))) {
        Py_DECREF(ufunc);
        PyMem_Free(step);
        return NULL;
    }
    return Py_BuildValue("NN", capsule, PyLong_FromVoidPtr(function));
}

/* error_bits(word, number): what a PyTypedMethodError holds for it. */
static PyObject *
error_bits(PyObject *module, PyObject *args)
{
    const char *word;
    long number;
    PyTypedMethodError error;
    (void)module;
    if (!PyArg_ParseTuple(args, "sl:error_bits", &word, &number)) return NULL;
    error.i = number;
    if (word[0] == 'f') error.f = (double)number;
    return PyLong_FromUnsignedLongLong((unsigned long long)error.u);
}

#endif /* CYTHON_CUSTOMSLOTS_TYPED_BOUND_H */
