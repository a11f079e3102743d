/* SPDX-License-Identifier: MIT
 *
 * runtime/layers.h - which C fields does a metaclass add to its type objects?
 *
 * Each metaclass that derives from `extensibletype` in C may add fields: its layer.
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
 * plain bytes between them.  Values are inherited field by field (fields.h).
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_LAYERS_H
#define Py_CUSTOMSLOTS_RUNTIME_LAYERS_H

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
    PyGetSetDef  getset;                /* what stands in the metaclass's dict for it */
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

/* Does a type that is known to be extensible have the bytes of this layer? */
static inline int
_Pycs_HasLayer(PyTypeObject *type, const _Pycs_Layer *layer)
{
    return Py_TYPE(type) == layer->metaclass
           || PyType_IsSubtype(Py_TYPE(type), layer->metaclass);
}

/* The same for any class. */
static inline int
_Pycs_HasBytesOf(PyTypeObject *type, const _Pycs_Layer *layer)
{
    return _Pycs_HasMemory(type) && _Pycs_HasLayer(type, layer);
}

/* The signedness of a Py_T_* code: 1 for a signed integer, 0 for an unsigned one; -1 for all
   others. */
static inline int
_Pycs_Signedness(int code)
{
    switch (code) {
    case 0: case 1: case 2: case 8: case 17: case 19: return 1;
    case 9: case 10: case 11: case 12: case 18: return 0;
    default: return -1;
    }
}

_Pycs_PRIVATE void _Pycs_FreeLayer(_Pycs_Layer *layer);
_Pycs_PRIVATE _Pycs_Layer *_Pycs_NewLayer(
    _Pycs_API *api, PyTypeObject *metaclass, const PyExtensibleType_Field *fields,
    Py_ssize_t count);

#endif /* Py_CUSTOMSLOTS_RUNTIME_LAYERS_H */
