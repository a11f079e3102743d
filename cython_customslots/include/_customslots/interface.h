/* SPDX-License-Identifier: MIT
 *
 * _customslots/interface.h - a table of functions that says which functions it has.
 * Included by customslots.h; not for direct use.
 *
 * A slot whose data points to a table of functions is a protocol; an interface is a protocol
 * whose table can be checked.  The word in front of the functions leads to a description with
 * a hash for each of them:
 *
 *     slot                 table                        description
 *     +------+------+      +-------------------+        +---------------------------+
 *     | id   | data |--+   | description ------|------->| size count                |
 *     +------+------+  |   +-------------------+        | hashes -> h0 h1 h2        |
 *                      +-->| area              | 0      | layout numbers names name |
 *                          | scale             | 1      | dispatch base bodies      |
 *                          | draw              | 2      +---------------------------+
 *                          +-------------------+
 *
 * hashes[i] covers the signatures of the first i + 1 functions.  So code that was built for n of
 * them makes one comparison, and a table to which functions were appended passes it.  An
 * interface that extends another one appends, too: one table serves both IDs.
 *
 * Each function takes the object first.  Tables and descriptions are never freed or changed:
 * code that has found a table may call its functions as long as it holds the object, whatever
 * happens to the object's class in that time.  (Source of the idea: SEP 200's vtables behind slots,
 * and the prefix rule of COM.)
 */

/* [interface.begin] */
typedef void (*PyCustomSlots_Function)(void);    /**< any C function; to be cast */

/** What the functions of a table are: the word in front of them leads here. */
typedef struct {
    size_t          size;       /**< of this struct */
    size_t          count;      /**< functions in the table, 1 or more */
    const uint64_t *hashes;     /**< count of them; hashes[i]: of the first i + 1 signatures */
    const char     *layout;     /**< the signatures, a line each; '%' stands for a number */
    const unsigned int *numbers;                 /**< those numbers, in their order */
    const char *const  *names;  /**< count of them: what Python calls the functions */
    const char     *name;       /**< what the interface is called, for people */
    const PyCustomSlots_Function *dispatch;      /**< count of them, which look for an override in
                                   Python first; a NULL entry: cannot be overridden; NULL: none can */
    const void     *base;       /**< the table that this one was made of, for a class of Python that
                                   overrides functions (the runtime makes those); else NULL */
    const PyCustomSlots_Function *bodies;        /**< of a declaration, count of them: what serves where a table
                                   has no such function; a NULL entry: nothing does; NULL: there are none */
} PyCustomSlots_Interface;

/** A line of a layout as its hash sees it: the FNV-1a hash of its bytes, the newline among
   them, and how many numbers it has. */
typedef struct {
    uint64_t     text;
    unsigned int numbers;
} PyCustomSlots_Signature;
/* [interface.end] */

/* The size of a description that has all members which are read here: one that a later release appends is asked
   for where it is read. */
#define _Pycs_DESCRIBED (offsetof(PyCustomSlots_Interface, bodies) + sizeof(const PyCustomSlots_Function *))

/* [signature.begin] */
/** A number of a signature: the width of a type in bytes. */
#define PyCustomSlots_WIDTH(type) ((unsigned int)sizeof(type))
/** A number of a signature: the width of an integer type in bytes, and 'i' or 'u'.  By way of double, since
   C++ compares enums without negative values as int, although they are unsigned in C. */
#define PyCustomSlots_INTEGER(type) \
    ((unsigned int)sizeof(type) | (unsigned int)((double)(type)-1 > 0 ? 'u' : 'i') << 24)

/** The hash of `count` signatures: FNV-1a over whole words, for each line the hash of its text, then
   its numbers.  Stores the hash up to each signature in `hashes`, unless `hashes` is NULL. */
