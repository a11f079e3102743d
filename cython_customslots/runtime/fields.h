/* SPDX-License-Identifier: MIT
 *
 * runtime/fields.h - C fields in the type object, inherited by value.
 *
 * A read is one load behind ob_type, with no check.  So the memory must be right before
 * user code can see a class: tp_alloc copies each field from the nearest class in the
 * MRO that set it, or else fills in the default (the first provider's value).  Later
 * changes are pushed into the subclasses: of bases (change.c), of values (setter.c).
 *
 * A value that is in no class is a Value: what a class statement or a setter gives, a copy for a
 * class that follows, or what was replaced and waits for the lock to be released.  Making one can
 * fail, and putting one into a class cannot; so all are made before anything is changed.
 *
 * (The idea of the fields: "Adding Class Attributes to Dynamic Cython Extension Types
 * Using Metaclasses", Intersec; what was missing there is the inheritance.)
 *
 * LAYERS.  Each metaclass that derives from `extensibletype` in C may add fields: its layer.
 *
 *     type object of metaclass M2(M1(extensibletype))
 *     +-----------------------+ 0
 *     | PyHeapExtensibleType..|
 *     +-----------------------+ extensibletype.tp_basicsize
 *     | layer of M1           |   field, field, ...
 *     +-----------------------+ M1.tp_basicsize
 *     | layer of M2           |   field, field, ...
 *     +-----------------------+ M2.tp_basicsize
 *
 * A layer is divided into fields without gaps: those that the provider described, and
 * plain bytes between them.  Values are inherited field by field.
 *
 * THE SIDECAR is what is kept beside a class, and says where the values of its fields come from:
 *
 *     type object                     sidecar
 *     +-----------------------+       +----------------------------------+
 *     | etp_extension --------|-----> | extension  marks  kept  filled_at |   four words
 *     +-----------------------+       +----------------------------------+
 *     | C fields              | <===> | the bytes that inheritance last  |
 *     +-----------------------+       | put there                        |
 *                                     | a mark for each byte             |
 *                                     +----------------------------------+
 *
 * A class inherits a field as it inherits a class attribute: unless it, or a class nearer in
 * its MRO, has a value of its own.  A class attribute is in the class's dict; a field is a copy
 * in every class, so the sidecar says which values the class set: the mark for the first byte of
 * such a field is not 0.
 *
 * C code may write into a field directly, and then the value is the class's own, though no mark
 * says so.  To tell such a value from an inherited one, the bytes that inheritance last
 * put there are kept behind the sidecar.  (What its bases hold at the moment cannot tell: they
 * may have changed and not reached the class yet, its MRO may have been replaced by an assignment
 * that another thread has not committed, and CPython's own state can be inconsistent when threads
 * assign bases at once.)
 *
 *     tp_alloc fills the fields  ->  type.__new__: mro(), linked into its bases'
 *         subclasses, __set_name__, __init_subclass__  ->  Resolve()
 *
 * A thread that changes fields while a class is being made does not find the class among the
 * subclasses, or leaves it alone as unfinished.  Resolve() notices that something changed since
 * (`filled_at`) and gives the class what it inherits now.
 *
 * A class without fields has a sidecar only if it has an MRO to keep for readers, in `kept`
 * (change.h).
 *
 * All that reads or writes values, marks and sidecars is under the lock (change.h), except
 * NewSidecar(), FreeValues() and ReleaseFields().
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_FIELDS_H
#define Py_CUSTOMSLOTS_RUNTIME_FIELDS_H

#include "runtime/slots.h"
#include "runtime/state.h"

struct _Pycs_Layer;

/* The description of a field (PyExtensibleType_Field), as it was in the first version of that
   struct: the public one may grow, but nothing that is reached from the state.  An implementation
   that knows more members keeps them behind `extension`. */
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

