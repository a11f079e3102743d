/* SPDX-License-Identifier: MIT
 *
 * callbacks.c - a library that takes callbacks, for test_callbacks.py: C code that knows neither
 * Python nor errors, called with trampolines of all kinds.  For a stable ABI it has no functions with records.
 */
#include "../abi.h"
#include "typedmethod.h"

#include <math.h>
#include "../module.h"
#ifndef _WIN32
#  include <pthread.h>
#endif

/* ------------------------------------------------------- C code of somebody else's --
 *
 * n below 0: without end, but that NaN is one.
 */

static long calls_made;

static double
c_sum_last(double (*f)(double, void *), void *data, long n)
{
    double sum = 0.0;
    for (long i = 0; i < n || (n < 0 && sum == sum); i++) sum += f((double)i, data);
    return sum;
}

static double
c_sum_first(double (*f)(void *, double), void *data, long n)
{
    double sum = 0.0;
    for (long i = 0; i < n; i++) sum += f(data, (double)i);
    return sum;
}

static double
c_sum(double (*f)(double), long n)
{
    double sum = 0.0;
    for (long i = 0; i < n || (n < 0 && sum == sum); i++) {
        calls_made++;
        sum += f((double)i);
    }
    return sum;
}

static void
c_each(void (*f)(int64_t, void *), void *data, int64_t n)
{
    for (int64_t i = 0; i < n; i++) f(i, data);
}

/* ------------------------------------------------------------------- the library -- */

static double hook_point(void *callback, int32_t n, void *x);

enum { NUMBER, POINT };

static const PyTypedCallbackForm forms[] = {
    {PyTypedMethod_SIGNATURE(f8(f8)), "double (double)", NULL},
    {PyTypedMethod_SIGNATURE(f8(i4, pointer)), "double (int, double *)", NULL},
    {0, NULL, NULL}
};
static const PyTypedCallbackForm reversed[] = {
    {PyTypedMethod_SIGNATURE(f8(i4, pointer)), "double (int, double *)", NULL},
    {PyTypedMethod_SIGNATURE(f8(f8)), "double (double)", NULL},
    {0, NULL, NULL}
};
static const PyTypedCallbackForm points[] = {
    {PyTypedMethod_SIGNATURE(f8(i4, pointer)), "double (int, double *)",
     (void *)(uintptr_t)hook_point},
    {0, NULL, NULL}
};
static const PyTypedCallbackForm unhooked[] = {
    {PyTypedMethod_SIGNATURE(f8(i4, pointer)), "double (int, double *)", NULL},
    {0, NULL, NULL}
};
static const PyTypedCallbackForm empty[] = {{0, NULL, NULL}};
static const PyTypedCallbackForm wrong[] = {{99, NULL, NULL}, {0, NULL, NULL}};

PyTypedCallback_CALLER(call_number, Py_NAN, f8, f8)
PyTypedCallback_CALLER_WITH_GIL(call_number_gil, Py_NAN, f8, f8)
PyTypedCallback_CALLER(call_point, Py_NAN, f8, i4, pointer)
PyTypedCallback_CALLER(call_nothing, -7, i4)
PyTypedCallback_CALLER(call_object, NULL, object, object)
PyTypedCallback_TRAMPOLINE_LAST(number_last, call_number, f8, f8)
PyTypedCallback_TRAMPOLINE_LAST(number_last_gil, call_number_gil, f8, f8)
PyTypedCallback_TRAMPOLINE_FIRST(number_first, call_number, f8, f8)
PyTypedCallback_TRAMPOLINE(number_alone, call_number, f8, f8)
PyTypedCallback_TRAMPOLINE(nothing_alone, call_nothing, i4)
PyTypedCallback_TRAMPOLINE_LAST(object_last, call_object, object, object)

/* Python gets the point as a memoryview of doubles, which it may write to. */
static double
hook_point(void *pointer, int32_t n, void *x)
{
    PyTypedCallback *callback = (PyTypedCallback *)pointer;
    PyObject *bytes, *view = NULL, *result = NULL;
    double value = 7.0;         /* with an exception, too: no value says that there is one */
    bytes = PyMemoryView_FromMemory((char *)x, n * (Py_ssize_t)sizeof(double), PyBUF_WRITE);
    if (bytes != NULL) view = PyObject_CallMethod(bytes, "cast", "s", "d");
    if (view != NULL) {
        result = callback->data == NULL
            ? PyObject_CallFunctionObjArgs(callback->callable.callable, view, NULL)
            : PyObject_CallFunctionObjArgs(callback->callable.callable, view,
                                           (PyObject *)callback->data, NULL);
    }
    if (result != NULL) value = PyFloat_AsDouble(result);
    Py_XDECREF(bytes);
    Py_XDECREF(view);
    Py_XDECREF(result);
    return value;
}

