/* SPDX-License-Identifier: MIT
 *
 * runtime/fields.h - C fields in the type object, inherited by value.
 *
 * A read is one load behind ob_type, with no check.  So the memory must be right before user code can see a class:
 * tp_alloc copies each field from the nearest class in the MRO that set it, or else fills in the default of the
 * metaclass.  Later changes, of bases (change.c) or of values (set_field.c), are pushed into the subclasses.
 *
 * A value that is in no class is a Value: what a class statement or a setter gives, a copy for a class that follows, or
 * what was replaced and waits for the lock to be released.  Making one can fail, and putting one into a class cannot;
 * so all are made before anything is changed.
 *
 * Each metaclass that derives from `extensibletype` in C may add fields behind those of its base: its list.  The
 * list is divided into fields without gaps: those that the provider described, and plain bytes between them.
 * Values are inherited field by field.
 *
 * THE SIDECAR is what is kept beside a class, and says where the values of its fields come from:
 *
 *     type object                     sidecar
 *     +-----------------------+       +----------------------------------+
 *     | etp_extension --------|-----> | marks  kept  filled_at           |   three words
 *     +-----------------------+       +----------------------------------+
 *     | C fields              | <===> | the bytes that inheritance last  |
 *     +-----------------------+       | put there                        |
 *                                     | a mark for each byte             |
 *                                     +----------------------------------+
 *
 * A class inherits a field as it inherits a class attribute: unless it, or a class nearer in its MRO, has a value of
 * its own.  A class attribute is in the class's dict; a field is a copy in every class, so the sidecar says which
 * values the class set: the mark for the first byte of such a field is not 0.
 *
 * C code may write into a field directly, and then the value is the class's own, though no mark says so.  To tell such
 * a value from an inherited one, the bytes that inheritance last put there are kept.  (What its bases hold at the
 * moment cannot tell: they may have changed and not reached the class yet, its MRO may have been replaced by an
 * assignment that another thread has not committed, and CPython's own state can be inconsistent when threads assign
 * bases at once.)
 *
 *     tp_alloc fills the fields  ->  type.__new__: mro(), linked into its bases'
 *         subclasses, __set_name__, __init_subclass__  ->  FinishType()
 *
 * A thread that changes fields while a class is being made does not find the class among the subclasses, or leaves it
 * alone as unfinished.  FinishType() notices that something changed since (`filled_at`) and gives the class what it
 * inherits now.
 *
 * A class without fields has a sidecar only if it has an MRO to keep for readers, in `kept` (change.c).
 *
 * All that reads or writes values, marks and sidecars is under the lock (change.h), except FreeValues(), IsOwn(),
 * BirthInherit(), BirthEnd() and ReleaseFields().
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_FIELDS_H
#define Py_CUSTOMSLOTS_RUNTIME_FIELDS_H

#include "runtime/slots.h"
#include "runtime/state.h"

struct _Pycs_FieldList;

/* The description of a field (PyExtensibleType_Field), as it was in the first version of that
   struct: the public one may grow, but nothing that is reached from the state. */
typedef struct {
    const char *name;
    Py_ssize_t  offset, size;
    int         type;
    unsigned    flags;
    const char *doc;
    int       (*create)(void *to);
    int       (*copy)(void *to, const void *from);
    void      (*move)(void *to, void *from);
    void      (*destroy)(void *field);
    int       (*from_object)(void *to, PyObject *value);
    PyObject *(*to_object)(const void *field);
} _Pycs_FieldDef;

_Pycs_ASSERT(fields_begin_as_ever,
             sizeof(PyExtensibleType_Field) >= sizeof(_Pycs_FieldDef)
             && offsetof(PyExtensibleType_Field, flags) == offsetof(_Pycs_FieldDef, flags)
             && offsetof(PyExtensibleType_Field, to_object) == offsetof(_Pycs_FieldDef, to_object));

/* What a value is: bytes, a counted reference, or what the hooks of its author make of the bytes. */
enum { _Pycs_BYTES, _Pycs_REFERENCE, _Pycs_HOOKS };

typedef struct _Pycs_FieldEntry {
    _Pycs_API *api;         /* first: trampolines of descriptors find it here */
    _Pycs_FieldDef def;
    int          kind;                  /* BYTES, REFERENCE or HOOKS */
    struct _Pycs_FieldEntry *next;      /* of its metaclass: of this list, then of those above */
    struct _Pycs_FieldList *list;
    PyObject    *name;                  /* interned and counted; NULL unless READABLE or WRITABLE */
    PyGetSetDef  getset;                /* its entry in the metaclass's dict */
} _Pycs_FieldEntry;

typedef struct _Pycs_FieldList {
    struct _Pycs_FieldList *next;
    PyTypeObject *metaclass;            /* counted: its address is the key */
    Py_ssize_t    offset, size;         /* bytes in the type object */
    int           hooked;               /* how many fields have hooks */
    int           named;                /* how many are known to Python */
    char         *block, *defaults;     /* `size` bytes, aligned as in the type object */
    Py_ssize_t    count;
    _Pycs_FieldEntry *fields;
} _Pycs_FieldList;

