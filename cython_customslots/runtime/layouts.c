/* SPDX-License-Identifier: MIT
 *
 * runtime/layouts.c - layouts are made, shared and given back.
 */
#include "runtime/layouts.h"

#include "runtime/arguments.h"
#include "runtime/guard.h"
#include "runtime/layers.h"
#include "runtime/slots.h"
#include "runtime/state.h"

/* The metaclass itself or one of its bases, if it adds C fields that none of the classes in
   `bases` has; NULL if there is none. */
_Pycs_PRIVATE const PyTypeObject *
_Pycs_BringsFields(_Pycs_API *api, PyTypeObject *metaclass, PyObject *bases)
{
    PyTypeObject *m = metaclass;
    const _Pycs_Layer *layer;
    Py_ssize_t i;
    while ((layer = _Pycs_NextLayer(api, &m))) {
        int inherited = layer->size == 0;
        for (i = 0; i < PyTuple_GET_SIZE(bases) && !inherited; i++) {
            inherited = _Pycs_HasBytesOf((PyTypeObject *)PyTuple_GET_ITEM(bases, i), layer);
        }
        if (!inherited) return layer->metaclass;
    }
    return NULL;
}

/* The size of the instances of `type`, as CPython compares it with that of a base, whose
   instances have a __dict__ or a list of weak references or not: up to 3.11, these two do not
   count if a heap type adds them at the end. */
static Py_ssize_t
_Pycs_SizeBeside(const PyTypeObject *type, int has_dict, int has_weakrefs)
{
    Py_ssize_t size = type->tp_basicsize;
#if PY_VERSION_HEX < 0x030C0000
    if (type->tp_flags & Py_TPFLAGS_HEAPTYPE) {
        const Py_ssize_t pointer = (Py_ssize_t)sizeof(PyObject *);
        if (type->tp_weaklistoffset != 0 && !has_weakrefs
                && type->tp_weaklistoffset + pointer == size) size -= pointer;
        if (type->tp_dictoffset != 0 && !has_dict
                && type->tp_dictoffset + pointer == size) size -= pointer;
    }
#else
    (void)has_dict;
    (void)has_weakrefs;
#endif
    return size;
}

/* Do instances of `type` have another layout than those of a base, as CPython sees it? */
static int
_Pycs_Extends(const PyTypeObject *type, const PyTypeObject *base)
{
    if (type->tp_itemsize != 0 || base->tp_itemsize != 0) {
        return type->tp_basicsize != base->tp_basicsize || type->tp_itemsize != base->tp_itemsize;
    }
    return base->tp_basicsize != _Pycs_SizeBeside(
        type, base->tp_dictoffset != 0, base->tp_weaklistoffset != 0);
}

/* The last type along tp_base that changed the layout of the instances, as CPython finds it; or,
   given an API, as CPython would find it if there were no layouts of ours. */
_Pycs_PRIVATE PyTypeObject *
_Pycs_SolidBase(PyTypeObject *type, _Pycs_API *api)
{
    PyTypeObject *base = api != NULL ? _Pycs_BaseOf(api, type) : type->tp_base;
    base = base != NULL ? _Pycs_SolidBase(base, api) : &PyBaseObject_Type;
    return _Pycs_Extends(type, base) ? type : base;
}

/* The MRO of a layout: itself and the solid bases above it.  While `sharing` is about to get
   `shared` as its tp_base, the MRO has the solid bases along both ways; NULL: no type is about
   to.  A new reference, NULL with an exception. */
static PyObject *
_Pycs_MroOfLayout(PyTypeObject *layout, const PyTypeObject *sharing, PyTypeObject *shared)
{
    PyObject *mro = PyList_New(0), *result = NULL;
    PyTypeObject *type = layout;
    while (mro != NULL) {
        if (PyList_Append(mro, (PyObject *)type) < 0) goto done;
        if (type == sharing && PyList_Append(mro, (PyObject *)_Pycs_SolidBase(shared, NULL)) < 0) goto done;
        if (type->tp_base == NULL) break;
        type = _Pycs_SolidBase(type->tp_base, NULL);
    }
    if (mro != NULL) result = PyList_AsTuple(mro);
done:
    Py_XDECREF(mro);
    return result;
}

/* Updates the MRO of a layout, with the arguments of MroOfLayout().  0, or -1 with an
   exception. */
_Pycs_PRIVATE int
_Pycs_UpdateLayout(PyTypeObject *layout, const PyTypeObject *sharing, PyTypeObject *shared)
{
    PyObject *mro = _Pycs_MroOfLayout(layout, sharing, shared), *old;
    if (mro == NULL) return -1;
    old = layout->tp_mro;
    _Pycs_STORE(PyObject *, &layout->tp_mro, mro);
#ifndef Py_GIL_DISABLED
    Py_XDECREF(old);
#else
    (void)old;                        /* another thread may be reading it */
#endif
    return 0;
}

