/* SPDX-License-Identifier: MIT
 *
 * _customslots/register.h - slots for types that have no room for a table.
 * Included by customslots.h; not for direct use.
 *
 * A type carries a table if its metaclass derives from extensibletype.  That of `list`,
 * of numpy.ndarray or of a class made by another binding generator never will.  For
 * these there is a slower way: the process's table (table.h) has a list of slots
 * for each such type.  PyCustomSlots_Find() does not know it; PyCustomSlots_FindAny() looks
 * there when the type's own table does not have the slot.
 *
 *   cell                        entry                       entry
 *   +----------+---------+      +-----------------+         +-----------------+
 *   | type | 1 | value --|----->| slot {id, data} |    +--->| slot {id, data} |
 *   +----------+---------+      | type, referent  |    |    | ...             |
 *                               | next -----------|----+    | next: NULL      |
 *                               +-----------------+         +-----------------+
 *
 * Readers take no lock of ours.  An entry lives as long as its type.
 *
 * How an entry knows that its type is dead: it belongs to a weak reference, which CPython
 * clears before the memory of the type can be used again, whatever else fails; an entry
 * whose reference does not say "this type" is not there.  The reference stands in the
 * state dictionary of the type's interpreter, its callback holds a capsule, and the
 * destructor of that capsule takes the entry out: when the type dies, and also when the
 * interpreter ends, which calls no callbacks.
 *
 * PyPy has no room in any type object, so this is the only way there, and a type that
 * something was registered for lives as long as the process.
 */
#ifndef Py_CUSTOMSLOTS_REGISTER_H
#define Py_CUSTOMSLOTS_REGISTER_H

#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

#if _PyCustomSlots_SHARES

/* [registered.begin] */
#define _PyCustomSlots_ENTRIES_KEY  "_customslots_registered_v1"
#define _PyCustomSlots_ENTRY_NAME   "_customslots_entry_v1"

typedef struct _PyCustomSlots_Entry {
    PyCustomSlot     slot;
    PyTypeObject    *type;              /* borrowed */
    PyObject *const *referent;          /* holds `type` while it lives; NULL: it is static */
    struct _PyCustomSlots_Entry *next;  /* another slot of this type */
    void            *extension;         /* NULL */
} _PyCustomSlots_Entry;
/* [registered.end] */

/* --------------------------------------------------------------------- reading -- */

/* [registered_note.begin] */
/* The word of table->ids that an ID is noted in, and its bit there. */
_PyCustomSlots_UNUSED static inline uintptr_t *
_PyCustomSlots_NoteOf(_PyCustomSlots_ProcessTable *table, uintptr_t id, uintptr_t *bit)
{
    uintptr_t hash = id * (uintptr_t)0x85EBCA77u;
    hash ^= hash >> 16;
    *bit = (uintptr_t)1 << (hash % (8 * sizeof(uintptr_t)));
    return &table->ids[(hash / (8 * sizeof(uintptr_t))) % 4];
}
/* [registered_note.end] */

/* The entry with this ID behind `first`, NULL if there is none.  `type` is alive. */
_PyCustomSlots_UNUSED static inline const _PyCustomSlots_Entry *
_PyCustomSlots_EntryFor(const void *first, PyTypeObject *type, uintptr_t id)
{
    const _PyCustomSlots_Entry *entry = (const _PyCustomSlots_Entry *)first;
    for (; entry != NULL; entry = _PyCustomSlots_LOAD(_PyCustomSlots_Entry *, &entry->next)) {
        if (entry->slot.id == id
                && (entry->referent == NULL
                    || _PyCustomSlots_LOAD(PyObject *, entry->referent) == (PyObject *)type)) {
            return entry;
        }
    }
    return NULL;
}

_PyCustomSlots_UNUSED static inline const _PyCustomSlots_Entry *
_PyCustomSlots_FindEntry(_PyCustomSlots_Cells *cells, PyTypeObject *type, uintptr_t id)
{
    return _PyCustomSlots_EntryFor(
        _PyCustomSlots_ValueOf(cells, (uintptr_t)type | _PyCustomSlots_KEY_SLOTS), type, id);
}

