/* SPDX-License-Identifier: MIT
 *
 * _extensibletype/api.h - what providers share: one struct for each interpreter.
 * Included by extensibletype.h; not for direct use.
 *
 * docs/abi-rendezvous.md has the picture.  The first module that finds no metaclass creates it.  The
 * newest implementation that was imported does the work: taking over is one compare-and-swap of
 * `impl`.  So a client loads that pointer for each use and never keeps it; it may keep the API's
 * address as long as the interpreter lives.
 *
 * Nothing here ever moves.  New functions are appended; a client that calls one compares
 * `count` first (_Pycs_HAS), never a size.
 */
#ifndef Py_EXTENSIBLETYPE_API_H
#define Py_EXTENSIBLETYPE_API_H

#include "customslots.h"
#include "_extensibletype/field.h"
#include "_extensibletype/interface.h"

/* [rendezvous.begin] */
#define _Pycs_RENDEZVOUS_VERSION 4
#define _Pycs_MODULE    "_extensibletype"
#define _Pycs_ATTRIBUTE "extensibletype_v4"
#define _Pycs_CAPSULE   "_extensibletype._api_v4"
#define _Pycs_FIELDS    "__customslots_fields__"     /* in a class's __dict__ */

typedef struct _Pycs_API _Pycs_API;
typedef struct _Pycs_Impl _Pycs_Impl;
typedef struct _Pycs_Met _Pycs_Met;

struct _Pycs_API {
    uint32_t   rendezvous_version;
    uint32_t   table_abi;           /* PyCustomSlots_ABI_VERSION */
    uint32_t   state_version;       /* of what `state` points to */
    uint32_t   reserved;            /* 0 */
    Py_ssize_t heaptype_size;       /* sizeof(PyHeapTypeObject) */
    Py_ssize_t type_size;           /* sizeof(PyHeapExtensibleTypeObject) */
    PyTypeObject *metaclass;        /* borrowed: it owns this struct */
    struct _Pycs_State *state;      /* the implementation's alone */
    const _Pycs_Impl *impl;         /* atomic; the one that serves */
    _Pycs_Met *met;                 /* atomic; those that met the API, the last one first */
};

/* An implementation that came by, in the order of coming: a list that only grows. */
struct _Pycs_Met {
    _Pycs_Met *next;
    const _Pycs_Impl *impl;
    const _Pycs_Impl *found;        /* the one that served then; NULL: it is the creator's */
    uintptr_t verdict;              /* a _Pycs_MET_* */
};

#define _Pycs_MET_CREATED 0         /* made metaclass and API */
#define _Pycs_MET_TOOK    1         /* took over from `found` */
#define _Pycs_MET_OLDER   2         /* is not newer than `found` */
#define _Pycs_MET_STATE   3         /* does not know this state version */
#define _Pycs_MET_PINNED  4         /* CUSTOMSLOTS_RUNTIME names another one */
/* [rendezvous.end] */

/* [implementation.begin] */
/* The functions of an implementation, each once, in their order: FUNCTION(result, name, arguments). */
#define _Pycs_FUNCTIONS(FUNCTION) \
    /* Targets: what the slots of the metaclasses and the descriptors in their dicts jump to. */ \
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
    /* What clients call; documented in extensibletype.h. */ \
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
    /* For languages that cannot use the headers; documented in runtime/foreign.c.  The first \
       four raise nothing; all but find, slot_count and slot_table need the GIL. */ \
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
    /* Targets, as those above; the second one is that of the metaclass of interfaces. */ \
    FUNCTION(int, setattr, (_Pycs_API *, PyObject *, PyObject *, PyObject *)) \
    FUNCTION(PyObject *, interface_do, (_Pycs_API *, int, PyObject *, PyObject *, PyObject *)) \
    /* What clients call, as those above. */ \
    FUNCTION(int, declare_interface, (_Pycs_API *, const PyExtensibleType_InterfaceSpec *)) \
    FUNCTION(PyObject *, interface_class, (_Pycs_API *, uintptr_t)) \
    FUNCTION(PyObject *, interface_class_of, (_Pycs_API *, \
             const PyExtensibleType_InterfaceSpec *))

