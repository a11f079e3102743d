/* SPDX-License-Identifier: MIT
 *
 * pypy_cases.c - the functions that PyPy's prototype of typed functions was tested with,
 * each with one line that says what is behind it; and calls of them with C values.
 * Compiled for CPython, and for PyPy.
 */
#include <Python.h>
#include "typedmethod.h"
#include "../module.h"

static long inc_impl(long x) { return x + 1; }
static long raise_long_impl(long x)
{
    if (x == 123) {
        PyErr_SetString(PyExc_RuntimeError, "got 123. raising");
        return -1;
    }
    return x;
}
static double add_impl(double left, double right) { return left + right; }
static double raise_double_impl(double x)
{
    if (x == 0.0) {
        PyErr_SetString(PyExc_RuntimeError, "got 0. raising");
        return -0.0;
    }
    return x == 1.0 ? 0.0 : x;
}
static long takes_object_impl(PyObject *obj, long x) { return obj != NULL ? x + 1 : 0; }
static PyObject *takes_only_object_impl(PyObject *obj) { Py_INCREF(obj); return obj; }
static double muladd_impl(double a, double b, double c) { return a + b * c; }
static long does_have_gil_impl(void) { return PyGILState_Check(); }

PyTypedMethod_FUNCTION(inc, inc_impl, 0, 0, long(long));
PyTypedMethod_FUNCTION(raise_long, raise_long_impl, PyTypedMethod_RAISES_MAYBE, -1, long(long));
PyTypedMethod_FUNCTION(add, add_impl, PyTypedMethod_NOGIL, 0, double(double, double));
PyTypedMethod_FUNCTION(raise_double, raise_double_impl, PyTypedMethod_RAISES_MAYBE, 0.0,
                       double(double));
PyTypedMethod_FUNCTION(takes_object, takes_object_impl, 0, 0, long(object, long));
PyTypedMethod_FUNCTION(takes_only_object, takes_only_object_impl, PyTypedMethod_RAISES_VALUE,
                       NULL, object(object));
PyTypedMethod_FUNCTION(muladd, muladd_impl, PyTypedMethod_NOGIL, 0,
                       double(double, double, double));
PyTypedMethod_FUNCTION(does_have_gil, does_have_gil_impl, 0, 0, long());

/* ------------------------------------------------------- what Python calls instead -- */

static int
is_float(const char *function, PyObject *obj, double *value)
{
    if (!PyFloat_CheckExact(obj)) {
        PyErr_Format(PyExc_TypeError, "%s expected float but got %s", function, Py_TYPE(obj)->tp_name);
        return 0;
    }
    *value = PyFloat_AS_DOUBLE(obj);
    return 1;
}

static int
has_count(const char *function, Py_ssize_t found, Py_ssize_t expected)
{
    if (found == expected) return 1;
    PyErr_Format(PyExc_TypeError, "%s expected %zd arguments but got %zd", function, expected, found);
    return 0;
}

static PyObject *
inc(PyObject *module, PyObject *obj)
{
    long x = PyLong_AsLong(obj);
    if (x == -1 && PyErr_Occurred()) return NULL;
    return PyLong_FromLong(inc_impl(x));
}

static PyObject *
raise_long(PyObject *module, PyObject *obj)
{
    long x = PyLong_AsLong(obj);
    if (x == -1 && PyErr_Occurred()) return NULL;
    x = raise_long_impl(x);
    if (x == -1 && PyErr_Occurred()) return NULL;
    return PyLong_FromLong(x);
}

static PyObject *
add(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    double left, right;
    if (!has_count("add", count, 2) || !is_float("add", args[0], &left)
            || !is_float("add", args[1], &right)) return NULL;
    return PyFloat_FromDouble(add_impl(left, right));
}

static PyObject *
raise_double(PyObject *module, PyObject *obj)
{
    double x = PyFloat_AsDouble(obj);
    if (x == -1.0 && PyErr_Occurred()) return NULL;
    x = raise_double_impl(x);
    if (x == 0.0 && PyErr_Occurred()) return NULL;
    return PyFloat_FromDouble(x);
}

static PyObject *
takes_object(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    long x;
    if (!has_count("takes_object", count, 2)) return NULL;
    x = PyLong_AsLong(args[1]);
    if (x == -1 && PyErr_Occurred()) return NULL;
    return PyLong_FromLong(takes_object_impl(args[0], x));
}

static PyObject *takes_only_object(PyObject *module, PyObject *obj) { return takes_only_object_impl(obj); }