_Pycs_PRIVATE void
_Pycs_FreeLayout(_Pycs_Layout *layout)
{
    PyTypeObject *const type = layout->type;
    if (type != NULL) {
        PyObject *const mro = type->tp_mro;
        type->tp_mro = NULL;
        Py_XDECREF(mro);                        /* names the layout itself */
        /* If gc.get_referents() has shown it to somebody, it stays. */
        if (Py_REFCNT((PyObject *)type) == 1) {
            Py_XDECREF(type->tp_dict);
            Py_XDECREF(type->tp_bases);
            Py_XDECREF(((PyHeapTypeObject *)type)->ht_name);
            Py_XDECREF(((PyHeapTypeObject *)type)->ht_qualname);
            if (type->tp_flags & Py_TPFLAGS_HEAPTYPE) PyObject_GC_Del(type);
            else PyMem_RawFree(type);
        }
        else {
            type->tp_base = NULL;
            ((PyHeapExtensibleTypeObject *)type)->etp_private = NULL;
        }
    }
    if (layout->owner == NULL) Py_XDECREF((PyObject *)layout->base);
    PyMem_RawFree(layout);
}

/* Copies an entry of the dict of a type.  1; 0 if it is not there; -1 with an exception. */
static int
_Pycs_CopyEntry(PyObject *to, PyTypeObject *from, const char *name)
{
    PyObject *dict, *value = NULL;
    int status = 0;
#if PY_VERSION_HEX >= 0x030C0000
    dict = PyType_GetDict(from);
#else
    dict = from->tp_dict;
    Py_XINCREF(dict);
#endif
    if (dict == NULL) goto done;
    if (!(value = PyMapping_GetItemString(dict, name))) {
        if (PyErr_ExceptionMatches(PyExc_KeyError)) PyErr_Clear();
        else status = -1;
        goto done;
    }
    status = PyDict_SetItemString(to, name, value) < 0 ? -1 : 1;
done:
    Py_XDECREF(value);
    Py_XDECREF(dict);
    return status;
}

/* The dict of a layout.  Cython looks there for the vtables of bases, and CPython for the
   __dict__ of a type that has one and is not on the heap, both along tp_base.  (That refers to
   the base, so a layout that does not has none.)  A new reference, NULL with an exception. */
static PyObject *
_Pycs_DictOfLayout(PyTypeObject *base, int shared)
{
    PyObject *dict = PyDict_New();
    int status = dict != NULL ? _Pycs_CopyEntry(dict, base, "__pyx_vtable__") : 0;
    status = status < 0 ? -1 : 0;
    for (; dict != NULL && shared && status == 0 && base != NULL; base = base->tp_base) {
        status = _Pycs_CopyEntry(dict, base, "__dict__");
    }
    if (status < 0) Py_CLEAR(dict);
    return dict;
}

/* A new layout that no type has yet, with `above` as its tp_base: a layout like that of its
   owner, or, for types that will share it, like that of their base and a pointer.  NULL with an
   exception.  It is a heap type, with nothing of its own, if `base` is: CPython's and Cython's
   functions look at that flag of the next type along tp_base to find out who counts the
   references of instances to their type.  The collector does not know it. */
