/* SPDX-License-Identifier: MIT
 *
 * interop.c - functions with records of all kinds, and a consumer.
 */
#include "native_type.h"

#include <math.h>
#include "../module.h"

/* ----------------------------------------------------------------- functions -- */

static double square(double x) { return x * x; }

static double
root(double x)                          /* without the GIL; -1 may be an exception */
{
    if (x == -4.0) return -1.0;         /* and this is none */
    if (x < 0) {
        PyGILState_STATE gil = PyGILState_Ensure();
        PyErr_Format(PyExc_ValueError, "root of %d", (int)x);
        PyGILState_Release(gil);
        return -1.0;
    }
    return sqrt(x);
}

static long long root_calls = 0;

static double
counted(double x)                       /* needs the GIL; any value may be an exception */
{
    PyObject *number = PyFloat_FromDouble(x);
    root_calls++;
    Py_XDECREF(number);
    if (x == 13.0) PyErr_SetString(PyExc_LookupError, "thirteen");
    return x + 1.0;
}

static int64_t
seven(int64_t n)                        /* needs the GIL; -99 is an exception */
{
    if (n == 7) {
        PyErr_SetString(PyExc_ArithmeticError, "seven");
        return -99;
    }
    return n * 2;
}

static float twice_f4(float x) { return 2 * x; }
static double twice_f8(double x) { return 2 * x; }
static int64_t twice_i8(int64_t x) { return 2 * x; }
static long double twice_f16(long double x) { return 2 * x; }
static PyTypedMethod_c16
twice_c16(PyTypedMethod_c16 x)
{
    double part[2];
    memcpy(part, &x, sizeof(part));
    part[0] *= 2;
    part[1] *= 2;
    memcpy(&x, part, sizeof(part));
    return x;
}

static double one(double x) { return x; }
static double two(double x, double y) { return x - y; }
static double
rare(int16_t a, uint8_t b, float c)
{
    if (b == 13) PyErr_SetString(PyExc_KeyError, "rare");
    return b == 13 ? -1.0 : (double)a + b + (double)c;
}
static long double rare_long(int8_t a, long double b) { return a * b; }
static int is_positive(double x) { return x > 0; }
static double nothing(void) { return 42.0; }
static void sink(double x) { (void)x; }

/* Callbacks as SciPy has them. */
static double
sum_all(int32_t n, void *values)
{
    double sum = 0;
    int32_t i;
    for (i = 0; i < n; i++) sum += ((const double *)values)[i];
    return sum;
}

static double with_data(double x, void *data) { return x * *(const double *)data; }

#define QUIET PyTypedMethod_NOGIL

PyTypedMethod_FUNCTION(square, square, QUIET, 0, f8(f8));
PyTypedMethod_FUNCTION(root, root, QUIET | PyTypedMethod_RAISES_MAYBE, -1.0, f8(f8));
PyTypedMethod_FUNCTION(counted, counted, PyTypedMethod_RAISES_ANY, 0, f8(f8));
PyTypedMethod_FUNCTION(seven, seven, PyTypedMethod_RAISES_VALUE, -99, i8(i8));
PyTypedMethod_RECORD(twice_typed, "twice",
    PyTypedMethod_ENTRY(twice_c16, QUIET, 0, c16(c16)),
    PyTypedMethod_ENTRY(twice_f8, QUIET, 0, f8(f8)),
    PyTypedMethod_ENTRY(twice_f4, QUIET, 0, f4(f4)),
    PyTypedMethod_ENTRY(twice_i8, QUIET, 0, i8(i8)),
    PyTypedMethod_ENTRY(twice_f16, QUIET, 0, f16(f16)));
PyTypedMethod_RECORD(optional_typed, "optional",
    PyTypedMethod_ENTRY(two, QUIET, 0, f8(f8, f8)),
    PyTypedMethod_ENTRY(one, QUIET, 0, f8(f8)));
