/* SPDX-License-Identifier: MIT
 *
 * _extensibletype/api.h - what providers share: one struct for each interpreter.
 * Included by extensibletype.h; not for direct use.
 *
 * Every provider carries a copy of this code, but statics and thread-locals of a
 * header exist once for each extension module.  So the module that came first and
 * created the metaclass does the work for all: the others call it through the
 * functions below, which they find beside the metaclass (rendezvous.h).
 */
#ifndef Py_EXTENSIBLETYPE_API_H
#define Py_EXTENSIBLETYPE_API_H

/* The name under which providers meet.  It changes when this struct does in a way
   that its size cannot tell; the table ABI (customslots.h) is another number. */
/* [rendezvous.begin] */
#define _PyExtensibleType_RENDEZVOUS_VERSION 2
#define _PyExtensibleType_MODULE    "_extensibletype"
#define _PyExtensibleType_ATTRIBUTE "extensibletype_v2"
#define _PyExtensibleType_CAPSULE   "_extensibletype._api_v2"
#define _PyExtensibleType_FIELDS    "__customslots_fields__"     /* in a class's __dict__ */

typedef struct _PyExtensibleType_API _PyExtensibleType_API;
struct _PyExtensibleType_API {
    /* What a finder checks before it uses anything else.  These never move. */
    uint32_t   rendezvous_version;
    uint32_t   table_abi;           /* PyCustomSlots_ABI_VERSION */
    Py_ssize_t api_size;            /* of this struct; a newer creator appends */
    Py_ssize_t heaptype_size;       /* sizeof(PyHeapTypeObject) */
    Py_ssize_t type_size;           /* sizeof(PyHeapExtensibleTypeObject) */
    PyTypeObject *metaclass;        /* borrowed: it owns this struct */

    /* The creator's functions; documented in extensibletype.h. */
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
    int (*own_fields)(_PyExtensibleType_API *, PyTypeObject *, const Py_ssize_t *, Py_ssize_t);
    int (*set_field_object)(_PyExtensibleType_API *, PyTypeObject *, PyObject *, PyObject *);
    int (*share_layout)(_PyExtensibleType_API *, PyTypeObject *);
    PyObject *(*combine)(_PyExtensibleType_API *, PyObject *, const char *);

    /* The creator's state; nobody else touches it. */
    struct _PyExtensibleType_Layer *layers;
    int hooked, named;              /* how many fields have hooks, are known to Python */
    struct _PyExtensibleType_Own **own;              /* own.h: buckets, a power of two */
    size_t     own_buckets;
    Py_ssize_t own_count;
    PyObject *type_base, *type_bases, *type_module, *type_doc;   /* type's own; counted */
    PyObject *type_subclasses;                       /* type.__subclasses__; counted */
    PyObject *name_module, *name_doc;                /* interned attribute names; counted */
    PyObject *metaclass_module, *metaclass_doc;      /* extensibletype's; counted */
    PyObject *adopted_modules;      /* {metaclass: its __module__}, see AdoptNames */
    PyObject *type_mro;             /* type.__mro__; counted */

    /* See changes.h. */
    uintptr_t generation;           /* number of commits; written under the lock */
    struct _PyExtensibleType_Refresh *refreshes;
    struct _PyExtensibleType_Kept *kept;
    struct _PyExtensibleType_Filled **filled;        /* filled.h: buckets, a power of two */
    size_t     filled_buckets;
    Py_ssize_t filled_count, unfinished;             /* unfinished: how many of these classes are */
    struct _PyExtensibleType_Own *limbo;             /* own.h: what values may still point into */
    struct _PyExtensibleType_Layout *layouts;        /* instances.h */
    struct _PyExtensibleType_Spare *spares;
    PyInterpreterState *interpreter;                 /* borrowed: the one all of this belongs to */
    PyObject *type_dict;            /* type's own __dict__ descriptor; counted */
    PyObject *name_mro, *name_new, *name_slots, *name_fields;    /* interned; counted */
    uintptr_t lock_owner;           /* lock.h: the thread state that has it; in debug builds */
#ifdef Py_GIL_DISABLED
    PyMutex lock;
#endif
};
/* [rendezvous.end] */

/* extensibletype itself is recognised by a third constant in its own spare words,
   which hold the API: a heap type may be read there (customslots.h, "the test"). */
/* [root.begin] */
#if UINTPTR_MAX > 0xFFFFFFFFu
#  define _PyExtensibleType_ROOT ((uintptr_t)0x5E9200C573D19602u)
#else
#  define _PyExtensibleType_ROOT ((uintptr_t)0x5E927302u)
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

#endif /* Py_EXTENSIBLETYPE_API_H */
