/* SPDX-License-Identifier: MIT
 *
 * _typed.c - what cython_customslots.typed needs C for.  Not public: its functions trust
 * the addresses that they are given.
 */
#include <Python.h>
#ifndef PYPY_VERSION                    /* whose types have no room for slots */
#  include "extensibletype.h"
#endif
#include "typedmethod.h"

#include <wchar.h>

#if PY_VERSION_HEX >= 0x030D0000
#  define BEGIN_EXCLUSIVE(object) Py_BEGIN_CRITICAL_SECTION((PyObject *)(object));
#  define END_EXCLUSIVE() Py_END_CRITICAL_SECTION();
#else
#  define BEGIN_EXCLUSIVE(object) {
#  define END_EXCLUSIVE() }
#endif

typedef struct {
    PyObject *function_type;
    PyObject *guarded_type;
} State;

#include "_bound.h"
#include "_function.h"
#include "_python.h"
#include "_reasons.h"
#include "_ufunc.h"

/* ---------------------------------------------------------------- signatures -- */

static PyObject *
parse(PyObject *module, PyObject *arg)
{
    uint64_t signature;
    const char *text = PyUnicode_AsUTF8(arg);
    (void)module;
    if (text == NULL || PyTypedMethod_Parse(text, &signature) < 0) return NULL;
    return PyLong_FromUnsignedLongLong((unsigned long long)signature);
}

static PyObject *
format(PyObject *module, PyObject *arg)
{
    unsigned long long signature = PyLong_AsUnsignedLongLong(arg);
    (void)module;
    if (PyErr_Occurred()) return NULL;
    return PyTypedMethod_Format((uint64_t)signature);
}

/* find(callable, signature): (address, context, flags, error bits) or None */
static PyObject *
find(PyObject *module, PyObject *args)
{
    PyObject *callable;
    unsigned long long signature;
    PyTypedMethodCall call;
    (void)module;
    if (!PyArg_ParseTuple(args, "OK:find", &callable, &signature)) return NULL;
    if (!PyTypedMethod_Find(callable, (uint64_t)signature, &call)) Py_RETURN_NONE;
    return Py_BuildValue("NNIK", PyLong_FromVoidPtr(call.function),
                         PyLong_FromVoidPtr(call.context), (unsigned int)call.flags,
                         (unsigned long long)call.error.u);
}

static PyObject *
why_not(PyObject *module, PyObject *args)
{
    PyObject *callable;
    unsigned long long signature;
    (void)module;
    if (!PyArg_ParseTuple(args, "OK:why_not", &callable, &signature)) return NULL;
    return why_not_found(callable, (uint64_t)signature);
}

static PyObject *
has_skip_thunk(PyObject *module, PyObject *arg)
{
    unsigned long long signature = PyLong_AsUnsignedLongLong(arg);
    (void)module;
    if (PyErr_Occurred()) return NULL;
    return PyBool_FromLong(find_thunk(skip_thunks, (uint64_t)signature) != NULL);
}

static PyObject *
loop_rating(PyObject *module, PyObject *arg)
{
    unsigned long long signature = PyLong_AsUnsignedLongLong(arg);
    (void)module;
    if (PyErr_Occurred()) return NULL;
    return PyLong_FromLong(rate_loop((uint64_t)signature));
}

/* ------------------------------------------------------------------ capsules -- */

/* A capsule's name, pointer and context; None for an object that is no capsule. */
static PyObject *
capsule_parts(PyObject *module, PyObject *arg)
{
    const char *name;
    void *pointer;
    (void)module;
    if (!PyCapsule_CheckExact(arg)) Py_RETURN_NONE;
    name = PyCapsule_GetName(arg);
    if (!(pointer = PyCapsule_GetPointer(arg, name))) return NULL;
    return Py_BuildValue("NNN", name != NULL ? PyUnicode_DecodeUTF8(name, (Py_ssize_t)strlen(name),
                                                                    "backslashreplace")
                                             : (Py_INCREF(Py_None), Py_None),
                         PyLong_FromVoidPtr(pointer),
                         PyLong_FromVoidPtr(PyCapsule_GetContext(arg)));
}

/* What a capsule of this module holds.  The capsule's name lies in here, and leads the destructor
   here: pointer and context belong to the consumer (SciPy takes the context for the user's
   data). */
typedef struct {
    Target target;
    char name[1];
} Held;

static void
destroy_held(PyObject *capsule)
{
    const char *name = PyCapsule_GetName(capsule);
    if (name != NULL) {
        Held *held = (Held *)((char *)(uintptr_t)name - offsetof(Held, name));
        Py_XDECREF(held->target.callable);
        PyMem_Free(held);
    }
}

