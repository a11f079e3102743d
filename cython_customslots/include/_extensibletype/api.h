/* SPDX-License-Identifier: MIT
 *
 * _extensibletype/api.h - what providers share: one struct for each interpreter.
 * Included by extensibletype.h; not for direct use.
 *
 *     client                    API (one an interpreter)        implementation (constant)
 *     +---------------+         +----------------------+        +----------------------+
 *     | finds the API | ------> | versions, sizes      |   +--> | number, states       |
 *     | beside the    |         | metaclass            |   |    | count                |
 *     | metaclass     |         | state  -> (private)  |   |    | targets of slots     |
 *     +---------------+         | impl ----------------|---+    | functions            |
 *                               | met -> who came      |        +----------------------+
 *                               +----------------------+
 *
 * The first module that finds no metaclass creates it.  The newest implementation that was
 * imported does the work: taking over is one compare-and-swap of `impl`.  So a client loads
 * that pointer for each use and never keeps it; it may keep the API's address as long as the
 * interpreter lives.
 *
 * Nothing here ever moves.  New functions are appended; a client that calls one compares
 * `count` first (_PyExtensibleType_HAS), never a size.
 */
#ifndef Py_EXTENSIBLETYPE_API_H
#define Py_EXTENSIBLETYPE_API_H

#include "customslots.h"
#include "_extensibletype/field.h"
#include "_extensibletype/interface.h"

#include <stddef.h>

/* [rendezvous.begin] */
#define _PyExtensibleType_RENDEZVOUS_VERSION 3
#define _PyExtensibleType_MODULE    "_extensibletype"
#define _PyExtensibleType_ATTRIBUTE "extensibletype_v3"
#define _PyExtensibleType_CAPSULE   "_extensibletype._api_v3"
#define _PyExtensibleType_FIELDS    "__customslots_fields__"     /* in a class's __dict__ */

typedef struct _PyExtensibleType_API _PyExtensibleType_API;
typedef struct _PyExtensibleType_Impl _PyExtensibleType_Impl;
typedef struct _PyExtensibleType_Met _PyExtensibleType_Met;

struct _PyExtensibleType_API {
    uint32_t   rendezvous_version;
    uint32_t   table_abi;           /* PyCustomSlots_ABI_VERSION */
    uint32_t   state_version;       /* of what `state` points to */
    uint32_t   reserved;            /* 0 */
    Py_ssize_t heaptype_size;       /* sizeof(PyHeapTypeObject) */
    Py_ssize_t type_size;           /* sizeof(PyHeapExtensibleTypeObject) */
    PyTypeObject *metaclass;        /* borrowed: it owns this struct */
    struct _PyExtensibleType_State *state;      /* the implementation's, nobody else's */
    const _PyExtensibleType_Impl *impl;         /* atomic; who serves */
    _PyExtensibleType_Met *met;                 /* atomic; who came by, the last one first */
};

/* An implementation that came by, in the order of coming: a list that only grows. */
struct _PyExtensibleType_Met {
    _PyExtensibleType_Met *next;
    void *extension;                /* NULL */
    const _PyExtensibleType_Impl *impl;
    const _PyExtensibleType_Impl *found;        /* who served then; NULL: it is the creator's */
    uintptr_t verdict;              /* a _PyExtensibleType_MET_* */
};

#define _PyExtensibleType_MET_CREATED 0         /* made metaclass and API */
#define _PyExtensibleType_MET_TOOK    1         /* took over from `found` */
#define _PyExtensibleType_MET_OLDER   2         /* is not newer than `found` */
#define _PyExtensibleType_MET_STATE   3         /* cannot serve this state version */
#define _PyExtensibleType_MET_PINNED  4         /* CUSTOMSLOTS_RUNTIME names another one */
/* [rendezvous.end] */

/* [implementation.begin] */
/* Constant, in a module that is never unloaded. */
struct _PyExtensibleType_Impl {
    uint32_t    number;             /* major << 24 | minor << 12 | patch */
    uint32_t    state_version;      /* that it creates */
    uint32_t    oldest_state;       /* it serves states from this version on */
    uint32_t    count;              /* of pointers behind `module` */
    const char *module;             /* who carries it: a qualified name; or "" */

