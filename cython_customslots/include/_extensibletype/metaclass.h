/* SPDX-License-Identifier: MIT
 *
 * _extensibletype/metaclass.h - the hooks of extensibletype and of its metaclass.
 * Included by extensibletype.h; not for direct use.
 *
 *     type
 *      +-- extensibletype        tp_alloc tp_init tp_dealloc tp_traverse tp_clear
 *      |                         __bases__ __dict__ __module__ __doc__
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

/* What tp_alloc knows of a class before it is there. */
typedef struct {
    _PyExtensibleType_Record *record; /* its table; counted, NULL: no slots, or nobody knows */
    _PyExtensibleType_Mro     mro;    /* what it inherits fields by */
    PyObject                 *above;  /* counted: the tuple with that MRO, if it has one base */
    PyObject                 *trust;  /* for etp_private; counted */
    int                       known;  /* is there an MRO? */
} _PyExtensibleType_Prospect;

/* Looks ahead: a class of `metaclass` is made with `bases`.  0, or -1 with an exception. */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_LookAhead(_PyExtensibleType_API *api, PyTypeObject *metaclass,
                            PyObject *bases, _PyExtensibleType_Prospect *prospect)
{
    const int own_mro = _PyExtensibleType_HasOwnMro(api, metaclass);
    const int simple = _PyExtensibleType_IsSimple(bases);
    const Py_ssize_t n = PyTuple_GET_SIZE(bases);
    PyTypeObject *base = simple ? (PyTypeObject *)PyTuple_GET_ITEM(bases, 0) : NULL;
    Py_ssize_t i;
    int merged = 0;

    if (simple && (prospect->above = _PyExtensibleType_FetchMro(api, base)) != NULL) {
        prospect->mro = _PyExtensibleType_MroOfTuple(NULL, prospect->above);
        prospect->known = 1;
    }
    else {
        prospect->known = _PyExtensibleType_MroOfBases(api, bases, &prospect->mro);
    }
    if (prospect->known <= 0) return prospect->known;
    if (own_mro) {
        /* Another tuple with the same classes: it says what the class was filled for, and no
           reader trusts in it. */
        if (!(prospect->trust = PyTuple_New(n))) return -1;
        for (i = 0; i < n; i++) {
            Py_INCREF(PyTuple_GET_ITEM(bases, i));
            PyTuple_SET_ITEM(prospect->trust, i, PyTuple_GET_ITEM(bases, i));
        }
        return 0;
    }
    _PyExtensibleType_Lock(api);
    if (simple) {
        prospect->record = _PyExtensibleType_RecordIncref(
            _PyExtensibleType_EffectiveRecord(base));
    }
    else {
        merged = _PyExtensibleType_MergeRecord(NULL, NULL, 0, NULL, &prospect->mro,
                                               &prospect->record);
    }
    _PyExtensibleType_Unlock(api);
    if (merged < 0) {
        PyErr_NoMemory();
        return -1;
    }
    Py_INCREF(bases);
    prospect->trust = bases;
    return 0;
}

_PyCustomSlots_UNUSED static void
_PyExtensibleType_EndProspect(_PyExtensibleType_Prospect *prospect)
{
    _PyExtensibleType_RecordDecref(prospect->record);
    _PyExtensibleType_MroClear(&prospect->mro);
    Py_XDECREF(prospect->above);
    Py_XDECREF(prospect->trust);
}

