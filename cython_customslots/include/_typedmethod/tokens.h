/* SPDX-License-Identifier: MIT
 *
 * _typedmethod/tokens.h - signatures written out in C: f8(f8, i4), long(object, size_t).
 * Included by typedmethod.h; not for direct use.
 *
 * The preprocessor takes such a text apart: each word is pasted to the four prefixes
 *   _PyTypedMethod_L_  f8(f8, i4) as a list: f8, f8, i4
 *   _PyTypedMethod_C_  the code
 *   _PyTypedMethod_T_  the C type
 *   _PyTypedMethod_M_  the member of PyTypedMethodError for it; v: void, c: complex
 * The words are those of the text, and the C types that are one word.
 */
#ifndef Py_TYPEDMETHOD_TOKENS_H
#define Py_TYPEDMETHOD_TOKENS_H

#ifdef __cplusplus
typedef bool _PyTypedMethod_Bool;
#else
typedef _Bool _PyTypedMethod_Bool;
#endif

/* Complex numbers are passed as the compiler passes its own: a struct of two may travel
   in other registers.  MSVC has structs only. */
#if defined(__GNUC__) || defined(__clang__)
__extension__ typedef float _Complex PyTypedMethod_c8;          /**< as C passes float _Complex */
__extension__ typedef double _Complex PyTypedMethod_c16;        /**< double _Complex */
__extension__ typedef long double _Complex PyTypedMethod_c32;   /**< long double _Complex */
#else
typedef struct { float part[2]; } PyTypedMethod_c8;
typedef struct { double part[2]; } PyTypedMethod_c16;
typedef struct { long double part[2]; } PyTypedMethod_c32;
#endif

#define _PyTypedMethod_C_ 0         /* no word */

#define _PyTypedMethod_L_void(...) void, __VA_ARGS__
#define _PyTypedMethod_C_void PyTypedMethod_VOID
#define _PyTypedMethod_T_void void
#define _PyTypedMethod_M_void v
#define _PyTypedMethod_L_bool(...) bool, __VA_ARGS__
#define _PyTypedMethod_C_bool PyTypedMethod_BOOL
#define _PyTypedMethod_T_bool _PyTypedMethod_Bool
#define _PyTypedMethod_M_bool u
#define _PyTypedMethod_L__Bool(...) _Bool, __VA_ARGS__
#define _PyTypedMethod_C__Bool PyTypedMethod_BOOL
#define _PyTypedMethod_T__Bool _PyTypedMethod_Bool
#define _PyTypedMethod_M__Bool u
#define _PyTypedMethod_L_i1(...) i1, __VA_ARGS__
#define _PyTypedMethod_C_i1 PyTypedMethod_I1
#define _PyTypedMethod_T_i1 int8_t
#define _PyTypedMethod_M_i1 i
#define _PyTypedMethod_L_i2(...) i2, __VA_ARGS__
#define _PyTypedMethod_C_i2 PyTypedMethod_I2
#define _PyTypedMethod_T_i2 int16_t
#define _PyTypedMethod_M_i2 i
#define _PyTypedMethod_L_i4(...) i4, __VA_ARGS__
#define _PyTypedMethod_C_i4 PyTypedMethod_I4
#define _PyTypedMethod_T_i4 int32_t
#define _PyTypedMethod_M_i4 i
#define _PyTypedMethod_L_i8(...) i8, __VA_ARGS__
#define _PyTypedMethod_C_i8 PyTypedMethod_I8
#define _PyTypedMethod_T_i8 int64_t
#define _PyTypedMethod_M_i8 i
#define _PyTypedMethod_L_u1(...) u1, __VA_ARGS__
#define _PyTypedMethod_C_u1 PyTypedMethod_U1
#define _PyTypedMethod_T_u1 uint8_t
#define _PyTypedMethod_M_u1 u
#define _PyTypedMethod_L_u2(...) u2, __VA_ARGS__
#define _PyTypedMethod_C_u2 PyTypedMethod_U2
#define _PyTypedMethod_T_u2 uint16_t
#define _PyTypedMethod_M_u2 u
#define _PyTypedMethod_L_u4(...) u4, __VA_ARGS__
#define _PyTypedMethod_C_u4 PyTypedMethod_U4
#define _PyTypedMethod_T_u4 uint32_t
#define _PyTypedMethod_M_u4 u
#define _PyTypedMethod_L_u8(...) u8, __VA_ARGS__
#define _PyTypedMethod_C_u8 PyTypedMethod_U8
#define _PyTypedMethod_T_u8 uint64_t
#define _PyTypedMethod_M_u8 u
#define _PyTypedMethod_L_f4(...) f4, __VA_ARGS__
#define _PyTypedMethod_C_f4 PyTypedMethod_F4
#define _PyTypedMethod_T_f4 float
#define _PyTypedMethod_M_f4 f
#define _PyTypedMethod_L_f8(...) f8, __VA_ARGS__
#define _PyTypedMethod_C_f8 PyTypedMethod_F8
#define _PyTypedMethod_T_f8 double
#define _PyTypedMethod_M_f8 f
#define _PyTypedMethod_L_f16(...) f16, __VA_ARGS__
#define _PyTypedMethod_C_f16 PyTypedMethod_LONG_DOUBLE
#define _PyTypedMethod_T_f16 long double
#define _PyTypedMethod_M_f16 f
#define _PyTypedMethod_L_c8(...) c8, __VA_ARGS__
#define _PyTypedMethod_C_c8 PyTypedMethod_C8
#define _PyTypedMethod_T_c8 PyTypedMethod_c8
#define _PyTypedMethod_M_c8 c
#define _PyTypedMethod_L_c16(...) c16, __VA_ARGS__
#define _PyTypedMethod_C_c16 PyTypedMethod_C16
#define _PyTypedMethod_T_c16 PyTypedMethod_c16
#define _PyTypedMethod_M_c16 c
#define _PyTypedMethod_L_c32(...) c32, __VA_ARGS__
#define _PyTypedMethod_C_c32 PyTypedMethod_LONG_COMPLEX
#define _PyTypedMethod_T_c32 PyTypedMethod_c32
#define _PyTypedMethod_M_c32 c
#define _PyTypedMethod_L_pointer(...) pointer, __VA_ARGS__
#define _PyTypedMethod_C_pointer PyTypedMethod_POINTER
#define _PyTypedMethod_T_pointer void *
#define _PyTypedMethod_M_pointer p
#define _PyTypedMethod_L_object(...) object, __VA_ARGS__
#define _PyTypedMethod_C_object PyTypedMethod_OBJECT
#define _PyTypedMethod_T_object PyObject *
#define _PyTypedMethod_M_object p
#define _PyTypedMethod_L_char(...) char, __VA_ARGS__
#define _PyTypedMethod_C_char PyTypedMethod_TYPE_INT(char)
#define _PyTypedMethod_T_char char
#define _PyTypedMethod_M_char i
#define _PyTypedMethod_L_short(...) short, __VA_ARGS__
#define _PyTypedMethod_C_short PyTypedMethod_I2
#define _PyTypedMethod_T_short short
#define _PyTypedMethod_M_short i
#define _PyTypedMethod_L_int(...) int, __VA_ARGS__
#define _PyTypedMethod_C_int PyTypedMethod_TYPE_INT(int)
#define _PyTypedMethod_T_int int
#define _PyTypedMethod_M_int i
#define _PyTypedMethod_L_long(...) long, __VA_ARGS__
#define _PyTypedMethod_C_long PyTypedMethod_TYPE_INT(long)
#define _PyTypedMethod_T_long long
#define _PyTypedMethod_M_long i
#define _PyTypedMethod_L_float(...) float, __VA_ARGS__
#define _PyTypedMethod_C_float PyTypedMethod_F4
#define _PyTypedMethod_T_float float
#define _PyTypedMethod_M_float f
#define _PyTypedMethod_L_double(...) double, __VA_ARGS__
#define _PyTypedMethod_C_double PyTypedMethod_F8
#define _PyTypedMethod_T_double double
#define _PyTypedMethod_M_double f
#define _PyTypedMethod_L_size_t(...) size_t, __VA_ARGS__
#define _PyTypedMethod_C_size_t PyTypedMethod_TYPE_INT(size_t)
#define _PyTypedMethod_T_size_t size_t
#define _PyTypedMethod_M_size_t u
#define _PyTypedMethod_L_Py_ssize_t(...) Py_ssize_t, __VA_ARGS__
#define _PyTypedMethod_C_Py_ssize_t PyTypedMethod_TYPE_INT(Py_ssize_t)
#define _PyTypedMethod_T_Py_ssize_t Py_ssize_t
#define _PyTypedMethod_M_Py_ssize_t i

