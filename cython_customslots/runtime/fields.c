/* SPDX-License-Identifier: MIT
 *
 * runtime/fields.c - the fields of a class; its sidecar; the values of fields: where they come from, what Python
 * sees of them, and how they are replaced; how a new class gets them, and a dying class drops them.
 */
#include "runtime/fields.h"

/* ------------------------------------------------------------- lists of fields -- */

/* The fields that exactly this metaclass adds, or NULL.  There is one list for each metaclass with fields in the
   interpreter, and no list is ever removed. */
_Pycs_PRIVATE _Pycs_FieldList *
_Pycs_FindFieldList(_Pycs_API *api, PyTypeObject *metaclass)
{
    _Pycs_FieldList *list = _Pycs_LOAD(_Pycs_FieldList *, &api->state->field_lists);
    while (list != NULL && list->metaclass != metaclass) list = list->next;
    return list;
}

/* For EACH_FIELD: the first field of the most derived list of a metaclass; NULL if it has none. */
_Pycs_PRIVATE _Pycs_FieldEntry *
_Pycs_FirstField(_Pycs_API *api, PyTypeObject *metaclass)
{
    while (metaclass->tp_base != NULL && metaclass != api->metaclass && metaclass != &PyType_Type) {
        if (metaclass->tp_basicsize != metaclass->tp_base->tp_basicsize) {
            const _Pycs_FieldList *list = _Pycs_FindFieldList(api, metaclass);
            if (list != NULL) return list->fields;
        }
        metaclass = metaclass->tp_base;
    }
    return NULL;
}

/* Does a more derived metaclass than the field's own have a field of the same name? */
_Pycs_PRIVATE int
_Pycs_IsHidden(_Pycs_API *api, PyTypeObject *metaclass, const _Pycs_FieldEntry *field)
{
    const _Pycs_FieldEntry *first;
    _Pycs_EACH_FIELD(first, api, metaclass) {
        if (first->name == field->name) break;
    }
    return first != field;
}

/* Where the field is in a type object; NULL: in the defaults of its list. */
_Pycs_PRIVATE char *
_Pycs_FieldAt(PyTypeObject *type, const _Pycs_FieldEntry *field)
{
    const _Pycs_FieldList *list = field->list;
    return type != NULL ? (char *)type + field->def.offset : list->defaults + (field->def.offset - list->offset);
}

/* Does a class have the bytes of this list? */
_Pycs_PRIVATE int
_Pycs_HasBytesOf(PyTypeObject *type, const _Pycs_FieldList *list)
{
    return (Py_TYPE(type) == list->metaclass || PyType_IsSubtype(Py_TYPE(type), list->metaclass))
           && _Pycs_HasMemory(type);
}

/* ----------------------------------------------------------------------- sidecars -- */

/* The sidecar of a class that we filled (IsFilled()); NULL if it has none. */
_Pycs_PRIVATE _Pycs_Sidecar *
_Pycs_SidecarOf(PyTypeObject *type)
{
    return (_Pycs_Sidecar *)_Pycs_LOAD(void *, &_Pycs_CAST(type)->etp_extension);
}

/* Takes the sidecar away from a class that dies, or was not made after all; NULL if there is
   none. */
_Pycs_PRIVATE _Pycs_Sidecar *
_Pycs_TakeSidecar(_Pycs_API *api, PyTypeObject *type)
{
    _Pycs_Sidecar *sidecar = _Pycs_SidecarOf(type);
    _Pycs_ASSERT_LOCKED(api);
    (void)api;
    _Pycs_STORE(void *, &_Pycs_CAST(type)->etp_extension, NULL);
    return sidecar;
}

/* The mark of a field of `type`, which has a sidecar; in *noted (unless that is NULL) the address of the bytes
   that inheritance gave it, or, if the value is the class's own, of the value that is marked. */
_Pycs_PRIVATE char *
_Pycs_MarkOf(_Pycs_API *api, PyTypeObject *type, const _Pycs_FieldEntry *field, char **noted)
{
    const Py_ssize_t offset = field->def.offset - api->metaclass->tp_basicsize;
    _Pycs_Sidecar *sidecar = _Pycs_SidecarOf(type);
    _Pycs_ASSERT_LOCKED(api);
    if (noted != NULL) *noted = (char *)(sidecar + 1) + offset;
    return sidecar->marks + offset;
}

/* ------------------------------------------------------------- whose value -- */

