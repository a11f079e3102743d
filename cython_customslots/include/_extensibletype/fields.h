/* SPDX-License-Identifier: MIT
 *
 * _extensibletype/fields.h - C fields in the type object, inherited by value.
 * Included by extensibletype.h; not for direct use.
 *
 * Each metaclass that derives from `extensibletype` in C may add fields: its layer.
 *
 *     type object of metaclass M2(M1(extensibletype))
 *     +-----------------------+ 0
 *     | PyHeapExtensibleType..|
 *     +-----------------------+ extensibletype.tp_basicsize
 *     | layer of M1           |      <- from the nearest class in the MRO whose
 *     +-----------------------+ M1.tp_basicsize          metaclass is an M1
 *     | layer of M2           |      <- from the nearest one whose is an M2
 *     +-----------------------+ M2.tp_basicsize
 *
 * A read is one load behind ob_type, with no check.  So the memory must be right
 * before user code can see a class: tp_alloc copies each layer from the bases it was
 * told of, or else fills in the layer's defaults (its first provider's values).
 * (The idea of the fields: "Adding Class Attributes to Dynamic Cython Extension Types
 * Using Metaclasses", Intersec; what was missing there is the inheritance.)
 */
#ifndef Py_EXTENSIBLETYPE_FIELDS_H
#define Py_EXTENSIBLETYPE_FIELDS_H

typedef struct _PyExtensibleType_Layer {
    struct _PyExtensibleType_Layer *next;
    PyTypeObject *metaclass;          /* counted: its address is the key */
    Py_ssize_t    offset, size;       /* bytes in the type object */
    int           has_defaults;
    PyTypeObject *provider;           /* borrowed, only compared: whose values they are */
    char         *defaults;           /* `size` bytes behind this struct */
} _PyExtensibleType_Layer;

/* The registered layer of exactly this metaclass, or NULL.  The list is short (one
   entry for each metaclass with fields in the interpreter) and only grows. */
_PyCustomSlots_UNUSED static inline _PyExtensibleType_Layer *
_PyExtensibleType_FindLayer(_PyExtensibleType_Layer *const *layers, PyTypeObject *metaclass)
{
    _PyExtensibleType_Layer *layer
        = _PyCustomSlots_LOAD(_PyExtensibleType_Layer *, layers);
    while (layer != NULL && layer->metaclass != metaclass) layer = layer->next;
    return layer;
}

/* Does `type` own the bytes of this layer? */
_PyCustomSlots_UNUSED static inline int
_PyExtensibleType_OwnsLayer(PyTypeObject *type, const _PyExtensibleType_Layer *layer)
{
    return _PyCustomSlots_HasMemory(type) && PyType_IsSubtype(Py_TYPE(type), layer->metaclass);
}

/* The class of mro[from:] that owns the layer and stands nearest; NULL: none. */
_PyCustomSlots_UNUSED static PyTypeObject *
_PyExtensibleType_NearestWithLayer(PyObject *mro, PyTypeObject *self,
                                   const _PyExtensibleType_Layer *layer)
{
    Py_ssize_t i;
    for (i = 0; mro != NULL && i < PyTuple_GET_SIZE(mro); i++) {
        PyObject *item = PyTuple_GET_ITEM(mro, i);
        if (item != (PyObject *)self && PyType_Check(item)
                && _PyExtensibleType_OwnsLayer((PyTypeObject *)item, layer)) {
            return (PyTypeObject *)item;
        }
    }
    return NULL;
}

/* Whose values of this layer does a class with linearisation `mro` start with?
   The nearest class that set them: one whose bytes differ from those of the class it
   inherits from, or that inherits from none.  (In a diamond T(A, B) over Greet, where
   only B set its own, that is B, as a class attribute would be.)  NULL: nobody. */
_PyCustomSlots_UNUSED static PyTypeObject *
_PyExtensibleType_SourceOfLayer(const _PyExtensibleType_Mro *mro,
                                const _PyExtensibleType_Layer *layer)
{
    PyTypeObject *nearest = NULL;
    Py_ssize_t i;
    for (i = 0; i < mro->count; i++) {
        PyTypeObject *type = _PyExtensibleType_MroItem(mro, i), *behind;
        if (type == NULL || !_PyExtensibleType_OwnsLayer(type, layer)) continue;
        if (nearest == NULL) nearest = type;
        behind = _PyExtensibleType_NearestWithLayer(type->tp_mro, type, layer);
        if (behind == NULL || memcmp((char *)type + layer->offset,
                                     (char *)behind + layer->offset,
                                     (size_t)layer->size) != 0) {
            return type;
        }
    }
    return nearest;
}

