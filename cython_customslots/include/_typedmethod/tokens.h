/* SPDX-License-Identifier: MIT
 *
 * _typedmethod/tokens.h - signatures written out in C: f8(f8, i4), long(object, size_t).
 * Included by typedmethod.h; not for direct use.
 *
 * The preprocessor takes such a text apart: each word is pasted to the four prefixes
 *   _Pycs_L_  f8(f8, i4) as a list: f8, f8, i4
 *   _Pycs_C_  the code
 *   _Pycs_T_  the C type
 *   _Pycs_M_  the member of PyTypedMethodError for it; v: void, c: complex
 * The words are those of the text, and the C types that are one word.  Arrays are
 * array(f8), const_array(f8), strided(f8) and const_strided(f8).
 */
#ifndef Py_TYPEDMETHOD_TOKENS_H
#define Py_TYPEDMETHOD_TOKENS_H

#ifdef __cplusplus
typedef bool _Pycs_Bool;
#else
typedef _Bool _Pycs_Bool;
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

#define _Pycs_C_ 0         /* no word */

#define _Pycs_L_void(...) void, __VA_ARGS__
#define _Pycs_C_void PyTypedMethod_VOID
#define _Pycs_T_void void
#define _Pycs_M_void v
#define _Pycs_L_bool(...) bool, __VA_ARGS__
#define _Pycs_C_bool PyTypedMethod_BOOL
#define _Pycs_T_bool _Pycs_Bool
#define _Pycs_M_bool u
#define _Pycs_L__Bool(...) _Bool, __VA_ARGS__
#define _Pycs_C__Bool PyTypedMethod_BOOL
#define _Pycs_T__Bool _Pycs_Bool
#define _Pycs_M__Bool u
#define _Pycs_L_i1(...) i1, __VA_ARGS__
#define _Pycs_C_i1 PyTypedMethod_I1
#define _Pycs_T_i1 int8_t
#define _Pycs_M_i1 i
#define _Pycs_L_i2(...) i2, __VA_ARGS__
#define _Pycs_C_i2 PyTypedMethod_I2
#define _Pycs_T_i2 int16_t
#define _Pycs_M_i2 i
#define _Pycs_L_i4(...) i4, __VA_ARGS__
#define _Pycs_C_i4 PyTypedMethod_I4
#define _Pycs_T_i4 int32_t
#define _Pycs_M_i4 i
#define _Pycs_L_i8(...) i8, __VA_ARGS__
#define _Pycs_C_i8 PyTypedMethod_I8
#define _Pycs_T_i8 int64_t
#define _Pycs_M_i8 i
#define _Pycs_L_u1(...) u1, __VA_ARGS__
#define _Pycs_C_u1 PyTypedMethod_U1
#define _Pycs_T_u1 uint8_t
#define _Pycs_M_u1 u
#define _Pycs_L_u2(...) u2, __VA_ARGS__
#define _Pycs_C_u2 PyTypedMethod_U2
#define _Pycs_T_u2 uint16_t
#define _Pycs_M_u2 u
#define _Pycs_L_u4(...) u4, __VA_ARGS__
#define _Pycs_C_u4 PyTypedMethod_U4
#define _Pycs_T_u4 uint32_t
#define _Pycs_M_u4 u
#define _Pycs_L_u8(...) u8, __VA_ARGS__
#define _Pycs_C_u8 PyTypedMethod_U8
#define _Pycs_T_u8 uint64_t
#define _Pycs_M_u8 u
#define _Pycs_L_f4(...) f4, __VA_ARGS__
#define _Pycs_C_f4 PyTypedMethod_F4
#define _Pycs_T_f4 float
#define _Pycs_M_f4 f
#define _Pycs_L_f8(...) f8, __VA_ARGS__
#define _Pycs_C_f8 PyTypedMethod_F8
#define _Pycs_T_f8 double
#define _Pycs_M_f8 f
#define _Pycs_L_f16(...) f16, __VA_ARGS__
#define _Pycs_C_f16 PyTypedMethod_LONG_DOUBLE
#define _Pycs_T_f16 long double
#define _Pycs_M_f16 f
#define _Pycs_L_c8(...) c8, __VA_ARGS__
#define _Pycs_C_c8 PyTypedMethod_C8
#define _Pycs_T_c8 PyTypedMethod_c8
#define _Pycs_M_c8 c
#define _Pycs_L_c16(...) c16, __VA_ARGS__
#define _Pycs_C_c16 PyTypedMethod_C16
#define _Pycs_T_c16 PyTypedMethod_c16
#define _Pycs_M_c16 c
#define _Pycs_L_c32(...) c32, __VA_ARGS__
#define _Pycs_C_c32 PyTypedMethod_LONG_COMPLEX
#define _Pycs_T_c32 PyTypedMethod_c32
#define _Pycs_M_c32 c
#define _Pycs_L_pointer(...) pointer, __VA_ARGS__
#define _Pycs_C_pointer PyTypedMethod_POINTER
#define _Pycs_T_pointer void *
#define _Pycs_M_pointer p
#define _Pycs_L_object(...) object, __VA_ARGS__
#define _Pycs_C_object PyTypedMethod_OBJECT
#define _Pycs_T_object PyObject *
#define _Pycs_M_object p
/* Arrays of one of the others. */
#define _Pycs_C_array(t) PyTypedMethod_ARRAY, _Pycs_C_##t
#define _Pycs_T_array(t) const PyTypedMethodArray *
#define _Pycs_C_const_array(t) PyTypedMethod_CONST_ARRAY, _Pycs_C_##t
#define _Pycs_T_const_array(t) const PyTypedMethodArray *
#define _Pycs_C_strided(t) PyTypedMethod_STRIDED, _Pycs_C_##t
#define _Pycs_T_strided(t) const PyTypedMethodArray *
#define _Pycs_C_const_strided(t) PyTypedMethod_CONST_STRIDED, _Pycs_C_##t
#define _Pycs_T_const_strided(t) const PyTypedMethodArray *
#define _Pycs_L_char(...) char, __VA_ARGS__
#define _Pycs_C_char PyTypedMethod_TYPE_INT(char)
#define _Pycs_T_char char
#define _Pycs_M_char i
#define _Pycs_L_short(...) short, __VA_ARGS__
#define _Pycs_C_short PyTypedMethod_I2
#define _Pycs_T_short short
#define _Pycs_M_short i
#define _Pycs_L_int(...) int, __VA_ARGS__
#define _Pycs_C_int PyTypedMethod_TYPE_INT(int)
#define _Pycs_T_int int
#define _Pycs_M_int i
#define _Pycs_L_long(...) long, __VA_ARGS__
#define _Pycs_C_long PyTypedMethod_TYPE_INT(long)
#define _Pycs_T_long long
#define _Pycs_M_long i
#define _Pycs_L_float(...) float, __VA_ARGS__
#define _Pycs_C_float PyTypedMethod_F4
#define _Pycs_T_float float
#define _Pycs_M_float f
#define _Pycs_L_double(...) double, __VA_ARGS__
#define _Pycs_C_double PyTypedMethod_F8
#define _Pycs_T_double double
#define _Pycs_M_double f
#define _Pycs_L_size_t(...) size_t, __VA_ARGS__
#define _Pycs_C_size_t PyTypedMethod_TYPE_INT(size_t)
#define _Pycs_T_size_t size_t
#define _Pycs_M_size_t u
#define _Pycs_L_Py_ssize_t(...) Py_ssize_t, __VA_ARGS__
#define _Pycs_C_Py_ssize_t PyTypedMethod_TYPE_INT(Py_ssize_t)
#define _Pycs_T_Py_ssize_t Py_ssize_t
#define _Pycs_M_Py_ssize_t i

