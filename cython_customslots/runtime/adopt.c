/* SPDX-License-Identifier: MIT
 *
 * runtime/adopt.c - a metaclass says which C fields it has; field_lists are checked, and divided into fields.
 *
 * From then on the fields are ours to fill, to visit, to clear and to release, in place
 * of what the author of the metaclass, or Cython on his behalf, wrote for that.
 */
#include "runtime/arguments.h"
#include "runtime/prototypes.h"

/* -------------------------------------------------------------------------- field_lists -- */

/* Bytes of a Py_T_* code that can be converted both ways, 0 for any other. */
static Py_ssize_t
_Pycs_SizeOfCode(int code)
{
    switch (code) {
    case PyExtensibleType_OBJECT: return (Py_ssize_t)sizeof(PyObject *);
    case 0:  return (Py_ssize_t)sizeof(short);                  /* T_SHORT */
    case 1:  return (Py_ssize_t)sizeof(int);                    /* T_INT */
    case 2:  return (Py_ssize_t)sizeof(long);                   /* T_LONG */
    case 3:  return (Py_ssize_t)sizeof(float);                  /* T_FLOAT */
    case 4:  return (Py_ssize_t)sizeof(double);                 /* T_DOUBLE */
    case 7: case 8: case 9: case 14: return 1;                  /* T_CHAR T_BYTE T_UBYTE T_BOOL */
    case 10: return (Py_ssize_t)sizeof(unsigned short);         /* T_USHORT */
    case 11: return (Py_ssize_t)sizeof(unsigned int);           /* T_UINT */
    case 12: return (Py_ssize_t)sizeof(unsigned long);          /* T_ULONG */
    case 17: return (Py_ssize_t)sizeof(long long);              /* T_LONGLONG */
    case 18: return (Py_ssize_t)sizeof(unsigned long long);     /* T_ULONGLONG */
    case 19: return (Py_ssize_t)sizeof(Py_ssize_t);             /* T_PYSSIZET */
    default: return 0;
    }
}

#define _Pycs_KNOWN_FLAGS \
    ((unsigned)(PyExtensibleType_READABLE | PyExtensibleType_WRITABLE | PyExtensibleType_KEEP))

/* One description, on its own.  -1 with a ValueError. */
static int
_Pycs_CheckField(PyTypeObject *metaclass, const PyExtensibleType_Field *field, Py_ssize_t index)
{
    const Py_ssize_t start = metaclass->tp_base->tp_basicsize, end = metaclass->tp_basicsize;
    const Py_ssize_t needed = _Pycs_SizeOfCode(field->type);
    const int hooks = (field->create != NULL) + (field->copy != NULL) + (field->move != NULL)
                      + (field->destroy != NULL);
    const char *name = field->name != NULL ? field->name : "?", *wrong = NULL;

    if (field->name == NULL || field->name[0] == 0) wrong = "it has no name, expected one";
    else if (field->size <= 0 || field->offset < start || field->offset > end - field->size) {
        return _Pycs_Deny(PyExc_ValueError, "field %zd ('%.100s') of metaclass '%.200s' covers bytes %zd to %zd, "
                          "expected bytes between %zd and %zd, what the metaclass adds to its base", index, name,
                          metaclass->tp_name, field->offset, field->offset + field->size, start, end);
    }
    else if (field->type != PyExtensibleType_OPAQUE && needed == 0) {
        wrong = "its type is unknown, expected OPAQUE, OBJECT or the Py_T_* code of a number";
    }
    else if (needed != 0 && needed != field->size) {
        wrong = "its size is not that of its type; use sizeof on the member of the struct";
    }
    else if (field->type == PyExtensibleType_OBJECT && (size_t)field->offset % sizeof(PyObject *) != 0) {
        wrong = "an OBJECT must be aligned";
    }
    else if (hooks != 0 && (hooks != 4 || field->type != PyExtensibleType_OPAQUE)) {
        wrong = "expected all of create, copy, move and destroy, and the type OPAQUE, or none";
    }
    else if (field->type == PyExtensibleType_OPAQUE
             && (((field->flags & PyExtensibleType_READABLE) && field->to_object == NULL)
                 || ((field->flags & PyExtensibleType_WRITABLE) && field->from_object == NULL))) {
        wrong = "Python cannot see an OPAQUE field without to_object (READABLE) and "
                "from_object (WRITABLE)";
    }
    if (wrong != NULL) {
        return _Pycs_Deny(PyExc_ValueError, "field %zd ('%.100s') of metaclass '%.200s': %s",
                          index, name, metaclass->tp_name, wrong);
    }
    return 0;
}

