/* [cython-customslots: begin typedmethod.h] */
/* SPDX-License-Identifier: MIT; the comments are in the file. */
#ifndef Py_TYPEDMETHOD_H
#define Py_TYPEDMETHOD_H
/* [cython-customslots: begin customslots.h] */
/* SPDX-License-Identifier: MIT; the comments are in the file. */
#ifndef Py_CUSTOMSLOTS_H
#define Py_CUSTOMSLOTS_H
#include <Python.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#ifdef __cplusplus
extern "C" {
#endif
#define PyCustomSlots_ABI_VERSION 4
#define PyCustomSlots_VERSION     "0.1.0"
#define PyCustomSlots_VERSION_HEX 0x000100F0
typedef union {
    void       *pointer;
    Py_ssize_t  objoffset;
    uintptr_t   flags;
} PyCustomSlotData;

typedef struct {
    uintptr_t        id;
    PyCustomSlotData data;
} PyCustomSlot;

#ifndef Py_LIMITED_API
typedef struct {
    PyHeapTypeObject etp_heaptype;
    Py_ssize_t       etp_custom_slot_count;
    PyCustomSlot    *etp_custom_slots;
    uintptr_t        etp_check;
    void            *etp_private;
    void            *etp_extension;
} PyHeapExtensibleTypeObject;

#endif
typedef struct {
    PyTypeObject *owner;
    PyCustomSlot *own;
    Py_ssize_t    own_count;
    uint32_t     *index;
    uintptr_t     absent;
} _PyCustomSlots_Declared;

typedef char _PyCustomSlots_assert_slot_is_two_words
    [sizeof(PyCustomSlot) == 2 * sizeof(void *) ? 1 : -1];
typedef char _PyCustomSlots_assert_data_is_one_word
    [sizeof(PyCustomSlotData) == sizeof(void *) ? 1 : -1];
typedef char _PyCustomSlots_assert_data_follows_id
    [offsetof(PyCustomSlot, data) == sizeof(uintptr_t) ? 1 : -1];
typedef char _PyCustomSlots_assert_declared_is_five_words
    [sizeof(_PyCustomSlots_Declared) == 5 * sizeof(void *) ? 1 : -1];
typedef char _PyCustomSlots_assert_ssize_is_one_word
    [sizeof(Py_ssize_t) == sizeof(void *) ? 1 : -1];
#ifndef Py_LIMITED_API
typedef char _PyCustomSlots_assert_count_comes_first
    [offsetof(PyHeapExtensibleTypeObject, etp_custom_slot_count)
         == sizeof(PyHeapTypeObject) ? 1 : -1];
typedef char _PyCustomSlots_assert_five_words_are_added
    [sizeof(PyHeapExtensibleTypeObject)
         == sizeof(PyHeapTypeObject) + 5 * sizeof(void *) ? 1 : -1];
#endif
#define PyCustomSlots_EMPTY ((uintptr_t)0)
#define PyCustomSlots_SKIP  ((uintptr_t)1)
#define PyCustomSlots_REGISTRAR_INTERNAL 0x01
#define PyCustomSlots_REGISTRAR_CYTHON   0x02
#define PyCustomSlots_REGISTRAR_NUMPY    0x03
#define PyCustomSlots_REGISTRAR_NUMFOCUS 0x04
#define PyCustomSlots_ID(registrar, idea, version)          \
    ((((uintptr_t)(registrar) & 0xFFu) << 24)               \
     | (((uintptr_t)(idea) & 0xFFFFu) << 8)                 \
     | (((uintptr_t)(version) & 0x7Fu) << 1) | (uintptr_t)1)

#define PyCustomSlots_MIN_CAPACITY 4
#if defined(__GNUC__) || defined(__clang__)
#  define _PyCustomSlots_LOAD(T, p)     __atomic_load_n((T *)(p), __ATOMIC_ACQUIRE)
#  define _PyCustomSlots_STORE(T, p, v) __atomic_store_n((T *)(p), (v), __ATOMIC_RELEASE)
#  define _PyCustomSlots_UNUSED         __attribute__((unused))
#  define _PyCustomSlots_NOINLINE       __attribute__((noinline, unused))
#  define _PyCustomSlots_SLOW           __attribute__((noinline, cold, unused)) static
#  define _PyCustomSlots_HOT            __attribute__((noinline, hot, unused)) static
#  if defined(__OPTIMIZE__) && !defined(__OPTIMIZE_SIZE__)
#    define _PyCustomSlots_FAST         __attribute__((always_inline, unused)) static inline
#  else
#    define _PyCustomSlots_FAST         __attribute__((unused)) static inline
#  endif
#  define _PyCustomSlots_LIKELY(x)      __builtin_expect(!!(x), 1)
#elif defined(_MSC_VER)
#  include <intrin.h>
#  if defined(_M_ARM64) || defined(_M_ARM64EC)
#    define _PyCustomSlots_LOAD(T, p) \
         ((T)(sizeof(T) == 8 ? (uintptr_t)__ldar64((unsigned __int64 volatile *)(p)) \
                             : (uintptr_t)__ldar32((unsigned __int32 volatile *)(p))))
#    define _PyCustomSlots_STORE(T, p, v) \
         (sizeof(T) == 8 \
          ? __stlr64((unsigned __int64 volatile *)(p), (unsigned __int64)(uintptr_t)(v)) \
          : __stlr32((unsigned __int32 volatile *)(p), (unsigned __int32)(uintptr_t)(v)))
#  else
#    define _PyCustomSlots_LOAD(T, p)     (*(T volatile *)(p))
#    define _PyCustomSlots_STORE(T, p, v) (*(T volatile *)(p) = (v))
#  endif
#  define _PyCustomSlots_UNUSED
#  define _PyCustomSlots_NOINLINE       __declspec(noinline)
#  define _PyCustomSlots_SLOW           __declspec(noinline) static
#  define _PyCustomSlots_HOT            __declspec(noinline) static
#  define _PyCustomSlots_FAST           static __forceinline
#  define _PyCustomSlots_LIKELY(x)      (x)
#else
#  error "customslots.h needs GCC, clang or MSVC for its atomic loads"
#endif
#ifdef __clang__
#  define _PyCustomSlots_CLANG_LIKELY(x) _PyCustomSlots_LIKELY(x)
#else
#  define _PyCustomSlots_CLANG_LIKELY(x) (x)
#endif
#if (defined(__GNUC__) || defined(__clang__)) && !defined(_WIN32) && !defined(__CYGWIN__)
#  define _PyCustomSlots_HIDDEN __attribute__((visibility("hidden")))
#else
#  define _PyCustomSlots_HIDDEN
#endif
#if UINTPTR_MAX > 0xFFFFFFFFu
#  define _PyCustomSlots_READY      ((uintptr_t)0x5E9200C5A17B3D04u)
#  define _PyCustomSlots_UNRESOLVED ((uintptr_t)0x5E9200C5E84C6904u)
#else
#  define _PyCustomSlots_READY      ((uintptr_t)0x5E92A104u)
#  define _PyCustomSlots_UNRESOLVED ((uintptr_t)0x5E92E804u)
#endif
#define _PyCustomSlots_STATIC_MARK ((Py_ssize_t)-0x5E9202)
#if ULONG_MAX > 0xFFFFFFFFu && PY_VERSION_HEX < 0x03100000 && !defined(_MSC_VER) \
    && !defined(Py_LIMITED_API) && !defined(PYPY_VERSION) && !defined(GRAALVM_PYTHON)
#  define _PyCustomSlots_STAMPS 1
#  define _PyCustomSlots_STAMP(type) ((uint32_t)(uintptr_t)(type) + 0x5E92040Bu)
typedef uint32_t __attribute__((may_alias)) _PyCustomSlots_Half;
#  define _PyCustomSlots_UPPER(type) \
     ((_PyCustomSlots_Half *)&(type)->tp_flags + (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__))
#else
#  define _PyCustomSlots_STAMPS 0
#endif
#if defined(PYPY_VERSION) || defined(GRAALVM_PYTHON)
#  define _PyCustomSlots_SUPPORTED 0
#else
#  define _PyCustomSlots_SUPPORTED 1
#endif
#if defined(GRAALVM_PYTHON)
#  define _PyCustomSlots_SHARES 0
#else
#  define _PyCustomSlots_SHARES 1
#endif
#ifndef Py_LIMITED_API
typedef PyHeapExtensibleTypeObject _PyCustomSlots_Type;
#  define _PyCustomSlots_CAST(type)   ((_PyCustomSlots_Type *)(type))
#  define _PyCustomSlots_FLAGS(type)  _PyCustomSlots_LOAD(unsigned long, &(type)->tp_flags)
#  define _PyCustomSlots_BASE(type)   _PyCustomSlots_LOAD(PyTypeObject *, &(type)->tp_base)
#  define _PyCustomSlots_BASES(type)  _PyCustomSlots_LOAD(PyObject *, &(type)->tp_bases)
#else
typedef struct {
    Py_ssize_t    etp_custom_slot_count;
    PyCustomSlot *etp_custom_slots;
    uintptr_t     etp_check;
} _PyCustomSlots_Type;

_PyCustomSlots_SLOW Py_ssize_t
_PyCustomSlots_ReadOffset(Py_ssize_t *cache)
{
    const char *version = Py_GetVersion();
    PyGILState_STATE gil;
    PyObject *type, *value, *traceback, *size;
    Py_ssize_t offset;
    if (strncmp(version, "3.10.", 5) == 0 || strncmp(version, "3.11.", 5) == 0) {
        offset = *(Py_ssize_t *)((char *)&PyType_Type + sizeof(PyVarObject) + sizeof(const char *));
        _PyCustomSlots_STORE(Py_ssize_t, cache, offset);
        return offset;
    }
    gil = PyGILState_Ensure();
    PyErr_Fetch(&type, &value, &traceback);
    size = PyObject_GetAttrString((PyObject *)&PyType_Type, "__basicsize__");
    offset = size != NULL ? PyLong_AsSsize_t(size) : 0;
    Py_XDECREF(size);
    PyErr_Restore(type, value, traceback);
    _PyCustomSlots_STORE(Py_ssize_t, cache, offset);
    PyGILState_Release(gil);
    return offset;
}

_PyCustomSlots_FAST _PyCustomSlots_Type *
_PyCustomSlots_CAST(PyTypeObject *type)
{
    static Py_ssize_t cache = 0;
    Py_ssize_t offset = _PyCustomSlots_LOAD(Py_ssize_t, &cache);
    if (offset == 0) {
        offset = _PyCustomSlots_ReadOffset(&cache);
    }
    return (_PyCustomSlots_Type *)((char *)type + offset);
}
#  define _PyCustomSlots_FLAGS(type)  PyType_GetFlags(type)
#  define _PyCustomSlots_BASE(type)   ((PyTypeObject *)PyType_GetSlot((type), Py_tp_base))
#  define _PyCustomSlots_BASES(type)  ((PyObject *)PyType_GetSlot((type), Py_tp_bases))
#endif
_PyCustomSlots_FAST int
_PyCustomSlots_IsStamped(PyTypeObject *type)
{
#if _PyCustomSlots_STAMPS
    return _PyCustomSlots_LOAD(_PyCustomSlots_Half, _PyCustomSlots_UPPER(type))
               == _PyCustomSlots_STAMP(type);
#else
    (void)type;
    return 0;
#endif
}

_PyCustomSlots_FAST int
_PyCustomSlots_IsHeap(PyTypeObject *type)
{
    return (_PyCustomSlots_FLAGS(type) & Py_TPFLAGS_HEAPTYPE) != 0;
}

_PyCustomSlots_FAST int
_PyCustomSlots_IsMarked(PyTypeObject *type)
{
    return ((PyVarObject *)type)->ob_size == _PyCustomSlots_STATIC_MARK;
}

_PyCustomSlots_UNUSED static inline int
_PyCustomSlots_HasMemory(PyTypeObject *type)
{
    return _PyCustomSlots_IsHeap(type) || _PyCustomSlots_IsMarked(type);
}

_PyCustomSlots_UNUSED static inline int
_PyCustomSlots_IsUnfinished(PyTypeObject *type)
{
    return _PyCustomSlots_HasMemory(type)
           && _PyCustomSlots_LOAD(uintptr_t, &_PyCustomSlots_CAST(type)->etp_check)
                  == ((uintptr_t)type ^ _PyCustomSlots_UNRESOLVED);
}

_PyCustomSlots_UNUSED static inline int
_PyCustomSlots_IsReady(PyTypeObject *type)
{
    return _PyCustomSlots_LOAD(uintptr_t, &_PyCustomSlots_CAST(type)->etp_check)
               == ((uintptr_t)type ^ _PyCustomSlots_READY);
}

_PyCustomSlots_SLOW _PyCustomSlots_Type *
_PyCustomSlots_FindOwnerSlow(PyTypeObject *type)
{
    while (type != NULL && !_PyCustomSlots_HasMemory(type)) {
        if (Py_TYPE((PyObject *)type) == &PyType_Type) {
            return NULL;
        }
        type = _PyCustomSlots_BASE(type);
    }
    if (type != NULL && _PyCustomSlots_IsUnfinished(type)) {
        PyObject *bases = _PyCustomSlots_BASES(type);
        _PyCustomSlots_Type *owner = NULL;
        Py_ssize_t i, count;
        if (!_PyCustomSlots_IsReady(type)) {
            count = bases != NULL ? PyTuple_Size(bases) : 0;
            for (i = 0; owner == NULL && i < count; i++) {
                owner = _PyCustomSlots_FindOwnerSlow((PyTypeObject *)PyTuple_GetItem(bases, i));
            }
            return owner;
        }
    }
    return type != NULL && _PyCustomSlots_IsReady(type) ? _PyCustomSlots_CAST(type) : NULL;
}

_PyCustomSlots_FAST int
_PyCustomSlots_Test(PyTypeObject *type)
{
    if (_PyCustomSlots_LIKELY(_PyCustomSlots_IsStamped(type))) {
        return 1;
    }
    if (Py_TYPE((PyObject *)type) == &PyType_Type) {
        return 0;
    }
    if (_PyCustomSlots_HasMemory(type)) {
        uintptr_t check = _PyCustomSlots_LOAD(uintptr_t, &_PyCustomSlots_CAST(type)->etp_check)
                          ^ (uintptr_t)type;
        if (check != _PyCustomSlots_UNRESOLVED) {
            return check == _PyCustomSlots_READY;
        }
    }
    return -1;
}

_PyCustomSlots_FAST _PyCustomSlots_Type *
_PyCustomSlots_FindOwner(PyTypeObject *type)
{
#if _PyCustomSlots_SUPPORTED
    int known = _PyCustomSlots_Test(type);
    if (known > 0) {
        return _PyCustomSlots_CAST(type);
    }
    return known == 0 ? NULL : _PyCustomSlots_FindOwnerSlow(type);
#else
    (void)type;
    return NULL;
#endif
}

_PyCustomSlots_FAST int
PyCustomSlots_CheckType(PyTypeObject *type)
{
    return _PyCustomSlots_FindOwner(type) != NULL;
}

_PyCustomSlots_FAST Py_ssize_t
PyCustomSlots_CountType(PyTypeObject *type)
{
    _PyCustomSlots_Type *owner = _PyCustomSlots_FindOwner(type);
    return owner == NULL ? 0
           : _PyCustomSlots_LOAD(Py_ssize_t, &owner->etp_custom_slot_count);
}

_PyCustomSlots_FAST PyCustomSlot *
PyCustomSlots_TableType(PyTypeObject *type)
{
    _PyCustomSlots_Type *owner = _PyCustomSlots_FindOwner(type);
    return owner == NULL ? NULL
           : _PyCustomSlots_LOAD(PyCustomSlot *, &owner->etp_custom_slots);
}

_PyCustomSlots_UNUSED static inline const _PyCustomSlots_Declared *
_PyCustomSlots_Front(const PyCustomSlot *table)
{
    return (const _PyCustomSlots_Declared *)(const void *)table - 1;
}

_PyCustomSlots_UNUSED static inline uint32_t
_PyCustomSlots_Hash(uintptr_t id)
{
    uint32_t hash = (uint32_t)(id >> 1) * 0x9E3779B1u;
    return hash ^ (hash >> 15);
}

_PyCustomSlots_UNUSED static inline uintptr_t
_PyCustomSlots_Bit(uintptr_t id)
{
    return (uintptr_t)1 << _PyCustomSlots_Hash(id) % (8 * sizeof(uintptr_t));
}

_PyCustomSlots_UNUSED static inline uint32_t *
_PyCustomSlots_PlaceOf(const PyCustomSlot *table, uint32_t *index, uintptr_t id)
{
    const uint32_t mask = index[0];
    uint32_t i = _PyCustomSlots_Hash(id) & mask;
    while (index[1 + i] != 0 && table[index[1 + i] - 1].id != id) i = (i + 1) & mask;
    return &index[1 + i];
}

_PyCustomSlots_SLOW PyCustomSlot *
_PyCustomSlots_Scan(_PyCustomSlots_Type *owner, uintptr_t id)
{
    PyCustomSlot *table = _PyCustomSlots_LOAD(PyCustomSlot *, &owner->etp_custom_slots);
    const _PyCustomSlots_Declared *front = _PyCustomSlots_Front(table);

    if (front->index != NULL) {
        const uint32_t place = *_PyCustomSlots_PlaceOf(table, front->index, id);
        return place != 0 ? table + (place - 1) : NULL;
    }
    for (; table->id != PyCustomSlots_EMPTY; table++) {
        if (table->id == id) {
            return table;
        }
    }
    return NULL;
}

_PyCustomSlots_SLOW PyCustomSlot *
_PyCustomSlots_FindTypeSlow(PyTypeObject *type, uintptr_t id);

_PyCustomSlots_SLOW PyCustomSlot *
_PyCustomSlots_FindInBases(PyObject *bases, uintptr_t id)
{
    const Py_ssize_t count = bases != NULL ? PyTuple_Size(bases) : 0;
    PyCustomSlot *found = NULL;
    Py_ssize_t i;
    for (i = 0; found == NULL && i < count; i++) {
        found = _PyCustomSlots_FindTypeSlow((PyTypeObject *)PyTuple_GetItem(bases, i), id);
    }
    return found;
}

#ifndef Py_LIMITED_API
_PyCustomSlots_UNUSED static inline PyCustomSlot *
_PyCustomSlots_FindDeclared(PyTypeObject *type, uintptr_t id, int part)
{
    const _PyCustomSlots_Declared *declared;
    PyCustomSlot *own;
    Py_ssize_t i;
    if (!_PyCustomSlots_HasMemory(type) || !_PyCustomSlots_IsReady(type)) return NULL;
    declared = _PyCustomSlots_Front(_PyCustomSlots_LOAD(
        PyCustomSlot *, &_PyCustomSlots_CAST(type)->etp_custom_slots));
    if (_PyCustomSlots_LOAD(PyTypeObject *, &declared->owner) != type) return NULL;
    own = declared->own + part * declared->own_count;
    for (i = 0; i < declared->own_count; i++) {
        if (own[i].id == id) return &own[i];
    }
    return NULL;
}

_PyCustomSlots_SLOW PyCustomSlot *
_PyCustomSlots_FindInMro(PyTypeObject *self, PyObject *mro, PyTypeObject *base, uintptr_t id)
{
    _PyCustomSlots_Type *primary = NULL;
    PyCustomSlot *slot;
    Py_ssize_t i;
    int part;
    for (part = 0; part < 2; part++) {
        for (i = 0; i < PyTuple_GET_SIZE(mro); i++) {
            PyTypeObject *type = (PyTypeObject *)PyTuple_GET_ITEM(mro, i);
            if (type == self) continue;
            if ((slot = _PyCustomSlots_FindDeclared(type, id, part)) != NULL) return slot;
            if (primary == NULL || type == base) {
                _PyCustomSlots_Type *owner = _PyCustomSlots_FindOwner(type);
                if (owner != NULL && _PyCustomSlots_LOAD(PyCustomSlot *, &owner->etp_custom_slots)
                                         ->id != PyCustomSlots_EMPTY) primary = owner;
            }
        }
    }
    return primary != NULL ? _PyCustomSlots_Scan(primary, id) : NULL;
}
#endif
_PyCustomSlots_SLOW PyCustomSlot *
_PyCustomSlots_FindTypeSlow(PyTypeObject *type, uintptr_t id)
{
    _PyCustomSlots_Type *owner;
    if (id <= PyCustomSlots_SKIP) {
        return NULL;
    }
    if (_PyCustomSlots_IsUnfinished(type)) {
        PyObject *bases = _PyCustomSlots_BASES(type);
#ifndef Py_LIMITED_API
        PyTypeObject *base = _PyCustomSlots_BASE(type);
        PyObject *mro = _PyCustomSlots_LOAD(PyObject *, &type->tp_mro);
#endif
        if (_PyCustomSlots_IsReady(type)) {
            return _PyCustomSlots_Scan(_PyCustomSlots_CAST(type), id);
        }
#ifndef Py_LIMITED_API
        if (mro != NULL) return _PyCustomSlots_FindInMro(type, mro, base, id);
#endif
        return _PyCustomSlots_FindInBases(bases, id);
    }
    owner = _PyCustomSlots_FindOwnerSlow(type);
    return owner != NULL ? _PyCustomSlots_Scan(owner, id) : NULL;
}

_PyCustomSlots_FAST PyCustomSlot *
PyCustomSlots_FindType(PyTypeObject *type, uintptr_t id, Py_ssize_t expected_pos)
{
#if _PyCustomSlots_SUPPORTED
    int known = _PyCustomSlots_Test(type);
    if (known > 0) {
        _PyCustomSlots_Type *owner = _PyCustomSlots_CAST(type);
        if (id <= PyCustomSlots_SKIP) {
            return NULL;
        }
        if ((size_t)expected_pos < PyCustomSlots_MIN_CAPACITY) {
            PyCustomSlot *table = _PyCustomSlots_LOAD(PyCustomSlot *, &owner->etp_custom_slots);
            if (_PyCustomSlots_CLANG_LIKELY(table[expected_pos].id == id)) {
                return table + expected_pos;
            }
            if ((_PyCustomSlots_Front(table)->absent & _PyCustomSlots_Bit(id)) != 0) {
                return NULL;
            }
        }
        return _PyCustomSlots_Scan(owner, id);
    }
    return known == 0 ? NULL : _PyCustomSlots_FindTypeSlow(type, id);
#else
    (void)type;
    (void)id;
    (void)expected_pos;
    return NULL;
#endif
}

_PyCustomSlots_FAST int
PyCustomSlots_Check(PyObject *obj)
{
    return PyCustomSlots_CheckType(Py_TYPE(obj));
}

_PyCustomSlots_FAST Py_ssize_t
PyCustomSlots_Count(PyObject *obj)
{
    return PyCustomSlots_CountType(Py_TYPE(obj));
}

_PyCustomSlots_FAST PyCustomSlot *
PyCustomSlots_Table(PyObject *obj)
{
    return PyCustomSlots_TableType(Py_TYPE(obj));
}

_PyCustomSlots_FAST PyCustomSlot *
PyCustomSlots_Find(PyObject *obj, uintptr_t id, Py_ssize_t expected_pos)
{
    return PyCustomSlots_FindType(Py_TYPE(obj), id, expected_pos);
}

#ifdef __cplusplus
}
#endif
#ifndef Py_CUSTOMSLOTS_SHOW_H
#define Py_CUSTOMSLOTS_SHOW_H
#ifdef __cplusplus
extern "C" {
#endif
#define _PyCustomSlots_SHOWN 200
#ifdef Py_LIMITED_API
#  define _PyCustomSlots_LENGTH(text) PyUnicode_GetLength(text)
#else
#  define _PyCustomSlots_LENGTH(text) PyUnicode_GET_LENGTH(text)
#endif
_PyCustomSlots_UNUSED static int
_PyCustomSlots_IsReplaceable(void)
{
    return PyErr_ExceptionMatches(PyExc_Exception)
           && !PyErr_ExceptionMatches(PyExc_MemoryError);
}

_PyCustomSlots_UNUSED static Py_ssize_t
_PyCustomSlots_LengthToShow(PyObject *object)
{

    if (PyBytes_Check(object) || PyTuple_Check(object) || PyList_Check(object)) return Py_SIZE(object);
    return PyDict_Check(object) ? PyDict_Size(object) : 0;
}

_PyCustomSlots_UNUSED static PyObject *
_PyCustomSlots_ShowLongInteger(PyObject *number)
{
    PyObject *text = PyNumber_ToBase(number, 16);
    if (text != NULL && _PyCustomSlots_LENGTH(text) <= _PyCustomSlots_SHOWN) Py_CLEAR(text);
    return text;
}

_PyCustomSlots_UNUSED static PyObject *
_PyCustomSlots_ShowPlainly(PyObject *object)
{
#if defined(Py_LIMITED_API) || defined(PYPY_VERSION)
    return PyObject_CallMethod((PyObject *)&PyBaseObject_Type, "__repr__", "(O)", object);
#else
    return PyBaseObject_Type.tp_repr(object);
#endif
}

_PyCustomSlots_SLOW PyObject *
_PyCustomSlots_Show(PyObject *object)
{
    const Py_ssize_t length = _PyCustomSlots_LengthToShow(object);
    PyObject *whole = NULL, *result = NULL;

    if (length > _PyCustomSlots_SHOWN) {
        if ((whole = _PyCustomSlots_ShowPlainly(object)) != NULL) {
            result = PyUnicode_FromFormat("%U of length %zd", whole, length);
        }
        goto done;
    }
    if (PyLong_Check(object)) whole = _PyCustomSlots_ShowLongInteger(object);
    if (whole == NULL && !PyErr_Occurred()) whole = PyObject_Repr(object);
    if (whole == NULL) {
        if (!_PyCustomSlots_IsReplaceable()) goto done;
        PyErr_Clear();
        if (!(whole = _PyCustomSlots_ShowPlainly(object))) goto done;
    }
    result = PyUnicode_FromFormat("%.200U%s", whole,
                                  _PyCustomSlots_LENGTH(whole) > _PyCustomSlots_SHOWN ? "..." : "");
done:
    Py_XDECREF(whole);
    return result;
}

#ifdef __cplusplus
}
#endif
#endif
#ifndef Py_CUSTOMSLOTS_PROCESS_H
#define Py_CUSTOMSLOTS_PROCESS_H
#include <stdlib.h>
#ifdef __cplusplus
extern "C" {
#endif
#if _PyCustomSlots_SHARES
#ifdef PYPY_VERSION
#  define _PyCustomSlots_STATE "the module sys"
#else
#  define _PyCustomSlots_STATE "the state dictionary of the interpreter"
#endif
_PyCustomSlots_UNUSED static void
_PyCustomSlots_RefuseEntry(const char *what, PyObject *found, const char *key,
                           const char *expected)
{
    PyObject *shown = _PyCustomSlots_Show(found);
    if (shown == NULL) return;
    PyErr_Format(PyExc_RuntimeError,
                 "%s: found %U under '%s' in " _PyCustomSlots_STATE ", "
                 "expected %s; something else took this entry, remove it", what, shown, key,
                 expected);
    Py_DECREF(shown);
}

_PyCustomSlots_UNUSED static int
_PyCustomSlots_SharedFromDict(PyObject *dict, const char *what, const char *name,
                              void *given, size_t size, PyCapsule_Destructor destructor,
                              void **found)
{
    PyObject *key = NULL, *capsule = NULL, *held;
    void *fresh = NULL;
    int result = -1;

    *found = NULL;

    if (!(key = PyUnicode_FromString(name))) goto done;
    held = PyDict_GetItemWithError(dict, key);
    Py_XINCREF(held);
    if (held == NULL && PyErr_Occurred()) goto done;
    if (held == NULL && (given != NULL || size != 0)) {
        if (given == NULL && !(fresh = calloc(1, size))) {
            PyErr_NoMemory();
            goto done;
        }
        capsule = PyCapsule_New(given != NULL ? given : fresh, name, NULL);
        if (capsule == NULL) goto done;
        held = PyObject_CallMethod(dict, "setdefault", "OO", key, capsule);
        if (held == NULL) goto done;
        if (held == capsule) {

            if (fresh != NULL) (void)PyCapsule_SetDestructor(capsule, destructor);
            fresh = NULL;
        }
    }
    if (held != NULL) {
        if (!PyCapsule_IsValid(held, name)) {
            _PyCustomSlots_RefuseEntry(what, held, name, "a capsule of that name");
            Py_DECREF(held);
            goto done;
        }
        *found = PyCapsule_GetPointer(held, name);
        Py_DECREF(held);
    }
    result = 0;
done:
    Py_XDECREF(key);
    Py_XDECREF(capsule);
    free(fresh);
    return result;
}

_PyCustomSlots_UNUSED static PyObject *
_PyCustomSlots_StateDict(void)
{
#ifdef PYPY_VERSION
    PyObject *sys = PyImport_AddModule("sys");
    if (sys == NULL) PyErr_Clear();
    return sys != NULL ? PyModule_GetDict(sys) : NULL;
#else
    PyInterpreterState *interp = PyInterpreterState_Get();
    PyObject *dict;
#if defined(Py_GIL_DISABLED) && !defined(Py_LIMITED_API)
    Py_BEGIN_CRITICAL_SECTION(&PyType_Type);
    dict = PyInterpreterState_GetDict(interp);
    Py_END_CRITICAL_SECTION();
#else
    dict = PyInterpreterState_GetDict(interp);
#endif
    return dict;
#endif
}

_PyCustomSlots_UNUSED static int
_PyCustomSlots_IsMain(void)
{
#ifdef PYPY_VERSION
    return 1;
#else
    return PyInterpreterState_GetID(PyInterpreterState_Get()) == 0;
#endif
}

_PyCustomSlots_UNUSED static void *
_PyCustomSlots_GetShared(const char *what, const char *name, size_t size,
                         PyCapsule_Destructor destructor)
{
    PyObject *dict = _PyCustomSlots_StateDict();
    void *shared = NULL;

    if (dict == NULL) {
        PyErr_Format(PyExc_RuntimeError, "%s: this interpreter has no state dictionary "
                     "(it is starting or ending)", what);
        return NULL;
    }
    if (_PyCustomSlots_IsMain()) {
        (void)_PyCustomSlots_SharedFromDict(dict, what, name, NULL, size, destructor, &shared);
        return shared;
    }
    if (_PyCustomSlots_SharedFromDict(dict, what, name, NULL, 0, NULL, &shared) < 0) return NULL;
    if (shared != NULL) return shared;
#ifdef PYPY_VERSION
    return NULL;
#elif defined(Py_LIMITED_API)
    PyErr_Format(PyExc_RuntimeError,
                 "%s: the limited API cannot reach the main interpreter from a "
                 "sub-interpreter; call it in the main interpreter first, or build "
                 "without Py_LIMITED_API", what);
    return NULL;
#else
    {

        PyInterpreterState *main_interp = PyInterpreterState_Main();
        PyThreadState *here = PyThreadState_Get();
        PyThreadState *there = PyGILState_GetThisThreadState();
        PyThreadState *made = NULL;
        void *kept;
        int failed;

        if (there == NULL || PyThreadState_GetInterpreter(there) != main_interp) {
            there = made = PyThreadState_New(main_interp);
            if (there == NULL) {
                PyErr_NoMemory();
                return NULL;
            }
        }
        PyThreadState_Swap(there);
        dict = _PyCustomSlots_StateDict();
        failed = dict == NULL || _PyCustomSlots_SharedFromDict(dict, what, name, NULL, size,
                                                               destructor, &shared) < 0;
        PyErr_Clear();
        if (made != NULL) PyThreadState_Clear(made);
        PyThreadState_Swap(here);
        if (made != NULL) PyThreadState_Delete(made);
        if (failed || shared == NULL) {
            PyErr_Format(PyExc_RuntimeError,
                         "%s: what the process shares as '%s' could not be had from the "
                         "main interpreter (something else took the entry in its state "
                         "dictionary, there is no memory, or the process is ending)",
                         what, name);
            return NULL;
        }
        dict = _PyCustomSlots_StateDict();
        if (_PyCustomSlots_SharedFromDict(dict, what, name, shared, 0, NULL, &kept) < 0) {
            return NULL;
        }
        return shared;
    }
#endif
}

#endif
#ifdef __cplusplus
}
#endif
#endif
#ifndef Py_CUSTOMSLOTS_LOCK_H
#define Py_CUSTOMSLOTS_LOCK_H
#include <assert.h>
#if !defined(_WIN32)
#  include <sched.h>
#  include <unistd.h>
#endif
#ifdef __cplusplus
extern "C" {
#endif
#if _PyCustomSlots_SHARES
_PyCustomSlots_UNUSED static inline uintptr_t
_PyCustomSlots_ProcessNumber(void)
{
#if defined(_WIN32) || defined(__wasi__)
    return 1;
#else
    return (uintptr_t)getpid();
#endif
}

_PyCustomSlots_UNUSED static inline int
_PyCustomSlots_SwapWord(uintptr_t *word, uintptr_t former, uintptr_t fresh)
{
#if defined(__GNUC__) || defined(__clang__)
    return __atomic_compare_exchange_n(word, &former, fresh, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
#else
    return _InterlockedCompareExchangePointer((void *volatile *)word, (void *)fresh, (void *)former)
           == (void *)former;
#endif
}

_PyCustomSlots_UNUSED static void
_PyCustomSlots_LockWord(uintptr_t *word)
{
    const uintptr_t self = _PyCustomSlots_ProcessNumber();
    for (;;) {
        uintptr_t owner = _PyCustomSlots_LOAD(uintptr_t, word);
        if (owner != self && _PyCustomSlots_SwapWord(word, owner, self)) return;
#if !defined(_WIN32)
        (void)sched_yield();
#endif
    }
}

#define _PyCustomSlots_ASSERT_WORD_LOCKED(word) \
    assert(_PyCustomSlots_LOAD(uintptr_t, (word)) == _PyCustomSlots_ProcessNumber())

_PyCustomSlots_UNUSED static inline void
_PyCustomSlots_UnlockWord(uintptr_t *word)
{
    _PyCustomSlots_ASSERT_WORD_LOCKED(word);
    _PyCustomSlots_STORE(uintptr_t, word, 0);
}

#endif
#ifdef __cplusplus
}
#endif
#endif
#ifndef Py_CUSTOMSLOTS_TABLE_H
#define Py_CUSTOMSLOTS_TABLE_H
#include <stdlib.h>
#ifdef __cplusplus
extern "C" {
#endif
#if _PyCustomSlots_SHARES
#define _PyCustomSlots_TABLE_KEY "_customslots_table_v2"
#define _PyCustomSlots_ANSWERS   4096
typedef struct {
    uintptr_t   key;
    const void *value;
} _PyCustomSlots_Cell;

typedef struct _PyCustomSlots_Cells {
    struct _PyCustomSlots_Cells *former;
    size_t                       mask;
    size_t                       used;
    _PyCustomSlots_Cell          cells[1];
} _PyCustomSlots_Cells;

typedef struct {
    uintptr_t     sequence;
    PyTypeObject *type;
    uintptr_t     id;
    uintptr_t     generation;
    uintptr_t     version;
    PyObject     *mro;
    void         *interpreter;
    const PyCustomSlot *slot;
} _PyCustomSlots_Answer;

struct _PyTypedMethod_ReachNode;

typedef struct {
    _PyCustomSlots_Cells *cells;
    uintptr_t ids[4];
    uintptr_t generation;
    uintptr_t types;
    uintptr_t closed;
    uintptr_t owner;
    struct _PyTypedMethod_ReachNode *reaches;
    void     *extension;
    _PyCustomSlots_Answer answers[_PyCustomSlots_ANSWERS];
} _PyCustomSlots_ProcessTable;

#define _PyCustomSlots_KEY_ADDRESS 0u
#define _PyCustomSlots_KEY_SLOTS   1u
#define _PyCustomSlots_KEY_NAME    2u
#define _PyCustomSlots_KEY_INTERFACE 3u
#define _PyCustomSlots_KEY_KIND    3u
_PyCustomSlots_UNUSED static inline size_t
_PyCustomSlots_HashKey(uintptr_t key)
{
    uintptr_t hash = (key >> 4) * (uintptr_t)0x9E3779B1u;
    return (size_t)(hash ^ (hash >> 15));
}

_PyCustomSlots_UNUSED static inline const void *
_PyCustomSlots_ValueOf(_PyCustomSlots_Cells *cells, uintptr_t key)
{
    size_t mask = cells->mask, i = _PyCustomSlots_HashKey(key) & mask;
    for (;;) {
        uintptr_t there = _PyCustomSlots_LOAD(uintptr_t, &cells->cells[i].key);
        if (there == key) return _PyCustomSlots_LOAD(const void *, &cells->cells[i].value);
        if (there == 0) return NULL;
        i = (i + 1) & mask;
    }
}

_PyCustomSlots_UNUSED static inline _PyCustomSlots_ProcessTable **
_PyCustomSlots_TableCache(void)
{
    static _PyCustomSlots_ProcessTable *cache = NULL;
    return &cache;
}

_PyCustomSlots_UNUSED static void
_PyCustomSlots_CloseTable(PyObject *capsule)
{
    _PyCustomSlots_ProcessTable *table = (_PyCustomSlots_ProcessTable *)PyCapsule_GetPointer(
        capsule, _PyCustomSlots_TABLE_KEY);
    int i;
    if (table == NULL) {
        PyErr_Clear();
        return;
    }
    _PyCustomSlots_LockWord(&table->owner);
    for (i = 0; i < 4; i++) _PyCustomSlots_STORE(uintptr_t, &table->ids[i], ~(uintptr_t)0);
    _PyCustomSlots_STORE(uintptr_t, &table->closed, 1);
    _PyCustomSlots_STORE(_PyCustomSlots_Cells *, &table->cells, NULL);
    _PyCustomSlots_STORE(uintptr_t, &table->generation, (uintptr_t)-1);
    _PyCustomSlots_UnlockWord(&table->owner);
}

_PyCustomSlots_UNUSED static inline int
_PyCustomSlots_IsFinalizing(void)
{
#if PY_VERSION_HEX >= 0x030D0000 && (!defined(Py_LIMITED_API) || Py_LIMITED_API + 0 >= 0x030D0000)
    return Py_IsFinalizing();
#elif !defined(Py_LIMITED_API)
    return _Py_IsFinalizing();
#else
    return 0;
#endif
}

_PyCustomSlots_SLOW _PyCustomSlots_ProcessTable *
_PyCustomSlots_SeekTable(const char *what)
{
    PyObject *type = NULL, *value = NULL, *traceback = NULL;
    _PyCustomSlots_ProcessTable *table;
    if (what == NULL) {

        if (_PyCustomSlots_IsFinalizing()) return NULL;
        PyErr_Fetch(&type, &value, &traceback);
    }
    table = (_PyCustomSlots_ProcessTable *)_PyCustomSlots_GetShared(
        what != NULL ? what : "PyCustomSlots_FindAny", _PyCustomSlots_TABLE_KEY,
        sizeof(*table), _PyCustomSlots_CloseTable);
    if (table != NULL) {
        _PyCustomSlots_STORE(_PyCustomSlots_ProcessTable *, _PyCustomSlots_TableCache(), table);
    }
    if (what == NULL) PyErr_Restore(type, value, traceback);
    return table;
}

_PyCustomSlots_UNUSED static inline _PyCustomSlots_ProcessTable *
_PyCustomSlots_GetTable(const char *what)
{
    _PyCustomSlots_ProcessTable *table
        = _PyCustomSlots_LOAD(_PyCustomSlots_ProcessTable *, _PyCustomSlots_TableCache());
    if (table != NULL && !_PyCustomSlots_LOAD(uintptr_t, &table->closed)) return table;
    return _PyCustomSlots_SeekTable(what);
}

_PyCustomSlots_UNUSED static inline _PyCustomSlots_Cell *
_PyCustomSlots_CellOf(_PyCustomSlots_Cells *cells, uintptr_t key)
{
    size_t i = _PyCustomSlots_HashKey(key) & cells->mask;
    while (cells->cells[i].key != 0 && cells->cells[i].key != key) i = (i + 1) & cells->mask;
    return &cells->cells[i];
}

_PyCustomSlots_UNUSED static inline const void *
_PyCustomSlots_PresentValue(_PyCustomSlots_ProcessTable *table, uintptr_t key)
{
    _PyCustomSlots_ASSERT_WORD_LOCKED(&table->owner);
    return table->cells == NULL ? NULL : _PyCustomSlots_ValueOf(table->cells, key);
}

_PyCustomSlots_UNUSED static inline void
_PyCustomSlots_PutInto(_PyCustomSlots_Cells *cells, uintptr_t key, const void *value)
{
    _PyCustomSlots_Cell *cell = _PyCustomSlots_CellOf(cells, key);
    _PyCustomSlots_STORE(const void *, &cell->value, value);
    if (cell->key == 0) {
        _PyCustomSlots_STORE(uintptr_t, &cell->key, key);
        cells->used++;
    }
}

_PyCustomSlots_UNUSED static inline void
_PyCustomSlots_PutValue(_PyCustomSlots_ProcessTable *table, uintptr_t key, const void *value)
{
    _PyCustomSlots_ASSERT_WORD_LOCKED(&table->owner);
    _PyCustomSlots_PutInto(table->cells, key, value);
}

_PyCustomSlots_UNUSED static int
_PyCustomSlots_ReserveCells(_PyCustomSlots_ProcessTable *table, size_t more)
{
    _PyCustomSlots_Cells *former = table->cells, *fresh;
    size_t count = former == NULL ? 256 : 2 * (former->mask + 1), live = 0, i;
    _PyCustomSlots_ASSERT_WORD_LOCKED(&table->owner);

    if (table->closed) return -1;
    if (former != NULL && 4 * (former->used + more) <= former->mask + 1) return 0;
    for (i = 0; former != NULL && i <= former->mask; i++) live += former->cells[i].value != NULL;
    while (count < 6 * (live + more)) count *= 2;
    fresh = (_PyCustomSlots_Cells *)calloc(
        1, sizeof(*fresh) + (count - 1) * sizeof(fresh->cells[0]));
    if (fresh == NULL) return -1;
    fresh->former = former;
    fresh->mask = count - 1;
    for (i = 0; former != NULL && i <= former->mask; i++) {
        if (former->cells[i].value != NULL) {
            _PyCustomSlots_PutInto(fresh, former->cells[i].key, former->cells[i].value);
        }
    }
    _PyCustomSlots_STORE(_PyCustomSlots_Cells *, &table->cells, fresh);
    return 0;
}

#endif
#ifdef __cplusplus
}
#endif
#endif
#ifndef Py_CUSTOMSLOTS_INTERN_H
#define Py_CUSTOMSLOTS_INTERN_H
#include <stdlib.h>
#ifdef __cplusplus
extern "C" {
#endif
typedef struct _PyCustomSlots_Name {
    struct _PyCustomSlots_Name *next;
    size_t length;
    char   text[1];
} _PyCustomSlots_Name;

#if !_PyCustomSlots_SHARES
_PyCustomSlots_UNUSED static uintptr_t
PyCustomSlots_Intern(const char *name)
{
    (void)name;
    PyErr_SetString(PyExc_NotImplementedError,
                    "PyCustomSlots_Intern: slots exist on CPython and PyPy only, and this is "
                    "another Python; test for these before interning");
    return 0;
}

#else
_PyCustomSlots_UNUSED static inline uintptr_t
_PyCustomSlots_NameKey(const char *text, size_t length)
{
    uint32_t hash = 2166136261u;
    size_t i;
    for (i = 0; i < length; i++) hash = (hash ^ (unsigned char)text[i]) * 16777619u;
    return ((uintptr_t)hash << 2) | _PyCustomSlots_KEY_NAME;
}

_PyCustomSlots_UNUSED static inline const _PyCustomSlots_Name *
_PyCustomSlots_SameName(const void *first, const char *text, size_t length)
{
    const _PyCustomSlots_Name *name = (const _PyCustomSlots_Name *)first;
    while (name != NULL && (name->length != length || memcmp(name->text, text, length) != 0)) {
        name = name->next;
    }
    return name;
}

_PyCustomSlots_UNUSED static uintptr_t
PyCustomSlots_Intern(const char *name)
{
    _PyCustomSlots_ProcessTable *table;
    _PyCustomSlots_Cells *cells;
    const _PyCustomSlots_Name *there = NULL;
    _PyCustomSlots_Name *fresh;
    uintptr_t key;
    size_t length;

    if (name == NULL || name[0] == '\0') {
        PyErr_Format(PyExc_ValueError,
                     "PyCustomSlots_Intern: found %s, expected a non-empty name",
                     name == NULL ? "NULL" : "an empty string");
        return 0;
    }
    if (!(table = _PyCustomSlots_GetTable("PyCustomSlots_Intern"))) return 0;
    length = strlen(name);
    key = _PyCustomSlots_NameKey(name, length);
    cells = _PyCustomSlots_LOAD(_PyCustomSlots_Cells *, &table->cells);
    if (cells != NULL) {
        there = _PyCustomSlots_SameName(_PyCustomSlots_ValueOf(cells, key), name, length);
        if (there != NULL) return (uintptr_t)there;
    }
    fresh = (_PyCustomSlots_Name *)malloc(sizeof(*fresh) + length);
    if (fresh != NULL) {
        fresh->length = length;
        memcpy(fresh->text, name, length + 1);

        _PyCustomSlots_LockWord(&table->owner);
        fresh->next = (_PyCustomSlots_Name *)_PyCustomSlots_PresentValue(table, key);
        there = _PyCustomSlots_SameName(fresh->next, name, length);
        if (there == NULL && _PyCustomSlots_ReserveCells(table, 1) == 0) {
            _PyCustomSlots_PutValue(table, key, fresh);
            there = fresh;
        }
        _PyCustomSlots_UnlockWord(&table->owner);

        if (there != fresh) free(fresh);
    }
    if (there == NULL) PyErr_NoMemory();
    return (uintptr_t)there;
}

#endif
_PyCustomSlots_UNUSED static int
_PyCustomSlots_NameFailed(const PyCustomSlot *slots, Py_ssize_t count)
{
    Py_ssize_t i;
    if (slots == NULL || !PyErr_Occurred()) return 0;
    for (i = 0; i < count; i++) {
        if (slots[i].id == PyCustomSlots_EMPTY) return 1;
    }
    return 0;
}

#ifdef __cplusplus
}
#endif
#endif
#ifndef Py_CUSTOMSLOTS_REGISTER_H
#define Py_CUSTOMSLOTS_REGISTER_H
#include <stdlib.h>
#ifdef __cplusplus
extern "C" {
#endif
#if _PyCustomSlots_SHARES
#define _PyCustomSlots_ENTRIES_KEY  "_customslots_registered_v1"
#define _PyCustomSlots_ENTRY_NAME   "_customslots_entry_v1"
typedef struct _PyCustomSlots_Entry {
    PyCustomSlot     slot;
    PyTypeObject    *type;
    PyTypeObject *const *referent;
    struct _PyCustomSlots_Entry *next;
    void            *extension;
} _PyCustomSlots_Entry;

_PyCustomSlots_UNUSED static inline uintptr_t
_PyCustomSlots_SlotKey(const PyTypeObject *type, uintptr_t id)
{
    uintptr_t hash = ((uintptr_t)type >> 4) * (uintptr_t)0x9E3779B1u + id * (uintptr_t)0x85EBCA77u;
    return (hash ^ (hash >> 15)) << 2 | _PyCustomSlots_KEY_SLOTS;
}

_PyCustomSlots_UNUSED static inline uintptr_t *
_PyCustomSlots_NoteOf(_PyCustomSlots_ProcessTable *table, uintptr_t id, uintptr_t *bit)
{
    uintptr_t hash = id * (uintptr_t)0x85EBCA77u;
    hash ^= hash >> 16;
    *bit = (uintptr_t)1 << (hash % (8 * sizeof(uintptr_t)));
    return &table->ids[(hash / (8 * sizeof(uintptr_t))) % 4];
}

_PyCustomSlots_UNUSED static inline int
_PyCustomSlots_IsNoted(_PyCustomSlots_ProcessTable *table, uintptr_t id)
{
    uintptr_t bit, *note = _PyCustomSlots_NoteOf(table, id, &bit);
    return (_PyCustomSlots_LOAD(uintptr_t, note) & bit) != 0;
}

_PyCustomSlots_UNUSED static inline int
_PyCustomSlots_Serves(const _PyCustomSlots_Entry *entry)
{
    PyTypeObject *const *referent = _PyCustomSlots_LOAD(PyTypeObject *const *, &entry->referent);
    return referent != NULL && _PyCustomSlots_LOAD(PyTypeObject *, referent) == entry->type;
}

_PyCustomSlots_UNUSED static inline const _PyCustomSlots_Entry *
_PyCustomSlots_FindEntry(_PyCustomSlots_Cells *cells, PyTypeObject *type, uintptr_t id)
{
    const _PyCustomSlots_Entry *entry = (const _PyCustomSlots_Entry *)_PyCustomSlots_ValueOf(
        cells, _PyCustomSlots_SlotKey(type, id));
    while (entry != NULL && !(entry->type == type && entry->slot.id == id
                              && _PyCustomSlots_Serves(entry))) entry = entry->next;
    return entry;
}

#if defined(Py_LIMITED_API) || defined(Py_GIL_DISABLED) || defined(PYPY_VERSION)
#  define _PyCustomSlots_OWN_MRO 1
#else
#  define _PyCustomSlots_OWN_MRO 0
#endif
_PyCustomSlots_UNUSED static inline PyObject *
_PyCustomSlots_HoldMro(PyTypeObject *type)
{
#if defined(Py_LIMITED_API) || defined(PYPY_VERSION)
    PyObject *kind, *value, *traceback, *mro;
    PyErr_Fetch(&kind, &value, &traceback);
    mro = PyObject_GetAttrString((PyObject *)type, "__mro__");
    PyErr_Restore(kind, value, traceback);
#elif defined(Py_GIL_DISABLED)
    const PyGetSetDef *def;
    PyObject *mro = NULL;
    for (def = PyType_Type.tp_getset; def != NULL && def->name != NULL; def++) {
        if (strcmp(def->name, "__mro__") == 0) {
            mro = def->get((PyObject *)type, def->closure);
            break;
        }
    }
#else
    PyObject *mro = _PyCustomSlots_LOAD(PyObject *, &type->tp_mro);
#endif
#if _PyCustomSlots_OWN_MRO
    if (mro != NULL && !PyTuple_Check(mro)) {
        Py_DECREF(mro);
        mro = NULL;
    }
#endif
    return mro;
}

#if !_PyCustomSlots_SUPPORTED || defined(Py_LIMITED_API) \
    || PY_VERSION_HEX < 0x030B0000 || PY_VERSION_HEX >= 0x03100000
#  define _PyCustomSlots_REMEMBERS 0
#else
#  define _PyCustomSlots_REMEMBERS 1
_PyCustomSlots_UNUSED static inline uintptr_t
_PyCustomSlots_VersionOf(PyTypeObject *type)
{
    return _PyCustomSlots_LOAD(unsigned int, &type->tp_version_tag);
}

_PyCustomSlots_UNUSED static inline void *
_PyCustomSlots_VersionOwner(PyTypeObject *type)
{
#if PY_VERSION_HEX >= 0x030C0000
    if (_PyCustomSlots_IsHeap(type)) return (void *)PyInterpreterState_Head();
#endif
    (void)type;
    return NULL;
}

_PyCustomSlots_UNUSED static inline _PyCustomSlots_Answer *
_PyCustomSlots_AnswerFor(_PyCustomSlots_ProcessTable *table, PyTypeObject *type, uintptr_t id)
{
    return &table->answers[(((uintptr_t)type >> 4) + (id * (uintptr_t)0x85EBCA77u >> 16))
                           % _PyCustomSlots_ANSWERS];
}

_PyCustomSlots_UNUSED static uintptr_t
_PyCustomSlots_GetVersion(PyTypeObject *type)
{
    if (_PyCustomSlots_VersionOf(type) == 0 && _PyCustomSlots_LOAD(PyObject *, &type->tp_mro) != NULL) {
#if PY_VERSION_HEX >= 0x030C0000
        (void)PyUnstable_Type_AssignVersionTag(type);
#else
        PyObject *kind, *value, *traceback, *name;
        PyErr_Fetch(&kind, &value, &traceback);
        name = PyUnicode_InternFromString("__mro__");
        if (name != NULL) (void)_PyType_Lookup(type, name);
        Py_XDECREF(name);
        PyErr_Restore(kind, value, traceback);
#endif
    }
    return _PyCustomSlots_VersionOf(type);
}

_PyCustomSlots_FAST int
_PyCustomSlots_Recall(_PyCustomSlots_ProcessTable *table, PyTypeObject *type, uintptr_t id,
                      const PyCustomSlot **slot)
{
    const _PyCustomSlots_Answer *answer = _PyCustomSlots_AnswerFor(table, type, id);
    const uintptr_t sequence = _PyCustomSlots_LOAD(uintptr_t, &answer->sequence);
    if (_PyCustomSlots_LIKELY(_PyCustomSlots_LOAD(PyTypeObject *, &answer->type) == type
            && _PyCustomSlots_LOAD(uintptr_t, &answer->id) == id
            && _PyCustomSlots_LOAD(uintptr_t, &answer->generation)
               == _PyCustomSlots_LOAD(uintptr_t, &table->generation)
            && _PyCustomSlots_LOAD(uintptr_t, &answer->version) == _PyCustomSlots_VersionOf(type)
            && _PyCustomSlots_LOAD(PyObject *, &answer->mro)
               == _PyCustomSlots_LOAD(PyObject *, &type->tp_mro)
            && _PyCustomSlots_LOAD(void *, &answer->interpreter)
               == _PyCustomSlots_VersionOwner(type))) {
        *slot = _PyCustomSlots_LOAD(const PyCustomSlot *, &answer->slot);
        return sequence % 2 == 0 && _PyCustomSlots_LOAD(uintptr_t, &answer->sequence) == sequence;
    }
    return 0;
}

_PyCustomSlots_UNUSED static void
_PyCustomSlots_Remember(_PyCustomSlots_ProcessTable *table, const _PyCustomSlots_Answer *found)
{
    _PyCustomSlots_Answer *answer = _PyCustomSlots_AnswerFor(table, found->type, found->id);
    uintptr_t sequence = _PyCustomSlots_LOAD(uintptr_t, &answer->sequence);
    if (sequence % 2 != 0 || !_PyCustomSlots_SwapWord(&answer->sequence, sequence, sequence + 1)) return;
    _PyCustomSlots_STORE(PyTypeObject *, &answer->type, found->type);
    _PyCustomSlots_STORE(uintptr_t, &answer->id, found->id);
    _PyCustomSlots_STORE(uintptr_t, &answer->generation, found->generation);
    _PyCustomSlots_STORE(uintptr_t, &answer->version, found->version);
    _PyCustomSlots_STORE(PyObject *, &answer->mro, found->mro);
    _PyCustomSlots_STORE(void *, &answer->interpreter, found->interpreter);
    _PyCustomSlots_STORE(const PyCustomSlot *, &answer->slot, found->slot);
    _PyCustomSlots_STORE(uintptr_t, &answer->sequence, sequence + 2);
}
#endif
_PyCustomSlots_UNUSED static const PyCustomSlot *
_PyCustomSlots_FollowMro(_PyCustomSlots_ProcessTable *table, PyTypeObject *type, uintptr_t id)
{
    _PyCustomSlots_Cells *cells = _PyCustomSlots_LOAD(_PyCustomSlots_Cells *, &table->cells);
    const _PyCustomSlots_Entry *entry;
    PyObject *mro;
    Py_ssize_t i, count;

    if (cells == NULL || !_PyCustomSlots_IsNoted(table, id)) return NULL;
    entry = _PyCustomSlots_FindEntry(cells, type, id);
    if (entry == NULL && (mro = _PyCustomSlots_HoldMro(type)) != NULL) {
#ifdef Py_LIMITED_API
        count = PyTuple_Size(mro);
        for (i = 1; i < count && entry == NULL; i++) {
            entry = _PyCustomSlots_FindEntry(
                cells, (PyTypeObject *)PyTuple_GetItem(mro, i), id);
        }
#else
        count = PyTuple_GET_SIZE(mro);
        for (i = 1; i < count && entry == NULL; i++) {
            entry = _PyCustomSlots_FindEntry(
                cells, (PyTypeObject *)PyTuple_GET_ITEM(mro, i), id);
        }
#endif
#if _PyCustomSlots_OWN_MRO
        Py_DECREF(mro);
#endif
    }
    return entry != NULL ? &entry->slot : NULL;
}

#if _PyCustomSlots_REMEMBERS
_PyCustomSlots_UNUSED static void
_PyCustomSlots_BeginAnswer(_PyCustomSlots_ProcessTable *table, PyTypeObject *type, uintptr_t id,
                           _PyCustomSlots_Answer *found)
{
    found->type = type;
    found->id = id;
    found->generation = table != NULL ? _PyCustomSlots_LOAD(uintptr_t, &table->generation) : (uintptr_t)-1;
    found->version = _PyCustomSlots_GetVersion(type);
    found->mro = _PyCustomSlots_LOAD(PyObject *, &type->tp_mro);
    found->interpreter = _PyCustomSlots_VersionOwner(type);
}

_PyCustomSlots_UNUSED static void
_PyCustomSlots_EndAnswer(_PyCustomSlots_ProcessTable *table, const _PyCustomSlots_Answer *found)
{
    if (found->version != 0 && found->generation != (uintptr_t)-1
            && (found->interpreter == NULL || found->interpreter == (void *)PyInterpreterState_Main())) {
        _PyCustomSlots_Remember(table, found);
    }
}
#endif
_PyCustomSlots_NOINLINE static const PyCustomSlot *
_PyCustomSlots_SeekRegistered(PyTypeObject *type, uintptr_t id)
{
    _PyCustomSlots_ProcessTable *table = _PyCustomSlots_GetTable(NULL);
#if _PyCustomSlots_REMEMBERS
    _PyCustomSlots_Answer found;
    if (table == NULL) return NULL;
    _PyCustomSlots_BeginAnswer(table, type, id, &found);
    found.slot = _PyCustomSlots_FollowMro(table, type, id);
    _PyCustomSlots_EndAnswer(table, &found);
    return found.slot;
#else
    return table != NULL ? _PyCustomSlots_FollowMro(table, type, id) : NULL;
#endif
}

_PyCustomSlots_HOT const PyCustomSlot *
_PyCustomSlots_FindRegistered(PyTypeObject *type, uintptr_t id)
{
#if _PyCustomSlots_REMEMBERS
    _PyCustomSlots_ProcessTable *table
        = _PyCustomSlots_LOAD(_PyCustomSlots_ProcessTable *, _PyCustomSlots_TableCache());
    const PyCustomSlot *slot;
    if (_PyCustomSlots_LIKELY(table != NULL)) {
        if (!_PyCustomSlots_IsNoted(table, id)) return NULL;
        if (_PyCustomSlots_LIKELY(_PyCustomSlots_Recall(table, type, id, &slot))) return slot;
    }
#endif
    return _PyCustomSlots_SeekRegistered(type, id);
}

_PyCustomSlots_SLOW const PyCustomSlot *
_PyCustomSlots_FindElsewhere(PyTypeObject *type, uintptr_t id)
{
    return _PyCustomSlots_FindRegistered(type, id);
}

_PyCustomSlots_FAST const PyCustomSlot *
PyCustomSlots_FindAnyType(PyTypeObject *type, uintptr_t id, Py_ssize_t expected_pos)
{
    const PyCustomSlot *slot = PyCustomSlots_FindType(type, id, expected_pos);
    return slot != NULL ? slot : _PyCustomSlots_FindElsewhere(type, id);
}

_PyCustomSlots_UNUSED static inline void
_PyCustomSlots_ForgetAnswers(_PyCustomSlots_ProcessTable *table)
{
    _PyCustomSlots_ASSERT_WORD_LOCKED(&table->owner);
    if (table->generation != (uintptr_t)-1) {
        _PyCustomSlots_STORE(uintptr_t, &table->generation, table->generation + 1);
    }
}

_PyCustomSlots_UNUSED static int
_PyCustomSlots_AddEntry(_PyCustomSlots_ProcessTable *table, const _PyCustomSlots_Entry *given,
                        _PyCustomSlots_Entry **entry, PyCustomSlot *there)
{
    const uintptr_t id = given->slot.id, key = _PyCustomSlots_SlotKey(given->type, id);
    uintptr_t bit, *note = _PyCustomSlots_NoteOf(table, id, &bit);
    _PyCustomSlots_Entry *first, *at, *ended = NULL;
    int result = -1;

    _PyCustomSlots_LockWord(&table->owner);
    first = (_PyCustomSlots_Entry *)_PyCustomSlots_PresentValue(table, key);
    for (at = first; at != NULL; at = at->next) {
        if (at->type != given->type || at->slot.id != id) continue;
        if (_PyCustomSlots_Serves(at)) {
            *there = at->slot;
            result = 0;
            goto done;
        }
        if (at->referent == NULL) ended = at;
    }
    if (ended == NULL) {
        if (_PyCustomSlots_ReserveCells(table, 1) < 0
                || !(ended = (_PyCustomSlots_Entry *)calloc(1, sizeof(*ended)))) goto done;
        ended->slot.id = id;
        ended->type = given->type;
        ended->next = first;
        _PyCustomSlots_PutValue(table, key, ended);
    }
    _PyCustomSlots_STORE(uintptr_t, note, *note | bit);
    ended->slot.data = given->slot.data;
    _PyCustomSlots_STORE(PyTypeObject *const *, &ended->referent,
                         given->referent != NULL ? given->referent : &ended->type);
    _PyCustomSlots_ForgetAnswers(table);
    *entry = ended;
    result = 1;
done:
    _PyCustomSlots_UnlockWord(&table->owner);
    return result;
}

#if _PyCustomSlots_SUPPORTED
typedef struct {
    _PyCustomSlots_ProcessTable *table;
    _PyCustomSlots_Entry        *entry;
} _PyCustomSlots_HeapEntry;

_PyCustomSlots_UNUSED static void
_PyCustomSlots_EndEntry(PyObject *capsule)
{
    _PyCustomSlots_HeapEntry *heap = (_PyCustomSlots_HeapEntry *)PyCapsule_GetPointer(
        capsule, _PyCustomSlots_ENTRY_NAME);
    if (heap == NULL) {
        PyErr_Clear();
        return;
    }
    if (heap->entry != NULL) {
        _PyCustomSlots_LockWord(&heap->table->owner);
        _PyCustomSlots_STORE(PyTypeObject *const *, &heap->entry->referent, NULL);
        _PyCustomSlots_ForgetAnswers(heap->table);
        _PyCustomSlots_UnlockWord(&heap->table->owner);
    }
    free(heap);
}

_PyCustomSlots_UNUSED static PyObject *
_PyCustomSlots_HeapEntries(void)
{
    PyObject *dict = _PyCustomSlots_StateDict();
    PyObject *fresh = PyDict_New(), *held = NULL;
    if (fresh != NULL && dict != NULL) {
        held = PyObject_CallMethod(dict, "setdefault", "sO", _PyCustomSlots_ENTRIES_KEY, fresh);
    }
    Py_XDECREF(fresh);
    if (held != NULL && !PyDict_CheckExact(held)) {
        _PyCustomSlots_RefuseEntry("PyCustomSlots_Register", held, _PyCustomSlots_ENTRIES_KEY,
                                   "a dict");
        Py_CLEAR(held);
    }
    if (held == NULL && !PyErr_Occurred()) {
        PyErr_SetString(PyExc_RuntimeError, "PyCustomSlots_Register: this interpreter has no "
                        "state dictionary (it is starting or ending)");
    }
    return held;
}

_PyCustomSlots_UNUSED static PyObject *
_PyCustomSlots_TypeDied(PyObject *self, PyObject *reference)
{
    PyObject *entries = _PyCustomSlots_HeapEntries();
    (void)reference;
    if (entries == NULL || PyDict_DelItem(entries, self) < 0) PyErr_Clear();
    Py_XDECREF(entries);
    Py_RETURN_NONE;
}

_PyCustomSlots_UNUSED static PyTypeObject *const *
_PyCustomSlots_ReferentOf(PyObject *reference, PyTypeObject *type)
{
#ifdef Py_LIMITED_API
    PyTypeObject *const *word = (PyTypeObject *const *)(void *)((char *)reference + sizeof(PyObject));
#else
    PyTypeObject *const *word = (PyTypeObject *const *)&((PyWeakReference *)reference)->wr_object;
#endif
    if (*word == type) return word;
    PyErr_SetString(PyExc_RuntimeError, "PyCustomSlots_Register: found a weak reference that keeps "
                    "what it refers to in another place than CPython 3.10 to 3.15; build this module "
                    "for this interpreter, without Py_LIMITED_API");
    return NULL;
}

_PyCustomSlots_UNUSED static int
_PyCustomSlots_AddHeapEntry(_PyCustomSlots_ProcessTable *table, PyTypeObject *type,
                            const PyCustomSlot *slot, PyCustomSlot *there)
{
    static PyMethodDef callback_def = {
        "_customslots_type_died", _PyCustomSlots_TypeDied, METH_O, NULL};
    PyObject *entries = NULL, *capsule = NULL, *callback = NULL, *reference = NULL;
    _PyCustomSlots_HeapEntry *heap;
    _PyCustomSlots_Entry given = {*slot, type, NULL, NULL, NULL};
    int result = -1;

    heap = (_PyCustomSlots_HeapEntry *)calloc(1, sizeof(*heap));
    if (heap == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    heap->table = table;
    capsule = PyCapsule_New(heap, _PyCustomSlots_ENTRY_NAME, _PyCustomSlots_EndEntry);
    if (capsule == NULL) {
        free(heap);
        goto done;
    }
    if (!(entries = _PyCustomSlots_HeapEntries())) goto done;
    if (!(callback = PyCFunction_New(&callback_def, capsule))) goto done;
    if (!(reference = PyWeakref_NewRef((PyObject *)type, callback))) goto done;
    if (!(given.referent = _PyCustomSlots_ReferentOf(reference, type))) goto done;
    if (PyDict_SetItem(entries, capsule, reference) < 0) goto done;
    result = _PyCustomSlots_AddEntry(table, &given, &heap->entry, there);
    if (result <= 0 && PyDict_DelItem(entries, capsule) < 0) PyErr_Clear();
    if (result < 0) PyErr_NoMemory();
done:
    Py_XDECREF(entries);
    Py_XDECREF(reference);
    Py_XDECREF(callback);
    Py_XDECREF(capsule);
    return result;
}

#endif
_PyCustomSlots_UNUSED static int
_PyCustomSlots_AddLastingEntry(_PyCustomSlots_ProcessTable *table, PyTypeObject *type,
                               const PyCustomSlot *slot, PyCustomSlot *there)
{
    const _PyCustomSlots_Entry given = {*slot, type, NULL, NULL, NULL};
    _PyCustomSlots_Entry *entry;
    int result = _PyCustomSlots_AddEntry(table, &given, &entry, there);
#if !_PyCustomSlots_SUPPORTED
    if (result > 0) Py_INCREF((PyObject *)type);
#endif
    if (result < 0) PyErr_NoMemory();
    return result;
}

_PyCustomSlots_UNUSED static const char *
_PyCustomSlots_NameOf(PyTypeObject *type, char buffer[201])
{
#ifdef Py_LIMITED_API
    PyObject *name = PyObject_GetAttrString((PyObject *)type, "__name__");
    const char *text = name != NULL && PyUnicode_Check(name) ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;
    PyErr_Clear();
    buffer[0] = buffer[200] = 0;
    strncpy(buffer, text != NULL ? text : "?", 200);
    Py_XDECREF(name);
    return buffer;
#else
    (void)buffer;
    return type->tp_name;
#endif
}

_PyCustomSlots_UNUSED static int
_PyCustomSlots_CheckRegistration(PyTypeObject *given, const PyCustomSlot *slot)
{

    PyTypeObject *volatile unknown = given;
    PyTypeObject *type = unknown;
    char buffer[201];
    if (_PyCustomSlots_NameFailed(slot, 1)) return -1;
    if (type == NULL || slot == NULL) {
        PyErr_Format(PyExc_ValueError, "PyCustomSlots_Register: found NULL as the %s, "
                     "expected a %s", type == NULL ? "type" : "slot",
                     type == NULL ? "type object" : "slot with an ID and its data");
        return -1;
    }
    if (Py_TYPE((PyObject *)type) == NULL) {
        PyErr_SetString(PyExc_TypeError, "PyCustomSlots_Register: found a type that is not ready, "
                        "expected one that is; call PyType_Ready() first");
        return -1;
    }
    if (!PyType_Check((PyObject *)type)) {
        PyErr_Format(PyExc_TypeError, "PyCustomSlots_Register: found an object of type "
                     "'%.200s', expected a class",
                     _PyCustomSlots_NameOf(Py_TYPE((PyObject *)type), buffer));
        return -1;
    }
    if (!(_PyCustomSlots_FLAGS(type) & Py_TPFLAGS_READY)) {
#ifdef Py_LIMITED_API
        PyErr_SetString(PyExc_TypeError, "PyCustomSlots_Register: found a type that is "
                        "not ready, expected one; call PyType_Ready() first");
#else
        PyErr_Format(PyExc_TypeError, "PyCustomSlots_Register(%.200s): found a type that is "
                     "not ready, expected one; call PyType_Ready() first", type->tp_name);
#endif
        return -1;
    }
#if _PyCustomSlots_SUPPORTED
    if (_PyCustomSlots_HasMemory(type)) {
        uintptr_t check = _PyCustomSlots_LOAD(uintptr_t, &_PyCustomSlots_CAST(type)->etp_check)
                          ^ (uintptr_t)type;
        if (check == _PyCustomSlots_READY || check == _PyCustomSlots_UNRESOLVED) {
            PyErr_Format(PyExc_TypeError,
                         "PyCustomSlots_Register(%.200s): found an extensible type, expected "
                         "one that has no room for slots; give it this one with "
                         "PyExtensibleType_SetSlots(), which every look-up finds",
                         _PyCustomSlots_NameOf(type, buffer));
            return -1;
        }
    }
#endif
    if (slot->id <= PyCustomSlots_SKIP) {
        PyErr_Format(PyExc_ValueError,
                     "PyCustomSlots_Register(%.200s): found slot ID %d, which is never found; "
                     "expected one made by PyCustomSlots_ID() or PyCustomSlots_Intern()",
                     _PyCustomSlots_NameOf(type, buffer), (int)slot->id);
        return -1;
    }
    return 0;
}

_PyCustomSlots_UNUSED static int
PyCustomSlots_Register(PyTypeObject *type, const PyCustomSlot *slot)
{
    _PyCustomSlots_ProcessTable *table;
    PyCustomSlot there;
    char buffer[201];
    int result;

    if (_PyCustomSlots_CheckRegistration(type, slot) < 0) return -1;
    if (!(table = _PyCustomSlots_GetTable("PyCustomSlots_Register"))) return -1;
#if _PyCustomSlots_SUPPORTED
    result = _PyCustomSlots_IsHeap(type)
        ? _PyCustomSlots_AddHeapEntry(table, type, slot, &there)
        : _PyCustomSlots_AddLastingEntry(table, type, slot, &there);
#else
    result = _PyCustomSlots_AddLastingEntry(table, type, slot, &there);
#endif
    if (result == 0 && there.data.flags != slot->data.flags) {
        PyErr_Format(PyExc_ValueError,
                     "PyCustomSlots_Register(%.200s): found data %p for slot ID %p, expected "
                     "%p, which is registered already; two libraries must agree on the data, "
                     "or use IDs of their own", _PyCustomSlots_NameOf(type, buffer), slot->data.pointer,
                     (void *)slot->id, there.data.pointer);
        result = -1;
    }
    return result < 0 ? -1 : 0;
}

#else
_PyCustomSlots_FAST const PyCustomSlot *
PyCustomSlots_FindAnyType(PyTypeObject *type, uintptr_t id, Py_ssize_t expected_pos)
{
    (void)type;
    (void)id;
    (void)expected_pos;
    return NULL;
}

_PyCustomSlots_UNUSED static int
PyCustomSlots_Register(PyTypeObject *type, const PyCustomSlot *slot)
{
    (void)type;
    (void)slot;
    PyErr_SetString(PyExc_NotImplementedError,
                    "PyCustomSlots_Register: slots exist on CPython and PyPy only, and this is "
                    "another Python; test for these before registering");
    return -1;
}

#endif
_PyCustomSlots_FAST const PyCustomSlot *
PyCustomSlots_FindAny(PyObject *obj, uintptr_t id, Py_ssize_t expected_pos)
{
    return PyCustomSlots_FindAnyType(Py_TYPE(obj), id, expected_pos);
}

#ifdef __cplusplus
}
#endif
#endif
#ifndef Py_CUSTOMSLOTS_BRIDGE_H
#define Py_CUSTOMSLOTS_BRIDGE_H
#ifdef __cplusplus
extern "C" {
#endif
typedef struct {
    const char *name;
    const char *attribute;
    const char *capsule;
    uintptr_t   id, key;
    PyObject   *text;
} PyCustomSlots_Bridge;

#define PyCustomSlots_BRIDGE(name, attribute, capsule) {(name), (attribute), (capsule), 0, 0, NULL}
_PyCustomSlots_SLOW int
_PyCustomSlots_OpenBridge(PyCustomSlots_Bridge *bridge)
{
    PyObject *text = PyBytes_FromFormat("customslots.bridge %s %s %s", bridge->name, bridge->attribute,
                                        bridge->capsule);
    const uintptr_t id = text != NULL ? PyCustomSlots_Intern(bridge->name) : 0;
    const uintptr_t key = id != 0 ? PyCustomSlots_Intern(PyBytes_AsString(text)) : 0;
    Py_XDECREF(text);
    if (key == 0) return -1;
    _PyCustomSlots_STORE(uintptr_t, &bridge->id, id);
    _PyCustomSlots_STORE(uintptr_t, &bridge->key, key);
    return 0;
}

_PyCustomSlots_UNUSED static PyObject *
_PyCustomSlots_AttributeOf(PyTypeObject *type, PyCustomSlots_Bridge *bridge)
{
    PyObject *found = NULL;
#if defined(PYPY_VERSION) || defined(GRAALVM_PYTHON) || defined(Py_LIMITED_API)
    found = PyObject_GetAttrString((PyObject *)type, bridge->attribute);
    if (found == NULL) PyErr_Clear();
#else
    const int is_main = PyInterpreterState_Get() == PyInterpreterState_Main();
    PyObject *name = is_main ? _PyCustomSlots_LOAD(PyObject *, &bridge->text) : NULL;
    if (name == NULL) {
        name = PyUnicode_InternFromString(bridge->attribute);
        if (name == NULL) {
            PyErr_Clear();
            return NULL;
        }
        if (is_main) _PyCustomSlots_STORE(PyObject *, &bridge->text, name);
    }
#  if PY_VERSION_HEX >= 0x030D0000
    found = _PyType_LookupRef(type, name);
#  else
    found = _PyType_Lookup(type, name);
    Py_XINCREF(found);
#  endif
    if (!is_main) Py_DECREF(name);
#endif
    return found;
}

_PyCustomSlots_UNUSED static void *
_PyCustomSlots_CapsuleOf(PyTypeObject *type, PyCustomSlots_Bridge *bridge)
{
    PyObject *capsule = _PyCustomSlots_AttributeOf(type, bridge);
    void *pointer = NULL;
    if (capsule != NULL && PyCapsule_CheckExact(capsule)) {
        pointer = PyCapsule_GetPointer(capsule, bridge->capsule);
        if (pointer == NULL) PyErr_Clear();
    }
    Py_XDECREF(capsule);
    return pointer;
}

#if _PyCustomSlots_SHARES
_PyCustomSlots_NOINLINE static void *
_PyCustomSlots_SeekBridged(PyTypeObject *type, PyCustomSlots_Bridge *bridge)
{
    _PyCustomSlots_ProcessTable *table = _PyCustomSlots_GetTable(NULL);
    const PyCustomSlot *slot = NULL;
    void *pointer;
#if _PyCustomSlots_REMEMBERS
    _PyCustomSlots_Answer found;
#endif
    if (_PyCustomSlots_LOAD(uintptr_t, &bridge->key) == 0) {
        if (_PyCustomSlots_OpenBridge(bridge) < 0) return NULL;
        slot = PyCustomSlots_FindType(type, bridge->id, 0);
    }
#if _PyCustomSlots_REMEMBERS
    _PyCustomSlots_BeginAnswer(table, type, bridge->key, &found);
#endif
    if (slot == NULL && table != NULL) slot = _PyCustomSlots_FollowMro(table, type, bridge->id);
    pointer = slot != NULL ? slot->data.pointer : _PyCustomSlots_CapsuleOf(type, bridge);
#if _PyCustomSlots_REMEMBERS
    found.slot = (const PyCustomSlot *)pointer;
    _PyCustomSlots_EndAnswer(table, &found);
#endif
    return pointer;
}

_PyCustomSlots_HOT void *
_PyCustomSlots_FindBridgedElsewhere(PyTypeObject *type, PyCustomSlots_Bridge *bridge)
{
#if _PyCustomSlots_REMEMBERS
    _PyCustomSlots_ProcessTable *table
        = _PyCustomSlots_LOAD(_PyCustomSlots_ProcessTable *, _PyCustomSlots_TableCache());
    const uintptr_t key = _PyCustomSlots_LOAD(uintptr_t, &bridge->key);
    const PyCustomSlot *pointer;
    if (_PyCustomSlots_LIKELY(table != NULL && key != 0)
            && _PyCustomSlots_LIKELY(_PyCustomSlots_Recall(table, type, key, &pointer))) {
        return (void *)(uintptr_t)pointer;
    }
#endif
    return _PyCustomSlots_SeekBridged(type, bridge);
}

#endif
_PyCustomSlots_FAST void *
PyCustomSlots_FindBridged(PyTypeObject *type, PyCustomSlots_Bridge *bridge)
{
#if _PyCustomSlots_SHARES
    const uintptr_t id = _PyCustomSlots_LOAD(uintptr_t, &bridge->id);
    const PyCustomSlot *slot = id != 0 ? PyCustomSlots_FindType(type, id, 0) : NULL;
    return slot != NULL ? slot->data.pointer : _PyCustomSlots_FindBridgedElsewhere(type, bridge);
#else
    return _PyCustomSlots_CapsuleOf(type, bridge);
#endif
}

_PyCustomSlots_UNUSED static int
_PyCustomSlots_CheckTakesAttributes(PyTypeObject *type, const char *function)
{
#if !defined(Py_LIMITED_API) && !defined(PYPY_VERSION) && !defined(GRAALVM_PYTHON)
    if (type->tp_dict == NULL) {
        PyErr_Format(PyExc_TypeError, "%s: found the builtin type %R, expected one that may get attributes", function,
                     (PyObject *)type);
        return -1;
    }
#endif
    (void)type;
    (void)function;
    return 0;
}

_PyCustomSlots_UNUSED static int
_PyCustomSlots_GiveAttribute(PyTypeObject *type, const char *name, PyObject *value)
{
#if defined(Py_LIMITED_API) || defined(PYPY_VERSION) || defined(GRAALVM_PYTHON)
    return PyObject_SetAttrString((PyObject *)type, name, value);
#else
    if (_PyCustomSlots_CheckTakesAttributes(type, "PyCustomSlots_PublishCapsule") < 0) return -1;
    if (PyDict_SetItemString(type->tp_dict, name, value) < 0) return -1;
    PyType_Modified(type);
    return 0;
#endif
}

_PyCustomSlots_UNUSED static int
PyCustomSlots_PublishCapsule(PyTypeObject *type, PyCustomSlots_Bridge *bridge)
{
    const uintptr_t id = PyCustomSlots_Intern(bridge->name);
    const PyCustomSlot *slot = id != 0 ? PyCustomSlots_FindAnyType(type, id, 0) : NULL;
    PyObject *capsule;
    int result;
    if (id == 0) return -1;
    if (slot == NULL || slot->data.pointer == NULL) {
        PyErr_Format(PyExc_TypeError, "PyCustomSlots_PublishCapsule: found no pointer in slot '%.200s' of %R, "
                     "expected one for its attribute %.200s", bridge->name, (PyObject *)type, bridge->attribute);
        return -1;
    }
    capsule = PyCapsule_New(slot->data.pointer, bridge->capsule, NULL);
    if (capsule == NULL) return -1;
    result = _PyCustomSlots_GiveAttribute(type, bridge->attribute, capsule);
    Py_DECREF(capsule);
    return result;
}

#ifdef __cplusplus
}
#endif
#endif
#ifndef Py_CUSTOMSLOTS_INTERFACE_H
#define Py_CUSTOMSLOTS_INTERFACE_H
#include <stdlib.h>
#ifdef __cplusplus
extern "C" {
#endif
typedef void (*PyCustomSlots_Function)(void);

typedef struct {
    size_t          size;
    size_t          count;
    const uint64_t *hashes;
    const char     *layout;
    const unsigned int *numbers;
    const char *const  *names;
    const char     *name;
    const PyCustomSlots_Function *dispatch;
    const void     *base;
    void           *extension;
} PyCustomSlots_Interface;

typedef struct {
    uint64_t     text;
    unsigned int numbers;
} PyCustomSlots_Signature;

#define PyCustomSlots_WIDTH(type) ((unsigned int)sizeof(type))
#define PyCustomSlots_INTEGER(type) \
    ((unsigned int)sizeof(type) | (unsigned int)((type)-1 > (type)0 ? 'u' : 'i') << 24)

_PyCustomSlots_UNUSED static inline uint64_t
PyCustomSlots_HashSignatures(const PyCustomSlots_Signature *lines, size_t count,
                             const unsigned int *numbers, uint64_t *hashes)
{
    const uint64_t prime = (uint64_t)0x100u << 32 | 0x1B3u;
    uint64_t hash = (uint64_t)0xCBF29CE4u << 32 | 0x84222325u;
    size_t i;
    unsigned int k;
    for (i = 0; i < count; i++) {
        hash = (hash ^ lines[i].text) * prime;
        for (k = 0; k < lines[i].numbers; k++) hash = (hash ^ *numbers++) * prime;
        if (hashes != NULL) hashes[i] = hash;
    }
    return hash;
}

_PyCustomSlots_FAST const PyCustomSlots_Interface *
PyCustomSlots_InterfaceOf(const void *table)
{
    return (uintptr_t)table < 4096 ? NULL : ((const PyCustomSlots_Interface *const *)table)[-1];
}

_PyCustomSlots_FAST const void *
PyCustomSlots_CheckInterface(const PyCustomSlot *slot, size_t count, uint64_t hash)
{
    const void *table = slot != NULL ? slot->data.pointer : NULL;
    const PyCustomSlots_Interface *iface = PyCustomSlots_InterfaceOf(table);
    return iface != NULL && iface->count >= count
           && iface->hashes[count - 1] == hash ? table : NULL;
}

_PyCustomSlots_FAST const void *
PyCustomSlots_FindInterfaceType(PyTypeObject *type, uintptr_t id, Py_ssize_t expected_pos,
                                size_t count, uint64_t hash)
{
    return PyCustomSlots_CheckInterface(PyCustomSlots_FindType(type, id, expected_pos), count, hash);
}

_PyCustomSlots_FAST const void *
PyCustomSlots_FindInterface(PyObject *obj, uintptr_t id, Py_ssize_t expected_pos, size_t count,
                            uint64_t hash)
{
    return PyCustomSlots_FindInterfaceType(Py_TYPE(obj), id, expected_pos, count, hash);
}

_PyCustomSlots_FAST const void *
PyCustomSlots_FindAnyInterfaceType(PyTypeObject *type, uintptr_t id, Py_ssize_t expected_pos,
                                   size_t count, uint64_t hash)
{
    return PyCustomSlots_CheckInterface(PyCustomSlots_FindAnyType(type, id, expected_pos), count, hash);
}

_PyCustomSlots_FAST const void *
PyCustomSlots_FindAnyInterface(PyObject *obj, uintptr_t id, Py_ssize_t expected_pos, size_t count,
                               uint64_t hash)
{
    return PyCustomSlots_FindAnyInterfaceType(Py_TYPE(obj), id, expected_pos, count, hash);
}

_PyCustomSlots_UNUSED static void
PyCustomSlots_RefuseInterface(PyObject *obj, uintptr_t id, const char *name)
{
    const char *what = PyCustomSlots_FindAny(obj, id, 0) == NULL ? "does not implement it"
        : "implements it with other methods than this module was compiled for; "
          "see cython_customslots.explain()";
    PyObject *shown = PyObject_GetAttrString((PyObject *)Py_TYPE(obj), "__name__");
    if (shown == NULL) return;
    PyErr_Format(PyExc_TypeError, "expected an object that implements interface '%.200s', found "
                 "'%U', which %s", name, shown, what);
    Py_DECREF(shown);
}

_PyCustomSlots_UNUSED static void
PyCustomSlots_PlaceSlot(PyCustomSlot *slots, Py_ssize_t count, Py_ssize_t position, uintptr_t id,
                        const void *data)
{
    while (slots[position].id > PyCustomSlots_SKIP) position = (position + 1) % count;
    slots[position].id = id;
    slots[position].data.pointer = (void *)(uintptr_t)data;
}

#if _PyCustomSlots_SHARES
#define _PyCustomSlots_POSITIONS (PyCustomSlots_MIN_CAPACITY - 1)
typedef struct _PyCustomSlots_InterfaceNode {
    struct _PyCustomSlots_InterfaceNode *next;
    uintptr_t id;
    Py_ssize_t position;
    void      *overriding;
    void      *extension;
} _PyCustomSlots_InterfaceNode;

_PyCustomSlots_UNUSED static inline uintptr_t
_PyCustomSlots_InterfaceKey(uintptr_t id)
{
    return (uintptr_t)((uint32_t)(id >> 1) * 0x9E3779B1u) << 2 | _PyCustomSlots_KEY_INTERFACE;
}

_PyCustomSlots_UNUSED static inline _PyCustomSlots_InterfaceNode *
_PyCustomSlots_SameInterface(const void *first, uintptr_t id)
{
    _PyCustomSlots_InterfaceNode *node = (_PyCustomSlots_InterfaceNode *)(uintptr_t)first;
    while (node != NULL && node->id != id) node = node->next;
    return node;
}

_PyCustomSlots_UNUSED static Py_ssize_t
_PyCustomSlots_CountInterfaces(_PyCustomSlots_ProcessTable *table)
{
    _PyCustomSlots_Cells *cells = table->cells;
    Py_ssize_t count = 0;
    size_t i;
    _PyCustomSlots_ASSERT_WORD_LOCKED(&table->owner);
    for (i = 0; cells != NULL && i <= cells->mask; i++) {
        const _PyCustomSlots_InterfaceNode *node;
        if ((cells->cells[i].key & _PyCustomSlots_KEY_KIND) != _PyCustomSlots_KEY_INTERFACE) continue;
        node = (const _PyCustomSlots_InterfaceNode *)cells->cells[i].value;
        for (; node != NULL; node = node->next) count++;
    }
    return count;
}

_PyCustomSlots_UNUSED static _PyCustomSlots_InterfaceNode *
_PyCustomSlots_InterfaceNodeOf(uintptr_t id, int make)
{
    _PyCustomSlots_ProcessTable *table = _PyCustomSlots_GetTable("PyCustomSlots_Position");
    const uintptr_t key = _PyCustomSlots_InterfaceKey(id);
    _PyCustomSlots_InterfaceNode *fresh, *there = NULL;
    _PyCustomSlots_Cells *cells;

    if (table == NULL) return NULL;
    cells = _PyCustomSlots_LOAD(_PyCustomSlots_Cells *, &table->cells);
    if (cells != NULL) there = _PyCustomSlots_SameInterface(_PyCustomSlots_ValueOf(cells, key), id);
    if (there != NULL || !make) return there;
    fresh = (_PyCustomSlots_InterfaceNode *)calloc(1, sizeof(*fresh));
    if (fresh != NULL) {
        fresh->id = id;
        _PyCustomSlots_LockWord(&table->owner);
        fresh->next = (_PyCustomSlots_InterfaceNode *)(uintptr_t)_PyCustomSlots_PresentValue(table, key);
        there = _PyCustomSlots_SameInterface(fresh->next, id);
        if (there == NULL && _PyCustomSlots_ReserveCells(table, 1) == 0) {
            fresh->position = _PyCustomSlots_CountInterfaces(table) % _PyCustomSlots_POSITIONS;
            _PyCustomSlots_PutValue(table, key, fresh);
            there = fresh;
        }
        _PyCustomSlots_UnlockWord(&table->owner);
        if (there != fresh) free(fresh);
    }
    if (there == NULL) PyErr_NoMemory();
    return there;
}

_PyCustomSlots_UNUSED static Py_ssize_t
PyCustomSlots_Position(uintptr_t id)
{
    _PyCustomSlots_InterfaceNode *node;
    if (id <= PyCustomSlots_SKIP) {
        PyErr_Format(PyExc_ValueError, "PyCustomSlots_Position: found slot ID %d, which is never "
                     "found; expected one made by PyCustomSlots_ID() or PyCustomSlots_Intern()",
                     (int)id);
        return -1;
    }
    node = _PyCustomSlots_InterfaceNodeOf(id, 1);
    return node != NULL ? node->position : -1;
}

#else
_PyCustomSlots_UNUSED static Py_ssize_t
PyCustomSlots_Position(uintptr_t id)
{
    (void)id;
    return 0;
}

#endif
#ifdef __cplusplus
}
#endif
#endif
#endif
/* [cython-customslots: end customslots.h] */
#if defined(Py_LIMITED_API)
#  error "typedmethod.h cannot be used with Py_LIMITED_API: it needs the layout of CPython's functions"
#endif
#include <stdlib.h>
#ifndef Py_TYPEDMETHOD_SIGNATURE_H
#define Py_TYPEDMETHOD_SIGNATURE_H
#include <float.h>
#ifdef __cplusplus
extern "C" {
#endif
#define PyTypedMethod_VOID     1
#define PyTypedMethod_BOOL     2
#define PyTypedMethod_I1       3
#define PyTypedMethod_I2       4
#define PyTypedMethod_I4       5
#define PyTypedMethod_I8       6
#define PyTypedMethod_U1       7
#define PyTypedMethod_U2       8
#define PyTypedMethod_U4       9
#define PyTypedMethod_U8      10
#define PyTypedMethod_F4      11
#define PyTypedMethod_F8      12
#define PyTypedMethod_F16     13
#define PyTypedMethod_C8      14
#define PyTypedMethod_C16     15
#define PyTypedMethod_C32     16
#define PyTypedMethod_POINTER 17
#define PyTypedMethod_OBJECT  18
#define _PyTypedMethod_CODES 18
#if LDBL_MANT_DIG != DBL_MANT_DIG
#  define PyTypedMethod_LONG_DOUBLE  PyTypedMethod_F16
#  define PyTypedMethod_LONG_COMPLEX PyTypedMethod_C32
#else
#  define PyTypedMethod_LONG_DOUBLE  PyTypedMethod_F8
#  define PyTypedMethod_LONG_COMPLEX PyTypedMethod_C16
#endif
#define PyTypedMethod_TYPE_INT(type)                                                     \
    (((type)-1 > (type)0 ? PyTypedMethod_U1 : PyTypedMethod_I1)                          \
     + (sizeof(type) == 1 ? 0 : sizeof(type) == 2 ? 1 : sizeof(type) == 4 ? 2            \
        : sizeof(type) == 8 ? 3 : 100))

#define PyTypedMethod_MAX_SHORT 12
#define PyTypedMethod_MAX_TYPES 128
#define _PyTypedMethod_EXPAND(x)  x
#define _PyTypedMethod_EXPAND2(x) x
#define _PyTypedMethod_EXPAND3(x) x
#define _PyTypedMethod_EXPAND4(x) x
#define PyTypedMethod_SIG(...)                                                           \
    _PyTypedMethod_EXPAND(_PyTypedMethod_SIG_(__VA_ARGS__, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, \
                                              0, 0, 0))
#define _PyTypedMethod_SIG_(r, a, b, c, d, e, f, g, h, i, j, k, over, ...)               \
    ((uint64_t)1 | (uint64_t)(r) << 1 | (uint64_t)(a) << 6 | (uint64_t)(b) << 11         \
     | (uint64_t)(c) << 16 | (uint64_t)(d) << 21 | (uint64_t)(e) << 26                   \
     | (uint64_t)(f) << 31 | (uint64_t)(g) << 36 | (uint64_t)(h) << 41                   \
     | (uint64_t)(i) << 46 | (uint64_t)(j) << 51 | (uint64_t)(k) << 56                   \
     | (uint64_t)(sizeof(char[(over) == 0 ? 1 : -1]) - 1))

#define PyTypedMethod_SIGNATURE1(result) PyTypedMethod_SIG(result)
#define _PyTypedMethod_CODE_AT(signature, place) \
    ((int)(((uint64_t)(signature) >> (1 + 5 * (place))) & 31u))

static const char *const _PyTypedMethod_names[_PyTypedMethod_CODES + 1] = {
    "", "void", "bool", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8", "f16",
    "c8", "c16", "c32", "pointer", "object"
};

typedef struct {
    int           count;
    unsigned char codes[PyTypedMethod_MAX_TYPES];
    size_t        position;
    const char   *expected;
} _PyTypedMethod_Types;

_PyCustomSlots_UNUSED static inline uint64_t
_PyTypedMethod_Pack(const _PyTypedMethod_Types *types)
{
    uint64_t signature = 1;
    int i;
    if (types->count > PyTypedMethod_MAX_SHORT) return 0;
    for (i = 0; i < types->count; i++) signature |= (uint64_t)types->codes[i] << (1 + 5 * i);
    return signature;
}

_PyCustomSlots_UNUSED static int
_PyTypedMethod_Unpack(uint64_t signature, _PyTypedMethod_Types *types)
{
    types->count = 0;
    if (!(signature & 1)) return -1;
    for (signature >>= 1; signature != 0; signature >>= 5) {
        int code = (int)(signature & 31u);
        if (code == 0 || code > _PyTypedMethod_CODES) return -1;
        if (code == PyTypedMethod_VOID && types->count > 0) return -1;
        if (types->count == PyTypedMethod_MAX_SHORT) return -1;
        types->codes[types->count++] = (unsigned char)code;
    }
    return types->count > 0 ? 0 : -1;
}

#define _PyTypedMethod_EXPECT_TYPE                                                       \
    "a type (void bool i1 i2 i4 i8 u1 u2 u4 u8 f4 f8 f16 c8 c16 c32 pointer object)"
#define _PyTypedMethod_EXPECT_LETTER                                                     \
    "a letter of a type (? b B h H i I l L q Q n N f d g F D G P O) or '->'"

_PyCustomSlots_UNUSED static inline const char *
_PyTypedMethod_SkipSpaces(const char *at)
{
    while (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r') at++;
    return at;
}

_PyCustomSlots_UNUSED static int
_PyTypedMethod_CodeOfName(const char *name, size_t length)
{
    int code;
    for (code = 1; code <= _PyTypedMethod_CODES; code++) {
        if (strlen(_PyTypedMethod_names[code]) != length
                || memcmp(_PyTypedMethod_names[code], name, length) != 0) continue;
        if (code == PyTypedMethod_F16) return PyTypedMethod_LONG_DOUBLE;
        if (code == PyTypedMethod_C32) return PyTypedMethod_LONG_COMPLEX;
        return code;
    }
    return 0;
}

_PyCustomSlots_UNUSED static int
_PyTypedMethod_CodeOfLetter(char letter)
{
    switch (letter) {
    case '?': return PyTypedMethod_BOOL;
    case 'b': return PyTypedMethod_I1;
    case 'B': return PyTypedMethod_U1;
    case 'h': return PyTypedMethod_I2;
    case 'H': return PyTypedMethod_U2;
    case 'i': return PyTypedMethod_TYPE_INT(int);
    case 'I': return PyTypedMethod_TYPE_INT(unsigned int);
    case 'l': return PyTypedMethod_TYPE_INT(long);
    case 'L': return PyTypedMethod_TYPE_INT(unsigned long);
    case 'q': return PyTypedMethod_I8;
    case 'Q': return PyTypedMethod_U8;
    case 'n': return PyTypedMethod_TYPE_INT(Py_ssize_t);
    case 'N': return PyTypedMethod_TYPE_INT(size_t);
    case 'f': return PyTypedMethod_F4;
    case 'd': return PyTypedMethod_F8;
    case 'g': return PyTypedMethod_LONG_DOUBLE;
    case 'F': return PyTypedMethod_C8;
    case 'D': return PyTypedMethod_C16;
    case 'G': return PyTypedMethod_LONG_COMPLEX;
    case 'P': return PyTypedMethod_POINTER;
    case 'O': return PyTypedMethod_OBJECT;
    case 'v': return PyTypedMethod_VOID;
    default: return 0;
    }
}

_PyCustomSlots_UNUSED static const char *
_PyTypedMethod_AddArgument(_PyTypedMethod_Types *types, int code, const char *otherwise)
{
    if (code == 0) return otherwise;
    if (code == PyTypedMethod_VOID) return "no void among the arguments (none at all is '()')";
    if (types->count == PyTypedMethod_MAX_TYPES) return "at most 127 arguments";
    types->codes[types->count++] = (unsigned char)code;
    return NULL;
}

_PyCustomSlots_UNUSED static const char *
_PyTypedMethod_ParseLetters(const char **at, _PyTypedMethod_Types *types)
{
    const char *expected;
    types->codes[0] = PyTypedMethod_VOID;
    types->count = 1;
    for (;;) {
        *at = _PyTypedMethod_SkipSpaces(*at);
        if (**at == '-') break;
        expected = _PyTypedMethod_AddArgument(types, _PyTypedMethod_CodeOfLetter(**at),
                                              _PyTypedMethod_EXPECT_LETTER);
        if (expected != NULL) return expected;
        (*at)++;
    }
    if ((*at)[1] != '>') return "'->'";
    *at = _PyTypedMethod_SkipSpaces(*at + 2);
    if (**at != '\0') {
        int code = _PyTypedMethod_CodeOfLetter(**at);
        if (code == 0) return "the letter of the result, or the end";
        types->codes[0] = (unsigned char)code;
        *at = _PyTypedMethod_SkipSpaces(*at + 1);
    }
    return **at == '\0' ? NULL : "the end";
}

_PyCustomSlots_UNUSED static int
_PyTypedMethod_ParseName(const char **at)
{
    size_t length = 0;
    int code;
    while (((*at)[length] >= 'a' && (*at)[length] <= 'z')
           || ((*at)[length] >= '0' && (*at)[length] <= '9')) length++;
    code = _PyTypedMethod_CodeOfName(*at, length);
    if (code != 0) *at += length;
    return code;
}

_PyCustomSlots_UNUSED static const char *
_PyTypedMethod_ParseNames(const char **at, _PyTypedMethod_Types *types)
{
    int code = _PyTypedMethod_ParseName(at);
    if (code == 0) return _PyTypedMethod_EXPECT_TYPE;
    types->codes[0] = (unsigned char)code;
    types->count = 1;
    *at = _PyTypedMethod_SkipSpaces(*at);
    if (**at != '(') return "'('";
    *at = _PyTypedMethod_SkipSpaces(*at + 1);
    while (**at != ')' || types->count > 1) {
        const char *begin = *at;
        const char *expected = _PyTypedMethod_AddArgument(
            types, _PyTypedMethod_ParseName(at),
            types->count > 1 ? _PyTypedMethod_EXPECT_TYPE
                             : _PyTypedMethod_EXPECT_TYPE " or ')'");
        if (expected != NULL) {
            *at = begin;
            return expected;
        }
        *at = _PyTypedMethod_SkipSpaces(*at);
        if (**at == ')') break;
        if (**at != ',') return "',' or ')'";
        *at = _PyTypedMethod_SkipSpaces(*at + 1);
    }
    *at = _PyTypedMethod_SkipSpaces(*at + 1);
    return **at == '\0' ? NULL : "the end";
}

_PyCustomSlots_UNUSED static int
_PyTypedMethod_ParseText(const char *text, _PyTypedMethod_Types *types)
{
    const char *at = _PyTypedMethod_SkipSpaces(text);
    types->count = 0;
    types->expected = strstr(text, "->") != NULL
        ? _PyTypedMethod_ParseLetters(&at, types) : _PyTypedMethod_ParseNames(&at, types);
    types->position = (size_t)(at - text);
    return types->expected == NULL ? 0 : -1;
}

#define PyTypedMethod_TEXT_SIZE (PyTypedMethod_MAX_TYPES * 9 + 3)
_PyCustomSlots_UNUSED static void
_PyTypedMethod_Print(const _PyTypedMethod_Types *types, char *text)
{
    int i;
    for (i = 0; i < types->count; i++) {
        const char *name = _PyTypedMethod_names[types->codes[i]];
        size_t length = strlen(name);
        if (i > 1) {
            *text++ = ',';
            *text++ = ' ';
        }
        memcpy(text, name, length);
        text += length;
        if (i == 0) *text++ = '(';
    }
    *text++ = ')';
    *text = '\0';
}

#if _PyCustomSlots_SHARES
_PyCustomSlots_NOINLINE static const char *
_PyTypedMethod_LongText(uint64_t signature)
{
    _PyCustomSlots_ProcessTable *table = _PyCustomSlots_GetTable(NULL);
    _PyCustomSlots_Cells *cells
        = table == NULL ? NULL : _PyCustomSlots_LOAD(_PyCustomSlots_Cells *, &table->cells);
    size_t i;
    for (i = 0; cells != NULL && i <= cells->mask; i++) {
        uintptr_t key = _PyCustomSlots_LOAD(uintptr_t, &cells->cells[i].key);
        const _PyCustomSlots_Name *name;
        if ((key & _PyCustomSlots_KEY_KIND) != _PyCustomSlots_KEY_NAME) continue;
        name = (const _PyCustomSlots_Name *)_PyCustomSlots_LOAD(
            const void *, &cells->cells[i].value);
        for (; name != NULL; name = name->next) {
            if ((uint64_t)(uintptr_t)name == signature) return name->text;
        }
    }
    return NULL;
}

#else
_PyCustomSlots_UNUSED static inline const char *
_PyTypedMethod_LongText(uint64_t signature)
{
    (void)signature;
    return NULL;
}

#endif
_PyCustomSlots_UNUSED static int
_PyTypedMethod_Decode(uint64_t signature, _PyTypedMethod_Types *types)
{
    const char *text;
    char canonical[PyTypedMethod_TEXT_SIZE];
    if (signature & 1) return _PyTypedMethod_Unpack(signature, types);
    text = signature != 0 ? _PyTypedMethod_LongText(signature) : NULL;
    if (text == NULL || _PyTypedMethod_ParseText(text, types) < 0
            || types->count <= PyTypedMethod_MAX_SHORT) return -1;
    _PyTypedMethod_Print(types, canonical);
    return strcmp(text, canonical) == 0 ? 0 : -1;
}

_PyCustomSlots_UNUSED static int
PyTypedMethod_Parse(const char *text, uint64_t *signature)
{
    _PyTypedMethod_Types types;
    char canonical[PyTypedMethod_TEXT_SIZE];
    *signature = 0;
    if (text == NULL) {
        PyErr_SetString(PyExc_ValueError, "PyTypedMethod_Parse: found NULL, expected the text "
                        "of a signature such as 'f8(f8, i4)'");
        return -1;
    }
    if (_PyTypedMethod_ParseText(text, &types) < 0) {

        PyObject *whole = PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
        PyObject *before = PyUnicode_DecodeUTF8(text, (Py_ssize_t)types.position, "replace");
        PyObject *found = PyUnicode_DecodeUTF8(text + types.position,
                                               (Py_ssize_t)strlen(text + types.position),
                                               "replace");
        PyObject *first = found != NULL ? PyUnicode_Substring(found, 0, 1) : NULL;
        PyObject *shown = whole != NULL ? _PyCustomSlots_Show(whole) : NULL;
        if (shown != NULL && before != NULL && first != NULL) {
            if (PyUnicode_GetLength(first) == 0) {
                PyErr_Format(PyExc_ValueError, "signature %U: found the end at column %zd, "
                             "expected %s", shown, PyUnicode_GetLength(before),
                             types.expected);
            }
            else {
                PyErr_Format(PyExc_ValueError, "signature %U: found %R at column %zd, "
                             "expected %s", shown, first, PyUnicode_GetLength(before),
                             types.expected);
            }
        }
        Py_XDECREF(shown);
        Py_XDECREF(whole);
        Py_XDECREF(before);
        Py_XDECREF(found);
        Py_XDECREF(first);
        return -1;
    }
    *signature = _PyTypedMethod_Pack(&types);
    if (*signature == 0) {
        _PyTypedMethod_Print(&types, canonical);
        *signature = (uint64_t)PyCustomSlots_Intern(canonical);
        if (*signature == 0) return -1;
    }
    return 0;
}

_PyCustomSlots_UNUSED static PyObject *
PyTypedMethod_Format(uint64_t signature)
{
    _PyTypedMethod_Types types;
    char text[PyTypedMethod_TEXT_SIZE];
    if (_PyTypedMethod_Decode(signature, &types) < 0) {
        PyErr_Format(PyExc_ValueError, "PyTypedMethod_Format: found %llu, which is no "
                     "signature; expected one made by PyTypedMethod_SIG() or "
                     "PyTypedMethod_Parse()", (unsigned long long)signature);
        return NULL;
    }
    _PyTypedMethod_Print(&types, text);
    return PyUnicode_FromString(text);
}

_PyCustomSlots_UNUSED static inline uint64_t
_PyTypedMethod_WithObject(uint64_t signature)
{
    return !(signature & 1) || signature >> 56 != 0 ? 0
           : (signature & 0x3F) | (uint64_t)PyTypedMethod_OBJECT << 6
             | (signature >> 6) << 11;
}

#ifdef __cplusplus
}
#endif
#endif
#ifndef Py_TYPEDMETHOD_TOKENS_H
#define Py_TYPEDMETHOD_TOKENS_H
#ifdef __cplusplus
typedef bool _PyTypedMethod_Bool;
#else
typedef _Bool _PyTypedMethod_Bool;
#endif
#if defined(__GNUC__) || defined(__clang__)
__extension__ typedef float _Complex PyTypedMethod_c8;
__extension__ typedef double _Complex PyTypedMethod_c16;
__extension__ typedef long double _Complex PyTypedMethod_c32;
#else
typedef struct { float part[2]; } PyTypedMethod_c8;
typedef struct { double part[2]; } PyTypedMethod_c16;
typedef struct { long double part[2]; } PyTypedMethod_c32;
#endif
#define _PyTypedMethod_C_ 0
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
#define PyTypedMethod_SIGNATURE(text) _PyTypedMethod_SIGNATURE_L(_PyTypedMethod_L_##text)
#define _PyTypedMethod_SIGNATURE_L(...)                                                  \
    _PyTypedMethod_EXPAND2(_PyTypedMethod_SIGNATURE_T(__VA_ARGS__, , , , , , , , , , , , , ))
#define _PyTypedMethod_SIGNATURE_T(r, a, b, c, d, e, f, g, h, i, j, k, over, ...)        \
    PyTypedMethod_SIG(_PyTypedMethod_C_##r, _PyTypedMethod_C_##a, _PyTypedMethod_C_##b,  \
                      _PyTypedMethod_C_##c, _PyTypedMethod_C_##d, _PyTypedMethod_C_##e,  \
                      _PyTypedMethod_C_##f, _PyTypedMethod_C_##g, _PyTypedMethod_C_##h,  \
                      _PyTypedMethod_C_##i, _PyTypedMethod_C_##j, _PyTypedMethod_C_##k,  \
                      _PyTypedMethod_C_##over)

#define _PyTypedMethod_MEMBER(text) _PyTypedMethod_MEMBER_L(_PyTypedMethod_L_##text)
#define _PyTypedMethod_MEMBER_L(...)                                                     \
    _PyTypedMethod_EXPAND2(_PyTypedMethod_MEMBER_T(__VA_ARGS__, ))
#define _PyTypedMethod_MEMBER_T(r, ...) _PyTypedMethod_M_##r
#endif
#ifndef Py_TYPEDMETHOD_RECORD_H
#define Py_TYPEDMETHOD_RECORD_H
typedef union PyTypedMethodError {
    int64_t  i;
    uint64_t u;
    double   f;
    void    *p;
#ifdef __cplusplus
    PyTypedMethodError() = default;
    constexpr PyTypedMethodError(int64_t value) : i(value) {}
    constexpr PyTypedMethodError(uint64_t value) : u(value) {}
    constexpr PyTypedMethodError(double value) : f(value) {}
    constexpr PyTypedMethodError(void *value) : p(value) {}
#endif
} PyTypedMethodError;

#ifdef __cplusplus
extern "C" {
#endif
#define PyTypedMethod_RAISES        3u
#define PyTypedMethod_RAISES_VALUE  1u
#define PyTypedMethod_RAISES_MAYBE  2u
#define PyTypedMethod_RAISES_ANY    3u
#define PyTypedMethod_NOGIL         4u
#define PyTypedMethod_CTX_FIRST     8u
#define PyTypedMethod_CTX_LAST     16u
#define PyTypedMethod_SELF         32u
#define PyTypedMethod_UNVERIFIED   64u
#define PyTypedMethod_CONVERTS    128u
#define PyTypedMethod_KNOWN       255u
#ifndef _PyTypedMethod_UNDERSTOOD
#  define _PyTypedMethod_UNDERSTOOD PyTypedMethod_KNOWN
#endif
#define _PyTypedMethod_PLAIN \
    (PyTypedMethod_RAISES | PyTypedMethod_NOGIL | PyTypedMethod_UNVERIFIED | PyTypedMethod_CONVERTS)

#define PyTypedMethod_CTX (PyTypedMethod_CTX_FIRST | PyTypedMethod_CTX_LAST)
typedef struct {
    uint64_t           signature;
    void              *function;
#if UINTPTR_MAX <= 0xFFFFFFFFu
    uint32_t           unused;
#endif
    uint32_t           flags;
    uint32_t           reserved;
    PyTypedMethodError error;
} PyTypedMethodEntry;

#define PyTypedMethod_MAGIC       0x54504D31u
#define PyTypedMethod_ABI_VERSION 1
#define PyTypedMethod_MAX_ENTRIES 4096
typedef struct {
    uint32_t                  magic;
    uint16_t                  abi;
    uint16_t                  entry_size;
    uint32_t                  count;
    uint32_t                  flags;
    const char               *name;
    const PyTypedMethodEntry *entries;
} PyTypedMethodRecord;

#define _PyTypedMethod_ENTRY_SIZE 32
typedef char _PyTypedMethod_assert_entry_has_32_bytes[
    sizeof(PyTypedMethodEntry) == _PyTypedMethod_ENTRY_SIZE ? 1 : -1];
typedef char _PyTypedMethod_assert_error_has_8_bytes[sizeof(PyTypedMethodError) == 8 ? 1 : -1];

#ifdef __cplusplus
#  define _PyTypedMethod_ERROR_i(value) PyTypedMethodError((int64_t)(value))
#  define _PyTypedMethod_ERROR_u(value) PyTypedMethodError((uint64_t)(value))
#  define _PyTypedMethod_ERROR_f(value) PyTypedMethodError((double)(value))
#  define _PyTypedMethod_ERROR_p(value) PyTypedMethodError((void *)(value))
#else
#  define _PyTypedMethod_ERROR_i(value) {.i = (int64_t)(value)}
#  define _PyTypedMethod_ERROR_u(value) {.u = (uint64_t)(value)}
#  define _PyTypedMethod_ERROR_f(value) {.f = (double)(value)}
#  define _PyTypedMethod_ERROR_p(value) {.p = (void *)(value)}
#endif
#define _PyTypedMethod_ERROR_v(value) _PyTypedMethod_ERROR_i(value)
#define _PyTypedMethod_ERROR_c(value) _PyTypedMethod_ERROR_i(value)
#if UINTPTR_MAX <= 0xFFFFFFFFu
#  define _PyTypedMethod_FUNCTION_WORD(function) (void *)(uintptr_t)(function), 0u
#else
#  define _PyTypedMethod_FUNCTION_WORD(function) (void *)(uintptr_t)(function)
#endif
#define PyTypedMethod_ENTRY_AS(function, flags, member, error, signature)                \
    {(signature), _PyTypedMethod_FUNCTION_WORD(function), (uint32_t)(flags), 0u,         \
     _PyTypedMethod_ERROR_##member(error)}

#define PyTypedMethod_ENTRY(function, flags, error, text)                                \
    _PyTypedMethod_ENTRY_M(function, flags, _PyTypedMethod_MEMBER(text), error,          \
                           PyTypedMethod_SIGNATURE(text))
#define _PyTypedMethod_ENTRY_M(function, flags, member, error, signature)                \
    PyTypedMethod_ENTRY_AS(function, flags, member, error, signature)

#define PyTypedMethod_RECORD(variable, name, ...)                                        \
    static const PyTypedMethodEntry variable##_entries[] = {__VA_ARGS__};                \
    static const PyTypedMethodRecord variable = {                                        \
        PyTypedMethod_MAGIC, PyTypedMethod_ABI_VERSION, sizeof(PyTypedMethodEntry),      \
        (uint32_t)(sizeof(variable##_entries) / sizeof(variable##_entries[0])), 0u,      \
        name, variable##_entries}

_PyCustomSlots_UNUSED static inline const PyTypedMethodEntry *
_PyTypedMethod_NextEntry(const PyTypedMethodRecord *record, const PyTypedMethodEntry *entry)
{
    return (const PyTypedMethodEntry *)((const char *)entry + record->entry_size);
}

typedef struct { char c; PyTypedMethodEntry  what; } _PyTypedMethod_EntryAlign;
typedef struct { char c; PyTypedMethodRecord what; } _PyTypedMethod_RecordAlign;

_PyCustomSlots_UNUSED static const char *
_PyTypedMethod_CheckHead(const PyTypedMethodRecord *record, unsigned long long *found)
{
    *found = 0;
    if (record == NULL) return "found NULL, expected a record";
    *found = (unsigned long long)(uintptr_t)record;
    if ((uintptr_t)record % offsetof(_PyTypedMethod_RecordAlign, what) != 0) {
        return "found a record at address %llu, expected one aligned as its struct is";
    }
    *found = record->magic;
    if (record->magic != PyTypedMethod_MAGIC) {
        return "found magic number %llu, expected PyTypedMethod_MAGIC; this is no record of "
               "typed functions, or it is damaged";
    }
    *found = record->abi;
    if (record->abi != PyTypedMethod_ABI_VERSION) {
        return "found a record of ABI %llu, expected 1; rebuild the older one of provider "
               "and consumer with newer headers";
    }
    *found = record->entry_size;
    if (record->entry_size < _PyTypedMethod_ENTRY_SIZE || record->entry_size % 8 != 0) {
        return "found entries of %llu bytes, expected 32 or a larger multiple of 8";
    }
    *found = record->count;
    if (record->count == 0 || record->count > PyTypedMethod_MAX_ENTRIES) {
        return "found %llu entries, expected 1 to 4096";
    }
    *found = record->flags;
    if (record->flags != 0) return "found flags %llu of the record, expected 0";
    *found = (unsigned long long)(uintptr_t)record->entries;
    if (record->entries == NULL) return "found NULL as the entries, expected an array of them";
    if ((uintptr_t)record->entries % offsetof(_PyTypedMethod_EntryAlign, what) != 0) {
        return "found entries at address %llu, expected them aligned as their struct is";
    }
    return NULL;
}

_PyCustomSlots_UNUSED static inline const char *
_PyTypedMethod_CheckEntry(const PyTypedMethodEntry *entry, unsigned long long *found)
{
    *found = entry->reserved;
    if (entry->reserved != 0) return "found %llu as `reserved`, expected 0";
    *found = entry->flags & ~_PyTypedMethod_UNDERSTOOD;
    if (*found != 0) return "found flags %llu, which are unknown; use newer headers";
    *found = entry->flags;
    if ((entry->flags & PyTypedMethod_CTX) == PyTypedMethod_CTX
            || ((entry->flags & PyTypedMethod_CTX) && (entry->flags & PyTypedMethod_SELF))) {
        return "found flags %llu, expected at most one of CTX_FIRST, CTX_LAST and SELF";
    }
    if (entry->function == NULL) return "found NULL as the function";
    return NULL;
}

_PyCustomSlots_UNUSED static inline const char *
_PyTypedMethod_CheckTypes(const _PyTypedMethod_Types *types, uint32_t flags)
{
    uint32_t raises = flags & PyTypedMethod_RAISES;
    int result = types->codes[0];
    if ((flags & PyTypedMethod_SELF)
            && (types->count < 2 || types->codes[1] != PyTypedMethod_OBJECT)) {
        return "found flag SELF, expected an `object` as the first argument";
    }
    if ((raises == PyTypedMethod_RAISES_VALUE || raises == PyTypedMethod_RAISES_MAYBE)
            && (result == PyTypedMethod_VOID
                || (result >= PyTypedMethod_C8 && result <= PyTypedMethod_C32))) {
        return "found an error value for a void or complex result, expected RAISES_ANY";
    }
    return NULL;
}

_PyCustomSlots_UNUSED static int
_PyTypedMethod_CheckRecord(const PyTypedMethodRecord *record, const char *function,
                           const char *name)
{
    const PyTypedMethodEntry *entry;
    unsigned long long found;
    char format[256];
    const char *wrong = _PyTypedMethod_CheckHead(record, &found);
    uint32_t i;

    if (wrong != NULL) {
        PyOS_snprintf(format, sizeof(format), "%%s('%%.100s'): %s", wrong);
        PyErr_Format(PyExc_ValueError, format, function, name != NULL ? name : "?", found);
        return -1;
    }
    if (name == NULL) name = record->name != NULL ? record->name : "?";
    for (i = 0, entry = record->entries; i < record->count;
         i++, entry = _PyTypedMethod_NextEntry(record, entry)) {
        _PyTypedMethod_Types types;
        wrong = _PyTypedMethod_CheckEntry(entry, &found);
        if (wrong == NULL && _PyTypedMethod_Decode(entry->signature, &types) < 0) {
            found = (unsigned long long)entry->signature;
            wrong = "found signature %llu, which is none; expected one made by "
                    "PyTypedMethod_SIG() or PyTypedMethod_Parse()";
        }
        if (wrong == NULL) wrong = _PyTypedMethod_CheckTypes(&types, entry->flags);
        if (wrong != NULL) {
            PyOS_snprintf(format, sizeof(format), "%%s('%%.100s'), entry %%d: %s", wrong);
            PyErr_Format(PyExc_ValueError, format, function, name, (int)i, found);
            return -1;
        }
    }
    return 0;
}

#ifdef __cplusplus
}
#endif
#endif
#ifndef Py_TYPEDMETHOD_FUNCTIONS_H
#define Py_TYPEDMETHOD_FUNCTIONS_H
#include <stdlib.h>
#ifdef __cplusplus
extern "C" {
#endif
typedef struct {
    uint32_t size;
    int32_t  def_offset;
    int32_t  self_offset;
    uint32_t flags;
} PyTypedMethodReach;

typedef struct {
    PyMethodDef               *def;
    const PyTypedMethodRecord *record;
} PyTypedMethod_Pair;

#if _PyCustomSlots_SHARES
#define _PyTypedMethod_REACHED_KEY  "_typedmethod_reached_v1"
#define _PyTypedMethod_REACH_NAME   "_typedmethod_reach_v1"
typedef struct _PyTypedMethod_ReachNode {
    struct _PyTypedMethod_ReachNode *next;
    void                            *extension;
    PyTypedMethodReach               reach;
} _PyTypedMethod_ReachNode;

_PyCustomSlots_UNUSED static inline uintptr_t
_PyTypedMethod_TypeBit(const PyTypeObject *type)
{
    uintptr_t hash = ((uintptr_t)type >> 4) ^ ((uintptr_t)type >> 10);
    return (uintptr_t)1 << (hash % (8 * sizeof(uintptr_t)));
}

_PyCustomSlots_UNUSED static inline const void *
_PyTypedMethod_Known(_PyCustomSlots_Cells *cells, const void *address)
{
    return _PyCustomSlots_ValueOf(cells, (uintptr_t)address);
}

_PyCustomSlots_SLOW _PyCustomSlots_Cells *
_PyTypedMethod_SeekCells(void)
{
    _PyCustomSlots_ProcessTable *table = _PyCustomSlots_GetTable(NULL);
    return table == NULL ? NULL : _PyCustomSlots_LOAD(_PyCustomSlots_Cells *, &table->cells);
}

_PyCustomSlots_UNUSED static inline _PyCustomSlots_Cells *
_PyTypedMethod_GetCells(void)
{
    _PyCustomSlots_ProcessTable *table
        = _PyCustomSlots_LOAD(_PyCustomSlots_ProcessTable *, _PyCustomSlots_TableCache());
    _PyCustomSlots_Cells *cells = table == NULL ? NULL
        : _PyCustomSlots_LOAD(_PyCustomSlots_Cells *, &table->cells);
    return _PyCustomSlots_LIKELY(cells != NULL) ? cells : _PyTypedMethod_SeekCells();
}

_PyCustomSlots_UNUSED static inline void
_PyTypedMethod_NoteType(_PyCustomSlots_ProcessTable *table, const PyTypeObject *type)
{
    uintptr_t types = table->types;
    _PyCustomSlots_ASSERT_WORD_LOCKED(&table->owner);
    types |= _PyTypedMethod_TypeBit(type) | _PyTypedMethod_TypeBit(&PyMethodDescr_Type);
#ifndef PYPY_VERSION
    types |= _PyTypedMethod_TypeBit(&PyCMethod_Type);
#endif
    _PyCustomSlots_STORE(uintptr_t, &table->types, types);
}

_PyCustomSlots_UNUSED static const PyTypedMethodReach *
_PyTypedMethod_KeepReach(_PyCustomSlots_ProcessTable *table, const PyTypedMethodReach *reach)
{
    _PyTypedMethod_ReachNode *node;
    _PyCustomSlots_ASSERT_WORD_LOCKED(&table->owner);
    for (node = table->reaches; node != NULL; node = node->next) {
        if (node->reach.size == reach->size && node->reach.flags == reach->flags
                && node->reach.def_offset == reach->def_offset
                && node->reach.self_offset == reach->self_offset) return &node->reach;
    }
    node = (_PyTypedMethod_ReachNode *)calloc(1, sizeof(*node));
    if (node == NULL) return NULL;
    node->reach = *reach;
    node->next = table->reaches;
    table->reaches = node;
    return &node->reach;
}

_PyCustomSlots_UNUSED static int
PyTypedMethod_RegisterMany(const PyTypedMethod_Pair *pairs, Py_ssize_t count)
{
    static const char *const what = "PyTypedMethod_Register";
    _PyCustomSlots_ProcessTable *table;
    Py_ssize_t i, other = -1;
    int result = 0;

    for (i = 0; i < count; i++) {
        const PyMethodDef *def = pairs[i].def;
        if (def == NULL) {
            PyErr_Format(PyExc_ValueError, "%s: found NULL, expected a PyMethodDef", what);
            return -1;
        }
        if (_PyTypedMethod_CheckRecord(pairs[i].record, what, def->ml_name) < 0) return -1;
    }
    if (count <= 0) return 0;
    if (!(table = _PyCustomSlots_GetTable(what))) return -1;

    _PyCustomSlots_LockWord(&table->owner);
    _PyTypedMethod_NoteType(table, &PyMethodDescr_Type);
    if (_PyCustomSlots_ReserveCells(table, (size_t)count) < 0) result = -1;
    for (i = 0; result == 0 && i < count; i++) {
        const void *there = _PyCustomSlots_PresentValue(table, (uintptr_t)pairs[i].def);
        if (there != NULL && there != pairs[i].record) other = i;
    }
    for (i = 0; result == 0 && other < 0 && i < count; i++) {
        const void *there = _PyCustomSlots_PresentValue(table, (uintptr_t)pairs[i].def);
        if (there == NULL) {
            _PyCustomSlots_PutValue(table, (uintptr_t)pairs[i].def, pairs[i].record);
        }
        else if (there != pairs[i].record) {

            for (other = i; i-- > 0;) {
                _PyCustomSlots_PutValue(table, (uintptr_t)pairs[i].def, NULL);
            }
            break;
        }
    }
    _PyCustomSlots_UnlockWord(&table->owner);

    if (result < 0) PyErr_NoMemory();
    if (other >= 0) {
        PyErr_Format(PyExc_ValueError, "%s('%.100s'): found a second record for this "
                     "PyMethodDef, expected the one that is registered; records must not "
                     "change", what, pairs[other].def->ml_name);
        result = -1;
    }
    return result;
}

_PyCustomSlots_UNUSED static int
PyTypedMethod_Register(PyMethodDef *def, const PyTypedMethodRecord *record)
{
    PyTypedMethod_Pair pair;
    pair.def = def;
    pair.record = record;
    return PyTypedMethod_RegisterMany(&pair, 1);
}

typedef struct {
    _PyCustomSlots_ProcessTable *table;
    PyTypeObject            *type;
    int                      ours;
} _PyTypedMethod_Reached;

_PyCustomSlots_UNUSED static void
_PyTypedMethod_DropReached(PyObject *capsule)
{
    _PyTypedMethod_Reached *reached = (_PyTypedMethod_Reached *)PyCapsule_GetPointer(
        capsule, _PyTypedMethod_REACH_NAME);
    if (reached == NULL) {
        PyErr_Clear();
        return;
    }
    if (reached->ours) {
        _PyCustomSlots_ProcessTable *table = reached->table;
        _PyCustomSlots_LockWord(&table->owner);
        if (_PyCustomSlots_PresentValue(table, (uintptr_t)reached->type) != NULL) {
            _PyCustomSlots_PutValue(table, (uintptr_t)reached->type, NULL);
        }
        _PyCustomSlots_UnlockWord(&table->owner);
    }
    Py_DECREF(reached->type);
    free(reached);
}

_PyCustomSlots_UNUSED static int
_PyTypedMethod_CheckReach(PyTypeObject *type, Py_ssize_t def_offset, Py_ssize_t self_offset)
{
    const Py_ssize_t word = (Py_ssize_t)sizeof(void *);
    if (type == NULL || !PyType_Check((PyObject *)type)) {
        PyErr_Format(PyExc_TypeError, "PyTypedMethod_RegisterReach: found %s, expected a "
                     "type of functions", type == NULL ? "NULL" : "an object that is no type");
        return -1;
    }
    if (def_offset < (Py_ssize_t)sizeof(PyObject) || def_offset % word != 0
            || def_offset > type->tp_basicsize - word) {
        PyErr_Format(PyExc_ValueError, "PyTypedMethod_RegisterReach(%.200s): found %zd as the "
                     "offset of the PyMethodDef *, expected that of a pointer in an instance "
                     "of %zd bytes", type->tp_name, def_offset, type->tp_basicsize);
        return -1;
    }
    if (self_offset != -1 && (self_offset < (Py_ssize_t)sizeof(PyObject)
            || self_offset % word != 0 || self_offset > type->tp_basicsize - word)) {
        PyErr_Format(PyExc_ValueError, "PyTypedMethod_RegisterReach(%.200s): found %zd as the "
                     "offset of the receiver, expected -1 (there is none) or that of a "
                     "pointer in an instance of %zd bytes", type->tp_name, self_offset,
                     type->tp_basicsize);
        return -1;
    }
    return 0;
}

_PyCustomSlots_UNUSED static inline int
_PyTypedMethod_IsSameReach(const PyTypedMethodReach *there, const PyTypedMethodReach *reach)
{
    return there->def_offset == reach->def_offset && there->self_offset == reach->self_offset;
}

_PyCustomSlots_UNUSED static int
_PyTypedMethod_HasReach(_PyCustomSlots_ProcessTable *table, const PyTypeObject *type,
                        const PyTypedMethodReach *reach)
{
    const PyTypedMethodReach *there = NULL;
    _PyCustomSlots_LockWord(&table->owner);
    there = (const PyTypedMethodReach *)_PyCustomSlots_PresentValue(table, (uintptr_t)type);
    _PyCustomSlots_UnlockWord(&table->owner);
    return there != NULL && _PyTypedMethod_IsSameReach(there, reach);
}

_PyCustomSlots_UNUSED static PyObject *
_PyTypedMethod_KeepReached(_PyCustomSlots_ProcessTable *table, PyTypeObject *type,
                           const char *what, PyObject **held, PyObject **key)
{
    PyObject *dict, *fresh = NULL, *capsule = NULL;
    _PyTypedMethod_Reached *reached;

    dict = _PyCustomSlots_StateDict();
    if (dict == NULL) {
        PyErr_Format(PyExc_RuntimeError, "%s: this interpreter has no state dictionary (it is "
                     "starting or ending)", what);
        goto done;
    }
    if (!(fresh = PyDict_New())) goto done;
    *held = PyObject_CallMethod(dict, "setdefault", "sO", _PyTypedMethod_REACHED_KEY, fresh);
    if (*held == NULL) goto done;
    if (!PyDict_CheckExact(*held)) {
        _PyCustomSlots_RefuseEntry(what, *held, _PyTypedMethod_REACHED_KEY, "a dict");
        goto done;
    }
    reached = (_PyTypedMethod_Reached *)calloc(1, sizeof(*reached));
    if (reached == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    reached->table = table;
    reached->type = type;
    Py_INCREF(type);
    capsule = PyCapsule_New(reached, _PyTypedMethod_REACH_NAME, _PyTypedMethod_DropReached);
    if (capsule == NULL) {
        Py_DECREF(type);
        free(reached);
        goto done;
    }
    if (!(*key = PyLong_FromVoidPtr(capsule)) || PyDict_SetItem(*held, *key, capsule) < 0) {
        Py_CLEAR(capsule);
    }
done:
    Py_XDECREF(fresh);
    return capsule;
}

_PyCustomSlots_UNUSED static int
PyTypedMethod_RegisterReach(PyTypeObject *type, Py_ssize_t def_offset, Py_ssize_t self_offset)
{
    static const char *const what = "PyTypedMethod_RegisterReach";
    PyObject *capsule, *held = NULL, *key = NULL;
    _PyCustomSlots_ProcessTable *table;
    _PyTypedMethod_Reached *reached;
    const PyTypedMethodReach *kept, *there = NULL;
    PyTypedMethodReach reach;
    int result = -1;

    if (_PyTypedMethod_CheckReach(type, def_offset, self_offset) < 0) return -1;
    if (!(table = _PyCustomSlots_GetTable(what))) return -1;
    reach.size = sizeof(reach);
    reach.def_offset = (int32_t)def_offset;
    reach.self_offset = (int32_t)self_offset;
    reach.flags = 0;
    if (_PyTypedMethod_HasReach(table, type, &reach)) return 0;
    capsule = _PyTypedMethod_KeepReached(table, type, what, &held, &key);
    if (capsule == NULL) goto done;
    reached = (_PyTypedMethod_Reached *)PyCapsule_GetPointer(capsule, _PyTypedMethod_REACH_NAME);
    _PyCustomSlots_LockWord(&table->owner);
    kept = _PyTypedMethod_KeepReach(table, &reach);
    if (kept != NULL && _PyCustomSlots_ReserveCells(table, 1) == 0) {
        there = (const PyTypedMethodReach *)_PyCustomSlots_PresentValue(table, (uintptr_t)type);
        if (there == NULL) {
            _PyTypedMethod_NoteType(table, type);
            _PyCustomSlots_PutValue(table, (uintptr_t)type, kept);

            reached->ours = (PyType_GetFlags(type) & Py_TPFLAGS_HEAPTYPE) != 0;
        }
        result = 0;
    }
    _PyCustomSlots_UnlockWord(&table->owner);

    if (result < 0) PyErr_NoMemory();
    else if (there != NULL && !_PyTypedMethod_IsSameReach(there, kept)) {
        PyErr_Format(PyExc_ValueError, "%s(%.200s): found offsets %zd and %zd, expected %zd "
                     "and %zd, which are registered for this type", what, type->tp_name,
                     def_offset, self_offset, (Py_ssize_t)there->def_offset,
                     (Py_ssize_t)there->self_offset);
        result = -1;
    }
    if (result < 0 || !reached->ours) {
        PyObject *kind, *value, *traceback;
        PyErr_Fetch(&kind, &value, &traceback);
        if (PyDict_DelItem(held, key) < 0) PyErr_Clear();
        PyErr_Restore(kind, value, traceback);
    }
done:
    Py_XDECREF(key);
    Py_XDECREF(held);
    Py_XDECREF(capsule);
    return result;
}

#else
_PyCustomSlots_UNUSED static inline int
PyTypedMethod_RegisterMany(const PyTypedMethod_Pair *pairs, Py_ssize_t count)
{
    (void)pairs;
    (void)count;
    return 0;
}

_PyCustomSlots_UNUSED static inline int
PyTypedMethod_Register(PyMethodDef *def, const PyTypedMethodRecord *record)
{
    (void)def;
    (void)record;
    return 0;
}

_PyCustomSlots_UNUSED static inline int
PyTypedMethod_RegisterReach(PyTypeObject *type, Py_ssize_t def_offset, Py_ssize_t self_offset)
{
    (void)type;
    (void)def_offset;
    (void)self_offset;
    return 0;
}

#endif
#ifdef __cplusplus
}
#endif
#endif
#ifndef Py_TYPEDMETHOD_FIND_H
#define Py_TYPEDMETHOD_FIND_H
#ifdef __cplusplus
extern "C" {
#endif
#define PyTypedMethod_NATIVE_CALL PyCustomSlots_ID(PyCustomSlots_REGISTRAR_CYTHON, 1, 1)
typedef struct {
    const PyTypedMethodRecord *record;
    void                      *context;
} PyTypedMethodNative;

#define PyTypedMethod_CLASS_CALL PyCustomSlots_ID(PyCustomSlots_REGISTRAR_CYTHON, 1, 2)
typedef struct {
    uint32_t                   size;
    int32_t                    offset;
    const PyTypedMethodRecord *record;
    const PyTypedMethodRecord *direct;
    const void                *methods;
} PyTypedMethodClassCall;

typedef struct {
    void              *function;
    void              *context;
    uint32_t           flags;
    uint32_t           reserved;
    PyTypedMethodError error;
} PyTypedMethodCall;

typedef struct {
    const PyTypedMethodRecord *record;
    PyObject *receiver;
    void     *context;
    int       kind;
} _PyTypedMethod_Place;

enum {
    _PyTypedMethod_KIND_FUNCTION,
    _PyTypedMethod_KIND_DESCRIPTOR,
    _PyTypedMethod_KIND_NATIVE
};

_PyCustomSlots_UNUSED static inline void
_PyTypedMethod_Zero(PyTypedMethodCall *call)
{
    call->function = NULL;
    call->context = NULL;
    call->flags = 0;
    call->reserved = 0;
    call->error.u = 0;
}

#if _PyCustomSlots_SHARES
#ifdef PYPY_VERSION
#  define _PyTypedMethod_IS_DESCRIPTOR(type) \
    ((type) == &PyMethodDescr_Type || (type) == &PyClassMethodDescr_Type)
#else
#  define _PyTypedMethod_IS_DESCRIPTOR(type) ((type) == &PyMethodDescr_Type)
#endif
_PyCustomSlots_UNUSED static inline int
_PyTypedMethod_IsBuiltin(const PyTypeObject *type)
{
#ifdef PYPY_VERSION
    return type == &PyCFunction_Type;
#else
    return type == &PyCFunction_Type || type == &PyCMethod_Type;
#endif
}

_PyCustomSlots_UNUSED static inline const PyCustomSlot *
_PyTypedMethod_SlotOf(PyTypeObject *type, uintptr_t id)
{
#ifdef PYPY_VERSION
    return PyCustomSlots_FindAnyType(type, id, 0);
#else
    return PyCustomSlots_FindType(type, id, 0);
#endif
}

_PyCustomSlots_UNUSED static inline const PyCustomSlot *
_PyTypedMethod_CallSlot(PyTypeObject *type, uintptr_t id)
{
    const PyCustomSlot *slot = _PyTypedMethod_SlotOf(type, id);
#ifndef PYPY_VERSION
    PyTypeObject *owner = type, *base;
    const PyCustomSlot *inherited;
    if (slot == NULL) return NULL;
    for (base = type->tp_base; base != NULL; base = base->tp_base) {
        inherited = _PyTypedMethod_SlotOf(base, id);
        if (inherited == NULL || inherited->data.pointer != slot->data.pointer) break;
        owner = base;
    }
    if (_PyCustomSlots_LOAD(ternaryfunc, &type->tp_call) != _PyCustomSlots_LOAD(ternaryfunc, &owner->tp_call)) {
        return NULL;
    }
#endif
    return slot;
}

#ifdef PYPY_VERSION
_PyCustomSlots_NOINLINE static PyObject *
_PyTypedMethod_UnbindBuiltin(PyObject *callable, PyObject **bind)
{
    PyObject *kind, *value, *traceback, *function, *self = NULL;
    PyErr_Fetch(&kind, &value, &traceback);
    if ((function = PyObject_GetAttrString(callable, "__func__")) != NULL) {
        self = PyObject_GetAttrString(callable, "__self__");
    }
    PyErr_Restore(kind, value, traceback);
    if (self != NULL) {
        *bind = self;
        callable = function;
    }
    Py_XDECREF(function);
    Py_XDECREF(self);
    return callable;
}

_PyCustomSlots_NOINLINE static PyObject *
_PyTypedMethod_Undirect(PyObject *callable)
{
    PyObject *kind, *value, *traceback, *pair;
    PyErr_Fetch(&kind, &value, &traceback);
    pair = PyObject_GetAttrString(callable, "_typedmethod_direct_v1");
    PyErr_Restore(kind, value, traceback);
    if (pair != NULL && PyTuple_CheckExact(pair) && PyTuple_GET_SIZE(pair) == 2
            && PyTuple_GET_ITEM(pair, 0) == callable) callable = PyTuple_GET_ITEM(pair, 1);
    Py_XDECREF(pair);
    return callable;
}
#endif
_PyCustomSlots_UNUSED static inline PyObject *
_PyTypedMethod_Unbind(PyObject *callable, PyObject **bind)
{
    *bind = NULL;
#ifdef PYPY_VERSION
    if (Py_TYPE(callable) == &PyFunction_Type) callable = _PyTypedMethod_Undirect(callable);
#endif
    if (Py_TYPE(callable) == &PyMethod_Type) {
        *bind = PyMethod_GET_SELF(callable);
        return PyMethod_GET_FUNCTION(callable);
    }
#ifdef PYPY_VERSION
    if (strcmp(Py_TYPE(callable)->tp_name, "builtin method") == 0) {
        return _PyTypedMethod_UnbindBuiltin(callable, bind);
    }
#endif
    return callable;
}

_PyCustomSlots_FAST int
_PyTypedMethod_Locate(PyObject *callable, _PyTypedMethod_Place *place)
{
    PyTypeObject *type = Py_TYPE(callable);
    _PyCustomSlots_Cells *cells = _PyTypedMethod_GetCells();
    const PyMethodDef *def;
    const PyCustomSlot *slot;

    place->kind = _PyTypedMethod_KIND_FUNCTION;
    if (_PyTypedMethod_IsBuiltin(type)) {
        def = ((PyCFunctionObject *)callable)->m_ml;
        place->receiver = ((PyCFunctionObject *)callable)->m_self;
    }
    else if (_PyTypedMethod_IS_DESCRIPTOR(type)) {
        def = ((PyMethodDescrObject *)callable)->d_method;
        place->receiver = NULL;
        place->kind = _PyTypedMethod_KIND_DESCRIPTOR;
    }
    else if ((slot = _PyTypedMethod_CallSlot(type, PyTypedMethod_NATIVE_CALL)) != NULL) {
        const PyTypedMethodNative *native
            = (const PyTypedMethodNative *)((const char *)callable + slot->data.objoffset);
        unsigned long long found;
        place->record = _PyCustomSlots_LOAD(const PyTypedMethodRecord *, &native->record);
        place->receiver = callable;
        place->context = native->context;
        place->kind = _PyTypedMethod_KIND_NATIVE;
        return place->record != NULL
               && _PyTypedMethod_CheckHead(place->record, &found) == NULL;
    }
    else if ((slot = _PyTypedMethod_CallSlot(type, PyTypedMethod_CLASS_CALL)) != NULL) {
        const PyTypedMethodClassCall *shared = (const PyTypedMethodClassCall *)slot->data.pointer;
        unsigned long long found;
        place->record = shared->methods != NULL
            && *(void *const *)((const char *)callable + shared->offset) == shared->methods
            ? shared->direct : shared->record;
        place->receiver = callable;
        place->context = NULL;
        place->kind = _PyTypedMethod_KIND_NATIVE;
        return _PyTypedMethod_CheckHead(place->record, &found) == NULL;
    }
    else {
        const PyTypedMethodReach *reach;
        if (cells == NULL) return 0;
        reach = (const PyTypedMethodReach *)_PyTypedMethod_Known(cells, type);
        if (reach == NULL) return 0;
        def = *(PyMethodDef *const *)((const char *)callable + reach->def_offset);
        place->receiver = reach->self_offset < 0 ? NULL
            : *(PyObject *const *)((const char *)callable + reach->self_offset);
    }
    if (cells == NULL || def == NULL) return 0;
    place->context = place->receiver;
    place->record = (const PyTypedMethodRecord *)_PyTypedMethod_Known(cells, def);
    return place->record != NULL;
}

_PyCustomSlots_SLOW int
_PyTypedMethod_IsLongerByObject(uint64_t longer, uint64_t signature)
{
    _PyTypedMethod_Types a, b;
    if (_PyTypedMethod_Decode(longer, &a) < 0 || _PyTypedMethod_Decode(signature, &b) < 0) {
        return 0;
    }
    return a.count == b.count + 1 && a.codes[0] == b.codes[0]
           && a.codes[1] == PyTypedMethod_OBJECT
           && memcmp(a.codes + 2, b.codes + 1, (size_t)b.count - 1) == 0;
}

_PyCustomSlots_UNUSED static inline int
_PyTypedMethod_IsBoundSignature(uint64_t with_object, uint64_t signature)
{
    uint64_t expected = _PyTypedMethod_WithObject(signature);
    if (expected != 0) return with_object == expected;
    return !(with_object & 1) && _PyTypedMethod_IsLongerByObject(with_object, signature);
}

_PyCustomSlots_UNUSED static inline int
_PyTypedMethod_Fits(const PyTypedMethodEntry *entry, const _PyTypedMethod_Place *place,
                    PyObject *bind, uint64_t signature, void **context, uint32_t *context_flag)
{
    int has_receiver = (entry->flags & PyTypedMethod_SELF) && place->receiver != NULL;
    unsigned long long found;

    *context = NULL;
    *context_flag = 0;
    if (has_receiver || bind != NULL) {
        if (has_receiver && bind != NULL) return 0;
        if (!_PyTypedMethod_IsBoundSignature(entry->signature, signature)) return 0;
        if (entry->flags & PyTypedMethod_CTX) return 0;
        *context = has_receiver ? place->receiver : bind;
        *context_flag = PyTypedMethod_CTX_FIRST;
    }
    else {
        if (entry->signature != signature) return 0;
        if (entry->flags & PyTypedMethod_CTX) {
            *context = place->context;
            if (*context == NULL && place->kind != _PyTypedMethod_KIND_NATIVE) return 0;
        }
    }
    if (place->kind == _PyTypedMethod_KIND_NATIVE) {
        return _PyTypedMethod_CheckEntry(entry, &found) == NULL;
    }
    if (entry->flags & ~_PyTypedMethod_UNDERSTOOD) return 0;
    return place->kind == _PyTypedMethod_KIND_FUNCTION || (entry->flags & PyTypedMethod_SELF);
}

_PyCustomSlots_UNUSED static inline int
_PyTypedMethod_FindBound(PyObject *callable, PyObject *bind, uint64_t signature,
                         PyTypedMethodCall *call)
{
    _PyTypedMethod_Place place;
    const PyTypedMethodEntry *entry;
    uint32_t i;

    if (!_PyTypedMethod_Locate(callable, &place)) return 0;
    entry = place.record->entries;
    for (i = 0; i < place.record->count; i++) {
        void *context;
        uint32_t flag;
        if (_PyTypedMethod_Fits(entry, &place, bind, signature, &context, &flag)) {
            call->function = entry->function;
            call->context = context;
            call->flags = entry->flags | flag;
            call->reserved = 0;
            call->error = entry->error;
            return 1;
        }
        entry = _PyTypedMethod_NextEntry(place.record, entry);
    }
    return 0;
}

_PyCustomSlots_NOINLINE static int
_PyTypedMethod_FindSlowly(PyObject *callable, uint64_t signature, PyTypedMethodCall *call)
{
    PyObject *bind, *function = _PyTypedMethod_Unbind(callable, &bind);
    if (_PyTypedMethod_FindBound(function, bind, signature, call)) return 1;
    _PyTypedMethod_Zero(call);
    return 0;
}

#endif
_PyCustomSlots_NOINLINE static int
PyTypedMethod_Find(PyObject *callable, uint64_t signature, PyTypedMethodCall *call)
{
#if _PyCustomSlots_SHARES
    PyTypeObject *type = Py_TYPE(callable);
    _PyCustomSlots_ProcessTable *table
        = _PyCustomSlots_LOAD(_PyCustomSlots_ProcessTable *, _PyCustomSlots_TableCache());
    const PyTypedMethodRecord *record;
    const PyMethodDef *def;
    _PyCustomSlots_Cells *cells;

    if (table == NULL) return _PyTypedMethod_FindSlowly(callable, signature, call);
    cells = _PyCustomSlots_LOAD(_PyCustomSlots_Cells *, &table->cells);
    if (cells == NULL) return _PyTypedMethod_FindSlowly(callable, signature, call);
    if (type == &PyCFunction_Type) def = ((PyCFunctionObject *)callable)->m_ml;
#ifndef PYPY_VERSION
    else if (type == &PyFunction_Type) goto nothing;
    else if (type == &PyMethod_Type) {
        if (Py_TYPE(PyMethod_GET_FUNCTION(callable)) == &PyFunction_Type) goto nothing;
        return _PyTypedMethod_FindSlowly(callable, signature, call);
    }
    else {
        const PyTypedMethodReach *reach;
        if (!(_PyCustomSlots_LOAD(uintptr_t, &table->types) & _PyTypedMethod_TypeBit(type))) {
            if (!PyCustomSlots_CheckType(type)) goto nothing;
            if (PyCustomSlots_FindType(type, PyTypedMethod_NATIVE_CALL, 0) == NULL
                    && PyCustomSlots_FindType(type, PyTypedMethod_CLASS_CALL, 0) == NULL) goto nothing;
            return _PyTypedMethod_FindSlowly(callable, signature, call);
        }
        reach = (const PyTypedMethodReach *)_PyTypedMethod_Known(cells, type);
        if (reach == NULL) return _PyTypedMethod_FindSlowly(callable, signature, call);
        def = *(PyMethodDef *const *)((const char *)callable + reach->def_offset);
    }
#else
    else return _PyTypedMethod_FindSlowly(callable, signature, call);
#endif
    record = (const PyTypedMethodRecord *)_PyTypedMethod_Known(cells, def);
    if (record != NULL) {
        const PyTypedMethodEntry *entry = record->entries;
        if (entry->signature != signature || (entry->flags & ~_PyTypedMethod_PLAIN)) {
            return _PyTypedMethod_FindSlowly(callable, signature, call);
        }
        call->function = entry->function;
        call->context = NULL;
        call->flags = entry->flags;
        call->reserved = 0;
        call->error = entry->error;
        return 1;
    }
#ifndef PYPY_VERSION
nothing:
#endif
#else
    (void)callable;
    (void)signature;
#endif
    _PyTypedMethod_Zero(call);
    return 0;
}

_PyCustomSlots_UNUSED static int
PyTypedMethod_Overloads(PyObject *callable, const PyTypedMethodRecord **record,
                        PyObject **bound)
{
#if _PyCustomSlots_SHARES
    PyObject *bind;
    _PyTypedMethod_Place place;
    callable = _PyTypedMethod_Unbind(callable, &bind);
    if (_PyTypedMethod_Locate(callable, &place)) {
        *record = place.record;
        *bound = bind != NULL ? bind : place.receiver;
        return 1;
    }
#else
    (void)callable;
#endif
    *record = NULL;
    *bound = NULL;
    return 0;
}

#ifdef __cplusplus
}
#endif
#endif
#ifndef Py_TYPEDMETHOD_EXPLAIN_H
#define Py_TYPEDMETHOD_EXPLAIN_H
#ifdef __cplusplus
extern "C" {
#endif
#if _PyCustomSlots_SHARES
_PyCustomSlots_UNUSED static uint64_t
_PyTypedMethod_OfferedSignature(const PyTypedMethodEntry *entry,
                                const _PyTypedMethod_Place *place, PyObject *bind)
{
    _PyTypedMethod_Types types;
    uint64_t signature = entry->signature;
    uint32_t flag;
    void *context;
    if (_PyTypedMethod_Decode(signature, &types) < 0) return 0;
    if (bind != NULL || ((entry->flags & PyTypedMethod_SELF) && place->receiver != NULL)) {
        char text[PyTypedMethod_TEXT_SIZE];
        if (types.count < 2 || types.codes[1] != PyTypedMethod_OBJECT) return 0;
        memmove(types.codes + 1, types.codes + 2, (size_t)types.count - 2);
        types.count--;
        signature = _PyTypedMethod_Pack(&types);
        if (signature == 0) {
            _PyTypedMethod_Print(&types, text);
            signature = (uint64_t)PyCustomSlots_Intern(text);
            if (signature == 0) return 0;
        }
    }
    return _PyTypedMethod_Fits(entry, place, bind, signature, &context, &flag) ? signature : 0;
}

#endif
_PyCustomSlots_UNUSED static PyObject *
PyTypedMethod_Signatures(PyObject *callable)
{
    PyObject *list = PyList_New(0), *result = NULL;
    if (list == NULL) return NULL;
#if _PyCustomSlots_SHARES
    {
        PyObject *bind;
        _PyTypedMethod_Place place;
        const PyTypedMethodEntry *entry;
        uint32_t i;
        callable = _PyTypedMethod_Unbind(callable, &bind);
        if (_PyTypedMethod_Locate(callable, &place)) {
            for (i = 0, entry = place.record->entries; i < place.record->count;
                 i++, entry = _PyTypedMethod_NextEntry(place.record, entry)) {
                uint64_t signature = _PyTypedMethod_OfferedSignature(entry, &place, bind);
                PyObject *text;
                int failed;
                if (signature == 0) {
                    if (PyErr_Occurred()) goto done;
                    continue;
                }
                if (!(text = PyTypedMethod_Format(signature))) goto done;
                failed = PySequence_Contains(list, text);
                if (failed == 0) failed = PyList_Append(list, text);
                Py_DECREF(text);
                if (failed < 0) goto done;
            }
        }
    }
#else
    (void)callable;
#endif
    result = PyList_AsTuple(list);
    goto done;
done:
    Py_DECREF(list);
    return result;
}

#if _PyCustomSlots_SHARES
_PyCustomSlots_UNUSED static int
_PyTypedMethod_IsPlain(PyObject *callable)
{
    PyTypeObject *type = Py_TYPE(callable);
    if (type == &PyCFunction_Type) {

        PyObject *self = ((PyCFunctionObject *)callable)->m_self;
        return self == NULL || strcmp(Py_TYPE(self)->tp_name, "_cffi_backend.Lib") != 0;
    }
#ifdef PYPY_VERSION
    if (strcmp(type->tp_name, "builtin_function") == 0
            || strcmp(type->tp_name, "builtin method") == 0) return 1;
#endif
    return type == &PyFunction_Type || type == &PyMethod_Type || type == &PyType_Type
           || type == &PyMethodDescr_Type;
}

#else
#  define _PyTypedMethod_IsPlain(callable) 1
#endif
_PyCustomSlots_UNUSED static PyObject *
_PyTypedMethod_ShortReason(PyObject *callable, uint64_t signature)
{
#if _PyCustomSlots_SHARES
    PyObject *text = PyTypedMethod_Format(signature), *offered = NULL, *comma = NULL, *joined = NULL, *result = NULL;
    if (text == NULL || !(offered = PyTypedMethod_Signatures(callable))) goto done;
    if (PyTuple_GET_SIZE(offered) == 0) {
        result = PyUnicode_FromFormat("nothing is known about C functions of '%.200s' objects",
                                      Py_TYPE(callable)->tp_name);
        goto done;
    }
    if (!(comma = PyUnicode_FromString("; "))) goto done;
    if (!(joined = PyUnicode_Join(comma, offered))) goto done;
    result = PyUnicode_FromFormat("found %U, expected %U: types must be the same, nothing is converted", joined, text);
    goto done;
done:
    Py_XDECREF(text);
    Py_XDECREF(offered);
    Py_XDECREF(comma);
    Py_XDECREF(joined);
    return result;
#else
    (void)callable;
    (void)signature;
    return PyUnicode_FromString("typed functions are found on CPython and PyPy only, and this is another Python");
#endif
}

#define _PyTypedMethod_PACKAGE "cython_customslots.typed"
_PyCustomSlots_UNUSED static PyObject *
_PyTypedMethod_AskWhy(const char *function, PyObject *callable, PyObject *asked, uint64_t signature)
{
    PyObject *module = NULL, *words = NULL, *result = NULL, *type, *error, *traceback, *shown;
    int is_absent;

    if (asked == NULL) return NULL;
    if ((module = PyImport_ImportModule(_PyTypedMethod_PACKAGE)) != NULL) {
        result = PyObject_CallMethod(module, function, "OO", callable, asked);
    }
    is_absent = module == NULL;
    Py_XDECREF(module);
    Py_DECREF(asked);

    if (result != NULL && PyUnicode_Check(result) && _PyCustomSlots_LENGTH(result) > 0) return result;
    Py_CLEAR(result);
    if (PyErr_Occurred() && !_PyCustomSlots_IsReplaceable()) return NULL;
    PyErr_Fetch(&type, &error, &traceback);
    words = _PyTypedMethod_ShortReason(callable, signature);
    if (words != NULL && is_absent && !_PyTypedMethod_IsPlain(callable)) {
        PyErr_NormalizeException(&type, &error, &traceback);
        if ((shown = _PyCustomSlots_Show(error)) != NULL) {
            result = PyUnicode_FromFormat(
                "%U; and " _PyTypedMethod_PACKAGE ", which finds the C functions of ctypes, cffi, "
                "numba and SciPy callables, cannot be imported: %U", words, shown);
            Py_DECREF(shown);
        }
        Py_DECREF(words);
        words = result;
    }
    Py_XDECREF(type);
    Py_XDECREF(error);
    Py_XDECREF(traceback);
    return words;
}

_PyCustomSlots_UNUSED static PyObject *
PyTypedMethod_WhyNot(PyObject *callable, uint64_t signature)
{
    PyTypedMethodCall call;
    PyObject *text = PyTypedMethod_Format(signature);
    if (text == NULL || !PyTypedMethod_Find(callable, signature, &call)) {
        return _PyTypedMethod_AskWhy("why_not", callable, text, signature);
    }
    Py_DECREF(text);
    return PyUnicode_FromString("");
}

#ifdef __cplusplus
}
#endif
#endif
#ifndef Py_TYPEDMETHOD_ADAPT_H
#define Py_TYPEDMETHOD_ADAPT_H
#ifdef __cplusplus
extern "C" {
#endif
#if _PyCustomSlots_SHARES
_PyCustomSlots_UNUSED static PyObject *
_PyTypedMethod_Adapt(PyObject *callable, uint64_t signature)
{
    static int is_absent = 0;
    PyObject *module, *text, *adapted = NULL;
    if (_PyTypedMethod_IsPlain(callable) || _PyCustomSlots_LOAD(int, &is_absent)) return NULL;
    module = PyImport_ImportModule(_PyTypedMethod_PACKAGE);
    if (module == NULL) {
        if (PyErr_ExceptionMatches(PyExc_ModuleNotFoundError)) {
            _PyCustomSlots_STORE(int, &is_absent, 1);
        }
    }
    else {
        text = PyTypedMethod_Format(signature);
        if (text != NULL) adapted = PyObject_CallMethod(module, "adapt", "OO", callable, text);
        Py_XDECREF(text);
        Py_DECREF(module);
    }
    if (adapted == NULL && PyErr_ExceptionMatches(PyExc_Exception)) PyErr_Clear();
    if (adapted == Py_None) Py_CLEAR(adapted);
    return adapted;
}

#else
_PyCustomSlots_UNUSED static PyObject *
_PyTypedMethod_Adapt(PyObject *callable, uint64_t signature)
{
    (void)callable;
    (void)signature;
    return NULL;
}

#endif
_PyCustomSlots_UNUSED static PyObject *
_PyTypedMethod_WhyNotAdapted(PyObject *callable, uint64_t signature)
{
    PyTypedMethodCall call;
    if (_PyTypedMethod_IsPlain(callable) || PyTypedMethod_Find(callable, signature, &call)) {
        return PyTypedMethod_WhyNot(callable, signature);
    }
    return _PyTypedMethod_AskWhy("explain", callable, PyTypedMethod_Format(signature), signature);
}

#ifdef __cplusplus
}
#endif
#endif
#ifndef Py_TYPEDMETHOD_CALLING_H
#define Py_TYPEDMETHOD_CALLING_H
#ifdef __cplusplus
extern "C" {
#endif
typedef struct {
    PyTypedMethodCall call;
    uint64_t          signature;
    PyObject         *callable;
    uint64_t          at_once[4];
} PyTypedCallable;

_PyCustomSlots_UNUSED static inline void
_PyTypedCallable_SetAtOnce(PyTypedCallable *held)
{
    const uint32_t flags = held->call.flags;
    const int form = flags & PyTypedMethod_CTX_FIRST ? 2 : 0;
    memset(held->at_once, 0, sizeof(held->at_once));
    if (held->call.function == NULL || (flags & PyTypedMethod_CTX_LAST)
            || (flags & PyTypedMethod_RAISES) == PyTypedMethod_RAISES_ANY) return;
    held->at_once[form + 1] = held->signature;
    if (flags & PyTypedMethod_NOGIL) held->at_once[form] = held->signature;
}

#define PyTypedCallable_Traverse(held) Py_VISIT((held)->callable)
_PyCustomSlots_UNUSED static inline void
PyTypedCallable_Clear(PyTypedCallable *held)
{
    PyObject *callable = held->callable;
    _PyTypedMethod_Zero(&held->call);
    held->signature = 0;
    held->callable = NULL;
    _PyTypedCallable_SetAtOnce(held);
    Py_XDECREF(callable);
}

_PyCustomSlots_UNUSED static inline int
PyTypedCallable_IsTyped(const PyTypedCallable *held)
{
    return held->call.function != NULL;
}

_PyCustomSlots_UNUSED static void
_PyTypedCallable_RefuseUncallable(PyObject *object, uint64_t signature)
{
    const int may_hold_one = PyTuple_Check(object) || PyCapsule_CheckExact(object)
        || PyObject_HasAttrString((PyObject *)Py_TYPE(object), "__wrapper_address__");
    PyObject *text = PyTypedMethod_Format(signature), *why = NULL;

    if (text == NULL) goto done;
    why = may_hold_one ? _PyTypedMethod_WhyNotAdapted(object, signature)
                       : PyUnicode_FromString("");
    if (why == NULL) goto done;
    PyErr_Format(PyExc_TypeError, "found an object of type '%.200s', expected a callable for "
                 "%U%s%U", Py_TYPE(object)->tp_name, text, may_hold_one ? ": " : "", why);
done:
    Py_XDECREF(text);
    Py_XDECREF(why);
}

_PyCustomSlots_UNUSED static void
_PyTypedCallable_RefuseUntyped(PyObject *exception, PyObject *callable, uint64_t signature,
                               const char *expected)
{
    PyObject *text = PyTypedMethod_Format(signature), *shown = NULL, *why = NULL;

    if (text == NULL) goto done;
    if (!(why = _PyTypedMethod_WhyNotAdapted(callable, signature))) goto done;
    if (!(shown = _PyCustomSlots_Show(callable))) goto done;
    PyErr_Format(exception, "found %U, which has no C function with signature %U, expected one "
                 "that has%s (%U)", shown, text, expected, why);
done:
    Py_XDECREF(text);
    Py_XDECREF(shown);
    Py_XDECREF(why);
}

_PyCustomSlots_UNUSED static int
PyTypedCallable_Init(PyTypedCallable *held, PyObject *callable, uint64_t signature)
{
    _PyTypedMethod_Types types;
    int i;

    _PyTypedMethod_Zero(&held->call);
    held->signature = 0;
    held->callable = NULL;
    _PyTypedCallable_SetAtOnce(held);
    if (_PyTypedMethod_Decode(signature, &types) < 0) {
        PyErr_Format(PyExc_ValueError, "PyTypedCallable_Init: found %llu, which is no "
                     "signature; expected one made by PyTypedMethod_SIG() or "
                     "PyTypedMethod_Parse()", (unsigned long long)signature);
        return -1;
    }
    if (!PyTypedMethod_Find(callable, signature, &held->call)) {
        PyObject *adapted = _PyTypedMethod_Adapt(callable, signature);
        if (adapted != NULL && PyTypedMethod_Find(adapted, signature, &held->call)) {
            held->signature = signature;
            held->callable = adapted;
            _PyTypedCallable_SetAtOnce(held);
            return 0;
        }
        Py_XDECREF(adapted);
        if (PyErr_Occurred()) return -1;
        if (!PyCallable_Check(callable)) {
            _PyTypedCallable_RefuseUncallable(callable, signature);
            return -1;
        }
        for (i = 0; i < types.count; i++) {
            if (types.codes[i] != PyTypedMethod_POINTER) continue;
            _PyTypedCallable_RefuseUntyped(PyExc_ValueError, callable, signature,
                                           ": Python cannot be given a pointer");
            return -1;
        }
    }
    held->signature = signature;
    Py_INCREF(callable);
    held->callable = callable;
    _PyTypedCallable_SetAtOnce(held);
    return 0;
}

_PyCustomSlots_UNUSED static int
PyTypedCallable_InitTyped(PyTypedCallable *held, PyObject *callable, uint64_t signature)
{
    if (PyTypedCallable_Init(held, callable, signature) < 0) return -1;
    if (PyTypedCallable_IsTyped(held)) return 0;
    _PyTypedCallable_RefuseUntyped(PyExc_TypeError, callable, signature, "");
    PyTypedCallable_Clear(held);
    return -1;
}

_PyCustomSlots_UNUSED static PyObject *
PyTypedCallable_WhyNot(const PyTypedCallable *held)
{
    if (held->callable == NULL) {
        PyErr_SetString(PyExc_ValueError, "PyTypedCallable_WhyNot: found an empty "
                        "PyTypedCallable, expected one that was initialised");
        return NULL;
    }
    if (PyTypedCallable_IsTyped(held)) return PyUnicode_FromString("");
    return _PyTypedMethod_WhyNotAdapted(held->callable, held->signature);
}

_PyCustomSlots_UNUSED static inline int
_PyTypedMethod_IsAttached(void)
{
#if !_PyCustomSlots_SUPPORTED
    return PyGILState_Check();
#elif PY_VERSION_HEX >= 0x030D0000
    return PyThreadState_GetUnchecked() != NULL;
#elif PY_VERSION_HEX >= 0x030C0000
    return _PyThreadState_UncheckedGet() != NULL;
#else
    PyThreadState *current = _PyThreadState_UncheckedGet();
    return current != NULL && (current == PyGILState_GetThisThreadState()
                               || current->thread_id == PyThread_get_thread_ident());
#endif
}

_PyCustomSlots_UNUSED static inline int
_PyTypedMethod_HasThreadState(void)
{
#if defined(PYPY_VERSION)
    return 1;
#else
    return PyGILState_GetThisThreadState() != NULL;
#endif
}

typedef struct {
    int              taken;
    int              is_new;
    PyGILState_STATE state;
} _PyTypedMethod_Gil;

_PyCustomSlots_UNUSED static inline void
_PyTypedMethod_TakeGil(_PyTypedMethod_Gil *gil)
{
    gil->taken = !_PyTypedMethod_IsAttached();
    gil->is_new = 0;
    gil->state = PyGILState_LOCKED;
    if (gil->taken) {
        gil->is_new = !_PyTypedMethod_HasThreadState();
        gil->state = PyGILState_Ensure();
    }
}

#ifdef PYPY_VERSION
_PyCustomSlots_SLOW int
_PyTypedMethod_IsForeignThread(void)
{
    PyObject *kind, *value, *traceback, *sys, *frames = NULL, *ident = NULL;
    int known = 1;
    PyErr_Fetch(&kind, &value, &traceback);
    if ((sys = PyImport_ImportModule("sys")) != NULL) {
        frames = PyObject_CallMethod(sys, "_current_frames", NULL);
        ident = PyLong_FromUnsignedLong((unsigned long)PyThread_get_thread_ident());
        if (frames != NULL && ident != NULL) known = PySequence_Contains(frames, ident) != 0;
    }
    Py_XDECREF(sys);
    Py_XDECREF(frames);
    Py_XDECREF(ident);
    PyErr_Restore(kind, value, traceback);
    return !known;
}
#endif
_PyCustomSlots_UNUSED static inline void
_PyTypedMethod_ReportLost(_PyTypedMethod_Gil *gil, PyObject *callable)
{
    if (!gil->taken) return;
#ifdef PYPY_VERSION
    if (PyErr_Occurred() && _PyTypedMethod_IsForeignThread()) PyErr_WriteUnraisable(callable);
#else
    if (gil->is_new && PyErr_Occurred()) PyErr_WriteUnraisable(callable);
#endif
}

_PyCustomSlots_NOINLINE static void
_PyTypedMethod_ReleaseGil(_PyTypedMethod_Gil *gil, PyObject *callable)
{
    _PyTypedMethod_ReportLost(gil, callable);
    if (gil->taken) PyGILState_Release(gil->state);
}

_PyCustomSlots_HOT int
_PyTypedMethod_HasRaised(void)
{
    _PyTypedMethod_Gil gil;
    int raised;
    if (_PyTypedMethod_IsAttached()) return PyErr_Occurred() != NULL;
    if (!_PyTypedMethod_HasThreadState()) return 0;
    _PyTypedMethod_TakeGil(&gil);
    raised = PyErr_Occurred() != NULL;
    if (gil.taken) PyGILState_Release(gil.state);
    return raised;
}

_PyCustomSlots_SLOW int
_PyTypedMethod_HasReallyRaised(void)
{
    return _PyTypedMethod_HasRaised();
}

_PyCustomSlots_UNUSED static PyObject *
_PyTypedMethod_ToPython(int code, const void *value)
{
    switch (code) {
    case PyTypedMethod_BOOL: return PyBool_FromLong(*(const _PyTypedMethod_Bool *)value);
    case PyTypedMethod_I1: return PyLong_FromLong(*(const int8_t *)value);
    case PyTypedMethod_I2: return PyLong_FromLong(*(const int16_t *)value);
    case PyTypedMethod_I4: return PyLong_FromLong((long)*(const int32_t *)value);
    case PyTypedMethod_I8: return PyLong_FromLongLong((long long)*(const int64_t *)value);
    case PyTypedMethod_U1: return PyLong_FromUnsignedLong(*(const uint8_t *)value);
    case PyTypedMethod_U2: return PyLong_FromUnsignedLong(*(const uint16_t *)value);
    case PyTypedMethod_U4: return PyLong_FromUnsignedLong(*(const uint32_t *)value);
    case PyTypedMethod_U8:
        return PyLong_FromUnsignedLongLong((unsigned long long)*(const uint64_t *)value);
    case PyTypedMethod_F4: return PyFloat_FromDouble((double)*(const float *)value);
    case PyTypedMethod_F8: return PyFloat_FromDouble(*(const double *)value);
    case PyTypedMethod_F16: return PyFloat_FromDouble((double)*(const long double *)value);
    case PyTypedMethod_C8: {
        float part[2];
        memcpy(part, value, sizeof(part));
        return PyComplex_FromDoubles((double)part[0], (double)part[1]);
    }
    case PyTypedMethod_C16: {
        double part[2];
        memcpy(part, value, sizeof(part));
        return PyComplex_FromDoubles(part[0], part[1]);
    }
    case PyTypedMethod_C32: {
        long double part[2];
        memcpy(part, value, sizeof(part));
        return PyComplex_FromDoubles((double)part[0], (double)part[1]);
    }
    case PyTypedMethod_OBJECT: {
        PyObject *object = *(PyObject *const *)value;
        if (object == NULL) {
            PyErr_SetString(PyExc_SystemError, "found NULL as an `object` argument");
            return NULL;
        }
        Py_INCREF(object);
        return object;
    }
    default:
        PyErr_Format(PyExc_TypeError, "a C value of type %s cannot be given to Python",
                     code > 0 && code <= _PyTypedMethod_CODES ? _PyTypedMethod_names[code] : "?");
        return NULL;
    }
}

_PyCustomSlots_UNUSED static int
_PyTypedMethod_IntFromPython(int code, PyObject *object, void *value)
{
    const int is_unsigned = code >= PyTypedMethod_U1;
    const int bits = 8 << (code - (is_unsigned ? PyTypedMethod_U1 : PyTypedMethod_I1));
    PyObject *number = PyLong_Check(object) ? object : PyNumber_Index(object);
    unsigned long long u = 0;
    int fits;

    if (number == NULL) return -1;
    if (is_unsigned) {
        u = PyLong_AsUnsignedLongLong(number);
        fits = !(u == (unsigned long long)-1 && PyErr_Occurred())
               && (bits == 64 || u >> bits == 0);
    }
    else {
        int overflow;
        long long i = PyLong_AsLongLongAndOverflow(number, &overflow);
        long long high = (long long)(((unsigned long long)1 << (bits - 1)) - 1);
        u = (unsigned long long)i;
        fits = !overflow && !(i == -1 && PyErr_Occurred()) && i <= high && i >= -high - 1;
    }
    if (!fits) {
        if (!PyErr_Occurred() || PyErr_ExceptionMatches(PyExc_OverflowError)) {
            PyObject *shown;
            PyErr_Clear();
            if ((shown = _PyCustomSlots_Show(number)) != NULL) {
                PyErr_Format(PyExc_OverflowError, "found the result %U, expected one that fits "
                             "into %s", shown, _PyTypedMethod_names[code]);
                Py_DECREF(shown);
            }
        }
    }
    else if (bits == 8) *(uint8_t *)value = (uint8_t)u;
    else if (bits == 16) *(uint16_t *)value = (uint16_t)u;
    else if (bits == 32) *(uint32_t *)value = (uint32_t)u;
    else *(uint64_t *)value = (uint64_t)u;
    if (number != object) Py_DECREF(number);
    return fits ? 0 : -1;
}

_PyCustomSlots_UNUSED static int
_PyTypedMethod_FromPython(int code, PyObject *object, void *value)
{
    switch (code) {
    case PyTypedMethod_VOID:
        *(int *)value = 0;
        return 0;
    case PyTypedMethod_BOOL: {
        int truth = PyObject_IsTrue(object);
        if (truth < 0) return -1;
        *(_PyTypedMethod_Bool *)value = truth != 0;
        return 0;
    }
    case PyTypedMethod_F4:
    case PyTypedMethod_F8:
    case PyTypedMethod_F16: {
        double number = PyFloat_AsDouble(object);
        if (number == -1.0 && PyErr_Occurred()) return -1;
        if (code == PyTypedMethod_F4) *(float *)value = (float)number;
        else if (code == PyTypedMethod_F8) *(double *)value = number;
        else *(long double *)value = (long double)number;
        return 0;
    }
    case PyTypedMethod_C8:
    case PyTypedMethod_C16:
    case PyTypedMethod_C32: {
        Py_complex number = PyComplex_AsCComplex(object);
        if (number.real == -1.0 && PyErr_Occurred()) return -1;
        if (code == PyTypedMethod_C8) {
            float part[2];
            part[0] = (float)number.real;
            part[1] = (float)number.imag;
            memcpy(value, part, sizeof(part));
        }
        else if (code == PyTypedMethod_C16) {
            double part[2];
            part[0] = number.real;
            part[1] = number.imag;
            memcpy(value, part, sizeof(part));
        }
        else {
            long double part[2];
            part[0] = (long double)number.real;
            part[1] = (long double)number.imag;
            memcpy(value, part, sizeof(part));
        }
        return 0;
    }
    case PyTypedMethod_OBJECT:
        Py_INCREF(object);
        *(PyObject **)value = object;
        return 0;
    case PyTypedMethod_POINTER:
        PyErr_SetString(PyExc_TypeError, "Python cannot return a C pointer");
        return -1;
    default:
        return _PyTypedMethod_IntFromPython(code, object, value);
    }
}

_PyCustomSlots_UNUSED static void
_PyTypedMethod_StoreFailure(int code, void *value)
{
    switch (code) {
    case PyTypedMethod_VOID: *(int *)value = -1; break;
    case PyTypedMethod_BOOL: *(_PyTypedMethod_Bool *)value = 1; break;
    case PyTypedMethod_I1: case PyTypedMethod_U1: *(uint8_t *)value = (uint8_t)-1; break;
    case PyTypedMethod_I2: case PyTypedMethod_U2: *(uint16_t *)value = (uint16_t)-1; break;
    case PyTypedMethod_I4: case PyTypedMethod_U4: *(uint32_t *)value = (uint32_t)-1; break;
    case PyTypedMethod_I8: case PyTypedMethod_U8: *(uint64_t *)value = (uint64_t)-1; break;
    case PyTypedMethod_F4: *(float *)value = -1.0f; break;
    case PyTypedMethod_F8: *(double *)value = -1.0; break;
    case PyTypedMethod_F16: *(long double *)value = -1.0L; break;
    case PyTypedMethod_C8: {
        const float part[2] = {-1.0f, 0.0f};
        memcpy(value, part, sizeof(part));
        break;
    }
    case PyTypedMethod_C16: {
        const double part[2] = {-1.0, 0.0};
        memcpy(value, part, sizeof(part));
        break;
    }
    case PyTypedMethod_C32: {
        const long double part[2] = {-1.0L, 0.0L};
        memcpy(value, part, sizeof(part));
        break;
    }
    default: *(void **)value = NULL; break;
    }
}

_PyCustomSlots_SLOW void
_PyTypedCallable_RefuseCall(const PyTypedCallable *held, uint64_t signature)
{
    PyObject *expected = PyTypedMethod_Format(signature);
    PyObject *found = held->callable != NULL ? PyTypedMethod_Format(held->signature) : NULL;
    if (expected != NULL && found != NULL) {
        PyErr_Format(PyExc_TypeError, "found a PyTypedCallable for %U, expected one that "
                     "was initialised for %U", found, expected);
    }
    else if (expected != NULL && held->callable == NULL) {
        PyErr_Format(PyExc_TypeError, "found an empty PyTypedCallable, expected one that "
                     "was initialised for %U", expected);
    }
    Py_XDECREF(expected);
    Py_XDECREF(found);
}

_PyCustomSlots_HOT void
_PyTypedCallable_CallPython(PyTypedCallable *held, uint64_t signature, int has_gil,
                            const void *const *arguments, void *value)
{
    PyObject *stack[PyTypedMethod_MAX_SHORT + 1];
    PyObject *callable = NULL, *result = NULL;
    _PyTypedMethod_Gil gil = {0, 0, PyGILState_LOCKED};
    uint64_t types;
    int count = 0, failed = 1;

    if (!has_gil) _PyTypedMethod_TakeGil(&gil);
    if (held->callable == NULL || held->signature != signature) {
        _PyTypedCallable_RefuseCall(held, signature);
        goto done;
    }
    callable = held->callable;
    Py_INCREF(callable);

    for (types = signature >> 6; types != 0; types >>= 5) {
        stack[count + 1] = _PyTypedMethod_ToPython((int)(types & 31u), arguments[count]);
        if (stack[count + 1] == NULL) goto done;
        count++;
    }
    stack[0] = NULL;
    result = PyObject_Vectorcall(callable, stack + 1,
                                 (size_t)count | PY_VECTORCALL_ARGUMENTS_OFFSET, NULL);
    if (result == NULL) goto done;
    failed = _PyTypedMethod_FromPython(_PyTypedMethod_CODE_AT(signature, 0), result, value) < 0;
done:
    if (failed) _PyTypedMethod_StoreFailure(_PyTypedMethod_CODE_AT(signature, 0), value);
    while (count > 0) Py_DECREF(stack[count--]);
    Py_XDECREF(result);
    _PyTypedMethod_ReportLost(&gil, callable);
    Py_XDECREF(callable);
    if (gil.taken) PyGILState_Release(gil.state);
}

#ifdef __cplusplus
}
#endif
#endif
#ifndef Py_TYPEDMETHOD_CALLER_H
#define Py_TYPEDMETHOD_CALLER_H
#define PyTypedMethod_CALLER(name, ...)                                                  \
    _PyTypedMethod_EXPAND4(_PyTypedMethod_CALLER_N(                                      \
        0, name, _PyTypedMethod_COUNT(__VA_ARGS__), __VA_ARGS__, ))

#define PyTypedMethod_CALLER_WITH_GIL(name, ...)                                         \
    _PyTypedMethod_EXPAND4(_PyTypedMethod_CALLER_N(                                      \
        1, name, _PyTypedMethod_COUNT(__VA_ARGS__), __VA_ARGS__, ))

#define _PyTypedMethod_COUNT(...)                                                        \
    _PyTypedMethod_EXPAND(_PyTypedMethod_COUNT_(__VA_ARGS__, 11, 10, 9, 8, 7, 6, 5, 4,   \
                                                3, 2, 1, 0, ))
#define _PyTypedMethod_COUNT_(r, a, b, c, d, e, f, g, h, i, j, k, count, ...) count
#define _PyTypedMethod_LIST(count, first, other, none, ...)                              \
    _PyTypedMethod_EXPAND(_PyTypedMethod_LIST_##count(                                   \
        _PyTypedMethod_##first, _PyTypedMethod_##other, none, __VA_ARGS__))
#define _PyTypedMethod_LIST_0(first, other, none, end) none
#define _PyTypedMethod_LIST_1(first, other, none, a, end) first(0, a)
#define _PyTypedMethod_LIST_2(first, other, none, a, b, end)                             \
    _PyTypedMethod_LIST_1(first, other, , a, ) other(1, b)
#define _PyTypedMethod_LIST_3(first, other, none, a, b, c, end)                          \
    _PyTypedMethod_LIST_2(first, other, , a, b, ) other(2, c)
#define _PyTypedMethod_LIST_4(first, other, none, a, b, c, d, end)                       \
    _PyTypedMethod_LIST_3(first, other, , a, b, c, ) other(3, d)
#define _PyTypedMethod_LIST_5(first, other, none, a, b, c, d, e, end)                    \
    _PyTypedMethod_LIST_4(first, other, , a, b, c, d, ) other(4, e)
#define _PyTypedMethod_LIST_6(first, other, none, a, b, c, d, e, f, end)                 \
    _PyTypedMethod_LIST_5(first, other, , a, b, c, d, e, ) other(5, f)
#define _PyTypedMethod_LIST_7(first, other, none, a, b, c, d, e, f, g, end)              \
    _PyTypedMethod_LIST_6(first, other, , a, b, c, d, e, f, ) other(6, g)
#define _PyTypedMethod_LIST_8(first, other, none, a, b, c, d, e, f, g, h, end)           \
    _PyTypedMethod_LIST_7(first, other, , a, b, c, d, e, f, g, ) other(7, h)
#define _PyTypedMethod_LIST_9(first, other, none, a, b, c, d, e, f, g, h, i, end)        \
    _PyTypedMethod_LIST_8(first, other, , a, b, c, d, e, f, g, h, ) other(8, i)
#define _PyTypedMethod_LIST_10(first, other, none, a, b, c, d, e, f, g, h, i, j, end)    \
    _PyTypedMethod_LIST_9(first, other, , a, b, c, d, e, f, g, h, i, ) other(9, j)
#define _PyTypedMethod_LIST_11(first, other, none, a, b, c, d, e, f, g, h, i, j, k, end) \
    _PyTypedMethod_LIST_10(first, other, , a, b, c, d, e, f, g, h, i, j, ) other(10, k)

#define _PyTypedMethod_TYPE(i, t)            _PyTypedMethod_T_##t
#define _PyTypedMethod_COMMA_TYPE(i, t)      , _PyTypedMethod_T_##t
#define _PyTypedMethod_TYPE_COMMA(i, t)      _PyTypedMethod_T_##t,
#define _PyTypedMethod_COMMA_CODE(i, t)      , _PyTypedMethod_C_##t
#define _PyTypedMethod_COMMA_PARAMETER(i, t) , _PyTypedMethod_T_##t a##i##_
#define _PyTypedMethod_VALUE(i, t)           a##i##_
#define _PyTypedMethod_COMMA_VALUE(i, t)     , a##i##_
#define _PyTypedMethod_VALUE_COMMA(i, t)     a##i##_,
#define _PyTypedMethod_COPY(i, t)            _PyTypedMethod_T_##t a##i##_copy = a##i##_;
#define _PyTypedMethod_ADDRESS(i, t)         arguments_[i] = &a##i##_copy;
#define _PyTypedMethod_CALLER_N(gil, name, count, ...)                                   \
    _PyTypedMethod_EXPAND3(_PyTypedMethod_CALLER_NN(gil, name, count, __VA_ARGS__))
#define _PyTypedMethod_CALLER_NN(gil, name, count, r, ...)                               \
    _PyTypedMethod_BODY(                                                                 \
        gil, name, _PyTypedMethod_T_##r, _PyTypedMethod_M_##r,                           \
        PyTypedMethod_SIG(_PyTypedMethod_C_##r                                           \
            _PyTypedMethod_LIST(count, COMMA_CODE, COMMA_CODE, , __VA_ARGS__)),          \
        (PyTypedCallable *held                                                           \
            _PyTypedMethod_LIST(count, COMMA_PARAMETER, COMMA_PARAMETER, , __VA_ARGS__)),\
        (_PyTypedMethod_LIST(count, TYPE, COMMA_TYPE, void, __VA_ARGS__)),               \
        (void * _PyTypedMethod_LIST(count, COMMA_TYPE, COMMA_TYPE, , __VA_ARGS__)),      \
        (_PyTypedMethod_LIST(count, TYPE_COMMA, TYPE_COMMA, , __VA_ARGS__) void *),      \
        (_PyTypedMethod_LIST(count, VALUE, COMMA_VALUE, , __VA_ARGS__)),                 \
        (held->call.context                                                              \
            _PyTypedMethod_LIST(count, COMMA_VALUE, COMMA_VALUE, , __VA_ARGS__)),        \
        (_PyTypedMethod_LIST(count, VALUE_COMMA, VALUE_COMMA, , __VA_ARGS__)             \
            held->call.context),                                                         \
        (held _PyTypedMethod_LIST(count, COMMA_VALUE, COMMA_VALUE, , __VA_ARGS__)),      \
        _PyTypedMethod_LIST(count, COPY, COPY, , __VA_ARGS__),                           \
        _PyTypedMethod_LIST(count, ADDRESS, ADDRESS, , __VA_ARGS__))

#define _PyTypedMethod_RESULT_i(type) type
#define _PyTypedMethod_RESULT_u(type) type
#define _PyTypedMethod_RESULT_f(type) type
#define _PyTypedMethod_RESULT_p(type) type
#define _PyTypedMethod_RESULT_c(type) type
#define _PyTypedMethod_RESULT_v(type) int
#define _PyTypedMethod_KEEP_i result_ =
#define _PyTypedMethod_KEEP_u result_ =
#define _PyTypedMethod_KEEP_f result_ =
#define _PyTypedMethod_KEEP_p result_ =
#define _PyTypedMethod_KEEP_c result_ =
#define _PyTypedMethod_KEEP_v result_ = 0,
#define _PyTypedMethod_IS_ERROR_i(type) (result_ == (type)held->call.error.i)
#define _PyTypedMethod_IS_ERROR_u(type) (result_ == (type)held->call.error.u)
#define _PyTypedMethod_IS_ERROR_f(type)                                                  \
    (result_ == (type)held->call.error.f                                                 \
     || (result_ != result_ && held->call.error.f != held->call.error.f))
#define _PyTypedMethod_IS_ERROR_p(type) ((void *)result_ == held->call.error.p)
#define _PyTypedMethod_IS_ERROR_c(type) 0
#define _PyTypedMethod_IS_ERROR_v(type) 0
#define _PyTypedMethod_BODY(gil, name, type, member, expected, parameters, plain, first, \
                            last, values, first_values, last_values, all_values, copies, \
                            addresses)                                                   \
    _PyTypedMethod_BODY_(gil, name, type, member, expected, parameters, plain, first,    \
                         last, values, first_values, last_values, all_values, copies,    \
                         addresses)
#define _PyTypedMethod_BODY_(gil, name, type, member, expected, parameters, plain,       \
                             first, last, values, first_values, last_values, all_values, \
                             copies, addresses)                                          \
_PyCustomSlots_HOT _PyTypedMethod_RESULT_##member(type)                                  \
name##_slowly parameters                                                                 \
{                                                                                        \
    if (held->call.function != NULL && held->signature == (expected)) {                  \
        const uint32_t flags_ = held->call.flags, raises_ = flags_ & PyTypedMethod_RAISES; \
        _PyTypedMethod_RESULT_##member(type) result_;                                    \
        _PyTypedMethod_Gil gil_;                                                         \
        int taken_ = 0;                                                                  \
        if (!(gil) && !(flags_ & PyTypedMethod_NOGIL)) {                                 \
            _PyTypedMethod_TakeGil(&gil_);                                               \
            taken_ = gil_.taken;                                                         \
        }                                                                                \
        if (flags_ & PyTypedMethod_CTX_FIRST) {                                          \
            _PyTypedMethod_KEEP_##member                                                 \
                ((type (*)first)(uintptr_t)held->call.function)first_values;             \
        }                                                                                \
        else if (flags_ & PyTypedMethod_CTX_LAST) {                                      \
            _PyTypedMethod_KEEP_##member                                                 \
                ((type (*)last)(uintptr_t)held->call.function)last_values;               \
        }                                                                                \
        else {                                                                           \
            _PyTypedMethod_KEEP_##member                                                 \
                ((type (*)plain)(uintptr_t)held->call.function)values;                   \
        }                                                                                \
        if (raises_ == PyTypedMethod_RAISES_ANY                                          \
                || (raises_ != 0 && _PyTypedMethod_IS_ERROR_##member(type))) {           \
            if (raises_ == PyTypedMethod_RAISES_VALUE                                    \
                    || ((gil) || !(flags_ & PyTypedMethod_NOGIL) ? PyErr_Occurred() != NULL \
                        : _PyTypedMethod_HasRaised())) {                                 \
                _PyTypedMethod_StoreFailure(_PyTypedMethod_CODE_AT(expected, 0), &result_); \
            }                                                                            \
        }                                                                                \
        if (taken_) _PyTypedMethod_ReleaseGil(&gil_, held->callable);                    \
        return result_;                                                                  \
    }                                                                                    \
    else {                                                                               \
        const void *arguments_[PyTypedMethod_MAX_SHORT];                                 \
        _PyTypedMethod_RESULT_##member(type) value_;                                     \
        copies                                                                           \
        addresses                                                                        \
        arguments_[PyTypedMethod_MAX_SHORT - 1] = NULL;                                  \
        _PyTypedCallable_CallPython(held, (expected), (gil), arguments_, &value_);       \
        return value_;                                                                   \
    }                                                                                    \
}                                                                                        \
_PyCustomSlots_SLOW _PyTypedMethod_RESULT_##member(type)                                 \
name##_otherwise parameters                                                              \
{                                                                                        \
    return name##_slowly all_values;                                                     \
}                                                                                        \
_PyCustomSlots_FAST _PyTypedMethod_RESULT_##member(type)                                 \
name parameters                                                                          \
{                                                                                        \
    _PyTypedMethod_RESULT_##member(type) result_;                                        \
    if (_PyCustomSlots_LIKELY(held->at_once[gil] == (expected))) {                       \
        _PyTypedMethod_KEEP_##member                                                     \
            ((type (*)plain)(uintptr_t)held->call.function)values;                       \
    }                                                                                    \
    else if (held->at_once[2 + gil] == (expected)) {                                     \
        _PyTypedMethod_KEEP_##member                                                     \
            ((type (*)first)(uintptr_t)held->call.function)first_values;                 \
    }                                                                                    \
    else return name##_otherwise all_values;                                             \
    if (!_PyCustomSlots_LIKELY(!_PyTypedMethod_IS_ERROR_##member(type))) {               \
        const uint32_t raises_ = held->call.flags & PyTypedMethod_RAISES;                \
        if (raises_ != 0                                                                 \
                && (raises_ == PyTypedMethod_RAISES_VALUE                                \
                    || _PyTypedMethod_HasReallyRaised())) {                              \
            _PyTypedMethod_RESULT_##member(type) failure_;                               \
            _PyTypedMethod_StoreFailure(_PyTypedMethod_CODE_AT(expected, 0), &failure_); \
            return failure_;                                                             \
        }                                                                                \
    }                                                                                    \
    return result_;                                                                      \
}

#endif
#ifndef Py_TYPEDMETHOD_CALLBACK_H
#define Py_TYPEDMETHOD_CALLBACK_H
#include <time.h>
#ifdef __cplusplus
extern "C" {
#endif
typedef struct {
    uint64_t    signature;
    const char *prototype;
    void       *hook;
} PyTypedCallbackForm;

typedef struct PyTypedCallback {
    PyTypedCallable callable;
    const PyTypedCallbackForm *forms;
    int      chosen;
    int      is_typed;
    void    *data;
    struct PyTypedCallback *previous;
    int      depth;
    int      failed;
    int      left;
    time_t   looked;
    PyObject *error[3];
    uint64_t  at_once[4];
    uintptr_t free_in;
} PyTypedCallback;

#define _PyTypedCallback_PAUSE     1024
#define PyTypedCallback_MAX_DEPTH  200
_PyCustomSlots_UNUSED static void
_PyTypedCallback_SetHook(PyTypedCallback *callback)
{
    const PyTypedCallbackForm *form = callback->forms + callback->chosen;
    PyTypedMethodCall *call = &callback->callable.call;
    const int result = _PyTypedMethod_CODE_AT(form->signature, 0);
    call->function = form->hook;
    call->context = callback;
    call->flags = PyTypedMethod_CTX_FIRST | PyTypedMethod_RAISES_MAYBE;
    call->error.i = -1;
    if (result == PyTypedMethod_POINTER || result == PyTypedMethod_OBJECT) call->error.p = NULL;
    else if (result == PyTypedMethod_F4 || result == PyTypedMethod_F8
             || result == PyTypedMethod_F16) call->error.f = -1.0;
    else if (result == PyTypedMethod_BOOL) call->error.u = 1;
    else if (result == PyTypedMethod_VOID
             || (result >= PyTypedMethod_C8 && result <= PyTypedMethod_C32)) {
        call->flags |= PyTypedMethod_RAISES_ANY;
    }
}

_PyCustomSlots_UNUSED static int
_PyTypedCallback_IsUsualError(int result, PyTypedMethodError error)
{
    switch (result) {
    case PyTypedMethod_BOOL: return error.u == 1;
    case PyTypedMethod_U1: return (uint8_t)error.u == UINT8_MAX;
    case PyTypedMethod_U2: return (uint16_t)error.u == UINT16_MAX;
    case PyTypedMethod_U4: return (uint32_t)error.u == UINT32_MAX;
    case PyTypedMethod_U8: return error.u == UINT64_MAX;
    case PyTypedMethod_I1: case PyTypedMethod_I2: case PyTypedMethod_I4: case PyTypedMethod_I8:
        return error.i == -1;
    case PyTypedMethod_F4: case PyTypedMethod_F8: case PyTypedMethod_F16: return error.f == -1.0;
    case PyTypedMethod_POINTER: case PyTypedMethod_OBJECT: return error.p == NULL;
    default: return 0;
    }
}

_PyCustomSlots_UNUSED static void
_PyTypedCallback_SetAtOnce(PyTypedCallback *callback)
{
    const PyTypedMethodCall *call = &callback->callable.call;
    const uint64_t signature = callback->callable.signature;
    const uint32_t raises = call->flags & PyTypedMethod_RAISES;
    const int form = call->flags & PyTypedMethod_CTX_LAST ? 2 : 0;
    memset(callback->at_once, 0, sizeof(callback->at_once));
    if (call->function == NULL || (call->flags & PyTypedMethod_CTX_FIRST)) return;
    if (raises != 0 && (raises == PyTypedMethod_RAISES_ANY
                        || !_PyTypedCallback_IsUsualError(_PyTypedMethod_CODE_AT(signature, 0),
                                                          call->error))) return;
    callback->at_once[form + 1] = signature;
    if ((call->flags & PyTypedMethod_NOGIL) && raises == 0) callback->at_once[form] = signature;
}

_PyCustomSlots_UNUSED static void
_PyTypedCallback_Take(PyTypedCallback *callback, int chosen, PyObject *held)
{
    callback->chosen = chosen;
    callback->callable.signature = callback->forms[chosen].signature;
    callback->callable.callable = held;
    _PyTypedCallable_SetAtOnce(&callback->callable);
    _PyTypedCallback_SetAtOnce(callback);
}

_PyCustomSlots_UNUSED static int
_PyTypedCallback_FindForm(PyTypedCallback *callback, PyObject *callable)
{
    int i;
    for (i = 0; callback->forms[i].signature != 0; i++) {
        if (PyTypedMethod_Find(callable, callback->forms[i].signature,
                               &callback->callable.call)) return i;
    }
    return -1;
}

_PyCustomSlots_UNUSED static int
_PyTypedCallback_CompareText(const char *name, const char *prototype)
{
    static const char behind[] = ", void *)", before[] = "void *, ";
    const size_t all = strlen(prototype);
    const char *bracket = strchr(prototype, '(');
    size_t start;
    if (strcmp(name, prototype) == 0) return 1;
    if (bracket == NULL || all == 0 || bracket[1] == ')') return 0;
    if (strncmp(name, prototype, all - 1) == 0 && strcmp(name + all - 1, behind) == 0) return 2;
    start = (size_t)(bracket - prototype) + 1;
    if (strncmp(name, prototype, start) != 0) return 0;
    if (strncmp(name + start, before, sizeof(before) - 1) != 0) return 0;
    return strcmp(name + start + sizeof(before) - 1, prototype + start) == 0 ? 3 : 0;
}

_PyCustomSlots_UNUSED static int
_PyTypedCallback_NeedsGil(PyTypeObject *type)
{
#if defined(PYPY_VERSION) || defined(GRAALVM_PYTHON)
    const uintptr_t version = 0, owner = 0;
#else
    const uintptr_t version = type->tp_version_tag;
    const uintptr_t owner = (uintptr_t)PyInterpreterState_GetID(PyInterpreterState_Get());
#endif
    static PyTypeObject *last = NULL;
    static uintptr_t last_version = 0, last_owner = 0;
    PyObject *name, *flags = NULL;
    int needs = 0;

    if (type == _PyCustomSlots_LOAD(PyTypeObject *, &last) && version != 0
            && version == _PyCustomSlots_LOAD(uintptr_t, &last_version)
            && owner == _PyCustomSlots_LOAD(uintptr_t, &last_owner)) return 0;
    if ((name = PyUnicode_InternFromString("_flags_")) != NULL) {
        flags = PyObject_GetAttr((PyObject *)type, name);
        Py_DECREF(name);
    }
    if (flags == NULL) PyErr_Clear();
    else if (PyLong_Check(flags)) needs = (PyLong_AsLong(flags) & 4) != 0;
    Py_XDECREF(flags);
    if (!needs) {
        _PyCustomSlots_STORE(uintptr_t, &last_version, version);
        _PyCustomSlots_STORE(uintptr_t, &last_owner, owner);
        _PyCustomSlots_STORE(PyTypeObject *, &last, type);
    }
    return needs;
}

_PyCustomSlots_UNUSED static int
_PyTypedCallback_FindLowLevel(PyTypedCallback *callback, PyObject *tuple)
{
    PyTypedMethodCall *call = &callback->callable.call;
    PyObject *capsule, *function;
    const char *name, *type = strrchr(Py_TYPE(tuple)->tp_name, '.');
    int i, said = 0, uses_api = 0;

    type = type != NULL ? type + 1 : Py_TYPE(tuple)->tp_name;
    if (PyTuple_GET_SIZE(tuple) != 3 || strcmp(type, "LowLevelCallable") != 0) return -1;
    capsule = PyTuple_GET_ITEM(tuple, 0);
    function = PyTuple_GET_ITEM(tuple, 1);
    if (!PyCapsule_CheckExact(capsule) || (name = PyCapsule_GetName(capsule)) == NULL) return -1;
    for (i = 0; callback->forms[i].signature != 0; i++) {
        const char *prototype = callback->forms[i].prototype;
        if (prototype != NULL && (said = _PyTypedCallback_CompareText(name, prototype))) break;
    }
    if (said == 0 || (said == 1 && PyTuple_GET_ITEM(tuple, 2) != Py_None)) return -1;
    if (said == 3 && PyCapsule_GetContext(capsule) == NULL) return -1;
    if (!PyCapsule_CheckExact(function)) uses_api = _PyTypedCallback_NeedsGil(Py_TYPE(function));
    _PyTypedMethod_Zero(call);
    call->function = PyCapsule_GetPointer(capsule, name);
    if (said != 1) call->context = PyCapsule_GetContext(capsule);
    call->flags = (uses_api ? 0 : PyTypedMethod_NOGIL)
        | (said == 2 ? PyTypedMethod_CTX_LAST : said == 3 ? PyTypedMethod_CTX_FIRST : 0);
    if (uses_api) call->flags |= PyTypedMethod_RAISES_ANY;
    return i;
}

_PyCustomSlots_UNUSED static PyObject *
_PyTypedCallback_ShowForms(const PyTypedCallbackForm *forms)
{
    Py_ssize_t i, count = 0;
    PyObject *result;
    while (forms[count].signature != 0) count++;
    if (!(result = PyTuple_New(count))) return NULL;
    for (i = 0; i < count; i++) {
        PyObject *text = PyTypedMethod_Format(forms[i].signature), *pair = NULL;
        if (text != NULL) pair = Py_BuildValue("Nz", text, forms[i].prototype);
        if (pair == NULL) {
            Py_DECREF(result);
            return NULL;
        }
        PyTuple_SET_ITEM(result, i, pair);
    }
    return result;
}

_PyCustomSlots_UNUSED static PyObject *
_PyTypedCallback_Expected(const PyTypedCallbackForm *forms)
{
    PyObject *words = PyUnicode_FromString("");
    int i;
    for (i = 0; words != NULL && forms[i].signature != 0; i++) {
        const char *prototype = forms[i].prototype;
        PyObject *text = PyTypedMethod_Format(forms[i].signature), *open = NULL, *more = NULL;
        if (text != NULL && prototype == NULL) {
            more = PyUnicode_FromFormat("%U%s%U", words, i > 0 ? "; " : "", text);
        }
        else if (text != NULL) {
            open = PyUnicode_FromStringAndSize(prototype, (Py_ssize_t)strlen(prototype) - 1);
            if (open != NULL) {
                more = PyUnicode_FromFormat(
                    "%U%s%U, in C '%s', with user data '%U%svoid *)'", words, i > 0 ? "; " : "",
                    text, prototype, open, strstr(prototype, "()") != NULL ? "" : ", ");
            }
        }
        Py_XDECREF(text);
        Py_XDECREF(open);
        Py_DECREF(words);
        words = more;
    }
    return words;
}

_PyCustomSlots_UNUSED static PyObject *
_PyTypedCallback_SayWhyNot(PyObject *callable, const PyTypedCallbackForm *forms)
{
    return _PyTypedMethod_AskWhy("why_not_any", callable, _PyTypedCallback_ShowForms(forms), forms[0].signature);
}

_PyCustomSlots_UNUSED static void
_PyTypedCallback_Refuse(PyObject *callable, const PyTypedCallbackForm *forms)
{
    PyObject *expected = _PyTypedCallback_Expected(forms), *why = NULL, *shown = NULL;
    const int holds_one = PyTuple_Check(callable) || PyCapsule_CheckExact(callable);
    if (expected == NULL) goto done;
    if (!holds_one && !PyCallable_Check(callable)) {
        PyErr_Format(PyExc_TypeError, "found an object of type '%.200s', expected a callable for "
                     "one of: %U", Py_TYPE(callable)->tp_name, expected);
        goto done;
    }
    if (!(why = _PyTypedCallback_SayWhyNot(callable, forms))) goto done;
    if (!(shown = _PyCustomSlots_Show(callable))) goto done;
    PyErr_Format(PyExc_ValueError, "found %U, expected a C function with one of these "
                 "signatures: %U (%U)", shown, expected, why);
done:
    Py_XDECREF(expected);
    Py_XDECREF(why);
    Py_XDECREF(shown);
}

_PyCustomSlots_UNUSED static int
_PyTypedCallback_PythonForm(const PyTypedCallbackForm *forms)
{
    int i, k;
    for (i = 0; forms[i].signature != 0; i++) {
        if (forms[i].hook != NULL) return i;
    }
    for (i = 0; forms[i].signature != 0; i++) {
        _PyTypedMethod_Types types;
        if (_PyTypedMethod_Decode(forms[i].signature, &types) < 0) continue;
        for (k = 0; k < types.count && types.codes[k] != PyTypedMethod_POINTER; k++) {}
        if (k == types.count) return i;
    }
    return -1;
}

_PyCustomSlots_UNUSED static int
_PyTypedCallback_CheckForms(const PyTypedCallbackForm *forms)
{
    _PyTypedMethod_Types types;
    int i;
    for (i = 0; forms[i].signature != 0; i++) {
        const char *prototype = forms[i].prototype;
        if (!(forms[i].signature & 1) || _PyTypedMethod_Decode(forms[i].signature, &types) < 0) {
            PyErr_Format(PyExc_ValueError, "PyTypedCallable_InitAny: found %llu as form %d, which "
                         "is no signature of up to eleven arguments; expected one made by "
                         "PyTypedMethod_SIG() or PyTypedMethod_SIGNATURE()",
                         (unsigned long long)forms[i].signature, i);
            return -1;
        }
        if (prototype != NULL && (strchr(prototype, '(') == NULL
                                  || prototype[strlen(prototype) - 1] != ')')) {
            PyErr_Format(PyExc_ValueError, "PyTypedCallable_InitAny: found '%.200s' as the "
                         "prototype of form %d, expected C as in 'double (int, double *)'",
                         prototype, i);
            return -1;
        }
    }
    if (i == 0) {
        PyErr_SetString(PyExc_ValueError, "PyTypedCallable_InitAny: found no forms, expected an "
                        "array of them, the best first, with a signature of 0 behind the last");
        return -1;
    }
    return 0;
}

_PyCustomSlots_UNUSED static int
PyTypedCallable_InitAny(PyTypedCallback *callback, PyObject *callable,
                        const PyTypedCallbackForm *forms)
{
    int chosen;
    memset(callback, 0, sizeof(*callback));
    callback->forms = forms;
    callback->chosen = -1;
    callback->left = _PyTypedCallback_PAUSE;
    chosen = PyTuple_Check(callable) ? _PyTypedCallback_FindLowLevel(callback, callable)
                                     : _PyTypedCallback_FindForm(callback, callable);
    if (chosen >= 0) {
        Py_INCREF(callable);
        _PyTypedCallback_Take(callback, chosen, callable);
        callback->is_typed = 1;
        return chosen;
    }
    if (_PyTypedCallback_CheckForms(forms) < 0) return -1;
#if _PyCustomSlots_SHARES
    if (!_PyTypedMethod_IsPlain(callable)) {
        PyObject *adapted = NULL, *module = PyImport_ImportModule(_PyTypedMethod_PACKAGE);
        PyObject *shown = module != NULL ? _PyTypedCallback_ShowForms(forms) : NULL;
        if (shown != NULL) adapted = PyObject_CallMethod(module, "adapt_any", "OO", callable, shown);
        Py_XDECREF(module);
        Py_XDECREF(shown);
        if (adapted == NULL && !PyErr_ExceptionMatches(PyExc_Exception)) return -1;
        PyErr_Clear();
        if (adapted != NULL
                && (chosen = _PyTypedCallback_FindForm(callback, adapted)) >= 0) {
            _PyTypedCallback_Take(callback, chosen, adapted);
            callback->is_typed = 1;
            return chosen;
        }
        Py_XDECREF(adapted);
    }
#endif
    _PyTypedMethod_Zero(&callback->callable.call);
    chosen = PyCallable_Check(callable) ? _PyTypedCallback_PythonForm(forms) : -1;
    if (chosen < 0) {
        _PyTypedCallback_Refuse(callable, forms);
        return -1;
    }
    callback->chosen = chosen;
    if (forms[chosen].hook != NULL) _PyTypedCallback_SetHook(callback);
    Py_INCREF(callable);
    _PyTypedCallback_Take(callback, chosen, callable);
    return chosen;
}

_PyCustomSlots_UNUSED static PyObject *
PyTypedCallback_WhyNot(const PyTypedCallback *callback)
{
    if (callback->is_typed) return PyUnicode_FromString("");
    if (callback->callable.callable == NULL) {
        PyErr_SetString(PyExc_ValueError, "PyTypedCallback_WhyNot: found an empty "
                        "PyTypedCallback, expected one that was initialised");
        return NULL;
    }
    return _PyTypedCallback_SayWhyNot(callback->callable.callable, callback->forms);
}

_PyCustomSlots_UNUSED static inline int
PyTypedCallback_NeedsGIL(const PyTypedCallback *callback)
{
    return (callback->callable.call.flags & PyTypedMethod_NOGIL) == 0;
}

#define PyTypedCallback_Traverse(callback) Py_VISIT((callback)->callable.callable)
_PyCustomSlots_UNUSED static inline void
PyTypedCallback_Clear(PyTypedCallback *callback)
{
    callback->is_typed = 0;
    callback->chosen = -1;
    memset(callback->at_once, 0, sizeof(callback->at_once));
    PyTypedCallable_Clear(&callback->callable);
}

_PyCustomSlots_UNUSED static void
PyTypedCallback_Copy(PyTypedCallback *copy, const PyTypedCallback *callback)
{
    memset(copy, 0, sizeof(*copy));
    copy->callable = callback->callable;
    copy->forms = callback->forms;
    copy->chosen = callback->chosen;
    copy->is_typed = callback->is_typed;
    copy->data = callback->data;
    copy->left = _PyTypedCallback_PAUSE;
    memcpy(copy->at_once, callback->at_once, sizeof(copy->at_once));
    Py_XINCREF(copy->callable.callable);
    if (copy->callable.call.context == (const void *)callback) {
        copy->callable.call.context = copy;
    }
}

#ifdef __cplusplus
}
#endif
#endif
#ifndef Py_TYPEDMETHOD_RUNNING_H
#define Py_TYPEDMETHOD_RUNNING_H
#ifdef __cplusplus
extern "C" {
#endif
#if defined(__GNUC__) || defined(__clang__)
#  define _PyTypedCallback_THREAD_LOCAL __thread
#elif defined(_MSC_VER)
#  define _PyTypedCallback_THREAD_LOCAL __declspec(thread)
#else
#  error "typedmethod.h needs GCC, clang or MSVC for thread-local variables"
#endif
_PyCustomSlots_UNUSED static inline PyTypedCallback **
_PyTypedCallback_Here(void)
{
    static _PyTypedCallback_THREAD_LOCAL PyTypedCallback *here = NULL;
    return &here;
}

_PyCustomSlots_UNUSED static inline PyTypedCallback *
PyTypedCallback_Obtain(void)
{
    return *_PyTypedCallback_Here();
}

_PyCustomSlots_FAST uintptr_t
_PyTypedCallback_ThisThread(void)
{
#if defined(__x86_64__) && defined(__ELF__) && defined(__LP64__)
    uintptr_t thread;
    __asm__("{movq %%fs:0, %0|mov %0, qword ptr fs:[0]}" : "=r"(thread));
    return thread;
#elif defined(__aarch64__) && defined(__ELF__)
    uintptr_t thread;
    __asm__("mrs %0, tpidr_el0" : "=r"(thread));
    return thread;
#else
    return (uintptr_t)_PyTypedCallback_Here();
#endif
}

_PyCustomSlots_UNUSED static int
PyTypedCallback_Enter(PyTypedCallback *callback)
{
    PyTypedCallback **here = _PyTypedCallback_Here();
    const int depth = *here != NULL ? (*here)->depth + 1 : 1;
    if (callback->depth != 0) {
        PyErr_SetString(PyExc_RuntimeError, "PyTypedCallback_Enter: found a callback that is "
                        "entered already; expected one for each run, as PyTypedCallback_Copy() "
                        "makes them");
        return -1;
    }
    if (depth > PyTypedCallback_MAX_DEPTH) {
        PyErr_Format(PyExc_RecursionError, "found callbacks inside callbacks %d deep, expected at "
                     "most %d", depth, PyTypedCallback_MAX_DEPTH);
        return -1;
    }
    if (Py_EnterRecursiveCall(" in a callback")) return -1;
    callback->failed = 0;
    callback->left = _PyTypedCallback_PAUSE;
    callback->looked = 0;
    callback->free_in = (callback->callable.call.flags & PyTypedMethod_NOGIL)
        && _PyTypedMethod_HasThreadState() ? _PyTypedCallback_ThisThread() : 0;
    callback->previous = *here;
    callback->depth = depth;
    *here = callback;
    return 0;
}

_PyCustomSlots_UNUSED static int
PyTypedCallback_Leave(PyTypedCallback *callback)
{
    *_PyTypedCallback_Here() = callback->previous;
    callback->previous = NULL;
    callback->depth = 0;
    callback->free_in = 0;
    Py_LeaveRecursiveCall();
    if (_PyCustomSlots_LOAD(int, &callback->failed)) {
        PyErr_Restore(callback->error[0], callback->error[1], callback->error[2]);
        callback->error[0] = callback->error[1] = callback->error[2] = NULL;
        callback->failed = 0;
    }
    return PyErr_Occurred() ? -1 : 0;
}

_PyCustomSlots_UNUSED static inline int
PyTypedCallback_HasFailed(PyTypedCallback *callback)
{
    return _PyCustomSlots_LOAD(int, &callback->failed);
}

_PyCustomSlots_UNUSED static int
_PyTypedCallback_IsFirst(PyTypedCallback *callback)
{
#if defined(__GNUC__) || defined(__clang__)
    return __atomic_exchange_n(&callback->failed, 1, __ATOMIC_ACQ_REL) == 0;
#else
    return _InterlockedExchange((volatile long *)&callback->failed, 1) == 0;
#endif
}

_PyCustomSlots_UNUSED static void
_PyTypedCallback_Keep(PyTypedCallback *callback)
{
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    if (_PyTypedCallback_IsFirst(callback)) {
        callback->error[0] = type;
        callback->error[1] = value;
        callback->error[2] = traceback;
    }
    else {
        PyErr_Restore(type, value, traceback);
        PyErr_WriteUnraisable(callback->callable.callable);
    }
    _PyCustomSlots_STORE(int, &callback->left, 1);
}

_PyCustomSlots_UNUSED static inline void
PyTypedCallback_Fail(PyTypedCallback *callback)
{
    if (PyErr_Occurred()) _PyTypedCallback_Keep(callback);
}

_PyCustomSlots_UNUSED static inline int
_PyTypedCallback_IsFree(const PyTypedCallback *callback)
{
    const uint32_t flags = callback->callable.call.flags;
    return (flags & PyTypedMethod_NOGIL)
           && (!(flags & PyTypedMethod_RAISES) || _PyTypedMethod_HasThreadState());
}

_PyCustomSlots_FAST int
_PyTypedCallback_IsAtOnce(const PyTypedCallback *callback, uint64_t signature, int form, int gil)
{
    return _PyCustomSlots_LIKELY(callback->at_once[form + gil] == signature)
           || (!gil && callback->at_once[form + 1] == signature
               && callback->free_in == _PyTypedCallback_ThisThread());
}

_PyCustomSlots_SLOW int
_PyTypedCallback_Notice(PyTypedCallback *callback)
{
    _PyTypedMethod_Gil gil;
    int raised;
    if (callback->callable.call.function != NULL
            && (callback->callable.call.flags & PyTypedMethod_RAISES) == 0) return 0;
    if (!_PyTypedMethod_IsAttached() && !_PyTypedMethod_HasThreadState()) return 0;
    _PyTypedMethod_TakeGil(&gil);
    if ((raised = PyErr_Occurred() != NULL)) _PyTypedCallback_Keep(callback);
    if (gil.taken) PyGILState_Release(gil.state);
    return raised;
}

_PyCustomSlots_SLOW int
_PyTypedCallback_Pause(PyTypedCallback *callback)
{
    _PyTypedMethod_Gil gil;
    const int attached = _PyTypedMethod_IsAttached();
    _PyCustomSlots_STORE(int, &callback->left, 1);
    if (_PyCustomSlots_LOAD(int, &callback->failed)) return -1;
    _PyCustomSlots_STORE(int, &callback->left, _PyTypedCallback_PAUSE);
    if (!attached) {
        const time_t now = time(NULL);
        if (!_PyTypedMethod_HasThreadState() || now == callback->looked) return 0;
        callback->looked = now;
    }
    _PyTypedMethod_TakeGil(&gil);
    if (PyErr_Occurred() || PyErr_CheckSignals() < 0) _PyTypedCallback_Keep(callback);
    if (gil.taken) PyGILState_Release(gil.state);
    return _PyCustomSlots_LOAD(int, &callback->failed) ? -1 : 0;
}

#ifdef __cplusplus
}
#endif
#define PyTypedCallback_CALLER(name, failure, ...)                                       \
    PyTypedMethod_CALLER(name##_call, __VA_ARGS__)                                       \
    _PyTypedMethod_EXPAND4(_PyTypedCallback_CALLER_N(                                    \
        0, name, failure, _PyTypedMethod_COUNT(__VA_ARGS__), __VA_ARGS__, ))

#define PyTypedCallback_CALLER_WITH_GIL(name, failure, ...)                              \
    PyTypedMethod_CALLER_WITH_GIL(name##_call, __VA_ARGS__)                              \
    _PyTypedMethod_EXPAND4(_PyTypedCallback_CALLER_N(                                    \
        1, name, failure, _PyTypedMethod_COUNT(__VA_ARGS__), __VA_ARGS__, ))

#define _PyTypedCallback_CALLER_N(gil, name, failure, count, ...)                        \
    _PyTypedMethod_EXPAND3(_PyTypedCallback_CALLER_NN(gil, name, failure, count, __VA_ARGS__))
#define _PyTypedCallback_CALLER_NN(gil, name, failure, count, r, ...)                    \
    _PyTypedCallback_BODY(                                                               \
        gil, name, failure, _PyTypedMethod_T_##r, _PyTypedMethod_M_##r,                  \
        PyTypedMethod_SIG(_PyTypedMethod_C_##r                                           \
            _PyTypedMethod_LIST(count, COMMA_CODE, COMMA_CODE, , __VA_ARGS__)),          \
        (PyTypedCallback *callback                                                       \
            _PyTypedMethod_LIST(count, COMMA_PARAMETER, COMMA_PARAMETER, , __VA_ARGS__)),\
        (_PyTypedMethod_LIST(count, TYPE, COMMA_TYPE, void, __VA_ARGS__)),               \
        (_PyTypedMethod_LIST(count, TYPE_COMMA, TYPE_COMMA, , __VA_ARGS__) void *),      \
        (_PyTypedMethod_LIST(count, VALUE, COMMA_VALUE, , __VA_ARGS__)),                 \
        (_PyTypedMethod_LIST(count, VALUE_COMMA, VALUE_COMMA, , __VA_ARGS__)             \
            callback->callable.call.context),                                            \
        (callback _PyTypedMethod_LIST(count, COMMA_VALUE, COMMA_VALUE, , __VA_ARGS__)),  \
        (&callback->callable                                                             \
            _PyTypedMethod_LIST(count, COMMA_VALUE, COMMA_VALUE, , __VA_ARGS__)))
#define _PyTypedCallback_BODY(gil, name, failure, type, member, expected, parameters,    \
                              plain, last, values, last_values, all_values, held_values) \
    _PyTypedCallback_BODY_(gil, name, failure, type, member, expected, parameters,       \
                           plain, last, values, last_values, all_values, held_values)

#define _PyTypedCallback_MAYBE_i(type) (result_ == (type)-1)
#define _PyTypedCallback_MAYBE_u(type) (result_ == (type)-1)
#define _PyTypedCallback_MAYBE_f(type) (result_ == (type)-1)
#define _PyTypedCallback_MAYBE_p(type) (result_ == NULL)
#define _PyTypedCallback_MAYBE_v(type) (result_ < 0)
#define _PyTypedCallback_MAYBE_c(type) 1
#define _PyTypedCallback_RETURN_i(value) return value
#define _PyTypedCallback_RETURN_u(value) return value
#define _PyTypedCallback_RETURN_f(value) return value
#define _PyTypedCallback_RETURN_p(value) return value
#define _PyTypedCallback_RETURN_c(value) return value
#define _PyTypedCallback_RETURN_v(value) return
#define _PyTypedCallback_BODY_(gil, name, failure, type, member, expected, parameters,   \
                               plain, last, values, last_values, all_values, held_values) \
_PyCustomSlots_HOT type                                                                  \
name##_otherwise parameters                                                              \
{                                                                                        \
    _PyTypedMethod_RESULT_##member(type) result_;                                        \
    _PyTypedMethod_Gil gil_;                                                             \
    int raised_;                                                                         \
    if (_PyTypedCallback_IsAtOnce(callback, (expected), 2, (gil))) {                     \
        _PyTypedMethod_KEEP_##member                                                     \
            ((type (*)last)(uintptr_t)callback->callable.call.function)last_values;      \
        raised_ = _PyTypedCallback_MAYBE_##member(type)                                  \
                  && _PyTypedCallback_Notice(callback);                                  \
    }                                                                                    \
    else if ((gil) || _PyTypedCallback_IsFree(callback)) {                               \
        result_ = name##_call held_values;                                               \
        raised_ = _PyTypedCallback_MAYBE_##member(type)                                  \
                  && _PyTypedCallback_Notice(callback);                                  \
    }                                                                                    \
    else {                                                                               \
             \
        _PyTypedMethod_TakeGil(&gil_);                                                   \
        result_ = name##_call held_values;                                               \
        raised_ = _PyTypedCallback_MAYBE_##member(type) && PyErr_Occurred();             \
        if (raised_) _PyTypedCallback_Keep(callback);                                    \
        if (gil_.taken) PyGILState_Release(gil_.state);                                  \
    }                                                                                    \
    if (raised_) _PyTypedCallback_RETURN_##member(failure);                              \
    _PyTypedCallback_RETURN_##member(result_);                                           \
}                                                                                        \
_PyCustomSlots_FAST type                                                                 \
name parameters                                                                          \
{                                                                                        \
    const int left_ = _PyTypedCallback_COUNTED(&callback->left) - 1;                     \
    _PyTypedMethod_RESULT_##member(type) result_;                                        \
    _PyTypedCallback_COUNT(&callback->left, left_);                                      \
    if (!_PyCustomSlots_LIKELY(left_ > 0) && _PyTypedCallback_Pause(callback) < 0) {     \
        _PyTypedCallback_RETURN_##member(failure);                                       \
    }                                                                                    \
    if (!_PyTypedCallback_IsAtOnce(callback, (expected), 0, (gil))) {                    \
        _PyTypedCallback_RETURN_HELD_##member(name##_otherwise all_values);              \
    }                                                                                    \
    _PyTypedMethod_KEEP_##member                                                         \
        ((type (*)plain)(uintptr_t)callback->callable.call.function)values;              \
    if (!_PyCustomSlots_LIKELY(!_PyTypedCallback_MAYBE_##member(type))                   \
            && _PyTypedCallback_Notice(callback)) {                                      \
        _PyTypedCallback_RETURN_##member(failure);                                       \
    }                                                                                    \
    _PyTypedCallback_RETURN_##member(result_);                                           \
}

#define _PyTypedCallback_RETURN_HELD_i(value) return value
#define _PyTypedCallback_RETURN_HELD_u(value) return value
#define _PyTypedCallback_RETURN_HELD_f(value) return value
#define _PyTypedCallback_RETURN_HELD_p(value) return value
#define _PyTypedCallback_RETURN_HELD_c(value) return value
#define _PyTypedCallback_RETURN_HELD_v(value) do { value; return; } while (0)
#if defined(__GNUC__) || defined(__clang__)
#  define _PyTypedCallback_COUNTED(p)  __atomic_load_n((p), __ATOMIC_RELAXED)
#  define _PyTypedCallback_COUNT(p, n) __atomic_store_n((p), (n), __ATOMIC_RELAXED)
#else
#  define _PyTypedCallback_COUNTED(p)  (*(volatile int *)(p))
#  define _PyTypedCallback_COUNT(p, n) (*(volatile int *)(p) = (n))
#endif
#ifdef __cplusplus
extern "C" {
#endif
_PyCustomSlots_UNUSED static inline void
PyTypedCallback_Target(PyTypedCallback *callback, int has_gil, void *trampoline,
                       void **function, void **data)
{
    if (callback->at_once[has_gil ? 3 : 2] != 0
            && (callback->callable.call.flags & PyTypedMethod_RAISES) == 0) {
        *function = callback->callable.call.function;
        *data = callback->callable.call.context;
    }
    else {
        *function = trampoline;
        *data = callback;
    }
}

#ifdef __cplusplus
}
#endif
#define PyTypedCallback_TRAMPOLINE_LAST(name, caller, ...)                               \
    _PyTypedMethod_EXPAND4(_PyTypedCallback_TRAMPOLINE_N(                                \
        LAST, name, caller, _PyTypedMethod_COUNT(__VA_ARGS__), __VA_ARGS__, ))

#define PyTypedCallback_TRAMPOLINE_FIRST(name, caller, ...)                              \
    _PyTypedMethod_EXPAND4(_PyTypedCallback_TRAMPOLINE_N(                                \
        FIRST, name, caller, _PyTypedMethod_COUNT(__VA_ARGS__), __VA_ARGS__, ))

#define PyTypedCallback_TRAMPOLINE(name, caller, ...)                                    \
    _PyTypedMethod_EXPAND4(_PyTypedCallback_TRAMPOLINE_N(                                \
        NONE, name, caller, _PyTypedMethod_COUNT(__VA_ARGS__), __VA_ARGS__, ))

#define _PyTypedCallback_TRAMPOLINE_N(place, name, caller, count, ...)                   \
    _PyTypedMethod_EXPAND3(                                                              \
        _PyTypedCallback_TRAMPOLINE_##place(name, caller, count, __VA_ARGS__))
#define _PyTypedMethod_PARAMETER_COMMA(i, t) _PyTypedMethod_T_##t a##i##_,
#define _PyTypedMethod_PARAMETER(i, t) _PyTypedMethod_T_##t a##i##_
#define _PyTypedCallback_TRAMPOLINE_LAST(name, caller, count, r, ...)                    \
    static _PyTypedMethod_T_##r                                                          \
    name(_PyTypedMethod_LIST(count, PARAMETER_COMMA, PARAMETER_COMMA, , __VA_ARGS__)     \
         void *callback_)                                                                \
    _PyTypedCallback_TRAMPOLINE_BODY(                                                    \
        r, caller, _PyTypedMethod_LIST(count, COMMA_VALUE, COMMA_VALUE, , __VA_ARGS__))
#define _PyTypedCallback_TRAMPOLINE_FIRST(name, caller, count, r, ...)                   \
    static _PyTypedMethod_T_##r                                                          \
    name(void *callback_                                                                 \
         _PyTypedMethod_LIST(count, COMMA_PARAMETER, COMMA_PARAMETER, , __VA_ARGS__))    \
    _PyTypedCallback_TRAMPOLINE_BODY(                                                    \
        r, caller, _PyTypedMethod_LIST(count, COMMA_VALUE, COMMA_VALUE, , __VA_ARGS__))
#define _PyTypedCallback_TRAMPOLINE_NONE(name, caller, count, r, ...)                    \
    static _PyTypedMethod_T_##r                                                          \
    name(_PyTypedMethod_LIST(count, PARAMETER, COMMA_PARAMETER, void, __VA_ARGS__))      \
    {                                                                                    \
        PyTypedCallback *callback_ = PyTypedCallback_Obtain();                           \
        if (callback_ == NULL) Py_FatalError(#name ": found no callback that this "      \
            "thread has entered, expected one; use a trampoline with user data");        \
        _PyTypedCallback_RETURN_HELD(r, caller(                                          \
            callback_ _PyTypedMethod_LIST(count, COMMA_VALUE, COMMA_VALUE, , __VA_ARGS__))); \
    }
#define _PyTypedCallback_TRAMPOLINE_BODY(r, caller, values)                              \
    {                                                                                    \
        _PyTypedCallback_RETURN_HELD(r, caller((PyTypedCallback *)callback_ values));    \
    }
#define _PyTypedCallback_RETURN_HELD(r, value)                                           \
    _PyTypedCallback_RETURN_HELD_(_PyTypedMethod_M_##r, value)
#define _PyTypedCallback_RETURN_HELD_(member, value)                                     \
    _PyTypedCallback_RETURN_HELD__(member, value)
#define _PyTypedCallback_RETURN_HELD__(member, value) _PyTypedCallback_RETURN_HELD_##member(value)
#endif
#ifndef Py_TYPEDMETHOD_PROVIDE_H
#define Py_TYPEDMETHOD_PROVIDE_H
#ifdef __cplusplus
extern "C" {
#endif
#define PyTypedMethod_FUNCTION(name, function, flags, error, text)                       \
    PyTypedMethod_RECORD(name##_typed, #name,                                            \
                         PyTypedMethod_ENTRY(function, flags, error, text))

_PyCustomSlots_UNUSED static int
PyTypedMethod_RegisterMethods(PyMethodDef *methods, const PyTypedMethodRecord *const *records,
                              Py_ssize_t count)
{
    PyTypedMethod_Pair *pairs;
    Py_ssize_t i;
    int result = -1;

    if (count <= 0) return 0;
    pairs = (PyTypedMethod_Pair *)calloc((size_t)count, sizeof(*pairs));
    if (pairs == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    for (i = 0; i < count; i++) {
        const char *name = records[i] != NULL ? records[i]->name : NULL;
        PyMethodDef *def = methods;
        while (name != NULL && def->ml_name != NULL && strcmp(def->ml_name, name) != 0) def++;
        if (name == NULL || def->ml_name == NULL) {
            PyErr_Format(PyExc_ValueError, "PyTypedMethod_RegisterMethods: found the record "
                         "of '%.100s', expected one of a method in this PyMethodDef array",
                         name != NULL ? name : "NULL");
            goto done;
        }
        pairs[i].def = def;
        pairs[i].record = records[i];
    }
    result = PyTypedMethod_RegisterMany(pairs, count);
done:
    free(pairs);
    return result;
}

#ifdef __cplusplus
}
#endif
#endif
#endif
/* [cython-customslots: end typedmethod.h] */