_PyCustomSlots_UNUSED static PyObject *
_PyExtensibleType_alloc(PyTypeObject *metaclass, Py_ssize_t nitems)
{
    _PyExtensibleType_API *api = _PyExtensibleType_APIOf(metaclass);
    _PyExtensibleType_Handover *node;
    _PyExtensibleType_FieldWork work = _PyExtensibleType_FIELD_WORK_INIT;
    _PyExtensibleType_Prospect prospect = {NULL, _PyExtensibleType_MRO_INIT, NULL, NULL, 0};
    const _PyExtensibleType_Mro *mro = NULL;
    _PyExtensibleType_Filled *filled = NULL;
    _PyExtensibleType_Made *made = NULL;
    PyObject *bases = NULL, *self = NULL;
    PyHeapExtensibleTypeObject *t;
    int copied;

    if (api == NULL || metaclass == _PyExtensibleType_probed) {
        return PyType_GenericAlloc(metaclass, nitems);      /* no class of ours */
    }
    if (api->interpreter != PyInterpreterState_Get()) {
        PyErr_Format(PyExc_TypeError,
                     "a class with metaclass '%.200s' cannot be made in this interpreter: found a "
                     "base that belongs to another one, which a static type came from; import "
                     "its module in the main interpreter only", metaclass->tp_name);
        return NULL;
    }
    if (_PyExtensibleType_Adopt(api, metaclass) < 0) return NULL;
    /* Everything that can fail or run the collector comes before the allocation:
       it would visit a type object that has no flags yet, and abort. */
    if ((node = _PyExtensibleType_HandoverTake(metaclass)) != NULL) {
        bases = node->bases;
        Py_INCREF(bases);
        if (_PyExtensibleType_ResolveAll(api, bases) < 0) goto done;
    }
    if (_PyExtensibleType_handover != NULL && _PyExtensibleType_handover->first_made != NULL
            && !(made = (_PyExtensibleType_Made *)PyMem_RawMalloc(sizeof(*made)))) {
        PyErr_NoMemory();
        goto done;
    }
    if (_PyExtensibleType_NewFilled(api, metaclass, &filled) < 0) goto done;
    if (bases != NULL && _PyExtensibleType_LookAhead(api, metaclass, bases, &prospect) < 0) {
        goto done;
    }
    if (prospect.known) mro = &prospect.mro;
    _PyExtensibleType_Lock(api);
    copied = _PyExtensibleType_CopyInherited(api, metaclass, metaclass, mro, &work);
    _PyExtensibleType_Unlock(api);
    if (copied < 0 || !(self = PyType_GenericAlloc(metaclass, nitems))) goto done;

    t = (PyHeapExtensibleTypeObject *)self;
    _PyExtensibleType_HandoverNote((PyTypeObject *)self, &made);
    _PyExtensibleType_Lock(api);
    _PyExtensibleType_FillFields(api, (PyTypeObject *)self, metaclass, mro, 0, &work);
    (void)_PyExtensibleType_InsertFilled(api, (PyTypeObject *)self, filled);
    filled = NULL;
    if (node != NULL) _PyExtensibleType_PlaceBody(api, node, (PyTypeObject *)self);
    _PyExtensibleType_Unlock(api);
    t->etp_custom_slots = prospect.record != NULL ? prospect.record->slots
                                                  : _PyExtensibleType_empty;
    t->etp_custom_slot_count = prospect.record != NULL ? prospect.record->count : 0;
    t->etp_private = prospect.trust;
    prospect.record = NULL;                     /* both stolen */
    prospect.trust = NULL;
    _PyCustomSlots_STORE(uintptr_t, &t->etp_check,
                         (uintptr_t)self ^ _PyCustomSlots_UNRESOLVED);
done:
    PyMem_RawFree(made);
    PyMem_RawFree(filled);
    _PyExtensibleType_EndFieldWork(&work);
    _PyExtensibleType_EndProspect(&prospect);
    Py_XDECREF(bases);
    return self;
}

/* Finishes a class that a call of its metaclass made; `node`: that call, or NULL.
   type(name, bases, ns) has none.  0, or -1 with an exception. */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_FinishClass(_PyExtensibleType_API *api, PyTypeObject *type,
                              _PyExtensibleType_Handover *node)
{
    _PyExtensibleType_Handover *other = _PyExtensibleType_HandoverTakenBy(type);
    if (_PyExtensibleType_Resolve(api, type) < 0) return -1;
    if (node != NULL) {
        /* A class that there was before keeps what it has. */
        if (!_PyExtensibleType_HandoverMade(node, type)) return 0;
        node->finished = 1;
    }
    if (other != NULL && other != node && !other->retracted
            && _PyExtensibleType_RetractBody(api, other) < 0) return -1;
    return _PyExtensibleType_FinishBody(api, type, node);
}

