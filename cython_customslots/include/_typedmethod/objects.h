/* SPDX-License-Identifier: MIT
 *
 * _typedmethod/objects.h - where CPython's functions keep what leads to a record, and the few calls of Python that the
 * limited API has in another form.  Included by typedmethod.h; not for direct use.
 *
 * On a CPython whose layouts are not known (_customslots/layouts.h) nothing is found behind a function: then Python
 * calls it.
 */

/* What a memoryview's managed buffer has behind the head. */
typedef struct {
    int        flags;           /* 1: released */
    Py_ssize_t exports;
} _Pycs_ManagedBuffer;

#ifndef Py_LIMITED_API
#  define _Pycs_BUFFER_OF(view)   ((PyObject *)((PyMemoryViewObject *)(view))->mbuf)
#  define _Pycs_METHOD_TYPE       (&PyMethod_Type)
#  define _Pycs_FUNCTION_TYPE     (&PyFunction_Type)
#  define _Pycs_IS_CMETHOD(type)  ((type) == &PyCMethod_Type)
#  define _Pycs_M_ML(object)      (((PyCFunctionObject *)(object))->m_ml)
#  define _Pycs_M_SELF(object)    (((PyCFunctionObject *)(object))->m_self)
#  define _Pycs_D_METHOD(object)  (((PyMethodDescrObject *)(object))->d_method)
#  define _Pycs_IM_FUNC(object)   PyMethod_GET_FUNCTION(object)
#  define _Pycs_IM_SELF(object)   PyMethod_GET_SELF(object)
#  define _Pycs_TP_CALL(type)     _Pycs_LOAD(ternaryfunc, &(type)->tp_call)
#else
/* Types that the stable ABI does not name: those of bound methods and of Python functions. */
static PyTypeObject *_Pycs_known_types[2];

_Pycs_SLOW PyTypeObject *
_Pycs_ReadType(int i)
{
    PyObject *kind, *value, *traceback, *types, *found;
    PyErr_Fetch(&kind, &value, &traceback);
    types = PyImport_ImportModule("types");
    found = types != NULL ? PyObject_GetAttrString(types, i == 0 ? "MethodType" : "FunctionType") : NULL;
    if (found != NULL) _Pycs_STORE(PyTypeObject *, &_Pycs_known_types[i], (PyTypeObject *)found);
    Py_XDECREF(types);                  /* the reference to the type is kept */
    PyErr_Restore(kind, value, traceback);
    return (PyTypeObject *)found;
}

_Pycs_FAST PyTypeObject *
_Pycs_KnownType(int i)
{
    PyTypeObject *known = _Pycs_LOAD(PyTypeObject *, &_Pycs_known_types[i]);
    return _Pycs_LIKELY(known != NULL) ? known : _Pycs_ReadType(i);
}

/* A pointer behind the head; NULL: its place is not known. */
_Pycs_FAST void *
_Pycs_Behind(PyObject *object, int number)
{
    const Py_ssize_t head = _Pycs_Head();
    return head > 0 ? *(void **)_Pycs_Word(object, head, number) : NULL;
}
#  define _Pycs_BUFFER_OF(view)   ((PyObject *)_Pycs_Behind((view), 1))         /* the first is ob_size */
#  define _Pycs_METHOD_TYPE       (_Pycs_Head() > 0 ? _Pycs_KnownType(0) : NULL)
#  define _Pycs_FUNCTION_TYPE     _Pycs_KnownType(1)
#  define _Pycs_IS_CMETHOD(type)  /* (both are final) */ \
     (_Pycs_BASE((PyTypeObject *)(uintptr_t)(type)) == &PyCFunction_Type)
#  define _Pycs_M_ML(object)      ((PyMethodDef *)_Pycs_Behind((object), 0))
#  define _Pycs_M_SELF(object)    ((PyObject *)_Pycs_Behind((object), 1))
#  define _Pycs_D_METHOD(object)  ((PyMethodDef *)_Pycs_Behind((object), 3))
#  define _Pycs_IM_FUNC(object)   ((PyObject *)_Pycs_Behind((object), 0))
#  define _Pycs_IM_SELF(object)   ((PyObject *)_Pycs_Behind((object), 1))
#  define _Pycs_TP_CALL(type)     PyType_GetSlot((type), Py_tp_call)
#endif

