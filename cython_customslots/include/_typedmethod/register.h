/* SPDX-License-Identifier: MIT
 *
 * _typedmethod/register.h - which function has which record.
 * Included by typedmethod.h; not for direct use.
 *
 * CPython's PyMethodDef has no room for a record, and an unknown bit in its ml_flags makes
 * every call of the function slower.  So the process's table (_customslots/table.h) has the record,
 * under the address of the PyMethodDef; and, under the address of a type, where its instances keep
 * their PyMethodDef * and their receiver.  PyMethodDefs and records live as long as the process; code
 * that looks a type up holds an instance of it.
 */

/** Where functions of a type keep what a caller needs: bytes from the PyObject *. */
/* [PyTypedMethodLayout.begin] */
typedef struct {
    uint32_t size;          /**< of this struct */
    int32_t  def_offset;    /**< of a PyMethodDef * */
    int32_t  self_offset;   /**< of a PyObject *, what a call passes as the receiver; -1: none */
} PyTypedMethodLayout;
/* [PyTypedMethodLayout.end] */

/** A Python function and what is behind it, for PyTypedMethod_RegisterMany(). */
typedef struct {
    PyMethodDef               *def;         /**< static: lives as long as the process */
    const PyTypedMethodRecord *record;      /**< the same */
} PyTypedMethod_Pair;

/* [functions.begin] */
#define _Pycs_LAYOUTS_KEY  "_typedmethod_layouts_v1"
#define _Pycs_LAYOUT_NAME  "_typedmethod_layout_v1"

/* Each layout once, in table->layouts; never freed. */
typedef struct _Pycs_LayoutNode {
    struct _Pycs_LayoutNode *next;
    PyTypedMethodLayout      layout;    /* which may grow */
} _Pycs_LayoutNode;
/* [functions.end] */

#define _Pycs_RecordKey(def) ((uintptr_t)(def) + _Pycs_KEY_RECORD)
#define _Pycs_LayoutKey(type) ((uintptr_t)(type) + _Pycs_KEY_LAYOUT)

/* --------------------------------------------------------------------- reading -- */

/* [functions_bit.begin] */
/* The bit of a type in table->types.  It is not set for most types, which lead to no PyMethodDef. */
_Pycs_UNUSED static inline uintptr_t
_Pycs_TypeBit(const PyTypeObject *type)
{
    uintptr_t hash = ((uintptr_t)type >> 4) ^ ((uintptr_t)type >> 10);
    return (uintptr_t)1 << (hash % (8 * sizeof(uintptr_t)));
}
/* [functions_bit.end] */

_Pycs_SLOW _Pycs_Cells *
_Pycs_SeekCells(void)
{
    _Pycs_ProcessTable *table = _Pycs_GetTable(NULL);
    return table == NULL ? NULL : _Pycs_LOAD(_Pycs_Cells *, &table->cells);
}

/* The cells as they are now, NULL if nothing was registered. */
_Pycs_UNUSED static inline _Pycs_Cells *
_Pycs_GetCells(void)
{
    _Pycs_ProcessTable *table = _Pycs_LOAD(_Pycs_ProcessTable *, _Pycs_TableCache());
    _Pycs_Cells *cells = table == NULL ? NULL : _Pycs_LOAD(_Pycs_Cells *, &table->cells);
    return _Pycs_LIKELY(cells != NULL) ? cells : _Pycs_SeekCells();
}

#ifndef Py_LIMITED_API
/* --------------------------------------------------------------------- writing --
 * All of these: under the lock.
 */

/* Notes that a type may lead to a PyMethodDef, and CPython's own types that may. */
_Pycs_UNUSED static inline void
_Pycs_NoteType(_Pycs_ProcessTable *table, const PyTypeObject *type)
{
    uintptr_t types = table->types;
    _Pycs_ASSERT_WORD_LOCKED(&table->owner);
    types |= _Pycs_TypeBit(type) | _Pycs_TypeBit(&PyMethodDescr_Type);
#ifndef PYPY_VERSION                        /* which has no such type */
    types |= _Pycs_TypeBit(&PyCMethod_Type);
#endif
    _Pycs_STORE(uintptr_t, &table->types, types);
}

