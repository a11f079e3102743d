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
 *   - On PyPy and GraalPy all of this compiles and finds nothing.  What the end of this
 *     header includes, names and slots of registered types, works on PyPy, too, with the GIL.
 */
#ifndef Py_CUSTOMSLOTS_H
#define Py_CUSTOMSLOTS_H

#include <Python.h>
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#if !defined(_WIN32)
#  include <sched.h>
#  include <unistd.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** The layout of this file's structs: see "versions" in docs/abi.md, which has the others, too.  It is
   part of the constants behind etp_check: a type laid out for another table ABI does not pass the test,
   so a consumer finds nothing in it and never reads it wrongly. */
/* [version.begin] */
#define PyCustomSlots_ABI_VERSION 4
#define PyCustomSlots_VERSION     "0.1.0"       /**< of the package that this text comes from */
#define PyCustomSlots_VERSION_HEX 0x000100F0    /**< the same, as PY_VERSION_HEX has it */
/* [version.end] */

/* -------------------------------------------------------------------- layout -- */

/** The word of a slot that belongs to the protocol.  Which member is meant is part
   of what the ID says. */
/* [PyCustomSlot.begin] */
typedef union {
    void       *pointer;    /**< a vtable, a function table, run-time type information */
    Py_ssize_t  objoffset;  /**< bytes from the PyObject * to a field of the instance */
    uintptr_t   flags;      /**< a number, or nothing: the slot alone says it */
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
   Who writes: the provider before PyExtensibleType_Ready(), afterwards only the
   implementation behind extensibletype.h.  Who reads: the functions below. */
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

/* What stands directly in front of the entries of every published table: which slots a class
   declared itself, and what answers a look-up without going through the table.  The declared slots
   stand there three times: as they count in classes below it that are not
   finished; as they count there if no class of the MRO has them in its first part; and as it
   declared them.  Classes share tables; the declaration is that of `owner` alone.  Written before
   the table is published, except `owner`, which becomes NULL when that type dies. */
/* [PyCustomSlotsDeclared.begin] */
typedef struct {
    PyTypeObject *owner;     /* who declared them; borrowed, to be compared only */
    PyCustomSlot *own;       /* what: three times own_count entries, EMPTY and SKIP among them */
    Py_ssize_t    own_count;
    uint32_t     *index;     /* where each ID stands, see PlaceOf(); NULL: go through the table */
    uintptr_t     absent;    /* a bit by hash, see Bit(): no entry has an ID with this bit */
} _Pycs_Declared;
/* [PyCustomSlotsDeclared.end] */

/* Layout assertions at file scope; an array of size -1 names the one that failed. */
#define _Pycs_ASSERT(name, condition) typedef char _Pycs_assert_##name[(condition) ? 1 : -1]
_Pycs_ASSERT(slot_is_two_words, sizeof(PyCustomSlot) == 2 * sizeof(void *));
_Pycs_ASSERT(data_is_one_word, sizeof(PyCustomSlotData) == sizeof(void *));
_Pycs_ASSERT(data_follows_id, offsetof(PyCustomSlot, data) == sizeof(uintptr_t));
_Pycs_ASSERT(declared_is_five_words, sizeof(_Pycs_Declared) == 5 * sizeof(void *));
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
 * The version is that of a backwards-incompatible change of the idea.
 * Pointer IDs have the lowest bit clear: they are addresses, and the owner of the
 * address owns the ID.  PyCustomSlots_Intern() makes one from a string.
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
 * "Does this type object carry a table?" must be answered for every type object, and most end
 * long before etp_check.  docs/abi.md ("The test") has the steps and why they are right:
 *
 *  0. A type with a stamp carries one; a type without, whose metaclass is `type` itself, does not.
 *  1. The words may be read in a heap type, which CPython allocates with a spare PyMemberDef of five
 *     words, and in a static type whose ob_size, which CPython does not use, holds our mark.  The mark is
 *     negative because subtype_traverse() takes a positive one for a number of __slots__ members
 *     while Cython fakes the heap flag.
 *  2. etp_check is the type's own address XOR a constant, so that no foreign data and no copy matches.
 *     A second constant says that the class is not finished: its bases count or, when one slot is
 *     looked up, what the classes of its MRO declare.
 *  3. For a static subclass that knows nothing of us, the table of its tp_base counts.
 */
/* [check.begin] */
#if UINTPTR_MAX > 0xFFFFFFFFu
#  define _Pycs_READY      ((uintptr_t)0x5E9200C5A17B3D04u)  /* ...04: table ABI 4 */
#  define _Pycs_UNFINISHED ((uintptr_t)0x5E9200C5E84C6904u)
#else
#  define _Pycs_READY      ((uintptr_t)0x5E92A104u)
#  define _Pycs_UNFINISHED ((uintptr_t)0x5E92E804u)
#endif
#define _Pycs_STATIC_MARK ((Py_ssize_t)-0x5E9202)            /* in ob_size */
/* [check.end] */

/* STAMPS: these CPythons are known to use only the lower half of tp_flags, where it has two.  The
   stamp of a type is read and written by itself, as the upper half, so that code which changes the
   lower one is not disturbed.  It is neither 0 nor ~0, because a type object's address is even. */
/* [stamp.begin] */
#if ULONG_MAX > 0xFFFFFFFFu && PY_VERSION_HEX < 0x03100000 && !defined(_MSC_VER) \
    && !defined(Py_LIMITED_API) && !defined(PYPY_VERSION) && !defined(GRAALVM_PYTHON)
#  define _Pycs_STAMPS 1
#  define _Pycs_STAMP(type) ((uint32_t)(uintptr_t)(type) + 0x5E92040Bu)   /* ..04..: table ABI 4 */
typedef uint32_t __attribute__((may_alias)) _Pycs_Half;
#  define _Pycs_UPPER(type) \
     ((_Pycs_Half *)&(type)->tp_flags + (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__))
#else
#  define _Pycs_STAMPS 0
#endif
/* [stamp.end] */

/* SUPPORTED: type objects have room for a table.  SHARES: the process has a table for names and
   for what is registered, which is all there is on PyPy. */
#if defined(PYPY_VERSION) || defined(GRAALVM_PYTHON)
#  define _Pycs_SUPPORTED 0
#else
#  define _Pycs_SUPPORTED 1
#endif
#if defined(GRAALVM_PYTHON)
#  define _Pycs_SHARES 0
#else
#  define _Pycs_SHARES 1
#endif

#ifndef Py_LIMITED_API
typedef PyHeapExtensibleTypeObject _Pycs_Type;
#  define _Pycs_CAST(type)   ((_Pycs_Type *)(type))
#  define _Pycs_FLAGS(type)  _Pycs_LOAD(unsigned long, &(type)->tp_flags)
#  define _Pycs_BASE(type)   _Pycs_LOAD(PyTypeObject *, &(type)->tp_base)
#  define _Pycs_BASES(type)  _Pycs_LOAD(PyObject *, &(type)->tp_bases)
#  define _Pycs_TYPE_AT(types, i) ((PyTypeObject *)PyTuple_GET_ITEM((types), (i)))
#else
/* Under the limited API (3.10 and later) the size of PyHeapTypeObject is that of
   the running interpreter, read once; only that first read needs the GIL, and
   takes it.  Before CPython 3.12, taking it would deadlock in a sub-interpreter: the thread already
   has the GIL, and would wait for it with a thread state of the main interpreter.  There
   tp_basicsize is read directly from its place in the type object. */
typedef struct {
    Py_ssize_t    etp_custom_slot_count;
    PyCustomSlot *etp_custom_slots;
    uintptr_t     etp_check;
} _Pycs_Type;

_Pycs_SLOW Py_ssize_t
_Pycs_ReadOffset(Py_ssize_t *cache)
{
    const char *version = Py_GetVersion();
    PyGILState_STATE gil;
    PyObject *type, *value, *traceback, *size;
    Py_ssize_t offset;
    if (strncmp(version, "3.10.", 5) == 0 || strncmp(version, "3.11.", 5) == 0) {
        offset = *(Py_ssize_t *)((char *)&PyType_Type + sizeof(PyVarObject) + sizeof(const char *));
        _Pycs_STORE(Py_ssize_t, cache, offset);
        return offset;
    }
    gil = PyGILState_Ensure();
    PyErr_Fetch(&type, &value, &traceback);
    size = PyObject_GetAttrString((PyObject *)&PyType_Type, "__basicsize__");
    offset = size != NULL ? PyLong_AsSsize_t(size) : 0;
    Py_XDECREF(size);
    PyErr_Restore(type, value, traceback);
    _Pycs_STORE(Py_ssize_t, cache, offset);
    PyGILState_Release(gil);
    return offset;
}

_Pycs_FAST _Pycs_Type *
_Pycs_CAST(PyTypeObject *type)
{
    static Py_ssize_t cache = 0;
    Py_ssize_t offset = _Pycs_LOAD(Py_ssize_t, &cache);
    if (offset == 0) {
        offset = _Pycs_ReadOffset(&cache);
    }
    return (_Pycs_Type *)((char *)type + offset);
}
#  define _Pycs_FLAGS(type)  PyType_GetFlags(type)
#  define _Pycs_BASE(type)   ((PyTypeObject *)PyType_GetSlot((type), Py_tp_base))
#  define _Pycs_BASES(type)  ((PyObject *)PyType_GetSlot((type), Py_tp_bases))
#  define _Pycs_TYPE_AT(types, i) ((PyTypeObject *)PyTuple_GetItem((types), (i)))
#endif

/* Has the type a stamp?  Then it passes the test; without one, the rest of the test decides. */
_Pycs_FAST int
_Pycs_IsStamped(PyTypeObject *type)
{
#if _Pycs_STAMPS
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

/* May the words behind PyHeapTypeObject be read?  Step 1 of the test: yes of heap
   types, and of static types that have the mark. */
_Pycs_UNUSED static inline int
_Pycs_HasMemory(PyTypeObject *type)
{
    return (_Pycs_FLAGS(type) & Py_TPFLAGS_HEAPTYPE) != 0 || ((PyVarObject *)type)->ob_size == _Pycs_STATIC_MARK;
}

/* Is the class unfinished?  Each class is while its __set_name__ and __init_subclass__ run. */
_Pycs_UNUSED static inline int
_Pycs_IsUnfinished(PyTypeObject *type)
{
    return _Pycs_HasMemory(type)
           && _Pycs_LOAD(uintptr_t, &_Pycs_CAST(type)->etp_check) == ((uintptr_t)type ^ _Pycs_UNFINISHED);
}

/* Does the type carry a table of its own, being finished?  To be asked again after tp_bases or tp_mro of
   an unfinished type was read, and before that is followed: another thread finishes a type before it assigns
   its bases, and the bases and MRO that it had until then live as long as the type. */
_Pycs_UNUSED static inline int
_Pycs_HasTable(PyTypeObject *type)
{
    return _Pycs_HasMemory(type)
           && _Pycs_LOAD(uintptr_t, &_Pycs_CAST(type)->etp_check) == ((uintptr_t)type ^ _Pycs_READY);
}

/* The rest of the test, for types that do not pass the first part: walks along tp_base from
   static types, and goes through the bases of an unfinished type, of which the first that has a
   table counts.  The walk ends at `object`, which is static and plain. */
_Pycs_SLOW _Pycs_Type *
_Pycs_FindOwnerSlow(PyTypeObject *type)
{
    while (!_Pycs_HasMemory(type)) {
        if (Py_TYPE((PyObject *)type) == &PyType_Type || (type = _Pycs_BASE(type)) == NULL) return NULL;
    }
    if (_Pycs_IsUnfinished(type)) {
        PyObject *bases = _Pycs_BASES(type);
        _Pycs_Type *owner = NULL;
        Py_ssize_t i, count;
        if (!_Pycs_HasTable(type)) {
            count = bases != NULL ? PyTuple_Size(bases) : 0;
            for (i = 0; owner == NULL && i < count; i++) owner = _Pycs_FindOwnerSlow(_Pycs_TYPE_AT(bases, i));
            return owner;
        }
    }
    return _Pycs_HasTable(type) ? _Pycs_CAST(type) : NULL;
}

/* The test: 1, the table of `type` counts; 0, there is none; -1, the slow functions know. */
_Pycs_FAST int
_Pycs_Test(PyTypeObject *type)
{
    if (!_Pycs_SUPPORTED) return 0;
    if (_Pycs_LIKELY(_Pycs_IsStamped(type))) {
        return 1;
    }
    if (Py_TYPE((PyObject *)type) == &PyType_Type) {
        return 0;
    }
    if (_Pycs_HasMemory(type)) {
        uintptr_t check = _Pycs_LOAD(uintptr_t, &_Pycs_CAST(type)->etp_check)
                          ^ (uintptr_t)type;
        if (check != _Pycs_UNFINISHED) {
            return check == _Pycs_READY;
        }
    }
    return -1;
}

/* The type (this one or a base) whose table counts for `type`; NULL: none. */
_Pycs_FAST _Pycs_Type *
_Pycs_FindOwner(PyTypeObject *type)
{
    int known = _Pycs_Test(type);
    if (known > 0) {
        return _Pycs_CAST(type);
    }
    return known == 0 ? NULL : _Pycs_FindOwnerSlow(type);
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

/** Number of entries in the table, SKIP and EMPTY positions included; 0 if there is
   no table. */
_Pycs_FAST Py_ssize_t
PyCustomSlots_CountType(PyTypeObject *type)
{
    _Pycs_Type *owner = _Pycs_FindOwner(type);
    return owner == NULL ? 0 : _Pycs_LOAD(Py_ssize_t, &owner->etp_custom_slot_count);
}

/** The table, NULL if there is none.  Read the count first and the table afterwards:
   a table never gets shorter in memory, so entries below any earlier count can be
   read.  The table must not be written to. */
_Pycs_FAST PyCustomSlot *
PyCustomSlots_TableType(PyTypeObject *type)
{
    _Pycs_Type *owner = _Pycs_FindOwner(type);
    return owner == NULL ? NULL : _Pycs_LOAD(PyCustomSlot *, &owner->etp_custom_slots);
}

/* What is in front of the table of a type that passes the test. */
_Pycs_UNUSED static inline const _Pycs_Declared *
_Pycs_Front(const PyCustomSlot *table)
{
    return (const _Pycs_Declared *)(const void *)table - 1;
}

/* Part of the ABI: how `absent` and `index` are read. */
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

/* The cell of an ID in an index: index[0] is the number of cells - 1, a power of two - 1; a cell
   holds 1 + the position of an entry, or 0 if it is free, as some are. */
_Pycs_UNUSED static inline uint32_t *
_Pycs_PlaceOf(const PyCustomSlot *table, uint32_t *index, uintptr_t id)
{
    const uint32_t mask = index[0];
    uint32_t i = _Pycs_Hash(id) & mask;
    while (index[1 + i] != 0 && table[index[1 + i] - 1].id != id) i = (i + 1) & mask;
    return &index[1 + i];
}
/* [place.end] */

/* Finds a slot anywhere in the table.  (Only the look at an expected position below
   MIN_CAPACITY is inlined into callers.) */
_Pycs_SLOW PyCustomSlot *
_Pycs_Scan(_Pycs_Type *owner, uintptr_t id)
{
    PyCustomSlot *table = _Pycs_LOAD(PyCustomSlot *, &owner->etp_custom_slots);
    const _Pycs_Declared *front = _Pycs_Front(table);

    if (front->index != NULL) {
        const uint32_t place = *_Pycs_PlaceOf(table, front->index, id);
        return place != 0 ? table + (place - 1) : NULL;
    }
    for (; table->id != PyCustomSlots_EMPTY; table++) {
        if (table->id == id) {
            return table;
        }
    }
    return NULL;
}

#ifndef Py_LIMITED_API
/* The slot that `type` declared under this ID, not one that it inherits; NULL: none.  `part`: 0 or,
   for what counts after everything in that part, 1. */
_Pycs_UNUSED static inline PyCustomSlot *
_Pycs_FindDeclared(PyTypeObject *type, uintptr_t id, int part)
{
    const _Pycs_Declared *declared;
    PyCustomSlot *own;
    Py_ssize_t i;
    if (!_Pycs_HasTable(type)) return NULL;
    declared = _Pycs_Front(_Pycs_LOAD(PyCustomSlot *, &_Pycs_CAST(type)->etp_custom_slots));
    if (_Pycs_LOAD(PyTypeObject *, &declared->owner) != type) return NULL;
    own = declared->own + part * declared->own_count;
    for (i = 0; i < declared->own_count; i++) {
        if (own[i].id == id) return &own[i];
    }
    return NULL;
}

/* The slot that an unfinished class `self` will have: what the nearest class of its MRO
   declares.  If none of them does, what its primary table has, which is that of its tp_base,
   `base`, or, if that is not in the MRO or has no slots, of the nearest class with slots. */
_Pycs_SLOW PyCustomSlot *
_Pycs_FindInMro(PyTypeObject *self, PyObject *mro, PyTypeObject *base, uintptr_t id)
{
    _Pycs_Type *primary = NULL;
    PyCustomSlot *slot;
    Py_ssize_t i;
    int part;
    for (part = 0; part < 2; part++) {
        for (i = 0; i < PyTuple_GET_SIZE(mro); i++) {
            PyTypeObject *type = _Pycs_TYPE_AT(mro, i);
            if (type == self) continue;
            if ((slot = _Pycs_FindDeclared(type, id, part)) != NULL) return slot;
            if (primary == NULL || type == base) {
                _Pycs_Type *owner = _Pycs_FindOwner(type);
                if (owner != NULL && _Pycs_LOAD(PyCustomSlot *, &owner->etp_custom_slots)
                                         ->id != PyCustomSlots_EMPTY) primary = owner;
            }
        }
    }
    return primary != NULL ? _Pycs_Scan(primary, id) : NULL;
}
#endif

_Pycs_SLOW PyCustomSlot *
_Pycs_FindTypeSlow(PyTypeObject *type, uintptr_t id)
{
    _Pycs_Type *owner;
    if (id <= PyCustomSlots_SKIP) {
        return NULL;
    }
    if (_Pycs_IsUnfinished(type)) {
        PyObject *bases = _Pycs_BASES(type);
        PyCustomSlot *found = NULL;
        Py_ssize_t i, count;
#ifndef Py_LIMITED_API
        PyTypeObject *base = _Pycs_BASE(type);
        PyObject *mro = _Pycs_LOAD(PyObject *, &type->tp_mro);
#endif
        if (_Pycs_HasTable(type)) {
            return _Pycs_Scan(_Pycs_CAST(type), id);
        }
#ifndef Py_LIMITED_API
        if (mro != NULL) return _Pycs_FindInMro(type, mro, base, id);
#endif
        /* Without its MRO: that of the first base that has it.  (By the MRO it may be that of another base.) */
        count = bases != NULL ? PyTuple_Size(bases) : 0;
        for (i = 0; found == NULL && i < count; i++) found = _Pycs_FindTypeSlow(_Pycs_TYPE_AT(bases, i), id);
        return found;
    }
    owner = _Pycs_FindOwnerSlow(type);
    return owner != NULL ? _Pycs_Scan(owner, id) : NULL;
}

/** The slot with this ID in the type's table, or NULL if there is none: what is registered for a type without
   room for a table, as those of pybind11 and nanobind, PyCustomSlots_FindAnyType() finds, too, with the GIL.

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
        _Pycs_Type *owner = _Pycs_CAST(type);
        if (id <= PyCustomSlots_SKIP) {
            return NULL;
        }
        if ((size_t)expected_pos < PyCustomSlots_MIN_CAPACITY) {
            PyCustomSlot *table = _Pycs_LOAD(PyCustomSlot *, &owner->etp_custom_slots);
            if (_Pycs_CLANG_LIKELY(table[expected_pos].id == id)) {
                return table + expected_pos;
            }
            if ((_Pycs_Front(table)->absent & _Pycs_Bit(id)) != 0) {
                return NULL;
            }
        }
        return _Pycs_Scan(owner, id);
    }
    return known == 0 ? NULL : _Pycs_FindTypeSlow(type, id);
}

/** PyCustomSlots_CheckType() of the type of `obj`, which must not be NULL. */
_Pycs_FAST int
PyCustomSlots_Check(PyObject *obj)
{
    return PyCustomSlots_CheckType(Py_TYPE(obj));
}

/** PyCustomSlots_CountType() of the type of `obj`, which must not be NULL. */
_Pycs_FAST Py_ssize_t
PyCustomSlots_Count(PyObject *obj)
{
    return PyCustomSlots_CountType(Py_TYPE(obj));
}

/** PyCustomSlots_TableType() of the type of `obj`, which must not be NULL. */
_Pycs_FAST PyCustomSlot *
PyCustomSlots_Table(PyObject *obj)
{
    return PyCustomSlots_TableType(Py_TYPE(obj));
}

/** PyCustomSlots_FindType() of the type of `obj`, which must not be NULL. */
_Pycs_FAST PyCustomSlot *
PyCustomSlots_Find(PyObject *obj, uintptr_t id, Py_ssize_t expected_pos)
{
    return PyCustomSlots_FindType(Py_TYPE(obj), id, expected_pos);
}

/* The parts, which are C like the above, include nothing, and are included here alone: they need no guards. */
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
