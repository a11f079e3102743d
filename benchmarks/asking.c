/* SPDX-License-Identifier: MIT
 *
 * asking.c - objects that answer in C, and every way of asking them.
 *
 * Ordinary loops, with one question and one call a turn: the sum of what
 * all objects answer.  One function answers for all of them: what is compared is how it is
 * found.  "miss_" are the same questions to objects that do not know it.
 */
#include "extensibletype.h"
#include "loops.h"

#define SLOT       PyCustomSlots_ID(PyCustomSlots_REGISTRAR_INTERNAL, 0xBE30, 0)
#define REGISTERED PyCustomSlots_ID(PyCustomSlots_REGISTRAR_INTERNAL, 0xBE31, 0)
#define CAPSULE    "bench.answer"
/* A bit that CPython does not use.  Subclasses do not inherit it: each class is marked by hand. */
#define FLAG       (1UL << 21)

typedef double (*Answer)(PyObject *, double);

typedef struct {
    PyObject_HEAD
    const Answer *vtable;
    double        factor;
} Speaker;

/* It multiplies and adds, because the prediction of jumps would be half of what a shorter one takes:
   natural.h. */
BENCH_NOINLINE static double
speaker_answer(PyObject *self, double x)
{
    return ((Speaker *)self)->factor * x + 1.0;
}

static const Answer speaker_vtable[] = {speaker_answer};

static PyTypeObject *speaker_base;      /* the class that knows the slot, and all that is asked for here */
static PyObject *by_type;               /* {class: capsule} */
static PyObject *capsule_name, *method_name;    /* interned */

static PyObject *
speaker_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    PyObject *self = type->tp_alloc(type, 0);
    (void)args;
    (void)kwargs;
    if (self != NULL) {
        ((Speaker *)self)->vtable = speaker_vtable;
        ((Speaker *)self)->factor = 0.5;
    }
    return self;
}

/* ---------------------------------------------------------------------- the questions -- */

static inline Answer
pointer_in(PyObject *capsule)
{
    return capsule == NULL ? NULL : (Answer)(uintptr_t)PyCapsule_GetPointer(capsule, CAPSULE);
}

static inline Answer
ask_vtable(PyObject *o)
{
    return ((Speaker *)o)->vtable[0];
}

static inline Answer
ask_slot(PyObject *o)
{
    const PyCustomSlot *slot = PyCustomSlots_Find(o, SLOT, 0);
    return slot == NULL ? NULL : (Answer)(uintptr_t)slot->data.pointer;
}

static inline Answer
ask_any(PyObject *o)
{
    const PyCustomSlot *slot = PyCustomSlots_FindAny(o, REGISTERED, 0);
    return slot == NULL ? NULL : (Answer)(uintptr_t)slot->data.pointer;
}

static inline Answer
ask_flag(PyObject *o)
{
    return Py_TYPE(o)->tp_flags & FLAG ? ask_vtable(o) : NULL;
}

static inline Answer
ask_typecheck(PyObject *o)
{
    return PyObject_TypeCheck(o, speaker_base) ? ask_vtable(o) : NULL;
}

/* A token is an address that the spec of a type has, for all that know the address: CPython 3.14. */
#if PY_VERSION_HEX >= 0x030E0000
#  define HAVE_TOKEN 1
static char speaker_token;

static inline Answer
ask_token(PyObject *o)
{
    return PyType_GetBaseByToken(Py_TYPE(o), &speaker_token, NULL) == 1 ? ask_vtable(o) : NULL;
}
#endif

static inline Answer
ask_dictionary(PyObject *o)
{
    return pointer_in(PyDict_GetItemWithError(by_type, (PyObject *)Py_TYPE(o)));
}

/* An attribute of the type. */
static inline Answer
ask_capsule(PyObject *o)
{
    PyObject *capsule;
    Answer answer;
#if PY_VERSION_HEX >= 0x030D0000
    PyObject_GetOptionalAttr((PyObject *)Py_TYPE(o), capsule_name, &capsule);
#else
    capsule = PyObject_GetAttr((PyObject *)Py_TYPE(o), capsule_name);
    if (capsule == NULL) PyErr_Clear();
#endif
    answer = pointer_in(capsule);
    Py_XDECREF(capsule);
    return answer;
}

/* As Python does it: argument and result are objects. */
static inline double
call_method_of(PyObject *o, double x)
{
    PyObject *argument = PyFloat_FromDouble(x);
    PyObject *result = argument != NULL
        ? PyObject_CallMethodOneArg(o, method_name, argument) : NULL;
    double value = result != NULL ? PyFloat_AsDouble(result) : 0.0;
    if (result == NULL) PyErr_Clear();
    Py_XDECREF(argument);
    Py_XDECREF(result);
    return value;
}

/* -------------------------------------------------------------------------- the loops -- */

#define LOOP(name, body) BENCH_LOOP_OF(double, "GCC unroll 1", name, body)