/* Was nothing written into this field yet?  Then it holds the default, or zeros. */
static int
_Pycs_IsUntouched(const _Pycs_FieldEntry *field, const char *value)
{
    Py_ssize_t i;
    if (memcmp(value, _Pycs_FieldAt(NULL, field), (size_t)field->def.size) == 0) return 1;
    for (i = 0; i < field->def.size && value[i] == 0; i++) { }
    return i == field->def.size;
}

/* Does `type` hold what it inherits?  Not if its own value is marked, or if other code wrote into it. */
_Pycs_PRIVATE int
_Pycs_InheritsField(_Pycs_API *api, PyTypeObject *type, const _Pycs_FieldEntry *field)
{
    const _Pycs_Sidecar *sidecar = _Pycs_SidecarOf(type);
    const Py_ssize_t offset = field->def.offset - api->metaclass->tp_basicsize;
    const char *value = _Pycs_FieldAt(type, field);
    _Pycs_ASSERT_LOCKED(api);
    if (sidecar == NULL) return field->kind == _Pycs_HOOKS || _Pycs_IsUntouched(field, value);
    return sidecar->marks[offset] == 0
           && (field->kind == _Pycs_HOOKS
               || memcmp(value, (const char *)(sidecar + 1) + offset, (size_t)field->def.size) == 0);
}

/* Does `type` have a value of its own?  Takes the lock. */
_Pycs_PRIVATE int
_Pycs_IsOwn(_Pycs_API *api, PyTypeObject *type, const _Pycs_FieldEntry *field)
{
    int is_own;
    _Pycs_Lock(api);
    is_own = !_Pycs_InheritsField(api, type, field);
    _Pycs_Unlock(api);
    return is_own;
}

/* The class whose value of this field a class with this MRO inherits: the nearest class, other than `type` (or
   NULL), that set it.  A value that was set is marked, or its bytes differ from those that were inherited
   (fields.h).  (In a diamond T(A, B) over Greet, where only B set the field, that is B, as
   with a class attribute.)  NULL: no class set it, and the value is the metaclass's default. */
_Pycs_PRIVATE PyTypeObject *
_Pycs_SourceOfField(_Pycs_API *api, const PyTypeObject *type, PyObject *mro, const _Pycs_FieldEntry *field)
{
    Py_ssize_t i;
    _Pycs_ASSERT_LOCKED(api);
    for (i = 0; i < PyTuple_GET_SIZE(mro); i++) {
        PyTypeObject *item = (PyTypeObject *)PyTuple_GET_ITEM(mro, i);
        if (item != type && _Pycs_HasBytesOf(item, field->list) && !_Pycs_InheritsField(api, item, field)) return item;
    }
    return NULL;
}

/* ------------------------------------------------------------------------ values -- */

/* A Value whose bytes are zeros, still raw memory; `object` (or NULL) is to be converted into them.
   NULL with a MemoryError. */
_Pycs_PRIVATE _Pycs_Value *
_Pycs_NewValue(const _Pycs_FieldEntry *field, PyObject *object)
{
    const size_t head = (sizeof(_Pycs_Value) + 15) / 16 * 16, room = ((size_t)field->def.size + 15) / 16 * 16;
    _Pycs_Value *value = (_Pycs_Value *)_Pycs_NewBlock(head + 2 * room);
    if (value == NULL) return NULL;
    value->field = field;
    value->bytes = (char *)value + head;
    value->spare = value->bytes + room;
    value->object = Py_XNewRef(object);
    return value;
}

/* Releases values, which may run any code.  Not under the lock. */
_Pycs_PRIVATE void
_Pycs_FreeValues(_Pycs_Value **values)
{
    _Pycs_Value *value;
    while ((value = *values)) {
        *values = value->next;
        if (value->field->kind == _Pycs_REFERENCE) Py_XDECREF(*(PyObject **)(void *)value->bytes);
        else if (value->field->kind == _Pycs_HOOKS) value->field->def.destroy(value->bytes);
        Py_XDECREF(value->object);
        PyMem_RawFree(value);
    }
}

/* Copies a value to raw memory.  0, or -1 with what the copy hook raised. */
_Pycs_PRIVATE int
_Pycs_CopyValue(const _Pycs_FieldEntry *field, char *to, const char *from)
{
    if (field->kind == _Pycs_HOOKS) return field->def.copy(to, from);
    if (field->kind == _Pycs_REFERENCE) {
        PyObject *object = *(PyObject *const *)(const void *)from;
        *(PyObject **)(void *)to = Py_NewRef(object != NULL ? object : Py_None);
    }
    else {
        memcpy(to, from, (size_t)field->def.size);
    }
    return 0;
}

