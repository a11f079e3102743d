/* SPDX-License-Identifier: MIT
 *
 * _extensibletype/metaclass.h - the hooks of extensibletype and of its metaclass.
 * Included by extensibletype.h; not for direct use.
 *
 *     type
 *      +-- extensibletype        tp_alloc tp_init tp_dealloc tp_traverse tp_clear
 *      |                         __bases__ __module__ __doc__
 *      +-- extensibletype_meta   tp_call tp_init tp_getattro tp_dealloc tp_traverse
 *           (the metaclass of extensibletype and of everything derived from it)
 *
 * What is not here matters as much.  No tp_new: PyType_FromSpec() refuses metaclasses
 * with one.  No mro(): attribute access on all classes with such a metaclass gets
 * 2.3 times slower from 3.13t and 3.14 on.
 */
#ifndef Py_EXTENSIBLETYPE_METACLASS_H
#define Py_EXTENSIBLETYPE_METACLASS_H

/* ------------------------------------------------------ hooks of extensibletype -- */

_PyCustomSlots_UNUSED static PyObject *
_PyExtensibleType_alloc(PyTypeObject *metaclass, Py_ssize_t nitems)
{
    _PyExtensibleType_API *api = _PyExtensibleType_APIOf(metaclass);
    _PyExtensibleType_Handover *node = _PyExtensibleType_HandoverTake(metaclass);
    _PyExtensibleType_FieldWork work = _PyExtensibleType_FIELD_WORK_INIT;
    PyObject *bases = node != NULL ? node->bases : NULL, *self = NULL;
    _PyExtensibleType_Record *record = NULL;
    _PyExtensibleType_Mro mro = _PyExtensibleType_MRO_INIT;
    _PyExtensibleType_Filled *filled = NULL;
    PyHeapExtensibleTypeObject *t;
    int known = 0, copied;

    if (api == NULL) {                          /* a copied slot, no class of ours */
        return PyType_GenericAlloc(metaclass, nitems);
    }
    Py_XINCREF(bases);
    /* Everything that can fail or run the collector comes before the allocation:
       it would visit a type object that has no flags yet, and abort. */
    if (bases != NULL && _PyExtensibleType_ResolveAll(api, bases) < 0) goto done;
    if (_PyExtensibleType_NewFilled(api, metaclass, &filled) < 0) goto done;
    if (bases != NULL) {
        if (_PyExtensibleType_IsSimple(bases)) {
            mro.items = &PyTuple_GET_ITEM(bases, 0);
            mro.count = known = 1;
            _PyExtensibleType_Lock(api);
            record = _PyExtensibleType_RecordIncref(_PyExtensibleType_EffectiveRecord(
                (PyTypeObject *)PyTuple_GET_ITEM(bases, 0)));
            _PyExtensibleType_Unlock(api);
        }
        else {
            int merged;
            known = _PyExtensibleType_MroOfBases(api, bases, &mro);
            if (known < 0) goto done;
            _PyExtensibleType_Lock(api);
            merged = !known ? 0
                     : _PyExtensibleType_MergeRecord(NULL, NULL, 0, NULL, &mro, &record);
            _PyExtensibleType_Unlock(api);
            if (merged < 0) {
                PyErr_NoMemory();
                goto done;
            }
        }
    }
    _PyExtensibleType_Lock(api);
    copied = _PyExtensibleType_CopyInherited(api, metaclass, metaclass, known ? &mro : NULL,
                                             &work);
    _PyExtensibleType_Unlock(api);
    if (copied < 0 || !(self = PyType_GenericAlloc(metaclass, nitems))) goto done;

    t = (PyHeapExtensibleTypeObject *)self;
    _PyExtensibleType_Lock(api);
    _PyExtensibleType_FillFields(api, (PyTypeObject *)self, metaclass, known ? &mro : NULL, 0,
                                 &work);
    (void)_PyExtensibleType_InsertFilled(api, (PyTypeObject *)self, filled);
    filled = NULL;
    if (node != NULL) _PyExtensibleType_PlaceBody(api, node, (PyTypeObject *)self);
    _PyExtensibleType_Unlock(api);
    t->etp_custom_slots = record != NULL ? record->slots : _PyExtensibleType_empty;
    t->etp_custom_slot_count = record != NULL ? record->count : 0;
    record = NULL;
    if (known) {
        t->etp_private = bases;
        bases = NULL;
    }
    _PyCustomSlots_STORE(uintptr_t, &t->etp_check,
                         (uintptr_t)self ^ _PyCustomSlots_UNRESOLVED);
done:
    PyMem_RawFree(filled);
    _PyExtensibleType_EndFieldWork(&work);
    _PyExtensibleType_RecordDecref(record);
    _PyExtensibleType_MroClear(&mro);
    Py_XDECREF(bases);
    return self;
}

