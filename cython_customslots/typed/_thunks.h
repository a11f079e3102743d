/* SPDX-License-Identifier: MIT
 *
 * _thunks.h - compiled functions that stand between a caller and an entry, for the common
 * signatures.  All take their data as the last argument, a `void *` context:
 *
 *   skip   calls a `cpdef` function found in a __pyx_capi__ capsule, whose last argument is
 *          `int __pyx_skip_dispatch`: 1, since who found it has chosen the override
 *   via    calls any entry in the form that it needs, taking the GIL if it needs that, and
 *          reports what it raises to sys.unraisablehook, for consumers that know neither
 *          contexts before the arguments nor exceptions, and get the function's error value, or NaN or 0
 *          where it has none; or keeps it for who asks
 */
#ifndef CYTHON_CUSTOMSLOTS_TYPED_THUNKS_H
#define CYTHON_CUSTOMSLOTS_TYPED_THUNKS_H

#include "_signatures.h"

typedef struct {
    uint64_t signature;
    void    *function;
} Thunk;

/* Does this result say that the function may have raised?  By member of the error. */
#define IS_ERROR_i(result, error) ((int64_t)(result) == (error).i)
#define IS_ERROR_u(result, error) ((uint64_t)(result) == (error).u)
#define IS_ERROR_f(result, error) \
    (!((double)(result) < (error).f) && !((double)(result) > (error).f)      /* or NaN */    \
     && ((double)(result) == (error).f || ((result) != (result) && (error).f != (error).f)))
#define IS_ERROR_p(result, error) ((void *)(result) == (error).p)
#define IS_ERROR_c(result, error) ((void)(result), (void)(error), 0)
#define IS_ERROR__(member, result, error) IS_ERROR_##member(result, error)
#define IS_ERROR_(member, result, error) IS_ERROR__(member, result, error)
#define IS_ERROR(word, result, error) IS_ERROR_(_Pycs_M(word), result, error)

/* What C gets after an exception of a function that has no error value: NaN, 0, NULL. */
#define NOTHING_i 0
#define NOTHING_u 0
#define NOTHING_p 0
#define NOTHING_f 0xff
#define NOTHING_c 0xff
#define NOTHING__(member) NOTHING_##member
#define NOTHING_(member) NOTHING__(member)
#define SET_NOTHING(word, result) memset(&(result), NOTHING_(_Pycs_M(word)), sizeof(result))

/* How an entry is to be called, made out once. */
typedef struct {
    PyTypedMethodCall call;
    int  form;      /* FORM_... */
    int  check;     /* CHECK_... */
    int  held;      /* the GIL is taken around calls */
    int  keeps;     /* exceptions are kept for take_error(), and counted: */
    int  raised;    /*   so many were not taken so far; changed with the GIL in hand */
    PyObject *callable;     /* strong */
} Target;

enum { FORM_PLAIN, FORM_FIRST, FORM_LAST };
enum { CHECK_NEVER, CHECK_VALUE, CHECK_ALWAYS };

static void
set_target(Target *target, const PyTypedMethodCall *call)
{
    uint32_t raises = call->flags & PyTypedMethod_RAISES;
    target->call = *call;
    target->form = call->flags & PyTypedMethod_CTX_FIRST ? FORM_FIRST
                 : call->flags & PyTypedMethod_CTX_LAST ? FORM_LAST : FORM_PLAIN;
    target->check = raises == 0 ? CHECK_NEVER
                  : raises == PyTypedMethod_RAISES_ANY ? CHECK_ALWAYS : CHECK_VALUE;
    /* What is asked after every call costs less with the GIL in hand. */
    target->held = !(call->flags & PyTypedMethod_NOGIL) || target->check == CHECK_ALWAYS;
}

/* After a result that may mean an exception: is there one?  Whoever has the GIL asks at
   once; a call without it takes it for the question. */
_Pycs_NOINLINE static int
has_raised(const Target *target)
{
    return target->held ? PyErr_Occurred() != NULL : _Pycs_HasRaised();
}

/* Exceptions that were kept: a list in the dictionary of this thread, since a signal's handler may
   call such functions, too, before the last one was taken.  Borrowed; NULL with an exception. */
