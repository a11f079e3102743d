/* SPDX-License-Identifier: MIT
 *
 * typed_calling.c - C functions that report errors in every way there is, and what calls a callable that is held with
 * C values: with the GIL, without it, and in a thread that Python does not know.  A consumer, for a stable ABI, too.
 */
#include "../abi.h"
#include "typed_probe.h"
#include <math.h>
#if !defined(_WIN32)
#  include <pthread.h>
#endif

/* --------------------------------------------------------------- C functions -- */

/* Raises if need be without the GIL, as a nogil function does. */
static void
raise_anyhow(const char *text)
{
    PyGILState_STATE state = PyGILState_Ensure();
    PyErr_SetString(PyExc_RuntimeError, text);
    PyGILState_Release(state);
}

#define FUNCTION(type, name, parameters, body) static type name parameters { body }

FUNCTION(long, inc, (long x), return x + 1;)
FUNCTION(long, long_7, (long x),            /* -7 if and only if it raised */
         if (x == 123) { raise_anyhow("got 123"); return -7; } return x;)
FUNCTION(long, long_1, (long x),            /* -1 may be an answer */
         if (x == 123) { raise_anyhow("got 123"); return -1; } return x;)
FUNCTION(double, double_0, (double x),      /* 0.0 may be an answer */
         if (x == 123.0) { raise_anyhow("got 123"); return 0.0; } return x;)
FUNCTION(double, double_nan, (double x),
         if (x == 123.0) { raise_anyhow("got 123"); return (double)NAN; } return x;)
FUNCTION(double, double_any, (double x),
         if (x == 123.0) raise_anyhow("got 123"); return x;)
FUNCTION(float, float_1, (float x),
         if (x == 123.0f) { raise_anyhow("got 123"); return -0.1f; } return x;)
FUNCTION(long double, wide_1, (long double x),
         if (x == 123.0L) { raise_anyhow("got 123"); return -1.0L; } return x;)
FUNCTION(uint8_t, byte_255, (uint8_t x),
         if (x == 123) { raise_anyhow("got 123"); return 255; } return x;)
FUNCTION(uint64_t, word_max, (uint64_t x),
         if (x == 123) { raise_anyhow("got 123"); return UINT64_MAX; } return x;)
FUNCTION(PyTypedMethod_c16, complex_any, (PyTypedMethod_c16 x), double part[2];
         memcpy(part, &x, sizeof(part)); if (part[0] == 123.0) raise_anyhow("got 123");
         return x;)
FUNCTION(PyObject *, same, (PyObject *x), Py_INCREF(x); return x;)
FUNCTION(PyObject *, object_null, (PyObject *x),
         if (x == Py_None) { raise_anyhow("got None"); return NULL; } Py_INCREF(x); return x;)

static int nothing_called;
FUNCTION(void, nothing, (int32_t x), nothing_called++; if (x == 123) raise_anyhow("got 123");)

/* Has it the GIL?  2: it raises. */
FUNCTION(long, attached, (long x),
         if (x == 2) PyErr_SetString(PyExc_RuntimeError, "got 2");
         return x == 2 ? -1 : is_attached();)

FUNCTION(double, first, (void *context, double x), return *(double *)context * x;)
FUNCTION(double, last, (double x, void *context), return *(double *)context * x;)
/* A method: works with receivers that have a float in them, and type-checks. */
FUNCTION(double, scale, (PyObject *self, double x),
         double factor = PyFloat_AsDouble(self);
         return factor == -1.0 && PyErr_Occurred() ? -1.0 : factor * x;)
FUNCTION(double, eleven, (double a, double b, double c, double d, double e, double f, double g,
                          double h, double i, double j, double k),
         return a + 2*b + 3*c + 4*d + 5*e + 6*f + 7*g + 8*h + 9*i + 10*j + 11*k;)
FUNCTION(double, no_arguments, (void), return 42.0;)
FUNCTION(void *, pointer, (void *x), return x;)

/* One that gives back what it gets, and a caller, for every type. */
#define TYPES(DO) PLAIN_TYPES(DO) COMPLEX_TYPES(DO)
#define PLAIN_TYPES(DO) DO(bool) DO(i1) DO(i2) DO(i4) DO(i8) DO(u1) DO(u2) DO(u4) DO(u8) DO(f4) \
    DO(f8) DO(f16)
