/* SPDX-License-Identifier: MIT
 *
 * _typedmethod/explain.h - which signatures a callable has, and why it lacks another one.
 * Included by typedmethod.h; not for direct use.
 */
#ifndef Py_TYPEDMETHOD_EXPLAIN_H
#define Py_TYPEDMETHOD_EXPLAIN_H

#ifdef __cplusplus
extern "C" {
#endif

#if _PyCustomSlots_SHARES

/* The signature under which an entry is found; 0 with an exception (long ones are
   interned), or without one if there is none. */
_PyCustomSlots_UNUSED static uint64_t
_PyTypedMethod_OfferedSignature(const PyTypedMethodEntry *entry,
                                const _PyTypedMethod_Place *place, PyObject *bind)
{
    _PyTypedMethod_Types types;
    uint64_t signature = entry->signature;
    uint32_t flag;
    void *context;
    if (_PyTypedMethod_Decode(signature, &types) < 0) return 0;
    if (bind != NULL || ((entry->flags & PyTypedMethod_SELF) && place->receiver != NULL)) {
        char text[PyTypedMethod_TEXT_SIZE];
        if (types.count < 2 || types.codes[1] != PyTypedMethod_OBJECT) return 0;
        memmove(types.codes + 1, types.codes + 2, (size_t)types.count - 2);
        types.count--;
        signature = _PyTypedMethod_Pack(&types);
        if (signature == 0) {
            _PyTypedMethod_Print(&types, text);
            signature = (uint64_t)PyCustomSlots_Intern(text);
            if (signature == 0) return 0;
        }
    }
    return _PyTypedMethod_Fits(entry, place, bind, signature, &context, &flag) ? signature : 0;
}

#endif /* _PyCustomSlots_SHARES */

/** The texts of all signatures under which PyTypedMethod_Find() finds something, in the
   order of the record: a new tuple of str, empty if there are none; NULL with MemoryError.
   Needs the GIL or an attached thread state. */
_PyCustomSlots_UNUSED static PyObject *
PyTypedMethod_Signatures(PyObject *callable)
{
    PyObject *list = PyList_New(0), *result = NULL;
    if (list == NULL) return NULL;
#if _PyCustomSlots_SHARES
    {
        PyObject *bind;
        _PyTypedMethod_Place place;
        const PyTypedMethodEntry *entry;
        uint32_t i;
        callable = _PyTypedMethod_Unbind(callable, &bind);
        if (_PyTypedMethod_Locate(callable, &place)) {
            for (i = 0, entry = place.record->entries; i < place.record->count;
                 i++, entry = _PyTypedMethod_NextEntry(place.record, entry)) {
                uint64_t signature = _PyTypedMethod_OfferedSignature(entry, &place, bind);
                PyObject *text;
                int failed;
                if (signature == 0) {
                    if (PyErr_Occurred()) goto done;
                    continue;
                }
                if (!(text = PyTypedMethod_Format(signature))) goto done;
                failed = PySequence_Contains(list, text);   /* an overload that is hidden */
                if (failed == 0) failed = PyList_Append(list, text);
                Py_DECREF(text);
                if (failed < 0) goto done;
            }
        }
    }
#else
    (void)callable;
#endif
    result = PyList_AsTuple(list);
    goto done;
done:
    Py_DECREF(list);
    return result;
}

#if _PyCustomSlots_SHARES

/* A sentence about `callable`: `format` has one %U for it.  A new str. */
_PyCustomSlots_UNUSED static PyObject *
_PyTypedMethod_Say(const char *format, PyObject *callable)
{
    PyObject *shown = _PyCustomSlots_Show(callable), *result = NULL;
    if (shown != NULL) result = PyUnicode_FromFormat(format, shown);
    Py_XDECREF(shown);
    return result;
}

#define _PyTypedMethod_TWICE_BOUND                                                       \
    "%U is a bound method of a bound method, and a C call has room for one object; pass the "  \
    "inner method"

/* What a function without a record would need.  Users meet this when a loop is slow. */
#define _PyTypedMethod_NO_RECORD                                                         \
    "%U has no record: its module registers none for it.  In Cython these get one: `cpdef` "    \
    "functions (not `def`, not with struct, memoryview, reference or C++ class arguments) of "  \
    "modules that `cimport cython_customslots` or have --typed, and are compiled by "           \
    "cython-customslots, not by plain cython; in C, PyTypedMethod_RegisterMethods() does it"

/* Is it a function of Cython, of whatever module and version?  Of those that registered none, too. */
_PyCustomSlots_UNUSED static int
_PyTypedMethod_IsCythonsFunction(PyTypeObject *type)
{
    const char *name = strrchr(type->tp_name, '.');
    return strcmp(name == NULL ? type->tp_name : name + 1, "cython_function_or_method") == 0;
}

/* Why there is no record that can be used; a new str. */
_PyCustomSlots_UNUSED static PyObject *
_PyTypedMethod_WhyNoRecord(PyObject *callable)
{
    PyTypeObject *type = Py_TYPE(callable);
    const PyCustomSlot *slot = _PyTypedMethod_CallSlot(type, PyTypedMethod_NATIVE_CALL);
    _PyCustomSlots_Cells *cells = _PyTypedMethod_GetCells();

    if (_PyTypedMethod_IsBuiltin(type) || type == &PyMethodDescr_Type) {
        return _PyTypedMethod_Say(_PyTypedMethod_NO_RECORD, callable);
    }
    if (slot != NULL) {
        const PyTypedMethodNative *native
            = (const PyTypedMethodNative *)((const char *)callable + slot->data.objoffset);
        const PyTypedMethodRecord *record = native->record;
        unsigned long long found;
        char format[256];
        const char *wrong = record != NULL ? _PyTypedMethod_CheckHead(record, &found) : NULL;
        if (record == NULL) {
            return PyUnicode_FromFormat("instances of '%.200s' can have a native call, but "
                                        "this one has no record", type->tp_name);
        }
        if (wrong == NULL) wrong = "its record has changed meanwhile";
        PyOS_snprintf(format, sizeof(format), "the native call of '%%.200s' is refused: %s",
                      wrong);
        return PyUnicode_FromFormat(format, type->tp_name, found);
    }
    if (_PyTypedMethod_SlotOf(type, PyTypedMethod_NATIVE_CALL) != NULL
            || _PyTypedMethod_SlotOf(type, PyTypedMethod_CLASS_CALL) != NULL) {
        return PyUnicode_FromFormat("class '%.200s', or a base of it, overrides the __call__ that belongs to its "
                                    "native call, so Python is called", type->tp_name);
    }
    if (_PyTypedMethod_IsCythonsFunction(type)
            || (cells != NULL && _PyTypedMethod_Known(cells, type) != NULL)) {
        return _PyTypedMethod_Say(_PyTypedMethod_NO_RECORD, callable);
    }
    if (type == &PyFunction_Type) {
        return _PyTypedMethod_Say("%U is written in Python, so it has no C function", callable);
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
_PyCustomSlots_UNUSED static int
_PyTypedMethod_IsCallWrapper(PyObject *callable)
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
_PyCustomSlots_UNUSED static PyObject *
_PyTypedMethod_SayWrapped(PyObject *words, PyObject *callable)
{
    static const char *const names[] = {"func", "__wrapped__", "__func__", "__call__", "__self__"};
    PyObject *inner = NULL, *offered = NULL, *comma = NULL, *joined = NULL, *shown = NULL;
    PyObject *result = NULL;
    const size_t count = sizeof(names) / sizeof(*names);
    size_t i;

    for (i = 0; words != NULL && i < count; i++) {
        if (i == count - 1 && !_PyTypedMethod_IsCallWrapper(callable)) break;
        Py_CLEAR(inner);
        Py_CLEAR(offered);
        inner = PyObject_GetAttrString(callable, names[i]);     /* anybody's code */
        if (inner == NULL) {
            if (!_PyCustomSlots_IsReplaceable()) goto done;
            PyErr_Clear();
            continue;
        }
        if (!(offered = PyTypedMethod_Signatures(inner))) goto done;
        if (PyTuple_GET_SIZE(offered) == 0) continue;
        if (!(comma = PyUnicode_FromString("; "))) goto done;
        if (!(joined = PyUnicode_Join(comma, offered))) goto done;
        if (!(shown = _PyCustomSlots_Show(inner))) goto done;
        result = PyUnicode_FromFormat("%U; but its %s, %U, has C functions (%U): pass that if "
                                      "they shall be called", words, names[i], shown, joined);
        goto done;
    }
    result = words;
    Py_XINCREF(result);
done:
    Py_XDECREF(words);
    Py_XDECREF(inner);
    Py_XDECREF(offered);
    Py_XDECREF(comma);
    Py_XDECREF(joined);
    Py_XDECREF(shown);
    return result;
}

/* Why no entry of a record can be called: a method's receiver and a context need
   the same place.  A new str. */
_PyCustomSlots_UNUSED static PyObject *
_PyTypedMethod_WhyNoPlace(PyObject *callable, const _PyTypedMethod_Place *place, int is_bound)
{
    const PyTypedMethodEntry *entry = place->record->entries;
    uint32_t i, flags = 0;
    for (i = 0; i < place->record->count; i++) {
        flags |= entry->flags;
        entry = _PyTypedMethod_NextEntry(place->record, entry);
    }
    if (is_bound && (flags & PyTypedMethod_CTX)) {
        return _PyTypedMethod_Say(
            "%U binds an object to a function that takes a context, and a C call has one place "
            "for both; pass the function itself", callable);
    }
    if (is_bound && (flags & PyTypedMethod_SELF) && place->receiver != NULL) {
        return _PyTypedMethod_Say(_PyTypedMethod_TWICE_BOUND, callable);
    }
    return _PyTypedMethod_Say("%U has a record, but nothing in it can be called this way (bound "
                              "or unbound, or with the context that it needs)", callable);
}

/* Says of an entry under this signature, bound or not, that it is refused, and why; 0: of any
   entry.  A new str; NULL without an exception if no entry is refused, or with one. */
_PyCustomSlots_UNUSED static PyObject *
_PyTypedMethod_WhyRefused(const PyTypedMethodRecord *record, uint64_t signature)
{
    const PyTypedMethodEntry *entry = record->entries;
    unsigned long long found;
    char format[256];
    uint32_t i;
    for (i = 0; i < record->count; i++, entry = _PyTypedMethod_NextEntry(record, entry)) {
        const char *wrong = _PyTypedMethod_CheckEntry(entry, &found);
        if (wrong == NULL || !(signature == 0 || entry->signature == signature
                || _PyTypedMethod_IsBoundSignature(entry->signature, signature))) continue;
        PyOS_snprintf(format, sizeof(format), "an entry is refused: %s", wrong);
        return PyUnicode_FromFormat(format, found);
    }
    return NULL;
}

#endif /* _PyCustomSlots_SHARES */

/** Why PyTypedMethod_Find() does not find this, in words: a new str, empty if it does; NULL
   with ValueError (not a signature) or MemoryError.  Needs the GIL or an attached thread
   state. */
_PyCustomSlots_UNUSED static PyObject *
PyTypedMethod_WhyNot(PyObject *callable, uint64_t signature)
{
    PyTypedMethodCall call;
    PyObject *text = NULL, *offered = NULL, *comma = NULL, *joined = NULL, *result = NULL;
    if (!(text = PyTypedMethod_Format(signature))) return NULL;
    if (PyTypedMethod_Find(callable, signature, &call)) {
        result = PyUnicode_FromString("");
        goto done;
    }
#if _PyCustomSlots_SHARES
    {
        PyObject *bind, *function = _PyTypedMethod_Unbind(callable, &bind);
        _PyTypedMethod_Place place;
        if (!_PyTypedMethod_Locate(function, &place)) {
            result = function != callable && Py_TYPE(function) == &PyMethod_Type
                ? _PyTypedMethod_Say(_PyTypedMethod_TWICE_BOUND, callable)
                : _PyTypedMethod_SayWrapped(_PyTypedMethod_WhyNoRecord(function), function);
            goto done;
        }
        if ((result = _PyTypedMethod_WhyRefused(place.record, signature)) != NULL
                || PyErr_Occurred()) goto done;
        if (!(offered = PyTypedMethod_Signatures(callable))) goto done;
        if (PyTuple_GET_SIZE(offered) == 0) {
            result = _PyTypedMethod_WhyRefused(place.record, 0);
            if (result != NULL || PyErr_Occurred()) goto done;
            result = _PyTypedMethod_WhyNoPlace(callable, &place, function != callable);
            goto done;
        }
        if (!(comma = PyUnicode_FromString("; "))) goto done;
        if (!(joined = PyUnicode_Join(comma, offered))) goto done;
        result = PyUnicode_FromFormat("found %U, expected %U: types must be the same, "
                                      "nothing is converted", joined, text);
    }
#else
    result = PyUnicode_FromString("typed functions are found on CPython and PyPy only, and "
                                  "this is another Python");
#endif
done:
    Py_XDECREF(text);
    Py_XDECREF(offered);
    Py_XDECREF(comma);
    Py_XDECREF(joined);
    return result;
}

#ifdef __cplusplus
}
#endif

#endif /* Py_TYPEDMETHOD_EXPLAIN_H */