static _Pycs_Layout *
_Pycs_NewLayout(_Pycs_API *api, PyTypeObject *owner, PyTypeObject *base, PyTypeObject *above)
{
    static const struct { PyVarObject head; int end; } fresh = {PyVarObject_HEAD_INIT(NULL, 0) 0};
    const size_t head = sizeof(PyVarObject);
    _Pycs_Layout *layout =
        (_Pycs_Layout *)PyMem_RawCalloc(1, sizeof(*layout));
    PyTypeObject *const like = owner != NULL ? owner : base;
    PyTypeObject *type;

    if (layout == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    layout->owner = owner;
    layout->base = base;
    if (owner == NULL) Py_INCREF((PyObject *)base);
    if (_Pycs_IsHeap(base)) {
        if (!(type = (PyTypeObject *)PyType_GenericAlloc(&PyType_Type, 0))) goto failed;
        PyObject_GC_UnTrack(type);
    }
    else {
        type = (PyTypeObject *)PyMem_RawCalloc(1, sizeof(PyHeapExtensibleTypeObject));
        if (type == NULL) {
            PyErr_NoMemory();
            goto failed;
        }
        memcpy((void *)type, (const void *)&fresh.head, head);
        Py_SET_TYPE((PyObject *)type, &PyType_Type);
    }
    layout->type = type;
    memcpy((char *)type + head, (char *)like + head, sizeof(*type) - head);
    type->tp_name = api->state->layout_name;
    type->tp_doc = NULL;
    if (owner == NULL) type->tp_basicsize += (Py_ssize_t)sizeof(void *);
    else {
        /* The layout has the owner's functions, so wherever CPython skips the owner, it skips the
           layout, too. */
        type->tp_basicsize = _Pycs_SizeBeside(owner, 0, 0);
        type->tp_dictoffset = type->tp_weaklistoffset = 0;
    }
    /* It is not one of CPython's own types, and has no table and no version of its attributes. */
    type->tp_flags &= ~(unsigned long)(Py_TPFLAGS_HEAPTYPE | Py_TPFLAGS_VALID_VERSION_TAG
                                       | _Pycs_STATIC_BUILTIN);
    type->tp_flags |= _Pycs_FLAGS(base) & Py_TPFLAGS_HEAPTYPE;
    _Pycs_SetStamp(type, 0);
    type->tp_version_tag = 0;
    type->tp_base = above;
    type->tp_subclasses = type->tp_cache = type->tp_weaklist = NULL;
    type->tp_methods = NULL;
    type->tp_members = NULL;
    type->tp_getset = NULL;
    type->tp_mro = type->tp_bases = type->tp_dict = NULL;
    ((PyHeapExtensibleTypeObject *)type)->etp_private = layout;
    if (!(type->tp_dict = _Pycs_DictOfLayout(base, owner == NULL))) goto failed;
    if (!(type->tp_bases = PyTuple_Pack(1, (PyObject *)&PyBaseObject_Type))) goto failed;
    if (!(((PyHeapTypeObject *)type)->ht_name = PyUnicode_FromString("layout"))) goto failed;
    if (!(((PyHeapTypeObject *)type)->ht_qualname = PyUnicode_FromString("layout"))) goto failed;
    if (_Pycs_UpdateLayout(type, NULL, NULL) < 0) goto failed;
    return layout;
failed:
    _Pycs_FreeLayout(layout);
    return NULL;
}

/* The layout that types on `base` share: the existing one, or else `made`, which becomes it; NULL
   if there is neither.  Shared layouts are never removed. */
static _Pycs_Layout *
_Pycs_SharedLayout(_Pycs_API *api, const PyTypeObject *base, _Pycs_Layout *made)
{
    _Pycs_Layout *layout;
    _Pycs_Lock(api);
    layout = api->state->layouts;
    while (layout != NULL && (layout->owner != NULL || layout->base != base)) layout = layout->next;
    if (layout == NULL && made != NULL) {
        layout = made;
        layout->next = api->state->layouts;
        api->state->layouts = layout;
    }
    _Pycs_Unlock(api);
    return layout;
}

/* The layout that types with a spare member on `base` share, made if there is none; borrowed,
   lives as long as the interpreter's extensible types.  NULL with an exception. */
_Pycs_PRIVATE PyTypeObject *
_Pycs_LayoutOf(_Pycs_API *api, PyTypeObject *base)
{
    PyTypeObject *const solid = _Pycs_SolidBase(base, api);
    PyTypeObject *above = base;
    _Pycs_Layout *layout = _Pycs_SharedLayout(api, base, NULL), *made;

    if (layout != NULL) {
        return _Pycs_UpdateLayout(layout->type, NULL, NULL) < 0 ? NULL : layout->type;
    }
    if (solid != base && !(above = _Pycs_LayoutOf(api, solid))) return NULL;
    if (!(made = _Pycs_NewLayout(api, NULL, base, above))) return NULL;
    layout = _Pycs_SharedLayout(api, base, made);
    if (layout != made) _Pycs_FreeLayout(made);      /* another thread was faster */
    return layout->type;
}

/* Makes a layout the tp_base in place of `base`, which tp_bases keeps alive.  A layout with an
   owner is added to the list.  1; 0 if another thread was faster. */
_Pycs_PRIVATE int
_Pycs_PutLayout(_Pycs_API *api, PyTypeObject *type, PyTypeObject *base, _Pycs_Layout *layout)
{
    int put;
    _Pycs_Lock(api);
    if ((put = type->tp_base == base)) {
        if (layout->owner != NULL) {
            layout->next = api->state->layouts;
            api->state->layouts = layout;
        }
        Py_INCREF((PyObject *)layout->type);
        _Pycs_STORE(PyTypeObject *, &type->tp_base, layout->type);
    }
    _Pycs_Unlock(api);
    if (put && _Pycs_IsHeap(type)) Py_DECREF((PyObject *)base);
    return put;
}

_Pycs_PRIVATE int
_Pycs_IsSpare(_Pycs_API *api, PyTypeObject *type)
{
    _Pycs_Spare *spare;
    _Pycs_Lock(api);
    for (spare = api->state->spares; spare != NULL && spare->type != type; ) spare = spare->next;
    _Pycs_Unlock(api);
    return spare != NULL;
}

/* Gives a type whose instances are larger than those of its base a layout of its own.
   `sharing`, `shared`: see MroOfLayout.  0, or -1 with an exception and nothing changed. */
_Pycs_PRIVATE int
_Pycs_GiveLayout(_Pycs_API *api, PyTypeObject *type, const PyTypeObject *sharing, PyTypeObject *shared)
{
    PyTypeObject *base = type->tp_base;
    _Pycs_Layout *layout;

    if (_Pycs_IsSpare(api, type)) {
        PyTypeObject *its = _Pycs_LayoutOf(api, base);
        if (its == NULL || (sharing != NULL && _Pycs_UpdateLayout(its, sharing, shared) < 0)) return -1;
        (void)_Pycs_PutLayout(api, type, base, _Pycs_LayoutIn(its));
        return 0;
    }
    if (!(layout = _Pycs_NewLayout(api, type, base, base))) return -1;
    if (sharing != NULL && _Pycs_UpdateLayout(layout->type, sharing, shared) < 0) {
        _Pycs_FreeLayout(layout);
        return -1;
    }
    if (!_Pycs_PutLayout(api, type, base, layout)) {
        _Pycs_FreeLayout(layout);
    }
    return 0;
}

/* Gives a type a layout of its own if there is a layout above it and its instances are larger
   than those of its base.  To be called when the type is ready, before anything derives from it.
   0, or -1 with an exception. */
_Pycs_PRIVATE int
_Pycs_FollowLayouts(_Pycs_API *api, PyTypeObject *type)
{
    PyTypeObject *above = type->tp_base;
    if (api->state->layouts == NULL || !(PyType_GetFlags(type) & Py_TPFLAGS_READY) || above == NULL
            || _Pycs_IsLayout(api, above)
            || _Pycs_SolidBase(type, NULL) != type) return 0;
    while (above != NULL && !_Pycs_IsLayout(api, above)) above = above->tp_base;
    return above == NULL ? 0 : _Pycs_GiveLayout(api, type, NULL, NULL);
}

/* Takes a dying type out of the lists, and gives it its real tp_base back if its layout was its
   own. */
_Pycs_PRIVATE void
_Pycs_LeaveLayouts(_Pycs_API *api, PyTypeObject *type)
{
    PyTypeObject *base = type->tp_base;
    _Pycs_Spare **link = &api->state->spares, *spare = NULL;
    _Pycs_Layout *layout = NULL, **place;

    if (api->state->spares == NULL && api->state->layouts == NULL) return;
    _Pycs_Lock(api);
    while (*link != NULL && (*link)->type != type) link = &(*link)->next;
    if ((spare = *link) != NULL) *link = spare->next;
    if (_Pycs_IsLayout(api, base) && _Pycs_LayoutIn(base)->owner == type) {
        layout = _Pycs_LayoutIn(base);
        for (place = &api->state->layouts; *place != layout; ) place = &(*place)->next;
        *place = layout->next;
    }
    _Pycs_Unlock(api);
    PyMem_RawFree(spare);
    if (layout != NULL) {
        Py_INCREF((PyObject *)layout->base);
        type->tp_base = layout->base;
        Py_DECREF((PyObject *)layout->type);
        _Pycs_FreeLayout(layout);
    }
}

/* Says that the instances of `type` have a member, behind those of its base, that nobody uses, so
   that the type may share its layout with others.  For a static type, to be called before
   PyType_Ready(), with tp_base set, and again if an import is repeated; for a heap type, before
   anything derives from it.  0, or -1 with an exception. */
_Pycs_PRIVATE int
_Pycs_share_layout(_Pycs_API *api, PyTypeObject *type)
{
    PyTypeObject *base;
    _Pycs_Spare *spare;

    if (_Pycs_CheckNamed("share_layout", type) < 0) return -1;
    base = type->tp_base != NULL ? _Pycs_BaseOf(api, type) : &PyBaseObject_Type;
    if (type->tp_basicsize != base->tp_basicsize + (Py_ssize_t)sizeof(void *)) {
        PyErr_Format(PyExc_SystemError,
                     "layout of '%.200s': found instances of %zd bytes, expected %zd, those of "
                     "its base '%.200s' and a pointer", type->tp_name, type->tp_basicsize,
                     base->tp_basicsize + (Py_ssize_t)sizeof(void *), base->tp_name);
        return -1;
    }
    if (_Pycs_IsSpare(api, type)) return 0;
    if (!(spare = (_Pycs_Spare *)PyMem_RawMalloc(sizeof(*spare)))) {
        PyErr_NoMemory();
        return -1;
    }
    spare->type = type;
    spare->extension = NULL;
    _Pycs_Lock(api);
    spare->next = api->state->spares;
    api->state->spares = spare;
    _Pycs_Unlock(api);
    return 0;
}
