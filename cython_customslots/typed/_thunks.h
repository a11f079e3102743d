/* SPDX-License-Identifier: MIT
 *
 * _thunks.h - compiled functions that stand between a caller and an entry, for the common
 * signatures.  All take their data as the last argument, a `void *` context:
 *
 *   skip   calls a `cpdef` function found in a __pyx_capi__ capsule, whose last argument is
 *          `int __pyx_skip_dispatch`: 1, since the code that found it has chosen the override
 *   via    calls any entry in the form that it needs, taking the GIL if it needs that, and
 *          reports what it raises to sys.unraisablehook, for consumers that know neither
 *          contexts before the arguments nor exceptions, and get the function's error value, or NaN or 0
 *          where it has none; or keeps the exception for take_error()
 */
#ifndef CYTHON_CUSTOMSLOTS_TYPED_THUNKS_H
#define CYTHON_CUSTOMSLOTS_TYPED_THUNKS_H

#include "_signatures.h"

typedef struct {
    uint64_t signature;
    void    *function;
} Thunk;

/* What C gets after an exception of a function that has no error value: NaN, 0, NULL. */
#define NOTHING_i 0
#define NOTHING_u 0
#define NOTHING_p 0
#define NOTHING_v 0
#define NOTHING_f 0xff
#define NOTHING_c 0xff
#define NOTHING__(member) NOTHING_##member
#define NOTHING_(member) NOTHING__(member)
#define SET_NOTHING(word, result) memset(&(result), NOTHING_(_Pycs_M(word)), sizeof(result))

/* How an entry is to be called, found out once. */
typedef struct {
    PyObject *callable;     /* strong; the first member, see keep() */
    PyTypedMethodCall call;
    int  form;      /* FORM_... */
    int  check;     /* CHECK_... */
    int  takes_gil; /* around calls */
    int  keeps;     /* exceptions are kept for take_error(), and counted: */
    int  raised;    /*   so many were not taken so far; changed with the GIL in hand */
} Target;

enum { FORM_PLAIN, FORM_FIRST, FORM_LAST };
enum { CHECK_NEVER, CHECK_VALUE, CHECK_ALWAYS };

static void
destroy_kept(PyObject *keeper)
{
    PyObject **kept = (PyObject **)PyCapsule_GetPointer(keeper, PyCapsule_GetName(keeper));
    Py_XDECREF(*kept);
    PyMem_Free(kept);
}

/* A capsule of that name, whose pointer is *made: `size` bytes of zeros behind a reference to `object`.
   NULL with an exception. */
static PyObject *
keep(PyObject *object, size_t size, const char *name, void **made)
{
    PyObject *keeper;
    if (!(*made = PyMem_Calloc(1, size))) return PyErr_NoMemory();
    if (!(keeper = PyCapsule_New(*made, name, destroy_kept))) {
        PyMem_Free(*made);
        return NULL;
    }
    Py_INCREF(object);
    *(PyObject **)*made = object;
    return keeper;
}

static void
set_target(Target *target, const PyTypedMethodCall *call)
{
    uint32_t raises = call->flags & PyTypedMethod_RAISES;
    target->call = *call;
    target->form = call->flags & PyTypedMethod_CTX_FIRST ? FORM_FIRST
                 : call->flags & PyTypedMethod_CTX_LAST ? FORM_LAST : FORM_PLAIN;
    target->check = raises == 0 ? CHECK_NEVER
                  : raises == PyTypedMethod_RAISES_ANY ? CHECK_ALWAYS : CHECK_VALUE;
    /* A question after every call costs less with the GIL in hand. */
    target->takes_gil = !(call->flags & PyTypedMethod_NOGIL) || target->check == CHECK_ALWAYS;
}

/* After a result that may mean an exception: is there one?  A call that has the GIL asks at once;
   a call without it takes it for the question. */
