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

/* ---------------------------------------------------------------- resolving -- */

/* The record that an unresolved type holds on trust: found from the published table,
   because etp_private is the tuple that the trust is based on.  Counted by the type. */
_PyCustomSlots_UNUSED static inline _PyExtensibleType_Record *
_PyExtensibleType_TrustedRecord(PyTypeObject *type)
{
    PyCustomSlot *slots = ((PyHeapExtensibleTypeObject *)type)->etp_custom_slots;
    if (slots == NULL || slots == _PyExtensibleType_empty) return NULL;
    return (_PyExtensibleType_Record *)(void *)
        ((char *)slots - offsetof(_PyExtensibleType_Record, slots));
}

_PyCustomSlots_UNUSED static int
_PyExtensibleType_Resolve(_PyExtensibleType_API *api, PyTypeObject *type);

/* Finishes those of `bases` that are not, so that they can be inherited from. */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_ResolveAll(_PyExtensibleType_API *api, PyObject *bases)
{
    Py_ssize_t i;
    for (i = 0; i < PyTuple_GET_SIZE(bases); i++) {
        PyObject *base = PyTuple_GET_ITEM(bases, i);
        if (PyType_Check(base) && _PyExtensibleType_IsUnresolved((PyTypeObject *)base)
                && _PyExtensibleType_Resolve(api, (PyTypeObject *)base) < 0) {
            return -1;
        }
    }
    return 0;
}

/* With one base there is nothing to merge, and the base owns every layer that any
   class behind it owns: a linearisation of one entry says it all. */
_PyCustomSlots_UNUSED static inline int
_PyExtensibleType_IsSimple(PyObject *bases)
{
    return PyTuple_GET_SIZE(bases) == 1 && PyType_Check(PyTuple_GET_ITEM(bases, 0))
           && _PyCustomSlots_HasMemory((PyTypeObject *)PyTuple_GET_ITEM(bases, 0))
           /* A class without the metaclass may stand between: PyType_FromSpec() makes
              such subclasses before 3.12, and __bases__ assignment allows them. */
           && _PyExtensibleType_APIOf(Py_TYPE(PyTuple_GET_ITEM(bases, 0))) != NULL;
}

