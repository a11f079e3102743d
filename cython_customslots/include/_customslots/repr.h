/* SPDX-License-Identifier: MIT
 *
 * _customslots/repr.h - the repr() of any object, for a message, and exceptions as objects.
 * Included by customslots.h; not for direct use.
 *
 * A message says what was found, and what was found may be anything: an integer whose
 * decimal digits CPython refuses to write, a list of a million items, an object whose
 * __repr__ raises.  Formatted with %R, it would replace the intended exception by its own,
 * or take seconds.
 */

#define _Pycs_LONGEST_REPR 200        /* characters, digits or items that a message bears */

#ifdef Py_LIMITED_API
#  define _Pycs_LENGTH(text) PyUnicode_GetLength(text)
#else
#  define _Pycs_LENGTH(text) PyUnicode_GET_LENGTH(text)
#endif

/* Is the pending exception an error that a message may replace?  MemoryError is not, nor is an
   exception that is meant for the whole program (KeyboardInterrupt). */
_Pycs_UNUSED static int
_Pycs_IsReplaceable(void)
{
    return PyErr_ExceptionMatches(PyExc_Exception) && !PyErr_ExceptionMatches(PyExc_MemoryError);
}

/* Its type and address, which every object has: object.__repr__() runs no other code. */
_Pycs_UNUSED static PyObject *
_Pycs_PlainRepr(PyObject *object)
{
#if defined(Py_LIMITED_API) || defined(PYPY_VERSION)
    return PyObject_CallMethod((PyObject *)&PyBaseObject_Type, "__repr__", "(O)", object);
#else
    return PyBaseObject_Type.tp_repr(object);
#endif
}

/* What repr() says of `object`, cut off where it is too long for a message; its type, where
   repr() raises.  A new str; NULL with MemoryError, or with an exception that is no error
   (KeyboardInterrupt).  Runs any code.  Needs the GIL or an attached thread state, and no
   pending exception. */
_Pycs_SLOW PyObject *
_Pycs_Repr(PyObject *object)
{
    /* How many items its repr would write out, where that is known.  (Without the functions of each type, which
       every module would import for this alone.) */
    const Py_ssize_t length = PyBytes_Check(object) || PyTuple_Check(object) || PyList_Check(object)
        ? Py_SIZE(object) : PyDict_Check(object) ? PyDict_Size(object) : 0;
    PyObject *whole = NULL, *result = NULL;

    if (length > _Pycs_LONGEST_REPR) {
        if ((whole = _Pycs_PlainRepr(object)) != NULL) {
            result = PyUnicode_FromFormat("%U of length %zd", whole, length);
        }
        goto done;
    }
    /* An integer with more digits than a message bears: in hexadecimal, which takes time in proportion to its
       length. */
    if (PyLong_Check(object)) whole = PyNumber_ToBase(object, 16);
    if (whole != NULL && _Pycs_LENGTH(whole) <= _Pycs_LONGEST_REPR) Py_CLEAR(whole);
    if (whole == NULL && !PyErr_Occurred()) whole = PyObject_Repr(object);
    if (whole == NULL) {
        if (!_Pycs_IsReplaceable()) goto done;
        PyErr_Clear();
        if (!(whole = _Pycs_PlainRepr(object))) goto done;
    }
    result = PyUnicode_FromFormat("%.200U%s", whole, _Pycs_LENGTH(whole) > _Pycs_LONGEST_REPR ? "..." : "");
done:
    Py_XDECREF(whole);
    return result;
}

/* The exception that is set, taken away, as an object; NULL: none. */
_Pycs_SLOW PyObject *
_Pycs_TakeRaised(void)
{
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    if (type == NULL) return NULL;
    PyErr_NormalizeException(&type, &value, &traceback);
    if (traceback != NULL) (void)PyException_SetTraceback(value, traceback);
    Py_DECREF(type);
    Py_XDECREF(traceback);
    return value;
}

/* Sets it again; stolen. */
_Pycs_SLOW void
_Pycs_RaiseAgain(PyObject *error)
{
    PyObject *type = (PyObject *)Py_TYPE(error);
    Py_INCREF(type);
    PyErr_Restore(type, error, PyException_GetTraceback(error));
}
