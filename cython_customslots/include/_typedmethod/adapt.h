/* SPDX-License-Identifier: MIT
 *
 * _typedmethod/adapt.h - callables of other libraries, if cython_customslots.typed is there.
 * Included by typedmethod.h; not for direct use.
 */
#ifndef Py_TYPEDMETHOD_ADAPT_H
#define Py_TYPEDMETHOD_ADAPT_H

#ifdef __cplusplus
extern "C" {
#endif

#if _PyCustomSlots_SHARES

/* Is it of a type that cython_customslots.typed knows no more about?  Such are most callables. */
_PyCustomSlots_UNUSED static int
_PyTypedMethod_IsPlain(PyObject *callable)
{
    PyTypeObject *type = Py_TYPE(callable);
    if (type == &PyCFunction_Type) {
        /* cffi's functions are builtins whose self is the library. */
        PyObject *self = ((PyCFunctionObject *)callable)->m_self;
        return self == NULL || strcmp(Py_TYPE(self)->tp_name, "_cffi_backend.Lib") != 0;
    }
#ifdef PYPY_VERSION                     /* functions and methods of PyPy's own */
    if (strcmp(type->tp_name, "builtin_function") == 0
            || strcmp(type->tp_name, "builtin method") == 0) return 1;
#endif
    return type == &PyFunction_Type || type == &PyMethod_Type || type == &PyType_Type
           || type == &PyMethodDescr_Type;
}

#define _PyTypedMethod_PACKAGE "cython_customslots.typed"

/* What cython_customslots.typed.adapt() finds in a ctypes or cffi function, a numba cfunc or njit
   function, a ufunc, a functools.partial() or lru_cache(), a SciPy LowLevelCallable or a capsule:
   a new reference to an object with a native-call slot, which keeps `callable` alive.  NULL
   without an exception if it finds nothing, or if that package is not installed; NULL with an
   exception if that is not an Exception (KeyboardInterrupt).
   Imports the package, so call this once for each callable.  Needs the GIL or an attached thread
   state, and no pending exception. */
_PyCustomSlots_UNUSED static PyObject *
_PyTypedMethod_Adapt(PyObject *callable, uint64_t signature)
{
    static int is_absent = 0;
    PyObject *module, *text, *adapted = NULL;
    if (_PyTypedMethod_IsPlain(callable) || _PyCustomSlots_LOAD(int, &is_absent)) return NULL;
    module = PyImport_ImportModule(_PyTypedMethod_PACKAGE);
    if (module == NULL) {
        if (PyErr_ExceptionMatches(PyExc_ModuleNotFoundError)) {
            _PyCustomSlots_STORE(int, &is_absent, 1);
        }
    }
    else {
        text = PyTypedMethod_Format(signature);
        if (text != NULL) adapted = PyObject_CallMethod(module, "adapt", "OO", callable, text);
        Py_XDECREF(text);
        Py_DECREF(module);
    }
    if (adapted == NULL && PyErr_ExceptionMatches(PyExc_Exception)) PyErr_Clear();
    if (adapted == Py_None) Py_CLEAR(adapted);
    return adapted;
}

/* Appends to `words` (stolen), which say what we know ourselves, why that package could not help.
   A new str, NULL with an exception. */
_PyCustomSlots_UNUSED static PyObject *
_PyTypedMethod_SayAbsent(PyObject *words)
{
    PyObject *type, *error, *traceback, *shown = NULL, *result = NULL;
    if (!_PyCustomSlots_IsReplaceable()) goto done;
    PyErr_Fetch(&type, &error, &traceback);
    PyErr_NormalizeException(&type, &error, &traceback);
    if ((shown = _PyCustomSlots_Show(error)) != NULL) {
        result = PyUnicode_FromFormat(
            "%U; and " _PyTypedMethod_PACKAGE ", which finds the C functions of ctypes, cffi, "
            "numba and SciPy callables, cannot be imported: %U", words, shown);
    }
    Py_XDECREF(type);
    Py_XDECREF(error);
    Py_XDECREF(traceback);
    Py_XDECREF(shown);
done:
    Py_DECREF(words);
    return result;
}

/* Why there is no C function with this signature, not even in what _PyTypedMethod_Adapt()
   makes of `callable`.  A new str, NULL with an exception.  Needs what that needs. */
_PyCustomSlots_UNUSED static PyObject *
_PyTypedMethod_WhyNotAdapted(PyObject *callable, uint64_t signature)
{
    PyObject *words = PyTypedMethod_WhyNot(callable, signature);
    PyObject *module, *text, *result = NULL;
    if (words == NULL || _PyTypedMethod_IsPlain(callable)) return words;
    module = PyImport_ImportModule(_PyTypedMethod_PACKAGE);
    if (module == NULL) return _PyTypedMethod_SayAbsent(words);
    if ((text = PyTypedMethod_Format(signature)) != NULL) {
        result = PyObject_CallMethod(module, "explain", "OO", callable, text);
        Py_DECREF(text);
    }
    Py_DECREF(module);
    if (result == NULL ? _PyCustomSlots_IsReplaceable() : !PyUnicode_Check(result)) {
        PyErr_Clear();                          /* another version: what we know must suffice */
        Py_XDECREF(result);
        return words;
    }
    Py_DECREF(words);
    return result;
}

#else

_PyCustomSlots_UNUSED static PyObject *
_PyTypedMethod_Adapt(PyObject *callable, uint64_t signature)
{
    (void)callable;
    (void)signature;
    return NULL;
}

_PyCustomSlots_UNUSED static PyObject *
_PyTypedMethod_WhyNotAdapted(PyObject *callable, uint64_t signature)
{
    return PyTypedMethod_WhyNot(callable, signature);
}

#endif

#ifdef __cplusplus
}
#endif

#endif /* Py_TYPEDMETHOD_ADAPT_H */