/* Adds a copy of the value at `from`, unless it is for a `place` (or NULL) that holds the same.  0, or -1 with
   an exception. */
_Pycs_PRIVATE int
_Pycs_AddCopy(_Pycs_Value **values, const _Pycs_FieldEntry *field, const char *place, const char *from)
{
    _Pycs_Value *value;
    if (place != NULL && field->kind != _Pycs_HOOKS && memcmp(place, from, (size_t)field->def.size) == 0) return 0;
    if (!(value = _Pycs_NewValue(field, NULL))) return -1;
    if (_Pycs_CopyValue(field, value->bytes, from) < 0) {
        PyMem_RawFree(value);
        return -1;
    }
    value->next = *values;
    *values = value;
    return 0;
}

/* ------------------------------------------------------------ storing a value -- */

/* Exchanges values with those of a class, and marks the class's so; for `type` NULL, with defaults.  Cannot fail. */
_Pycs_PRIVATE void
_Pycs_PutValues(_Pycs_API *api, PyTypeObject *type, _Pycs_Value *value, char mark)
{
    _Pycs_ASSERT_LOCKED(api);
    for (; value != NULL; value = value->next) {
        const _Pycs_FieldEntry *field = value->field;
        char *to = _Pycs_FieldAt(type, field), *bytes = value->bytes, *spare = value->spare, *noted = NULL;
        if (type != NULL) *_Pycs_MarkOf(api, type, field, &noted) = mark;
        if (field->kind == _Pycs_HOOKS) {
            field->def.move(spare, to);
            field->def.move(to, bytes);
            field->def.move(bytes, spare);
        }
        else {
            const Py_ssize_t size = field->def.size, word = (Py_ssize_t)sizeof(uintptr_t);
            Py_ssize_t i = 0;
            memcpy(spare, to, (size_t)size);
            /* Other threads may be reading: word by word, so that a field that is a word is old or new. */
            for (; (uintptr_t)to % sizeof(uintptr_t) == 0 && i + word <= size; i += word) {
                uintptr_t read;
                memcpy(&read, bytes + i, sizeof(read));
                _Pycs_STORE(uintptr_t, (uintptr_t *)(void *)(to + i), read);
            }
            memcpy(to + i, bytes + i, (size_t)(size - i));
            if (noted != NULL) memcpy(noted, bytes, (size_t)size);
            memcpy(bytes, spare, (size_t)size);
        }
    }
}

/* ------------------------------------------------------------------ as Python sees them -- */

/* Is it the code of an integer, which PyMember_SetOne() would truncate? */
static int
_Pycs_IsInteger(int code, int *is_signed)
{
    *is_signed = code == 0 || code == 1 || code == 2 || code == 8 || code == 17 || code == 19;
    return *is_signed || (code >= 9 && code <= 12) || code == 18;
}

/* What a field is converted from, as a new str; NULL with an exception.  The field's docstring begins with
   it: "priority: int (C: long)". */
static PyObject *
_Pycs_ExpectedIn(const _Pycs_FieldDef *def)
{
    const size_t length = strlen(def->name);
    int is_signed;
    if (def->from_object == NULL && _Pycs_IsInteger(def->type, &is_signed)) {
        return PyUnicode_FromFormat("%s integer of %zd bytes", is_signed ? "a signed" : "an unsigned", def->size);
    }
    if (def->from_object == NULL) {
        return PyUnicode_FromString(def->type == 14 ? "True or False"
                                    : def->type == 7 ? "a str of length 1" : "a float");
    }
    if (def->doc == NULL || strncmp(def->doc, def->name, length) != 0 || strncmp(def->doc + length, ": ", 2) != 0) {
        return PyUnicode_FromString("what the field is converted from");
    }
    return PyUnicode_DecodeUTF8(def->doc + length + 2, (Py_ssize_t)strcspn(def->doc + length + 2, "\n"), "replace");
}

