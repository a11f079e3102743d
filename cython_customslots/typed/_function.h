/* SPDX-License-Identifier: MIT
 *
 * _function.h - TypedFunction: a callable of somebody else's kind with a native-call slot.
 */
#ifndef CYTHON_CUSTOMSLOTS_TYPED_FUNCTION_H
#define CYTHON_CUSTOMSLOTS_TYPED_FUNCTION_H

#include "_thunks.h"

#include <structmember.h>

#ifndef Py_TPFLAGS_DISALLOW_INSTANTIATION       /* PyPy's headers may lack these */
#  define Py_TPFLAGS_DISALLOW_INSTANTIATION 0
#endif
#ifndef Py_TPFLAGS_IMMUTABLETYPE
#  define Py_TPFLAGS_IMMUTABLETYPE 0
#endif

/* The object holds all that its record needs, so that everything is freed together. */
typedef struct {
    PyObject_HEAD
    PyTypedMethodNative native;         /* where the slot leads */
    PyTypedMethodRecord record;
    PyTypedMethodEntry *entries;
    void     *skipped;                  /* what a `skip` thunk calls; its context leads here */
    PyObject *name;                     /* str */
    PyObject *original;                 /* keeps the C function alive */
    PyObject *caller;                   /* what Python calls; NULL until the first call */
    PyObject *weakrefs;
} TypedFunction;

static int
function_traverse(PyObject *op, visitproc visit, void *arg)
{
    TypedFunction *self = (TypedFunction *)op;
    Py_VISIT(Py_TYPE(op));
    Py_VISIT(self->original);
    Py_VISIT(self->caller);
    return 0;
}

static int
function_clear(PyObject *op)
{
    TypedFunction *self = (TypedFunction *)op;
    /* First: the finalizer of an object that is freed below may look here. */
    _Pycs_STORE(const PyTypedMethodRecord *, &self->native.record, NULL);
    Py_CLEAR(self->caller);
    Py_CLEAR(self->original);
    return 0;
}

static void
function_dealloc(PyObject *op)
{
    TypedFunction *self = (TypedFunction *)op;
    PyTypeObject *type = Py_TYPE(op);
    PyObject_GC_UnTrack(op);
    if (self->weakrefs != NULL) PyObject_ClearWeakRefs(op);
    (void)function_clear(op);
    PyMem_Free(self->entries);
    Py_CLEAR(self->name);
    type->tp_free(op);
    Py_DECREF(type);
}

/* What Python calls: made by typed/export.py, which knows how for each kind. */
static PyObject *
function_caller(TypedFunction *self)
{
    PyObject *module, *caller = self->caller;
    if (caller != NULL) {
        Py_INCREF(caller);
        return caller;
    }
    if (!(module = PyImport_ImportModule("cython_customslots.typed.export"))) return NULL;
    caller = PyObject_CallMethod(module, "_python_caller", "O", (PyObject *)self);
    Py_DECREF(module);
    if (caller == NULL) return NULL;
    BEGIN_EXCLUSIVE(self)
    if (self->caller == NULL && self->original != NULL) {
        Py_INCREF(caller);
        self->caller = caller;
    }
    END_EXCLUSIVE()
    return caller;
}

static PyObject *
function_call(PyObject *op, PyObject *args, PyObject *kwargs)
{
    PyObject *caller = function_caller((TypedFunction *)op), *result;
    if (caller == NULL) return NULL;
    result = PyObject_Call(caller, args, kwargs);
    Py_DECREF(caller);
    return result;
}

static PyObject *
function_signatures(PyObject *op, void *closure)
{
    (void)closure;
    return PyTypedMethod_Signatures(op);
}

static PyObject *
function_repr(PyObject *op)
{
    PyObject *texts = _Pycs_JoinSignatures(op), *result, *shown = ((TypedFunction *)op)->original;
    if (texts == NULL) return NULL;
    if (shown == NULL) shown = Py_None;                         /* the collector was here */
    else if (PyTuple_CheckExact(shown) && PyCallable_Check(PyTuple_GET_ITEM(shown, 0))) {
        shown = PyTuple_GET_ITEM(shown, 0);                     /* with what keeps the C function's data */
    }
    result = PyUnicode_FromFormat("<TypedFunction %U: %U, from a '%.100s' object>",
                                  ((TypedFunction *)op)->name, texts, Py_TYPE(shown)->tp_name);
    Py_DECREF(texts);
    return result;
}

PyDoc_STRVAR(function_doc,
"A callable of another library's, with its C function where C consumers look for it.\n\n"
"Made by resolve().  It has the native-call slot, so PyTypedMethod_Find() takes the fast\n"
"path, and it keeps the original and all that the C function needs.  Calling it from\n"
"Python calls the original, or, where that cannot be called, the C function.");

static PyMemberDef function_members[] = {
    {"__weaklistoffset__", T_PYSSIZET, offsetof(TypedFunction, weakrefs), READONLY, NULL},
    {"__name__", T_OBJECT, offsetof(TypedFunction, name), READONLY, NULL},
    {"original", T_OBJECT, offsetof(TypedFunction, original), READONLY, "what it was made from"},
    {NULL, 0, 0, 0, NULL}
};