#if defined(Py_LIMITED_API) || defined(Py_GIL_DISABLED) || defined(PYPY_VERSION)
#  define _PyCustomSlots_OWN_MRO 1
#else
#  define _PyCustomSlots_OWN_MRO 0
#endif

/* The tuple tp_mro, so that it can be read.  With a GIL it stays as long as we run no
   Python code, and we run none: borrowed.  On free-threaded builds another thread may
   replace it and drop the old one at any time; the getter of type.__mro__, called past
   all Python code, takes a reference under CPython's own lock.  The limited API has only
   the attribute, and on PyPy that is what follows __bases__.  NULL, with no exception, if
   there is none (yet). */
_PyCustomSlots_UNUSED static inline PyObject *
_PyCustomSlots_HoldMro(PyTypeObject *type)
{
#if defined(Py_LIMITED_API) || defined(PYPY_VERSION)
    PyObject *kind, *value, *traceback, *mro;
    PyErr_Fetch(&kind, &value, &traceback);
    mro = PyObject_GetAttrString((PyObject *)type, "__mro__");
    PyErr_Restore(kind, value, traceback);
#elif defined(Py_GIL_DISABLED)
    const PyGetSetDef *def;
    PyObject *mro = NULL;
    for (def = PyType_Type.tp_getset; def != NULL && def->name != NULL; def++) {
        if (strcmp(def->name, "__mro__") == 0) {
            mro = def->get((PyObject *)type, def->closure);
            break;
        }
    }
#else
    PyObject *mro = _PyCustomSlots_LOAD(PyObject *, &type->tp_mro);
#endif
#if _PyCustomSlots_OWN_MRO
    if (mro != NULL && !PyTuple_Check(mro)) {           /* None; or a metaclass's joke */
        Py_DECREF(mro);
        mro = NULL;
    }
#endif
    return mro;
}

_PyCustomSlots_HOT const PyCustomSlot *
_PyCustomSlots_FindRegistered(PyTypeObject *type, uintptr_t id)
{
    _PyCustomSlots_ProcessTable *table = _PyCustomSlots_GetTable(NULL);
    _PyCustomSlots_Cells *cells;
    const _PyCustomSlots_Entry *entry;
    PyObject *mro;
    uintptr_t bit, *note;
    Py_ssize_t i, count;

    if (table == NULL) return NULL;
    note = _PyCustomSlots_NoteOf(table, id, &bit);
    if (!(_PyCustomSlots_LOAD(uintptr_t, note) & bit) || id <= PyCustomSlots_SKIP) return NULL;
    cells = _PyCustomSlots_LOAD(_PyCustomSlots_Cells *, &table->cells);
    if (cells == NULL) return NULL;
    entry = _PyCustomSlots_FindEntry(cells, type, id);
    if (entry == NULL && (mro = _PyCustomSlots_HoldMro(type)) != NULL) {
#ifdef Py_LIMITED_API
        count = PyTuple_Size(mro);
        for (i = 1; i < count && entry == NULL; i++) {
            entry = _PyCustomSlots_FindEntry(
                cells, (PyTypeObject *)PyTuple_GetItem(mro, i), id);
        }
#else
        count = PyTuple_GET_SIZE(mro);
        for (i = 1; i < count && entry == NULL; i++) {
            entry = _PyCustomSlots_FindEntry(
                cells, (PyTypeObject *)PyTuple_GET_ITEM(mro, i), id);
        }
#endif
#if _PyCustomSlots_OWN_MRO
        Py_DECREF(mro);
#endif
    }
    return entry != NULL ? &entry->slot : NULL;
}

/* The way there from FindAny: see "compilers" in customslots.h. */
_PyCustomSlots_SLOW const PyCustomSlot *
_PyCustomSlots_FindElsewhere(PyTypeObject *type, uintptr_t id)
{
    return _PyCustomSlots_FindRegistered(type, id);
}