/* Says of a failed conversion what was found and expected, for which field of which class and metaclass. */
static void
_Pycs_BlameField(const char *class_name, const _Pycs_FieldEntry *field, PyObject *object)
{
    PyObject *type, *value, *traceback, *text = NULL, *shown = NULL, *expected = NULL;
    PyErr_Fetch(&type, &value, &traceback);
    if (type == PyExc_TypeError || type == PyExc_ValueError || type == PyExc_OverflowError
            || type == PyExc_IndexError) {
        PyErr_NormalizeException(&type, &value, &traceback);
        text = value != NULL ? PyObject_Str(value) : NULL;
        PyErr_Clear();
    }
    if (text == NULL) {
        PyErr_Restore(type, value, traceback);
        return;
    }
    if ((shown = _Pycs_Repr(object)) != NULL && (expected = _Pycs_ExpectedIn(&field->def)) != NULL) {
        PyErr_Format(type, "field '%s' of class '%.200s' (metaclass '%.200s'): found %U, expected %U: %U%s",
                     field->def.name, class_name, field->list->metaclass->tp_name, shown, expected, text,
                     type != PyExc_TypeError ? "" : "; what is no value of the field needs another name");
    }
    _Pycs_XDECREF_ALL(text, shown, expected, type, value, traceback);
}

/* Keeps an object that values point into (KEEP) as long as the interpreter: only one of equal
   bytes or equal strings.  That one, borrowed; NULL with an exception. */
static PyObject *
_Pycs_Intern(_Pycs_API *api, PyObject *object)
{
    PyObject *key = PyBytes_CheckExact(object) || PyUnicode_CheckExact(object)
                    ? PyTuple_Pack(2, (PyObject *)Py_TYPE(object), object) : PyLong_FromVoidPtr(object);
    PyObject *kept = key != NULL ? PyDict_SetDefault(api->state->texts, key, object) : NULL;
    Py_XDECREF(key);
    return kept;
}

/* Stores what `object` is converted to.  0, or -1 with an exception.  May run any code. */
static int
_Pycs_ConvertInto(const _Pycs_FieldEntry *field, char *value, PyObject *object)
{
    const _Pycs_FieldDef *def = &field->def;
    int is_signed, fits;
    PyMemberDef member;

    if (def->from_object != NULL) return def->from_object(value, object);
    if (field->kind == _Pycs_REFERENCE) return 0;
    if (!_Pycs_IsInteger(def->type, &is_signed)) {
        memset(&member, 0, sizeof(member));
        member.name = def->name;
        member.type = def->type;
        return PyMember_SetOne(value, &member, object);
    }
    fits = _Pycs_StoreInteger(object, is_signed, (size_t)def->size, value);
    if (fits == 0) PyErr_SetString(PyExc_OverflowError, "it does not fit");
    return fits > 0 ? 0 : -1;
}

/* Converts `object`, which a class statement or a setter gives: a new Value; NULL with an exception
   that names the class and the field.  May run any code. */
_Pycs_PRIVATE _Pycs_Value *
_Pycs_Convert(const char *class_name, const _Pycs_FieldEntry *field, PyObject *object)
{
    _Pycs_Value *value = _Pycs_NewValue(field, object);
    char *bytes;
    PyObject *kept;
    int status;

    if (value == NULL) return NULL;
    bytes = value->bytes;
    if (field->kind == _Pycs_REFERENCE) {
        *(PyObject **)(void *)bytes = Py_NewRef(field->def.from_object != NULL ? Py_None : object);
    }
    status = _Pycs_ConvertInto(field, bytes, object);
    if (status == 0 && field->def.flags & PyExtensibleType_KEEP) {
        kept = _Pycs_Intern(field->api, object);
        if (kept != object) {
            if (field->kind == _Pycs_HOOKS) field->def.destroy(bytes);
            status = kept != NULL ? _Pycs_ConvertInto(field, bytes, kept) : -1;
        }
    }
    if (status < 0) {
        if (field->kind == _Pycs_REFERENCE) Py_XDECREF(*(PyObject **)(void *)bytes);
        Py_DECREF(value->object);
        PyMem_RawFree(value);
        _Pycs_BlameField(class_name, field, object);
        return NULL;
    }
    return value;
}

/* The value of a field of `type`, which has memory for it, as Python sees it: a new
   reference, NULL with an exception.  The lock is held only while the value is copied: a
   thread that replaces it drops the old one after releasing the lock.  A conversion may run
   Python code, so it works on the copy, outside the lock. */
