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

#if _Pycs_SHARES

/* What cython_customslots.typed.adapt() finds in a ctypes or cffi function, a numba cfunc or njit
   function, a ufunc, a functools.partial() or lru_cache(), a SciPy LowLevelCallable or a capsule:
   a new reference to an object with a native-call slot, which keeps `callable` alive.  NULL
   without an exception if it finds nothing, or if that package is not installed; NULL with an
   exception if that is not an Exception (KeyboardInterrupt).
   Imports the package, so call this once for each callable.  Needs the GIL or an attached thread
   state, and no pending exception. */
_Pycs_UNUSED static PyObject *
_Pycs_Adapt(PyObject *callable, uint64_t signature)
{
    static int is_absent = 0;
    PyObject *module, *text, *adapted = NULL;
    if (_Pycs_IsPlain(callable) || _Pycs_LOAD(int, &is_absent)) return NULL;
    module = PyImport_ImportModule(_Pycs_PACKAGE);
    if (module == NULL) {
        if (PyErr_ExceptionMatches(PyExc_ModuleNotFoundError)) {
            _Pycs_STORE(int, &is_absent, 1);
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

#else

_Pycs_UNUSED static PyObject *
_Pycs_Adapt(PyObject *callable, uint64_t signature)
{
    (void)callable;
    (void)signature;
    return NULL;
}

#endif

/* Why there is no C function with this signature, not even in what _Pycs_Adapt()
   makes of `callable`.  A new str, NULL with an exception.  Needs what that needs. */
_Pycs_UNUSED static PyObject *
_Pycs_WhyNotAdapted(PyObject *callable, uint64_t signature)
{
    PyTypedMethodCall call;
    if (_Pycs_IsPlain(callable) || PyTypedMethod_Find(callable, signature, &call)) {
        return PyTypedMethod_WhyNot(callable, signature);
    }
    return _Pycs_AskWhy("explain", callable, PyTypedMethod_Format(signature), signature);
}

#ifdef __cplusplus
}
#endif

#endif /* Py_TYPEDMETHOD_ADAPT_H */
