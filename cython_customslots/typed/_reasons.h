/* SPDX-License-Identifier: MIT
 *
 * _reasons.h - which signatures a callable has, and why it has no C function of another one: what this package knows,
 * asked by consumers.
 */
#ifndef CYTHON_CUSTOMSLOTS_TYPED_REASONS_H
#define CYTHON_CUSTOMSLOTS_TYPED_REASONS_H

/* signatures(callable): a tuple of texts. */
static PyObject *
signatures(PyObject *module, PyObject *callable)
{
    (void)module;
    return PyTypedMethod_Signatures(callable);
}

/* A sentence about `callable`: `format` has one %U for it.  A new str. */
static PyObject *
say(const char *format, PyObject *callable)
{
    PyObject *shown = _Pycs_Repr(callable), *result = NULL;
    if (shown != NULL) result = PyUnicode_FromFormat(format, shown);
    Py_XDECREF(shown);
    return result;
}

#define TWICE_BOUND                                                       \
    "%U is a bound method of a bound method, and a C call has room for one object; pass the "  \
    "inner method"

/* What a function without a record would need.  Users meet this when a loop is slow. */
#define NO_RECORD                                                         \
    "%U has no record: its module registers none for it.  In Cython these get one: `cpdef` "    \
    "functions (not `def`, not with struct, reference or C++ class arguments, or memoryviews that they " \
    "keep or that have more dimensions than one) of "                                         \
    "modules that `cimport cython_customslots` or have --typed, and are compiled by "           \
    "cython-customslots, not by plain cython; in C, PyTypedMethod_RegisterMethods() does it"

/* Is it a function of Cython, of whatever module and version, even of a module that registered nothing? */
static int
is_cythons_function(PyTypeObject *type)
{
    const char *name = strrchr(type->tp_name, '.');
    return strcmp(name == NULL ? type->tp_name : name + 1, "cython_function_or_method") == 0;
}

/* Why there is no record that can be used; a new str. */
static PyObject *
why_no_record(PyObject *callable)
{
    PyTypeObject *type = Py_TYPE(callable);
    const PyCustomSlot *slot = _Pycs_CallSlot(type, PyTypedMethod_NATIVE_CALL);
    _Pycs_Cells *cells = _Pycs_GetCells();

    if (_Pycs_IsBuiltin(type) || type == &PyMethodDescr_Type) {
        return say(NO_RECORD, callable);
    }
    if (slot != NULL) {
        const PyTypedMethodNative *native
            = (const PyTypedMethodNative *)((const char *)callable + slot->data.objoffset);
        const PyTypedMethodRecord *record = native->record;
        unsigned long long found;
        char format[256];
        const char *wrong = record != NULL ? _Pycs_CheckHead(record, &found) : NULL;
        if (record == NULL) {
            return PyUnicode_FromFormat("instances of '%.200s' can have a native call, but "
                                        "this one has no record", type->tp_name);
        }
        if (wrong == NULL) wrong = "its record has changed meanwhile";
        PyOS_snprintf(format, sizeof(format), "the native call of '%%.200s' is refused: %s",
                      wrong);
        return PyUnicode_FromFormat(format, type->tp_name, found);
    }
    if (_Pycs_SlotOf(type, PyTypedMethod_NATIVE_CALL) != NULL
            || _Pycs_SlotOf(type, PyTypedMethod_CLASS_CALL) != NULL) {
        return PyUnicode_FromFormat("class '%.200s', or a base of it, overrides the __call__ that belongs to its "
                                    "native call, so Python is called", type->tp_name);
    }
    if (is_cythons_function(type)
            || (cells != NULL && _Pycs_ValueOf(cells, _Pycs_LayoutKey(type)) != NULL)) {
        return say(NO_RECORD, callable);
    }
    if (type == &PyFunction_Type) {
        return say("%U is written in Python, so it has no C function", callable);
    }
    if (!PyCallable_Check(callable)) {
        return PyUnicode_FromFormat("an object of type '%.200s' is not callable",
                                    type->tp_name);
    }
    return PyUnicode_FromFormat(
        "nothing is known about C functions of '%.200s' objects: no module registered how "
        "they lead to a PyMethodDef, and the type has no native-call slot", type->tp_name);
}

/* Is it `f.__call__` of an `f` that is made in C?  Its type has no name in CPython's C API. */
static int
is_call_wrapper(PyObject *callable)
{
    PyObject *name;
    int is_call = 0;
    if (strcmp(Py_TYPE(callable)->tp_name, "method-wrapper") != 0) return 0;
    name = PyObject_GetAttrString(callable, "__name__");
    if (name == NULL) PyErr_Clear();
    else is_call = PyUnicode_Check(name) && PyUnicode_CompareWithASCIIString(name, "__call__") == 0;
    Py_XDECREF(name);
    return is_call;
}

