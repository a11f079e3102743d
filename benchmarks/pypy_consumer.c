/* SPDX-License-Identifier: MIT
 *
 * pypy_consumer.c - natural loops in C over long inc(long): through a pointer, and a record.
 */
#include "loops.h"
#include "typedmethod.h"

PyTypedMethod_CALLER(call, i8, i8)
PyTypedMethod_CALLER_WITH_GIL(call_with_gil, i8, i8)

static PyTypedCallable held;
static int64_t (*volatile pointer)(int64_t);

static PyObject *
hold(PyObject *module, PyObject *callable)
{
    (void)module;
    PyTypedCallable_Clear(&held);
    if (PyTypedCallable_InitTyped(&held, callable, PyTypedMethod_SIGNATURE(i8(i8))) < 0) return NULL;
    pointer = (int64_t (*)(int64_t))(uintptr_t)held.call.function;
    Py_RETURN_NONE;
}

/* A loop, four times at other distances from the start of a cache line. */
#define LOOP(name, number, distance, before, expression)                                 \
    BENCH_LOOP_FUNCTION static int64_t name##_##number(Py_ssize_t count)                 \
    {                                                                                    \
        int64_t start, sum = 0;                                                          \
        Py_ssize_t i;                                                                    \
        before                                                                           \
        __asm__ volatile(".skip " #distance ", 0x90");                                   \
        start = bench_now();                                                             \
        for (i = 0; i < count; i++) sum += expression;                                   \
        bench_sink = (uintptr_t)sum;                                                     \
        return bench_now() - start;                                                      \
    }
#define LOOPS(name, before, expression)                                                  \
    LOOP(name, 0, 1, before, expression) LOOP(name, 1, 18, before, expression)           \
    LOOP(name, 2, 36, before, expression) LOOP(name, 3, 54, before, expression)          \
    static PyObject *name(PyObject *module, PyObject *args)                              \
    {                                                                                    \
        static int64_t (*const copies[])(Py_ssize_t) = {name##_0, name##_1, name##_2, name##_3}; \
        Py_ssize_t copy, count;                                                          \
        (void)module;                                                                    \
        if (!PyArg_ParseTuple(args, "nn", &copy, &count)) return NULL;                   \
        return PyLong_FromLongLong(copies[copy & 3](count));                             \
    }

LOOPS(by_pointer, int64_t (*f)(int64_t) = pointer;, f(i))
LOOPS(by_record, PyTypedCallable f = held;, call(&f, i))
LOOPS(by_record_with_gil, PyTypedCallable f = held;, call_with_gil(&f, i))

static PyMethodDef methods[] = {
    {"hold", hold, METH_O, NULL},
    {"by_pointer", by_pointer, METH_VARARGS, NULL},
    {"by_record", by_record, METH_VARARGS, NULL},
    {"by_record_with_gil", by_record_with_gil, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL}
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "pypy_consumer", NULL, -1, methods, NULL, NULL, NULL, NULL
};

PyMODINIT_FUNC
PyInit_pypy_consumer(void)
{
    return PyModule_Create(&definition);
}
