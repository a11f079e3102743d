/* SPDX-License-Identifier: MIT
 *
 * _bound.h - C functions made of others, for the common signatures: leading arguments bound to
 * constants (functools.partial), and one step of a ufunc's loop.  Both take their data as the
 * last argument, a `void *` context, which a capsule keeps.
 */
#ifndef CYTHON_CUSTOMSLOTS_TYPED_BOUND_H
#define CYTHON_CUSTOMSLOTS_TYPED_BOUND_H

#include "_loops.h"
#include <fenv.h>

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
#define VALUE(i, A) bound->values[i].A

/* A function of `parameters` that calls another one, of these words, with `values`. */
#define BOUND(count, name, parameters, values, r, ...)                                   \
    static T(r)                                                                          \
    name parameters                                                                      \
    {                                                                                    \
        const Bound *bound = (const Bound *)data;                                        \
        void *const context = bound->target.call.context;                                \
        T(r) result_;                                                                    \
        CALL_TARGET(&bound->target, count, r, values, (context, _Pycs_INSIDE values),    \
                    (_Pycs_INSIDE values, context), __VA_ARGS__, )                       \
        return result_;                                                                  \
    }

#define BOUND_1_1(r, a, b)                                                               \
    BOUND(2, bound_1_##r##_##a##_##b, (T(b) b_, void *data), (VALUE(0, a), b_), r, a, b)
#define BOUND_1_2(r, a, b, c)                                                            \
    BOUND(3, bound_1_##r##_##a##_##b##_##c, (T(b) b_, T(c) c_, void *data),              \
          (VALUE(0, a), b_, c_), r, a, b, c)
#define BOUND_1_3(r, a, b, c, d)                                                         \
    BOUND(4, bound_1_##r##_##a##_##b##_##c##_##d, (T(b) b_, T(c) c_, T(d) d_, void *data), \
          (VALUE(0, a), b_, c_, d_), r, a, b, c, d)
#define BOUND_2_1(r, a, b, c)                                                            \
    BOUND(3, bound_2_##r##_##a##_##b##_##c, (T(c) c_, void *data),                       \
          (VALUE(0, a), VALUE(1, b), c_), r, a, b, c)
#define BOUND_2_2(r, a, b, c, d)                                                         \
    BOUND(4, bound_2_##r##_##a##_##b##_##c##_##d, (T(c) c_, T(d) d_, void *data),        \
          (VALUE(0, a), VALUE(1, b), c_, d_), r, a, b, c, d)
#define BOUND_3_1(r, a, b, c, d)                                                         \
    BOUND(4, bound_3_##r##_##a##_##b##_##c##_##d, (T(d) d_, void *data),                 \
          (VALUE(0, a), VALUE(1, b), VALUE(2, c), d_), r, a, b, c, d)

/* By the number of constants, and of arguments that are left. */
#define BOUND_ALL_1_1(X)                                                                 \
    X(f8, f8, f8) X(f8, i4, f8) X(f8, i8, f8) X(f4, f4, f4) X(i4, i4, i4) X(i8, i8, i8)
#define BOUND_ALL_1_2(X)                                                                 \
    X(f8, f8, f8, f8) X(f8, i4, f8, f8) X(f8, i8, f8, f8) X(f8, f8, i4, pointer)         \
    X(i4, i4, i4, i4) X(i8, i8, i8, i8)
#define BOUND_ALL_2_1(X)                                                                 \
    X(f8, f8, f8, f8) X(f8, f8, i4, f8) X(f8, f8, i8, f8) X(f8, i4, f8, f8) X(f8, i4, i4, f8) \
    X(f8, i8, f8, f8) X(f8, i8, i8, f8)

BOUND_ALL_1_1(BOUND_1_1)
BOUND_ALL_1_2(BOUND_1_2)
BOUND_1_3(f8, f8, f8, f8, f8)
BOUND_ALL_2_1(BOUND_2_1)
BOUND_2_2(f8, f8, f8, f8, f8)
BOUND_3_1(f8, f8, f8, f8, f8)

/* No constants: arrays as C passes them, an address and a number of items in either order. */
#define LENT (const PyTypedMethodArray *a, void *data)
BOUND(2, lent_f8_pointer_Py_ssize_t, LENT, (a->data, a->length), f8, pointer, Py_ssize_t)
BOUND(2, lent_f8_i4_pointer, LENT, ((int32_t)a->length, a->data), f8, i4, pointer)

/* By the number of constants, under the signature of the function that is bound. */
#define BOUND_1_ROW(...) ROW(bound_1, __VA_ARGS__)
#define BOUND_2_ROW(...) ROW(bound_2, __VA_ARGS__)
static const Thunk lent_thunks[] = {ROW(lent, f8, pointer, Py_ssize_t) ROW(lent, f8, i4, pointer) {0, NULL}};
static const Thunk bound_1_thunks[] = {
    BOUND_ALL_1_1(BOUND_1_ROW) BOUND_ALL_1_2(BOUND_1_ROW) ROW(bound_1, f8, f8, f8, f8, f8) {0, NULL}
};
static const Thunk bound_2_thunks[] = {
    BOUND_ALL_2_1(BOUND_2_ROW) ROW(bound_2, f8, f8, f8, f8, f8) {0, NULL}
};
static const Thunk bound_3_thunks[] = {ROW(bound_3, f8, f8, f8, f8, f8) {0, NULL}};
static const Thunk *const bound_thunks[] = {lent_thunks, bound_1_thunks, bound_2_thunks, bound_3_thunks};

/* bind(callable, its signature, constants): (capsule, address, flags, error bits) of
   a C function with the rest of the arguments, which the capsule keeps; its pointer is the
   context.  None: no code for it is built in.  The caller has checked that the constants fit;
   without any, the C function takes an array for the address and the length. */
static PyObject *
bind(PyObject *module, PyObject *args)
{
    PyObject *callable, *values, *capsule;
    unsigned long long inner;
    _Pycs_Types types;
    PyTypedMethodCall call;
    Py_ssize_t i, count;
    void *function, *made;
    Bound *bound;

    (void)module;
    if (!PyArg_ParseTuple(args, "OKO!:bind", &callable, &inner, &PyTuple_Type, &values)) return NULL;
    count = PyTuple_GET_SIZE(values);
    function = count <= 3 ? find_thunk(bound_thunks[count], (uint64_t)inner) : NULL;
    if (function == NULL || _Pycs_Decode((uint64_t)inner, &types) < 0
            || !PyTypedMethod_Find(callable, (uint64_t)inner, &call)) Py_RETURN_NONE;
    if (!(capsule = keep(callable, sizeof(Bound), BOUND_NAME, &made))) return NULL;
    bound = (Bound *)made;
    set_target(&bound->target, &call);
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

typedef struct {
    PyObject *ufunc;        /* strong; the first member, see keep() */
    LoopFunction function;
    void *data;
} Step;

#define ONCE_NAME "cython_customslots.typed.step"

/* What loops of SciPy look at behind their work, and NumPy clears before it. */
#define LOOKED_AT (FE_DIVBYZERO | FE_OVERFLOW | FE_UNDERFLOW | FE_INVALID)

#define _Pycs_ARGUMENT(i, t) (char *)&a##i##_,
#define _Pycs_SIZE(i, t)     sizeof(T(t)),
#define ONCE_OF(count, name, r, ...)                                                     \
    static T(r)                                                                          \
    name(_Pycs_LIST(count, PARAMETER_COMMA, PARAMETER_COMMA, , __VA_ARGS__) void *data)  \
    {                                                                                    \
        const Step *step = (const Step *)data;                                           \
        T(r) result;            /* which the loop leaves as it is if it raises */        \
        char *arguments[] = {_Pycs_LIST(count, ARGUMENT, ARGUMENT, , __VA_ARGS__) (char *)&result}; \
        const Py_ssize_t one = 1, steps[] = {_Pycs_LIST(count, SIZE, SIZE, , __VA_ARGS__) sizeof(T(r))}; \
        SET_NOTHING(r, result);                                                          \
        if (fetestexcept(LOOKED_AT)) feclearexcept(LOOKED_AT);                           \
        step->function(arguments, &one, steps, step->data);                              \
        return result;                                                                   \
    }
#define ONCE(...) WITH_NAME(ONCE_OF, step, __VA_ARGS__)
#define ONCE_ALL(X)                                                                      \
    X(f8, f8) X(f4, f4) X(c16, c16) X(c8, c8) X(i4, i4) X(i8, i8) X(bool, f8) X(f8, c16) \
    X(f8, f8, f8) X(f4, f4, f4) X(c16, c16, c16) X(i4, i4, i4) X(i8, i8, i8) X(bool, f8, f8) \
    X(f8, i8, f8) X(f8, i4, f8) X(f8, f8, i4) X(f8, f8, i8) X(f8, f8, f8, f8) X(f8, i8, i8, f8)

ONCE_ALL(ONCE)

#define ONCE_ROW(...) ROW(step, __VA_ARGS__)
static const Thunk step_thunks[] = {ONCE_ALL(ONCE_ROW) {0, NULL}};

/* Does Python say about a ufunc what its struct says?  1, 0, or -1 with an exception. */
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
    void *function, *made;
    Step *step;
    int known;

    (void)module;
    if (!PyArg_ParseTuple(args, "OnK:ufunc_loop", &ufunc, &index, &signature)) return NULL;
    if ((known = is_ufunc(ufunc)) < 0) return NULL;
    function = find_thunk(step_thunks, (uint64_t)signature);
    if (!known || function == NULL || index < 0 || index >= ((UFunc *)ufunc)->ntypes) {
        Py_RETURN_NONE;
    }
    if (!(capsule = keep(ufunc, sizeof(Step), ONCE_NAME, &made))) return NULL;
    step = (Step *)made;
    step->function = ((UFunc *)ufunc)->functions[index];
    step->data = ((UFunc *)ufunc)->data != NULL ? ((UFunc *)ufunc)->data[index] : NULL;
    return Py_BuildValue("NN", capsule, PyLong_FromVoidPtr(function));
}

/* error_bits(word, number): what a PyTypedMethodError holds for the number. */
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