/* Nobody wrote into this layer yet: it holds the defaults, or what there was before
   the metaclass had any. */
_PyCustomSlots_UNUSED static inline int
_PyExtensibleType_LayerIsUntouched(const _PyExtensibleType_Layer *layer, const char *fields)
{
    Py_ssize_t i;
    if (memcmp(fields, layer->defaults, (size_t)layer->size) == 0) return 1;
    for (i = 0; i < layer->size && fields[i] == 0; i++) { }
    return i == layer->size;
}

/* Fills the registered layers of `type`, an object of `metaclass`, from `mro` (NULL:
   from the defaults).  With `only_untouched`, a layer that somebody wrote to since
   tp_alloc is left alone.  Cannot fail. */
_PyCustomSlots_UNUSED static void
_PyExtensibleType_InheritLayers(_PyExtensibleType_Layer *const *layers,
                                PyTypeObject *type, PyTypeObject *metaclass,
                                const _PyExtensibleType_Mro *mro, int only_untouched)
{
    PyTypeObject *m, *source;
    for (m = metaclass; m->tp_base != NULL && m->tp_base != &PyType_Type; m = m->tp_base) {
        _PyExtensibleType_Layer *layer;
        char *fields;
        if (m->tp_basicsize == m->tp_base->tp_basicsize) continue;
        if (!(layer = _PyExtensibleType_FindLayer(layers, m))) continue;
        fields = (char *)type + layer->offset;
        if (only_untouched && !_PyExtensibleType_LayerIsUntouched(layer, fields)) continue;
        source = mro != NULL ? _PyExtensibleType_SourceOfLayer(mro, layer) : NULL;
        if (source != NULL) {
            memcpy(fields, (char *)source + layer->offset, (size_t)layer->size);
            if (!layer->has_defaults) {
                /* A metaclass of dynamic classes: its first base is its first provider. */
                memcpy(layer->defaults, fields, (size_t)layer->size);
                layer->has_defaults = 1;
            }
        }
        else {
            memcpy(fields, layer->defaults, (size_t)layer->size);
        }
    }
}

/* Takes back what tp_alloc copied from bases that turned out to be the wrong ones
   (`handed`), so that the layer counts as untouched.  Cannot fail. */
_PyCustomSlots_UNUSED static void
_PyExtensibleType_ForgetLayers(_PyExtensibleType_Layer *const *layers, PyTypeObject *type,
                               const _PyExtensibleType_Mro *handed)
{
    PyTypeObject *m, *source;
    for (m = Py_TYPE(type); m->tp_base != NULL && m->tp_base != &PyType_Type; m = m->tp_base) {
        _PyExtensibleType_Layer *layer = _PyExtensibleType_FindLayer(layers, m);
        if (layer == NULL || !(source = _PyExtensibleType_SourceOfLayer(handed, layer))) continue;
        if (memcmp((char *)type + layer->offset, (char *)source + layer->offset,
                   (size_t)layer->size) == 0) {
            memcpy((char *)type + layer->offset, layer->defaults, (size_t)layer->size);
        }
    }
}

/* -------------------------------------------------------- following the bases -- */

/* Which layers of `type` hold what it inherits, as bits: bit 0 is the layer of its
   metaclass, bit 1 that of the metaclass's base, and so on.  A layer beyond the last
   bit counts as the type's own. */
_PyCustomSlots_UNUSED static unsigned
_PyExtensibleType_InheritedLayers(_PyExtensibleType_Layer *const *layers,
                                  PyTypeObject *type, const _PyExtensibleType_Mro *mro)
{
    PyTypeObject *m = Py_TYPE(type), *source;
    unsigned bits = 0, bit = 1;
    for (; m->tp_base != NULL && m->tp_base != &PyType_Type; m = m->tp_base, bit <<= 1) {
        _PyExtensibleType_Layer *layer = _PyExtensibleType_FindLayer(layers, m);
        if (layer == NULL || layer->size == 0) continue;
        source = _PyExtensibleType_SourceOfLayer(mro, layer);
        if (source != NULL && memcmp((char *)type + layer->offset,
                                     (char *)source + layer->offset,
                                     (size_t)layer->size) == 0) bits |= bit;
    }
    return bits;
}

