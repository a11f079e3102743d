/* SPDX-License-Identifier: MIT
 *
 * _signatures.h - the signatures that _typed has compiled code for, as lists for the macros of
 * _thunks.h and _loops.h.  X(result, arguments...) in the words of the signatures' texts.
 *
 * A C function can be called only with the types that the caller was compiled with, so functions
 * with other signatures are called through ctypes, or refused.
 */
#ifndef CYTHON_CUSTOMSLOTS_TYPED_SIGNATURES_H
#define CYTHON_CUSTOMSLOTS_TYPED_SIGNATURES_H

/* The word is pasted to others; a macro of <stdbool.h> would be _Bool by then. */
#undef bool

/* Each numeric type by itself; f16 and c32 are long double, which may be f8 and c16. */
#if LDBL_MANT_DIG != DBL_MANT_DIG
#  define COMMON_LONG(X)                                                                 \
    X(f16, f16) X(c32, c32) X(bool, f16) X(i4, f16) X(f16, f16, f16) X(c32, c32, c32)    \
    X(bool, f16, f16) X(f16, f16, f16, f16)
#else
#  define COMMON_LONG(X)
#endif

#define COMMON(X)                                                                        \
    X(f8, f8) X(f4, f4) X(c8, c8) X(c16, c16)                                            \
    X(i1, i1) X(i2, i2) X(i4, i4) X(i8, i8) X(u1, u1) X(u2, u2) X(u4, u4) X(u8, u8)      \
    X(bool, bool) X(bool, f8) X(bool, f4) X(bool, c16) X(bool, i4) X(bool, i8)           \
    X(i4, f8) X(i4, f4) X(i4, i8) X(i4, c16) X(i4, u4) X(i4, u8) X(i4, bool)             \
    X(i8, f8) X(i8, f4) X(i8, i4) X(f8, f4) X(f4, f8) X(f8, i4) X(f8, i8) X(f8, u4)      \
    X(f8, u8) X(f4, i4) X(f4, i8) X(f8, c16) X(f4, c8) X(c16, f8) X(c8, f4)              \
                                                                                         \
    X(f8, f8, f8) X(f4, f4, f4) X(c8, c8, c8) X(c16, c16, c16)                           \
    X(i1, i1, i1) X(i2, i2, i2) X(i4, i4, i4) X(i8, i8, i8)                              \
    X(u1, u1, u1) X(u2, u2, u2) X(u4, u4, u4) X(u8, u8, u8) X(bool, bool, bool)          \
    X(bool, f8, f8) X(bool, f4, f4) X(bool, i4, i4) X(bool, i8, i8) X(bool, c16, c16)    \
    X(i4, f8, f8) X(i4, f4, f4) X(i4, i8, i8) X(i8, f8, f8) X(f8, f8, i4) X(f8, f8, i8)  \
    X(f8, i4, f8) X(f8, i8, f8) X(f8, i4, i4) X(f8, i8, i8) X(f4, f4, i4) X(f4, i4, f4)  \
    X(f4, f4, i8) X(f4, i8, f4) X(c16, f8, c16) X(c16, c16, f8) X(c16, i4, c16)          \
    X(c16, i8, c16) X(c16, c16, i4) X(c16, c16, i8) X(i8, i8, f8) X(i8, f8, i8)          \
                                                                                         \
    X(f8, f8, f8, f8) X(f4, f4, f4, f4) X(c8, c8, c8, c8) X(c16, c16, c16, c16)          \
    X(i4, i4, i4, i4) X(i8, i8, i8, i8) X(u8, u8, u8, u8) X(bool, f8, f8, f8)            \
    X(i4, f8, f8, f8) X(f8, i4, f8, f8) X(f8, f8, i4, f8) X(f8, f8, f8, i4)              \
    X(f8, i8, f8, f8) X(f8, f8, i8, f8) X(f8, f8, f8, i8) X(f8, i4, i4, f8)              \
    X(f8, i8, i8, f8) X(f8, i4, i4, i4) X(f8, i8, i8, i8) X(c16, f8, f8, c16)            \
    X(c16, i8, f8, c16) X(c16, i4, f8, c16)                                              \
                                                                                         \
    X(f8, f8, f8, f8, f8) X(f4, f4, f4, f4, f4) X(c16, c16, c16, c16, c16)               \
    X(i8, i8, i8, i8, i8) X(f8, i8, f8, f8, f8) X(f8, i4, f8, f8, f8)                    \
    X(c16, f8, f8, f8, c16) X(c16, i8, f8, f8, c16)                                      \
    X(f8, f8, f8, f8, f8, f8) X(f4, f4, f4, f4, f4, f4) X(f8, f8, f8, f8, f8, f8, f8)    \
    COMMON_LONG(X)

/* Callbacks, with pointers: those that SciPy knows, and their like. */
#define CALLBACKS(X)                                                                     \
    X(f8, i4, pointer) X(f8, f8, pointer) X(i4, f8, pointer)                             \
    X(i4, pointer, Py_ssize_t, pointer) X(i4, pointer, Py_ssize_t, pointer, Py_ssize_t)  \
    X(i4, pointer, pointer, i4, i4)

#define T(word) _Pycs_T(word)
#define C(word) _Pycs_C(word)

/* BODY(number of arguments, name, words...) of a function for these words, whose name is made of
   them.  _Pycs_LIST() of caller.h goes through the arguments; in C they are a0_, a1_ and so on. */
#define WITH_NAME(BODY, prefix, ...) \
    _Pycs_EXPAND4(WITH_NAME_(BODY, _Pycs_COUNT(__VA_ARGS__), prefix, __VA_ARGS__))
#define WITH_NAME_(BODY, count, prefix, ...) \
    _Pycs_EXPAND3(BODY(count, NAME(count, prefix, __VA_ARGS__), __VA_ARGS__, ))
#define NAME(count, ...)                    _Pycs_EXPAND(NAME_##count(__VA_ARGS__))
#define NAME_0(prefix, r)                   prefix##_##r
#define NAME_1(prefix, r, a)                prefix##_##r##_##a
#define NAME_2(prefix, r, a, b)             prefix##_##r##_##a##_##b
#define NAME_3(prefix, r, a, b, c)          prefix##_##r##_##a##_##b##_##c
#define NAME_4(prefix, r, a, b, c, d)       prefix##_##r##_##a##_##b##_##c##_##d
#define NAME_5(prefix, r, a, b, c, d, e)    prefix##_##r##_##a##_##b##_##c##_##d##_##e
#define NAME_6(prefix, r, a, b, c, d, e, f) prefix##_##r##_##a##_##b##_##c##_##d##_##e##_##f

/* A Thunk: this function, under the signature of these words. */
#define ROW_OF(count, name, r, ...)                                                      \
    {PyTypedMethod_SIG(C(r) _Pycs_LIST(count, COMMA_CODE, COMMA_CODE, , __VA_ARGS__)), (void *)(uintptr_t)name},
#define ROW(prefix, ...) WITH_NAME(ROW_OF, prefix, __VA_ARGS__)

#endif /* CYTHON_CUSTOMSLOTS_TYPED_SIGNATURES_H */
