/* [cython-customslots: begin extensibletype.h] */
/* SPDX-License-Identifier: MIT; the comments are in the file. */
#ifndef Py_EXTENSIBLETYPE_H
#define Py_EXTENSIBLETYPE_H
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
#if !_Pycs_SUPPORTED && !defined(_Pycs_OPTIONAL) \
    && !defined(_Pycs_REGISTERED)
#  error "extensible types need CPython: PyPy has no room in its type objects; there, PyCustomSlots_Register() of customslots.h gives a type slots, and a Cython module whose classes have interfaces, and no other slots, fields or metaclasses, can be compiled"
#  include <extensible_types_need_CPython>
#endif
#if defined(Py_LIMITED_API) && !defined(_Pycs_OPTIONAL)
#  error "extensibletype.h cannot be used with Py_LIMITED_API: it needs the layout of PyHeapTypeObject; consumers may use customslots.h"
#  include <extensible_types_need_more_than_the_limited_API>
#endif
#if PY_VERSION_HEX < 0x030A0000
#  error "extensibletype.h needs CPython 3.10 or later"
#endif
#if PY_VERSION_HEX < 0x030C0000
#  include <structmember.h>
#endif
#ifdef __cplusplus
extern "C" {
#endif
#if _Pycs_SUPPORTED && !defined(Py_LIMITED_API)
_Pycs_ASSERT(words_fit_a_spare_member,
             sizeof(PyHeapExtensibleTypeObject) - sizeof(PyHeapTypeObject) <= sizeof(PyMemberDef));

#if defined(PyExtensibleType_RUNTIME_INSTALLED) && !defined(PyExtensibleType_RUNTIME_MODULE)
#  define PyExtensibleType_RUNTIME_MODULE "_customslots_runtime"
#  define _Pycs_RUNTIME_ADVICE "install it: pip install cython-customslots"
#elif defined(PyExtensibleType_RUNTIME_MODULE)
#  define _Pycs_RUNTIME_ADVICE \
       "that module carries it for its whole package: install it with the others, compiled with " \
       "cython-customslots --runtime=" PyExtensibleType_RUNTIME_MODULE ", or written in C and " \
       "calling PyExtensibleType_Import()"
#elif !defined(PyExtensibleType_RUNTIME_ELSEWHERE)
#  define _Pycs_CARRIES
#  ifdef PyExtensibleType_RUNTIME_LINKED
#    ifndef PyExtensibleType_MODULE_NAME
#      error "found no PyExtensibleType_MODULE_NAME, expected the name of this module, \"pkg.mod\"; define it before"
#    endif
#    ifndef _Pycs_SEPARATE
#      define _Pycs_SEPARATE
#    endif
#  endif
#endif
#ifndef _Pycs_PRIVATE
#  define _Pycs_PRIVATE static
#endif
#ifndef _Pycs_ENTRY
#  if defined(_Pycs_SEPARATE) || defined(_Pycs_LINKABLE)
#    define _Pycs_ENTRY _Pycs_HIDDEN
#  else
#    define _Pycs_ENTRY _Pycs_PRIVATE
#  endif
#endif
#ifndef Py_EXTENSIBLETYPE_API_H
#define Py_EXTENSIBLETYPE_API_H
#define PyExtensibleType_OPAQUE   (-1)
#define PyExtensibleType_OBJECT   16
#define PyExtensibleType_READABLE 0x1
#define PyExtensibleType_WRITABLE 0x2
#define PyExtensibleType_KEEP     0x4
typedef struct {
    const char *name;
    Py_ssize_t  offset, size;
    int         type;
    unsigned    flags;
    const char *doc;

    int       (*create)(void *to);
    int       (*copy)(void *to, const void *from);
    void      (*move)(void *to, void *from);
    void      (*destroy)(void *field);

    int       (*from_object)(void *to, PyObject *value);
    PyObject *(*to_object)(const void *field);
} PyExtensibleType_Field;
typedef struct {
    size_t      size;
    uintptr_t   id;
    const char *name;
    const char *doc;
    const PyCustomSlots_Interface *iface;
    const char *const *signatures;
    const void *table;
    uintptr_t   extends;
    const char *module;
} PyExtensibleType_InterfaceSpec;
#define _Pycs_RENDEZVOUS_VERSION 4
#define _Pycs_MODULE    "_extensibletype"
#define _Pycs_ATTRIBUTE "extensibletype_v4"
#define _Pycs_CAPSULE   "_extensibletype._api_v4"
#define _Pycs_FIELDS    "__customslots_fields__"
typedef struct _Pycs_API _Pycs_API;
typedef struct _Pycs_Impl _Pycs_Impl;
typedef struct _Pycs_Met _Pycs_Met;

struct _Pycs_API {
    uint32_t   rendezvous_version;
    uint32_t   table_abi;
    uint32_t   state_version;
    uint32_t   reserved;
    Py_ssize_t heaptype_size;
    Py_ssize_t type_size;
    PyTypeObject *metaclass;
    struct _Pycs_State *state;
    const _Pycs_Impl *impl;
    _Pycs_Met *met;
};

struct _Pycs_Met {
    _Pycs_Met *next;
    const _Pycs_Impl *impl;
    const _Pycs_Impl *found;
    uintptr_t verdict;
};

#define _Pycs_MET_CREATED 0
#define _Pycs_MET_TOOK    1
#define _Pycs_MET_OLDER   2
#define _Pycs_MET_STATE   3
#define _Pycs_MET_PINNED  4
#define _Pycs_FUNCTIONS(FUNCTION) \
      \
    FUNCTION(PyObject *, alloc, (_Pycs_API *, PyTypeObject *, Py_ssize_t)) \
    FUNCTION(int, init, (_Pycs_API *, PyObject *, PyObject *, PyObject *)) \
    FUNCTION(void, dealloc, (_Pycs_API *, PyObject *)) \
    FUNCTION(int, traverse, (_Pycs_API *, PyObject *, visitproc, void *)) \
    FUNCTION(int, clear, (_Pycs_API *, PyObject *)) \
    FUNCTION(PyObject *, get, (_Pycs_API *, PyObject *, int)) \
    FUNCTION(int, set, (_Pycs_API *, PyObject *, int, PyObject *)) \
    FUNCTION(PyObject *, field_get, (_Pycs_API *, PyObject *, void *)) \
    FUNCTION(int, field_set, (_Pycs_API *, PyObject *, PyObject *, void *)) \
    FUNCTION(PyObject *, meta_call, (_Pycs_API *, PyObject *, PyObject *, PyObject *)) \
    FUNCTION(int, meta_init, (_Pycs_API *, PyObject *, PyObject *, PyObject *)) \
    FUNCTION(PyObject *, meta_getattro, (_Pycs_API *, PyObject *, PyObject *)) \
    FUNCTION(PyObject *, meta_repr, (_Pycs_API *, PyObject *)) \
    FUNCTION(void, meta_dealloc, (_Pycs_API *, PyObject *)) \
    FUNCTION(int, meta_traverse, (_Pycs_API *, PyObject *, visitproc, void *)) \
    FUNCTION(int, meta_clear, (_Pycs_API *, PyObject *)) \
      \
    FUNCTION(int, ready, (_Pycs_API *, PyHeapExtensibleTypeObject *, Py_ssize_t)) \
    FUNCTION(int, inherit_fields, (_Pycs_API *, PyTypeObject *)) \
    FUNCTION(int, set_slots, (_Pycs_API *, PyTypeObject *, const PyCustomSlot *, Py_ssize_t)) \
    FUNCTION(int, finish, (_Pycs_API *, PyTypeObject *)) \
    FUNCTION(PyTypeObject *, calculate_metaclass, (_Pycs_API *, PyTypeObject *, PyTypeObject *, PyObject *)) \
    FUNCTION(PyTypeObject *, new_static, (_Pycs_API *, PyTypeObject *, PyTypeObject *, \
             PyTypeObject *, PyObject *)) \
    FUNCTION(int, publish, (_Pycs_API *, PyTypeObject *, const PyCustomSlot *, Py_ssize_t)) \
    FUNCTION(PyObject *, from_spec, (_Pycs_API *, PyTypeObject *, PyObject *, \
             PyType_Spec *, PyObject *, const PyCustomSlot *, Py_ssize_t)) \
    FUNCTION(int, register_fields, (_Pycs_API *, PyTypeObject *, \
             const PyExtensibleType_Field *, Py_ssize_t, Py_ssize_t)) \
    FUNCTION(int, set_field, (_Pycs_API *, PyTypeObject *, Py_ssize_t, const void *, Py_ssize_t)) \
    FUNCTION(int, delete_field, (_Pycs_API *, PyTypeObject *, Py_ssize_t)) \
    FUNCTION(int, mark_fields, (_Pycs_API *, PyTypeObject *, const Py_ssize_t *, Py_ssize_t)) \
    FUNCTION(int, set_field_object, (_Pycs_API *, PyTypeObject *, PyObject *, PyObject *)) \
    FUNCTION(PyObject *, combine, (_Pycs_API *, PyObject *, const char *)) \
      \
    FUNCTION(const PyCustomSlot *, find, (_Pycs_API *, PyTypeObject *, uintptr_t, Py_ssize_t)) \
    FUNCTION(const PyCustomSlot *, find_any, (_Pycs_API *, PyTypeObject *, uintptr_t, Py_ssize_t)) \
    FUNCTION(Py_ssize_t, slot_count, (_Pycs_API *, PyTypeObject *)) \
    FUNCTION(const PyCustomSlot *, slot_table, (_Pycs_API *, PyTypeObject *)) \
    FUNCTION(uintptr_t, intern, (_Pycs_API *, const char *)) \
    FUNCTION(int, register_slot, (_Pycs_API *, PyTypeObject *, const PyCustomSlot *)) \
    FUNCTION(PyObject *, new_class, (_Pycs_API *, PyTypeObject *, const char *, \
             const char *, PyObject *, const PyCustomSlot *, Py_ssize_t)) \
    FUNCTION(PyTypeObject *, static_block, (_Pycs_API *, PyTypeObject *)) \
    FUNCTION(int, ready_block, (_Pycs_API *, PyTypeObject *, const PyCustomSlot *, Py_ssize_t)) \
      \
    FUNCTION(int, setattr, (_Pycs_API *, PyObject *, PyObject *, PyObject *)) \
    FUNCTION(PyObject *, interface_do, (_Pycs_API *, int, PyObject *, PyObject *, PyObject *)) \
      \
    FUNCTION(int, declare_interface, (_Pycs_API *, const PyExtensibleType_InterfaceSpec *)) \
    FUNCTION(PyObject *, interface_class, (_Pycs_API *, uintptr_t)) \
    FUNCTION(PyObject *, interface_class_of, (_Pycs_API *, \
             const PyExtensibleType_InterfaceSpec *))

#define _Pycs_POINTER(result, name, arguments) result (*name) arguments;
struct _Pycs_Impl {
    _Pycs_Looks looks;
    uint32_t    number;
    uint32_t    state_version;
    uint32_t    count;
    const char *module;
    _Pycs_FUNCTIONS(_Pycs_POINTER)
};

#define _Pycs_GET_BASES  0
#define _Pycs_GET_DICT   1
#define _Pycs_GET_FIELDS 2
#define _Pycs_GET_MODULE 3
#define _Pycs_GET_DOC    4
#define _Pycs_GET_DIR    5
#define _Pycs_DO_CALL         0
#define _Pycs_DO_INIT         1
#define _Pycs_DO_REPR         2
#define _Pycs_DO_ISINSTANCE   3
#define _Pycs_DO_ISSUBCLASS   4
#define _Pycs_DO_OF           5
#define _Pycs_DO_IMPLEMENTERS 6
#define _Pycs_DO_EXPLAIN      7
#define _Pycs_DO_ID           8
#define _Pycs_DO_POSITION     9
#define _Pycs_DO_SIGNATURES   10
#define _Pycs_DO_NAMED        11
#define _Pycs_IMPL(api) \
    _Pycs_LOAD(const _Pycs_Impl *, &(api)->impl)

#define _Pycs_HEADERS (0 << 24 | 1 << 12 | 0)
#define _Pycs_HAS(implementation, function) \
    ((size_t)(implementation)->count * sizeof(void *) \
         > offsetof(_Pycs_Impl, function) - offsetof(_Pycs_Impl, alloc))

#define _Pycs_FIRST_COUNT \
    ((uint32_t)((offsetof(_Pycs_Impl, interface_class_of) \
                 - offsetof(_Pycs_Impl, alloc)) / sizeof(void *) + 1))

#if UINTPTR_MAX > 0xFFFFFFFFu
#  define _Pycs_ROOT ((uintptr_t)0x5E9200C573D19604u)
#else
#  define _Pycs_ROOT ((uintptr_t)0x5E927304u)
#endif
_Pycs_UNUSED static inline int
_Pycs_IsUnfinished(PyTypeObject *type)
{
    return _Pycs_HasMemory(type)
           && _Pycs_LOAD(uintptr_t, &_Pycs_CAST(type)->etp_check) == ((uintptr_t)type ^ _Pycs_UNFINISHED);
}

_Pycs_UNUSED static inline int
_Pycs_HasTable(PyTypeObject *type)
{
    return _Pycs_HasMemory(type)
           && _Pycs_LOAD(uintptr_t, &_Pycs_CAST(type)->etp_check) == ((uintptr_t)type ^ _Pycs_READY);
}

_Pycs_UNUSED static inline PyTypeObject *
_Pycs_RootOf(PyTypeObject *metaclass)
{
    while (metaclass->tp_base != NULL && metaclass->tp_base != &PyType_Type) {
        metaclass = metaclass->tp_base;
    }
    return metaclass;
}

_Pycs_UNUSED static inline _Pycs_API *
_Pycs_APIOf(PyTypeObject *metaclass)
{
    PyTypeObject *root = _Pycs_RootOf(metaclass);
    PyHeapExtensibleTypeObject *r = (PyHeapExtensibleTypeObject *)root;
    if (!(root->tp_flags & Py_TPFLAGS_HEAPTYPE) || r->etp_check != ((uintptr_t)root ^ _Pycs_ROOT)) {
        return NULL;
    }
    return (_Pycs_API *)r->etp_private;
}

_Pycs_UNUSED static inline int
_Pycs_LookUp(PyObject *dict, PyObject *name, PyObject **found)
{
#if PY_VERSION_HEX >= 0x030D0000
    return PyDict_GetItemRef(dict, name, found) < 0 ? -1 : 0;
#else
    *found = PyDict_GetItemWithError(dict, name);
    Py_XINCREF(*found);
    return *found == NULL && PyErr_Occurred() ? -1 : 0;
#endif
}

#endif
#ifdef _Pycs_CARRIES
_Pycs_ENTRY PyObject *_Pycs_CreateModule(void);

_Pycs_ENTRY int _Pycs_Meet(_Pycs_API *api);
#  ifdef PyExtensibleType_RUNTIME_LINKED
extern _Pycs_HIDDEN const char _Pycs_linked_into[];
const char _Pycs_linked_into[] = PyExtensibleType_MODULE_NAME;
#  endif
#endif
_Pycs_SLOW void *
_Pycs_Raise(const char *message, PyObject *found, const char *expected)
{
    PyObject *cause, *error, *shown = NULL;

    if (PyErr_Occurred() && !_Pycs_IsReplaceable()) return NULL;
    cause = _Pycs_TakeRaised();
    if (found != NULL && !(shown = _Pycs_Repr(found))) goto done;
    if (found != NULL) PyErr_Format(PyExc_ImportError, message, shown, expected);
    else PyErr_SetString(PyExc_ImportError, message);
    if (cause != NULL) {
        error = _Pycs_TakeRaised();
        PyException_SetCause(error, cause);
        cause = NULL;
        _Pycs_RaiseAgain(error);
    }
done:
    Py_XDECREF(cause);
    Py_XDECREF(shown);
    return NULL;
}

_Pycs_SLOW _Pycs_API *
_Pycs_Refuse(PyObject *found, const char *expected)
{
    return (_Pycs_API *)_Pycs_Raise(
        "sys.modules['" _Pycs_MODULE "']: found %U, expected %s. "
        "Something else took this name, or another version was imported first: rebuild all "
        "modules that use extensibletype.h with the same cython-customslots, and remove whatever "
        "else sets this entry",
        found, expected);
}

_Pycs_SLOW _Pycs_API *
_Pycs_RefuseModule(PyObject *module)
{
    char words[160], other[32];
    int i = 16;
    do {
        PyOS_snprintf(other, sizeof(other), "extensibletype_v%d", --i);
    } while (i > 0 && PyDict_GetItemString(PyModule_GetDict(module), other) == NULL);
    PyOS_snprintf(words, sizeof(words), "its attribute " _Pycs_ATTRIBUTE ", which is "
                  "missing or cannot be read (another version: %s)", i > 0 ? other : "none");
    return _Pycs_Refuse(module, words);
}

_Pycs_SLOW _Pycs_API *
_Pycs_RefuseAPI(PyObject *capsule, const _Pycs_API *api, PyTypeObject *metaclass)
{
    const _Pycs_Impl *impl = NULL;
    char words[640], who[300] = "no implementation with a name";

    if (api->rendezvous_version == _Pycs_RENDEZVOUS_VERSION && _Pycs_APIOf(metaclass) == api) {
        impl = _Pycs_IMPL(api);
    }
    if (impl != NULL && impl->module != NULL) {
        PyOS_snprintf(who, sizeof(who), "implementation %u.%u.%u of module '%.200s' with %u functions",
                      (unsigned)(impl->number >> 24), (unsigned)(impl->number >> 12 & 0xFFF),
                      (unsigned)(impl->number & 0xFFF), impl->module[0] != '\0' ? impl->module : "?",
                      (unsigned)impl->count);
    }

    PyOS_snprintf(
        words, sizeof(words),
        "rendezvous %d, table ABI %d, type sizes %ld and %ld, %u functions "
        "or more, and the metaclass beside it (it has %u, %u, %ld, %ld, %s%s)",
        _Pycs_RENDEZVOUS_VERSION, PyCustomSlots_ABI_VERSION,
        (long)sizeof(PyHeapTypeObject), (long)sizeof(PyHeapExtensibleTypeObject),
        (unsigned)_Pycs_FIRST_COUNT, (unsigned)api->rendezvous_version,
        (unsigned)api->table_abi, (long)api->heaptype_size, (long)api->type_size, who,
        impl != NULL && api->state == NULL ? " and no state" : "");
    return _Pycs_Refuse(capsule, words);
}

_Pycs_UNUSED static _Pycs_API *
_Pycs_Validate(PyObject *module)
{
    PyObject *metaclass = NULL, *capsule = NULL;
    _Pycs_API *api = NULL, *result = NULL;
    const _Pycs_Impl *impl;

    if (!PyModule_Check(module)) {
        return _Pycs_Refuse(module, "a module with the attribute " _Pycs_ATTRIBUTE);
    }
    metaclass = PyObject_GetAttrString(module, _Pycs_ATTRIBUTE);
    if (metaclass == NULL) {
        _Pycs_RefuseModule(module);
        goto done;
    }
    if (!PyType_Check(metaclass)
            || !PyType_IsSubtype((PyTypeObject *)metaclass, &PyType_Type)
            || _Pycs_APIOf((PyTypeObject *)metaclass) == NULL) {
        _Pycs_Refuse(metaclass, "as " _Pycs_ATTRIBUTE " the metaclass extensibletype");
        goto done;
    }
    capsule = PyObject_GetAttrString(module, "_api");
    if (capsule != NULL) {
        api = (_Pycs_API *)PyCapsule_GetPointer(capsule, _Pycs_CAPSULE);
    }
    if (api == NULL) {
        _Pycs_Refuse(capsule != NULL ? capsule : module, "as _api a capsule named " _Pycs_CAPSULE);
        goto done;
    }
    if (api->rendezvous_version == _Pycs_RENDEZVOUS_VERSION
            && api->table_abi == PyCustomSlots_ABI_VERSION
            && api->heaptype_size == (Py_ssize_t)sizeof(PyHeapTypeObject)
            && api->type_size == (Py_ssize_t)sizeof(PyHeapExtensibleTypeObject)
            && (PyObject *)api->metaclass == metaclass && _Pycs_APIOf(api->metaclass) == api
            && api->metaclass->tp_basicsize == api->type_size
            && api->state != NULL && (impl = _Pycs_IMPL(api)) != NULL
            && impl->count >= _Pycs_FIRST_COUNT && impl->module != NULL) result = api;
    else _Pycs_RefuseAPI(capsule, api, (PyTypeObject *)metaclass);
done:
    Py_XDECREF(metaclass);
    Py_XDECREF(capsule);
    return result;
}

_Pycs_UNUSED static PyObject *
_Pycs_Obtain(PyObject *dict, PyObject *name)
{
    (void)dict;
    (void)name;
#if defined(_Pycs_CARRIES)
    return _Pycs_CreateModule();
#elif defined(PyExtensibleType_RUNTIME_MODULE)
    PyObject *imported = PyImport_ImportModule(PyExtensibleType_RUNTIME_MODULE), *found = NULL;

    if (imported != NULL) {
        found = PyObject_GetItem(dict, name);
        Py_DECREF(imported);
        if (found != NULL || !PyErr_ExceptionMatches(PyExc_KeyError)) return found;
    }
    return (PyObject *)_Pycs_Raise(
        "extensible types: found no implementation in this interpreter, expected one from module '"
        PyExtensibleType_RUNTIME_MODULE "'; " _Pycs_RUNTIME_ADVICE, NULL, NULL);
#else
    PyErr_SetString(PyExc_ImportError,
                    "extensible types: found no implementation in this interpreter, and this file "
                    "was compiled to carry none (PyExtensibleType_RUNTIME_ELSEWHERE); call a "
                    "function of extensibletype.h in the file of this module that carries one "
                    "before");
    return NULL;
#endif
}

_Pycs_UNUSED static _Pycs_API *
_Pycs_GetAPI(void)
{
    PyObject *modules = PyImport_GetModuleDict();
    PyObject *dict = _Pycs_StateDict();
    PyObject *name = NULL, *held = NULL, *seen = NULL, *fresh = NULL;
    _Pycs_API *api = NULL, *result = NULL;

    if (dict == NULL || modules == NULL) {
        PyErr_SetString(PyExc_ImportError,
                        "extensibletype: found no sys.modules or state dictionary: the "
                        "interpreter is ending");
        return NULL;
    }
    if (!(name = PyUnicode_InternFromString(_Pycs_MODULE))) goto done;
    if (_Pycs_LookUp(dict, name, &held) < 0) goto done;
    if (held == NULL) {

        seen = PyObject_GetItem(modules, name);
        if (seen != NULL && !_Pycs_Validate(seen)) goto done;
        if (seen == NULL && !PyErr_ExceptionMatches(PyExc_KeyError)) goto done;
        PyErr_Clear();
        if (seen == NULL && !(fresh = _Pycs_Obtain(dict, name))) goto done;

        held = PyObject_CallMethod(dict, "setdefault", "OO", name, seen != NULL ? seen : fresh);
        if (held == NULL) goto done;
        Py_CLEAR(seen);
    }
    if (!(api = _Pycs_Validate(held))) goto done;

    if (PyDict_Check(modules) && _Pycs_LookUp(modules, name, &seen) < 0) goto done;
    if (seen == NULL && !(seen = PyObject_CallMethod(modules, "setdefault", "OO", name, held))) goto done;
    if (seen != held) {
        if (_Pycs_Validate(seen)) {
            _Pycs_Refuse(seen, "the rendezvous of this interpreter");
        }
        goto done;
    }
#ifdef _Pycs_CARRIES
    if (_Pycs_Meet(api) < 0) goto done;
#endif
    result = api;
done:
    Py_XDECREF(name);
    Py_XDECREF(held);
    Py_XDECREF(seen);
    Py_XDECREF(fresh);
    return result;
}
#define _Pycs_SERVE(failed, function, ...)                                                  \
    do {                                                                                    \
        _Pycs_API *api_ = _Pycs_GetAPI();                                                   \
        return api_ != NULL ? _Pycs_IMPL(api_)->function(api_, __VA_ARGS__) : (failed);     \
    } while (0)

_Pycs_UNUSED static PyTypeObject *
PyExtensibleType_Import(void)
{
    _Pycs_API *api = _Pycs_GetAPI();
    return api != NULL ? api->metaclass : NULL;
}

_Pycs_UNUSED static int
PyExtensibleType_Ready(PyHeapExtensibleTypeObject *type, Py_ssize_t slot_table_size)
{
    if (type != NULL && _Pycs_NameFailed(type->etp_custom_slots, type->etp_custom_slot_count)) return -1;
    _Pycs_SERVE(-1, ready, type, slot_table_size);
}

_Pycs_UNUSED static int
PyExtensibleType_SetSlots(PyTypeObject *type, const PyCustomSlot *own, Py_ssize_t count)
{
    _Pycs_API *api = type != NULL && Py_TYPE((PyObject *)type) != NULL ? _Pycs_APIOf(Py_TYPE((PyObject *)type)) : NULL;
    if (PyErr_Occurred() && _Pycs_NameFailed(own, count)) return -1;
    if (api == NULL) _Pycs_SERVE(-1, set_slots, type, own, count);
#ifdef _Pycs_CARRIES
    if (_Pycs_Meet(api) < 0) return -1;
#endif
    return _Pycs_IMPL(api)->set_slots(api, type, own, count);
}

_Pycs_UNUSED static int
PyExtensibleType_RegisterFields(PyTypeObject *metaclass, const PyExtensibleType_Field *fields, Py_ssize_t count)
{
    _Pycs_SERVE(-1, register_fields, metaclass, fields, count, (Py_ssize_t)sizeof(PyExtensibleType_Field));
}

_Pycs_UNUSED static int
PyExtensibleType_InheritFields(PyTypeObject *metaclass)
{
    _Pycs_SERVE(-1, inherit_fields, metaclass);
}

_Pycs_UNUSED static int
PyExtensibleType_SetField(PyTypeObject *type, Py_ssize_t offset, const void *value, Py_ssize_t size)
{
    _Pycs_SERVE(-1, set_field, type, offset, value, size);
}

_Pycs_UNUSED static int
PyExtensibleType_DeleteField(PyTypeObject *type, Py_ssize_t offset)
{
    _Pycs_SERVE(-1, delete_field, type, offset);
}

_Pycs_UNUSED static PyObject *
PyExtensibleType_FromSpec(PyTypeObject *metaclass, PyObject *module, PyType_Spec *spec,
                          PyObject *bases, const PyCustomSlot *own, Py_ssize_t count)
{
    if (_Pycs_NameFailed(own, count)) return NULL;
    _Pycs_SERVE(NULL, from_spec, metaclass, module, spec, bases, own, count);
}

_Pycs_UNUSED static void *
PyExtensibleType_Fields(PyTypeObject *type, PyTypeObject *metaclass)
{
    _Pycs_API *api = _Pycs_APIOf(metaclass);
    if (api == NULL || !_Pycs_HasMemory(type) || !PyType_IsSubtype(Py_TYPE(type), metaclass)) return NULL;
    if (!_Pycs_HasTable(type)) {
        PyObject *error, *value, *traceback;
        PyErr_Fetch(&error, &value, &traceback);

        if (_Pycs_IMPL(api)->finish(api, type) < 0) PyErr_Clear();
        PyErr_Restore(error, value, traceback);
    }
    return (void *)type;
}

_Pycs_UNUSED static int
PyExtensibleType_DeclareInterface(const PyExtensibleType_InterfaceSpec *spec)
{
    _Pycs_SERVE(-1, declare_interface, spec);
}

_Pycs_UNUSED static PyObject *
PyExtensibleType_InterfaceClass(uintptr_t id)
{
    _Pycs_SERVE(NULL, interface_class, id);
}

_Pycs_UNUSED static PyObject *
PyExtensibleType_InterfaceClassOf(const PyExtensibleType_InterfaceSpec *spec)
{
    _Pycs_SERVE(NULL, interface_class_of, spec);
}

_Pycs_UNUSED static PyTypeObject *
_Pycs_CalculateMetaclass(PyTypeObject *wanted, PyTypeObject *base, PyObject *bases)
{
    _Pycs_SERVE(NULL, calculate_metaclass, wanted, base, bases);
}

_Pycs_UNUSED static PyObject *
_Pycs_Combine(PyObject *metaclasses, const char *who)
{
    _Pycs_SERVE(NULL, combine, metaclasses, who);
}

_Pycs_UNUSED static PyTypeObject *
_Pycs_NewStatic(PyTypeObject *tmpl, PyTypeObject *metaclass, PyTypeObject *base, PyObject *bases)
{

    _Pycs_API *api = _Pycs_APIOf(metaclass);
    if (api == NULL) api = _Pycs_GetAPI();
    return api != NULL ? _Pycs_IMPL(api)->new_static(api, tmpl, metaclass, base, bases) : NULL;
}

_Pycs_UNUSED static int
_Pycs_Finish(PyTypeObject *type)
{
    _Pycs_SERVE(-1, finish, type);
}

_Pycs_UNUSED static int
_Pycs_MarkFields(PyTypeObject *type, const Py_ssize_t *offsets, Py_ssize_t count)
{
    _Pycs_SERVE(-1, mark_fields, type, offsets, count);
}

#endif
#ifdef __cplusplus
}
#endif
#if defined(_Pycs_CARRIES) && !defined(_Pycs_SEPARATE)
/* [cython-customslots: begin customslots_runtime.h] */
/* SPDX-License-Identifier: MIT; the comments are in the file. */
#ifndef Py_CUSTOMSLOTS_RUNTIME_H
#define Py_CUSTOMSLOTS_RUNTIME_H
#ifdef __cplusplus
extern "C" {
#endif
#if _Pycs_SUPPORTED && !defined(Py_LIMITED_API)
#ifndef Py_CUSTOMSLOTS_RUNTIME_RUNTIME_H
#define Py_CUSTOMSLOTS_RUNTIME_RUNTIME_H
#include <Python.h>
#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#if PY_VERSION_HEX < 0x030C0000
#  include <structmember.h>
#endif
#ifndef _Pycs_PRIVATE
#  define _Pycs_PRIVATE _Pycs_HIDDEN
#endif
#ifndef _Pycs_ENTRY
#  define _Pycs_ENTRY _Pycs_PRIVATE
#endif
#define _Pycs_RELEASE (0 << 24 | 1 << 12 | 0)
#ifndef _Pycs_NUMBER
#  define _Pycs_NUMBER ((uint32_t)_Pycs_RELEASE)
#endif
#if _Pycs_HEADERS > _Pycs_RELEASE
#  error "customslots_runtime.h is older than the extensibletype.h that was found: \
take both from one cython-customslots, from the directory that its get_include() names"
#elif _Pycs_HEADERS < _Pycs_RELEASE
#  error "customslots_runtime.h is newer than the extensibletype.h that was found: \
take both from one cython-customslots, from the directory that its get_include() names"
#endif
static inline void *
_Pycs_NewBlock(size_t size)
{
    void *block = PyMem_RawCalloc(1, size);
    return block != NULL ? block : (void *)PyErr_NoMemory();
}

#define _Pycs_XDECREF_ALL(...) \
    do { \
        PyObject *const all_[] = {__VA_ARGS__}; \
        size_t i_; \
        for (i_ = 0; i_ < sizeof(all_) / sizeof(all_[0]); i_++) Py_XDECREF(all_[i_]); \
    } while (0)

#ifndef PyExtensibleType_MODULE_NAME
#  ifdef _Pycs_LINKABLE
extern _Pycs_HIDDEN const char _Pycs_linked_into[];
#    define PyExtensibleType_MODULE_NAME _Pycs_linked_into
#  else
#    define PyExtensibleType_MODULE_NAME ""
#  endif
#endif
#endif
#ifndef Py_CUSTOMSLOTS_RUNTIME_ARGUMENTS_H
#define Py_CUSTOMSLOTS_RUNTIME_ARGUMENTS_H
_Pycs_PRIVATE int _Pycs_Deny(PyObject *error, const char *format, ...);

_Pycs_PRIVATE int _Pycs_CheckClass(const char *function, PyTypeObject *type);

_Pycs_PRIVATE int _Pycs_CheckReady(const char *function, PyTypeObject *type);

_Pycs_PRIVATE int _Pycs_CheckTypeObject(const char *function, PyTypeObject *type);

_Pycs_PRIVATE int _Pycs_CheckNamed(const char *function, PyTypeObject *type);

_Pycs_PRIVATE int _Pycs_CheckUnready(const char *function, PyTypeObject *type);

_Pycs_PRIVATE int _Pycs_CheckMetaclass(_Pycs_API *api, const char *function, PyTypeObject *metaclass);

_Pycs_PRIVATE int _Pycs_CheckBases(const char *function, const char *name, PyTypeObject *base, PyObject *bases);

_Pycs_PRIVATE int _Pycs_RefuseForeign(const _Pycs_API *owner, PyObject *error, const char *what,
                                      const PyTypeObject *type);

#endif
#ifndef Py_CUSTOMSLOTS_RUNTIME_SLOTS_H
#define Py_CUSTOMSLOTS_RUNTIME_SLOTS_H
typedef struct _Pycs_Record {
    Py_ssize_t     refcount;
    Py_ssize_t     capacity;
    Py_ssize_t     count;
    struct _Pycs_Record *retired;
    uintptr_t      watched;
    PyTypeObject  *owner;
    PyCustomSlot  *own;
    Py_ssize_t     own_count;
    uint32_t      *index;
    _Pycs_Front    front;
    PyCustomSlot   slots[1];
} _Pycs_Record;

_Pycs_ASSERT(front_is_in_front,
             offsetof(_Pycs_Record, slots) == offsetof(_Pycs_Record, front) + sizeof(_Pycs_Front));

typedef struct {
    PyTypeObject       *top;
    const PyCustomSlot *own;
    Py_ssize_t          own_count;
} _Pycs_Change;

static inline int
_Pycs_IsFilled(PyTypeObject *type)
{
    return _Pycs_HasTable(type) || _Pycs_IsUnfinished(type);
}

static inline _Pycs_Record *
_Pycs_RecordAround(PyCustomSlot *table)
{
    return (_Pycs_Record *)(void *)((char *)table - offsetof(_Pycs_Record, slots));
}

static inline uint32_t *
_Pycs_PlaceOf(const PyCustomSlot *table, uint32_t *index, uintptr_t id)
{
    const uint32_t mask = index[0];
    uint32_t i = _Pycs_Hash(id) & mask;
    while (index[1 + i] != 0 && table[index[1 + i] - 1].id != id) i = (i + 1) & mask;
    return &index[1 + i];
}

static inline PyCustomSlot *
_Pycs_FindInRecord(_Pycs_Record *record, uintptr_t id)
{
    PyCustomSlot *slot = record->slots;
    if (record->index != NULL) {
        const uint32_t place = *_Pycs_PlaceOf(slot, record->index, id);
        return place != 0 ? slot + (place - 1) : NULL;
    }
    for (; slot->id != PyCustomSlots_EMPTY; slot++) {
        if (slot->id == id) return slot;
    }
    return NULL;
}

_Pycs_PRIVATE _Pycs_Record *_Pycs_RecordIncref(_Pycs_Record *record);
_Pycs_PRIVATE void _Pycs_RecordDecref(_Pycs_Record *record);
_Pycs_PRIVATE _Pycs_Record *_Pycs_RecordNew(
    PyTypeObject *owner, Py_ssize_t capacity, const PyCustomSlot *own, Py_ssize_t own_count);
_Pycs_PRIVATE void _Pycs_SetOwn(_Pycs_Record *record, const PyCustomSlot *own);
_Pycs_PRIVATE void _Pycs_NotePlaces(_Pycs_Record *record);
_Pycs_PRIVATE int _Pycs_RecordEquals(const _Pycs_Record *a, const _Pycs_Record *b);
_Pycs_PRIVATE _Pycs_Record *_Pycs_RecordOf(PyTypeObject *type);
_Pycs_PRIVATE Py_ssize_t _Pycs_OwnSlots(PyTypeObject *type, const _Pycs_Change *change, const PyCustomSlot **own);
_Pycs_PRIVATE void _Pycs_DisownRecords(PyTypeObject *type, _Pycs_Record *record);
_Pycs_PRIVATE void _Pycs_SetStamp(PyTypeObject *type, int stamped);
_Pycs_PRIVATE void _Pycs_SetRecord(_Pycs_API *api, PyTypeObject *type, _Pycs_Record *record);
_Pycs_PRIVATE int _Pycs_CheckOwn(const char *name, const PyCustomSlot *own, Py_ssize_t count);
_Pycs_PRIVATE Py_ssize_t _Pycs_MergeBound(PyTypeObject *type, Py_ssize_t own_count, PyObject *mro);
_Pycs_PRIVATE int _Pycs_MergeInto(_Pycs_Record *record, const _Pycs_Record *primary, PyObject *mro);
_Pycs_PRIVATE _Pycs_Record *_Pycs_PrimaryRecord(PyTypeObject *type, PyObject *mro);
_Pycs_PRIVATE int _Pycs_MergeRecord(
    PyTypeObject *owner, const PyCustomSlot *own, Py_ssize_t own_count, PyObject *mro, _Pycs_Record **result);
_Pycs_PRIVATE PyObject *_Pycs_MroOfBases(_Pycs_API *api, PyObject *bases);
_Pycs_PRIVATE int _Pycs_IsMroOver(const PyTypeObject *type, PyObject *mro, PyObject *above);

#endif
#ifndef Py_CUSTOMSLOTS_RUNTIME_STATE_H
#define Py_CUSTOMSLOTS_RUNTIME_STATE_H
#define _Pycs_STATE_VERSION 1
typedef struct {
    struct _Pycs_Handover *handover;
} _Pycs_Thread;

typedef struct {
    char *marks;
    void *kept;
    uintptr_t filled_at;
} _Pycs_Sidecar;

typedef struct {
    _Pycs_Front front;
    PyCustomSlot slots[PyCustomSlots_MIN_CAPACITY];
} _Pycs_NoSlots;

typedef struct _Pycs_State {

    _Pycs_Thread *(*thread)(void);
    getter field_get;
    setter field_set;

    uintptr_t lock;
    uintptr_t lock_owner;
    uintptr_t generation;
    struct _Pycs_Refresh *refreshes;
    uintptr_t interpreter;

    struct _Pycs_FieldList *field_lists;
    Py_ssize_t hooked, named;

    PyObject *type_bases, *type_module, *type_doc, *type_subclasses, *type_mro;
    PyObject *type_dict;
    PyObject *name_module, *name_doc, *name_new, *name_slots, *name_fields, *name_interface;
    PyObject *name_annotations, *name_annotate, *name_attrs;
    PyObject *metaclass_module, *metaclass_doc;
    PyObject *adopted_modules;
    PyObject *texts;

    uintptr_t *overridable;
    uintptr_t mixed;
    PyMethodDef *setters;
    uintptr_t watches;

    struct _Pycs_Declaration *interfaces;
    PyTypeObject *interface_meta, *interface_method;

    _Pycs_NoSlots empty;
    _Pycs_NoSlots unfinished;
} _Pycs_State;

static inline uintptr_t
_Pycs_ThisInterpreter(void)
{
    return (uintptr_t)PyInterpreterState_GetID(PyInterpreterState_Get());
}

#define _Pycs_LOOKS(api) ((const _Pycs_Looks *const *)(void *)&(api)->impl)
static inline int
_Pycs_HasLock(const _Pycs_API *api)
{
    return _Pycs_LOAD(uintptr_t, &api->state->lock_owner) == (uintptr_t)PyThreadState_Get();
}

#define _Pycs_ASSERT_LOCKED(api)   assert(_Pycs_HasLock(api))
#define _Pycs_ASSERT_UNLOCKED(api) assert(!_Pycs_HasLock(api))
static inline void
_Pycs_Lock(_Pycs_API *api)
{
    _Pycs_ASSERT_UNLOCKED(api);
#ifdef Py_GIL_DISABLED
    PyMutex_Lock((PyMutex *)(void *)&api->state->lock);
#endif
#ifndef NDEBUG
    assert(_Pycs_LOAD(uintptr_t, &api->state->lock_owner) == 0);
    _Pycs_STORE(uintptr_t, &api->state->lock_owner, (uintptr_t)PyThreadState_Get());
#endif
    (void)api;
}

static inline void
_Pycs_Unlock(_Pycs_API *api)
{
    _Pycs_ASSERT_LOCKED(api);
#ifndef NDEBUG
    _Pycs_STORE(uintptr_t, &api->state->lock_owner, 0);
#endif
#ifdef Py_GIL_DISABLED
    PyMutex_Unlock((PyMutex *)(void *)&api->state->lock);
#endif
    (void)api;
}

static inline Py_ssize_t
_Pycs_PlaceIn(PyObject *tuple, const void *object, Py_ssize_t from)
{
    while (from < PyTuple_GET_SIZE(tuple) && PyTuple_GET_ITEM(tuple, from) != (const PyObject *)object) from++;
    return from < PyTuple_GET_SIZE(tuple) ? from : -1;
}

static inline PyObject *
_Pycs_Delegate(PyObject *descriptor, PyObject *cls)
{
    return Py_TYPE(descriptor)->tp_descr_get(descriptor, cls, (PyObject *)Py_TYPE(cls));
}

#ifdef Py_GIL_DISABLED
#  define _Pycs_FetchMro(api, type)   _Pycs_FetchTuple(api, (api)->state->type_mro, type)
#  define _Pycs_FetchBases(api, type) _Pycs_FetchTuple(api, (api)->state->type_bases, type)
static inline PyObject *
_Pycs_FetchTuple(_Pycs_API *api, PyObject *descriptor, PyTypeObject *type)
{
    PyObject *value = _Pycs_Delegate(descriptor, (PyObject *)type);
    _Pycs_ASSERT_UNLOCKED(api);
    (void)api;
    if (value == NULL) PyErr_Clear();
    else if (!PyTuple_Check(value)) Py_CLEAR(value);
    return value;
}
#else
#  define _Pycs_FetchMro(api, type)   _Pycs_FetchTuple(api, (type)->tp_mro)
#  define _Pycs_FetchBases(api, type) _Pycs_FetchTuple(api, (type)->tp_bases)
static inline PyObject *
_Pycs_FetchTuple(_Pycs_API *api, PyObject *tuple)
{
    _Pycs_ASSERT_UNLOCKED(api);
    (void)api;
    return Py_XNewRef(tuple);
}
#endif
typedef struct _Pycs_Declaration {
    struct _Pycs_Declaration *next;
    const PyExtensibleType_InterfaceSpec *spec;
    const PyExtensibleType_InterfaceSpec *tabled;
    uintptr_t changes, completed;
} _Pycs_Declaration;

#define _Pycs_INTERFACE "__interface__"
#define _Pycs_SPEC(declaration, which) \
    _Pycs_LOAD(const PyExtensibleType_InterfaceSpec *, &(declaration)->which)

static inline _Pycs_Declaration *
_Pycs_DeclarationFrom(_Pycs_Declaration *declaration, uintptr_t id)
{
    while (declaration != NULL && _Pycs_SPEC(declaration, spec)->id != id) {
        declaration = _Pycs_LOAD(_Pycs_Declaration *, &declaration->next);
    }
    return declaration;
}

static inline _Pycs_Declaration *
_Pycs_FirstDeclaration(const _Pycs_API *api, uintptr_t id)
{
    return _Pycs_DeclarationFrom(_Pycs_LOAD(_Pycs_Declaration *, &api->state->interfaces), id);
}

#define _Pycs_EACH_DECLARATION(declaration, api, declared) \
    for (declaration = _Pycs_FirstDeclaration(api, declared); declaration != NULL; \
         declaration = _Pycs_DeclarationFrom(_Pycs_LOAD(_Pycs_Declaration *, &declaration->next), declared))

#endif
#ifndef Py_CUSTOMSLOTS_RUNTIME_FIELDS_H
#define Py_CUSTOMSLOTS_RUNTIME_FIELDS_H
struct _Pycs_FieldList;

typedef struct {
    const char *name;
    Py_ssize_t  offset, size;
    int         type;
    unsigned    flags;
    const char *doc;
    int       (*create)(void *to);
    int       (*copy)(void *to, const void *from);
    void      (*move)(void *to, void *from);
    void      (*destroy)(void *field);
    int       (*from_object)(void *to, PyObject *value);
    PyObject *(*to_object)(const void *field);
} _Pycs_FieldDef;

_Pycs_ASSERT(fields_begin_as_ever,
             sizeof(PyExtensibleType_Field) >= sizeof(_Pycs_FieldDef)
             && offsetof(PyExtensibleType_Field, flags) == offsetof(_Pycs_FieldDef, flags)
             && offsetof(PyExtensibleType_Field, to_object) == offsetof(_Pycs_FieldDef, to_object));

enum { _Pycs_BYTES, _Pycs_REFERENCE, _Pycs_HOOKS };

typedef struct _Pycs_FieldEntry {
    _Pycs_API *api;
    _Pycs_FieldDef def;
    int          kind;
    struct _Pycs_FieldEntry *next;
    struct _Pycs_FieldList *list;
    PyObject    *name;
    PyGetSetDef  getset;
} _Pycs_FieldEntry;

typedef struct _Pycs_FieldList {
    struct _Pycs_FieldList *next;
    PyTypeObject *metaclass;
    Py_ssize_t    offset, size;
    int           hooked;
    int           named;
    char         *block, *defaults;
    Py_ssize_t    count;
    _Pycs_FieldEntry *fields;
} _Pycs_FieldList;

#define _Pycs_EACH_FIELD(field, api, metaclass) \
    for (field = _Pycs_FirstField(api, metaclass); field != NULL; \
         field = _Pycs_LOAD(_Pycs_FieldEntry *, &field->next))

#define _Pycs_SET                 1
#define _Pycs_GIVEN               2
#define _Pycs_FILLED ((uintptr_t)1)
typedef struct _Pycs_Value {
    struct _Pycs_Value *next;
    const _Pycs_FieldEntry *field;
    PyObject     *object;
    char         *bytes, *spare;
} _Pycs_Value;

typedef struct {
    PyTypeObject  *metaclass;
    _Pycs_Sidecar *sidecar;
    PyObject      *mro;
    _Pycs_Value   *values;
} _Pycs_Birth;

#define _Pycs_BIRTH_INIT {NULL, NULL, NULL, NULL}
_Pycs_PRIVATE _Pycs_FieldList *_Pycs_FindFieldList(_Pycs_API *api, PyTypeObject *metaclass);
_Pycs_PRIVATE _Pycs_FieldEntry *_Pycs_FirstField(_Pycs_API *api, PyTypeObject *metaclass);
_Pycs_PRIVATE int _Pycs_IsHidden(_Pycs_API *api, PyTypeObject *metaclass, const _Pycs_FieldEntry *field);
_Pycs_PRIVATE char *_Pycs_FieldAt(PyTypeObject *type, const _Pycs_FieldEntry *field);
_Pycs_PRIVATE int _Pycs_HasBytesOf(PyTypeObject *type, const _Pycs_FieldList *list);

_Pycs_PRIVATE _Pycs_Sidecar *_Pycs_SidecarOf(PyTypeObject *type);
_Pycs_PRIVATE _Pycs_Sidecar *_Pycs_TakeSidecar(_Pycs_API *api, PyTypeObject *type);
_Pycs_PRIVATE char *_Pycs_MarkOf(_Pycs_API *api, PyTypeObject *type, const _Pycs_FieldEntry *field, char **noted);

_Pycs_PRIVATE int _Pycs_InheritsField(_Pycs_API *api, PyTypeObject *type, const _Pycs_FieldEntry *field);
_Pycs_PRIVATE int _Pycs_IsOwn(_Pycs_API *api, PyTypeObject *type, const _Pycs_FieldEntry *field);
_Pycs_PRIVATE PyTypeObject *_Pycs_SourceOfField(
    _Pycs_API *api, const PyTypeObject *type, PyObject *mro, const _Pycs_FieldEntry *field);

_Pycs_PRIVATE _Pycs_Value *_Pycs_NewValue(const _Pycs_FieldEntry *field, PyObject *object);
_Pycs_PRIVATE void _Pycs_FreeValues(_Pycs_Value **values);
_Pycs_PRIVATE int _Pycs_CopyValue(const _Pycs_FieldEntry *field, char *to, const char *from);
_Pycs_PRIVATE int _Pycs_AddCopy(
    _Pycs_Value **values, const _Pycs_FieldEntry *field, const char *place, const char *from);
_Pycs_PRIVATE void _Pycs_PutValues(_Pycs_API *api, PyTypeObject *type, _Pycs_Value *value, char mark);
_Pycs_PRIVATE _Pycs_Value *_Pycs_Convert(const char *class_name, const _Pycs_FieldEntry *field, PyObject *object);
_Pycs_PRIVATE PyObject *_Pycs_ReadField(_Pycs_API *api, PyTypeObject *type, const _Pycs_FieldEntry *field);

_Pycs_PRIVATE int _Pycs_BirthInherit(_Pycs_API *api, _Pycs_Birth *birth, PyObject *bases);
_Pycs_PRIVATE void _Pycs_BirthFill(_Pycs_API *api, _Pycs_Birth *birth, PyTypeObject *type, int only_untouched);
_Pycs_PRIVATE void _Pycs_BirthEnd(_Pycs_Birth *birth);
_Pycs_PRIVATE int _Pycs_FinishFields(
    _Pycs_API *api, PyTypeObject *type, PyObject *mro, int is_other, _Pycs_Value **values);

_Pycs_PRIVATE int _Pycs_VisitFields(_Pycs_API *api, PyTypeObject *type, visitproc visit, void *arg);
_Pycs_PRIVATE void _Pycs_ClearFields(_Pycs_API *api, PyTypeObject *type);
_Pycs_PRIVATE void _Pycs_ReleaseFields(_Pycs_API *api, PyTypeObject *type);

#endif
#ifndef Py_CUSTOMSLOTS_RUNTIME_PROTOTYPES_H
#define Py_CUSTOMSLOTS_RUNTIME_PROTOTYPES_H
#define _Pycs_PROTOTYPE(result, name, arguments) _Pycs_PRIVATE result _Pycs_##name arguments;
_Pycs_FUNCTIONS(_Pycs_PROTOTYPE)

_Pycs_PRIVATE void _Pycs_FreeFieldList(_Pycs_FieldList *list);
_Pycs_PRIVATE int _Pycs_Adopt(_Pycs_API *api, PyTypeObject *metaclass);
_Pycs_PRIVATE void _Pycs_MendMetaclass(PyTypeObject *metaclass);
_Pycs_PRIVATE int _Pycs_AdoptNames(_Pycs_API *api, PyTypeObject *metaclass);

_Pycs_PRIVATE int _Pycs_ChangeField(
    _Pycs_API *api, PyTypeObject *type, const _Pycs_FieldEntry *field, _Pycs_Value *value);
_Pycs_PRIVATE int _Pycs_SetEntry(_Pycs_API *api, PyTypeObject *type, _Pycs_FieldEntry *field, PyObject *value);

_Pycs_PRIVATE int _Pycs_WarnOfMembers(_Pycs_API *api, PyTypeObject *type, PyObject *members);

_Pycs_PRIVATE PyObject *_Pycs_ValuesOfClass(_Pycs_API *api, PyTypeObject *type);
_Pycs_PRIVATE int _Pycs_ExpectOwn(_Pycs_API *api, PyTypeObject *type, PyObject *values);
_Pycs_PRIVATE int _Pycs_ExpectNamed(_Pycs_API *api, PyTypeObject *type, PyObject *values);
_Pycs_PRIVATE int _Pycs_set_values_of_class(_Pycs_API *api, PyObject *self, PyObject *values);
_Pycs_PRIVATE PyObject *_Pycs_get_dir(_Pycs_API *api, PyObject *self);
_Pycs_PRIVATE PyObject *_Pycs_get_dict(_Pycs_API *api, PyObject *self);
_Pycs_PRIVATE PyObject *_Pycs_CarriedValue(_Pycs_API *api, PyObject *ns, PyObject *values, PyObject *name);

_Pycs_PRIVATE int _Pycs_ChooseVtable(_Pycs_API *api, PyTypeObject *type);

_Pycs_PRIVATE int _Pycs_CheckInstances(
    _Pycs_API *api, const char *function, PyTypeObject *type, PyTypeObject *metaclass,
    PyTypeObject *base, PyObject *bases);
_Pycs_PRIVATE int _Pycs_ReadyWith(
    _Pycs_API *api, const char *function, PyTypeObject *type, const PyCustomSlot *own, Py_ssize_t count,
    Py_ssize_t room);

_Pycs_PRIVATE PyObject *_Pycs_OwnAttribute(_Pycs_API *api, PyObject *self, PyObject *name);
_Pycs_PRIVATE int _Pycs_GetObjects(_Pycs_State *state);
_Pycs_PRIVATE PyObject *_Pycs_KeepInModule(const char *name, PyObject *made);
_Pycs_PRIVATE void _Pycs_FreeAPI(_Pycs_API *api);

_Pycs_PRIVATE PyObject *_Pycs_PlaceOfCombination(PyObject *metaclass, int is_module);

_Pycs_PRIVATE PyTypeObject *_Pycs_NewMetaclass(void);
_Pycs_PRIVATE PyTypeObject *_Pycs_NewMetaMetaclass(void);
_Pycs_PRIVATE int _Pycs_AddNames(PyTypeObject *metaclass);
_Pycs_PRIVATE void _Pycs_InitCore(_Pycs_State *state);
_Pycs_PRIVATE PyTypeObject *_Pycs_NewInterfaceMetaclass(_Pycs_API *api);

_Pycs_PRIVATE PyObject *_Pycs_SignatureOf(const PyExtensibleType_InterfaceSpec *spec, size_t place, int whole);
_Pycs_PRIVATE PyObject *_Pycs_TextSignature(PyObject *signature);
_Pycs_PRIVATE PyObject *_Pycs_WhyNot(const PyExtensibleType_InterfaceSpec *spec, const PyCustomSlot *slot);
_Pycs_PRIVATE PyObject *_Pycs_Explain(
    const _Pycs_API *api, const _Pycs_Declaration *declaration, PyTypeObject *type,
    const PyCustomSlot *slot, PyObject *missing);

_Pycs_PRIVATE _Pycs_Declaration *_Pycs_StandsFor(_Pycs_API *api, PyTypeObject *type);

_Pycs_ENTRY int _Pycs_Meet(_Pycs_API *api);
_Pycs_ENTRY PyObject *_Pycs_CreateModule(void);

#endif
#ifndef Py_CUSTOMSLOTS_RUNTIME_FINISH_H
#define Py_CUSTOMSLOTS_RUNTIME_FINISH_H
typedef struct _Pycs_Made {
    struct _Pycs_Made *next;
    const PyTypeObject *type;
} _Pycs_Made;

typedef struct _Pycs_Handover {
    struct _Pycs_Handover             *below;
    PyTypeObject *metaclass;
    PyObject     *bases;
    PyObject     *ns;
    PyTypeObject *taken_by;
    PyObject     *mro;
    int           taken, finished, retracted;
    const PyTypeObject *first_made;
    _Pycs_Made *made;
    PyObject     *carried;
    _Pycs_Value *values;
} _Pycs_Handover;

#define _Pycs_HAS_FIELDS(api, its) ((its)->tp_basicsize > (api)->metaclass->tp_basicsize)
typedef struct {
    PyTypeObject             *type;
    PyObject                 *mro;
    _Pycs_Record             *record;
    struct _Pycs_Overrides *plan;
    uintptr_t                 unplanned;
    _Pycs_Value  *values;
} _Pycs_Pending;

#define _Pycs_CHANGED_BASES          (-1)
#define _Pycs_ATTRIBUTES             (-2)
#define _Pycs_FIELD                  (-3)
typedef struct _Pycs_Refresh {
    struct _Pycs_Refresh *next;
    _Pycs_Change               change;
    _Pycs_Pending *pending;
    Py_ssize_t                 count, looked;
    uintptr_t                  generation;
    PyTypeObject             **late;
    Py_ssize_t                 late_count, late_room;
} _Pycs_Refresh;

_Pycs_PRIVATE _Pycs_Handover *_Pycs_HandoverTakenBy(_Pycs_API *api, const PyTypeObject *type);

_Pycs_PRIVATE int _Pycs_Report(_Pycs_Refresh *refresh, PyTypeObject *type);
_Pycs_PRIVATE int _Pycs_FinishType(_Pycs_API *api, PyTypeObject *type);
_Pycs_PRIVATE int _Pycs_FinishAll(_Pycs_API *api, PyObject *bases);
_Pycs_PRIVATE int _Pycs_FinishWith(_Pycs_API *api, PyTypeObject *type, const PyCustomSlot *own, Py_ssize_t count);

#endif
#ifndef Py_CUSTOMSLOTS_RUNTIME_CHANGE_H
#define Py_CUSTOMSLOTS_RUNTIME_CHANGE_H
_Pycs_PRIVATE PyObject *_Pycs_CollectSubclasses(_Pycs_API *api, PyTypeObject *type);
_Pycs_PRIVATE void _Pycs_RefreshEnter(
    _Pycs_API *api, _Pycs_Refresh *refresh, PyTypeObject *top, const PyCustomSlot *own, Py_ssize_t own_count);
_Pycs_PRIVATE void _Pycs_RefreshDiscard(_Pycs_API *api, _Pycs_Refresh *refresh);
_Pycs_PRIVATE int _Pycs_LockAsLooked(_Pycs_API *api, _Pycs_Refresh *refresh, int changed, int last);
_Pycs_PRIVATE int _Pycs_RefreshPrepare(
    _Pycs_API *api, _Pycs_Refresh *refresh, PyTypeObject *top, Py_ssize_t what, Py_ssize_t more);
_Pycs_PRIVATE int _Pycs_RefreshCommit(_Pycs_API *api, _Pycs_Refresh *refresh, int last);

#endif
#ifndef Py_CUSTOMSLOTS_RUNTIME_OVERRIDE_TABLES_H
#define Py_CUSTOMSLOTS_RUNTIME_OVERRIDE_TABLES_H
typedef struct _Pycs_OverrideTable {
    struct _Pycs_OverrideTable *next;
    const void *base;
    const unsigned char *set;
    uintptr_t all;
    const PyCustomSlots_Function *functions;
} _Pycs_OverrideTable;

typedef struct _Pycs_DefaultTable {
    struct _Pycs_DefaultTable *next;
    const void *table;
} _Pycs_DefaultTable;

static inline int
_Pycs_IsDefault(const _Pycs_InterfaceNode *node, const void *table)
{
    const _Pycs_DefaultTable *known
        = node == NULL ? NULL : (const _Pycs_DefaultTable *)_Pycs_LOAD(
            void *, (void **)(uintptr_t)&node->defaults);
    while (known != NULL && known->table != table) known = known->next;
    return known != NULL;
}

_Pycs_PRIVATE int _Pycs_SeeInterfaces(void);
_Pycs_PRIVATE _Pycs_InterfaceNode *_Pycs_KnownInterface(uintptr_t id);
_Pycs_PRIVATE int _Pycs_HaveInterface(const PyCustomSlot *slots, Py_ssize_t count);
_Pycs_PRIVATE const PyCustomSlots_Interface *_Pycs_Described(const void *table);
_Pycs_PRIVATE const void *_Pycs_OriginalOf(const void *table);
_Pycs_PRIVATE const PyCustomSlots_Interface *_Pycs_Overridable(const void *table);
_Pycs_PRIVATE const void *_Pycs_TableFor(
    _Pycs_InterfaceNode *node, const void *base, const PyCustomSlots_Interface *iface,
    const unsigned char *set);
_Pycs_PRIVATE const void *_Pycs_LookingInPython(_Pycs_InterfaceNode *node, const void *base);
_Pycs_PRIVATE int _Pycs_ReserveOverrides(const PyCustomSlot *own, Py_ssize_t count);

#endif
#ifndef Py_CUSTOMSLOTS_RUNTIME_OVERRIDING_H
#define Py_CUSTOMSLOTS_RUNTIME_OVERRIDING_H
typedef struct {
    uintptr_t     id;
    const void   *table;
    PyTypeObject *provider;
    const void   *wanted;
} _Pycs_Override;

typedef struct _Pycs_Overrides {
    Py_ssize_t count;
    _Pycs_Override overrides[1];
} _Pycs_Overrides;

typedef struct {
    PyObject_HEAD
    _Pycs_API *api;
    PyObject *name, *qualname, *doc, *signature;
    PyObject *body;
} _Pycs_Method;

static inline uintptr_t
_Pycs_MixedBit(const PyTypeObject *type)
{
    return (uintptr_t)1 << (((uint32_t)((uintptr_t)type >> 4) * 0x9E3779B1u) >> (sizeof(uintptr_t) == 8 ? 26 : 27));
}

_Pycs_PRIVATE int _Pycs_FindInDicts(_Pycs_API *api, PyObject *mro, PyObject *name, PyObject **found);
_Pycs_PRIVATE void _Pycs_NoteMixins(_Pycs_API *api, PyTypeObject *type, PyObject *mro, const _Pycs_Overrides *plan);
_Pycs_PRIVATE int _Pycs_PlanOverrides(
    _Pycs_API *api, PyTypeObject *type, PyObject *mro,
    const _Pycs_Change *change, _Pycs_Overrides **plan);
_Pycs_PRIVATE void _Pycs_FreeOverrides(_Pycs_Overrides *plan);
_Pycs_PRIVATE int _Pycs_ApplyOverrides(
    PyTypeObject *type, const _Pycs_Overrides *plan, _Pycs_Record *record, int write);
_Pycs_PRIVATE int _Pycs_ApplyToShared(PyTypeObject *type, const _Pycs_Overrides *plan, _Pycs_Record **record);
_Pycs_PRIVATE void _Pycs_OverrideAll(PyTypeObject *type, _Pycs_Record *record);
_Pycs_PRIVATE int _Pycs_WatchAttributes(_Pycs_API *api);

#endif
#ifndef Py_CUSTOMSLOTS_RUNTIME_LOOK_UPS_H
#define Py_CUSTOMSLOTS_RUNTIME_LOOK_UPS_H
_Pycs_PRIVATE PyCustomSlot *_Pycs_find_in(PyTypeObject *type, PyCustomSlot *table, uintptr_t id);
_Pycs_PRIVATE PyTypeObject *_Pycs_find_whole(PyTypeObject *type);

#endif
#define _Pycs_TARGET(api, target) (api != NULL ? _Pycs_IMPL(api)->target : _Pycs_##target)
#define _Pycs_TO(result, target, metaclass, parameters, ...) \
    static result \
    _Pycs_to_##target parameters \
    { \
        _Pycs_API *api = _Pycs_APIOf(metaclass); \
        return _Pycs_TARGET(api, target)(api, __VA_ARGS__); \
    }

_Pycs_TO(PyObject *, alloc, metaclass, (PyTypeObject *metaclass, Py_ssize_t nitems), metaclass, nitems)
_Pycs_TO(int, init, Py_TYPE(self), (PyObject *self, PyObject *args, PyObject *kwargs), self, args, kwargs)
_Pycs_TO(int, traverse, Py_TYPE(self), (PyObject *self, visitproc visit, void *arg), self, visit, arg)
_Pycs_TO(int, clear, Py_TYPE(self), (PyObject *self), self)
_Pycs_TO(int, setattr, Py_TYPE(self), (PyObject *self, PyObject *name, PyObject *value), self, name, value)
_Pycs_TO(PyObject *, meta_call, (PyTypeObject *)self, (PyObject *self, PyObject *args, PyObject *kwargs),
         self, args, kwargs)
_Pycs_TO(int, meta_init, (PyTypeObject *)self, (PyObject *self, PyObject *args, PyObject *kwargs), self, args, kwargs)
_Pycs_TO(PyObject *, meta_getattro, (PyTypeObject *)self, (PyObject *self, PyObject *name), self, name)
_Pycs_TO(PyObject *, meta_repr, (PyTypeObject *)self, (PyObject *self), self)
_Pycs_TO(int, meta_traverse, (PyTypeObject *)self, (PyObject *self, visitproc visit, void *arg), self, visit, arg)
_Pycs_TO(int, meta_clear, (PyTypeObject *)self, (PyObject *self), self)

static void
_Pycs_to_dealloc(PyObject *self)
{
    _Pycs_API *api = _Pycs_APIOf(Py_TYPE(self));
    _Pycs_TARGET(api, dealloc)(api, self);
}

static void
_Pycs_to_meta_dealloc(PyObject *self)
{
    _Pycs_API *api = _Pycs_APIOf((PyTypeObject *)self);
    _Pycs_TARGET(api, meta_dealloc)(api, self);
}

static uintptr_t _Pycs_overridable;

static PyObject *
_Pycs_SetAttribute(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    if (count != 2) {
        return PyErr_Format(PyExc_TypeError, "__setattr__: found %zd argument%s, expected a name and a value", count,
                            count == 1 ? "" : "s");
    }
    if (_Pycs_to_setattr(self, args[0], args[1]) < 0) return NULL;
    Py_RETURN_NONE;
}

static PyObject *
_Pycs_DeleteAttribute(PyObject *self, PyObject *name)
{
    if (_Pycs_to_setattr(self, name, NULL) < 0) return NULL;
    Py_RETURN_NONE;
}

static PyMethodDef _Pycs_setters[] = {
    {"__setattr__", (PyCFunction)(void (*)(void))_Pycs_SetAttribute, METH_FASTCALL, NULL},
    {"__delattr__", _Pycs_DeleteAttribute, METH_O, NULL},
};

static PyObject *
_Pycs_DoInterface(PyObject *self, int what, PyObject *args, PyObject *kwargs)
{
    _Pycs_API *api = _Pycs_APIOf(Py_TYPE(self));
    return api != NULL ? _Pycs_IMPL(api)->interface_do(api, what, self, args, kwargs) : NULL;
}

static PyObject *
_Pycs_to_interface_call(PyObject *self, PyObject *args, PyObject *kwargs)
{
    return _Pycs_DoInterface(self, _Pycs_DO_CALL, args, kwargs);
}

static int
_Pycs_to_interface_init(PyObject *self, PyObject *args, PyObject *kwargs)
{
    PyObject *done = _Pycs_DoInterface(self, _Pycs_DO_INIT, args, kwargs);
    Py_XDECREF(done);
    return done != NULL ? 0 : -1;
}

static PyObject *
_Pycs_to_interface_repr(PyObject *self)
{
    return _Pycs_DoInterface(self, _Pycs_DO_REPR, NULL, NULL);
}

static PyObject *
_Pycs_to_interface_get(PyObject *self, void *what)
{
    return _Pycs_DoInterface(self, (int)(intptr_t)what, NULL, NULL);
}

#define _Pycs_TO_METHOD(name, what) \
    static PyObject * \
    _Pycs_to_interface_##name(PyObject *self, PyObject *arg) \
    { \
        return _Pycs_DoInterface(self, _Pycs_DO_##what, arg, NULL); \
    }

_Pycs_TO_METHOD(isinstance, ISINSTANCE)
_Pycs_TO_METHOD(issubclass, ISSUBCLASS)
_Pycs_TO_METHOD(of, OF)
_Pycs_TO_METHOD(implementers, IMPLEMENTERS)
_Pycs_TO_METHOD(explain, EXPLAIN)

static PyObject *
_Pycs_to_get(PyObject *self, void *what)
{
    _Pycs_API *api = _Pycs_APIOf(Py_TYPE(self));
    return _Pycs_IMPL(api)->get(api, self, (int)(intptr_t)what);
}

static int
_Pycs_to_set(PyObject *self, PyObject *value, void *what)
{
    _Pycs_API *api = _Pycs_APIOf(Py_TYPE(self));
    return _Pycs_IMPL(api)->set(api, self, (int)(intptr_t)what, value);
}

static PyObject *
_Pycs_to_field_get(PyObject *self, void *field)
{
    _Pycs_API *api = *(_Pycs_API **)field;
    return _Pycs_IMPL(api)->field_get(api, self, field);
}

static int
_Pycs_to_field_set(PyObject *self, PyObject *value, void *field)
{
    _Pycs_API *api = *(_Pycs_API **)field;
    return _Pycs_IMPL(api)->field_set(api, self, value, field);
}

#define _Pycs_WHAT(what) ((void *)(intptr_t)_Pycs_GET_##what)
static PyGetSetDef _Pycs_getset[] = {
    {"__bases__", _Pycs_to_get, _Pycs_to_set, NULL,
     _Pycs_WHAT(BASES)},
    {"__dict__", _Pycs_to_get, NULL, NULL, _Pycs_WHAT(DICT)},
    {_Pycs_FIELDS, _Pycs_to_get, _Pycs_to_set, NULL,
     _Pycs_WHAT(FIELDS)},
    {NULL, NULL, NULL, NULL, NULL}
};

static PyObject *
_Pycs_to_dir(PyObject *self, PyObject *ignored)
{
    (void)ignored;
    return _Pycs_to_get(self, _Pycs_WHAT(DIR));
}

static PyMethodDef _Pycs_methods[] = {
    {"__dir__", _Pycs_to_dir, METH_NOARGS,
     "__dir__($self, /)\n--\n\nThe attributes of the class, with the C fields that Python reads."},
    {NULL, NULL, 0, NULL}
};

static PyGetSetDef _Pycs_names[] = {
    {"__module__", _Pycs_to_get, _Pycs_to_set, NULL,
     _Pycs_WHAT(MODULE)},
    {"__doc__", _Pycs_to_get, _Pycs_to_set, NULL,
     _Pycs_WHAT(DOC)}
};

static PyTypeObject *
_Pycs_NewHeapType(const char *name, size_t size, PyType_Slot *slots)
{
    PyTypeObject *made;
    PyType_Spec spec;
    memset(&spec, 0, sizeof(spec));
    spec.name = name;
    spec.basicsize = (int)size;
    spec.flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE;
    spec.slots = slots;
    made = (PyTypeObject *)PyType_FromSpec(&spec);

    if (made == NULL && !PyErr_Occurred()) PyErr_NoMemory();
    return made;
}

#define _Pycs_SLOT(id, function) \
    (slots[n].slot = (id), slots[n++].pfunc = (void *)(uintptr_t)(function))

_Pycs_PRIVATE PyTypeObject *
_Pycs_NewMetaclass(void)
{
    PyType_Slot slots[9] = {{0, NULL}};
    int n = 0;
    _Pycs_SLOT(Py_tp_base, &PyType_Type);
    _Pycs_SLOT(Py_tp_alloc, _Pycs_to_alloc);
    _Pycs_SLOT(Py_tp_init, _Pycs_to_init);
    _Pycs_SLOT(Py_tp_dealloc, _Pycs_to_dealloc);
    _Pycs_SLOT(Py_tp_traverse, _Pycs_to_traverse);
    _Pycs_SLOT(Py_tp_clear, _Pycs_to_clear);
    _Pycs_SLOT(Py_tp_getset, _Pycs_getset);
    _Pycs_SLOT(Py_tp_methods, _Pycs_methods);
    return _Pycs_NewHeapType(_Pycs_MODULE "." _Pycs_ATTRIBUTE, sizeof(PyHeapExtensibleTypeObject), slots);
}

static PyMethodDef _Pycs_interface_methods[] = {
    {"__instancecheck__", _Pycs_to_interface_isinstance, METH_O, NULL},
    {"__subclasscheck__", _Pycs_to_interface_issubclass, METH_O, NULL},
    {"of", _Pycs_to_interface_of, METH_O,
     "of($self, obj, /)\n--\n\nobj, if its type implements the interface, else None."},
    {"implementers", _Pycs_to_interface_implementers, METH_NOARGS,
     "implementers($self, /)\n--\n\nA list of the classes that implement the interface, without those that "
     "inherit it."},
    {"explain", _Pycs_to_interface_explain, METH_O,
     "explain($self, obj, /)\n--\n\nA text that says whether the type of obj implements the interface, with "
     "both layouts."},
    {NULL, NULL, 0, NULL}
};

static PyGetSetDef _Pycs_interface_getset[] = {
    {"id", _Pycs_to_interface_get, NULL, "The slot ID of the interface.",
     (void *)(intptr_t)_Pycs_DO_ID},
    {"position", _Pycs_to_interface_get, NULL, "Where its slot should stand.",
     (void *)(intptr_t)_Pycs_DO_POSITION},
    {"signatures", _Pycs_to_interface_get, NULL, "Its functions, a tuple of texts.",
     (void *)(intptr_t)_Pycs_DO_SIGNATURES},
    {NULL, NULL, NULL, NULL, NULL}
};

_Pycs_PRIVATE PyTypeObject *
_Pycs_NewInterfaceMetaclass(_Pycs_API *api)
{
    PyType_Slot slots[12] = {{0, NULL}};
    PyTypeObject *made;
    int n = 0;
    _Pycs_SLOT(Py_tp_base, api->metaclass);
    _Pycs_SLOT(Py_tp_call, _Pycs_to_interface_call);
    _Pycs_SLOT(Py_tp_init, _Pycs_to_interface_init);

    _Pycs_SLOT(Py_tp_alloc, _Pycs_to_alloc);
    _Pycs_SLOT(Py_tp_dealloc, _Pycs_to_dealloc);
    _Pycs_SLOT(Py_tp_traverse, _Pycs_to_traverse);
    _Pycs_SLOT(Py_tp_clear, _Pycs_to_clear);
    _Pycs_SLOT(Py_tp_repr, _Pycs_to_interface_repr);
    _Pycs_SLOT(Py_tp_methods, _Pycs_interface_methods);
    _Pycs_SLOT(Py_tp_getset, _Pycs_interface_getset);
    made = _Pycs_NewHeapType(_Pycs_MODULE ".interface", sizeof(PyHeapExtensibleTypeObject), slots);
    if (made != NULL) _Pycs_MendMetaclass(made);
    return made;
}

_Pycs_PRIVATE PyTypeObject *
_Pycs_NewMetaMetaclass(void)
{
    PyType_Slot slots[9] = {{0, NULL}};
    int n = 0;
    _Pycs_SLOT(Py_tp_base, &PyType_Type);
    _Pycs_SLOT(Py_tp_call, _Pycs_to_meta_call);
    _Pycs_SLOT(Py_tp_init, _Pycs_to_meta_init);
    _Pycs_SLOT(Py_tp_getattro, _Pycs_to_meta_getattro);
    _Pycs_SLOT(Py_tp_repr, _Pycs_to_meta_repr);
    _Pycs_SLOT(Py_tp_dealloc, _Pycs_to_meta_dealloc);
    _Pycs_SLOT(Py_tp_traverse, _Pycs_to_meta_traverse);
    _Pycs_SLOT(Py_tp_clear, _Pycs_to_meta_clear);
    return _Pycs_NewHeapType(_Pycs_MODULE "." _Pycs_ATTRIBUTE "_meta", sizeof(PyHeapTypeObject), slots);
}

_Pycs_PRIVATE int
_Pycs_AddNames(PyTypeObject *metaclass)
{
    size_t i;
    for (i = 0; i < sizeof(_Pycs_names) / sizeof(_Pycs_names[0]); i++) {
        PyObject *descriptor = PyDescr_NewGetSet(metaclass, &_Pycs_names[i]);
        int failed = descriptor == NULL
                     || PyDict_SetItemString(metaclass->tp_dict, _Pycs_names[i].name, descriptor) < 0;
        Py_XDECREF(descriptor);
        if (failed) return -1;
    }
    return 0;
}

static _Pycs_THREAD_LOCAL _Pycs_Thread _Pycs_here;

static _Pycs_Thread *
_Pycs_thread(void)
{
    return &_Pycs_here;
}

_Pycs_PRIVATE void
_Pycs_InitCore(_Pycs_State *state)
{
    state->thread = _Pycs_thread;
    state->field_get = _Pycs_to_field_get;
    state->field_set = _Pycs_to_field_set;
    state->overridable = &_Pycs_overridable;
    state->setters = _Pycs_setters;
}

_Pycs_PRIVATE _Pycs_FieldList *
_Pycs_FindFieldList(_Pycs_API *api, PyTypeObject *metaclass)
{
    _Pycs_FieldList *list = _Pycs_LOAD(_Pycs_FieldList *, &api->state->field_lists);
    while (list != NULL && list->metaclass != metaclass) list = list->next;
    return list;
}

_Pycs_PRIVATE _Pycs_FieldEntry *
_Pycs_FirstField(_Pycs_API *api, PyTypeObject *metaclass)
{
    while (metaclass->tp_base != NULL && metaclass != api->metaclass && metaclass != &PyType_Type) {
        if (metaclass->tp_basicsize != metaclass->tp_base->tp_basicsize) {
            const _Pycs_FieldList *list = _Pycs_FindFieldList(api, metaclass);
            if (list != NULL) return list->fields;
        }
        metaclass = metaclass->tp_base;
    }
    return NULL;
}

_Pycs_PRIVATE int
_Pycs_IsHidden(_Pycs_API *api, PyTypeObject *metaclass, const _Pycs_FieldEntry *field)
{
    const _Pycs_FieldEntry *first;
    _Pycs_EACH_FIELD(first, api, metaclass) {
        if (first->name == field->name) break;
    }
    return first != field;
}

_Pycs_PRIVATE char *
_Pycs_FieldAt(PyTypeObject *type, const _Pycs_FieldEntry *field)
{
    const _Pycs_FieldList *list = field->list;
    return type != NULL ? (char *)type + field->def.offset : list->defaults + (field->def.offset - list->offset);
}

_Pycs_PRIVATE int
_Pycs_HasBytesOf(PyTypeObject *type, const _Pycs_FieldList *list)
{
    return (Py_TYPE(type) == list->metaclass || PyType_IsSubtype(Py_TYPE(type), list->metaclass))
           && _Pycs_HasMemory(type);
}

_Pycs_PRIVATE _Pycs_Sidecar *
_Pycs_SidecarOf(PyTypeObject *type)
{
    return (_Pycs_Sidecar *)_Pycs_LOAD(void *, &_Pycs_CAST(type)->etp_extension);
}

_Pycs_PRIVATE _Pycs_Sidecar *
_Pycs_TakeSidecar(_Pycs_API *api, PyTypeObject *type)
{
    _Pycs_Sidecar *sidecar = _Pycs_SidecarOf(type);
    _Pycs_ASSERT_LOCKED(api);
    (void)api;
    _Pycs_STORE(void *, &_Pycs_CAST(type)->etp_extension, NULL);
    return sidecar;
}

_Pycs_PRIVATE char *
_Pycs_MarkOf(_Pycs_API *api, PyTypeObject *type, const _Pycs_FieldEntry *field, char **noted)
{
    const Py_ssize_t offset = field->def.offset - api->metaclass->tp_basicsize;
    _Pycs_Sidecar *sidecar = _Pycs_SidecarOf(type);
    _Pycs_ASSERT_LOCKED(api);
    if (noted != NULL) *noted = (char *)(sidecar + 1) + offset;
    return sidecar->marks + offset;
}

static int
_Pycs_IsUntouched(const _Pycs_FieldEntry *field, const char *value)
{
    Py_ssize_t i;
    if (memcmp(value, _Pycs_FieldAt(NULL, field), (size_t)field->def.size) == 0) return 1;
    for (i = 0; i < field->def.size && value[i] == 0; i++) { }
    return i == field->def.size;
}

_Pycs_PRIVATE int
_Pycs_InheritsField(_Pycs_API *api, PyTypeObject *type, const _Pycs_FieldEntry *field)
{
    const _Pycs_Sidecar *sidecar = _Pycs_SidecarOf(type);
    const Py_ssize_t offset = field->def.offset - api->metaclass->tp_basicsize;
    const char *value = _Pycs_FieldAt(type, field);
    _Pycs_ASSERT_LOCKED(api);
    if (sidecar == NULL) return field->kind == _Pycs_HOOKS || _Pycs_IsUntouched(field, value);
    return sidecar->marks[offset] == 0
           && (field->kind == _Pycs_HOOKS
               || memcmp(value, (const char *)(sidecar + 1) + offset, (size_t)field->def.size) == 0);
}

_Pycs_PRIVATE int
_Pycs_IsOwn(_Pycs_API *api, PyTypeObject *type, const _Pycs_FieldEntry *field)
{
    int is_own;
    _Pycs_Lock(api);
    is_own = !_Pycs_InheritsField(api, type, field);
    _Pycs_Unlock(api);
    return is_own;
}

_Pycs_PRIVATE PyTypeObject *
_Pycs_SourceOfField(_Pycs_API *api, const PyTypeObject *type, PyObject *mro, const _Pycs_FieldEntry *field)
{
    Py_ssize_t i;
    _Pycs_ASSERT_LOCKED(api);
    for (i = 0; i < PyTuple_GET_SIZE(mro); i++) {
        PyTypeObject *item = (PyTypeObject *)PyTuple_GET_ITEM(mro, i);
        if (item != type && _Pycs_HasBytesOf(item, field->list) && !_Pycs_InheritsField(api, item, field)) return item;
    }
    return NULL;
}

_Pycs_PRIVATE _Pycs_Value *
_Pycs_NewValue(const _Pycs_FieldEntry *field, PyObject *object)
{
    const size_t head = (sizeof(_Pycs_Value) + 15) / 16 * 16, room = ((size_t)field->def.size + 15) / 16 * 16;
    _Pycs_Value *value = (_Pycs_Value *)_Pycs_NewBlock(head + 2 * room);
    if (value == NULL) return NULL;
    value->field = field;
    value->bytes = (char *)value + head;
    value->spare = value->bytes + room;
    value->object = Py_XNewRef(object);
    return value;
}

_Pycs_PRIVATE void
_Pycs_FreeValues(_Pycs_Value **values)
{
    _Pycs_Value *value;
    while ((value = *values)) {
        *values = value->next;
        if (value->field->kind == _Pycs_REFERENCE) Py_XDECREF(*(PyObject **)(void *)value->bytes);
        else if (value->field->kind == _Pycs_HOOKS) value->field->def.destroy(value->bytes);
        Py_XDECREF(value->object);
        PyMem_RawFree(value);
    }
}

_Pycs_PRIVATE int
_Pycs_CopyValue(const _Pycs_FieldEntry *field, char *to, const char *from)
{
    if (field->kind == _Pycs_HOOKS) return field->def.copy(to, from);
    if (field->kind == _Pycs_REFERENCE) {
        PyObject *object = *(PyObject *const *)(const void *)from;
        *(PyObject **)(void *)to = Py_NewRef(object != NULL ? object : Py_None);
    }
    else {
        memcpy(to, from, (size_t)field->def.size);
    }
    return 0;
}

_Pycs_PRIVATE int
_Pycs_AddCopy(_Pycs_Value **values, const _Pycs_FieldEntry *field, const char *place, const char *from)
{
    _Pycs_Value *value;
    if (place != NULL && field->kind != _Pycs_HOOKS && memcmp(place, from, (size_t)field->def.size) == 0) return 0;
    if (!(value = _Pycs_NewValue(field, NULL))) return -1;
    if (_Pycs_CopyValue(field, value->bytes, from) < 0) {
        PyMem_RawFree(value);
        return -1;
    }
    value->next = *values;
    *values = value;
    return 0;
}

_Pycs_PRIVATE void
_Pycs_PutValues(_Pycs_API *api, PyTypeObject *type, _Pycs_Value *value, char mark)
{
    _Pycs_ASSERT_LOCKED(api);
    for (; value != NULL; value = value->next) {
        const _Pycs_FieldEntry *field = value->field;
        char *to = _Pycs_FieldAt(type, field), *bytes = value->bytes, *spare = value->spare, *noted = NULL;
        if (type != NULL) *_Pycs_MarkOf(api, type, field, &noted) = mark;
        if (field->kind == _Pycs_HOOKS) {
            field->def.move(spare, to);
            field->def.move(to, bytes);
            field->def.move(bytes, spare);
        }
        else {
            const Py_ssize_t size = field->def.size, word = (Py_ssize_t)sizeof(uintptr_t);
            Py_ssize_t i = 0;
            memcpy(spare, to, (size_t)size);

            for (; (uintptr_t)to % sizeof(uintptr_t) == 0 && i + word <= size; i += word) {
                uintptr_t read;
                memcpy(&read, bytes + i, sizeof(read));
                _Pycs_STORE(uintptr_t, (uintptr_t *)(void *)(to + i), read);
            }
            memcpy(to + i, bytes + i, (size_t)(size - i));
            if (noted != NULL) memcpy(noted, bytes, (size_t)size);
            memcpy(bytes, spare, (size_t)size);
        }
    }
}

static int
_Pycs_IsInteger(int code, int *is_signed)
{
    *is_signed = code == 0 || code == 1 || code == 2 || code == 8 || code == 17 || code == 19;
    return *is_signed || (code >= 9 && code <= 12) || code == 18;
}

static PyObject *
_Pycs_ExpectedIn(const _Pycs_FieldDef *def)
{
    const size_t length = strlen(def->name);
    int is_signed;
    if (def->from_object == NULL && _Pycs_IsInteger(def->type, &is_signed)) {
        return PyUnicode_FromFormat("%s integer of %zd bytes", is_signed ? "a signed" : "an unsigned", def->size);
    }
    if (def->from_object == NULL) {
        return PyUnicode_FromString(def->type == 14 ? "True or False"
                                    : def->type == 7 ? "a str of length 1" : "a float");
    }
    if (def->doc == NULL || strncmp(def->doc, def->name, length) != 0 || strncmp(def->doc + length, ": ", 2) != 0) {
        return PyUnicode_FromString("what the field is converted from");
    }
    return PyUnicode_DecodeUTF8(def->doc + length + 2, (Py_ssize_t)strcspn(def->doc + length + 2, "\n"), "replace");
}

static void
_Pycs_BlameField(const char *class_name, const _Pycs_FieldEntry *field, PyObject *object)
{
    PyObject *type, *value, *traceback, *text = NULL, *shown = NULL, *expected = NULL;
    PyErr_Fetch(&type, &value, &traceback);
    if (type == PyExc_TypeError || type == PyExc_ValueError || type == PyExc_OverflowError
            || type == PyExc_IndexError) {
        PyErr_NormalizeException(&type, &value, &traceback);
        text = value != NULL ? PyObject_Str(value) : NULL;
        PyErr_Clear();
    }
    if (text == NULL) {
        PyErr_Restore(type, value, traceback);
        return;
    }
    if ((shown = _Pycs_Repr(object)) != NULL && (expected = _Pycs_ExpectedIn(&field->def)) != NULL) {
        PyErr_Format(type, "field '%s' of class '%.200s' (metaclass '%.200s'): found %U, expected %U: %U%s",
                     field->def.name, class_name, field->list->metaclass->tp_name, shown, expected, text,
                     type != PyExc_TypeError ? "" : "; what is no value of the field needs another name");
    }
    _Pycs_XDECREF_ALL(text, shown, expected, type, value, traceback);
}

static PyObject *
_Pycs_Intern(_Pycs_API *api, PyObject *object)
{
    PyObject *key = PyBytes_CheckExact(object) || PyUnicode_CheckExact(object)
                    ? PyTuple_Pack(2, (PyObject *)Py_TYPE(object), object) : PyLong_FromVoidPtr(object);
    PyObject *kept = key != NULL ? PyDict_SetDefault(api->state->texts, key, object) : NULL;
    Py_XDECREF(key);
    return kept;
}

static int
_Pycs_ConvertInto(const _Pycs_FieldEntry *field, char *value, PyObject *object)
{
    const _Pycs_FieldDef *def = &field->def;
    int is_signed, fits;
    PyMemberDef member;

    if (def->from_object != NULL) return def->from_object(value, object);
    if (field->kind == _Pycs_REFERENCE) return 0;
    if (!_Pycs_IsInteger(def->type, &is_signed)) {
        memset(&member, 0, sizeof(member));
        member.name = def->name;
        member.type = def->type;
        return PyMember_SetOne(value, &member, object);
    }
    fits = _Pycs_StoreInteger(object, is_signed, (size_t)def->size, value);
    if (fits == 0) PyErr_SetString(PyExc_OverflowError, "it does not fit");
    return fits > 0 ? 0 : -1;
}

_Pycs_PRIVATE _Pycs_Value *
_Pycs_Convert(const char *class_name, const _Pycs_FieldEntry *field, PyObject *object)
{
    _Pycs_Value *value = _Pycs_NewValue(field, object);
    char *bytes;
    PyObject *kept;
    int status;

    if (value == NULL) return NULL;
    bytes = value->bytes;
    if (field->kind == _Pycs_REFERENCE) {
        *(PyObject **)(void *)bytes = Py_NewRef(field->def.from_object != NULL ? Py_None : object);
    }
    status = _Pycs_ConvertInto(field, bytes, object);
    if (status == 0 && field->def.flags & PyExtensibleType_KEEP) {
        kept = _Pycs_Intern(field->api, object);
        if (kept != object) {
            if (field->kind == _Pycs_HOOKS) field->def.destroy(bytes);
            status = kept != NULL ? _Pycs_ConvertInto(field, bytes, kept) : -1;
        }
    }
    if (status < 0) {
        if (field->kind == _Pycs_REFERENCE) Py_XDECREF(*(PyObject **)(void *)bytes);
        Py_DECREF(value->object);
        PyMem_RawFree(value);
        _Pycs_BlameField(class_name, field, object);
        return NULL;
    }
    return value;
}

_Pycs_PRIVATE PyObject *
_Pycs_ReadField(_Pycs_API *api, PyTypeObject *type, const _Pycs_FieldEntry *field)
{
    union { char bytes[64]; double alignment[8]; } little;
    _Pycs_Value *value = NULL;
    char *copy = little.bytes;
    PyObject *object = NULL;
    PyMemberDef member;
    int status;

    if (field->kind == _Pycs_HOOKS || (size_t)field->def.size > sizeof(little)) {
        if (!(value = _Pycs_NewValue(field, NULL))) return NULL;
        copy = value->bytes;
    }
    _Pycs_Lock(api);
    status = _Pycs_CopyValue(field, copy, _Pycs_FieldAt(type, field));
    _Pycs_Unlock(api);
    if (status < 0) {
        PyMem_RawFree(value);
        return NULL;
    }
    if (field->def.to_object != NULL) object = field->def.to_object(copy);
    else if (field->kind == _Pycs_REFERENCE) return *(PyObject **)(void *)copy;
    else {
        memset(&member, 0, sizeof(member));
        member.name = field->def.name;
        member.type = field->def.type;
        object = PyMember_GetOne(copy, &member);
    }
    if (field->kind == _Pycs_REFERENCE) Py_DECREF(*(PyObject **)(void *)copy);
    if (value != NULL) _Pycs_FreeValues(&value);
    return object;
}

_Pycs_PRIVATE int
_Pycs_BirthInherit(_Pycs_API *api, _Pycs_Birth *birth, PyObject *bases)
{
    const Py_ssize_t size = birth->metaclass->tp_basicsize - api->metaclass->tp_basicsize;
    const _Pycs_FieldEntry *field;
    int status = 0;

    if (size > 0) {
        birth->sidecar = (_Pycs_Sidecar *)_Pycs_NewBlock(sizeof(*birth->sidecar) + 2 * (size_t)size);
        if (birth->sidecar == NULL) return -1;
        birth->sidecar->marks = (char *)(birth->sidecar + 1) + size;
        birth->sidecar->filled_at = _Pycs_LOAD(uintptr_t, &api->state->generation) << 1 | _Pycs_FILLED;
    }
    birth->mro = bases != NULL ? _Pycs_MroOfBases(api, bases) : PyTuple_New(0);
    if (birth->mro == NULL) return -1;
    if (api->state->hooked == 0) return 0;
    _Pycs_Lock(api);
    _Pycs_EACH_FIELD(field, api, birth->metaclass) {
        if (field->kind != _Pycs_HOOKS) continue;
        status = _Pycs_AddCopy(&birth->values, field, NULL,
                               _Pycs_FieldAt(_Pycs_SourceOfField(api, NULL, birth->mro, field), field));
        if (status < 0) break;
    }
    _Pycs_Unlock(api);
    return status;
}

_Pycs_PRIVATE void
_Pycs_BirthFill(_Pycs_API *api, _Pycs_Birth *birth, PyTypeObject *type, int only_untouched)
{
    PyHeapExtensibleTypeObject *const t = (PyHeapExtensibleTypeObject *)type;
    const _Pycs_FieldEntry *field;
    _Pycs_ASSERT_LOCKED(api);

    _Pycs_STORE(void *, &t->etp_extension, (void *)birth->sidecar);
    birth->sidecar = NULL;
    _Pycs_EACH_FIELD(field, api, birth->metaclass) {
        char *to = _Pycs_FieldAt(type, field), *noted;
        const char *from = _Pycs_FieldAt(_Pycs_SourceOfField(api, NULL, birth->mro, field), field);
        if (field->kind == _Pycs_HOOKS) {
            _Pycs_Value **link = &birth->values, *value;
            while (*link != NULL && (*link)->field != field) link = &(*link)->next;
            if ((value = *link) == NULL) continue;
            field->def.move(to, value->bytes);
            *link = value->next;
            PyMem_RawFree(value);
        }
        else {
            const int is_own = only_untouched && !_Pycs_IsUntouched(field, to);
            if (!is_own) (void)_Pycs_CopyValue(field, to, from);
            (void)_Pycs_MarkOf(api, type, field, &noted);
            memcpy(noted, is_own ? from : to, (size_t)field->def.size);
        }
    }
    t->etp_custom_slots = api->state->unfinished.slots;
    _Pycs_STORE(uintptr_t, &t->etp_check, (uintptr_t)type ^ _Pycs_UNFINISHED);
}

_Pycs_PRIVATE void
_Pycs_BirthEnd(_Pycs_Birth *birth)
{
    _Pycs_FreeValues(&birth->values);
    PyMem_RawFree(birth->sidecar);
    Py_XDECREF(birth->mro);
}

_Pycs_PRIVATE int
_Pycs_FinishFields(_Pycs_API *api, PyTypeObject *type, PyObject *mro, int is_other, _Pycs_Value **values)
{
    _Pycs_Sidecar *sidecar = _Pycs_SidecarOf(type);
    const _Pycs_FieldEntry *field;
    _Pycs_ASSERT_LOCKED(api);

    if (sidecar == NULL) return 0;
    if ((sidecar->filled_at & _Pycs_FILLED) != 0) {
        is_other |= sidecar->filled_at != (api->state->generation << 1 | _Pycs_FILLED);
    }
    if (is_other) {
        _Pycs_EACH_FIELD(field, api, Py_TYPE(type)) {
            if (_Pycs_InheritsField(api, type, field)
                    && _Pycs_AddCopy(values, field, _Pycs_FieldAt(type, field), _Pycs_FieldAt(
                        _Pycs_SourceOfField(api, type, mro, field), field)) < 0) return -1;
        }
        _Pycs_PutValues(api, type, *values, 0);
    }
    sidecar->filled_at = 0;
    return 0;
}

_Pycs_PRIVATE int
_Pycs_VisitFields(_Pycs_API *api, PyTypeObject *type, visitproc visit, void *arg)
{
    const _Pycs_Sidecar *sidecar = _Pycs_SidecarOf(type);
    const _Pycs_FieldEntry *field;
    if (sidecar != NULL) Py_VISIT((PyObject *)sidecar->kept);
    _Pycs_EACH_FIELD(field, api, Py_TYPE(type)) {
        if (field->kind == _Pycs_REFERENCE) Py_VISIT(*(PyObject **)(void *)_Pycs_FieldAt(type, field));
    }
    return 0;
}

_Pycs_PRIVATE void
_Pycs_ClearFields(_Pycs_API *api, PyTypeObject *type)
{
    _Pycs_Sidecar *const sidecar = _Pycs_SidecarOf(type);
    const _Pycs_FieldEntry *field;
    PyObject *kept = NULL;

    if (sidecar != NULL) {
        _Pycs_Lock(api);
        kept = (PyObject *)sidecar->kept;
        sidecar->kept = NULL;
        _Pycs_Unlock(api);
    }
    Py_XDECREF(kept);
    _Pycs_EACH_FIELD(field, api, Py_TYPE(type)) {
        PyObject **slot = (PyObject **)(void *)_Pycs_FieldAt(type, field);
        if (field->kind != _Pycs_REFERENCE) continue;
        Py_XSETREF(*slot, Py_NewRef(Py_None));
    }
}

_Pycs_PRIVATE void
_Pycs_ReleaseFields(_Pycs_API *api, PyTypeObject *type)
{
    const _Pycs_FieldEntry *field;
    _Pycs_EACH_FIELD(field, api, Py_TYPE(type)) {
        char *value = _Pycs_FieldAt(type, field);
        if (field->kind == _Pycs_REFERENCE) Py_CLEAR(*(PyObject **)(void *)value);
        else if (field->kind == _Pycs_HOOKS) field->def.destroy(value);
    }
}

static PyCustomSlot *
_Pycs_FindDeclared(PyTypeObject *type, uintptr_t id)
{
    PyCustomSlot *table = _Pycs_HasTable(type) ? _Pycs_TableOf(type) : NULL, *own;
    _Pycs_Record *record;
    Py_ssize_t i;
    if (table == NULL || (_Pycs_FrontOf(table)->absent & _Pycs_Bit(id)) != 0) return NULL;
    record = _Pycs_RecordAround(table);
    if (_Pycs_LOAD(PyTypeObject *, &record->owner) != type) return NULL;
    own = record->own + record->own_count;
    for (i = 0; i < record->own_count; i++) {
        if (own[i].id == id) return &own[i];
    }
    return NULL;
}

_Pycs_NOINLINE static PyCustomSlot *
_Pycs_FindUnfinished(PyTypeObject *type, uintptr_t id)
{
    PyObject *const mro = _Pycs_LOAD(PyObject *, &type->tp_mro), *const bases = _Pycs_LOAD(PyObject *, &type->tp_bases);
    PyObject *const types = mro != NULL ? mro : bases;
    PyCustomSlot *found = NULL, *table;
    Py_ssize_t i;
    if (_Pycs_HasTable(type)) {
        table = _Pycs_TableOf(type);
        return table->id == PyCustomSlots_EMPTY ? NULL : _Pycs_FindInRecord(_Pycs_RecordAround(table), id);
    }
    for (i = 0; found == NULL && types != NULL && i < PyTuple_GET_SIZE(types); i++) {
        PyTypeObject *item = _Pycs_TYPE_AT(types, i);
        if (mro != NULL) found = _Pycs_FindDeclared(item, id);
        else if ((item = _Pycs_FindOwner(item)) != NULL) found = _Pycs_find_in(item, _Pycs_TableOf(item), id);
    }
    return found;
}

_Pycs_PRIVATE PyCustomSlot *
_Pycs_find_in(PyTypeObject *type, PyCustomSlot *table, uintptr_t id)
{
    if (table->id == PyCustomSlots_EMPTY) return _Pycs_FindUnfinished(type, id);
    return _Pycs_FindInRecord(_Pycs_RecordAround(table), id);
}

_Pycs_PRIVATE PyTypeObject *
_Pycs_find_whole(PyTypeObject *type)
{
    PyObject *const bases = _Pycs_LOAD(PyObject *, &type->tp_bases);
    PyTypeObject *owner = NULL;
    Py_ssize_t i;
    if (!_Pycs_IsUnfinished(type)) return type;
    for (i = 0; owner == NULL && bases != NULL && i < PyTuple_GET_SIZE(bases); i++) {
        owner = _Pycs_FindOwner(_Pycs_TYPE_AT(bases, i));
    }
    return owner != NULL ? _Pycs_find_whole(owner) : type;
}

static int
_Pycs_IsImportable(PyObject *cls)
{
    PyObject *name = PyObject_GetAttrString(cls, "__module__"), *module = NULL, *path = NULL;
    PyObject *operators = NULL, *getter = NULL, *found = NULL;
    int is_importable = 0;

    if (name == NULL || !PyUnicode_Check(name)
            || PyUnicode_CompareWithASCIIString(name, "__main__") == 0
            || !(module = PyImport_GetModule(name))
            || !(path = PyObject_GetAttrString(cls, "__qualname__"))
            || !(operators = PyImport_ImportModule("_operator"))
            || !(getter = PyObject_CallMethod(operators, "attrgetter", "O", path))
            || !(found = PyObject_CallFunctionObjArgs(getter, module, NULL))) goto done;
    is_importable = found == cls;
done:
    if (PyErr_Occurred()) {
        if (_Pycs_IsReplaceable()) PyErr_Clear();
        else is_importable = -1;
    }
    _Pycs_XDECREF_ALL(name, module, path, operators, getter, found);
    return is_importable;
}

static int
_Pycs_IsAwaited(_Pycs_API *api, PyObject *cls)
{
    PyObject *types = _Pycs_CollectSubclasses(api, (PyTypeObject *)cls);
    int is_importable = types == NULL ? -1 : 1;
    Py_ssize_t i;

    for (i = 1; is_importable > 0 && i < PyList_GET_SIZE(types); i++) {
        PyObject *type = PyList_GET_ITEM(types, i);
        if (!_Pycs_IsHeap((PyTypeObject *)type)) continue;
        is_importable = _Pycs_IsImportable(type);
    }
    Py_XDECREF(types);
    return is_importable < 0 ? -1 : !is_importable;
}

static PyObject *
_Pycs_FindBearer(_Pycs_API *api, PyObject *metaclass)
{
    PyObject *types = _Pycs_CollectSubclasses(api, &PyBaseObject_Type), *bearer = NULL;
    Py_ssize_t i;
    int status = 0;

    for (i = 0; types != NULL && status == 0 && i < PyList_GET_SIZE(types); i++) {
        PyObject *type = PyList_GET_ITEM(types, i);
        if ((PyObject *)Py_TYPE(type) != metaclass) continue;
        if ((status = _Pycs_IsImportable(type)) <= 0) continue;
        if ((status = _Pycs_IsAwaited(api, type)) > 0) bearer = Py_NewRef(type);
    }
    Py_XDECREF(types);
    return bearer;
}

static PyObject *
_Pycs_Bearer(_Pycs_API *api, PyObject *metaclass)
{
    PyObject *bearers = _Pycs_KeepInModule("_bearers", PyDict_New()), *bearer = NULL;

    if (bearers == NULL) goto done;
    bearer = PyObject_GetItem(bearers, metaclass);
    if (bearer == NULL && !_Pycs_IsReplaceable()) goto done;
    PyErr_Clear();
    if (bearer == Py_None || (bearer != NULL && _Pycs_IsImportable(bearer) > 0)) goto done;
    Py_CLEAR(bearer);
    if (PyErr_Occurred()) goto done;
    bearer = _Pycs_FindBearer(api, metaclass);
    if (bearer == NULL && !PyErr_Occurred() && (bearer = _Pycs_PlaceOfCombination(metaclass, 1)) != NULL) {
        Py_SETREF(bearer, Py_NewRef(Py_None));
    }
    if (bearer != NULL && PyObject_SetItem(bearers, metaclass, bearer) < 0) Py_CLEAR(bearer);
done:
    Py_XDECREF(bearers);
    return bearer;
}

static PyObject *
_Pycs_FieldPlace(_Pycs_API *api, PyObject *metaclass, int is_module)
{
    PyObject *own = _Pycs_OwnAttribute(api, metaclass, api->state->name_module);
    PyObject *bearer = NULL, *result = NULL;
    const int is_ours = own != NULL && PyUnicode_Check(own)
                        && PyUnicode_CompareWithASCIIString(own, _Pycs_MODULE) == 0;

    Py_XDECREF(own);
    if (!is_ours || !(bearer = _Pycs_Bearer(api, metaclass))) return NULL;
    if (bearer == Py_None) result = _Pycs_PlaceOfCombination(metaclass, is_module);
    else {
        result = PyObject_GetAttrString(bearer, is_module ? "__module__" : "__qualname__");
        if (result != NULL && !is_module) Py_SETREF(result, PyUnicode_FromFormat("%U.__class__", result));
    }
    Py_DECREF(bearer);
    return result;
}

static uintptr_t
_Pycs_FunctionIn(PyTypeObject *type, int dealloc)
{
    return dealloc ? (uintptr_t)type->tp_dealloc : (uintptr_t)type->tp_traverse;
}

static int
_Pycs_CountsMetaclass(PyObject *self, int dealloc)
{
    PyTypeObject *const top = Py_TYPE(self);
    PyTypeObject *below = top;
    const uintptr_t generic = _Pycs_FunctionIn(top, dealloc);

    if (generic != _Pycs_FunctionIn(_Pycs_RootOf(top), dealloc)) {
        while ((below->tp_flags & Py_TPFLAGS_HEAPTYPE) && _Pycs_FunctionIn(below, dealloc) == generic) {
            below = below->tp_base;
        }
    }
    return (below->tp_flags & Py_TPFLAGS_HEAPTYPE) != 0;
}

_Pycs_PRIVATE void
_Pycs_dealloc(_Pycs_API *api, PyObject *self)
{
    PyTypeObject *metaclass = Py_TYPE(self), *type = (PyTypeObject *)self;
    _Pycs_Record *record = _Pycs_RecordOf(type);
    _Pycs_Sidecar *sidecar;
    PyObject *kept = NULL;
    const int counts = _Pycs_CountsMetaclass(self, 1);

    if (!_Pycs_IsFilled(type)) api = NULL;
    if (api != NULL) {

        PyObject_GC_UnTrack(self);
        _Pycs_Lock(api);
        _Pycs_DisownRecords(type, record);
        sidecar = _Pycs_TakeSidecar(api, type);
        _Pycs_Unlock(api);
        _Pycs_ReleaseFields(api, type);
        if (sidecar != NULL) kept = (PyObject *)sidecar->kept;
        PyMem_RawFree(sidecar);
        PyObject_GC_Track(self);
    }
    _Pycs_SetStamp(type, 0);
    _Pycs_STORE(uintptr_t, &((PyHeapExtensibleTypeObject *)self)->etp_check, 0);
    PyType_Type.tp_dealloc(self);
    _Pycs_RecordDecref(record);
    Py_XDECREF(kept);
    if (counts) Py_DECREF((PyObject *)metaclass);
}

_Pycs_PRIVATE int
_Pycs_traverse(_Pycs_API *api, PyObject *self, visitproc visit, void *arg)
{
    PyTypeObject *type = (PyTypeObject *)self;
    if (api != NULL && _Pycs_IsFilled(type)) {
        const int status = _Pycs_VisitFields(api, type, visit, arg);
        if (status != 0) return status;
    }
    if (_Pycs_CountsMetaclass(self, 0)) Py_VISIT((PyObject *)Py_TYPE(self));
    return PyType_Type.tp_traverse(self, visit, arg);
}

_Pycs_PRIVATE int
_Pycs_clear(_Pycs_API *api, PyObject *self)
{
    PyTypeObject *type = (PyTypeObject *)self;
    if (api != NULL && _Pycs_IsFilled(type)) _Pycs_ClearFields(api, type);
    return PyType_Type.tp_clear(self);
}

_Pycs_PRIVATE int
_Pycs_meta_clear(_Pycs_API *api, PyObject *self)
{
    if (api != NULL && self == (PyObject *)api->metaclass) {
        Py_CLEAR(api->state->interface_meta);
        Py_CLEAR(api->state->interface_method);
    }
    return PyType_Type.tp_clear(self);
}

static int
_Pycs_CheckBase(_Pycs_API *api, PyTypeObject *type, PyTypeObject *base, Py_ssize_t *more)
{
    PyObject *mro = _Pycs_FetchMro(api, base);
    Py_ssize_t i, n = mro != NULL ? PyTuple_GET_SIZE(mro) : 0;
    int status = -1;
    for (i = 0; i < n; i++) {
        PyTypeObject *item = (PyTypeObject *)PyTuple_GET_ITEM(mro, i);
        const _Pycs_FieldEntry *field;
        const _Pycs_API *other;
        if (!PyType_Check((PyObject *)item) || PyType_IsSubtype(Py_TYPE(type), Py_TYPE(item))
                || (other = _Pycs_APIOf(Py_TYPE(item))) == NULL) continue;
        if (other != api) {
            (void)_Pycs_RefuseForeign(other, PyExc_TypeError, "__bases__ assignment: the class", item);
            goto done;
        }
        _Pycs_EACH_FIELD(field, api, Py_TYPE(item)) {
            if (PyType_IsSubtype(Py_TYPE(type), field->list->metaclass)) continue;
            PyErr_Format(PyExc_TypeError,
                         "__bases__ assignment: '%.200s' has the C fields of metaclass "
                         "'%.200s', for which the class '%.200s' (metaclass '%.200s') has no "
                         "memory; make the class again with that base",
                         item->tp_name, field->list->metaclass->tp_name, type->tp_name,
                         Py_TYPE(type)->tp_name);
            goto done;
        }
    }
    if (mro != NULL) {
        _Pycs_Lock(api);
        *more += _Pycs_MergeBound(NULL, 0, mro);
        _Pycs_Unlock(api);
    }
    status = 0;
done:
    Py_XDECREF(mro);
    return status;
}

static int
_Pycs_set_bases(_Pycs_API *api, PyObject *self, PyObject *value)
{
    PyTypeObject *type = (PyTypeObject *)self;
    PyObject *descriptor = api->state->type_bases, *former;
    _Pycs_Refresh refresh;
    Py_ssize_t i, more = 0;
    const int follows = value != NULL && PyTuple_Check(value) && _Pycs_IsHeap(type);
    int status;

    if (follows) {
        for (i = 0; i < PyTuple_GET_SIZE(value); i++) {
            PyTypeObject *base = (PyTypeObject *)PyTuple_GET_ITEM(value, i);
            if (PyType_Check((PyObject *)base)
                    && ((!_Pycs_HasTable(base) && _Pycs_FinishType(api, base) < 0)
                        || _Pycs_CheckBase(api, type, base, &more) < 0)) return -1;
        }
        if (_Pycs_RefreshPrepare(api, &refresh, type, _Pycs_CHANGED_BASES, more) < 0) return -1;
    }
    former = _Pycs_FetchBases(api, type);
    status = Py_TYPE(descriptor)->tp_descr_set(descriptor, self, value);
    if (follows && (status < 0 || _Pycs_RefreshCommit(api, &refresh, 0) < 0)) {
        PyObject *error, *text, *traceback;
        PyErr_Fetch(&error, &text, &traceback);

        if (status == 0 && Py_TYPE(descriptor)->tp_descr_set(descriptor, self, former) < 0) {
            PyErr_Clear();
        }

        (void)_Pycs_RefreshCommit(api, &refresh, 1);
        PyErr_Restore(error, text, traceback);
        status = -1;
    }
    Py_XDECREF(former);
    return status;
}

_Pycs_PRIVATE PyObject *
_Pycs_get(_Pycs_API *api, PyObject *self, int what)
{
    switch (what) {
    case _Pycs_GET_BASES:
        return _Pycs_Delegate(api->state->type_bases, self);
    case _Pycs_GET_DICT: return _Pycs_get_dict(api, self);
    case _Pycs_GET_FIELDS:
        return _Pycs_ValuesOfClass(api, (PyTypeObject *)self);
    case _Pycs_GET_DIR: return _Pycs_get_dir(api, self);
    case _Pycs_GET_MODULE:
        return _Pycs_Delegate(api->state->type_module, self);
    default: return _Pycs_Delegate(api->state->type_doc, self);
    }
}

_Pycs_PRIVATE int
_Pycs_set(_Pycs_API *api, PyObject *self, int what, PyObject *value)
{
    PyObject *descriptor = what == _Pycs_GET_MODULE ? api->state->type_module : api->state->type_doc;
    switch (what) {
    case _Pycs_GET_BASES: return _Pycs_set_bases(api, self, value);
    case _Pycs_GET_FIELDS:
        return _Pycs_set_values_of_class(api, self, value);
    default: return Py_TYPE(descriptor)->tp_descr_set(descriptor, self, value);
    }
}

_Pycs_PRIVATE int
_Pycs_meta_init(_Pycs_API *api, PyObject *self, PyObject *args, PyObject *kwargs)
{
    if (PyType_Type.tp_init(self, args, kwargs) < 0) return -1;
    if (api != NULL) _Pycs_MendMetaclass((PyTypeObject *)self);
    return 0;
}

#define _Pycs_IS_NAME(name, text) \
    (PyUnicode_GET_LENGTH(name) == (Py_ssize_t)sizeof(text) - 1 && PyUnicode_CompareWithASCIIString(name, text) == 0)

_Pycs_PRIVATE PyObject *
_Pycs_meta_getattro(_Pycs_API *api, PyObject *self, PyObject *name)
{
    PyObject *place;
    int is_module;

    if (api == NULL || !PyUnicode_Check(name)) return PyType_Type.tp_getattro(self, name);
    is_module = _Pycs_IS_NAME(name, "__module__");
    if (is_module || _Pycs_IS_NAME(name, "__qualname__")) {
        place = _Pycs_FieldPlace(api, self, is_module);
        if (place != NULL || PyErr_Occurred()) return place;
    }
    else if (!_Pycs_IS_NAME(name, "__doc__")) return PyType_Type.tp_getattro(self, name);
    return _Pycs_OwnAttribute(api, self, name);
}

_Pycs_PRIVATE PyObject *
_Pycs_meta_repr(_Pycs_API *api, PyObject *self)
{
    PyObject *attribute = PyUnicode_FromString("__qualname__");
    PyObject *name = NULL, *module = NULL, *result = NULL;

    if (attribute == NULL || !(name = PyType_Type.tp_getattro(self, attribute))) goto done;
    module = api != NULL ? _Pycs_OwnAttribute(api, self, api->state->name_module)
                         : PyObject_GetAttrString(self, "__module__");
    if (module == NULL) {
        if (!PyErr_ExceptionMatches(PyExc_AttributeError)) goto done;
        PyErr_Clear();
    }
    if (module != NULL && PyUnicode_Check(module)) {
        result = PyUnicode_FromFormat("<class '%U.%U'>", module, name);
    }
    else {
        result = PyUnicode_FromFormat("<class '%s'>", ((PyTypeObject *)self)->tp_name);
    }
done:
    _Pycs_XDECREF_ALL(attribute, module, name);
    return result;
}

_Pycs_PRIVATE void
_Pycs_meta_dealloc(_Pycs_API *api, PyObject *self)
{
    PyTypeObject *meta = Py_TYPE(self);
    const int is_root = api != NULL && self == (PyObject *)api->metaclass;
    PyType_Type.tp_dealloc(self);
    if (is_root) _Pycs_FreeAPI(api);
    if (meta->tp_flags & Py_TPFLAGS_HEAPTYPE) Py_DECREF((PyObject *)meta);
}

_Pycs_PRIVATE int
_Pycs_meta_traverse(_Pycs_API *api, PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT((PyObject *)Py_TYPE(self));
    if (api != NULL && self == (PyObject *)api->metaclass) {
        Py_VISIT((PyObject *)api->state->interface_meta);
        Py_VISIT((PyObject *)api->state->interface_method);
    }
    return PyType_Type.tp_traverse(self, visit, arg);
}

static int
_Pycs_ChangeLocked(_Pycs_API *api, PyTypeObject *type, const _Pycs_FieldEntry *field,
                   _Pycs_Value *value, _Pycs_Refresh *refresh)
{

    const PyTypeObject *const deleted = value == NULL ? type : NULL;
    char ignored = 0, *const mark = type != NULL ? _Pycs_MarkOf(api, type, field, NULL) : &ignored, before = *mark;
    Py_ssize_t i;
    int status = 0;
    _Pycs_ASSERT_LOCKED(api);

    if (value != NULL) *mark = _Pycs_SET;
    for (i = 0; status == 0 && i < refresh->count; i++) {
        _Pycs_Pending *entry = &refresh->pending[i];
        PyTypeObject *source;
        if (entry->mro == NULL
                || (entry->type == type ? value != NULL : !_Pycs_HasBytesOf(entry->type, field->list)
                                                          || !_Pycs_InheritsField(api, entry->type, field))) continue;
        source = _Pycs_SourceOfField(api, deleted, entry->mro, field);
        status = _Pycs_AddCopy(&entry->values, field, entry->type != type ? _Pycs_FieldAt(entry->type, field) : NULL,
                               value != NULL && source == type ? value->bytes : _Pycs_FieldAt(source, field));
    }
    if (status < 0) {
        *mark = before;
        return -1;
    }

    for (i = 0; i < refresh->count; i++) {
        _Pycs_PutValues(api, refresh->pending[i].type, refresh->pending[i].values, 0);
    }
    _Pycs_PutValues(api, type, value, _Pycs_SET);
    _Pycs_STORE(uintptr_t, &api->state->generation, api->state->generation + 1);
    return 0;
}

_Pycs_PRIVATE int
_Pycs_ChangeField(_Pycs_API *api, PyTypeObject *type, const _Pycs_FieldEntry *field, _Pycs_Value *value)
{
    _Pycs_Refresh refresh;
    int alone, status = 0;

    _Pycs_Lock(api);
    alone = value != NULL && type != NULL && _Pycs_LOAD(void *, &type->tp_subclasses) == NULL;
    if (alone) {
        _Pycs_PutValues(api, type, value, _Pycs_SET);
        _Pycs_STORE(uintptr_t, &api->state->generation, api->state->generation + 1);
    }
    _Pycs_Unlock(api);
    if (!alone) {
        _Pycs_RefreshEnter(api, &refresh, type != NULL ? type : &PyBaseObject_Type, NULL, _Pycs_FIELD);
        if ((status = _Pycs_LockAsLooked(api, &refresh, 0, 0)) == 0) {
            status = _Pycs_ChangeLocked(api, type, field, value, &refresh);
            _Pycs_Unlock(api);
        }
        _Pycs_RefreshDiscard(api, &refresh);
    }
    _Pycs_FreeValues(&value);
    return status;
}

static PyTypeObject *
_Pycs_MetaclassFor(_Pycs_API *api, PyTypeObject **type)
{
    PyTypeObject *const given = *type;
    const char *wrong = NULL;
    if (_Pycs_CheckClass("fields", given) < 0) return NULL;
    if (_Pycs_FindFieldList(api, given) != NULL) {
        *type = NULL;
        return given;
    }
    if (_Pycs_APIOf(Py_TYPE(given)) != api) {
        wrong = "whose metaclass does not derive from extensibletype";
    }
    else if (!_Pycs_HasMemory(given)) {
        wrong = "that is static and was made without this library, so that it has no memory "
                "for them";
    }
    else if (!(PyType_GetFlags(given) & Py_TPFLAGS_READY)) {
        wrong = "that is not ready";
    }
    if (wrong == NULL) return Py_TYPE(given);
    PyErr_Format(PyExc_TypeError,
                 "fields of '%.200s': found a class (metaclass '%.200s') %s; expected a "
                 "finished class that has C fields, or a metaclass that adds some", given->tp_name,
                 Py_TYPE(given)->tp_name, wrong);
    return NULL;
}

#define _Pycs_EACH_FIELD_OF(field, api, metaclass, type) \
    _Pycs_EACH_FIELD(field, api, metaclass) if (type != NULL || field->list->metaclass == metaclass)

static _Pycs_FieldEntry *
_Pycs_FindField(_Pycs_API *api, PyTypeObject **type, Py_ssize_t offset, Py_ssize_t size)
{
    PyTypeObject *const given = *type, *const metaclass = _Pycs_MetaclassFor(api, type);
    _Pycs_FieldEntry *field;

    if (metaclass == NULL) return NULL;
    _Pycs_EACH_FIELD_OF(field, api, metaclass, *type) {
        const Py_ssize_t begin = field->def.offset, end = begin + field->def.size;
        if (offset < begin || offset >= end) continue;
        if (size < 0 || (offset == begin && size == end - begin)) return field;
        if (field->def.type == PyExtensibleType_OPAQUE && field->kind != _Pycs_HOOKS
                && size > 0 && size <= end - offset) return field;
        PyErr_Format(PyExc_ValueError,
                     "fields of '%.200s': %zd bytes from byte %zd on are not one value; field "
                     "'%.100s' has bytes %zd to %zd", given->tp_name, size, offset,
                     field->def.name != NULL ? field->def.name : "(not described)", begin, end);
        return NULL;
    }
    PyErr_Format(PyExc_ValueError,
                 "fields of '%.200s': no field of metaclass '%.200s' has byte %zd; pass "
                 "offsetof(the metaclass's struct, the field), and register the metaclass's "
                 "fields first", given->tp_name, metaclass->tp_name, offset);
    return NULL;
}

static int
_Pycs_RefuseDefault(const PyTypeObject *metaclass, const char *what)
{
    PyErr_Format(PyExc_TypeError, "fields of '%.200s': found a metaclass, expected a class, to %s; the default that "
                 "a metaclass has for its classes can be set only", metaclass->tp_name, what);
    return -1;
}

_Pycs_PRIVATE int
_Pycs_set_field(_Pycs_API *api, PyTypeObject *type, Py_ssize_t offset, const void *value, Py_ssize_t size)
{
    PyTypeObject *target = type;

    _Pycs_FieldEntry *field = _Pycs_FindField(api, &target, offset, size < 0 ? 0 : size);
    _Pycs_Value *made;
    char *bytes;
    int status = 0;

    if (field == NULL || (target != NULL && _Pycs_FinishType(api, target) < 0)) return -1;
    if (value == NULL || (field->kind == _Pycs_REFERENCE && *(PyObject *const *)value == NULL)) {
        return _Pycs_Deny(PyExc_ValueError, "fields of '%.200s': found NULL as the %s, expected a value; a value is "
                          "removed by PyExtensibleType_DeleteField()", type->tp_name,
                          value == NULL ? "address of a value" : "object");
    }
    if (!(made = _Pycs_NewValue(field, NULL))) return -1;
    bytes = made->bytes;
    _Pycs_Lock(api);
    if (size == field->def.size) {
        status = _Pycs_CopyValue(field, bytes, (const char *)value);
    }
    else {
        memcpy(bytes, _Pycs_FieldAt(target, field), (size_t)field->def.size);
        memcpy(bytes + (offset - field->def.offset), value, (size_t)size);
    }
    _Pycs_Unlock(api);
    if (status < 0) {
        PyMem_RawFree(made);
        return -1;
    }
    return _Pycs_ChangeField(api, target, field, made);
}

static int
_Pycs_ExpectFinished(_Pycs_API *api, PyTypeObject *type, const _Pycs_FieldEntry *field)
{
    if (_Pycs_HasTable(type)) return 0;
    if (_Pycs_HasMemory(type)) return _Pycs_FinishType(api, type);
    return _Pycs_Deny(PyExc_AttributeError, "class '%.200s' has no memory for field '%s' of metaclass '%.200s': it is "
                      "a static type that was made without this library", type->tp_name, field->def.name,
                      field->list->metaclass->tp_name);
}

static int
_Pycs_DeleteEntry(_Pycs_API *api, PyTypeObject *type, _Pycs_FieldEntry *field)
{
    if (_Pycs_ExpectFinished(api, type, field) < 0) return -1;
    if (!_Pycs_IsOwn(api, type, field)) {
        return _Pycs_Deny(PyExc_AttributeError, "class '%.200s' has no value of its own for field '%.100s', it "
                          "inherits it", type->tp_name, field->def.name != NULL ? field->def.name : "(not described)");
    }
    return _Pycs_ChangeField(api, type, field, NULL);
}

_Pycs_PRIVATE int
_Pycs_delete_field(_Pycs_API *api, PyTypeObject *type, Py_ssize_t offset)
{
    PyTypeObject *target = type;
    _Pycs_FieldEntry *field = _Pycs_FindField(api, &target, offset, -1);
    if (field == NULL) return -1;
    if (target == NULL) return _Pycs_RefuseDefault(type, "delete a value of its own");
    return _Pycs_DeleteEntry(api, target, field);
}

_Pycs_PRIVATE int
_Pycs_mark_fields(_Pycs_API *api, PyTypeObject *type, const Py_ssize_t *offsets, Py_ssize_t count)
{
    PyTypeObject *target = type;
    Py_ssize_t i;
    int found;

    if (_Pycs_MetaclassFor(api, &target) == NULL) return -1;
    if (target == NULL) return _Pycs_RefuseDefault(type, "mark values that it set");

    if (count < 0 || count > Py_TYPE(type)->tp_basicsize || (count > 0 && offsets == NULL)) {
        return _Pycs_Deny(PyExc_ValueError, "fields of '%.200s': found %zd offsets at address %p, expected a count of "
                          "0 to %zd, the size of the type object, and, unless it is 0, an array", type->tp_name, count,
                          (const void *)offsets, Py_TYPE(type)->tp_basicsize);
    }
    for (found = 0; found < 2; found++) {
        for (i = 0; i < count; i++) {
            const _Pycs_FieldEntry *field = _Pycs_FindField(api, &target, offsets[i], -1);
            if (field == NULL) return -1;
            _Pycs_Lock(api);
            if (found) *_Pycs_MarkOf(api, type, field, NULL) = _Pycs_SET;
            _Pycs_Unlock(api);
        }
    }
    return 0;
}

_Pycs_PRIVATE int
_Pycs_SetEntry(_Pycs_API *api, PyTypeObject *type, _Pycs_FieldEntry *field, PyObject *value)
{
    _Pycs_Value *made;

    if (value == NULL) return _Pycs_DeleteEntry(api, type, field);
    if (type != NULL && _Pycs_ExpectFinished(api, type, field) < 0) return -1;
    made = _Pycs_Convert((type != NULL ? type : field->list->metaclass)->tp_name, field, value);
    return made != NULL ? _Pycs_ChangeField(api, type, field, made) : -1;
}

_Pycs_PRIVATE int
_Pycs_set_field_object(_Pycs_API *api, PyTypeObject *type, PyObject *name, PyObject *value)
{
    PyTypeObject *target = type, *const metaclass = _Pycs_MetaclassFor(api, &target);
    _Pycs_FieldEntry *field;
    PyObject *shown;

    if (metaclass == NULL) return -1;
    if (target == NULL && value == NULL) return _Pycs_RefuseDefault(type, "delete a value of its own");
    if (name == NULL || !PyUnicode_Check(name)) {
        return _Pycs_Deny(PyExc_TypeError, "fields of '%.200s': found %.200s as the name, expected a str",
                          type->tp_name, name == NULL ? "NULL" : Py_TYPE(name)->tp_name);
    }
    _Pycs_EACH_FIELD_OF(field, api, metaclass, target) {
        if (!(field->def.flags & PyExtensibleType_WRITABLE) || PyUnicode_Compare(field->name, name) != 0
                || _Pycs_IsHidden(api, metaclass, field)) continue;
        return _Pycs_SetEntry(api, target, field, value);
    }
    if (!PyErr_Occurred() && (shown = _Pycs_Repr(name)) != NULL) {
        PyErr_Format(PyExc_AttributeError,
                     "class '%.200s' has no C field %U that Python may set; its metaclass "
                     "'%.200s' must declare it so", type->tp_name, shown, metaclass->tp_name);
        Py_DECREF(shown);
    }
    return -1;
}

_Pycs_PRIVATE PyObject *
_Pycs_field_get(_Pycs_API *api, PyObject *self, void *closure)
{
    _Pycs_FieldEntry *field = (_Pycs_FieldEntry *)closure;
    PyTypeObject *type = (PyTypeObject *)self;

    if (_Pycs_ExpectFinished(api, type, field) < 0) return NULL;
    if (!(field->def.flags & PyExtensibleType_READABLE)) {
        return PyErr_Format(PyExc_AttributeError, "field '%s' of class '%.200s' cannot be read from "
                            "Python, only set", field->def.name, type->tp_name);
    }
    return _Pycs_ReadField(api, type, field);
}

_Pycs_PRIVATE int
_Pycs_field_set(_Pycs_API *api, PyObject *self, PyObject *value, void *closure)
{
    _Pycs_FieldEntry *field = (_Pycs_FieldEntry *)closure;
    PyTypeObject *type = (PyTypeObject *)self;

    if (!(field->def.flags & PyExtensibleType_WRITABLE)) {
        return _Pycs_Deny(PyExc_AttributeError, "field '%s' of class '%.200s' is read-only",
                          field->def.name, type->tp_name);
    }
    return _Pycs_SetEntry(api, type, field, value);
}

#if defined(__OPTIMIZE__) && !defined(__OPTIMIZE_SIZE__) && defined(__GNUC__) && !defined(__clang__)
#  pragma GCC push_options
#  pragma GCC optimize("O1")
#endif
static Py_ssize_t
_Pycs_SizeOfCode(int code)
{
    switch (code) {
    case PyExtensibleType_OBJECT: return (Py_ssize_t)sizeof(PyObject *);
    case 0:  return (Py_ssize_t)sizeof(short);
    case 1:  return (Py_ssize_t)sizeof(int);
    case 2:  return (Py_ssize_t)sizeof(long);
    case 3:  return (Py_ssize_t)sizeof(float);
    case 4:  return (Py_ssize_t)sizeof(double);
    case 7: case 8: case 9: case 14: return 1;
    case 10: return (Py_ssize_t)sizeof(unsigned short);
    case 11: return (Py_ssize_t)sizeof(unsigned int);
    case 12: return (Py_ssize_t)sizeof(unsigned long);
    case 17: return (Py_ssize_t)sizeof(long long);
    case 18: return (Py_ssize_t)sizeof(unsigned long long);
    case 19: return (Py_ssize_t)sizeof(Py_ssize_t);
    default: return 0;
    }
}

#define _Pycs_KNOWN_FLAGS \
    ((unsigned)(PyExtensibleType_READABLE | PyExtensibleType_WRITABLE | PyExtensibleType_KEEP))

static int
_Pycs_CheckField(PyTypeObject *metaclass, const PyExtensibleType_Field *field, Py_ssize_t index)
{
    const Py_ssize_t start = metaclass->tp_base->tp_basicsize, end = metaclass->tp_basicsize;
    const Py_ssize_t needed = _Pycs_SizeOfCode(field->type);
    const int hooks = (field->create != NULL) + (field->copy != NULL) + (field->move != NULL)
                      + (field->destroy != NULL);
    const char *name = field->name != NULL ? field->name : "?", *wrong = NULL;

    if (field->name == NULL || field->name[0] == 0) wrong = "it has no name, expected one";
    else if (field->size <= 0 || field->offset < start || field->offset > end - field->size) {
        return _Pycs_Deny(PyExc_ValueError, "field %zd ('%.100s') of metaclass '%.200s' covers bytes %zd to %zd, "
                          "expected bytes between %zd and %zd, what the metaclass adds to its base", index, name,
                          metaclass->tp_name, field->offset, field->offset + field->size, start, end);
    }
    else if (field->type != PyExtensibleType_OPAQUE && needed == 0) {
        wrong = "its type is unknown, expected OPAQUE, OBJECT or the Py_T_* code of a number";
    }
    else if (needed != 0 && needed != field->size) {
        wrong = "its size is not that of its type; use sizeof on the member of the struct";
    }
    else if (field->type == PyExtensibleType_OBJECT && (size_t)field->offset % sizeof(PyObject *) != 0) {
        wrong = "an OBJECT must be aligned";
    }
    else if (hooks != 0 && (hooks != 4 || field->type != PyExtensibleType_OPAQUE)) {
        wrong = "expected all of create, copy, move and destroy, and the type OPAQUE, or none";
    }
    else if (field->type == PyExtensibleType_OPAQUE
             && (((field->flags & PyExtensibleType_READABLE) && field->to_object == NULL)
                 || ((field->flags & PyExtensibleType_WRITABLE) && field->from_object == NULL))) {
        wrong = "Python cannot see an OPAQUE field without to_object (READABLE) and "
                "from_object (WRITABLE)";
    }
    if (wrong != NULL) {
        return _Pycs_Deny(PyExc_ValueError, "field %zd ('%.100s') of metaclass '%.200s': %s",
                          index, name, metaclass->tp_name, wrong);
    }
    return 0;
}

static int
_Pycs_ByOffset(const void *a, const void *b)
{
    Py_ssize_t x = ((const _Pycs_FieldEntry *)a)->def.offset;
    Py_ssize_t y = ((const _Pycs_FieldEntry *)b)->def.offset;
    return (x > y) - (x < y);
}

_Pycs_PRIVATE void
_Pycs_FreeFieldList(_Pycs_FieldList *list)
{
    Py_ssize_t i;
    for (i = 0; i < list->count; i++) {
        _Pycs_FieldEntry *field = &list->fields[i];
        char *value = _Pycs_FieldAt(NULL, field);
        Py_XDECREF(field->name);
        if (field->kind == _Pycs_HOOKS) field->def.destroy(value);
        else if (field->kind == _Pycs_REFERENCE) Py_XDECREF(*(PyObject **)(void *)value);
    }
    Py_XDECREF((PyObject *)list->metaclass);
    PyMem_RawFree(list->fields);
    PyMem_RawFree(list->block);
    PyMem_RawFree(list);
}

static int
_Pycs_DivideFieldList(_Pycs_API *api, _Pycs_FieldList *list, const PyExtensibleType_Field *fields, Py_ssize_t count)
{
    _Pycs_FieldEntry *entries = list->fields;
    Py_ssize_t i, n = count, at = list->offset;

    for (i = 0; i < count; i++) {
        memcpy((void *)&entries[i].def, (const void *)&fields[i], sizeof(entries[i].def));
    }
    qsort(entries, (size_t)count, sizeof(*entries), _Pycs_ByOffset);
    for (i = 0; i <= count; i++) {
        const Py_ssize_t next = i < count ? entries[i].def.offset : list->offset + list->size;
        if (next < at) {
            return _Pycs_Deny(PyExc_ValueError, "fields '%.100s' and '%.100s' of metaclass '%.200s' overlap",
                              entries[i - 1].def.name, entries[i].def.name, list->metaclass->tp_name);
        }
        if (next > at) {
            entries[n].def.type = PyExtensibleType_OPAQUE;
            entries[n].def.offset = at;
            entries[n++].def.size = next - at;
        }
        if (i < count) at = next + entries[i].def.size;
    }
    qsort(entries, (size_t)n, sizeof(*entries), _Pycs_ByOffset);
    for (i = 0; i < n; i++) {
        _Pycs_FieldEntry *field = &entries[i];
        char *value;
        field->api = api;
        field->list = list;
        list->count++;
        value = _Pycs_FieldAt(NULL, field);
        if ((field->def.flags & (PyExtensibleType_READABLE | PyExtensibleType_WRITABLE))
                && !(field->name = PyUnicode_InternFromString(field->def.name))) return -1;
        if (field->def.type == PyExtensibleType_OBJECT) {
            field->kind = _Pycs_REFERENCE;
            *(PyObject **)(void *)value = Py_NewRef(Py_None);
        }
        else if (field->def.copy != NULL) {
            if (field->def.create(value) < 0) return -1;
            field->kind = _Pycs_HOOKS;
            list->hooked++;
        }
        if (field->name != NULL) list->named++;
        if (i + 1 < n) field->next = field + 1;
    }
    return 0;
}

static _Pycs_FieldList *
_Pycs_NewFieldList(_Pycs_API *api, PyTypeObject *metaclass, const PyExtensibleType_Field *fields, Py_ssize_t count)
{
    _Pycs_FieldList *list;
    const Py_ssize_t offset = metaclass->tp_base->tp_basicsize;
    const Py_ssize_t size = metaclass->tp_basicsize - offset;
    Py_ssize_t i;

    if (size < 0) {
        PyErr_Format(PyExc_ValueError,
                     "metaclass '%.200s' has basic size %zd, smaller than the %zd of its "
                     "base '%.200s'", metaclass->tp_name, metaclass->tp_basicsize, offset,
                     metaclass->tp_base->tp_name);
        return NULL;
    }
    for (i = 0; i < count; i++) {
        if (_Pycs_CheckField(metaclass, &fields[i], i) < 0) return NULL;
    }
    if (!(list = (_Pycs_FieldList *)_Pycs_NewBlock(sizeof(*list)))) return NULL;
    Py_INCREF((PyObject *)metaclass);
    list->metaclass = metaclass;
    list->offset = offset;
    list->size = size;
    list->block = (char *)PyMem_RawCalloc(1, (size_t)size + 16);
    list->defaults = list->block + (size_t)offset % 16;
    list->fields = (_Pycs_FieldEntry *)PyMem_RawCalloc(2 * (size_t)count + 1, sizeof(_Pycs_FieldEntry));
    if (list->block == NULL || list->fields == NULL) PyErr_NoMemory();
    else if (_Pycs_DivideFieldList(api, list, fields, count) == 0) return list;
    _Pycs_FreeFieldList(list);
    return NULL;
}

static int
_Pycs_ExpectNoObjects(PyTypeObject *metaclass)
{
    const Py_ssize_t word = (Py_ssize_t)sizeof(PyObject *), end = metaclass->tp_basicsize - word;
    Py_ssize_t at = (metaclass->tp_base->tp_basicsize + word - 1) / word * word;
    const allocfunc alloc = metaclass->tp_alloc;
    const char *name = strrchr(metaclass->tp_name, '.');
    PyObject *args, *made;

    if (metaclass->tp_new == NULL || metaclass->tp_new == PyType_Type.tp_new || at > end) return 0;
    if (!(args = Py_BuildValue("(s(){})", "plain"))) return -1;
    metaclass->tp_alloc = PyType_GenericAlloc;
    made = metaclass->tp_new(metaclass, args, NULL);
    metaclass->tp_alloc = alloc;
    Py_DECREF(args);
    if (made == NULL) return -1;
    while (at <= end && *(PyObject **)(void *)((char *)made + at) != Py_None) at += word;
    Py_DECREF(made);
    if (at > end) return 0;
    name = name != NULL ? name + 1 : metaclass->tp_name;
    return _Pycs_Deny(PyExc_TypeError,
                      "metaclass '%.200s': found a Python object at offset %zd, which nobody described, expected C "
                      "data; compile its module with cython-customslots, which describes fields, or write in place of "
                      "inherit_fields(%.200s): PyExtensibleType_RegisterFields(%.200s, fields, 1), with fields[0] = "
                      "{\"NAME\", %zd, sizeof(PyObject *), PyExtensibleType_OBJECT}",
                      metaclass->tp_name, at, name, name, at);
}

static int
_Pycs_PutDescriptors(_Pycs_API *api, _Pycs_FieldList *list)
{
    PyObject *dict = list->metaclass->tp_dict, *descriptor;
    PyObject **former = (PyObject **)_Pycs_NewBlock(((size_t)list->count + 1) * sizeof(PyObject *));
    Py_ssize_t i;
    int status = 0;

    if (former == NULL) return -1;
    for (i = 0; status == 0 && i < list->count; i++) {
        _Pycs_FieldEntry *field = &list->fields[i];
        if (field->name == NULL) continue;
        field->getset.name = field->def.name;
        field->getset.get = api->state->field_get;
        field->getset.set = api->state->field_set;
        field->getset.doc = field->def.doc;
        field->getset.closure = field;
        descriptor = PyDescr_NewGetSet(list->metaclass, &field->getset);
        if (descriptor == NULL || _Pycs_LookUp(dict, field->name, &former[i]) < 0
                || PyDict_SetItem(dict, field->name, descriptor) < 0) status = -1;
        Py_XDECREF(descriptor);
    }
    if (status < 0) {
        PyObject *type, *value, *traceback;
        PyErr_Fetch(&type, &value, &traceback);
        for (i -= 2; i >= 0; i--) {
            PyObject *name = list->fields[i].name;
            if (name == NULL) continue;
            if (former[i] != NULL) (void)PyDict_SetItem(dict, name, former[i]);
            else (void)PyDict_DelItem(dict, name);
        }
        PyErr_Restore(type, value, traceback);
    }
    for (i = 0; i < list->count; i++) Py_XDECREF(former[i]);
    PyMem_RawFree(former);
    PyType_Modified(list->metaclass);
    return status;
}

static void
_Pycs_ContinueAbove(_Pycs_API *api, _Pycs_FieldList *list)
{
    if (list->count == 0) return;
    _Pycs_STORE(_Pycs_FieldEntry *, &list->fields[list->count - 1].next,
                _Pycs_FirstField(api, list->metaclass->tp_base));
}

static int
_Pycs_LinkFieldList(_Pycs_API *api, _Pycs_FieldList *list)
{
    int is_new;
    _Pycs_Lock(api);
    if ((is_new = _Pycs_FindFieldList(api, list->metaclass) == NULL)) {
        api->state->hooked += list->hooked;
        api->state->named += list->named;
        list->next = api->state->field_lists;
        _Pycs_ContinueAbove(api, list);
        _Pycs_STORE(_Pycs_FieldList *, &api->state->field_lists, list);

        while ((list = list->next)) _Pycs_ContinueAbove(api, list);
    }
    _Pycs_Unlock(api);
    return is_new;
}

static int
_Pycs_AddFieldList(_Pycs_API *api, PyTypeObject *metaclass, const PyExtensibleType_Field *fields, Py_ssize_t count)
{
    PyTypeObject *root = api->metaclass;
    _Pycs_FieldList *list = NULL;
    const _Pycs_FieldEntry *field;
    int status = -1;

    if (!PyType_IsSubtype(metaclass, root) || metaclass->tp_base == NULL) {
        return _Pycs_Deny(PyExc_TypeError, "C fields can be inherited for a metaclass derived from %.200s; found "
                          "'%.200s', which is not", root->tp_name, metaclass->tp_name);
    }
    if (metaclass == root || _Pycs_FindFieldList(api, metaclass) != NULL) return 0;
    if (fields == NULL && _Pycs_ExpectNoObjects(metaclass) < 0) return -1;
    if (!(list = _Pycs_NewFieldList(api, metaclass, fields, count))) goto done;
    if (_Pycs_PutDescriptors(api, list) < 0) goto done;
    _Pycs_MendMetaclass(metaclass);

    metaclass->tp_new = PyType_Type.tp_new;
    if (_Pycs_LinkFieldList(api, list)) list = NULL;

    _Pycs_EACH_FIELD(field, api, metaclass) {
        if (field->kind == _Pycs_BYTES) continue;
        metaclass->tp_dealloc = root->tp_dealloc;
        metaclass->tp_traverse = root->tp_traverse;
        metaclass->tp_clear = root->tp_clear;
    }
    status = 0;
done:
    if (list != NULL) _Pycs_FreeFieldList(list);
    return status;
}

static int
_Pycs_HasNewInC(_Pycs_API *api, PyTypeObject *metaclass)
{
    PyObject *found = metaclass->tp_dict == NULL ? NULL
                      : PyDict_GetItemWithError(metaclass->tp_dict, api->state->name_new);
    return found != NULL ? PyCFunction_Check(found) : -1;
}

static int
_Pycs_ExpectRegistered(_Pycs_API *api, PyTypeObject *metaclass)
{
    const _Pycs_FieldEntry *above;
    for (; metaclass != api->metaclass && (above = _Pycs_FirstField(api, metaclass)) != NULL;
         metaclass = metaclass->tp_base) {
        const char *name = strrchr(metaclass->tp_name, '.');
        if (_Pycs_FindFieldList(api, metaclass) != NULL || metaclass->tp_new == PyType_Type.tp_new
                || _Pycs_HasNewInC(api, metaclass) != 1) continue;
        return _Pycs_Deny(PyExc_TypeError, "metaclass '%.200s': found that its fields were not registered, and it "
                          "derives from '%.200s', whose fields are; expected inherit_fields(%.200s) behind its class "
                          "statement", metaclass->tp_name, above->list->metaclass->tp_name,
                          name != NULL ? name + 1 : metaclass->tp_name);
    }
    return 0;
}

_Pycs_PRIVATE int
_Pycs_Adopt(_Pycs_API *api, PyTypeObject *metaclass)
{
    PyObject *mro;
    Py_ssize_t i;
    int in_c = -1;

    _Pycs_MendMetaclass(metaclass);
    if (metaclass->tp_new == PyType_Type.tp_new) return 0;
    if (_Pycs_ExpectRegistered(api, metaclass) < 0) return -1;

    mro = _Pycs_FetchMro(api, metaclass);
    for (i = 0; mro != NULL && in_c < 0 && i < PyTuple_GET_SIZE(mro); i++) {
        PyTypeObject *item = (PyTypeObject *)PyTuple_GET_ITEM(mro, i);
        in_c = _Pycs_HasNewInC(api, item);
        if (in_c > 0 && item->tp_new == PyType_Type.tp_new) metaclass->tp_new = item->tp_new;
    }
    Py_XDECREF(mro);
    return 0;
}

_Pycs_PRIVATE int
_Pycs_inherit_fields(_Pycs_API *api, PyTypeObject *metaclass)
{
    if (_Pycs_CheckReady("inherit_fields", metaclass) < 0) return -1;
    return _Pycs_AddFieldList(api, metaclass, NULL, 0);
}

#define _Pycs_FIRST_FIELD ((Py_ssize_t)sizeof(_Pycs_FieldDef))
#define _Pycs_LONGEST_FIELD ((Py_ssize_t)4096)
static PyExtensibleType_Field *
_Pycs_Stride(PyTypeObject *metaclass, const void *fields, Py_ssize_t count, Py_ssize_t field_size)
{
    const Py_ssize_t ours = (Py_ssize_t)sizeof(PyExtensibleType_Field);
    PyExtensibleType_Field *whole = (PyExtensibleType_Field *)_Pycs_NewBlock(((size_t)count + 1) * sizeof(*whole));
    Py_ssize_t i, k;

    if (whole == NULL) return NULL;
    for (i = 0; i < count; i++) {
        const char *field = (const char *)fields + i * field_size;
        memcpy((void *)&whole[i], field, (size_t)(field_size < ours ? field_size : ours));
        for (k = ours; k < field_size && field[k] == 0; k++) { }
        if (k >= field_size && (whole[i].flags & ~_Pycs_KNOWN_FLAGS) == 0) continue;
        PyErr_Format(PyExc_NotImplementedError,
                     "field %zd ('%.100s') of metaclass '%.200s': found a description of %zd bytes with flags %u, "
                     "expected nothing in bytes after %zd and no flags but %u, which this implementation knows; "
                     "install the cython-customslots that the module of the metaclass was built with, or "
                     "a later one", i, whole[i].name != NULL ? whole[i].name : "?",
                     metaclass->tp_name, field_size, whole[i].flags, ours, _Pycs_KNOWN_FLAGS);
        PyMem_RawFree(whole);
        return NULL;
    }
    return whole;
}

_Pycs_PRIVATE int
_Pycs_register_fields(_Pycs_API *api, PyTypeObject *metaclass,
                      const PyExtensibleType_Field *fields, Py_ssize_t count,
                      Py_ssize_t field_size)
{
    PyExtensibleType_Field *whole;
    int status;

    if (_Pycs_CheckReady("register_fields", metaclass) < 0) return -1;

    if (count < 0 || count > metaclass->tp_basicsize || (count > 0 && fields == NULL)
            || field_size < _Pycs_FIRST_FIELD || field_size > _Pycs_LONGEST_FIELD) {
        return _Pycs_Deny(PyExc_ValueError, "fields of metaclass '%.200s': found %zd descriptions of %zd bytes at "
                          "address %p, expected a count of 0 to %zd, the size of a type object, an array unless it is "
                          "0, and %zd to %zd bytes; pass sizeof(PyExtensibleType_Field)", metaclass->tp_name, count,
                          field_size, (const void *)fields, metaclass->tp_basicsize, _Pycs_FIRST_FIELD,
                          _Pycs_LONGEST_FIELD);
    }
    if (!(whole = _Pycs_Stride(metaclass, fields, count, field_size))) return -1;
    status = _Pycs_AddFieldList(api, metaclass, whole, count);
    PyMem_RawFree(whole);
    return status;
}

_Pycs_PRIVATE void
_Pycs_MendMetaclass(PyTypeObject *metaclass)
{
    PyTypeObject *root = _Pycs_RootOf(metaclass);
    if (metaclass->tp_alloc == PyType_GenericAlloc) metaclass->tp_alloc = root->tp_alloc;
    if (Py_TYPE(metaclass) == &PyType_Type) {
        if (metaclass->tp_flags & Py_TPFLAGS_HEAPTYPE) Py_INCREF((PyObject *)Py_TYPE(root));
        Py_SET_TYPE((PyObject *)metaclass, Py_TYPE(root));
    }
}

_Pycs_PRIVATE PyTypeObject *
_Pycs_calculate_metaclass(_Pycs_API *api, PyTypeObject *wanted, PyTypeObject *base, PyObject *bases)
{
    PyTypeObject *winner = wanted != NULL ? wanted : api->metaclass;
    const _Pycs_API *owner;
    Py_ssize_t i, n;

    if (_Pycs_CheckReady("metaclass", winner) < 0) return NULL;
    if (_Pycs_CheckBases("metaclass", NULL, base, bases) < 0) return NULL;
    n = bases != NULL ? PyTuple_GET_SIZE(bases) : base != NULL;
    if ((owner = _Pycs_APIOf(winner)) != NULL && owner != api) {
        (void)_Pycs_RefuseForeign(owner, PyExc_ImportError, "the metaclass", winner);
        return NULL;
    }
    if (owner == NULL) {
        PyErr_Format(PyExc_TypeError,
                     "metaclass '%.200s' does not derive from %.200s; derive it from what PyExtensibleType_Import() "
                     "returns, in Cython 'cdef class %.200s(extensibletype)', or give its classes slots by "
                     "PyCustomSlots_Register()", winner->tp_name, api->metaclass->tp_name, winner->tp_name);
        return NULL;
    }
    for (i = 0; i < n; i++) {
        PyObject *b = bases != NULL ? PyTuple_GET_ITEM(bases, i) : (PyObject *)base;
        PyTypeObject *other = Py_TYPE(b);
        if (other == winner || PyType_IsSubtype(winner, other)) continue;
        if ((owner = _Pycs_APIOf(other)) != NULL && owner != api) {
            (void)_Pycs_RefuseForeign(owner, PyExc_ImportError, "the base class", (PyTypeObject *)b);
            return NULL;
        }
        if (!PyType_IsSubtype(other, winner)) {
            PyErr_Format(PyExc_TypeError,
                         "metaclass conflict: '%.200s' is wanted, but base '%.200s' has "
                         "metaclass '%.200s', and neither derives from the other; use a "
                         "metaclass that derives from both, in Cython @customslots.extensible(metaclass=...) for the "
                         "one that is written in Python",
                         winner->tp_name, ((PyTypeObject *)b)->tp_name, other->tp_name);
            return NULL;
        }
        winner = other;
    }
    return _Pycs_Adopt(api, winner) < 0 ? NULL : winner;
}

_Pycs_PRIVATE int
_Pycs_AdoptNames(_Pycs_API *api, PyTypeObject *metaclass)
{
    PyObject *descriptor = PyDict_GetItemWithError(api->metaclass->tp_dict, api->state->name_module);
    if (descriptor == NULL) return -1;
    for (; metaclass != api->metaclass; metaclass = metaclass->tp_base) {
        PyObject *module;
        if (!(metaclass->tp_flags & Py_TPFLAGS_HEAPTYPE)) continue;
        module = PyDict_GetItemWithError(metaclass->tp_dict, api->state->name_module);
        if (module == NULL && PyErr_Occurred()) return -1;
        if (module == NULL || module == descriptor) continue;
        if (PyDict_SetItem(api->state->adopted_modules, (PyObject *)metaclass, module) < 0
                || PyDict_SetItem(metaclass->tp_dict, api->state->name_module, descriptor) < 0) {
            return -1;
        }
        PyType_Modified(metaclass);
    }
    return 0;
}

static PyObject *
_Pycs_TypeAttribute(const char *name)
{
    PyObject *dict = PyObject_GetAttrString((PyObject *)&PyType_Type, "__dict__");
    PyObject *value = dict != NULL ? PyMapping_GetItemString(dict, name) : NULL;
    Py_XDECREF(dict);
    return value;
}

#define _Pycs_OBJECTS(OBJECT) \
    OBJECT(type_bases, _Pycs_TypeAttribute("__bases__")) \
    OBJECT(type_module, _Pycs_TypeAttribute("__module__")) \
    OBJECT(type_doc, _Pycs_TypeAttribute("__doc__")) \
    OBJECT(type_subclasses, _Pycs_TypeAttribute("__subclasses__")) \
    OBJECT(type_mro, _Pycs_TypeAttribute("__mro__")) \
    OBJECT(type_dict, _Pycs_TypeAttribute("__dict__")) \
    OBJECT(name_module, PyUnicode_InternFromString("__module__")) \
    OBJECT(name_doc, PyUnicode_InternFromString("__doc__")) \
    OBJECT(name_new, PyUnicode_InternFromString("__new__")) \
    OBJECT(name_slots, PyUnicode_InternFromString("__slots__")) \
    OBJECT(name_fields, PyUnicode_InternFromString(_Pycs_FIELDS)) \
    OBJECT(name_interface, PyUnicode_InternFromString(_Pycs_INTERFACE)) \
    OBJECT(name_annotations, PyUnicode_InternFromString("__annotations__")) \
    OBJECT(name_annotate, PyUnicode_InternFromString("__annotate_func__")) \
    OBJECT(name_attrs, PyUnicode_InternFromString("__attrs_attrs__")) \
    OBJECT(metaclass_module, PyUnicode_FromString(_Pycs_MODULE)) \
    OBJECT(metaclass_doc, PyUnicode_FromString( \
        "The metaclass of types with custom slots and C fields (SEP 200).")) \
    OBJECT(adopted_modules, PyDict_New()) \
    OBJECT(texts, PyDict_New())
#define _Pycs_GET(member, made) && (state->member = made) != NULL
#define _Pycs_DROP(member, made) Py_CLEAR(state->member);
_Pycs_PRIVATE int
_Pycs_GetObjects(_Pycs_State *state)
{
    return 1 _Pycs_OBJECTS(_Pycs_GET) ? 0 : -1;
}

_Pycs_PRIVATE PyObject *
_Pycs_KeepInModule(const char *name, PyObject *made)
{
    PyObject *dict = made != NULL ? _Pycs_NeedStateDict("extensible types") : NULL;
    PyObject *module = dict != NULL ? PyMapping_GetItemString(dict, _Pycs_MODULE) : NULL;
    PyObject *kept = module == NULL ? NULL
                     : PyObject_CallMethod(PyModule_GetDict(module), "setdefault", "sO", name, made);
    Py_XDECREF(made);
    Py_XDECREF(module);
    return kept;
}

_Pycs_PRIVATE PyObject *
_Pycs_OwnAttribute(_Pycs_API *api, PyObject *self, PyObject *name)
{
    PyObject *value = NULL;
    int is_module;

    if (api == NULL || !PyUnicode_Check(name)) return PyType_Type.tp_getattro(self, name);
    is_module = PyUnicode_Compare(name, api->state->name_module) == 0;
    if (!is_module && PyUnicode_Compare(name, api->state->name_doc) != 0) return PyType_Type.tp_getattro(self, name);
    if (self == (PyObject *)api->metaclass) {
        value = is_module ? api->state->metaclass_module : api->state->metaclass_doc;
    }
    else if (is_module) {
        value = PyDict_GetItemWithError(api->state->adopted_modules, self);
        if (value == NULL && PyErr_Occurred()) return NULL;
    }
    if (value != NULL) return Py_NewRef(value);
    return _Pycs_Delegate(is_module ? api->state->type_module : api->state->type_doc, self);
}

_Pycs_PRIVATE void
_Pycs_FreeAPI(_Pycs_API *api)
{
    _Pycs_State *const state = api->state;
    while (state->field_lists != NULL) {
        _Pycs_FieldList *list = state->field_lists;
        state->field_lists = list->next;
        _Pycs_FreeFieldList(list);
    }
    _Pycs_OBJECTS(_Pycs_DROP)
    while (state->interfaces != NULL) {
        _Pycs_Declaration *declaration = state->interfaces;
        state->interfaces = declaration->next;
        PyMem_RawFree(declaration);
    }
    while (api->met != NULL) {
        _Pycs_Met *met = api->met;
        api->met = met->next;
        PyMem_RawFree(met);
    }
    PyMem_RawFree(state);
    PyMem_RawFree(api);
}

_Pycs_PRIVATE int
_Pycs_Deny(PyObject *error, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    (void)PyErr_FormatV(error, format, values);
    va_end(values);
    return -1;
}

static int
_Pycs_RefuseClass(const char *function, PyTypeObject *type)
{
    PyTypeObject *metaclass = type != NULL ? Py_TYPE((PyObject *)type) : NULL;
    if (type == NULL) return _Pycs_Deny(PyExc_TypeError, "%s: found NULL, expected a class", function);
    if (metaclass == NULL) {
        return _Pycs_Deny(PyExc_TypeError, "%s: found a type that is not ready, expected a class; call "
                          "PyType_Ready() for it before", function);
    }
    return _Pycs_Deny(PyExc_TypeError, "%s: found an object of type '%.200s', expected a class", function,
                      metaclass->tp_name);
}

_Pycs_PRIVATE int
_Pycs_CheckClass(const char *function, PyTypeObject *type)
{
    if (type != NULL && Py_TYPE((PyObject *)type) != NULL && PyType_Check((PyObject *)type)) return 0;
    return _Pycs_RefuseClass(function, type);
}

_Pycs_PRIVATE int
_Pycs_CheckReady(const char *function, PyTypeObject *type)
{
    if (_Pycs_CheckClass(function, type) < 0) return -1;
    if (PyType_GetFlags(type) & Py_TPFLAGS_READY) return 0;
    return _Pycs_Deny(PyExc_TypeError, "%s: found a type ('%.200s') that is not ready, expected a class; call "
                      "PyType_Ready() for it before", function, type->tp_name != NULL ? type->tp_name : "NULL");
}

_Pycs_PRIVATE int
_Pycs_CheckTypeObject(const char *function, PyTypeObject *type)
{

    if (type != NULL && (Py_TYPE((PyObject *)type) == NULL
                         || PyType_IsSubtype(Py_TYPE((PyObject *)type), &PyType_Type))) return 0;
    return _Pycs_RefuseClass(function, type);
}

_Pycs_PRIVATE int
_Pycs_CheckNamed(const char *function, PyTypeObject *type)
{
    if (_Pycs_CheckTypeObject(function, type) < 0) return -1;
    if (type->tp_name != NULL) return 0;
    return _Pycs_Deny(PyExc_ValueError, "%s: found NULL as tp_name, expected 'module.name' of the "
                      "type; write the members of the PyTypeObject first", function);
}

_Pycs_PRIVATE int
_Pycs_CheckUnready(const char *function, PyTypeObject *type)
{
    if (_Pycs_CheckNamed(function, type) < 0) return -1;
    if (!(type->tp_flags & (Py_TPFLAGS_READY | Py_TPFLAGS_HEAPTYPE))) return 0;
    return _Pycs_Deny(PyExc_ValueError, "%s(%.200s): found a type that is %s, expected a static type "
                      "object that PyType_Ready() has not seen", function, type->tp_name,
                      type->tp_flags & Py_TPFLAGS_HEAPTYPE ? "on the heap" : "ready already");
}

_Pycs_PRIVATE int
_Pycs_CheckMetaclass(_Pycs_API *api, const char *function, PyTypeObject *metaclass)
{
    PyTypeObject *its = metaclass != NULL ? Py_TYPE((PyObject *)metaclass) : NULL;
    const _Pycs_API *owner;
    if (its == NULL || !PyType_Check((PyObject *)metaclass)) {
        return _Pycs_Deny(PyExc_TypeError, "%s: found %s%.200s%s as the metaclass, expected a class that derives from "
                          "%.200s", function, metaclass == NULL ? "NULL" : its == NULL ? "a type that is not ready"
                          : "an object of type '", its != NULL ? its->tp_name : "", its != NULL ? "'" : "",
                          api->metaclass->tp_name);
    }
    if (_Pycs_CheckReady(function, metaclass) < 0) return -1;
    if (PyType_IsSubtype(metaclass, api->metaclass)) return 0;
    owner = _Pycs_APIOf(metaclass);
    if (owner != NULL) return _Pycs_RefuseForeign(owner, PyExc_TypeError, "the metaclass", metaclass);
    return _Pycs_Deny(PyExc_TypeError, "%s: found metaclass '%.200s', expected one that derives from %.200s", function,
                      metaclass->tp_name, api->metaclass->tp_name);
}

_Pycs_PRIVATE int
_Pycs_CheckBases(const char *function, const char *name, PyTypeObject *base, PyObject *bases)
{
    const char *before = name != NULL ? "('" : "", *after = name != NULL ? "')" : "";
    Py_ssize_t i, n;

    if (name == NULL) name = "";
    if (bases != NULL && !PyTuple_Check(bases)) {
        return _Pycs_Deny(PyExc_TypeError, "%s%s%.200s%s: found an object of type '%.200s' as the bases, expected a "
                          "tuple of classes, or NULL", function, before, name, after, Py_TYPE(bases)->tp_name);
    }
    n = bases != NULL ? PyTuple_GET_SIZE(bases) : 0;
    for (i = base != NULL ? -1 : 0; i < n; i++) {
        PyObject *item = i < 0 ? (PyObject *)base : PyTuple_GET_ITEM(bases, i);
        const int is_ready = item != NULL && Py_TYPE(item) != NULL;
        if (is_ready && PyType_Check(item)) continue;
        if (is_ready) {
            return _Pycs_Deny(PyExc_TypeError, "%s%s%.200s%s: found an object of type '%.200s' as base %zd, expected a "
                              "class; types.resolve_bases() makes classes of what has __mro_entries__",
                              function, before, name, after, Py_TYPE(item)->tp_name, i < 0 ? 0 : i);
        }
        return _Pycs_Deny(PyExc_TypeError, "%s%s%.200s%s: found %s as base %zd, expected a class%s",
                          function, before, name, after, item == NULL ? "NULL" : "a type that is not ready",
                          i < 0 ? 0 : i, item == NULL ? "" : "; call PyType_Ready() for it before");
    }
    return 0;
}

_Pycs_PRIVATE int
_Pycs_RefuseForeign(const _Pycs_API *owner, PyObject *error, const char *what, const PyTypeObject *type)
{
    return _Pycs_Deny(error, "%s '%.200s' belongs to interpreter %zu, but this is interpreter %zu: a static type, its "
                      "metaclass and what derives from it are those of the first interpreter of the process that "
                      "imports their module, even after its end; import the module in one interpreter only, or make "
                      "its types heap types", what, type->tp_name, (size_t)owner->state->interpreter,
                      (size_t)_Pycs_ThisInterpreter());
}

static int
_Pycs_NamesFunction(const void *table, const char *name)
{
    const PyCustomSlots_Interface *iface = _Pycs_Overridable(table);
    size_t i;
    for (i = 0; iface != NULL && i < iface->count; i++) {
        if (iface->dispatch[i] != NULL && iface->names[i] != NULL && strcmp(iface->names[i], name) == 0) return 1;
    }
    return 0;
}

static int
_Pycs_Matters(_Pycs_API *api, PyTypeObject *type, PyObject *name)
{
    const _Pycs_Refresh *refresh;
    const _Pycs_Record *record;
    const char *text;
    PyObject *mro;
    Py_ssize_t i;
    int found = 0;

    if (_Pycs_LOAD(uintptr_t, api->state->overridable) && _Pycs_FinishType(api, type) < 0) return -1;
    if (!PyUnicode_Check(name) || !_Pycs_HasTable(type) || !_Pycs_IsHeap(type)) return 0;
    if ((_Pycs_LOAD(uintptr_t, &api->state->mixed) & _Pycs_MixedBit(type)) != 0) {
        return 1;
    }
    if (!(text = PyUnicode_AsUTF8(name))) {
        PyErr_Clear();
        return 0;
    }
    mro = _Pycs_FetchMro(api, type);
    _Pycs_Lock(api);
    for (refresh = api->state->refreshes; !found && refresh != NULL; refresh = refresh->next) {
        found = mro == NULL || _Pycs_PlaceIn(mro, refresh->change.top, 0) >= 0;
    }
    record = _Pycs_RecordOf(type);
    for (i = 0; !found && record != NULL && record->watched && i < record->count; i++) {
        if (_Pycs_KnownInterface(record->slots[i].id) == NULL) continue;
        found = _Pycs_NamesFunction(record->slots[i].data.pointer, text);
    }
    _Pycs_Unlock(api);
    Py_XDECREF(mro);
    return found;
}

static int
_Pycs_SetBehind(_Pycs_API *api, PyObject *self, PyObject *name, PyObject *value)
{
    PyObject *mro = _Pycs_FetchMro(api, Py_TYPE(self)), *behind = NULL, *result = NULL;
    Py_ssize_t i = 0, n = mro != NULL ? PyTuple_GET_SIZE(mro) : 0;
    int is_type;

    while (i < n && PyTuple_GET_ITEM(mro, i) != (PyObject *)api->metaclass) i++;
    is_type = i + 1 >= n || PyTuple_GET_ITEM(mro, i + 1) == (PyObject *)&PyType_Type;
    Py_XDECREF(mro);
    if (is_type) return PyType_Type.tp_setattro(self, name, value);
    behind = PyObject_CallFunctionObjArgs((PyObject *)&PySuper_Type, (PyObject *)api->metaclass, self, NULL);
    if (behind != NULL) {
        result = value != NULL ? PyObject_CallMethod(behind, "__setattr__", "OO", name, value)
                               : PyObject_CallMethod(behind, "__delattr__", "O", name);
    }
    Py_XDECREF(behind);
    Py_XDECREF(result);
    return result != NULL ? 0 : -1;
}

static int
_Pycs_HasMember(PyObject *members, PyObject *name)
{
    int found = 0;
    if (PyDict_Check(members)) {
        PyObject *member = PyDict_GetItemWithError(members, name), *kind, *text;
        if (member == NULL) return PyErr_Occurred() ? -1 : 0;
        kind = PyObject_GetAttrString(member, "_field_type");
        text = kind != NULL ? PyObject_Repr(kind) : NULL;
        if (text != NULL) found = PyUnicode_CompareWithASCIIString(text, "_FIELD") == 0;
        Py_XDECREF(kind);
        Py_XDECREF(text);
        return text != NULL ? found : -1;
    }
    if (PyTuple_Check(members)) {
        Py_ssize_t i;
        for (i = 0; !found && i < PyTuple_GET_SIZE(members); i++) {
            PyObject *own = PyObject_GetAttrString(PyTuple_GET_ITEM(members, i), "name");
            if (own == NULL) return -1;
            found = PyUnicode_Check(own) && PyUnicode_Compare(own, name) == 0;
            Py_DECREF(own);
        }
    }
    return found;
}

_Pycs_PRIVATE int
_Pycs_WarnOfMembers(_Pycs_API *api, PyTypeObject *type, PyObject *members)
{
    const _Pycs_FieldEntry *field;
    _Pycs_EACH_FIELD(field, api, Py_TYPE(type)) {
        int status = field->name != NULL && !_Pycs_IsHidden(api, Py_TYPE(type), field)
                     ? _Pycs_HasMember(members, field->name) : 0;
        if (status < 0 && !PyErr_ExceptionMatches(PyExc_AttributeError)) return -1;
        if (status < 0) PyErr_Clear();
        if (status <= 0) continue;
        if (PyErr_WarnFormat(PyExc_RuntimeWarning, 1,
                             "class '%.200s': found '%s' as a member of its instances, which is the name of a C field "
                             "of its metaclass '%.200s', expected another name: C code reads the value of the class, "
                             "Python that of the instance; rename it, or annotate it as a ClassVar",
                             type->tp_name, field->def.name, field->list->metaclass->tp_name) < 0) return -1;
    }
    return 0;
}

_Pycs_PRIVATE int
_Pycs_setattr(_Pycs_API *api, PyObject *self, PyObject *name, PyObject *value)
{
    PyTypeObject *type = (PyTypeObject *)self;
    _Pycs_Refresh refresh;
    int matters, status;

    if (api == NULL) return PyType_Type.tp_setattro(self, name, value);
    if (value != NULL && PyUnicode_Check(name)
            && (PyUnicode_CompareWithASCIIString(name, "__dataclass_fields__") == 0
                || PyUnicode_CompareWithASCIIString(name, "__attrs_attrs__") == 0)
            && _Pycs_WarnOfMembers(api, type, value) < 0) return -1;
    if ((matters = _Pycs_Matters(api, type, name)) < 0) return -1;

    if (matters && _Pycs_RefreshPrepare(api, &refresh, type, _Pycs_ATTRIBUTES, 0) < 0) return -1;
    status = _Pycs_SetBehind(api, self, name, value);
    if (!matters) {
        if (status < 0 || _Pycs_Matters(api, type, name) == 0) return status;

        PyErr_Clear();
        _Pycs_RefreshEnter(api, &refresh, type, NULL, _Pycs_ATTRIBUTES);
    }
    if (status == 0) (void)_Pycs_RefreshCommit(api, &refresh, 1);
    else _Pycs_RefreshDiscard(api, &refresh);
    return status;
}

static void
_Pycs_FreeHandover(_Pycs_Handover *node)
{
    _Pycs_FreeValues(&node->values);
    _Pycs_XDECREF_ALL((PyObject *)node->taken_by, node->mro, node->carried);
    while (node->made != NULL) {
        _Pycs_Made *made = node->made;
        node->made = made->next;
        PyMem_RawFree(made);
    }
    PyMem_RawFree(node);
}

static int
_Pycs_RefuseReadOnly(const char *class_name, const _Pycs_FieldEntry *field)
{
    return _Pycs_Deny(PyExc_TypeError, "class '%.200s': found a value for field '%s' of metaclass '%.200s', which is "
                      "read-only; C code sets it (a metaclass in Cython declares it public, not readonly, if Python "
                      "may)", class_name, field->def.name, field->list->metaclass->tp_name);
}

static const _Pycs_Value *
_Pycs_FindBodyValue(const _Pycs_Handover *node, PyObject *name)
{
    const _Pycs_Value *value = node != NULL ? node->values : NULL;
    while (value != NULL && value->field->name != name) value = value->next;
    return value;
}

static int
_Pycs_ReadOne(_Pycs_API *api, const _Pycs_Handover *node,
              const char *class_name, const _Pycs_FieldEntry *field,
              PyObject *kwargs, PyObject **object, int *by_keyword)
{
    PyObject *in_body = PyDict_GetItemWithError(node->ns, field->name), *given = NULL;

    *object = NULL;
    if (in_body == NULL && PyErr_Occurred()) return -1;
    if (kwargs != NULL) {
        given = PyDict_GetItemWithError(kwargs, field->name);
        if (given == NULL && PyErr_Occurred()) return -1;
    }
    if (node->carried != NULL && in_body == NULL && given == NULL) {
        in_body = _Pycs_CarriedValue(api, node->ns, node->carried, field->name);
        if (in_body == NULL && PyErr_Occurred()) return -1;
    }
    if (in_body == NULL && given == NULL) return 0;
    if (!(field->def.flags & PyExtensibleType_WRITABLE)) {
        return _Pycs_RefuseReadOnly(class_name, field);
    }
    if (in_body != NULL && given != NULL) {
        return _Pycs_Deny(PyExc_TypeError, "class '%.200s': field '%s' is given by keyword and in the class body, "
                          "expected one of them", class_name, field->def.name);
    }
    *by_keyword = given != NULL;
    *object = given != NULL ? given : in_body;
    return 0;
}

static int
_Pycs_ReadBody(_Pycs_API *api, _Pycs_Handover *node, PyObject *class_name, PyObject **kwargs)
{
    _Pycs_FieldEntry *field;
    const char *text = PyUnicode_Check(class_name) ? PyUnicode_AsUTF8(class_name) : "?";
    int by_keyword = 0, status;

    if (text == NULL) {
        PyErr_Clear();
        text = "?";
    }
    node->carried = PyDict_GetItemWithError(node->ns, api->state->name_fields);
    if (node->carried == NULL && PyErr_Occurred()) return -1;
    Py_XINCREF(node->carried);
    if (api->state->named == 0) return 0;
    if (*kwargs != NULL) {
        PyObject *copy = PyDict_Copy(*kwargs);
        if (copy == NULL) return -1;
        Py_SETREF(*kwargs, copy);
    }
    _Pycs_EACH_FIELD(field, api, node->metaclass) {
        PyObject *object;
        _Pycs_Value *value;

        if (field->name == NULL || _Pycs_FindBodyValue(node, field->name)) continue;
        if (_Pycs_ReadOne(api, node, text, field, *kwargs, &object, &by_keyword) < 0) return -1;
        if (object == NULL) continue;
        Py_INCREF(object);
        status = by_keyword ? PyDict_DelItem(*kwargs, field->name) : 0;
        value = status == 0 ? _Pycs_Convert(text, field, object) : NULL;
        Py_DECREF(object);
        if (value == NULL) return -1;
        value->next = node->values;
        node->values = value;
    }
    return 0;
}

static PyObject *
_Pycs_KeywordText(_Pycs_API *api, PyTypeObject *metaclass, PyObject *class_name, PyObject *error, PyObject *kwargs)
{
    const _Pycs_FieldEntry *field;
    PyObject *text = PyObject_Str(error), *names = NULL, *comma = NULL;
    PyObject *expected = NULL, *given = NULL, *result = NULL;
    PyObject *ending = kwargs == NULL || PyDict_GET_SIZE(kwargs) == 0 ? NULL : PyUnicode_FromFormat(
        "%U.__init_subclass__() takes no keyword arguments", class_name);

    if (text == NULL || ending == NULL || PyUnicode_Tailmatch(text, ending, 0, PY_SSIZE_T_MAX, 1) <= 0) goto done;
    if (!(names = PyDict_New())) goto done;
    _Pycs_EACH_FIELD(field, api, metaclass) {
        if ((field->def.flags & PyExtensibleType_WRITABLE)
                && PyDict_SetItem(names, field->name, Py_None) < 0) goto done;
    }
    if (PyDict_GET_SIZE(names) == 0 || !(comma = PyUnicode_FromString(", "))) goto done;
    if (!(given = PyUnicode_Join(comma, kwargs)) || !(expected = PyUnicode_Join(comma, names))) goto done;
    result = PyUnicode_FromFormat(
        "%U.__init_subclass__() accepts only C fields as keyword arguments: found %U, expected %U",
        class_name, given, expected);
done:
    _Pycs_XDECREF_ALL(text, ending, names, comma, given, expected);
    return result;
}

static PyObject *
_Pycs_ConflictText(_Pycs_API *api, PyTypeObject *metaclass, PyObject *class_name, PyObject *error)
{
    PyObject *text = PyObject_Str(error), *result = NULL;
    const _Pycs_FieldEntry *field = _Pycs_FirstField(api, metaclass);

    if (text != NULL && field != NULL && PyUnicode_CompareWithASCIIString(
            text, "multiple bases have instance lay-out conflict") == 0) {
        result = PyUnicode_FromFormat(
            "%U: found several bases of class '%U' that are the first with the C fields of metaclass "
            "'%s', or have other data in C in their instances; expected bases that derive from one class "
            "with these fields, or none of these but metaclass=cython_customslots.combine(%s, OtherBase)",
            text, class_name, field->list->metaclass->tp_name, field->list->metaclass->tp_name);
    }
    Py_XDECREF(text);
    return result;
}

static void
_Pycs_ExplainFailure(_Pycs_API *api, PyTypeObject *metaclass, PyObject *class_name, PyObject *kwargs)
{
    PyObject *type, *value, *traceback, *text, *args = NULL;

    if (!PyUnicode_Check(class_name) || !PyErr_ExceptionMatches(PyExc_TypeError)) return;
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    text = _Pycs_KeywordText(api, metaclass, class_name, value, kwargs);
    if (text == NULL && !PyErr_Occurred()) {
        text = _Pycs_ConflictText(api, metaclass, class_name, value);
    }
    if (text != NULL) args = PyTuple_Pack(1, text);
    if (args != NULL) (void)PyObject_SetAttrString(value, "args", args);
    Py_XDECREF(args);
    Py_XDECREF(text);
    PyErr_Restore(type, value, traceback);
}

static void
_Pycs_PlaceBody(_Pycs_API *api, _Pycs_Handover *node, PyTypeObject *type, _Pycs_Birth *birth)
{
    Py_INCREF((PyObject *)type);
    node->taken_by = type;
    node->mro = birth->mro;
    birth->mro = NULL;
    _Pycs_PutValues(api, type, node->values, _Pycs_GIVEN);
}

static int
_Pycs_RetractBody(_Pycs_API *api, _Pycs_Handover *node)
{
    PyTypeObject *type = node->taken_by;
    const _Pycs_Value *value = node->values;
    node->retracted = 1;
    if (value != NULL && _Pycs_FinishType(api, type) < 0) return -1;
    for (; value != NULL; value = value->next) {
        int meant_for_another;
        _Pycs_Lock(api);
        meant_for_another = *_Pycs_MarkOf(api, type, value->field, NULL) == _Pycs_GIVEN;
        _Pycs_Unlock(api);
        if (meant_for_another && _Pycs_ChangeField(api, type, value->field, NULL) < 0) return -1;
    }
    return 0;
}

static int
_Pycs_FinishField(_Pycs_API *api, PyTypeObject *type,
                  _Pycs_FieldEntry *field,
                  const _Pycs_Handover *node, PyObject *carried)
{
    const _Pycs_Value *value = _Pycs_FindBodyValue(node, field->name);
    PyObject *in_body, *object;
    int placed, status = 0;

    in_body = PyDict_GetItemWithError(type->tp_dict, field->name);
    if (in_body == NULL && PyErr_Occurred()) return -1;

    if (in_body != NULL && Py_TYPE(in_body) == &PyMemberDescr_Type && PyDescr_TYPE(in_body) == type) in_body = NULL;
    Py_XINCREF(in_body);
    object = in_body != NULL ? in_body : value != NULL ? value->object : NULL;
    if (object == NULL && carried != NULL) {
        object = _Pycs_CarriedValue(api, type->tp_dict, carried, field->name);
        if (object == NULL && PyErr_Occurred()) return -1;
    }

    placed = value != NULL && value->object == object && node->taken_by == type && !node->retracted;
    if (object != NULL && !placed && !_Pycs_IsHidden(api, Py_TYPE(type), field)) {
        status = field->def.flags & PyExtensibleType_WRITABLE ? _Pycs_SetEntry(api, type, field, object)
                                                              : _Pycs_RefuseReadOnly(type->tp_name, field);
    }
    if (status == 0 && in_body != NULL) {
        status = PyDict_DelItem(type->tp_dict, field->name);
        PyType_Modified(type);
    }
    Py_XDECREF(in_body);
    return status;
}

static int
_Pycs_LookForMembers(_Pycs_API *api, PyTypeObject *type)
{
    const _Pycs_FieldEntry *field = _Pycs_FirstField(api, Py_TYPE(type));
    PyObject *members, *annotations = NULL, *function = NULL;
    int status = 0;

    if (field == NULL) return 0;
    if (_Pycs_LookUp(type->tp_dict, api->state->name_attrs, &members) < 0) return -1;
    if (members != NULL) status = _Pycs_WarnOfMembers(api, type, members);
    Py_XDECREF(members);
    if (status < 0 || _Pycs_LOAD(uintptr_t, &api->state->watches)) return status;
    if (_Pycs_LookUp(type->tp_dict, api->state->name_annotations, &annotations) < 0
            || _Pycs_LookUp(type->tp_dict, api->state->name_annotate, &function) < 0) status = -1;
    else if (function != NULL) status = 1;
    else if (annotations != NULL && PyDict_Check(annotations)) {
        for (; status == 0 && field != NULL; field = _Pycs_LOAD(_Pycs_FieldEntry *, &field->next)) {
            if (field->name != NULL) status = PyDict_Contains(annotations, field->name);
        }
    }
    Py_XDECREF(annotations);
    Py_XDECREF(function);
    return status > 0 ? _Pycs_WatchAttributes(api) : status;
}

static int
_Pycs_FinishBody(_Pycs_API *api, PyTypeObject *type, const _Pycs_Handover *node)
{
    _Pycs_FieldEntry *field;
    PyObject *carried = NULL;
    int status = 0;

    if (_Pycs_LOAD(_Pycs_FieldList *, &api->state->field_lists) == NULL || type->tp_dict == NULL) return 0;
    if (node == NULL || node->carried != NULL) {
        carried = PyDict_GetItemWithError(type->tp_dict, api->state->name_fields);
        if (carried == NULL && PyErr_Occurred()) return -1;
        Py_XINCREF(carried);
    }
    if (carried == NULL && api->state->named == 0) return 0;
    _Pycs_EACH_FIELD(field, api, Py_TYPE(type)) {
        if (field->name == NULL || status < 0) continue;
        status = _Pycs_FinishField(api, type, field, node, node == NULL ? carried : NULL);
    }
    if (status == 0) status = _Pycs_LookForMembers(api, type);
    if (status == 0 && carried != NULL) {
        status = _Pycs_ExpectNamed(api, type, carried) < 0 || _Pycs_ExpectOwn(api, type, carried) < 0
                 ? -1 : PyDict_DelItem(type->tp_dict, api->state->name_fields);
        PyType_Modified(type);
    }
    Py_XDECREF(carried);
    return status;
}

static PyTypeObject *
_Pycs_Winner(PyTypeObject *metaclass, PyObject *bases)
{
    Py_ssize_t i;
    for (i = 0; i < PyTuple_GET_SIZE(bases); i++) {
        PyTypeObject *other = Py_TYPE(PyTuple_GET_ITEM(bases, i));
        if (metaclass == other || PyType_IsSubtype(metaclass, other)) continue;
        if (!PyType_IsSubtype(other, metaclass)) return NULL;
        metaclass = other;
    }
    return metaclass;
}

_Pycs_PRIVATE PyObject *
_Pycs_alloc(_Pycs_API *api, PyTypeObject *metaclass, Py_ssize_t nitems)
{
    _Pycs_Birth birth = _Pycs_BIRTH_INIT;
    _Pycs_Thread *const here = api != NULL ? api->state->thread() : NULL;
    _Pycs_Handover *node, *call;
    _Pycs_Made *made = NULL;
    PyObject *bases = NULL, *self = NULL;

    if (api == NULL) {
        return PyType_GenericAlloc(metaclass, nitems);
    }
    if (api->state->interpreter != _Pycs_ThisInterpreter()) {
        (void)_Pycs_RefuseForeign(api, PyExc_TypeError, "the metaclass", metaclass);
        return NULL;
    }
    if (_Pycs_Adopt(api, metaclass) < 0) return NULL;
    birth.metaclass = metaclass;

    node = here->handover;
    if (node != NULL && (node->metaclass != metaclass || node->taken)) node = NULL;
    if (node != NULL) {
        node->taken = 1;
        bases = Py_NewRef(node->bases);
        if (_Pycs_FinishAll(api, bases) < 0) goto done;
    }
    call = here->handover;
    if (call != NULL && call->first_made != NULL && !(made = (_Pycs_Made *)_Pycs_NewBlock(sizeof(*made)))) goto done;
    if (_Pycs_HAS_FIELDS(api, metaclass) && _Pycs_BirthInherit(api, &birth, bases) < 0) goto done;
    if (!(self = PyType_GenericAlloc(metaclass, nitems))) goto done;

    ((PyTypeObject *)self)->tp_flags = Py_TPFLAGS_HEAPTYPE;
    call = here->handover;
    if (call != NULL && call->first_made == NULL) call->first_made = (PyTypeObject *)self;
    else if (call != NULL && made != NULL) {
        made->type = (PyTypeObject *)self;
        made->next = call->made;
        call->made = made;
        made = NULL;
    }
    _Pycs_Lock(api);
    _Pycs_BirthFill(api, &birth, (PyTypeObject *)self, 0);

    for (call = here->handover; call != NULL && call != node; call = call->below) {}
    if (call != NULL) _Pycs_PlaceBody(api, call, (PyTypeObject *)self, &birth);
    _Pycs_Unlock(api);
done:
    PyMem_RawFree(made);
    _Pycs_BirthEnd(&birth);
    Py_XDECREF(bases);
    return self;
}

static int
_Pycs_FinishClass(_Pycs_API *api, PyTypeObject *type, _Pycs_Handover *node)
{
    _Pycs_Handover *other = _Pycs_HandoverTakenBy(api, type);
    const _Pycs_Made *made;
    PyObject *bases;
    int status = 0;
    if (_Pycs_FinishType(api, type) < 0) return -1;
    if (node != NULL) {

        if (node->first_made != type) {
            for (made = node->made; made != NULL && made->type != type; made = made->next) { }
            if (made == NULL) return 0;
        }
        node->finished = 1;
    }
    bases = _Pycs_FetchBases(api, type);
    if (bases != NULL && PyTuple_GET_SIZE(bases) > 1) status = _Pycs_ChooseVtable(api, type);
    Py_XDECREF(bases);
    if (status < 0) return -1;
    if (other != NULL && other != node && !other->retracted && _Pycs_RetractBody(api, other) < 0) return -1;
    return _Pycs_FinishBody(api, type, node);
}

_Pycs_PRIVATE int
_Pycs_init(_Pycs_API *api, PyObject *self, PyObject *args, PyObject *kwargs)
{
    _Pycs_Handover *node = api == NULL || PyTuple_GET_SIZE(args) != 3 || !_Pycs_HAS_FIELDS(api, Py_TYPE(self))
                           ? NULL : api->state->thread()->handover;
    while (node != NULL && node->ns != PyTuple_GET_ITEM(args, 2)) node = node->below;
    if (PyType_Type.tp_init(self, args, kwargs) < 0) return -1;
    return api != NULL ? _Pycs_FinishClass(api, (PyTypeObject *)self, node) : 0;
}

_Pycs_PRIVATE PyObject *
_Pycs_meta_call(_Pycs_API *api, PyObject *self, PyObject *args, PyObject *kwargs)
{
    PyTypeObject *metaclass = (PyTypeObject *)self, *winner;
    _Pycs_Thread *here = NULL;
    _Pycs_API *its;
    _Pycs_Handover *node = NULL, **link;
    PyObject *result = NULL;

    Py_XINCREF(kwargs);
    if (api != NULL) {
        if (_Pycs_Adopt(api, metaclass) < 0) goto done;
        if (PyTuple_GET_SIZE(args) == 3 && PyTuple_Check(PyTuple_GET_ITEM(args, 1))
                && (winner = _Pycs_Winner(metaclass, PyTuple_GET_ITEM(args, 1)))
                && _Pycs_HAS_FIELDS(api, winner)) {
            if (!(node = (_Pycs_Handover *)_Pycs_NewBlock(sizeof(*node)))) goto done;
            here = api->state->thread();
            node->metaclass = winner;
            node->bases = PyTuple_GET_ITEM(args, 1);
            node->ns = PyTuple_GET_ITEM(args, 2);
            if (_Pycs_LOAD(_Pycs_FieldList *, &api->state->field_lists) != NULL && PyDict_Check(node->ns)
                    && _Pycs_ReadBody(api, node, PyTuple_GET_ITEM(args, 0), &kwargs) < 0) goto done;
            node->below = here->handover;
            here->handover = node;
        }
    }
    result = PyType_Type.tp_call(self, args, kwargs);
    if (result == NULL && node != NULL) {
        _Pycs_ExplainFailure(api, node->metaclass, PyTuple_GET_ITEM(args, 0), kwargs);
    }

    if (api != NULL && result != NULL && PyType_Check(result)
            && (its = _Pycs_APIOf(Py_TYPE(result))) != NULL
            && (node != NULL ? !node->finished : _Pycs_IsUnfinished((PyTypeObject *)result))
            && _Pycs_FinishClass(its, (PyTypeObject *)result, node) < 0) {
        Py_CLEAR(result);
    }

    if (result != NULL && node != NULL && node->taken_by != NULL && !node->retracted
            && (PyObject *)node->taken_by != result && _Pycs_RetractBody(api, node) < 0) {
        Py_CLEAR(result);
    }
done:
    if (node != NULL) {
        link = &here->handover;
        while (*link != NULL && *link != node) link = &(*link)->below;
        if (*link == node) *link = node->below;
        _Pycs_FreeHandover(node);
    }
    Py_XDECREF(kwargs);
    return result;
}

static int
_Pycs_Keep(_Pycs_API *api, PyTypeObject *type, PyObject *mro)
{
    _Pycs_Sidecar *made, *sidecar;
    PyObject *bases, *both;
    int keeps;

    _Pycs_Lock(api);
    sidecar = _Pycs_SidecarOf(type);
    keeps = mro == NULL || (sidecar != NULL && sidecar->kept != NULL);
    _Pycs_Unlock(api);
    if (keeps) return 0;
    bases = _Pycs_FetchBases(api, type);
    both = PyTuple_Pack(2, mro, bases != NULL ? bases : Py_None);
    Py_XDECREF(bases);
    if (both == NULL) return -1;
    if (!(made = (_Pycs_Sidecar *)_Pycs_NewBlock(sizeof(*made)))) {
        Py_DECREF(both);
        return -1;
    }
    _Pycs_Lock(api);
    if ((sidecar = _Pycs_SidecarOf(type)) == NULL) {
        sidecar = made;
        made = NULL;
        _Pycs_STORE(void *, &_Pycs_CAST(type)->etp_extension, (void *)sidecar);
    }
    if (sidecar->kept == NULL) {
        sidecar->kept = both;
        both = NULL;
    }
    _Pycs_Unlock(api);
    PyMem_RawFree(made);
    Py_XDECREF(both);
    return 0;
}

#ifdef _Py_TPFLAGS_STATIC_BUILTIN
#  define _Pycs_STATIC_BUILTIN _Py_TPFLAGS_STATIC_BUILTIN
#else
#  define _Pycs_STATIC_BUILTIN ((unsigned long)1 << 1)
#endif
static PyObject *
_Pycs_DirectSubclasses(_Pycs_API *api, PyTypeObject *type)
{
#ifdef Py_GIL_DISABLED
    PyObject *dict = (PyObject *)_Pycs_LOAD(void *, &type->tp_subclasses);
    PyObject *references, *result = NULL, *subclass;
    Py_ssize_t i;

    if (_Pycs_FLAGS(type) & _Pycs_STATIC_BUILTIN) {
        return PyObject_CallFunctionObjArgs(api->state->type_subclasses, (PyObject *)type, NULL);
    }
    if (dict == NULL || !(references = PyDict_Values(dict))) return NULL;
    if (_Pycs_LOAD(void *, &type->tp_subclasses) != (void *)dict) {
        Py_DECREF(references);
        return _Pycs_DirectSubclasses(api, type);
    }
    if (!(result = PyList_New(0))) goto done;
    for (i = 0; i < PyList_GET_SIZE(references); i++) {
        int status = PyWeakref_GetRef(PyList_GET_ITEM(references, i), &subclass);
        if (status == 0) continue;
        if (status > 0) {
            status = PyList_Append(result, subclass);
            Py_DECREF(subclass);
        }
        if (status < 0) {
            Py_CLEAR(result);
            goto done;
        }
    }
done:
    Py_DECREF(references);
    return result;
#else
    return PyObject_CallFunctionObjArgs(api->state->type_subclasses, (PyObject *)type, NULL);
#endif
}

static int
_Pycs_AppendOnce(PyObject *all, PyObject *seen, PyObject *type)
{

    PyObject *address = PyLong_FromVoidPtr(type);
    int status = address != NULL ? PyDict_Contains(seen, address) : -1;
    if (status == 0) status = PyDict_SetItem(seen, address, Py_None) < 0 || PyList_Append(all, type) < 0 ? -1 : 0;
    Py_XDECREF(address);
    return status < 0 ? -1 : 0;
}

static PyObject *
_Pycs_CollectBelow(_Pycs_API *api, PyTypeObject *type, const _Pycs_Pending *entries, Py_ssize_t n)
{
    PyObject *all = PyList_New(0), *seen = PyDict_New(), *direct = NULL;
    Py_ssize_t i, k;
    int status = all != NULL && seen != NULL ? 0 : -1;

    for (i = 0; status == 0 && i < n; i++) status = _Pycs_AppendOnce(all, seen, (PyObject *)entries[i].type);
    if (status == 0) status = _Pycs_AppendOnce(all, seen, (PyObject *)type);
    for (i = 0; status == 0 && i < PyList_GET_SIZE(all); i++) {
        PyTypeObject *parent = (PyTypeObject *)PyList_GET_ITEM(all, i);
        if (_Pycs_LOAD(void *, &parent->tp_subclasses) == NULL) continue;
        direct = _Pycs_DirectSubclasses(api, parent);
        if (direct == NULL) status = PyErr_Occurred() ? -1 : 0;
        for (k = 0; direct != NULL && status == 0 && k < PyList_GET_SIZE(direct); k++) {
            status = _Pycs_AppendOnce(all, seen, PyList_GET_ITEM(direct, k));
        }
        Py_CLEAR(direct);
    }
    if (status < 0) Py_CLEAR(all);
    Py_XDECREF(seen);
    return all;
}

_Pycs_PRIVATE PyObject *
_Pycs_CollectSubclasses(_Pycs_API *api, PyTypeObject *type)
{
    return _Pycs_CollectBelow(api, type, NULL, 0);
}

_Pycs_PRIVATE void
_Pycs_RefreshEnter(_Pycs_API *api, _Pycs_Refresh *refresh, PyTypeObject *top,
                   const PyCustomSlot *own, Py_ssize_t own_count)
{
    memset(refresh, 0, sizeof(*refresh));
    refresh->change.top = top;
    refresh->change.own = own;
    refresh->change.own_count = own_count;
    _Pycs_Lock(api);
    refresh->next = api->state->refreshes;
    api->state->refreshes = refresh;
    refresh->generation = api->state->generation - 1;
    _Pycs_Unlock(api);
}

static void
_Pycs_FreePending(_Pycs_Pending *pending, Py_ssize_t n)
{
    Py_ssize_t i;
    for (i = 0; i < n; i++) {
        if (pending[i].record != NULL) _Pycs_RecordDecref(pending[i].record);
        if (pending[i].plan != NULL) _Pycs_FreeOverrides(pending[i].plan);
        _Pycs_FreeValues(&pending[i].values);
        Py_XDECREF(pending[i].mro);
        Py_DECREF((PyObject *)pending[i].type);
    }
    PyMem_RawFree(pending);
}

_Pycs_PRIVATE void
_Pycs_RefreshDiscard(_Pycs_API *api, _Pycs_Refresh *refresh)
{
    _Pycs_Refresh **link = &api->state->refreshes;
    _Pycs_Lock(api);
    while (*link != refresh) link = &(*link)->next;
    *link = refresh->next;
    _Pycs_Unlock(api);
    _Pycs_FreePending(refresh->pending, refresh->count);
    while (refresh->late_count > 0) Py_DECREF((PyObject *)refresh->late[--refresh->late_count]);
    PyMem_RawFree(refresh->late);
}

static int
_Pycs_Collect(_Pycs_API *api, _Pycs_Refresh *refresh)
{

    PyObject *types = _Pycs_CollectBelow(api, refresh->change.top, refresh->pending, refresh->count);
    const Py_ssize_t n = types != NULL ? PyList_GET_SIZE(types) : 0;
    void *pending;
    Py_ssize_t i = refresh->count;
    int status = types != NULL ? 0 : -1;

    if (status == 0 && (pending = PyMem_RawRealloc(refresh->pending, (size_t)n * sizeof(_Pycs_Pending))) == NULL) {
        PyErr_NoMemory();
        status = -1;
    }
    if (status == 0) refresh->pending = (_Pycs_Pending *)pending;
    for (; status == 0 && i < n; i++) {
        PyTypeObject *type = (PyTypeObject *)PyList_GET_ITEM(types, i);
        if (!_Pycs_HasTable(type)
                && (!PyType_IsSubtype(Py_TYPE(type), api->metaclass)
                    || (status = _Pycs_FinishType(api, type)) < 0 || !_Pycs_HasTable(type))) continue;
        memset(&refresh->pending[refresh->count], 0, sizeof(*refresh->pending));
        refresh->pending[refresh->count++].type = (PyTypeObject *)Py_NewRef((PyObject *)type);
    }
    Py_XDECREF(types);
    return status;
}

static int
_Pycs_AddLate(_Pycs_Refresh *refresh, PyTypeObject **late, Py_ssize_t n)
{
    _Pycs_Pending *all = (_Pycs_Pending *)PyMem_RawRealloc(
        refresh->pending, (size_t)(refresh->count + n + 1) * sizeof(*all));
    Py_ssize_t i, k;

    if (all != NULL) refresh->pending = all;
    else PyErr_NoMemory();
    for (i = 0; i < n; i++) {
        for (k = 0; all != NULL && k < refresh->count && all[k].type != late[i]; k++) { }
        if (all == NULL || k < refresh->count) {
            Py_DECREF((PyObject *)late[i]);
            continue;
        }
        memset(&all[k], 0, sizeof(all[k]));
        all[k].type = late[i];
        refresh->count++;
    }
    PyMem_RawFree(late);
    return all != NULL ? 0 : -1;
}

static void
_Pycs_LookAt(_Pycs_API *api, const _Pycs_Refresh *refresh, _Pycs_Pending *entry, int plans)
{
    PyObject *mro = _Pycs_FetchMro(api, entry->type);
    if (mro != NULL) Py_XSETREF(entry->mro, mro);
    if (entry->plan != NULL) _Pycs_FreeOverrides(entry->plan);
    entry->plan = NULL;
    entry->unplanned = 0;
    if (entry->mro != NULL && plans) {
        entry->unplanned = _Pycs_PlanOverrides(api, entry->type, entry->mro, &refresh->change, &entry->plan) < 0;
        if (entry->unplanned) PyErr_Clear();
    }
}

static int
_Pycs_ByDepth(const void *a, const void *b)
{
    const PyObject *mro_of_a = ((const _Pycs_Pending *)a)->mro;
    const PyObject *mro_of_b = ((const _Pycs_Pending *)b)->mro;
    const Py_ssize_t x = mro_of_a != NULL ? PyTuple_GET_SIZE(mro_of_a) : 0;
    const Py_ssize_t y = mro_of_b != NULL ? PyTuple_GET_SIZE(mro_of_b) : 0;
    return (x > y) - (x < y);
}

_Pycs_PRIVATE int
_Pycs_LockAsLooked(_Pycs_API *api, _Pycs_Refresh *refresh, int changed, int last)
{
    const int plans = ((changed || refresh->change.own_count >= 0) && _Pycs_LOAD(uintptr_t, api->state->overridable))
        || (refresh->change.own_count > 0 && _Pycs_HaveInterface(refresh->change.own, refresh->change.own_count));
    _Pycs_Lock(api);
    while (refresh->generation != api->state->generation || refresh->late_count > 0
            || refresh->looked < refresh->count) {
        PyTypeObject **late = refresh->late;
        const Py_ssize_t late_count = refresh->late_count;
        int status = 0;
        if (refresh->generation != api->state->generation) refresh->looked = -1;
        refresh->generation = api->state->generation;
        refresh->late = NULL;
        refresh->late_count = refresh->late_room = 0;
        _Pycs_Unlock(api);
        if (late_count > 0) status = _Pycs_AddLate(refresh, late, late_count);
        if (refresh->looked < 0) {
            if (status == 0) status = _Pycs_Collect(api, refresh);
            refresh->looked = 0;
        }
        if (status < 0) {
            if (!last) return -1;
            PyErr_Clear();
        }
        for (; refresh->looked < refresh->count; refresh->looked++) {
            _Pycs_LookAt(api, refresh, &refresh->pending[refresh->looked], plans);
        }
        _Pycs_Lock(api);
    }
    if (refresh->count > 1) {
        qsort(refresh->pending, (size_t)refresh->count, sizeof(*refresh->pending), _Pycs_ByDepth);
    }
    return 0;
}

static int
_Pycs_Fit(const _Pycs_API *api, const _Pycs_Refresh *refresh, _Pycs_Pending *entry, Py_ssize_t more)
{
    const _Pycs_Record *old = _Pycs_RecordOf(entry->type);
    const PyCustomSlot *own;
    const Py_ssize_t own_count = _Pycs_OwnSlots(entry->type, &refresh->change, &own);
    Py_ssize_t needed;
    _Pycs_ASSERT_LOCKED(api);
    (void)api;

    if (entry->mro == NULL) return 0;
    needed = _Pycs_MergeBound(entry->type, own_count, entry->mro) + more;
    if (refresh->change.own_count > 0) needed += refresh->change.own_count;
    if (old != NULL && old->capacity > needed) needed = old->capacity;
    if (entry->record == NULL || entry->record->own_count != own_count
            || entry->record->capacity < needed) {
        _Pycs_RecordDecref(entry->record);
        entry->record = _Pycs_RecordNew(entry->type, needed, NULL, own_count);
        if (entry->record == NULL) return -1;
    }
    _Pycs_SetOwn(entry->record, own);
    return 0;
}

_Pycs_PRIVATE int
_Pycs_RefreshPrepare(_Pycs_API *api, _Pycs_Refresh *refresh, PyTypeObject *top, Py_ssize_t what, Py_ssize_t more)
{
    Py_ssize_t i;
    int status;

    _Pycs_RefreshEnter(api, refresh, top, NULL, what);
    status = _Pycs_LockAsLooked(api, refresh, 0, 0);
    if (status == 0) {
        for (i = 0; status == 0 && i < refresh->count; i++) {
            status = _Pycs_Fit(api, refresh, &refresh->pending[i], more);
        }
        _Pycs_Unlock(api);
        if (status < 0) PyErr_NoMemory();
    }
    for (i = 0; what == _Pycs_CHANGED_BASES && status == 0 && i < refresh->count; i++) {
        status = _Pycs_Keep(api, refresh->pending[i].type, refresh->pending[i].mro);
    }
    if (status < 0) _Pycs_RefreshDiscard(api, refresh);
    return status;
}

static _Pycs_Record *
_Pycs_ReviveRetired(_Pycs_Record *head, const _Pycs_Record *wanted)
{
    _Pycs_Record **link = head != NULL ? &head->retired : NULL;
    for (; link != NULL && *link != NULL; link = &(*link)->retired) {
        _Pycs_Record *record = *link;
        if (_Pycs_LOAD(Py_ssize_t, &record->refcount) == 1
                && _Pycs_LOAD(PyTypeObject *, &record->owner) == wanted->owner
                && record->capacity >= head->capacity
                && record->own_count == wanted->own_count
                && _Pycs_RecordEquals(record, wanted)
                && memcmp(record->own, wanted->own, sizeof(PyCustomSlot) * (size_t)wanted->own_count) == 0) {
            *link = record->retired;
            record->retired = NULL;
            return record;
        }
    }
    return NULL;
}

static void
_Pycs_Publish(_Pycs_API *api, PyTypeObject *type, _Pycs_Record *record)
{
    _Pycs_Record *const old = _Pycs_RecordOf(type);
    const PyCustomSlot *own = NULL;
    const size_t size = sizeof(*own) * (size_t)record->own_count;
    _Pycs_Record *revived;
    _Pycs_ASSERT_LOCKED(api);

    const int same = old == NULL ? record->count == 0
                     : _Pycs_RecordEquals(old, record) && _Pycs_OwnSlots(type, NULL, &own) == record->own_count
                       && (size == 0 || memcmp(own, record->own, size) == 0);
    revived = same ? record : _Pycs_ReviveRetired(old, record);
    if (revived != NULL) _Pycs_RecordDecref(record);
    else revived = record;
    if (same) return;
    revived->retired = old;
    _Pycs_SetRecord(api, type, revived);
}

static void
_Pycs_CommitOne(_Pycs_API *api, _Pycs_Refresh *refresh, _Pycs_Pending *entry)
{
    PyTypeObject *type = entry->type;
    _Pycs_Record *record, *primary;
    _Pycs_ASSERT_LOCKED(api);

    if (entry->mro == NULL || !_Pycs_HasTable(type)) return;
    _Pycs_PutValues(api, type, entry->values, 0);
    if (entry->record == NULL) return;
    primary = _Pycs_PrimaryRecord(type, entry->mro);
    if (_Pycs_MergeInto(entry->record, primary, entry->mro) < 0
            && (_Pycs_Fit(api, refresh, entry, primary != NULL ? primary->count : 0) < 0
                || _Pycs_MergeInto(entry->record, primary, entry->mro) < 0)) {
        return;
    }
    record = entry->record;
    if (entry->unplanned) _Pycs_OverrideAll(type, record);
    else if (entry->plan != NULL) {
        (void)_Pycs_ApplyOverrides(type, entry->plan, record, 1);
        _Pycs_NoteMixins(api, type, entry->mro, entry->plan);
    }
    entry->record = NULL;
    _Pycs_Publish(api, type, record);
}

#if PY_VERSION_HEX < 0x030C0000
static void
_Pycs_NewVersion(PyTypeObject *type)
{
    PyObject *key, *value;
    Py_ssize_t at = 0;
    if (type->tp_dict == NULL || !PyDict_Next(type->tp_dict, &at, &key, &value)) return;
    Py_INCREF(key);
    Py_INCREF(value);
    if (PyDict_SetItem(type->tp_dict, key, (PyObject *)type) < 0
            || PyDict_SetItem(type->tp_dict, key, value) < 0) PyErr_Clear();
    Py_DECREF(value);
    Py_DECREF(key);
}
#endif
static int
_Pycs_ReportMoved(_Pycs_API *api, const _Pycs_Refresh *refresh)
{
    _Pycs_Refresh *other;
    Py_ssize_t i;
    _Pycs_ASSERT_LOCKED(api);
    for (other = api->state->refreshes; other != NULL; other = other->next) {
        if (other == refresh || other->change.own_count != _Pycs_CHANGED_BASES) continue;
        for (i = 0; i < other->late_count && other->late[i] != refresh->change.top; i++) { }
        if (i == other->late_count && _Pycs_Report(other, refresh->change.top) < 0) return -1;
    }
    return 0;
}

_Pycs_PRIVATE int
_Pycs_RefreshCommit(_Pycs_API *api, _Pycs_Refresh *refresh, int last)
{
    const int changed = refresh->change.own_count < 0;
    const _Pycs_FieldEntry *field;
    Py_ssize_t i;
    int status = 0;

    if (changed) refresh->looked = refresh->change.own_count == _Pycs_CHANGED_BASES ? -1 : 0;
    if (_Pycs_LockAsLooked(api, refresh, changed, last) < 0) return -1;
    if (refresh->change.own_count == _Pycs_CHANGED_BASES && _Pycs_ReportMoved(api, refresh) < 0) {
        PyErr_NoMemory();
        status = -1;
    }
    for (i = 0; (status == 0 || last) && i < refresh->count; i++) {
        _Pycs_Pending *entry = &refresh->pending[i];
        if (refresh->change.own_count == _Pycs_CHANGED_BASES && entry->mro != NULL) {

            _Pycs_EACH_FIELD(field, api, Py_TYPE(entry->type)) {
                if (_Pycs_InheritsField(api, entry->type, field)
                        && _Pycs_AddCopy(&entry->values, field, _Pycs_FieldAt(entry->type, field), _Pycs_FieldAt(
                            _Pycs_SourceOfField(api, NULL, entry->mro, field), field)) < 0) status = -1;
            }
        }
        if (_Pycs_Fit(api, refresh, entry, 0) < 0 && status == 0) {
            PyErr_NoMemory();
            status = -1;
        }
    }
    if (status < 0 && !last) {
        _Pycs_Unlock(api);
        for (i = 0; i < refresh->count; i++) _Pycs_FreeValues(&refresh->pending[i].values);
        return -1;
    }
    for (i = 0; i < refresh->count; i++) {
        _Pycs_CommitOne(api, refresh, &refresh->pending[i]);
    }
    _Pycs_STORE(uintptr_t, &api->state->generation, api->state->generation + 1);
    _Pycs_Unlock(api);
    if (status < 0) PyErr_Clear();
#if PY_VERSION_HEX < 0x030C0000
    for (i = 0; i < refresh->count; i++) {
        const _Pycs_Pending *entry = &refresh->pending[i];
        if (entry->plan != NULL || entry->unplanned) _Pycs_NewVersion(entry->type);
    }
#endif
    _Pycs_RefreshDiscard(api, refresh);
    return 0;
}

static int
_Pycs_SetSlotsAlone(_Pycs_API *api, PyTypeObject *type, PyObject *mro, uintptr_t generation, const PyCustomSlot *own,
                    Py_ssize_t count)
{
    _Pycs_Record *old, *record = NULL;
    int status = 0;
    _Pycs_Lock(api);
    if (_Pycs_HasTable(type) && generation == api->state->generation
            && _Pycs_LOAD(void *, &type->tp_subclasses) == NULL && !_Pycs_LOAD(uintptr_t, api->state->overridable)) {
        old = _Pycs_RecordOf(type);
        status = _Pycs_MergeRecord(type, own, count, mro, &record);
        if (status == 0 && !record->watched && (old == NULL || old->capacity <= record->capacity)) {
            _Pycs_Publish(api, type, record);
            _Pycs_STORE(uintptr_t, &api->state->generation, generation + 1);
            record = NULL;
            status = 1;
        }
    }
    _Pycs_Unlock(api);
    _Pycs_RecordDecref(record);
    if (status < 0) PyErr_NoMemory();
    return status;
}

_Pycs_PRIVATE int
_Pycs_set_slots(_Pycs_API *api, PyTypeObject *type, const PyCustomSlot *own, Py_ssize_t count)
{
    uintptr_t generation;
    _Pycs_Refresh refresh;
    PyObject *mro = NULL;
    int status = -1;

    if ((type == NULL || Py_TYPE((PyObject *)type) == NULL || _Pycs_APIOf(Py_TYPE((PyObject *)type)) != api)
            && _Pycs_CheckClass("set_slots", type) < 0) return -1;
    if (api->state->interpreter != _Pycs_ThisInterpreter()) {
        return _Pycs_RefuseForeign(api, PyExc_TypeError, "the class", type);
    }
    generation = _Pycs_LOAD(uintptr_t, &api->state->generation);
    mro = _Pycs_FetchMro(api, type);
    if (_Pycs_APIOf(Py_TYPE(type)) != api || !_Pycs_HasMemory(type) || mro == NULL) {
        PyErr_Format(PyExc_TypeError,
                     "slots cannot be given to '%.200s': found a type with metaclass "
                     "'%.200s'%s, expected a finished type whose metaclass derives from "
                     "%.200s", type->tp_name, Py_TYPE(type)->tp_name,
                     mro == NULL ? " that is not ready"
                     : _Pycs_HasMemory(type) ? "" : " that is static and was made without this library",
                     api->metaclass->tp_name);
    }
    else if (_Pycs_CheckOwn(type->tp_name, own, count) == 0) {
        status = count > 0 ? _Pycs_SetSlotsAlone(api, type, mro, generation, own, count) : 0;
        if (status == 0) {
            _Pycs_RefreshEnter(api, &refresh, type, own, count);
            if ((status = _Pycs_RefreshCommit(api, &refresh, 0)) < 0) _Pycs_RefreshDiscard(api, &refresh);
        }
    }
    Py_XDECREF(mro);
    return status < 0 ? -1 : 0;
}

_Pycs_PRIVATE int
_Pycs_publish(_Pycs_API *api, PyTypeObject *type, const PyCustomSlot *own, Py_ssize_t count)
{
    int taken;
    if (_Pycs_CheckClass("publish", type) < 0) return -1;
    if (_Pycs_CheckOwn(type->tp_name, own, count) < 0) return -1;
    if ((taken = _Pycs_FinishWith(api, type, own, count)) < 0) return -1;
    return count > 0 && !taken ? _Pycs_set_slots(api, type, own, count) : 0;
}

#define _Pycs_SET_BY_C "(set by C)"
static int
_Pycs_GoesByName(_Pycs_API *api, PyTypeObject *metaclass, const _Pycs_FieldEntry *field)
{
    const unsigned visible = PyExtensibleType_READABLE | PyExtensibleType_WRITABLE;
    return (field->def.flags & visible) == visible && !_Pycs_IsHidden(api, metaclass, field);
}

static const char *
_Pycs_AttributeName(const _Pycs_FieldEntry *field)
{
    return field->def.name != NULL ? field->def.name : "(not described)";
}

_Pycs_PRIVATE PyObject *
_Pycs_ValuesOfClass(_Pycs_API *api, PyTypeObject *type)
{
    const _Pycs_FieldEntry *field;
    PyObject *values = PyDict_New(), *names, *value;
    int status;

    if (values == NULL || _Pycs_FirstField(api, Py_TYPE(type)) == NULL || !_Pycs_IsFilled(type)) return values;
    names = PyList_New(0);
    status = names != NULL ? 0 : -1;
    _Pycs_EACH_FIELD(field, api, Py_TYPE(type)) {
        if (status < 0) break;
        if (!_Pycs_IsOwn(api, type, field)) continue;
        if (_Pycs_GoesByName(api, Py_TYPE(type), field)) {
            value = _Pycs_ReadField(api, type, field);
            status = value != NULL ? PyDict_SetItem(values, field->name, value) : -1;
        }
        else {
            value = PyUnicode_FromString(_Pycs_AttributeName(field));
            status = value != NULL ? PyList_Append(names, value) : -1;
        }
        Py_XDECREF(value);
    }
    if (status == 0 && PyList_GET_SIZE(names) > 0) {
        value = PyList_AsTuple(names);
        status = value != NULL ? PyDict_SetItemString(values, _Pycs_SET_BY_C, value) : -1;
        Py_XDECREF(value);
    }
    Py_XDECREF(names);
    if (status < 0) Py_CLEAR(values);
    return values;
}

_Pycs_PRIVATE int
_Pycs_ExpectOwn(_Pycs_API *api, PyTypeObject *type, PyObject *values)
{
    const _Pycs_FieldEntry *field;
    PyObject *key = PyUnicode_InternFromString(_Pycs_SET_BY_C), *names = NULL, *name;
    int status = key == NULL || (PyDict_Check(values) && _Pycs_LookUp(values, key, &names) < 0) ? -1 : 0;

    Py_XDECREF(key);
    if (names == NULL || !PyTuple_Check(names) || !_Pycs_IsFilled(type)) goto done;
    _Pycs_EACH_FIELD(field, api, Py_TYPE(type)) {
        if (_Pycs_IsOwn(api, type, field) || _Pycs_GoesByName(api, Py_TYPE(type), field)) continue;
        name = PyUnicode_FromString(_Pycs_AttributeName(field));
        status = name != NULL ? PySequence_Contains(names, name) : -1;
        Py_XDECREF(name);
        if (status != 0) break;
    }
    if (status > 0) {
        PyErr_Format(PyExc_TypeError,
                     "class '%.200s': found that C code set field '%s' of metaclass '%.200s' in the class "
                     "that this one is a copy of; a copy or a pickle has only values that Python may set; "
                     "expected __init_subclass__ of a base to set it again; or set it after the class was "
                     "copied, by a decorator above; or pickle the class by reference", type->tp_name,
                     _Pycs_AttributeName(field), field->list->metaclass->tp_name);
    }
done:
    Py_XDECREF(names);
    return status == 0 ? 0 : -1;
}

_Pycs_PRIVATE int
_Pycs_ExpectNamed(_Pycs_API *api, PyTypeObject *type, PyObject *values)
{
    PyObject *names = PyDict_Check(values) ? PyDict_Keys(values) : PyList_New(0), *shown;
    int is_known = names != NULL;
    Py_ssize_t i;

    for (i = 0; is_known && i < PyList_GET_SIZE(names); i++) {
        PyObject *name = PyList_GET_ITEM(names, i);
        const _Pycs_FieldEntry *field;

        is_known = !PyUnicode_Check(name) || PyUnicode_CompareWithASCIIString(name, _Pycs_SET_BY_C) == 0;
        if (is_known) continue;
        _Pycs_EACH_FIELD(field, api, Py_TYPE(type)) {
            is_known |= (field->def.flags & PyExtensibleType_WRITABLE) && PyUnicode_Compare(field->name, name) == 0;
        }
        if (is_known || !(shown = _Pycs_Repr(name))) continue;
        PyErr_Format(PyExc_AttributeError,
                     "class '%.200s' has no C field %U that Python may set, for which the dict or the pickle that "
                     "it is made from has a value; expected metaclass '%.200s' to declare it so; a pickle needs "
                     "the metaclass of the version that it was made with",
                     type->tp_name, shown, Py_TYPE(type)->tp_name);
        Py_DECREF(shown);
    }
    Py_XDECREF(names);
    return is_known ? 0 : -1;
}

_Pycs_PRIVATE int
_Pycs_set_values_of_class(_Pycs_API *api, PyObject *self, PyObject *values)
{
    PyTypeObject *type = (PyTypeObject *)self;
    PyObject *items;
    Py_ssize_t i;
    int status = 0;

    if (values == NULL || !PyDict_Check(values)) {
        return _Pycs_Deny(PyExc_TypeError, "%U of class '%.200s': found %s%.200s%s, expected a dict "
                          "{field: value}", api->state->name_fields, type->tp_name,
                          values != NULL ? "an object of type '" : "nothing (it cannot be deleted)",
                          values != NULL ? Py_TYPE(values)->tp_name : "", values != NULL ? "'" : "");
    }
    if (_Pycs_ExpectNamed(api, type, values) < 0 || !(items = PyDict_Items(values))) return -1;
    for (i = 0; status == 0 && i < PyList_GET_SIZE(items); i++) {
        PyObject *item = PyList_GET_ITEM(items, i), *name = PyTuple_GET_ITEM(item, 0);
        if (PyUnicode_Check(name) && PyUnicode_CompareWithASCIIString(name, _Pycs_SET_BY_C) == 0) continue;
        status = _Pycs_set_field_object(api, type, name, PyTuple_GET_ITEM(item, 1));
    }
    Py_DECREF(items);
    return status == 0 ? _Pycs_ExpectOwn(api, type, values) : -1;
}

_Pycs_PRIVATE PyObject *
_Pycs_get_dict(_Pycs_API *api, PyObject *self)
{
    PyObject *entries, *values = NULL, *all = NULL, *names = NULL, *result = NULL;

    entries = _Pycs_Delegate(api->state->type_dict, self);
    if (entries == NULL || !(values = _Pycs_ValuesOfClass(api, (PyTypeObject *)self))) {
        goto done;
    }
    if (PyDict_GET_SIZE(values) == 0) result = Py_NewRef(entries);

    else if ((all = PyDict_New()) && PyDict_Update(all, entries) == 0 && PyDict_Merge(all, values, 0) == 0
            && (names = PyObject_CallMethod(all, "pop", "sO", _Pycs_SET_BY_C, Py_None))
            && PyDict_SetItem(all, api->state->name_fields, values) == 0) result = PyDictProxy_New(all);
done:
    _Pycs_XDECREF_ALL(entries, values, all, names);
    return result;
}

_Pycs_PRIVATE PyObject *
_Pycs_get_dir(_Pycs_API *api, PyObject *self)
{
    PyTypeObject *type = (PyTypeObject *)self;
    const _Pycs_FieldEntry *field;
    PyObject *found = PyObject_CallMethod((PyObject *)&PyType_Type, "__dir__", "O", self);
    PyObject *names = NULL, *result = NULL;

    if (found == NULL || !(names = PySet_New(found))) goto done;

    if (PySet_Discard(names, api->state->name_fields) < 0) goto done;
    _Pycs_EACH_FIELD(field, api, Py_TYPE(type)) {
        if ((field->def.flags & PyExtensibleType_READABLE)
                && _Pycs_HasBytesOf(type, field->list) && PySet_Add(names, field->name) < 0) goto done;
    }
    result = PySequence_List(names);
done:
    Py_XDECREF(found);
    Py_XDECREF(names);
    return result;
}

_Pycs_PRIVATE PyObject *
_Pycs_CarriedValue(_Pycs_API *api, PyObject *ns, PyObject *values, PyObject *name)
{
    PyObject *slots;
    int is_slot = 0;
    if (values == NULL || !PyDict_Check(values)) return NULL;
    if (_Pycs_LookUp(ns, api->state->name_slots, &slots) < 0 || slots == NULL) return NULL;
    if (PyUnicode_Check(slots)) is_slot = PyUnicode_Compare(slots, name) == 0;
    else if (PyTuple_Check(slots) || PyList_Check(slots) || PyDict_Check(slots)) {
        is_slot = PySequence_Contains(slots, name);
    }
    Py_DECREF(slots);
    return is_slot > 0 && !PyErr_Occurred() ? PyDict_GetItemWithError(values, name) : NULL;
}

#define _Pycs_MAX_ATOMS 8
static PyObject *
_Pycs_MetaclassesIn(PyObject *tuple)
{
    PyObject *found = PyList_New(0);
    Py_ssize_t i;

    for (i = 0; found != NULL && tuple != NULL && i < PyTuple_GET_SIZE(tuple); i++) {
        PyTypeObject *m = (PyTypeObject *)PyTuple_GET_ITEM(tuple, i);
        if (m == &PyType_Type || !PyType_IsSubtype(m, &PyType_Type)) continue;
        if (PyList_Append(found, (PyObject *)m) < 0) Py_CLEAR(found);
    }
    Py_XDECREF(tuple);
    return found;
}

static PyTypeObject *
_Pycs_LaidOutBy(_Pycs_API *api, PyTypeObject *metaclass)
{
    PyObject *mro = _Pycs_FetchMro(api, metaclass);
    PyTypeObject *ctypes = NULL;
    Py_ssize_t i;

    for (i = 0; mro != NULL && ctypes == NULL && i < PyTuple_GET_SIZE(mro); i++) {
        PyTypeObject *item = (PyTypeObject *)PyTuple_GET_ITEM(mro, i);
        if (strncmp(item->tp_name, "_ctypes.", 8) == 0) ctypes = item;
    }
    Py_XDECREF(mro);
    if (ctypes != NULL) return ctypes;
    while (metaclass != &PyType_Type && metaclass->tp_basicsize == metaclass->tp_base->tp_basicsize) {
        metaclass = metaclass->tp_base;
    }
    return metaclass;
}

static PyObject *
_Pycs_TextOf(PyObject *metaclass, const char *attribute)
{
    _Pycs_API *api = _Pycs_APIOf((PyTypeObject *)metaclass);
    PyObject *name = PyUnicode_FromString(attribute);
    PyObject *text = name == NULL ? NULL
        : api != NULL ? _Pycs_OwnAttribute(api, metaclass, name) : PyObject_GetAttr(metaclass, name);
    Py_XDECREF(name);
    if (text != NULL && !PyUnicode_Check(text)) Py_SETREF(text, _Pycs_Repr(text));
    return text;
}

static PyObject *
_Pycs_FullName(PyObject *metaclass)
{
    PyObject *module = _Pycs_TextOf(metaclass, "__module__");
    PyObject *name = module != NULL ? _Pycs_TextOf(metaclass, "__qualname__") : NULL;
    PyObject *full = name != NULL ? PyUnicode_FromFormat("%U.%U", module, name) : NULL;
    Py_XDECREF(module);
    Py_XDECREF(name);
    return full;
}

static PyObject *
_Pycs_InOrder(_Pycs_API *api, PyObject *metaclasses)
{
    PyObject *rows = PyList_New(0);
    Py_ssize_t i;

    for (i = 0; rows != NULL && i < PyList_GET_SIZE(metaclasses); i++) {
        PyTypeObject *m = (PyTypeObject *)PyList_GET_ITEM(metaclasses, i);
        const int has_data = _Pycs_LaidOutBy(api, m) != &PyType_Type;
        PyObject *name = _Pycs_FullName((PyObject *)m);
        PyObject *row = name == NULL ? NULL : Py_BuildValue(
            "(inONO)", has_data, has_data ? m->tp_basicsize : (Py_ssize_t)0, name,
            PyLong_FromVoidPtr((void *)m), (PyObject *)m);
        if (row == NULL || PyList_Append(rows, row) < 0) Py_CLEAR(rows);
        Py_XDECREF(row);
        Py_XDECREF(name);
    }
    if (rows != NULL && PyList_Sort(rows) < 0) Py_CLEAR(rows);
    for (i = 0; rows != NULL && i < PyList_GET_SIZE(rows); i++) {
        (void)PyList_SetItem(rows, i, Py_NewRef(PyTuple_GET_ITEM(PyList_GET_ITEM(rows, i), 4)));
    }
    return rows;
}

static PyObject *
_Pycs_MostDerived(PyObject *metaclasses)
{
    PyObject *most = PyList_New(0);
    Py_ssize_t i, k, n = PyList_GET_SIZE(metaclasses);

    for (i = 0; most != NULL && i < n; i++) {
        PyTypeObject *m = (PyTypeObject *)PyList_GET_ITEM(metaclasses, i);
        for (k = 0; k < n; k++) {
            PyTypeObject *other = (PyTypeObject *)PyList_GET_ITEM(metaclasses, k);
            if (other == m ? k < i : PyType_IsSubtype(other, m)) break;
        }
        if (k == n && PyList_Append(most, (PyObject *)m) < 0) Py_CLEAR(most);
    }
    return most;
}

static PyObject *
_Pycs_Atoms(_Pycs_API *api, PyObject *made, PyObject *metaclasses)
{
    PyObject *all = PyList_New(0), *most = NULL, *atoms = NULL;
    Py_ssize_t i;

    if (all == NULL) return NULL;
    for (i = 0; i < PyList_GET_SIZE(metaclasses); i++) {
        PyObject *m = PyList_GET_ITEM(metaclasses, i);
        PyObject *known = PyDict_GetItemWithError(made, m);
        Py_ssize_t end = PyList_GET_SIZE(all);
        if (known == NULL && PyErr_Occurred()) goto done;
        if (known != NULL ? PyList_SetSlice(all, end, end, known) < 0 : PyList_Append(all, m) < 0) goto done;
    }
    if (!(most = _Pycs_MostDerived(all))) goto done;
    atoms = _Pycs_InOrder(api, most);
done:
    Py_XDECREF(all);
    Py_XDECREF(most);
    return atoms;
}

static PyObject *
_Pycs_JoinNames(PyObject *metaclasses, int full)
{
    PyObject *names = PyList_New(0), *separator = NULL, *joined = NULL;
    Py_ssize_t i;

    for (i = 0; names != NULL && i < PySequence_Fast_GET_SIZE(metaclasses); i++) {
        PyObject *m = PySequence_Fast_GET_ITEM(metaclasses, i), *name = NULL, *whole;
        if (full) name = _Pycs_FullName(m);
        else if ((whole = _Pycs_TextOf(m, "__name__"))) {
            name = PyObject_CallMethod(whole, "removesuffix", "s", "_v4");
            Py_DECREF(whole);
        }
        if (name == NULL || PyList_Append(names, name) < 0) Py_CLEAR(names);
        Py_XDECREF(name);
    }
    if (names != NULL) separator = PyUnicode_FromString(full ? " and " : "And");
    if (separator != NULL) joined = PyUnicode_Join(separator, names);
    Py_XDECREF(names);
    Py_XDECREF(separator);
    return joined;
}

static PyObject *
_Pycs_MakeCombination(PyObject *made, PyObject *key, PyObject *bases, PyObject *atoms)
{
    PyTypeObject *winner = &PyType_Type;
    PyObject *name = _Pycs_JoinNames(atoms, 0);
    PyObject *full = name != NULL ? _Pycs_JoinNames(atoms, 1) : NULL;
    PyObject *doc = full != NULL ? PyUnicode_FromFormat("%U in one metaclass.", full) : NULL;
    PyObject *tuple = doc != NULL ? PyList_AsTuple(bases) : NULL;
    PyObject *parts = tuple != NULL ? PyList_AsTuple(atoms) : NULL;
    PyObject *new_one = NULL, *result = NULL;
    Py_ssize_t i;

    if (parts == NULL) goto done;
    for (i = 0; i < PyTuple_GET_SIZE(tuple); i++) {
        PyTypeObject *other = Py_TYPE(PyTuple_GET_ITEM(tuple, i));
        if (PyType_IsSubtype(other, winner)) winner = other;
    }
    new_one = PyObject_CallFunction((PyObject *)winner, "OO{s:s,s:(),s:O}", name, tuple,
                                    "__module__", _Pycs_MODULE, "__slots__",
                                    "__doc__", doc);
    if (new_one == NULL || PyDict_SetItem(made, new_one, parts) < 0) goto done;
    result = PyObject_CallMethod(made, "setdefault", "OO", key, new_one);
done:
    _Pycs_XDECREF_ALL(name, full, doc, tuple, parts, new_one);
    return result;
}

static PyObject *
_Pycs_CombineAtoms(_Pycs_API *api, PyObject *made, PyObject *atoms);

static int
_Pycs_AddLower(_Pycs_API *api, PyObject *made, PyObject *atoms, Py_ssize_t i, PyObject *lower, PyObject *bases)
{
    PyObject *rest = PyList_GetSlice(atoms, 0, PyList_GET_SIZE(atoms)), *fewer = NULL;
    PyObject *combined = NULL;
    int status = -1;

    if (rest == NULL || PyList_SetSlice(rest, i, i + 1, NULL) < 0
            || (lower != NULL && PyList_Append(rest, lower) < 0)
            || !(fewer = _Pycs_Atoms(api, made, rest))
            || !(combined = _Pycs_CombineAtoms(api, made, fewer)) || PyList_Append(bases, combined) < 0) goto done;
    status = 0;
done:
    _Pycs_XDECREF_ALL(rest, fewer, combined);
    return status;
}

static PyObject *
_Pycs_CombineAtoms(_Pycs_API *api, PyObject *made, PyObject *atoms)
{
    Py_ssize_t i, k;
    PyObject *key = NULL, *bases = NULL, *below = NULL, *most = NULL, *result = NULL;

    if (PyList_GET_SIZE(atoms) == 1) return Py_NewRef(PyList_GET_ITEM(atoms, 0));
    if (Py_EnterRecursiveCall(" while metaclasses were combined")) return NULL;
    if (!(key = PyFrozenSet_New(atoms))) goto done;
    if (_Pycs_LookUp(made, key, &result) < 0 || result != NULL || !(bases = PyList_New(0))) goto done;
    for (i = PyList_GET_SIZE(atoms) - 1; i >= 0; i--) {
        Py_XSETREF(below, _Pycs_MetaclassesIn(_Pycs_FetchBases(api, (PyTypeObject *)PyList_GET_ITEM(atoms, i))));
        if (below == NULL) goto done;
        for (k = 0; k < PyList_GET_SIZE(below) || k == 0; k++) {
            PyObject *lower = PyList_GET_SIZE(below) ? PyList_GET_ITEM(below, k) : NULL;
            if (_Pycs_AddLower(api, made, atoms, i, lower, bases) < 0) goto done;
        }
    }
    if (!(most = _Pycs_MostDerived(bases))) goto done;
    result = _Pycs_MakeCombination(made, key, most, atoms);
done:
    Py_LeaveRecursiveCall();
    _Pycs_XDECREF_ALL(key, bases, below, most);
    return result;
}

static Py_ssize_t
_Pycs_CountMetaclasses(_Pycs_API *api, PyObject *metaclasses)
{
    PyObject *seen = PySet_New(NULL), *mro, *updated;
    Py_ssize_t i, count = -1;

    for (i = 0; seen != NULL && i < PyList_GET_SIZE(metaclasses); i++) {
        mro = _Pycs_MetaclassesIn(_Pycs_FetchMro(api, (PyTypeObject *)PyList_GET_ITEM(metaclasses, i)));
        updated = mro != NULL ? PyObject_CallMethod(seen, "update", "O", mro) : NULL;
        if (updated == NULL) Py_CLEAR(seen);
        Py_XDECREF(updated);
        Py_XDECREF(mro);
    }
    if (seen != NULL) count = PySet_GET_SIZE(seen);
    Py_XDECREF(seen);
    return count;
}

static int
_Pycs_CheckLayouts(_Pycs_API *api, PyObject *metaclasses, const char *who)
{
    Py_ssize_t i, k;

    for (i = 0; i < PyList_GET_SIZE(metaclasses); i++) {
        PyTypeObject *one = (PyTypeObject *)PyList_GET_ITEM(metaclasses, i);
        PyTypeObject *layout = _Pycs_LaidOutBy(api, one);
        for (k = 0; k < i; k++) {
            PyTypeObject *other = (PyTypeObject *)PyList_GET_ITEM(metaclasses, k);
            PyTypeObject *its = _Pycs_LaidOutBy(api, other);
            PyObject *name, *its_name;
            if (PyType_IsSubtype(layout, its) || PyType_IsSubtype(its, layout)) continue;
            name = _Pycs_FullName((PyObject *)one);
            its_name = name != NULL ? _Pycs_FullName((PyObject *)other) : NULL;
            if (its_name != NULL) {
                PyErr_Format(PyExc_TypeError,
                             "%s: %U (%zd bytes) and %U (%zd bytes) both lay out type objects "
                             "in C, expected at most one that does; let one of them derive "
                             "from the other",
                             who, its_name, other->tp_basicsize, name, one->tp_basicsize);
            }
            Py_XDECREF(name);
            Py_XDECREF(its_name);
            return -1;
        }
    }
    return 0;
}

static void
_Pycs_ExplainConflict(PyObject *metaclasses, const char *who)
{
    PyObject *error, *value, *traceback, *names = NULL, *reason = NULL;

    if (!PyErr_ExceptionMatches(PyExc_TypeError)) return;
    PyErr_Fetch(&error, &value, &traceback);
    PyErr_NormalizeException(&error, &value, &traceback);
    if ((reason = PyObject_Str(value)) == NULL && _Pycs_IsReplaceable()) {
        PyErr_Clear();
        reason = _Pycs_Repr(value);
    }
    if (reason != NULL) names = _Pycs_JoinNames(metaclasses, 1);
    if (names != NULL) {
        PyErr_Format(PyExc_TypeError,
                     "%s: %U cannot be combined: %U; write a metaclass that derives from all "
                     "of them, if there can be one, and name that", who, names, reason);
    }
    _Pycs_XDECREF_ALL(names, reason, error, value, traceback);
}

static PyObject *
_Pycs_ReadMetaclasses(PyObject *metaclasses, const char *who)
{
    PyObject *all = PySequence_List(metaclasses), *shown;
    Py_ssize_t i;

    for (i = 0; all != NULL && i < PyList_GET_SIZE(all); i++) {
        PyObject *m = PyList_GET_ITEM(all, i);
        if (PyType_Check(m) && PyType_IsSubtype((PyTypeObject *)m, &PyType_Type)) continue;
        if ((shown = _Pycs_Repr(m)) != NULL) {
            PyErr_Format(PyExc_TypeError,
                         "%s: found %U, an object of type '%.200s'; expected a metaclass, a "
                         "class that derives from type", who, shown, Py_TYPE(m)->tp_name);
            Py_DECREF(shown);
        }
        Py_CLEAR(all);
    }
    if (all != NULL) Py_SETREF(all, _Pycs_MostDerived(all));
    return all;
}

static PyObject *
_Pycs_Combinations(const char *who)
{
    PyObject *made = _Pycs_KeepInModule("_combined", PyDict_New()), *shown;

    if (made == NULL || PyDict_Check(made)) return made;
    if ((shown = _Pycs_Repr(made)) != NULL) {
        PyErr_Format(PyExc_ImportError,
                     "%s: sys.modules['" _Pycs_MODULE "']._combined: found %U, "
                     "expected a dict of metaclasses; remove whatever else sets it", who, shown);
        Py_DECREF(shown);
    }
    Py_DECREF(made);
    return NULL;
}

_Pycs_PRIVATE PyObject *
_Pycs_PlaceOfCombination(PyObject *metaclass, int is_module)
{
    PyObject *name = PyUnicode_FromString("cython_customslots.combining"), *names = NULL, *atoms = NULL;
    PyObject *module = name != NULL ? PyImport_GetModule(name) : NULL;
    PyObject *made = module != NULL ? _Pycs_Combinations("combine") : NULL, *result = NULL;

    if (made == NULL || _Pycs_LookUp(made, metaclass, &atoms) < 0 || atoms == NULL || !PyTuple_Check(atoms)) goto done;
    if (is_module) result = Py_NewRef(name);
    else if ((names = _Pycs_JoinNames(atoms, 1))) {
        result = PyObject_CallMethod(names, "replace", "ss", ".", ":");
    }
done:
    _Pycs_XDECREF_ALL(name, names, atoms, module, made);
    return result;
}

static PyObject *
_Pycs_CombineWhole(_Pycs_API *api, PyObject *made, PyObject *most, PyObject *atoms)
{
    const Py_ssize_t count = _Pycs_CountMetaclasses(api, atoms);
    PyObject *result;
    Py_ssize_t i;

    if (count < 0 || count > _Pycs_MAX_ATOMS) return NULL;
    result = _Pycs_CombineAtoms(api, made, atoms);
    if (result == NULL && PyErr_ExceptionMatches(PyExc_TypeError)) PyErr_Clear();
    for (i = 0; result != NULL && i < PyList_GET_SIZE(most); i++) {
        if (!PyType_IsSubtype((PyTypeObject *)result, (PyTypeObject *)PyList_GET_ITEM(most, i))) Py_CLEAR(result);
    }
    return result;
}

static PyObject *
_Pycs_CombineNamed(_Pycs_API *api, PyObject *made, PyObject *most, PyObject *atoms, const char *who)
{
    PyObject *key = PyFrozenSet_New(most), *sorted = NULL, *result = NULL;

    if (key == NULL) return NULL;
    if (_Pycs_LookUp(made, key, &result) < 0 || result != NULL || !(sorted = _Pycs_InOrder(api, most))) goto done;
    result = _Pycs_MakeCombination(made, key, sorted, atoms);
    if (result == NULL) _Pycs_ExplainConflict(sorted, who);
done:
    Py_DECREF(key);
    Py_XDECREF(sorted);
    return result;
}

_Pycs_PRIVATE PyObject *
_Pycs_combine(_Pycs_API *api, PyObject *metaclasses, const char *who)
{
    PyObject *most = NULL, *made = NULL, *atoms = NULL, *result = NULL;

    if (who == NULL) who = "combine";
    if (metaclasses == NULL || !PyTuple_Check(metaclasses)) {
        return PyErr_Format(PyExc_TypeError, "%s: found %s%.200s%s, expected a tuple of metaclasses", who,
                            metaclasses == NULL ? "NULL" : "an object of type '",
                            metaclasses == NULL ? "" : Py_TYPE(metaclasses)->tp_name,
                            metaclasses == NULL ? "" : "'");
    }
    if (!(most = _Pycs_ReadMetaclasses(metaclasses, who))) return NULL;
    if (PyList_GET_SIZE(most) < 2) {
        result = Py_NewRef(PyList_GET_SIZE(most) ? PyList_GET_ITEM(most, 0) : (PyObject *)&PyType_Type);
    }
    else if (_Pycs_CheckLayouts(api, most, who) == 0 && (made = _Pycs_Combinations(who))
             && (atoms = _Pycs_Atoms(api, made, most))) {
        result = _Pycs_CombineWhole(api, made, most, atoms);
        if (result == NULL && !PyErr_Occurred()) result = _Pycs_CombineNamed(api, made, most, atoms, who);
    }
    _Pycs_XDECREF_ALL(most, made, atoms);
    return result;
}

_Pycs_PRIVATE _Pycs_Handover *
_Pycs_HandoverTakenBy(_Pycs_API *api, const PyTypeObject *type)
{
    _Pycs_Handover *node = _Pycs_HAS_FIELDS(api, Py_TYPE(type)) ? api->state->thread()->handover : NULL;
    while (node != NULL && node->taken_by != type) node = node->below;
    return node;
}

_Pycs_PRIVATE int
_Pycs_FinishAll(_Pycs_API *api, PyObject *bases)
{
    Py_ssize_t i;
    for (i = 0; i < PyTuple_GET_SIZE(bases); i++) {
        PyObject *base = PyTuple_GET_ITEM(bases, i);
        if (PyType_Check(base) && _Pycs_FinishType(api, (PyTypeObject *)base) < 0) return -1;
    }
    return 0;
}

static int
_Pycs_Begin(_Pycs_API *api, PyTypeObject *type)
{
    PyTypeObject *metaclass = Py_TYPE(type);
    _Pycs_Birth birth = _Pycs_BIRTH_INIT;
    int status;

    if (!_Pycs_IsHeap(type) || _Pycs_APIOf(metaclass) != api
            || _Pycs_LOAD(uintptr_t, &_Pycs_CAST(type)->etp_check) != 0) return 1;
    birth.metaclass = metaclass;
    if ((status = _Pycs_BirthInherit(api, &birth, NULL)) == 0) {
        _Pycs_Lock(api);
        if (!_Pycs_IsFilled(type)) _Pycs_BirthFill(api, &birth, type, 0);
        _Pycs_Unlock(api);
    }
    _Pycs_BirthEnd(&birth);
    if (status == 0) _Pycs_MendMetaclass(metaclass);
    return status;
}

typedef struct {
    PyObject *bases, *mro;
    int same, above;
    _Pycs_Overrides *plan;
} _Pycs_Finding;

static int
_Pycs_HasMroOfBase(_Pycs_API *api, const PyTypeObject *type, const _Pycs_Finding *finding)
{
    PyTypeObject *const base = (PyTypeObject *)PyTuple_GET_ITEM(finding->bases, 0);
    PyObject *mro = PyTuple_GET_SIZE(finding->bases) == 1 ? _Pycs_FetchMro(api, base) : NULL;
    const int found = mro != NULL && _Pycs_IsMroOver(type, finding->mro, mro);
    (void)api;
    Py_XDECREF(mro);
    return found;
}

static int
_Pycs_LookAndLock(_Pycs_API *api, PyTypeObject *type, _Pycs_Finding *finding)
{
    const _Pycs_Handover *node;
    uintptr_t generation;

    for (;;) {
        generation = _Pycs_LOAD(uintptr_t, &api->state->generation);
        Py_XSETREF(finding->bases, _Pycs_FetchBases(api, type));
        if (finding->bases != NULL && _Pycs_FinishAll(api, finding->bases) < 0) return -1;

        if (!(PyType_GetFlags(type) & Py_TPFLAGS_READY)) return 0;
        Py_XSETREF(finding->mro, _Pycs_FetchMro(api, type));
        if (finding->bases == NULL || finding->mro == NULL) return 0;
        node = _Pycs_HandoverTakenBy(api, type);
        finding->same = node != NULL && _Pycs_IsMroOver(type, finding->mro, node->mro);
        finding->above = _Pycs_HasMroOfBase(api, type, finding);
        if (finding->plan != NULL) _Pycs_FreeOverrides(finding->plan);
        finding->plan = NULL;
        if (_Pycs_LOAD(uintptr_t, api->state->overridable) && _Pycs_IsHeap(type)
                && (_Pycs_WatchAttributes(api) < 0
                    || _Pycs_PlanOverrides(api, type, finding->mro, NULL, &finding->plan) < 0)) return -1;
        _Pycs_Lock(api);
        if (!_Pycs_IsUnfinished(type)) break;
        if (generation == _Pycs_LOAD(uintptr_t, &api->state->generation)) return 1;
        _Pycs_Unlock(api);
    }
    _Pycs_Unlock(api);
    return 0;
}

_Pycs_PRIVATE int
_Pycs_Report(_Pycs_Refresh *refresh, PyTypeObject *type)
{
    if (refresh->late_count == refresh->late_room) {
        const Py_ssize_t room = 2 * refresh->late_room + 4;
        void *late = PyMem_RawRealloc(refresh->late, (size_t)room * sizeof(PyTypeObject *));
        if (late == NULL) return -1;
        refresh->late = (PyTypeObject **)late;
        refresh->late_room = room;
    }
    refresh->late[refresh->late_count++] = (PyTypeObject *)Py_NewRef((PyObject *)type);
    return 0;
}

static int
_Pycs_ReportLate(_Pycs_API *api, PyTypeObject *type, PyObject *mro)
{
    _Pycs_Refresh *refresh;
    _Pycs_ASSERT_LOCKED(api);
    for (refresh = api->state->refreshes; refresh != NULL; refresh = refresh->next) {
        if (_Pycs_PlaceIn(mro, refresh->change.top, 0) >= 0 && _Pycs_Report(refresh, type) < 0) return -1;
    }
    return 0;
}

static int
_Pycs_FinishAsFound(_Pycs_API *api, PyTypeObject *type,
                    const _Pycs_Finding *finding,
                    const PyCustomSlot *own, Py_ssize_t count,
                    _Pycs_Value **values)
{
    _Pycs_Record *record = NULL;
    PyTypeObject *const base = (PyTypeObject *)PyTuple_GET_ITEM(finding->bases, 0);

    if (count == 0 && finding->above && api->state->refreshes == NULL && _Pycs_HasTable(base)) {

        record = _Pycs_RecordIncref(_Pycs_RecordOf(base));
    }
    else if (_Pycs_MergeRecord(type, own, count, finding->mro, &record) < 0) {
        return -1;
    }
    if ((finding->plan != NULL && _Pycs_ApplyToShared(type, finding->plan, &record) < 0)
            || (api->state->refreshes != NULL && _Pycs_ReportLate(api, type, finding->mro) < 0)
            || _Pycs_FinishFields(api, type, finding->mro, !finding->same, values) < 0) {
        _Pycs_RecordDecref(record);
        return -1;
    }
    _Pycs_SetRecord(api, type, record);
    return 0;
}

_Pycs_PRIVATE int
_Pycs_FinishWith(_Pycs_API *api, PyTypeObject *type, const PyCustomSlot *own, Py_ssize_t count)
{
    _Pycs_Finding finding = {NULL, NULL, 0, 0, NULL};
    _Pycs_Value *values = NULL;
    int status;

    if (!_Pycs_IsUnfinished(type)) {
        status = _Pycs_HasTable(type) ? 1 : _Pycs_Begin(api, type);
        if (status != 0) return status < 0 ? -1 : 0;
    }
    status = _Pycs_LookAndLock(api, type, &finding);
    if (status > 0) {
        status = _Pycs_FinishAsFound(api, type, &finding, own, count, &values) < 0 ? -1 : count > 0;
        _Pycs_Unlock(api);
        if (status < 0 && !PyErr_Occurred()) PyErr_NoMemory();
    }
    _Pycs_FreeValues(&values);
    if (finding.plan != NULL) _Pycs_FreeOverrides(finding.plan);
    Py_XDECREF(finding.bases);
    Py_XDECREF(finding.mro);
    return status;
}

_Pycs_PRIVATE int
_Pycs_FinishType(_Pycs_API *api, PyTypeObject *type)
{
    return _Pycs_HasTable(type) ? 0 : _Pycs_FinishWith(api, type, NULL, 0);
}

_Pycs_PRIVATE int
_Pycs_finish(_Pycs_API *api, PyTypeObject *type)
{
    if (_Pycs_CheckTypeObject("finish", type) < 0) return -1;
    return _Pycs_FinishType(api, type);
}

static inline int
_Pycs_IsClass(PyTypeObject *type)
{
    PyTypeObject *metaclass = type != NULL ? _Pycs_LOAD(PyTypeObject *, &((PyObject *)type)->ob_type) : NULL;
    return metaclass != NULL && (_Pycs_FLAGS(metaclass) & Py_TPFLAGS_TYPE_SUBCLASS) != 0;
}

#define _Pycs_READER(result, name, parameters, found, none) \
    _Pycs_PRIVATE result \
    _Pycs_##name parameters \
    { \
        (void)api; \
        return _Pycs_IsClass(type) ? found : none; \
    }

_Pycs_READER(const PyCustomSlot *, find, (_Pycs_API *api, PyTypeObject *type, uintptr_t id, Py_ssize_t position),
             PyCustomSlots_FindType(type, id, position), NULL)
_Pycs_READER(const PyCustomSlot *, find_any, (_Pycs_API *api, PyTypeObject *type, uintptr_t id, Py_ssize_t position),
             PyCustomSlots_FindAnyType(type, id, position), NULL)
_Pycs_READER(Py_ssize_t, slot_count, (_Pycs_API *api, PyTypeObject *type), PyCustomSlots_CountType(type), 0)
_Pycs_READER(const PyCustomSlot *, slot_table, (_Pycs_API *api, PyTypeObject *type),
             PyCustomSlots_TableType(type), NULL)

_Pycs_PRIVATE uintptr_t
_Pycs_intern(_Pycs_API *api, const char *name)
{
    (void)api;
    return PyCustomSlots_Intern(name);
}

_Pycs_PRIVATE int
_Pycs_register_slot(_Pycs_API *api, PyTypeObject *type, const PyCustomSlot *slot)
{
    (void)api;
    return PyCustomSlots_Register(type, slot);
}

static PyObject *
_Pycs_NewNamespace(PyTypeObject *metaclass, PyObject *name, PyObject *bases, PyObject *qualname, const char *module)
{
    PyObject *ns = PyObject_CallMethod((PyObject *)metaclass, "__prepare__", "OO", name, bases), *text = NULL;

    if (ns != NULL && !PyMapping_Check(ns)) {
        PyErr_Format(PyExc_TypeError, "%.200s.__prepare__() returned an object of type '%.200s', "
                     "expected a mapping", metaclass->tp_name, Py_TYPE(ns)->tp_name);
        Py_CLEAR(ns);
    }
    if (ns == NULL) return NULL;
    if ((module != NULL && (!(text = PyUnicode_FromString(module))
                            || PyMapping_SetItemString(ns, "__module__", text) < 0))
            || PyMapping_SetItemString(ns, "__qualname__", qualname) < 0) Py_CLEAR(ns);
    Py_XDECREF(text);
    return ns;
}

_Pycs_PRIVATE PyObject *
_Pycs_new_class(_Pycs_API *api, PyTypeObject *metaclass,
                const char *module, const char *name, PyObject *bases,
                const PyCustomSlot *own, Py_ssize_t count)
{
    static const char *const function = "new_class";
    PyObject *all = NULL, *text = NULL, *qualname = NULL, *ns = NULL, *cls = NULL;
    const char *last = name != NULL ? strrchr(name, '.') : NULL;

    last = last != NULL ? last + 1 : name;
    if (last == NULL || last[0] == '\0') {
        return PyErr_Format(PyExc_ValueError, "%s: found '%.200s' as the name, expected that of a "
                            "class, such as 'Shape' or 'Outer.Shape'", function,
                            name != NULL ? name : "NULL");
    }
    if (metaclass != NULL && _Pycs_CheckMetaclass(api, function, metaclass) < 0) return NULL;
    if (_Pycs_CheckBases(function, name, NULL, bases) < 0) return NULL;
    if (_Pycs_CheckOwn(name, own, count) < 0) return NULL;

    if (!(all = bases != NULL ? Py_NewRef(bases) : PyTuple_New(0))) goto done;
    if (!(metaclass = _Pycs_calculate_metaclass(api, metaclass, NULL, all))) goto done;
    if (!(text = PyUnicode_FromString(last))) goto done;
    if (!(qualname = PyUnicode_FromString(name))) goto done;
    ns = _Pycs_NewNamespace(metaclass, text, all, qualname, module);
    if (ns == NULL) goto done;
    cls = PyObject_CallFunctionObjArgs((PyObject *)metaclass, text, all, ns, NULL);
    if (cls == NULL) goto done;
    if (!PyType_Check(cls)) {
        PyErr_Format(PyExc_TypeError, "%s('%.200s'): metaclass '%.200s' returned an object of "
                     "type '%.200s', expected a class", function, name, metaclass->tp_name,
                     Py_TYPE(cls)->tp_name);
        Py_CLEAR(cls);
    }
    else if (_Pycs_publish(api, (PyTypeObject *)cls, own, count) < 0) Py_CLEAR(cls);
done:
    _Pycs_XDECREF_ALL(all, text, qualname, ns);
    return cls;
}

_Pycs_PRIVATE PyTypeObject *
_Pycs_static_block(_Pycs_API *api, PyTypeObject *metaclass)
{

    static const struct {
        PyVarObject head;
        int end;
    } first = {PyVarObject_HEAD_INIT(NULL, _Pycs_STATIC_MARK) 0};
    PyTypeObject *type;

    if (metaclass != NULL && _Pycs_CheckMetaclass(api, "static_block", metaclass) < 0) return NULL;
    if (!(metaclass = _Pycs_calculate_metaclass(api, metaclass, NULL, NULL))) return NULL;
    if (!(type = (PyTypeObject *)_Pycs_NewBlock((size_t)metaclass->tp_basicsize))) return NULL;
    memcpy((void *)type, &first.head, sizeof(first.head));
    Py_INCREF((PyObject *)metaclass);
    Py_SET_TYPE((PyObject *)type, metaclass);
    return type;
}

_Pycs_PRIVATE int
_Pycs_ready_block(_Pycs_API *api, PyTypeObject *type, const PyCustomSlot *own, Py_ssize_t count)
{
    PyTypeObject *preset = type != NULL ? Py_TYPE((PyObject *)type) : NULL;

    if (preset == NULL || _Pycs_APIOf(preset) != api || ((PyVarObject *)type)->ob_size != _Pycs_STATIC_MARK) {
        return _Pycs_Deny(PyExc_ValueError, "ready_block: found %s, expected what static_block() returned in this "
                          "interpreter; write the members behind the head of that PyTypeObject (reference count, "
                          "ob_type, ob_size) and nothing else",
                          type == NULL ? "NULL" : "a type object that is no such block, or whose head was written to");
    }
    if (_Pycs_HasTable(type)) return 0;
    return _Pycs_ReadyWith(api, "ready_block", type, own, count, PY_SSIZE_T_MAX);
}

#define _Pycs_FUNCTION_COUNT \
    ((uint32_t)((offsetof(_Pycs_Impl, interface_class_of) \
                 - offsetof(_Pycs_Impl, alloc)) / sizeof(void *) + 1))

_Pycs_ASSERT(all_first_ones_are_there, _Pycs_FUNCTION_COUNT >= _Pycs_FIRST_COUNT);

#define _Pycs_NAME(result, name, arguments) _Pycs_##name,
static const _Pycs_Impl _Pycs_implementation = {
    {_Pycs_find_in, _Pycs_find_whole},
    _Pycs_NUMBER,
    _Pycs_STATE_VERSION,
    _Pycs_FUNCTION_COUNT,
    PyExtensibleType_MODULE_NAME,
    _Pycs_FUNCTIONS(_Pycs_NAME)
};

static _Pycs_Met *
_Pycs_NewMet(void)
{
    _Pycs_Met *met;
    if (_Pycs_SeeInterfaces() < 0) return NULL;
    met = (_Pycs_Met *)_Pycs_NewBlock(sizeof(*met));
    if (met != NULL) met->impl = &_Pycs_implementation;
    return met;
}

static uintptr_t
_Pycs_Judge(const _Pycs_API *api, const _Pycs_Impl *found)
{
    const _Pycs_Impl *const mine = &_Pycs_implementation;
    const char *pinned = getenv("CUSTOMSLOTS_RUNTIME");
    const int is_pinned = pinned != NULL && pinned[0] != '\0';
    const int is_named = is_pinned && strcmp(pinned, mine->module) == 0;

    if (!is_named && mine->number <= found->number) return _Pycs_MET_OLDER;
    if (is_named && strcmp(pinned, found->module) == 0 && mine->number <= found->number) return _Pycs_MET_OLDER;
    if (is_pinned && !is_named) return _Pycs_MET_PINNED;
    return api->state_version == mine->state_version ? _Pycs_MET_TOOK : _Pycs_MET_STATE;
}

static _Pycs_Met *
_Pycs_FindMet(_Pycs_Met *met)
{
    while (met != NULL && met->impl != &_Pycs_implementation) met = met->next;
    return met;
}

static void
_Pycs_WriteDown(_Pycs_API *api, _Pycs_Met **fresh)
{
    _Pycs_Met *met;
    do {
        (*fresh)->next = _Pycs_LOAD(_Pycs_Met *, &api->met);
        met = _Pycs_FindMet((*fresh)->next);
        if (met != NULL) {
            if ((*fresh)->verdict != _Pycs_MET_TOOK) return;
            _Pycs_STORE(const _Pycs_Impl *, &met->found, (*fresh)->found);
            _Pycs_STORE(uintptr_t, &met->verdict, (*fresh)->verdict);
            return;
        }
    } while (!_Pycs_SwapWord((uintptr_t *)(void *)&api->met, (uintptr_t)(*fresh)->next, (uintptr_t)*fresh));
    *fresh = NULL;
}

_Pycs_ENTRY int
_Pycs_Meet(_Pycs_API *api)
{
    const _Pycs_Impl *const mine = &_Pycs_implementation, *found;
    _Pycs_Met *fresh = NULL;

    while (!_Pycs_FindMet(_Pycs_LOAD(_Pycs_Met *, &api->met))) {
        found = _Pycs_IMPL(api);
        if (found == mine) break;
        if (fresh == NULL && !(fresh = _Pycs_NewMet())) return -1;
        fresh->found = found;
        fresh->verdict = _Pycs_Judge(api, found);

        if (fresh->verdict == _Pycs_MET_TOOK
                && !_Pycs_SwapWord((uintptr_t *)(void *)&api->impl, (uintptr_t)found, (uintptr_t)mine)) continue;
        _Pycs_WriteDown(api, &fresh);
        break;
    }
    PyMem_RawFree(fresh);
    return 0;
}

static _Pycs_API *
_Pycs_NewAPI(PyTypeObject *root)
{
    _Pycs_API *api = (_Pycs_API *)_Pycs_NewBlock(sizeof(*api));
    _Pycs_State *state = (_Pycs_State *)_Pycs_NewBlock(sizeof(*state));
    _Pycs_Met *met = _Pycs_NewMet();

    if (api == NULL || state == NULL || met == NULL) {
        PyMem_RawFree(api);
        PyMem_RawFree(state);
        PyMem_RawFree(met);
        return NULL;
    }
    api->rendezvous_version = _Pycs_RENDEZVOUS_VERSION;
    api->table_abi = PyCustomSlots_ABI_VERSION;
    api->state_version = _Pycs_STATE_VERSION;
    api->heaptype_size = (Py_ssize_t)sizeof(PyHeapTypeObject);
    api->type_size = (Py_ssize_t)sizeof(PyHeapExtensibleTypeObject);
    api->metaclass = root;
    api->state = state;
    api->impl = &_Pycs_implementation;
    api->met = met;
    state->interpreter = _Pycs_ThisInterpreter();
    state->empty.front.looks = state->unfinished.front.looks = _Pycs_LOOKS(api);
    state->empty.front.absent = ~(uintptr_t)0;
    _Pycs_InitCore(state);
    return api;
}

static PyTypeObject *
_Pycs_Create(void)
{
    PyTypeObject *meta = _Pycs_NewMetaMetaclass(), *root = meta != NULL ? _Pycs_NewMetaclass() : NULL;
    _Pycs_API *api = root != NULL && _Pycs_AddNames(root) == 0 ? _Pycs_NewAPI(root) : NULL;

    if (api != NULL) {

        PyHeapExtensibleTypeObject *r = (PyHeapExtensibleTypeObject *)root;
        Py_SET_TYPE((PyObject *)root, meta);
        meta = NULL;
        r->etp_private = api;
        r->etp_check = (uintptr_t)root ^ _Pycs_ROOT;
        PyType_Modified(root);
    }
    if (api == NULL || _Pycs_GetObjects(api->state) < 0) Py_CLEAR(root);
    Py_XDECREF((PyObject *)meta);
    return root;
}

_Pycs_ENTRY PyObject *
_Pycs_CreateModule(void)
{
    PyTypeObject *root = _Pycs_Create();
    PyObject *capsule = NULL, *module = NULL;

    if (root == NULL) return NULL;
    capsule = PyCapsule_New(((PyHeapExtensibleTypeObject *)root)->etp_private, _Pycs_CAPSULE, NULL);
    module = capsule != NULL ? PyModule_New(_Pycs_MODULE) : NULL;
    if (module == NULL
            || PyObject_SetAttrString(module, _Pycs_ATTRIBUTE, (PyObject *)root) < 0
            || PyObject_SetAttrString(module, _Pycs_ATTRIBUTE "_meta",
                                      (PyObject *)Py_TYPE(root)) < 0
            || PyObject_SetAttrString(module, "_api", capsule) < 0) {
        Py_CLEAR(module);
    }
    Py_XDECREF(capsule);
    Py_DECREF((PyObject *)root);
    return module;
}

static const PyCustomSlot *
_Pycs_SlotFor(const _Pycs_Declaration *declaration, PyTypeObject *type)
{
    return PyCustomSlots_FindAnyType(type, _Pycs_SPEC(declaration, spec)->id, 0);
}

static int
_Pycs_Implements(const _Pycs_Declaration *declaration, PyTypeObject *type)
{
    const PyCustomSlots_Interface *declared = _Pycs_SPEC(declaration, spec)->iface;
    const PyCustomSlot *slot = _Pycs_SlotFor(declaration, type);
    return PyCustomSlots_CheckInterface(slot, declared->count, declared->hashes[declared->count - 1]) != NULL
        || (slot != NULL && _Pycs_CountServed(PyCustomSlots_InterfaceOf(slot->data.pointer),
                                              declared, declared->count) > 0);
}

static void
_Pycs_Refused(const _Pycs_Declaration *declaration, PyTypeObject *type, const char *what)
{
    const PyExtensibleType_InterfaceSpec *spec = _Pycs_SPEC(declaration, spec);
    PyObject *why = _Pycs_WhyNot(spec, _Pycs_SlotFor(declaration, type));
    if (why != NULL) {
        PyErr_Format(PyExc_TypeError, "%s: found %s'%.200s', which does not implement it: %U; "
                     "%.200s.explain() shows both sides", spec->name, what, type->tp_name, why,
                     strrchr(spec->name, '.') + 1);
        Py_DECREF(why);
    }
    else if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, spec->name);
}

static const void *
_Pycs_GivenTo(const _Pycs_Declaration *declaration, PyTypeObject *type)
{
    const PyCustomSlot *slot = _Pycs_SlotFor(declaration, type);
    return slot != NULL ? _Pycs_OriginalOf(slot->data.pointer) : NULL;
}

static int
_Pycs_GivenDefault(const _Pycs_Declaration *declaration, PyTypeObject *type)
{
    return _Pycs_IsDefault(_Pycs_KnownInterface(_Pycs_SPEC(declaration, spec)->id), _Pycs_GivenTo(declaration, type));
}

static int
_Pycs_AddName(PyObject **names, const char *name)
{
    PyObject *longer = *names != NULL ? PyUnicode_FromFormat("%U, %s", *names, name) : PyUnicode_FromString(name);
    Py_XDECREF(*names);
    *names = longer;
    return longer != NULL ? 0 : -1;
}

static PyObject *
_Pycs_Obstacles(const _Pycs_Declaration *declaration, PyTypeObject *type)
{
    const PyCustomSlots_Interface *iface = _Pycs_GivenDefault(declaration, type)
                                           ? _Pycs_Described(_Pycs_GivenTo(declaration, type)) : NULL;
    PyObject *names = NULL;
    size_t i;
    for (i = 0; iface != NULL && i < iface->count; i++) {
        const char *name = iface->names != NULL && iface->names[i] != NULL ? iface->names[i] : "?";
        if (iface->dispatch != NULL && iface->dispatch[i] != NULL) continue;
        if (_Pycs_AddName(&names, name) < 0) return NULL;
    }
    return names;
}

static PyObject *
_Pycs_Missing(_Pycs_API *api, const _Pycs_Declaration *declaration, PyTypeObject *type)
{
    const PyCustomSlots_Interface *iface = _Pycs_SPEC(declaration, spec)->iface;
    PyObject *names = NULL, *mro;
    size_t i;
    int status = 0;

    if (!_Pycs_GivenDefault(declaration, type)) return NULL;
    if (!(mro = _Pycs_FetchMro(api, type))) return PyErr_NoMemory();
    for (i = 0; status == 0 && i < iface->count; i++) {
        PyObject *name, *found = NULL;
        if (iface->names[i] == NULL || (iface->bodies != NULL && iface->bodies[i] != NULL)) continue;
        name = PyUnicode_FromString(iface->names[i]);
        status = name != NULL ? _Pycs_FindInDicts(api, mro, name, &found) : -1;
        if (status == 0 && found == NULL) status = _Pycs_AddName(&names, iface->names[i]);
        Py_XDECREF(found);
        Py_XDECREF(name);
    }
    Py_DECREF(mro);
    if (status < 0) Py_CLEAR(names);
    return names;
}

static int
_Pycs_CheckDerived(const _Pycs_Declaration *declaration, PyTypeObject *type)
{
    const PyExtensibleType_InterfaceSpec *spec = _Pycs_SPEC(declaration, spec);
    PyObject *names;

    if (PyCustomSlots_FindType(type, spec->id, 0) == NULL) {
        return _Pycs_Deny(PyExc_TypeError, "class '%.200s' cannot implement %s by itself: found no functions that "
                          "call Python, which a module that has the interface may declare; derive from a class "
                          "that implements it, too", type->tp_name, spec->name);
    }
    names = _Pycs_Obstacles(declaration, type);
    if (names == NULL && PyErr_Occurred()) return -1;
    if (names != NULL) {
        PyErr_Format(PyExc_TypeError, "class '%.200s' cannot implement %s in Python: found cdef functions, "
                     "which only C can implement: %U; put a class that implements them in front of it among the bases",
                     type->tp_name, spec->name, names);
        Py_DECREF(names);
        return -1;
    }
    if (_Pycs_Implements(declaration, type)) return 0;
    _Pycs_Refused(declaration, type, "class ");
    return -1;
}

static PyObject *
_Pycs_InitDerived(_Pycs_API *api, PyObject *self, PyObject *args, PyObject *kwargs)
{
    PyObject *mro;
    Py_ssize_t i;
    int status = 0;

    if (_Pycs_init(api, self, args, kwargs) < 0) return NULL;
    if (!(mro = _Pycs_FetchMro(api, (PyTypeObject *)self))) return PyErr_NoMemory();
    for (i = 0; status == 0 && i < PyTuple_GET_SIZE(mro); i++) {
        PyTypeObject *item = (PyTypeObject *)PyTuple_GET_ITEM(mro, i);
        const _Pycs_Declaration *declaration = _Pycs_StandsFor(api, item);
        if (declaration != NULL) status = _Pycs_CheckDerived(declaration, (PyTypeObject *)self);
    }
    Py_DECREF(mro);
    if (status < 0) return NULL;
    Py_RETURN_NONE;
}

static PyObject *
_Pycs_Cast(const _Pycs_Declaration *declaration, PyObject *args, PyObject *kwargs)
{
    PyObject *obj;
    if (PyTuple_GET_SIZE(args) != 1 || (kwargs != NULL && PyDict_GET_SIZE(kwargs) > 0)) {
        const Py_ssize_t named = kwargs != NULL ? PyDict_GET_SIZE(kwargs) : 0, count = PyTuple_GET_SIZE(args) + named;
        PyErr_Format(PyExc_TypeError, "%s: found %zd argument%s%s, expected one object, which is returned if it "
                     "implements the interface", _Pycs_SPEC(declaration, spec)->name, count, count == 1 ? "" : "s",
                     named > 0 ? " with keywords" : "");
        return NULL;
    }
    obj = PyTuple_GET_ITEM(args, 0);
    if (!_Pycs_Implements(declaration, Py_TYPE(obj))) {
        _Pycs_Refused(declaration, Py_TYPE(obj), "an object of type ");
        return NULL;
    }
    return Py_NewRef(obj);
}

static int
_Pycs_BringsItself(_Pycs_API *api, const _Pycs_Declaration *declaration, PyTypeObject *type)
{
    const void *table = _Pycs_GivenTo(declaration, type);
    PyObject *bases = _Pycs_FetchBases(api, type);
    Py_ssize_t i;
    int brings = 1;
    for (i = 0; brings && bases != NULL && i < PyTuple_GET_SIZE(bases); i++) {
        PyTypeObject *base = (PyTypeObject *)PyTuple_GET_ITEM(bases, i);
        brings = !PyType_Check((PyObject *)base) || _Pycs_StandsFor(api, base) != NULL
                 || _Pycs_GivenTo(declaration, base) != table;
    }
    Py_XDECREF(bases);
    return brings;
}

static int
_Pycs_IsImplementer(_Pycs_API *api, const _Pycs_Declaration *declaration, PyTypeObject *type)
{
    const _Pycs_API *owner = _Pycs_APIOf(Py_TYPE(type));
    PyObject *names;
    if ((owner != NULL && owner != api) || !_Pycs_Implements(declaration, type) || _Pycs_StandsFor(api, type) != NULL
            || !_Pycs_BringsItself(api, declaration, type)) return 0;
    if ((names = _Pycs_Obstacles(declaration, type)) == NULL) return PyErr_Occurred() ? -1 : 1;
    Py_DECREF(names);
    return 0;
}

static PyObject *
_Pycs_Implementers(_Pycs_API *api, const _Pycs_Declaration *declaration)
{
    PyObject *types = _Pycs_CollectSubclasses(api, &PyBaseObject_Type);
    PyObject *result = types != NULL ? PyList_New(0) : NULL;
    Py_ssize_t i;
    for (i = 0; result != NULL && i < PyList_GET_SIZE(types); i++) {
        PyObject *type = PyList_GET_ITEM(types, i);
        const int is = _Pycs_IsImplementer(api, declaration, (PyTypeObject *)type);
        if (is < 0 || (is > 0 && PyList_Append(result, type) < 0)) Py_CLEAR(result);
    }
    Py_XDECREF(types);
    return result;
}

static PyObject *
_Pycs_Signatures(const PyExtensibleType_InterfaceSpec *spec)
{
    PyObject *result = PyTuple_New((Py_ssize_t)spec->iface->count), *text;
    size_t i;
    for (i = 0; result != NULL && i < spec->iface->count; i++) {
        if ((text = _Pycs_SignatureOf(spec, i, 0)) == NULL) Py_CLEAR(result);
        else PyTuple_SET_ITEM(result, (Py_ssize_t)i, text);
    }
    return result;
}

static PyObject *
_Pycs_Named(_Pycs_API *api, PyObject *name)
{
    const char *text = PyUnicode_Check(name) ? PyUnicode_AsUTF8(name) : PyBytes_AsString(name);
    _Pycs_Declaration *declaration = _Pycs_LOAD(_Pycs_Declaration *, &api->state->interfaces);
    if (text == NULL) return NULL;
    while (declaration != NULL && strcmp(_Pycs_SPEC(declaration, spec)->name, text) != 0) {
        declaration = _Pycs_LOAD(_Pycs_Declaration *, &declaration->next);
    }
    if (declaration != NULL) return _Pycs_interface_class(api, _Pycs_SPEC(declaration, spec)->id);
    Py_RETURN_NONE;
}

static PyObject *
_Pycs_DoOrdinary(int what, PyObject *self, PyObject *args, PyObject *kwargs)
{
    static const char *const names[] = {"of", "implementers", "explain", "id", "position", "signatures"};
    switch (what) {
    case _Pycs_DO_CALL: return PyType_Type.tp_call(self, args, kwargs);
    case _Pycs_DO_REPR: return PyType_Type.tp_repr(self);
    case _Pycs_DO_ISINSTANCE:
        return PyObject_CallMethod((PyObject *)&PyType_Type, "__instancecheck__", "OO", self, args);
    case _Pycs_DO_ISSUBCLASS:
        return PyObject_CallMethod((PyObject *)&PyType_Type, "__subclasscheck__", "OO", self, args);
    default:
        return PyErr_Format(PyExc_AttributeError, "class '%.200s' has no attribute '%s': it implements an interface, "
                            "and is none", ((PyTypeObject *)self)->tp_name, names[what - _Pycs_DO_OF]);
    }
}

static PyObject *
_Pycs_DoSubclass(_Pycs_API *api, const _Pycs_Declaration *declaration, PyObject *self, PyObject *other)
{
    if (!PyType_Check(other)) return _Pycs_DoOrdinary(_Pycs_DO_ISSUBCLASS, self, other, NULL);

    return PyBool_FromLong(_Pycs_Implements(declaration, (PyTypeObject *)other)
                           || (_Pycs_StandsFor(api, (PyTypeObject *)other) != NULL
                               && PyType_IsSubtype((PyTypeObject *)other, (PyTypeObject *)self)));
}

static PyObject *
_Pycs_DoExplain(_Pycs_API *api, const _Pycs_Declaration *declaration, PyTypeObject *type)
{
    PyObject *missing = _Pycs_Missing(api, declaration, type), *text = NULL;
    if (missing != NULL || !PyErr_Occurred()) {
        text = _Pycs_Explain(api, declaration, type, _Pycs_SlotFor(declaration, type), missing);
    }
    Py_XDECREF(missing);
    return text;
}

_Pycs_PRIVATE PyObject *
_Pycs_interface_do(_Pycs_API *api, int what, PyObject *self, PyObject *args, PyObject *kwargs)
{
    const _Pycs_Declaration *declaration = NULL;
    const PyExtensibleType_InterfaceSpec *spec;

    if (what == _Pycs_DO_NAMED) return _Pycs_Named(api, args);
    if (what == _Pycs_DO_INIT) return _Pycs_InitDerived(api, self, args, kwargs);
    if (!(declaration = _Pycs_StandsFor(api, (PyTypeObject *)self))) {
        return _Pycs_DoOrdinary(what, self, args, kwargs);
    }
    spec = _Pycs_SPEC(declaration, spec);
    switch (what) {
    case _Pycs_DO_CALL: return _Pycs_Cast(declaration, args, kwargs);
    case _Pycs_DO_REPR: return PyUnicode_FromFormat("<interface '%s'>", spec->name);
    case _Pycs_DO_ISINSTANCE: return PyBool_FromLong(_Pycs_Implements(declaration, Py_TYPE(args)));
    case _Pycs_DO_ISSUBCLASS: return _Pycs_DoSubclass(api, declaration, self, args);
    case _Pycs_DO_OF:
        return Py_NewRef(_Pycs_Implements(declaration, Py_TYPE(args)) ? args : Py_None);
    case _Pycs_DO_IMPLEMENTERS: return _Pycs_Implementers(api, declaration);
    case _Pycs_DO_EXPLAIN: return _Pycs_DoExplain(api, declaration, Py_TYPE(args));
    case _Pycs_DO_ID: return PyLong_FromVoidPtr((void *)spec->id);
    case _Pycs_DO_POSITION: return PyLong_FromSsize_t(PyCustomSlots_Position(spec->id));
    default: return _Pycs_Signatures(spec);
    }
}

static PyObject *
_Pycs_LineOf(const PyCustomSlots_Interface *iface, size_t place)
{
    char text[_Pycs_LONGEST_LINE];
    _Pycs_LineText(iface, place, text);
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
}

_Pycs_PRIVATE PyObject *
_Pycs_SignatureOf(const PyExtensibleType_InterfaceSpec *spec, size_t place, int whole)
{
    const char *text = spec->signatures != NULL ? spec->signatures[place] : NULL;
    if (text == NULL) return _Pycs_LineOf(spec->iface, place);
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)(whole ? strlen(text) : strcspn(text, "\n")), NULL);
}

_Pycs_PRIVATE PyObject *
_Pycs_TextSignature(PyObject *signature)
{
    const char *text = PyUnicode_AsUTF8(signature), *word = NULL, *end = NULL;
    PyObject *result = PyUnicode_FromString("(self");
    int depth = 0, first = 1;

    if (text == NULL || result == NULL) {
        Py_XDECREF(result);
        return NULL;
    }
    for (text = strchr(text, '('); text != NULL && *text != '\0'; text++) {
        const char c = *text;
        const int is_word = c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z')
                            || (c >= 'A' && c <= 'Z') || (c & 0x80) != 0;
        if (c == '(' || c == '[') depth++;
        if (is_word && end == text) end++;
        else if (is_word) {
            word = text;
            end = text + 1;
        }
        if (c == ')' || c == ']') depth--;
        if ((c == ',' && depth == 1) || depth == 0) {
            if (!first && word != NULL) {
                PyUnicode_AppendAndDel(&result, PyUnicode_FromString(", "));
                if (result == NULL) return NULL;
                PyUnicode_AppendAndDel(&result, PyUnicode_DecodeUTF8(word, (Py_ssize_t)(end - word), "replace"));
                if (result == NULL) return NULL;
            }
            first = 0;
            word = NULL;
        }
        if (depth == 0) break;
    }
    PyUnicode_AppendAndDel(&result, PyUnicode_FromString(")"));
    return result;
}

_Pycs_PRIVATE PyObject *
_Pycs_WhyNot(const PyExtensibleType_InterfaceSpec *spec, const PyCustomSlot *slot)
{
    const PyCustomSlots_Interface *declared = spec->iface, *found;
    PyObject *expected = NULL, *line = NULL, *result = NULL;
    size_t same;

    if (slot == NULL || slot->data.pointer == NULL) {
        return PyUnicode_FromFormat("it has no %s", slot == NULL ? "such slot" : "functions there");
    }
    if (!(found = _Pycs_Described(slot->data.pointer)) || found->hashes == NULL) {
        return PyUnicode_FromString("its functions have no description");
    }
    same = _Pycs_CountSame(found, declared, declared->count);
    if (same == declared->count || _Pycs_CountServed(found, declared, declared->count) != 0) return NULL;
    if (!(expected = _Pycs_SignatureOf(spec, same, 0))) return NULL;
    if (same == found->count) {
        result = PyUnicode_FromFormat("it has the first %zu of %zu functions, and lacks '%U'%s", same,
                                      declared->count, expected,
                                      same + 1 < declared->count ? " and what comes behind it" : "");
    }
    else if ((line = _Pycs_LineOf(found, same)) != NULL) {
        result = PyUnicode_FromFormat("function %zu is '%U', expected '%U'", same, line, expected);
    }
    Py_DECREF(expected);
    Py_XDECREF(line);
    return result;
}

#define _Pycs_MOST_SHOWN 1000
static void
_Pycs_AppendFunctions(PyObject **text, const char *what,
                      const PyExtensibleType_InterfaceSpec *spec,
                      const PyCustomSlots_Function *table, size_t same, char mark)
{
    const PyCustomSlots_Interface *iface = spec != NULL ? spec->iface : _Pycs_Described(table);
    const PyCustomSlots_Function *base = (const PyCustomSlots_Function *)iface->base;
    const char *module = spec != NULL ? spec->module : NULL;
    size_t i;

    PyUnicode_AppendAndDel(text, PyUnicode_FromFormat(
        "\n%s %zu function%s%s%s%s:", what, iface->count, iface->count == 1 ? "" : "s",
        module != NULL ? ", declared by module '" : "", module != NULL ? module : "",
        module != NULL ? "'" : ""));
    for (i = 0; *text != NULL && i < iface->count && i < _Pycs_MOST_SHOWN; i++) {
        PyObject *line = _Pycs_LineOf(iface, i);
        PyObject *written = line == NULL ? NULL : spec != NULL && spec->signatures != NULL
                            ? _Pycs_SignatureOf(spec, i, 0) : PyUnicode_FromString("");
        PyUnicode_AppendAndDel(text, written == NULL ? NULL : PyUnicode_FromFormat(
            "\n  %c %zu  %U%s%U%s", i < same ? '=' : mark, i, written,
            PyUnicode_GET_LENGTH(written) > 0 ? "    # " : "", line,
            spec == NULL && base != NULL && base[i] != table[i] ? "    (looks in Python)" : ""));
        Py_XDECREF(line);
        Py_XDECREF(written);
    }
}

_Pycs_PRIVATE PyObject *
_Pycs_Explain(const _Pycs_API *api, const _Pycs_Declaration *declaration, PyTypeObject *type,
              const PyCustomSlot *slot, PyObject *missing)
{
    const PyExtensibleType_InterfaceSpec *spec = _Pycs_SPEC(declaration, spec);
    _Pycs_Declaration *other;
    const PyCustomSlots_Function *table = slot != NULL ? (const PyCustomSlots_Function *)slot->data.pointer : NULL;
    const PyCustomSlots_Interface *found = _Pycs_Described(table);
    PyObject *why = _Pycs_WhyNot(spec, slot), *text;
    size_t same;

    if (why == NULL && PyErr_Occurred()) return NULL;
    if (found != NULL && found->hashes == NULL) found = NULL;
    same = found != NULL ? _Pycs_CountSame(found, spec->iface, spec->iface->count) : 0;
    text = why == NULL && missing != NULL
        ? PyUnicode_FromFormat("'%.200s' does not implement all of %s: found no methods in Python for %U, so calls "
                               "of these raise NotImplementedError; define them", type->tp_name, spec->name, missing)
        : why == NULL
        ? PyUnicode_FromFormat("'%.200s' implements %s%s", type->tp_name, spec->name, same == spec->iface->count ? ""
                               : ", with bodies of the interface for what it was compiled without")
        : PyUnicode_FromFormat("'%.200s' does not implement %s: %U", type->tp_name, spec->name, why);
    if (text != NULL) _Pycs_AppendFunctions(&text, "expected", spec, NULL, same, why != NULL ? '!' : '+');
    if (text != NULL && found != NULL) {
        _Pycs_AppendFunctions(&text, "found", NULL, table, same, same == spec->iface->count ? '+' : '!');
    }
    _Pycs_EACH_DECLARATION(other, api, spec->id) {
        const PyExtensibleType_InterfaceSpec *said = _Pycs_SPEC(other, spec);
        if (text == NULL || other == declaration) continue;
        same = _Pycs_CountSame(said->iface, spec->iface, spec->iface->count);
        _Pycs_AppendFunctions(&text, "under the same ID", said, NULL, same, same == spec->iface->count ? '+' : '!');
    }
    Py_XDECREF(why);
    return text;
}

#define _Pycs_CLASSES     "_interfaces"
#define _Pycs_DECLARATION _Pycs_MODULE "._interface"
static int
_Pycs_CheckSpec(const char *function, const PyExtensibleType_InterfaceSpec *spec)
{
    const PyCustomSlots_Interface *iface;
    const char *found = NULL;
    if (spec == NULL) found = "NULL";
    else if (spec->size < offsetof(PyExtensibleType_InterfaceSpec, module) + sizeof(spec->module)) {
        found = "a spec that is too short";
    }
    else if (spec->id <= PyCustomSlots_SKIP) found = "ID 0 or 1";
    else if (spec->extends == spec->id) found = "an interface that extends itself";
    else if (spec->name == NULL || strrchr(spec->name, '.') == NULL) found = "a name without a dot";
    else if ((iface = spec->iface) == NULL || iface->size < _Pycs_DESCRIBED || iface->count == 0
             || iface->hashes == NULL || iface->names == NULL) {
        found = "no description with a count, hashes and names";
    }
    if (found == NULL) return 0;
    return _Pycs_Deny(PyExc_ValueError, "PyExtensibleType_%s: found %s, expected a spec with its "
                      "size, a slot ID, a name such as 'geometry.Shape', and a description", function, found);
}

static int
_Pycs_AddDefault(_Pycs_InterfaceNode *node, const void *table)
{
    _Pycs_ProcessTable *process = _Pycs_LOAD(_Pycs_ProcessTable *, _Pycs_TableCache());
    _Pycs_DefaultTable *fresh;

    if (table == NULL || _Pycs_IsDefault(node, table)) return 0;
    if (!(fresh = (_Pycs_DefaultTable *)_Pycs_NewBlock(sizeof(*fresh)))) return -1;
    fresh->table = table;
    _Pycs_LockWord(&process->owner);
    fresh->next = (_Pycs_DefaultTable *)_Pycs_LOAD(void *, &node->defaults);
    _Pycs_STORE(void *, &node->defaults, (void *)fresh);
    _Pycs_UnlockWord(&process->owner);
    return 0;
}

static int
_Pycs_BeginsWith(const PyExtensibleType_InterfaceSpec *spec, const PyExtensibleType_InterfaceSpec *start)
{
    const size_t count = start->iface->count;
    return spec->iface->count >= count && spec->iface->hashes[count - 1] == start->iface->hashes[count - 1];
}

static int
_Pycs_Apart(const PyExtensibleType_InterfaceSpec *one, const PyExtensibleType_InterfaceSpec *other)
{
    return one->table != NULL && other->table != NULL && one->table != other->table
        && (one->iface->bodies != NULL || other->iface->bodies != NULL);
}

static _Pycs_Declaration *
_Pycs_SameDeclaration(const _Pycs_API *api, const PyExtensibleType_InterfaceSpec *spec)
{
    _Pycs_Declaration *declaration;
    _Pycs_EACH_DECLARATION(declaration, api, spec->id) {
        if (_Pycs_BeginsWith(_Pycs_SPEC(declaration, spec), spec)
                && _Pycs_BeginsWith(spec, _Pycs_SPEC(declaration, spec))
                && !_Pycs_Apart(_Pycs_SPEC(declaration, spec), spec)) break;
    }
    return declaration;
}

static int
_Pycs_Together(const PyExtensibleType_InterfaceSpec *one, const PyExtensibleType_InterfaceSpec *other)
{
    const char *mine = one->module, *theirs = other->module;
    return mine != NULL && theirs != NULL && strcmp(mine, theirs) == 0;
}

static _Pycs_Declaration *
_Pycs_Extended(const _Pycs_API *api, const PyExtensibleType_InterfaceSpec *spec)
{
    _Pycs_Declaration *declaration, *found = NULL;
    if (spec->extends == 0) return NULL;
    _Pycs_EACH_DECLARATION(declaration, api, spec->extends) {
        const PyExtensibleType_InterfaceSpec *start = _Pycs_SPEC(declaration, spec);
        const PyExtensibleType_InterfaceSpec *known = found != NULL ? _Pycs_SPEC(found, spec) : NULL;
        if (!_Pycs_BeginsWith(spec, start)) continue;
        if (known == NULL || start->iface->count > known->iface->count
                || (start->iface->count == known->iface->count && _Pycs_Together(spec, start))) found = declaration;
    }
    return found;
}

static int
_Pycs_Wealth(const PyExtensibleType_InterfaceSpec *spec)
{
    return (spec->table != NULL) * 3 + (spec->doc != NULL) + (spec->signatures != NULL);
}

static void
_Pycs_GiveTable(_Pycs_Declaration *declaration, const PyExtensibleType_InterfaceSpec *spec)
{
    const PyExtensibleType_InterfaceSpec *own = declaration->spec, *now = declaration->tabled;
    if (spec == NULL || spec->table == NULL || spec == now
            || !_Pycs_BeginsWith(spec, own) || _Pycs_Apart(spec, own)) return;
    if (now != NULL && !_Pycs_Apart(now, own)
            && (spec->iface->count == now->iface->count || !_Pycs_BeginsWith(spec, now))) return;
    _Pycs_STORE(const PyExtensibleType_InterfaceSpec *, &declaration->tabled, spec);
    _Pycs_STORE(uintptr_t, &declaration->changes, declaration->changes + 1);
}

static int
_Pycs_AddSpec(_Pycs_API *api, const PyExtensibleType_InterfaceSpec *spec)
{
    _Pycs_Declaration *declaration = _Pycs_SameDeclaration(api, spec), *other, **end;

    if (declaration == NULL) {
        declaration = (_Pycs_Declaration *)PyMem_RawCalloc(1, sizeof(*declaration));
        if (declaration == NULL) return -1;
        declaration->spec = spec;
        _Pycs_EACH_DECLARATION(other, api, spec->id) _Pycs_GiveTable(declaration, other->tabled);
        end = &api->state->interfaces;
        while (*end != NULL) end = &(*end)->next;
        _Pycs_STORE(_Pycs_Declaration *, end, declaration);
    }
    else if (_Pycs_Wealth(spec) > _Pycs_Wealth(declaration->spec)) {
        _Pycs_STORE(const PyExtensibleType_InterfaceSpec *, &declaration->spec, spec);
        _Pycs_STORE(uintptr_t, &declaration->changes, declaration->changes + 1);
    }
    _Pycs_EACH_DECLARATION(other, api, spec->id) _Pycs_GiveTable(other, spec);
    return 0;
}

#define _Pycs_METHOD_MEMBER(name, member, readonly) {name, 16, offsetof(_Pycs_Method, member), readonly, NULL}
static PyMemberDef _Pycs_method_members[] = {
    _Pycs_METHOD_MEMBER("__name__", name, 1),
    _Pycs_METHOD_MEMBER("__qualname__", qualname, 1),
    _Pycs_METHOD_MEMBER("__doc__", doc, 1),
    _Pycs_METHOD_MEMBER("__text_signature__", signature, 1),
    _Pycs_METHOD_MEMBER("__wrapped__", body, 0),
    {NULL, 0, 0, 0, NULL}
};

static void
_Pycs_method_dealloc(PyObject *self)
{
    _Pycs_Method *method = (_Pycs_Method *)self;
    PyTypeObject *type = Py_TYPE(self);
    _Pycs_XDECREF_ALL(method->name, method->qualname, method->doc, method->signature, method->body);
    type->tp_free(self);
    Py_DECREF((PyObject *)type);
}

static Py_ssize_t
_Pycs_PlaceOfMethod(_Pycs_Method *method, PyObject *mro)
{
    Py_ssize_t i;
    for (i = 0; i < PyTuple_GET_SIZE(mro); i++) {
        PyTypeObject *item = (PyTypeObject *)PyTuple_GET_ITEM(mro, i);
        if (Py_TYPE(item) == method->api->state->interface_meta
                && PyDict_GetItemWithError(item->tp_dict, method->name) == (PyObject *)method) return i + 1;
    }
    return 0;
}

static PyObject *
_Pycs_method_get(PyObject *self, PyObject *obj, PyObject *cls)
{
    _Pycs_Method *method = (_Pycs_Method *)self;
    PyObject *mro, *behind = NULL, *found = NULL, *bound;
    int status;

    if (obj == NULL || obj == Py_None) return Py_NewRef(self);
    if (!(found = Py_XNewRef(method->body))) {
        if (!(mro = _Pycs_FetchMro(method->api, Py_TYPE(obj)))) return PyErr_NoMemory();
        if (cls != NULL) {
            behind = PyTuple_GetSlice(mro, _Pycs_PlaceOfMethod(method, mro), PyTuple_GET_SIZE(mro));
            Py_DECREF(mro);
            if (!(mro = behind)) return NULL;
        }
        status = _Pycs_FindInDicts(method->api, mro, method->name, &found);
        Py_DECREF(mro);
        if (status < 0) return NULL;
    }
    if (found == NULL) {
        return PyErr_Format(PyExc_AttributeError, "'%.200s' object has no attribute '%U' that Python sees: "
                            "%U is a function of its interface", Py_TYPE(obj)->tp_name, method->name,
                            method->qualname);
    }
    if (Py_TYPE(found)->tp_descr_get == NULL) return found;
    bound = Py_TYPE(found)->tp_descr_get(found, obj, cls);
    Py_DECREF(found);
    return bound;
}

static PyObject *
_Pycs_method_call(PyObject *self, PyObject *args, PyObject *kwargs)
{
    PyObject *bound, *rest, *result = NULL;
    if (PyTuple_GET_SIZE(args) == 0) {
        return PyErr_Format(PyExc_TypeError, "%U needs an argument: the object", ((_Pycs_Method *)self)->qualname);
    }
    if (((_Pycs_Method *)self)->body != NULL) {
        return PyObject_Call(((_Pycs_Method *)self)->body, args, kwargs);
    }
    bound = _Pycs_method_get(self, PyTuple_GET_ITEM(args, 0), NULL);
    if (bound == NULL) return NULL;
    rest = PyTuple_GetSlice(args, 1, PyTuple_GET_SIZE(args));
    if (rest != NULL) result = PyObject_Call(bound, rest, kwargs);
    Py_XDECREF(rest);
    Py_DECREF(bound);
    return result;
}

static PyTypeObject *
_Pycs_NewMethodType(void)
{
    PyType_Slot slots[] = {
        {Py_tp_dealloc, (void *)(uintptr_t)_Pycs_method_dealloc},
        {Py_tp_descr_get, (void *)(uintptr_t)_Pycs_method_get},
        {Py_tp_call, (void *)(uintptr_t)_Pycs_method_call},
        {Py_tp_members, _Pycs_method_members},
        {0, NULL}
    };
    PyType_Spec spec;
    memset(&spec, 0, sizeof(spec));
    spec.name = _Pycs_MODULE ".interface_method";
    spec.basicsize = (int)sizeof(_Pycs_Method);
    spec.flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION;
    spec.slots = slots;
    return (PyTypeObject *)PyType_FromSpec(&spec);
}

static _Pycs_Method *
_Pycs_NewMethod(_Pycs_API *api, const PyExtensibleType_InterfaceSpec *spec, size_t place)
{
    _Pycs_Method *method = (_Pycs_Method *)PyType_GenericAlloc(api->state->interface_method, 0);
    if (method == NULL) return NULL;
    method->api = api;
    if (!(method->name = PyUnicode_InternFromString(spec->iface->names[place]))
            || !(method->qualname = PyUnicode_FromFormat("%s.%U", strrchr(spec->name, '.') + 1,
                                                         method->name))
            || !(method->doc = _Pycs_SignatureOf(spec, place, 1))
            || !(method->signature = _Pycs_TextSignature(method->doc))) {
        Py_CLEAR(method);
    }
    return method;
}

static int
_Pycs_NeedInterfaceTypes(_Pycs_API *api)
{
    _Pycs_State *const state = api->state;
    PyTypeObject *method, *meta = NULL;
    int status;

    if (_Pycs_LOAD(PyTypeObject *, &state->interface_meta) != NULL) return 0;
    if ((method = _Pycs_NewMethodType()) != NULL) meta = _Pycs_NewInterfaceMetaclass(api);
    status = meta != NULL ? 0 : -1;
    _Pycs_Lock(api);
    if (meta != NULL && state->interface_meta == NULL) {
        state->interface_method = method;
        _Pycs_STORE(PyTypeObject *, &state->interface_meta, meta);
        method = meta = NULL;
    }
    _Pycs_Unlock(api);
    Py_XDECREF((PyObject *)meta);
    Py_XDECREF((PyObject *)method);
    return status;
}

_Pycs_PRIVATE _Pycs_Declaration *
_Pycs_StandsFor(_Pycs_API *api, PyTypeObject *type)
{
    PyTypeObject *meta = _Pycs_LOAD(PyTypeObject *, &api->state->interface_meta);
    PyObject *capsule;
    if (meta == NULL || Py_TYPE(type) != meta || type->tp_dict == NULL) return NULL;
    capsule = PyDict_GetItemWithError(type->tp_dict, api->state->name_interface);
    if (capsule == NULL || !PyCapsule_IsValid(capsule, _Pycs_DECLARATION)) {
        PyErr_Clear();
        return NULL;
    }
    return (_Pycs_Declaration *)PyCapsule_GetPointer(capsule, _Pycs_DECLARATION);
}

static Py_ssize_t
_Pycs_SlotsOf(_Pycs_API *api, const _Pycs_Declaration *declaration, PyCustomSlot *slots, Py_ssize_t room)
{
    const PyExtensibleType_InterfaceSpec *tabled = _Pycs_SPEC(declaration, tabled);
    Py_ssize_t n = 0, count = room;

    memset(slots, 0, (size_t)room * sizeof(*slots));
    for (; tabled != NULL && declaration != NULL && n < room - PyCustomSlots_MIN_CAPACITY; n++) {
        const PyExtensibleType_InterfaceSpec *spec = _Pycs_SPEC(declaration, spec);
        _Pycs_InterfaceNode *node = _Pycs_InterfaceNodeOf(spec->id);
        if (node == NULL || _Pycs_AddDefault(node, tabled->table) < 0) return -1;
        PyCustomSlots_PlaceSlot(slots, room, node->position, spec->id, tabled->table);
        declaration = _Pycs_Extended(api, spec);
    }
    while (count > 0 && slots[count - 1].id == PyCustomSlots_EMPTY) count--;
    return count;
}

#define _Pycs_MOST_EXTENDED 16
static int
_Pycs_GiveDeclared(_Pycs_API *api, PyTypeObject *type, const _Pycs_Declaration *declaration)
{
    const PyExtensibleType_InterfaceSpec *spec = _Pycs_SPEC(declaration, spec);
    PyCustomSlot slots[_Pycs_MOST_EXTENDED + PyCustomSlots_MIN_CAPACITY];
    PyObject *older;
    Py_ssize_t count;
    size_t i;
    int status;

    for (i = 0; i < spec->iface->count; i++) {
        _Pycs_Method *method;
        if (spec->iface->names[i] == NULL) continue;
        if (!(method = _Pycs_NewMethod(api, spec, i))) return -1;
        if ((status = _Pycs_LookUp(type->tp_dict, method->name, &older)) == 0) {
            if (older != NULL && Py_TYPE(older) == Py_TYPE(method)) {
                method->body = Py_XNewRef(((_Pycs_Method *)older)->body);
            }
            Py_XDECREF(older);
            status = PyDict_SetItem(type->tp_dict, method->name, (PyObject *)method);
        }
        Py_DECREF((PyObject *)method);
        if (status < 0) return -1;
    }
    PyType_Modified(type);
    count = _Pycs_SlotsOf(api, declaration, slots, (Py_ssize_t)(sizeof(slots) / sizeof(slots[0])));
    return count >= 0 ? _Pycs_set_slots(api, type, slots, count) : -1;
}

static int
_Pycs_Complete(_Pycs_API *api, PyTypeObject *type, _Pycs_Declaration *declaration)
{
    uintptr_t now;
    while ((now = _Pycs_LOAD(uintptr_t, &declaration->changes)) != _Pycs_LOAD(uintptr_t, &declaration->completed)) {
        if (_Pycs_GiveDeclared(api, type, declaration) < 0) return -1;
        _Pycs_STORE(uintptr_t, &declaration->completed, now);
    }
    return 0;
}

static PyObject *_Pycs_ClassFor(_Pycs_API *api, uintptr_t id, _Pycs_Declaration *declaration, int make);

static PyObject *
_Pycs_NewInterfaceClass(_Pycs_API *api, _Pycs_Declaration *declaration)
{
    const PyExtensibleType_InterfaceSpec *spec = _Pycs_SPEC(declaration, spec);
    PyObject *base = NULL, *made = NULL, *capsule = NULL;
    PyType_Slot slots[2];
    PyType_Spec type;

    if (_Pycs_NeedInterfaceTypes(api) < 0) return NULL;
    if (spec->extends != 0
            && !(base = _Pycs_ClassFor(api, spec->extends, _Pycs_Extended(api, spec), 1))) return NULL;
    memset(&type, 0, sizeof(type));
    memset(slots, 0, sizeof(slots));
    type.name = spec->name;
    type.flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_IMMUTABLETYPE;
    type.slots = slots;
    if (spec->doc != NULL) {
        slots[0].slot = Py_tp_doc;
        slots[0].pfunc = (void *)(uintptr_t)spec->doc;
    }
    made = _Pycs_from_spec(api, api->state->interface_meta, NULL, &type, base, NULL, 0);
    Py_XDECREF(base);
    capsule = made != NULL ? PyCapsule_New(declaration, _Pycs_DECLARATION, NULL) : NULL;
    if (capsule == NULL
            || PyDict_SetItem(((PyTypeObject *)made)->tp_dict, api->state->name_interface, capsule) < 0
            || _Pycs_GiveDeclared(api, (PyTypeObject *)made, declaration) < 0) Py_CLEAR(made);
    Py_XDECREF(capsule);
    return made;
}

static PyObject *
_Pycs_ClassFor(_Pycs_API *api, uintptr_t id, _Pycs_Declaration *declaration, int make)
{
    PyObject *classes, *key = NULL, *found = NULL, *made;

    if (declaration == NULL) {
        return PyErr_Format(PyExc_LookupError, "PyExtensibleType_InterfaceClass: found no interface with ID %p in "
                            "this interpreter, expected one that a module has declared; import that module "
                            "first", (void *)id);
    }
    if (!(classes = _Pycs_KeepInModule(_Pycs_CLASSES, PyDict_New()))) return NULL;
    key = PyLong_FromVoidPtr(declaration == _Pycs_FirstDeclaration(api, id) ? (void *)id : (void *)declaration);
    if (key == NULL) goto done;
    found = PyObject_GetItem(classes, key);
    if (found == NULL) {
        const uintptr_t now = _Pycs_LOAD(uintptr_t, &declaration->changes);
        if (!PyErr_ExceptionMatches(PyExc_KeyError)) goto done;
        PyErr_Clear();
        if (!make || Py_EnterRecursiveCall(" in the class of an interface")) goto done;
        if ((made = _Pycs_NewInterfaceClass(api, declaration)) != NULL) {
            found = PyObject_CallMethod(classes, "setdefault", "OO", key, made);
            if (found == made) _Pycs_STORE(uintptr_t, &declaration->completed, now);
            Py_DECREF(made);
        }
        Py_LeaveRecursiveCall();
    }
    if (found != NULL && _Pycs_StandsFor(api, (PyTypeObject *)found) == declaration
            && _Pycs_Complete(api, (PyTypeObject *)found, declaration) < 0) Py_CLEAR(found);
done:
    Py_XDECREF(key);
    Py_DECREF(classes);
    return found;
}

_Pycs_PRIVATE PyObject *
_Pycs_interface_class(_Pycs_API *api, uintptr_t id)
{
    _Pycs_Declaration *declaration;
    _Pycs_EACH_DECLARATION(declaration, api, id) {
        if (_Pycs_SPEC(declaration, tabled) != NULL) break;
    }
    return _Pycs_ClassFor(api, id, declaration != NULL ? declaration : _Pycs_FirstDeclaration(api, id), 1);
}

_Pycs_PRIVATE PyObject *
_Pycs_interface_class_of(_Pycs_API *api, const PyExtensibleType_InterfaceSpec *spec)
{
    if (_Pycs_CheckSpec("InterfaceClassOf", spec) < 0) return NULL;
    return _Pycs_ClassFor(api, spec->id, _Pycs_SameDeclaration(api, spec), 1);
}

_Pycs_PRIVATE int
_Pycs_declare_interface(_Pycs_API *api, const PyExtensibleType_InterfaceSpec *spec)
{
    _Pycs_InterfaceNode *node;
    _Pycs_Declaration *declaration;
    int status;

    if (_Pycs_CheckSpec("DeclareInterface", spec) < 0 || !(node = _Pycs_InterfaceNodeOf(spec->id))
            || _Pycs_AddDefault(node, spec->table) < 0) return -1;
    _Pycs_Lock(api);
    status = _Pycs_AddSpec(api, spec);
    _Pycs_Unlock(api);
    if (status < 0) PyErr_NoMemory();
    if (status < 0 || _Pycs_LOAD(PyTypeObject *, &api->state->interface_meta) == NULL) return status;
    _Pycs_EACH_DECLARATION(declaration, api, spec->id) {
        PyObject *type = _Pycs_ClassFor(api, spec->id, declaration, 0);
        if (type == NULL && PyErr_Occurred()) return -1;
        Py_XDECREF(type);
    }
    return 0;
}

_Pycs_PRIVATE int
_Pycs_SeeInterfaces(void)
{
    _Pycs_ProcessTable *table = _Pycs_GetTable("extensible types");
    if (table != NULL) {
        _Pycs_BringServices(table);
        return 0;
    }
    if (PyErr_ExceptionMatches(PyExc_MemoryError)) return -1;
    PyErr_Clear();
    return 0;
}

_Pycs_PRIVATE _Pycs_InterfaceNode *
_Pycs_KnownInterface(uintptr_t id)
{
    _Pycs_ProcessTable *table = _Pycs_LOAD(_Pycs_ProcessTable *, _Pycs_TableCache());
    _Pycs_Cells *cells = table != NULL ? _Pycs_LOAD(_Pycs_Cells *, &table->cells) : NULL;
    if (cells == NULL || id <= PyCustomSlots_SKIP) return NULL;
    return _Pycs_SameInterface(_Pycs_ValueOf(cells, _Pycs_InterfaceKey(id)), id);
}

_Pycs_PRIVATE int
_Pycs_HaveInterface(const PyCustomSlot *slots, Py_ssize_t count)
{
    Py_ssize_t i;
    for (i = 0; i < count; i++) {
        if (_Pycs_KnownInterface(slots[i].id) != NULL) return 1;
    }
    return 0;
}

_Pycs_PRIVATE const PyCustomSlots_Interface *
_Pycs_Described(const void *table)
{
    const PyCustomSlots_Interface *iface = PyCustomSlots_InterfaceOf(table);
    return iface != NULL && iface->size >= _Pycs_DESCRIBED ? iface : NULL;
}

_Pycs_PRIVATE const void *
_Pycs_OriginalOf(const void *table)
{
    const PyCustomSlots_Interface *iface = _Pycs_Described(table);
    return iface != NULL && iface->base != NULL ? iface->base : table;
}

_Pycs_PRIVATE const PyCustomSlots_Interface *
_Pycs_Overridable(const void *table)
{
    const PyCustomSlots_Interface *iface = _Pycs_Described(table);
    return iface != NULL && iface->dispatch != NULL && iface->names != NULL && iface->count > 0 ? iface : NULL;
}

static _Pycs_OverrideTable *
_Pycs_SameOverrides(_Pycs_InterfaceNode *node, const void *base, const unsigned char *set, size_t count)
{
    _Pycs_OverrideTable *made = (_Pycs_OverrideTable *)_Pycs_LOAD(void *, &node->overriding);
    while (made != NULL && (made->base != base
                            || (set != NULL ? memcmp(made->set, set, count) != 0 : !made->all))) {
        made = made->next;
    }
    return made;
}

static _Pycs_OverrideTable *
_Pycs_NewOverrides(const void *base, const PyCustomSlots_Interface *iface, const unsigned char *set)
{
    struct block {
        _Pycs_OverrideTable table;
        PyCustomSlots_Interface description;
        const PyCustomSlots_Interface *described;
    } *made;
    const size_t each = sizeof(PyCustomSlots_Function) + 1;
    PyCustomSlots_Function *functions;
    unsigned char *copy;
    size_t i;

    if (iface->count > ((size_t)PY_SSIZE_T_MAX - sizeof(*made)) / each) return NULL;
    made = (struct block *)PyMem_RawCalloc(1, sizeof(*made) + iface->count * each);
    if (made == NULL) return NULL;
    functions = (PyCustomSlots_Function *)(void *)(made + 1);
    copy = (unsigned char *)(void *)(functions + iface->count);
    made->table.all = 1;
    for (i = 0; i < iface->count; i++) {
        const int can = iface->dispatch[i] != NULL && iface->names[i] != NULL;
        copy[i] = (unsigned char)(set != NULL ? set[i] : can);
        if (copy[i] != can) made->table.all = 0;
    }
    made->table.base = base;
    made->table.set = copy;
    made->table.functions = functions;
    memcpy(&made->description, iface, iface->size < sizeof(*iface) ? iface->size : sizeof(*iface));
    made->description.size = sizeof(made->description);
    made->description.base = base;
    made->description.bodies = NULL;
    made->described = &made->description;
    for (i = 0; i < iface->count; i++) {
        functions[i] = copy[i] ? iface->dispatch[i] : ((const PyCustomSlots_Function *)base)[i];
    }
    return &made->table;
}

_Pycs_PRIVATE const void *
_Pycs_TableFor(_Pycs_InterfaceNode *node, const void *base,
               const PyCustomSlots_Interface *iface, const unsigned char *set)
{
    _Pycs_ProcessTable *process = _Pycs_LOAD(_Pycs_ProcessTable *, _Pycs_TableCache());
    _Pycs_OverrideTable *fresh = NULL, *there;

    there = _Pycs_SameOverrides(node, base, set, iface->count);
    if (there == NULL) fresh = _Pycs_NewOverrides(base, iface, set);
    if (fresh != NULL) {
        _Pycs_LockWord(&process->owner);
        there = _Pycs_SameOverrides(node, base, set, iface->count);
        if (there == NULL) {
            fresh->next = (_Pycs_OverrideTable *)_Pycs_LOAD(void *, &node->overriding);
            _Pycs_STORE(void *, &node->overriding, (void *)fresh);
            there = fresh;
        }
        _Pycs_UnlockWord(&process->owner);
        if (there != fresh) PyMem_RawFree(fresh);
    }
    if (there == NULL) return PyErr_NoMemory();
    return there->functions;
}

_Pycs_PRIVATE const void *
_Pycs_LookingInPython(_Pycs_InterfaceNode *node, const void *base)
{
    _Pycs_OverrideTable *made = _Pycs_SameOverrides(node, base, NULL, 0);
    return made != NULL ? made->functions : base;
}

_Pycs_PRIVATE int
_Pycs_ReserveOverrides(const PyCustomSlot *own, Py_ssize_t count)
{
    Py_ssize_t i;
    if (_Pycs_LOAD(_Pycs_ProcessTable *, _Pycs_TableCache()) == NULL && _Pycs_SeeInterfaces() < 0) return -1;
    for (i = 0; i < count; i++) {
        _Pycs_InterfaceNode *node = _Pycs_KnownInterface(own[i].id);
        const PyCustomSlots_Interface *iface = node != NULL ? _Pycs_Overridable(own[i].data.pointer) : NULL;
        if (iface != NULL && iface->base == NULL
                && _Pycs_TableFor(node, own[i].data.pointer, iface, NULL) == NULL) {
            return -1;
        }
    }
    return 0;
}

_Pycs_PRIVATE int
_Pycs_FindInDicts(_Pycs_API *api, PyObject *mro, PyObject *name, PyObject **found)
{
    Py_ssize_t i;
    int status = 0;
    *found = NULL;
    for (i = 0; status == 0 && *found == NULL && i < PyTuple_GET_SIZE(mro); i++) {
        PyTypeObject *item = (PyTypeObject *)PyTuple_GET_ITEM(mro, i);
        PyObject *dict;
#if PY_VERSION_HEX >= 0x030C0000
        dict = PyType_GetDict(item);
#else
        dict = Py_XNewRef(item->tp_dict);
#endif
        if (dict == NULL) continue;
        status = _Pycs_LookUp(dict, name, found);
        Py_DECREF(dict);
        if (*found != NULL && Py_TYPE(*found) == api->state->interface_method
                && ((_Pycs_Method *)*found)->body == NULL) Py_CLEAR(*found);
    }
    return status;
}

static int
_Pycs_Differ(_Pycs_API *api, PyObject *mro, PyObject *above, const char *text)
{
    PyObject *name = PyUnicode_InternFromString(text), *here = NULL, *there = NULL;
    int result = -1;
    if (name != NULL && _Pycs_FindInDicts(api, mro, name, &here) == 0
            && _Pycs_FindInDicts(api, above, name, &there) == 0) result = here != there;
    _Pycs_XDECREF_ALL(here, there, name);
    return result;
}

static int
_Pycs_Decide(_Pycs_API *api, PyObject *mro, _Pycs_Override *override)
{
    const PyCustomSlots_Interface *iface = _Pycs_Overridable(override->table);
    PyObject *above = _Pycs_FetchMro(api, override->provider);
    unsigned char *set = (unsigned char *)PyMem_RawCalloc(1, iface->count);
    int differ = 0, found = 0;
    size_t i;

    for (i = 0; above != NULL && set != NULL && differ >= 0 && i < iface->count; i++) {
        if (iface->dispatch[i] == NULL || iface->names[i] == NULL) continue;
        differ = _Pycs_Differ(api, mro, above, iface->names[i]);
        set[i] = differ > 0;
        found |= set[i];
    }
    if (set == NULL) PyErr_NoMemory();
    else if (differ >= 0 && found) {
        override->wanted = _Pycs_TableFor(_Pycs_KnownInterface(override->id), override->table, iface, set);
    }
    Py_XDECREF(above);
    PyMem_RawFree(set);
    return set != NULL && differ >= 0 && override->wanted != NULL ? 0 : -1;
}

_Pycs_PRIVATE void
_Pycs_FreeOverrides(_Pycs_Overrides *plan)
{
    Py_ssize_t i;
    for (i = 0; i < plan->count; i++) Py_DECREF((PyObject *)plan->overrides[i].provider);
    PyMem_RawFree(plan);
}

_Pycs_PRIVATE void
_Pycs_NoteMixins(_Pycs_API *api, PyTypeObject *type, PyObject *mro, const _Pycs_Overrides *plan)
{
    Py_ssize_t i, k;
    _Pycs_ASSERT_LOCKED(api);
    for (k = 0; k < plan->count; k++) {
        const _Pycs_Override *override = &plan->overrides[k];
        if (override->provider == type || _Pycs_Overridable(override->table) == NULL) continue;
        for (i = 0; i < PyTuple_GET_SIZE(mro); i++) {
            PyTypeObject *item = (PyTypeObject *)PyTuple_GET_ITEM(mro, i);
            _Pycs_Record *record;
            const PyCustomSlot *slot;
            if (item == type || _Pycs_APIOf(Py_TYPE(item)) != api) continue;
            record = _Pycs_RecordOf(item);
            slot = record != NULL ? _Pycs_FindInRecord(record, override->id) : NULL;
            if (slot != NULL && _Pycs_OriginalOf(slot->data.pointer) == override->table) continue;
            _Pycs_STORE(uintptr_t, &api->state->mixed, api->state->mixed | _Pycs_MixedBit(item));
        }
    }
}

static Py_ssize_t
_Pycs_Gather(const _Pycs_API *api, PyObject *mro, const _Pycs_Change *change, _Pycs_Overrides *plan)
{
    Py_ssize_t i, k, n, bound = 0;
    _Pycs_ASSERT_LOCKED(api);
    (void)api;
    for (i = 0; i < PyTuple_GET_SIZE(mro); i++) {
        PyTypeObject *item = (PyTypeObject *)PyTuple_GET_ITEM(mro, i);
        const PyCustomSlot *own;
        Py_ssize_t count = _Pycs_OwnSlots(item, change, &own);

        if (count > 0 && (change == NULL || own != change->own) && !_Pycs_RecordOf(item)->watched) count = 0;
        bound += count;
        for (k = 0; plan != NULL && k < count; k++) {
            const PyCustomSlots_Interface *iface;
            _Pycs_Override *override;
            if (_Pycs_KnownInterface(own[k].id) == NULL) continue;
            iface = _Pycs_Described(own[k].data.pointer);
            if (iface != NULL && iface->base != NULL) continue;
            for (n = 0; n < plan->count && plan->overrides[n].id != own[k].id; n++) { }
            if (n < plan->count) continue;
            override = &plan->overrides[plan->count++];
            override->id = own[k].id;
            override->table = own[k].data.pointer;
            override->provider = (PyTypeObject *)Py_NewRef((PyObject *)item);
        }
    }
    return bound;
}

_Pycs_PRIVATE int
_Pycs_PlanOverrides(_Pycs_API *api, PyTypeObject *type, PyObject *mro,
                    const _Pycs_Change *change,
                    _Pycs_Overrides **plan)
{
    _Pycs_Overrides *fresh = NULL;
    Py_ssize_t i, k, bound;
    int status = 0;

    *plan = NULL;
    if (!_Pycs_IsHeap(type)) return 0;
    _Pycs_Lock(api);
    bound = _Pycs_Gather(api, mro, change, NULL);
    if (bound > 0 && (fresh = (_Pycs_Overrides *)PyMem_RawCalloc(
            1, sizeof(*fresh) + (size_t)bound * sizeof(fresh->overrides[0])))) {
        (void)_Pycs_Gather(api, mro, change, fresh);
        _Pycs_NoteMixins(api, type, mro, fresh);
    }
    _Pycs_Unlock(api);
    if (bound == 0) return 0;
    if (fresh == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    for (i = 0; status == 0 && i < fresh->count; i++) {
        _Pycs_Override *override = &fresh->overrides[i];
        override->wanted = override->table;
        if (override->provider == type || _Pycs_Overridable(override->table) == NULL) continue;

        for (k = 0; k < i && fresh->overrides[k].table != override->table; k++) { }
        if (k < i) override->wanted = fresh->overrides[k].wanted;
        else status = _Pycs_Decide(api, mro, override);
    }
    if (status == 0) *plan = fresh;
    else _Pycs_FreeOverrides(fresh);
    return status;
}

_Pycs_PRIVATE int
_Pycs_ApplyOverrides(PyTypeObject *type, const _Pycs_Overrides *plan, _Pycs_Record *record, int write)
{
    Py_ssize_t i, own;
    int changed = 0;
    for (i = 0; record != NULL && i < plan->count; i++) {
        const _Pycs_Override *override = &plan->overrides[i];
        PyCustomSlot *slot = _Pycs_FindInRecord(record, override->id);
        own = _Pycs_LOAD(PyTypeObject *, &record->owner) == type ? record->own_count : 0;
        while (own > 0 && record->own[own - 1].id != override->id) own--;
        if (slot == NULL || (own > 0 && override->provider != type) || slot->data.pointer == override->wanted) continue;
        if (write) slot->data.pointer = (void *)(uintptr_t)override->wanted;
        changed++;
    }
    return changed;
}

_Pycs_PRIVATE int
_Pycs_ApplyToShared(PyTypeObject *type, const _Pycs_Overrides *plan, _Pycs_Record **record)
{
    _Pycs_Record *old = *record, *fresh;
    PyCustomSlot *own = NULL;
    Py_ssize_t count = 0;

    if (!_Pycs_ApplyOverrides(type, plan, old, 0)) return 0;
    if (_Pycs_LOAD(PyTypeObject *, &old->owner) == type) {
        own = old->own;
        count = old->own_count;
    }
    fresh = _Pycs_RecordNew(type, old->capacity, own, count);
    if (fresh == NULL) return -1;
    fresh->count = old->count;
    fresh->watched = old->watched;
    memcpy(fresh->slots, old->slots, sizeof(PyCustomSlot) * (size_t)old->count);
    _Pycs_NotePlaces(fresh);
    (void)_Pycs_ApplyOverrides(type, plan, fresh, 1);
    fresh->retired = old;
    *record = fresh;
    return 0;
}

_Pycs_PRIVATE void
_Pycs_OverrideAll(PyTypeObject *type, _Pycs_Record *record)
{
    Py_ssize_t i, k;
    for (i = 0; record->watched && i < record->count; i++) {
        PyCustomSlot *slot = &record->slots[i];
        _Pycs_InterfaceNode *node = _Pycs_KnownInterface(slot->id);
        for (k = 0; k < record->own_count; k++) {
            if (_Pycs_LOAD(PyTypeObject *, &record->owner) == type
                    && record->own[k].id == slot->id) node = NULL;
        }
        if (node == NULL) continue;
        slot->data.pointer = (void *)(uintptr_t)_Pycs_LookingInPython(node, slot->data.pointer);
    }
}

_Pycs_PRIVATE int
_Pycs_WatchAttributes(_Pycs_API *api)
{
    PyTypeObject *metaclass = api->metaclass;
    int i, status = 0;

    if (_Pycs_LOAD(uintptr_t, &api->state->watches)) return 0;
    for (i = 0; i < 2 && status == 0; i++) {
        PyMethodDef *def = &api->state->setters[i];
        PyObject *method = PyDescr_NewMethod(metaclass, def);
        PyObject *name = method != NULL ? PyUnicode_InternFromString(def->ml_name) : NULL;
        status = -1;
        if (name != NULL) do {
            PyErr_Clear();
            metaclass->tp_flags &= ~(unsigned long)Py_TPFLAGS_IMMUTABLETYPE;
            status = PyType_Type.tp_setattro((PyObject *)metaclass, name, method);
            metaclass->tp_flags |= (unsigned long)Py_TPFLAGS_IMMUTABLETYPE;
        } while (status < 0 && PyErr_ExceptionMatches(PyExc_TypeError));
        Py_XDECREF(name);
        Py_XDECREF(method);
    }
    if (status == 0) _Pycs_STORE(uintptr_t, &api->state->watches, 1);
    return status;
}

static Py_ssize_t
_Pycs_AddCount(Py_ssize_t *refcount, Py_ssize_t more)
{
    Py_ssize_t before;
    do {
        before = _Pycs_LOAD(Py_ssize_t, refcount);
    } while (!_Pycs_SwapWord((uintptr_t *)refcount, (uintptr_t)before, (uintptr_t)(before + more)));
    return before + more;
}

_Pycs_PRIVATE _Pycs_Record *
_Pycs_RecordIncref(_Pycs_Record *record)
{
    if (record != NULL) (void)_Pycs_AddCount(&record->refcount, 1);
    return record;
}

_Pycs_PRIVATE void
_Pycs_RecordDecref(_Pycs_Record *record)
{
    while (record != NULL) {
        _Pycs_Record *retired;
        if (_Pycs_AddCount(&record->refcount, -1) != 0) return;
        retired = record->retired;
        PyMem_RawFree(record);
        record = retired;
    }
}

_Pycs_PRIVATE _Pycs_Record *
_Pycs_RecordOf(PyTypeObject *type)
{
    if (!_Pycs_HasTable(type)) return NULL;
    return (_Pycs_Record *)_Pycs_LOAD(void *, &_Pycs_CAST(type)->etp_private);
}

_Pycs_PRIVATE Py_ssize_t
_Pycs_OwnSlots(PyTypeObject *type, const _Pycs_Change *change, const PyCustomSlot **own)
{
    _Pycs_Record *record = _Pycs_RecordOf(type);
    if (change != NULL && type == change->top && change->own_count >= 0) {
        *own = change->own;
        return change->own_count;
    }
    if (record == NULL || _Pycs_LOAD(PyTypeObject *, &record->owner) != type) {
        *own = NULL;
        return 0;
    }
    *own = record->own;
    return record->own_count;
}

#define _Pycs_MAX_SLOTS (1 << 24)
_Pycs_PRIVATE _Pycs_Record *
_Pycs_RecordNew(PyTypeObject *owner, Py_ssize_t capacity, const PyCustomSlot *own, Py_ssize_t own_count)
{
    _Pycs_Record *record;
    const size_t head = offsetof(_Pycs_Record, slots);
    size_t slots, cells = 0;

    if (capacity < PyCustomSlots_MIN_CAPACITY) capacity = PyCustomSlots_MIN_CAPACITY;
    if (capacity > _Pycs_MAX_SLOTS) return NULL;
    slots = (size_t)capacity + 1 + 2 * (size_t)own_count;
    if (capacity > PyCustomSlots_MIN_CAPACITY) {
        for (cells = 32; cells < 4 * (size_t)capacity; cells *= 2) { }
    }
    record = (_Pycs_Record *)PyMem_RawCalloc(
        1, head + sizeof(PyCustomSlot) * slots + sizeof(uint32_t) * (1 + cells) + (size_t)capacity);
    if (record == NULL) return NULL;
    record->refcount = 1;
    record->capacity = capacity;
    record->owner = owner;
    record->own_count = own_count;
    record->own = record->slots + capacity + 1;
    if (cells > 0) {
        record->index = (uint32_t *)(void *)(record->slots + slots);
        record->index[0] = (uint32_t)(cells - 1);
    }
    if (own != NULL) _Pycs_SetOwn(record, own);
    return record;
}

_Pycs_PRIVATE void
_Pycs_SetOwn(_Pycs_Record *record, const PyCustomSlot *own)
{
    Py_ssize_t i;
    record->watched = 0;
    for (i = 0; i < record->own_count; i++) {
        PyCustomSlot *below = &record->own[record->own_count + i];
        _Pycs_InterfaceNode *node = _Pycs_KnownInterface(own[i].id);
        record->own[i] = *below = own[i];
        if (node == NULL) continue;
        record->watched = 1;
        below->data.pointer = (void *)(uintptr_t)_Pycs_LookingInPython(node, own[i].data.pointer);
    }
}

_Pycs_PRIVATE void
_Pycs_NotePlaces(_Pycs_Record *record)
{
    uint32_t *index = record->index;
    Py_ssize_t i;
    if (index != NULL) memset(index + 1, 0, sizeof(*index) * ((size_t)index[0] + 1));
    record->front.absent = ~(uintptr_t)0;
    for (i = 0; i < record->count; i++) {
        const uintptr_t id = record->slots[i].id;
        if (id == PyCustomSlots_SKIP) continue;
        record->front.absent &= ~_Pycs_Bit(id);
        if (index != NULL) *_Pycs_PlaceOf(record->slots, index, id) = (uint32_t)(i + 1);
    }
}

_Pycs_PRIVATE int
_Pycs_RecordEquals(const _Pycs_Record *a, const _Pycs_Record *b)
{
    return a->count == b->count && memcmp(a->slots, b->slots, sizeof(PyCustomSlot) * (size_t)a->count) == 0;
}

_Pycs_PRIVATE void
_Pycs_DisownRecords(PyTypeObject *type, _Pycs_Record *record)
{
    for (; record != NULL; record = record->retired) {
        if (_Pycs_LOAD(PyTypeObject *, &record->owner) == type) {
            _Pycs_STORE(PyTypeObject *, &record->owner, NULL);
        }
    }
}

_Pycs_PRIVATE void
_Pycs_SetStamp(PyTypeObject *type, int stamped)
{
#if _Pycs_STAMPS
    const _Pycs_Half stamp = stamped ? _Pycs_STAMP(type) : 0;
    if (_Pycs_LOAD(_Pycs_Half, _Pycs_UPPER(type)) != stamp) {
        _Pycs_STORE(_Pycs_Half, _Pycs_UPPER(type), stamp);
    }
#else
    (void)type;
    (void)stamped;
#endif
}

_Pycs_PRIVATE void
_Pycs_SetRecord(_Pycs_API *api, PyTypeObject *type, _Pycs_Record *record)
{
    PyHeapExtensibleTypeObject *t = (PyHeapExtensibleTypeObject *)type;
    if (record != NULL && record->watched) {
        _Pycs_STORE(uintptr_t, api->state->overridable, 1);
    }
    if (record != NULL && record->front.looks == NULL) record->front.looks = _Pycs_LOOKS(api);
    _Pycs_STORE(PyCustomSlot *, &t->etp_custom_slots, record != NULL ? record->slots : api->state->empty.slots);
    _Pycs_STORE(Py_ssize_t, &t->etp_custom_slot_count, record != NULL ? record->count : 0);
    _Pycs_STORE(uintptr_t, &t->etp_check, (uintptr_t)type ^ _Pycs_READY);
    _Pycs_STORE(void *, &t->etp_private, (void *)record);
    _Pycs_SetStamp(type, 1);
}

#define _Pycs_MAX_OWN_SLOTS 65536
_Pycs_PRIVATE int
_Pycs_CheckOwn(const char *name, const PyCustomSlot *own, Py_ssize_t count)
{
    Py_ssize_t i, j;

    if (count < 0 || count > _Pycs_MAX_OWN_SLOTS || (count > 0 && own == NULL)) {
        return _Pycs_Deny(PyExc_ValueError, "slot table of %.200s: found %zd slots at address %p, expected a count of "
                          "0 to %d and, unless it is 0, an array", name, count, (const void *)own, _Pycs_MAX_OWN_SLOTS);
    }
    for (i = 0; i < count; i++) {
        if (own[i].id <= PyCustomSlots_SKIP) {
            if (own[i].data.pointer != NULL) {
                return _Pycs_Deny(PyExc_ValueError, "slot table of %.200s: position %zd has ID %d, which is reserved "
                                  "for %s positions, but carries data; give the slot an ID from PyCustomSlots_ID(), "
                                  "PyCustomSlots_Intern() or, of an interface, its header's _Init()",
                                  name, i, (int)own[i].id, own[i].id ? "skipped" : "empty");
            }
            continue;
        }
        for (j = 0; j < i; j++) {
            if (own[j].id == own[i].id) {
                return _Pycs_Deny(PyExc_ValueError, "slot table of %.200s: ID %p stands at position %zd and again at "
                                  "%zd; an ID may be in a table once", name, (void *)own[i].id, j, i);
            }
        }
    }
    return count > 0 ? _Pycs_ReserveOverrides(own, count) : 0;
}

_Pycs_PRIVATE Py_ssize_t
_Pycs_MergeBound(PyTypeObject *type, Py_ssize_t own_count, PyObject *mro)
{
    Py_ssize_t i, bound = own_count;
    const PyCustomSlot *ignored;
    for (i = 0; i < PyTuple_GET_SIZE(mro); i++) {
        PyTypeObject *item = (PyTypeObject *)PyTuple_GET_ITEM(mro, i);
        if (item != type) bound += _Pycs_OwnSlots(item, NULL, &ignored);
    }
    return bound;
}

static int
_Pycs_Place(_Pycs_Record *record, char *decided, const PyCustomSlot *slot, Py_ssize_t wanted)
{
    Py_ssize_t i;
    if (slot->id <= PyCustomSlots_SKIP) return 0;
    for (i = 0; i < record->count && record->slots[i].id != slot->id; i++) { }
    if (i < record->count) {
        if (decided[i]) return 0;
    }
    else if (wanted < record->count && record->slots[wanted].id > PyCustomSlots_SKIP) {
        if (i == record->capacity) return -1;
        record->count = i + 1;
    }
    else {
        if (wanted >= record->capacity) return -1;
        i = wanted;
        while (record->count <= wanted) {
            record->slots[record->count++].id = PyCustomSlots_SKIP;
        }
    }
    record->slots[i] = *slot;
    decided[i] = 1;
    return 0;
}

_Pycs_PRIVATE int
_Pycs_MergeInto(_Pycs_Record *record, const _Pycs_Record *primary, PyObject *mro)
{
    const Py_ssize_t own_count = record->own_count, n = PyTuple_GET_SIZE(mro);
    const uint32_t *index = record->index;
    char *decided = (char *)(record->slots + record->capacity + 1 + 2 * own_count)
                    + (index != NULL ? sizeof(*index) * (2 + (size_t)index[0]) : 0);
    const PyCustomSlot *own;
    Py_ssize_t i, k, count;

    memset(decided, 0, (size_t)record->capacity);
    record->count = 0;
    if (primary != NULL) {
        record->watched |= primary->watched;
        if (primary->count > record->capacity) return -1;
        record->count = primary->count;
        memcpy(record->slots, primary->slots, sizeof(PyCustomSlot) * (size_t)primary->count);
    }
    own = record->own;
    for (i = 0; i < own_count; i++) {
        if (_Pycs_Place(record, decided, &own[i], i) < 0) return -1;
    }
    for (k = 0; k < n; k++) {
        PyTypeObject *item = (PyTypeObject *)PyTuple_GET_ITEM(mro, k);
        if (item == record->owner) continue;
        count = _Pycs_OwnSlots(item, NULL, &own);
        if (count > 0) record->watched |= _Pycs_RecordOf(item)->watched;
        for (i = 0; i < count; i++) {
            if (_Pycs_Place(record, decided, &own[i], i) < 0) return -1;
        }
    }

    for (i = 0; i < record->count; i++) {
        if (decided[i]) continue;
        record->slots[i].id = PyCustomSlots_SKIP;
        record->slots[i].data.pointer = NULL;
    }

    while (record->count < own_count) {
        if (record->count == record->capacity) return -1;
        record->slots[record->count++].id = PyCustomSlots_SKIP;
    }
    _Pycs_NotePlaces(record);
    return 0;
}

_Pycs_PRIVATE _Pycs_Record *
_Pycs_PrimaryRecord(PyTypeObject *type, PyObject *mro)
{
    PyTypeObject *const base = _Pycs_BASE(type);
    _Pycs_Record *primary = NULL, *first = NULL;
    Py_ssize_t i;

    for (i = 0; primary == NULL && i < PyTuple_GET_SIZE(mro); i++) {
        PyTypeObject *item = (PyTypeObject *)PyTuple_GET_ITEM(mro, i);
        _Pycs_Record *record = NULL;
        const int is_base = item == base;

        if (is_base && !_Pycs_HasTable(base)) item = _Pycs_FindOwner(base);
        if (item != NULL && item != type) record = _Pycs_RecordOf(item);
        if (is_base) primary = record;
        if (first == NULL) first = record;
    }
    return primary != NULL ? primary : first;
}

_Pycs_PRIVATE int
_Pycs_MergeRecord(PyTypeObject *owner, const PyCustomSlot *own, Py_ssize_t own_count, PyObject *mro,
                  _Pycs_Record **result)
{
    int merged = -1;
    _Pycs_Record *primary = _Pycs_PrimaryRecord(owner, mro), *record = NULL;
    Py_ssize_t bound;

    *result = NULL;
    if (own_count == 0 && primary == NULL) return 0;
    bound = _Pycs_MergeBound(owner, own_count, mro);
    while (merged < 0) {
        _Pycs_RecordDecref(record);
        record = _Pycs_RecordNew(owner, bound, own, own_count);
        if (record == NULL) return -1;
        merged = _Pycs_MergeInto(record, primary, mro);
        if (primary != NULL) bound += primary->count;
    }
    if (own_count == 0 && _Pycs_RecordEquals(record, primary)) {
        _Pycs_RecordDecref(record);
        record = _Pycs_RecordIncref(primary);
    }
    *result = record;
    return 0;
}

static int
_Pycs_MustComeLater(PyObject *lists, const Py_ssize_t *next, const PyObject *type)
{
    Py_ssize_t i;
    for (i = 0; i < PyTuple_GET_SIZE(lists); i++) {
        if (_Pycs_PlaceIn(PyTuple_GET_ITEM(lists, i), type, next[i] + 1) >= 0) return 1;
    }
    return 0;
}

static int
_Pycs_MergeLists(PyObject *lists, Py_ssize_t *next, PyObject *order)
{
    const Py_ssize_t n = PyTuple_GET_SIZE(lists);
    Py_ssize_t i;
    for (;;) {
        PyObject *chosen = NULL, *list;
        int left = 0;
        for (i = 0; i < n && chosen == NULL; i++) {
            list = PyTuple_GET_ITEM(lists, i);
            if (next[i] >= PyTuple_GET_SIZE(list)) continue;
            left = 1;
            chosen = PyTuple_GET_ITEM(list, next[i]);
            if (_Pycs_MustComeLater(lists, next, chosen)) chosen = NULL;
        }
        if (chosen == NULL) return !left;
        if (PyList_Append(order, chosen) < 0) return -1;
        for (i = 0; i < n; i++) {
            list = PyTuple_GET_ITEM(lists, i);
            if (next[i] < PyTuple_GET_SIZE(list) && PyTuple_GET_ITEM(list, next[i]) == chosen) next[i]++;
        }
    }
}

_Pycs_PRIVATE PyObject *
_Pycs_MroOfBases(_Pycs_API *api, PyObject *bases)
{
    const Py_ssize_t n = PyTuple_GET_SIZE(bases);
    PyObject *lists = n < 2 ? NULL : PyTuple_New(n + 1), *order = NULL, *mro = NULL;
    Py_ssize_t i, *next = NULL;
    int status = -1;

    if (n == 0) return _Pycs_FetchMro(api, &PyBaseObject_Type);
    if (n > 1 && lists == NULL) return NULL;
    for (i = 0; i < n; i++) {
        PyObject *base = PyTuple_GET_ITEM(bases, i);
        mro = PyType_Check(base) ? _Pycs_FetchMro(api, (PyTypeObject *)base) : NULL;
        if (mro == NULL) {
            status = 0;
            goto done;
        }
        if (n == 1) return mro;
        PyTuple_SET_ITEM(lists, i, mro);
    }
    PyTuple_SET_ITEM(lists, n, Py_NewRef(bases));
    if (!(next = (Py_ssize_t *)PyMem_RawCalloc((size_t)n + 1, sizeof(*next)))) PyErr_NoMemory();
    else if ((order = PyList_New(0))) status = _Pycs_MergeLists(lists, next, order);
done:
    mro = status < 0 ? NULL : status > 0 ? PyList_AsTuple(order) : PyTuple_New(0);
    PyMem_RawFree(next);
    Py_XDECREF(lists);
    Py_XDECREF(order);
    return mro;
}

_Pycs_PRIVATE int
_Pycs_IsMroOver(const PyTypeObject *type, PyObject *mro, PyObject *above)
{
    const Py_ssize_t n = PyTuple_GET_SIZE(above);
    return PyTuple_GET_SIZE(mro) == n + 1 && PyTuple_GET_ITEM(mro, 0) == (const PyObject *)type
           && memcmp(&PyTuple_GET_ITEM(mro, 1), &PyTuple_GET_ITEM(above, 0), (size_t)n * sizeof(PyObject *)) == 0;
}

#if PY_VERSION_HEX >= 0x030C0000
#  define _Pycs_FromMetaclass(api, metaclass, module, spec, bases) \
       PyType_FromMetaclass(metaclass, module, spec, bases)

#else
#define _Pycs_PADDING "__customslots_padding__"
static PyObject *
_Pycs_FromMetaclass(_Pycs_API *api, PyTypeObject *metaclass, PyObject *module, PyType_Spec *spec, PyObject *bases)
{
    const size_t extra = (size_t)metaclass->tp_basicsize - sizeof(PyHeapTypeObject);
    const Py_ssize_t padding = (Py_ssize_t)((extra + sizeof(PyMemberDef) - 1) / sizeof(PyMemberDef));
    const PyMemberDef *wanted = NULL;
    PyMemberDef *members = NULL;
    Py_ssize_t i, n, place = -1, count = 0;
    PyType_Spec padded = *spec;
    PyObject *self = NULL;
    PyTypeObject *type;
    _Pycs_Birth birth = _Pycs_BIRTH_INIT;

    for (n = 0; spec->slots[n].slot != 0; n++) {
        if (spec->slots[n].slot == Py_tp_members) place = n;
    }
    if (place >= 0) wanted = (const PyMemberDef *)spec->slots[place].pfunc;
    while (wanted != NULL && wanted[count].name != NULL) count++;
    members = (PyMemberDef *)_Pycs_NewBlock(((size_t)(padding + count) + 1) * sizeof(PyMemberDef));
    padded.slots = (PyType_Slot *)_Pycs_NewBlock(((size_t)n + 2) * sizeof(PyType_Slot));
    if (members == NULL || padded.slots == NULL) goto done;
    for (i = 0; i < padding; i++) {
        members[i].name = _Pycs_PADDING;
        members[i].type = T_BYTE;
        members[i].flags = READONLY;
    }
    if (count > 0) memcpy(members + padding, wanted, sizeof(PyMemberDef) * (size_t)count);
    memcpy(padded.slots, spec->slots, sizeof(PyType_Slot) * (size_t)n);
    if (place < 0) place = n;
    padded.slots[place].slot = Py_tp_members;
    padded.slots[place].pfunc = members;
    birth.metaclass = metaclass;
    if (_Pycs_BirthInherit(api, &birth, NULL) < 0) goto done;
    if (!(self = PyType_FromModuleAndSpec(module, &padded, bases))) goto done;

    type = (PyTypeObject *)self;
    if (PyDict_DelItemString(type->tp_dict, _Pycs_PADDING) < 0) {
        Py_CLEAR(self);
        goto done;
    }
    PyType_Modified(type);
    type->tp_members += padding;
    Py_SET_SIZE((PyVarObject *)type, 0);
    memset((char *)type + sizeof(PyHeapTypeObject), 0, extra);
    Py_INCREF((PyObject *)metaclass);
    Py_SET_TYPE(self, metaclass);
    _Pycs_Lock(api);
    _Pycs_BirthFill(api, &birth, type, 0);
    _Pycs_Unlock(api);
done:
    _Pycs_BirthEnd(&birth);
    PyMem_RawFree(padded.slots);
    PyMem_RawFree(members);
    return self;
}

#endif
static PyObject *
_Pycs_BasesOfSpec(const PyType_Spec *spec)
{
    PyObject *base = NULL, *bases = NULL;
    Py_ssize_t i;
    for (i = 0; spec->slots[i].slot != 0; i++) {
        if (spec->slots[i].slot == Py_tp_base) base = (PyObject *)spec->slots[i].pfunc;
        if (spec->slots[i].slot == Py_tp_bases) bases = (PyObject *)spec->slots[i].pfunc;
    }
    return bases != NULL ? bases : base;
}

static PyObject *
_Pycs_TupleOfBases(const char *name, PyObject *bases)
{
    const int is_tuple = Py_TYPE(bases) != NULL && PyTuple_Check(bases);
    if (_Pycs_CheckBases("from_spec", name, is_tuple ? NULL : (PyTypeObject *)bases,
                         is_tuple ? bases : NULL) < 0) return NULL;
    if (!is_tuple) return PyTuple_Pack(1, bases);

    if (PyTuple_GET_SIZE(bases) == 0) return PyTuple_Pack(1, (PyObject *)&PyBaseObject_Type);
    return Py_NewRef(bases);
}

_Pycs_PRIVATE PyObject *
_Pycs_from_spec(_Pycs_API *api, PyTypeObject *metaclass,
                PyObject *module, PyType_Spec *spec, PyObject *bases,
                const PyCustomSlot *own, Py_ssize_t count)
{
    PyObject *all = NULL;
    PyTypeObject *type = NULL;

    if (spec == NULL || spec->name == NULL || spec->slots == NULL) {
        return PyErr_Format(PyExc_ValueError, "from_spec: found NULL as the %s, expected a PyType_Spec "
                            "with a name and slots; {0, NULL} ends these",
                            spec == NULL ? "spec" : spec->name == NULL ? "name in it" : "slots in it");
    }
    if (bases == NULL) bases = _Pycs_BasesOfSpec(spec);
    if (bases != NULL && !(all = _Pycs_TupleOfBases(spec->name, bases))) goto done;
    if (_Pycs_CheckOwn(spec->name, own, count) < 0) goto done;
    if (!(metaclass = _Pycs_calculate_metaclass(api, metaclass, NULL, all))) goto done;
    if ((type = (PyTypeObject *)_Pycs_FromMetaclass(api, metaclass, module, spec, all)) == NULL) {
        if (!PyErr_Occurred()) PyErr_NoMemory();
    }
    else if (_Pycs_CheckInstances(api, "PyExtensibleType_FromSpec", type, metaclass, type->tp_base, type->tp_bases) < 0
             || _Pycs_publish(api, type, own, count) < 0) Py_CLEAR(type);
done:
    Py_XDECREF(all);
    return (PyObject *)type;
}

typedef struct {
    _Pycs_Birth birth;
    PyTypeObject *base;
    PyObject     *bases;
    _Pycs_Record *record;
    uintptr_t     generation;
} _Pycs_Plan;

#define _Pycs_PLAN_INIT {_Pycs_BIRTH_INIT, NULL, NULL, NULL, 0}
static void
_Pycs_ClearPlan(_Pycs_Plan *plan)
{
    _Pycs_BirthEnd(&plan->birth);
    _Pycs_RecordDecref(plan->record);
    Py_CLEAR(plan->bases);
}

static int
_Pycs_PlanBases(_Pycs_Plan *plan, PyTypeObject *base, PyObject *bases)
{
    plan->base = base != NULL ? base : &PyBaseObject_Type;
    plan->bases = bases != NULL ? Py_NewRef(bases) : PyTuple_Pack(1, (PyObject *)plan->base);
    return plan->bases != NULL ? 0 : -1;
}

static int
_Pycs_PlanInheritance(_Pycs_API *api, _Pycs_Plan *plan)
{
    if (_Pycs_AdoptNames(api, plan->birth.metaclass) < 0) return -1;
    if (_Pycs_FinishAll(api, plan->bases) < 0) return -1;
    return _Pycs_BirthInherit(api, &plan->birth, plan->bases);
}

_Pycs_PRIVATE PyTypeObject *
_Pycs_new_static(_Pycs_API *api, PyTypeObject *tmpl,
                 PyTypeObject *metaclass, PyTypeObject *base, PyObject *bases)
{
    PyTypeObject *type = NULL;
    _Pycs_Plan plan = _Pycs_PLAN_INIT;

    if (_Pycs_CheckUnready("new_static", tmpl) < 0
            || _Pycs_CheckMetaclass(api, "new_static", metaclass) < 0
            || _Pycs_CheckBases("new_static", tmpl->tp_name, base, bases) < 0) return NULL;
    plan.birth.metaclass = metaclass;
    if (metaclass != api->metaclass || base != NULL || bases != NULL) {
        if (_Pycs_PlanBases(&plan, base, bases) < 0) return NULL;
        if (_Pycs_PlanInheritance(api, &plan) < 0) goto done;
    }

    if (!(type = (PyTypeObject *)_Pycs_NewBlock((size_t)metaclass->tp_basicsize))) goto done;
    memcpy((void *)type, (void *)tmpl, sizeof(PyTypeObject));
    Py_INCREF((PyObject *)metaclass);
    Py_SET_TYPE((PyObject *)type, metaclass);
    ((PyVarObject *)type)->ob_size = _Pycs_STATIC_MARK;
    _Pycs_Lock(api);
    _Pycs_BirthFill(api, &plan.birth, type, 0);
    _Pycs_Unlock(api);
done:
    _Pycs_ClearPlan(&plan);
    return type;
}

static const PyTypeObject *
_Pycs_BringsFields(_Pycs_API *api, PyTypeObject *metaclass, PyObject *bases)
{
    const _Pycs_FieldEntry *field;
    Py_ssize_t i;
    _Pycs_EACH_FIELD(field, api, metaclass) {
        int inherited = 0;
        for (i = 0; i < PyTuple_GET_SIZE(bases) && !inherited; i++) {
            inherited = _Pycs_HasBytesOf((PyTypeObject *)PyTuple_GET_ITEM(bases, i), field->list);
        }
        if (!inherited) return field->list->metaclass;
    }
    return NULL;
}

_Pycs_PRIVATE int
_Pycs_CheckInstances(_Pycs_API *api, const char *function,
                     PyTypeObject *type, PyTypeObject *metaclass,
                     PyTypeObject *base, PyObject *bases)
{
    const PyTypeObject *lacking;
    if (!(type->tp_flags & Py_TPFLAGS_BASETYPE) || type->tp_basicsize > base->tp_basicsize
            || !(lacking = _Pycs_BringsFields(api, metaclass, bases))) return 0;
    return _Pycs_Deny(PyExc_ValueError, "%s(%.200s): its metaclass '%.200s' has C fields, but its instances have the "
                      "layout of its base '%.200s', so that CPython would let classes without those fields take it as "
                      "a base by __bases__ assignment; add a pointer to the struct of its instances", function,
                      type->tp_name, lacking->tp_name, base->tp_name);
}

static int
_Pycs_PlanClass(_Pycs_API *api, const char *function, PyTypeObject *type, _Pycs_Plan *plan)
{
    PyTypeObject *preset = Py_TYPE(type) != &PyType_Type ? Py_TYPE(type) : NULL, *metaclass;

    const Py_ssize_t size = preset != NULL ? preset->tp_basicsize : (Py_ssize_t)sizeof(PyHeapExtensibleTypeObject);

    if (_Pycs_PlanBases(plan, type->tp_base, type->tp_bases) < 0) return -1;
    if (!(metaclass = _Pycs_calculate_metaclass(api, preset, NULL, plan->bases))) return -1;
    if (metaclass->tp_basicsize > size) {
        PyErr_Format(PyExc_TypeError,
                     "%s(%.200s): its bases have metaclass '%.200s', whose C fields make a type object %zd bytes "
                     "long, but this one, for metaclass '%.200s', has %zd; declare it as the metaclass's struct and "
                     "set its ob_type to that metaclass, or ask static_block() for such a one", function,
                     type->tp_name, metaclass->tp_name, metaclass->tp_basicsize,
                     preset != NULL ? preset->tp_name : api->metaclass->tp_name, size);
        return -1;
    }
    if (_Pycs_CheckInstances(api, function, type, metaclass, plan->base, plan->bases) < 0) return -1;
    plan->birth.metaclass = metaclass;
    return _Pycs_PlanInheritance(api, plan);
}

static int
_Pycs_PlanTable(_Pycs_API *api, PyTypeObject *type,
                const PyCustomSlot *own, Py_ssize_t count, Py_ssize_t room,
                _Pycs_Plan *plan)
{
    int merged;

    _Pycs_Lock(api);
    plan->generation = _Pycs_LOAD(uintptr_t, &api->state->generation);
    merged = _Pycs_MergeRecord(type, own, count, plan->birth.mro, &plan->record);
    _Pycs_Unlock(api);
    if (merged < 0) {
        PyErr_NoMemory();
        return -1;
    }
    if (plan->record != NULL && own != NULL && plan->record->count > room) {
        return _Pycs_Deny(PyExc_ValueError, "PyExtensibleType_Ready(%.200s): with the inherited slots the table has "
                          "%zd entries, but there is room for %zd; give etp_custom_slots at least %zd entries "
                          "(PyCustomSlots_EMPTY behind its own slots) and pass that number", type->tp_name,
                          plan->record->count, room, plan->record->count);
    }
    return 0;
}

static int
_Pycs_ReadyAsPlanned(_Pycs_API *api, PyHeapExtensibleTypeObject *t, _Pycs_Plan *plan)
{
    PyTypeObject *type = (PyTypeObject *)t, *preset = Py_TYPE(type);
    const PyHeapExtensibleTypeObject before = *t;

    Py_SET_TYPE((PyObject *)type, plan->birth.metaclass);
    ((PyVarObject *)type)->ob_size = _Pycs_STATIC_MARK;
    t->etp_custom_slot_count = 0;
    t->etp_private = NULL;
    t->etp_extension = NULL;
    _Pycs_Lock(api);
    _Pycs_BirthFill(api, &plan->birth, type, 1);
    _Pycs_Unlock(api);
    if (PyType_Ready(type) == 0) {
        Py_INCREF((PyObject *)plan->birth.metaclass);
        return 0;
    }
    _Pycs_Lock(api);
    plan->birth.sidecar = _Pycs_TakeSidecar(api, type);
    _Pycs_Unlock(api);

    if (preset != NULL) Py_SET_TYPE((PyObject *)type, preset);
    else Py_INCREF((PyObject *)plan->birth.metaclass);
    ((PyVarObject *)type)->ob_size = ((const PyVarObject *)&before)->ob_size;
    memcpy(&t->etp_heaptype + 1, &before.etp_heaptype + 1, sizeof(before) - sizeof(before.etp_heaptype));
    return -1;
}

static int
_Pycs_FinishAsPlanned(_Pycs_API *api, PyTypeObject *type, _Pycs_Plan *plan)
{
    _Pycs_Value *late = NULL;

    PyObject *mro = _Pycs_FetchMro(api, type);
    const int same = _Pycs_IsMroOver(type, mro, plan->birth.mro);
    int copied = 0, as_planned = 0;

    _Pycs_Lock(api);
    if (_Pycs_IsUnfinished(type)) {
        copied = _Pycs_FinishFields(api, type, mro, !same, &late);
        as_planned = same && api->state->refreshes == NULL
                     && plan->generation == _Pycs_LOAD(uintptr_t, &api->state->generation);
        _Pycs_SetRecord(api, type, _Pycs_RecordIncref(plan->record));
    }
    _Pycs_Unlock(api);
    _Pycs_FreeValues(&late);
    Py_DECREF(mro);
    return copied < 0 ? -1 : as_planned;
}

_Pycs_PRIVATE int
_Pycs_ReadyWith(_Pycs_API *api, const char *function, PyTypeObject *type,
                const PyCustomSlot *own, Py_ssize_t count, Py_ssize_t room)
{
    _Pycs_Plan plan = _Pycs_PLAN_INIT;
    int as_planned, status = -1;

    if (_Pycs_CheckUnready(function, type) < 0
            || _Pycs_CheckBases(function, type->tp_name, type->tp_base, type->tp_bases) < 0
            || _Pycs_CheckOwn(type->tp_name, own, count) < 0) return -1;
    if (room < count) {
        return _Pycs_Deny(PyExc_ValueError, "PyExtensibleType_Ready(%.200s): the table is said to have room for %zd "
                          "slots, but etp_custom_slot_count is %zd", type->tp_name, room, count);
    }
    if (_Pycs_PlanClass(api, function, type, &plan) < 0
            || _Pycs_PlanTable(api, type, own, count, room, &plan) < 0
            || _Pycs_ReadyAsPlanned(api, (PyHeapExtensibleTypeObject *)type, &plan) < 0
            || (as_planned = _Pycs_FinishAsPlanned(api, type, &plan)) < 0
            || (!as_planned && _Pycs_set_slots(
                api, type, count > 0 ? plan.record->own : NULL, count) < 0)) goto done;
    status = 0;
done:
    _Pycs_ClearPlan(&plan);
    return status;
}

_Pycs_PRIVATE int
_Pycs_ready(_Pycs_API *api, PyHeapExtensibleTypeObject *t, Py_ssize_t slot_table_size)
{
    PyTypeObject *type = (PyTypeObject *)t;
    const _Pycs_API *owner;
    PyCustomSlot *array;
    Py_ssize_t count;

    if (_Pycs_CheckNamed("PyExtensibleType_Ready", type) < 0) return -1;
    if (_Pycs_HasTable(type)) {

        _Pycs_Lock(api);
        _Pycs_SetRecord(api, type, _Pycs_RecordOf(type));
        _Pycs_Unlock(api);
        owner = _Pycs_APIOf(Py_TYPE(type));
        return owner == api ? 0 : _Pycs_RefuseForeign(owner, PyExc_ImportError, "the static type", type);
    }
    array = t->etp_custom_slots;
    if (_Pycs_ReadyWith(api, "PyExtensibleType_Ready", type, array, t->etp_custom_slot_count, slot_table_size) < 0) {
        return -1;
    }

    count = PyCustomSlots_CountType(type);
    if (array != NULL && count <= slot_table_size) {
        memcpy(array, PyCustomSlots_TableType(type), sizeof(*array) * (size_t)count);
    }
    return 0;
}

typedef struct {
    size_t size;
    const void *vtable;
    size_t count;
} _Pycs_VtableData;

static int
_Pycs_DerivesFrom(_Pycs_API *api, PyTypeObject *type, const PyTypeObject *base)
{
    PyObject *mro = _Pycs_FetchMro(api, type);
    const int found = mro != NULL && _Pycs_PlaceIn(mro, base, 0) >= 0;
    Py_XDECREF(mro);
    return found;
}

static const void *
_Pycs_OwnVtable(PyTypeObject *type)
{
    PyObject *capsule = type->tp_dict != NULL ? PyDict_GetItemString(type->tp_dict, "__pyx_vtable__") : NULL;
    return capsule != NULL && PyCapsule_IsValid(capsule, NULL) ? PyCapsule_GetPointer(capsule, NULL) : NULL;
}

static PyTypeObject *
_Pycs_BaseIn(PyTypeObject *type, PyObject *mro)
{
    PyTypeObject *base = _Pycs_BASE(type);
    return _Pycs_PlaceIn(mro, base, 0) >= 0 ? base : NULL;
}

static PyTypeObject *
_Pycs_VtableOwner(PyTypeObject *type, PyObject *mro)
{
    Py_ssize_t i;
    for (; type != NULL; type = _Pycs_BaseIn(type, mro)) {
        for (i = 0; i < PyTuple_GET_SIZE(mro); i++) {
            PyTypeObject *owner = (PyTypeObject *)PyTuple_GET_ITEM(mro, i);
            if (owner->tp_new == type->tp_new && _Pycs_OwnVtable(owner) != NULL) return owner;
        }
    }
    return NULL;
}

static size_t
_Pycs_VtableCount(PyTypeObject *type)
{
    const _Pycs_VtableData *data = NULL;
    PyObject *text = PyUnicode_FromFormat("cython.vtable:%s", type->tp_name);
    const char *name = text != NULL ? PyUnicode_AsUTF8(text) : NULL;
    const uintptr_t id = name != NULL ? PyCustomSlots_Intern(name) : 0;
    const PyCustomSlot *slot = id != 0 ? PyCustomSlots_FindType(type, id, 0) : NULL;

    if (slot != NULL) data = (const _Pycs_VtableData *)slot->data.pointer;
    Py_XDECREF(text);
    return data != NULL && data->vtable == _Pycs_OwnVtable(type) ? data->count : 0;
}

static int
_Pycs_HasOwnMethods(PyTypeObject *type)
{
    PyTypeObject *base = _Pycs_BASE(type);
    size_t count, before;

    while (base != NULL && _Pycs_OwnVtable(base) == NULL) base = _Pycs_BASE(base);
    if (base == NULL) return 1;
    count = _Pycs_VtableCount(type);
    before = PyErr_Occurred() ? 0 : _Pycs_VtableCount(base);
    if (PyErr_Occurred()) return -1;
    return before == 0 || count != before
           || memcmp(_Pycs_OwnVtable(type), _Pycs_OwnVtable(base), count * sizeof(void (*)(void))) != 0;
}

static int
_Pycs_FindVtable(_Pycs_API *api, PyObject *mro, PyTypeObject *base, PyTypeObject *has,
                 PyTypeObject **better, PyTypeObject **left_out)
{
    Py_ssize_t i;
    for (i = 0; i < PyTuple_GET_SIZE(mro); i++) {
        PyTypeObject *other = (PyTypeObject *)PyTuple_GET_ITEM(mro, i);
        int status;

        if (_Pycs_OwnVtable(other) == NULL || _Pycs_DerivesFrom(api, base, other)) continue;
        if (*better == NULL && _Pycs_DerivesFrom(api, other, has)) *better = other;
        if ((status = _Pycs_HasOwnMethods(other)) < 0) return -1;
        if (status == 0) continue;
        *left_out = other;
        if (*better == NULL || !_Pycs_DerivesFrom(api, *better, other)) {
            *better = NULL;
            break;
        }
    }
    return 0;
}

_Pycs_PRIVATE int
_Pycs_ChooseVtable(_Pycs_API *api, PyTypeObject *type)
{
    PyTypeObject *base, *has, *better = NULL, *left_out = NULL;
    PyObject *mro = _Pycs_FetchMro(api, type);
    int status = 0;

    if (mro == NULL) return 0;
    base = _Pycs_BaseIn(type, mro);
    if (!(has = _Pycs_VtableOwner(base, mro))) goto done;
    status = _Pycs_FindVtable(api, mro, base, has, &better, &left_out);
    if (status < 0 || left_out == NULL || (better != NULL && type->tp_new == better->tp_new)) goto done;
    if (better != NULL && type->tp_new == base->tp_new) {
        type->tp_new = better->tp_new;
        goto done;
    }
    status = PyErr_WarnFormat(
        PyExc_RuntimeWarning, 1,
        "class '%.200s': found the C methods of base '%.200s' in its objects, expected those of base '%.200s', too, "
        "whose calls in C go to wrong functions; make it the first base, or derive one of the two from the other",
        type->tp_name, has->tp_name, left_out->tp_name);
done:
    Py_DECREF(mro);
    return status;
}

#if defined(__OPTIMIZE__) && !defined(__OPTIMIZE_SIZE__) && defined(__GNUC__) && !defined(__clang__)
#  pragma GCC pop_options
#endif
#endif
#ifdef __cplusplus
}
#endif
#endif
/* [cython-customslots: end customslots_runtime.h] */
#endif
#endif
/* [cython-customslots: end extensibletype.h] */