/* capsule(callable, signature, name, via[, made]): a capsule of that name with the function and
   its context.  `via`: through a thunk that can be called without the GIL, takes the
   context last, and reports exceptions to sys.unraisablehook; LookupError if there is none for the
   signature.  `made`: the signature of the thunk, which takes an array as a pointer and a length. */
static PyObject *
capsule(PyObject *module, PyObject *args)
{
    PyObject *callable, *result;
    unsigned long long signature, made = 0;
    const char *name;
    int via;
    void *function;
    PyTypedMethodCall call;
    Held *held;

    (void)module;
    if (!PyArg_ParseTuple(args, "OKsp|K:capsule", &callable, &signature, &name, &via, &made)) return NULL;
    if (!PyTypedMethod_Find(callable, (uint64_t)signature, &call)) {
        PyErr_SetString(PyExc_LookupError, "no such function");
        return NULL;
    }
    function = !via ? call.function
        : made != 0 ? find_thunk(array_thunks, (uint64_t)made) : find_thunk(via_thunks, (uint64_t)signature);
    if (function == NULL) {
        PyErr_SetString(PyExc_LookupError, "no thunk");
        return NULL;
    }
    if (!(held = (Held *)PyMem_Calloc(1, sizeof(Held) + strlen(name)))) return PyErr_NoMemory();
    strcpy(held->name, name);
    if (!(result = PyCapsule_New(function, held->name, destroy_held))) {
        PyMem_Free(held);
        return NULL;
    }
    set_target(&held->target, &call);
    Py_INCREF(callable);
    held->target.callable = callable;
    if (PyCapsule_SetContext(result, via ? (void *)&held->target : call.context) < 0) Py_CLEAR(result);
    return result;
}

/* -------------------------------------------------------------------- direct -- */

#define DIRECT_NAME "cython_customslots.typed direct"

/* direct(callable, signature): (keeper, address, data, address of a counter) of a function that
   takes `data` as its last argument and may be called without the GIL: it keeps what the entry
   raises for raised(), and counts it.  The addresses hold while `keeper` lives.  None: nothing
   was compiled for this signature. */
static PyObject *
direct(PyObject *module, PyObject *args)
{
    PyObject *callable, *keeper;
    unsigned long long signature;
    PyTypedMethodCall call;
    Target *target;
    void *function, *made;

    (void)module;
    if (!PyArg_ParseTuple(args, "OK:direct", &callable, &signature)) return NULL;
    function = find_thunk(via_thunks, (uint64_t)signature);
    if (function == NULL || !PyTypedMethod_Find(callable, (uint64_t)signature, &call)) {
        Py_RETURN_NONE;
    }
    if (!(keeper = keep(callable, sizeof(Target), DIRECT_NAME, &made))) return NULL;
    target = (Target *)made;
    set_target(target, &call);
    target->keeps = 1;
    return Py_BuildValue("NNNN", keeper, PyLong_FromVoidPtr(function), PyLong_FromVoidPtr(target),
                         PyLong_FromVoidPtr(&target->raised));
}

/* raised(keeper): what its function raised last in this thread, None if nothing. */
static PyObject *
raised(PyObject *module, PyObject *keeper)
{
    Target *target = (Target *)PyCapsule_GetPointer(keeper, DIRECT_NAME);
    PyObject *error;
    (void)module;
    if (target == NULL) return NULL;
    if ((error = take_error()) == NULL) {
        if (PyErr_Occurred()) return NULL;
        Py_RETURN_NONE;
    }
    target->raised--;
    return error;
}

/* -------------------------------------------------------------------- module -- */

static PyMethodDef methods[] = {
    {"parse", parse, METH_O, NULL},
    {"format", format, METH_O, NULL},
    {"signatures", signatures, METH_O, NULL},
    {"find", find, METH_VARARGS, NULL},
    {"why_not", why_not, METH_VARARGS, NULL},
    {"has_skip_thunk", has_skip_thunk, METH_O, NULL},
    {"loop_rating", loop_rating, METH_O, NULL},
    {"make", make_function, METH_VARARGS, NULL},
    {"capsule_parts", capsule_parts, METH_O, NULL},
    {"capsule", capsule, METH_VARARGS, NULL},
    {"direct", direct, METH_VARARGS, NULL},
    {"raised", raised, METH_O, NULL},
    {"ufunc", make_ufunc, METH_VARARGS, NULL},
    {"bind", bind, METH_VARARGS, NULL},
    {"boxed", boxed, METH_VARARGS, NULL},
    {"guarded", make_guarded, METH_VARARGS, NULL},
    {"ufunc_loop", ufunc_loop, METH_VARARGS, NULL},
    {"error_bits", error_bits, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL}
};

