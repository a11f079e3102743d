/* SPDX-License-Identifier: MIT
 *
 * _customslots/table.h - what belongs to the process, in one table.
 * Included by customslots.h; not for direct use.
 *
 * Names that are IDs (intern.h), interfaces (interface.h), slots of types without room for a table
 * (register.h) and what is behind Python functions (_typedmethod/register.h) must be the same for
 * libraries that were built apart and never heard of each other, in whichever interpreter they run.
 *
 *   process's table        cells: grow by being replaced; old ones stay readable
 *   +----------------+     +--------------------+
 *   | cells ---------|---->| former, mask, used |
 *   | generation     |     | key | value        | 0     open addressing; a key never leaves
 *   | closed, owner  |     | key | value        | 1     its cell, a value of NULL says "gone"
 *   | services       |     +-----+--------------+
 *   | answers        |
 *   +----------------+
 *
 * The table is ABI: each library runs its own copy of this code on it.  Readers take no lock.
 * A value is stored before its key, and a cell is never used for another key, so a reader
 * that sees a key sees a value of that key.
 */

/* [table.begin] */
#define _Pycs_TABLE_KEY "_customslots_table_v3"
#define _Pycs_ANSWERS   4096

typedef struct {
    uintptr_t   key;        /* 0: free; stored once */
    const void *value;      /* NULL: gone */
} _Pycs_Cell;

typedef struct _Pycs_Cells {
    struct _Pycs_Cells *former;             /* readers may still be in them */
    size_t                       mask;      /* number of cells - 1 */
    size_t                       used;      /* cells with a key: at most a quarter */
    _Pycs_Cell                   cells[1];
} _Pycs_Cells;

/* The answer of a look-up of a registered slot, true while these words are unchanged. */
typedef struct {
    uintptr_t     sequence;         /* odd: being written; goes up by 2 */
    PyTypeObject *type;
    uintptr_t     id;
    uintptr_t     generation;       /* of the table */
    uintptr_t     version;          /* type->tp_version_tag, not 0 */
    PyObject     *mro;              /* type->tp_mro, only to compare with */
    void         *interpreter;      /* the main one; NULL where versions belong to the process */
    const PyCustomSlot *slot;       /* NULL: there is none */
} _Pycs_Answer;

struct PyCustomSlots_Bridge;

/* What a library with the full API does for libraries with the limited one, which can remember no answers.
   Later releases add functions at the end, and leave none out. */
typedef struct {
    size_t    size;                 /* of this struct: which functions there are */
    uintptr_t version;              /* PyCustomSlots_VERSION_HEX */
    const PyCustomSlot *(*find_registered)(PyTypeObject *type, uintptr_t id);
    void *(*find_bridged)(PyTypeObject *type, struct PyCustomSlots_Bridge *bridge);
} _Pycs_Services;

struct _Pycs_LayoutNode;

typedef struct {
    _Pycs_Cells *cells;             /* NULL: empty, or closed */
    uintptr_t ids[4];               /* a bit for each ID that was ever registered, by hash; all: closed */
    uintptr_t generation;           /* goes up with each registration and its end; all bits set: stays */
    uintptr_t types;                /* a bit for each type that may lead to a PyMethodDef */
    uintptr_t closed;               /* the main interpreter has ended: look for a new table */
    uintptr_t owner;                /* the process whose thread is writing; 0: none */
    struct _Pycs_LayoutNode *layouts;   /* typedmethod.h */
    const _Pycs_Services *services;     /* bridge.h; NULL: nobody has brought any */
    _Pycs_Answer answers[_Pycs_ANSWERS];      /* register.h */
} _Pycs_ProcessTable;
/* [table.end] */

/* [keys.begin] */
/* The kinds of keys, and what each is for.  Nobody looks for a kind that is free, and code that
   goes through all keys skips it. */

/* A key is an address, a multiple of four, plus: */
#define _Pycs_KEY_RECORD      0u        /* of a PyMethodDef: its record, for finding typed functions */
#define _Pycs_KEY_LAYOUT      1u        /* of a type: its PyTypedMethodLayout, for the same */
/*                            2            free; */
/* or a hash, shifted left by four, plus: */
#define _Pycs_KEY_NAME        3u        /* of a name: the first _Pycs_Name, for interning */
#define _Pycs_KEY_SLOTS       7u        /* of type and ID: the first _Pycs_Entry, for registering and finding slots */
#define _Pycs_KEY_INTERFACE  11u        /* of an ID: the first _Pycs_InterfaceNode, for its position, and for the
                                           runtime */
/*                           15            free. */
#define _Pycs_KEY_KIND       15u        /* the bits that are the kind of a hash */
/* [keys.end] */

/* --------------------------------------------------------------------- reading -- */

/* Part of the ABI: where a key is looked for first. */
/* [table_hash.begin] */
_Pycs_UNUSED static inline size_t
_Pycs_HashKey(uintptr_t key)
{
    uintptr_t hash = (key >> 4) * (uintptr_t)0x9E3779B1u;
    return (size_t)(hash ^ (hash >> 15));
}
/* [table_hash.end] */

/* The value for a key, NULL if there is none. */
_Pycs_UNUSED static inline const void *
_Pycs_ValueOf(_Pycs_Cells *cells, uintptr_t key)
{
    size_t mask = cells->mask, i = _Pycs_HashKey(key) & mask;
    for (;;) {
        uintptr_t there = _Pycs_LOAD(uintptr_t, &cells->cells[i].key);
        if (there == key) return _Pycs_LOAD(const void *, &cells->cells[i].value);
        if (there == 0) return NULL;
        i = (i + 1) & mask;
    }
}

