/* SPDX-License-Identifier: MIT
 *
 * _typedmethod/find.h - from a Python callable to its C function.
 * Included by typedmethod.h; not for direct use.
 *
 *   callable                      leads to                     receiver
 *   builtin function              m_ml -> table             m_self
 *   method descriptor             d_method -> table         (the first argument)
 *   Cython function, any other    layout -> PyMethodDef        where the layout says
 *   type with a layout                     -> table
 *   instance of an extensible     native-call slot -> record   the instance
 *   type with the slot
 *   instance of a type with the   class-call slot -> record    the instance
 *   other slot
 *   bound method of any of these  as its function              im_self
 *
 * PyPy differs in types only: there the native-call slot is a registered one, and bound
 * methods of builtin types have a type of their own, which leads to the method descriptor.  A function
 * that Python's typed.direct() made there leads to the function that it was made from.
 */

/** The native-call slot: data.objoffset leads to a PyTypedMethodNative in the instance. */
/* [PyTypedMethodNative.begin] */
#define PyTypedMethod_NATIVE_CALL PyCustomSlots_ID(PyCustomSlots_REGISTRAR_CYTHON, 1, 1)

/** What an instance has where its native-call slot leads. */
typedef struct {
    const PyTypedMethodRecord *record;      /**< NULL: this instance has none */
    void                      *context;     /**< for entries with CTX_FIRST or CTX_LAST */
} PyTypedMethodNative;
/* [PyTypedMethodNative.end] */

/** The class-call slot: data.pointer leads to a PyTypedMethodClassCall. */
/* [PyTypedMethodClassCall.begin] */
#define PyTypedMethod_CLASS_CALL PyCustomSlots_ID(PyCustomSlots_REGISTRAR_CYTHON, 1, 2)

/** What all instances of a type have, and its subclasses inherit; lives as long as the type. */
typedef struct {
    uint32_t                   size;        /**< of this struct */
    int32_t                    offset;      /**< in the instance, of a pointer to its C methods */
    const PyTypedMethodRecord *record;      /**< its entries get the instance as receiver */
    const PyTypedMethodRecord *direct;      /**< the same for instances whose pointer is... */
    const void                *methods;     /**< ...this one: no subclass in C overrides any; may be NULL */
} PyTypedMethodClassCall;
/* [PyTypedMethodClassCall.end] */

/** How to call: function(arguments) or, if `flags` say so, function(context, arguments)
   or function(arguments, context). */
/* [PyTypedMethodCall.begin] */
typedef struct {
    void              *function;    /**< to be cast to the type that the signature says */
    void              *context;     /**< borrowed */
    uint32_t           flags;       /**< of the entry; CTX_FIRST also for a bound receiver */
    uint32_t           reserved;    /**< 0 */
    PyTypedMethodError error;       /**< of the entry */
} PyTypedMethodCall;
/* [PyTypedMethodCall.end] */

/* Where a callable leads to. */
typedef struct {
    const PyTypedMethodRecord *record;
    PyObject *receiver;     /* what SELF entries get; NULL: the caller passes it */
    void     *context;      /* what CTX entries get */
    int       kind;
} _Pycs_RecordPlace;

enum {
    _Pycs_KIND_FUNCTION,       /* registered */
    _Pycs_KIND_DESCRIPTOR,     /* registered; without a receiver, the offset is ignored */
    _Pycs_KIND_NATIVE          /* checked at each look-up, not before */
};

/* What Class.method is; on PyPy also what a bound class method leads to. */
#ifdef PYPY_VERSION
#  define _Pycs_IS_DESCRIPTOR(type) \
    ((type) == &PyMethodDescr_Type || (type) == &PyClassMethodDescr_Type)
#else
#  define _Pycs_IS_DESCRIPTOR(type) ((type) == &PyMethodDescr_Type)
#endif

/* Is it the type of a module's function, made from a PyMethodDef?  (On PyPy exactly this type:
   PyCFunction_Check() is also true for functions of PyPy's own, which have no m_ml.) */