/** The slot with this ID: from the table of the type (what PyCustomSlots_FindType() would
   return, at the same cost), or else one that was registered for the type or for the
   nearest class in its MRO.  NULL if there is none.

   Needs the GIL or, on free-threaded builds, an attached thread state, unlike Find:
   the classes of the MRO must stay alive.  Sets no exception and leaves a pending one alone.
   The first call of a library finds the process's table, which costs some look-ups in a
   dictionary, and in a sub-interpreter a visit to the main one.  Takes no lock, except
   CPython's own for the MRO, on free-threaded builds, where the type's table does not have
   the slot, nothing was registered for the type itself, and the ID was registered for some
   other type.  Under the limited API the MRO is read as the attribute __mro__.
   A slot of a table is borrowed from `type`.  A registered one is borrowed from the type
   it was registered for, and is freed when that type dies, which needs Python code to run. */
_PyCustomSlots_FAST const PyCustomSlot *
PyCustomSlots_FindAnyType(PyTypeObject *type, uintptr_t id, Py_ssize_t expected_pos)
{
    const PyCustomSlot *slot = PyCustomSlots_FindType(type, id, expected_pos);
    return slot != NULL ? slot : _PyCustomSlots_FindElsewhere(type, id);
}

/* --------------------------------------------------------------------- writing -- */

/* Puts an entry in.  1, or 0 with *there if the type has one for this ID already (its
   data may be another), or -1: no memory. */
_PyCustomSlots_UNUSED static int
_PyCustomSlots_AddEntry(_PyCustomSlots_ProcessTable *table, _PyCustomSlots_Entry *entry,
                        PyCustomSlot *there)
{
    const uintptr_t key = (uintptr_t)entry->type | _PyCustomSlots_KEY_SLOTS;
    uintptr_t bit, *note = _PyCustomSlots_NoteOf(table, entry->slot.id, &bit);
    const _PyCustomSlots_Entry *found;
    int result = -1;

    _PyCustomSlots_LockWord(&table->owner);
    entry->next = (_PyCustomSlots_Entry *)_PyCustomSlots_PresentValue(table, key);
    found = _PyCustomSlots_EntryFor(entry->next, entry->type, entry->slot.id);
    if (found != NULL) {
        *there = found->slot;
        result = 0;
    }
    else if (_PyCustomSlots_ReserveCells(table, 1) == 0) {
        _PyCustomSlots_PutValue(table, key, entry);
        _PyCustomSlots_STORE(uintptr_t, note, *note | bit);
        result = 1;
    }
    _PyCustomSlots_UnlockWord(&table->owner);
    return result;
}

/* Takes an entry out, if it is in. */
_PyCustomSlots_UNUSED static void
_PyCustomSlots_RemoveEntry(_PyCustomSlots_ProcessTable *table, _PyCustomSlots_Entry *entry)
{
    const uintptr_t key = (uintptr_t)entry->type | _PyCustomSlots_KEY_SLOTS;
    _PyCustomSlots_Entry *before;

    _PyCustomSlots_LockWord(&table->owner);
    before = (_PyCustomSlots_Entry *)_PyCustomSlots_PresentValue(table, key);
    if (before == entry) _PyCustomSlots_PutValue(table, key, entry->next);
    else {
        while (before != NULL && before->next != entry) before = before->next;
        if (before != NULL) {
            _PyCustomSlots_STORE(_PyCustomSlots_Entry *, &before->next, entry->next);
        }
    }
    _PyCustomSlots_UnlockWord(&table->owner);
}

#if _PyCustomSlots_SUPPORTED

/* The entry of a heap type and what it takes to get it out again. */
typedef struct {
    _PyCustomSlots_ProcessTable *table;
    _PyCustomSlots_Entry         entry;
} _PyCustomSlots_HeapEntry;

/* The destructor of the capsule that the weak reference's callback holds. */
_PyCustomSlots_UNUSED static void
_PyCustomSlots_DropEntry(PyObject *capsule)
{
    _PyCustomSlots_HeapEntry *heap = (_PyCustomSlots_HeapEntry *)PyCapsule_GetPointer(
        capsule, _PyCustomSlots_ENTRY_NAME);
    if (heap == NULL) {
        PyErr_Clear();
        return;
    }
    _PyCustomSlots_RemoveEntry(heap->table, &heap->entry);
    free(heap);
}