typedef char _Pycs_assert_fields_begin_as_ever
    [sizeof(PyExtensibleType_Field) >= sizeof(_Pycs_FieldDef)
     && offsetof(PyExtensibleType_Field, flags) == offsetof(_Pycs_FieldDef, flags)
     && offsetof(PyExtensibleType_Field, to_object)
            == offsetof(_Pycs_FieldDef, to_object) ? 1 : -1];

typedef struct {
    _Pycs_API *api;         /* first: trampolines of descriptors find it here */
    _Pycs_FieldDef def;
    struct _Pycs_Layer *layer;
    PyObject    *name;                  /* interned and counted; NULL unless READABLE or WRITABLE */
    PyGetSetDef  getset;                /* its entry in the metaclass's dict */
    void        *extension;
} _Pycs_FieldEntry;

typedef struct _Pycs_Layer {
    struct _Pycs_Layer *next;
    PyTypeObject *metaclass;            /* counted: its address is the key */
    Py_ssize_t    offset, size;         /* bytes in the type object */
    int           has_defaults;
    int           objects, hooked;      /* how many fields are counted references, have hooks */
    int           named;                /* how many are known to Python */
    PyTypeObject *provider;             /* whose values the defaults are; borrowed, NULL once it died */
    char         *block, *defaults;     /* `size` bytes, aligned as in the type object */
    Py_ssize_t    count;
    _Pycs_FieldEntry *fields;
    void         *extension;
} _Pycs_Layer;

static inline int
_Pycs_IsObject(const _Pycs_FieldEntry *field)
{
    return field->def.type == PyExtensibleType_OBJECT;
}

static inline int
_Pycs_IsHooked(const _Pycs_FieldEntry *field)
{
    return field->def.copy != NULL;
}

/* Where the field is in a type object, and in the defaults of its layer. */
static inline char *
_Pycs_FieldAt(PyTypeObject *type, const _Pycs_FieldEntry *field)
{
    return (char *)type + field->def.offset;
}

static inline char *
_Pycs_DefaultOf(const _Pycs_FieldEntry *field)
{
    return field->layer->defaults + (field->def.offset - field->layer->offset);
}

/* The registered layer of exactly this metaclass, or NULL.  The list is short (one
   entry for each metaclass with fields in the interpreter) and only grows. */
static inline _Pycs_Layer *
_Pycs_FindLayer(_Pycs_API *api, PyTypeObject *metaclass)
{
    _Pycs_Layer *layer
        = _Pycs_LOAD(_Pycs_Layer *, &api->state->layers);
    while (layer != NULL && layer->metaclass != metaclass) layer = layer->next;
    return layer;
}

/* Does any metaclass of this interpreter have fields? */
static inline int
_Pycs_HasLayers(_Pycs_API *api)
{
    return _Pycs_LOAD(_Pycs_Layer *, &api->state->layers) != NULL;
}

/* The layers of a metaclass, the most derived one first:
   for (m = metaclass; (layer = NextLayer(api, &m)); ) */
static inline _Pycs_Layer *
_Pycs_NextLayer(_Pycs_API *api, PyTypeObject **m)
{
    while ((*m)->tp_base != NULL && *m != api->metaclass && *m != &PyType_Type) {
        PyTypeObject *here = *m;
        *m = here->tp_base;
        if (here->tp_basicsize != here->tp_base->tp_basicsize) {
            _Pycs_Layer *layer = _Pycs_FindLayer(api, here);
            if (layer != NULL) return layer;
        }
    }
    return NULL;
}

/* Their fields, one after the other. */
typedef struct {
    _Pycs_API               *api;
    PyTypeObject            *metaclass;
    _Pycs_Layer             *layer;
    Py_ssize_t               i;
} _Pycs_FieldIter;

static inline _Pycs_FieldEntry *
_Pycs_NextField(_Pycs_FieldIter *iter)
{
    while (iter->layer == NULL || iter->i == iter->layer->count) {
        iter->layer = _Pycs_NextLayer(iter->api, &iter->metaclass);
        iter->i = 0;
        if (iter->layer == NULL) return NULL;
    }
    return &iter->layer->fields[iter->i++];
}

