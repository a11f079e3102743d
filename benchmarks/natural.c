/* SPDX-License-Identifier: MIT
 *
 * natural.c - ordinary loops in C; natural.cpp compiles them as C++.
 */
#include "natural.h"

/* What the loops over no objects call: a function that needs no GIL, one that needs it, and an object. */
#ifdef __cplusplus
typedef customslots::callable<double(double)> Held;
#  define CALL(held, x)          (*(held))(x)
#  define CALL_WITH_GIL(held, x) (held)->with_gil(x)
#  define HOLD(held, function)   (*(held) = Held(function), (held)->is_typed() ? 0 : -1)
#else
typedef PyTypedCallable Held;
PyTypedMethod_CALLER(call_typed, f8, f8)
PyTypedMethod_CALLER_WITH_GIL(call_with_gil, f8, f8)
#  define CALL          call_typed
#  define CALL_WITH_GIL call_with_gil
#  define HOLD          hold_typed
static int
hold_typed(Held *one, PyObject *function)
{
    PyTypedCallable_Clear(one);
    return PyTypedCallable_InitTyped(one, function, PyTypedMethod_SIGNATURE(f8(f8)));
}
#endif

static Held *held, *needing, *object;   /* never freed: Python may have ended before */
static double (*pointer)(double);       /* the same function */
static double (*method)(void *, double);    /* that of the object, */
static void *self;                          /* and this is the object */

/* --------------------------------------------------------------- over objects -- */

/* Whether a function raised is asked once, after the loop.  So x has to outlive a call:
   where compilers keep it in the loop depends on what comes before and after, too. */
static BENCH_ALWAYS_INLINE PyObject *
result_of(double x)
{
    return PyErr_Occurred() ? NULL : PyFloat_FromDouble(x);
}

static PyObject *
no_slot(void)
{
    PyErr_SetString(PyExc_TypeError, "found an object without the slot");
    return NULL;
}

BENCH_LOOP_FUNCTION static PyObject *
chained_vtable(PyObject **objects, Py_ssize_t n)
{
    double x = 0.0;
    natural_place();
    for (Py_ssize_t i = 0; i < n; i++) {
        x = ((Stepper *)objects[i])->vtable->step(objects[i], x);
    }
    return result_of(x);
}

BENCH_LOOP_FUNCTION static PyObject *
chained_slot(PyObject **objects, Py_ssize_t n)
{
    double x = 0.0;
    natural_place();
    for (Py_ssize_t i = 0; i < n; i++) {
        PyCustomSlot *slot = PyCustomSlots_Find(objects[i], STEP, 0);
        if (slot == NULL) return no_slot();
        x = ((Step)(uintptr_t)slot->data.pointer)(objects[i], x);
    }
    return result_of(x);
}

BENCH_LOOP_FUNCTION static PyObject *
chained_slot_any(PyObject **objects, Py_ssize_t n)
{
    double x = 0.0;
    natural_place();
    for (Py_ssize_t i = 0; i < n; i++) {
        const PyCustomSlot *slot = PyCustomSlots_FindAny(objects[i], STEP, 0);
        if (slot == NULL) return no_slot();
        x = ((Step)(uintptr_t)slot->data.pointer)(objects[i], x);
    }
    return result_of(x);
}

BENCH_LOOP_FUNCTION static PyObject *
summed_vtable(PyObject **objects, Py_ssize_t n)
{
    double x = 0.0;
    natural_place();
    for (Py_ssize_t i = 0; i < n; i++) {
        x += ((Stepper *)objects[i])->vtable->step(objects[i], 1.0);
    }
    return result_of(x);
}

BENCH_LOOP_FUNCTION static PyObject *
summed_slot(PyObject **objects, Py_ssize_t n)
{
    double x = 0.0;
    natural_place();
    for (Py_ssize_t i = 0; i < n; i++) {
        PyCustomSlot *slot = PyCustomSlots_Find(objects[i], STEP, 0);
        if (slot == NULL) return no_slot();
        x += ((Step)(uintptr_t)slot->data.pointer)(objects[i], 1.0);
    }
    return result_of(x);
}

/* Objects without the slot are passed over. */
BENCH_LOOP_FUNCTION static PyObject *
if_slot(PyObject **objects, Py_ssize_t n)
{
    double x = 0.0;
    natural_place();
    for (Py_ssize_t i = 0; i < n; i++) {
        PyCustomSlot *slot = PyCustomSlots_Find(objects[i], STEP, 0);
        if (slot != NULL) x = ((Step)(uintptr_t)slot->data.pointer)(objects[i], x);
    }
    return result_of(x);
}

/* What a miss is compared with. */
BENCH_LOOP_FUNCTION static PyObject *
empty(PyObject **objects, Py_ssize_t n)
{
    natural_place();
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *o = objects[i];
        BENCH_HIDE(o);
    }
    return result_of(0.0);
}

/* ------------------------------------------------------------ of one function -- */

BENCH_LOOP_FUNCTION static PyObject *
chained_pointer(PyObject **objects, Py_ssize_t n)
{
    double x = 0.0;
    (void)objects;
    natural_place();
    for (Py_ssize_t i = 0; i < n; i++) {
        x = pointer(x);
    }
    return result_of(x);
}

BENCH_LOOP_FUNCTION static PyObject *
chained_typed(PyObject **objects, Py_ssize_t n)
{
    double x = 0.0;
    (void)objects;
    natural_place();
    for (Py_ssize_t i = 0; i < n; i++) x = CALL(held, x);
    return result_of(x);
}

BENCH_LOOP_FUNCTION static PyObject *
summed_pointer(PyObject **objects, Py_ssize_t n)
{
    double x = 0.0;
    (void)objects;
    natural_place();
    for (Py_ssize_t i = 0; i < n; i++) {
        x += pointer((double)i);
    }
    return result_of(x);
}

