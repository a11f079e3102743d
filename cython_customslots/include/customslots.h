/* SPDX-License-Identifier: MIT
 *
 * customslots.h - ask any Python object which C protocols it speaks.
 *
 * THE DOMAIN
 *
 * An extension module often needs to know, in C, something about an object that
 * another extension module made: "can you be called as double f(double)?",
 * "where in you is the buffer?".  Python's own answers are an attribute look-up
 * (slow, needs the GIL) or PyObject_TypeCheck() against a base class that both
 * sides must share.  SEP 200 ("C-level duck typing", D. S. Seljebotn, 2012)
 * proposed a third: a table of {id, data} pairs in the type object.  A consumer
 * that knows an ID can look for it in every type; a provider that implements the
 * protocol puts a slot into the table; neither knows the other.
 *
 * THE PICTURE
 *
 *   object           type object (its metaclass derives from `extensibletype`)
 *   +---------+      +------------------------+
 *   | ob_type |----->| PyHeapTypeObject       |   CPython's own part
 *   +---------+      +------------------------+
 *   | ...     |      | etp_custom_slot_count  |        +----------+----------+
 *   +---------+      | etp_custom_slots       |------->| id       | data     | 0
 *                    | etp_check              |        | id       | data     | 1
 *                    | etp_private            |        | ...      | ...      |
 *                    +------------------------+        +----------+----------+
 *                    | C fields of metaclasses|        (subclasses share the table)
 *                    +------------------------+
 *
 * AN EXAMPLE (tests/c/example.c holds this text and is compiled and run)
 *
 *   // [example.begin]
 *   #include "customslots.h"
 *
 *   typedef struct { double (*call)(PyObject *self, double x); } FuncDD;
 *   static uintptr_t func_d_d;                    // the ID: a number for a name
 *
 *   static int
 *   init_consumer(void)                           // when the module is imported
 *   {
 *       func_d_d = PyCustomSlots_Intern("example.func_d_d");
 *       return func_d_d != 0 ? 0 : -1;
 *   }
 *
 *   static double
 *   call_or_zero(PyObject *obj, double x)
 *   {
 *       const PyCustomSlot *slot = PyCustomSlots_FindAny(obj, func_d_d, 0);
 *       if (slot == NULL) return 0.0;             // absent is not an error
 *       return ((FuncDD *)slot->data.pointer)->call(obj, x);
 *   }
 *   // [example.end]
 *
 * CONTRACT OF EVERYTHING BELOW, unless a function says otherwise
 *
 *   - Nothing to initialise (but the IDs of names), to import or to link; include this
 *     header in as many files as you like, as C99 or later or C++11 or later.
 *   - No function sets, clears or looks at the Python exception.
 *   - No function needs the GIL or a thread state.  The caller must only keep the
 *     object (or type) alive, as for any PyObject pointer.
 *   - Everything returned is borrowed from the type and stays valid while the
 *     type lives, even if another thread replaces the table in that time.
 *   - Works for every object of every type: the look-up reads only memory that
 *     the type really owns (how: see "the test" below).
 *   - On PyPy all of this compiles and finds nothing.  The parts that the end of this header
 *     includes, names and registered slots, work on PyPy, too, with the GIL.
 */
#ifndef Py_CUSTOMSLOTS_H
#define Py_CUSTOMSLOTS_H

#include <Python.h>
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#ifdef GRAALVM_PYTHON
#  error "cython-customslots works on CPython and PyPy, not on GraalPy"
#endif
#include <string.h>
#if !defined(_WIN32)
#  include <sched.h>
#  include <unistd.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** The version of the layouts in this file; docs/abi.md lists all versions.  It is
   part of the constants behind etp_check: a type laid out for another table ABI does not pass the test,
   so a consumer finds nothing in it and never reads it wrongly. */
/* [version.begin] */
#define PyCustomSlots_ABI_VERSION 5
#define PyCustomSlots_VERSION     "0.1.0"       /**< of the package that this text comes from */
#define PyCustomSlots_VERSION_HEX 0x000100F0    /**< the same, as PY_VERSION_HEX has it */
/* [version.end] */

/* What `strings` finds in a stripped binary.  The head of a vendored file has it, too, and says which file. */
#if (defined(__GNUC__) || defined(__clang__)) && !defined(_Pycs_VENDORED)
static const char _Pycs_headers[] __attribute__((used)) = "headers of cython-customslots " PyCustomSlots_VERSION;
#endif

/* -------------------------------------------------------------------- layout -- */