/* The one copy of a layout in the process.  NULL: no memory. */
_Pycs_UNUSED static const PyTypedMethodLayout *
_Pycs_KeepLayout(_Pycs_ProcessTable *table, const PyTypedMethodLayout *layout)
{
    _Pycs_LayoutNode *node;
    _Pycs_ASSERT_WORD_LOCKED(&table->owner);
    for (node = table->layouts; node != NULL; node = node->next) {
        if (node->layout.size == layout->size && node->layout.def_offset == layout->def_offset
                && node->layout.self_offset == layout->self_offset) return &node->layout;
    }
    node = (_Pycs_LayoutNode *)calloc(1, sizeof(*node));
    if (node == NULL) return NULL;
    node->layout = *layout;
    node->next = table->layouts;
    table->layouts = node;
    return &node->layout;
}

/* ------------------------------------------------------------------- functions -- */

/** Registers the C functions behind these Python functions: all of them or, after a
   failure, none.  Call it while the module is executed, in each interpreter.

   `pairs` may be freed afterwards; what they point to must live as long as the process, and
   must not change.  A PyMethodDef that has this record already is fine, also twice among
   the pairs; another record for it is an error.  Other threads find nothing of what is refused.
   0, or -1 with ValueError (NULL; a wrong record, and what is wrong; a function that has
   another one), MemoryError, or RuntimeError (the process's table is not available).  Needs the
   GIL or, on free-threaded builds, an attached thread state. */
_Pycs_UNUSED static int
PyTypedMethod_RegisterMany(const PyTypedMethod_Pair *pairs, Py_ssize_t count)
{
    static const char *const what = "PyTypedMethod_Register";
    _Pycs_ProcessTable *table;
    _Pycs_Cells *chosen;                        /* the pairs, before they are in the table */
    size_t size = 4;
    Py_ssize_t i, other = -1;
    int result = -1;

    for (i = 0; i < count; i++) {
        if (pairs[i].def == NULL || (uintptr_t)pairs[i].def % 4 != 0) {
            PyErr_Format(PyExc_ValueError, "%s: found %s, expected a PyMethodDef", what,
                         pairs[i].def == NULL ? "NULL" : "an address that is no multiple of four");
            return -1;
        }
        if (_Pycs_CheckRecord(pairs[i].record, what, pairs[i].def->ml_name) < 0) return -1;
    }
    if (count <= 0) return 0;
    if (!(table = _Pycs_GetTable(what))) return -1;
    while (size < 2 * (size_t)count) size *= 2;
    if (!(chosen = (_Pycs_Cells *)calloc(1, sizeof(*chosen) + size * sizeof(chosen->cells[0])))) {
        PyErr_NoMemory();
        return -1;
    }
    chosen->mask = size - 1;

    _Pycs_LockWord(&table->owner);
    for (i = 0; other < 0 && i < count; i++) {
        const uintptr_t key = _Pycs_RecordKey(pairs[i].def);
        const void *there = _Pycs_PresentValue(table, key);
        if (there == NULL) there = _Pycs_ValueOf(chosen, key);
        if (there == NULL) _Pycs_PutInto(chosen, key, pairs[i].record);
        else if (there != pairs[i].record) other = i;
    }
    if (other < 0) result = _Pycs_ReserveCells(table, (size_t)count);
    if (result == 0) _Pycs_NoteType(table, &PyMethodDescr_Type);
    for (i = 0; result == 0 && i < count; i++) _Pycs_PutValue(table, _Pycs_RecordKey(pairs[i].def), pairs[i].record);
    _Pycs_UnlockWord(&table->owner);
    free(chosen);

    if (other >= 0) {
        PyErr_Format(PyExc_ValueError, "%s('%.100s'): found a second record for this "
                     "PyMethodDef, expected the one that is registered; records must not "
                     "change", what, pairs[other].def->ml_name);
    }
    else if (result < 0) PyErr_NoMemory();
    return result;
}