static int
_Pycs_ByOffset(const void *a, const void *b)
{
    Py_ssize_t x = ((const _Pycs_FieldEntry *)a)->def.offset;
    Py_ssize_t y = ((const _Pycs_FieldEntry *)b)->def.offset;
    return (x > y) - (x < y);
}

_Pycs_PRIVATE void
_Pycs_FreeFieldList(_Pycs_FieldList *list)
{
    Py_ssize_t i;
    for (i = 0; i < list->count; i++) {
        _Pycs_FieldEntry *field = &list->fields[i];
        char *value = _Pycs_FieldAt(NULL, field);
        Py_XDECREF(field->name);
        if (field->kind == _Pycs_HOOKS) field->def.destroy(value);
        else if (field->kind == _Pycs_REFERENCE) Py_XDECREF(*(PyObject **)(void *)value);
    }
    Py_XDECREF((PyObject *)list->metaclass);
    PyMem_RawFree(list->fields);
    PyMem_RawFree(list->block);
    PyMem_RawFree(list);
}

/* Fills list->fields from the descriptions, sorted, the bytes between them becoming
   fields of their own, and creates the defaults.  -1 with an exception. */
static int
_Pycs_DivideFieldList(_Pycs_API *api, _Pycs_FieldList *list, const PyExtensibleType_Field *fields, Py_ssize_t count)
{
    _Pycs_FieldEntry *entries = list->fields;
    Py_ssize_t i, n = count, at = list->offset;

    for (i = 0; i < count; i++) {
        memcpy((void *)&entries[i].def, (const void *)&fields[i], sizeof(entries[i].def));
    }
    qsort(entries, (size_t)count, sizeof(*entries), _Pycs_ByOffset);
    for (i = 0; i <= count; i++) {
        const Py_ssize_t next = i < count ? entries[i].def.offset : list->offset + list->size;
        if (next < at) {
            return _Pycs_Deny(PyExc_ValueError, "fields '%.100s' and '%.100s' of metaclass '%.200s' overlap",
                              entries[i - 1].def.name, entries[i].def.name, list->metaclass->tp_name);
        }
        if (next > at) {
            entries[n].def.type = PyExtensibleType_OPAQUE;
            entries[n].def.offset = at;
            entries[n++].def.size = next - at;
        }
        if (i < count) at = next + entries[i].def.size;
    }
    qsort(entries, (size_t)n, sizeof(*entries), _Pycs_ByOffset);
    for (i = 0; i < n; i++) {
        _Pycs_FieldEntry *field = &entries[i];
        char *value;
        field->api = api;
        field->list = list;
        list->count++;                 /* from here on FreeFieldList() frees it, by its kind */
        value = _Pycs_FieldAt(NULL, field);
        if ((field->def.flags & (PyExtensibleType_READABLE | PyExtensibleType_WRITABLE))
                && !(field->name = PyUnicode_InternFromString(field->def.name))) return -1;
        if (field->def.type == PyExtensibleType_OBJECT) {
            field->kind = _Pycs_REFERENCE;
            *(PyObject **)(void *)value = Py_NewRef(Py_None);
        }
        else if (field->def.copy != NULL) {
            if (field->def.create(value) < 0) return -1;
            field->kind = _Pycs_HOOKS;
            list->hooked++;
        }
        if (field->name != NULL) list->named++;
        if (i + 1 < n) field->next = field + 1;
    }
    return 0;
}