_Pycs_UNUSED static inline uint64_t
PyCustomSlots_HashSignatures(const PyCustomSlots_Signature *lines, size_t count,
                             const unsigned int *numbers, uint64_t *hashes)
{
    const uint64_t prime = (uint64_t)0x100u << 32 | 0x1B3u;
    uint64_t hash = (uint64_t)0xCBF29CE4u << 32 | 0x84222325u;
    size_t i;
    unsigned int k;
    for (i = 0; i < count; i++) {
        hash = (hash ^ lines[i].text) * prime;
        for (k = 0; k < lines[i].numbers; k++) hash = (hash ^ *numbers++) * prime;
        if (hashes != NULL) hashes[i] = hash;
    }
    return hash;
}
/* [signature.end] */

/** The description of a table of functions; NULL: it has none.  (A slot may hold flags or an offset
   instead of a table: small numbers, which are no address.) */
_Pycs_FAST const PyCustomSlots_Interface *
PyCustomSlots_InterfaceOf(const void *table)
{
    return (uintptr_t)table < 4096 ? NULL : ((const PyCustomSlots_Interface *const *)table)[-1];
}

/** The table of a slot, if its first `count` functions (1 or more) have this hash;
   NULL if there is no slot, no table, a shorter one, or one with other functions. */
_Pycs_FAST const void *
PyCustomSlots_CheckInterface(const PyCustomSlot *slot, size_t count, uint64_t hash)
{
    const void *table = slot != NULL ? slot->data.pointer : NULL;
    const PyCustomSlots_Interface *iface = PyCustomSlots_InterfaceOf(table);
    return iface != NULL && iface->count >= count && iface->hashes[count - 1] == hash ? table : NULL;
}

/** The functions with which `obj` implements an interface, or NULL.  `id` and `expected_pos` are as
   for PyCustomSlots_Find(), `count` and `hash` as for PyCustomSlots_CheckInterface(), which also takes
   what other look-ups find: PyCustomSlots_FindType(), or PyCustomSlots_FindAny() among registered slots,
   too.  Needs neither the GIL nor a thread state. */
_Pycs_FAST const void *
PyCustomSlots_FindInterface(PyObject *obj, uintptr_t id, Py_ssize_t expected_pos, size_t count, uint64_t hash)
{
    return PyCustomSlots_CheckInterface(PyCustomSlots_Find(obj, id, expected_pos), count, hash);
}

/** A place in the layout of a description: at the beginning of a line. */
typedef struct {
    const char *text;
    const unsigned int *numbers;
} _Pycs_Line;

/** Does a function with the line `theirs` serve a caller that was built for the line `mine`?  What a pointer
   or an array leads to may be const in an argument of `theirs` alone, and in the result of `mine` alone.  0:
   no; 1: the lines are the same; 2: they differ only in such const.  Moves both to the next line. */
_Pycs_UNUSED static int
_Pycs_LineServes(_Pycs_Line *mine, _Pycs_Line *theirs)
{
    int depth = 0, in_result = 1, starts = 1, serves = 1;
    char c = '\0';
    for (; c != '\n'; mine->text++, theirs->text++) {
        if (depth == 0 && starts) {
            const int own = strncmp(mine->text, "const ", 6) == 0, other = strncmp(theirs->text, "const ", 6) == 0;
            if (own && !other && in_result) mine->text += 6;
            if (other && !own && !in_result) theirs->text += 6;
            if (own != other) serves = 2;
        }
        c = *mine->text;
        if (c == '\0' || c != *theirs->text) return 0;
        if (c == '%' && *mine->numbers++ != *theirs->numbers++) return 0;
        depth += (c == '{') - (c == '}');       /* the fields of a struct, in braces, are the same */
        if (c == '(' && depth == 0) in_result = 0;
        starts = c == ' ' || c == '(';
    }
    return serves;
}