/** The word of a slot that belongs to the protocol.  The ID says which member is used. */
/* [PyCustomSlot.begin] */
typedef union {
    void       *pointer;    /**< a vtable, a function table, run-time type information */
    Py_ssize_t  objoffset;  /**< bytes from the PyObject * to a field of the instance */
    uintptr_t   flags;      /**< a number; unused where having the slot says all */
} PyCustomSlotData;

/** An entry of a type's table. */
typedef struct {
    uintptr_t        id;    /**< what this slot means; see "slot IDs" */
    PyCustomSlotData data;  /**< what implements it */
} PyCustomSlot;
/* [PyCustomSlot.end] */

#ifndef Py_LIMITED_API
/** A type object with a slot table.  The first two fields behind etp_heaptype stand
   in SEP 200's order, so that its static initialisers compile unchanged.
   The provider writes it before PyExtensibleType_Ready(), afterwards only the implementation
   behind extensibletype.h.  The functions below read it. */
/* [PyHeapExtensibleTypeObject.begin] */
typedef struct {
    PyHeapTypeObject etp_heaptype;
    Py_ssize_t       etp_custom_slot_count;
    PyCustomSlot    *etp_custom_slots;  /**< the table; an EMPTY entry ends it */
    uintptr_t        etp_check;      /**< (uintptr_t)this type XOR a constant that names the ABI version */
    void            *etp_private;    /**< owner bookkeeping, see docs/abi.md */
    void            *etp_extension;  /**< the same; readers do not look at it */
} PyHeapExtensibleTypeObject;
/* [PyHeapExtensibleTypeObject.end] */
#endif

/* What stands directly in front of the entries of every table: which IDs the type does not have, and the
   address of a word that leads to the functions of the implementation that serves.  That word is swapped
   when another implementation takes over, so it is loaded for each use; the functions need no GIL. */
/* [PyCustomSlotsFront.begin] */
typedef struct {
    PyCustomSlot *(*find)(PyTypeObject *type, PyCustomSlot *table, uintptr_t id);   /* or NULL */
    PyTypeObject *(*whole)(PyTypeObject *type);     /* the type with its count and table, or NULL */
} _Pycs_Looks;

typedef struct {
    const _Pycs_Looks *const *looks;
    uintptr_t absent;               /* a bit by hash, see Bit(): the type has no ID with this bit */
} _Pycs_Front;
/* [PyCustomSlotsFront.end] */

/* Layout assertions at file scope; an array of size -1 names the one that failed. */
#define _Pycs_ASSERT(name, condition) typedef char _Pycs_assert_##name[(condition) ? 1 : -1]
_Pycs_ASSERT(slot_is_two_words, sizeof(PyCustomSlot) == 2 * sizeof(void *));
_Pycs_ASSERT(data_is_one_word, sizeof(PyCustomSlotData) == sizeof(void *));
_Pycs_ASSERT(data_follows_id, offsetof(PyCustomSlot, data) == sizeof(uintptr_t));
_Pycs_ASSERT(front_is_two_words, sizeof(_Pycs_Front) == 2 * sizeof(void *));
_Pycs_ASSERT(ssize_is_one_word, sizeof(Py_ssize_t) == sizeof(void *));
#ifndef Py_LIMITED_API
_Pycs_ASSERT(count_comes_first,
             offsetof(PyHeapExtensibleTypeObject, etp_custom_slot_count) == sizeof(PyHeapTypeObject));
_Pycs_ASSERT(five_words_are_added,
             sizeof(PyHeapExtensibleTypeObject) == sizeof(PyHeapTypeObject) + 5 * sizeof(void *));
#endif

/* ------------------------------------------------------------------ slot IDs --
 *
 * Static IDs have the lowest bit set and are allocated once and for all:
 *
 *     31      24 23               8 7         1 0
 *    +----------+------------------+-----------+-+
 *    | registrar|      idea        |  version  |1|     higher bits are 0
 *    +----------+------------------+-----------+-+
 *
 * The version counts backwards-incompatible changes of the idea. Pointer IDs have the lowest bit
 * clear: they are addresses, and the owner of the address owns the ID.  PyCustomSlots_Intern()
 * makes one from a string.
 */
/* [ids.begin] */
#define PyCustomSlots_EMPTY ((uintptr_t)0)  /**< an unused position; never found */
#define PyCustomSlots_SKIP  ((uintptr_t)1)  /**< padding before an expected position; never found */