static inline _Pycs_FieldIter
_Pycs_FieldsOf(_Pycs_API *api, PyTypeObject *metaclass)
{
    _Pycs_FieldIter iter;
    iter.api = api;
    iter.metaclass = metaclass;
    iter.layer = NULL;
    iter.i = 0;
    return iter;
}

/* Does a class have the bytes of this layer? */
static inline int
_Pycs_HasBytesOf(PyTypeObject *type, const _Pycs_Layer *layer)
{
    return (Py_TYPE(type) == layer->metaclass || PyType_IsSubtype(Py_TYPE(type), layer->metaclass))
           && _Pycs_HasMemory(type);
}

/* [sidecar.begin] */
/* Marks of fields that the class set itself. */
#define _Pycs_SET                 1
#define _Pycs_GIVEN               2     /* by the call that it was allocated in: see birth.c */

/* `filled_at` of a class that is not finished: twice the generation from before anything was looked
   up for it, and this bit.  Of a finished one: 0. */
#define _Pycs_FILLED ((uintptr_t)1)
/* [sidecar.end] */

/* The sidecar of a class that we filled (IsFilled()); NULL if it has none. */
static inline _Pycs_Sidecar *
_Pycs_SidecarOf(PyTypeObject *type)
{
    return _Pycs_LOAD(_Pycs_Sidecar *,
                      (_Pycs_Sidecar **)(void *)
                                   &((PyHeapExtensibleTypeObject *)type)->etp_extension);
}

static inline void
_Pycs_SetSidecar(PyTypeObject *type, _Pycs_Sidecar *sidecar)
{
    _Pycs_STORE(void *, &((PyHeapExtensibleTypeObject *)type)->etp_extension, (void *)sidecar);
}

/* Did anything change since the class, an unfinished one, was filled?  NULL: it is not known,
   as for a class without fields. */
static inline int
_Pycs_IsOutdated(_Pycs_API *api, const _Pycs_Sidecar *sidecar)
{
    return sidecar != NULL && (sidecar->filled_at & _Pycs_FILLED) != 0
           && sidecar->filled_at != (_Pycs_LOAD(uintptr_t, &api->state->generation) << 1
                                | _Pycs_FILLED);
}

/* The mark of a field of `type`, which has a sidecar. */
static inline char *
_Pycs_MarkOf(_Pycs_API *api, PyTypeObject *type, const _Pycs_FieldEntry *field)
{
    _Pycs_ASSERT_LOCKED(api);
    return _Pycs_SidecarOf(type)->marks
           + (field->def.offset - api->metaclass->tp_basicsize);
}

/* The field of `type` was given these bytes by inheritance, or it is the class's own and
   they are the value that is marked. */
static inline void
_Pycs_NoteFilled(_Pycs_API *api, PyTypeObject *type, const _Pycs_FieldEntry *field, const char *value)
{
    _Pycs_Sidecar *sidecar = _Pycs_SidecarOf(type);
    _Pycs_ASSERT_LOCKED(api);
    if (sidecar != NULL) {
        memcpy((char *)(sidecar + 1) + (field->def.offset - api->metaclass->tp_basicsize), value,
               (size_t)field->def.size);
    }
}

/* Was nothing written into this field yet?  Then it holds the default, or what there was before the
   metaclass had any. */
static inline int
_Pycs_IsUntouched(const _Pycs_FieldEntry *field, const char *value)
{
    Py_ssize_t i;
    if (memcmp(value, _Pycs_DefaultOf(field), (size_t)field->def.size) == 0) {
        return 1;
    }
    for (i = 0; i < field->def.size && value[i] == 0; i++) { }
    return i == field->def.size;
}