/** The signature that is written out in this form, a constant expression:
       PyTypedMethod_SIGNATURE(f8(f8, i4))   PyTypedMethod_SIGNATURE(long(object, size_t))
       PyTypedMethod_SIGNATURE(f8(f8, const_array(f8)))       f8(f8, const f8[::1]) as text */
#define PyTypedMethod_SIGNATURE(text) _Pycs_SIGNATURE_L(_Pycs_L_##text)
#define _Pycs_SIGNATURE_L(...)                                                           \
    _Pycs_EXPAND2(_Pycs_SIGNATURE_T(__VA_ARGS__, , , , , , , , , , , ,                   , ))
#define _Pycs_SIGNATURE_T(r, a, b, c, d, e, f, g, h, i, j, k, over, ...)                 \
    PyTypedMethod_SIG(_Pycs_C_##r, _Pycs_C_##a, _Pycs_C_##b,                             \
                      _Pycs_C_##c, _Pycs_C_##d, _Pycs_C_##e,                             \
                      _Pycs_C_##f, _Pycs_C_##g, _Pycs_C_##h,                             \
                      _Pycs_C_##i, _Pycs_C_##j, _Pycs_C_##k,                             \
                      _Pycs_C_##over)

/* The member for the result. */
#define _Pycs_MEMBER(text) _Pycs_MEMBER_L(_Pycs_L_##text)
#define _Pycs_MEMBER_L(...)                                                              \
    _Pycs_EXPAND2(_Pycs_MEMBER_T(__VA_ARGS__, ))
#define _Pycs_MEMBER_T(r, ...) _Pycs_M_##r

#endif /* Py_TYPEDMETHOD_TOKENS_H */
