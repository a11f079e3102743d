/* SPDX-License-Identifier: MIT
 *
 * _customslots/register.h - slots for types that have no room for a table.
 * Included by customslots.h; not for direct use.
 *
 * A type carries a table if its metaclass derives from extensibletype.  The metaclass of `list`,
 * of numpy.ndarray or of a class made by another binding generator never will.  For these types
 * there is a slower way: the process's table (table.h) has a slot under the hash of type
 * and ID.  PyCustomSlots_Find() does not know it; PyCustomSlots_FindAny() looks
 * there when the type's own table does not have the slot.
 *
 * The answer of a look-up along the MRO, a slot or nothing, is remembered in table->answers, so
 * that the next look-up costs the same for a subclass, for the type itself, and for a type that
 * has nothing.  An answer is true for one generation of the table, in which nothing was
 * registered, and for one version of the type: CPython gives a type another version if its MRO
 * changes, and no version to two types.
 *
 * Readers take no lock.  An entry is never freed, and its type's address and its ID never change:
 * a registration for a new type at the address of a dead one takes the entry over.
 *
 * How an entry knows that its type is dead: it belongs to a weak reference, which CPython
 * clears before the memory of the type can be used again, whatever else fails; an entry whose
 * reference does not lead to this type does not count.  The reference is in the
 * state dictionary of the type's interpreter, its callback holds a capsule, and the
 * destructor of that capsule ends the entry: when the type dies, and also when the
 * interpreter ends, which calls no callbacks.  (On PyPy, such a type lives as long as the process.)
 */

/* [registered.begin] */
#define _Pycs_ENTRIES_KEY  "_customslots_registered_v1"     /* {capsule: weak reference} of an interpreter */
#define _Pycs_ENTRY_NAME   "_customslots_entry_v1"

typedef struct _Pycs_Entry {
    PyCustomSlot     slot;
    PyTypeObject    *type;              /* or the one that died at this address */
    PyTypeObject *const *referent;      /* holds `type` while it lives: &type if it is immortal;
                                           NULL: the registration has ended */
    struct _Pycs_Entry *next;           /* another one with this key */
} _Pycs_Entry;
/* [registered.end] */

/* --------------------------------------------------------------------- reading -- */

/* [registered_key.begin] */
/* The key of the slot with this ID of a type. */
_Pycs_UNUSED static inline uintptr_t
_Pycs_SlotKey(const PyTypeObject *type, uintptr_t id)
{
    uintptr_t hash = ((uintptr_t)type >> 4) * (uintptr_t)0x9E3779B1u + id * (uintptr_t)0x85EBCA77u;
    return (hash ^ (hash >> 15)) << 4 | _Pycs_KEY_SLOTS;
}
/* [registered_key.end] */

/* [registered_note.begin] */
/* The word of table->ids that an ID is noted in, and its bit there. */
_Pycs_UNUSED static inline uintptr_t *
_Pycs_NoteOf(_Pycs_ProcessTable *table, uintptr_t id, uintptr_t *bit)
{
    uintptr_t hash = id * (uintptr_t)0x85EBCA77u;
    hash ^= hash >> 16;
    *bit = (uintptr_t)1 << (hash % (8 * sizeof(uintptr_t)));
    return &table->ids[(hash / (8 * sizeof(uintptr_t))) % 4];
}
/* [registered_note.end] */

/* 0: nothing was ever registered for this ID. */
_Pycs_UNUSED static inline int
_Pycs_IsNoted(_Pycs_ProcessTable *table, uintptr_t id)
{
    uintptr_t bit, *note = _Pycs_NoteOf(table, id, &bit);
    return (_Pycs_LOAD(uintptr_t, note) & bit) != 0;
}

/* Does the entry serve the type that is at its address now? */
_Pycs_UNUSED static inline int
_Pycs_Serves(const _Pycs_Entry *entry)
{
    PyTypeObject *const *referent = _Pycs_LOAD(PyTypeObject *const *, &entry->referent);
    return referent != NULL && _Pycs_LOAD(PyTypeObject *, referent) == entry->type;
}

