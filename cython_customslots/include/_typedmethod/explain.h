/* SPDX-License-Identifier: MIT
 *
 * _typedmethod/explain.h - which signatures a callable has, why it lacks another one, and what the package
 * cython_customslots.typed finds in callables of other libraries.
 * Included by typedmethod.h; not for direct use.
 */

/* The signature under which an entry is found; 0 with an exception (long ones are
   interned), or without one if there is none. */
_Pycs_UNUSED static uint64_t
_Pycs_OfferedSignature(const PyTypedMethodEntry *entry, const _Pycs_RecordPlace *place, PyObject *bind)
{
    _Pycs_Types types;
    uint64_t signature = entry->signature;
    uint32_t flag;
    void *context;
    if (_Pycs_Decode(signature, &types) < 0) return 0;
    if (bind != NULL || ((entry->flags & PyTypedMethod_SELF) && place->receiver != NULL)) {
        char text[PyTypedMethod_TEXT_SIZE];
        if (types.count < 2 || types.codes[1] != PyTypedMethod_OBJECT) return 0;
        memmove(types.codes + 1, types.codes + 2, (size_t)types.count - 2);
        types.count--;
        signature = _Pycs_Pack(&types);
        if (signature == 0) {
            _Pycs_Print(&types, text);
            signature = (uint64_t)PyCustomSlots_Intern(text);
            if (signature == 0) return 0;
        }
    }
    return _Pycs_Fits(entry, place, bind, signature, &context, &flag) ? signature : 0;
}

/** The texts of all signatures under which PyTypedMethod_Find() finds something, in the
   order of the record: a new tuple of str, empty if there are none; NULL with MemoryError.
   Needs the GIL or an attached thread state. */