/* Copies a layer that other threads may be reading: word by word, so that a field
   that is a word is old or new. */
_PyCustomSlots_UNUSED static inline void
_PyExtensibleType_CopyLayer(PyTypeObject *type, const char *from,
                            const _PyExtensibleType_Layer *layer)
{
    char *to = (char *)type + layer->offset;
    Py_ssize_t i = 0;
    if ((uintptr_t)to % sizeof(uintptr_t) == 0) {
        for (; i + (Py_ssize_t)sizeof(uintptr_t) <= layer->size; i += sizeof(uintptr_t)) {
            uintptr_t word;
            memcpy(&word, from + i, sizeof(word));
            _PyCustomSlots_STORE(uintptr_t, to + i, word);
        }
    }
    memcpy(to + i, from + i, (size_t)(layer->size - i));
}

/* Gives the layers in `bits` (see InheritedLayers) what the type inherits now, or the
   defaults if it inherits from nobody any more.  Cannot fail. */
_PyCustomSlots_UNUSED static void
_PyExtensibleType_FollowLayers(_PyExtensibleType_Layer *const *layers, PyTypeObject *type,
                               const _PyExtensibleType_Mro *mro, unsigned bits)
{
    PyTypeObject *m = Py_TYPE(type), *source;
    for (; bits != 0; m = m->tp_base, bits >>= 1) {
        _PyExtensibleType_Layer *layer;
        if (!(bits & 1) || !(layer = _PyExtensibleType_FindLayer(layers, m))) continue;
        source = _PyExtensibleType_SourceOfLayer(mro, layer);
        _PyExtensibleType_CopyLayer(type, source != NULL ? (char *)source + layer->offset
                                                         : layer->defaults, layer);
    }
}

/* Makes the values of `type` the defaults of those of its layers that have none, or
   that have an earlier state of its values. */
_PyCustomSlots_UNUSED static void
_PyExtensibleType_SetDefaults(_PyExtensibleType_Layer *const *layers, PyTypeObject *type)
{
    PyTypeObject *m = Py_TYPE(type);
    for (; m->tp_base != NULL && m->tp_base != &PyType_Type; m = m->tp_base) {
        _PyExtensibleType_Layer *layer = _PyExtensibleType_FindLayer(layers, m);
        if (layer == NULL || (layer->has_defaults && layer->provider != type)) continue;
        layer->provider = type;
        memcpy(layer->defaults, (char *)type + layer->offset, (size_t)layer->size);
        layer->has_defaults = 1;
    }
}

/* Registers what `metaclass` adds to its base as a layer.  Registering twice is fine.
   0, or -1 with TypeError, ValueError or MemoryError and nothing changed. */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_AddLayer(_PyExtensibleType_Layer **layers, PyTypeObject *root,
                           PyTypeObject *metaclass)
{
    _PyExtensibleType_Layer *layer;
    Py_ssize_t offset, size;

    if (!PyType_IsSubtype(metaclass, root) || metaclass->tp_base == NULL) {
        PyErr_Format(PyExc_TypeError,
                     "C fields can be inherited for a metaclass derived from "
                     "%.200s; found '%.200s', which is not", root->tp_name,
                     metaclass->tp_name);
        return -1;
    }
    if (metaclass == root || _PyExtensibleType_FindLayer(layers, metaclass) != NULL) return 0;
    offset = metaclass->tp_base->tp_basicsize;
    size = metaclass->tp_basicsize - offset;
    if (size < 0) {
        PyErr_Format(PyExc_ValueError,
                     "metaclass '%.200s' has basic size %zd, smaller than the %zd of its "
                     "base '%.200s'", metaclass->tp_name, metaclass->tp_basicsize, offset,
                     metaclass->tp_base->tp_name);
        return -1;
    }
    layer = (_PyExtensibleType_Layer *)PyMem_RawCalloc(1, sizeof(*layer) + (size_t)size);
    if (layer == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    Py_INCREF((PyObject *)metaclass);
    layer->metaclass = metaclass;
    layer->offset = offset;
    layer->size = size;
    layer->defaults = (char *)(layer + 1);
    layer->next = *layers;
    _PyCustomSlots_STORE(_PyExtensibleType_Layer *, layers, layer);
    return 0;
}

#endif /* Py_EXTENSIBLETYPE_FIELDS_H */