/* The entry of a type that is alive, NULL if there is none. */
_Pycs_UNUSED static inline const _Pycs_Entry *
_Pycs_FindEntry(_Pycs_Cells *cells, PyTypeObject *type, uintptr_t id)
{
    const _Pycs_Entry *entry = (const _Pycs_Entry *)_Pycs_ValueOf(cells, _Pycs_SlotKey(type, id));
    while (entry != NULL && !(entry->type == type && entry->slot.id == id
                              && _Pycs_Serves(entry))) entry = entry->next;
    return entry;
}

/* The tuple tp_mro, until LetMroGo().  On free-threaded builds another thread may replace it and drop the
   old one at any time; the getter of type.__mro__, called past all Python code, takes a
   reference under CPython's own lock.  The limited API has only the attribute __mro__, and on PyPy
   only the attribute follows __bases__.  Elsewhere the tuple stays as long as we run no Python
   code, and we run none.  NULL, with no exception, if there is none (yet). */
#if defined(Py_LIMITED_API) || defined(Py_GIL_DISABLED) || !_Pycs_SUPPORTED
#  define _Pycs_LetMroGo(mro) Py_DECREF(mro)
_Pycs_UNUSED static inline PyObject *
_Pycs_HoldMro(PyTypeObject *type)
{
#if defined(Py_LIMITED_API) || !_Pycs_SUPPORTED
    PyObject *kind, *value, *traceback, *mro;
    PyErr_Fetch(&kind, &value, &traceback);
    mro = PyObject_GetAttrString((PyObject *)type, "__mro__");
    PyErr_Restore(kind, value, traceback);
#else
    const PyGetSetDef *def;
    PyObject *mro = NULL;
    for (def = PyType_Type.tp_getset; def != NULL && def->name != NULL; def++) {
        if (strcmp(def->name, "__mro__") == 0) {
            mro = def->get((PyObject *)type, def->closure);
            break;
        }
    }
#endif
    if (mro != NULL && !PyTuple_Check(mro)) {           /* None; or whatever a metaclass says */
        Py_DECREF(mro);
        mro = NULL;
    }
    return mro;
}
#else
#  define _Pycs_LetMroGo(mro)  ((void)(mro))
#  define _Pycs_HoldMro(type) _Pycs_LOAD(PyObject *, &(type)->tp_mro)
#endif

/* No answers are remembered, and each look-up follows the MRO: where the version cannot be read; in
   3.10, where versions are given again after sys._clear_type_cache(); and in later versions of
   CPython, until all this is known to be true there. */
#if !_Pycs_SUPPORTED || defined(Py_LIMITED_API) \
    || PY_VERSION_HEX < 0x030B0000 || PY_VERSION_HEX >= 0x03100000
#  define _Pycs_REMEMBERS 0
#  define _Pycs_Recall(table, type, id, slot) ((void)(slot), 0)
#  define _Pycs_BeginAnswer(table, type, id, found) ((void)(found))
#  define _Pycs_EndAnswer(table, found) ((void)(found))
#else
#  define _Pycs_REMEMBERS 1

/* The version of a type, which CPython changes with its MRO; 0: the type has none now. */
_Pycs_UNUSED static inline uintptr_t
_Pycs_VersionOf(PyTypeObject *type)
{
    return _Pycs_LOAD(unsigned int, &type->tp_version_tag);
}

/* From 3.16 on the word may be elsewhere, and another one the same by chance: to be looked at when 3.16 exists. */
#if PY_VERSION_HEX >= 0x030D0000 && PY_VERSION_HEX < 0x03100000 && defined(__ELF__)
#  define _Pycs_READS_NEWEST

