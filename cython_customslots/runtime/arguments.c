/* SPDX-License-Identifier: MIT
 *
 * runtime/arguments.c - are a client's arguments what they are said to be?
 */
#include "runtime/arguments.h"
#include "runtime/state.h"

_Pycs_PRIVATE int
_Pycs_Deny(PyObject *error, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    (void)PyErr_FormatV(error, format, values);
    va_end(values);
    return -1;
}

/* Sets a TypeError that says why this is no class.  Always returns -1. */
static int
_Pycs_RefuseClass(const char *function, PyTypeObject *type)
{
    PyTypeObject *metaclass = type != NULL ? Py_TYPE((PyObject *)type) : NULL;
    if (type == NULL) return _Pycs_Deny(PyExc_TypeError, "%s: found NULL, expected a class", function);
    if (metaclass == NULL) {
        return _Pycs_Deny(PyExc_TypeError, "%s: found a type that is not ready, expected a class; call "
                          "PyType_Ready() for it before", function);
    }
    return _Pycs_Deny(PyExc_TypeError, "%s: found an object of type '%.200s', expected a class", function,
                      metaclass->tp_name);
}

_Pycs_PRIVATE int
_Pycs_CheckClass(const char *function, PyTypeObject *type)
{
    if (type != NULL && Py_TYPE((PyObject *)type) != NULL && PyType_Check((PyObject *)type)) return 0;
    return _Pycs_RefuseClass(function, type);
}

_Pycs_PRIVATE int
_Pycs_CheckReady(const char *function, PyTypeObject *type)
{
    if (_Pycs_CheckClass(function, type) < 0) return -1;
    if (PyType_GetFlags(type) & Py_TPFLAGS_READY) return 0;
    return _Pycs_Deny(PyExc_TypeError, "%s: found a type ('%.200s') that is not ready, expected a class; call "
                      "PyType_Ready() for it before", function, type->tp_name != NULL ? type->tp_name : "NULL");
}

_Pycs_PRIVATE int
_Pycs_CheckTypeObject(const char *function, PyTypeObject *type)
{
    /* The metaclass may be a static type that is not ready itself: then PyType_Check() does not
       know that it is one. */
    if (type != NULL && (Py_TYPE((PyObject *)type) == NULL
                         || PyType_IsSubtype(Py_TYPE((PyObject *)type), &PyType_Type))) return 0;
    return _Pycs_RefuseClass(function, type);
}

_Pycs_PRIVATE int
_Pycs_CheckNamed(const char *function, PyTypeObject *type)
{
    if (_Pycs_CheckTypeObject(function, type) < 0) return -1;
    if (type->tp_name != NULL) return 0;
    return _Pycs_Deny(PyExc_ValueError, "%s: found NULL as tp_name, expected 'module.name' of the "
                      "type; write the members of the PyTypeObject first", function);
}

_Pycs_PRIVATE int
_Pycs_CheckUnready(const char *function, PyTypeObject *type)
{
    if (_Pycs_CheckNamed(function, type) < 0) return -1;
    if (!(type->tp_flags & (Py_TPFLAGS_READY | Py_TPFLAGS_HEAPTYPE))) return 0;
    return _Pycs_Deny(PyExc_ValueError, "%s(%.200s): found a type that is %s, expected a static type "
                      "object that PyType_Ready() has not seen", function, type->tp_name,
                      type->tp_flags & Py_TPFLAGS_HEAPTYPE ? "on the heap" : "ready already");
}

_Pycs_PRIVATE int
_Pycs_CheckMetaclass(_Pycs_API *api, const char *function, PyTypeObject *metaclass)
{
    PyTypeObject *its = metaclass != NULL ? Py_TYPE((PyObject *)metaclass) : NULL;
    const _Pycs_API *owner;
    if (its == NULL || !PyType_Check((PyObject *)metaclass)) {
        return _Pycs_Deny(PyExc_TypeError, "%s: found %s%.200s%s as the metaclass, expected a class that derives from "
                          "%.200s", function, metaclass == NULL ? "NULL" : its == NULL ? "a type that is not ready"
                          : "an object of type '", its != NULL ? its->tp_name : "", its != NULL ? "'" : "",
                          api->metaclass->tp_name);
    }
    if (_Pycs_CheckReady(function, metaclass) < 0) return -1;
    if (PyType_IsSubtype(metaclass, api->metaclass)) return 0;
    owner = _Pycs_APIOf(metaclass);
    if (owner != NULL) return _Pycs_RefuseForeign(owner, PyExc_TypeError, "the metaclass", metaclass);
    return _Pycs_Deny(PyExc_TypeError, "%s: found metaclass '%.200s', expected one that derives from %.200s", function,
                      metaclass->tp_name, api->metaclass->tp_name);
}

_Pycs_PRIVATE int
_Pycs_CheckBases(const char *function, const char *name, PyTypeObject *base, PyObject *bases)
{
    const char *before = name != NULL ? "('" : "", *after = name != NULL ? "')" : "";
    Py_ssize_t i, n;

    if (name == NULL) name = "";
    if (bases != NULL && !PyTuple_Check(bases)) {
        return _Pycs_Deny(PyExc_TypeError, "%s%s%.200s%s: found an object of type '%.200s' as the bases, expected a "
                          "tuple of classes, or NULL", function, before, name, after, Py_TYPE(bases)->tp_name);
    }
    n = bases != NULL ? PyTuple_GET_SIZE(bases) : 0;
    for (i = base != NULL ? -1 : 0; i < n; i++) {       /* -1: `base` */
        PyObject *item = i < 0 ? (PyObject *)base : PyTuple_GET_ITEM(bases, i);
        const int is_ready = item != NULL && Py_TYPE(item) != NULL;
        if (is_ready && PyType_Check(item)) continue;
        if (is_ready) {
            return _Pycs_Deny(PyExc_TypeError, "%s%s%.200s%s: found an object of type '%.200s' as base %zd, expected a "
                              "class; types.resolve_bases() makes classes of what has __mro_entries__",
                              function, before, name, after, Py_TYPE(item)->tp_name, i < 0 ? 0 : i);
        }
        return _Pycs_Deny(PyExc_TypeError, "%s%s%.200s%s: found %s as base %zd, expected a class%s",
                          function, before, name, after, item == NULL ? "NULL" : "a type that is not ready",
                          i < 0 ? 0 : i, item == NULL ? "" : "; call PyType_Ready() for it before");
    }
    return 0;
}

_Pycs_PRIVATE int
_Pycs_RefuseForeign(const _Pycs_API *owner, PyObject *error, const char *what, const PyTypeObject *type)
{
    return _Pycs_Deny(error, "%s '%.200s' belongs to interpreter %zu, but this is interpreter %zu: a static type, its "
                      "metaclass and what derives from it are those of the first interpreter of the process that "
                      "imports their module, even after its end; import the module in one interpreter only, or make "
                      "its types heap types", what, type->tp_name, (size_t)owner->state->interpreter,
                      (size_t)_Pycs_ThisInterpreter());
}