/* Found and called; and the same of an object that has none. */
#define ASKED(way)                                                               \
    LOOP(call_##way, {                                                           \
        Answer answer = ask_##way(o);                                            \
        if (answer != NULL) sum += answer(o, 1.0);                               \
    })                                                                           \
    LOOP(miss_##way, {                                                           \
        Answer answer = ask_##way(o);                                            \
        if (answer != NULL) sum += answer(o, 1.0);                               \
    })

LOOP(empty, (void)o)
LOOP(call_vtable, sum += ask_vtable(o)(o, 1.0))
LOOP(call_method, sum += call_method_of(o, 1.0))
ASKED(slot)
ASKED(any)
ASKED(flag)
ASKED(typecheck)
ASKED(dictionary)
ASKED(capsule)
#ifdef HAVE_TOKEN
ASKED(token)
#endif

static const BenchNamedLoop loops[] = {
#define BOTH(way)   BENCH_ENTRY(call_##way), BENCH_ENTRY(miss_##way)
    BENCH_ENTRY(empty), BENCH_ENTRY(call_vtable), BENCH_ENTRY(call_method), BOTH(slot), BOTH(any), BOTH(flag),
    BOTH(typecheck), BOTH(dictionary), BOTH(capsule),
#ifdef HAVE_TOKEN
    BOTH(token),
#endif
    {NULL, NULL}
#undef BOTH
};

/* ----------------------------------------------------------------------- the module -- */

static PyObject *
run(PyObject *module, PyObject *args)
{
    (void)module;
    return bench_run(loops, "asking.c", args);
}

/* mark(cls): sets the flag of a class, enters it in the dictionary, and gives it a capsule */
static PyObject *
mark(PyObject *module, PyObject *cls)
{
    PyObject *capsule;
    int status;
    (void)module;
    if (!PyType_Check(cls) || !PyType_IsSubtype((PyTypeObject *)cls, speaker_base)) {
        PyErr_SetString(PyExc_TypeError, "mark: expected a class of speakers");
        return NULL;
    }
    ((PyTypeObject *)cls)->tp_flags |= FLAG;
    capsule = PyCapsule_New((void *)(uintptr_t)speaker_answer, CAPSULE, NULL);
    if (capsule == NULL) return NULL;
    status = PyDict_SetItem(by_type, cls, capsule) < 0
        || PyObject_SetAttr(cls, capsule_name, capsule) < 0 ? -1 : 0;
    Py_DECREF(capsule);
    if (status < 0) return NULL;
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"mark", mark, METH_O, NULL},
    {"run", run, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL}
};

static struct PyModuleDef module_def = {
    PyModuleDef_HEAD_INIT, "asking", NULL, -1, methods, NULL, NULL, NULL, NULL
};

/* answer(x), for who asks in Python's way */
static PyObject *
answer_method(PyObject *self, PyObject *x)
{
    double value = PyFloat_AsDouble(x);
    if (value == -1.0 && PyErr_Occurred()) return NULL;
    return PyFloat_FromDouble(speaker_answer(self, value));
}

static PyMethodDef answer_methods[] = {
    {"answer", answer_method, METH_O, NULL},
    {NULL, NULL, 0, NULL}
};

static PyType_Slot type_slots[] = {
    {Py_tp_new, (void *)(uintptr_t)speaker_new},
    {Py_tp_methods, answer_methods},
#ifdef HAVE_TOKEN
    {Py_tp_token, &speaker_token},
#endif
    {0, NULL}
};
static PyType_Spec speaker_spec = {
    "asking.Speaker", sizeof(Speaker), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, type_slots
};
/* Without a table, so that the slot is registered. */
static PyType_Spec plain_spec = {
    "asking.Plain", sizeof(Speaker), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, type_slots
};

static int
add_types(PyObject *module)
{
    PyCustomSlot slot = {SLOT, {(void *)(uintptr_t)speaker_answer}}, registered = slot;
    PyObject *plain = PyType_FromSpec(&plain_spec);
    int status = -1;
    registered.id = REGISTERED;
    speaker_base = (PyTypeObject *)PyExtensibleType_FromSpec(NULL, module, &speaker_spec, NULL, &slot, 1);
    if (plain != NULL && speaker_base != NULL
            && PyCustomSlots_Register((PyTypeObject *)plain, &registered) == 0
            && PyModule_AddIntConstant(module, "COPIES", BENCH_COPIES) == 0
            && PyModule_AddIntConstant(module, "OBJECTS", BENCH_OBJECTS) == 0
            && PyObject_SetAttrString(module, "Plain", plain) == 0
            && PyObject_SetAttrString(module, "Speaker", (PyObject *)speaker_base) == 0) status = 0;
    Py_XDECREF(plain);
    return status;
}

PyMODINIT_FUNC
PyInit_asking(void)
{
    PyObject *module = PyModule_Create(&module_def);
    if (module == NULL) return NULL;
    capsule_name = PyUnicode_InternFromString("__bench_answer__");
    method_name = PyUnicode_InternFromString("answer");
    by_type = PyDict_New();
    if (capsule_name == NULL || method_name == NULL || by_type == NULL || add_types(module) < 0) {
        Py_CLEAR(module);
    }
    return module;
}