_PyCustomSlots_UNUSED static int
_PyExtensibleType_init(PyObject *self, PyObject *args, PyObject *kwargs)
{
    _PyExtensibleType_API *api = _PyExtensibleType_APIOf(Py_TYPE(self));
    const _PyExtensibleType_Handover *node = _PyExtensibleType_handover;
    if (PyType_Type.tp_init(self, args, kwargs) < 0) return -1;
    if (_PyExtensibleType_Resolve(api, (PyTypeObject *)self) < 0) return -1;
    /* type(name, bases, ns) inside another class's __init_subclass__ has no node. */
    if (node != NULL && (PyTuple_GET_SIZE(args) != 3
                         || node->ns != PyTuple_GET_ITEM(args, 2))) node = NULL;
    return _PyExtensibleType_FinishBody(api, (PyTypeObject *)self, node);
}

_PyCustomSlots_UNUSED static inline uintptr_t
_PyExtensibleType_Hook(PyTypeObject *type, int dealloc)
{
    return dealloc ? (uintptr_t)type->tp_dealloc : (uintptr_t)type->tp_traverse;
}

/* Must our tp_dealloc (or tp_traverse) release (or visit) the class's reference to its
   metaclass?  A hook of a heap type must, one of a static type must not: the generic
   hook of a metaclass made in Python does it itself if the next one below is static.
   The next one below is the first that does not share that generic hook. */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_OwnsMetaclass(PyObject *self, int dealloc)
{
    PyTypeObject *const top = Py_TYPE(self);
    PyTypeObject *below = top;
    const uintptr_t hook = _PyExtensibleType_Hook(top, dealloc);

    if (hook != _PyExtensibleType_Hook(_PyExtensibleType_RootOf(top), dealloc)) {
        while ((below->tp_flags & Py_TPFLAGS_HEAPTYPE)
               && _PyExtensibleType_Hook(below, dealloc) == hook) {
            below = below->tp_base;
        }
    }
    return (below->tp_flags & Py_TPFLAGS_HEAPTYPE) != 0;
}

/* Explicit, because the dealloc that PyType_FromSpec() would give and the one that
   Cython gives to a derived metaclass call each other without end.  The instances of
   the class are gone, so nobody reads the table any more. */
_PyCustomSlots_UNUSED static void
_PyExtensibleType_dealloc(PyObject *self)
{
    PyTypeObject *metaclass = Py_TYPE(self), *type = (PyTypeObject *)self;
    PyHeapExtensibleTypeObject *t = (PyHeapExtensibleTypeObject *)self;
    _PyExtensibleType_Record *record = NULL;
    _PyExtensibleType_API *api = _PyExtensibleType_APIOf(metaclass);
    _PyExtensibleType_Filled *filled;
    PyObject *handed = NULL, *kept = NULL;
    const int owns = _PyExtensibleType_OwnsMetaclass(self, 1);

    if (_PyExtensibleType_IsUnresolved(type)) {
        record = _PyExtensibleType_TrustedRecord(type);
        handed = (PyObject *)t->etp_private;
    }
    else if (_PyExtensibleType_IsReady(type)) {
        record = _PyExtensibleType_RecordOf(type);
        kept = _PyExtensibleType_TakeKeptMro(api, type);
    }
    if (record != NULL && _PyCustomSlots_LOAD(PyTypeObject *, &record->owner) == type) {
        _PyCustomSlots_STORE(PyTypeObject *, &record->owner, NULL);
    }
    if (api != NULL) {
        /* Fields hold objects, and dropping those may run the collector. */
        PyObject_GC_UnTrack(self);
        _PyExtensibleType_ReleaseFields(api, type);
        _PyExtensibleType_Lock(api);
        filled = _PyExtensibleType_TakeFilled(api, type);
        _PyExtensibleType_Unlock(api);
        PyMem_RawFree(filled);
        PyObject_GC_Track(self);                /* type's tp_dealloc expects that */
    }
    _PyCustomSlots_STORE(uintptr_t, &t->etp_check, 0);
    PyType_Type.tp_dealloc(self);
    _PyExtensibleType_RecordDecref(record);
    Py_XDECREF(handed);
    Py_XDECREF(kept);
    if (owns) Py_DECREF((PyObject *)metaclass);
}