static PyObject *
muladd(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    double a, b, c;
    if (!has_count("muladd", count, 3) || !is_float("muladd", args[0], &a)
            || !is_float("muladd", args[1], &b) || !is_float("muladd", args[2], &c)) {
        return NULL;
    }
    return PyFloat_FromDouble(muladd_impl(a, b, c));
}

static PyObject *
does_have_gil(PyObject *module, PyObject *ignored)
{
    return PyLong_FromLong(does_have_gil_impl());
}

/* ------------------------------------------------------------- calls with C values -- */

PyTypedMethod_CALLER(call_l, long)
PyTypedMethod_CALLER(call_l_l, long, long)
PyTypedMethod_CALLER(call_d_d, double, double)
PyTypedMethod_CALLER(call_d_dd, double, double, double)
PyTypedMethod_CALLER(call_d_ddd, double, double, double, double)
PyTypedMethod_CALLER(call_l_ol, long, object, long)
PyTypedMethod_CALLER(call_o_o, object, object)

/* typed(function, letters, *args) -> what the C function returns: without the GIL, except
   where objects are handed on */
static PyObject *
typed(PyObject *module, PyObject *args)
{
    PyObject *function = PyTuple_GET_ITEM(args, 0), *rest = NULL, *result = NULL;
    const char *letters = PyUnicode_AsUTF8(PyTuple_GET_ITEM(args, 1));
    PyTypedCallable f;
    uint64_t signature;
    PyObject *o;
    double d = 0, a, b, c;
    long l = 0, x;

    if (PyTypedMethod_Parse(letters, &signature) < 0) return NULL;
    if (PyTypedCallable_Init(&f, function, signature) < 0) return NULL;
    if (!PyTypedCallable_IsTyped(&f)) {
        PyErr_SetString(PyExc_LookupError, letters);
        goto done;
    }
    if (!(rest = PyTuple_GetSlice(args, 2, PyTuple_GET_SIZE(args)))) goto done;
    if (strcmp(letters, "->l") == 0) {
        Py_BEGIN_ALLOW_THREADS
        l = call_l(&f);
        Py_END_ALLOW_THREADS
    }
    else if (strcmp(letters, "l->l") == 0) {
        if (!PyArg_ParseTuple(rest, "l", &x)) goto done;
        Py_BEGIN_ALLOW_THREADS
        l = call_l_l(&f, x);
        Py_END_ALLOW_THREADS
    }
    else if (strcmp(letters, "Ol->l") == 0) {
        if (!PyArg_ParseTuple(rest, "Ol", &o, &x)) goto done;
        l = call_l_ol(&f, o, x);
    }
    else if (strcmp(letters, "O->O") == 0) {
        if (!PyArg_ParseTuple(rest, "O", &o)) goto done;
        result = call_o_o(&f, o);
        goto done;
    }
    else {
        if (!PyArg_ParseTuple(rest, "d|dd", &a, &b, &c)) goto done;
        Py_BEGIN_ALLOW_THREADS
        d = strcmp(letters, "d->d") == 0 ? call_d_d(&f, a)
            : strcmp(letters, "dd->d") == 0 ? call_d_dd(&f, a, b) : call_d_ddd(&f, a, b, c);
        Py_END_ALLOW_THREADS
    }
    if (PyErr_Occurred()) goto done;
    result = letters[strlen(letters) - 1] == 'l' ? PyLong_FromLong(l) : PyFloat_FromDouble(d);
done:
    Py_XDECREF(rest);
    PyTypedCallable_Clear(&f);
    return result;
}

#define FAST(function) (PyCFunction)(void (*)(void))(function)
static PyMethodDef methods[] = {
    TAKES_ONE(inc), TAKES_ONE(raise_long),
    {"add", FAST(add), METH_FASTCALL, NULL},
    {"raise_double", raise_double, METH_O, NULL},
    {"takes_object", FAST(takes_object), METH_FASTCALL, NULL},
    {"takes_only_object", takes_only_object, METH_O, NULL},
    {"muladd", FAST(muladd), METH_FASTCALL, NULL},
    TAKES_NONE(does_have_gil), TAKES_ARGS(typed),
    {NULL, NULL, 0, NULL}
};

static int
exec_module(PyObject *module)
{
    static const PyTypedMethodRecord *const records[] = {
        &inc_typed, &raise_long_typed, &add_typed, &raise_double_typed, &takes_object_typed,
        &takes_only_object_typed, &muladd_typed, &does_have_gil_typed};
    return PyTypedMethod_RegisterMethods(methods, records, sizeof(records) / sizeof(records[0]));
}

MODULE(pypy_cases, methods, EXECUTE(exec_module))