/* What CPython begins its own state with, for debuggers (its documentation: "Remote debugging attachment protocol"). */
typedef struct {
    char     cookie[8];
    uint64_t version, free_threaded, size, finalizing;
    uint64_t interpreters_head;     /* from here to the address of the newest interpreter */
} _Pycs_DebugOffsets;

extern char _Pycs_runtime[] __asm__("_PyRuntime") __attribute__((weak));

/* Where the address of the newest interpreter is; until that is known, a word that is nobody's address. */
_Pycs_UNUSED static inline void ***
_Pycs_NewestPlace(void)
{
    static void *nobody = &nobody;
    static void **place = &nobody;
    return &place;
}

/* Finds that place, if the word there is what PyInterpreterState_Head() returns. */
_Pycs_SLOW void
_Pycs_SeekNewest(void)
{
    const _Pycs_DebugOffsets *offsets = (const _Pycs_DebugOffsets *)(void *)_Pycs_runtime;
    void *const newest = (void *)PyInterpreterState_Head(), **place;
    if (offsets == NULL || memcmp(offsets->cookie, "xdebugpy", 8) != 0) return;
    place = (void **)(void *)(_Pycs_runtime + offsets->interpreters_head);
    if (_Pycs_LOAD(void *, place) == newest) _Pycs_STORE(void **, _Pycs_NewestPlace(), place);
}
#endif

/* The interpreter to which a version belongs: from 3.12 on each interpreter counts the versions of its heap
   types.  This is the newest interpreter, which is the main one if there is no other; only then are such answers
   kept.  A call of PyInterpreterState_Head() costs up to 2 ns, loading what it returns 0.5.  Nothing cheaper is
   right: no word of a heap type says to which interpreter it belongs, a type of a new interpreter may have a dead
   type's address, version and MRO, and a library is told of nothing before the first look-up there. */
_Pycs_UNUSED static inline void *
_Pycs_VersionOwner(PyTypeObject *type)
{
#ifdef _Pycs_READS_NEWEST
    if (_Pycs_IsHeap(type)) return _Pycs_LOAD(void *, _Pycs_LOAD(void **, _Pycs_NewestPlace()));
#elif PY_VERSION_HEX >= 0x030C0000
    if (_Pycs_IsHeap(type)) return (void *)PyInterpreterState_Head();
#endif
    (void)type;
    return NULL;
}

/* Where the answer for type and ID is remembered. */
/* [registered_place.begin] */
_Pycs_UNUSED static inline _Pycs_Answer *
_Pycs_AnswerFor(_Pycs_ProcessTable *table, PyTypeObject *type, uintptr_t id)
{
    return &table->answers[(((uintptr_t)type >> 4) + (id * (uintptr_t)0x85EBCA77u >> 16)) % _Pycs_ANSWERS];
}
/* [registered_place.end] */

/* The version of a type.  A type gets its version here if none of its attributes was looked up yet. */
_Pycs_UNUSED static uintptr_t
_Pycs_GetVersion(PyTypeObject *type)
{
    if (_Pycs_VersionOf(type) == 0 && _Pycs_LOAD(PyObject *, &type->tp_mro) != NULL) {
#if PY_VERSION_HEX >= 0x030C0000
        (void)PyUnstable_Type_AssignVersionTag(type);
#else
        PyObject *kind, *value, *traceback, *name;
        PyErr_Fetch(&kind, &value, &traceback);
        name = PyUnicode_InternFromString("__mro__");
        if (name != NULL) (void)_PyType_Lookup(type, name);
        Py_XDECREF(name);
        PyErr_Restore(kind, value, traceback);
#endif
    }
    return _Pycs_VersionOf(type);
}