#define _Pycs_POINTER(result, name, arguments) result (*name) arguments;

/* Constant, in a module that is never unloaded. */
struct _Pycs_Impl {
    _Pycs_Looks looks;              /* first: readers come here from tables (customslots.h) */
    uint32_t    number;             /* major << 24 | minor << 12 | patch */
    uint32_t    state_version;      /* that it creates, and the only one that it serves */
    uint32_t    count;              /* of pointers behind `module` */
    const char *module;             /* the module that carries it: a qualified name; or "" */
    _Pycs_FUNCTIONS(_Pycs_POINTER)
};

/* The descriptors of extensibletype, as `get` and `set` are asked for them. */
#define _Pycs_GET_BASES  0
#define _Pycs_GET_DICT   1
#define _Pycs_GET_FIELDS 2
#define _Pycs_GET_MODULE 3
#define _Pycs_GET_DOC    4
#define _Pycs_GET_DIR    5

/* What `interface_do` does with a class and the arguments that were passed: slots, methods and
   attributes of the metaclass of interfaces. */
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
#define _Pycs_DO_NAMED        11      /* of no class: the one with this name, or None */
/* [implementation.end] */

/* The implementation that serves at this moment. */
#define _Pycs_IMPL(api) \
    _Pycs_LOAD(const _Pycs_Impl *, &(api)->impl)

/* The number of these headers, like that of an implementation. */
#define _Pycs_HEADERS (0 << 24 | 1 << 12 | 0)               /* 0.1.0 */

/* Does an implementation have this function, which is behind the first _Pycs_FIRST_COUNT? */
#define _Pycs_HAS(implementation, function) \
    ((size_t)(implementation)->count * sizeof(void *) \
         > offsetof(_Pycs_Impl, function) - offsetof(_Pycs_Impl, alloc))

/* How many pointers every implementation of this rendezvous version has. */
#define _Pycs_FIRST_COUNT \
    ((uint32_t)((offsetof(_Pycs_Impl, interface_class_of) \
                 - offsetof(_Pycs_Impl, alloc)) / sizeof(void *) + 1))

/* extensibletype itself is recognised by a third constant in its own spare words,
   which hold the API: a heap type may be read there (customslots.h, "the test"). */
/* [root.begin] */
#if UINTPTR_MAX > 0xFFFFFFFFu
#  define _Pycs_ROOT ((uintptr_t)0x5E9200C573D19604u)
#else
#  define _Pycs_ROOT ((uintptr_t)0x5E927304u)
#endif
/* [root.end] */

/* Is the class unfinished?  Each class is while its __set_name__ and __init_subclass__ run. */
_Pycs_UNUSED static inline int
_Pycs_IsUnfinished(PyTypeObject *type)
{
    return _Pycs_HasMemory(type)
           && _Pycs_LOAD(uintptr_t, &_Pycs_CAST(type)->etp_check) == ((uintptr_t)type ^ _Pycs_UNFINISHED);
}

/* Is the type finished, with a table of its own?  Ask again after reading tp_bases or tp_mro of an
   unfinished type, and before following them: another thread finishes a type before it assigns its bases,
   and the bases and MRO that the type had until then live as long as the type. */
_Pycs_UNUSED static inline int
_Pycs_HasTable(PyTypeObject *type)
{
    return _Pycs_HasMemory(type)
           && _Pycs_LOAD(uintptr_t, &_Pycs_CAST(type)->etp_check) == ((uintptr_t)type ^ _Pycs_READY);
}

/* The last class before `type` in the chain of bases of `metaclass`: extensibletype, if
   `metaclass` derives from it. */
_Pycs_UNUSED static inline PyTypeObject *
_Pycs_RootOf(PyTypeObject *metaclass)
{
    while (metaclass->tp_base != NULL && metaclass->tp_base != &PyType_Type) {
        metaclass = metaclass->tp_base;
    }
    return metaclass;
}

/* The API behind a metaclass, or NULL if it does not derive from an extensibletype. */
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

/* Stores in *found a new reference to the entry of a dictionary, to which other threads may write
   at this moment; NULL: no entry.  0, or -1 with an exception. */
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

#endif /* Py_EXTENSIBLETYPE_API_H */
