/* [cython-customslots: begin typedmethod.h] */
/* SPDX-License-Identifier: MIT; the comments are in the file. */
#ifndef Py_TYPEDMETHOD_H
#define Py_TYPEDMETHOD_H
/* [cython-customslots: begin customslots.h] */
/* SPDX-License-Identifier: MIT; the comments are in the file. */
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
#define PyCustomSlots_ABI_VERSION 5
#define PyCustomSlots_VERSION     "0.1.0"
#define PyCustomSlots_VERSION_HEX 0x000100F0
#if (defined(__GNUC__) || defined(__clang__)) && !defined(_Pycs_VENDORED)
static const char _Pycs_headers[] __attribute__((used)) = "headers of cython-customslots " PyCustomSlots_VERSION;
#endif
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
    PyCustomSlot *(*find)(PyTypeObject *type, PyCustomSlot *table, uintptr_t id);
    PyTypeObject *(*whole)(PyTypeObject *type);
} _Pycs_Looks;

typedef struct {
    const _Pycs_Looks *const *looks;
    uintptr_t absent;
} _Pycs_Front;

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
#  define _Pycs_LOAD(T, p)     __atomic_load_n((T *)(p), __ATOMIC_ACQUIRE)
#  define _Pycs_STORE(T, p, v) __atomic_store_n((T *)(p), (v), __ATOMIC_RELEASE)
#  define _Pycs_UNUSED         __attribute__((unused))
#  define _Pycs_NOINLINE       __attribute__((noinline, unused))
#  define _Pycs_SLOW           __attribute__((noinline, cold, unused)) static
#  define _Pycs_HOT            __attribute__((noinline, hot, unused, aligned(64))) static
#  if defined(__OPTIMIZE__) && !defined(__OPTIMIZE_SIZE__)
#    define _Pycs_FAST         __attribute__((always_inline, unused)) static inline
#  else
#    define _Pycs_FAST         __attribute__((unused)) static inline
#  endif
#  define _Pycs_LIKELY(x)      __builtin_expect(!!(x), 1)
#  define _Pycs_SWAP_INT(p, n) __atomic_exchange_n((p), (n), __ATOMIC_ACQ_REL)
#  define _Pycs_THREAD_LOCAL   __thread
#  define _Pycs_COUNTED(p)     __atomic_load_n((p), __ATOMIC_RELAXED)
#  define _Pycs_SET_COUNT(p, n) __atomic_store_n((p), (n), __ATOMIC_RELAXED)
#elif defined(_MSC_VER)
#  include <intrin.h>
#  if defined(_M_ARM64) || defined(_M_ARM64EC)
#    define _Pycs_LOAD(T, p) \
         ((T)(sizeof(T) == 8 ? (uintptr_t)__ldar64((unsigned __int64 volatile *)(p)) \
                             : (uintptr_t)__ldar32((unsigned __int32 volatile *)(p))))
#    define _Pycs_STORE(T, p, v) \
         (sizeof(T) == 8 \
          ? __stlr64((unsigned __int64 volatile *)(p), (unsigned __int64)(uintptr_t)(v)) \
          : __stlr32((unsigned __int32 volatile *)(p), (unsigned __int32)(uintptr_t)(v)))
#  else
#    define _Pycs_LOAD(T, p)     (*(T volatile *)(p))
#    define _Pycs_STORE(T, p, v) (*(T volatile *)(p) = (v))
#  endif
#  define _Pycs_UNUSED
#  define _Pycs_NOINLINE       __declspec(noinline)
#  define _Pycs_SLOW           __declspec(noinline) static
#  define _Pycs_HOT            __declspec(noinline) static
#  define _Pycs_FAST           static __forceinline
#  define _Pycs_LIKELY(x)      (x)
#  define _Pycs_SWAP_INT(p, n) _InterlockedExchange((long volatile *)(p), (n))
#  define _Pycs_THREAD_LOCAL   __declspec(thread)
#  define _Pycs_COUNTED(p)     (*(volatile int *)(p))
#  define _Pycs_SET_COUNT(p, n) (*(volatile int *)(p) = (n))
#else
#  error "customslots.h needs GCC, clang or MSVC for its atomic loads"
#endif
#ifdef __clang__
#  define _Pycs_CLANG_LIKELY(x) _Pycs_LIKELY(x)
#else
#  define _Pycs_CLANG_LIKELY(x) (x)
#endif
#ifdef PyCustomSlots_ELSEWHERE
#  define _Pycs_TABLE_OF(header)            _Pycs_PREFIXED(PyCustomSlots_ELSEWHERE, header)
#  define _Pycs_PREFIXED(prefix, header)    _Pycs_PREFIXED_TO(prefix, header)
#  define _Pycs_PREFIXED_TO(prefix, header) prefix##_##header
#endif
#if (defined(__GNUC__) || defined(__clang__)) && !defined(_WIN32) && !defined(__CYGWIN__)
#  define _Pycs_HIDDEN __attribute__((visibility("hidden")))
#else
#  define _Pycs_HIDDEN
#endif
#if UINTPTR_MAX > 0xFFFFFFFFu
#  define _Pycs_READY      ((uintptr_t)0x5E9200C5A17B3D05u)
#  define _Pycs_UNFINISHED ((uintptr_t)0x5E9200C5A17B2D05u)
#else
#  define _Pycs_READY      ((uintptr_t)0x5E92A105u)
#  define _Pycs_UNFINISHED ((uintptr_t)0x5E92B105u)
#endif
#define _Pycs_STATIC_MARK ((Py_ssize_t)-0x5E9202)
#if ULONG_MAX > 0xFFFFFFFFu && !defined(_MSC_VER) && !defined(PYPY_VERSION) \
    && (PY_VERSION_HEX < 0x03100000 || defined(Py_LIMITED_API))
#  define _Pycs_STAMPS 1
#  define _Pycs_STAMP(type) ((uint32_t)(uintptr_t)(type) + 0x5E92050Bu)
typedef uint32_t __attribute__((may_alias)) _Pycs_Half;
#  define _Pycs_UPPER_OF(flags) ((_Pycs_Half *)(flags) + (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__))
#  define _Pycs_UPPER(type)     _Pycs_UPPER_OF(&(type)->tp_flags)
#else
#  define _Pycs_STAMPS 0
#endif
#ifdef PYPY_VERSION
#  define _Pycs_SUPPORTED 0
#else
#  define _Pycs_SUPPORTED 1
#endif
#ifdef Py_TARGET_ABI3T
#  define _Pycs_OB_SIZE(type) Py_SIZE((PyObject *)(type))
#else
#  define _Pycs_OB_SIZE(type) (((PyVarObject *)(type))->ob_size)
#endif
#ifndef Py_LIMITED_API
typedef PyHeapExtensibleTypeObject _Pycs_Type;
#  define _Pycs_CAST(type)   ((_Pycs_Type *)(type))
#  define _Pycs_OB_TYPE(obj) Py_TYPE(obj)
#  define _Pycs_HEAD         ((Py_ssize_t)sizeof(PyObject))
#  define _Pycs_BEHIND_HEAD(obj)    ((const char *)(obj) + _Pycs_HEAD)
#  define _Pycs_TP_NAME(type) ((type)->tp_name)
#  define _Pycs_SIZE_OF(type) ((type)->tp_basicsize)
#  define _Pycs_FLAGS(type)  _Pycs_LOAD(unsigned long, &(type)->tp_flags)
#  define _Pycs_BASE(type)   _Pycs_LOAD(PyTypeObject *, &(type)->tp_base)
#  define _Pycs_TYPE_AT(types, i) ((PyTypeObject *)PyTuple_GET_ITEM((types), (i)))
#else
typedef struct {
    Py_ssize_t    etp_custom_slot_count;
    PyCustomSlot *etp_custom_slots;
    uintptr_t     etp_check;
} _Pycs_Type;

#define _Pycs_TP_NAME_WORD   1
#define _Pycs_TP_BASICSIZE 2
#define _Pycs_TP_FLAGS     19
static Py_ssize_t _Pycs_head = 0;
static Py_ssize_t _Pycs_heap_size = 0;

_Pycs_FAST void *
_Pycs_Word(const void *type, Py_ssize_t head, int number)
{
    return (void *)((char *)type + head + number * (Py_ssize_t)sizeof(void *));
}

_Pycs_UNUSED static int
_Pycs_IsHead(Py_ssize_t head)
{
    const void *object = &PyBaseObject_Type;
    return *(const void **)_Pycs_Word(object, head, -1) == (const void *)&PyType_Type
           && *(Py_ssize_t *)_Pycs_Word(object, head, _Pycs_TP_BASICSIZE) == head;
}

_Pycs_SLOW Py_ssize_t
_Pycs_AskSize(PyTypeObject *asked)
{
    PyGILState_STATE gil = PyGILState_Ensure();
    PyObject *type, *value, *traceback, *size;
    Py_ssize_t answer;
    PyErr_Fetch(&type, &value, &traceback);
    size = PyObject_GetAttrString((PyObject *)asked, "__basicsize__");
    answer = size != NULL ? PyLong_AsSsize_t(size) : 0;
    Py_XDECREF(size);
    PyErr_Restore(type, value, traceback);
    PyGILState_Release(gil);
    return answer;
}

_Pycs_SLOW Py_ssize_t
_Pycs_ReadLayouts(void)
{
    const char *version = Py_GetVersion();
    const Py_ssize_t word = (Py_ssize_t)sizeof(void *);
    Py_ssize_t head = -1;
    if (strncmp(version, "3.1", 3) == 0 && version[3] >= '0' && version[3] <= '5' && version[4] == '.') {
        for (head = 2 * word; head > 0 && !_Pycs_IsHead(head);) head = head < 5 * word ? head + word : -1;
    }
    _Pycs_STORE(Py_ssize_t, &_Pycs_heap_size, head > 0 ? *(Py_ssize_t *)_Pycs_Word(
                    &PyType_Type, head, _Pycs_TP_BASICSIZE) : _Pycs_AskSize(&PyType_Type));
    _Pycs_STORE(Py_ssize_t, &_Pycs_head, head);
    return head;
}

_Pycs_FAST Py_ssize_t
_Pycs_Head(void)
{
    const Py_ssize_t head = _Pycs_LOAD(Py_ssize_t, &_Pycs_head);
    return _Pycs_LIKELY(head != 0) ? head : _Pycs_ReadLayouts();
}

_Pycs_FAST _Pycs_Type *
_Pycs_CAST(PyTypeObject *type)
{
    Py_ssize_t size = _Pycs_LOAD(Py_ssize_t, &_Pycs_heap_size);
    if (size == 0) {
        (void)_Pycs_ReadLayouts();
        size = _Pycs_LOAD(Py_ssize_t, &_Pycs_heap_size);
    }
    return (_Pycs_Type *)((char *)type + size);
}

_Pycs_FAST PyTypeObject *
_Pycs_OB_TYPE(PyObject *obj)
{
    const Py_ssize_t head = _Pycs_Head();
    return _Pycs_LIKELY(head > 0) ? *(PyTypeObject **)_Pycs_Word(obj, head, -1) : Py_TYPE(obj);
}

_Pycs_SLOW const char *
_Pycs_AskName(PyTypeObject *type)
{
    PyObject *kind, *value, *traceback, *name;
    const char *text = NULL;
    PyErr_Fetch(&kind, &value, &traceback);
    name = PyObject_GetAttrString((PyObject *)type, "__name__");
    if (name != NULL && PyUnicode_CheckExact(name)) {
        PyUnicode_InternInPlace(&name);
        text = PyUnicode_AsUTF8AndSize(name, NULL);
    }
    else Py_XDECREF(name);
    PyErr_Restore(kind, value, traceback);
    return text != NULL ? text : "?";
}

_Pycs_UNUSED static inline const char *
_Pycs_TP_NAME(PyTypeObject *type)
{
    const Py_ssize_t head = _Pycs_Head();
    return head > 0 ? *(const char **)_Pycs_Word(type, head, _Pycs_TP_NAME_WORD) : _Pycs_AskName(type);
}

_Pycs_FAST Py_ssize_t
_Pycs_SIZE_OF(PyTypeObject *type)
{
    const Py_ssize_t head = _Pycs_Head();
    return head > 0 ? *(Py_ssize_t *)_Pycs_Word(type, head, _Pycs_TP_BASICSIZE) : PY_SSIZE_T_MAX;
}
#  define _Pycs_HEAD         _Pycs_Head()
#  define _Pycs_BEHIND_HEAD(obj)    ((const char *)(obj) + _Pycs_HEAD)
#  define _Pycs_FLAGS(type)  PyType_GetFlags(type)
#  define _Pycs_BASE(type)   ((PyTypeObject *)PyType_GetSlot((type), Py_tp_base))
#  define _Pycs_TYPE_AT(types, i) ((PyTypeObject *)PyTuple_GetItem((types), (i)))
#endif
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

_Pycs_UNUSED static inline int
_Pycs_HasMemory(PyTypeObject *type)
{
    return (_Pycs_FLAGS(type) & Py_TPFLAGS_HEAPTYPE) != 0 || _Pycs_OB_SIZE(type) == _Pycs_STATIC_MARK;
}

_Pycs_FAST int
_Pycs_Passes(PyTypeObject *type)
{
    return ((_Pycs_LOAD(uintptr_t, &_Pycs_CAST(type)->etp_check) ^ (uintptr_t)type)
            | (_Pycs_READY ^ _Pycs_UNFINISHED)) == (_Pycs_READY | _Pycs_UNFINISHED);
}

_Pycs_SLOW PyTypeObject *
_Pycs_FindOwnerSlow(PyTypeObject *type)
{
    while (!_Pycs_HasMemory(type)) {
        if (_Pycs_OB_TYPE((PyObject *)type) == &PyType_Type || (type = _Pycs_BASE(type)) == NULL) return NULL;
    }
    return _Pycs_Passes(type) ? type : NULL;
}

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

_Pycs_FAST PyTypeObject *
_Pycs_FindOwner(PyTypeObject *type)
{
    int known = _Pycs_Test(type);
    if (known > 0) {
        return type;
    }
    return known == 0 ? NULL : _Pycs_FindOwnerSlow(type);
}

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

_Pycs_FAST int
PyCustomSlots_CheckType(PyTypeObject *type)
{
    return _Pycs_FindOwner(type) != NULL;
}

_Pycs_UNUSED static inline PyTypeObject *
_Pycs_FindWhole(PyTypeObject *type)
{
    const PyCustomSlot *table;
    if ((type = _Pycs_FindOwner(type)) == NULL) return NULL;
    table = _Pycs_TableOf(type);
    return table->id != PyCustomSlots_EMPTY ? type : _Pycs_LooksOf(table)->whole(type);
}

_Pycs_FAST Py_ssize_t
PyCustomSlots_CountType(PyTypeObject *type)
{
    return (type = _Pycs_FindWhole(type)) == NULL
           ? 0 : _Pycs_LOAD(Py_ssize_t, &_Pycs_CAST(type)->etp_custom_slot_count);
}

_Pycs_FAST PyCustomSlot *
PyCustomSlots_TableType(PyTypeObject *type)
{
    return (type = _Pycs_FindWhole(type)) == NULL ? NULL : _Pycs_TableOf(type);
}

_Pycs_UNUSED static inline uint32_t
_Pycs_Hash(uintptr_t id)
{
    uint32_t hash = (uint32_t)(id >> 1) * 0x9E3779B1u;
    return hash ^ (hash >> 15);
}

_Pycs_UNUSED static inline uintptr_t
_Pycs_Bit(uintptr_t id)
{
    return (uintptr_t)1 << _Pycs_Hash(id) % (8 * sizeof(uintptr_t));
}

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

_Pycs_FAST int
PyCustomSlots_Check(PyObject *obj)
{
    return PyCustomSlots_CheckType(_Pycs_OB_TYPE(obj));
}

_Pycs_FAST Py_ssize_t
PyCustomSlots_Count(PyObject *obj)
{
    return PyCustomSlots_CountType(_Pycs_OB_TYPE(obj));
}

_Pycs_FAST PyCustomSlot *
PyCustomSlots_Table(PyObject *obj)
{
    return PyCustomSlots_TableType(_Pycs_OB_TYPE(obj));
}

_Pycs_FAST PyCustomSlot *
PyCustomSlots_Find(PyObject *obj, uintptr_t id, Py_ssize_t expected_pos)
{
    return PyCustomSlots_FindType(_Pycs_OB_TYPE(obj), id, expected_pos);
}

#define _Pycs_LONGEST_REPR 200
#ifdef Py_LIMITED_API
#  define _Pycs_LENGTH(text) PyUnicode_GetLength(text)
#else
#  define _Pycs_LENGTH(text) PyUnicode_GET_LENGTH(text)
#endif
_Pycs_UNUSED static int
_Pycs_IsReplaceable(void)
{
    return PyErr_ExceptionMatches(PyExc_Exception) && !PyErr_ExceptionMatches(PyExc_MemoryError);
}

_Pycs_UNUSED static PyObject *
_Pycs_PlainRepr(PyObject *object)
{
#if defined(Py_LIMITED_API) || defined(PYPY_VERSION)
    return PyObject_CallMethod((PyObject *)&PyBaseObject_Type, "__repr__", "(O)", object);
#else
    return PyBaseObject_Type.tp_repr(object);
#endif
}

_Pycs_SLOW PyObject *
_Pycs_Repr(PyObject *object)
{

    const Py_ssize_t length = PyBytes_Check(object) || PyTuple_Check(object) || PyList_Check(object)
        ? Py_SIZE(object) : PyDict_Check(object) ? PyDict_Size(object) : 0;
    PyObject *whole = NULL, *result = NULL;

    if (length > _Pycs_LONGEST_REPR) {
        if ((whole = _Pycs_PlainRepr(object)) != NULL) {
            result = PyUnicode_FromFormat("%U of length %zd", whole, length);
        }
        goto done;
    }

    if (PyLong_Check(object)) whole = PyNumber_ToBase(object, 16);
    if (whole != NULL && _Pycs_LENGTH(whole) <= _Pycs_LONGEST_REPR) Py_CLEAR(whole);
    if (whole == NULL && !PyErr_Occurred()) whole = PyObject_Repr(object);
    if (whole == NULL) {
        if (!_Pycs_IsReplaceable()) goto done;
        PyErr_Clear();
        if (!(whole = _Pycs_PlainRepr(object))) goto done;
    }
    result = PyUnicode_FromFormat("%.200U%s", whole, _Pycs_LENGTH(whole) > _Pycs_LONGEST_REPR ? "..." : "");
done:
    Py_XDECREF(whole);
    return result;
}

_Pycs_SLOW PyObject *
_Pycs_TakeRaised(void)
{
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    if (type == NULL) return NULL;
    PyErr_NormalizeException(&type, &value, &traceback);
    if (traceback != NULL) (void)PyException_SetTraceback(value, traceback);
    Py_DECREF(type);
    Py_XDECREF(traceback);
    return value;
}

_Pycs_SLOW void
_Pycs_RaiseAgain(PyObject *error)
{
    PyObject *type = (PyObject *)Py_TYPE(error);
    Py_INCREF(type);
    PyErr_Restore(type, error, PyException_GetTraceback(error));
}
_Pycs_UNUSED static int
_Pycs_StoreInteger(PyObject *object, int is_signed, size_t size, void *to)
{
    PyObject *number = PyLong_Check(object) ? object : PyNumber_Index(object);
    const int unused = 64 - 8 * (int)size;
    unsigned long long u;
    int fits;

    if (number == NULL) return -1;
    if (is_signed) {
#if _Pycs_SUPPORTED && PY_VERSION_HEX >= 0x030C0000 && !defined(Py_LIMITED_API)
        const PyLongObject *i = (const PyLongObject *)number;
        const long long s = PyUnstable_Long_IsCompact(i) ? PyUnstable_Long_CompactValue(i) : PyLong_AsLongLong(number);
#else
        const long long s = PyLong_AsLongLong(number);
#endif
        const long long above = s >> (63 - unused);
        u = (unsigned long long)s;
        fits = above == 0 || above == -1;
    }
    else {
        u = PyLong_AsUnsignedLongLong(number);
        fits = u << unused >> unused == u;
    }
    if (number != object) Py_DECREF(number);
    if (u == (unsigned long long)-1 && PyErr_Occurred()) {
        if (!PyErr_ExceptionMatches(PyExc_OverflowError)) return -1;
        PyErr_Clear();
        return 0;
    }
    switch (size) {
    case 1: { const uint8_t v = (uint8_t)u; memcpy(to, &v, sizeof(v)); break; }
    case 2: { const uint16_t v = (uint16_t)u; memcpy(to, &v, sizeof(v)); break; }
    case 4: { const uint32_t v = (uint32_t)u; memcpy(to, &v, sizeof(v)); break; }
    default: { const uint64_t v = (uint64_t)u; memcpy(to, &v, sizeof(v)); break; }
    }
    return fits;
}
_Pycs_UNUSED static int
_Pycs_IsMain(void)
{
#if _Pycs_SUPPORTED
    return PyInterpreterState_GetID(PyInterpreterState_Get()) == 0;
#else
    return 1;
#endif
}

_Pycs_UNUSED static inline int
_Pycs_IsAttached(void)
{
#if defined(Py_LIMITED_API) && Py_LIMITED_API + 0 < 0x030B0000
    return 0;
#elif defined(Py_LIMITED_API)
    return Py_Version >= 0x030C0000 && PyThreadState_GetDict() != NULL;
#elif !_Pycs_SUPPORTED
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

#ifdef PYPY_VERSION
#  define _Pycs_STATE "the module sys"
#else
#  define _Pycs_STATE "the state dictionary of the interpreter"
#endif
_Pycs_UNUSED static void
_Pycs_RefuseEntry(const char *what, PyObject *found, const char *key, const char *expected)
{
    PyObject *shown = _Pycs_Repr(found);
    if (shown == NULL) return;
    PyErr_Format(PyExc_RuntimeError,
                 "%s: found %U under '%s' in " _Pycs_STATE ", "
                 "expected %s; something else took this entry, remove it", what, shown, key,
                 expected);
    Py_DECREF(shown);
}

_Pycs_UNUSED static void *
_Pycs_SharedFromDict(PyObject *dict, const char *what, const char *name,
                     void *given, size_t size, PyCapsule_Destructor destructor)
{
    PyObject *key = NULL, *capsule = NULL, *held;
    void *fresh = NULL, *found = NULL;

    if (!(key = PyUnicode_FromString(name))) goto done;
    held = PyDict_GetItemWithError(dict, key);
    Py_XINCREF(held);
    if (held == NULL && PyErr_Occurred()) goto done;
    if (held == NULL && (given != NULL || size != 0)) {
        if (given == NULL && !(fresh = calloc(1, size))) {
            PyErr_NoMemory();
            goto done;
        }
        capsule = PyCapsule_New(given != NULL ? given : fresh, name, destructor);
        if (capsule == NULL) goto done;
        held = PyObject_CallMethod(dict, "setdefault", "OO", key, capsule);
        if (held == capsule) fresh = NULL;
    }
    if (held != NULL) {
        if (PyCapsule_IsValid(held, name)) found = PyCapsule_GetPointer(held, name);
        else _Pycs_RefuseEntry(what, held, name, "a capsule of that name");
        Py_DECREF(held);
    }
done:
    Py_XDECREF(key);
    Py_XDECREF(capsule);
    free(fresh);
    return found;
}

_Pycs_UNUSED static PyObject *
_Pycs_StateDict(void)
{
#ifdef PYPY_VERSION
    PyObject *sys = PyImport_AddModule("sys");
    if (sys == NULL) PyErr_Clear();
    return sys != NULL ? PyModule_GetDict(sys) : NULL;
#else
    PyInterpreterState *interp = PyInterpreterState_Get();
    PyObject *dict;
#if defined(Py_GIL_DISABLED) && (!defined(Py_LIMITED_API) || defined(Py_TARGET_ABI3T))
    Py_BEGIN_CRITICAL_SECTION(&PyType_Type);
    dict = PyInterpreterState_GetDict(interp);
    Py_END_CRITICAL_SECTION();
#else
    dict = PyInterpreterState_GetDict(interp);
#endif
    return dict;
#endif
}

_Pycs_UNUSED static PyObject *
_Pycs_NeedStateDict(const char *what)
{
    PyObject *dict = _Pycs_StateDict();
    if (dict == NULL) {
        PyErr_Format(PyExc_RuntimeError,
                     "%s: this interpreter has no state dictionary (it is starting or ending)", what);
    }
    return dict;
}

_Pycs_UNUSED static PyObject *
_Pycs_DictInState(const char *what, const char *key)
{
    PyObject *dict = _Pycs_NeedStateDict(what), *fresh = dict != NULL ? PyDict_New() : NULL;
    PyObject *held = fresh != NULL ? PyObject_CallMethod(dict, "setdefault", "sO", key, fresh) : NULL;
    Py_XDECREF(fresh);
    if (held != NULL && !PyDict_CheckExact(held)) {
        _Pycs_RefuseEntry(what, held, key, "a dict");
        Py_CLEAR(held);
    }
    return held;
}

_Pycs_UNUSED static void *
_Pycs_GetShared(const char *what, const char *name, size_t size, PyCapsule_Destructor destructor)
{
    PyObject *dict = _Pycs_NeedStateDict(what);
    void *shared = NULL;

    if (dict == NULL) return NULL;
    if (_Pycs_IsMain()) return _Pycs_SharedFromDict(dict, what, name, NULL, size, destructor);
    shared = _Pycs_SharedFromDict(dict, what, name, NULL, 0, NULL);
    if (shared != NULL || PyErr_Occurred()) return shared;
#if defined(Py_LIMITED_API) || defined(PYPY_VERSION)
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
        PyObject *main_dict;

        if (there == NULL || PyThreadState_GetInterpreter(there) != main_interp) {
            there = made = PyThreadState_New(main_interp);
            if (there == NULL) {
                PyErr_NoMemory();
                return NULL;
            }
        }
        PyThreadState_Swap(there);
        main_dict = _Pycs_StateDict();
        if (main_dict != NULL) shared = _Pycs_SharedFromDict(main_dict, what, name, NULL, size, destructor);
        PyErr_Clear();
        if (made != NULL) PyThreadState_Clear(made);
        PyThreadState_Swap(here);
        if (made != NULL) PyThreadState_Delete(made);
        if (shared == NULL) {
            PyErr_Format(PyExc_RuntimeError,
                         "%s: what the process shares as '%s' could not be had from the "
                         "main interpreter (something else took the entry in its state "
                         "dictionary, there is no memory, or the process is ending)",
                         what, name);
            return NULL;
        }
        return _Pycs_SharedFromDict(dict, what, name, shared, 0, NULL);
    }
#endif
}
_Pycs_UNUSED static inline uintptr_t
_Pycs_ProcessNumber(void)
{
#if defined(_WIN32) || defined(__wasi__)
    return 1;
#else
    return (uintptr_t)getpid();
#endif
}