/* A loop over all fields of a metaclass, those of the most derived list first. */
#define _Pycs_EACH_FIELD(field, api, metaclass) \
    for (field = _Pycs_FirstField(api, metaclass); field != NULL; \
         field = _Pycs_LOAD(_Pycs_FieldEntry *, &field->next))

/* [sidecar.begin] */
/* Marks of fields that the class set itself. */
#define _Pycs_SET                 1
#define _Pycs_GIVEN               2     /* by the call that it was allocated in: see birth.c */

/* `filled_at` of a class that is not finished: twice the generation from before anything was looked
   up for it, and this bit.  Of a finished class: 0. */
#define _Pycs_FILLED ((uintptr_t)1)
/* [sidecar.end] */

/* A value that is in no class. */
typedef struct _Pycs_Value {
    struct _Pycs_Value *next;
    const _Pycs_FieldEntry *field;
    PyObject     *object;             /* counted: what it was converted from; or NULL */
    char         *bytes, *spare;      /* behind this, aligned for any type; and room for another one */
} _Pycs_Value;

/* What is known of a class before it exists. */
typedef struct {
    PyTypeObject  *metaclass;         /* borrowed */
    _Pycs_Sidecar *sidecar;           /* to be put beside it */
    PyObject      *mro;               /* a tuple, counted: what it inherits by; empty: that is not known */
    _Pycs_Value   *values;            /* copies of values with hooks */
} _Pycs_Birth;

#define _Pycs_BIRTH_INIT {NULL, NULL, NULL, NULL}

_Pycs_PRIVATE _Pycs_FieldList *_Pycs_FindFieldList(_Pycs_API *api, PyTypeObject *metaclass);
_Pycs_PRIVATE _Pycs_FieldEntry *_Pycs_FirstField(_Pycs_API *api, PyTypeObject *metaclass);
_Pycs_PRIVATE int _Pycs_IsHidden(_Pycs_API *api, PyTypeObject *metaclass, const _Pycs_FieldEntry *field);
_Pycs_PRIVATE char *_Pycs_FieldAt(PyTypeObject *type, const _Pycs_FieldEntry *field);
_Pycs_PRIVATE int _Pycs_HasBytesOf(PyTypeObject *type, const _Pycs_FieldList *list);

_Pycs_PRIVATE _Pycs_Sidecar *_Pycs_SidecarOf(PyTypeObject *type);
_Pycs_PRIVATE _Pycs_Sidecar *_Pycs_TakeSidecar(_Pycs_API *api, PyTypeObject *type);
_Pycs_PRIVATE char *_Pycs_MarkOf(_Pycs_API *api, PyTypeObject *type, const _Pycs_FieldEntry *field, char **noted);

_Pycs_PRIVATE int _Pycs_InheritsField(_Pycs_API *api, PyTypeObject *type, const _Pycs_FieldEntry *field);
_Pycs_PRIVATE int _Pycs_IsOwn(_Pycs_API *api, PyTypeObject *type, const _Pycs_FieldEntry *field);
_Pycs_PRIVATE PyTypeObject *_Pycs_SourceOfField(
    _Pycs_API *api, const PyTypeObject *type, PyObject *mro, const _Pycs_FieldEntry *field);

_Pycs_PRIVATE _Pycs_Value *_Pycs_NewValue(const _Pycs_FieldEntry *field, PyObject *object);
_Pycs_PRIVATE void _Pycs_FreeValues(_Pycs_Value **values);
_Pycs_PRIVATE int _Pycs_CopyValue(const _Pycs_FieldEntry *field, char *to, const char *from);
_Pycs_PRIVATE int _Pycs_AddCopy(
    _Pycs_Value **values, const _Pycs_FieldEntry *field, const char *place, const char *from);
_Pycs_PRIVATE void _Pycs_PutValues(_Pycs_API *api, PyTypeObject *type, _Pycs_Value *value, char mark);
_Pycs_PRIVATE _Pycs_Value *_Pycs_Convert(const char *class_name, const _Pycs_FieldEntry *field, PyObject *object);
_Pycs_PRIVATE PyObject *_Pycs_ReadField(_Pycs_API *api, PyTypeObject *type, const _Pycs_FieldEntry *field);

_Pycs_PRIVATE int _Pycs_BirthInherit(_Pycs_API *api, _Pycs_Birth *birth, PyObject *bases);
_Pycs_PRIVATE void _Pycs_BirthFill(_Pycs_API *api, _Pycs_Birth *birth, PyTypeObject *type, int only_untouched);
_Pycs_PRIVATE void _Pycs_BirthEnd(_Pycs_Birth *birth);
_Pycs_PRIVATE int _Pycs_FinishFields(
    _Pycs_API *api, PyTypeObject *type, PyObject *mro, int is_other, _Pycs_Value **values);

_Pycs_PRIVATE int _Pycs_VisitFields(_Pycs_API *api, PyTypeObject *type, visitproc visit, void *arg);
_Pycs_PRIVATE void _Pycs_ClearFields(_Pycs_API *api, PyTypeObject *type);
_Pycs_PRIVATE void _Pycs_ReleaseFields(_Pycs_API *api, PyTypeObject *type);

#endif /* Py_CUSTOMSLOTS_RUNTIME_FIELDS_H */