/* Where this library keeps the address of the table. */
_Pycs_UNUSED static inline _Pycs_ProcessTable **
_Pycs_TableCache(void)
{
    static _Pycs_ProcessTable *cache = NULL;
    return &cache;
}

/* Runs when the main interpreter ends.  The memory stays: its names are IDs, and others may
   be reading. */
_Pycs_UNUSED static void
_Pycs_CloseTable(PyObject *capsule)
{
    _Pycs_ProcessTable *table = (_Pycs_ProcessTable *)PyCapsule_GetPointer(capsule, _Pycs_TABLE_KEY);
    int i;
    if (table == NULL) {
        PyErr_Clear();
        return;
    }
    _Pycs_LockWord(&table->owner);
    for (i = 0; i < 4; i++) _Pycs_STORE(uintptr_t, &table->ids[i], ~(uintptr_t)0);
    _Pycs_STORE(uintptr_t, &table->closed, 1);
    _Pycs_STORE(_Pycs_Cells *, &table->cells, NULL);
    _Pycs_STORE(uintptr_t, &table->generation, (uintptr_t)-1);
    _Pycs_UnlockWord(&table->owner);
}

_Pycs_SLOW _Pycs_ProcessTable *
_Pycs_SeekTable(const char *what)
{
    PyObject *type = NULL, *value = NULL, *traceback = NULL;
    _Pycs_ProcessTable *table;
    if (what == NULL) {
        /* The dictionary that has the entry may be gone already. */
#if PY_VERSION_HEX >= 0x030D0000 && (!defined(Py_LIMITED_API) || Py_LIMITED_API + 0 >= 0x030D0000)
        if (Py_IsFinalizing()) return NULL;
#elif !defined(Py_LIMITED_API)
        if (_Py_IsFinalizing()) return NULL;
#endif
        PyErr_Fetch(&type, &value, &traceback);
    }
    table = (_Pycs_ProcessTable *)_Pycs_GetShared(
        what != NULL ? what : "PyCustomSlots_FindAny", _Pycs_TABLE_KEY,
        sizeof(*table), _Pycs_CloseTable);
    if (table != NULL) {
        _Pycs_STORE(_Pycs_ProcessTable *, _Pycs_TableCache(), table);
    }
    if (what == NULL) PyErr_Restore(type, value, traceback);
    return table;
}

/* The table of this process, made if there is none.  Found once for each library and kept.
   `what`: the function that reports errors; NULL: none are reported, and a pending exception
   stays as it is.  NULL if it cannot be had.  Needs an attached thread state. */
_Pycs_UNUSED static inline _Pycs_ProcessTable *
_Pycs_GetTable(const char *what)
{
    _Pycs_ProcessTable *table = _Pycs_LOAD(_Pycs_ProcessTable *, _Pycs_TableCache());
    if (table != NULL && !_Pycs_LOAD(uintptr_t, &table->closed)) return table;
    return _Pycs_SeekTable(what);
}

/* --------------------------------------------------------------------- writing --
 * All of these: under the lock (lock.h), which is table->owner.
 */

/* The present value for a key, NULL if there is none. */
_Pycs_UNUSED static inline const void *
_Pycs_PresentValue(_Pycs_ProcessTable *table, uintptr_t key)
{
    _Pycs_ASSERT_WORD_LOCKED(&table->owner);
    return table->cells == NULL ? NULL : _Pycs_ValueOf(table->cells, key);
}

_Pycs_UNUSED static inline void
_Pycs_PutInto(_Pycs_Cells *cells, uintptr_t key, const void *value)
{
    size_t i = _Pycs_HashKey(key) & cells->mask;
    while (cells->cells[i].key != 0 && cells->cells[i].key != key) i = (i + 1) & cells->mask;
    _Pycs_STORE(const void *, &cells->cells[i].value, value);
    if (cells->cells[i].key == 0) {
        _Pycs_STORE(uintptr_t, &cells->cells[i].key, key);
        cells->used++;
    }
}

/* Gives a key its value.  A new key needs room; NULL is for a key that is there. */
_Pycs_UNUSED static inline void
_Pycs_PutValue(_Pycs_ProcessTable *table, uintptr_t key, const void *value)
{
    _Pycs_ASSERT_WORD_LOCKED(&table->owner);
    _Pycs_PutInto(table->cells, key, value);
}

/* Makes room for `more` keys.  0, or -1: no memory, or the table was closed; nothing has
   changed.

   Fresh cells are at least twice as many as the former ones, so all cells that were ever replaced
   are together no more than the present ones.  With as many as before, types that come and go
   would make the table be replaced again and again, and replaced cells are kept. */
_Pycs_UNUSED static int
_Pycs_ReserveCells(_Pycs_ProcessTable *table, size_t more)
{
    _Pycs_Cells *former = table->cells, *fresh;
    size_t count = former == NULL ? 256 : 2 * (former->mask + 1), live = 0, i;
    _Pycs_ASSERT_WORD_LOCKED(&table->owner);

    if (table->closed) return -1;
    if (former != NULL && 4 * (former->used + more) <= former->mask + 1) return 0;
    for (i = 0; former != NULL && i <= former->mask; i++) live += former->cells[i].value != NULL;
    while (count < 6 * (live + more)) count *= 2;
    fresh = (_Pycs_Cells *)calloc(1, sizeof(*fresh) + (count - 1) * sizeof(fresh->cells[0]));
    if (fresh == NULL) return -1;
    fresh->former = former;
    fresh->mask = count - 1;
    for (i = 0; former != NULL && i <= former->mask; i++) {
        if (former->cells[i].value != NULL) {
            _Pycs_PutInto(fresh, former->cells[i].key, former->cells[i].value);
        }
    }
    _Pycs_STORE(_Pycs_Cells *, &table->cells, fresh);
    return 0;
}