_PyCustomSlots_UNUSED static int
_PyExtensibleType_init(PyObject *self, PyObject *args, PyObject *kwargs)
{
    _PyExtensibleType_Handover *node = PyTuple_GET_SIZE(args) != 3 ? NULL
        : _PyExtensibleType_HandoverOf(PyTuple_GET_ITEM(args, 2));
    if (PyType_Type.tp_init(self, args, kwargs) < 0) return -1;
    return _PyExtensibleType_FinishClass(_PyExtensibleType_APIOf(Py_TYPE(self)),
                                         (PyTypeObject *)self, node);
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

    if (api != NULL) _PyExtensibleType_LeaveLayouts(api, type);
    if (!_PyExtensibleType_IsKnown(type)) api = NULL;
    if (_PyExtensibleType_IsUnresolved(type)) {
        record = _PyExtensibleType_TrustedRecord(type);
        handed = (PyObject *)t->etp_private;
    }
    else if (_PyExtensibleType_IsReady(type)) {
        record = _PyExtensibleType_RecordOf(type);
        kept = _PyExtensibleType_TakeKeptMro(api, type);
    }
    if (api != NULL) {
        /* Fields hold objects, and dropping those may run the collector. */
        PyObject_GC_UnTrack(self);
        _PyExtensibleType_Lock(api);
        filled = _PyExtensibleType_TakeFilled(api, type);
        _PyExtensibleType_DisownRecords(type, record);
        _PyExtensibleType_Unlock(api);
        PyMem_RawFree(filled);
        _PyExtensibleType_ReleaseFields(api, type);
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
    if (api != NULL && _PyExtensibleType_IsKnown(type)) {
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
    if (api != NULL && _PyExtensibleType_IsKnown(type)) {
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

/* What tp_base is without layouts (instances.h). */
_PyCustomSlots_UNUSED static PyObject *
_PyExtensibleType_get_base(PyObject *self, void *closure)
{
    _PyExtensibleType_API *api = _PyExtensibleType_APIOf(Py_TYPE(self));
    PyObject *base = _PyExtensibleType_Delegate(api->type_base, self);
    (void)closure;
    if (base != NULL && PyType_Check(base) && _PyExtensibleType_IsLayout((PyTypeObject *)base)) {
        PyObject *real = (PyObject *)_PyExtensibleType_BaseOf(api, (PyTypeObject *)self);
        Py_INCREF(real);
        Py_DECREF(base);
        return real;
    }
    return base;
}

/* ------------------------------------------------- hooks of extensibletype_meta -- */

_PyCustomSlots_UNUSED static PyObject *
_PyExtensibleType_meta_call(PyObject *self, PyObject *args, PyObject *kwargs)
{
    PyTypeObject *metaclass = (PyTypeObject *)self, *winner;
    _PyExtensibleType_API *api = _PyExtensibleType_APIOf(metaclass);
    _PyExtensibleType_Handover *node = NULL;
    PyObject *result = NULL;

    Py_XINCREF(kwargs);
    if (api != NULL) {
        if (_PyExtensibleType_Adopt(api, metaclass) < 0) goto done;
        if (PyTuple_GET_SIZE(args) == 3 && PyTuple_Check(PyTuple_GET_ITEM(args, 1))
                && (winner = _PyExtensibleType_Winner(metaclass, PyTuple_GET_ITEM(args, 1)))) {
            node = (_PyExtensibleType_Handover *)PyMem_RawCalloc(1, sizeof(*node));
            if (node == NULL) {
                PyErr_NoMemory();
                goto done;
            }
            if (_PyExtensibleType_ShareAmong(api, PyTuple_GET_ITEM(args, 1)) < 0) goto done;
            node->metaclass = winner;
            node->bases = PyTuple_GET_ITEM(args, 1);
            node->ns = PyTuple_GET_ITEM(args, 2);
            if (api->named != 0 && PyDict_Check(node->ns)
                    && _PyExtensibleType_ReadBody(api, node, PyTuple_GET_ITEM(args, 0),
                                                  &kwargs) < 0) goto done;
            _PyExtensibleType_HandoverPush(node);
        }
    }
    result = PyType_Type.tp_call(self, args, kwargs);
    /* A metaclass whose __init__ does not call ours leaves that to us. */
    if (api != NULL && result != NULL && PyType_Check(result)
            && (api = _PyExtensibleType_APIOf(Py_TYPE(result))) != NULL
            && (node != NULL ? !node->finished
                             : _PyExtensibleType_IsUnresolved((PyTypeObject *)result))
            && _PyExtensibleType_FinishClass(api, (PyTypeObject *)result, node) < 0) {
        Py_CLEAR(result);
    }
    /* Another class that was made meanwhile, and never initialised, may have taken it all. */
    if (result != NULL && node != NULL && node->taken_by != NULL && !node->retracted
            && (PyObject *)node->taken_by != result
            && _PyExtensibleType_RetractBody(_PyExtensibleType_APIOf(metaclass), node) < 0) {
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
        _PyExtensibleType_RestoreHooks((PyTypeObject *)self);
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

/* type's own reads __module__ from the dict, where metaclasses may have the descriptor.  As
   there, what is no str is left out. */
_PyCustomSlots_UNUSED static PyObject *
_PyExtensibleType_meta_repr(PyObject *self)
{
    PyObject *module = PyObject_GetAttrString(self, "__module__");
    PyObject *name = NULL, *result = NULL;
    if (module == NULL) {
        if (!PyErr_ExceptionMatches(PyExc_AttributeError)) goto done;
        PyErr_Clear();
    }
    if (!(name = PyObject_GetAttrString(self, "__qualname__"))) goto done;
    if (module != NULL && PyUnicode_Check(module) && PyUnicode_Check(name)) {
        result = PyUnicode_FromFormat("<class '%U.%U'>", module, name);
    }
    else {
        result = PyUnicode_FromFormat("<class '%s'>", ((PyTypeObject *)self)->tp_name);
    }
done:
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
        Py_XDECREF(api->type_base);
        Py_XDECREF(api->type_bases);
        Py_XDECREF(api->type_module);
        Py_XDECREF(api->type_doc);
        Py_XDECREF(api->type_subclasses);
        Py_XDECREF(api->name_module);
        Py_XDECREF(api->name_doc);
        Py_XDECREF(api->name_mro);
        Py_XDECREF(api->name_new);
        Py_XDECREF(api->name_slots);
        Py_XDECREF(api->name_fields);
        Py_XDECREF(api->type_dict);
        Py_XDECREF(api->metaclass_module);
        Py_XDECREF(api->metaclass_doc);
        Py_XDECREF(api->adopted_modules);
        Py_XDECREF(api->type_mro);
        while (api->layouts != NULL) {
            _PyExtensibleType_Layout *layout = api->layouts;
            api->layouts = layout->next;
            _PyExtensibleType_FreeLayout(layout);
        }
        while (api->spares != NULL) {
            _PyExtensibleType_Spare *spare = api->spares;
            api->spares = spare->next;
            PyMem_RawFree(spare);
        }
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
