// SPDX-License-Identifier: MIT
//
// Interfaces in generated C: how an object's table is found, and what happens where there is none.
// compiler/interfaces/tables.py writes what differs from one interface to another.

/////////////// CustomSlotsInterface.proto ///////////////

#include <string.h>

// What a module knows of an interface. `lost`: a table whose functions raise.
typedef struct {
    uintptr_t id;
    Py_ssize_t position;
    const uintptr_t *registered; // has `bit` if anything was ever registered for the ID; before the import a 0
    uintptr_t bit;
    uint64_t hash;              // of all methods that the module knows
    const PyCustomSlots_Interface *mine; // these methods
    const void *lost;
    void *completed;            // for tables of classes that were compiled before methods with bodies were appended
} __Pyx_CustomSlots_KnownInterface;

// ID, position and hashes of an interface, when the module is imported: once, as they are the
// same in all interpreters.
CYTHON_UNUSED static int __Pyx_CustomSlots_InitInterface(__Pyx_CustomSlots_KnownInterface *known, const char *name, uintptr_t id, const PyCustomSlots_Signature *lines, uint64_t *hashes) {
    Py_ssize_t position;
    if (known->id) return 0;
    if (name) id = PyCustomSlots_Intern(name);
    if (unlikely(!id)) return -1;
    position = PyCustomSlots_Position(id);
    if (unlikely(position < 0)) return -1;
    PyCustomSlots_HashSignatures(lines, known->mine->count, known->mine->numbers, hashes);
    known->hash = hashes[known->mine->count - 1];
    known->position = position;
    known->registered = _Pycs_NoteOf(_Pycs_GetTable("PyCustomSlots_Position"), id, &known->bit);
    known->id = id;
    return 0;
}

// What was registered for the type of an object, or the table of an older class with bodies behind it; NULL:
// nothing. Takes the GIL, because types that are not ours are looked up in the process's table. (Under the limited API
// nogil code waits for it without end in a sub-interpreter of CPython 3.10 or 3.11.)
static const void *__Pyx_CustomSlots_RegisteredTable(PyObject *object, __Pyx_CustomSlots_KnownInterface *known, int attached) {
    PyGILState_STATE gil = PyGILState_LOCKED;
    const PyCustomSlot *slot;
    const void *table;
    if (object == Py_None) return NULL;
    if (!attached) attached = _Pycs_IsAttached();
    if (!attached) gil = PyGILState_Ensure();
    slot = PyCustomSlots_FindAny(object, known->id, known->position);
    table = PyCustomSlots_CheckInterface(slot, known->mine->count, known->hash);
    if (!table) table = PyCustomSlots_CompleteInterface(&known->completed, slot, known->mine, known->mine->count);
    if (!attached) PyGILState_Release(gil);
    return table;
}

_Pycs_SLOW const void *__Pyx_CustomSlots_TableElsewhere(PyObject *object, __Pyx_CustomSlots_KnownInterface *known, int attached) {
    const void *table = __Pyx_CustomSlots_RegisteredTable(object, known, attached);
    return table ? table : known->lost;
}

_Pycs_SLOW int __Pyx_CustomSlots_IsRegistered(PyObject *object, __Pyx_CustomSlots_KnownInterface *known) {
    return __Pyx_CustomSlots_RegisteredTable(object, known, 1) != NULL;
}

_Pycs_SLOW int __Pyx_CustomSlots_TestElsewhere(PyObject *object, __Pyx_CustomSlots_KnownInterface *known, int allow_none, const char *argument, const void **table) {
    const void *found = allow_none && object == Py_None ? known->lost : __Pyx_CustomSlots_RegisteredTable(object, known, 1);
    char why[_Pycs_LONGEST_REASON], name[201];
    if (found) {
        if (table) *table = found;
        return 1;
    }
    _Pycs_WhyRefused(PyCustomSlots_FindAny(object, known->id, known->position), known->mine, why);
    PyErr_Format(PyExc_TypeError, "%s%s%sexpected an object that implements interface '%.200s', found '%.200s', which %s",
        argument ? "argument '" : "", argument ? argument : "", argument ? "': " : "", known->mine->name,
        _Pycs_NameOf(Py_TYPE(object), name), why);
    return 0;
}