#define COMPLEX_TYPES(DO) DO(c8) DO(c16) DO(c32)
#define ECHO(t) \
    static _Pycs_T(t) echo_##t(_Pycs_T(t) x) { return x; } \
    PyTypedMethod_CALLER(call_##t##_##t, t, t)
#ifdef bool
#  undef bool                       /* its word is _Bool then, too; here its name counts */
#endif
TYPES(ECHO)

#define NAMED(f) {#f, (void *)(uintptr_t)f},
#define NAMED_ECHO(t) NAMED(echo_##t)
const CFunction c_functions[] = {
    NAMED(inc) NAMED(long_7) NAMED(long_1) NAMED(double_0) NAMED(double_nan)
    NAMED(double_any) NAMED(float_1) NAMED(wide_1) NAMED(byte_255) NAMED(word_max)
    NAMED(complex_any) NAMED(same) NAMED(object_null) NAMED(nothing) NAMED(attached)
    NAMED(first) NAMED(last) NAMED(scale) NAMED(eleven) NAMED(no_arguments)
    NAMED(pointer) TYPES(NAMED_ECHO) {NULL, NULL}
};

/* ------------------------------------------------------------------- holders -- */

PyTypedMethod_CALLER(call_l_l, long, long)
PyTypedMethod_CALLER_WITH_GIL(call_l_l_gil, long, long)
PyTypedMethod_CALLER(call_d_d, double, double)
PyTypedMethod_CALLER(call_v_i4, void, i4)
PyTypedMethod_CALLER(call_o_o, object, object)
PyTypedMethod_CALLER(call_d, f8)
PyTypedMethod_CALLER(call_p_p, pointer, pointer)
PyTypedMethod_CALLER(call_f8_11, f8, f8, f8, f8, f8, f8, f8, f8, f8, f8, f8, f8)

/* *held, which may hold something, for (callable, signature). */
int
hold(PyTypedCallable *held, PyObject *args)
{
    PyTypedCallable fresh;
    PyObject *callable;
    unsigned long long signature;
    if (!PyArg_ParseTuple(args, "OK", &callable, &signature)) return -1;
    memset(&fresh, 0x55, sizeof(fresh));
    if (PyTypedCallable_Init(&fresh, callable, signature) < 0) {
        assert(fresh.callable == NULL && fresh.call.function == NULL && fresh.signature == 0);
        return -1;
    }
    PyTypedCallable_Clear(held);
    *held = fresh;
    return 0;
}

/* ------------------------------------------------------------- calls by signature -- */

/* One call: the argument and the result as any of the types. */
typedef struct {
    PyTypedCallable *held;
    int (*run)(PyTypedCallable *, void *value);     /* is it what stands for an error? */
    union { long l; double d; int32_t i; PyObject *o; void *p; long double wide[2]; } value;
    int failed;
} Call;

#define RUN(name, T, result, failure) \
    static int run_##name(PyTypedCallable *held, void *value) \
    { \
        T *x = (T *)value; \
        *x = result; \
        return *x == failure; \
    }
RUN(l_l, long, call_l_l(held, *x), -1)
RUN(l_l_gil, long, call_l_l_gil(held, *x), -1)
RUN(d_d, double, call_d_d(held, *x), -1.0)
RUN(v_i4, int32_t, call_v_i4(held, *x), -1)
RUN(o_o, PyObject *, call_o_o(held, *x), NULL)
RUN(p_p, void *, call_p_p(held, *x), NULL)
RUN(d, double, call_d(held), -1.0)
RUN(11, double, call_f8_11(held, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11), -1.0)
/* MSVC's complex numbers are structs. */
#if defined(_MSC_VER)
#  define SAME_COMPLEX(a, b) ((a).part[0] == (b).part[0] && (a).part[1] == (b).part[1])
#else
#  define SAME_COMPLEX(a, b) ((a) == (b))
#endif
#define COMPARE(t) static inline int same_##t(_Pycs_T(t) a, _Pycs_T(t) b) \
    { return a == b; }
#define COMPARE_COMPLEX(t) \
    static inline int same_##t(_Pycs_T(t) a, _Pycs_T(t) b) \
    { return SAME_COMPLEX(a, b); }
#define RUN_ECHO(t)                                                                      \
    static int run_##t##_##t(PyTypedCallable *held, void *value)                         \
    {                                                                                    \
        _Pycs_T(t) given, result, failure;                                              \
        memcpy(&given, value, sizeof(given));                                            \
        result = call_##t##_##t(held, given);                                            \
        memcpy(value, &result, sizeof(result));                                          \
        _Pycs_StoreFailure(_Pycs_C(t), &failure);                                       \
        return same_##t(result, failure);                                                \
    }
PLAIN_TYPES(COMPARE)
COMPLEX_TYPES(COMPARE_COMPLEX)
TYPES(RUN_ECHO)

static const struct { const char *name; int (*run)(PyTypedCallable *, void *);
                      int result, argument; } runs[] = {
    {"l_l", run_l_l, PyTypedMethod_TYPE_INT(long), PyTypedMethod_TYPE_INT(long)},
    {"l_l_gil", run_l_l_gil, PyTypedMethod_TYPE_INT(long), PyTypedMethod_TYPE_INT(long)},
    {"d_d", run_d_d, PyTypedMethod_F8, PyTypedMethod_F8},
    {"v_i4", run_v_i4, PyTypedMethod_I4, PyTypedMethod_I4},
    {"o_o", run_o_o, PyTypedMethod_OBJECT, PyTypedMethod_OBJECT},
    {"p_p", run_p_p, PyTypedMethod_POINTER, PyTypedMethod_POINTER},
    {"d", run_d, PyTypedMethod_F8, PyTypedMethod_F8},
    {"f8_11", run_11, PyTypedMethod_F8, PyTypedMethod_F8},
#define LIST_RUN(t) {#t, run_##t##_##t, _Pycs_C(t), _Pycs_C(t)},
    TYPES(LIST_RUN)
};

#if !defined(_WIN32)
static void *
in_thread(void *arg)
{
    Call *call = (Call *)arg;
    call->failed = call->run(call->held, &call->value);
    return NULL;
}
#endif

/* call(how, what, held, argument) -> the result.  how: "gil", "nogil", "thread" (one that
   Python does not know: then what stands for an error comes back as (result, failed)). */
static PyObject *
call(PyObject *module, PyObject *args)
{
    const char *how, *what;
    PyObject *held, *argument, *result = NULL;
    Call c;
    size_t i = 0;
    int pending;
    if (!PyArg_ParseTuple(args, "ssOO", &how, &what, &held, &argument)) return NULL;
    while (i < sizeof(runs) / sizeof(runs[0]) && strcmp(runs[i].name, what) != 0) i++;
    if (i == sizeof(runs) / sizeof(runs[0])) return PyErr_Format(PyExc_KeyError, "%s", what);
    memset(&c, 0, sizeof(c));
    c.held = held_of(held);
    c.run = runs[i].run;
    if (runs[i].argument == PyTypedMethod_POINTER) c.value.p = PyLong_AsVoidPtr(argument);
    else if (_Pycs_FromPython(runs[i].argument, argument, &c.value) < 0) return NULL;
    if (runs[i].argument == PyTypedMethod_OBJECT) Py_DECREF(argument);      /* borrowed */
    if (PyErr_Occurred()) return NULL;

    if (strcmp(how, "gil") == 0) c.failed = c.run(c.held, &c.value);
    else if (strcmp(how, "nogil") == 0) {
        Py_BEGIN_ALLOW_THREADS
        c.failed = c.run(c.held, &c.value);
        Py_END_ALLOW_THREADS
    }
    else {
#if !defined(_WIN32)
        pthread_t thread;
        Py_BEGIN_ALLOW_THREADS
        if (pthread_create(&thread, NULL, in_thread, &c) == 0) pthread_join(thread, NULL);
        else c.failed = -1;
        Py_END_ALLOW_THREADS
#endif
    }
    pending = PyErr_Occurred() != NULL;
    if (pending) {
        if (!c.failed) PyErr_SetString(PyExc_AssertionError, "raised, and does not say so");
        return NULL;
    }
    if (runs[i].result == PyTypedMethod_POINTER) return PyLong_FromVoidPtr(c.value.p);
    if (runs[i].result == PyTypedMethod_OBJECT) {
        if (c.value.o == NULL) result = Py_NewRef(Py_NotImplemented);
        else result = c.value.o;
    }
    else result = _Pycs_ToPython(runs[i].result, &c.value);
    return strcmp(how, "thread") == 0 ? Py_BuildValue("Ni", result, c.failed) : result;
}

static PyObject *
calls_of_nothing(PyObject *module, PyObject *ignored)
{
    return PyLong_FromLong(nothing_called);
}

static PyObject *
is_typed(PyObject *module, PyObject *held)
{
    return PyBool_FromLong(PyTypedCallable_IsTyped(held_of(held)));
}

static PyObject *
forget(PyObject *module, PyObject *held)
{
    PyTypedCallable_Clear(held_of(held));
    Py_RETURN_NONE;
}

PyMethodDef calling_methods[] = {
    TAKES_ARGS(call), TAKES_NONE(calls_of_nothing), TAKES_ONE(is_typed), TAKES_ONE(forget),
    {NULL, NULL, 0, NULL}
};