/* The managed buffer of a memoryview, and in *object the object that has it; NULL: not known. */
_Pycs_UNUSED static inline _Pycs_ManagedBuffer *
_Pycs_ManagedBufferOf(PyObject *view, PyObject **object)
{
#if _Pycs_SUPPORTED
    *object = _Pycs_BUFFER_OF(view);
    return *object == NULL ? NULL : (_Pycs_ManagedBuffer *)(uintptr_t)_Pycs_BEHIND_HEAD(*object);
#else
    (void)view;
    *object = NULL;
    return NULL;
#endif
}

/* Can this module ask for the GIL in this interpreter?  0, or -1 with RuntimeError: before CPython 3.12 the limited API
   does not say which thread has it, and PyGILState_Ensure() would wait for ever in a sub-interpreter. */
_Pycs_UNUSED static int
_Pycs_CheckGil(const char *what)
{
#ifdef Py_LIMITED_API
    if (Py_Version < 0x030C0000 && PyInterpreterState_GetID(PyInterpreterState_Get()) != 0) {
        PyErr_Format(PyExc_RuntimeError, "%s: found a sub-interpreter of a CPython before 3.12, expected the main "
                     "interpreter, because this module was built for the limited API; build it without Py_LIMITED_API",
                     what);
        return -1;
    }
#else
    (void)what;
#endif
    return 0;
}

/* The parts of what Python calls a complex number, as PyComplex_AsCComplex() finds them; 0, or -1 with an exception. */
_Pycs_UNUSED static int
_Pycs_ComplexOf(PyObject *object, double *real, double *imag)
{
#ifndef Py_LIMITED_API
    const Py_complex number = PyComplex_AsCComplex(object);
    *real = number.real;
    *imag = number.imag;
    return number.real == -1.0 && PyErr_Occurred() ? -1 : 0;
#else
    /* (PyComplex_RealAsDouble() does not ask __complex__() before 3.13.) */
    PyObject *method = PyComplex_Check(object)
                       ? NULL : PyObject_GetAttrString((PyObject *)_Pycs_OB_TYPE(object), "__complex__"), *made = NULL;
    if (method != NULL) {
        made = PyObject_CallFunctionObjArgs(method, object, NULL);
        Py_DECREF(method);
        if (made == NULL) return -1;
        object = made;
        if (!PyComplex_Check(made)) {
            PyErr_Format(PyExc_TypeError, "__complex__ returned non-complex (type %.200s)",
                         _Pycs_TP_NAME(_Pycs_OB_TYPE(made)));
        }
    }
    else PyErr_Clear();
    *real = *imag = 0;
    if (!PyErr_Occurred()) *real = PyComplex_RealAsDouble(object);
    if (!PyErr_Occurred()) *imag = PyComplex_ImagAsDouble(object);
    Py_XDECREF(made);
    return PyErr_Occurred() ? -1 : 0;
#endif
}

/* Calls a callable with an array of arguments, in front of which there is room for one more. */
_Pycs_UNUSED static inline PyObject *
_Pycs_CallArray(PyObject *callable, PyObject **arguments, int count)
{
#if defined(Py_LIMITED_API) && Py_LIMITED_API + 0 < 0x030C0000
    PyObject *result, *all = PyTuple_New(count);
    int i;
    if (all == NULL) return NULL;
    for (i = 0; i < count; i++) {
        Py_INCREF(arguments[i]);
        (void)PyTuple_SetItem(all, i, arguments[i]);
    }
    result = PyObject_Call(callable, all, NULL);
    Py_DECREF(all);
    return result;
#else
    return PyObject_Vectorcall(callable, arguments, (size_t)count | PY_VECTORCALL_ARGUMENTS_OFFSET, NULL);
#endif
}