_Pycs_UNUSED static inline int
_Pycs_SwapWord(uintptr_t *word, uintptr_t former, uintptr_t fresh)
{
#if defined(__GNUC__) || defined(__clang__)
    return __atomic_compare_exchange_n(word, &former, fresh, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
#else
    return _InterlockedCompareExchangePointer((void *volatile *)word, (void *)fresh, (void *)former)
           == (void *)former;
#endif
}

_Pycs_UNUSED static void
_Pycs_LockWord(uintptr_t *word)
{
    const uintptr_t self = _Pycs_ProcessNumber();
    for (;;) {
        uintptr_t owner = _Pycs_LOAD(uintptr_t, word);
        if (owner != self && _Pycs_SwapWord(word, owner, self)) return;
#if !defined(_WIN32)
        (void)sched_yield();
#endif
    }
}

#define _Pycs_ASSERT_WORD_LOCKED(word) \
    assert(_Pycs_LOAD(uintptr_t, (word)) == _Pycs_ProcessNumber())

_Pycs_UNUSED static inline void
_Pycs_UnlockWord(uintptr_t *word)
{
    _Pycs_ASSERT_WORD_LOCKED(word);
    _Pycs_STORE(uintptr_t, word, 0);
}
#define _Pycs_TABLE_KEY "_customslots_table_v3"
#define _Pycs_ANSWERS   4096
typedef struct {
    uintptr_t   key;
    const void *value;
} _Pycs_Cell;

typedef struct _Pycs_Cells {
    struct _Pycs_Cells *former;
    size_t                       mask;
    size_t                       used;
    _Pycs_Cell                   cells[1];
} _Pycs_Cells;

typedef struct {
    uintptr_t     sequence;
    PyTypeObject *type;
    uintptr_t     id;
    uintptr_t     generation;
    uintptr_t     version;
    PyObject     *mro;
    void         *interpreter;
    const PyCustomSlot *slot;
} _Pycs_Answer;

struct PyCustomSlots_Bridge;

typedef struct {
    size_t    size;
    uintptr_t version;
    const PyCustomSlot *(*find_registered)(PyTypeObject *type, uintptr_t id);
    void *(*find_bridged)(PyTypeObject *type, struct PyCustomSlots_Bridge *bridge);
} _Pycs_Services;

struct _Pycs_LayoutNode;

typedef struct {
    _Pycs_Cells *cells;
    uintptr_t ids[4];
    uintptr_t generation;
    uintptr_t types;
    uintptr_t closed;
    uintptr_t owner;
    struct _Pycs_LayoutNode *layouts;
    const _Pycs_Services *services;
    _Pycs_Answer answers[_Pycs_ANSWERS];
} _Pycs_ProcessTable;

#define _Pycs_KEY_RECORD      0u
#define _Pycs_KEY_LAYOUT      1u
#define _Pycs_KEY_NAME        3u
#define _Pycs_KEY_SLOTS       7u
#define _Pycs_KEY_INTERFACE  11u
#define _Pycs_KEY_KIND       15u
_Pycs_UNUSED static inline size_t
_Pycs_HashKey(uintptr_t key)
{
    uintptr_t hash = (key >> 4) * (uintptr_t)0x9E3779B1u;
    return (size_t)(hash ^ (hash >> 15));
}

_Pycs_UNUSED static inline const void *
_Pycs_ValueOf(_Pycs_Cells *cells, uintptr_t key)
{
    size_t mask = cells->mask, i = _Pycs_HashKey(key) & mask;
    for (;;) {
        uintptr_t there = _Pycs_LOAD(uintptr_t, &cells->cells[i].key);
        if (there == key) return _Pycs_LOAD(const void *, &cells->cells[i].value);
        if (there == 0) return NULL;
        i = (i + 1) & mask;
    }
}

_Pycs_UNUSED static inline _Pycs_ProcessTable **
_Pycs_TableCache(void)
{
    static _Pycs_ProcessTable *cache = NULL;
    return &cache;
}

_Pycs_UNUSED static void
_Pycs_CloseTable(PyObject *capsule)
{
    _Pycs_ProcessTable *table = (_Pycs_ProcessTable *)PyCapsule_GetPointer(capsule, _Pycs_TABLE_KEY);
    int i;
    if (table == NULL) {
        PyErr_Clear();
        return;
    }
    _Pycs_LockWord(&table->owner);
    for (i = 0; i < 4; i++) _Pycs_STORE(uintptr_t, &table->ids[i], ~(uintptr_t)0);
    _Pycs_STORE(uintptr_t, &table->closed, 1);
    _Pycs_STORE(_Pycs_Cells *, &table->cells, NULL);
    _Pycs_STORE(uintptr_t, &table->generation, (uintptr_t)-1);
    _Pycs_UnlockWord(&table->owner);
}

_Pycs_SLOW _Pycs_ProcessTable *
_Pycs_SeekTable(const char *what)
{
    PyObject *type = NULL, *value = NULL, *traceback = NULL;
    _Pycs_ProcessTable *table;
    if (what == NULL) {

#if PY_VERSION_HEX >= 0x030D0000 && (!defined(Py_LIMITED_API) || Py_LIMITED_API + 0 >= 0x030D0000)
        if (Py_IsFinalizing()) return NULL;
#elif !defined(Py_LIMITED_API)
        if (_Py_IsFinalizing()) return NULL;
#endif
        PyErr_Fetch(&type, &value, &traceback);
    }
    table = (_Pycs_ProcessTable *)_Pycs_GetShared(
        what != NULL ? what : "PyCustomSlots_FindAny", _Pycs_TABLE_KEY,
        sizeof(*table), _Pycs_CloseTable);
    if (table != NULL) {
        _Pycs_STORE(_Pycs_ProcessTable *, _Pycs_TableCache(), table);
    }
    if (what == NULL) PyErr_Restore(type, value, traceback);
    return table;
}

_Pycs_UNUSED static inline _Pycs_ProcessTable *
_Pycs_GetTable(const char *what)
{
    _Pycs_ProcessTable *table = _Pycs_LOAD(_Pycs_ProcessTable *, _Pycs_TableCache());
    if (table != NULL && !_Pycs_LOAD(uintptr_t, &table->closed)) return table;
    return _Pycs_SeekTable(what);
}

_Pycs_UNUSED static inline const void *
_Pycs_PresentValue(_Pycs_ProcessTable *table, uintptr_t key)
{
    _Pycs_ASSERT_WORD_LOCKED(&table->owner);
    return table->cells == NULL ? NULL : _Pycs_ValueOf(table->cells, key);
}

_Pycs_UNUSED static inline void
_Pycs_PutInto(_Pycs_Cells *cells, uintptr_t key, const void *value)
{
    size_t i = _Pycs_HashKey(key) & cells->mask;
    while (cells->cells[i].key != 0 && cells->cells[i].key != key) i = (i + 1) & cells->mask;
    _Pycs_STORE(const void *, &cells->cells[i].value, value);
    if (cells->cells[i].key == 0) {
        _Pycs_STORE(uintptr_t, &cells->cells[i].key, key);
        cells->used++;
    }
}

_Pycs_UNUSED static inline void
_Pycs_PutValue(_Pycs_ProcessTable *table, uintptr_t key, const void *value)
{
    _Pycs_ASSERT_WORD_LOCKED(&table->owner);
    _Pycs_PutInto(table->cells, key, value);
}

_Pycs_UNUSED static int
_Pycs_ReserveCells(_Pycs_ProcessTable *table, size_t more)
{
    _Pycs_Cells *former = table->cells, *fresh;
    size_t count = former == NULL ? 256 : 2 * (former->mask + 1), live = 0, i;
    _Pycs_ASSERT_WORD_LOCKED(&table->owner);

    if (table->closed) return -1;
    if (former != NULL && 4 * (former->used + more) <= former->mask + 1) return 0;
    for (i = 0; former != NULL && i <= former->mask; i++) live += former->cells[i].value != NULL;
    while (count < 6 * (live + more)) count *= 2;
    fresh = (_Pycs_Cells *)calloc(1, sizeof(*fresh) + (count - 1) * sizeof(fresh->cells[0]));
    if (fresh == NULL) return -1;
    fresh->former = former;
    fresh->mask = count - 1;
    for (i = 0; former != NULL && i <= former->mask; i++) {
        if (former->cells[i].value != NULL) {
            _Pycs_PutInto(fresh, former->cells[i].key, former->cells[i].value);
        }
    }
    _Pycs_STORE(_Pycs_Cells *, &table->cells, fresh);
    return 0;
}
typedef struct _Pycs_Name {
    struct _Pycs_Name *next;
    size_t length;
    char   text[1];
} _Pycs_Name;

_Pycs_UNUSED static inline uintptr_t
_Pycs_NameKey(const char *text, size_t length)
{
    uint32_t hash = 2166136261u;
    size_t i;
    for (i = 0; i < length; i++) hash = (hash ^ (unsigned char)text[i]) * 16777619u;
    return ((uintptr_t)hash << 4) | _Pycs_KEY_NAME;
}

_Pycs_UNUSED static inline const _Pycs_Name *
_Pycs_SameName(const void *first, const char *text, size_t length)
{
    const _Pycs_Name *name = (const _Pycs_Name *)first;
    while (name != NULL && (name->length != length || memcmp(name->text, text, length) != 0)) {
        name = name->next;
    }
    return name;
}

_Pycs_UNUSED static uintptr_t
PyCustomSlots_Intern(const char *name)
{
    _Pycs_ProcessTable *table;
    _Pycs_Cells *cells;
    const _Pycs_Name *there = NULL;
    _Pycs_Name *fresh;
    uintptr_t key;
    size_t length;

    if (name == NULL || name[0] == '\0') {
        PyErr_Format(PyExc_ValueError,
                     "PyCustomSlots_Intern: found %s, expected a name, such as \"package.name\"",
                     name == NULL ? "NULL" : "an empty string");
        return 0;
    }
    if (!(table = _Pycs_GetTable("PyCustomSlots_Intern"))) return 0;
    length = strlen(name);
    key = _Pycs_NameKey(name, length);
    cells = _Pycs_LOAD(_Pycs_Cells *, &table->cells);
    if (cells != NULL) {
        there = _Pycs_SameName(_Pycs_ValueOf(cells, key), name, length);
        if (there != NULL) return (uintptr_t)there;
    }
    fresh = (_Pycs_Name *)malloc(sizeof(*fresh) + length);
    if (fresh != NULL) {
        fresh->length = length;
        memcpy(fresh->text, name, length + 1);

        _Pycs_LockWord(&table->owner);
        fresh->next = (_Pycs_Name *)_Pycs_PresentValue(table, key);
        there = _Pycs_SameName(fresh->next, name, length);
        if (there == NULL && _Pycs_ReserveCells(table, 1) == 0) {
            _Pycs_PutValue(table, key, fresh);
            there = fresh;
        }
        _Pycs_UnlockWord(&table->owner);

        if (there != fresh) free(fresh);
    }
    if (there == NULL) PyErr_NoMemory();
    return (uintptr_t)there;
}

_Pycs_UNUSED _Pycs_NOINLINE static const char *
_Pycs_NameWithID(uintptr_t id)
{
    _Pycs_ProcessTable *table = _Pycs_GetTable(NULL);
    _Pycs_Cells *cells = table == NULL ? NULL : _Pycs_LOAD(_Pycs_Cells *, &table->cells);
    size_t i;
    for (i = 0; cells != NULL && i <= cells->mask; i++) {
        uintptr_t key = _Pycs_LOAD(uintptr_t, &cells->cells[i].key);
        const _Pycs_Name *name;
        if ((key & _Pycs_KEY_KIND) != _Pycs_KEY_NAME) continue;
        name = (const _Pycs_Name *)_Pycs_LOAD(const void *, &cells->cells[i].value);
        for (; name != NULL; name = name->next) {
            if ((uintptr_t)name == id) return name->text;
        }
    }
    return NULL;
}

_Pycs_UNUSED static int
_Pycs_NameFailed(const PyCustomSlot *slots, Py_ssize_t count)
{
    Py_ssize_t i;
    if (slots == NULL || !PyErr_Occurred()) return 0;
    for (i = 0; i < count; i++) {
        if (slots[i].id == PyCustomSlots_EMPTY) return 1;
    }
    return 0;
}
#define _Pycs_ENTRIES_KEY  "_customslots_registered_v1"
#define _Pycs_ENTRY_NAME   "_customslots_entry_v1"
typedef struct _Pycs_Entry {
    PyCustomSlot     slot;
    PyTypeObject    *type;
    PyTypeObject *const *referent;
    struct _Pycs_Entry *next;
} _Pycs_Entry;

_Pycs_UNUSED static inline uintptr_t
_Pycs_SlotKey(const PyTypeObject *type, uintptr_t id)
{
    uintptr_t hash = ((uintptr_t)type >> 4) * (uintptr_t)0x9E3779B1u + id * (uintptr_t)0x85EBCA77u;
    return (hash ^ (hash >> 15)) << 4 | _Pycs_KEY_SLOTS;
}

_Pycs_UNUSED static inline uintptr_t *
_Pycs_NoteOf(_Pycs_ProcessTable *table, uintptr_t id, uintptr_t *bit)
{
    uintptr_t hash = id * (uintptr_t)0x85EBCA77u;
    hash ^= hash >> 16;
    *bit = (uintptr_t)1 << (hash % (8 * sizeof(uintptr_t)));
    return &table->ids[(hash / (8 * sizeof(uintptr_t))) % 4];
}

_Pycs_UNUSED static inline int
_Pycs_IsNoted(_Pycs_ProcessTable *table, uintptr_t id)
{
    uintptr_t bit, *note = _Pycs_NoteOf(table, id, &bit);
    return (_Pycs_LOAD(uintptr_t, note) & bit) != 0;
}

_Pycs_UNUSED static inline int
_Pycs_Serves(const _Pycs_Entry *entry)
{
    PyTypeObject *const *referent = _Pycs_LOAD(PyTypeObject *const *, &entry->referent);
    return referent != NULL && _Pycs_LOAD(PyTypeObject *, referent) == entry->type;
}

_Pycs_UNUSED static inline const _Pycs_Entry *
_Pycs_FindEntry(_Pycs_Cells *cells, PyTypeObject *type, uintptr_t id)
{
    const _Pycs_Entry *entry = (const _Pycs_Entry *)_Pycs_ValueOf(cells, _Pycs_SlotKey(type, id));
    while (entry != NULL && !(entry->type == type && entry->slot.id == id
                              && _Pycs_Serves(entry))) entry = entry->next;
    return entry;
}

#if defined(Py_LIMITED_API) || defined(Py_GIL_DISABLED) || !_Pycs_SUPPORTED
#  define _Pycs_LetMroGo(mro) Py_DECREF(mro)
_Pycs_UNUSED static inline PyObject *
_Pycs_HoldMro(PyTypeObject *type)
{
#if defined(Py_LIMITED_API) || !_Pycs_SUPPORTED
    PyObject *kind, *value, *traceback, *mro;
    PyErr_Fetch(&kind, &value, &traceback);
    mro = PyObject_GetAttrString((PyObject *)type, "__mro__");
    PyErr_Restore(kind, value, traceback);
#else
    const PyGetSetDef *def;
    PyObject *mro = NULL;
    for (def = PyType_Type.tp_getset; def != NULL && def->name != NULL; def++) {
        if (strcmp(def->name, "__mro__") == 0) {
            mro = def->get((PyObject *)type, def->closure);
            break;
        }
    }
#endif
    if (mro != NULL && !PyTuple_Check(mro)) {
        Py_DECREF(mro);
        mro = NULL;
    }
    return mro;
}
#else
#  define _Pycs_LetMroGo(mro)  ((void)(mro))
#  define _Pycs_HoldMro(type) _Pycs_LOAD(PyObject *, &(type)->tp_mro)
#endif
#if !_Pycs_SUPPORTED || defined(Py_LIMITED_API) \
    || PY_VERSION_HEX < 0x030B0000 || PY_VERSION_HEX >= 0x03100000
#  define _Pycs_REMEMBERS 0
#  define _Pycs_Recall(table, type, id, slot) ((void)(slot), 0)
#  define _Pycs_BeginAnswer(table, type, id, found) ((void)(found))
#  define _Pycs_EndAnswer(table, found) ((void)(found))
#else
#  define _Pycs_REMEMBERS 1
_Pycs_UNUSED static inline uintptr_t
_Pycs_VersionOf(PyTypeObject *type)
{
    return _Pycs_LOAD(unsigned int, &type->tp_version_tag);
}

#if PY_VERSION_HEX >= 0x030D0000 && PY_VERSION_HEX < 0x03100000 && defined(__ELF__)
#  define _Pycs_READS_NEWEST
typedef struct {
    char     cookie[8];
    uint64_t version, free_threaded, size, finalizing;
    uint64_t interpreters_head;
} _Pycs_DebugOffsets;

extern char _Pycs_runtime[] __asm__("_PyRuntime") __attribute__((weak));

_Pycs_UNUSED static inline void ***
_Pycs_NewestPlace(void)
{
    static void *nobody = &nobody;
    static void **place = &nobody;
    return &place;
}

_Pycs_SLOW void
_Pycs_SeekNewest(void)
{
    const _Pycs_DebugOffsets *offsets = (const _Pycs_DebugOffsets *)(void *)_Pycs_runtime;
    void *const newest = (void *)PyInterpreterState_Head(), **place;
    if (offsets == NULL || memcmp(offsets->cookie, "xdebugpy", 8) != 0) return;
    place = (void **)(void *)(_Pycs_runtime + offsets->interpreters_head);
    if (_Pycs_LOAD(void *, place) == newest) _Pycs_STORE(void **, _Pycs_NewestPlace(), place);
}
#endif
_Pycs_UNUSED static inline void *
_Pycs_VersionOwner(PyTypeObject *type)
{
#ifdef _Pycs_READS_NEWEST
    if (_Pycs_IsHeap(type)) return _Pycs_LOAD(void *, _Pycs_LOAD(void **, _Pycs_NewestPlace()));
#elif PY_VERSION_HEX >= 0x030C0000
    if (_Pycs_IsHeap(type)) return (void *)PyInterpreterState_Head();
#endif
    (void)type;
    return NULL;
}

_Pycs_UNUSED static inline _Pycs_Answer *
_Pycs_AnswerFor(_Pycs_ProcessTable *table, PyTypeObject *type, uintptr_t id)
{
    return &table->answers[(((uintptr_t)type >> 4) + (id * (uintptr_t)0x85EBCA77u >> 16)) % _Pycs_ANSWERS];
}

_Pycs_UNUSED static uintptr_t
_Pycs_GetVersion(PyTypeObject *type)
{
    if (_Pycs_VersionOf(type) == 0 && _Pycs_LOAD(PyObject *, &type->tp_mro) != NULL) {
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
    return _Pycs_VersionOf(type);
}

_Pycs_FAST int
_Pycs_Recall(_Pycs_ProcessTable *table, PyTypeObject *type, uintptr_t id, const PyCustomSlot **slot)
{
    void *const owner = _Pycs_VersionOwner(type);
    const _Pycs_Answer *answer = _Pycs_AnswerFor(table, type, id);
    const uintptr_t sequence = _Pycs_LOAD(uintptr_t, &answer->sequence);
    if (_Pycs_LIKELY(_Pycs_LOAD(PyTypeObject *, &answer->type) == type
            && _Pycs_LOAD(uintptr_t, &answer->id) == id
            && _Pycs_LOAD(uintptr_t, &answer->generation)
               == _Pycs_LOAD(uintptr_t, &table->generation)
            && _Pycs_LOAD(uintptr_t, &answer->version) == _Pycs_VersionOf(type)
            && _Pycs_LOAD(PyObject *, &answer->mro)
               == _Pycs_LOAD(PyObject *, &type->tp_mro)
            && _Pycs_LOAD(void *, &answer->interpreter) == owner)) {
        *slot = _Pycs_LOAD(const PyCustomSlot *, &answer->slot);
        return _Pycs_LOAD(uintptr_t, &answer->sequence) == (sequence & ~(uintptr_t)1);
    }
    return 0;
}

_Pycs_UNUSED static void
_Pycs_Remember(_Pycs_ProcessTable *table, const _Pycs_Answer *found)
{
    _Pycs_Answer *answer = _Pycs_AnswerFor(table, found->type, found->id);
    uintptr_t sequence = _Pycs_LOAD(uintptr_t, &answer->sequence);
    if (sequence % 2 != 0 || !_Pycs_SwapWord(&answer->sequence, sequence, sequence + 1)) return;
    _Pycs_STORE(PyTypeObject *, &answer->type, found->type);
    _Pycs_STORE(uintptr_t, &answer->id, found->id);
    _Pycs_STORE(uintptr_t, &answer->generation, found->generation);
    _Pycs_STORE(uintptr_t, &answer->version, found->version);
    _Pycs_STORE(PyObject *, &answer->mro, found->mro);
    _Pycs_STORE(void *, &answer->interpreter, found->interpreter);
    _Pycs_STORE(const PyCustomSlot *, &answer->slot, found->slot);
    _Pycs_STORE(uintptr_t, &answer->sequence, sequence + 2);
}

_Pycs_UNUSED static void
_Pycs_BeginAnswer(_Pycs_ProcessTable *table, PyTypeObject *type, uintptr_t id, _Pycs_Answer *found)
{
    found->type = type;
    found->id = id;
    found->generation = table != NULL ? _Pycs_LOAD(uintptr_t, &table->generation) : (uintptr_t)-1;
    found->version = _Pycs_GetVersion(type);
    found->mro = _Pycs_LOAD(PyObject *, &type->tp_mro);
#ifdef _Pycs_READS_NEWEST
    _Pycs_SeekNewest();
#endif
    found->interpreter = _Pycs_VersionOwner(type);
}

_Pycs_UNUSED static void
_Pycs_EndAnswer(_Pycs_ProcessTable *table, const _Pycs_Answer *found)
{
    if (found->version != 0 && found->generation != (uintptr_t)-1
            && (found->interpreter == NULL || found->interpreter == (void *)PyInterpreterState_Main())) {
        _Pycs_Remember(table, found);
    }
}
#endif
_Pycs_UNUSED static const PyCustomSlot *
_Pycs_FollowMro(_Pycs_ProcessTable *table, PyTypeObject *type, uintptr_t id)
{
    _Pycs_Cells *cells = _Pycs_LOAD(_Pycs_Cells *, &table->cells);
    const _Pycs_Entry *entry;
    PyObject *mro;
    Py_ssize_t i, count;

    if (cells == NULL || !_Pycs_IsNoted(table, id)) return NULL;
    entry = _Pycs_FindEntry(cells, type, id);
    if (entry == NULL && (mro = _Pycs_HoldMro(type)) != NULL) {
        count = Py_SIZE(mro);
        for (i = 1; i < count && entry == NULL; i++) {
            entry = _Pycs_FindEntry(cells, _Pycs_TYPE_AT(mro, i), id);
        }
        _Pycs_LetMroGo(mro);
    }
    return entry != NULL ? &entry->slot : NULL;
}

_Pycs_UNUSED static inline void
_Pycs_ForgetAnswers(_Pycs_ProcessTable *table)
{
    _Pycs_ASSERT_WORD_LOCKED(&table->owner);
    if (table->generation != (uintptr_t)-1) {
        _Pycs_STORE(uintptr_t, &table->generation, table->generation + 1);
    }
}

_Pycs_UNUSED static _Pycs_Entry *
_Pycs_AddEntry(_Pycs_ProcessTable *table, const _Pycs_Entry *given)
{
    const uintptr_t id = given->slot.id, key = _Pycs_SlotKey(given->type, id);
    uintptr_t bit, *note = _Pycs_NoteOf(table, id, &bit);
    _Pycs_Entry *first, *at, *ended = NULL;

    _Pycs_LockWord(&table->owner);
    first = (_Pycs_Entry *)_Pycs_PresentValue(table, key);
    for (at = first; at != NULL; at = at->next) {
        if (at->type != given->type || at->slot.id != id) continue;
        if (_Pycs_Serves(at)) goto done;
        if (at->referent == NULL) ended = at;
    }
    if (ended == NULL) {
        if (_Pycs_ReserveCells(table, 1) < 0 || !(ended = (_Pycs_Entry *)calloc(1, sizeof(*ended)))) goto done;
        ended->slot.id = id;
        ended->type = given->type;
        ended->next = first;
        _Pycs_PutValue(table, key, ended);
    }
    at = ended;
    _Pycs_STORE(uintptr_t, note, *note | bit);
    at->slot.data = given->slot.data;
    _Pycs_STORE(PyTypeObject *const *, &at->referent, given->referent != NULL ? given->referent : &at->type);
    _Pycs_ForgetAnswers(table);
done:
    _Pycs_UnlockWord(&table->owner);
    return at;
}

#if _Pycs_SUPPORTED
_Pycs_UNUSED static void
_Pycs_EndEntry(PyObject *capsule)
{
    _Pycs_ProcessTable *table = (_Pycs_ProcessTable *)PyCapsule_GetPointer(capsule, _Pycs_ENTRY_NAME);
    _Pycs_Entry *entry = table != NULL ? (_Pycs_Entry *)PyCapsule_GetContext(capsule) : NULL;
    if (table == NULL) PyErr_Clear();
    if (entry == NULL) return;
    _Pycs_LockWord(&table->owner);
    _Pycs_STORE(PyTypeObject *const *, &entry->referent, NULL);
    _Pycs_ForgetAnswers(table);
    _Pycs_UnlockWord(&table->owner);
}

_Pycs_UNUSED static PyObject *
_Pycs_TypeDied(PyObject *self, PyObject *reference)
{
    PyObject *entries = _Pycs_DictInState("PyCustomSlots_Register", _Pycs_ENTRIES_KEY);
    (void)reference;
    if (entries == NULL || PyDict_DelItem(entries, self) < 0) PyErr_Clear();
    Py_XDECREF(entries);
    Py_RETURN_NONE;
}

_Pycs_UNUSED static PyTypeObject *const *
_Pycs_ReferentOf(PyObject *reference, PyTypeObject *type)
{
#ifdef Py_LIMITED_API
    const Py_ssize_t head = _Pycs_Head();
    PyTypeObject *const *word = (PyTypeObject *const *)_Pycs_Word(
        reference, head > 0 ? head : _Pycs_AskSize(&PyBaseObject_Type), 0);
#else
    PyTypeObject *const *word = (PyTypeObject *const *)&((PyWeakReference *)reference)->wr_object;
#endif
    if (*word == type) return word;
    PyErr_SetString(PyExc_RuntimeError, "PyCustomSlots_Register: found a weak reference that keeps "
                    "what it refers to in another place than CPython 3.10 to 3.15; build this module "
                    "for this interpreter, without Py_LIMITED_API");
    return NULL;
}

_Pycs_UNUSED static _Pycs_Entry *
_Pycs_AddHeapEntry(_Pycs_ProcessTable *table, _Pycs_Entry *given)
{
    static PyMethodDef callback_def = {
        "_customslots_type_died", _Pycs_TypeDied, METH_O, NULL};
    PyObject *entries = NULL, *capsule = NULL, *callback = NULL, *reference = NULL;
    _Pycs_Entry *entry = NULL;

    if (!(capsule = PyCapsule_New(table, _Pycs_ENTRY_NAME, _Pycs_EndEntry))) goto done;
    if (!(entries = _Pycs_DictInState("PyCustomSlots_Register", _Pycs_ENTRIES_KEY))) goto done;
    if (!(callback = PyCFunction_New(&callback_def, capsule))) goto done;
    if (!(reference = PyWeakref_NewRef((PyObject *)given->type, callback))) goto done;
    if (!(given->referent = _Pycs_ReferentOf(reference, given->type))) goto done;
    if (PyDict_SetItem(entries, capsule, reference) < 0) goto done;
    entry = _Pycs_AddEntry(table, given);
    if (entry != NULL && entry->referent == given->referent) (void)PyCapsule_SetContext(capsule, entry);
    else if (PyDict_DelItem(entries, capsule) < 0) PyErr_Clear();
done:
    Py_XDECREF(entries);
    Py_XDECREF(reference);
    Py_XDECREF(callback);
    Py_XDECREF(capsule);
    return entry;
}

#endif
_Pycs_UNUSED static const char *
_Pycs_NameOf(PyTypeObject *type, char buffer[201])
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

_Pycs_UNUSED static int
_Pycs_CheckRegistration(PyTypeObject *given, const PyCustomSlot *slot)
{

    PyTypeObject *volatile unknown = given;
    PyTypeObject *type = unknown;
    char buffer[201];
    if (_Pycs_NameFailed(slot, 1)) return -1;
    if (type == NULL || slot == NULL) {
        PyErr_Format(PyExc_ValueError, "PyCustomSlots_Register: found NULL as the %s, "
                     "expected a %s", type == NULL ? "type" : "slot",
                     type == NULL ? "type object" : "slot with an ID and its data");
        return -1;
    }
    if (Py_TYPE((PyObject *)type) != NULL && !PyType_Check((PyObject *)type)) {
        PyErr_Format(PyExc_TypeError, "PyCustomSlots_Register: found an object of type "
                     "'%.200s', expected a class",
                     _Pycs_NameOf(Py_TYPE((PyObject *)type), buffer));
        return -1;
    }
    if (Py_TYPE((PyObject *)type) == NULL || !(_Pycs_FLAGS(type) & Py_TPFLAGS_READY)) {
#ifdef Py_LIMITED_API
        const char *name = NULL;
#else
        const char *name = type->tp_name;
#endif
        PyErr_Format(PyExc_TypeError, "PyCustomSlots_Register(%.200s): found a type that is not ready, "
                     "expected one that is; call PyType_Ready() first", name != NULL ? name : "?");
        return -1;
    }
#if _Pycs_SUPPORTED
    if (_Pycs_HasMemory(type) && _Pycs_Passes(type)) {
        PyErr_Format(PyExc_TypeError,
                     "PyCustomSlots_Register(%.200s): found an extensible type, expected "
                     "one that has no room for slots; declare the slot with the others when the "
                     "class is made, or give it all of its own with PyExtensibleType_SetSlots()",
                     _Pycs_NameOf(type, buffer));
        return -1;
    }
#endif
    if (slot->id <= PyCustomSlots_SKIP) {
        PyErr_Format(PyExc_ValueError,
                     "PyCustomSlots_Register(%.200s): found slot ID %d, which is never found; "
                     "expected one made by PyCustomSlots_ID() or PyCustomSlots_Intern()",
                     _Pycs_NameOf(type, buffer), (int)slot->id);
        return -1;
    }
    return 0;
}

_Pycs_UNUSED static int
PyCustomSlots_Register(PyTypeObject *type, const PyCustomSlot *slot)
{
    _Pycs_Entry given = {{0, {NULL}}, type, NULL, NULL}, *entry;
    _Pycs_ProcessTable *table;
    const char *name;
    char buffer[201];

    if (_Pycs_CheckRegistration(type, slot) < 0) return -1;
    if (!(table = _Pycs_GetTable("PyCustomSlots_Register"))) return -1;
    given.slot = *slot;
#if _Pycs_SUPPORTED
    entry = _Pycs_IsHeap(type) ? _Pycs_AddHeapEntry(table, &given) : _Pycs_AddEntry(table, &given);
#else
    if ((entry = _Pycs_AddEntry(table, &given)) != NULL) Py_INCREF((PyObject *)type);
#endif
    if (entry == NULL) {
        if (!PyErr_Occurred()) PyErr_NoMemory();
        return -1;
    }
    if (entry->slot.data.flags == slot->data.flags) return 0;
    name = _Pycs_NameWithID(slot->id);
    PyErr_Format(PyExc_ValueError,
                 "PyCustomSlots_Register(%.200s): found data %p for slot ID %p%s%.200s%s, expected "
                 "%p, which is registered already; two libraries must agree on the data, "
                 "or use IDs of their own", _Pycs_NameOf(type, buffer), slot->data.pointer, (void *)slot->id,
                 name != NULL ? " ('" : "", name != NULL ? name : "", name != NULL ? "')" : "",
                 entry->slot.data.pointer);
    return -1;
}
typedef struct PyCustomSlots_Bridge {
    const char *name;
    const char *attribute;
    const char *capsule;
    uintptr_t   id, key;
    PyObject   *text;
} PyCustomSlots_Bridge;

#define PyCustomSlots_BRIDGE(name, attribute, capsule) {(name), (attribute), (capsule), 0, 0, NULL}
_Pycs_SLOW int
_Pycs_OpenBridge(PyCustomSlots_Bridge *bridge)
{
    PyObject *text = PyBytes_FromFormat("customslots.bridge %s %s %s", bridge->name, bridge->attribute,
                                        bridge->capsule);
    const uintptr_t id = text != NULL ? PyCustomSlots_Intern(bridge->name) : 0;
    const uintptr_t key = id != 0 ? PyCustomSlots_Intern(PyBytes_AsString(text)) : 0;
    Py_XDECREF(text);
    if (key == 0) return -1;
    _Pycs_STORE(uintptr_t, &bridge->id, id);
    _Pycs_STORE(uintptr_t, &bridge->key, key);
    return 0;
}

_Pycs_UNUSED static void *
_Pycs_CapsuleOf(PyTypeObject *type, PyCustomSlots_Bridge *bridge)
{
    PyObject *found;
    void *pointer = NULL;
#if defined(PYPY_VERSION) || defined(Py_LIMITED_API)
    found = PyObject_GetAttrString((PyObject *)type, bridge->attribute);
    if (found == NULL) PyErr_Clear();
#else
    const int is_main = _Pycs_IsMain();
    PyObject *name = is_main ? _Pycs_LOAD(PyObject *, &bridge->text) : NULL;
    if (name == NULL) {
        name = PyUnicode_InternFromString(bridge->attribute);
        if (name == NULL) {
            PyErr_Clear();
            return NULL;
        }
        if (is_main) _Pycs_STORE(PyObject *, &bridge->text, name);
    }
#  if PY_VERSION_HEX >= 0x030D0000
    found = _PyType_LookupRef(type, name);
#  else
    found = _PyType_Lookup(type, name);
    Py_XINCREF(found);
#  endif
    if (!is_main) Py_DECREF(name);
#endif
    if (PyCapsule_IsValid(found, bridge->capsule)) pointer = PyCapsule_GetPointer(found, bridge->capsule);
    Py_XDECREF(found);
    return pointer;
}

_Pycs_SLOW int
_Pycs_HasAttributesOnly(void)
{
#ifdef Py_LIMITED_API
    if (!_Pycs_IsMain() && PyErr_ExceptionMatches(PyExc_RuntimeError)) {
        PyErr_Clear();
        return 1;
    }
#endif
    return 0;
}

#ifdef Py_LIMITED_API
#  define _Pycs_BringServices(table) ((void)(table))
_Pycs_FAST const _Pycs_Services *
_Pycs_ServicesOf(_Pycs_ProcessTable *table)
{
    const _Pycs_Services *services = _Pycs_LOAD(const _Pycs_Services *, &table->services);
    return services != NULL && services->size >= sizeof(*services) ? services : NULL;
}
#else
static void _Pycs_BringServices(_Pycs_ProcessTable *table);
#endif
_Pycs_NOINLINE static const PyCustomSlot *
_Pycs_SeekRegistered(PyTypeObject *type, uintptr_t id)
{
    _Pycs_ProcessTable *table = _Pycs_GetTable(NULL);
    _Pycs_Answer found;
    if (table == NULL) return NULL;
    _Pycs_BringServices(table);
    _Pycs_BeginAnswer(table, type, id, &found);
    found.slot = _Pycs_FollowMro(table, type, id);
    _Pycs_EndAnswer(table, &found);
    return found.slot;
}

_Pycs_HOT const PyCustomSlot *
_Pycs_FindRegistered(PyTypeObject *type, uintptr_t id)
{

    _Pycs_ProcessTable *table = _Pycs_LOAD(_Pycs_ProcessTable *, _Pycs_TableCache());
    const PyCustomSlot *slot = NULL;
    if (_Pycs_LIKELY(table != NULL)) {
        if (_Pycs_LIKELY(_Pycs_Recall(table, type, id, &slot))) return slot;
        if (!_Pycs_IsNoted(table, id)) return NULL;
#ifdef Py_LIMITED_API
        const _Pycs_Services *services = _Pycs_ServicesOf(table);
        if (_Pycs_LIKELY(services != NULL)) return services->find_registered(type, id);
#endif
    }
    return _Pycs_SeekRegistered(type, id);
}

_Pycs_FAST const PyCustomSlot *
PyCustomSlots_FindAnyType(PyTypeObject *type, uintptr_t id, Py_ssize_t expected_pos)
{
    const PyCustomSlot *slot = PyCustomSlots_FindType(type, id, expected_pos);
    return _Pycs_LIKELY(slot != NULL) ? slot : _Pycs_FindRegistered(type, id);
}

_Pycs_FAST const PyCustomSlot *
PyCustomSlots_FindAny(PyObject *obj, uintptr_t id, Py_ssize_t expected_pos)
{
    return PyCustomSlots_FindAnyType(Py_TYPE(obj), id, expected_pos);
}

_Pycs_NOINLINE static void *
_Pycs_SeekBridged(PyTypeObject *type, PyCustomSlots_Bridge *bridge)
{
    _Pycs_ProcessTable *table = _Pycs_GetTable(NULL);
    const PyCustomSlot *slot = NULL;
    void *pointer;
    _Pycs_Answer found;
    if (_Pycs_LOAD(uintptr_t, &bridge->key) == 0) {
        if (_Pycs_OpenBridge(bridge) < 0) return _Pycs_HasAttributesOnly() ? _Pycs_CapsuleOf(type, bridge) : NULL;
        slot = PyCustomSlots_FindType(type, bridge->id, 0);
    }
    if (table != NULL) _Pycs_BringServices(table);
    _Pycs_BeginAnswer(table, type, bridge->key, &found);
    if (slot == NULL && table != NULL) slot = _Pycs_FollowMro(table, type, bridge->id);
    pointer = slot != NULL ? slot->data.pointer : _Pycs_CapsuleOf(type, bridge);
    found.slot = (const PyCustomSlot *)pointer;
    _Pycs_EndAnswer(table, &found);
    return pointer;
}

_Pycs_HOT void *
_Pycs_FindBridgedElsewhere(PyTypeObject *type, PyCustomSlots_Bridge *bridge)
{
    _Pycs_ProcessTable *table = _Pycs_LOAD(_Pycs_ProcessTable *, _Pycs_TableCache());
    const uintptr_t key = _Pycs_LOAD(uintptr_t, &bridge->key);
    const PyCustomSlot *pointer = NULL;
    if (_Pycs_LIKELY(table != NULL && key != 0) && _Pycs_LIKELY(_Pycs_Recall(table, type, key, &pointer))) {
        return (void *)(uintptr_t)pointer;
    }
#ifdef Py_LIMITED_API
    if (table != NULL && key != 0) {
        const _Pycs_Services *services = _Pycs_ServicesOf(table);
        if (_Pycs_LIKELY(services != NULL)) return services->find_bridged(type, bridge);
    }
#endif
    return _Pycs_SeekBridged(type, bridge);
}

#ifndef Py_LIMITED_API
_Pycs_UNUSED static void
_Pycs_BringServices(_Pycs_ProcessTable *table)
{
    static const _Pycs_Services mine = {sizeof(mine), PyCustomSlots_VERSION_HEX, _Pycs_FindRegistered,
                                        _Pycs_FindBridgedElsewhere};
    const _Pycs_Services *there = _Pycs_LOAD(const _Pycs_Services *, &table->services);
    if (there == NULL || there->size < mine.size || (there->size == mine.size && there->version < mine.version)) {
        _Pycs_STORE(const _Pycs_Services *, &table->services, &mine);
    }
}
#endif
_Pycs_FAST void *
PyCustomSlots_FindBridged(PyTypeObject *type, PyCustomSlots_Bridge *bridge)
{

    const PyCustomSlot *slot = PyCustomSlots_FindType(type, _Pycs_LOAD(uintptr_t, &bridge->id), 0);
    return slot != NULL ? slot->data.pointer : _Pycs_FindBridgedElsewhere(type, bridge);
}

_Pycs_UNUSED static int
_Pycs_CheckTakesAttributes(PyTypeObject *type, const char *function)
{
    if (!PyType_Check((PyObject *)type)) {
        PyErr_Format(PyExc_TypeError, "%s: found %R, expected a class", function, (PyObject *)type);
        return -1;
    }
#if !defined(Py_LIMITED_API) && !defined(PYPY_VERSION)
    if (type->tp_dict == NULL) {
        PyErr_Format(PyExc_TypeError, "%s: found the builtin type %R, expected one that may get attributes", function,
                     (PyObject *)type);
        return -1;
    }
#endif
    return 0;
}

_Pycs_UNUSED static int
PyCustomSlots_PublishCapsule(PyTypeObject *type, PyCustomSlots_Bridge *bridge)
{
    const uintptr_t id = _Pycs_CheckTakesAttributes(type, "PyCustomSlots_PublishCapsule") == 0
                         ? PyCustomSlots_Intern(bridge->name) : 0;
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
#if defined(Py_LIMITED_API) || defined(PYPY_VERSION)
    result = PyObject_SetAttrString((PyObject *)type, bridge->attribute, capsule);
#else
    result = PyDict_SetItemString(type->tp_dict, bridge->attribute, capsule);
    PyType_Modified(type);
#endif
    Py_DECREF(capsule);
    return result;
}
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
    const PyCustomSlots_Function *bodies;
} PyCustomSlots_Interface;

typedef struct {
    uint64_t     text;
    unsigned int numbers;
} PyCustomSlots_Signature;

#define _Pycs_DESCRIBED (offsetof(PyCustomSlots_Interface, bodies) + sizeof(const PyCustomSlots_Function *))
#define PyCustomSlots_WIDTH(type) ((unsigned int)sizeof(type))
#define PyCustomSlots_INTEGER(type) \
    ((unsigned int)sizeof(type) | (unsigned int)((double)(type)-1 > 0 ? 'u' : 'i') << 24)

_Pycs_UNUSED static inline uint64_t
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

_Pycs_FAST const PyCustomSlots_Interface *
PyCustomSlots_InterfaceOf(const void *table)
{
    return (uintptr_t)table < 4096 ? NULL : ((const PyCustomSlots_Interface *const *)table)[-1];
}

_Pycs_FAST const void *
PyCustomSlots_CheckInterface(const PyCustomSlot *slot, size_t count, uint64_t hash)
{
    const void *table = slot != NULL ? slot->data.pointer : NULL;
    const PyCustomSlots_Interface *iface = PyCustomSlots_InterfaceOf(table);
    return iface != NULL && iface->count >= count && iface->hashes[count - 1] == hash ? table : NULL;
}

_Pycs_FAST const void *
PyCustomSlots_FindInterface(PyObject *obj, uintptr_t id, Py_ssize_t expected_pos, size_t count, uint64_t hash)
{
    return PyCustomSlots_CheckInterface(PyCustomSlots_Find(obj, id, expected_pos), count, hash);
}

typedef struct {
    const char *text;
    const unsigned int *numbers;
} _Pycs_Line;

_Pycs_UNUSED static int
_Pycs_LineServes(_Pycs_Line *mine, _Pycs_Line *theirs)
{
    int depth = 0, in_result = 1, starts = 1, serves = 1;
    char c = '\0';
    for (; c != '\n'; mine->text++, theirs->text++) {
        if (depth == 0 && starts) {
            const int own = strncmp(mine->text, "const ", 6) == 0, other = strncmp(theirs->text, "const ", 6) == 0;
            if (own && !other && in_result) mine->text += 6;
            if (other && !own && !in_result) theirs->text += 6;
            if (own != other) serves = 2;
        }
        c = *mine->text;
        if (c == '\0' || c != *theirs->text) return 0;
        if (c == '%' && *mine->numbers++ != *theirs->numbers++) return 0;
        depth += (c == '{') - (c == '}');
        if (c == '(' && depth == 0) in_result = 0;
        starts = c == ' ' || c == '(';
    }
    return serves;
}

_Pycs_UNUSED static size_t
_Pycs_CountSame(const PyCustomSlots_Interface *theirs, const PyCustomSlots_Interface *mine, size_t count)
{
    _Pycs_Line ours, line;
    size_t same = 0, i;
    if (theirs == NULL || theirs->hashes == NULL) return 0;
    if (count > theirs->count) count = theirs->count;
    while (same < count && theirs->hashes[same] == mine->hashes[same]) same++;
    if (same == count || theirs->size < _Pycs_DESCRIBED || theirs->layout == NULL || mine->layout == NULL) return same;

    ours.text = mine->layout;
    ours.numbers = mine->numbers;
    line.text = theirs->layout;
    line.numbers = theirs->numbers;
    for (i = 0; i < count; i++) {
        const int serves = _Pycs_LineServes(&ours, &line);
        if (serves == 0 || (i == same && serves == 1)) break;
    }
    return i > same ? i : same;
}

#define _Pycs_LONGEST_LINE 400
_Pycs_UNUSED static void
_Pycs_LineText(const PyCustomSlots_Interface *iface, size_t place, char *text)
{
    const char *line = iface->size >= _Pycs_DESCRIBED ? iface->layout : NULL;
    const unsigned int *number = iface->numbers;
    size_t n = 0;

    for (; line != NULL && place > 0; place--) {
        for (; *line != '\0' && *line != '\n'; line++) number += *line == '%' && number != NULL;
        line = *line != '\0' ? line + 1 : NULL;
    }
    if (line == NULL || *line == '\0') line = "?";
    for (; *line != '\0' && *line != '\n' && n < _Pycs_LONGEST_LINE - 20; line++) {
        if (*line != '%' || number == NULL) {
            text[n++] = *line;
            continue;
        }
        if (*number >> 24) text[n++] = (char)(*number >> 24);
        n += (size_t)PyOS_snprintf(text + n, 12, "%u", *number++ & 0xFFFFFFu);
    }
    text[n] = '\0';
}

#define _Pycs_LONGEST_REASON (3 * _Pycs_LONGEST_LINE)
_Pycs_UNUSED static void
_Pycs_WhyRefused(const PyCustomSlot *slot, const PyCustomSlots_Interface *mine, char *text)
{
    const PyCustomSlots_Interface *theirs = slot != NULL ? PyCustomSlots_InterfaceOf(slot->data.pointer) : NULL;
    char found[_Pycs_LONGEST_LINE], expected[_Pycs_LONGEST_LINE];
    size_t same;
    if (slot == NULL) {
        PyOS_snprintf(text, _Pycs_LONGEST_REASON, "does not implement it");
        return;
    }
    if (theirs == NULL || mine == NULL) {
        PyOS_snprintf(text, _Pycs_LONGEST_REASON, "implements it, but with other methods than this module was compiled "
                      "for; see cython_customslots.explain()");
        return;
    }
    same = _Pycs_CountSame(theirs, mine, mine->count);
    if (same >= mine->count) same = mine->count - 1;
    if (same < theirs->count && theirs->size >= _Pycs_DESCRIBED && theirs->layout != NULL) {
        _Pycs_LineText(theirs, same, found);
        _Pycs_LineText(mine, same, expected);
        PyOS_snprintf(text, _Pycs_LONGEST_REASON, "implements it, but with '%s', where this module was compiled for "
                      "'%s'", found, expected);
    }
    else {
        PyOS_snprintf(text, _Pycs_LONGEST_REASON, "implements it, but without the '%.200s' that this module was "
                      "compiled for; see cython_customslots.explain()", mine->names[same]);
    }
}

_Pycs_UNUSED static void
_Pycs_RefuseInterface(PyObject *obj, uintptr_t id, const char *name, const PyCustomSlots_Interface *mine)
{
    PyObject *shown = PyObject_GetAttrString((PyObject *)Py_TYPE(obj), "__name__");
    char why[_Pycs_LONGEST_REASON];
    if (shown == NULL) return;
    if (id == 0) {
        PyErr_Format(PyExc_SystemError, "found no ID of interface '%.200s': this file calls its functions, but has not "
                     "called the _Init() of its header, which belongs where the module is imported", name);
    }
    else {
        _Pycs_WhyRefused(PyCustomSlots_FindAny(obj, id, 0), mine, why);
        PyErr_Format(PyExc_TypeError, "expected an object that implements interface '%.200s', found "
                     "'%U', which %s", name, shown, why);
    }
    Py_DECREF(shown);
}

_Pycs_UNUSED static void
PyCustomSlots_RefuseInterface(PyObject *obj, uintptr_t id, const char *name)
{
    _Pycs_RefuseInterface(obj, id, name, NULL);
}

_Pycs_UNUSED static size_t
_Pycs_CountServed(const PyCustomSlots_Interface *theirs, const PyCustomSlots_Interface *mine, size_t count)
{
    size_t same, i, k;
    if (theirs == NULL || theirs->size < _Pycs_DESCRIBED || mine->size < _Pycs_DESCRIBED) return 0;
    same = _Pycs_CountSame(theirs, mine, count);
    for (i = same; same != 0 && i < count; i++) {
        if (mine->bodies == NULL || mine->bodies[i] == NULL || mine->names[i] == NULL) return 0;
        for (k = same; k < theirs->count; k++) {
            if (theirs->names == NULL || theirs->names[k] == NULL
                    || strcmp(theirs->names[k], mine->names[i]) == 0) return 0;
        }
    }
    return same;
}

#define _Pycs_BODIES "PyCustomSlots_Interface"
_Pycs_UNUSED static const PyCustomSlots_Interface *
PyCustomSlots_ImportBodies(const char *module, const char *name, size_t count, uint64_t hash)
{
    PyObject *from = PyImport_ImportModule(module), *capsule = NULL;
    const PyCustomSlots_Interface *found = NULL;
    if (from != NULL) capsule = PyObject_GetAttrString(from, name);
    if (capsule != NULL) {
        found = (const PyCustomSlots_Interface *)PyCapsule_GetPointer(capsule, _Pycs_BODIES);
    }
    else if (PyErr_ExceptionMatches(from != NULL ? PyExc_AttributeError : PyExc_ImportError)) PyErr_Clear();
    Py_XDECREF(capsule);
    Py_XDECREF(from);
    return found != NULL && found->count >= count && found->hashes[count - 1] == hash ? found : NULL;
}

_Pycs_UNUSED static void
PyCustomSlots_PlaceSlot(PyCustomSlot *slots, Py_ssize_t count, Py_ssize_t position, uintptr_t id, const void *data)
{
    while (slots[position].id > PyCustomSlots_SKIP) position = (position + 1) % count;
    slots[position].id = id;
    slots[position].data.pointer = (void *)(uintptr_t)data;
}

#define _Pycs_POSITIONS (PyCustomSlots_MIN_CAPACITY - 1)
typedef struct _Pycs_InterfaceNode {
    struct _Pycs_InterfaceNode *next;
    uintptr_t id;
    Py_ssize_t position;
    void      *overriding;
    void      *defaults;
} _Pycs_InterfaceNode;

_Pycs_UNUSED static inline uintptr_t
_Pycs_InterfaceKey(uintptr_t id)
{
    return (uintptr_t)((uint32_t)(id >> 1) * 0x9E3779B1u) << 4 | _Pycs_KEY_INTERFACE;
}

_Pycs_UNUSED static inline _Pycs_InterfaceNode *
_Pycs_SameInterface(const void *first, uintptr_t id)
{
    _Pycs_InterfaceNode *node = (_Pycs_InterfaceNode *)(uintptr_t)first;
    while (node != NULL && node->id != id) node = node->next;
    return node;
}

_Pycs_UNUSED static Py_ssize_t
_Pycs_CountInterfaces(_Pycs_ProcessTable *table)
{
    _Pycs_Cells *cells = table->cells;
    Py_ssize_t count = 0;
    size_t i;
    _Pycs_ASSERT_WORD_LOCKED(&table->owner);
    for (i = 0; cells != NULL && i <= cells->mask; i++) {
        const _Pycs_InterfaceNode *node;
        if ((cells->cells[i].key & _Pycs_KEY_KIND) != _Pycs_KEY_INTERFACE) continue;
        node = (const _Pycs_InterfaceNode *)cells->cells[i].value;
        for (; node != NULL; node = node->next) count++;
    }
    return count;
}

_Pycs_UNUSED static _Pycs_InterfaceNode *
_Pycs_InterfaceNodeOf(uintptr_t id)
{
    _Pycs_ProcessTable *table = _Pycs_GetTable("PyCustomSlots_Position");
    const uintptr_t key = _Pycs_InterfaceKey(id);
    _Pycs_InterfaceNode *fresh, *there = NULL;
    _Pycs_Cells *cells;

    if (table == NULL) return NULL;
    cells = _Pycs_LOAD(_Pycs_Cells *, &table->cells);
    if (cells != NULL) there = _Pycs_SameInterface(_Pycs_ValueOf(cells, key), id);
    if (there != NULL) return there;
    fresh = (_Pycs_InterfaceNode *)calloc(1, sizeof(*fresh));
    if (fresh != NULL) {
        fresh->id = id;
        _Pycs_LockWord(&table->owner);
        fresh->next = (_Pycs_InterfaceNode *)(uintptr_t)_Pycs_PresentValue(table, key);
        there = _Pycs_SameInterface(fresh->next, id);
        if (there == NULL && _Pycs_ReserveCells(table, 1) == 0) {
            fresh->position = _Pycs_CountInterfaces(table) % _Pycs_POSITIONS;
            _Pycs_PutValue(table, key, fresh);
            there = fresh;
        }
        _Pycs_UnlockWord(&table->owner);
        if (there != fresh) free(fresh);
    }
    if (there == NULL) PyErr_NoMemory();
    return there;
}

_Pycs_UNUSED static Py_ssize_t
PyCustomSlots_Position(uintptr_t id)
{
    _Pycs_InterfaceNode *node;
    if (id <= PyCustomSlots_SKIP) {
        PyErr_Format(PyExc_ValueError, "PyCustomSlots_Position: found slot ID %d, which is never "
                     "found; expected one made by PyCustomSlots_ID() or PyCustomSlots_Intern()",
                     (int)id);
        return -1;
    }
    node = _Pycs_InterfaceNodeOf(id);
    return node != NULL ? node->position : -1;
}

typedef struct _Pycs_CompletedTable {
    struct _Pycs_CompletedTable *next;
    const void *base;
    const PyCustomSlots_Interface *described;
    PyCustomSlots_Function functions[1];
} _Pycs_CompletedTable;

_Pycs_UNUSED static const void *
_Pycs_CompletedOf(void **made, const void *base)
{
    const _Pycs_CompletedTable *known = (const _Pycs_CompletedTable *)_Pycs_LOAD(void *, made);
    while (known != NULL && known->base != base) known = known->next;
    return known != NULL ? (const void *)known->functions : NULL;
}

_Pycs_UNUSED static const void *
PyCustomSlots_CompleteInterface(void **made, const PyCustomSlot *slot,
                                const PyCustomSlots_Interface *mine, size_t count)
{
    const void *base = slot != NULL ? slot->data.pointer : NULL, *found;
    const size_t same = _Pycs_CountServed(PyCustomSlots_InterfaceOf(base), mine, count);
    _Pycs_ProcessTable *table;
    _Pycs_CompletedTable *fresh;

    if (same == 0) return NULL;
    if (same == count) return base;
    if ((found = _Pycs_CompletedOf(made, base)) != NULL) return found;
    table = _Pycs_LOAD(_Pycs_ProcessTable *, _Pycs_TableCache());
    fresh = (_Pycs_CompletedTable *)calloc(1, sizeof(*fresh) + count * sizeof(fresh->functions[0]));
    if (table == NULL || fresh == NULL) {
        free(fresh);
        return NULL;
    }
    fresh->base = base;
    memcpy(fresh->functions, base, same * sizeof(fresh->functions[0]));
    memcpy(fresh->functions + same, mine->bodies + same, (count - same) * sizeof(fresh->functions[0]));
    _Pycs_LockWord(&table->owner);
    found = _Pycs_CompletedOf(made, base);
    if (found == NULL) {
        fresh->next = (_Pycs_CompletedTable *)*made;
        _Pycs_STORE(void *, made, fresh);
        found = fresh->functions;
        fresh = NULL;
    }
    _Pycs_UnlockWord(&table->owner);
    free(fresh);
    return found;
}
#ifdef __cplusplus
}
#endif
#endif
/* [cython-customslots: end customslots.h] */
#if defined(Py_LIMITED_API) && Py_LIMITED_API + 0 < 0x030B0000
#  error "typedmethod.h needs Py_LIMITED_API of 3.11 (0x030B0000) or later, which has buffers"
#endif
#include <float.h>
#include <time.h>
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
#define PyTypedMethod_ARRAY         19
#define PyTypedMethod_CONST_ARRAY   20
#define PyTypedMethod_STRIDED       21
#define PyTypedMethod_CONST_STRIDED 22
typedef struct {
    void      *data;
    Py_ssize_t length;
    Py_ssize_t stride;
} PyTypedMethodArray;