_Pycs_NOINLINE static int
has_raised(const Target *target)
{
    return target->takes_gil ? PyErr_Occurred() != NULL : _Pycs_HasRaised();
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

/* Keeps the exception that is set.  0, or -1: the exception is still set.

   It is kept as an object, because PyPy does not let code of a later call hand on an exception
   that was set before: the caller must raise it anew. */
static int
keep_error(void)
{
    PyObject *error = _Pycs_TakeRaised(), *list = kept_errors();
    if (list == NULL || PyList_Append(list, error) < 0) {
        _Pycs_RaiseAgain(error);
        return -1;
    }
    Py_DECREF(error);
    return 0;
}

/* The exception that was kept last in this thread, a new reference.  NULL without an exception: there is none. */
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

/* Was there an exception that the caller does not see by the result? */
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

#define IS_ERROR(word)             (IS_ERROR_(_Pycs_M(word), T(word)))    /* of `result_` and `held` */
#define IS_ERROR_(member, type)    IS_ERROR__(member, type)
#define IS_ERROR__(member, type)   IS_NO_OTHER_##member(type) _Pycs_IS_ERROR_##member(type)
/* The first question about floats: in a loop that costs half a nanosecond less than the tests for NaN alone. */
#define IS_NO_OTHER_f(type) \
    !(result_ < (type)held->call.error.f) && !(result_ > (type)held->call.error.f) &&
#define IS_NO_OTHER_i(type)
#define IS_NO_OTHER_u(type)
#define IS_NO_OTHER_p(type)
#define IS_NO_OTHER_c(type)
#define IS_NO_OTHER_v(type)
#define RESULT_(member, type)      _Pycs_RESULT(member, type)
#define KEEP_RESULT_(member, call) _Pycs_KEEP(member, call)
#define RETURN_(member, value)     _Pycs_RETURN(member, value)

/* Keeps the result of a target's function, which is called in the form that it needs: with the values
   alone, or with the context before or behind them. */
#define CALL_TARGET(target, count, r, values, first_values, last_values, ...)            \
    if ((target)->form == FORM_PLAIN) {                                                  \
        KEEP_RESULT_(_Pycs_M(r), ((T(r) (*)(_Pycs_LIST(count, TYPE, COMMA_TYPE, void, __VA_ARGS__))) \
            (uintptr_t)(target)->call.function) values);                                 \
    }                                                                                    \
    else if ((target)->form == FORM_FIRST) {                                             \
        KEEP_RESULT_(_Pycs_M(r), ((T(r) (*)(void * _Pycs_LIST(count, COMMA_TYPE, COMMA_TYPE, , __VA_ARGS__))) \
            (uintptr_t)(target)->call.function) first_values);                           \
    }                                                                                    \
    else {                                                                               \
        KEEP_RESULT_(_Pycs_M(r), ((T(r) (*)(_Pycs_LIST(count, TYPE_COMMA, TYPE_COMMA, , __VA_ARGS__) void *)) \
            (uintptr_t)(target)->call.function) last_values);                            \
    }

#define VIA_OF(count, name, r, ...)                                                      \
    static T(r)                                                                          \
    name(_Pycs_LIST(count, PARAMETER_COMMA, PARAMETER_COMMA, , __VA_ARGS__) void *data)  \
    {                                                                                    \
        Target *held = (Target *)data;                                                   \
        _Pycs_Gil gil = {0, 0, PyGILState_LOCKED};                                       \
        RESULT_(_Pycs_M(r), T(r)) result_;                                               \
        if (held->takes_gil) _Pycs_TakeGil(&gil);                                        \
        CALL_TARGET(held, count, r, (_Pycs_LIST(count, VALUE, COMMA_VALUE, , __VA_ARGS__)), \
                    (held->call.context _Pycs_LIST(count, COMMA_VALUE, COMMA_VALUE, , __VA_ARGS__)), \
                    (_Pycs_LIST(count, VALUE_COMMA, VALUE_COMMA, , __VA_ARGS__) held->call.context), \
                    __VA_ARGS__)                                                         \
        if ((held->check == CHECK_ALWAYS                                                 \
             || (held->check == CHECK_VALUE && IS_ERROR(r)))                             \
                && report(held)) SET_NOTHING(r, result_);                                \
        if (held->takes_gil && gil.taken) PyGILState_Release(gil.state);                 \
        RETURN_(_Pycs_M(r), result_);                                                    \
    }
#define VIA(...) WITH_NAME(VIA_OF, via, __VA_ARGS__)

/* PyPy's direct() calls everything that needs the GIL or raises through these. */
#ifdef PYPY_VERSION
#  define VIA_ALL(X) X(f8) X(f4) X(i4) X(i8) X(u4) X(u8) X(bool) COMMON(X) CALLBACKS(X)
#else
#  define VIA_ALL(X)                                                                     \
    X(f8, f8) X(f4, f4) X(i4, i4) X(i8, i8) X(i4, f8) X(f8, f8, f8) X(f8, f8, f8, f8) CALLBACKS(X)
#endif

VIA_ALL(VIA)

#define VIA_ROW(...) ROW(via, __VA_ARGS__)
static const Thunk via_thunks[] = {VIA_ALL(VIA_ROW) {0, NULL}};

/* -------------------------------------------------- an array as a pointer and a length -- */

VIA_OF(1, via_array, f8, array(f8), )
VIA_OF(2, via_arrays, void, array(f8), array(f8), )

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
#define SKIP_OF(count, name, r, ...)                                                     \
    static T(r)                                                                          \
    name(_Pycs_LIST(count, PARAMETER_COMMA, PARAMETER_COMMA, , __VA_ARGS__) void *data)  \
    {                                                                                    \
        _Pycs_RETURN_CALL_OF(_Pycs_M(r), ((T(r) (*)(_Pycs_LIST(count, TYPE_COMMA, TYPE_COMMA, , __VA_ARGS__) int)) \
            (uintptr_t)*(void *const *)data)(_Pycs_LIST(count, VALUE_COMMA, VALUE_COMMA, , __VA_ARGS__) 1)); \
    }
#define SKIP(...) WITH_NAME(SKIP_OF, skip, __VA_ARGS__)
#define SKIP_ALL(X)                                                                      \
    X(f8) X(f4) X(i4) X(i8) X(void) X(void, f8) X(void, i4) X(void, i8) COMMON(X)

SKIP_ALL(SKIP)

#define SKIP_ROW(...) ROW(skip, __VA_ARGS__)
static const Thunk skip_thunks[] = {SKIP_ALL(SKIP_ROW) {0, NULL}};

static void *
find_thunk(const Thunk *thunks, uint64_t signature)
{
    for (; thunks->signature != 0; thunks++) {
        if (thunks->signature == signature) return thunks->function;
    }
    return NULL;
}

#endif /* CYTHON_CUSTOMSLOTS_TYPED_THUNKS_H */