/* ----------------------------------------------------------------------- types -- */

/* The destructor of a capsule in an interpreter's state dictionary, whose pointer is a type (strong).  If we
   put the type into the table, which is the capsule's context then, we take it out. */
_Pycs_UNUSED static void
_Pycs_DropLayout(PyObject *capsule)
{
    PyTypeObject *type = (PyTypeObject *)PyCapsule_GetPointer(capsule, _Pycs_LAYOUT_NAME);
    _Pycs_ProcessTable *table = type != NULL ? (_Pycs_ProcessTable *)PyCapsule_GetContext(capsule) : NULL;
    if (type == NULL) PyErr_Clear();
    if (table != NULL) {
        _Pycs_LockWord(&table->owner);
        if (_Pycs_PresentValue(table, _Pycs_LayoutKey(type)) != NULL) {
            _Pycs_PutValue(table, _Pycs_LayoutKey(type), NULL);
        }
        _Pycs_UnlockWord(&table->owner);
    }
    Py_XDECREF((PyObject *)type);
}

_Pycs_UNUSED static int
_Pycs_CheckLayout(PyTypeObject *type, Py_ssize_t def_offset, Py_ssize_t self_offset)
{
    const Py_ssize_t word = (Py_ssize_t)sizeof(void *), offsets[] = {def_offset, self_offset};
    int i;
    if (type == NULL || !PyType_Check((PyObject *)type)) {
        PyErr_Format(PyExc_TypeError, "PyTypedMethod_RegisterLayout: found %s, expected a "
                     "type of functions", type == NULL ? "NULL" : "an object that is no type");
        return -1;
    }
    for (i = 0; i < 2; i++) {
        if (i == 1 && self_offset == -1) break;
        if (offsets[i] >= (Py_ssize_t)sizeof(PyObject) && offsets[i] % word == 0
                && offsets[i] <= _Pycs_SIZE_OF(type) - word) continue;
        PyErr_Format(PyExc_ValueError, "PyTypedMethod_RegisterLayout(%.200s): found %zd as the offset of the %s that "
                     "of a pointer in an instance of %zd bytes", _Pycs_TP_NAME(type), offsets[i],
                     i == 0 ? "PyMethodDef *, expected" : "receiver, expected -1 (there is none) or",
                     _Pycs_SIZE_OF(type));
        return -1;
    }
    return 0;
}

/** Registers how functions of a type that is not CPython's lead to their PyMethodDef.  CPython's
   own types of functions, and bound methods of any function, are known without.

   `def_offset`: where an instance has its PyMethodDef *; `self_offset`: where it has the
   PyObject * that a call passes as the receiver (NULL in a function that is not bound), or
   -1 if instances have none.  Holds for instances of exactly this type.
   This interpreter then keeps the type alive until it ends.  Registering the same offsets again
   is fine.  0, or -1 with TypeError (not a type), ValueError (offsets outside the instance;
   others are registered), MemoryError, or RuntimeError (the process's table is not available).
   After a failure nothing has changed.  Needs the GIL or an attached thread state. */