#define PyCustomSlots_REGISTRAR_INTERNAL 0x01   /**< never in anything released */
#define PyCustomSlots_REGISTRAR_CYTHON   0x02   /**< IDs that Cython deals out */
#define PyCustomSlots_REGISTRAR_NUMPY    0x03   /**< IDs that NumPy deals out */
#define PyCustomSlots_REGISTRAR_NUMFOCUS 0x04   /**< IDs of SEPs */

/** A static ID, see above: a constant expression if the arguments are. */
#define PyCustomSlots_ID(registrar, idea, version)          \
    ((((uintptr_t)(registrar) & 0xFFu) << 24)               \
     | (((uintptr_t)(idea) & 0xFFFFu) << 8)                 \
     | (((uintptr_t)(version) & 0x7Fu) << 1) | (uintptr_t)1)
/* [ids.end] */

/** A published table has at least this many entries in memory and is never replaced by
   one with fewer.  So an expected position below it needs no test against the count.
   Behind its last entry stands an EMPTY one, and no other is EMPTY. */
/* [capacity.begin] */
#define PyCustomSlots_MIN_CAPACITY 4
/* [capacity.end] */

#include "_customslots/compilers.h"

/* ------------------------------------------------------------------ the test --
 *
 * "Does this type object carry a table?" must be answered for every type object, and most end long before etp_check.
 * docs/abi.md ("The test") has the steps and why they are right.  etp_check is the type's own address XOR a constant,
 * so that no foreign data and no copy matches.  The mark is negative because subtype_traverse() takes a positive
 * ob_size for a number of __slots__ members while Cython fakes the heap flag.
 */
/* [check.begin] */
#if UINTPTR_MAX > 0xFFFFFFFFu
#  define _Pycs_READY      ((uintptr_t)0x5E9200C5A17B3D05u)  /* ...05: table ABI 5 */
#  define _Pycs_UNFINISHED ((uintptr_t)0x5E9200C5A17B2D05u)
#else
#  define _Pycs_READY      ((uintptr_t)0x5E92A105u)
#  define _Pycs_UNFINISHED ((uintptr_t)0x5E92B105u)
#endif
#define _Pycs_STATIC_MARK ((Py_ssize_t)-0x5E9202)            /* in ob_size */
/* [check.end] */

/* STAMPS: these CPythons are known to use only the lower half of a tp_flags of 64 bits.  The upper
   half is the type's stamp, read and written by itself, so that code which changes the lower half
   is not disturbed.  The stamp is neither 0 nor ~0, because a type object's address is even. */
/* [stamp.begin] */
#if ULONG_MAX > 0xFFFFFFFFu && !defined(_MSC_VER) && !defined(PYPY_VERSION) \
    && (PY_VERSION_HEX < 0x03100000 || defined(Py_LIMITED_API))         /* which looks at the running one */
#  define _Pycs_STAMPS 1
#  define _Pycs_STAMP(type) ((uint32_t)(uintptr_t)(type) + 0x5E92050Bu)   /* ..05..: table ABI 5 */
typedef uint32_t __attribute__((may_alias)) _Pycs_Half;
#  define _Pycs_UPPER_OF(flags) ((_Pycs_Half *)(flags) + (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__))
#  define _Pycs_UPPER(type)     _Pycs_UPPER_OF(&(type)->tp_flags)
#else
#  define _Pycs_STAMPS 0
#endif
/* [stamp.end] */

/* SUPPORTED: type objects have room for a table.  PyPy has only what the process shares: names and
   registered slots. */
#ifdef PYPY_VERSION
#  define _Pycs_SUPPORTED 0
#else
#  define _Pycs_SUPPORTED 1
#endif

#include "_customslots/layouts.h"

/* Does the type have a stamp?  Then it passes the test; without one, the rest of the test decides. */
_Pycs_FAST int
_Pycs_IsStamped(PyTypeObject *type)
{
#if _Pycs_STAMPS && defined(Py_LIMITED_API)
    const Py_ssize_t head = _Pycs_Head();
    return _Pycs_LIKELY(head > 0) && _Pycs_LOAD(
        _Pycs_Half, _Pycs_UPPER_OF(_Pycs_Word(type, head, _Pycs_TP_FLAGS))) == _Pycs_STAMP(type);
#elif _Pycs_STAMPS
    return _Pycs_LOAD(_Pycs_Half, _Pycs_UPPER(type)) == _Pycs_STAMP(type);
#else
    (void)type;
    return 0;
#endif
}

_Pycs_FAST int
_Pycs_IsHeap(PyTypeObject *type)
{
    return (_Pycs_FLAGS(type) & Py_TPFLAGS_HEAPTYPE) != 0;
}