BENCH_LOOP_FUNCTION static PyObject *
summed_typed(PyObject **objects, Py_ssize_t n)
{
    double x = 0.0;
    (void)objects;
    natural_place();
    for (Py_ssize_t i = 0; i < n; i++) x += CALL(held, (double)i);
    return result_of(x);
}

/* An array's items, as the function behind an object takes them: called by its address, */
BENCH_LOOP_FUNCTION static PyObject *
array_pointer(PyObject **objects, Py_ssize_t n)
{
    double x = 0.0;
    (void)objects;
    natural_place();
    for (Py_ssize_t i = 0; i < n; i++) x += method(self, items[i]);
    return result_of(x);
}

/* and as a callable. */
BENCH_LOOP_FUNCTION static PyObject *
array_object(PyObject **objects, Py_ssize_t n)
{
    double x = 0.0;
    (void)objects;
    natural_place();
    for (Py_ssize_t i = 0; i < n; i++) x += CALL(object, items[i]);
    return result_of(x);
}

/* The C function needs the GIL, and the caller knows that it has it. */
BENCH_LOOP_FUNCTION static PyObject *
summed_with_gil(PyObject **objects, Py_ssize_t n)
{
    double x = 0.0;
    (void)objects;
    natural_place();
    for (Py_ssize_t i = 0; i < n; i++) x += CALL_WITH_GIL(needing, (double)i);
    return result_of(x);
}

/* The same, and the caller does not know. */
BENCH_LOOP_FUNCTION static PyObject *
summed_asked(PyObject **objects, Py_ssize_t n)
{
    double x = 0.0;
    (void)objects;
    natural_place();
    for (Py_ssize_t i = 0; i < n; i++) x += CALL(needing, (double)i);
    return result_of(x);
}

/* ----------------------------------------------------------------- the module -- */

static const struct {
    const char *name;
    PyObject *(*loop)(PyObject **, Py_ssize_t);
} loops[] = {
#define ENTRY(name) {#name, name}
    ENTRY(chained_vtable), ENTRY(chained_slot), ENTRY(chained_slot_any),
    ENTRY(summed_vtable), ENTRY(summed_slot), ENTRY(if_slot), ENTRY(empty),
    ENTRY(chained_pointer), ENTRY(chained_typed), ENTRY(summed_pointer),
    ENTRY(summed_typed), ENTRY(array_pointer), ENTRY(array_object), ENTRY(summed_with_gil),
    ENTRY(summed_asked), {NULL, NULL}
#undef ENTRY
};

/* run(name, objects, repetitions) -> nanoseconds; `objects` is a list */
static PyObject *
run(PyObject *module, PyObject *args)
{
    const char *name;
    PyObject *objects;
    Py_ssize_t repetitions;
    (void)module;
    if (!PyArg_ParseTuple(args, "sO!n", &name, &PyList_Type, &objects, &repetitions)) {
        return NULL;
    }
    for (int i = 0; loops[i].name != NULL; i++) {
        if (strcmp(loops[i].name, name) == 0) {
            int64_t start = bench_now();
            for (Py_ssize_t r = 0; r < repetitions; r++) {
                PyObject *result = loops[i].loop(((PyListObject *)objects)->ob_item,
                                                 PyList_GET_SIZE(objects));
                if (result == NULL) return NULL;
                Py_DECREF(result);
            }
            return PyLong_FromLongLong(bench_now() - start);
        }
    }
    return PyErr_Format(PyExc_ValueError, "run: found the name '%s', expected that of a "
                        "loop in natural.c", name);
}

/* hold(function, needing): what the loops over no objects call; of both the C function is found */
static PyObject *
hold(PyObject *module, PyObject *args)
{
    PyObject *function, *other;
    PyTypedMethodCall found;
    (void)module;
    if (!PyArg_ParseTuple(args, "OO", &function, &other)) return NULL;
#ifdef __cplusplus
    if (held == NULL) held = new Held(), needing = new Held(), object = new Held();
#else
    if (held == NULL) held = calloc(3, sizeof(Held)), needing = held + 1, object = held + 2;
#endif
    if (HOLD(held, function) < 0 || HOLD(needing, other) < 0
            || !PyTypedMethod_Find(function, PyTypedMethod_SIGNATURE(f8(f8)), &found)) {
        return PyErr_Occurred() ? NULL : PyErr_Format(
            PyExc_TypeError, "hold: found %R and %R, expected typed f8(f8)", function, other);
    }
    pointer = (double (*)(double))(uintptr_t)found.function;
    Py_RETURN_NONE;
}

/* hold_object(line), after hold(): what is called with the items of an array */
static PyObject *
hold_object(PyObject *module, PyObject *line)
{
    PyTypedMethodCall found;
    (void)module;
    if (HOLD(object, line) < 0 || !PyTypedMethod_Find(line, PyTypedMethod_SIGNATURE(f8(f8)), &found)) {
        return PyErr_Occurred() ? NULL : PyErr_Format(
            PyExc_TypeError, "hold_object: found %R, expected an object that is typed f8(f8)", line);
    }
    method = (double (*)(void *, double))(uintptr_t)found.function;
    self = found.context;
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"run", run, METH_VARARGS, NULL},
    {"hold", hold, METH_VARARGS, NULL},
    {"hold_object", hold_object, METH_O, NULL},
    {NULL, NULL, 0, NULL}
};

static struct PyModuleDef module_def = {
    PyModuleDef_HEAD_INIT, "natural", NULL, -1, methods, NULL, NULL, NULL, NULL
};

PyMODINIT_FUNC
PyInit_natural(void)
{
    return PyModule_Create(&module_def);
}