/* The fields that `metaclass` adds to its base; NULL with an exception. */
static _Pycs_FieldList *
_Pycs_NewFieldList(_Pycs_API *api, PyTypeObject *metaclass, const PyExtensibleType_Field *fields, Py_ssize_t count)
{
    _Pycs_FieldList *list;
    const Py_ssize_t offset = metaclass->tp_base->tp_basicsize;
    const Py_ssize_t size = metaclass->tp_basicsize - offset;
    Py_ssize_t i;

    if (size < 0) {
        PyErr_Format(PyExc_ValueError,
                     "metaclass '%.200s' has basic size %zd, smaller than the %zd of its "
                     "base '%.200s'", metaclass->tp_name, metaclass->tp_basicsize, offset,
                     metaclass->tp_base->tp_name);
        return NULL;
    }
    for (i = 0; i < count; i++) {
        if (_Pycs_CheckField(metaclass, &fields[i], i) < 0) return NULL;
    }
    if (!(list = (_Pycs_FieldList *)_Pycs_NewBlock(sizeof(*list)))) return NULL;
    Py_INCREF((PyObject *)metaclass);
    list->metaclass = metaclass;
    list->offset = offset;
    list->size = size;
    list->block = (char *)PyMem_RawCalloc(1, (size_t)size + 16);
    list->defaults = list->block + (size_t)offset % 16;
    list->fields = (_Pycs_FieldEntry *)PyMem_RawCalloc(2 * (size_t)count + 1, sizeof(_Pycs_FieldEntry));
    if (list->block == NULL || list->fields == NULL) PyErr_NoMemory();
    else if (_Pycs_DivideFieldList(api, list, fields, count) == 0) return list;
    _Pycs_FreeFieldList(list);
    return NULL;
}

/* -------------------------------------------------------------------- registration -- */

/* Refuses a metaclass with Python objects among fields that nobody described.  Cython's tp_new sets such objects to
   None; so it is called for a plain class, and the metaclass's own functions release what it made.  0, or -1 with an
   exception. */
static int
_Pycs_ExpectNoObjects(PyTypeObject *metaclass)
{
    const Py_ssize_t word = (Py_ssize_t)sizeof(PyObject *), end = metaclass->tp_basicsize - word;
    Py_ssize_t at = (metaclass->tp_base->tp_basicsize + word - 1) / word * word;
    const allocfunc alloc = metaclass->tp_alloc;
    const char *name = strrchr(metaclass->tp_name, '.');
    PyObject *args, *made;

    if (metaclass->tp_new == NULL || metaclass->tp_new == PyType_Type.tp_new || at > end) return 0;
    if (!(args = Py_BuildValue("(s(){})", "plain"))) return -1;
    metaclass->tp_alloc = PyType_GenericAlloc;
    made = metaclass->tp_new(metaclass, args, NULL);
    metaclass->tp_alloc = alloc;
    Py_DECREF(args);
    if (made == NULL) return -1;
    while (at <= end && *(PyObject **)(void *)((char *)made + at) != Py_None) at += word;
    Py_DECREF(made);
    if (at > end) return 0;
    name = name != NULL ? name + 1 : metaclass->tp_name;
    return _Pycs_Deny(PyExc_TypeError,
                      "metaclass '%.200s': found a Python object at offset %zd, which nobody described, expected C "
                      "data; compile its module with cython-customslots, which describes fields, or write in place of "
                      "inherit_fields(%.200s): PyExtensibleType_RegisterFields(%.200s, fields, 1), with fields[0] = "
                      "{\"NAME\", %zd, sizeof(PyObject *), PyExtensibleType_OBJECT}",
                      metaclass->tp_name, at, name, name, at);
}

/* Puts descriptors for the fields that Python sees into the metaclass's dict: all of them, or
   none.  0, or -1 with an exception. */
