/* SPDX-License-Identifier: MIT
 *
 * typed.c - `long inc(long)`, behind callables of every kind, found and called.
 */
#include "typedmethod.h"
#include "loops.h"

BENCH_NOINLINE static long inc_impl(long x) { return x + 1; }
BENCH_NOINLINE static long bound_impl(PyObject *self, long x) { return x + (self != NULL); }

#define L_L PyTypedMethod_SIGNATURE(long(long))
PyTypedMethod_CALLER(call, long, long)
PyTypedMethod_CALLER_WITH_GIL(call_with_gil, long, long)
PyTypedCallback_CALLER(call_back, -1, long, long)

static PyTypedCallable held[1];
/* "used", or the compiler calls inc_impl() itself. */
static struct { long (*function)(long); } pointer[1] __attribute__((used)) = {{inc_impl}};
static PyTypedCallback callback[1];
static const PyTypedCallbackForm forms[] = {{L_L, NULL, NULL}, {0, NULL, NULL}};
static PyObject *python;                /* what PyObject_CallOneArg() calls */

/* ----------------------------------------------------------------------- loops -- */

BENCH_LOOP(empty, sum += (uintptr_t)o & 1)
BENCH_LOOP(through_pointer, {
    (void)o;
    sum += (uintptr_t)pointer->function((long)i);
})
/* The same with one of the two tests that a caller makes: is it callable at once, did it raise? */
BENCH_LOOP(signature_tested, {
    (void)o;
    if (_Pycs_LIKELY(held->at_once[0] == L_L)) sum += (uintptr_t)pointer->function((long)i);
})
BENCH_LOOP(result_tested, {
    long result = pointer->function((long)i);
    (void)o;
    if (_Pycs_LIKELY(result != held->call.error.i)) sum += (uintptr_t)result;
})
BENCH_LOOP(resolved, {
    (void)o;
    sum += (uintptr_t)call(held, (long)i);
})
BENCH_LOOP(resolved_with_gil, {
    (void)o;
    sum += (uintptr_t)call_with_gil(held, (long)i);
})
BENCH_LOOP(called_back, {
    (void)o;
    sum += (uintptr_t)call_back(callback, (long)i);
})
BENCH_LOOP(by_hand, {                   /* what a caller with the GIL writes */
    PyObject *number = PyLong_FromLong((long)i + 1000);
    PyObject *result = number != NULL ? PyObject_CallOneArg(python, number) : NULL;
    (void)o;
    if (result == NULL) PyErr_Clear();
    else sum += (uintptr_t)PyLong_AsLong(result);
    Py_XDECREF(number);
    Py_XDECREF(result);
})
BENCH_LOOP(fallback, {
    (void)o;
    sum += (uintptr_t)call(held, (long)i + 1000);
})
BENCH_LOOP(fallback_with_gil, {
    (void)o;
    sum += (uintptr_t)call_with_gil(held, (long)i + 1000);
})
BENCH_LOOP(vectorcall, {
    PyObject *result = PyObject_Vectorcall(python, &o, 1, NULL);
    if (result == NULL) PyErr_Clear();
    else {
        sum += (uintptr_t)PyLong_AsLong(result);
        Py_DECREF(result);
    }
})
BENCH_LOOP(find, {
    PyTypedMethodCall found;
    sum += (uintptr_t)PyTypedMethod_Find(o, L_L, &found);
})
BENCH_LOOP(hold, {
    PyTypedCallable each;
    if (PyTypedCallable_Init(&each, o, L_L) < 0) PyErr_Clear();
    else {
        sum += (uintptr_t)PyTypedCallable_IsTyped(&each);
        PyTypedCallable_Clear(&each);
    }
})
BENCH_LOOP(find_and_call, {
    PyTypedMethodCall found;
    if (PyTypedMethod_Find(o, L_L, &found)) {
        sum += (uintptr_t)((long (*)(long))(uintptr_t)found.function)((long)i);
    }
})

static const BenchNamedLoop loops[] = {
    BENCH_ENTRY(empty), BENCH_ENTRY(through_pointer), BENCH_ENTRY(signature_tested), BENCH_ENTRY(result_tested),
    BENCH_ENTRY(resolved), BENCH_ENTRY(resolved_with_gil),
    BENCH_ENTRY(called_back), BENCH_ENTRY(by_hand), BENCH_ENTRY(fallback), BENCH_ENTRY(fallback_with_gil),
    BENCH_ENTRY(vectorcall), BENCH_ENTRY(find), BENCH_ENTRY(hold), BENCH_ENTRY(find_and_call), {NULL, NULL}
};

/* run(name, copy, objects, callable or None, repetitions) -> nanoseconds.  The callable is
   resolved before the clock starts, and is what Python calls. */