static const PyTypedCallbackForm *
named_forms(const char *name)
{
    return strcmp(name, "reversed") == 0 ? reversed : strcmp(name, "points") == 0 ? points
         : strcmp(name, "unhooked") == 0 ? unhooked : strcmp(name, "empty") == 0 ? empty
         : strcmp(name, "wrong") == 0 ? wrong : forms;
}

/* chosen(callable, forms="forms"): (index, is it typed, why not) */
static PyObject *
chosen(PyObject *module, PyObject *args)
{
    PyObject *callable, *why, *result = NULL;
    const char *name = "forms";
    PyTypedCallback callback;
    if (!PyArg_ParseTuple(args, "O|s", &callable, &name)) return NULL;
    if (PyTypedCallable_InitAny(&callback, callable, named_forms(name)) < 0) {
        PyTypedCallback_Clear(&callback);                       /* which is allowed */
        return NULL;
    }
    if ((why = PyTypedCallback_WhyNot(&callback)) != NULL) {
        result = Py_BuildValue("iNN", callback.chosen, PyBool_FromLong(callback.is_typed), why);
    }
    PyTypedCallback_Clear(&callback);
    return result;
}

/* call(callable, numbers, extra=None): f(numbers[0]) or f(len(numbers), numbers) */
static PyObject *
call(PyObject *module, PyObject *args)
{
    PyObject *callable, *numbers, *extra = NULL, *result = NULL;
    PyTypedCallback held, callback;
    double x[8] = {0.0}, value;
    int form, count, i;
    if (!PyArg_ParseTuple(args, "OO!|O", &callable, &PyTuple_Type, &numbers, &extra)) return NULL;
    count = (int)PyTuple_Size(numbers);
    for (i = 0; i < count && i < 8; i++) x[i] = PyFloat_AsDouble(PyTuple_GetItem(numbers, i));
    form = PyTypedCallable_InitAny(&held, callable, count == 1 ? forms : points);
    if (form < 0) return NULL;
    held.data = extra;
    PyTypedCallback_Copy(&callback, &held);
    PyTypedCallback_Clear(&held);
    if (PyTypedCallback_Enter(&callback) == 0) {
        value = callback.forms[form].signature == PyTypedMethod_SIGNATURE(f8(f8))
            ? call_number(&callback, x[0]) : call_point(&callback, count, x);
        if (PyErr_Occurred()) PyErr_SetString(PyExc_AssertionError, "found an exception that was not kept");
        if (PyTypedCallback_Leave(&callback) == 0) result = Py_BuildValue("dd", value, x[0]);
    }
    PyTypedCallback_Clear(&callback);
    return result;
}

typedef struct {
    PyTypedCallback *callback;
    long n;
    double sum;
} Job;

static void *
work(void *data)
{
    Job *job = (Job *)data;
    job->sum = c_sum_last(number_last, job->callback, job->n);
    return NULL;
}

/* sum(callable, n, way): with a C function that is handed a trampoline; NaN cannot be returned,
   since it raises what the callable raised. */
static PyObject *
sum(PyObject *module, PyObject *args)
{
    PyObject *callable;
    PyTypedCallback callback;
    const char *way;
    double value = 0.0;
    long n;
    int failed;
    if (!PyArg_ParseTuple(args, "Ols", &callable, &n, &way)) return NULL;
    if (PyTypedCallable_InitAny(&callback, callable, forms) < 0) return NULL;
    if (PyTypedCallback_Enter(&callback) < 0) {
        PyTypedCallback_Clear(&callback);
        return NULL;
    }
    if (strcmp(way, "gil") == 0) value = c_sum_last(number_last_gil, &callback, n);
    else {
        Py_BEGIN_ALLOW_THREADS
        if (strcmp(way, "target") == 0) {
            void *function, *data;
            PyTypedCallback_Target(&callback, 0, (void *)(uintptr_t)number_last, &function, &data);
            value = c_sum_last((double (*)(double, void *))(uintptr_t)function, data, n);
        }
        else if (strcmp(way, "last") == 0) value = c_sum_last(number_last, &callback, n);
        else if (strcmp(way, "first") == 0) value = c_sum_first(number_first, &callback, n);
        else if (strcmp(way, "alone") == 0) value = c_sum(number_alone, n);
#ifndef _WIN32
        else if (strcmp(way, "threads") == 0) {
            Job jobs[4];
            pthread_t threads[4];
            for (int i = 0; i < 4; i++) {
                jobs[i].callback = &callback;
                jobs[i].n = n;
                pthread_create(&threads[i], NULL, work, &jobs[i]);
            }
            for (int i = 0; i < 4; i++) {
                pthread_join(threads[i], NULL);
                value += jobs[i].sum;
            }
        }
#endif
        Py_END_ALLOW_THREADS
    }
    failed = PyTypedCallback_HasFailed(&callback);
    if (PyTypedCallback_Leave(&callback) < 0) {
        PyTypedCallback_Clear(&callback);
        return NULL;
    }
    PyTypedCallback_Clear(&callback);
    if (failed) {
        PyErr_SetString(PyExc_AssertionError, "failed without an exception");
        return NULL;
    }
    return PyFloat_FromDouble(value);
}