static int
_Pycs_PutDescriptors(_Pycs_API *api, _Pycs_FieldList *list)
{
    PyObject *dict = list->metaclass->tp_dict, *descriptor;
    PyObject **former = (PyObject **)_Pycs_NewBlock(((size_t)list->count + 1) * sizeof(PyObject *));
    Py_ssize_t i;
    int status = 0;

    if (former == NULL) return -1;
    for (i = 0; status == 0 && i < list->count; i++) {
        _Pycs_FieldEntry *field = &list->fields[i];
        if (field->name == NULL) continue;
        field->getset.name = field->def.name;
        field->getset.get = api->state->field_get;
        field->getset.set = api->state->field_set;
        field->getset.doc = field->def.doc;
        field->getset.closure = field;
        descriptor = PyDescr_NewGetSet(list->metaclass, &field->getset);
        if (descriptor == NULL || _Pycs_LookUp(dict, field->name, &former[i]) < 0
                || PyDict_SetItem(dict, field->name, descriptor) < 0) status = -1;
        Py_XDECREF(descriptor);
    }
    if (status < 0) {
        PyObject *type, *value, *traceback;
        PyErr_Fetch(&type, &value, &traceback);
        for (i -= 2; i >= 0; i--) {             /* those before the one that failed */
            PyObject *name = list->fields[i].name;
            if (name == NULL) continue;
            if (former[i] != NULL) (void)PyDict_SetItem(dict, name, former[i]);
            else (void)PyDict_DelItem(dict, name);
        }
        PyErr_Restore(type, value, traceback);
    }
    for (i = 0; i < list->count; i++) Py_XDECREF(former[i]);
    PyMem_RawFree(former);
    PyType_Modified(list->metaclass);
    return status;
}

/* Links the fields of the metaclasses above behind the fields of this list. */
static void
_Pycs_ContinueAbove(_Pycs_API *api, _Pycs_FieldList *list)
{
    if (list->count == 0) return;
    _Pycs_STORE(_Pycs_FieldEntry *, &list->fields[list->count - 1].next,
                _Pycs_FirstField(api, list->metaclass->tp_base));
}

/* Adds a list: 1.  If another thread was faster, 0, and the caller frees it. */
static int
_Pycs_LinkFieldList(_Pycs_API *api, _Pycs_FieldList *list)
{
    int is_new;
    _Pycs_Lock(api);
    if ((is_new = _Pycs_FindFieldList(api, list->metaclass) == NULL)) {
        api->state->hooked += list->hooked;
        api->state->named += list->named;
        list->next = api->state->field_lists;
        _Pycs_ContinueAbove(api, list);
        _Pycs_STORE(_Pycs_FieldList *, &api->state->field_lists, list);
        /* Metaclasses below this one may have had a list before. */
        while ((list = list->next)) _Pycs_ContinueAbove(api, list);
    }
    _Pycs_Unlock(api);
    return is_new;
}

/* Registers the fields that a metaclass adds; `fields` is NULL if they are not described.  0, also if that was done
   before; or -1 with an exception. */
static int
_Pycs_AddFieldList(_Pycs_API *api, PyTypeObject *metaclass, const PyExtensibleType_Field *fields, Py_ssize_t count)
{
    PyTypeObject *root = api->metaclass;
    _Pycs_FieldList *list = NULL;
    const _Pycs_FieldEntry *field;
    int status = -1;

    if (!PyType_IsSubtype(metaclass, root) || metaclass->tp_base == NULL) {
        return _Pycs_Deny(PyExc_TypeError, "C fields can be inherited for a metaclass derived from %.200s; found "
                          "'%.200s', which is not", root->tp_name, metaclass->tp_name);
    }
    if (metaclass == root || _Pycs_FindFieldList(api, metaclass) != NULL) return 0;
    if (fields == NULL && _Pycs_ExpectNoObjects(metaclass) < 0) return -1;
    if (!(list = _Pycs_NewFieldList(api, metaclass, fields, count))) goto done;
    if (_Pycs_PutDescriptors(api, list) < 0) goto done;
    _Pycs_MendMetaclass(metaclass);
    /* Cython gives every cdef class a tp_new.  This one does nothing that tp_alloc does not, and
       PyType_FromSpec() refuses a metaclass that has one. */
    metaclass->tp_new = PyType_Type.tp_new;
    if (_Pycs_LinkFieldList(api, list)) list = NULL;
    /* This is needed even if only a base has values that are more than their bytes: Cython gives a class that adds none
       the functions of its base, or calls those from its own. */
    _Pycs_EACH_FIELD(field, api, metaclass) {
        if (field->kind == _Pycs_BYTES) continue;
        metaclass->tp_dealloc = root->tp_dealloc;
        metaclass->tp_traverse = root->tp_traverse;
        metaclass->tp_clear = root->tp_clear;
    }
    status = 0;
done:
    if (list != NULL) _Pycs_FreeFieldList(list);
    return status;
}