static PyGetSetDef function_getset[] = {
    {"signatures", function_signatures, NULL,
     "the signatures under which C finds it: a tuple of canonical texts", NULL},
    {NULL, NULL, NULL, NULL, NULL}
};

static PyType_Slot function_slots[] = {
    {Py_tp_doc, (void *)(uintptr_t)function_doc},
    {Py_tp_dealloc, (void *)(uintptr_t)function_dealloc},
    {Py_tp_traverse, (void *)(uintptr_t)function_traverse},
    {Py_tp_clear, (void *)(uintptr_t)function_clear},
    {Py_tp_call, (void *)(uintptr_t)function_call},
    {Py_tp_repr, (void *)(uintptr_t)function_repr},
    {Py_tp_members, function_members},
    {Py_tp_getset, function_getset},
    {0, NULL}
};

static PyType_Spec function_spec = {
    "cython_customslots.typed.TypedFunction", sizeof(TypedFunction), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION
        | Py_TPFLAGS_IMMUTABLETYPE,
    function_slots
};

static PyObject *
make_function_type(PyObject *module)
{
    PyCustomSlot slot;
    slot.id = PyTypedMethod_NATIVE_CALL;
    slot.data.flags = 0;
    slot.data.objoffset = offsetof(TypedFunction, native);
#ifdef PYPY_VERSION
    {
        PyObject *type = PyType_FromModuleAndSpec(module, &function_spec, NULL);
        if (type != NULL && PyCustomSlots_Register((PyTypeObject *)type, &slot) < 0) Py_CLEAR(type);
        return type;
    }
#else
    return PyExtensibleType_FromSpec(NULL, module, &function_spec, NULL, &slot, 1);
#endif
}

/* --------------------------------------------------------------- making one -- */

/* Fills an entry from a row (signature, address, flags, error bits, skip).  0, or -1 with
   an exception. */
static int
fill_entry(TypedFunction *self, PyTypedMethodEntry *entry, PyObject *row)
{
    unsigned long long signature, error;
    unsigned int flags;
    int skip;
    PyObject *address;

    if (!PyArg_ParseTuple(row, "KOIKp:make", &signature, &address, &flags, &error, &skip)) {
        return -1;
    }
    memset(entry, 0, sizeof(*entry));
    entry->signature = (uint64_t)signature;
    entry->function = PyLong_AsVoidPtr(address);
    if (entry->function == NULL) {
        if (!PyErr_Occurred()) {
            PyErr_SetString(PyExc_ValueError, "found address 0, expected that of a C function");
        }
        return -1;
    }
    entry->flags = (uint32_t)flags;
    entry->error.u = (uint64_t)error;
    if (skip) {
        self->skipped = entry->function;
        entry->function = find_thunk(skip_thunks, entry->signature);
        entry->flags |= PyTypedMethod_CTX_LAST;
        if (entry->function == NULL) {
            PyErr_SetString(PyExc_LookupError, "no thunk");     /* asked for before */
            return -1;
        }
    }
    return 0;
}

/* make(name, original, rows, context): a TypedFunction. */
static PyObject *
make_function(PyObject *module, PyObject *args)
{
    PyTypeObject *type = (PyTypeObject *)((State *)PyModule_GetState(module))->function_type;
    PyObject *name, *original, *rows, *context, *result = NULL;
    TypedFunction *self = NULL;
    Py_ssize_t i, count;
    const char *text;

    if (!PyArg_ParseTuple(args, "UOO!O:make", &name, &original, &PyTuple_Type, &rows,
                          &context)) return NULL;
    count = PyTuple_GET_SIZE(rows);
    if (!(text = PyUnicode_AsUTF8(name))) return NULL;
    if (!(self = (TypedFunction *)type->tp_alloc(type, 0))) return NULL;
    Py_INCREF(name);
    self->name = name;
    Py_INCREF(original);
    self->original = original;
    self->entries = (PyTypedMethodEntry *)PyMem_Calloc((size_t)count + 1,
                                                       sizeof(PyTypedMethodEntry));
    if (self->entries == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    for (i = 0; i < count; i++) {
        if (fill_entry(self, self->entries + i, PyTuple_GET_ITEM(rows, i)) < 0) goto done;
    }
    self->native.context = self->skipped != NULL ? (void *)&self->skipped
                                                 : PyLong_AsVoidPtr(context);
    if (self->native.context == NULL && PyErr_Occurred()) goto done;
    self->record.magic = PyTypedMethod_MAGIC;
    self->record.abi = PyTypedMethod_ABI_VERSION;
    self->record.entry_size = sizeof(PyTypedMethodEntry);
    self->record.count = (uint32_t)count;
    self->record.name = text;
    self->record.entries = self->entries;
    if (_Pycs_CheckRecord(&self->record, "resolve", text) < 0) goto done;
    _Pycs_STORE(const PyTypedMethodRecord *, &self->native.record, &self->record);
    Py_INCREF((PyObject *)self);
    result = (PyObject *)self;
done:
    Py_DECREF((PyObject *)self);
    return result;
}

#endif /* CYTHON_CUSTOMSLOTS_TYPED_FUNCTION_H */
