/* SPDX-License-Identifier: MIT
 *
 * abi_layout.c - nothing but assertions: what binaries built apart rely on, pinned for
 * 64-bit and for 32-bit.  Compiling this file is the test.  If a line fails, you are about to break
 * every provider and consumer that is out there: change the number that it names.
 */
#include "extensibletype.h"

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

#define TABLE "; bump PyCustomSlots_ABI_VERSION and the constants behind etp_check"
#define RENDEZVOUS "; bump _PyExtensibleType_RENDEZVOUS_VERSION and its names"
#define INTERN "; bump _PyCustomSlots_INTERN_KEY"

#define SIZE_IS(T, n, bump) PIN(sizeof(T) == (n), "size of " #T " changed" bump)
#define AT(T, member, n, bump) \
    PIN(offsetof(T, member) == (n), "layout of " #T "." #member " changed" bump)

#define WORD sizeof(void *)
PIN((WORD == 8 || WORD == 4) && sizeof(Py_ssize_t) == WORD && sizeof(uintptr_t) == WORD,
    "a platform with words of another size: add its figures");

/* ------------------------------------------------------------------- table ABI -- */

PIN(PyCustomSlots_ABI_VERSION == 3, "PyCustomSlots_ABI_VERSION changed; review this file");

SIZE_IS(PyCustomSlotData, WORD, TABLE);
AT(PyCustomSlotData, pointer, 0, TABLE);
AT(PyCustomSlotData, objoffset, 0, TABLE);
AT(PyCustomSlotData, flags, 0, TABLE);
SIZE_IS(PyCustomSlot, 2 * WORD, TABLE);
AT(PyCustomSlot, id, 0, TABLE);
AT(PyCustomSlot, data, WORD, TABLE);
SIZE_IS(_PyCustomSlots_Declared, 2 * sizeof(PyCustomSlot), TABLE);
AT(_PyCustomSlots_Declared, owner, 0, TABLE);
AT(_PyCustomSlots_Declared, own, WORD, TABLE);
AT(_PyCustomSlots_Declared, own_count, 2 * WORD, TABLE);
AT(_PyCustomSlots_Declared, reserved, 3 * WORD, TABLE);

/* CPython's part differs from version to version; ours follows it without a gap. */
SIZE_IS(PyHeapExtensibleTypeObject, sizeof(PyHeapTypeObject) + 4 * WORD, TABLE);
AT(PyHeapExtensibleTypeObject, etp_heaptype, 0, TABLE);
AT(PyHeapExtensibleTypeObject, etp_custom_slot_count, sizeof(PyHeapTypeObject), TABLE);
AT(PyHeapExtensibleTypeObject, etp_custom_slots, sizeof(PyHeapTypeObject) + WORD, TABLE);
AT(PyHeapExtensibleTypeObject, etp_check, sizeof(PyHeapTypeObject) + 2 * WORD, TABLE);
AT(PyHeapExtensibleTypeObject, etp_private, sizeof(PyHeapTypeObject) + 3 * WORD, TABLE);
PIN(sizeof(PyMemberDef) == 5 * WORD && offsetof(PyHeapTypeObject, as_async) == sizeof(PyTypeObject),
    "CPython changed what the test in customslots.h rests on; read 'the test' there");

PIN(PyCustomSlots_EMPTY == 0, "PyCustomSlots_EMPTY changed" TABLE);
PIN(PyCustomSlots_SKIP == 1, "PyCustomSlots_SKIP changed" TABLE);
PIN(PyCustomSlots_MIN_CAPACITY == 4, "PyCustomSlots_MIN_CAPACITY changed" TABLE);
PIN(PyCustomSlots_REGISTRAR_INTERNAL == 1, "a registrar changed; they are for ever");
PIN(PyCustomSlots_REGISTRAR_CYTHON == 2, "a registrar changed; they are for ever");
PIN(PyCustomSlots_REGISTRAR_NUMPY == 3, "a registrar changed; they are for ever");
PIN(PyCustomSlots_REGISTRAR_NUMFOCUS == 4, "a registrar changed; they are for ever");
PIN(PyCustomSlots_ID(0, 0, 0) == 1, "PyCustomSlots_ID changed; IDs are for ever");
PIN(PyCustomSlots_ID(0x12, 0x3456, 0x7F) == 0x123456FFu,
    "PyCustomSlots_ID changed; IDs are for ever");
PIN(PyCustomSlots_ID(0xFF, 0xFFFF, 0) == 0xFFFFFF01u,
    "PyCustomSlots_ID changed; IDs are for ever");

#if UINTPTR_MAX > 0xFFFFFFFFu
PIN(_PyCustomSlots_READY == 0x5E9200C5A17B3D03u, "the check constant changed" TABLE);
PIN(_PyCustomSlots_UNRESOLVED == 0x5E9200C5E84C6903u, "the check constant changed" TABLE);
#else
PIN(_PyCustomSlots_READY == 0x5E92A103u, "the check constant changed" TABLE);
PIN(_PyCustomSlots_UNRESOLVED == 0x5E92E803u, "the check constant changed" TABLE);
#endif
PIN((_PyCustomSlots_READY & 0xFF) == PyCustomSlots_ABI_VERSION
    && (_PyCustomSlots_UNRESOLVED & 0xFF) == PyCustomSlots_ABI_VERSION,
    "the check constants do not name the table ABI");
PIN(_PyCustomSlots_STATIC_MARK == -0x5E9202, "the mark of static types changed" TABLE);
PIN(_PyCustomSlots_STATIC_MARK < 0,
    "the mark of static types is positive: subtype_traverse takes it for a member count");
PIN(_PyCustomSlots_UNRESOLVED != _PyCustomSlots_READY
    && _PyExtensibleType_ROOT != _PyCustomSlots_READY,
    "the check constants cannot be told apart");

/* ---------------------------------------------------------------------- interning -- */

SIZE_IS(_PyCustomSlots_InternList, 256 * WORD, INTERN);
AT(_PyCustomSlots_InternNode, next, 0, INTERN);
AT(_PyCustomSlots_InternNode, length, WORD, INTERN);
AT(_PyCustomSlots_InternNode, text, 2 * WORD, INTERN);
PIN(sizeof(_PyCustomSlots_INTERN_KEY) == sizeof("_customslots_intern_v1"),
    "the name of the list of names changed; so must this file");

/* --------------------------------------------------------------------- rendezvous -- */

PIN(_PyExtensibleType_RENDEZVOUS_VERSION == 2,
    "_PyExtensibleType_RENDEZVOUS_VERSION changed; review this file");
/* Two 32-bit numbers, then words.  The figures are those of 64-bit platforms. */
#undef AT
#define API_BYTES(n) ((n) < 8 ? (n) : 8 + ((n) - 8) / 8 * WORD)
#define AT(T, member, n, bump) \
    PIN(offsetof(T, member) == API_BYTES(n), "layout of " #T "." #member " changed" bump)
AT(_PyExtensibleType_API, rendezvous_version, 0, "; these never move");
AT(_PyExtensibleType_API, table_abi, 4, "; these never move");
AT(_PyExtensibleType_API, api_size, 8, "; these never move");
AT(_PyExtensibleType_API, heaptype_size, 16, "; these never move");
AT(_PyExtensibleType_API, type_size, 24, "; these never move");
AT(_PyExtensibleType_API, metaclass, 32, "; these never move");
AT(_PyExtensibleType_API, ready, 40, RENDEZVOUS);
AT(_PyExtensibleType_API, inherit_fields, 48, RENDEZVOUS);
AT(_PyExtensibleType_API, set_slots, 56, RENDEZVOUS);
AT(_PyExtensibleType_API, resolve, 64, RENDEZVOUS);
AT(_PyExtensibleType_API, calculate_metaclass, 72, RENDEZVOUS);
AT(_PyExtensibleType_API, new_static, 80, RENDEZVOUS);
AT(_PyExtensibleType_API, publish, 88, RENDEZVOUS);
PIN(sizeof(_PyExtensibleType_API) >= API_BYTES(96), "_PyExtensibleType_API got shorter" RENDEZVOUS);
#if UINTPTR_MAX > 0xFFFFFFFFu
PIN(_PyExtensibleType_ROOT == 0x5E9200C573D19602u, "the constant of extensibletype changed"
    RENDEZVOUS);
#else
PIN(_PyExtensibleType_ROOT == 0x5E927302u, "the constant of extensibletype changed" RENDEZVOUS);
#endif
