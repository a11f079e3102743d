/* SPDX-License-Identifier: MIT
 *
 * typed_here.c - what leads to typed records on PyPy, besides functions of modules (those are in
 * pypy_cases.c): methods of a type in C, and instances with a native call.
 */
#include "../module.h"
#include "typedmethod.h"

/* ------------------------------------------------------------- methods of a type -- */

static PyObject *number_type;

typedef struct {
    PyObject_HEAD
    double value;
    PyTypedMethodNative native;
} Number;

static int
is_number(PyObject *self)
{
    if (PyObject_TypeCheck(self, (PyTypeObject *)number_type)) return 1;
    PyErr_Format(PyExc_TypeError, "found '%.100s', expected a Number", Py_TYPE(self)->tp_name);
    return 0;
}

static double
times_impl(PyObject *self, double x)
{
    return is_number(self) ? ((Number *)self)->value * x : -1.0;
}

static double kind_impl(PyObject *cls) { return cls == number_type ? 1.0 : 2.0; }
static double half_impl(double x) { return x / 2; }
static double native_impl(void *context, double x) { return *(double *)context + x; }

static PyTypedMethodEntry times_entries[] = {PyTypedMethod_ENTRY(
    times_impl, PyTypedMethod_RAISES_MAYBE | PyTypedMethod_SELF, -1, double(object, double))};
static PyTypedMethodEntry kind_entries[] = {PyTypedMethod_ENTRY(
    kind_impl, PyTypedMethod_SELF, 0, double(object))};
static PyTypedMethodEntry native_entries[] = {PyTypedMethod_ENTRY(
    native_impl, PyTypedMethod_CTX_FIRST, 0, double(double))};
static const PyTypedMethodRecord records[] = {
    {PyTypedMethod_MAGIC, PyTypedMethod_ABI_VERSION, sizeof(PyTypedMethodEntry), 1, 0, "times", times_entries},
    {PyTypedMethod_MAGIC, PyTypedMethod_ABI_VERSION, sizeof(PyTypedMethodEntry), 1, 0, "kind", kind_entries},
    {PyTypedMethod_MAGIC, PyTypedMethod_ABI_VERSION, sizeof(PyTypedMethodEntry), 1, 0, "native", native_entries},
};
PyTypedMethod_FUNCTION(half, half_impl, 0, 0, double(double));

static PyObject *
times(PyObject *self, PyObject *x)
{
    double number = PyFloat_AsDouble(x);
    return number == -1.0 && PyErr_Occurred() ? NULL : PyFloat_FromDouble(times_impl(self, number));
}

static PyObject *
kind(PyObject *cls, PyObject *ignored)
{
    return PyFloat_FromDouble(kind_impl(cls));
}

static PyObject *
half(PyObject *ignored, PyObject *x)
{
    return PyFloat_FromDouble(half_impl(PyFloat_AsDouble(x)));
}

static PyObject *
give_native(PyObject *self, PyObject *ignored)
{
    ((Number *)self)->native.record = &records[2];
    ((Number *)self)->native.context = &((Number *)self)->value;
    Py_RETURN_NONE;
}

static int
init(PyObject *self, PyObject *args, PyObject *kwargs)
{
    return PyArg_ParseTuple(args, "d", &((Number *)self)->value) ? 0 : -1;
}

static PyMethodDef number_methods[] = {
    {"times", times, METH_O, NULL},
    {"kind", kind, METH_NOARGS | METH_CLASS, NULL},
    {"half", half, METH_O | METH_STATIC, NULL},
    {"give_native", give_native, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL}
};

static PyType_Slot number_slots[] = {
    {Py_tp_methods, number_methods}, {Py_tp_init, (void *)(uintptr_t)init}, {0, NULL}
};

static PyType_Spec number_spec = {
    "typed_here.Number", sizeof(Number), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, number_slots
};

/* --------------------------------------------------------------------- questions -- */

PyTypedMethod_CALLER(call_f8, f8)
PyTypedMethod_CALLER(call_f8_f8, f8, f8)

static PyObject *
signatures(PyObject *module, PyObject *callable)
{
    return PyTypedMethod_Signatures(callable);
}

static PyObject *
why_not(PyObject *module, PyObject *args)
{
    PyObject *callable;
    const char *text;
    uint64_t signature;
    if (!PyArg_ParseTuple(args, "Os", &callable, &text)) return NULL;
    if (PyTypedMethod_Parse(text, &signature) < 0) return NULL;
    return PyTypedMethod_WhyNot(callable, signature);
}

/* call(callable[, x]) -> (is it typed, result) */
static PyObject *
call(PyObject *module, PyObject *args)
{
    PyObject *callable, *result = NULL;
    PyTypedCallable f;
    double x = 0, y;
    const int has_argument = PyTuple_GET_SIZE(args) == 2;
    if (!PyArg_ParseTuple(args, "O|d", &callable, &x)) return NULL;
    if (PyTypedCallable_Init(&f, callable, has_argument ? PyTypedMethod_SIGNATURE(f8(f8))
                                                        : PyTypedMethod_SIGNATURE(f8())) < 0) return NULL;
    Py_BEGIN_ALLOW_THREADS
    y = has_argument ? call_f8_f8(&f, x) : call_f8(&f);
    Py_END_ALLOW_THREADS
    if (!PyErr_Occurred()) result = Py_BuildValue("id", PyTypedCallable_IsTyped(&f), y);
    PyTypedCallable_Clear(&f);
    return result;
}

static PyMethodDef methods[] = {TAKES_ONE(signatures), TAKES_ARGS(why_not), TAKES_ARGS(call), {NULL, NULL, 0, NULL}};

static int
execute(PyObject *module)
{
    const PyTypedMethodRecord *const all[] = {&records[0], &records[1], &half_typed};
    PyCustomSlot slot;
    if (!(number_type = PyType_FromSpec(&number_spec))) return -1;
    slot.id = PyTypedMethod_NATIVE_CALL;
    slot.data.flags = 0;
    slot.data.objoffset = offsetof(Number, native);
    if (PyCustomSlots_Register((PyTypeObject *)number_type, &slot) < 0) return -1;
    if (PyTypedMethod_RegisterMethods(number_methods, all, 3) < 0) return -1;
    Py_INCREF(number_type);
    return PyModule_AddObject(module, "Number", number_type);
}

MODULE(typed_here, methods, EXECUTE(execute))
