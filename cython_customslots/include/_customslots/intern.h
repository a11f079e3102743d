/* SPDX-License-Identifier: MIT
 *
 * _customslots/intern.h - one number for one string, in the whole process.
 * Included by customslots.h; not for direct use.
 *
 * Libraries that were built apart and never heard of each other must come to the
 * same pointer ID for the same name, in whichever interpreter of the process they
 * run.  There is no shared library that could hold the names, so the process's table does
 * (table.h): the address of a name there is its ID.  Names never change and never go: IDs
 * may be in static tables.
 */

/* [intern.begin] */
typedef struct _Pycs_Name {
    struct _Pycs_Name *next;               /* another one with this hash */
    size_t length;                         /* of the text, without its final NUL */
    char   text[1];                        /* length + 1 bytes */
} _Pycs_Name;
/* [intern.end] */

/* [intern_key.begin] */
/* The key of a name: its FNV-1a hash of 32 bits. */
_Pycs_UNUSED static inline uintptr_t
_Pycs_NameKey(const char *text, size_t length)
{
    uint32_t hash = 2166136261u;
    size_t i;
    for (i = 0; i < length; i++) hash = (hash ^ (unsigned char)text[i]) * 16777619u;
    return ((uintptr_t)hash << 4) | _Pycs_KEY_NAME;
}
/* [intern_key.end] */

/* The name with this text, `first` or one behind it; NULL if there is none. */
_Pycs_UNUSED static inline const _Pycs_Name *
_Pycs_SameName(const void *first, const char *text, size_t length)
{
    const _Pycs_Name *name = (const _Pycs_Name *)first;
    while (name != NULL && (name->length != length || memcmp(name->text, text, length) != 0)) {
        name = name->next;
    }
    return name;
}

/** A pointer ID for a name: equal for equal strings, different for different ones,
   in every library and interpreter of this process; even, and never EMPTY or SKIP.
   Not stable between processes.

   `name`: a NUL-terminated string, copied; use a qualified one, as "numpy.ndarray".  One
   without a dot is taken, too, because signatures of typed functions are interned as well.
   Result: the ID, or 0 with an exception (MemoryError; ValueError for NULL or "").
   Needs the GIL or, on free-threaded builds, an attached thread state.  Costs a
   look-up by hash, and a library's first call some look-ups in a dictionary: call it once
   and keep the ID.  In the initialiser of an array of slots it need not be checked: the
   functions that take slots fail with its exception.
   After a failure nothing has changed.  (Source of the idea: SEP 200's "pointer
   IDs", and the intern table of old numba.) */
_Pycs_UNUSED static uintptr_t
PyCustomSlots_Intern(const char *name)
{
    _Pycs_ProcessTable *table;
    _Pycs_Cells *cells;
    const _Pycs_Name *there = NULL;
    _Pycs_Name *fresh;
    uintptr_t key;
    size_t length;

    if (name == NULL || name[0] == '\0') {
        PyErr_Format(PyExc_ValueError,
                     "PyCustomSlots_Intern: found %s, expected a name, such as \"package.name\"",
                     name == NULL ? "NULL" : "an empty string");
        return 0;
    }
    if (!(table = _Pycs_GetTable("PyCustomSlots_Intern"))) return 0;
    length = strlen(name);
    key = _Pycs_NameKey(name, length);
    cells = _Pycs_LOAD(_Pycs_Cells *, &table->cells);
    if (cells != NULL) {
        there = _Pycs_SameName(_Pycs_ValueOf(cells, key), name, length);
        if (there != NULL) return (uintptr_t)there;
    }
    fresh = (_Pycs_Name *)malloc(sizeof(*fresh) + length);
    if (fresh != NULL) {
        fresh->length = length;
        memcpy(fresh->text, name, length + 1);

        _Pycs_LockWord(&table->owner);
        fresh->next = (_Pycs_Name *)_Pycs_PresentValue(table, key);
        there = _Pycs_SameName(fresh->next, name, length);
        if (there == NULL && _Pycs_ReserveCells(table, 1) == 0) {
            _Pycs_PutValue(table, key, fresh);
            there = fresh;
        }
        _Pycs_UnlockWord(&table->owner);

        if (there != fresh) free(fresh);
    }
    if (there == NULL) PyErr_NoMemory();
    return (uintptr_t)there;
}

/* The text of an interned ID, NULL if the number is none: reads no memory but the names in the process's
   table.  Needs an attached thread state; sets no exception and leaves a pending one alone. */
_Pycs_UNUSED _Pycs_NOINLINE static const char *
_Pycs_NameWithID(uintptr_t id)
{
    _Pycs_ProcessTable *table = _Pycs_GetTable(NULL);
    _Pycs_Cells *cells = table == NULL ? NULL : _Pycs_LOAD(_Pycs_Cells *, &table->cells);
    size_t i;
    for (i = 0; cells != NULL && i <= cells->mask; i++) {
        uintptr_t key = _Pycs_LOAD(uintptr_t, &cells->cells[i].key);
        const _Pycs_Name *name;
        if ((key & _Pycs_KEY_KIND) != _Pycs_KEY_NAME) continue;
        name = (const _Pycs_Name *)_Pycs_LOAD(const void *, &cells->cells[i].value);
        for (; name != NULL; name = name->next) {
            if ((uintptr_t)name == id) return name->text;
        }
    }
    return NULL;
}

/* Does one of these slots lack its ID because PyCustomSlots_Intern() failed?  Its exception is set. */
_Pycs_UNUSED static int
_Pycs_NameFailed(const PyCustomSlot *slots, Py_ssize_t count)
{
    Py_ssize_t i;
    if (slots == NULL || !PyErr_Occurred()) return 0;
    for (i = 0; i < count; i++) {
        if (slots[i].id == PyCustomSlots_EMPTY) return 1;
    }
    return 0;
}
