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
#define RENDEZVOUS "; bump _Pycs_RENDEZVOUS_VERSION and its names"
#define PROCESS "; bump _Pycs_TABLE_KEY"

#define SIZE_IS(T, n, bump) PIN(sizeof(T) == (n), "size of " #T " changed" bump)
#define AT(T, member, n, bump) \
    PIN(offsetof(T, member) == (n), "layout of " #T "." #member " changed" bump)

#define WORD sizeof(void *)
PIN((WORD == 8 || WORD == 4) && sizeof(Py_ssize_t) == WORD && sizeof(uintptr_t) == WORD,
    "a platform with words of another size: add its figures");

/* ------------------------------------------------------------------- table ABI -- */

PIN(PyCustomSlots_ABI_VERSION == 5, "PyCustomSlots_ABI_VERSION changed; review this file");

SIZE_IS(PyCustomSlotData, WORD, TABLE);
AT(PyCustomSlotData, pointer, 0, TABLE);
AT(PyCustomSlotData, objoffset, 0, TABLE);
AT(PyCustomSlotData, flags, 0, TABLE);
SIZE_IS(PyCustomSlot, 2 * WORD, TABLE);
AT(PyCustomSlot, id, 0, TABLE);
AT(PyCustomSlot, data, WORD, TABLE);
SIZE_IS(_Pycs_Front, 2 * WORD, TABLE);
AT(_Pycs_Front, looks, 0, TABLE);
AT(_Pycs_Front, absent, WORD, TABLE);
AT(_Pycs_Looks, find, 0, TABLE);
AT(_Pycs_Looks, whole, WORD, TABLE);
AT(_Pycs_Impl, looks, 0, TABLE);

/* CPython's part differs from version to version; ours follows it without a gap. */
SIZE_IS(PyHeapExtensibleTypeObject, sizeof(PyHeapTypeObject) + 5 * WORD, TABLE);
AT(PyHeapExtensibleTypeObject, etp_heaptype, 0, TABLE);
AT(PyHeapExtensibleTypeObject, etp_custom_slot_count, sizeof(PyHeapTypeObject), TABLE);
AT(PyHeapExtensibleTypeObject, etp_custom_slots, sizeof(PyHeapTypeObject) + WORD, TABLE);
AT(PyHeapExtensibleTypeObject, etp_check, sizeof(PyHeapTypeObject) + 2 * WORD, TABLE);
AT(PyHeapExtensibleTypeObject, etp_private, sizeof(PyHeapTypeObject) + 3 * WORD, TABLE);
AT(PyHeapExtensibleTypeObject, etp_extension, sizeof(PyHeapTypeObject) + 4 * WORD, TABLE);
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
PIN(_Pycs_READY == 0x5E9200C5A17B3D05u, "the check constant changed" TABLE);
PIN(_Pycs_UNFINISHED == 0x5E9200C5A17B2D05u, "the check constant changed" TABLE);
#else
PIN(_Pycs_READY == 0x5E92A105u, "the check constant changed" TABLE);
PIN(_Pycs_UNFINISHED == 0x5E92B105u, "the check constant changed" TABLE);
#endif
PIN((_Pycs_READY & 0xFF) == PyCustomSlots_ABI_VERSION
    && (_Pycs_UNFINISHED & 0xFF) == PyCustomSlots_ABI_VERSION,
    "the check constants do not name the table ABI");
#if _Pycs_STAMPS
PIN(_Pycs_STAMP(0) == 0x5E92000Bu + (PyCustomSlots_ABI_VERSION << 8), "the stamp changed" TABLE);
#endif
PIN(_Pycs_STATIC_MARK == -0x5E9202, "the mark of static types changed" TABLE);
PIN(_Pycs_STATIC_MARK < 0,
    "the mark of static types is positive: subtype_traverse takes it for a member count");
PIN(_Pycs_UNFINISHED != _Pycs_READY
    && _Pycs_ROOT != _Pycs_READY,
    "the check constants cannot be told apart");

/* ------------------------------------------------------------------ the process's -- */

AT(_Pycs_ProcessTable, cells, 0, PROCESS);
AT(_Pycs_ProcessTable, ids, WORD, PROCESS);
AT(_Pycs_ProcessTable, generation, 5 * WORD, PROCESS);
AT(_Pycs_ProcessTable, types, 6 * WORD, PROCESS);
AT(_Pycs_ProcessTable, closed, 7 * WORD, PROCESS);
AT(_Pycs_ProcessTable, owner, 8 * WORD, PROCESS);
AT(_Pycs_ProcessTable, layouts, 9 * WORD, PROCESS);
AT(_Pycs_ProcessTable, answers, 10 * WORD, PROCESS);
SIZE_IS(_Pycs_ProcessTable, (10 + 8 * 4096) * WORD, PROCESS);
SIZE_IS(_Pycs_Answer, 8 * WORD, PROCESS);
AT(_Pycs_Answer, sequence, 0, PROCESS);
AT(_Pycs_Answer, type, WORD, PROCESS);
AT(_Pycs_Answer, id, 2 * WORD, PROCESS);
AT(_Pycs_Answer, generation, 3 * WORD, PROCESS);
AT(_Pycs_Answer, version, 4 * WORD, PROCESS);
AT(_Pycs_Answer, mro, 5 * WORD, PROCESS);
AT(_Pycs_Answer, interpreter, 6 * WORD, PROCESS);
AT(_Pycs_Answer, slot, 7 * WORD, PROCESS);
AT(_Pycs_Cells, former, 0, PROCESS);
AT(_Pycs_Cells, mask, WORD, PROCESS);
AT(_Pycs_Cells, used, 2 * WORD, PROCESS);
AT(_Pycs_Cells, cells, 3 * WORD, PROCESS);
SIZE_IS(_Pycs_Cell, 2 * WORD, PROCESS);
AT(_Pycs_Cell, key, 0, PROCESS);
AT(_Pycs_Cell, value, WORD, PROCESS);
AT(_Pycs_Name, next, 0, PROCESS);
AT(_Pycs_Name, length, WORD, PROCESS);
AT(_Pycs_Name, text, 2 * WORD, PROCESS);
PIN(sizeof(_Pycs_TABLE_KEY) == sizeof("_customslots_table_v3"),
    "the name of the process's table changed; so must this file");

SIZE_IS(_Pycs_Entry, 5 * WORD, PROCESS);
AT(_Pycs_Entry, slot, 0, PROCESS);
AT(_Pycs_Entry, type, 2 * WORD, PROCESS);
AT(_Pycs_Entry, referent, 3 * WORD, PROCESS);
AT(_Pycs_Entry, next, 4 * WORD, PROCESS);
PIN(_Pycs_KEY_RECORD == 0 && _Pycs_KEY_LAYOUT == 1 && _Pycs_KEY_NAME == 3 && _Pycs_KEY_SLOTS == 7
    && _Pycs_KEY_INTERFACE == 11 && _Pycs_KEY_KIND == 15, "what a key is changed; bump _Pycs_TABLE_KEY");

/* --------------------------------------------------------------------- rendezvous -- */

PIN(_Pycs_RENDEZVOUS_VERSION == 4,
    "_Pycs_RENDEZVOUS_VERSION changed; review this file");
#if UINTPTR_MAX > 0xFFFFFFFFu
PIN(_Pycs_ROOT == 0x5E9200C573D19604u, "the constant of extensibletype changed" RENDEZVOUS);
#else
PIN(_Pycs_ROOT == 0x5E927304u, "the constant of extensibletype changed" RENDEZVOUS);
#endif
PIN((_Pycs_ROOT & 0xFF) == _Pycs_RENDEZVOUS_VERSION,
    "the constant of extensibletype does not name the rendezvous");

/* Four 32-bit numbers, then words. */
SIZE_IS(_Pycs_API, 16 + 6 * WORD, RENDEZVOUS);
AT(_Pycs_API, rendezvous_version, 0, "; these never move");
AT(_Pycs_API, table_abi, 4, "; these never move");
AT(_Pycs_API, state_version, 8, "; these never move");
AT(_Pycs_API, reserved, 12, "; these never move");
AT(_Pycs_API, heaptype_size, 16, "; these never move");
AT(_Pycs_API, type_size, 16 + WORD, "; these never move");
AT(_Pycs_API, metaclass, 16 + 2 * WORD, "; these never move");
AT(_Pycs_API, state, 16 + 3 * WORD, "; these never move");
AT(_Pycs_API, impl, 16 + 4 * WORD, "; these never move");
AT(_Pycs_API, met, 16 + 5 * WORD, "; these never move");

SIZE_IS(_Pycs_Met, 4 * WORD, RENDEZVOUS);
AT(_Pycs_Met, next, 0, RENDEZVOUS);
AT(_Pycs_Met, impl, WORD, RENDEZVOUS);
AT(_Pycs_Met, found, 2 * WORD, RENDEZVOUS);
AT(_Pycs_Met, verdict, 3 * WORD, RENDEZVOUS);

/* Three more, a name, then the functions: the first and last of each kind.  All of them stand in
   layout.txt. */
AT(_Pycs_Impl, number, 2 * WORD + 0, RENDEZVOUS);
AT(_Pycs_Impl, state_version, 2 * WORD + 4, RENDEZVOUS);
AT(_Pycs_Impl, count, 2 * WORD + 8, RENDEZVOUS);
AT(_Pycs_Impl, module, 8 + 3 * WORD, RENDEZVOUS);
AT(_Pycs_Impl, alloc, 8 + 4 * WORD, RENDEZVOUS);
AT(_Pycs_Impl, meta_clear, 8 + 19 * WORD, RENDEZVOUS);
AT(_Pycs_Impl, ready, 8 + 20 * WORD, RENDEZVOUS);
AT(_Pycs_Impl, combine, 8 + 33 * WORD, RENDEZVOUS);
AT(_Pycs_Impl, find, 8 + 34 * WORD, RENDEZVOUS);
AT(_Pycs_Impl, ready_block, 8 + 42 * WORD, RENDEZVOUS);
AT(_Pycs_Impl, setattr, 8 + 43 * WORD, RENDEZVOUS);
AT(_Pycs_Impl, interface_class, 8 + 46 * WORD, RENDEZVOUS);
AT(_Pycs_Impl, interface_class_of, 8 + 47 * WORD, RENDEZVOUS);
PIN(_Pycs_FIRST_COUNT == 44,
    "every implementation of this rendezvous has 44 functions" RENDEZVOUS);
PIN(_Pycs_MET_CREATED == 0 && _Pycs_MET_TOOK == 1
    && _Pycs_MET_OLDER == 2 && _Pycs_MET_STATE == 3
    && _Pycs_MET_PINNED == 4, "what a verdict means changed" RENDEZVOUS);
