/* SPDX-License-Identifier: MIT
 *
 * callable_module.cpp - customslots::callable, shown to Python: a second translation unit beside
 * example_callable.cpp.
 */
#define PY_SSIZE_T_CLEAN
#include "typedmethod.hpp"
#include "typedmethod.hpp"
#include <utility>
#include "../module.h"

#ifndef EXAMPLE_NAME
#  define EXAMPLE_NAME callable_module
#endif

using customslots::callable;

double example_integrate(PyObject *function, double from, double to, int steps);

enum class colour : unsigned char { red };
struct thing;

/* ------------------------------------------------------------------------- types -- */

static PyObject *
signatures(PyObject *, PyObject *)
{
    static_assert(callable<double(double, int32_t)>::signature()
                      == PyTypedMethod_SIGNATURE(f8(f8, i4)), "as in C");
    static_assert(callable<void()>::signature() == PyTypedMethod_SIGNATURE(void()), "as in C");
    static_assert(std::is_same<callable<void()>::result_type, int>::value, "0 or -1");
    static_assert(!std::is_convertible<PyObject *, callable<void()>>::value, "explicit");
    static_assert(std::is_nothrow_move_constructible<callable<void()>>::value, "for containers");
    const uint64_t all[] = {
        callable<double(const double, float, long double)>::signature(),
        callable<bool(int8_t, int16_t, int32_t, int64_t)>::signature(),
        callable<uint8_t(uint16_t, uint32_t, uint64_t, colour)>::signature(),
        callable<PyObject *(thing *, const char *, int (*)(double))>::signature(),
        callable<PyTypedMethod_c16(PyTypedMethod_c8, PyTypedMethod_c32)>::signature(),
        callable<void(long, size_t, Py_ssize_t, double, double, double, double, double, double, double,
                      PyObject *)>::signature(),
    };
    PyObject *list = PyList_New(0);
    for (uint64_t signature : all) {
        PyObject *text = PyTypedMethod_Format(signature);
        if (text == nullptr || PyList_Append(list, text) < 0) Py_CLEAR(list);
        Py_XDECREF(text);
        if (list == nullptr) break;
    }
    return list;
}

/* ------------------------------------------------------------------------- calls -- */

template <typename R, typename A> static typename callable<R(A)>::result_type
call_as(const callable<R(A)> &f, const char *how, A value)
{
    if (strcmp(how, "gil") == 0) return f.with_gil(value);
    if (strcmp(how, "either") == 0) return f(value);
    typename callable<R(A)>::result_type result;
    Py_BEGIN_ALLOW_THREADS
    result = f(value);
    Py_END_ALLOW_THREADS
    return result;
}

/* call(callable, how, kind, value) -> the result; how: gil, either, nogil */
static PyObject *
call(PyObject *, PyObject *args)
{
    const char *how, *kind;
    PyObject *function, *value, *result = nullptr;
    if (!PyArg_ParseTuple(args, "OssO", &function, &how, &kind, &value)) return nullptr;
#define AS(name, type, from, to, failure)                                                \
    if (strcmp(kind, name) == 0) {                                                       \
        callable<type(type)> f(function);                                                \
        if (!f) return nullptr;                                                          \
        type given = (type)from(value);                                                  \
        if (PyErr_Occurred()) return nullptr;                                            \
        type answer = call_as<type, type>(f, how, given);                                \
        if (!PyErr_Occurred()) result = to(answer);                                      \
        else if (answer != (type)failure) PyErr_SetString(PyExc_AssertionError, "raised, and does not say so"); \
        return result;                                                                   \
    }
    AS("f8", double, PyFloat_AsDouble, PyFloat_FromDouble, -1)
    AS("f16", long double, PyFloat_AsDouble, PyFloat_FromDouble, -1)
    AS("long", long, PyLong_AsLong, PyLong_FromLong, -1)
    AS("u1", uint8_t, PyLong_AsUnsignedLong, PyLong_FromUnsignedLong, -1)
    AS("bool", bool, PyObject_IsTrue, PyBool_FromLong, true)
    AS("object", PyObject *, , , nullptr)
    AS("pointer", void *, PyLong_AsVoidPtr, PyLong_FromVoidPtr, nullptr)
    if (strcmp(kind, "void") == 0) {
        callable<void(int32_t)> f(function);
        if (!f) return nullptr;
        const int failed = call_as<void, int32_t>(f, how, (int32_t)PyLong_AsLong(value));
        return PyErr_Occurred() ? nullptr : PyLong_FromLong(failed);
    }
    if (strcmp(kind, "c16") == 0) {
        callable<PyTypedMethod_c16(PyTypedMethod_c16)> f(function);
        if (!f) return nullptr;
        Py_complex given = PyComplex_AsCComplex(value);
        PyTypedMethod_c16 number;
        memcpy(&number, &given, sizeof(number));
        number = call_as<PyTypedMethod_c16, PyTypedMethod_c16>(f, how, number);
        memcpy(&given, &number, sizeof(number));
        return PyErr_Occurred() ? nullptr : PyComplex_FromCComplex(given);
    }
    return PyErr_Format(PyExc_KeyError, "%s", kind);
}