    /* Targets: what the slots of the metaclasses and the descriptors in their dicts jump to. */
    PyObject *(*alloc)(_PyExtensibleType_API *, PyTypeObject *, Py_ssize_t);
    int (*init)(_PyExtensibleType_API *, PyObject *, PyObject *, PyObject *);
    void (*dealloc)(_PyExtensibleType_API *, PyObject *);
    int (*traverse)(_PyExtensibleType_API *, PyObject *, visitproc, void *);
    int (*clear)(_PyExtensibleType_API *, PyObject *);
    PyObject *(*get)(_PyExtensibleType_API *, PyObject *, int);
    int (*set)(_PyExtensibleType_API *, PyObject *, int, PyObject *);
    PyObject *(*field_get)(_PyExtensibleType_API *, PyObject *, void *);
    int (*field_set)(_PyExtensibleType_API *, PyObject *, PyObject *, void *);
    PyObject *(*meta_call)(_PyExtensibleType_API *, PyObject *, PyObject *, PyObject *);
    int (*meta_init)(_PyExtensibleType_API *, PyObject *, PyObject *, PyObject *);
    PyObject *(*meta_getattro)(_PyExtensibleType_API *, PyObject *, PyObject *);
    PyObject *(*meta_repr)(_PyExtensibleType_API *, PyObject *);
    void (*meta_dealloc)(_PyExtensibleType_API *, PyObject *);
    int (*meta_traverse)(_PyExtensibleType_API *, PyObject *, visitproc, void *);
    int (*meta_clear)(_PyExtensibleType_API *, PyObject *);

    /* What clients call; documented in extensibletype.h. */
    int (*ready)(_PyExtensibleType_API *, PyHeapExtensibleTypeObject *, Py_ssize_t);
    int (*inherit_fields)(_PyExtensibleType_API *, PyTypeObject *);
    int (*set_slots)(_PyExtensibleType_API *, PyTypeObject *, const PyCustomSlot *, Py_ssize_t);
    int (*resolve)(_PyExtensibleType_API *, PyTypeObject *);
    PyTypeObject *(*calculate_metaclass)(_PyExtensibleType_API *, PyTypeObject *,
                                         PyTypeObject *, PyObject *);
    PyTypeObject *(*new_static)(_PyExtensibleType_API *, PyTypeObject *, PyTypeObject *,
                                PyTypeObject *, PyObject *, void *);
    int (*publish)(_PyExtensibleType_API *, PyTypeObject *, const PyCustomSlot *, Py_ssize_t);
    PyObject *(*from_spec)(_PyExtensibleType_API *, PyTypeObject *, PyObject *, PyType_Spec *,
                           PyObject *, const PyCustomSlot *, Py_ssize_t);
    int (*register_fields)(_PyExtensibleType_API *, PyTypeObject *,
                           const PyExtensibleType_Field *, Py_ssize_t, Py_ssize_t);
    int (*set_field)(_PyExtensibleType_API *, PyTypeObject *, Py_ssize_t, const void *,
                     Py_ssize_t);
    int (*delete_field)(_PyExtensibleType_API *, PyTypeObject *, Py_ssize_t);
    int (*mark_fields)(_PyExtensibleType_API *, PyTypeObject *, const Py_ssize_t *, Py_ssize_t);
    int (*set_field_object)(_PyExtensibleType_API *, PyTypeObject *, PyObject *, PyObject *);
    int (*share_layout)(_PyExtensibleType_API *, PyTypeObject *);
    PyObject *(*combine)(_PyExtensibleType_API *, PyObject *, const char *);

    /* For languages that cannot use the headers; documented in runtime/foreign.h.  The first
       four raise nothing; all but find, slot_count and slot_table need the GIL. */
    const PyCustomSlot *(*find)(_PyExtensibleType_API *, PyTypeObject *, uintptr_t, Py_ssize_t);
    const PyCustomSlot *(*find_any)(_PyExtensibleType_API *, PyTypeObject *, uintptr_t,
                                    Py_ssize_t);
    Py_ssize_t (*slot_count)(_PyExtensibleType_API *, PyTypeObject *);
    const PyCustomSlot *(*slot_table)(_PyExtensibleType_API *, PyTypeObject *);
    uintptr_t (*intern)(_PyExtensibleType_API *, const char *);
    int (*register_slot)(_PyExtensibleType_API *, PyTypeObject *, const PyCustomSlot *);
    PyObject *(*new_class)(_PyExtensibleType_API *, PyTypeObject *, const char *, const char *,
                           PyObject *, const PyCustomSlot *, Py_ssize_t);
    PyTypeObject *(*static_block)(_PyExtensibleType_API *, PyTypeObject *);
    int (*ready_block)(_PyExtensibleType_API *, PyTypeObject *, const PyCustomSlot *, Py_ssize_t);

    /* Targets, as those above; the second one is that of the metaclass of interfaces. */
    int (*setattr)(_PyExtensibleType_API *, PyObject *, PyObject *, PyObject *);
    PyObject *(*interface_do)(_PyExtensibleType_API *, int, PyObject *, PyObject *, PyObject *);