/* Is the entry __new__ in the dict of a metaclass a C function, as Cython's is?  1: yes; 0: no,
   it was written in Python; -1: there is no such entry. */
static int
_Pycs_HasNewInC(_Pycs_API *api, PyTypeObject *metaclass)
{
    PyObject *found = metaclass->tp_dict == NULL ? NULL
                      : PyDict_GetItemWithError(metaclass->tp_dict, api->state->name_new);
    return found != NULL ? PyCFunction_Check(found) : -1;
}

/* Refuses a metaclass made by Cython that derives from one with registered fields, but was not registered itself: its
   tp_new would set all of these fields again, and its tp_dealloc would release them a second time.  0, or -1 with a
   TypeError. */
static int
_Pycs_ExpectRegistered(_Pycs_API *api, PyTypeObject *metaclass)
{
    const _Pycs_FieldEntry *above;
    for (; metaclass != api->metaclass && (above = _Pycs_FirstField(api, metaclass)) != NULL;
         metaclass = metaclass->tp_base) {
        const char *name = strrchr(metaclass->tp_name, '.');
        if (_Pycs_FindFieldList(api, metaclass) != NULL || metaclass->tp_new == PyType_Type.tp_new
                || _Pycs_HasNewInC(api, metaclass) != 1) continue;
        return _Pycs_Deny(PyExc_TypeError, "metaclass '%.200s': found that its fields were not registered, and it "
                          "derives from '%.200s', whose fields are; expected inherit_fields(%.200s) behind its class "
                          "statement", metaclass->tp_name, above->list->metaclass->tp_name,
                          name != NULL ? name + 1 : metaclass->tp_name);
    }
    return 0;
}

/* Prepares a metaclass before it makes a class: mends it (MendMetaclass), and refuses one that is not registered.
   0, or -1 with an exception. */
_Pycs_PRIVATE int
_Pycs_Adopt(_Pycs_API *api, PyTypeObject *metaclass)
{
    PyObject *mro;
    Py_ssize_t i;
    int in_c = -1;

    _Pycs_MendMetaclass(metaclass);
    if (metaclass->tp_new == PyType_Type.tp_new) return 0;
    if (_Pycs_ExpectRegistered(api, metaclass) < 0) return -1;
    /* A metaclass made in Python has a copy of the tp_new that it inherited, from before that was
       replaced. */
    mro = _Pycs_FetchMro(api, metaclass);
    for (i = 0; mro != NULL && in_c < 0 && i < PyTuple_GET_SIZE(mro); i++) {
        PyTypeObject *item = (PyTypeObject *)PyTuple_GET_ITEM(mro, i);
        in_c = _Pycs_HasNewInC(api, item);
        if (in_c > 0 && item->tp_new == PyType_Type.tp_new) metaclass->tp_new = item->tp_new;
    }
    Py_XDECREF(mro);
    return 0;
}

_Pycs_PRIVATE int
_Pycs_inherit_fields(_Pycs_API *api, PyTypeObject *metaclass)
{
    if (_Pycs_CheckReady("inherit_fields", metaclass) < 0) return -1;
    return _Pycs_AddFieldList(api, metaclass, NULL, 0);
}

