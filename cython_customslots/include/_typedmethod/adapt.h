/* SPDX-License-Identifier: MIT
 *
 * _typedmethod/adapt.h - callables of other libraries, if cython_customslots.typed is there.
 * Included by typedmethod.h; not for direct use.
 */

/* What cython_customslots.typed.<function>() finds in a ctypes or cffi function, a numba cfunc or njit
   function, a ufunc, a functools.partial() or lru_cache(), a SciPy LowLevelCallable or a capsule:
   a new reference to an object with a native-call slot, which keeps `callable` alive.  NULL
   without an exception if it finds nothing, or if that package is not installed; NULL with an
   exception if that is not an Exception (KeyboardInterrupt).  `asked` is stolen.
   Imports the package, so call this once for each callable, and not for plain ones.  Needs the GIL or
   an attached thread state, and no pending exception but that of `asked`. */
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