// A method was called of an object that does not implement the interface: None, or one whose class
// was changed. `raises`: the caller will look for an exception; else the exception is reported as
// unraisable. `attached`: the thread has the GIL.
CYTHON_UNUSED static void __Pyx_CustomSlots_RaiseLost(PyObject *object, const char *iface, const char *method, int raises, int attached) {
    PyGILState_STATE gil = PyGILState_LOCKED;
    PyObject *type, *value, *traceback;
    char name[201];
    if (!attached) attached = _Pycs_IsAttached();
    if (!attached) gil = PyGILState_Ensure();
    if (!raises) PyErr_Fetch(&type, &value, &traceback);
    PyErr_Format(PyExc_TypeError, object == Py_None
            ? "'%.200s' of interface '%.200s' was called on None"
            : "'%.200s' of interface '%.200s' was called on an object of '%.200s', which does not implement it any more",
        method, iface, _Pycs_NameOf(Py_TYPE(object), name));
    if (!raises) {
        PyErr_WriteUnraisable(object);
        PyErr_Restore(type, value, traceback);
    }
    if (!attached) PyGILState_Release(gil);
}

// The table of an object, the lost one if it does not implement the interface. Needs no GIL.
// `attached`: the thread has the GIL (an attached thread state); 0: unknown.
_Pycs_FAST const void *__Pyx_CustomSlots_TableOf(PyObject *object, __Pyx_CustomSlots_KnownInterface *known, size_t count, int attached) {
    const void *table = PyCustomSlots_FindInterface(object, known->id, known->position, count, known->hash);
    return table ? table : __Pyx_CustomSlots_TableElsewhere(object, known, attached);
}

// May the object be assigned to a variable of the interface? 1, and its table in *table, unless
// that is NULL; or 0 with a TypeError, and *table as it was.
_Pycs_FAST int __Pyx_CustomSlots_TestInterface(PyObject *object, __Pyx_CustomSlots_KnownInterface *known, size_t count, int allow_none, const char *argument, const void **table) {
    const void *found = PyCustomSlots_FindInterface(object, known->id, known->position, count, known->hash);
    if (likely(found)) {
        if (table) *table = found;
        return 1;
    }
    return __Pyx_CustomSlots_TestElsewhere(object, known, allow_none, argument, table);
}

// isinstance(object, Interface)
_Pycs_FAST int __Pyx_CustomSlots_Implements(PyObject *object, __Pyx_CustomSlots_KnownInterface *known, size_t count) {
    const PyCustomSlot *slot = PyCustomSlots_Find(object, known->id, known->position);
    if (PyCustomSlots_CheckInterface(slot, count, known->hash)) return 1;
    // A slot with another table may be completed by bodies, or promise more.
    return (slot || (_Pycs_LOAD(uintptr_t, known->registered) & known->bit)) && __Pyx_CustomSlots_IsRegistered(object, known);
}

/////////////// CustomSlotsInterfaceClass.proto ///////////////

#if !__PYX_CUSTOMSLOTS_PLAIN
static PyTypeObject *__Pyx_CustomSlots_InterfaceClass(const PyExtensibleType_InterfaceSpec *spec, const char *name); /*proto*/
#endif

/////////////// CustomSlotsInterfaceClass ///////////////