_Pycs_PRIVATE PyObject *
_Pycs_ReadField(_Pycs_API *api, PyTypeObject *type, const _Pycs_FieldEntry *field)
{
    union { char bytes[64]; double alignment[8]; } little;
    _Pycs_Value *value = NULL;
    char *copy = little.bytes;
    PyObject *object = NULL;
    PyMemberDef member;
    int status;

    if (field->kind == _Pycs_HOOKS || (size_t)field->def.size > sizeof(little)) {
        if (!(value = _Pycs_NewValue(field, NULL))) return NULL;
        copy = value->bytes;
    }
    _Pycs_Lock(api);
    status = _Pycs_CopyValue(field, copy, _Pycs_FieldAt(type, field));
    _Pycs_Unlock(api);
    if (status < 0) {
        PyMem_RawFree(value);
        return NULL;
    }
    if (field->def.to_object != NULL) object = field->def.to_object(copy);
    else if (field->kind == _Pycs_REFERENCE) return *(PyObject **)(void *)copy;
    else {
        memset(&member, 0, sizeof(member));
        member.name = field->def.name;
        member.type = field->def.type;
        object = PyMember_GetOne(copy, &member);
    }
    if (field->kind == _Pycs_REFERENCE) Py_DECREF(*(PyObject **)(void *)copy);
    if (value != NULL) _Pycs_FreeValues(&value);
    return object;
}

/* ---------------------------------------------------------------- a new class -- */

/* Prepares what a class of birth->metaclass with these bases inherits: the MRO to inherit by, a
   sidecar if it has fields, and copies of the values with hooks.  NULL for the bases: they are not known yet,
   and the class starts with the defaults.  0, or -1 with an exception. */
_Pycs_PRIVATE int
_Pycs_BirthInherit(_Pycs_API *api, _Pycs_Birth *birth, PyObject *bases)
{
    const Py_ssize_t size = birth->metaclass->tp_basicsize - api->metaclass->tp_basicsize;
    const _Pycs_FieldEntry *field;
    int status = 0;

    if (size > 0) {
        birth->sidecar = (_Pycs_Sidecar *)_Pycs_NewBlock(sizeof(*birth->sidecar) + 2 * (size_t)size);
        if (birth->sidecar == NULL) return -1;
        birth->sidecar->marks = (char *)(birth->sidecar + 1) + size;
        birth->sidecar->filled_at = _Pycs_LOAD(uintptr_t, &api->state->generation) << 1 | _Pycs_FILLED;
    }
    birth->mro = bases != NULL ? _Pycs_MroOfBases(api, bases) : PyTuple_New(0);
    if (birth->mro == NULL) return -1;
    if (api->state->hooked == 0) return 0;
    _Pycs_Lock(api);
    _Pycs_EACH_FIELD(field, api, birth->metaclass) {
        if (field->kind != _Pycs_HOOKS) continue;
        status = _Pycs_AddCopy(&birth->values, field, NULL,
                               _Pycs_FieldAt(_Pycs_SourceOfField(api, NULL, birth->mro, field), field));
        if (status < 0) break;
    }
    _Pycs_Unlock(api);
    return status;
}

/* Fills a class that was allocated, and that no other code has seen yet, with what it inherits; it is unfinished
   from then on.  Its fields are raw memory; with `only_untouched`, its author may have set some of them, and
   its sidecar keeps the values that these fields would inherit.  Under the lock.  Cannot fail. */
_Pycs_PRIVATE void
_Pycs_BirthFill(_Pycs_API *api, _Pycs_Birth *birth, PyTypeObject *type, int only_untouched)
{
    PyHeapExtensibleTypeObject *const t = (PyHeapExtensibleTypeObject *)type;
    const _Pycs_FieldEntry *field;
    _Pycs_ASSERT_LOCKED(api);

    _Pycs_STORE(void *, &t->etp_extension, (void *)birth->sidecar);
    birth->sidecar = NULL;
    _Pycs_EACH_FIELD(field, api, birth->metaclass) {
        char *to = _Pycs_FieldAt(type, field), *noted;
        const char *from = _Pycs_FieldAt(_Pycs_SourceOfField(api, NULL, birth->mro, field), field);
        if (field->kind == _Pycs_HOOKS) {
            _Pycs_Value **link = &birth->values, *value;
            while (*link != NULL && (*link)->field != field) link = &(*link)->next;
            if ((value = *link) == NULL) continue;
            field->def.move(to, value->bytes);
            *link = value->next;
            PyMem_RawFree(value);
        }
        else {
            const int is_own = only_untouched && !_Pycs_IsUntouched(field, to);
            if (!is_own) (void)_Pycs_CopyValue(field, to, from);
            (void)_Pycs_MarkOf(api, type, field, &noted);
            memcpy(noted, is_own ? from : to, (size_t)field->def.size);
        }
    }
    t->etp_custom_slots = api->state->unfinished.slots;
    _Pycs_STORE(uintptr_t, &t->etp_check, (uintptr_t)type ^ _Pycs_UNFINISHED);
}

