/* SPDX-License-Identifier: MIT
 *
 * _typedmethod/provide.h - records in modules that are written by hand: a line a function.
 * Included by typedmethod.h; not for direct use.
 */
#ifndef Py_TYPEDMETHOD_PROVIDE_H
#define Py_TYPEDMETHOD_PROVIDE_H

#ifdef __cplusplus
extern "C" {
#endif

/* PyPy's branch for typed functions reads what is laid out like this before the text that
   ml_name points to, if ml_flags has METH_TYPED.  CPython has no such flag, and would make
   calls slower for it. */
#if defined(PYPY_VERSION)
#  ifndef METH_TYPED
#    define METH_TYPED 0x1000
#    define T_C_LONG    1
#    define T_C_DOUBLE  2
#    define T_PY_OBJECT 3
typedef struct {
    int       *arg_types;       /* -1 behind the last */
    int        ret_type;        /* negative: it may raise */
    void      *underlying_func;
    const char ml_name[100];
} PyPyTypedMethodMetadata;
#  endif

/* Its code for a type, 0: it has none; behind the last type -1. */
#  define _PyTypedMethod_PYPY_TYPE(signature, place)                                     \
    (_PyTypedMethod_CODE_AT(signature, place) == 0 ? -1                                  \
     : _PyTypedMethod_CODE_AT(signature, place) == PyTypedMethod_TYPE_INT(long)          \
       ? T_C_LONG                                                                        \
     : _PyTypedMethod_CODE_AT(signature, place) == PyTypedMethod_F8 ? T_C_DOUBLE         \
     : _PyTypedMethod_CODE_AT(signature, place) == PyTypedMethod_OBJECT ? T_PY_OBJECT : 0)
#  define _PyTypedMethod_PYPY_KNOWS(signature, place)                                    \
    (_PyTypedMethod_PYPY_TYPE(signature, place) != 0)
#  define _PyTypedMethod_PYPY_METH(signature, flags)                                     \
    (_PyTypedMethod_PYPY_KNOWS(signature, 0) && _PyTypedMethod_PYPY_KNOWS(signature, 1)  \
     && _PyTypedMethod_PYPY_KNOWS(signature, 2) && _PyTypedMethod_PYPY_KNOWS(signature, 3) \
     && _PyTypedMethod_PYPY_KNOWS(signature, 4) && _PyTypedMethod_PYPY_KNOWS(signature, 5) \
     && _PyTypedMethod_PYPY_KNOWS(signature, 6) && _PyTypedMethod_PYPY_KNOWS(signature, 7) \
     && _PyTypedMethod_PYPY_KNOWS(signature, 8) && _PyTypedMethod_PYPY_KNOWS(signature, 9) \
     && _PyTypedMethod_PYPY_KNOWS(signature, 10)                                         \
     && _PyTypedMethod_PYPY_KNOWS(signature, 11)                                         \
     && !((flags) & (PyTypedMethod_CTX | PyTypedMethod_SELF)) ? METH_TYPED : 0)
#  define _PyTypedMethod_PYPY(name, function, flags, signature)                          \
    static int name##_typed_types[] = {                                                  \
        _PyTypedMethod_PYPY_TYPE(signature, 1), _PyTypedMethod_PYPY_TYPE(signature, 2),  \
        _PyTypedMethod_PYPY_TYPE(signature, 3), _PyTypedMethod_PYPY_TYPE(signature, 4),  \
        _PyTypedMethod_PYPY_TYPE(signature, 5), _PyTypedMethod_PYPY_TYPE(signature, 6),  \
        _PyTypedMethod_PYPY_TYPE(signature, 7), _PyTypedMethod_PYPY_TYPE(signature, 8),  \
        _PyTypedMethod_PYPY_TYPE(signature, 9), _PyTypedMethod_PYPY_TYPE(signature, 10), \
        _PyTypedMethod_PYPY_TYPE(signature, 11), -1};                                    \
    static PyPyTypedMethodMetadata name##_typed_pypy = {                                 \
        name##_typed_types,                                                              \
        ((flags) & PyTypedMethod_RAISES) ? -_PyTypedMethod_PYPY_TYPE(signature, 0)       \
                                         : _PyTypedMethod_PYPY_TYPE(signature, 0),       \
        (void *)(uintptr_t)(function), #name};                                           \
    enum { name##_typed_meth = _PyTypedMethod_PYPY_METH(signature, flags) };
#  define PyTypedMethod_NAME(name) (name##_typed_pypy.ml_name)
#  define PyTypedMethod_METH(name) name##_typed_meth
#else
#  ifndef METH_TYPED
#    define METH_TYPED 0
#  endif
#  define _PyTypedMethod_PYPY(name, function, flags, signature)
#  define PyTypedMethod_NAME(name) #name
#  define PyTypedMethod_METH(name) METH_TYPED
#endif

/* Says at file level, with a semicolon, that the Python function `name` has this C
   function behind it: the record is called name_typed.

       PyTypedMethod_FUNCTION(inc, inc_impl, PyTypedMethod_RAISES_MAYBE, -1, long(long));

   In the PyMethodDef, for PyPy, its name and flags (on CPython "inc" and 0):
       {PyTypedMethod_NAME(inc), inc, METH_O | PyTypedMethod_METH(inc), "doc"}, */
#define PyTypedMethod_FUNCTION(name, function, flags, error, text)                       \
    _PyTypedMethod_PYPY(name, function, flags, PyTypedMethod_SIGNATURE(text))            \
    PyTypedMethod_RECORD(name##_typed, #name,                                            \
                         PyTypedMethod_ENTRY(function, flags, error, text))

/* Registers records for the methods of the same names, of a module or a type: call it when
   the module is executed.  `methods` ends with a NULL name.  0, or -1 with ValueError (no
   method of that name) or what PyTypedMethod_RegisterMany() raises; then nothing is
   registered. */
_PyCustomSlots_UNUSED static int
PyTypedMethod_RegisterMethods(PyMethodDef *methods, const PyTypedMethodRecord *const *records,
                              Py_ssize_t count)
{
    PyTypedMethod_Pair *pairs;
    Py_ssize_t i;
    int result = -1;

    if (count <= 0) return 0;
    pairs = (PyTypedMethod_Pair *)calloc((size_t)count, sizeof(*pairs));
    if (pairs == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    for (i = 0; i < count; i++) {
        const char *name = records[i] != NULL ? records[i]->name : NULL;
        PyMethodDef *def = methods;
        while (name != NULL && def->ml_name != NULL && strcmp(def->ml_name, name) != 0) def++;
        if (name == NULL || def->ml_name == NULL) {
            PyErr_Format(PyExc_ValueError, "PyTypedMethod_RegisterMethods: found the record "
                         "of '%.100s', expected one of a method in this PyMethodDef array",
                         name != NULL ? name : "NULL");
            goto done;
        }
        pairs[i].def = def;
        pairs[i].record = records[i];
    }
    result = PyTypedMethod_RegisterMany(pairs, count);
done:
    free(pairs);
    return result;
}

#ifdef __cplusplus
}
#endif

#endif /* Py_TYPEDMETHOD_PROVIDE_H */