/** How many functions of a table serve a caller that expects the first `count` of `mine`. */
_Pycs_UNUSED static size_t
_Pycs_CountSame(const PyCustomSlots_Interface *theirs, const PyCustomSlots_Interface *mine, size_t count)
{
    _Pycs_Line ours, line;
    size_t same = 0, i;
    if (theirs == NULL || theirs->hashes == NULL) return 0;
    if (count > theirs->count) count = theirs->count;
    while (same < count && theirs->hashes[same] == mine->hashes[same]) same++;
    if (same == count || theirs->size < _Pycs_DESCRIBED || theirs->layout == NULL || mine->layout == NULL) return same;
    /* Behind the first function that differs no hash is the same.  The function itself differs, as its hash
       does: in const. */
    ours.text = mine->layout;
    ours.numbers = mine->numbers;
    line.text = theirs->layout;
    line.numbers = theirs->numbers;
    for (i = 0; i < count; i++) {
        const int serves = _Pycs_LineServes(&ours, &line);
        if (serves == 0 || (i == same && serves == 1)) break;
    }
    return i > same ? i : same;
}

#define _Pycs_LONGEST_LINE 400                          /* room for the text of a function */

/** Writes a line of a layout as text, with its numbers in place; a description that lacks the line
   is not read further: "?". */
_Pycs_UNUSED static void
_Pycs_LineText(const PyCustomSlots_Interface *iface, size_t place, char *text)
{
    const char *line = iface->size >= _Pycs_DESCRIBED ? iface->layout : NULL;
    const unsigned int *number = iface->numbers;
    size_t n = 0;

    for (; line != NULL && place > 0; place--) {
        for (; *line != '\0' && *line != '\n'; line++) number += *line == '%' && number != NULL;
        line = *line != '\0' ? line + 1 : NULL;
    }
    if (line == NULL || *line == '\0') line = "?";
    for (; *line != '\0' && *line != '\n' && n < _Pycs_LONGEST_LINE - 20; line++) {
        if (*line != '%' || number == NULL) {
            text[n++] = *line;
            continue;
        }
        if (*number >> 24) text[n++] = (char)(*number >> 24);
        n += (size_t)PyOS_snprintf(text + n, 12, "%u", *number++ & 0xFFFFFFu);
    }
    text[n] = '\0';
}

#define _Pycs_LONGEST_REASON (3 * _Pycs_LONGEST_LINE)

/** Writes why a slot (or NULL) does not serve a caller that was built for `mine`, or for something that is not known
   here (NULL): what follows "found 'X', which ". */
_Pycs_UNUSED static void
_Pycs_WhyRefused(const PyCustomSlot *slot, const PyCustomSlots_Interface *mine, char *text)
{
    const PyCustomSlots_Interface *theirs = slot != NULL ? PyCustomSlots_InterfaceOf(slot->data.pointer) : NULL;
    char found[_Pycs_LONGEST_LINE], expected[_Pycs_LONGEST_LINE];
    size_t same;
    if (slot == NULL) {
        PyOS_snprintf(text, _Pycs_LONGEST_REASON, "does not implement it");
        return;
    }
    if (theirs == NULL || mine == NULL) {
        PyOS_snprintf(text, _Pycs_LONGEST_REASON, "implements it, but with other methods than this module was compiled "
                      "for; see cython_customslots.explain()");
        return;
    }
    same = _Pycs_CountSame(theirs, mine, mine->count);
    if (same >= mine->count) same = mine->count - 1;            /* another thread has changed it by now */
    if (same < theirs->count && theirs->size >= _Pycs_DESCRIBED && theirs->layout != NULL) {
        _Pycs_LineText(theirs, same, found);
        _Pycs_LineText(mine, same, expected);
        PyOS_snprintf(text, _Pycs_LONGEST_REASON, "implements it, but with '%s', where this module was compiled for "
                      "'%s'", found, expected);
    }
    else {
        PyOS_snprintf(text, _Pycs_LONGEST_REASON, "implements it, but without the '%.200s' that this module was "
                      "compiled for; see cython_customslots.explain()", mine->names[same]);
    }
}

