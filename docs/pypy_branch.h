/* SPDX-License-Identifier: MIT
 *
 * pypy_branch.h - what PyPy's branch for typed functions reads, from the lines that
 * typedmethod.h knows.  An appendix: see pypy-branch.md.  Include it behind typedmethod.h.
 */
#ifndef PYPY_BRANCH_H
#define PYPY_BRANCH_H

/* [metadata.begin] */
/* The branch follows ml_name backwards to this, if ml_flags has METH_TYPED. */
#define METH_TYPED  0x1000
#define T_C_LONG    1
#define T_C_DOUBLE  2
#define T_PY_OBJECT 3

typedef struct {
    int       *arg_types;       /* -1 behind the last */
    int        ret_type;        /* negative: it may raise, and -1, 0.0 or NULL means that it did */
    void      *underlying_func;
    const char ml_name[100];
} PyPyTypedMethodMetadata;
/* [metadata.end] */

/* [macros.begin] */
/* Its code for a type, 0: it has none; behind the last type -1. */
#define PYPY_TYPE(signature, place)                                                      \
    (_Pycs_CODE_AT(signature, place) == 0 ? -1                                           \
     : _Pycs_CODE_AT(signature, place) == PyTypedMethod_TYPE_INT(long)                   \
       ? T_C_LONG                                                                        \
     : _Pycs_CODE_AT(signature, place) == PyTypedMethod_F8 ? T_C_DOUBLE                  \
     : _Pycs_CODE_AT(signature, place) == PyTypedMethod_OBJECT ? T_PY_OBJECT : 0)
#define PYPY_KNOWS_3(signature, i)                                                       \
    (PYPY_TYPE(signature, i) != 0 && PYPY_TYPE(signature, i + 1) != 0                    \
     && PYPY_TYPE(signature, i + 2) != 0)
#define PYPY_METH(signature, flags)                                                      \
    (PYPY_KNOWS_3(signature, 0) && PYPY_KNOWS_3(signature, 3)                            \
     && PYPY_KNOWS_3(signature, 6) && PYPY_KNOWS_3(signature, 9)                         \
     && !((flags) & (PyTypedMethod_CTX | PyTypedMethod_SELF)) ? METH_TYPED : 0)

/* PyTypedMethod_FUNCTION(), and the metadata beside the record. */
#define PYPY_FUNCTION(name, function, flags, error, text)                                \
    PyTypedMethod_FUNCTION(name, function, flags, error, text);                          \
    PYPY_METADATA(name, function, flags, PyTypedMethod_SIGNATURE(text))
#define PYPY_METADATA(name, function, flags, signature)                                  \
    static int name##_pypy_types[] = {                                                   \
        PYPY_TYPE(signature, 1), PYPY_TYPE(signature, 2), PYPY_TYPE(signature, 3),       \
        PYPY_TYPE(signature, 4), PYPY_TYPE(signature, 5), PYPY_TYPE(signature, 6),       \
        PYPY_TYPE(signature, 7), PYPY_TYPE(signature, 8), PYPY_TYPE(signature, 9),       \
        PYPY_TYPE(signature, 10), PYPY_TYPE(signature, 11), -1};                         \
    static PyPyTypedMethodMetadata name##_pypy = {                                       \
        name##_pypy_types,                                                               \
        ((flags) & PyTypedMethod_RAISES) ? -PYPY_TYPE(signature, 0)                      \
                                         : PYPY_TYPE(signature, 0),                      \
        (void *)(uintptr_t)(function), #name};                                           \
    enum { name##_pypy_meth = PYPY_METH(signature, flags) }

/* A row of the PyMethodDefs. */
#define PYPY_ROW(name, meth, flags, doc)                                                 \
    {name##_pypy.ml_name, meth, flags | name##_pypy_meth, doc}
/* [macros.end] */

#endif /* PYPY_BRANCH_H */
