/* SPDX-License-Identifier: MIT
 *
 * _ufunc.h - NumPy ufuncs without NumPy's headers.
 *
 * NumPy publishes its ufunc functions as a table in a capsule, whose places do not change:
 * 0 is the type, 1 is PyUFunc_FromFuncAndData().  A ufunc does not own the arrays it is
 * made from; its member `obj`, which is for that purpose, frees them with it.  That member is
 * used only if all members around it hold what they must; otherwise the arrays stay for good.
 */
#ifndef CYTHON_CUSTOMSLOTS_TYPED_UFUNC_H
#define CYTHON_CUSTOMSLOTS_TYPED_UFUNC_H

#include "_loops.h"

typedef PyObject *(*UFuncMaker)(LoopFunction *functions, void *const *data,
                                const char *types, int ntypes, int nin, int nout, int identity,
                                const char *name, const char *doc, int unused);

/* All that a ufunc borrows, in one block. */
typedef struct {
    PyObject     *name, *doc;           /* str */
    LoopFunction *functions;
    void        **data;
    char         *types;
    Py_ssize_t    count;
    Loop          loops[1];             /* so many; the pointers above lead behind them */
} UFuncOwned;

#define OWNED_NAME "cython_customslots.typed ufunc"

static void
free_owned(UFuncOwned *owned)
{
    Py_ssize_t i;
    for (i = 0; i < owned->count; i++) {
        Py_XDECREF(owned->loops[i].target.callable);
        Py_XDECREF(owned->loops[i].caller);
    }
    Py_DECREF(owned->name);
    Py_DECREF(owned->doc);
    PyMem_Free(owned);
}

static void
destroy_owned(PyObject *capsule)
{
    UFuncOwned *owned = (UFuncOwned *)PyCapsule_GetPointer(capsule, OWNED_NAME);
    if (owned != NULL) free_owned(owned);
}

