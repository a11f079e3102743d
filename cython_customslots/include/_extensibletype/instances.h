/* SPDX-License-Identifier: MIT
 *
 * _extensibletype/instances.h - a class without the C fields never stands under one with them.
 * Included by extensibletype.h; not for direct use.
 *
 * Methods of a provider read its C fields without a check.  But `P.__bases__ = (Provider,)` of
 * a plain class P is a matter between CPython and P's metaclass, `type`: nobody of ours is
 * asked.  CPython refuses if instances of the provider have another size than those of P's base.
 * (Other differences, of tp_dealloc or tp_free, stop it for (Provider,), but not for
 * (Base, Provider): it compares the base whose layout counts, and that is Base then.)  So a
 * provider without instance attributes has a member that nobody uses.
 *
 * Two such providers are no bases of one class, then, because each has a layout of its own:
 * CPython looks along tp_base for the last type that changed the size.  But they need not
 * differ from each other.  So that type is one that they share:
 *
 *     Provider, Another     tp_bases: (B,)           the size of B and a pointer
 *        | tp_base
 *     layout of B           else like B              the same size
 *        | tp_base
 *     layout of S           else like S              the size of S and a pointer
 *        | tp_base
 *     S                     the type that gave B its size; S and B are often one: `object`
 *
 * A layout is a copy of the struct of its base.  It stands in no MRO, among no bases and no
 * subclasses, and has no instances; CPython inherits from it what it would from B.
 */
#ifndef Py_EXTENSIBLETYPE_INSTANCES_H
#define Py_EXTENSIBLETYPE_INSTANCES_H

#ifdef _Py_TPFLAGS_STATIC_BUILTIN
#  define _PyExtensibleType_STATIC_BUILTIN _Py_TPFLAGS_STATIC_BUILTIN
#else
#  define _PyExtensibleType_STATIC_BUILTIN ((unsigned long)1 << 1)   /* private, from 3.12 on */
#endif

typedef struct _PyExtensibleType_Layout {
    PyTypeObject  type;
    PyTypeObject *base;               /* counted */
    struct _PyExtensibleType_Layout *next;
} _PyExtensibleType_Layout;

/* A metaclass at or above `metaclass` whose fields no class among `bases` has; NULL: none. */
_PyCustomSlots_UNUSED static const PyTypeObject *
_PyExtensibleType_BringsFields(_PyExtensibleType_API *api, PyTypeObject *metaclass,
                               PyObject *bases)
{
    PyTypeObject *m = metaclass;
    const _PyExtensibleType_Layer *layer;
    Py_ssize_t i;
    while ((layer = _PyExtensibleType_NextLayer(api, &m))) {
        int inherited = layer->size == 0;
        for (i = 0; i < PyTuple_GET_SIZE(bases) && !inherited; i++) {
            inherited = _PyExtensibleType_OwnsLayer((PyTypeObject *)PyTuple_GET_ITEM(bases, i),
                                                    layer);
        }
        if (!inherited) return layer->metaclass;
    }
    return NULL;
}

/* The type that gave `type` the size of its instances. */
_PyCustomSlots_UNUSED static PyTypeObject *
_PyExtensibleType_SolidBase(PyTypeObject *type)
{
    while (type->tp_base != NULL && type->tp_basicsize == type->tp_base->tp_basicsize
           && type->tp_itemsize == type->tp_base->tp_itemsize) type = type->tp_base;
    return type;
}

/* Lets go of a layout that no provider has any more. */
_PyCustomSlots_UNUSED static void
_PyExtensibleType_FreeLayout(_PyExtensibleType_Layout *layout)
{
    Py_XDECREF(layout->type.tp_dict);
    Py_XDECREF(layout->type.tp_mro);
    Py_XDECREF(layout->type.tp_bases);
    Py_XDECREF((PyObject *)layout->base);
    PyMem_RawFree(layout);
}

/* The MRO of a layout: itself, the one above, and the classes of its base; a new reference,
   NULL with an exception.  (Only CPython's questions about layouts are answered by it.) */
_PyCustomSlots_UNUSED static PyObject *
_PyExtensibleType_MroOfLayout(_PyExtensibleType_API *api, PyTypeObject *type,
                              PyTypeObject *above, PyTypeObject *base)
{
    PyObject *rest = _PyExtensibleType_FetchMro(api, base), *mro = NULL, *item;
    const Py_ssize_t first = above != base ? 2 : 1;
    Py_ssize_t i;

    if (rest == NULL) {
        PyErr_Format(PyExc_SystemError, "layout of '%.200s': found a type that is not ready",
                     base->tp_name);
        return NULL;
    }
    mro = PyTuple_New(first + PyTuple_GET_SIZE(rest));
    for (i = 0; mro != NULL && i < PyTuple_GET_SIZE(mro); i++) {
        item = i >= first ? PyTuple_GET_ITEM(rest, i - first)
               : (PyObject *)(i == 0 ? type : above);
        Py_INCREF(item);
        PyTuple_SET_ITEM(mro, i, item);
    }
    Py_DECREF(rest);
    return mro;
}