#define _Pycs_CODES 18
#define _Pycs_ARRAY_OF(array, item) (((array) - _Pycs_CODES) << 5 | (item))
#define _Pycs_IS_ARRAY(code)        ((code) >> 5 != 0)
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
#define _Pycs_EXPAND(x)  x
#define _Pycs_EXPAND2(x) x
#define _Pycs_EXPAND3(x) x
#define _Pycs_EXPAND4(x) x
#define _Pycs_EXPAND5(x) x
#define _Pycs_EXPAND6(x) x
#define PyTypedMethod_SIG(...)                                                           \
    _Pycs_EXPAND(_Pycs_SIG_(__VA_ARGS__, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,                   \
                            0, 0, 0))
#define _Pycs_SIG_(r, a, b, c, d, e, f, g, h, i, j, k, over, ...)                        \
    ((uint64_t)1 | (uint64_t)(r) << 1 | (uint64_t)(a) << 6 | (uint64_t)(b) << 11         \
     | (uint64_t)(c) << 16 | (uint64_t)(d) << 21 | (uint64_t)(e) << 26                   \
     | (uint64_t)(f) << 31 | (uint64_t)(g) << 36 | (uint64_t)(h) << 41                   \
     | (uint64_t)(i) << 46 | (uint64_t)(j) << 51 | (uint64_t)(k) << 56                   \
     | (uint64_t)(sizeof(char[(over) == 0 ? 1 : -1]) - 1))