_Pycs_UNUSED static inline int
_Pycs_IsBuiltin(const PyTypeObject *type)
{
#ifdef PYPY_VERSION
    return type == &PyCFunction_Type;
#else
    return type == &PyCFunction_Type || _Pycs_IS_CMETHOD(type);
#endif
}

/* The slot with this ID of a type: on PyPy, whose types have no room for slots, a registered one. */
_Pycs_UNUSED static inline const PyCustomSlot *
_Pycs_SlotOf(PyTypeObject *type, uintptr_t id)
{
#ifdef PYPY_VERSION
    return PyCustomSlots_FindAnyType(type, id, 0);
#else
    return PyCustomSlots_FindType(type, id, 0);
#endif
}

/* Does Python call instances of a type as it calls instances of a base?  CPython itself keeps tp_call up to
   date, when a class is made and when the attribute is set or deleted, in it or a base.  PyPy does not. */
_Pycs_UNUSED static inline int
_Pycs_IsCalledAs(PyTypeObject *type, PyTypeObject *base)
{
#ifdef PYPY_VERSION
    PyObject *kind, *value, *traceback, *name;
    int result;
    if (type == base) return 1;
    PyErr_Fetch(&kind, &value, &traceback);
    name = PyUnicode_FromString("__call__");
    result = name != NULL && _PyType_Lookup(type, name) == _PyType_Lookup(base, name);
    Py_XDECREF(name);
    PyErr_Restore(kind, value, traceback);
    return result;
#else
    return _Pycs_TP_CALL(type) == _Pycs_TP_CALL(base);
#endif
}

/* The same, or NULL where Python would call something else, because a subclass overrides __call__: a subclass of the
   class that brought the slot, which is the last class of the MRO that has the slot. */
_Pycs_UNUSED static inline const PyCustomSlot *
_Pycs_CallSlot(PyTypeObject *type, uintptr_t id)
{
    const PyCustomSlot *inherited, *slot = _Pycs_SlotOf(type, id);
    PyTypeObject *owner = type;
    PyObject *mro;
    Py_ssize_t i;
    if (slot == NULL || !(mro = _Pycs_HoldMro(type))) return NULL;
    for (i = Py_SIZE(mro) - 1; i > 0; i--) {
        inherited = _Pycs_SlotOf(_Pycs_TYPE_AT(mro, i), id);
        if (inherited != NULL && inherited->data.pointer == slot->data.pointer) {
            owner = _Pycs_TYPE_AT(mro, i);
            break;
        }
    }
    if (!_Pycs_IsCalledAs(type, owner)) slot = NULL;
    _Pycs_LetMroGo(mro);
    return slot;
}

#ifdef PYPY_VERSION
/* A bound builtin method has a type of its own on PyPy, without a name in C.  Only its attributes
   lead to its parts; as it holds them, they may be borrowed from it.  Some other class with
   the same name may lead anywhere, but what it leads to is checked like any other object. */
_Pycs_NOINLINE static PyObject *
_Pycs_UnbindBuiltin(PyObject *callable, PyObject **bind)
{
    PyObject *kind, *value, *traceback, *function, *self = NULL;
    PyErr_Fetch(&kind, &value, &traceback);
    if ((function = PyObject_GetAttrString(callable, "__func__")) != NULL) {
        self = PyObject_GetAttrString(callable, "__self__");
    }
    PyErr_Restore(kind, value, traceback);
    if (self != NULL) {
        *bind = self;
        callable = function;
    }
    Py_XDECREF(function);
    Py_XDECREF(self);
    return callable;
}

/* typed.direct() makes a Python function, for PyPy's JIT.  An attribute has the pair of this function
   and the one that it stands for; in a copy that functools.wraps() made of the attribute, the first is
   another function.  Borrowed from `callable`. */