/* [each.begin] */
static const PyTypedCallbackForm visits[] = {           /* the best first */
    {PyTypedMethod_SIG(PyTypedMethod_VOID, PyTypedMethod_I8), "void (long long)", NULL},
    {0, NULL, NULL}
};
PyTypedCallback_CALLER(call_visit, 0, void, i8)         /* void call_visit(callback, int64_t) */
PyTypedCallback_TRAMPOLINE_LAST(visit, call_visit, void, i8)    /* void visit(int64_t, void *) */

static PyObject *
each(PyObject *module, PyObject *args)
{
    PyObject *callable, *result = NULL;
    PyTypedCallback callback;
    long n;

    (void)module;
    if (!PyArg_ParseTuple(args, "Ol", &callable, &n)) return NULL;
    if (PyTypedCallable_InitAny(&callback, callable, visits) < 0) return NULL;
    if (PyTypedCallback_Enter(&callback) == 0) {
        c_each(visit, &callback, n);                    /* C code that knows nothing of Python */
        if (PyTypedCallback_Leave(&callback) == 0) result = Py_NewRef(Py_None);
    }
    PyTypedCallback_Clear(&callback);
    return result;
}
/* [each.end] */

/* obtained(callable): what this thread's callback is before, in, between and after runs */
static PyObject *
obtained(PyObject *module, PyObject *callable)
{
    PyTypedCallback *before = PyTypedCallback_Obtain();
    PyTypedCallback outer, inner;
    PyObject *result = NULL;
    if (PyTypedCallable_InitAny(&outer, callable, forms) < 0) return NULL;
    PyTypedCallback_Copy(&inner, &outer);
    if (PyTypedCallback_Enter(&outer) == 0) {
        const int in_outer = PyTypedCallback_Obtain() == &outer;
        if (PyTypedCallback_Enter(&inner) == 0) {
            const int in_inner = PyTypedCallback_Obtain() == &inner;
            (void)PyTypedCallback_Leave(&inner);
            result = Py_BuildValue("iiii", before == NULL, in_outer, in_inner,
                                   PyTypedCallback_Obtain() == &outer);
        }
        (void)PyTypedCallback_Leave(&outer);
    }
    PyTypedCallback_Clear(&outer);
    PyTypedCallback_Clear(&inner);
    return result;
}

static PyObject *
enter_twice(PyObject *module, PyObject *callable)
{
    PyTypedCallback callback;
    if (PyTypedCallable_InitAny(&callback, callable, forms) < 0) return NULL;
    if (PyTypedCallback_Enter(&callback) == 0) {
        (void)PyTypedCallback_Enter(&callback);
        (void)PyTypedCallback_Leave(&callback);
    }
    PyTypedCallback_Clear(&callback);
    return NULL;
}

static PyObject *
made(PyObject *module, PyObject *ignored)
{
    long count = calls_made;
    calls_made = 0;
    return PyLong_FromLong(count);
}

/* ---------------------------------------------------------- typed functions to call -- */

static double square_impl(double x) { return x * x; }

static double scaled_impl(double factor, double x) { return factor * x; }

static double pick_impl(int a, double b, double x) { return a * 100.0 + b * 10.0 + x; }

/* Raises at 3, and says so by -1, which is a result like any other. */
static double
until_three_impl(double x)
{
    if (x != 3.0) return x - 4.0;
    PyErr_SetString(PyExc_ValueError, "three");
    return -1.0;
}

static double
free_until_three_impl(double x)
{
    PyGILState_STATE state;
    if (x != 3.0) return x - 4.0;
    state = PyGILState_Ensure();
    PyErr_SetString(PyExc_ValueError, "three without the GIL");
    PyGILState_Release(state);
    return -1.0;
}

static double
minus_one_impl(double x)
{
    (void)x;
    return -1.0;
}