#define _Pycs_CODE_AT(signature, place) \
    ((int)(((uint64_t)(signature) >> (1 + 5 * (place))) & 31u))

static const char *const _Pycs_type_names[_Pycs_CODES + 1] = {
    "", "void", "bool", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8", "f16",
    "c8", "c16", "c32", "pointer", "object"
};
static const char _Pycs_type_letters[] = " v?bhiqBHIQfdgFDGPO";

typedef struct {
    int           count;
    unsigned char codes[PyTypedMethod_MAX_TYPES];
    size_t        position;
    const char   *expected;
} _Pycs_Types;

_Pycs_UNUSED static inline uint64_t
_Pycs_Pack(const _Pycs_Types *types)
{
    uint64_t signature = 1;
    int i, at = 1;
    for (i = 0; i < types->count; i++) {
        const int code = types->codes[i], is_array = _Pycs_IS_ARRAY(code);
        if (at + 5 * is_array > 56) return 0;
        if (is_array) signature |= (uint64_t)(_Pycs_CODES + (code >> 5)) << at;
        signature |= (uint64_t)(code & 31) << (at + 5 * is_array);
        at += 5 + 5 * is_array;
    }
    return signature;
}

_Pycs_UNUSED static inline int
_Pycs_IsNumber(int code)
{
    return code >= PyTypedMethod_I1 && code <= PyTypedMethod_C32;
}

_Pycs_UNUSED static int
_Pycs_Unpack(uint64_t signature, _Pycs_Types *types)
{
    types->count = 0;
    if (!(signature & 1) || signature >> 61 != 0) return -1;
    for (signature >>= 1; signature != 0; signature >>= 5) {
        int code = (int)(signature & 31u);
        if (code > _Pycs_CODES && code <= PyTypedMethod_CONST_STRIDED && types->count > 0) {
            signature >>= 5;
            if (!_Pycs_IsNumber((int)(signature & 31u))) return -1;
            code = _Pycs_ARRAY_OF(code, (int)(signature & 31u));
        }
        else if (code == 0 || code > _Pycs_CODES || (code == PyTypedMethod_VOID && types->count > 0)) return -1;
        types->codes[types->count++] = (unsigned char)code;
    }
    return types->count > 0 ? 0 : -1;
}

#define _Pycs_EXPECT_TYPE                                                                \
    "a type (void bool i1 i2 i4 i8 u1 u2 u4 u8 f4 f8 f16 c8 c16 c32 pointer object)"
#define _Pycs_EXPECT_LETTER                                                              \
    "a letter of a type (? b B h H i I l L q Q n N f d g F D G P O) or '->'"