/* What the compiler makes of C's names. */
static const struct {
    const char *name;
    int code;
} c_types[] = {
#define NAMED(type) {#type, PyTypedMethod_TYPE_INT(type)}
    NAMED(char), NAMED(signed char), NAMED(unsigned char), NAMED(short), NAMED(unsigned short),
    NAMED(int), NAMED(unsigned int), NAMED(long), NAMED(unsigned long), NAMED(wchar_t),
    {"long long", PyTypedMethod_I8}, {"unsigned long long", PyTypedMethod_U8},
    {"__int64", PyTypedMethod_I8}, {"unsigned __int64", PyTypedMethod_U8},
    NAMED(int8_t), NAMED(int16_t), NAMED(int32_t), NAMED(int64_t), NAMED(uint8_t),
    NAMED(uint16_t), NAMED(uint32_t), NAMED(uint64_t), NAMED(intptr_t), NAMED(uintptr_t),
    NAMED(size_t), NAMED(ptrdiff_t), NAMED(Py_ssize_t), {"ssize_t", PyTypedMethod_TYPE_INT(Py_ssize_t)},
    {"npy_intp", PyTypedMethod_TYPE_INT(Py_ssize_t)}, {"npy_uintp", PyTypedMethod_TYPE_INT(size_t)},
    {"float", PyTypedMethod_F4}, {"double", PyTypedMethod_F8},
    {"long double", PyTypedMethod_LONG_DOUBLE}, {"float _Complex", PyTypedMethod_C8},
    {"double _Complex", PyTypedMethod_C16}, {"long double _Complex", PyTypedMethod_LONG_COMPLEX},
    {"_Bool", PyTypedMethod_BOOL}, {"void", PyTypedMethod_VOID}
};

static int
add_types(PyObject *module)
{
    PyObject *types = PyDict_New(), *names = PyFrozenSet_New(NULL), *name = NULL;
    size_t i;
    int status = -1;
    if (types == NULL || names == NULL) goto done;
    for (i = 0; i < sizeof(c_types) / sizeof(c_types[0]); i++) {
        name = PyUnicode_FromString(_Pycs_type_names[c_types[i].code]);
        if (name == NULL || PyDict_SetItemString(types, c_types[i].name, name) < 0) goto done;
        Py_CLEAR(name);
    }
    for (i = 1; i <= _Pycs_CODES; i++) {
        if (!(name = PyUnicode_FromString(_Pycs_type_names[i]))) goto done;
        if (PySet_Add(names, name) < 0) goto done;     /* not published yet */
        Py_CLEAR(name);
    }
    if (PyModule_AddObjectRef(module, "C_TYPES", types) < 0) goto done;
    status = PyModule_AddObjectRef(module, "TYPE_NAMES", names);
done:
    Py_XDECREF(types);
    Py_XDECREF(names);
    Py_XDECREF(name);
    return status;
}

static int
exec_module(PyObject *module)
{
    State *state = (State *)PyModule_GetState(module);
    if (!(state->function_type = make_function_type(module))) return -1;
    if (!(state->guarded_type = PyType_FromModuleAndSpec(module, &guarded_spec, NULL))) return -1;
    if (PyModule_AddObjectRef(module, "TypedFunction", state->function_type) < 0) return -1;
#define ADD(name) \
    if (PyModule_AddIntConstant(module, #name, PyTypedMethod_##name) < 0) return -1
    ADD(RAISES);
    ADD(RAISES_VALUE);
    ADD(RAISES_MAYBE);
    ADD(RAISES_ANY);
    ADD(NOGIL);
    ADD(CTX_FIRST);
    ADD(CTX_LAST);
    ADD(UNVERIFIED);
    ADD(CONVERTS);
    ADD(SELF);
    if (PyModule_AddIntConstant(module, "POINTER_SIZE", (long)sizeof(void *)) < 0) return -1;
    return add_types(module);
}

static int
traverse_module(PyObject *module, visitproc visit, void *arg)
{
    State *state = (State *)PyModule_GetState(module);
    Py_VISIT(state->function_type);
    Py_VISIT(state->guarded_type);
    return 0;
}

static int
clear_module(PyObject *module)
{
    State *state = (State *)PyModule_GetState(module);
    Py_CLEAR(state->function_type);
    Py_CLEAR(state->guarded_type);
    return 0;
}

static PyModuleDef_Slot module_slots[] = {
    {Py_mod_exec, (void *)(uintptr_t)exec_module},
#ifdef Py_mod_multiple_interpreters
    {Py_mod_multiple_interpreters, Py_MOD_PER_INTERPRETER_GIL_SUPPORTED},
#endif
#ifdef Py_mod_gil
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
    {0, NULL}
};

static struct PyModuleDef module_def = {
    PyModuleDef_HEAD_INIT, "_typed", "What cython_customslots.typed needs C for.",
    sizeof(State), methods, module_slots, traverse_module, clear_module, NULL
};

PyMODINIT_FUNC
PyInit__typed(void)
{
    return PyModuleDef_Init(&module_def);
}
