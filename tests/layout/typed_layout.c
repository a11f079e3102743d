/* SPDX-License-Identifier: MIT
 *
 * typed_layout.c - nothing but assertions: what modules with records and callers of them,
 * built apart, rely on.  Compiling this file is the test.  If a line fails, you are about to
 * break every one of them that is out there: change the number that it names.
 */
#include "typedmethod.h"

#if defined(__cplusplus)
#  define PIN(condition, message) static_assert(condition, message)
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#  define PIN(condition, message) _Static_assert(condition, message)
#else
#  define PIN_NAME_(line) pin_at_line_##line
#  define PIN_NAME(line) PIN_NAME_(line)
#  define PIN(condition, message) \
       extern char PIN_NAME(__LINE__)[sizeof(message) > 1 && (condition) ? 1 : -1]
#endif

#define RECORD "; bump PyTypedMethod_ABI_VERSION"
#define TABLE "; bump _Pycs_TABLE_KEY"

#define SIZE_IS(T, n, bump) PIN(sizeof(T) == (n), "size of " #T " changed" bump)
#define AT(T, member, n, bump) \
    PIN(offsetof(T, member) == (n), "layout of " #T "." #member " changed" bump)

#define WORD sizeof(void *)

/* ------------------------------------------------------------------ signatures -- */

PIN(PyTypedMethod_VOID == 1 && PyTypedMethod_BOOL == 2 && PyTypedMethod_I1 == 3
    && PyTypedMethod_I2 == 4 && PyTypedMethod_I4 == 5 && PyTypedMethod_I8 == 6,
    "a type code changed; they are for ever");
PIN(PyTypedMethod_U1 == 7 && PyTypedMethod_U2 == 8 && PyTypedMethod_U4 == 9
    && PyTypedMethod_U8 == 10 && PyTypedMethod_F4 == 11 && PyTypedMethod_F8 == 12,
    "a type code changed; they are for ever");
PIN(PyTypedMethod_F16 == 13 && PyTypedMethod_C8 == 14 && PyTypedMethod_C16 == 15
    && PyTypedMethod_C32 == 16 && PyTypedMethod_POINTER == 17 && PyTypedMethod_OBJECT == 18,
    "a type code changed; they are for ever");
PIN(PyTypedMethod_ARRAY == 19 && PyTypedMethod_CONST_ARRAY == 20 && PyTypedMethod_STRIDED == 21
    && PyTypedMethod_CONST_STRIDED == 22, "a type code changed; they are for ever");
PIN(PyTypedMethod_SIGNATURE(f8(const_array(f8))) == (1u | 12u << 1 | 20u << 6 | 12u << 11),
    "the packing of signatures changed; it is for ever");
SIZE_IS(PyTypedMethodArray, 3 * WORD, "; take new codes for arrays");
AT(PyTypedMethodArray, data, 0, "; take new codes for arrays");
AT(PyTypedMethodArray, length, WORD, "; take new codes for arrays");
AT(PyTypedMethodArray, stride, 2 * WORD, "; take new codes for arrays");
PIN(PyTypedMethod_SIGNATURE(void()) == 3, "the packing of signatures changed; it is for ever");
PIN(PyTypedMethod_SIGNATURE(f8(f8, i4)) == 11033,
    "the packing of signatures changed; it is for ever");
PIN(PyTypedMethod_SIG(18, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11) == 0x0B52507314831065u,
    "the packing of signatures changed; it is for ever");

/* --------------------------------------------------------------------- records -- */

PIN(PyTypedMethod_ABI_VERSION == 1, "PyTypedMethod_ABI_VERSION changed; review this file");
PIN(PyTypedMethod_MAGIC == 0x54504D31u, "PyTypedMethod_MAGIC changed; it is for ever");
PIN(PyTypedMethod_RAISES == 3 && PyTypedMethod_RAISES_VALUE == 1
    && PyTypedMethod_RAISES_MAYBE == 2 && PyTypedMethod_RAISES_ANY == 3,
    "a flag changed" RECORD);
PIN(PyTypedMethod_NOGIL == 4 && PyTypedMethod_CTX_FIRST == 8 && PyTypedMethod_CTX_LAST == 16
    && PyTypedMethod_SELF == 32 && PyTypedMethod_UNVERIFIED == 64, "a flag changed" RECORD);

SIZE_IS(PyTypedMethodError, 8, RECORD);
SIZE_IS(PyTypedMethodEntry, 32, RECORD);
AT(PyTypedMethodEntry, signature, 0, RECORD);
AT(PyTypedMethodEntry, function, 8, RECORD);
AT(PyTypedMethodEntry, flags, 16, RECORD);
AT(PyTypedMethodEntry, reserved, 20, RECORD);
AT(PyTypedMethodEntry, error, 24, RECORD);
SIZE_IS(PyTypedMethodRecord, 16 + 2 * WORD, RECORD);
AT(PyTypedMethodRecord, magic, 0, RECORD);
AT(PyTypedMethodRecord, abi, 4, RECORD);
AT(PyTypedMethodRecord, entry_size, 6, RECORD);
AT(PyTypedMethodRecord, count, 8, RECORD);
AT(PyTypedMethodRecord, flags, 12, RECORD);
AT(PyTypedMethodRecord, name, 16, RECORD);
AT(PyTypedMethodRecord, entries, 16 + WORD, RECORD);

PIN(PyTypedMethod_NATIVE_CALL == 0x02000103u, "the native-call slot changed; IDs are for ever");
PIN(PyTypedMethod_CLASS_CALL == 0x02000105u, "the class-call slot changed; IDs are for ever");
SIZE_IS(PyTypedMethodNative, 2 * WORD, "; take a new version of the native-call slot's ID");
AT(PyTypedMethodNative, record, 0, "; take a new version of the native-call slot's ID");
AT(PyTypedMethodNative, context, WORD, "; take a new version of the native-call slot's ID");

/* ------------------------------------------------------------------- functions -- */

SIZE_IS(PyTypedMethodLayout, 12, TABLE);
AT(PyTypedMethodLayout, size, 0, TABLE);
AT(PyTypedMethodLayout, def_offset, 4, TABLE);
AT(PyTypedMethodLayout, self_offset, 8, TABLE);
SIZE_IS(_Pycs_LayoutNode, WORD == 8 ? 24 : 16, TABLE);
AT(_Pycs_LayoutNode, next, 0, TABLE);
AT(_Pycs_LayoutNode, layout, WORD, TABLE);