_Pycs_UNUSED static inline const char *
_Pycs_SkipSpaces(const char *at)
{
    while (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r') at++;
    return at;
}

_Pycs_UNUSED static inline int
_Pycs_CodeHere(int code)
{
    if (code == PyTypedMethod_F16) return PyTypedMethod_LONG_DOUBLE;
    return code == PyTypedMethod_C32 ? PyTypedMethod_LONG_COMPLEX : code;
}

_Pycs_UNUSED static int
_Pycs_CodeOfLetter(char letter)
{
    const char *const at = strchr(_Pycs_type_letters, letter);
    switch (letter) {
    case 'l': return PyTypedMethod_TYPE_INT(long);
    case 'L': return PyTypedMethod_TYPE_INT(unsigned long);
    case 'n': return PyTypedMethod_TYPE_INT(Py_ssize_t);
    case 'N': return PyTypedMethod_TYPE_INT(size_t);
    default: return at != NULL && letter != '\0' ? _Pycs_CodeHere((int)(at - _Pycs_type_letters)) : 0;
    }
}

_Pycs_UNUSED static const char *
_Pycs_AddArgument(_Pycs_Types *types, int code, const char *otherwise)
{
    if (code == 0) return otherwise;
    if (code == PyTypedMethod_VOID) return "no void among the arguments (none at all is '()')";
    if (types->count == PyTypedMethod_MAX_TYPES) return "at most 127 arguments";
    types->codes[types->count++] = (unsigned char)code;
    return NULL;
}

_Pycs_UNUSED static const char *
_Pycs_ParseLetters(const char **at, _Pycs_Types *types)
{
    const char *expected;
    types->codes[0] = PyTypedMethod_VOID;
    types->count = 1;
    for (;;) {
        *at = _Pycs_SkipSpaces(*at);
        if (**at == '-') break;
        expected = _Pycs_AddArgument(types, _Pycs_CodeOfLetter(**at), _Pycs_EXPECT_LETTER);
        if (expected != NULL) return expected;
        (*at)++;
    }
    if ((*at)[1] != '>') return "'->'";
    *at = _Pycs_SkipSpaces(*at + 2);
    if (**at != '\0') {
        int code = _Pycs_CodeOfLetter(**at);
        if (code == 0) return "the letter of the result, or the end";
        types->codes[0] = (unsigned char)code;
        *at = _Pycs_SkipSpaces(*at + 1);
    }
    return **at == '\0' ? NULL : "the end";
}

_Pycs_UNUSED static int
_Pycs_ParseName(const char **at)
{
    size_t length = 0;
    int code;
    while (((*at)[length] >= 'a' && (*at)[length] <= 'z')
           || ((*at)[length] >= '0' && (*at)[length] <= '9')) length++;
    for (code = 1; code <= _Pycs_CODES; code++) {
        if (strlen(_Pycs_type_names[code]) != length || memcmp(_Pycs_type_names[code], *at, length) != 0) continue;
        *at += length;
        return _Pycs_CodeHere(code);
    }
    return 0;
}

_Pycs_UNUSED static const char *
_Pycs_ParseArgument(const char **at, _Pycs_Types *types)
{
    const char *begin, *otherwise = types->count > 1 ? _Pycs_EXPECT_TYPE : _Pycs_EXPECT_TYPE " or ')'";
    int code, is_const = strncmp(*at, "const ", 6) == 0, is_strided;
    if (is_const) *at = _Pycs_SkipSpaces(*at + 6);
    begin = *at;
    code = _Pycs_ParseName(at);
    if (is_const || **at == '[') {
        if (!_Pycs_IsNumber(code)) {
            *at = begin;
            return code == 0 && !is_const ? otherwise : "the type of a number, of which there are arrays";
        }
        is_strided = strncmp(*at, "[:]", 3) == 0;
        if (!is_strided && strncmp(*at, "[::1]", 5) != 0) return "'[:]' or '[::1]'";
        *at += is_strided ? 3 : 5;
        code = _Pycs_ARRAY_OF(PyTypedMethod_ARRAY + 2 * is_strided + is_const, code);
    }
    otherwise = _Pycs_AddArgument(types, code, otherwise);
    if (otherwise != NULL) *at = begin;
    return otherwise;
}

_Pycs_UNUSED static const char *
_Pycs_ParseNames(const char **at, _Pycs_Types *types)
{
    int code = _Pycs_ParseName(at);
    if (code == 0) return _Pycs_EXPECT_TYPE;
    types->codes[0] = (unsigned char)code;
    types->count = 1;
    *at = _Pycs_SkipSpaces(*at);
    if (**at != '(') return "'('";
    *at = _Pycs_SkipSpaces(*at + 1);
    while (**at != ')' || types->count > 1) {
        const char *expected = _Pycs_ParseArgument(at, types);
        if (expected != NULL) return expected;
        *at = _Pycs_SkipSpaces(*at);
        if (**at == ')') break;
        if (**at != ',') return "',' or ')'";
        *at = _Pycs_SkipSpaces(*at + 1);
    }
    *at = _Pycs_SkipSpaces(*at + 1);
    return **at == '\0' ? NULL : "the end";
}

_Pycs_UNUSED static int
_Pycs_ParseText(const char *text, _Pycs_Types *types)
{
    const char *at = _Pycs_SkipSpaces(text);
    types->count = 0;
    types->expected = strstr(text, "->") != NULL ? _Pycs_ParseLetters(&at, types) : _Pycs_ParseNames(&at, types);
    types->position = (size_t)(at - text);
    return types->expected == NULL ? 0 : -1;
}

#define PyTypedMethod_TEXT_SIZE (PyTypedMethod_MAX_TYPES * 16 + 3)
_Pycs_UNUSED static void
_Pycs_Print(const _Pycs_Types *types, char *text)
{
    static const char *const before[] = {"", "", "const ", "", "const "};
    static const char *const behind[] = {"", "[::1]", "[::1]", "[:]", "[:]"};
    int i, k;
    for (i = 0; i < types->count; i++) {
        const int code = types->codes[i];
        const char *words[4];
        words[0] = i > 1 ? ", " : "";
        words[1] = before[code >> 5];
        words[2] = _Pycs_type_names[code & 31];
        words[3] = i == 0 ? "(" : behind[code >> 5];
        for (k = 0; k < 4; k++) {
            const size_t length = strlen(words[k]);
            memcpy(text, words[k], length);
            text += length;
        }
    }
    memcpy(text, ")", 2);
}

_Pycs_UNUSED static int
_Pycs_Decode(uint64_t signature, _Pycs_Types *types)
{
    const char *text;
    char canonical[PyTypedMethod_TEXT_SIZE];
    if (signature & 1) return _Pycs_Unpack(signature, types);
    text = _Pycs_NameWithID((uintptr_t)signature);
    if (text == NULL || _Pycs_ParseText(text, types) < 0 || _Pycs_Pack(types) != 0) return -1;
    _Pycs_Print(types, canonical);
    return strcmp(text, canonical) == 0 ? 0 : -1;
}

_Pycs_UNUSED static int
PyTypedMethod_Parse(const char *text, uint64_t *signature)
{
    _Pycs_Types types;
    char canonical[PyTypedMethod_TEXT_SIZE];
    *signature = 0;
    if (text == NULL) {
        PyErr_SetString(PyExc_ValueError, "PyTypedMethod_Parse: found NULL, expected the text "
                        "of a signature such as 'f8(f8, i4)'");
        return -1;
    }
    if (_Pycs_ParseText(text, &types) < 0) {

        PyObject *whole = PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
        PyObject *before = PyUnicode_DecodeUTF8(text, (Py_ssize_t)types.position, "replace");
        const Py_ssize_t column = before != NULL ? PyUnicode_GetLength(before) : 0;
        PyObject *shown = whole != NULL && before != NULL ? _Pycs_Repr(whole) : NULL;
        PyObject *found = shown != NULL ? PyUnicode_Substring(whole, column, column + 1) : NULL;
        if (found != NULL && PyUnicode_GetLength(found) == 0) {
            PyErr_Format(PyExc_ValueError, "signature %U: found the end at column %zd, expected %s", shown, column,
                         types.expected);
        }
        else if (found != NULL) {
            PyErr_Format(PyExc_ValueError, "signature %U: found %R at column %zd, expected %s", shown, found, column,
                         types.expected);
        }
        Py_XDECREF(whole);
        Py_XDECREF(before);
        Py_XDECREF(shown);
        Py_XDECREF(found);
        return -1;
    }
    *signature = _Pycs_Pack(&types);
    if (*signature == 0) {
        _Pycs_Print(&types, canonical);
        *signature = (uint64_t)PyCustomSlots_Intern(canonical);
        if (*signature == 0) return -1;
    }
    return 0;
}

_Pycs_UNUSED static PyObject *
PyTypedMethod_Format(uint64_t signature)
{
    _Pycs_Types types;
    char text[PyTypedMethod_TEXT_SIZE];
    if (_Pycs_Decode(signature, &types) < 0) {
        PyErr_Format(PyExc_ValueError, "PyTypedMethod_Format: found %llu, which is no "
                     "signature; expected one made by PyTypedMethod_SIG() or "
                     "PyTypedMethod_Parse()", (unsigned long long)signature);
        return NULL;
    }
    _Pycs_Print(&types, text);
    return PyUnicode_FromString(text);
}
#ifdef __cplusplus
typedef bool _Pycs_Bool;
#else
typedef _Bool _Pycs_Bool;
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
#define _Pycs_W_ , , (0)
#define _Pycs_W_void       void, v, (PyTypedMethod_VOID), _Pycs_INSIDE
#define _Pycs_W_bool       _Pycs_Bool, u, (PyTypedMethod_BOOL), _Pycs_INSIDE
#define _Pycs_W__Bool      _Pycs_Bool, u, (PyTypedMethod_BOOL), _Pycs_INSIDE
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
#define _Pycs_W_array(t)        const PyTypedMethodArray *, , (PyTypedMethod_ARRAY, _Pycs_ITEM(t))
#define _Pycs_W_const_array(t)  const PyTypedMethodArray *, , (PyTypedMethod_CONST_ARRAY, _Pycs_ITEM(t))
#define _Pycs_W_strided(t)      const PyTypedMethodArray *, , (PyTypedMethod_STRIDED, _Pycs_ITEM(t))
#define _Pycs_W_const_strided(t) const PyTypedMethodArray *, , (PyTypedMethod_CONST_STRIDED, _Pycs_ITEM(t))
#define _Pycs_INSIDE(...) __VA_ARGS__
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
#define PyTypedMethod_SIGNATURE(text) _Pycs_SIGNATURE_L(_Pycs_W_##text)
#define _Pycs_SIGNATURE_L(...)                                                           \
    _Pycs_EXPAND2(_Pycs_SIGNATURE_T(__VA_ARGS__, , , , , , , , , , , , , ))
#define _Pycs_SIGNATURE_T(type, member, r, a, b, c, d, e, f, g, h, i, j, k, over, ...)   \
    PyTypedMethod_SIG(_Pycs_INSIDE r, _Pycs_C(a), _Pycs_C(b),                            \
                      _Pycs_C(c), _Pycs_C(d), _Pycs_C(e),                                \
                      _Pycs_C(f), _Pycs_C(g), _Pycs_C(h),                                \
                      _Pycs_C(i), _Pycs_C(j), _Pycs_C(k),                                \
                      _Pycs_C(over))

#define _Pycs_MEMBER(text) _Pycs_PART_M(_Pycs_W_##text)
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
#ifndef _Pycs_UNDERSTOOD
#  define _Pycs_UNDERSTOOD PyTypedMethod_KNOWN
#endif
#define _Pycs_PLAIN \
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

#define _Pycs_ENTRY_SIZE 32
_Pycs_ASSERT(entry_has_32_bytes, sizeof(PyTypedMethodEntry) == _Pycs_ENTRY_SIZE);
_Pycs_ASSERT(error_has_8_bytes, sizeof(PyTypedMethodError) == 8);

#ifdef __cplusplus
#  define _Pycs_ERROR_i(value) PyTypedMethodError((int64_t)(value))
#  define _Pycs_ERROR_u(value) PyTypedMethodError((uint64_t)(value))
#  define _Pycs_ERROR_f(value) PyTypedMethodError((double)(value))
#  define _Pycs_ERROR_p(value) PyTypedMethodError((void *)(value))
#else
#  define _Pycs_ERROR_i(value) {.i = (int64_t)(value)}
#  define _Pycs_ERROR_u(value) {.u = (uint64_t)(value)}
#  define _Pycs_ERROR_f(value) {.f = (double)(value)}
#  define _Pycs_ERROR_p(value) {.p = (void *)(value)}
#endif
#define _Pycs_ERROR_v(value) _Pycs_ERROR_i(value)
#define _Pycs_ERROR_c(value) _Pycs_ERROR_i(value)
#if UINTPTR_MAX <= 0xFFFFFFFFu
#  define _Pycs_FUNCTION_WORD(function) (void *)(uintptr_t)(function), 0u
#else
#  define _Pycs_FUNCTION_WORD(function) (void *)(uintptr_t)(function)
#endif
#define PyTypedMethod_ENTRY_AS(function, flags, member, error, signature)                \
    {(signature), _Pycs_FUNCTION_WORD(function), (uint32_t)(flags), 0u,                  \
     _Pycs_ERROR_##member(error)}

#define PyTypedMethod_ENTRY(function, flags, error, text)                                \
    _Pycs_ENTRY_M(function, flags, _Pycs_MEMBER(text), error,                            \
                  PyTypedMethod_SIGNATURE(text))
#define _Pycs_ENTRY_M(function, flags, member, error, signature)                         \
    PyTypedMethod_ENTRY_AS(function, flags, member, error, signature)

#define PyTypedMethod_RECORD(variable, name, ...)                                        \
    static const PyTypedMethodEntry variable##_entries[] = {__VA_ARGS__};                \
    static const PyTypedMethodRecord variable = {                                        \
        PyTypedMethod_MAGIC, PyTypedMethod_ABI_VERSION, sizeof(PyTypedMethodEntry),      \
        (uint32_t)(sizeof(variable##_entries) / sizeof(variable##_entries[0])), 0u,      \
        name, variable##_entries}

#define PyTypedMethod_FUNCTION(name, function, flags, error, text)                       \
    PyTypedMethod_RECORD(name##_typed, #name,                                            \
                         PyTypedMethod_ENTRY(function, flags, error, text))

_Pycs_UNUSED static inline const PyTypedMethodEntry *
_Pycs_NextEntry(const PyTypedMethodRecord *record, const PyTypedMethodEntry *entry)
{
    return (const PyTypedMethodEntry *)((const char *)entry + record->entry_size);
}

typedef struct { char c; PyTypedMethodEntry  what; } _Pycs_EntryAlign;
typedef struct { char c; PyTypedMethodRecord what; } _Pycs_RecordAlign;

_Pycs_UNUSED static const char *
_Pycs_CheckHead(const PyTypedMethodRecord *record, unsigned long long *found)
{
    *found = 0;
    if (record == NULL) return "found NULL, expected a record";
    *found = (unsigned long long)(uintptr_t)record;
    if ((uintptr_t)record % offsetof(_Pycs_RecordAlign, what) != 0) {
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
    if (record->entry_size < _Pycs_ENTRY_SIZE || record->entry_size % 8 != 0) {
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
    if ((uintptr_t)record->entries % offsetof(_Pycs_EntryAlign, what) != 0) {
        return "found entries at address %llu, expected them aligned as their struct is";
    }
    return NULL;
}

_Pycs_UNUSED static inline const char *
_Pycs_CheckEntry(const PyTypedMethodEntry *entry, unsigned long long *found)
{
    *found = entry->reserved;
    if (entry->reserved != 0) return "found %llu as `reserved`, expected 0";
    *found = entry->flags & ~_Pycs_UNDERSTOOD;
    if (*found != 0) return "found flags %llu, which are unknown; use newer headers";
    *found = entry->flags;
    if ((entry->flags & PyTypedMethod_CTX) == PyTypedMethod_CTX
            || ((entry->flags & PyTypedMethod_CTX) && (entry->flags & PyTypedMethod_SELF))) {
        return "found flags %llu, expected at most one of CTX_FIRST, CTX_LAST and SELF";
    }
    if (entry->function == NULL) return "found NULL as the function";
    return NULL;
}

_Pycs_UNUSED static inline const char *
_Pycs_CheckTypes(const _Pycs_Types *types, uint32_t flags)
{
    uint32_t raises = flags & PyTypedMethod_RAISES;
    int result = types->codes[0];
    if ((flags & PyTypedMethod_SELF) && (types->count < 2 || types->codes[1] != PyTypedMethod_OBJECT)) {
        return "found flag SELF, expected an `object` as the first argument";
    }
    if ((raises == PyTypedMethod_RAISES_VALUE || raises == PyTypedMethod_RAISES_MAYBE)
            && (result == PyTypedMethod_VOID || (result >= PyTypedMethod_C8 && result <= PyTypedMethod_C32))) {
        return "found an error value for a void or complex result, expected RAISES_ANY";
    }
    return NULL;
}

_Pycs_UNUSED static int
_Pycs_CheckRecord(const PyTypedMethodRecord *record, const char *function, const char *name)
{
    const PyTypedMethodEntry *entry;
    unsigned long long found;
    char format[256];
    const char *wrong = _Pycs_CheckHead(record, &found);
    uint32_t i;

    if (wrong != NULL) {
        PyOS_snprintf(format, sizeof(format), "%%s('%%.100s'): %s", wrong);
        PyErr_Format(PyExc_ValueError, format, function, name != NULL ? name : "?", found);
        return -1;
    }
    if (name == NULL) name = record->name != NULL ? record->name : "?";
    for (i = 0, entry = record->entries; i < record->count; i++, entry = _Pycs_NextEntry(record, entry)) {
        _Pycs_Types types;
        wrong = _Pycs_CheckEntry(entry, &found);
        if (wrong == NULL && _Pycs_Decode(entry->signature, &types) < 0) {
            found = (unsigned long long)entry->signature;
            wrong = "found signature %llu, which is none; expected one made by "
                    "PyTypedMethod_SIG() or PyTypedMethod_Parse()";
        }
        if (wrong == NULL) wrong = _Pycs_CheckTypes(&types, entry->flags);
        if (wrong != NULL) {
            PyOS_snprintf(format, sizeof(format), "%%s('%%.100s'), entry %%d: %s", wrong);
            PyErr_Format(PyExc_ValueError, format, function, name, (int)i, found);
            return -1;
        }
    }
    return 0;
}
typedef struct {
    int        flags;
    Py_ssize_t exports;
} _Pycs_ManagedBuffer;

#ifndef Py_LIMITED_API
#  define _Pycs_BUFFER_OF(view)   ((PyObject *)((PyMemoryViewObject *)(view))->mbuf)
#  define _Pycs_METHOD_TYPE       (&PyMethod_Type)
#  define _Pycs_FUNCTION_TYPE     (&PyFunction_Type)
#  define _Pycs_IS_CMETHOD(type)  ((type) == &PyCMethod_Type)
#  define _Pycs_M_ML(object)      (((PyCFunctionObject *)(object))->m_ml)
#  define _Pycs_M_SELF(object)    (((PyCFunctionObject *)(object))->m_self)
#  define _Pycs_D_METHOD(object)  (((PyMethodDescrObject *)(object))->d_method)
#  define _Pycs_IM_FUNC(object)   PyMethod_GET_FUNCTION(object)
#  define _Pycs_IM_SELF(object)   PyMethod_GET_SELF(object)
#  define _Pycs_TP_CALL(type)     _Pycs_LOAD(ternaryfunc, &(type)->tp_call)
#else
static PyTypeObject *_Pycs_known_types[2];

_Pycs_SLOW PyTypeObject *
_Pycs_ReadType(int i)
{
    PyObject *kind, *value, *traceback, *types, *found;
    PyErr_Fetch(&kind, &value, &traceback);
    types = PyImport_ImportModule("types");
    found = types != NULL ? PyObject_GetAttrString(types, i == 0 ? "MethodType" : "FunctionType") : NULL;
    if (found != NULL) _Pycs_STORE(PyTypeObject *, &_Pycs_known_types[i], (PyTypeObject *)found);
    Py_XDECREF(types);
    PyErr_Restore(kind, value, traceback);
    return (PyTypeObject *)found;
}

_Pycs_FAST PyTypeObject *
_Pycs_KnownType(int i)
{
    PyTypeObject *known = _Pycs_LOAD(PyTypeObject *, &_Pycs_known_types[i]);
    return _Pycs_LIKELY(known != NULL) ? known : _Pycs_ReadType(i);
}

_Pycs_FAST void *
_Pycs_Behind(PyObject *object, int number)
{
    const Py_ssize_t head = _Pycs_Head();
    return head > 0 ? *(void **)_Pycs_Word(object, head, number) : NULL;
}
#  define _Pycs_BUFFER_OF(view)   ((PyObject *)_Pycs_Behind((view), 1))
#  define _Pycs_METHOD_TYPE       (_Pycs_Head() > 0 ? _Pycs_KnownType(0) : NULL)
#  define _Pycs_FUNCTION_TYPE     _Pycs_KnownType(1)
#  define _Pycs_IS_CMETHOD(type)    \
     (_Pycs_BASE((PyTypeObject *)(uintptr_t)(type)) == &PyCFunction_Type)
#  define _Pycs_M_ML(object)      ((PyMethodDef *)_Pycs_Behind((object), 0))
#  define _Pycs_M_SELF(object)    ((PyObject *)_Pycs_Behind((object), 1))
#  define _Pycs_D_METHOD(object)  ((PyMethodDef *)_Pycs_Behind((object), 3))
#  define _Pycs_IM_FUNC(object)   ((PyObject *)_Pycs_Behind((object), 0))
#  define _Pycs_IM_SELF(object)   ((PyObject *)_Pycs_Behind((object), 1))
#  define _Pycs_TP_CALL(type)     PyType_GetSlot((type), Py_tp_call)
#endif
_Pycs_UNUSED static inline _Pycs_ManagedBuffer *
_Pycs_ManagedBufferOf(PyObject *view, PyObject **object)
{
#if _Pycs_SUPPORTED
    *object = _Pycs_BUFFER_OF(view);
    return *object == NULL ? NULL : (_Pycs_ManagedBuffer *)(uintptr_t)_Pycs_BEHIND_HEAD(*object);
#else
    (void)view;
    *object = NULL;
    return NULL;
#endif
}

_Pycs_UNUSED static int
_Pycs_CheckGil(const char *what)
{
#ifdef Py_LIMITED_API
    if (Py_Version < 0x030C0000 && PyInterpreterState_GetID(PyInterpreterState_Get()) != 0) {
        PyErr_Format(PyExc_RuntimeError, "%s: found a sub-interpreter of a CPython before 3.12, expected the main "
                     "interpreter, because this module was built for the limited API; build it without Py_LIMITED_API",
                     what);
        return -1;
    }
#else
    (void)what;
#endif
    return 0;
}

_Pycs_UNUSED static int
_Pycs_ComplexOf(PyObject *object, double *real, double *imag)
{
#ifndef Py_LIMITED_API
    const Py_complex number = PyComplex_AsCComplex(object);
    *real = number.real;
    *imag = number.imag;
    return number.real == -1.0 && PyErr_Occurred() ? -1 : 0;
#else
    PyObject *method = PyComplex_Check(object)
                       ? NULL : PyObject_GetAttrString((PyObject *)_Pycs_OB_TYPE(object), "__complex__"), *made = NULL;
    if (method != NULL) {
        made = PyObject_CallFunctionObjArgs(method, object, NULL);
        Py_DECREF(method);
        if (made == NULL) return -1;
        object = made;
        if (!PyComplex_Check(made)) {
            PyErr_Format(PyExc_TypeError, "__complex__ returned non-complex (type %.200s)",
                         _Pycs_TP_NAME(_Pycs_OB_TYPE(made)));
        }
    }
    else PyErr_Clear();
    *real = *imag = 0;
    if (!PyErr_Occurred()) *real = PyComplex_RealAsDouble(object);
    if (!PyErr_Occurred()) *imag = PyComplex_ImagAsDouble(object);
    Py_XDECREF(made);
    return PyErr_Occurred() ? -1 : 0;
#endif
}

_Pycs_UNUSED static inline PyObject *
_Pycs_CallArray(PyObject *callable, PyObject **arguments, int count)
{
#if defined(Py_LIMITED_API) && Py_LIMITED_API + 0 < 0x030C0000
    PyObject *result, *all = PyTuple_New(count);
    int i;
    if (all == NULL) return NULL;
    for (i = 0; i < count; i++) {
        Py_INCREF(arguments[i]);
        (void)PyTuple_SetItem(all, i, arguments[i]);
    }
    result = PyObject_Call(callable, all, NULL);
    Py_DECREF(all);
    return result;
#else
    return PyObject_Vectorcall(callable, arguments, (size_t)count | PY_VECTORCALL_ARGUMENTS_OFFSET, NULL);
#endif
}
typedef struct {
    uint32_t size;
    int32_t  def_offset;
    int32_t  self_offset;
} PyTypedMethodLayout;

typedef struct {
    PyMethodDef               *def;
    const PyTypedMethodRecord *record;
} PyTypedMethod_Pair;

#define _Pycs_LAYOUTS_KEY  "_typedmethod_layouts_v1"
#define _Pycs_LAYOUT_NAME  "_typedmethod_layout_v1"
typedef struct _Pycs_LayoutNode {
    struct _Pycs_LayoutNode *next;
    PyTypedMethodLayout      layout;
} _Pycs_LayoutNode;

#define _Pycs_RecordKey(def) ((uintptr_t)(def) + _Pycs_KEY_RECORD)
#define _Pycs_LayoutKey(type) ((uintptr_t)(type) + _Pycs_KEY_LAYOUT)
_Pycs_UNUSED static inline uintptr_t
_Pycs_TypeBit(const PyTypeObject *type)
{
    uintptr_t hash = ((uintptr_t)type >> 4) ^ ((uintptr_t)type >> 10);
    return (uintptr_t)1 << (hash % (8 * sizeof(uintptr_t)));
}

_Pycs_SLOW _Pycs_Cells *
_Pycs_SeekCells(void)
{
    _Pycs_ProcessTable *table = _Pycs_GetTable(NULL);
    return table == NULL ? NULL : _Pycs_LOAD(_Pycs_Cells *, &table->cells);
}

_Pycs_UNUSED static inline _Pycs_Cells *
_Pycs_GetCells(void)
{
    _Pycs_ProcessTable *table = _Pycs_LOAD(_Pycs_ProcessTable *, _Pycs_TableCache());
    _Pycs_Cells *cells = table == NULL ? NULL : _Pycs_LOAD(_Pycs_Cells *, &table->cells);
    return _Pycs_LIKELY(cells != NULL) ? cells : _Pycs_SeekCells();
}

#ifndef Py_LIMITED_API
_Pycs_UNUSED static inline void
_Pycs_NoteType(_Pycs_ProcessTable *table, const PyTypeObject *type)
{
    uintptr_t types = table->types;
    _Pycs_ASSERT_WORD_LOCKED(&table->owner);
    types |= _Pycs_TypeBit(type) | _Pycs_TypeBit(&PyMethodDescr_Type);
#ifndef PYPY_VERSION
    types |= _Pycs_TypeBit(&PyCMethod_Type);
#endif
    _Pycs_STORE(uintptr_t, &table->types, types);
}

_Pycs_UNUSED static const PyTypedMethodLayout *
_Pycs_KeepLayout(_Pycs_ProcessTable *table, const PyTypedMethodLayout *layout)
{
    _Pycs_LayoutNode *node;
    _Pycs_ASSERT_WORD_LOCKED(&table->owner);
    for (node = table->layouts; node != NULL; node = node->next) {
        if (node->layout.size == layout->size && node->layout.def_offset == layout->def_offset
                && node->layout.self_offset == layout->self_offset) return &node->layout;
    }
    node = (_Pycs_LayoutNode *)calloc(1, sizeof(*node));
    if (node == NULL) return NULL;
    node->layout = *layout;
    node->next = table->layouts;
    table->layouts = node;
    return &node->layout;
}

_Pycs_UNUSED static int
PyTypedMethod_RegisterMany(const PyTypedMethod_Pair *pairs, Py_ssize_t count)
{
    static const char *const what = "PyTypedMethod_Register";
    _Pycs_ProcessTable *table;
    _Pycs_Cells *chosen;
    size_t size = 4;
    Py_ssize_t i, other = -1;
    int result = -1;

    for (i = 0; i < count; i++) {
        if (pairs[i].def == NULL || (uintptr_t)pairs[i].def % 4 != 0) {
            PyErr_Format(PyExc_ValueError, "%s: found %s, expected a PyMethodDef", what,
                         pairs[i].def == NULL ? "NULL" : "an address that is no multiple of four");
            return -1;
        }
        if (_Pycs_CheckRecord(pairs[i].record, what, pairs[i].def->ml_name) < 0) return -1;
    }
    if (count <= 0) return 0;
    if (!(table = _Pycs_GetTable(what))) return -1;
    while (size < 2 * (size_t)count) size *= 2;
    if (!(chosen = (_Pycs_Cells *)calloc(1, sizeof(*chosen) + size * sizeof(chosen->cells[0])))) {
        PyErr_NoMemory();
        return -1;
    }
    chosen->mask = size - 1;

    _Pycs_LockWord(&table->owner);
    for (i = 0; other < 0 && i < count; i++) {
        const uintptr_t key = _Pycs_RecordKey(pairs[i].def);
        const void *there = _Pycs_PresentValue(table, key);
        if (there == NULL) there = _Pycs_ValueOf(chosen, key);
        if (there == NULL) _Pycs_PutInto(chosen, key, pairs[i].record);
        else if (there != pairs[i].record) other = i;
    }
    if (other < 0) result = _Pycs_ReserveCells(table, (size_t)count);
    if (result == 0) _Pycs_NoteType(table, &PyMethodDescr_Type);
    for (i = 0; result == 0 && i < count; i++) _Pycs_PutValue(table, _Pycs_RecordKey(pairs[i].def), pairs[i].record);
    _Pycs_UnlockWord(&table->owner);
    free(chosen);

    if (other >= 0) {
        PyErr_Format(PyExc_ValueError, "%s('%.100s'): found a second record for this "
                     "PyMethodDef, expected the one that is registered; records must not "
                     "change", what, pairs[other].def->ml_name);
    }
    else if (result < 0) PyErr_NoMemory();
    return result;
}

_Pycs_UNUSED static void
_Pycs_DropLayout(PyObject *capsule)
{
    PyTypeObject *type = (PyTypeObject *)PyCapsule_GetPointer(capsule, _Pycs_LAYOUT_NAME);
    _Pycs_ProcessTable *table = type != NULL ? (_Pycs_ProcessTable *)PyCapsule_GetContext(capsule) : NULL;
    if (type == NULL) PyErr_Clear();
    if (table != NULL) {
        _Pycs_LockWord(&table->owner);
        if (_Pycs_PresentValue(table, _Pycs_LayoutKey(type)) != NULL) {
            _Pycs_PutValue(table, _Pycs_LayoutKey(type), NULL);
        }
        _Pycs_UnlockWord(&table->owner);
    }
    Py_XDECREF((PyObject *)type);
}

_Pycs_UNUSED static int
_Pycs_CheckLayout(PyTypeObject *type, Py_ssize_t def_offset, Py_ssize_t self_offset)
{
    const Py_ssize_t word = (Py_ssize_t)sizeof(void *), offsets[] = {def_offset, self_offset};
    int i;
    if (type == NULL || !PyType_Check((PyObject *)type)) {
        PyErr_Format(PyExc_TypeError, "PyTypedMethod_RegisterLayout: found %s, expected a "
                     "type of functions", type == NULL ? "NULL" : "an object that is no type");
        return -1;
    }
    for (i = 0; i < 2; i++) {
        if (i == 1 && self_offset == -1) break;
        if (offsets[i] >= (Py_ssize_t)sizeof(PyObject) && offsets[i] % word == 0
                && offsets[i] <= _Pycs_SIZE_OF(type) - word) continue;
        PyErr_Format(PyExc_ValueError, "PyTypedMethod_RegisterLayout(%.200s): found %zd as the offset of the %s that "
                     "of a pointer in an instance of %zd bytes", _Pycs_TP_NAME(type), offsets[i],
                     i == 0 ? "PyMethodDef *, expected" : "receiver, expected -1 (there is none) or",
                     _Pycs_SIZE_OF(type));
        return -1;
    }
    return 0;
}

_Pycs_UNUSED static int
PyTypedMethod_RegisterLayout(PyTypeObject *type, Py_ssize_t def_offset, Py_ssize_t self_offset)
{
    static const char *const what = "PyTypedMethod_RegisterLayout";
    PyObject *capsule = NULL, *held;
    _Pycs_ProcessTable *table;
    const PyTypedMethodLayout *kept, *there = NULL;
    const PyTypedMethodLayout layout = {sizeof(layout), (int32_t)def_offset, (int32_t)self_offset};
    int is_ours = 0, result = -1;

    if (_Pycs_CheckLayout(type, def_offset, self_offset) < 0) return -1;
    if (!(table = _Pycs_GetTable(what))) return -1;
    if (!(held = _Pycs_DictInState(what, _Pycs_LAYOUTS_KEY))) return -1;
    if (!(capsule = PyCapsule_New(type, _Pycs_LAYOUT_NAME, _Pycs_DropLayout))) goto done;
    Py_INCREF(type);

    if (PyDict_SetItem(held, capsule, Py_None) < 0) goto done;
    _Pycs_LockWord(&table->owner);
    kept = _Pycs_KeepLayout(table, &layout);
    if (kept != NULL && _Pycs_ReserveCells(table, 1) == 0) {
        there = (const PyTypedMethodLayout *)_Pycs_PresentValue(table, _Pycs_LayoutKey(type));
        if (there == NULL) {
            _Pycs_NoteType(table, type);
            _Pycs_PutValue(table, _Pycs_LayoutKey(type), kept);

            is_ours = _Pycs_IsHeap(type);
        }
        result = 0;
    }
    _Pycs_UnlockWord(&table->owner);

    if (is_ours) (void)PyCapsule_SetContext(capsule, table);
    else if (PyDict_DelItem(held, capsule) < 0) PyErr_Clear();
    if (result < 0) PyErr_NoMemory();

    else if (there != NULL && (there->def_offset != kept->def_offset || there->self_offset != kept->self_offset)) {
        PyErr_Format(PyExc_ValueError, "%s(%.200s): found offsets %zd and %zd, expected %zd "
                     "and %zd, which are registered for this type", what, _Pycs_TP_NAME(type),
                     def_offset, self_offset, (Py_ssize_t)there->def_offset,
                     (Py_ssize_t)there->self_offset);
        result = -1;
    }
done:
    Py_DECREF(held);
    Py_XDECREF(capsule);
    return result;
}

_Pycs_UNUSED static int
PyTypedMethod_Register(PyMethodDef *def, const PyTypedMethodRecord *record)
{
    const PyTypedMethod_Pair pair = {def, record};
    return PyTypedMethod_RegisterMany(&pair, 1);
}

_Pycs_UNUSED static int
PyTypedMethod_RegisterMethods(PyMethodDef *methods, const PyTypedMethodRecord *const *records, Py_ssize_t count)
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

#else
#  define PyTypedMethod_Register(...)        _Pycs_registering_needs_the_full_API_without_Py_LIMITED_API
#  define PyTypedMethod_RegisterMany(...)    _Pycs_registering_needs_the_full_API_without_Py_LIMITED_API
#  define PyTypedMethod_RegisterMethods(...) _Pycs_registering_needs_the_full_API_without_Py_LIMITED_API
#  define PyTypedMethod_RegisterLayout(...)  _Pycs_registering_needs_the_full_API_without_Py_LIMITED_API
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
} _Pycs_RecordPlace;

enum {
    _Pycs_KIND_FUNCTION,
    _Pycs_KIND_DESCRIPTOR,
    _Pycs_KIND_NATIVE
};

#ifdef PYPY_VERSION
#  define _Pycs_IS_DESCRIPTOR(type) \
    ((type) == &PyMethodDescr_Type || (type) == &PyClassMethodDescr_Type)
#else
#  define _Pycs_IS_DESCRIPTOR(type) ((type) == &PyMethodDescr_Type)
#endif
_Pycs_UNUSED static inline int
_Pycs_IsBuiltin(const PyTypeObject *type)
{
#ifdef PYPY_VERSION
    return type == &PyCFunction_Type;
#else
    return type == &PyCFunction_Type || _Pycs_IS_CMETHOD(type);
#endif
}

_Pycs_UNUSED static inline const PyCustomSlot *
_Pycs_SlotOf(PyTypeObject *type, uintptr_t id)
{
#ifdef PYPY_VERSION
    return PyCustomSlots_FindAnyType(type, id, 0);
#else
    return PyCustomSlots_FindType(type, id, 0);
#endif
}

_Pycs_UNUSED static inline int
_Pycs_IsCalledAs(PyTypeObject *type, PyTypeObject *base)
{
#ifdef PYPY_VERSION
    PyObject *kind, *value, *traceback, *name;
    int result;
    if (type == base) return 1;
    PyErr_Fetch(&kind, &value, &traceback);
    name = PyUnicode_FromString("__call__");
    result = name != NULL && _PyType_Lookup(type, name) == _PyType_Lookup(base, name);
    Py_XDECREF(name);
    PyErr_Restore(kind, value, traceback);
    return result;
#else
    return _Pycs_TP_CALL(type) == _Pycs_TP_CALL(base);
#endif
}

_Pycs_UNUSED static inline const PyCustomSlot *
_Pycs_CallSlot(PyTypeObject *type, uintptr_t id)
{
    const PyCustomSlot *inherited, *slot = _Pycs_SlotOf(type, id);
    PyTypeObject *owner = type;
    PyObject *mro;
    Py_ssize_t i;
    if (slot == NULL || !(mro = _Pycs_HoldMro(type))) return NULL;
    for (i = Py_SIZE(mro) - 1; i > 0; i--) {
        inherited = _Pycs_SlotOf(_Pycs_TYPE_AT(mro, i), id);
        if (inherited != NULL && inherited->data.pointer == slot->data.pointer) {
            owner = _Pycs_TYPE_AT(mro, i);
            break;
        }
    }
    if (!_Pycs_IsCalledAs(type, owner)) slot = NULL;
    _Pycs_LetMroGo(mro);
    return slot;
}

#ifdef PYPY_VERSION
_Pycs_NOINLINE static PyObject *
_Pycs_UnbindBuiltin(PyObject *callable, PyObject **bind)
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

_Pycs_NOINLINE static PyObject *
_Pycs_Undirect(PyObject *callable)
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
_Pycs_FAST int
_Pycs_Locate(PyObject *callable, _Pycs_RecordPlace *place)
{
    PyTypeObject *type = _Pycs_OB_TYPE(callable);
    _Pycs_Cells *cells = _Pycs_GetCells();
    const PyMethodDef *def;
    const PyCustomSlot *slot;

    place->kind = _Pycs_KIND_FUNCTION;
    if (_Pycs_IsBuiltin(type)) {
        def = _Pycs_M_ML(callable);
        place->receiver = _Pycs_M_SELF(callable);
    }
    else if (_Pycs_IS_DESCRIPTOR(type)) {
        def = _Pycs_D_METHOD(callable);
        place->receiver = NULL;
        place->kind = _Pycs_KIND_DESCRIPTOR;
    }
    else if ((slot = _Pycs_CallSlot(type, PyTypedMethod_NATIVE_CALL)) != NULL) {
        const PyTypedMethodNative *native
            = (const PyTypedMethodNative *)((const char *)callable + slot->data.objoffset);
        unsigned long long found;
        place->record = _Pycs_LOAD(const PyTypedMethodRecord *, &native->record);
        place->receiver = callable;
        place->context = native->context;
        place->kind = _Pycs_KIND_NATIVE;
        return place->record != NULL && _Pycs_CheckHead(place->record, &found) == NULL;
    }
    else if ((slot = _Pycs_CallSlot(type, PyTypedMethod_CLASS_CALL)) != NULL) {
        const PyTypedMethodClassCall *shared = (const PyTypedMethodClassCall *)slot->data.pointer;
        unsigned long long found;
        place->record = shared->methods != NULL
            && *(void *const *)((const char *)callable + shared->offset) == shared->methods
            ? shared->direct : shared->record;
        place->receiver = callable;
        place->context = NULL;
        place->kind = _Pycs_KIND_NATIVE;
        return _Pycs_CheckHead(place->record, &found) == NULL;
    }
    else {
        const PyTypedMethodLayout *layout;
        if (cells == NULL) return 0;
        layout = (const PyTypedMethodLayout *)_Pycs_ValueOf(cells, _Pycs_LayoutKey(type));
        if (layout == NULL) return 0;
        def = *(PyMethodDef *const *)((const char *)callable + layout->def_offset);
        place->receiver = layout->self_offset < 0 ? NULL
            : *(PyObject *const *)((const char *)callable + layout->self_offset);
    }
    if (cells == NULL || def == NULL) return 0;
    place->context = place->receiver;
    place->record = (const PyTypedMethodRecord *)_Pycs_ValueOf(cells, _Pycs_RecordKey(def));
    return place->record != NULL;
}

_Pycs_UNUSED static inline PyObject *
_Pycs_Unbind(PyObject *callable, PyObject **bind)
{
    *bind = NULL;
#ifdef PYPY_VERSION
    if (_Pycs_OB_TYPE(callable) == _Pycs_FUNCTION_TYPE) callable = _Pycs_Undirect(callable);
#endif
    if (_Pycs_OB_TYPE(callable) == _Pycs_METHOD_TYPE) {
        *bind = _Pycs_IM_SELF(callable);
        return _Pycs_IM_FUNC(callable);
    }
#ifdef PYPY_VERSION
    if (strcmp(_Pycs_TP_NAME(_Pycs_OB_TYPE(callable)), "builtin method") == 0) {
        return _Pycs_UnbindBuiltin(callable, bind);
    }
#endif
    return callable;
}

_Pycs_UNUSED static int
_Pycs_IsBoundSignature(uint64_t with_object, uint64_t signature)
{
    _Pycs_Types a, b;
    if ((signature & 1) && signature >> 56 == 0) {
        return with_object == ((signature & 0x3F) | (uint64_t)PyTypedMethod_OBJECT << 6 | (signature >> 6) << 11);
    }
    if ((with_object & 1) || _Pycs_Decode(with_object, &a) < 0 || _Pycs_Decode(signature, &b) < 0) return 0;
    return a.count == b.count + 1 && a.codes[0] == b.codes[0] && a.codes[1] == PyTypedMethod_OBJECT
           && memcmp(a.codes + 2, b.codes + 1, (size_t)b.count - 1) == 0;
}

_Pycs_UNUSED static inline int
_Pycs_Fits(const PyTypedMethodEntry *entry, const _Pycs_RecordPlace *place,
           PyObject *bind, uint64_t signature, void **context, uint32_t *context_flag)
{
    int has_receiver = (entry->flags & PyTypedMethod_SELF) && place->receiver != NULL;
    unsigned long long found;

    *context = NULL;
    *context_flag = 0;
    if (has_receiver || bind != NULL) {
        if (has_receiver && bind != NULL) return 0;
        if (!_Pycs_IsBoundSignature(entry->signature, signature)) return 0;
        if (entry->flags & PyTypedMethod_CTX) return 0;
        *context = has_receiver ? place->receiver : bind;
        *context_flag = PyTypedMethod_CTX_FIRST;
    }
    else {
        if (entry->signature != signature) return 0;
        if (entry->flags & PyTypedMethod_CTX) {
            *context = place->context;
            if (*context == NULL && place->kind != _Pycs_KIND_NATIVE) return 0;
        }
    }
    if (place->kind == _Pycs_KIND_NATIVE) {
        return _Pycs_CheckEntry(entry, &found) == NULL;
    }
    if (entry->flags & ~_Pycs_UNDERSTOOD) return 0;
    return place->kind == _Pycs_KIND_FUNCTION || (entry->flags & PyTypedMethod_SELF);
}

_Pycs_NOINLINE static int
_Pycs_FindSlowly(PyObject *callable, uint64_t signature, PyTypedMethodCall *call)
{
    PyObject *bind, *function = _Pycs_Unbind(callable, &bind);
    _Pycs_RecordPlace place;
    const PyTypedMethodEntry *entry;
    uint32_t i, flag;
    void *context;

    memset(call, 0, sizeof(*call));
    if (!_Pycs_Locate(function, &place)) return 0;
    for (i = 0, entry = place.record->entries; i < place.record->count;
         i++, entry = _Pycs_NextEntry(place.record, entry)) {
        if (_Pycs_Fits(entry, &place, bind, signature, &context, &flag)) {
            call->function = entry->function;
            call->context = context;
            call->flags = entry->flags | flag;
            call->error = entry->error;
            return 1;
        }
    }
    return 0;
}

_Pycs_HOT int
PyTypedMethod_Find(PyObject *callable, uint64_t signature, PyTypedMethodCall *call)
{

    PyTypeObject *type = _Pycs_OB_TYPE(callable);
    _Pycs_ProcessTable *table = _Pycs_LOAD(_Pycs_ProcessTable *, _Pycs_TableCache());
    const PyTypedMethodRecord *record;
    const PyMethodDef *def;
    _Pycs_Cells *cells;

    if (table == NULL) return _Pycs_FindSlowly(callable, signature, call);
    cells = _Pycs_LOAD(_Pycs_Cells *, &table->cells);
    if (cells == NULL) return _Pycs_FindSlowly(callable, signature, call);
    if (type == &PyCFunction_Type) def = _Pycs_M_ML(callable);
#ifndef PYPY_VERSION
    else if (type == _Pycs_FUNCTION_TYPE) goto nothing;
    else if (type == _Pycs_METHOD_TYPE) {
        if (_Pycs_OB_TYPE(_Pycs_IM_FUNC(callable)) == _Pycs_FUNCTION_TYPE) goto nothing;
        return _Pycs_FindSlowly(callable, signature, call);
    }
    else {
        const PyTypedMethodLayout *layout;
        if (!(_Pycs_LOAD(uintptr_t, &table->types) & _Pycs_TypeBit(type))) {
            if (_Pycs_Test(type) == 0) goto nothing;
            return _Pycs_FindSlowly(callable, signature, call);
        }
        layout = (const PyTypedMethodLayout *)_Pycs_ValueOf(cells, _Pycs_LayoutKey(type));
        if (layout == NULL) return _Pycs_FindSlowly(callable, signature, call);
        def = *(PyMethodDef *const *)((const char *)callable + layout->def_offset);
    }
#else
    else return _Pycs_FindSlowly(callable, signature, call);
#endif
    record = (const PyTypedMethodRecord *)_Pycs_ValueOf(cells, _Pycs_RecordKey(def));
    if (record != NULL) {
        const PyTypedMethodEntry *entry = record->entries;
        if (entry->signature != signature || (entry->flags & ~_Pycs_PLAIN)) {
            return _Pycs_FindSlowly(callable, signature, call);
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
    memset(call, 0, sizeof(*call));
    return 0;
}

_Pycs_UNUSED static int
PyTypedMethod_Overloads(PyObject *callable, const PyTypedMethodRecord **record, PyObject **bound)
{
    PyObject *bind;
    _Pycs_RecordPlace place;
    callable = _Pycs_Unbind(callable, &bind);
    if (_Pycs_Locate(callable, &place)) {
        *record = place.record;
        *bound = bind != NULL ? bind : place.receiver;
        return 1;
    }
    *record = NULL;
    *bound = NULL;
    return 0;
}
_Pycs_UNUSED static uint64_t
_Pycs_OfferedSignature(const PyTypedMethodEntry *entry, const _Pycs_RecordPlace *place, PyObject *bind)
{
    _Pycs_Types types;
    uint64_t signature = entry->signature;
    uint32_t flag;
    void *context;
    if (_Pycs_Decode(signature, &types) < 0) return 0;
    if (bind != NULL || ((entry->flags & PyTypedMethod_SELF) && place->receiver != NULL)) {
        char text[PyTypedMethod_TEXT_SIZE];
        if (types.count < 2 || types.codes[1] != PyTypedMethod_OBJECT) return 0;
        memmove(types.codes + 1, types.codes + 2, (size_t)types.count - 2);
        types.count--;
        signature = _Pycs_Pack(&types);
        if (signature == 0) {
            _Pycs_Print(&types, text);
            signature = (uint64_t)PyCustomSlots_Intern(text);
            if (signature == 0) return 0;
        }
    }
    return _Pycs_Fits(entry, place, bind, signature, &context, &flag) ? signature : 0;
}

_Pycs_UNUSED static PyObject *
PyTypedMethod_Signatures(PyObject *callable)
{
    PyObject *list = PyList_New(0), *result = NULL, *bind;
    const PyTypedMethodEntry *entry;
    _Pycs_RecordPlace place;
    uint32_t i;
    if (list == NULL) return NULL;
    callable = _Pycs_Unbind(callable, &bind);
    if (_Pycs_Locate(callable, &place)) {
        for (i = 0, entry = place.record->entries; i < place.record->count;
             i++, entry = _Pycs_NextEntry(place.record, entry)) {
            uint64_t signature = _Pycs_OfferedSignature(entry, &place, bind);
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
    result = PyList_AsTuple(list);
done:
    Py_DECREF(list);
    return result;
}

_Pycs_UNUSED static PyObject *
_Pycs_JoinSignatures(PyObject *callable)
{
    PyObject *texts = PyTypedMethod_Signatures(callable);
    PyObject *between = texts != NULL ? PyUnicode_FromString("; ") : NULL;
    PyObject *joined = between != NULL ? PyUnicode_Join(between, texts) : NULL;
    Py_XDECREF(texts);
    Py_XDECREF(between);
    return joined;
}

_Pycs_UNUSED static int
_Pycs_IsPlain(PyObject *callable)
{
    PyTypeObject *type = _Pycs_OB_TYPE(callable);
    if (type == &PyCFunction_Type) {

        PyObject *self = _Pycs_M_SELF(callable);
        return self == NULL || strcmp(_Pycs_TP_NAME(_Pycs_OB_TYPE(self)), "_cffi_backend.Lib") != 0;
    }
#ifdef PYPY_VERSION
    if (strcmp(type->tp_name, "builtin_function") == 0 || strcmp(type->tp_name, "builtin method") == 0) return 1;
#endif
    return type == _Pycs_FUNCTION_TYPE || type == _Pycs_METHOD_TYPE || type == &PyType_Type
           || type == &PyMethodDescr_Type;
}

_Pycs_UNUSED static PyObject *
_Pycs_ShortReason(PyObject *callable, uint64_t signature)
{
    PyObject *text = PyTypedMethod_Format(signature), *result = NULL;
    PyObject *offered = text != NULL ? _Pycs_JoinSignatures(callable) : NULL;
    if (offered != NULL && _Pycs_LENGTH(offered) == 0) {
        result = PyUnicode_FromFormat("nothing is known about C functions of '%.200s' objects",
                                      _Pycs_TP_NAME(_Pycs_OB_TYPE(callable)));
    }
    else if (offered != NULL) {
        result = PyUnicode_FromFormat("found %U, expected %U: types must be the same, nothing is converted",
                                      offered, text);
    }
    Py_XDECREF(text);
    Py_XDECREF(offered);
    return result;
}

#define _Pycs_PACKAGE "cython_customslots.typed"
_Pycs_UNUSED static PyObject *
_Pycs_AskPackage(const char *function, PyObject *callable, PyObject *asked, int *imported)
{
    PyObject *module = asked != NULL ? PyImport_ImportModule(_Pycs_PACKAGE) : NULL;
    PyObject *answer = module != NULL ? PyObject_CallMethod(module, function, "OO", callable, asked) : NULL;
    *imported = module != NULL || asked == NULL;
    Py_XDECREF(module);
    Py_XDECREF(asked);
    return answer;
}

_Pycs_UNUSED static PyObject *
_Pycs_AskWhy(const char *function, PyObject *callable, PyObject *asked, uint64_t signature)
{
    PyObject *words, *result, *error, *shown;
    int imported;

    if (asked == NULL) return NULL;
    result = _Pycs_AskPackage(function, callable, asked, &imported);

    if (result != NULL && PyUnicode_Check(result) && _Pycs_LENGTH(result) > 0) return result;
    Py_CLEAR(result);
    if (PyErr_Occurred() && !_Pycs_IsReplaceable()) return NULL;
    error = _Pycs_TakeRaised();
    words = _Pycs_ShortReason(callable, signature);
    if (words != NULL && !imported && !_Pycs_IsPlain(callable)) {
        if ((shown = _Pycs_Repr(error)) != NULL) {
            result = PyUnicode_FromFormat(
                "%U; and " _Pycs_PACKAGE ", which finds the C functions of ctypes, cffi, "
                "numba and SciPy callables, cannot be imported: %U", words, shown);
            Py_DECREF(shown);
        }
        Py_DECREF(words);
        words = result;
    }
    Py_XDECREF(error);
    return words;
}

_Pycs_UNUSED static PyObject *
PyTypedMethod_WhyNot(PyObject *callable, uint64_t signature)
{
    PyTypedMethodCall call;
    PyObject *text = PyTypedMethod_Format(signature);
    if (text == NULL || !PyTypedMethod_Find(callable, signature, &call)) {
        return _Pycs_AskWhy("why_not", callable, text, signature);
    }
    Py_DECREF(text);
    return PyUnicode_FromString("");
}

_Pycs_UNUSED static PyObject *
_Pycs_Adapt(const char *function, PyObject *callable, PyObject *asked)
{
    static int is_absent = 0;
    PyObject *adapted = NULL;
    int imported = 1;
    if (_Pycs_LOAD(int, &is_absent)) Py_XDECREF(asked);
    else adapted = _Pycs_AskPackage(function, callable, asked, &imported);
    if (!imported && PyErr_ExceptionMatches(PyExc_ModuleNotFoundError)) _Pycs_STORE(int, &is_absent, 1);
    if (adapted == NULL && PyErr_Occurred() && PyErr_ExceptionMatches(PyExc_Exception)) PyErr_Clear();
    if (adapted == Py_None) Py_CLEAR(adapted);
    return adapted;
}

_Pycs_UNUSED static PyObject *
_Pycs_WhyNotAdapted(PyObject *callable, uint64_t signature)
{
    PyTypedMethodCall call;
    if (_Pycs_IsPlain(callable) || PyTypedMethod_Find(callable, signature, &call)) {
        return PyTypedMethod_WhyNot(callable, signature);
    }
    return _Pycs_AskWhy("explain", callable, PyTypedMethod_Format(signature), signature);
}
typedef struct {
    PyTypedMethodCall call;
    uint64_t          signature;
    PyObject         *callable;
    uint64_t          at_once[4];
} PyTypedCallable;

_Pycs_UNUSED static inline void
_Pycs_SetCallable(PyTypedCallable *held)
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
_Pycs_UNUSED static inline void
PyTypedCallable_Clear(PyTypedCallable *held)
{
    PyObject *callable = held->callable;
    memset(held, 0, sizeof(*held));
    Py_XDECREF(callable);
}

_Pycs_UNUSED static inline int
PyTypedCallable_IsTyped(const PyTypedCallable *held)
{
    return held->call.function != NULL;
}

_Pycs_UNUSED static void
_Pycs_RefuseUncallable(PyObject *object, uint64_t signature)
{
    const int may_hold_one = PyTuple_Check(object) || PyCapsule_CheckExact(object)
        || PyObject_HasAttrString((PyObject *)_Pycs_OB_TYPE(object), "__wrapper_address__");
    PyObject *text = PyTypedMethod_Format(signature), *why = NULL;

    if (text == NULL) goto done;
    why = may_hold_one ? _Pycs_WhyNotAdapted(object, signature) : PyUnicode_FromString("");
    if (why == NULL) goto done;
    PyErr_Format(PyExc_TypeError, "found an object of type '%.200s', expected a callable for "
                 "%U%s%U", _Pycs_TP_NAME(_Pycs_OB_TYPE(object)), text, may_hold_one ? ": " : "", why);
done:
    Py_XDECREF(text);
    Py_XDECREF(why);
}

_Pycs_UNUSED static void
_Pycs_RefuseUntyped(PyObject *exception, PyObject *callable, uint64_t signature, const char *expected)
{
    PyObject *text = PyTypedMethod_Format(signature), *shown = NULL, *why = NULL;

    if (text == NULL) goto done;
    if (!(why = _Pycs_WhyNotAdapted(callable, signature))) goto done;
    if (!(shown = _Pycs_Repr(callable))) goto done;
    PyErr_Format(exception, "found %U, which has no C function with signature %U, expected one "
                 "that has%s (%U)", shown, text, expected, why);
done:
    Py_XDECREF(text);
    Py_XDECREF(shown);
    Py_XDECREF(why);
}

_Pycs_UNUSED static int
PyTypedCallable_Init(PyTypedCallable *held, PyObject *callable, uint64_t signature)
{
    _Pycs_Types types;
    int i;

    memset(held, 0, sizeof(*held));
    if (_Pycs_CheckGil("PyTypedCallable_Init") < 0) return -1;
    if (_Pycs_Decode(signature, &types) < 0) {
        PyErr_Format(PyExc_ValueError, "PyTypedCallable_Init: found %llu, which is no "
                     "signature; expected one made by PyTypedMethod_SIG() or "
                     "PyTypedMethod_Parse()", (unsigned long long)signature);
        return -1;
    }
    if (!PyTypedMethod_Find(callable, signature, &held->call)) {
        PyObject *adapted = _Pycs_IsPlain(callable) ? NULL
            : _Pycs_Adapt("adapt", callable, PyTypedMethod_Format(signature));
        if (adapted != NULL && PyTypedMethod_Find(adapted, signature, &held->call)) {
            held->signature = signature;
            held->callable = adapted;
            _Pycs_SetCallable(held);
            return 0;
        }
        Py_XDECREF(adapted);
        if (PyErr_Occurred()) return -1;
        if (!PyCallable_Check(callable)) {
            _Pycs_RefuseUncallable(callable, signature);
            return -1;
        }
        for (i = 0; i < types.count; i++) {
            if (types.codes[i] != PyTypedMethod_POINTER) continue;
            _Pycs_RefuseUntyped(PyExc_ValueError, callable, signature, ": Python cannot be given a pointer");
            return -1;
        }
    }
    held->signature = signature;
    Py_INCREF(callable);
    held->callable = callable;
    _Pycs_SetCallable(held);
    return 0;
}

_Pycs_UNUSED static int
PyTypedCallable_InitTyped(PyTypedCallable *held, PyObject *callable, uint64_t signature)
{
    if (PyTypedCallable_Init(held, callable, signature) < 0) return -1;
    if (PyTypedCallable_IsTyped(held)) return 0;
    _Pycs_RefuseUntyped(PyExc_TypeError, callable, signature, "");
    PyTypedCallable_Clear(held);
    return -1;
}

_Pycs_UNUSED static PyObject *
PyTypedCallable_WhyNot(const PyTypedCallable *held)
{
    if (held->callable == NULL) {
        PyErr_SetString(PyExc_ValueError, "PyTypedCallable_WhyNot: found an empty "
                        "PyTypedCallable, expected one that was initialised");
        return NULL;
    }
    if (PyTypedCallable_IsTyped(held)) return PyUnicode_FromString("");
    return _Pycs_WhyNotAdapted(held->callable, held->signature);
}

_Pycs_UNUSED static inline int
_Pycs_HasThreadState(void)
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
} _Pycs_Gil;

_Pycs_UNUSED static inline void
_Pycs_TakeGil(_Pycs_Gil *gil)
{
    gil->taken = !_Pycs_IsAttached();
    gil->is_new = 0;
    gil->state = PyGILState_LOCKED;
    if (gil->taken) {
        gil->is_new = !_Pycs_HasThreadState();
        gil->state = PyGILState_Ensure();
    }
}

#ifdef PYPY_VERSION
_Pycs_SLOW int
_Pycs_IsForeignThread(void)
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
_Pycs_NOINLINE static void
_Pycs_ReleaseGil(_Pycs_Gil *gil, PyObject *callable)
{
    if (!gil->taken) return;
#ifdef PYPY_VERSION
    if (PyErr_Occurred() && _Pycs_IsForeignThread()) PyErr_WriteUnraisable(callable);
#else
    if (gil->is_new && PyErr_Occurred()) PyErr_WriteUnraisable(callable);
#endif
    PyGILState_Release(gil->state);
}

_Pycs_HOT int
_Pycs_HasRaised(void)
{
    _Pycs_Gil gil;
    int raised;
    if (_Pycs_IsAttached()) return PyErr_Occurred() != NULL;
    if (!_Pycs_HasThreadState()) return 0;
    _Pycs_TakeGil(&gil);
    raised = PyErr_Occurred() != NULL;
    if (gil.taken) PyGILState_Release(gil.state);
    return raised;
}

_Pycs_SLOW int
_Pycs_HasReallyRaised(void)
{
    return _Pycs_HasRaised();
}

_Pycs_UNUSED static PyObject *
_Pycs_Lend(int code, const PyTypedMethodArray *array)
{
    static const struct { char format[4]; unsigned char size; } items[] = {
        {"b", 1}, {"h", 2}, {"i", 4}, {"q", 8}, {"B", 1}, {"H", 2}, {"I", 4}, {"Q", 8},
        {"f", 4}, {"d", 8}, {"g", sizeof(long double)},
        {"Zf", 8}, {"Zd", 16}, {"Zg", 2 * sizeof(long double)}};
    const int item = (code & 31) - PyTypedMethod_I1;
    static char empty[1];
    Py_ssize_t length, stride;
    Py_buffer view;

    if (array == NULL || array->length < 0 || (array->data == NULL && array->length > 0)) {
        PyErr_SetString(PyExc_SystemError, "found NULL or a negative length as an array argument");
        return NULL;
    }
    length = array->length;
    stride = array->stride;
    if ((code >> 5) + _Pycs_CODES < PyTypedMethod_STRIDED && stride != items[item].size && length > 1) {
        PyErr_Format(PyExc_BufferError, "found a stride of %zd bytes in an array argument whose signature has no gaps, "
                     "expected %d; write strided(...), in Cython [:], in the signature", stride, items[item].size);
        return NULL;
    }
    memset(&view, 0, sizeof(view));
    view.buf = array->data != NULL ? array->data : empty;
    view.itemsize = items[item].size;
    view.len = length * view.itemsize;
    view.readonly = ((code >> 5) & 1) == 0;
    view.format = (char *)(view.itemsize == (Py_ssize_t)sizeof(long) && items[item].format[0] == 'q' ? "l"
                           : view.itemsize == (Py_ssize_t)sizeof(long) && items[item].format[0] == 'Q' ? "L"
                           : items[item].format);
    view.ndim = 1;
    view.shape = &length;
    view.strides = &stride;
    return PyMemoryView_FromBuffer(&view);
}

_Pycs_UNUSED static int
_Pycs_IsKept(PyObject *view)
{
    PyObject *released = PyObject_CallMethod(view, "release", NULL);
    const int refused = released == NULL;
    PyObject *object;
    const _Pycs_ManagedBuffer *buffer = _Pycs_ManagedBufferOf(view, &object);
    PyErr_Clear();
    Py_XDECREF(released);
    return refused || (buffer != NULL && buffer->exports > 0);
}

_Pycs_SLOW void
_Pycs_ClearFrames(PyObject *error)
{
    PyObject *module = PyImport_ImportModule("traceback"), *next;
    int i, k;
    Py_INCREF(error);
    for (i = 0; i < 100 && module != NULL && error != NULL; i++) {
        PyObject *of_error[2] = {NULL, PyException_GetCause(error)};
        next = PyException_GetContext(error);
        of_error[0] = error;
        for (k = 0; k < 2; k++) {
            PyObject *traceback = of_error[k] != NULL ? PyException_GetTraceback(of_error[k]) : NULL;
            if (traceback != NULL) Py_XDECREF(PyObject_CallMethod(module, "clear_frames", "O", traceback));
            PyErr_Clear();
            Py_XDECREF(traceback);
            Py_XDECREF(of_error[k]);
        }
        error = next;
    }
    PyErr_Clear();
    Py_XDECREF(error);
    Py_XDECREF(module);
}

_Pycs_HOT int
_Pycs_TakeBack(PyObject *view)
{
    PyObject *const error = PyErr_Occurred() ? _Pycs_TakeRaised() : NULL;
    int is_kept = _Pycs_IsKept(view);
    if (is_kept && error != NULL) {
        _Pycs_ClearFrames(error);
        is_kept = _Pycs_IsKept(view);
    }
    if (is_kept) {
        PyObject *object;
        _Pycs_ManagedBuffer *buffer = _Pycs_ManagedBufferOf(view, &object);
        if (buffer != NULL) {
            PyObject_GC_UnTrack(object);
            buffer->flags |= 1;
        }
    }
    Py_DECREF(view);
    if (error != NULL) _Pycs_RaiseAgain(error);
    return is_kept;
}

_Pycs_SLOW void
_Pycs_RaiseKept(PyObject *callable)
{
    PyObject *const before = PyErr_Occurred() ? _Pycs_TakeRaised() : NULL;
    PyErr_SetString(PyExc_BufferError, "found that the function has kept a view of an array argument, "
                    "whose memory is lent for the call; expected a copy, numpy.array(x) for example");
    if (before == NULL) return;
    if (!PyErr_GivenExceptionMatches(before, PyExc_Exception)) {
        PyErr_WriteUnraisable(callable);
        _Pycs_RaiseAgain(before);
    }
    else {
        PyObject *const error = _Pycs_TakeRaised();
        PyException_SetContext(error, before);
        _Pycs_RaiseAgain(error);
    }
}

_Pycs_UNUSED static PyObject *
_Pycs_ToPython(int code, const void *value)
{
    if (_Pycs_IS_ARRAY(code)) {
        return _Pycs_Lend(code, *(const PyTypedMethodArray *const *)value);
    }
    switch (code) {
    case PyTypedMethod_BOOL: return PyBool_FromLong(*(const _Pycs_Bool *)value);
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
    case PyTypedMethod_C8:
        return PyComplex_FromDoubles((double)((const float *)value)[0], (double)((const float *)value)[1]);
    case PyTypedMethod_C16: return PyComplex_FromDoubles(((const double *)value)[0], ((const double *)value)[1]);
    case PyTypedMethod_C32:
        return PyComplex_FromDoubles((double)((const long double *)value)[0], (double)((const long double *)value)[1]);
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
                     code > 0 && code <= _Pycs_CODES ? _Pycs_type_names[code] : "?");
        return NULL;
    }
}

_Pycs_UNUSED static void
_Pycs_StoreComplex(int code, double real, double imag, void *value)
{
    const float f4[2] = {(float)real, (float)imag};
    const double f8[2] = {real, imag};
    const long double f16[2] = {(long double)real, (long double)imag};
    if (code == PyTypedMethod_C8) memcpy(value, f4, sizeof(f4));
    else if (code == PyTypedMethod_C16) memcpy(value, f8, sizeof(f8));
    else memcpy(value, f16, sizeof(f16));
}

_Pycs_UNUSED static int
_Pycs_FromPython(int code, PyObject *object, void *value)
{
    switch (code) {
    case PyTypedMethod_VOID:
        *(int *)value = 0;
        return 0;
    case PyTypedMethod_BOOL: {
        int truth = PyObject_IsTrue(object);
        if (truth < 0) return -1;
        *(_Pycs_Bool *)value = truth != 0;
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
        double real, imag = 0;
        if (_Pycs_ComplexOf(object, &real, &imag) < 0) return -1;
        _Pycs_StoreComplex(code, real, imag, value);
        return 0;
    }
    case PyTypedMethod_OBJECT:
        Py_INCREF(object);
        *(PyObject **)value = object;
        return 0;
    case PyTypedMethod_POINTER:
        PyErr_SetString(PyExc_TypeError, "Python cannot return a C pointer");
        return -1;
    default: {
        const int place = code - PyTypedMethod_I1;
        const int fits = _Pycs_StoreInteger(object, place < 4, (size_t)1 << place % 4, value);
        PyObject *shown = fits == 0 ? _Pycs_Repr(object) : NULL;
        if (shown != NULL) {
            PyErr_Format(PyExc_OverflowError, "found the result %U, expected one that fits "
                         "into %s", shown, _Pycs_type_names[code]);
            Py_DECREF(shown);
        }
        return fits > 0 ? 0 : -1;
    }
    }
}

_Pycs_UNUSED static void
_Pycs_StoreFailure(int code, void *value)
{
    if (code >= PyTypedMethod_I1 && code <= PyTypedMethod_U8) {
        memset(value, 0xFF, (size_t)1 << (code - PyTypedMethod_I1) % 4);
        return;
    }
    switch (code) {
    case PyTypedMethod_VOID: *(int *)value = -1; break;
    case PyTypedMethod_BOOL: *(_Pycs_Bool *)value = 1; break;
    case PyTypedMethod_F4: *(float *)value = -1.0f; break;
    case PyTypedMethod_F8: *(double *)value = -1.0; break;
    case PyTypedMethod_F16: *(long double *)value = -1.0L; break;
    case PyTypedMethod_C8: case PyTypedMethod_C16: case PyTypedMethod_C32:
        _Pycs_StoreComplex(code, -1.0, 0.0, value);
        break;
    default: *(void **)value = NULL; break;
    }
}

_Pycs_SLOW void
_Pycs_RefuseCall(const PyTypedCallable *held, uint64_t signature)
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

_Pycs_HOT void
_Pycs_CallPython(const PyTypedCallable *held, uint64_t signature, const void *const *arguments, void *value)
{
    PyObject *stack[PyTypedMethod_MAX_SHORT + 1];
    PyObject *callable = NULL, *result = NULL;
    uint64_t types;
    int count = 0, is_kept = 0, lent = 0;

    if (held->signature != signature) {
        _Pycs_RefuseCall(held, signature);
        goto done;
    }
    callable = held->callable;
    Py_INCREF(callable);

    for (types = signature >> 6; types != 0; types >>= 5) {
        int code = (int)(types & 31u);
        if (code > _Pycs_CODES) {
            types >>= 5;
            code = _Pycs_ARRAY_OF(code, (int)(types & 31u));
            lent |= 1 << count;
        }
        stack[count + 1] = _Pycs_ToPython(code, arguments[count]);
        if (stack[count + 1] == NULL) goto done;
        count++;
    }
    result = _Pycs_CallArray(callable, stack + 1, count);
done:
    for (; count > 0; count--) {
        if (!(lent >> (count - 1) & 1)) Py_DECREF(stack[count]);
        else is_kept |= _Pycs_TakeBack(stack[count]);
    }
    if (is_kept) {
        _Pycs_RaiseKept(callable);
        Py_CLEAR(result);
    }
    if (result == NULL || _Pycs_FromPython(_Pycs_CODE_AT(signature, 0), result, value) < 0) {
        _Pycs_StoreFailure(_Pycs_CODE_AT(signature, 0), value);
    }
    Py_XDECREF(result);
    Py_XDECREF(callable);
}
#define PyTypedMethod_CALLER(name, ...)                                                  \
    _Pycs_EXPAND4(_Pycs_CALLER_N(                                                        \
        0, name, _Pycs_COUNT(__VA_ARGS__), __VA_ARGS__, ))

#define PyTypedMethod_CALLER_WITH_GIL(name, ...)                                         \
    _Pycs_EXPAND4(_Pycs_CALLER_N(                                                        \
        1, name, _Pycs_COUNT(__VA_ARGS__), __VA_ARGS__, ))

#define _Pycs_COUNT(...)                                                                 \
    _Pycs_EXPAND(_Pycs_COUNT_(__VA_ARGS__, 11, 10, 9, 8, 7, 6, 5, 4,                     \
                              3, 2, 1, 0, ))
#define _Pycs_COUNT_(r, a, b, c, d, e, f, g, h, i, j, k, count, ...) count
#define _Pycs_LIST(count, first, other, none, ...)                                       \
    _Pycs_EXPAND(_Pycs_LIST_##count(                                                     \
        _Pycs_##first, _Pycs_##other, none, __VA_ARGS__))
#define _Pycs_LIST_0(first, other, none, end) none
#define _Pycs_LIST_1(first, other, none, a, end) first(0, a)
#define _Pycs_LIST_2(first, other, none, a, b, end)                                      \
    _Pycs_LIST_1(first, other, , a, ) other(1, b)
#define _Pycs_LIST_3(first, other, none, a, b, c, end)                                   \
    _Pycs_LIST_2(first, other, , a, b, ) other(2, c)
#define _Pycs_LIST_4(first, other, none, a, b, c, d, end)                                \
    _Pycs_LIST_3(first, other, , a, b, c, ) other(3, d)
#define _Pycs_LIST_5(first, other, none, a, b, c, d, e, end)                             \
    _Pycs_LIST_4(first, other, , a, b, c, d, ) other(4, e)
#define _Pycs_LIST_6(first, other, none, a, b, c, d, e, f, end)                          \
    _Pycs_LIST_5(first, other, , a, b, c, d, e, ) other(5, f)
#define _Pycs_LIST_7(first, other, none, a, b, c, d, e, f, g, end)                       \
    _Pycs_LIST_6(first, other, , a, b, c, d, e, f, ) other(6, g)
#define _Pycs_LIST_8(first, other, none, a, b, c, d, e, f, g, h, end)                    \
    _Pycs_LIST_7(first, other, , a, b, c, d, e, f, g, ) other(7, h)
#define _Pycs_LIST_9(first, other, none, a, b, c, d, e, f, g, h, i, end)                 \
    _Pycs_LIST_8(first, other, , a, b, c, d, e, f, g, h, ) other(8, i)
#define _Pycs_LIST_10(first, other, none, a, b, c, d, e, f, g, h, i, j, end)             \
    _Pycs_LIST_9(first, other, , a, b, c, d, e, f, g, h, i, ) other(9, j)
#define _Pycs_LIST_11(first, other, none, a, b, c, d, e, f, g, h, i, j, k, end)          \
    _Pycs_LIST_10(first, other, , a, b, c, d, e, f, g, h, i, j, ) other(10, k)

#define _Pycs_TYPE(i, t)            _Pycs_T(t)
#define _Pycs_COMMA_TYPE(i, t)      , _Pycs_T(t)
#define _Pycs_TYPE_COMMA(i, t)      _Pycs_T(t),
#define _Pycs_COMMA_CODE(i, t)      , _Pycs_C(t)
#define _Pycs_COMMA_PARAMETER(i, t) , _Pycs_T(t) a##i##_
#define _Pycs_VALUE(i, t)           a##i##_
#define _Pycs_COMMA_VALUE(i, t)     , a##i##_
#define _Pycs_VALUE_COMMA(i, t)     a##i##_,
#define _Pycs_COPY(i, t)            _Pycs_T(t) a##i##_copy = a##i##_;
#define _Pycs_ADDRESS(i, t)         arguments_[i] = &a##i##_copy;
#define _Pycs_CALLER_N(gil, name, count, ...)                                            \
    _Pycs_EXPAND3(_Pycs_CALLER_NN(gil, name, count, __VA_ARGS__))
#define _Pycs_CALLER_NN(gil, name, count, r, ...)                                        \
    _Pycs_BODY(                                                                          \
        gil, name, _Pycs_T(r), _Pycs_M(r),                                               \
        PyTypedMethod_SIG(_Pycs_C(r)                                                     \
            _Pycs_LIST(count, COMMA_CODE, COMMA_CODE, , __VA_ARGS__)),                   \
        (PyTypedCallable *held                                                           \
            _Pycs_LIST(count, COMMA_PARAMETER, COMMA_PARAMETER, , __VA_ARGS__)),         \
        (_Pycs_LIST(count, TYPE, COMMA_TYPE, void, __VA_ARGS__)),                        \
        (void * _Pycs_LIST(count, COMMA_TYPE, COMMA_TYPE, , __VA_ARGS__)),               \
        (_Pycs_LIST(count, TYPE_COMMA, TYPE_COMMA, , __VA_ARGS__) void *),               \
        (_Pycs_LIST(count, VALUE, COMMA_VALUE, , __VA_ARGS__)),                          \
        (held->call.context                                                              \
            _Pycs_LIST(count, COMMA_VALUE, COMMA_VALUE, , __VA_ARGS__)),                 \
        (_Pycs_LIST(count, VALUE_COMMA, VALUE_COMMA, , __VA_ARGS__)                      \
            held->call.context),                                                         \
        (held _Pycs_LIST(count, COMMA_VALUE, COMMA_VALUE, , __VA_ARGS__)),               \
        _Pycs_LIST(count, COPY, COPY, , __VA_ARGS__),                                    \
        _Pycs_LIST(count, ADDRESS, ADDRESS, , __VA_ARGS__))

#define _Pycs_IF_VOID_i(is_void, otherwise) otherwise
#define _Pycs_IF_VOID_u(is_void, otherwise) otherwise
#define _Pycs_IF_VOID_f(is_void, otherwise) otherwise
#define _Pycs_IF_VOID_p(is_void, otherwise) otherwise
#define _Pycs_IF_VOID_c(is_void, otherwise) otherwise
#define _Pycs_IF_VOID_v(is_void, otherwise) is_void
#define _Pycs_RESULT(member, type) _Pycs_IF_VOID_##member(int, type)
#define _Pycs_KEEP(member, call)   _Pycs_IF_VOID_##member((result_ = 0, call), result_ = call)
#define _Pycs_IS_ERROR_i(type) (result_ == (type)held->call.error.i)
#define _Pycs_IS_ERROR_u(type) (result_ == (type)held->call.error.u)
#define _Pycs_IS_ERROR_f(type)                                                           \
    (result_ == (type)held->call.error.f                                                 \
     || (result_ != result_ && held->call.error.f != held->call.error.f))
#define _Pycs_IS_ERROR_p(type) ((void *)result_ == held->call.error.p)
#define _Pycs_IS_ERROR_c(type) 0
#define _Pycs_IS_ERROR_v(type) 0
#define _Pycs_BODY(...) _Pycs_EXPAND2(_Pycs_BODY_(__VA_ARGS__))
#define _Pycs_BODY_(gil, name, type, member, expected, parameters, plain,                \
                    first, last, values, first_values, last_values, all_values,          \
                    copies, addresses)                                                   \
_Pycs_HOT _Pycs_RESULT(member, type)                                                     \
name##_slowly parameters                                                                 \
{                                                                                        \
                             \
    const uint32_t flags_ = held->signature == (expected) ? held->call.flags : 0;        \
    const uint32_t raises_ = flags_ & PyTypedMethod_RAISES;                              \
    _Pycs_RESULT(member, type) result_;                                                  \
    _Pycs_Gil gil_;                                                                      \
    gil_.taken = 0;                                                                      \
    if (!(gil) && !(flags_ & PyTypedMethod_NOGIL)) _Pycs_TakeGil(&gil_);                 \
    if (held->call.function == NULL || held->signature != (expected)) {                  \
        const void *arguments_[PyTypedMethod_MAX_SHORT];                                 \
        _Pycs_RESULT(member, type) value_;                                               \
        copies                                                                           \
        addresses                                                                        \
        arguments_[PyTypedMethod_MAX_SHORT - 1] = NULL;                                  \
        _Pycs_CallPython(held, (expected), arguments_, &value_);                         \
        result_ = value_;                                                                \
    }                                                                                    \
    else if (flags_ & PyTypedMethod_CTX_FIRST) {                                         \
        _Pycs_KEEP(member, ((type (*)first)(uintptr_t)held->call.function)first_values); \
    }                                                                                    \
    else if (flags_ & PyTypedMethod_CTX_LAST) {                                          \
        _Pycs_KEEP(member, ((type (*)last)(uintptr_t)held->call.function)last_values);   \
    }                                                                                    \
    else {                                                                               \
        _Pycs_KEEP(member, ((type (*)plain)(uintptr_t)held->call.function)values);       \
    }                                                                                    \
    if (raises_ == PyTypedMethod_RAISES_ANY                                              \
            || (raises_ != 0 && _Pycs_IS_ERROR_##member(type))) {                        \
        if (raises_ == PyTypedMethod_RAISES_VALUE                                        \
                || ((gil) || !(flags_ & PyTypedMethod_NOGIL) ? PyErr_Occurred() != NULL  \
                    : _Pycs_HasRaised())) {                                              \
            _Pycs_StoreFailure(_Pycs_CODE_AT(expected, 0), &result_);                    \
        }                                                                                \
    }                                                                                    \
    if (gil_.taken) _Pycs_ReleaseGil(&gil_, held->callable);                             \
    return result_;                                                                      \
}                                                                                        \
_Pycs_SLOW _Pycs_RESULT(member, type)                                                    \
name##_otherwise parameters                                                              \
{                                                                                        \
    return name##_slowly all_values;                                                     \
}                                                                                        \
_Pycs_FAST _Pycs_RESULT(member, type)                                                    \
name parameters                                                                          \
{                                                                                        \
    _Pycs_RESULT(member, type) result_;                                                  \
    if (_Pycs_LIKELY(held->at_once[gil] == (expected))) {                                \
        _Pycs_KEEP(member, ((type (*)plain)(uintptr_t)held->call.function)values);       \
    }                                                                                    \
    else if (held->at_once[2 + gil] == (expected)) {                                     \
        _Pycs_KEEP(member, ((type (*)first)(uintptr_t)held->call.function)first_values); \
    }                                                                                    \
    else return name##_otherwise all_values;                                             \
    if (!_Pycs_LIKELY(!_Pycs_IS_ERROR_##member(type))) {                                 \
        const uint32_t raises_ = held->call.flags & PyTypedMethod_RAISES;                \
        if (raises_ != 0                                                                 \
                && (raises_ == PyTypedMethod_RAISES_VALUE                                \
                    || _Pycs_HasReallyRaised())) {                                       \
            _Pycs_RESULT(member, type) failure_;                                         \
            _Pycs_StoreFailure(_Pycs_CODE_AT(expected, 0), &failure_);                   \
            return failure_;                                                             \
        }                                                                                \
    }                                                                                    \
    return result_;                                                                      \
}
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

#define _Pycs_PAUSE                1024
#define PyTypedCallback_MAX_DEPTH  200
_Pycs_UNUSED static void
_Pycs_SetHook(PyTypedCallback *callback, void *hook)
{
    PyTypedMethodCall *call = &callback->callable.call;
    call->function = hook;
    call->context = callback;
    call->flags = PyTypedMethod_CTX_FIRST | PyTypedMethod_RAISES_ANY;
}

_Pycs_UNUSED static int
_Pycs_IsUsualError(int result, PyTypedMethodError error)
{
    if (result >= PyTypedMethod_I1 && result <= PyTypedMethod_U8) {
        const int unused = 64 - (8 << (result - PyTypedMethod_I1) % 4);
        return error.u << unused == UINT64_MAX << unused;
    }
    if (result >= PyTypedMethod_F4 && result <= PyTypedMethod_F16) return error.f == -1.0;
    if (result == PyTypedMethod_BOOL) return error.u == 1;
    return (result == PyTypedMethod_POINTER || result == PyTypedMethod_OBJECT) && error.p == NULL;
}

_Pycs_UNUSED static int
_Pycs_Take(PyTypedCallback *callback, int chosen, PyObject *held, int is_typed)
{
    const PyTypedMethodCall *call = &callback->callable.call;
    const uint64_t signature = callback->forms[chosen].signature;
    const uint32_t raises = call->flags & PyTypedMethod_RAISES;
    const int form = call->flags & PyTypedMethod_CTX_LAST ? 2 : 0;
    callback->chosen = chosen;
    callback->is_typed = is_typed;
    callback->callable.signature = signature;
    callback->callable.callable = held;
    _Pycs_SetCallable(&callback->callable);
    if (call->function != NULL && !(call->flags & PyTypedMethod_CTX_FIRST)
            && (raises == 0 || (raises != PyTypedMethod_RAISES_ANY
                                && _Pycs_IsUsualError(_Pycs_CODE_AT(signature, 0), call->error)))) {
        callback->at_once[form + 1] = signature;
        if ((call->flags & PyTypedMethod_NOGIL) && raises == 0) callback->at_once[form] = signature;
    }
    return chosen;
}

_Pycs_UNUSED static int
_Pycs_FindForm(PyTypedCallback *callback, PyObject *callable)
{
    int i;
    for (i = 0; callback->forms[i].signature != 0; i++) {
        if (PyTypedMethod_Find(callable, callback->forms[i].signature, &callback->callable.call)) return i;
    }
    return -1;
}

_Pycs_UNUSED static int
_Pycs_CompareText(const char *name, const char *prototype)
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

_Pycs_UNUSED static int
_Pycs_NeedsGil(PyTypeObject *type)
{
#if defined(PYPY_VERSION) || defined(Py_LIMITED_API)
    const uintptr_t version = 0, owner = 0;
#else
    const uintptr_t version = type->tp_version_tag;
    const uintptr_t owner = (uintptr_t)PyInterpreterState_GetID(PyInterpreterState_Get());
#endif
    static PyTypeObject *last = NULL;
    static uintptr_t last_version = 0, last_owner = 0;
    PyObject *name, *flags = NULL;
    int needs = 0;

    if (type == _Pycs_LOAD(PyTypeObject *, &last) && version != 0
            && version == _Pycs_LOAD(uintptr_t, &last_version)
            && owner == _Pycs_LOAD(uintptr_t, &last_owner)) return 0;
    if ((name = PyUnicode_InternFromString("_flags_")) != NULL) {
        flags = PyObject_GetAttr((PyObject *)type, name);
        Py_DECREF(name);
    }
    if (flags == NULL) PyErr_Clear();
    else if (PyLong_Check(flags)) needs = (PyLong_AsLong(flags) & 4) != 0;
    Py_XDECREF(flags);
    if (!needs) {
        _Pycs_STORE(uintptr_t, &last_version, version);
        _Pycs_STORE(uintptr_t, &last_owner, owner);
        _Pycs_STORE(PyTypeObject *, &last, type);
    }
    return needs;
}

_Pycs_UNUSED static int
_Pycs_FindLowLevel(PyTypedCallback *callback, PyObject *tuple)
{
    PyTypedMethodCall *call = &callback->callable.call;
    PyObject *capsule, *function;
    const char *name, *type = strrchr(_Pycs_TP_NAME(_Pycs_OB_TYPE(tuple)), '.');
    int i, said = 0, uses_api = 0;

    type = type != NULL ? type + 1 : _Pycs_TP_NAME(_Pycs_OB_TYPE(tuple));
    if (PyTuple_Size(tuple) != 3 || strcmp(type, "LowLevelCallable") != 0) return -1;
    capsule = PyTuple_GetItem(tuple, 0);
    function = PyTuple_GetItem(tuple, 1);
    if (!PyCapsule_CheckExact(capsule) || (name = PyCapsule_GetName(capsule)) == NULL) return -1;
    for (i = 0; callback->forms[i].signature != 0; i++) {
        const char *prototype = callback->forms[i].prototype;
        if (prototype != NULL && (said = _Pycs_CompareText(name, prototype))) break;
    }
    if (said == 0 || (said == 1 && PyTuple_GetItem(tuple, 2) != Py_None)) return -1;
    if (said == 3 && PyCapsule_GetContext(capsule) == NULL) return -1;
    if (!PyCapsule_CheckExact(function)) uses_api = _Pycs_NeedsGil(_Pycs_OB_TYPE(function));
    memset(call, 0, sizeof(*call));
    call->function = PyCapsule_GetPointer(capsule, name);
    if (said != 1) call->context = PyCapsule_GetContext(capsule);
    call->flags = (uses_api ? 0 : PyTypedMethod_NOGIL)
        | (said == 2 ? PyTypedMethod_CTX_LAST : said == 3 ? PyTypedMethod_CTX_FIRST : 0);
    if (uses_api) call->flags |= PyTypedMethod_RAISES_ANY;
    return i;
}

_Pycs_UNUSED static PyObject *
_Pycs_ShowForms(const PyTypedCallbackForm *forms)
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
        PyTuple_SetItem(result, i, pair);
    }
    return result;
}

_Pycs_UNUSED static PyObject *
_Pycs_Expected(const PyTypedCallbackForm *forms)
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

_Pycs_UNUSED static void
_Pycs_RefuseCallback(PyObject *callable, const PyTypedCallbackForm *forms)
{
    PyObject *expected = _Pycs_Expected(forms), *why = NULL, *shown = NULL;
    const int holds_one = PyTuple_Check(callable) || PyCapsule_CheckExact(callable);
    if (expected == NULL) goto done;
    if (!holds_one && !PyCallable_Check(callable)) {
        PyErr_Format(PyExc_TypeError, "found an object of type '%.200s', expected a callable for "
                     "one of: %U", _Pycs_TP_NAME(_Pycs_OB_TYPE(callable)), expected);
        goto done;
    }
    if (!(why = _Pycs_AskWhy("why_not_any", callable, _Pycs_ShowForms(forms), forms[0].signature))) goto done;
    if (!(shown = _Pycs_Repr(callable))) goto done;
    PyErr_Format(PyExc_ValueError, "found %U, expected a C function with one of these "
                 "signatures: %U (%U)", shown, expected, why);
done:
    Py_XDECREF(expected);
    Py_XDECREF(why);
    Py_XDECREF(shown);
}

_Pycs_UNUSED static int
_Pycs_PythonForm(const PyTypedCallbackForm *forms)
{
    int i, k;
    for (i = 0; forms[i].signature != 0; i++) {
        if (forms[i].hook != NULL) return i;
    }
    for (i = 0; forms[i].signature != 0; i++) {
        _Pycs_Types types;
        if (_Pycs_Decode(forms[i].signature, &types) < 0) continue;
        for (k = 0; k < types.count && types.codes[k] != PyTypedMethod_POINTER; k++) {}
        if (k == types.count) return i;
    }
    return -1;
}

_Pycs_UNUSED static int
_Pycs_CheckForms(const PyTypedCallbackForm *forms)
{
    _Pycs_Types types;
    int i;
    for (i = 0; forms[i].signature != 0; i++) {
        const char *prototype = forms[i].prototype;
        if (!(forms[i].signature & 1) || _Pycs_Decode(forms[i].signature, &types) < 0) {
            PyErr_Format(PyExc_ValueError, "PyTypedCallable_InitAny: found %llu as form %d, which "
                         "is no signature of up to eleven arguments; expected one made by "
                         "PyTypedMethod_SIG() or PyTypedMethod_SIGNATURE()",
                         (unsigned long long)forms[i].signature, i);
            return -1;
        }
        if (prototype != NULL && (strchr(prototype, '(') == NULL || prototype[strlen(prototype) - 1] != ')')) {
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

_Pycs_UNUSED static int
PyTypedCallable_InitAny(PyTypedCallback *callback, PyObject *callable, const PyTypedCallbackForm *forms)
{
    int chosen;
    memset(callback, 0, sizeof(*callback));
    callback->forms = forms;
    callback->chosen = -1;
    callback->left = _Pycs_PAUSE;
    if (_Pycs_CheckGil("PyTypedCallable_InitAny") < 0) return -1;
    chosen = PyTuple_Check(callable) ? _Pycs_FindLowLevel(callback, callable) : _Pycs_FindForm(callback, callable);
    if (chosen >= 0) {
        Py_INCREF(callable);
        return _Pycs_Take(callback, chosen, callable, 1);
    }
    if (_Pycs_CheckForms(forms) < 0) return -1;
    if (!_Pycs_IsPlain(callable)) {
        PyObject *adapted = _Pycs_Adapt("adapt_any", callable, _Pycs_ShowForms(forms));
        if (adapted != NULL && (chosen = _Pycs_FindForm(callback, adapted)) >= 0) {
            return _Pycs_Take(callback, chosen, adapted, 1);
        }
        Py_XDECREF(adapted);
        if (PyErr_Occurred()) return -1;
    }
    memset(&callback->callable.call, 0, sizeof(callback->callable.call));
    chosen = PyCallable_Check(callable) ? _Pycs_PythonForm(forms) : -1;
    if (chosen < 0) {
        _Pycs_RefuseCallback(callable, forms);
        return -1;
    }
    if (forms[chosen].hook != NULL) _Pycs_SetHook(callback, forms[chosen].hook);
    Py_INCREF(callable);
    return _Pycs_Take(callback, chosen, callable, 0);
}

_Pycs_UNUSED static PyObject *
PyTypedCallback_WhyNot(const PyTypedCallback *callback)
{
    if (callback->is_typed) return PyUnicode_FromString("");
    if (callback->callable.callable == NULL) {
        PyErr_SetString(PyExc_ValueError, "PyTypedCallback_WhyNot: found an empty "
                        "PyTypedCallback, expected one that was initialised");
        return NULL;
    }
    return _Pycs_AskWhy("why_not_any", callback->callable.callable, _Pycs_ShowForms(callback->forms),
                        callback->forms[0].signature);
}

_Pycs_UNUSED static inline int
PyTypedCallback_NeedsGIL(const PyTypedCallback *callback)
{
    return (callback->callable.call.flags & PyTypedMethod_NOGIL) == 0;
}

#define PyTypedCallback_Traverse(callback) Py_VISIT((callback)->callable.callable)
_Pycs_UNUSED static inline void
PyTypedCallback_Clear(PyTypedCallback *callback)
{
    callback->is_typed = 0;
    callback->chosen = -1;
    memset(callback->at_once, 0, sizeof(callback->at_once));
    PyTypedCallable_Clear(&callback->callable);
}

_Pycs_UNUSED static void
PyTypedCallback_Copy(PyTypedCallback *copy, const PyTypedCallback *callback)
{
    memset(copy, 0, sizeof(*copy));
    copy->callable = callback->callable;
    copy->forms = callback->forms;
    copy->chosen = callback->chosen;
    copy->is_typed = callback->is_typed;
    copy->data = callback->data;
    copy->left = _Pycs_PAUSE;
    memcpy(copy->at_once, callback->at_once, sizeof(copy->at_once));
    Py_XINCREF(copy->callable.callable);
    if (copy->callable.call.context == (const void *)callback) {
        copy->callable.call.context = copy;
    }
}
_Pycs_UNUSED static inline PyTypedCallback **
_Pycs_Here(void)
{
    static _Pycs_THREAD_LOCAL PyTypedCallback *here = NULL;
    return &here;
}

_Pycs_UNUSED static inline PyTypedCallback *
PyTypedCallback_Obtain(void)
{
    return *_Pycs_Here();
}

_Pycs_FAST uintptr_t
_Pycs_ThisThread(void)
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
    return (uintptr_t)_Pycs_Here();
#endif
}

_Pycs_UNUSED static int
PyTypedCallback_Enter(PyTypedCallback *callback)
{
    PyTypedCallback **here = _Pycs_Here();
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
    callback->left = _Pycs_PAUSE;
    callback->looked = 0;
    callback->free_in = (callback->callable.call.flags & PyTypedMethod_NOGIL)
        && _Pycs_HasThreadState() ? _Pycs_ThisThread() : 0;
    callback->previous = *here;
    callback->depth = depth;
    _Pycs_STORE(PyTypedCallback *, here, callback);
    return 0;
}

_Pycs_UNUSED static int
PyTypedCallback_Leave(PyTypedCallback *callback)
{
    *_Pycs_Here() = callback->previous;
    callback->previous = NULL;
    callback->depth = 0;
    callback->free_in = 0;
    Py_LeaveRecursiveCall();
    if (_Pycs_LOAD(int, &callback->failed)) {
        PyErr_Restore(callback->error[0], callback->error[1], callback->error[2]);
        callback->error[0] = callback->error[1] = callback->error[2] = NULL;
        callback->failed = 0;
    }
    return PyErr_Occurred() ? -1 : 0;
}

_Pycs_UNUSED static inline int
PyTypedCallback_HasFailed(PyTypedCallback *callback)
{
    return _Pycs_LOAD(int, &callback->failed);
}

_Pycs_UNUSED static void
_Pycs_KeepCallback(PyTypedCallback *callback)
{
    PyObject **const error = callback->error;
    if (_Pycs_SWAP_INT(&callback->failed, 1) == 0) PyErr_Fetch(&error[0], &error[1], &error[2]);
    else PyErr_WriteUnraisable(callback->callable.callable);
    _Pycs_STORE(int, &callback->left, 1);
}

_Pycs_UNUSED static inline void
PyTypedCallback_Fail(PyTypedCallback *callback)
{
    if (PyErr_Occurred()) _Pycs_KeepCallback(callback);
}

_Pycs_UNUSED static inline int
_Pycs_IsFree(const PyTypedCallback *callback)
{
    const uint32_t flags = callback->callable.call.flags;
    return (flags & PyTypedMethod_NOGIL) && (!(flags & PyTypedMethod_RAISES) || _Pycs_HasThreadState());
}

_Pycs_FAST int
_Pycs_IsAtOnce(const PyTypedCallback *callback, uint64_t signature, int form, int gil)
{
    return _Pycs_LIKELY(callback->at_once[form + gil] == signature)
           || (!gil && callback->at_once[form + 1] == signature && callback->free_in == _Pycs_ThisThread());
}

_Pycs_SLOW int
_Pycs_Notice(PyTypedCallback *callback)
{
    _Pycs_Gil gil;
    int raised;
    if (callback->callable.call.function != NULL
            && (callback->callable.call.flags & PyTypedMethod_RAISES) == 0) return 0;
    if (!_Pycs_IsAttached() && !_Pycs_HasThreadState()) return 0;
    _Pycs_TakeGil(&gil);
    if ((raised = PyErr_Occurred() != NULL)) _Pycs_KeepCallback(callback);
    if (gil.taken) PyGILState_Release(gil.state);
    return raised;
}

_Pycs_SLOW int
_Pycs_Pause(PyTypedCallback *callback)
{
    _Pycs_Gil gil;
    const int attached = _Pycs_IsAttached();
    _Pycs_STORE(int, &callback->left, 1);
    if (_Pycs_LOAD(int, &callback->failed)) return -1;
    _Pycs_STORE(int, &callback->left, _Pycs_PAUSE);
    if (!attached) {
        const time_t now = time(NULL);
        if (!_Pycs_HasThreadState() || now == callback->looked) return 0;
        callback->looked = now;
    }
    _Pycs_TakeGil(&gil);
    if (PyErr_Occurred() || PyErr_CheckSignals() < 0) _Pycs_KeepCallback(callback);
    if (gil.taken) PyGILState_Release(gil.state);
    return _Pycs_LOAD(int, &callback->failed) ? -1 : 0;
}

#define PyTypedCallback_CALLER(name, failure, ...)                                       \
    PyTypedMethod_CALLER(name##_call, __VA_ARGS__)                                       \
    _Pycs_EXPAND4(_Pycs_CALLBACK_CALLER_N(                                               \
        0, name, failure, _Pycs_COUNT(__VA_ARGS__), __VA_ARGS__, ))

#define PyTypedCallback_CALLER_WITH_GIL(name, failure, ...)                              \
    PyTypedMethod_CALLER_WITH_GIL(name##_call, __VA_ARGS__)                              \
    _Pycs_EXPAND4(_Pycs_CALLBACK_CALLER_N(                                               \
        1, name, failure, _Pycs_COUNT(__VA_ARGS__), __VA_ARGS__, ))

#define _Pycs_CALLBACK_CALLER_N(gil, name, failure, count, ...)                          \
    _Pycs_EXPAND3(_Pycs_CALLBACK_CALLER_NN(gil, name, failure, count, __VA_ARGS__))
#define _Pycs_CALLBACK_CALLER_NN(gil, name, failure, count, r, ...)                      \
    _Pycs_CALLBACK_BODY(                                                                 \
        gil, name, failure, _Pycs_T(r), _Pycs_M(r),                                      \
        PyTypedMethod_SIG(_Pycs_C(r)                                                     \
            _Pycs_LIST(count, COMMA_CODE, COMMA_CODE, , __VA_ARGS__)),                   \
        (PyTypedCallback *callback                                                       \
            _Pycs_LIST(count, COMMA_PARAMETER, COMMA_PARAMETER, , __VA_ARGS__)),         \
        (_Pycs_LIST(count, TYPE, COMMA_TYPE, void, __VA_ARGS__)),                        \
        (_Pycs_LIST(count, TYPE_COMMA, TYPE_COMMA, , __VA_ARGS__) void *),               \
        (_Pycs_LIST(count, VALUE, COMMA_VALUE, , __VA_ARGS__)),                          \
        (_Pycs_LIST(count, VALUE_COMMA, VALUE_COMMA, , __VA_ARGS__)                      \
            callback->callable.call.context),                                            \
        (callback _Pycs_LIST(count, COMMA_VALUE, COMMA_VALUE, , __VA_ARGS__)),           \
        (&callback->callable                                                             \
            _Pycs_LIST(count, COMMA_VALUE, COMMA_VALUE, , __VA_ARGS__)))
#define _Pycs_CALLBACK_BODY(...) _Pycs_EXPAND2(_Pycs_CALLBACK_BODY_(__VA_ARGS__))
#define _Pycs_MAYBE_i(type) (result_ == (type)-1)
#define _Pycs_MAYBE_u(type) (result_ == (type)-1)
#define _Pycs_MAYBE_f(type) (result_ == (type)-1)
#define _Pycs_MAYBE_p(type) (result_ == NULL)
#define _Pycs_MAYBE_v(type) (result_ < 0)
#define _Pycs_MAYBE_c(type) 1
#define _Pycs_RETURN(member, value)      _Pycs_IF_VOID_##member(return, return value)
#define _Pycs_RETURN_CALL(member, value) _Pycs_IF_VOID_##member(do { value; return; } while (0), return value)
#define _Pycs_CALLBACK_BODY_(gil, name, failure, type, member, expected, parameters,     \
                             plain, last, values, last_values, all_values, held_values)  \
_Pycs_HOT type                                                                           \
name##_otherwise parameters                                                              \
{                                                                                        \
    _Pycs_RESULT(member, type) result_;                                                  \
    _Pycs_Gil gil_;                                                                      \
    int raised_;                                                                         \
    if (_Pycs_IsAtOnce(callback, (expected), 2, (gil))) {                                \
        _Pycs_KEEP(member, ((type (*)last)(uintptr_t)callback->callable.call.function)last_values); \
        raised_ = _Pycs_MAYBE_##member(type) && _Pycs_Notice(callback);                  \
    }                                                                                    \
    else if ((gil) || _Pycs_IsFree(callback)) {                                          \
        result_ = name##_call held_values;                                               \
        raised_ = _Pycs_MAYBE_##member(type) && _Pycs_Notice(callback);                  \
    }                                                                                    \
    else {                                                                               \
          \
        _Pycs_TakeGil(&gil_);                                                            \
        result_ = name##_call held_values;                                               \
        raised_ = _Pycs_MAYBE_##member(type) && PyErr_Occurred();                        \
        if (raised_) _Pycs_KeepCallback(callback);                                       \
        if (gil_.taken) PyGILState_Release(gil_.state);                                  \
    }                                                                                    \
    if (raised_) _Pycs_RETURN(member, failure);                                          \
    _Pycs_RETURN(member, result_);                                                       \
}                                                                                        \
_Pycs_FAST type                                                                          \
name parameters                                                                          \
{                                                                                        \
    const int left_ = _Pycs_COUNTED(&callback->left) - 1;                                \
    _Pycs_RESULT(member, type) result_;                                                  \
    _Pycs_SET_COUNT(&callback->left, left_);                                             \
    if (!_Pycs_LIKELY(left_ > 0) && _Pycs_Pause(callback) < 0) {                         \
        _Pycs_RETURN(member, failure);                                                   \
    }                                                                                    \
    if (!_Pycs_IsAtOnce(callback, (expected), 0, (gil))) {                               \
        _Pycs_RETURN_CALL(member, name##_otherwise all_values);                          \
    }                                                                                    \
    _Pycs_KEEP(member, ((type (*)plain)(uintptr_t)callback->callable.call.function)values); \
    if (!_Pycs_LIKELY(!_Pycs_MAYBE_##member(type)) && _Pycs_Notice(callback)) {          \
        _Pycs_RETURN(member, failure);                                                   \
    }                                                                                    \
    _Pycs_RETURN(member, result_);                                                       \
}

_Pycs_UNUSED static inline void
PyTypedCallback_Target(PyTypedCallback *callback, int has_gil, void *trampoline, void **function, void **data)
{
    if (callback->at_once[has_gil ? 3 : 2] != 0 && (callback->callable.call.flags & PyTypedMethod_RAISES) == 0) {
        *function = callback->callable.call.function;
        *data = callback->callable.call.context;
    }
    else {
        *function = trampoline;
        *data = callback;
    }
}

#define PyTypedCallback_TRAMPOLINE_LAST(name, caller, ...)                               \
    _Pycs_EXPAND4(_Pycs_TRAMPOLINE_N(                                                    \
        LAST, name, caller, _Pycs_COUNT(__VA_ARGS__), __VA_ARGS__, ))

#define PyTypedCallback_TRAMPOLINE_FIRST(name, caller, ...)                              \
    _Pycs_EXPAND4(_Pycs_TRAMPOLINE_N(                                                    \
        FIRST, name, caller, _Pycs_COUNT(__VA_ARGS__), __VA_ARGS__, ))

#define PyTypedCallback_TRAMPOLINE(name, caller, ...)                                    \
    _Pycs_EXPAND4(_Pycs_TRAMPOLINE_N(                                                    \
        NONE, name, caller, _Pycs_COUNT(__VA_ARGS__), __VA_ARGS__, ))

#define _Pycs_TRAMPOLINE_N(place, name, caller, count, ...)                              \
    _Pycs_EXPAND3(_Pycs_TRAMPOLINE_NN(place, name, caller, count, __VA_ARGS__))
#define _Pycs_TRAMPOLINE_NN(place, name, caller, count, r, ...)                          \
    static _Pycs_T(r)                                                                    \
    name(_Pycs_PARAMETERS_##place(count, __VA_ARGS__))                                   \
    {                                                                                    \
        PyTypedCallback *const callback_ = _Pycs_CALLBACK_##place(#name);                \
        _Pycs_RETURN_CALL_OF(_Pycs_M(r), caller(                                         \
            callback_ _Pycs_LIST(count, COMMA_VALUE, COMMA_VALUE, , __VA_ARGS__)));      \
    }
#define _Pycs_PARAMETERS_LAST(count, ...)                                                \
    _Pycs_LIST(count, PARAMETER_COMMA, PARAMETER_COMMA, , __VA_ARGS__) void *data_
#define _Pycs_PARAMETERS_FIRST(count, ...)                                               \
    void *data_ _Pycs_LIST(count, COMMA_PARAMETER, COMMA_PARAMETER, , __VA_ARGS__)
#define _Pycs_PARAMETERS_NONE(count, ...)                                                \
    _Pycs_LIST(count, PARAMETER, COMMA_PARAMETER, void, __VA_ARGS__)
#define _Pycs_PARAMETER_COMMA(i, t) _Pycs_T(t) a##i##_,
#define _Pycs_PARAMETER(i, t)       _Pycs_T(t) a##i##_
#define _Pycs_CALLBACK_LAST(name)   (PyTypedCallback *)data_
#define _Pycs_CALLBACK_FIRST(name)  (PyTypedCallback *)data_
#define _Pycs_CALLBACK_NONE(name)   PyTypedCallback_Obtain();                            \
        if (callback_ == NULL) Py_FatalError(name ": found no callback that this "       \
            "thread has entered, expected one; use a trampoline with user data")
#define _Pycs_RETURN_CALL_OF(member, value) _Pycs_RETURN_CALL(member, value)
#ifdef PyCustomSlots_ELSEWHERE
extern _Pycs_HIDDEN const struct _Pycs_TypedFunctions {
    int (*find)(PyObject *, uint64_t, PyTypedMethodCall *);
    int (*init)(PyTypedCallable *, PyObject *, uint64_t);
    int (*init_typed)(PyTypedCallable *, PyObject *, uint64_t);
    int (*init_any)(PyTypedCallback *, PyObject *, const PyTypedCallbackForm *);
    PyObject *(*why_not)(const PyTypedCallable *);
    PyObject *(*why_not_any)(const PyTypedCallback *);
    void (*call_python)(const PyTypedCallable *, uint64_t, const void *const *, void *);
} _Pycs_TABLE_OF(typedmethod);
#  ifdef PyCustomSlots_HERE
const struct _Pycs_TypedFunctions _Pycs_TABLE_OF(typedmethod) = {
    PyTypedMethod_Find, PyTypedCallable_Init, PyTypedCallable_InitTyped, PyTypedCallable_InitAny,
    PyTypedCallable_WhyNot, PyTypedCallback_WhyNot, _Pycs_CallPython};
#  else
#    define PyTypedMethod_Find        (*_Pycs_TABLE_OF(typedmethod).find)
#    define PyTypedCallable_Init      (*_Pycs_TABLE_OF(typedmethod).init)
#    define PyTypedCallable_InitTyped (*_Pycs_TABLE_OF(typedmethod).init_typed)
#    define PyTypedCallable_InitAny   (*_Pycs_TABLE_OF(typedmethod).init_any)
#    define PyTypedCallable_WhyNot    (*_Pycs_TABLE_OF(typedmethod).why_not)
#    define PyTypedCallback_WhyNot    (*_Pycs_TABLE_OF(typedmethod).why_not_any)
#    define _Pycs_CallPython          (*_Pycs_TABLE_OF(typedmethod).call_python)
#  endif
#endif
#ifdef __cplusplus
}
#endif
#endif
/* [cython-customslots: end typedmethod.h] */