/* The size of a field's description in the first version of this ABI, and a size that no later
   version will ever reach. */
#define _Pycs_FIRST_FIELD ((Py_ssize_t)sizeof(_Pycs_FieldDef))
#define _Pycs_LONGEST_FIELD ((Py_ssize_t)4096)

/* Copies descriptions of another size into ours.  What they lack is zero there; what they have
   beyond ours must be zero, because this implementation would ignore it.  The result is to be
   freed; NULL with an exception. */
static PyExtensibleType_Field *
_Pycs_Stride(PyTypeObject *metaclass, const void *fields, Py_ssize_t count, Py_ssize_t field_size)
{
    const Py_ssize_t ours = (Py_ssize_t)sizeof(PyExtensibleType_Field);
    PyExtensibleType_Field *whole = (PyExtensibleType_Field *)_Pycs_NewBlock(((size_t)count + 1) * sizeof(*whole));
    Py_ssize_t i, k;

    if (whole == NULL) return NULL;
    for (i = 0; i < count; i++) {
        const char *field = (const char *)fields + i * field_size;
        memcpy((void *)&whole[i], field, (size_t)(field_size < ours ? field_size : ours));
        for (k = ours; k < field_size && field[k] == 0; k++) { }
        if (k >= field_size && (whole[i].flags & ~_Pycs_KNOWN_FLAGS) == 0) continue;
        PyErr_Format(PyExc_NotImplementedError,
                     "field %zd ('%.100s') of metaclass '%.200s': found a description of %zd bytes with flags %u, "
                     "expected nothing in bytes after %zd and no flags but %u, which this implementation knows; "
                     "install the cython-customslots that the module of the metaclass was built with, or "
                     "a later one", i, whole[i].name != NULL ? whole[i].name : "?",
                     metaclass->tp_name, field_size, whole[i].flags, ours, _Pycs_KNOWN_FLAGS);
        PyMem_RawFree(whole);
        return NULL;
    }
    return whole;
}

_Pycs_PRIVATE int
_Pycs_register_fields(_Pycs_API *api, PyTypeObject *metaclass,
                      const PyExtensibleType_Field *fields, Py_ssize_t count,
                      Py_ssize_t field_size)
{
    PyExtensibleType_Field *whole;
    int status;

    if (_Pycs_CheckReady("register_fields", metaclass) < 0) return -1;
    /* A field has at least one byte and lies within the type object, so there are at most that
       many. */
    if (count < 0 || count > metaclass->tp_basicsize || (count > 0 && fields == NULL)
            || field_size < _Pycs_FIRST_FIELD || field_size > _Pycs_LONGEST_FIELD) {
        return _Pycs_Deny(PyExc_ValueError, "fields of metaclass '%.200s': found %zd descriptions of %zd bytes at "
                          "address %p, expected a count of 0 to %zd, the size of a type object, an array unless it is "
                          "0, and %zd to %zd bytes; pass sizeof(PyExtensibleType_Field)", metaclass->tp_name, count,
                          field_size, (const void *)fields, metaclass->tp_basicsize, _Pycs_FIRST_FIELD,
                          _Pycs_LONGEST_FIELD);
    }
    if (!(whole = _Pycs_Stride(metaclass, fields, count, field_size))) return -1;
    status = _Pycs_AddFieldList(api, metaclass, whole, count);
    PyMem_RawFree(whole);
    return status;
}

/* Repairs a metaclass that CPython made itself: type.__new__ gives it the generic allocator, and
   PyType_FromSpec(), before 3.12, `type` as its metaclass. */
_Pycs_PRIVATE void
_Pycs_MendMetaclass(PyTypeObject *metaclass)
{
    PyTypeObject *root = _Pycs_RootOf(metaclass);
    if (metaclass->tp_alloc == PyType_GenericAlloc) metaclass->tp_alloc = root->tp_alloc;
    if (Py_TYPE(metaclass) == &PyType_Type) {
        if (metaclass->tp_flags & Py_TPFLAGS_HEAPTYPE) Py_INCREF((PyObject *)Py_TYPE(root));
        Py_SET_TYPE((PyObject *)metaclass, Py_TYPE(root));
    }
}