/* Does `type` hold what it inherits?  Not if its own value is marked, or if other code wrote into it. */
static inline int
_Pycs_InheritsField(_Pycs_API *api, PyTypeObject *type, const _Pycs_FieldEntry *field)
{
    const _Pycs_Sidecar *sidecar = _Pycs_SidecarOf(type);
    const Py_ssize_t offset = field->def.offset - api->metaclass->tp_basicsize;
    const char *value = _Pycs_FieldAt(type, field);
    _Pycs_ASSERT_LOCKED(api);
    if (sidecar == NULL) {
        return _Pycs_IsHooked(field) || _Pycs_IsUntouched(field, value);
    }
    return sidecar->marks[offset] == 0
           && (_Pycs_IsHooked(field)
               || memcmp(value, (const char *)(sidecar + 1) + offset, (size_t)field->def.size) == 0);
}

_Pycs_PRIVATE void _Pycs_FreeLayer(_Pycs_Layer *layer);
_Pycs_PRIVATE _Pycs_Layer *_Pycs_NewLayer(
    _Pycs_API *api, PyTypeObject *metaclass, const PyExtensibleType_Field *fields,
    Py_ssize_t count);
_Pycs_PRIVATE int _Pycs_NewSidecar(_Pycs_API *api, PyTypeObject *metaclass, _Pycs_Sidecar **sidecar);
_Pycs_PRIVATE void _Pycs_MarkFinished(_Pycs_API *api, PyTypeObject *type);
_Pycs_PRIVATE _Pycs_Sidecar *_Pycs_TakeSidecar(_Pycs_API *api, PyTypeObject *type);

typedef struct _Pycs_Value {
    struct _Pycs_Value *next;
    const _Pycs_FieldEntry *field;
    PyObject     *object;             /* counted: what it was converted from; or NULL */
} _Pycs_Value;                        /* the value follows, and room for another one */

/* The bytes of a value, aligned for any type. */
static inline char *
_Pycs_BytesOf(_Pycs_Value *value)
{
    return (char *)value + (sizeof(*value) + 15) / 16 * 16;
}

_Pycs_PRIVATE PyTypeObject *_Pycs_SourceOfField(
    _Pycs_API *api, const _Pycs_Mro *mro,
    const _Pycs_FieldEntry *field);
_Pycs_PRIVATE _Pycs_Value *_Pycs_NewValue(const _Pycs_FieldEntry *field, PyObject *object);
_Pycs_PRIVATE void _Pycs_FreeRaw(_Pycs_Value *value);
_Pycs_PRIVATE void _Pycs_FreeValues(_Pycs_Value **values);
_Pycs_PRIVATE int _Pycs_CopyValue(const _Pycs_FieldEntry *field, char *to, const char *from);
_Pycs_PRIVATE int _Pycs_AddCopy(_Pycs_Value **values, const _Pycs_FieldEntry *field, const char *from);
_Pycs_PRIVATE int _Pycs_AddInherited(
    _Pycs_Value **values, PyTypeObject *type, const _Pycs_FieldEntry *field,
    const char *from);
_Pycs_PRIVATE void _Pycs_SwapValue(_Pycs_Value *value, char *to);
_Pycs_PRIVATE void _Pycs_PutValues(_Pycs_API *api, PyTypeObject *type, _Pycs_Value *value);
_Pycs_PRIVATE const char *_Pycs_ValueFor(_Pycs_API *api, const _Pycs_Mro *mro, const _Pycs_FieldEntry *field);
_Pycs_PRIVATE int _Pycs_GivesDefault(PyTypeObject *type, const _Pycs_FieldEntry *field);
_Pycs_PRIVATE int _Pycs_SetDefaults(_Pycs_API *api, PyTypeObject *type);
_Pycs_PRIVATE void _Pycs_FirstDefaults(_Pycs_API *api, PyTypeObject *metaclass, const _Pycs_Mro *mro);
_Pycs_PRIVATE void _Pycs_ReleaseFields(_Pycs_API *api, PyTypeObject *type);

#endif /* Py_CUSTOMSLOTS_RUNTIME_FIELDS_H */