static PyObject *
run(PyObject *module, PyObject *args)
{
    const char *name;
    int copy;
    PyObject *objects, *callable, *result;
    Py_ssize_t repetitions;
    (void)module;
    if (!PyArg_ParseTuple(args, "siO!On", &name, &copy, &PyTuple_Type, &objects, &callable,
                          &repetitions)) return NULL;
    if (bench_check(copy, objects) < 0) return NULL;
    PyTypedCallable_Clear(held);
    python = callable;
    if (callable == Py_None) return bench_time(loops, "typed.c", name, copy, objects, repetitions);
    if (PyTypedCallable_Init(held, callable, L_L) < 0
            || PyTypedCallable_InitAny(callback, callable, forms) < 0
            || PyTypedCallback_Enter(callback) < 0) return NULL;
    result = bench_time(loops, "typed.c", name, copy, objects, repetitions);
    if (PyTypedCallback_Leave(callback) < 0) Py_CLEAR(result);
    PyTypedCallback_Clear(callback);
    return result;
}

/* ------------------------------------------------------------------- callables -- */

static PyObject *
inc(PyObject *module, PyObject *obj)
{
    long x = PyLong_AsLong(obj);
    (void)module;
    if (x == -1 && PyErr_Occurred()) return NULL;
    return PyLong_FromLong(inc_impl(x));
}

#define KNOWN PyTypedMethod_RAISES_MAYBE
PyTypedMethod_FUNCTION(noexcept_nogil, inc_impl, PyTypedMethod_NOGIL, 0, long(long));
PyTypedMethod_FUNCTION(maybe_nogil, inc_impl, KNOWN | PyTypedMethod_NOGIL, -1, long(long));
PyTypedMethod_FUNCTION(maybe_gil, inc_impl, KNOWN, -1, long(long));
PyTypedMethod_FUNCTION(method, bound_impl, KNOWN | PyTypedMethod_NOGIL, -1, long(object, long));
PyTypedMethod_RECORD(fused_typed, "fused", PyTypedMethod_ENTRY(inc_impl, 0, 0, f8(f8)),
                     PyTypedMethod_ENTRY(inc_impl, 0, 0, f4(f4)),
                     PyTypedMethod_ENTRY(inc_impl, 0, 0, i2(i2)),
                     PyTypedMethod_ENTRY(inc_impl, 0, 0, long(long)));

/* An object like Cython's function. */
typedef struct {
    PyObject_HEAD
    PyMethodDef *def;
} Function;

static PyType_Slot function_slots[] = {{0, NULL}};
static PyType_Spec function_spec = {
    "typed.Function", sizeof(Function), 0, Py_TPFLAGS_DEFAULT, function_slots};
static PyTypeObject *function_type;

/* wrap(builtin) -> a function of a type with a layout, of the same PyMethodDef */
static PyObject *
wrap(PyObject *module, PyObject *builtin)
{
    Function *made = (Function *)function_type->tp_alloc(function_type, 0);
    (void)module;
    if (made != NULL) made->def = ((PyCFunctionObject *)builtin)->m_ml;
    return (PyObject *)made;
}

/* another() -> a builtin function with a record and a PyMethodDef of its own */
static PyObject *
another(PyObject *module, PyObject *ignored)
{
    PyMethodDef *def = (PyMethodDef *)calloc(1, sizeof(*def));
    (void)module, (void)ignored;
    if (def == NULL) return PyErr_NoMemory();
    def->ml_name = "another";
    def->ml_meth = inc;
    def->ml_flags = METH_O;
    if (PyTypedMethod_Register(def, &maybe_nogil_typed) < 0) return NULL;
    return PyCFunction_New(def, NULL);
}

static PyMethodDef methods[] = {
    {"run", run, METH_VARARGS, NULL},
    {"wrap", wrap, METH_O, NULL},
    {"another", another, METH_NOARGS, NULL},
    {"noexcept_nogil", inc, METH_O, NULL},
    {"maybe_nogil", inc, METH_O, NULL},
    {"maybe_gil", inc, METH_O, NULL},
    {"method", inc, METH_O, NULL},
    {"fused", inc, METH_O, NULL},
    {"without_record", inc, METH_O, NULL},
    {NULL, NULL, 0, NULL}
};

static struct PyModuleDef module_def = {
    PyModuleDef_HEAD_INIT, "typed", NULL, -1, methods, NULL, NULL, NULL, NULL
};

PyMODINIT_FUNC
PyInit_typed(void)
{
    static const PyTypedMethodRecord *const records[] = {
        &noexcept_nogil_typed, &maybe_nogil_typed, &maybe_gil_typed, &method_typed, &fused_typed};
    PyObject *module = PyModule_Create(&module_def);
    if (module == NULL) return NULL;
    function_type = (PyTypeObject *)PyType_FromSpec(&function_spec);
    if (function_type == NULL
            || PyTypedMethod_RegisterMethods(methods, records, 5) < 0
            || PyTypedMethod_RegisterLayout(function_type, offsetof(Function, def), -1) < 0
            || PyModule_AddIntConstant(module, "COPIES", BENCH_COPIES) < 0
            || PyModule_AddIntConstant(module, "OBJECTS", BENCH_OBJECTS) < 0) {
        Py_CLEAR(module);
    }
    return module;
}