_Pycs_NOINLINE static PyObject *
_Pycs_Undirect(PyObject *callable)
{
    PyObject *kind, *value, *traceback, *pair;
    PyErr_Fetch(&kind, &value, &traceback);
    pair = PyObject_GetAttrString(callable, "_typedmethod_direct_v1");
    PyErr_Restore(kind, value, traceback);
    if (pair != NULL && PyTuple_CheckExact(pair) && PyTuple_GET_SIZE(pair) == 2
            && PyTuple_GET_ITEM(pair, 0) == callable) callable = PyTuple_GET_ITEM(pair, 1);
    Py_XDECREF(pair);
    return callable;
}
#endif

/* Fills *place.  1, or 0 if there is no record, or none that may be read. */
_Pycs_FAST int
_Pycs_Locate(PyObject *callable, _Pycs_RecordPlace *place)
{
    PyTypeObject *type = _Pycs_OB_TYPE(callable);
    _Pycs_Cells *cells = _Pycs_GetCells();
    const PyMethodDef *def;
    const PyCustomSlot *slot;

    place->kind = _Pycs_KIND_FUNCTION;
    if (_Pycs_IsBuiltin(type)) {
        def = _Pycs_M_ML(callable);
        place->receiver = _Pycs_M_SELF(callable);
    }
    else if (_Pycs_IS_DESCRIPTOR(type)) {
        def = _Pycs_D_METHOD(callable);
        place->receiver = NULL;
        place->kind = _Pycs_KIND_DESCRIPTOR;
    }
    else if ((slot = _Pycs_CallSlot(type, PyTypedMethod_NATIVE_CALL)) != NULL) {
        const PyTypedMethodNative *native
            = (const PyTypedMethodNative *)((const char *)callable + slot->data.objoffset);
        unsigned long long found;
        place->record = _Pycs_LOAD(const PyTypedMethodRecord *, &native->record);
        place->receiver = callable;
        place->context = native->context;
        place->kind = _Pycs_KIND_NATIVE;
        return place->record != NULL && _Pycs_CheckHead(place->record, &found) == NULL;
    }
    else if ((slot = _Pycs_CallSlot(type, PyTypedMethod_CLASS_CALL)) != NULL) {
        const PyTypedMethodClassCall *shared = (const PyTypedMethodClassCall *)slot->data.pointer;
        unsigned long long found;
        place->record = shared->methods != NULL
            && *(void *const *)((const char *)callable + shared->offset) == shared->methods
            ? shared->direct : shared->record;
        place->receiver = callable;
        place->context = NULL;
        place->kind = _Pycs_KIND_NATIVE;
        return _Pycs_CheckHead(place->record, &found) == NULL;
    }
    else {
        const PyTypedMethodLayout *layout;
        if (cells == NULL) return 0;
        layout = (const PyTypedMethodLayout *)_Pycs_ValueOf(cells, _Pycs_LayoutKey(type));
        if (layout == NULL) return 0;
        def = *(PyMethodDef *const *)((const char *)callable + layout->def_offset);
        place->receiver = layout->self_offset < 0 ? NULL
            : *(PyObject *const *)((const char *)callable + layout->self_offset);
    }
    if (cells == NULL || def == NULL) return 0;
    place->context = place->receiver;
    place->record = (const PyTypedMethodRecord *)_Pycs_ValueOf(cells, _Pycs_RecordKey(def));
    return place->record != NULL;
}

/* The function of a bound method, and in *bind its receiver: both borrowed.  Any other callable is
   its own function, and *bind is NULL. */
_Pycs_UNUSED static inline PyObject *
_Pycs_Unbind(PyObject *callable, PyObject **bind)
{
    *bind = NULL;
#ifdef PYPY_VERSION
    if (_Pycs_OB_TYPE(callable) == _Pycs_FUNCTION_TYPE) callable = _Pycs_Undirect(callable);
#endif
    if (_Pycs_OB_TYPE(callable) == _Pycs_METHOD_TYPE) {
        *bind = _Pycs_IM_SELF(callable);
        return _Pycs_IM_FUNC(callable);
    }
#ifdef PYPY_VERSION
    if (strcmp(_Pycs_TP_NAME(_Pycs_OB_TYPE(callable)), "builtin method") == 0) {
        return _Pycs_UnbindBuiltin(callable, bind);
    }
#endif
    return callable;
}