static UFuncOwned *
make_owned(Py_ssize_t count, int nin, PyObject *name, PyObject *doc)
{
    UFuncOwned *owned = (UFuncOwned *)PyMem_Calloc(
        1, sizeof(*owned)
        + (size_t)count * (sizeof(Loop) + sizeof(LoopFunction) + sizeof(void *) + (size_t)nin + 1));
    if (owned == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    owned->count = count;
    owned->functions = (LoopFunction *)(owned->loops + count);
    owned->data = (void **)(owned->functions + count);
    owned->types = (char *)(owned->data + count);
    Py_INCREF(name);
    owned->name = name;
    Py_INCREF(doc);
    owned->doc = doc;
    return owned;
}

/* NumPy's number of a type, by code.  -1: it has none. */
static int
numpy_type(int code)
{
    static const char numbers[_Pycs_CODES + 1] = {
        -1, -1, 0, 1, 3, 5, sizeof(long) == 8 ? 7 : 9, 2, 4, 6, sizeof(long) == 8 ? 8 : 10,
        11, 12, 13, 14, 15, 16, -1, -1
    };
    return code < 0 || code > _Pycs_CODES ? -1 : numbers[code];
}

/* How well a signature serves as a loop: 2 compiled, 1 boxed, 0 not at all. */
static int
rate_loop(uint64_t signature)
{
    _Pycs_Types types;
    int i, boxable = 1;
    if (find_thunk(compiled_loops, signature) != NULL) return 2;
    if (_Pycs_Unpack(signature, &types) < 0) return 0;
    for (i = 0; i < types.count; i++) boxable &= is_boxable(types.codes[i]);
    return boxable && types.count > 1;
}

/* Fills the loop at `place` from (signature, caller or None, typed function).  0, or -1. */
static int
fill_loop(UFuncOwned *owned, Py_ssize_t place, PyObject *row, int nin)
{
    Loop *loop = owned->loops + place;
    unsigned long long signature;
    PyObject *caller, *callable;
    PyTypedMethodCall call;
    _Pycs_Types types;
    void *function;
    int i;

    if (!PyArg_ParseTuple(row, "KOO:ufunc", &signature, &caller, &callable)) return -1;
    if (!PyTypedMethod_Find(callable, (uint64_t)signature, &call)
            || _Pycs_Unpack((uint64_t)signature, &types) < 0
            || types.count != nin + 1) {
        PyErr_SetString(PyExc_ValueError, "as_ufunc: the function has changed meanwhile");
        return -1;
    }
    set_target(&loop->target, &call);
    Py_INCREF(callable);
    loop->target.callable = callable;
    loop->count = types.count;
    memcpy(loop->codes, types.codes, (size_t)types.count);
    function = find_thunk(compiled_loops, (uint64_t)signature);
    if (function == NULL) {
        if (caller == Py_None || rate_loop((uint64_t)signature) == 0) {
            PyErr_SetString(PyExc_ValueError, "as_ufunc: there is no loop for this signature");
            return -1;
        }
        Py_INCREF(caller);
        loop->caller = caller;
        owned->functions[place] = boxed_loop;
    }
    else {
        owned->functions[place] = (LoopFunction)(uintptr_t)function;
    }
    owned->data[place] = loop;
    for (i = 0; i < types.count; i++) {
        /* Arguments first, as in `dd->d`. */
        owned->types[place * (nin + 1) + (i == 0 ? nin : i - 1)]
            = (char)numpy_type(types.codes[i]);
    }
    return 0;
}

/* Hands the block over to the ufunc. */
static int
hand_over(PyObject *ufunc, UFuncOwned *owned, int nin)
{
    UFunc *head = (UFunc *)ufunc;
    int as_expected = Py_TYPE(ufunc)->tp_basicsize >= (Py_ssize_t)sizeof(UFunc)
        && head->nin == nin && head->nout == 1 && head->nargs == nin + 1
        && head->functions == owned->functions && head->data == (void *const *)owned->data
        && head->ntypes == (int)owned->count && head->name == PyUnicode_AsUTF8(owned->name)
        && head->types == owned->types && head->doc == PyUnicode_AsUTF8(owned->doc) && head->ptr == NULL
        && head->obj == NULL;
    if (as_expected) {
        PyObject *capsule = PyCapsule_New(owned, OWNED_NAME, destroy_owned);
        if (capsule == NULL) return -1;
        head->obj = capsule;
    }
    return as_expected;
}

/* ufunc(api, ufunc_type, rows, nin, identity, name, doc) -> (ufunc, owns) */
static PyObject *
make_ufunc(PyObject *module, PyObject *args)
{
    PyObject *api, *type, *rows, *name, *doc, *ufunc;
    int nin, identity, owns;
    const char *name_text, *doc_text;
    void **table;
    UFuncOwned *owned;
    Py_ssize_t i, count;

    (void)module;
    if (!PyArg_ParseTuple(args, "OOO!iiUU:ufunc", &api, &type, &PyTuple_Type, &rows, &nin, &identity, &name, &doc)
            || !(name_text = PyUnicode_AsUTF8(name)) || !(doc_text = PyUnicode_AsUTF8(doc))
            || !(table = (void **)PyCapsule_GetPointer(api, NULL))) return NULL;
    if (table[0] != (void *)type) {
        PyErr_SetString(PyExc_ImportError, "as_ufunc: NumPy's table of functions does not begin "
                        "with the type numpy.ufunc, as in all versions known to this one");
        return NULL;
    }
    count = PyTuple_GET_SIZE(rows);
    if (nin < 1 || nin >= PyTypedMethod_MAX_SHORT || count < 1 || count > 127) {
        PyErr_SetString(PyExc_ValueError, "as_ufunc: too many or too few arguments or loops");
        return NULL;
    }
    if (!(owned = make_owned(count, nin, name, doc))) return NULL;
    for (i = 0; i < count; i++) {
        if (fill_loop(owned, i, PyTuple_GET_ITEM(rows, i), nin) < 0) goto bad;
    }
    ufunc = ((UFuncMaker)(uintptr_t)table[1])(owned->functions, owned->data, owned->types,
                                              (int)count, nin, 1, identity, name_text, doc_text, 0);
    if (ufunc == NULL) goto bad;
    owns = hand_over(ufunc, owned, nin);
    if (owns < 0) {                             /* no memory: the arrays are not to go yet */
        Py_DECREF(ufunc);
        goto bad;
    }
    return Py_BuildValue("NN", ufunc, PyBool_FromLong(owns));
bad:
    free_owned(owned);
    return NULL;
}

#endif /* CYTHON_CUSTOMSLOTS_TYPED_UFUNC_H */