/** Sets the TypeError for an object that does not implement the interface `name`, or whose table has
   other functions than `mine` (which may be NULL).  Needs the GIL or an attached thread state. */
_Pycs_UNUSED static void
_Pycs_RefuseInterface(PyObject *obj, uintptr_t id, const char *name, const PyCustomSlots_Interface *mine)
{
    PyObject *shown = PyObject_GetAttrString((PyObject *)Py_TYPE(obj), "__name__");
    char why[_Pycs_LONGEST_REASON];
    if (shown == NULL) return;
    if (id == 0) {
        PyErr_Format(PyExc_SystemError, "found no ID of interface '%.200s': this file calls its functions, but has not "
                     "called the _Init() of its header, which belongs where the module is imported", name);
    }
    else {
        _Pycs_WhyRefused(PyCustomSlots_FindAny(obj, id, 0), mine, why);
        PyErr_Format(PyExc_TypeError, "expected an object that implements interface '%.200s', found "
                     "'%U', which %s", name, shown, why);
    }
    Py_DECREF(shown);
}

/** Sets the TypeError for an object that does not implement the interface `name`, or whose table has
   other functions.  Needs the GIL or an attached thread state. */
_Pycs_UNUSED static void
PyCustomSlots_RefuseInterface(PyObject *obj, uintptr_t id, const char *name)
{
    _Pycs_RefuseInterface(obj, id, name, NULL);
}

/** How many functions of a table serve a caller that expects the first `count` of `mine`, and that
   has a body for each function that the table lacks.  0: the table does not serve, or a function
   that it lacks has no body, or it has a function of the same name with another signature. */
_Pycs_UNUSED static size_t
_Pycs_CountServed(const PyCustomSlots_Interface *theirs, const PyCustomSlots_Interface *mine, size_t count)
{
    size_t same, i, k;
    if (theirs == NULL || theirs->size < _Pycs_DESCRIBED || mine->size < _Pycs_DESCRIBED) return 0;
    same = _Pycs_CountSame(theirs, mine, count);
    for (i = same; same != 0 && i < count; i++) {
        if (mine->bodies == NULL || mine->bodies[i] == NULL || mine->names[i] == NULL) return 0;
        for (k = same; k < theirs->count; k++) {
            if (theirs->names == NULL || theirs->names[k] == NULL
                    || strcmp(theirs->names[k], mine->names[i]) == 0) return 0;
        }
    }
    return same;
}

#define _Pycs_BODIES "PyCustomSlots_Interface"  /* a capsule of a description with bodies */

/** The description, with bodies, that `module` has in a capsule under `name`, if its first `count`
   functions have this hash.  NULL without an exception if there is no such module or capsule, or it
   describes other functions; with one if importing the module failed in another way.  Needs the GIL or
   an attached thread state. */
_Pycs_UNUSED static const PyCustomSlots_Interface *
PyCustomSlots_ImportBodies(const char *module, const char *name, size_t count, uint64_t hash)
{
    PyObject *from = PyImport_ImportModule(module), *capsule = NULL;
    const PyCustomSlots_Interface *found = NULL;
    if (from != NULL) capsule = PyObject_GetAttrString(from, name);
    if (capsule != NULL) {
        found = (const PyCustomSlots_Interface *)PyCapsule_GetPointer(capsule, _Pycs_BODIES);
    }
    else if (PyErr_ExceptionMatches(from != NULL ? PyExc_AttributeError : PyExc_ImportError)) PyErr_Clear();
    Py_XDECREF(capsule);
    Py_XDECREF(from);
    return found != NULL && found->count >= count && found->hashes[count - 1] == hash ? found : NULL;
}

/** Puts a slot into an array of `count`, at its position or, if another slot is there, at the
   first free place after it, or else before.  Places with the ID EMPTY or SKIP are free; there must
   be one. */