_Pycs_UNUSED static PyObject *
PyTypedMethod_Signatures(PyObject *callable)
{
    PyObject *list = PyList_New(0), *result = NULL, *bind;
    const PyTypedMethodEntry *entry;
    _Pycs_RecordPlace place;
    uint32_t i;
    if (list == NULL) return NULL;
    callable = _Pycs_Unbind(callable, &bind);
    if (_Pycs_Locate(callable, &place)) {
        for (i = 0, entry = place.record->entries; i < place.record->count;
             i++, entry = _Pycs_NextEntry(place.record, entry)) {
            uint64_t signature = _Pycs_OfferedSignature(entry, &place, bind);
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
    result = PyList_AsTuple(list);
done:
    Py_DECREF(list);
    return result;
}

/* These texts as one, "f8(f8); i8(i8)": a new str, empty if there are none; NULL with MemoryError. */
_Pycs_UNUSED static PyObject *
_Pycs_JoinSignatures(PyObject *callable)
{
    PyObject *texts = PyTypedMethod_Signatures(callable);
    PyObject *between = texts != NULL ? PyUnicode_FromString("; ") : NULL;
    PyObject *joined = between != NULL ? PyUnicode_Join(between, texts) : NULL;
    Py_XDECREF(texts);
    Py_XDECREF(between);
    return joined;
}

/* Is the callable of a type that cython_customslots.typed knows no more about?  Most callables are. */
_Pycs_UNUSED static int
_Pycs_IsPlain(PyObject *callable)
{
    PyTypeObject *type = _Pycs_OB_TYPE(callable);
    if (type == &PyCFunction_Type) {
        /* cffi's functions are builtins whose self is the library. */
        PyObject *self = _Pycs_M_SELF(callable);
        return self == NULL || strcmp(_Pycs_TP_NAME(_Pycs_OB_TYPE(self)), "_cffi_backend.Lib") != 0;
    }
#ifdef PYPY_VERSION                     /* functions and methods of PyPy's own */
    if (strcmp(type->tp_name, "builtin_function") == 0 || strcmp(type->tp_name, "builtin method") == 0) return 1;
#endif
    return type == _Pycs_FUNCTION_TYPE || type == _Pycs_METHOD_TYPE || type == &PyType_Type
           || type == &PyMethodDescr_Type;
}

/* What is known without the package: which signatures there are.  A new str. */
_Pycs_UNUSED static PyObject *
_Pycs_ShortReason(PyObject *callable, uint64_t signature)
{
    PyObject *text = PyTypedMethod_Format(signature), *result = NULL;
    PyObject *offered = text != NULL ? _Pycs_JoinSignatures(callable) : NULL;
    if (offered != NULL && _Pycs_LENGTH(offered) == 0) {
        result = PyUnicode_FromFormat("nothing is known about C functions of '%.200s' objects",
                                      _Pycs_TP_NAME(_Pycs_OB_TYPE(callable)));
    }
    else if (offered != NULL) {
        result = PyUnicode_FromFormat("found %U, expected %U: types must be the same, nothing is converted",
                                      offered, text);
    }
    Py_XDECREF(text);
    Py_XDECREF(offered);
    return result;
}

#define _Pycs_PACKAGE "cython_customslots.typed"

/* What cython_customslots.typed.<function>(callable, asked) answers; *imported says whether the package is there.
   `asked` is stolen; NULL: an exception is set.  NULL with an exception. */
_Pycs_UNUSED static PyObject *
_Pycs_AskPackage(const char *function, PyObject *callable, PyObject *asked, int *imported)
{
    PyObject *module = asked != NULL ? PyImport_ImportModule(_Pycs_PACKAGE) : NULL;
    PyObject *answer = module != NULL ? PyObject_CallMethod(module, function, "OO", callable, asked) : NULL;
    *imported = module != NULL || asked == NULL;
    Py_XDECREF(module);
    Py_XDECREF(asked);
    return answer;
}

/* What that function answers, the full explanation; or, if the package cannot be imported or is another version, the
   short reason, and for callables of other libraries why the package is missing.  A new str; otherwise as
   AskPackage(). */
_Pycs_UNUSED static PyObject *
_Pycs_AskWhy(const char *function, PyObject *callable, PyObject *asked, uint64_t signature)
{
    PyObject *words, *result, *error, *shown;
    int imported;

    if (asked == NULL) return NULL;
    result = _Pycs_AskPackage(function, callable, asked, &imported);
    /* An empty text: a later version of the package finds what this code does not. */
    if (result != NULL && PyUnicode_Check(result) && _Pycs_LENGTH(result) > 0) return result;
    Py_CLEAR(result);
    if (PyErr_Occurred() && !_Pycs_IsReplaceable()) return NULL;
    error = _Pycs_TakeRaised();
    words = _Pycs_ShortReason(callable, signature);
    if (words != NULL && !imported && !_Pycs_IsPlain(callable)) {
        if ((shown = _Pycs_Repr(error)) != NULL) {
            result = PyUnicode_FromFormat(
                "%U; and " _Pycs_PACKAGE ", which finds the C functions of ctypes, cffi, "
                "numba and SciPy callables, cannot be imported: %U", words, shown);
            Py_DECREF(shown);
        }
        Py_DECREF(words);
        words = result;
    }
    Py_XDECREF(error);
    return words;
}

/** Why PyTypedMethod_Find() does not find this: a new str, empty if it does; NULL
   with ValueError (not a signature) or MemoryError.  The package cython_customslots knows the reasons, and this
   function imports it; without it they are short.  Needs the GIL or an attached thread state. */
_Pycs_UNUSED static PyObject *
PyTypedMethod_WhyNot(PyObject *callable, uint64_t signature)
{
    PyTypedMethodCall call;
    PyObject *text = PyTypedMethod_Format(signature);
    if (text == NULL || !PyTypedMethod_Find(callable, signature, &call)) {
        return _Pycs_AskWhy("why_not", callable, text, signature);
    }
    Py_DECREF(text);
    return PyUnicode_FromString("");
}

/* What cython_customslots.typed.<function>() finds in a ctypes or cffi function, a numba cfunc or njit
   function, a ufunc, a functools.partial() or lru_cache(), a SciPy LowLevelCallable or a capsule:
   a new reference to an object with a native-call slot, which keeps `callable` alive.  NULL
   without an exception if it finds nothing, or if that package is not installed; NULL with an
   exception if that is not an Exception (KeyboardInterrupt).  `asked` is stolen.
   Imports the package, so call this once for each callable, and not for plain ones.  Needs the GIL or
   an attached thread state, and no pending exception but the one of `asked`. */
_Pycs_UNUSED static PyObject *
_Pycs_Adapt(const char *function, PyObject *callable, PyObject *asked)
{
    static int is_absent = 0;
    PyObject *adapted = NULL;
    int imported = 1;
    if (_Pycs_LOAD(int, &is_absent)) Py_XDECREF(asked);
    else adapted = _Pycs_AskPackage(function, callable, asked, &imported);
    if (!imported && PyErr_ExceptionMatches(PyExc_ModuleNotFoundError)) _Pycs_STORE(int, &is_absent, 1);
    if (adapted == NULL && PyErr_Occurred() && PyErr_ExceptionMatches(PyExc_Exception)) PyErr_Clear();
    if (adapted == Py_None) Py_CLEAR(adapted);
    return adapted;
}

/* Why there is no C function with this signature, not even in what _Pycs_Adapt()
   makes of `callable`.  A new str, NULL with an exception.  Needs what _Pycs_Adapt() needs. */
_Pycs_UNUSED static PyObject *
_Pycs_WhyNotAdapted(PyObject *callable, uint64_t signature)
{
    PyTypedMethodCall call;
    if (_Pycs_IsPlain(callable) || PyTypedMethod_Find(callable, signature, &call)) {
        return PyTypedMethod_WhyNot(callable, signature);
    }
    return _Pycs_AskWhy("explain", callable, PyTypedMethod_Format(signature), signature);
}