/* Turns trust into fact: table and fields from the tp_mro that the class has now.
   Does nothing for a finished type or one without tp_mro.  0, or -1 with a
   MemoryError, the type staying as it was (unfinished, but safe). */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_Resolve(_PyExtensibleType_API *api, PyTypeObject *type)
{
    PyHeapExtensibleTypeObject *t = (PyHeapExtensibleTypeObject *)type;
    _PyExtensibleType_Record *record = NULL, *held, *copy;
    _PyExtensibleType_Mro mro = _PyExtensibleType_MRO_INIT;
    _PyExtensibleType_Mro wrong = _PyExtensibleType_MRO_INIT;
    PyObject *handed;
    int trusted, status = -1;

    if (!_PyExtensibleType_IsUnresolved(type) || type->tp_mro == NULL
            || type->tp_bases == NULL) return 0;
    if (_PyExtensibleType_ResolveAll(api, type->tp_bases) < 0) return -1;
    held = _PyExtensibleType_TrustedRecord(type);
    handed = (PyObject *)t->etp_private;
    trusted = _PyCustomSlots_IsTrusted(type);

    if (trusted && _PyExtensibleType_IsSimple(handed)
            && PyTuple_GET_SIZE(type->tp_mro)
                   == PyTuple_GET_SIZE(type->tp_base->tp_mro) + 1
            && PyTuple_GET_ITEM(type->tp_mro, 1) == (PyObject *)type->tp_base) {
        record = _PyExtensibleType_RecordIncref(
            _PyExtensibleType_EffectiveRecord(type->tp_base));
    }
    else {
        if (handed != NULL && !trusted) {       /* as in tp_alloc */
            if (_PyExtensibleType_IsSimple(handed)) {
                wrong.items = &PyTuple_GET_ITEM(handed, 0);
                wrong.count = 1;
            }
            else if (_PyExtensibleType_MroOfBases(handed, &wrong) < 0) goto done;
        }
        mro = _PyExtensibleType_MroOfType(type);
        if (_PyExtensibleType_MergeRecord(type, NULL, 0, type->tp_base, &mro, &record) < 0) {
            goto done;
        }
        if (!trusted) {
            _PyExtensibleType_ForgetLayers(&api->layers, type, &wrong);
            _PyExtensibleType_InheritLayers(&api->layers, type, Py_TYPE(type), &mro, 1);
        }
    }
    /* A table that readers may have seen is kept: either it is right, or the base
       that it is shared with keeps it, or this type must.  One that was never
       trusted nobody has seen. */
    if (record != held && trusted && held != NULL) {
        if (record != NULL && _PyExtensibleType_RecordEquals(record, held)) {
            _PyExtensibleType_RecordDecref(record);
            record = _PyExtensibleType_RecordIncref(held);
        }
        else if (held->owner == NULL) {         /* merged in tp_alloc, for this type */
            copy = _PyExtensibleType_RecordNew(
                type, record == NULL || held->capacity > record->capacity
                          ? held->capacity : record->capacity, NULL, 0);
            if (copy == NULL) goto done;
            if (record != NULL) {
                copy->count = record->count;
                memcpy(copy->slots, record->slots,
                       sizeof(PyCustomSlot) * (size_t)record->count);
            }
            copy->retired = _PyExtensibleType_RecordIncref(held);
            _PyExtensibleType_RecordDecref(record);
            record = copy;
        }
    }
    if (record != NULL && record->owner == NULL && record->own_count == 0) {
        record->owner = type;
    }
    _PyExtensibleType_SetRecord(type, record);
    record = NULL;                              /* stolen */
    _PyExtensibleType_RecordDecref(held);
    Py_XDECREF(handed);
    status = 0;
done:
    _PyExtensibleType_RecordDecref(record);
    _PyExtensibleType_MroClear(&wrong);
    return status;
}

/* ------------------------------------------------------ hooks of extensibletype -- */

_PyCustomSlots_UNUSED static PyObject *
_PyExtensibleType_alloc(PyTypeObject *metaclass, Py_ssize_t nitems)
{
    _PyExtensibleType_API *api = _PyExtensibleType_APIOf(metaclass);
    PyObject *bases = _PyExtensibleType_HandoverTake(metaclass), *self = NULL;
    _PyExtensibleType_Record *record = NULL;
    _PyExtensibleType_Mro mro = _PyExtensibleType_MRO_INIT;
    PyHeapExtensibleTypeObject *t;
    int known = 0;

    if (api == NULL) {                          /* a copied slot, no class of ours */
        Py_XDECREF(bases);
        return PyType_GenericAlloc(metaclass, nitems);
    }
    /* Everything that can fail or run the collector comes before the allocation:
       it would visit a type object that has no flags yet, and abort. */
    if (bases != NULL) {
        if (_PyExtensibleType_ResolveAll(api, bases) < 0) goto done;
        if (_PyExtensibleType_IsSimple(bases)) {
            mro.items = &PyTuple_GET_ITEM(bases, 0);
            mro.count = known = 1;
            record = _PyExtensibleType_RecordIncref(_PyExtensibleType_EffectiveRecord(
                (PyTypeObject *)PyTuple_GET_ITEM(bases, 0)));
        }
        else {
            known = _PyExtensibleType_MroOfBases(bases, &mro);
            if (known < 0) goto done;
            if (known && _PyExtensibleType_MergeRecord(NULL, NULL, 0, NULL, &mro,
                                                       &record) < 0) goto done;
        }
    }
    self = PyType_GenericAlloc(metaclass, nitems);
    if (self == NULL) goto done;

    t = (PyHeapExtensibleTypeObject *)self;
    _PyExtensibleType_InheritLayers(&api->layers, (PyTypeObject *)self, metaclass,
                                    known ? &mro : NULL, 0);
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
    _PyExtensibleType_RecordDecref(record);
    _PyExtensibleType_MroClear(&mro);
    Py_XDECREF(bases);
    return self;
}

