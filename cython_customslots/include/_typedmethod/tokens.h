/* SPDX-License-Identifier: MIT
 *
 * _typedmethod/tokens.h - signatures written out in C: f8(f8, i4), long(object, size_t).
 * Included by typedmethod.h; not for direct use.
 *
 * The preprocessor takes such a text apart: each word is pasted to the prefix _Pycs_W_, and is then
 *   the C type, the member of PyTypedMethodError for it (v: void, c: complex), the code, _Pycs_INSIDE
 * where _Pycs_INSIDE turns the arguments behind a result into words behind these: f8(f8, i4) becomes
 *   double, f, (PyTypedMethod_F8), f8, i4
 * The words are those of a signature's text, and the C types whose name is one word.  Arrays are
 * array(f8), const_array(f8), strided(f8) and const_strided(f8).
 */

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

#define _Pycs_W_ , , (0)                    /* no word */
#define _Pycs_W_void       void, v, (PyTypedMethod_VOID), _Pycs_INSIDE
#define _Pycs_W_bool       _Pycs_Bool, u, (PyTypedMethod_BOOL), _Pycs_INSIDE
#define _Pycs_W__Bool      _Pycs_Bool, u, (PyTypedMethod_BOOL), _Pycs_INSIDE   /* <stdbool.h> makes this of bool */
#define _Pycs_W_i1         int8_t, i, (PyTypedMethod_I1), _Pycs_INSIDE
#define _Pycs_W_i2         int16_t, i, (PyTypedMethod_I2), _Pycs_INSIDE
#define _Pycs_W_i4         int32_t, i, (PyTypedMethod_I4), _Pycs_INSIDE
#define _Pycs_W_i8         int64_t, i, (PyTypedMethod_I8), _Pycs_INSIDE
#define _Pycs_W_u1         uint8_t, u, (PyTypedMethod_U1), _Pycs_INSIDE
#define _Pycs_W_u2         uint16_t, u, (PyTypedMethod_U2), _Pycs_INSIDE
#define _Pycs_W_u4         uint32_t, u, (PyTypedMethod_U4), _Pycs_INSIDE
#define _Pycs_W_u8         uint64_t, u, (PyTypedMethod_U8), _Pycs_INSIDE
#define _Pycs_W_f4         float, f, (PyTypedMethod_F4), _Pycs_INSIDE
#define _Pycs_W_f8         double, f, (PyTypedMethod_F8), _Pycs_INSIDE
#define _Pycs_W_f16        long double, f, (PyTypedMethod_LONG_DOUBLE), _Pycs_INSIDE
#define _Pycs_W_c8         PyTypedMethod_c8, c, (PyTypedMethod_C8), _Pycs_INSIDE
#define _Pycs_W_c16        PyTypedMethod_c16, c, (PyTypedMethod_C16), _Pycs_INSIDE
#define _Pycs_W_c32        PyTypedMethod_c32, c, (PyTypedMethod_LONG_COMPLEX), _Pycs_INSIDE
#define _Pycs_W_pointer    void *, p, (PyTypedMethod_POINTER), _Pycs_INSIDE
#define _Pycs_W_object     PyObject *, p, (PyTypedMethod_OBJECT), _Pycs_INSIDE
#define _Pycs_W_char       char, i, (PyTypedMethod_TYPE_INT(char)), _Pycs_INSIDE
#define _Pycs_W_short      short, i, (PyTypedMethod_I2), _Pycs_INSIDE
#define _Pycs_W_int        int, i, (PyTypedMethod_TYPE_INT(int)), _Pycs_INSIDE
#define _Pycs_W_long       long, i, (PyTypedMethod_TYPE_INT(long)), _Pycs_INSIDE
#define _Pycs_W_float      float, f, (PyTypedMethod_F4), _Pycs_INSIDE
#define _Pycs_W_double     double, f, (PyTypedMethod_F8), _Pycs_INSIDE
#define _Pycs_W_size_t     size_t, u, (PyTypedMethod_TYPE_INT(size_t)), _Pycs_INSIDE
#define _Pycs_W_Py_ssize_t Py_ssize_t, i, (PyTypedMethod_TYPE_INT(Py_ssize_t)), _Pycs_INSIDE
/* Arrays of one of the others. */
#define _Pycs_W_array(t)        const PyTypedMethodArray *, , (PyTypedMethod_ARRAY, _Pycs_ITEM(t))
#define _Pycs_W_const_array(t)  const PyTypedMethodArray *, , (PyTypedMethod_CONST_ARRAY, _Pycs_ITEM(t))
#define _Pycs_W_strided(t)      const PyTypedMethodArray *, , (PyTypedMethod_STRIDED, _Pycs_ITEM(t))
#define _Pycs_W_const_strided(t) const PyTypedMethodArray *, , (PyTypedMethod_CONST_STRIDED, _Pycs_ITEM(t))

#define _Pycs_INSIDE(...) __VA_ARGS__

/* The parts of a word. */
#define _Pycs_T(word)    _Pycs_PART_T(_Pycs_W_##word)
#define _Pycs_M(word)    _Pycs_PART_M(_Pycs_W_##word)
#define _Pycs_C(word)    _Pycs_PART_C(_Pycs_W_##word)
#define _Pycs_ITEM(word) _Pycs_PART_ITEM(_Pycs_W_##word)
#define _Pycs_PART_T(...)    _Pycs_EXPAND5(_Pycs_PART_T_(__VA_ARGS__, ))
#define _Pycs_PART_M(...)    _Pycs_EXPAND5(_Pycs_PART_M_(__VA_ARGS__, ))
#define _Pycs_PART_C(...)    _Pycs_EXPAND5(_Pycs_PART_C_(__VA_ARGS__, ))
#define _Pycs_PART_ITEM(...) _Pycs_EXPAND6(_Pycs_PART_C_(__VA_ARGS__, ))
#define _Pycs_PART_T_(type, ...)               type
#define _Pycs_PART_M_(type, member, ...)       member
#define _Pycs_PART_C_(type, member, code, ...) _Pycs_INSIDE code

/** The signature that is written out in this form, a constant expression:
       PyTypedMethod_SIGNATURE(f8(f8, i4))   PyTypedMethod_SIGNATURE(long(object, size_t))
       PyTypedMethod_SIGNATURE(f8(f8, const_array(f8)))       f8(f8, const f8[::1]) as text */
#define PyTypedMethod_SIGNATURE(text) _Pycs_SIGNATURE_L(_Pycs_W_##text)
#define _Pycs_SIGNATURE_L(...)                                                           \
    _Pycs_EXPAND2(_Pycs_SIGNATURE_T(__VA_ARGS__, , , , , , , , , , , , , ))
#define _Pycs_SIGNATURE_T(type, member, r, a, b, c, d, e, f, g, h, i, j, k, over, ...)   \
    PyTypedMethod_SIG(_Pycs_INSIDE r, _Pycs_C(a), _Pycs_C(b),                            \
                      _Pycs_C(c), _Pycs_C(d), _Pycs_C(e),                                \
                      _Pycs_C(f), _Pycs_C(g), _Pycs_C(h),                                \
                      _Pycs_C(i), _Pycs_C(j), _Pycs_C(k),                                \
                      _Pycs_C(over))

/* The member for the result. */
#define _Pycs_MEMBER(text) _Pycs_PART_M(_Pycs_W_##text)