/* many(callable, other) -> the results for eleven doubles, and for none */
static PyObject *
many(PyObject *, PyObject *args)
{
    PyObject *function, *other;
    if (!PyArg_ParseTuple(args, "OO", &function, &other)) return nullptr;
    callable<double(double, double, double, double, double, double, double, double, double, double, double)>
        eleven(function);
    if (!eleven) return nullptr;
    callable<double()> none(other);
    if (!none) return nullptr;
    const double sum = eleven(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
    return PyErr_Occurred() ? nullptr : Py_BuildValue("dd", sum, none());
}

/* ------------------------------------------------------------------------ owners -- */

/* typed_only(callable) -> whether it is typed, and why not; TypeError where Python would be called */
static PyObject *
typed_only(PyObject *, PyObject *function)
{
    callable<double(double)> f = callable<double(double)>::typed(function);
    return f ? Py_BuildValue("NN", PyBool_FromLong(f.is_typed()), f.why_not()) : nullptr;
}

static PyObject *
why_not(PyObject *, PyObject *function)
{
    callable<double(double)> f(function);
    return f ? f.why_not() : nullptr;
}

/* empty() -> an empty one is false, calls are a TypeError, and clearing it is nothing */
static PyObject *
empty(PyObject *, PyObject *)
{
    callable<double(double)> f;
    PyErr_SetString(PyExc_KeyError, "of the one before");
    callable<double(double)> failed(nullptr);
    const bool kept = PyErr_ExceptionMatches(PyExc_KeyError);
    PyErr_Clear();
    f.clear();
    if (f || failed || f.get() != nullptr || f.is_typed() || !kept || f(1.0) != -1.0) {
        PyErr_SetString(PyExc_AssertionError, "an empty callable is something");
    }
    return nullptr;
}

static int count(PyObject *, void *seen) { return ++*(int *)seen, 0; }

/* owners(callable) -> how many references are held by: one, copied, moved from, assigned to,
   assigned to itself, cleared; and how many tp_traverse sees */
static PyObject *
owners(PyObject *, PyObject *function)
{
    const Py_ssize_t before = Py_REFCNT(function);
    Py_ssize_t seen[7];
    int traversed = 0;
    {
        callable<double(double)> f(function);
        seen[0] = Py_REFCNT(function) - before;
        callable<double(double)> copy(f);
        seen[1] = Py_REFCNT(function) - before;
        callable<double(double)> moved(std::move(f));
        seen[2] = Py_REFCNT(function) - before - (f ? 100 : 0);
        f = moved;
        seen[3] = Py_REFCNT(function) - before;
        callable<double(double)> &same = f;
        f = same;
        seen[4] = Py_REFCNT(function) - before;
        if (f.get() != function || f(3.0) != copy(3.0)) return nullptr;
        f = callable<double(double)>();
        copy.clear();
        seen[5] = Py_REFCNT(function) - before;
        if (moved.traverse(count, &traversed) < 0 || f.traverse(count, &traversed) < 0) return nullptr;
    }
    seen[6] = Py_REFCNT(function) - before;
    return Py_BuildValue("nnnnnnni", seen[0], seen[1], seen[2], seen[3], seen[4], seen[5], seen[6], traversed);
}

static PyObject *
integrate(PyObject *, PyObject *args)
{
    PyObject *function;
    double from, to;
    int steps;
    if (!PyArg_ParseTuple(args, "Oddi", &function, &from, &to, &steps)) return nullptr;
    const double result = example_integrate(function, from, to, steps);
    return PyErr_Occurred() ? nullptr : PyFloat_FromDouble(result);
}

static PyMethodDef methods[] = {
    {"signatures", signatures, METH_NOARGS, nullptr}, {"call", call, METH_VARARGS, nullptr},
    {"many", many, METH_VARARGS, nullptr}, {"typed_only", typed_only, METH_O, nullptr},
    {"why_not", why_not, METH_O, nullptr}, {"empty", empty, METH_NOARGS, nullptr},
    {"owners", owners, METH_O, nullptr}, {"integrate", integrate, METH_VARARGS, nullptr},
    {nullptr, nullptr, 0, nullptr}
};

MODULE(EXAMPLE_NAME, methods, )