_Pycs_UNUSED static void
PyCustomSlots_PlaceSlot(PyCustomSlot *slots, Py_ssize_t count, Py_ssize_t position, uintptr_t id, const void *data)
{
    while (slots[position].id > PyCustomSlots_SKIP) position = (position + 1) % count;
    slots[position].id = id;
    slots[position].data.pointer = (void *)(uintptr_t)data;
}

/* ------------------------------------------------------------------------ positions -- */

/* What the process knows of an interface: in its table (table.h), by a hash of the ID.  Never
   freed. */
/* [interface_node.begin] */
#define _Pycs_POSITIONS (PyCustomSlots_MIN_CAPACITY - 1)   /* the last one is for others */

typedef struct _Pycs_InterfaceNode {
    struct _Pycs_InterfaceNode *next;   /* another one with this hash */
    uintptr_t id;
    Py_ssize_t position;        /* where its slot should stand: below PyCustomSlots_MIN_CAPACITY */
    void      *overriding;      /* atomic; the tables of classes that override (the runtime's) */
    void      *defaults;        /* atomic; the tables of classes that implement it in Python alone (the same) */
} _Pycs_InterfaceNode;

_Pycs_UNUSED static inline uintptr_t
_Pycs_InterfaceKey(uintptr_t id)
{
    return (uintptr_t)((uint32_t)(id >> 1) * 0x9E3779B1u) << 4 | _Pycs_KEY_INTERFACE;
}
/* [interface_node.end] */

_Pycs_UNUSED static inline _Pycs_InterfaceNode *
_Pycs_SameInterface(const void *first, uintptr_t id)
{
    _Pycs_InterfaceNode *node = (_Pycs_InterfaceNode *)(uintptr_t)first;
    while (node != NULL && node->id != id) node = node->next;
    return node;
}

/* How many interfaces the process knows.  Under the lock. */
_Pycs_UNUSED static Py_ssize_t
_Pycs_CountInterfaces(_Pycs_ProcessTable *table)
{
    _Pycs_Cells *cells = table->cells;
    Py_ssize_t count = 0;
    size_t i;
    _Pycs_ASSERT_WORD_LOCKED(&table->owner);
    for (i = 0; cells != NULL && i <= cells->mask; i++) {
        const _Pycs_InterfaceNode *node;
        if ((cells->cells[i].key & _Pycs_KEY_KIND) != _Pycs_KEY_INTERFACE) continue;
        node = (const _Pycs_InterfaceNode *)cells->cells[i].value;
        for (; node != NULL; node = node->next) count++;
    }
    return count;
}

/* What the process knows of the interface with this ID; made if it is new.  NULL with MemoryError or
   RuntimeError.  Needs the GIL or an attached thread state. */
_Pycs_UNUSED static _Pycs_InterfaceNode *
_Pycs_InterfaceNodeOf(uintptr_t id)
{
    _Pycs_ProcessTable *table = _Pycs_GetTable("PyCustomSlots_Position");
    const uintptr_t key = _Pycs_InterfaceKey(id);
    _Pycs_InterfaceNode *fresh, *there = NULL;
    _Pycs_Cells *cells;

    if (table == NULL) return NULL;
    cells = _Pycs_LOAD(_Pycs_Cells *, &table->cells);
    if (cells != NULL) there = _Pycs_SameInterface(_Pycs_ValueOf(cells, key), id);
    if (there != NULL) return there;
    fresh = (_Pycs_InterfaceNode *)calloc(1, sizeof(*fresh));
    if (fresh != NULL) {
        fresh->id = id;
        _Pycs_LockWord(&table->owner);
        fresh->next = (_Pycs_InterfaceNode *)(uintptr_t)_Pycs_PresentValue(table, key);
        there = _Pycs_SameInterface(fresh->next, id);
        if (there == NULL && _Pycs_ReserveCells(table, 1) == 0) {
            fresh->position = _Pycs_CountInterfaces(table) % _Pycs_POSITIONS;
            _Pycs_PutValue(table, key, fresh);
            there = fresh;
        }
        _Pycs_UnlockWord(&table->owner);
        if (there != fresh) free(fresh);
    }
    if (there == NULL) PyErr_NoMemory();
    return there;
}