/* type's own does not visit the metaclass: a cycle through a metaclass that was made
   in Python would never be collected. */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_traverse(PyObject *self, visitproc visit, void *arg)
{
    PyTypeObject *type = (PyTypeObject *)self;
    _PyExtensibleType_API *api = _PyExtensibleType_APIOf(Py_TYPE(self));
    if (_PyExtensibleType_IsUnresolved(type)) {
        Py_VISIT((PyObject *)((PyHeapExtensibleTypeObject *)self)->etp_private);
    }
    else if (_PyExtensibleType_Marks(type) & _PyExtensibleType_KEEPS) {
        _PyExtensibleType_Kept *kept = *_PyExtensibleType_KeptLink(api, type);
        if (kept != NULL) Py_VISIT(kept->mro);
    }
    if (api != NULL && _PyCustomSlots_HasMemory(type)) {
        _PyExtensibleType_FieldIter iter = _PyExtensibleType_FieldsOf(api, Py_TYPE(self));
        const _PyExtensibleType_FieldEntry *field;
        while ((field = _PyExtensibleType_NextField(&iter))) {
            if (!_PyExtensibleType_IsObject(field)) continue;
            Py_VISIT(*(PyObject **)(void *)_PyExtensibleType_FieldAt(type, field));
        }
    }
    if (_PyExtensibleType_OwnsMetaclass(self, 0)) Py_VISIT((PyObject *)Py_TYPE(self));
    return PyType_Type.tp_traverse(self, visit, arg);
}

/* Leaves the table alone: instances in the same cycle may still be dying.  Object fields
   become None, which they can still read. */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_clear(PyObject *self)
{
    PyTypeObject *type = (PyTypeObject *)self;
    _PyExtensibleType_API *api = _PyExtensibleType_APIOf(Py_TYPE(self));
    PyObject *kept = api != NULL ? _PyExtensibleType_TakeKeptMro(api, type) : NULL;
    Py_XDECREF(kept);
    if (api != NULL && _PyCustomSlots_HasMemory(type)) {
        _PyExtensibleType_FieldIter iter = _PyExtensibleType_FieldsOf(api, Py_TYPE(self));
        const _PyExtensibleType_FieldEntry *field;
        while ((field = _PyExtensibleType_NextField(&iter))) {
            PyObject **slot, *old;
            if (!_PyExtensibleType_IsObject(field)) continue;
            slot = (PyObject **)(void *)_PyExtensibleType_FieldAt(type, field);
            old = *slot;
            Py_INCREF(Py_None);
            *slot = Py_None;
            Py_XDECREF(old);
        }
    }
    return PyType_Type.tp_clear(self);
}

_PyCustomSlots_UNUSED static int
_PyExtensibleType_meta_clear(PyObject *self)
{
    return PyType_Type.tp_clear(self);
}

/* __module__ and __doc__ stand in the dict of every heap type, and there they would
   hide type's descriptors from the static classes whose metaclass it is: each would
   answer __module__ == '_extensibletype'.  So they are descriptors here, too, and
   hand on to type's own. */
_PyCustomSlots_UNUSED static PyObject *
_PyExtensibleType_Delegate(PyObject *descriptor, PyObject *self)
{
    return Py_TYPE(descriptor)->tp_descr_get(descriptor, self, (PyObject *)Py_TYPE(self));
}

_PyCustomSlots_UNUSED static PyObject *
_PyExtensibleType_get_module(PyObject *self, void *closure)
{
    (void)closure;
    return _PyExtensibleType_Delegate(
        _PyExtensibleType_APIOf(Py_TYPE(self))->type_module, self);
}

_PyCustomSlots_UNUSED static int
_PyExtensibleType_set_module(PyObject *self, PyObject *value, void *closure)
{
    PyObject *descriptor = _PyExtensibleType_APIOf(Py_TYPE(self))->type_module;
    (void)closure;
    return Py_TYPE(descriptor)->tp_descr_set(descriptor, self, value);
}