/** The signature that is written out in this form, a constant expression:
       PyTypedMethod_SIGNATURE(f8(f8, i4))   PyTypedMethod_SIGNATURE(long(object, size_t)) */
#define PyTypedMethod_SIGNATURE(text) _PyTypedMethod_SIGNATURE_L(_PyTypedMethod_L_##text)
#define _PyTypedMethod_SIGNATURE_L(...)                                                  \
    _PyTypedMethod_EXPAND2(_PyTypedMethod_SIGNATURE_T(__VA_ARGS__, , , , , , , , , , , , , ))
#define _PyTypedMethod_SIGNATURE_T(r, a, b, c, d, e, f, g, h, i, j, k, over, ...)        \
    PyTypedMethod_SIG(_PyTypedMethod_C_##r, _PyTypedMethod_C_##a, _PyTypedMethod_C_##b,  \
                      _PyTypedMethod_C_##c, _PyTypedMethod_C_##d, _PyTypedMethod_C_##e,  \
                      _PyTypedMethod_C_##f, _PyTypedMethod_C_##g, _PyTypedMethod_C_##h,  \
                      _PyTypedMethod_C_##i, _PyTypedMethod_C_##j, _PyTypedMethod_C_##k,  \
                      _PyTypedMethod_C_##over)

/* The member for the result. */
#define _PyTypedMethod_MEMBER(text) _PyTypedMethod_MEMBER_L(_PyTypedMethod_L_##text)
#define _PyTypedMethod_MEMBER_L(...)                                                     \
    _PyTypedMethod_EXPAND2(_PyTypedMethod_MEMBER_T(__VA_ARGS__, ))
#define _PyTypedMethod_MEMBER_T(r, ...) _PyTypedMethod_M_##r

#endif /* Py_TYPEDMETHOD_TOKENS_H */
