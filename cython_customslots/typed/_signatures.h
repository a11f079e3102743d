/* SPDX-License-Identifier: MIT
 *
 * _signatures.h - the signatures that _typed has compiled code for, as lists for the macros of
 * _thunks.h and _loops.h.  X(result, arguments...) in the words of the signatures' texts.
 *
 * A C function can be called with the types only that the caller was compiled with, so what
 * is not listed here is called through ctypes, or refused.
 */
#ifndef CYTHON_CUSTOMSLOTS_TYPED_SIGNATURES_H
#define CYTHON_CUSTOMSLOTS_TYPED_SIGNATURES_H

/* The word is pasted to others; a macro of <stdbool.h> would be _Bool by then. */
#undef bool

/* Each numeric type by itself; f16 and c32 are long double, which may be f8 and c16. */
#if LDBL_MANT_DIG != DBL_MANT_DIG
#  define COMMON_LONG_1(X) X(f16, f16) X(c32, c32) X(bool, f16) X(i4, f16)
#  define COMMON_LONG_2(X) X(f16, f16, f16) X(c32, c32, c32) X(bool, f16, f16)
#  define COMMON_LONG_3(X) X(f16, f16, f16, f16)
#else
#  define COMMON_LONG_1(X)
#  define COMMON_LONG_2(X)
#  define COMMON_LONG_3(X)
#endif

#define COMMON_1(X)                                                                      \
    X(f8, f8) X(f4, f4) X(c8, c8) X(c16, c16)                                            \
    X(i1, i1) X(i2, i2) X(i4, i4) X(i8, i8) X(u1, u1) X(u2, u2) X(u4, u4) X(u8, u8)      \
    X(bool, bool) X(bool, f8) X(bool, f4) X(bool, c16) X(bool, i4) X(bool, i8)           \
    X(i4, f8) X(i4, f4) X(i4, i8) X(i4, c16) X(i4, u4) X(i4, u8) X(i4, bool)             \
    X(i8, f8) X(i8, f4) X(i8, i4) X(f8, f4) X(f4, f8) X(f8, i4) X(f8, i8) X(f8, u4)      \
    X(f8, u8) X(f4, i4) X(f4, i8) X(f8, c16) X(f4, c8) X(c16, f8) X(c8, f4)              \
    COMMON_LONG_1(X)

#define COMMON_2(X)                                                                      \
    X(f8, f8, f8) X(f4, f4, f4) X(c8, c8, c8) X(c16, c16, c16)                           \
    X(i1, i1, i1) X(i2, i2, i2) X(i4, i4, i4) X(i8, i8, i8)                              \
    X(u1, u1, u1) X(u2, u2, u2) X(u4, u4, u4) X(u8, u8, u8) X(bool, bool, bool)          \
    X(bool, f8, f8) X(bool, f4, f4) X(bool, i4, i4) X(bool, i8, i8) X(bool, c16, c16)    \
    X(i4, f8, f8) X(i4, f4, f4) X(i4, i8, i8) X(i8, f8, f8) X(f8, f8, i4) X(f8, f8, i8)  \
    X(f8, i4, f8) X(f8, i8, f8) X(f8, i4, i4) X(f8, i8, i8) X(f4, f4, i4) X(f4, i4, f4)  \
    X(f4, f4, i8) X(f4, i8, f4) X(c16, f8, c16) X(c16, c16, f8) X(c16, i4, c16)          \
    X(c16, i8, c16) X(c16, c16, i4) X(c16, c16, i8) X(i8, i8, f8) X(i8, f8, i8)          \
    COMMON_LONG_2(X)

#define COMMON_3(X)                                                                      \
    X(f8, f8, f8, f8) X(f4, f4, f4, f4) X(c8, c8, c8, c8) X(c16, c16, c16, c16)          \
    X(i4, i4, i4, i4) X(i8, i8, i8, i8) X(u8, u8, u8, u8) X(bool, f8, f8, f8)            \
    X(i4, f8, f8, f8) X(f8, i4, f8, f8) X(f8, f8, i4, f8) X(f8, f8, f8, i4)              \
    X(f8, i8, f8, f8) X(f8, f8, i8, f8) X(f8, f8, f8, i8) X(f8, i4, i4, f8)              \
    X(f8, i8, i8, f8) X(f8, i4, i4, i4) X(f8, i8, i8, i8) X(c16, f8, f8, c16)            \
    X(c16, i8, f8, c16) X(c16, i4, f8, c16)                                              \
    COMMON_LONG_3(X)

#define COMMON_4(X)                                                                      \
    X(f8, f8, f8, f8, f8) X(f4, f4, f4, f4, f4) X(c16, c16, c16, c16, c16)               \
    X(i8, i8, i8, i8, i8) X(f8, i8, f8, f8, f8) X(f8, i4, f8, f8, f8)                    \
    X(c16, f8, f8, f8, c16) X(c16, i8, f8, f8, c16)

#define COMMON_5(X) X(f8, f8, f8, f8, f8, f8) X(f4, f4, f4, f4, f4, f4)
#define COMMON_6(X) X(f8, f8, f8, f8, f8, f8, f8)

/* Callbacks, with pointers: those that SciPy knows, and their like. */
#define CALLBACKS_2(X) X(f8, i4, pointer) X(f8, f8, pointer) X(i4, f8, pointer)
#define CALLBACKS_3(X) X(i4, pointer, Py_ssize_t, pointer)
#define CALLBACKS_4(X)                                                                   \
    X(i4, pointer, Py_ssize_t, pointer, Py_ssize_t) X(i4, pointer, pointer, i4, i4)

#define T(word) _Pycs_T(word)
#define C(word) _Pycs_C(word)

#endif /* CYTHON_CUSTOMSLOTS_TYPED_SIGNATURES_H */