/* Adds to `words` (stolen) that `callable` wraps something with a C function: a partial's
   `func`, the function of a cache or a staticmethod, a `__call__`.  Whether to call it with other
   arguments, or without the wrapper, is the user's decision, so the message only mentions it.  A
   new str; NULL with an exception. */
static PyObject *
say_wrapped(PyObject *words, PyObject *callable)
{
    static const char *const names[] = {"func", "__wrapped__", "__func__", "__call__", "__self__"};
    PyObject *inner = NULL, *offered = NULL, *shown = NULL, *result = NULL;
    const size_t count = sizeof(names) / sizeof(*names);
    size_t i;

    for (i = 0; words != NULL && i < count; i++) {
        if (i == count - 1 && !is_call_wrapper(callable)) break;
        Py_CLEAR(inner);
        Py_CLEAR(offered);
        inner = PyObject_GetAttrString(callable, names[i]);     /* anybody's code */
        if (inner == NULL) {
            if (!_Pycs_IsReplaceable()) goto done;
            PyErr_Clear();
            continue;
        }
        if (!(offered = _Pycs_JoinSignatures(inner))) goto done;
        if (_Pycs_LENGTH(offered) == 0) continue;
        if (!(shown = _Pycs_Repr(inner))) goto done;
        result = PyUnicode_FromFormat("%U; but its %s, %U, has C functions (%U): pass that if "
                                      "they shall be called", words, names[i], shown, offered);
        goto done;
    }
    result = words;
    Py_XINCREF(result);
done:
    Py_XDECREF(words);
    Py_XDECREF(inner);
    Py_XDECREF(offered);
    Py_XDECREF(shown);
    return result;
}

/* Why no entry of a record can be called: a method's receiver and a context need
   the same place.  A new str. */
static PyObject *
why_no_place(PyObject *callable, const _Pycs_RecordPlace *place, int is_bound)
{
    const PyTypedMethodEntry *entry = place->record->entries;
    uint32_t i, flags = 0;
    for (i = 0; i < place->record->count; i++) {
        flags |= entry->flags;
        entry = _Pycs_NextEntry(place->record, entry);
    }
    if (is_bound && (flags & PyTypedMethod_CTX)) {
        return say(
            "%U binds an object to a function that takes a context, and a C call has one place "
            "for both; pass the function itself", callable);
    }
    if (is_bound && (flags & PyTypedMethod_SELF) && place->receiver != NULL) {
        return say(TWICE_BOUND, callable);
    }
    return say("%U has a record, but nothing in it can be called this way (bound "
                              "or unbound, or with the context that it needs)", callable);
}

/* Says that an entry under this signature, bound or not, is refused, and why; signature 0: any
   entry.  A new str; NULL without an exception if no entry is refused, or with one. */
static PyObject *
why_refused(const PyTypedMethodRecord *record, uint64_t signature)
{
    const PyTypedMethodEntry *entry = record->entries;
    unsigned long long found;
    char format[256];
    uint32_t i;
    for (i = 0; i < record->count; i++, entry = _Pycs_NextEntry(record, entry)) {
        const char *wrong = _Pycs_CheckEntry(entry, &found);
        if (wrong == NULL || !(signature == 0 || entry->signature == signature
                || _Pycs_IsBoundSignature(entry->signature, signature))) continue;
        PyOS_snprintf(format, sizeof(format), "an entry is refused: %s", wrong);
        return PyUnicode_FromFormat(format, found);
    }
    return NULL;
}

/* Why PyTypedMethod_Find() does not find this: a new str, empty if it does; NULL with an exception. */
static PyObject *
why_not_found(PyObject *callable, uint64_t signature)
{
    PyTypedMethodCall call;
    PyObject *bind, *function, *offered, *result;
    _Pycs_RecordPlace place;
    int offers;

    if (PyTypedMethod_Find(callable, signature, &call)) return PyUnicode_FromString("");
    function = _Pycs_Unbind(callable, &bind);
    if (!_Pycs_Locate(function, &place)) {
        return function != callable && Py_TYPE(function) == &PyMethod_Type
            ? say(TWICE_BOUND, callable) : say_wrapped(why_no_record(function), function);
    }
    if ((result = why_refused(place.record, signature)) != NULL || PyErr_Occurred()) return result;
    if (!(offered = PyTypedMethod_Signatures(callable))) return NULL;
    offers = PyTuple_GET_SIZE(offered) != 0;
    Py_DECREF(offered);
    if (offers) return _Pycs_ShortReason(callable, signature);
    result = why_refused(place.record, 0);
    return result != NULL || PyErr_Occurred() ? result : why_no_place(callable, &place, function != callable);
}

#endif /* CYTHON_CUSTOMSLOTS_TYPED_REASONS_H */