_PyCustomSlots_UNUSED static PyObject *
_PyExtensibleType_get_doc(PyObject *self, void *closure)
{
    (void)closure;
    return _PyExtensibleType_Delegate(
        _PyExtensibleType_APIOf(Py_TYPE(self))->type_doc, self);
}

_PyCustomSlots_UNUSED static int
_PyExtensibleType_set_doc(PyObject *self, PyObject *value, void *closure)
{
    PyObject *descriptor = _PyExtensibleType_APIOf(Py_TYPE(self))->type_doc;
    (void)closure;
    return Py_TYPE(descriptor)->tp_descr_set(descriptor, self, value);
}

_PyCustomSlots_UNUSED static PyObject *
_PyExtensibleType_get_bases(PyObject *self, void *closure)
{
    (void)closure;
    return _PyExtensibleType_Delegate(
        _PyExtensibleType_APIOf(Py_TYPE(self))->type_bases, self);
}

/* ------------------------------------------------- hooks of extensibletype_meta -- */

/* type.__new__ gives every metaclass that is made by a class statement the generic
   allocator; ours comes back here, and before such a metaclass makes its first class. */
_PyCustomSlots_UNUSED static inline void
_PyExtensibleType_RestoreAlloc(PyTypeObject *metaclass)
{
    if (metaclass->tp_alloc == PyType_GenericAlloc) {
        metaclass->tp_alloc = _PyExtensibleType_RootOf(metaclass)->tp_alloc;
    }
}

_PyCustomSlots_UNUSED static PyObject *
_PyExtensibleType_meta_call(PyObject *self, PyObject *args, PyObject *kwargs)
{
    PyTypeObject *metaclass = (PyTypeObject *)self, *winner;
    _PyExtensibleType_API *api = _PyExtensibleType_APIOf(metaclass);
    _PyExtensibleType_Handover *node = NULL;
    PyObject *result = NULL;

    Py_XINCREF(kwargs);
    if (api != NULL) {
        _PyExtensibleType_RestoreAlloc(metaclass);
        if (PyTuple_GET_SIZE(args) == 3 && PyTuple_Check(PyTuple_GET_ITEM(args, 1))
                && (winner = _PyExtensibleType_Winner(metaclass, PyTuple_GET_ITEM(args, 1)))) {
            node = (_PyExtensibleType_Handover *)PyMem_RawCalloc(1, sizeof(*node));
            if (node == NULL) {
                PyErr_NoMemory();
                goto done;
            }
            node->metaclass = winner;
            node->bases = PyTuple_GET_ITEM(args, 1);
            node->ns = PyTuple_GET_ITEM(args, 2);
            if (api->writable != 0 && PyDict_Check(node->ns)
                    && _PyExtensibleType_ReadBody(api, node, PyTuple_GET_ITEM(args, 0),
                                                  &kwargs) < 0) goto done;
            _PyExtensibleType_HandoverPush(node);
        }
    }
    result = PyType_Type.tp_call(self, args, kwargs);
    /* A metaclass whose __init__ does not call ours ends up unfinished. */
    if (api != NULL && result != NULL && PyType_Check(result)
            && (api = _PyExtensibleType_APIOf(Py_TYPE(result))) != NULL
            && _PyExtensibleType_IsUnresolved((PyTypeObject *)result)
            && (_PyExtensibleType_Resolve(api, (PyTypeObject *)result) < 0
                || _PyExtensibleType_FinishBody(api, (PyTypeObject *)result, node) < 0)) {
        Py_CLEAR(result);
    }
done:
    if (node != NULL) {
        _PyExtensibleType_HandoverPop(node);
        _PyExtensibleType_FreeBody(node);
        PyMem_RawFree(node);
    }
    Py_XDECREF(kwargs);
    return result;
}

_PyCustomSlots_UNUSED static int
_PyExtensibleType_meta_init(PyObject *self, PyObject *args, PyObject *kwargs)
{
    if (PyType_Type.tp_init(self, args, kwargs) < 0) return -1;
    if (_PyExtensibleType_APIOf((PyTypeObject *)self) != NULL) {
        _PyExtensibleType_RestoreAlloc((PyTypeObject *)self);
    }
    return 0;
}