/* Releases whatever the class did not take.  Not under the lock. */
_Pycs_PRIVATE void
_Pycs_BirthEnd(_Pycs_Birth *birth)
{
    _Pycs_FreeValues(&birth->values);
    PyMem_RawFree(birth->sidecar);
    Py_XDECREF(birth->mro);
}

/* Finishes the fields of a class with this MRO.  If the class was filled by another MRO, or anything
   changed since then, it gets what it inherits now in every field that was not written to.  Under
   the lock.  0, or -1 with an exception and nothing changed. */
_Pycs_PRIVATE int
_Pycs_FinishFields(_Pycs_API *api, PyTypeObject *type, PyObject *mro, int is_other, _Pycs_Value **values)
{
    _Pycs_Sidecar *sidecar = _Pycs_SidecarOf(type);
    const _Pycs_FieldEntry *field;
    _Pycs_ASSERT_LOCKED(api);

    if (sidecar == NULL) return 0;              /* it has no fields */
    if ((sidecar->filled_at & _Pycs_FILLED) != 0) {
        is_other |= sidecar->filled_at != (api->state->generation << 1 | _Pycs_FILLED);
    }
    if (is_other) {
        _Pycs_EACH_FIELD(field, api, Py_TYPE(type)) {
            if (_Pycs_InheritsField(api, type, field)
                    && _Pycs_AddCopy(values, field, _Pycs_FieldAt(type, field), _Pycs_FieldAt(
                        _Pycs_SourceOfField(api, type, mro, field), field)) < 0) return -1;
        }
        _Pycs_PutValues(api, type, *values, 0);
    }
    sidecar->filled_at = 0;
    return 0;
}

/* ------------------------------------------------------- the collector, and death -- */

/* Visits, for the collector, what a class that we filled keeps and has in its fields: 0, or what `visit`
   returned. Without the lock: the collector has stopped all other threads, none of them while it holds the lock.
   (Waiting for the lock here could deadlock: PyMutex may hand it to a thread that has waited long, and that
   thread cannot run until the collector is done.) */
_Pycs_PRIVATE int
_Pycs_VisitFields(_Pycs_API *api, PyTypeObject *type, visitproc visit, void *arg)
{
    const _Pycs_Sidecar *sidecar = _Pycs_SidecarOf(type);
    const _Pycs_FieldEntry *field;
    if (sidecar != NULL) Py_VISIT((PyObject *)sidecar->kept);
    _Pycs_EACH_FIELD(field, api, Py_TYPE(type)) {
        if (field->kind == _Pycs_REFERENCE) Py_VISIT(*(PyObject **)(void *)_Pycs_FieldAt(type, field));
    }
    return 0;
}

/* Drops what such a class keeps.  Objects in fields become None, which instances that are still dying can read. */
_Pycs_PRIVATE void
_Pycs_ClearFields(_Pycs_API *api, PyTypeObject *type)
{
    _Pycs_Sidecar *const sidecar = _Pycs_SidecarOf(type);
    const _Pycs_FieldEntry *field;
    PyObject *kept = NULL;

    if (sidecar != NULL) {
        _Pycs_Lock(api);
        kept = (PyObject *)sidecar->kept;
        sidecar->kept = NULL;
        _Pycs_Unlock(api);
    }
    Py_XDECREF(kept);
    _Pycs_EACH_FIELD(field, api, Py_TYPE(type)) {
        PyObject **slot = (PyObject **)(void *)_Pycs_FieldAt(type, field);
        if (field->kind != _Pycs_REFERENCE) continue;
        Py_XSETREF(*slot, Py_NewRef(Py_None));
    }
}

/* Releases the fields of a type that is about to be freed.  Not under
   the lock: it may run any code, so the collector must no longer know the type. */
_Pycs_PRIVATE void
_Pycs_ReleaseFields(_Pycs_API *api, PyTypeObject *type)
{
    const _Pycs_FieldEntry *field;
    _Pycs_EACH_FIELD(field, api, Py_TYPE(type)) {
        char *value = _Pycs_FieldAt(type, field);
        if (field->kind == _Pycs_REFERENCE) Py_CLEAR(*(PyObject **)(void *)value);
        else if (field->kind == _Pycs_HOOKS) field->def.destroy(value);
    }
}