/* Are these the signatures of a function and of its bound method, which lacks the `object` before the other
   arguments? */
_Pycs_UNUSED static int
_Pycs_IsBoundSignature(uint64_t with_object, uint64_t signature)
{
    _Pycs_Types a, b;
    if ((signature & 1) && signature >> 56 == 0) {          /* there is room for one more in the number */
        return with_object == ((signature & 0x3F) | (uint64_t)PyTypedMethod_OBJECT << 6 | (signature >> 6) << 11);
    }
    if ((with_object & 1) || _Pycs_Decode(with_object, &a) < 0 || _Pycs_Decode(signature, &b) < 0) return 0;
    return a.count == b.count + 1 && a.codes[0] == b.codes[0] && a.codes[1] == PyTypedMethod_OBJECT
           && memcmp(a.codes + 2, b.codes + 1, (size_t)b.count - 1) == 0;
}

/* How an entry is called under this signature.  1, or 0 if it cannot be: *context and
   *context_flag as in PyTypedMethodCall.  `bind`: the receiver that a PyMethod puts before
   all arguments, or NULL. */
_Pycs_UNUSED static inline int
_Pycs_Fits(const PyTypedMethodEntry *entry, const _Pycs_RecordPlace *place,
           PyObject *bind, uint64_t signature, void **context, uint32_t *context_flag)
{
    int has_receiver = (entry->flags & PyTypedMethod_SELF) && place->receiver != NULL;
    unsigned long long found;

    *context = NULL;
    *context_flag = 0;
    if (has_receiver || bind != NULL) {
        if (has_receiver && bind != NULL) return 0;         /* two of them */
        if (!_Pycs_IsBoundSignature(entry->signature, signature)) return 0;
        if (entry->flags & PyTypedMethod_CTX) return 0;
        *context = has_receiver ? place->receiver : bind;
        *context_flag = PyTypedMethod_CTX_FIRST;
    }
    else {
        if (entry->signature != signature) return 0;
        if (entry->flags & PyTypedMethod_CTX) {
            *context = place->context;
            if (*context == NULL && place->kind != _Pycs_KIND_NATIVE) return 0;
        }
    }
    if (place->kind == _Pycs_KIND_NATIVE) {
        return _Pycs_CheckEntry(entry, &found) == NULL;
    }
    if (entry->flags & ~_Pycs_UNDERSTOOD) return 0;
    return place->kind == _Pycs_KIND_FUNCTION || (entry->flags & PyTypedMethod_SELF);
}

/* Everything that PyTypedMethod_Find() does. */
_Pycs_NOINLINE static int
_Pycs_FindSlowly(PyObject *callable, uint64_t signature, PyTypedMethodCall *call)
{
    PyObject *bind, *function = _Pycs_Unbind(callable, &bind);
    _Pycs_RecordPlace place;
    const PyTypedMethodEntry *entry;
    uint32_t i, flag;
    void *context;

    memset(call, 0, sizeof(*call));
    if (!_Pycs_Locate(function, &place)) return 0;
    for (i = 0, entry = place.record->entries; i < place.record->count;
         i++, entry = _Pycs_NextEntry(place.record, entry)) {
        if (_Pycs_Fits(entry, &place, bind, signature, &context, &flag)) {
            call->function = entry->function;
            call->context = context;
            call->flags = entry->flags | flag;
            call->error = entry->error;
            return 1;
        }
    }
    return 0;
}