PyTypedMethod_FUNCTION(rare, rare, PyTypedMethod_RAISES_MAYBE, -1.0, f8(i2, u1, f4));
PyTypedMethod_FUNCTION(rare_long, rare_long, QUIET, 0, f16(i1, f16));
PyTypedMethod_FUNCTION(is_positive, is_positive, QUIET, 0, i4(f8));
PyTypedMethod_FUNCTION(nothing, nothing, QUIET, 0, f8());
PyTypedMethod_FUNCTION(sink, sink, QUIET, 0, void(f8));
PyTypedMethod_FUNCTION(sum_all, sum_all, QUIET, 0, f8(i4, pointer));
PyTypedMethod_FUNCTION(with_data, with_data, QUIET, 0, f8(f8, pointer));

static PyObject *
for_python(PyObject *module, PyObject *args)
{
    PyErr_SetString(PyExc_NotImplementedError, "this one is for C");
    return NULL;
}

static PyObject *
square_for_python(PyObject *module, PyObject *arg)
{
    double x = PyFloat_AsDouble(arg);
    return PyErr_Occurred() ? NULL : PyFloat_FromDouble(x * x);
}

/* ------------------------------------------------------------------- objects -- */

/* Power(exponent, kind): callable natively, with a context first (0) or last (1); and
   Power.scaled(x) is a method with a record. */
typedef struct {
    PyObject_HEAD
    double exponent;
    PyTypedMethodNative native;
} Power;

static double power_last(double x, void *data) { return pow(x, *(const double *)data); }
static double power_first(void *data, double x) { return pow(x, *(const double *)data); }
static double power_scaled(PyObject *self, double x) { return ((Power *)self)->exponent * x; }
static double
power_picky(PyObject *self, double x)
{
    if (x > 10) {
        PyErr_Format(PyExc_ValueError, "too much for %.20s", Py_TYPE(self)->tp_name);
        return -1.0;
    }
    return ((Power *)self)->exponent + x;
}

PyTypedMethod_RECORD(first_record, "power", PyTypedMethod_ENTRY(
    power_first, QUIET | PyTypedMethod_CTX_FIRST, 0, f8(f8)));
PyTypedMethod_RECORD(last_record, "power", PyTypedMethod_ENTRY(
    power_last, QUIET | PyTypedMethod_CTX_LAST, 0, f8(f8)));
PyTypedMethod_RECORD(scaled_typed, "scaled", PyTypedMethod_ENTRY(
    power_scaled, QUIET | PyTypedMethod_SELF, 0, f8(object, f8)));
PyTypedMethod_RECORD(picky_typed, "picky", PyTypedMethod_ENTRY(
    power_picky, PyTypedMethod_RAISES_MAYBE | PyTypedMethod_SELF, -1.0, f8(object, f8)));

static int
power_init(PyObject *self, PyObject *args, PyObject *kwargs)
{
    Power *power = (Power *)self;
    int last = 0;
    if (!PyArg_ParseTuple(args, "d|i", &power->exponent, &last)) return -1;
    power->native.record = last ? &last_record : &first_record;
    power->native.context = &power->exponent;
    return 0;
}

static PyObject *
power_call(PyObject *self, PyObject *args, PyObject *kwargs)
{
    double x;
    return PyArg_ParseTuple(args, "d", &x) ? PyFloat_FromDouble(pow(x, ((Power *)self)->exponent)) : NULL;
}

static PyMethodDef power_methods[] = {
    {"scaled", for_python, METH_VARARGS, NULL},
    {"picky", for_python, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL}
};

static PyType_Slot power_slots[] = {
    {Py_tp_init, (void *)(uintptr_t)power_init},
    {Py_tp_new, (void *)(uintptr_t)PyType_GenericNew},
    {Py_tp_call, (void *)(uintptr_t)power_call},
    {Py_tp_methods, power_methods},
    {0, NULL}
};

static PyType_Spec power_spec = {
    "interop.Power", sizeof(Power), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, power_slots
};

/* ------------------------------------------------------------------ consumer -- */

PyTypedMethod_CALLER(call_f8_f8, f8, f8)

/* call(callable, x, typed=False): (was it the C function?, result).  `typed`: an error if
   it is not. */