_Pycs_UNUSED static int
PyTypedMethod_RegisterLayout(PyTypeObject *type, Py_ssize_t def_offset, Py_ssize_t self_offset)
{
    static const char *const what = "PyTypedMethod_RegisterLayout";
    PyObject *capsule = NULL, *held;
    _Pycs_ProcessTable *table;
    const PyTypedMethodLayout *kept, *there = NULL;
    const PyTypedMethodLayout layout = {sizeof(layout), (int32_t)def_offset, (int32_t)self_offset};
    int is_ours = 0, result = -1;

    if (_Pycs_CheckLayout(type, def_offset, self_offset) < 0) return -1;
    if (!(table = _Pycs_GetTable(what))) return -1;
    if (!(held = _Pycs_DictInState(what, _Pycs_LAYOUTS_KEY))) return -1;
    if (!(capsule = PyCapsule_New(type, _Pycs_LAYOUT_NAME, _Pycs_DropLayout))) goto done;
    Py_INCREF(type);
    /* The table must never name a type that may die, so this interpreter keeps the type first. */
    if (PyDict_SetItem(held, capsule, Py_None) < 0) goto done;
    _Pycs_LockWord(&table->owner);
    kept = _Pycs_KeepLayout(table, &layout);
    if (kept != NULL && _Pycs_ReserveCells(table, 1) == 0) {
        there = (const PyTypedMethodLayout *)_Pycs_PresentValue(table, _Pycs_LayoutKey(type));
        if (there == NULL) {
            _Pycs_NoteType(table, type);
            _Pycs_PutValue(table, _Pycs_LayoutKey(type), kept);
            /* A static type may serve other interpreters, too: it stays. */
            is_ours = _Pycs_IsHeap(type);
        }
        result = 0;
    }
    _Pycs_UnlockWord(&table->owner);

    if (is_ours) (void)PyCapsule_SetContext(capsule, table);
    else if (PyDict_DelItem(held, capsule) < 0) PyErr_Clear();          /* the reference is not needed */
    if (result < 0) PyErr_NoMemory();
    /* (The layout in the table may be longer than ours: a module with later headers may have registered it.) */
    else if (there != NULL && (there->def_offset != kept->def_offset || there->self_offset != kept->self_offset)) {
        PyErr_Format(PyExc_ValueError, "%s(%.200s): found offsets %zd and %zd, expected %zd "
                     "and %zd, which are registered for this type", what, _Pycs_TP_NAME(type),
                     def_offset, self_offset, (Py_ssize_t)there->def_offset,
                     (Py_ssize_t)there->self_offset);
        result = -1;
    }
done:
    Py_DECREF(held);
    Py_XDECREF(capsule);
    return result;
}

/** PyTypedMethod_RegisterMany() for one function. */
_Pycs_UNUSED static int
PyTypedMethod_Register(PyMethodDef *def, const PyTypedMethodRecord *record)
{
    const PyTypedMethod_Pair pair = {def, record};
    return PyTypedMethod_RegisterMany(&pair, 1);
}

/** Registers records for the methods of the same names, of a module or a type: call it when
   the module is executed.  `methods` ends with a NULL name.  0, or -1 with ValueError (no
   method of that name) or what PyTypedMethod_RegisterMany() raises; then nothing is
   registered. */
_Pycs_UNUSED static int
PyTypedMethod_RegisterMethods(PyMethodDef *methods, const PyTypedMethodRecord *const *records, Py_ssize_t count)
{
    PyTypedMethod_Pair *pairs;
    Py_ssize_t i;
    int result = -1;

    if (count <= 0) return 0;
    pairs = (PyTypedMethod_Pair *)calloc((size_t)count, sizeof(*pairs));
    if (pairs == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    for (i = 0; i < count; i++) {
        const char *name = records[i] != NULL ? records[i]->name : NULL;
        PyMethodDef *def = methods;
        while (name != NULL && def->ml_name != NULL && strcmp(def->ml_name, name) != 0) def++;
        if (name == NULL || def->ml_name == NULL) {
            PyErr_Format(PyExc_ValueError, "PyTypedMethod_RegisterMethods: found the record "
                         "of '%.100s', expected one of a method in this PyMethodDef array",
                         name != NULL ? name : "NULL");
            goto done;
        }
        pairs[i].def = def;
        pairs[i].record = records[i];
    }
    result = PyTypedMethod_RegisterMany(pairs, count);
done:
    free(pairs);
    return result;
}

#else
/* Registering needs the full API: it notes types that the stable ABI does not name. */
#  define PyTypedMethod_Register(...)        _Pycs_registering_needs_the_full_API_without_Py_LIMITED_API
#  define PyTypedMethod_RegisterMany(...)    _Pycs_registering_needs_the_full_API_without_Py_LIMITED_API
#  define PyTypedMethod_RegisterMethods(...) _Pycs_registering_needs_the_full_API_without_Py_LIMITED_API
#  define PyTypedMethod_RegisterLayout(...)  _Pycs_registering_needs_the_full_API_without_Py_LIMITED_API
#endif