/** The position at which providers should put the slot of an interface, and consumers expect it:
   the same in the whole process, from 0 to PyCustomSlots_MIN_CAPACITY - 2, assigned in turn, so that
   interfaces in one class seldom want the same place.  A slot at another position is found, too.

   -1 with ValueError (ID 0 or 1), MemoryError or RuntimeError (the process's table is not
   available).  Needs the GIL or an attached thread state; call it once, and keep the result. */
_Pycs_UNUSED static Py_ssize_t
PyCustomSlots_Position(uintptr_t id)
{
    _Pycs_InterfaceNode *node;
    if (id <= PyCustomSlots_SKIP) {
        PyErr_Format(PyExc_ValueError, "PyCustomSlots_Position: found slot ID %d, which is never "
                     "found; expected one made by PyCustomSlots_ID() or PyCustomSlots_Intern()",
                     (int)id);
        return -1;
    }
    node = _Pycs_InterfaceNodeOf(id);
    return node != NULL ? node->position : -1;
}

/* -------------------------------------------------------------------- shorter tables -- */

/* A table that was made of a shorter one, and of bodies. */
typedef struct _Pycs_CompletedTable {
    struct _Pycs_CompletedTable *next;
    const void *base;
    const PyCustomSlots_Interface *described;    /* NULL: not published */
    PyCustomSlots_Function functions[1];
} _Pycs_CompletedTable;

_Pycs_UNUSED static const void *
_Pycs_CompletedOf(void **made, const void *base)
{
    const _Pycs_CompletedTable *known = (const _Pycs_CompletedTable *)_Pycs_LOAD(void *, made);
    while (known != NULL && known->base != base) known = known->next;
    return known != NULL ? (const void *)known->functions : NULL;
}

/** A table of the first `count` functions of `mine`: those of the slot's table, and bodies behind its
   end.  (For a table in which CheckInterface() found nothing.  If that table promises more than `mine`,
   it may itself serve.)  NULL, without an exception, if there can be no such table, or no memory.
   `made`: the caller's list, for this `mine` and `count` alone, of such tables, which are never freed;
   NULL at first.  Needs the GIL or an attached thread state. */
_Pycs_UNUSED static const void *
PyCustomSlots_CompleteInterface(void **made, const PyCustomSlot *slot,
                                const PyCustomSlots_Interface *mine, size_t count)
{
    const void *base = slot != NULL ? slot->data.pointer : NULL, *found;
    const size_t same = _Pycs_CountServed(PyCustomSlots_InterfaceOf(base), mine, count);
    _Pycs_ProcessTable *table;
    _Pycs_CompletedTable *fresh;

    if (same == 0) return NULL;
    if (same == count) return base;
    if ((found = _Pycs_CompletedOf(made, base)) != NULL) return found;
    table = _Pycs_LOAD(_Pycs_ProcessTable *, _Pycs_TableCache());
    fresh = (_Pycs_CompletedTable *)calloc(1, sizeof(*fresh) + count * sizeof(fresh->functions[0]));
    if (table == NULL || fresh == NULL) {
        free(fresh);
        return NULL;
    }
    fresh->base = base;
    memcpy(fresh->functions, base, same * sizeof(fresh->functions[0]));
    memcpy(fresh->functions + same, mine->bodies + same, (count - same) * sizeof(fresh->functions[0]));
    _Pycs_LockWord(&table->owner);
    found = _Pycs_CompletedOf(made, base);
    if (found == NULL) {
        fresh->next = (_Pycs_CompletedTable *)*made;
        _Pycs_STORE(void *, made, fresh);
        found = fresh->functions;
        fresh = NULL;
    }
    _Pycs_UnlockWord(&table->owner);
    free(fresh);
    return found;
}