static PyObject *
consume(PyObject *module, PyObject *args)
{
    PyTypedCallable held;
    PyObject *callable;
    double x, result;
    int is_typed, expect_typed = 0;

    if (!PyArg_ParseTuple(args, "Od|p:call", &callable, &x, &expect_typed)) return NULL;
    memset(&held, 0xff, sizeof(held));
    if ((expect_typed ? PyTypedCallable_InitTyped : PyTypedCallable_Init)(
            &held, callable, PyTypedMethod_SIGNATURE(f8(f8))) < 0) {
        if (held.callable != NULL || held.call.function != NULL || held.signature != 0) {
            PyErr_SetString(PyExc_SystemError, "something is held after a failure");
        }
        return NULL;
    }
    is_typed = PyTypedCallable_IsTyped(&held);
    Py_BEGIN_ALLOW_THREADS
    result = call_f8_f8(&held, x);
    Py_END_ALLOW_THREADS
    PyTypedCallable_Clear(&held);
    if (PyErr_Occurred()) return NULL;
    return Py_BuildValue("Nd", PyBool_FromLong(is_typed), result);
}

/* why_not(callable, signature): why does a consumer call Python? */
static PyObject *
why_not(PyObject *module, PyObject *args)
{
    PyTypedCallable held;
    PyObject *callable, *result;
    const char *text;
    uint64_t signature;
    if (!PyArg_ParseTuple(args, "Os:why_not", &callable, &text)) return NULL;
    memset(&held, 0, sizeof(held));
    if (callable != Py_None && (PyTypedMethod_Parse(text, &signature) < 0
            || PyTypedCallable_Init(&held, callable, signature) < 0)) return NULL;
    result = PyTypedCallable_WhyNot(&held);
    PyTypedCallable_Clear(&held);
    return result;
}

static PyObject *
calls(PyObject *module, PyObject *arg)
{
    long long before = root_calls;
    root_calls = 0;
    return PyLong_FromLongLong(before);
}

/* named_capsule(name, which): a capsule of a C function under that name. */
static double skipping(double x, int skip) { return x + 100 * skip; }
static double skip_two(double x, int64_t n, int skip) { return x * (double)n + 100 * skip; }

static PyObject *
named_capsule(PyObject *module, PyObject *args)
{
    const char *name;
    int which;
    void *function;
    if (!PyArg_ParseTuple(args, "zi:named_capsule", &name, &which)) return NULL;
    function = which == 0 ? (void *)(uintptr_t)square
             : which == 1 ? (void *)(uintptr_t)skipping
             : which == 2 ? (void *)(uintptr_t)skip_two : (void *)(uintptr_t)root;
    if (name != NULL) {                 /* lives as long as the process */
        char *copy = (char *)malloc(strlen(name) + 1);
        if (copy == NULL) return PyErr_NoMemory();
        name = strcpy(copy, name);
    }
    return PyCapsule_New(function, name, NULL);
}

#define FOR_C(name) {#name, for_python, METH_VARARGS, NULL}

static PyMethodDef methods[] = {
    {"square", square_for_python, METH_O, "The square of a number."},
    FOR_C(root), FOR_C(counted), FOR_C(seven), FOR_C(twice), FOR_C(optional), FOR_C(rare),
    FOR_C(rare_long), FOR_C(is_positive), FOR_C(nothing), FOR_C(sink),
    FOR_C(sum_all), FOR_C(with_data),
    {"call", consume, METH_VARARGS, NULL},
    TAKES_ARGS(why_not), TAKES_NONE(calls), TAKES_ARGS(named_capsule),
    {NULL, NULL, 0, NULL}
};

static int
exec_module(PyObject *module)
{
    static const PyTypedMethodRecord *const records[] = {
        &square_typed, &root_typed, &counted_typed, &seven_typed, &twice_typed, &optional_typed,
        &rare_typed, &rare_long_typed, &is_positive_typed, &nothing_typed,
        &sink_typed, &sum_all_typed, &with_data_typed
    };
    static const PyTypedMethodRecord *const of_power[] = {&scaled_typed, &picky_typed};
    PyObject *power;
    int status;

    if (PyTypedMethod_RegisterMethods(methods, records, sizeof(records) / sizeof(records[0])) < 0
            || PyTypedMethod_RegisterMethods(power_methods, of_power, 2) < 0) return -1;
    power = make_native_type(module, &power_spec, offsetof(Power, native));
    if (power == NULL) return -1;
    status = PyModule_AddObjectRef(module, "Power", power);
    Py_DECREF(power);
    return status;
}

MODULE(interop, methods, EXECUTE(exec_module))