/* Is the answer for type and ID remembered, and true?  If so, it is stored in *slot. */
_Pycs_FAST int
_Pycs_Recall(_Pycs_ProcessTable *table, PyTypeObject *type, uintptr_t id, const PyCustomSlot **slot)
{
    void *const owner = _Pycs_VersionOwner(type);   /* first: it may be a call, and little has to survive it */
    const _Pycs_Answer *answer = _Pycs_AnswerFor(table, type, id);
    const uintptr_t sequence = _Pycs_LOAD(uintptr_t, &answer->sequence);
    if (_Pycs_LIKELY(_Pycs_LOAD(PyTypeObject *, &answer->type) == type
            && _Pycs_LOAD(uintptr_t, &answer->id) == id
            && _Pycs_LOAD(uintptr_t, &answer->generation)
               == _Pycs_LOAD(uintptr_t, &table->generation)
            && _Pycs_LOAD(uintptr_t, &answer->version) == _Pycs_VersionOf(type)
            && _Pycs_LOAD(PyObject *, &answer->mro)
               == _Pycs_LOAD(PyObject *, &type->tp_mro)
            && _Pycs_LOAD(void *, &answer->interpreter) == owner)) {
        *slot = _Pycs_LOAD(const PyCustomSlot *, &answer->slot);
        return _Pycs_LOAD(uintptr_t, &answer->sequence) == (sequence & ~(uintptr_t)1);
    }
    return 0;
}

/* Remembers an answer, unless another thread is writing there. */
_Pycs_UNUSED static void
_Pycs_Remember(_Pycs_ProcessTable *table, const _Pycs_Answer *found)
{
    _Pycs_Answer *answer = _Pycs_AnswerFor(table, found->type, found->id);
    uintptr_t sequence = _Pycs_LOAD(uintptr_t, &answer->sequence);
    if (sequence % 2 != 0 || !_Pycs_SwapWord(&answer->sequence, sequence, sequence + 1)) return;
    _Pycs_STORE(PyTypeObject *, &answer->type, found->type);
    _Pycs_STORE(uintptr_t, &answer->id, found->id);
    _Pycs_STORE(uintptr_t, &answer->generation, found->generation);
    _Pycs_STORE(uintptr_t, &answer->version, found->version);
    _Pycs_STORE(PyObject *, &answer->mro, found->mro);
    _Pycs_STORE(void *, &answer->interpreter, found->interpreter);
    _Pycs_STORE(const PyCustomSlot *, &answer->slot, found->slot);
    _Pycs_STORE(uintptr_t, &answer->sequence, sequence + 2);
}

/* Reads what makes an answer true, before the answer is looked for. */
_Pycs_UNUSED static void
_Pycs_BeginAnswer(_Pycs_ProcessTable *table, PyTypeObject *type, uintptr_t id, _Pycs_Answer *found)
{
    found->type = type;
    found->id = id;
    found->generation = table != NULL ? _Pycs_LOAD(uintptr_t, &table->generation) : (uintptr_t)-1;
    found->version = _Pycs_GetVersion(type);
    found->mro = _Pycs_LOAD(PyObject *, &type->tp_mro);
#ifdef _Pycs_READS_NEWEST
    _Pycs_SeekNewest();
#endif
    found->interpreter = _Pycs_VersionOwner(type);
}

/* Remembers found->slot, if a later look-up can tell whether it is still true. */
_Pycs_UNUSED static void
_Pycs_EndAnswer(_Pycs_ProcessTable *table, const _Pycs_Answer *found)
{
    if (found->version != 0 && found->generation != (uintptr_t)-1
            && (found->interpreter == NULL || found->interpreter == (void *)PyInterpreterState_Main())) {
        _Pycs_Remember(table, found);
    }
}
#endif

