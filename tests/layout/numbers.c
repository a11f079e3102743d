/* SPDX-License-Identifier: MIT
 *
 * numbers.c - nothing but assertions: what binaries built apart rely on, and no table of
 * layout.txt has: numbers that macros compute, and what they must be to each other.  Compiling
 * this file is the test.  If a line fails, you are about to break every provider and consumer
 * that is out there: change the number that it names.
 */
#include "extensibletype.h"
#include "typedmethod.h"
#include "typedarray.h"
#include "pin.h"

#define TABLE "; bump PyCustomSlots_ABI_VERSION and the constants behind etp_check"
#define RENDEZVOUS "; bump _Pycs_RENDEZVOUS_VERSION and its names"

PIN((WORD == 8 || WORD == 4) && sizeof(Py_ssize_t) == WORD && sizeof(uintptr_t) == WORD,
    "a platform with words of another size: add its figures");

/* ------------------------------------------------------------------- table ABI -- */

PIN(sizeof(PyMemberDef) == 5 * WORD && offsetof(PyHeapTypeObject, as_async) == sizeof(PyTypeObject),
    "CPython changed what the test in customslots.h rests on; read 'the test' there");
PIN(PyCustomSlots_ID(0, 0, 0) == 1, "PyCustomSlots_ID changed; IDs are for ever");
PIN(PyCustomSlots_ID(0x12, 0x3456, 0x7F) == 0x123456FFu,
    "PyCustomSlots_ID changed; IDs are for ever");
PIN(PyCustomSlots_ID(0xFF, 0xFFFF, 0) == 0xFFFFFF01u,
    "PyCustomSlots_ID changed; IDs are for ever");
PIN((_Pycs_READY & 0xFF) == PyCustomSlots_ABI_VERSION
    && (_Pycs_UNFINISHED & 0xFF) == PyCustomSlots_ABI_VERSION,
    "the check constants do not name the table ABI");
#if _Pycs_STAMPS
PIN(_Pycs_STAMP(0) == 0x5E92000Bu + (PyCustomSlots_ABI_VERSION << 8), "the stamp changed" TABLE);
#endif
PIN(_Pycs_STATIC_MARK < 0,
    "the mark of static types is positive: subtype_traverse takes it for a member count");
PIN(_Pycs_UNFINISHED != _Pycs_READY && _Pycs_ROOT != _Pycs_READY,
    "the check constants cannot be told apart");

/* --------------------------------------------------------------------- rendezvous -- */

PIN((_Pycs_ROOT & 0xFF) == _Pycs_RENDEZVOUS_VERSION,
    "the constant of extensibletype does not name the rendezvous");
PIN(_Pycs_FIRST_COUNT == 44, "every implementation of this rendezvous has 44 functions" RENDEZVOUS);

/* -------------------------------------------------------------- typed functions -- */

PIN(PyTypedMethod_SIGNATURE(f8(const_array(f8))) == (1u | 12u << 1 | 20u << 6 | 12u << 11),
    "the packing of signatures changed; it is for ever");
PIN(PyTypedMethod_SIGNATURE(void()) == 3, "the packing of signatures changed; it is for ever");
PIN(PyTypedMethod_SIGNATURE(f8(f8, i4)) == 11033,
    "the packing of signatures changed; it is for ever");
PIN(PyTypedMethod_SIG(18, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11) == 0x0B52507314831065u,
    "the packing of signatures changed; it is for ever");
PIN(PyTypedMethod_NATIVE_CALL == 0x02000103u, "the native-call slot changed; IDs are for ever");
PIN(PyTypedMethod_CLASS_CALL == 0x02000105u, "the class-call slot changed; IDs are for ever");
PIN(PyTypedArray_STABLE_BUFFER == 0x02000203u, "the slot of stable buffers changed; IDs are for ever");