/* Calls the library again, without end and without Python. */
static PyObject *again_function;
static double
again_impl(double x)
{
    PyTypedCallback callback;
    double value = -1.0;
    if (PyTypedCallable_InitAny(&callback, again_function, forms) < 0) return -1.0;
    if (PyTypedCallback_Enter(&callback) == 0) {
        value = c_sum_last(number_last_gil, &callback, 1) + x;
        if (PyTypedCallback_Leave(&callback) < 0) value = -1.0;
    }
    PyTypedCallback_Clear(&callback);
    return value;
}

static PyObject *
one_number(double (*function)(double), PyObject *arg)
{
    double x = PyFloat_AsDouble(arg);
    if (PyErr_Occurred()) return NULL;
    x = function(x);
    return PyErr_Occurred() ? NULL : PyFloat_FromDouble(x);
}

#define WRAPPED(name)                                                                    \
    static PyObject *name(PyObject *module, PyObject *arg)                               \
    { (void)module; return one_number(name##_impl, arg); }
WRAPPED(square)
WRAPPED(until_three)
WRAPPED(free_until_three)
WRAPPED(minus_one)
WRAPPED(again)

static PyObject *
scaled(PyObject *module, PyObject *args)
{
    double factor, x;
    if (!PyArg_ParseTuple(args, "dd", &factor, &x)) return NULL;
    return PyFloat_FromDouble(scaled_impl(factor, x));
}

static PyObject *
pick(PyObject *module, PyObject *args)
{
    double b, x;
    int a;
    if (!PyArg_ParseTuple(args, "idd", &a, &b, &x)) return NULL;
    return PyFloat_FromDouble(pick_impl(a, b, x));
}

#ifndef Py_LIMITED_API
PyTypedMethod_FUNCTION(square, square_impl, PyTypedMethod_NOGIL, 0, f8(f8));
PyTypedMethod_FUNCTION(scaled, scaled_impl, PyTypedMethod_NOGIL, 0, f8(f8, f8));
PyTypedMethod_FUNCTION(pick, pick_impl, PyTypedMethod_NOGIL, 0, f8(i4, f8, f8));
PyTypedMethod_FUNCTION(until_three, until_three_impl, PyTypedMethod_RAISES_MAYBE, -1, f8(f8));
PyTypedMethod_FUNCTION(free_until_three, free_until_three_impl,
                       PyTypedMethod_NOGIL | PyTypedMethod_RAISES_MAYBE, -1, f8(f8));
PyTypedMethod_FUNCTION(minus_one, minus_one_impl,
                       PyTypedMethod_NOGIL | PyTypedMethod_RAISES_MAYBE, -1, f8(f8));
PyTypedMethod_FUNCTION(again, again_impl, PyTypedMethod_RAISES_MAYBE, -1, f8(f8));
#endif

/* Functions for user data, as addresses. */
static double with_data_last(double x, void *data) { return x + *(double *)data; }
static double with_data_first(void *data, double x) { return x - *(double *)data; }
static double norm(int n, double *x) { return n > 1 ? sqrt(x[0] * x[0] + x[1] * x[1]) : x[0]; }
static double norm_data(int n, double *x, void *data) { return norm(n, x) + *(double *)data; }

static PyMethodDef methods[] = {
    TAKES_ARGS(chosen), TAKES_ARGS(call), TAKES_ARGS(sum), TAKES_ARGS(each), TAKES_ONE(obtained),
    TAKES_ONE(enter_twice), TAKES_NONE(made), TAKES_ONE(square), TAKES_ARGS(scaled),
    TAKES_ARGS(pick), TAKES_ONE(until_three), TAKES_ONE(free_until_three), TAKES_ONE(minus_one), TAKES_ONE(again),
    {NULL, NULL, 0, NULL}
};

static int
exec_module(PyObject *module)
{
#ifndef Py_LIMITED_API
    static const PyTypedMethodRecord *const typed[] = {
        &square_typed, &scaled_typed, &pick_typed, &until_three_typed, &free_until_three_typed,
        &minus_one_typed, &again_typed};
    if (PyTypedMethod_RegisterMethods(methods, typed, 7) < 0) return -1;
#endif
    (void)object_last;
    (void)nothing_alone;
    if (!(again_function = PyObject_GetAttrString(module, "again"))) return -1;
#define ADDRESS(name) \
    if (PyModule_AddObject(module, #name, PyLong_FromVoidPtr((void *)(uintptr_t)name)) < 0) \
        return -1
    ADDRESS(square_impl);
    ADDRESS(with_data_last);
    ADDRESS(with_data_first);
    ADDRESS(norm);
    ADDRESS(norm_data);
    return 0;
}

#ifndef NAME
#  define NAME callbacks
#endif
MODULE(NAME, methods, EXECUTE(exec_module))