_Pycs_UNUSED static const PyCustomSlot *
_Pycs_FollowMro(_Pycs_ProcessTable *table, PyTypeObject *type, uintptr_t id)
{
    _Pycs_Cells *cells = _Pycs_LOAD(_Pycs_Cells *, &table->cells);
    const _Pycs_Entry *entry;
    PyObject *mro;
    Py_ssize_t i, count;

    if (cells == NULL || !_Pycs_IsNoted(table, id)) return NULL;
    entry = _Pycs_FindEntry(cells, type, id);
    if (entry == NULL && (mro = _Pycs_HoldMro(type)) != NULL) {
        count = Py_SIZE(mro);
        for (i = 1; i < count && entry == NULL; i++) {
            entry = _Pycs_FindEntry(cells, _Pycs_TYPE_AT(mro, i), id);
        }
        _Pycs_LetMroGo(mro);
    }
    return entry != NULL ? &entry->slot : NULL;
}

/* --------------------------------------------------------------------- writing -- */

/* Makes all answers untrue.  Under the lock. */
_Pycs_UNUSED static inline void
_Pycs_ForgetAnswers(_Pycs_ProcessTable *table)
{
    _Pycs_ASSERT_WORD_LOCKED(&table->owner);
    if (table->generation != (uintptr_t)-1) {
        _Pycs_STORE(uintptr_t, &table->generation, table->generation + 1);
    }
}

/* The entry for the type and ID of `given`: a new one with what `given` says (its referent is NULL:
   the type is immortal), or the one that is there already, whose data may be different.  NULL,
   without an exception: no memory. */
_Pycs_UNUSED static _Pycs_Entry *
_Pycs_AddEntry(_Pycs_ProcessTable *table, const _Pycs_Entry *given)
{
    const uintptr_t id = given->slot.id, key = _Pycs_SlotKey(given->type, id);
    uintptr_t bit, *note = _Pycs_NoteOf(table, id, &bit);
    _Pycs_Entry *first, *at, *ended = NULL;

    _Pycs_LockWord(&table->owner);
    first = (_Pycs_Entry *)_Pycs_PresentValue(table, key);
    for (at = first; at != NULL; at = at->next) {
        if (at->type != given->type || at->slot.id != id) continue;
        if (_Pycs_Serves(at)) goto done;
        if (at->referent == NULL) ended = at;
    }
    if (ended == NULL) {
        if (_Pycs_ReserveCells(table, 1) < 0 || !(ended = (_Pycs_Entry *)calloc(1, sizeof(*ended)))) goto done;
        ended->slot.id = id;
        ended->type = given->type;
        ended->next = first;
        _Pycs_PutValue(table, key, ended);
    }
    at = ended;
    _Pycs_STORE(uintptr_t, note, *note | bit);
    at->slot.data = given->slot.data;
    _Pycs_STORE(PyTypeObject *const *, &at->referent, given->referent != NULL ? given->referent : &at->type);
    _Pycs_ForgetAnswers(table);
done:
    _Pycs_UnlockWord(&table->owner);
    return at;
}

#if _Pycs_SUPPORTED

/* The destructor of the capsule that the weak reference's callback holds.  The capsule's pointer is the
   table; its context is the entry, once there is one. */
_Pycs_UNUSED static void
_Pycs_EndEntry(PyObject *capsule)
{
    _Pycs_ProcessTable *table = (_Pycs_ProcessTable *)PyCapsule_GetPointer(capsule, _Pycs_ENTRY_NAME);
    _Pycs_Entry *entry = table != NULL ? (_Pycs_Entry *)PyCapsule_GetContext(capsule) : NULL;
    if (table == NULL) PyErr_Clear();
    if (entry == NULL) return;
    _Pycs_LockWord(&table->owner);
    _Pycs_STORE(PyTypeObject *const *, &entry->referent, NULL);
    _Pycs_ForgetAnswers(table);
    _Pycs_UnlockWord(&table->owner);
}

/* The callback: `self` is the capsule.  The type counts as dead already; letting the
   reference go is only to free the memory, and may fail. */
_Pycs_UNUSED static PyObject *
_Pycs_TypeDied(PyObject *self, PyObject *reference)
{
    PyObject *entries = _Pycs_DictInState("PyCustomSlots_Register", _Pycs_ENTRIES_KEY);
    (void)reference;
    if (entries == NULL || PyDict_DelItem(entries, self) < 0) PyErr_Clear();
    Py_XDECREF(entries);
    Py_RETURN_NONE;
}