/* Metaclasses find __module__ and __doc__ here, because in extensibletype's dict, and
   so in the MRO of each of them, stand the descriptors for classes. */
_PyCustomSlots_UNUSED static PyObject *
_PyExtensibleType_meta_getattro(PyObject *self, PyObject *name)
{
    _PyExtensibleType_API *api = _PyExtensibleType_APIOf((PyTypeObject *)self);
    PyObject *value = NULL;
    int is_module, is_doc;

    if (api == NULL || !PyUnicode_Check(name)) return PyType_Type.tp_getattro(self, name);
    is_module = name == api->name_module
                || PyUnicode_Compare(name, api->name_module) == 0;
    is_doc = !is_module && (name == api->name_doc
                            || PyUnicode_Compare(name, api->name_doc) == 0);
    if (!is_module && !is_doc) return PyType_Type.tp_getattro(self, name);
    if (self == (PyObject *)api->metaclass) {
        value = is_module ? api->metaclass_module : api->metaclass_doc;
    }
    else if (is_module) {
        value = PyDict_GetItemWithError(api->adopted_modules, self);
        if (value == NULL && PyErr_Occurred()) return NULL;
    }
    if (value != NULL) {
        Py_INCREF(value);
        return value;
    }
    return _PyExtensibleType_Delegate(is_module ? api->type_module : api->type_doc, self);
}

/* type's own reads __module__ from the dict, where metaclasses may have the descriptor. */
_PyCustomSlots_UNUSED static PyObject *
_PyExtensibleType_meta_repr(PyObject *self)
{
    PyObject *module = PyObject_GetAttrString(self, "__module__");
    PyObject *name = PyObject_GetAttrString(self, "__qualname__"), *result = NULL;
    if (module != NULL && name != NULL) {
        result = PyUnicode_FromFormat("<class '%S.%S'>", module, name);
    }
    Py_XDECREF(module);
    Py_XDECREF(name);
    return result;
}

/* Frees the API with the metaclass that owns it: extensibletype is the last to go. */
_PyCustomSlots_UNUSED static void
_PyExtensibleType_meta_dealloc(PyObject *self)
{
    PyTypeObject *meta = Py_TYPE(self);
    _PyExtensibleType_API *api = NULL;
    size_t i;

    if (_PyExtensibleType_RootOf((PyTypeObject *)self) == (PyTypeObject *)self) {
        api = _PyExtensibleType_APIOf((PyTypeObject *)self);
    }
    PyType_Type.tp_dealloc(self);
    if (api != NULL) {
        while (api->layers != NULL) {
            _PyExtensibleType_Layer *layer = api->layers;
            api->layers = layer->next;
            _PyExtensibleType_FreeLayer(layer);
        }
        PyMem_RawFree(api->own);                /* its classes are gone: it is empty */
        for (i = 0; i < api->filled_buckets; i++) {     /* static types never die */
            while (api->filled[i] != NULL) {
                _PyExtensibleType_Filled *filled = api->filled[i];
                api->filled[i] = filled->next;
                PyMem_RawFree(filled);
            }
        }
        PyMem_RawFree(api->filled);
        _PyExtensibleType_FreeOwn(api->limbo);
        Py_XDECREF(api->type_bases);
        Py_XDECREF(api->type_module);
        Py_XDECREF(api->type_doc);
        Py_XDECREF(api->type_subclasses);
        Py_XDECREF(api->name_module);
        Py_XDECREF(api->name_doc);
        Py_XDECREF(api->metaclass_module);
        Py_XDECREF(api->metaclass_doc);
        Py_XDECREF(api->adopted_modules);
        Py_XDECREF(api->type_mro);
        while (api->kept != NULL) {             /* static types, which never die */
            _PyExtensibleType_Kept *kept = api->kept;
            api->kept = kept->next;
            Py_DECREF(kept->mro);
            PyMem_RawFree(kept);
        }
        PyMem_RawFree(api);
    }
    if (meta->tp_flags & Py_TPFLAGS_HEAPTYPE) Py_DECREF((PyObject *)meta);
}

_PyCustomSlots_UNUSED static int
_PyExtensibleType_meta_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT((PyObject *)Py_TYPE(self));
    return PyType_Type.tp_traverse(self, visit, arg);
}

#endif /* Py_EXTENSIBLETYPE_METACLASS_H */