static PyObject *
kept_errors(void)
{
    PyObject *dict = PyThreadState_GetDict(), *list;
    if (dict == NULL) {
        PyErr_SetString(PyExc_RuntimeError, "this thread has no dictionary");
        return NULL;
    }
    list = PyDict_GetItemString(dict, "cython_customslots.typed");
    if (list == NULL && (list = PyList_New(0)) != NULL) {
        const int failed = PyDict_SetItemString(dict, "cython_customslots.typed", list);
        Py_DECREF(list);
        if (failed) return NULL;
    }
    return list;
}

/* Keeps the exception that is set.  0, or -1: it is as it was.

   It is kept as an object, because PyPy does not let code of a later call hand on an exception
   that was set before: the caller must raise it anew. */
static int
keep_error(void)
{
    PyObject *kind, *value, *traceback, *list;
    int failed;
    PyErr_Fetch(&kind, &value, &traceback);
    PyErr_NormalizeException(&kind, &value, &traceback);
    if (traceback != NULL) (void)PyException_SetTraceback(value, traceback);
    list = kept_errors();
    failed = list == NULL || PyList_Append(list, value) < 0;
    if (failed) {
        PyErr_Restore(kind, value, traceback);
        return -1;
    }
    Py_XDECREF(kind);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
    return 0;
}

/* The exception that was kept last in this thread, a new reference.  NULL: none, or with an
   exception. */
static PyObject *
take_error(void)
{
    PyObject *list = kept_errors(), *error;
    const Py_ssize_t count = list != NULL ? PyList_Size(list) : 0;
    if (count <= 0) return NULL;
    error = PyList_GetItem(list, count - 1);
    Py_XINCREF(error);
    if (PyList_SetSlice(list, count - 1, count, NULL) < 0) Py_CLEAR(error);
    return error;
}

/* Was there one that the caller does not see by the result? */
_Pycs_NOINLINE static int
report(Target *target)
{
    _Pycs_Gil gil;
    int is_silent = 0;
    _Pycs_TakeGil(&gil);
    if (PyErr_Occurred()) {
        is_silent = target->check == CHECK_ALWAYS;
        if (target->keeps && keep_error() == 0) target->raised++;
        else PyErr_WriteUnraisable(target->callable);
    }
    if (gil.taken) PyGILState_Release(gil.state);
    return is_silent;
}

#define CALL(target, R, types, values)                                                   \
    ((T(R) (*) types)(uintptr_t)(target)->call.function) values

/* `result`, `assign`, `nothing`, `give`: what is done with the result, nothing if the function has none;
   `is_error`: of CHECK_VALUE, which asks the result. */
#define VIA_AS(                                                                          \
    name, R, result, assign, is_error, nothing, give, own, first, last, parameters, a_plain, a_first, a_last) \
    static T(R) name parameters                                                          \
    {                                                                                    \
        Target *target = (Target *)data;                                                 \
        _Pycs_Gil gil = {0, 0, PyGILState_LOCKED};                                       \
        result                                                                           \
        if (target->held) _Pycs_TakeGil(&gil);                                           \
        if (target->form == FORM_PLAIN) assign CALL(target, R, own, a_plain);            \
        else if (target->form == FORM_FIRST) assign CALL(target, R, first, a_first);     \
        else assign CALL(target, R, last, a_last);                                       \
        if ((target->check == CHECK_ALWAYS || (target->check == CHECK_VALUE && is_error)) && report(target)) { \
            nothing                                                                      \
        }                                                                                \
        if (target->held && gil.taken) PyGILState_Release(gil.state);                    \
        give                                                                             \
    }
#define VIA(name, R, ...)                                                                \
    VIA_AS(name, R, T(R) result;, result =, IS_ERROR(R, result, target->call.error), SET_NOTHING(R, result);, \
           return result;, __VA_ARGS__)
#define VIA_NOTHING(name, ...) VIA_AS(name, void, , , 0, , , __VA_ARGS__)

#define CONTEXT target->call.context