/* Where a weak reference keeps its referent; NULL with RuntimeError if that is not known.  The
   limited API does not say, but every CPython that has the limited API of 3.10 keeps the referent
   behind the head.  A CPython that does not is refused: `type` is not found there. */
_Pycs_UNUSED static PyTypeObject *const *
_Pycs_ReferentOf(PyObject *reference, PyTypeObject *type)
{
#ifdef Py_LIMITED_API
    const Py_ssize_t head = _Pycs_Head();
    PyTypeObject *const *word = (PyTypeObject *const *)_Pycs_Word(
        reference, head > 0 ? head : _Pycs_AskSize(&PyBaseObject_Type), 0);
#else
    PyTypeObject *const *word = (PyTypeObject *const *)&((PyWeakReference *)reference)->wr_object;
#endif
    if (*word == type) return word;
    PyErr_SetString(PyExc_RuntimeError, "PyCustomSlots_Register: found a weak reference that keeps "
                    "what it refers to in another place than CPython 3.10 to 3.15; build this module "
                    "for this interpreter, without Py_LIMITED_API");
    return NULL;
}

/* The same for a heap type: makes the weak reference that is its referent.  NULL also with an exception. */
_Pycs_UNUSED static _Pycs_Entry *
_Pycs_AddHeapEntry(_Pycs_ProcessTable *table, _Pycs_Entry *given)
{
    static PyMethodDef callback_def = {
        "_customslots_type_died", _Pycs_TypeDied, METH_O, NULL};
    PyObject *entries = NULL, *capsule = NULL, *callback = NULL, *reference = NULL;
    _Pycs_Entry *entry = NULL;

    if (!(capsule = PyCapsule_New(table, _Pycs_ENTRY_NAME, _Pycs_EndEntry))) goto done;
    if (!(entries = _Pycs_DictInState("PyCustomSlots_Register", _Pycs_ENTRIES_KEY))) goto done;
    if (!(callback = PyCFunction_New(&callback_def, capsule))) goto done;
    if (!(reference = PyWeakref_NewRef((PyObject *)given->type, callback))) goto done;
    if (!(given->referent = _Pycs_ReferentOf(reference, given->type))) goto done;
    if (PyDict_SetItem(entries, capsule, reference) < 0) goto done;
    entry = _Pycs_AddEntry(table, given);
    if (entry != NULL && entry->referent == given->referent) (void)PyCapsule_SetContext(capsule, entry);
    else if (PyDict_DelItem(entries, capsule) < 0) PyErr_Clear();
done:
    Py_XDECREF(entries);
    Py_XDECREF(reference);
    Py_XDECREF(callback);
    Py_XDECREF(capsule);
    return entry;
}

#endif /* _Pycs_SUPPORTED */

/* The name of a ready class, for a message; the buffer is for the name that the limited API gives. */
_Pycs_UNUSED static const char *
_Pycs_NameOf(PyTypeObject *type, char buffer[201])
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