_PyCustomSlots_UNUSED static int
_PyExtensibleType_init(PyObject *self, PyObject *args, PyObject *kwargs)
{
    if (PyType_Type.tp_init(self, args, kwargs) < 0) return -1;
    return _PyExtensibleType_Resolve(_PyExtensibleType_APIOf(Py_TYPE(self)),
                                     (PyTypeObject *)self);
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
    PyObject *handed = NULL;
    const int owns = _PyExtensibleType_OwnsMetaclass(self, 1);

    if (_PyExtensibleType_IsUnresolved(type)) {
        record = _PyExtensibleType_TrustedRecord(type);
        handed = (PyObject *)t->etp_private;
    }
    else if (_PyExtensibleType_IsReady(type)) {
        record = (_PyExtensibleType_Record *)t->etp_private;
    }
    if (record != NULL && record->owner == type) record->owner = NULL;
    t->etp_check = 0;
    PyType_Type.tp_dealloc(self);
    _PyExtensibleType_RecordDecref(record);
    Py_XDECREF(handed);
    if (owns) Py_DECREF((PyObject *)metaclass);
}

/* type's own does not visit the metaclass: a cycle through a metaclass that was made
   in Python would never be collected. */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_traverse(PyObject *self, visitproc visit, void *arg)
{
    if (_PyExtensibleType_IsUnresolved((PyTypeObject *)self)) {
        Py_VISIT((PyObject *)((PyHeapExtensibleTypeObject *)self)->etp_private);
    }
    if (_PyExtensibleType_OwnsMetaclass(self, 0)) Py_VISIT((PyObject *)Py_TYPE(self));
    return PyType_Type.tp_traverse(self, visit, arg);
}

/* Leaves the table alone: instances in the same cycle may still be dying. */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_clear(PyObject *self)
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
    PyObject *result;

    if (api != NULL) {
        _PyExtensibleType_RestoreAlloc(metaclass);
        if (PyTuple_GET_SIZE(args) == 3 && PyTuple_Check(PyTuple_GET_ITEM(args, 1))
                && (winner = _PyExtensibleType_Winner(metaclass, PyTuple_GET_ITEM(args, 1)))) {
            node = _PyExtensibleType_HandoverPush(winner, PyTuple_GET_ITEM(args, 1));
            if (node == NULL) return NULL;
        }
    }
    result = PyType_Type.tp_call(self, args, kwargs);
    if (node != NULL) _PyExtensibleType_HandoverPop(node);
    /* A metaclass whose __init__ does not call ours ends up unfinished. */
    if (api != NULL && result != NULL && PyType_Check(result)
            && (api = _PyExtensibleType_APIOf(Py_TYPE(result))) != NULL
            && _PyExtensibleType_Resolve(api, (PyTypeObject *)result) < 0) {
        Py_CLEAR(result);
    }
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

    if (_PyExtensibleType_RootOf((PyTypeObject *)self) == (PyTypeObject *)self) {
        api = _PyExtensibleType_APIOf((PyTypeObject *)self);
    }
    PyType_Type.tp_dealloc(self);
    if (api != NULL) {
        while (api->layers != NULL) {
            _PyExtensibleType_Layer *layer = api->layers;
            api->layers = layer->next;
            Py_DECREF((PyObject *)layer->metaclass);
            PyMem_RawFree(layer);
        }
        Py_XDECREF(api->type_bases);
        Py_XDECREF(api->type_module);
        Py_XDECREF(api->type_doc);
        Py_XDECREF(api->type_subclasses);
        Py_XDECREF(api->name_module);
        Py_XDECREF(api->name_doc);
        Py_XDECREF(api->metaclass_module);
        Py_XDECREF(api->metaclass_doc);
        Py_XDECREF(api->adopted_modules);
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