/* The layout of `base`, made if there is none; borrowed, lives as long as the interpreter's
   extensible types.  NULL with an exception. */
_PyCustomSlots_UNUSED static PyTypeObject *
_PyExtensibleType_LayoutOf(_PyExtensibleType_API *api, PyTypeObject *base)
{
    static const struct { PyVarObject head; int end; } fresh = {PyVarObject_HEAD_INIT(NULL, 0) 0};
    PyTypeObject *const solid = _PyExtensibleType_SolidBase(base);
    PyTypeObject *above = base, *type = NULL;
    _PyExtensibleType_Layout *layout;

    for (layout = api->layouts; layout != NULL; layout = layout->next) {
        if (layout->base == base) return &layout->type;
    }
    if (solid != base && !(above = _PyExtensibleType_LayoutOf(api, solid))) return NULL;
    if (!(layout = (_PyExtensibleType_Layout *)PyMem_RawCalloc(1, sizeof(*layout)))) {
        PyErr_NoMemory();
        return NULL;
    }
    type = &layout->type;
    memcpy((void *)type, (void *)base, sizeof(*type));
    memcpy((void *)type, (const void *)&fresh.head, sizeof(fresh.head));
    Py_SET_TYPE((PyObject *)type, &PyType_Type);
    type->tp_name = _PyExtensibleType_MODULE ".layout";
    type->tp_doc = NULL;
    type->tp_basicsize += (Py_ssize_t)sizeof(void *);
    /* Neither on the heap, nor one of CPython's own, nor with a version of its attributes. */
    type->tp_flags &= ~(unsigned long)(Py_TPFLAGS_HEAPTYPE | Py_TPFLAGS_VALID_VERSION_TAG
                                       | _PyExtensibleType_STATIC_BUILTIN);
    type->tp_version_tag = 0;
    type->tp_base = above;
    type->tp_subclasses = type->tp_cache = type->tp_weaklist = NULL;
    type->tp_methods = NULL;
    type->tp_members = NULL;
    type->tp_getset = NULL;
    Py_INCREF((PyObject *)base);
    layout->base = base;
    type->tp_bases = PyTuple_Pack(1, (PyObject *)base);
    type->tp_dict = PyDict_New();
    type->tp_mro = _PyExtensibleType_MroOfLayout(api, type, above, base);
    if (type->tp_dict == NULL || type->tp_bases == NULL || type->tp_mro == NULL) {
        _PyExtensibleType_FreeLayout(layout);
        return NULL;
    }
    /* (Two threads may make two: then their providers are no bases of one class.) */
    _PyExtensibleType_Lock(api);
    layout->next = api->layouts;
    api->layouts = layout;
    _PyExtensibleType_Unlock(api);
    return type;
}

/* The instances of `type` have a member behind those of its base that nobody uses: lets it
   share the layout.  A static type: before PyType_Ready(), its bases being set; a heap type:
   before anybody knows it.  0, or -1 with an exception. */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_share_layout(_PyExtensibleType_API *api, PyTypeObject *type)
{
    PyTypeObject *base = type->tp_base != NULL ? type->tp_base : &PyBaseObject_Type;
    PyTypeObject *layout = _PyExtensibleType_LayoutOf(api, base);

    if (layout == NULL) return -1;
    if (type->tp_basicsize != layout->tp_basicsize) {
        PyErr_Format(PyExc_SystemError,
                     "layout of '%.200s': found instances of %zd bytes, expected %zd, those of "
                     "its base '%.200s' and a pointer", type->tp_name, type->tp_basicsize,
                     layout->tp_basicsize, base->tp_name);
        return -1;
    }
    if (!(type->tp_flags & Py_TPFLAGS_READY) && type->tp_bases == NULL
            && !(type->tp_bases = PyTuple_Pack(1, (PyObject *)base))) return -1;
    Py_INCREF((PyObject *)layout);
    type->tp_base = layout;
    if (type->tp_flags & Py_TPFLAGS_HEAPTYPE) Py_DECREF((PyObject *)base);
    return 0;
}

#endif /* Py_EXTENSIBLETYPE_INSTANCES_H */