#if !__PYX_CUSTOMSLOTS_PLAIN
// The class that stands for an interface in Python; a new reference. `name`: of the module's
// attribute; NULL: it gets none, because another module declares the interface. The declaring
// module is the class's __module__, where pickles find it.
static PyTypeObject *__Pyx_CustomSlots_InterfaceClass(const PyExtensibleType_InterfaceSpec *spec, const char *name) {
    PyObject *made = PyExtensibleType_InterfaceClassOf(spec), *module;
    if (likely(made) && name) {
        module = PyObject_GetAttrString(__pyx_m, "__name__");
        if (unlikely(!module) || unlikely(PyObject_SetAttrString(__pyx_m, name, made) < 0)
                || unlikely(PyDict_SetItemString(((PyTypeObject *)made)->tp_dict, "__module__", module) < 0)) Py_CLEAR(made);
        Py_XDECREF(module);
    }
    return (PyTypeObject *)made;
}
#endif

/////////////// CustomSlotsInterfaceBody.proto ///////////////

#if !__PYX_CUSTOMSLOTS_PLAIN
// Gives Python what it finds under the name of a method that no class has: the body, as the hidden class has it.
static int __Pyx_CustomSlots_GiveBody(PyTypeObject *iface, PyTypeObject *hidden, const char *name) {
    PyObject *body = PyObject_GetAttrString((PyObject *)hidden, name), *method = PyDict_GetItemString(iface->tp_dict, name);
    int failed = unlikely(!body) || unlikely(!method) || unlikely(PyObject_SetAttrString(method, "__wrapped__", body) < 0);
    Py_XDECREF(body);
    return -failed;
}
#endif

/////////////// CustomSlotsExportBodies.proto ///////////////

static int __Pyx_CustomSlots_ExportBodies(const PyCustomSlots_Interface *iface, const char *name); /*proto*/

/////////////// CustomSlotsExportBodies ///////////////

// For headers in C: PyCustomSlots_ImportBodies().
static int __Pyx_CustomSlots_ExportBodies(const PyCustomSlots_Interface *iface, const char *name) {
    PyObject *capsule = PyCapsule_New((void *)(uintptr_t)iface, _Pycs_BODIES, NULL);
    int failed = unlikely(!capsule) || unlikely(PyObject_SetAttrString(__pyx_m, name, capsule) < 0);
    Py_XDECREF(capsule);
    return -failed;
}

/////////////// CustomSlotsLikeBase.proto ///////////////
//@requires: CustomSlotsInterface

#if !__PYX_CUSTOMSLOTS_PLAIN
// The table that a class publishes: its own, and if its base implements a longer interface than this
// module knows, the base's functions behind its own. They end before a name among `others`, methods that
// the class overrides as well: it is not known here whether with the signature of the longer interface.
// `made`: for the next interpreter, where the module is imported again. NULL with a MemoryError.
static const void *__Pyx_CustomSlots_LikeBase(PyTypeObject *type, __Pyx_CustomSlots_KnownInterface *known, const void *own, const char *const *others, const void **made) {
    typedef struct { PyCustomSlots_Interface description; const PyCustomSlots_Interface *described; PyCustomSlots_Function functions[1]; } longer;
    const PyCustomSlots_Interface *mine = PyCustomSlots_InterfaceOf(own), *theirs;
    const PyCustomSlots_Function *base = (const PyCustomSlots_Function *)PyCustomSlots_CheckInterface(PyCustomSlots_FindType(type->tp_base, known->id, known->position), mine->count, mine->hashes[mine->count - 1]);
    size_t i, count;
    PyCustomSlots_Function *dispatch;
    longer *fresh;
    theirs = PyCustomSlots_InterfaceOf(base);
    if (!theirs || theirs->size < _Pycs_DESCRIBED || !theirs->names) return own;
    for (count = mine->count; count < theirs->count; count++) {
        const char *const *other = others;
        while (*other && strcmp(*other, theirs->names[count])) other++;
        if (*other) break;
    }
    if (count == mine->count) return own;
    if (*made && PyCustomSlots_InterfaceOf(*made)->hashes == theirs->hashes) return *made;
    fresh = (longer *)calloc(1, sizeof(longer) + 2 * count * sizeof(PyCustomSlots_Function));
    if (unlikely(!fresh)) {
        PyErr_NoMemory();
        return NULL;
    }
    dispatch = fresh->functions + count;
    for (i = 0; i < count; i++) {
        const PyCustomSlots_Interface *from = i < mine->count ? mine : theirs;
        fresh->functions[i] = (i < mine->count ? (const PyCustomSlots_Function *)own : base)[i];
        if (from->dispatch) dispatch[i] = from->dispatch[i];
    }
    memcpy(&fresh->description, theirs, theirs->size < sizeof(*theirs) ? theirs->size : sizeof(*theirs));
    fresh->description.size = sizeof(fresh->description);
    fresh->description.count = count;
    fresh->description.dispatch = dispatch;
    fresh->description.bodies = NULL;
    fresh->described = &fresh->description;
    *made = fresh->functions;
    return *made;
}
#endif