/** The C function with this signature behind a callable.  1, or 0 if there is none, and
   *call is all zero.

   For a bound callable the signature has no receiver: the receiver is in call->context.  Nothing
   is converted: f4(f4) is not found where f8(f8) is.  Overrides: Python's attribute look-up
   chooses the method; find the C function of its result, and do so again for another receiver.

   Never sets an exception and leaves a pending one alone.  Needs the GIL or, on
   free-threaded builds, an attached thread state.  Imports nothing, runs no Python code;
   the first call of a library finds the process's table.
   Function and context are borrowed from `callable` and live as long as it does.  (With a
   native-call slot: until the instance is given another record.) */
_Pycs_HOT int
PyTypedMethod_Find(PyObject *callable, uint64_t signature, PyTypedMethodCall *call)
{
    /* The commonest cases are handled here: functions with one overload and without a receiver, and
       callables without a record.  Nothing here calls but as the last thing, so that no register is saved. */
    PyTypeObject *type = _Pycs_OB_TYPE(callable);
    _Pycs_ProcessTable *table = _Pycs_LOAD(_Pycs_ProcessTable *, _Pycs_TableCache());
    const PyTypedMethodRecord *record;
    const PyMethodDef *def;
    _Pycs_Cells *cells;

    if (table == NULL) return _Pycs_FindSlowly(callable, signature, call);
    cells = _Pycs_LOAD(_Pycs_Cells *, &table->cells);
    if (cells == NULL) return _Pycs_FindSlowly(callable, signature, call);
    if (type == &PyCFunction_Type) def = _Pycs_M_ML(callable);
#ifndef PYPY_VERSION
    else if (type == _Pycs_FUNCTION_TYPE) goto nothing;
    else if (type == _Pycs_METHOD_TYPE) {
        if (_Pycs_OB_TYPE(_Pycs_IM_FUNC(callable)) == _Pycs_FUNCTION_TYPE) goto nothing;
        return _Pycs_FindSlowly(callable, signature, call);
    }
    else {
        const PyTypedMethodLayout *layout;
        if (!(_Pycs_LOAD(uintptr_t, &table->types) & _Pycs_TypeBit(type))) {
            if (_Pycs_Test(type) == 0) goto nothing;
            return _Pycs_FindSlowly(callable, signature, call);
        }
        layout = (const PyTypedMethodLayout *)_Pycs_ValueOf(cells, _Pycs_LayoutKey(type));
        if (layout == NULL) return _Pycs_FindSlowly(callable, signature, call);
        def = *(PyMethodDef *const *)((const char *)callable + layout->def_offset);
    }
#else
    else return _Pycs_FindSlowly(callable, signature, call);
#endif
    record = (const PyTypedMethodRecord *)_Pycs_ValueOf(cells, _Pycs_RecordKey(def));
    if (record != NULL) {
        const PyTypedMethodEntry *entry = record->entries;
        if (entry->signature != signature || (entry->flags & ~_Pycs_PLAIN)) {
            return _Pycs_FindSlowly(callable, signature, call);
        }
        call->function = entry->function;
        call->context = NULL;
        call->flags = entry->flags;
        call->reserved = 0;
        call->error = entry->error;
        return 1;
    }
#ifndef PYPY_VERSION
nothing:
#endif
    memset(call, 0, sizeof(*call));
    return 0;
}

/** All overloads of a callable: 1 with its record and the receiver, or NULL, that SELF entries
   get (for a bound method: that all entries get), both borrowed from `callable`.
   0 if there is no record: both are NULL.  Otherwise as PyTypedMethod_Find().
   The record may have been made with later headers: walk it by its entry_size, and skip
   entries with flags that are not in PyTypedMethod_KNOWN. */
_Pycs_UNUSED static int
PyTypedMethod_Overloads(PyObject *callable, const PyTypedMethodRecord **record, PyObject **bound)
{
    PyObject *bind;
    _Pycs_RecordPlace place;
    callable = _Pycs_Unbind(callable, &bind);
    if (_Pycs_Locate(callable, &place)) {
        *record = place.record;
        *bound = bind != NULL ? bind : place.receiver;
        return 1;
    }
    *record = NULL;
    *bound = NULL;
    return 0;
}