_Pycs_PRIVATE PyTypeObject *
_Pycs_calculate_metaclass(_Pycs_API *api, PyTypeObject *wanted, PyTypeObject *base, PyObject *bases)
{
    PyTypeObject *winner = wanted != NULL ? wanted : api->metaclass;
    const _Pycs_API *owner;
    Py_ssize_t i, n;

    if (_Pycs_CheckReady("metaclass", winner) < 0) return NULL;
    if (_Pycs_CheckBases("metaclass", NULL, base, bases) < 0) return NULL;
    n = bases != NULL ? PyTuple_GET_SIZE(bases) : base != NULL;
    if ((owner = _Pycs_APIOf(winner)) != NULL && owner != api) {
        (void)_Pycs_RefuseForeign(owner, PyExc_ImportError, "the metaclass", winner);
        return NULL;
    }
    if (owner == NULL) {
        PyErr_Format(PyExc_TypeError,
                     "metaclass '%.200s' does not derive from %.200s; derive it from what PyExtensibleType_Import() "
                     "returns, in Cython 'cdef class %.200s(extensibletype)', or give its classes slots by "
                     "PyCustomSlots_Register()", winner->tp_name, api->metaclass->tp_name, winner->tp_name);
        return NULL;
    }
    for (i = 0; i < n; i++) {
        PyObject *b = bases != NULL ? PyTuple_GET_ITEM(bases, i) : (PyObject *)base;
        PyTypeObject *other = Py_TYPE(b);
        if (other == winner || PyType_IsSubtype(winner, other)) continue;
        if ((owner = _Pycs_APIOf(other)) != NULL && owner != api) {
            (void)_Pycs_RefuseForeign(owner, PyExc_ImportError, "the base class", (PyTypeObject *)b);
            return NULL;
        }
        if (!PyType_IsSubtype(other, winner)) {
            PyErr_Format(PyExc_TypeError,
                         "metaclass conflict: '%.200s' is wanted, but base '%.200s' has "
                         "metaclass '%.200s', and neither derives from the other; use a "
                         "metaclass that derives from both, in Cython @customslots.extensible(metaclass=...) for the "
                         "one that is written in Python",
                         winner->tp_name, ((PyTypeObject *)b)->tp_name, other->tp_name);
            return NULL;
        }
        winner = other;
    }
    return _Pycs_Adopt(api, winner) < 0 ? NULL : winner;
}

/* A metaclass made by a class statement or from a spec has its __module__ as a string
   in its dict.  Before a static class gets such a metaclass, the string moves to
   api->state->adopted_modules and the descriptor of extensibletype takes its place, see
   _Pycs_get_module().  0, or -1 with an exception. */
_Pycs_PRIVATE int
_Pycs_AdoptNames(_Pycs_API *api, PyTypeObject *metaclass)
{
    PyObject *descriptor = PyDict_GetItemWithError(api->metaclass->tp_dict, api->state->name_module);
    if (descriptor == NULL) return -1;
    for (; metaclass != api->metaclass; metaclass = metaclass->tp_base) {
        PyObject *module;
        if (!(metaclass->tp_flags & Py_TPFLAGS_HEAPTYPE)) continue;
        module = PyDict_GetItemWithError(metaclass->tp_dict, api->state->name_module);
        if (module == NULL && PyErr_Occurred()) return -1;
        if (module == NULL || module == descriptor) continue;
        if (PyDict_SetItem(api->state->adopted_modules, (PyObject *)metaclass, module) < 0
                || PyDict_SetItem(metaclass->tp_dict, api->state->name_module, descriptor) < 0) {
            return -1;
        }
        PyType_Modified(metaclass);
    }
    return 0;
}