_Pycs_UNUSED static int
_Pycs_CheckRegistration(PyTypeObject *given, const PyCustomSlot *slot)
{
    /* For a type that gcc knows by name, such as PyList_Type, gcc warns of a read that happens
       only if the type turns out to be longer. */
    PyTypeObject *volatile unknown = given;
    PyTypeObject *type = unknown;
    char buffer[201];
    if (_Pycs_NameFailed(slot, 1)) return -1;
    if (type == NULL || slot == NULL) {
        PyErr_Format(PyExc_ValueError, "PyCustomSlots_Register: found NULL as the %s, "
                     "expected a %s", type == NULL ? "type" : "slot",
                     type == NULL ? "type object" : "slot with an ID and its data");
        return -1;
    }
    if (Py_TYPE((PyObject *)type) != NULL && !PyType_Check((PyObject *)type)) {
        PyErr_Format(PyExc_TypeError, "PyCustomSlots_Register: found an object of type "
                     "'%.200s', expected a class",
                     _Pycs_NameOf(Py_TYPE((PyObject *)type), buffer));
        return -1;
    }
    if (Py_TYPE((PyObject *)type) == NULL || !(_Pycs_FLAGS(type) & Py_TPFLAGS_READY)) {
#ifdef Py_LIMITED_API    /* asking the type for its name would make it ready */
        const char *name = NULL;
#else
        const char *name = type->tp_name;
#endif
        PyErr_Format(PyExc_TypeError, "PyCustomSlots_Register(%.200s): found a type that is not ready, "
                     "expected one that is; call PyType_Ready() first", name != NULL ? name : "?");
        return -1;
    }
#if _Pycs_SUPPORTED
    if (_Pycs_HasMemory(type) && _Pycs_Passes(type)) {
        PyErr_Format(PyExc_TypeError,
                     "PyCustomSlots_Register(%.200s): found an extensible type, expected "
                     "one that has no room for slots; declare the slot with the others when the "
                     "class is made, or give it all of its own with PyExtensibleType_SetSlots()",
                     _Pycs_NameOf(type, buffer));
        return -1;
    }
#endif
    if (slot->id <= PyCustomSlots_SKIP) {
        PyErr_Format(PyExc_ValueError,
                     "PyCustomSlots_Register(%.200s): found slot ID %d, which is never found; "
                     "expected one made by PyCustomSlots_ID() or PyCustomSlots_Intern()",
                     _Pycs_NameOf(type, buffer), (int)slot->id);
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
   live as long as the process, whichever interpreter made them; on PyPy all types do.
   Registering the same data again is fine.  A subclass may have data of its own, which takes
   precedence over its bases' data.

   0, or -1 with TypeError (not a class; not ready; extensible: use
   PyExtensibleType_SetSlots()), ValueError (NULL; ID 0 or 1; the type has other data for this
   ID), MemoryError, or RuntimeError (the process's table is not available; under the limited API also
   in a sub-interpreter, if nothing in the main one has asked for it before).  After a failure
   nothing has changed.  Needs the GIL or, on free-threaded builds, an attached thread state. */
_Pycs_UNUSED static int
PyCustomSlots_Register(PyTypeObject *type, const PyCustomSlot *slot)
{
    _Pycs_Entry given = {{0, {NULL}}, type, NULL, NULL}, *entry;
    _Pycs_ProcessTable *table;
    const char *name;
    char buffer[201];

    if (_Pycs_CheckRegistration(type, slot) < 0) return -1;
    if (!(table = _Pycs_GetTable("PyCustomSlots_Register"))) return -1;
    given.slot = *slot;
#if _Pycs_SUPPORTED
    entry = _Pycs_IsHeap(type) ? _Pycs_AddHeapEntry(table, &given) : _Pycs_AddEntry(table, &given);
#else
    if ((entry = _Pycs_AddEntry(table, &given)) != NULL) Py_INCREF((PyObject *)type);
#endif
    if (entry == NULL) {
        if (!PyErr_Occurred()) PyErr_NoMemory();
        return -1;
    }
    if (entry->slot.data.flags == slot->data.flags) return 0;
    name = _Pycs_NameWithID(slot->id);
    PyErr_Format(PyExc_ValueError,
                 "PyCustomSlots_Register(%.200s): found data %p for slot ID %p%s%.200s%s, expected "
                 "%p, which is registered already; two libraries must agree on the data, "
                 "or use IDs of their own", _Pycs_NameOf(type, buffer), slot->data.pointer, (void *)slot->id,
                 name != NULL ? " ('" : "", name != NULL ? name : "", name != NULL ? "')" : "",
                 entry->slot.data.pointer);
    return -1;
}