    /* What clients call, as those above. */
    int (*declare_interface)(_PyExtensibleType_API *, const PyExtensibleType_InterfaceSpec *);
    PyObject *(*interface_class)(_PyExtensibleType_API *, uintptr_t);
    PyObject *(*interface_class_of)(_PyExtensibleType_API *, const PyExtensibleType_InterfaceSpec *);
};

/* What `get` and `set` are asked for: the descriptors of extensibletype. */
#define _PyExtensibleType_GET_BASES  0
#define _PyExtensibleType_GET_BASE   1
#define _PyExtensibleType_GET_DICT   2
#define _PyExtensibleType_GET_FIELDS 3
#define _PyExtensibleType_GET_MODULE 4
#define _PyExtensibleType_GET_DOC    5
#define _PyExtensibleType_GET_DIR    6

/* What `interface_do` is asked for, of a class and with what was passed: slots, methods and
   attributes of the metaclass of interfaces. */
#define _PyExtensibleType_DO_CALL         0
#define _PyExtensibleType_DO_INIT         1
#define _PyExtensibleType_DO_REPR         2
#define _PyExtensibleType_DO_ISINSTANCE   3
#define _PyExtensibleType_DO_ISSUBCLASS   4
#define _PyExtensibleType_DO_OF           5
#define _PyExtensibleType_DO_IMPLEMENTERS 6
#define _PyExtensibleType_DO_EXPLAIN      7
#define _PyExtensibleType_DO_ID           8
#define _PyExtensibleType_DO_POSITION     9
#define _PyExtensibleType_DO_SIGNATURES   10
#define _PyExtensibleType_DO_NAMED        11      /* of no class: the one with this name, or None */
/* [implementation.end] */

/* Who serves at this moment. */
#define _PyExtensibleType_IMPL(api) \
    _PyCustomSlots_LOAD(const _PyExtensibleType_Impl *, &(api)->impl)

/* Of these headers, as an implementation has a number. */
#define _PyExtensibleType_HEADERS (0 << 24 | 1 << 12 | 0)               /* 0.1.0 */

/* Does an implementation have this function?  All have those that are named in this file; the
   test is for later ones (_PyExtensibleType_REQUIRE in find.h makes it, and raises the error). */
#define _PyExtensibleType_HAS(implementation, function) \
    _PyExtensibleType_HAS_AT(implementation, offsetof(_PyExtensibleType_Impl, function))
#define _PyExtensibleType_HAS_AT(implementation, position) \
    ((size_t)(implementation)->count * sizeof(void *) \
         > (position) - offsetof(_PyExtensibleType_Impl, alloc))

/* How many pointers every implementation of this rendezvous version has. */
#define _PyExtensibleType_FIRST_COUNT \
    ((uint32_t)((offsetof(_PyExtensibleType_Impl, interface_class) \
                 - offsetof(_PyExtensibleType_Impl, alloc)) / sizeof(void *) + 1))

/* extensibletype itself is recognised by a third constant in its own spare words,
   which hold the API: a heap type may be read there (customslots.h, "the test"). */
/* [root.begin] */
#if UINTPTR_MAX > 0xFFFFFFFFu
#  define _PyExtensibleType_ROOT ((uintptr_t)0x5E9200C573D19603u)
#else
#  define _PyExtensibleType_ROOT ((uintptr_t)0x5E927303u)
#endif
/* [root.end] */

/* The metaclass below which `metaclass` derives from `type`: extensibletype, if it
   is one of ours. */
_PyCustomSlots_UNUSED static inline PyTypeObject *
_PyExtensibleType_RootOf(PyTypeObject *metaclass)
{
    while (metaclass->tp_base != NULL && metaclass->tp_base != &PyType_Type) {
        metaclass = metaclass->tp_base;
    }
    return metaclass;
}

/* The API behind a metaclass, or NULL if it does not derive from an extensibletype. */
_PyCustomSlots_UNUSED static inline _PyExtensibleType_API *
_PyExtensibleType_APIOf(PyTypeObject *metaclass)
{
    PyTypeObject *root = _PyExtensibleType_RootOf(metaclass);
    PyHeapExtensibleTypeObject *r = (PyHeapExtensibleTypeObject *)root;
    if (!(root->tp_flags & Py_TPFLAGS_HEAPTYPE)
            || r->etp_check != ((uintptr_t)root ^ _PyExtensibleType_ROOT)) {
        return NULL;
    }
    return (_PyExtensibleType_API *)r->etp_private;
}

/* Does the type carry a table of its own?  (customslots.h, "the test".) */
_PyCustomSlots_UNUSED static inline int
_PyExtensibleType_IsReady(PyTypeObject *type)
{
    return _PyCustomSlots_HasMemory(type) && _PyCustomSlots_IsReady(type);
}

#endif /* Py_EXTENSIBLETYPE_API_H */