/* May the words behind PyHeapTypeObject be read?  Step 1 of the test: yes for heap types, and for
   static types that have the mark. */
_Pycs_UNUSED static inline int
_Pycs_HasMemory(PyTypeObject *type)
{
    return (_Pycs_FLAGS(type) & Py_TPFLAGS_HEAPTYPE) != 0 || _Pycs_OB_SIZE(type) == _Pycs_STATIC_MARK;
}

/* Does a type have a table, if its words may be read?  Readers do not look at the bit in which finished and
   unfinished classes differ. */
_Pycs_FAST int
_Pycs_Passes(PyTypeObject *type)
{
    return ((_Pycs_LOAD(uintptr_t, &_Pycs_CAST(type)->etp_check) ^ (uintptr_t)type)
            | (_Pycs_READY ^ _Pycs_UNFINISHED)) == (_Pycs_READY | _Pycs_UNFINISHED);
}

/* The test of static types without the mark: walks along tp_base, and ends at `object`, which is plain. */
_Pycs_SLOW PyTypeObject *
_Pycs_FindOwnerSlow(PyTypeObject *type)
{
    while (!_Pycs_HasMemory(type)) {
        if (_Pycs_OB_TYPE((PyObject *)type) == &PyType_Type || (type = _Pycs_BASE(type)) == NULL) return NULL;
    }
    return _Pycs_Passes(type) ? type : NULL;
}

/* The test: 1 if the table of `type` counts, 0 if there is none, -1 if FindOwnerSlow() has to decide. */
_Pycs_FAST int
_Pycs_Test(PyTypeObject *type)
{
    if (!_Pycs_SUPPORTED) return 0;
    if (_Pycs_LIKELY(_Pycs_IsStamped(type))) {
        return 1;
    }
    if (_Pycs_OB_TYPE((PyObject *)type) == &PyType_Type) {
        return 0;
    }
    return _Pycs_HasMemory(type) ? _Pycs_Passes(type) : -1;
}

/* The type (this one or a base) whose table counts for `type`; NULL: none. */
_Pycs_FAST PyTypeObject *
_Pycs_FindOwner(PyTypeObject *type)
{
    int known = _Pycs_Test(type);
    if (known > 0) {
        return type;
    }
    return known == 0 ? NULL : _Pycs_FindOwnerSlow(type);
}

/* The table of a type that passes the test. */
_Pycs_FAST PyCustomSlot *
_Pycs_TableOf(PyTypeObject *type)
{
    return _Pycs_LOAD(PyCustomSlot *, &_Pycs_CAST(type)->etp_custom_slots);
}

_Pycs_FAST const _Pycs_Front *
_Pycs_FrontOf(const PyCustomSlot *table)
{
    return (const _Pycs_Front *)(const void *)table - 1;
}

_Pycs_UNUSED static inline const _Pycs_Looks *
_Pycs_LooksOf(const PyCustomSlot *table)
{
    return _Pycs_LOAD(const _Pycs_Looks *, _Pycs_FrontOf(table)->looks);
}

/* -------------------------------------------------------------- consumer API --
 *
 * Each function comes twice: for an object and, with the suffix Type, for the type
 * of such objects.
 */

/** 1 if instances of `type` carry a slot table (which may hold no slot), 0 if not. */
_Pycs_FAST int
PyCustomSlots_CheckType(PyTypeObject *type)
{
    return _Pycs_FindOwner(type) != NULL;
}

/* The type that has the count and the table for `type` as a whole; NULL: none. */
_Pycs_UNUSED static inline PyTypeObject *
_Pycs_FindWhole(PyTypeObject *type)
{
    const PyCustomSlot *table;
    if ((type = _Pycs_FindOwner(type)) == NULL) return NULL;
    table = _Pycs_TableOf(type);
    return table->id != PyCustomSlots_EMPTY ? type : _Pycs_LooksOf(table)->whole(type);
}

/** Number of entries in the table, SKIP and EMPTY positions included; 0 if there is
   no table. */
_Pycs_FAST Py_ssize_t
PyCustomSlots_CountType(PyTypeObject *type)
{
    return (type = _Pycs_FindWhole(type)) == NULL
           ? 0 : _Pycs_LOAD(Py_ssize_t, &_Pycs_CAST(type)->etp_custom_slot_count);
}

/** The table, NULL if there is none.  Read the count first and the table afterwards:
   a table never gets shorter in memory, so entries below any earlier count can be
   read.  The table must not be written to. */
_Pycs_FAST PyCustomSlot *
PyCustomSlots_TableType(PyTypeObject *type)
{
    return (type = _Pycs_FindWhole(type)) == NULL ? NULL : _Pycs_TableOf(type);
}

