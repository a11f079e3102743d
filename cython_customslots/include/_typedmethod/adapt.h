/* SPDX-License-Identifier: MIT
 *
 * _typedmethod/adapt.h - callables of other libraries, if there is somebody to ask.
 * Included by typedmethod.h; not for direct use.
 */
#ifndef Py_TYPEDMETHOD_ADAPT_H
#define Py_TYPEDMETHOD_ADAPT_H

#ifdef __cplusplus
extern "C" {
#endif

#if _PyCustomSlots_SUPPORTED

/* Can nobody say more about it?  What Python code calls all the time. */
_PyCustomSlots_UNUSED static int
_PyTypedMethod_IsPlain(PyObject *callable)
{
    PyTypeObject *type = Py_TYPE(callable);
    if (type == &PyCFunction_Type) {
        /* cffi's functions are builtins whose self is the library. */
        PyObject *self = ((PyCFunctionObject *)callable)->m_self;
        return self == NULL || PyModule_Check(self);
    }
    return type == &PyFunction_Type || type == &PyMethod_Type || type == &PyType_Type
           || type == &PyMethodDescr_Type;
}

/* What cython_customslots.typed.adapt() finds in a ctypes or cffi function, a numba cfunc, a
   SciPy LowLevelCallable or a capsule: a new reference to an object with a native-call slot,
   which keeps `callable`.  NULL without an exception if it finds nothing, or if that package
   is not installed; with one that is no error of it (KeyboardInterrupt).  Imports it, so
   that is asked once for each callable.  Needs the GIL or an attached thread state, and no
   pending exception. */
_PyCustomSlots_UNUSED static PyObject *
_PyTypedMethod_Adapt(PyObject *callable)
{
    static int is_absent = 0;
    PyObject *module, *adapted = NULL;
    if (_PyTypedMethod_IsPlain(callable) || _PyCustomSlots_LOAD(int, &is_absent)) return NULL;
    module = PyImport_ImportModule("cython_customslots.typed");
    if (module == NULL) {
        if (PyErr_ExceptionMatches(PyExc_ModuleNotFoundError)) {
            _PyCustomSlots_STORE(int, &is_absent, 1);
        }
    }
    else {
        adapted = PyObject_CallMethod(module, "adapt", "O", callable);
        Py_DECREF(module);
    }
    if (adapted == NULL && PyErr_ExceptionMatches(PyExc_Exception)) PyErr_Clear();
    if (adapted == Py_None) Py_CLEAR(adapted);
    return adapted;
}

#else

_PyCustomSlots_UNUSED static PyObject *
_PyTypedMethod_Adapt(PyObject *callable)
{
    (void)callable;
    return NULL;
}

#endif

#ifdef __cplusplus
}
#endif

#endif /* Py_TYPEDMETHOD_ADAPT_H */