/* {capsule: weak reference} of this interpreter; a new reference. */
_PyCustomSlots_UNUSED static PyObject *
_PyCustomSlots_HeapEntries(void)
{
    PyObject *dict = _PyCustomSlots_StateDict();
    PyObject *fresh = PyDict_New(), *held = NULL;
    if (fresh != NULL && dict != NULL) {
        held = PyObject_CallMethod(dict, "setdefault", "sO", _PyCustomSlots_ENTRIES_KEY, fresh);
    }
    Py_XDECREF(fresh);
    if (held != NULL && !PyDict_CheckExact(held)) {
        _PyCustomSlots_RefuseEntry("PyCustomSlots_Register", held, _PyCustomSlots_ENTRIES_KEY,
                                   "a dict");
        Py_CLEAR(held);
    }
    if (held == NULL && !PyErr_Occurred()) {
        PyErr_SetString(PyExc_RuntimeError, "PyCustomSlots_Register: this interpreter has no "
                        "state dictionary (it is starting or ending)");
    }
    return held;
}

/* The callback: `self` is the capsule.  The type counts as dead already; letting the
   reference go is only to free the memory, and may fail. */
_PyCustomSlots_UNUSED static PyObject *
_PyCustomSlots_TypeDied(PyObject *self, PyObject *reference)
{
    PyObject *entries = _PyCustomSlots_HeapEntries();
    (void)reference;
    if (entries == NULL || PyDict_DelItem(entries, self) < 0) PyErr_Clear();
    Py_XDECREF(entries);
    Py_RETURN_NONE;
}

/* Where a weak reference keeps what it refers to; NULL with RuntimeError if that is not known.
   The limited API does not say, but every CPython that has that of 3.10 keeps it behind what
   all objects begin with.  One that does not is refused: then nothing there is `type`. */
_PyCustomSlots_UNUSED static PyObject *const *
_PyCustomSlots_ReferentOf(PyObject *reference, PyTypeObject *type)
{
#ifdef Py_LIMITED_API
    PyObject *const *word = (PyObject *const *)(void *)((char *)reference + sizeof(PyObject));
#else
    PyObject *const *word = &((PyWeakReference *)reference)->wr_object;
#endif
    if (*word == (PyObject *)type) return word;
    PyErr_SetString(PyExc_RuntimeError, "PyCustomSlots_Register: found a weak reference that keeps "
                    "what it refers to in another place than CPython 3.10 to 3.15; build this module "
                    "for this interpreter, without Py_LIMITED_API");
    return NULL;
}

/* Registers a heap type; results as those of _PyCustomSlots_AddEntry(), -1 always with
   an exception. */