/////////////// CustomSlotsRegisterInterface.proto ///////////////
//@requires: CustomSlotsInterface

// Objects of a type that has no room for slots implement an interface by this table.
CYTHON_UNUSED static int __Pyx_CustomSlots_RegisterInterface(PyObject *type, __Pyx_CustomSlots_KnownInterface *known, const void *table) {
    PyCustomSlot slot;
    if (unlikely(!PyType_Check(type))) {
        PyErr_Format(PyExc_TypeError, "an implementation of interface '%.200s' is registered for a type, found an object of '%.200s'", known->mine->name, Py_TYPE(type)->tp_name);
        return -1;
    }
    slot.id = known->id;
    slot.data.pointer = (void *)(uintptr_t)table;
    return PyCustomSlots_Register((PyTypeObject *)type, &slot);
}

/////////////// CustomSlotsOfType.proto ///////////////

// What the type of an object has under a name, bound to the object: attributes of instances override nothing.
// A new reference; if there is nothing, an AttributeError, or None if it is not `needed`.
static PyObject *__Pyx_CustomSlots_OfType(PyObject *object, PyObject *name, int needed) {
    PyObject *type = (PyObject *)Py_TYPE(object), *found = NULL, *bound = NULL;
    descrgetfunc get;
#if defined(Py_LIMITED_API)
    PyObject *mro = PyObject_GetAttrString(type, "__mro__"), *dict;
    Py_ssize_t i;
    for (i = 0; mro && !found && !PyErr_Occurred() && i < PyTuple_Size(mro); i++) {
        dict = PyObject_GetAttrString(PyTuple_GetItem(mro, i), "__dict__");
        found = dict ? PyObject_GetItem(dict, name) : NULL;
        if (!found && PyErr_ExceptionMatches(PyExc_KeyError)) PyErr_Clear();
        Py_XDECREF(dict);
    }
    Py_XDECREF(mro);
    if (unlikely(!found && PyErr_Occurred())) return NULL;
    get = found ? (descrgetfunc)PyType_GetSlot(Py_TYPE(found), Py_tp_descr_get) : NULL;
#else
#if PY_VERSION_HEX >= 0x030D0000 && CYTHON_COMPILING_IN_CPYTHON
    found = _PyType_LookupRef(Py_TYPE(object), name);
#else
    found = _PyType_Lookup(Py_TYPE(object), name);
    Py_XINCREF(found);
#endif
    get = found ? Py_TYPE(found)->tp_descr_get : NULL;
#endif
    if (get) {
        bound = get(found, object, type);
        Py_DECREF(found);
    } else if (!(bound = found)) {
        PyErr_SetObject(PyExc_AttributeError, name);
    }
    if (!bound && !needed && PyErr_ExceptionMatches(PyExc_AttributeError)) {
        PyErr_Clear();
        Py_INCREF(Py_None);
        bound = Py_None;
    }
    return bound;
}