#define VIA_0(R)                                                                         \
    VIA(via_##R, R, (void), (void *), (void *), (void *data), (), (CONTEXT), (CONTEXT))
#define VIA_1(R, A)                                                                      \
    VIA(via_##R##_##A, R, (T(A)), (void *, T(A)), (T(A), void *), (T(A) a, void *data),  \
        (a), (CONTEXT, a), (a, CONTEXT))
#define VIA_2(R, A, B)                                                                   \
    VIA(via_##R##_##A##_##B, R, (T(A), T(B)), (void *, T(A), T(B)), (T(A), T(B), void *),\
        (T(A) a, T(B) b, void *data), (a, b), (CONTEXT, a, b), (a, b, CONTEXT))
#define VIA_3(R, A, B, D)                                                                \
    VIA(via_##R##_##A##_##B##_##D, R, (T(A), T(B), T(D)), (void *, T(A), T(B), T(D)),    \
        (T(A), T(B), T(D), void *), (T(A) a, T(B) b, T(D) c, void *data),                \
        (a, b, c), (CONTEXT, a, b, c), (a, b, c, CONTEXT))
#define VIA_4(R, A, B, D, E)                                                             \
    VIA(via_##R##_##A##_##B##_##D##_##E, R, (T(A), T(B), T(D), T(E)),                    \
        (void *, T(A), T(B), T(D), T(E)), (T(A), T(B), T(D), T(E), void *),              \
        (T(A) a, T(B) b, T(D) c, T(E) d, void *data),                                    \
        (a, b, c, d), (CONTEXT, a, b, c, d), (a, b, c, d, CONTEXT))

/* PyPy's direct() calls everything that needs the GIL or raises through these. */
#ifdef PYPY_VERSION
#  define VIA_ALL_0(X) X(f8) X(f4) X(i4) X(i8) X(u4) X(u8) X(bool)
#  define VIA_ALL_1(X) COMMON_1(X)
#  define VIA_ALL_2(X) COMMON_2(X) CALLBACKS_2(X)
#  define VIA_ALL_3(X) COMMON_3(X) CALLBACKS_3(X)
#  define VIA_ALL_4(X) COMMON_4(X) CALLBACKS_4(X)
#else
#  define VIA_ALL_0(X)
#  define VIA_ALL_1(X) X(f8, f8) X(f4, f4) X(i4, i4) X(i8, i8) X(i4, f8)
#  define VIA_ALL_2(X) X(f8, f8, f8) CALLBACKS_2(X)
#  define VIA_ALL_3(X) X(f8, f8, f8, f8) CALLBACKS_3(X)
#  define VIA_ALL_4(X) CALLBACKS_4(X)
#endif

VIA_ALL_0(VIA_0)
VIA_ALL_1(VIA_1)
VIA_ALL_2(VIA_2)
VIA_ALL_3(VIA_3)
VIA_ALL_4(VIA_4)

#define ROW_0(prefix, R) {PyTypedMethod_SIG(C(R)), (void *)(uintptr_t)prefix##_##R},
#define ROW_1(prefix, R, A)                                                              \
    {PyTypedMethod_SIG(C(R), C(A)), (void *)(uintptr_t)prefix##_##R##_##A},
#define ROW_2(prefix, R, A, B)                                                           \
    {PyTypedMethod_SIG(C(R), C(A), C(B)), (void *)(uintptr_t)prefix##_##R##_##A##_##B},
#define ROW_3(prefix, R, A, B, D)                                                        \
    {PyTypedMethod_SIG(C(R), C(A), C(B), C(D)),                                          \
     (void *)(uintptr_t)prefix##_##R##_##A##_##B##_##D},
#define ROW_4(prefix, R, A, B, D, E)                                                     \
    {PyTypedMethod_SIG(C(R), C(A), C(B), C(D), C(E)),                                    \
     (void *)(uintptr_t)prefix##_##R##_##A##_##B##_##D##_##E},
#define ROW_5(prefix, R, A, B, D, E, F)                                                  \
    {PyTypedMethod_SIG(C(R), C(A), C(B), C(D), C(E), C(F)),                              \
     (void *)(uintptr_t)prefix##_##R##_##A##_##B##_##D##_##E##_##F},
#define ROW_6(prefix, R, A, B, D, E, F, G)                                               \
    {PyTypedMethod_SIG(C(R), C(A), C(B), C(D), C(E), C(F), C(G)),                        \
     (void *)(uintptr_t)prefix##_##R##_##A##_##B##_##D##_##E##_##F##_##G},

#define VIA_ROW_0(R) ROW_0(via, R)
#define VIA_ROW_1(...) ROW_1(via, __VA_ARGS__)
#define VIA_ROW_2(...) ROW_2(via, __VA_ARGS__)
#define VIA_ROW_3(...) ROW_3(via, __VA_ARGS__)
#define VIA_ROW_4(...) ROW_4(via, __VA_ARGS__)

static const Thunk via_thunks[] = {
    VIA_ALL_0(VIA_ROW_0) VIA_ALL_1(VIA_ROW_1) VIA_ALL_2(VIA_ROW_2) VIA_ALL_3(VIA_ROW_3) VIA_ALL_4(VIA_ROW_4)
    {0, NULL}
};

/* -------------------------------------------------- an array as a pointer and a length -- */

#define ARRAY const PyTypedMethodArray *
VIA(via_array, f8, (ARRAY), (void *, ARRAY), (ARRAY, void *), (ARRAY a, void *data), (a), (CONTEXT, a), (a, CONTEXT))
VIA_NOTHING(via_arrays, (ARRAY, ARRAY), (void *, ARRAY, ARRAY), (ARRAY, ARRAY, void *), (ARRAY a, ARRAY b, void *data),
            (a, b), (CONTEXT, a, b), (a, b, CONTEXT))

/* f8(f8[::1]) as scipy.integrate.quad calls it, */
static double
via_array_of_quad(int32_t n, void *x, void *data)
{
    const PyTypedMethodArray a = {x, n, sizeof(double)};
    return via_array(&a, data);
}

/* and as scipy.ndimage.generic_filter does; */
static int32_t
via_array_of_filter(void *x, Py_ssize_t n, void *result, void *data)
{
    const PyTypedMethodArray a = {x, n, sizeof(double)};
    *(double *)result = via_array(&a, data);
    return 1;
}

/* void(f8[::1], f8[::1]) as generic_filter1d does, */
static int32_t
via_arrays_of_filter(void *line, Py_ssize_t n, void *result, Py_ssize_t count, void *data)
{
    const PyTypedMethodArray a = {line, n, sizeof(double)}, b = {result, count, sizeof(double)};
    via_arrays(&a, &b, data);
    return 1;
}

/* and with the first one of indices as geometric_transform. */
static int32_t
via_arrays_of_transform(void *indices, void *coordinates, int32_t n, int32_t count, void *data)
{
    const PyTypedMethodArray a = {indices, n, sizeof(Py_ssize_t)}, b = {coordinates, count, sizeof(double)};
    via_arrays(&a, &b, data);
    return 1;
}

/* By the signature of the C function that is made. */
static const Thunk array_thunks[] = {
    {PyTypedMethod_SIG(C(f8), C(i4), C(pointer)), (void *)(uintptr_t)via_array_of_quad},
    {PyTypedMethod_SIG(C(i4), C(pointer), C(Py_ssize_t), C(pointer)), (void *)(uintptr_t)via_array_of_filter},
    {PyTypedMethod_SIG(C(i4), C(pointer), C(Py_ssize_t), C(pointer), C(Py_ssize_t)),
     (void *)(uintptr_t)via_arrays_of_filter},
    {PyTypedMethod_SIG(C(i4), C(pointer), C(pointer), C(i4), C(i4)), (void *)(uintptr_t)via_arrays_of_transform},
    {0, NULL}
};

/* ---------------------------------------------------------------------- skip -- */

/* `data`: the address of a variable that holds the function. */
#define SKIP_CALL(R, types, values) \
    ((T(R) (*) types)(uintptr_t)*(void *const *)data) values

#define SKIP_0(R)                                                                        \
    static T(R) skip_##R(void *data) { return SKIP_CALL(R, (int), (1)); }
#define SKIP_1(R, A)                                                                     \
    static T(R) skip_##R##_##A(T(A) a, void *data)                                       \
    { return SKIP_CALL(R, (T(A), int), (a, 1)); }
#define SKIP_2(R, A, B)                                                                  \
    static T(R) skip_##R##_##A##_##B(T(A) a, T(B) b, void *data)                         \
    { return SKIP_CALL(R, (T(A), T(B), int), (a, b, 1)); }
#define SKIP_3(R, A, B, D)                                                               \
    static T(R) skip_##R##_##A##_##B##_##D(T(A) a, T(B) b, T(D) c, void *data)           \
    { return SKIP_CALL(R, (T(A), T(B), T(D), int), (a, b, c, 1)); }
#define SKIP_4(R, A, B, D, E)                                                            \
    static T(R) skip_##R##_##A##_##B##_##D##_##E(T(A) a, T(B) b, T(D) c, T(E) d,         \
                                                 void *data)                             \
    { return SKIP_CALL(R, (T(A), T(B), T(D), T(E), int), (a, b, c, d, 1)); }
#define SKIP_5(R, A, B, D, E, F)                                                         \
    static T(R) skip_##R##_##A##_##B##_##D##_##E##_##F(T(A) a, T(B) b, T(D) c, T(E) d,   \
                                                       T(F) e, void *data)               \
    { return SKIP_CALL(R, (T(A), T(B), T(D), T(E), T(F), int), (a, b, c, d, e, 1)); }
#define SKIP_6(R, A, B, D, E, F, G)                                                      \
    static T(R) skip_##R##_##A##_##B##_##D##_##E##_##F##_##G(                            \
        T(A) a, T(B) b, T(D) c, T(E) d, T(F) e, T(G) f, void *data)                      \
    { return SKIP_CALL(R, (T(A), T(B), T(D), T(E), T(F), T(G), int),                     \
                       (a, b, c, d, e, f, 1)); }
#define SKIP_VOID(A)                                                                     \
    static void skip_void_##A(T(A) a, void *data) { SKIP_CALL(void, (T(A), int), (a, 1)); }

#define SKIP_ALL_0(X) X(f8) X(f4) X(i4) X(i8)
SKIP_ALL_0(SKIP_0)
COMMON_1(SKIP_1)
COMMON_2(SKIP_2)
COMMON_3(SKIP_3)
COMMON_4(SKIP_4)
COMMON_5(SKIP_5)
COMMON_6(SKIP_6)
SKIP_VOID(f8)
SKIP_VOID(i4)
SKIP_VOID(i8)
static void skip_void(void *data) { SKIP_CALL(void, (int), (1)); }

#define SKIP_ROW_0(R) ROW_0(skip, R)
#define SKIP_ROW_1(...) ROW_1(skip, __VA_ARGS__)
#define SKIP_ROW_2(...) ROW_2(skip, __VA_ARGS__)
#define SKIP_ROW_3(...) ROW_3(skip, __VA_ARGS__)
#define SKIP_ROW_4(...) ROW_4(skip, __VA_ARGS__)
#define SKIP_ROW_5(...) ROW_5(skip, __VA_ARGS__)
#define SKIP_ROW_6(...) ROW_6(skip, __VA_ARGS__)

static const Thunk skip_thunks[] = {
    SKIP_ALL_0(SKIP_ROW_0) COMMON_1(SKIP_ROW_1) COMMON_2(SKIP_ROW_2) COMMON_3(SKIP_ROW_3)
    COMMON_4(SKIP_ROW_4) COMMON_5(SKIP_ROW_5) COMMON_6(SKIP_ROW_6)
    SKIP_ROW_1(void, f8) SKIP_ROW_1(void, i4) SKIP_ROW_1(void, i8) SKIP_ROW_0(void)
    {0, NULL}
};

static void *
find_thunk(const Thunk *thunks, uint64_t signature)
{
    for (; thunks->signature != 0; thunks++) {
        if (thunks->signature == signature) return thunks->function;
    }
    return NULL;
}

#endif /* CYTHON_CUSTOMSLOTS_TYPED_THUNKS_H */