_PyCustomSlots_UNUSED static int
_PyCustomSlots_AddHeapEntry(_PyCustomSlots_ProcessTable *table, PyTypeObject *type,
                            const PyCustomSlot *slot, PyCustomSlot *there)
{
    static PyMethodDef callback_def = {
        "_customslots_type_died", _PyCustomSlots_TypeDied, METH_O, NULL};
    PyObject *entries = NULL, *capsule = NULL, *callback = NULL, *reference = NULL;
    _PyCustomSlots_HeapEntry *heap;
    int result = -1;

    heap = (_PyCustomSlots_HeapEntry *)calloc(1, sizeof(*heap));
    if (heap == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    heap->table = table;
    heap->entry.slot = *slot;
    heap->entry.type = type;
    capsule = PyCapsule_New(heap, _PyCustomSlots_ENTRY_NAME, _PyCustomSlots_DropEntry);
    if (capsule == NULL) {
        free(heap);
        goto done;
    }
    if (!(entries = _PyCustomSlots_HeapEntries())) goto done;
    if (!(callback = PyCFunction_New(&callback_def, capsule))) goto done;
    if (!(reference = PyWeakref_NewRef((PyObject *)type, callback))) goto done;
    if (!(heap->entry.referent = _PyCustomSlots_ReferentOf(reference, type))) goto done;
    if (PyDict_SetItem(entries, capsule, reference) < 0) goto done;
    result = _PyCustomSlots_AddEntry(table, &heap->entry, there);
    if (result <= 0 && PyDict_DelItem(entries, capsule) < 0) PyErr_Clear();
    if (result < 0) PyErr_NoMemory();
done:
    Py_XDECREF(entries);
    Py_XDECREF(reference);
    Py_XDECREF(callback);
    Py_XDECREF(capsule);
    return result;
}

#endif /* _PyCustomSlots_SUPPORTED */

/* Registers a type that never dies (on PyPy: from now on); results as above. */
_PyCustomSlots_UNUSED static int
_PyCustomSlots_AddLastingEntry(_PyCustomSlots_ProcessTable *table, PyTypeObject *type,
                               const PyCustomSlot *slot, PyCustomSlot *there)
{
    _PyCustomSlots_Entry *entry = (_PyCustomSlots_Entry *)calloc(1, sizeof(*entry));
    int result = -1;
    if (entry != NULL) {
        entry->slot = *slot;
        entry->type = type;
        result = _PyCustomSlots_AddEntry(table, entry, there);
        if (result <= 0) free(entry);
    }
#if !_PyCustomSlots_SUPPORTED
    if (result > 0) Py_INCREF((PyObject *)type);
#endif
    if (result < 0) PyErr_NoMemory();
    return result;
}

/* The name of a ready class, for a message; the buffer is for that of the limited API. */
_PyCustomSlots_UNUSED static const char *
_PyCustomSlots_NameOf(PyTypeObject *type, char buffer[201])
{
#ifdef Py_LIMITED_API
    PyObject *name = PyObject_GetAttrString((PyObject *)type, "__name__");
    const char *text = name != NULL && PyUnicode_Check(name) ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;
    PyErr_Clear();                               /* of a metaclass that has no names to give */
    buffer[0] = buffer[200] = 0;
    strncpy(buffer, text != NULL ? text : "?", 200);
    Py_XDECREF(name);
    return buffer;
#else
    (void)buffer;
    return type->tp_name;
#endif
}

_PyCustomSlots_UNUSED static int
_PyCustomSlots_CheckRegistration(PyTypeObject *given, const PyCustomSlot *slot)
{
    /* For a type that gcc knows by name, such as PyList_Type, it warns of a read that happens only
       if the type turns out to be longer. */
    PyTypeObject *volatile unknown = given;
    PyTypeObject *type = unknown;
    char buffer[201];
    if (_PyCustomSlots_NameFailed(slot, 1)) return -1;
    if (type == NULL || slot == NULL) {
        PyErr_Format(PyExc_ValueError, "PyCustomSlots_Register: found NULL as the %s, "
                     "expected a %s", type == NULL ? "type" : "slot",
                     type == NULL ? "type object" : "slot with an ID and its data");
        return -1;
    }
    if (Py_TYPE((PyObject *)type) == NULL) {
        PyErr_SetString(PyExc_TypeError, "PyCustomSlots_Register: found a type that is not ready, "
                        "expected one that is; call PyType_Ready() first");
        return -1;
    }
    if (!PyType_Check((PyObject *)type)) {
        PyErr_Format(PyExc_TypeError, "PyCustomSlots_Register: found an object of type "
                     "'%.200s', expected a class",
                     _PyCustomSlots_NameOf(Py_TYPE((PyObject *)type), buffer));
        return -1;
    }
    if (!(_PyCustomSlots_FLAGS(type) & Py_TPFLAGS_READY)) {
#ifdef Py_LIMITED_API    /* to ask it for its name would make it ready */
        PyErr_SetString(PyExc_TypeError, "PyCustomSlots_Register: found a type that is "
                        "not ready, expected one; call PyType_Ready() first");
#else
        PyErr_Format(PyExc_TypeError, "PyCustomSlots_Register(%.200s): found a type that is "
                     "not ready, expected one; call PyType_Ready() first", type->tp_name);
#endif
        return -1;
    }
#if _PyCustomSlots_SUPPORTED
    if (_PyCustomSlots_HasMemory(type)) {
        uintptr_t check = _PyCustomSlots_LOAD(uintptr_t, &_PyCustomSlots_CAST(type)->etp_check)
                          ^ (uintptr_t)type;
        if (check == _PyCustomSlots_READY || check == _PyCustomSlots_UNRESOLVED) {
            PyErr_Format(PyExc_TypeError,
                         "PyCustomSlots_Register(%.200s): found an extensible type, expected "
                         "one that has no room for slots; give it this one with "
                         "PyExtensibleType_SetSlots(), which every look-up finds",
                         _PyCustomSlots_NameOf(type, buffer));
            return -1;
        }
    }
#endif
    if (slot->id <= PyCustomSlots_SKIP) {
        PyErr_Format(PyExc_ValueError,
                     "PyCustomSlots_Register(%.200s): found slot ID %d, which is never found; "
                     "expected one made by PyCustomSlots_ID() or PyCustomSlots_Intern()",
                     _PyCustomSlots_NameOf(type, buffer), (int)slot->id);
        return -1;
    }
    return 0;
}

/** Gives instances of a type that is not extensible, and of its subclasses, a slot that
   PyCustomSlots_FindAny() finds (and PyCustomSlots_Find() does not), in all libraries of
   the process.

   `slot` is copied; what its data points to must live as long as the type.  A registration
   cannot be undone.  It ends with its class, at the moment when weak references to the class
   are cleared: before finalisers of the same garbage run, even if one of them resurrects the
   class.  Static types and their registrations
   live as long as the process, whichever interpreter made them; so do all on PyPy.
   Registering the same data again is fine; so is a subclass with data of its own, which
   takes precedence over that of its bases.

   0, or -1 with TypeError (not a class; not ready; extensible: use
   PyExtensibleType_SetSlots()), ValueError (NULL; ID 0 or 1; the type has other data for this
   ID), MemoryError, or RuntimeError (the process's table is not available; under the limited API also
   in a sub-interpreter, if nothing in the main one has asked for it before).  After a failure
   nothing has changed.  Needs the GIL or, on free-threaded builds, an attached thread state. */
_PyCustomSlots_UNUSED static int
PyCustomSlots_Register(PyTypeObject *type, const PyCustomSlot *slot)
{
    _PyCustomSlots_ProcessTable *table;
    PyCustomSlot there;
    char buffer[201];
    int result;

    if (_PyCustomSlots_CheckRegistration(type, slot) < 0) return -1;
    if (!(table = _PyCustomSlots_GetTable("PyCustomSlots_Register"))) return -1;
#if _PyCustomSlots_SUPPORTED
    result = _PyCustomSlots_IsHeap(type)
        ? _PyCustomSlots_AddHeapEntry(table, type, slot, &there)
        : _PyCustomSlots_AddLastingEntry(table, type, slot, &there);
#else
    result = _PyCustomSlots_AddLastingEntry(table, type, slot, &there);
#endif
    if (result == 0 && there.data.flags != slot->data.flags) {
        PyErr_Format(PyExc_ValueError,
                     "PyCustomSlots_Register(%.200s): found data %p for slot ID %p, expected "
                     "%p, which is registered already; two libraries must agree on the data, "
                     "or use IDs of their own", _PyCustomSlots_NameOf(type, buffer), slot->data.pointer,
                     (void *)slot->id, there.data.pointer);
        result = -1;
    }
    return result < 0 ? -1 : 0;
}

#else /* !_PyCustomSlots_SHARES */

_PyCustomSlots_FAST const PyCustomSlot *
PyCustomSlots_FindAnyType(PyTypeObject *type, uintptr_t id, Py_ssize_t expected_pos)
{
    (void)type;
    (void)id;
    (void)expected_pos;
    return NULL;
}

_PyCustomSlots_UNUSED static int
PyCustomSlots_Register(PyTypeObject *type, const PyCustomSlot *slot)
{
    (void)type;
    (void)slot;
    PyErr_SetString(PyExc_NotImplementedError,
                    "PyCustomSlots_Register: slots exist on CPython and PyPy only, and this is "
                    "another Python; test for these before registering");
    return -1;
}

#endif /* _PyCustomSlots_SHARES */

/** PyCustomSlots_FindAnyType() of the type of `obj`, which must not be NULL. */
_PyCustomSlots_FAST const PyCustomSlot *
PyCustomSlots_FindAny(PyObject *obj, uintptr_t id, Py_ssize_t expected_pos)
{
    return PyCustomSlots_FindAnyType(Py_TYPE(obj), id, expected_pos);
}

#ifdef __cplusplus
}
#endif

#endif /* Py_CUSTOMSLOTS_REGISTER_H */