/* Part of the ABI: how `absent` is read. */
/* [place.begin] */
_Pycs_UNUSED static inline uint32_t
_Pycs_Hash(uintptr_t id)
{
    uint32_t hash = (uint32_t)(id >> 1) * 0x9E3779B1u;
    return hash ^ (hash >> 15);
}

/* The bit of an ID in `absent`. */
_Pycs_UNUSED static inline uintptr_t
_Pycs_Bit(uintptr_t id)
{
    return (uintptr_t)1 << _Pycs_Hash(id) % (8 * sizeof(uintptr_t));
}
/* [place.end] */

/* Finds a slot that is not at the expected position, of a type that passes the test and has this table. */
_Pycs_SLOW PyCustomSlot *
_Pycs_FindElsewhere(PyTypeObject *type, PyCustomSlot *table, uintptr_t id)
{
    return _Pycs_LooksOf(table)->find(type, table, id);
}

_Pycs_SLOW PyCustomSlot *
_Pycs_FindTypeSlow(PyTypeObject *type, uintptr_t id)
{
    if ((type = _Pycs_FindOwnerSlow(type)) == NULL || id <= PyCustomSlots_SKIP) return NULL;
    return _Pycs_FindElsewhere(type, _Pycs_TableOf(type), id);
}

/** The slot with this ID in the type's table, or NULL if there is none.  (PyCustomSlots_FindAnyType(), which needs
   the GIL, also finds slots registered for types without room for a table, such as those of pybind11 and nanobind.)

   `expected_pos` is the position the protocol recommends to its providers (0 if it
   names none); it is looked at first.  A constant below PyCustomSlots_MIN_CAPACITY
   is the fastest: a slot found there costs one load more than a vtable in the
   object itself.  Any value is allowed; elsewhere a slot is found a few nanoseconds later.
   PyCustomSlots_EMPTY and PyCustomSlots_SKIP are never found.
   The slot is borrowed and must not be written to. */
_Pycs_FAST PyCustomSlot *
PyCustomSlots_FindType(PyTypeObject *type, uintptr_t id, Py_ssize_t expected_pos)
{
    int known = _Pycs_Test(type);
    if (known > 0) {
        PyCustomSlot *table = _Pycs_TableOf(type);
        if (id <= PyCustomSlots_SKIP) {
            return NULL;
        }
        if ((size_t)expected_pos < PyCustomSlots_MIN_CAPACITY
                && _Pycs_CLANG_LIKELY(table[expected_pos].id == id)) {
            return table + expected_pos;
        }
        if ((_Pycs_FrontOf(table)->absent & _Pycs_Bit(id)) != 0) {
            return NULL;
        }
        return _Pycs_FindElsewhere(type, table, id);
    }
    return known == 0 ? NULL : _Pycs_FindTypeSlow(type, id);
}

/** PyCustomSlots_CheckType() of the type of `obj`, which must not be NULL. */
_Pycs_FAST int
PyCustomSlots_Check(PyObject *obj)
{
    return PyCustomSlots_CheckType(_Pycs_OB_TYPE(obj));
}

/** PyCustomSlots_CountType() of the type of `obj`, which must not be NULL. */
_Pycs_FAST Py_ssize_t
PyCustomSlots_Count(PyObject *obj)
{
    return PyCustomSlots_CountType(_Pycs_OB_TYPE(obj));
}

/** PyCustomSlots_TableType() of the type of `obj`, which must not be NULL. */
_Pycs_FAST PyCustomSlot *
PyCustomSlots_Table(PyObject *obj)
{
    return PyCustomSlots_TableType(_Pycs_OB_TYPE(obj));
}

/** PyCustomSlots_FindType() of the type of `obj`, which must not be NULL. */
_Pycs_FAST PyCustomSlot *
PyCustomSlots_Find(PyObject *obj, uintptr_t id, Py_ssize_t expected_pos)
{
    return PyCustomSlots_FindType(_Pycs_OB_TYPE(obj), id, expected_pos);
}

/* The parts are C like the above.  They include nothing and are included only here, so they need no guards. */
#include "_customslots/repr.h"
#include "_customslots/integers.h"
#include "_customslots/process.h"
#include "_customslots/lock.h"
#include "_customslots/table.h"
#include "_customslots/intern.h"
#include "_customslots/register.h"
#include "_customslots/bridge.h"
#include "_customslots/interface.h"

#ifdef __cplusplus
}
#endif

#endif /* Py_CUSTOMSLOTS_H */
