/* SPDX-License-Identifier: MIT
 *
 * runtime/layers.c - a layer is checked, and divided into fields.
 */
#include "runtime/layers.h"

/* ------------------------------------------------------------- registration -- */

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
        PyErr_Format(PyExc_ValueError,
                     "field %zd ('%.100s') of metaclass '%.200s' covers bytes %zd to %zd, "
                     "expected bytes between %zd and %zd, what the metaclass adds to its base",
                     index, name, metaclass->tp_name, field->offset,
                     field->offset + field->size, start, end);
        return -1;
    }
    else if (field->type != PyExtensibleType_OPAQUE && needed == 0) {
        wrong = "its type is unknown, expected OPAQUE, OBJECT or the Py_T_* code of a number";
    }
    else if (needed != 0 && needed != field->size) {
        wrong = "its size is not that of its type; use sizeof on the member of the struct";
    }
    else if (field->type == PyExtensibleType_OBJECT
             && (size_t)field->offset % sizeof(PyObject *) != 0) {
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
        PyErr_Format(PyExc_ValueError, "field %zd ('%.100s') of metaclass '%.200s': %s",
                     index, name, metaclass->tp_name, wrong);
        return -1;
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
_Pycs_FreeLayer(_Pycs_Layer *layer)
{
    Py_ssize_t i;
    for (i = 0; i < layer->count; i++) {
        _Pycs_FieldEntry *field = &layer->fields[i];
        char *value = _Pycs_DefaultOf(field);
        Py_XDECREF(field->name);
        if (_Pycs_IsHooked(field)) field->def.destroy(value);
        else if (_Pycs_IsObject(field)) Py_XDECREF(*(PyObject **)(void *)value);
    }
    Py_XDECREF((PyObject *)layer->metaclass);
    PyMem_RawFree(layer->fields);
    PyMem_RawFree(layer->block);
    PyMem_RawFree(layer);
}

/* Fills layer->fields from the descriptions, sorted, the bytes between them becoming
   fields of their own, and creates the defaults.  -1 with an exception. */
static int
_Pycs_DivideLayer(_Pycs_API *api, _Pycs_Layer *layer, const PyExtensibleType_Field *fields, Py_ssize_t count)
{
    _Pycs_FieldEntry *entries = layer->fields;
    Py_ssize_t i, n = count, at = layer->offset;

    for (i = 0; i < count; i++) {
        memcpy((void *)&entries[i].def, (const void *)&fields[i], sizeof(entries[i].def));
    }
    qsort(entries, (size_t)count, sizeof(*entries), _Pycs_ByOffset);
    for (i = 0; i <= count; i++) {
        const Py_ssize_t next = i < count ? entries[i].def.offset : layer->offset + layer->size;
        if (next < at) {
            PyErr_Format(PyExc_ValueError,
                         "fields '%.100s' and '%.100s' of metaclass '%.200s' overlap",
                         entries[i - 1].def.name, entries[i].def.name,
                         layer->metaclass->tp_name);
            return -1;
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
        field->layer = layer;
        value = _Pycs_DefaultOf(field);
        if (field->def.flags & (PyExtensibleType_READABLE | PyExtensibleType_WRITABLE)) {
            if (!(field->name = PyUnicode_InternFromString(field->def.name))) return -1;
        }
        if (_Pycs_IsObject(field)) {
            Py_INCREF(Py_None);
            *(PyObject **)(void *)value = Py_None;
            layer->objects++;
        }
        else if (_Pycs_IsHooked(field)) {
            if (field->def.create(value) < 0) {
                Py_CLEAR(field->name);
                return -1;
            }
            layer->hooked++;
        }
        if (field->name != NULL) layer->named++;
        layer->count++;                 /* from here on FreeLayer() frees it */
    }
    return 0;
}

/* A layer for what `metaclass` adds to its base; NULL with an exception. */
_Pycs_PRIVATE _Pycs_Layer *
_Pycs_NewLayer(_Pycs_API *api, PyTypeObject *metaclass,
               const PyExtensibleType_Field *fields, Py_ssize_t count)
{
    _Pycs_Layer *layer = NULL, *result = NULL;
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
    layer = (_Pycs_Layer *)PyMem_RawCalloc(1, sizeof(*layer));
    if (layer == NULL) goto no_memory;
    Py_INCREF((PyObject *)metaclass);
    layer->metaclass = metaclass;
    layer->offset = offset;
    layer->size = size;
    layer->block = (char *)PyMem_RawCalloc(1, (size_t)size + 16);
    layer->defaults = layer->block + (size_t)offset % 16;
    layer->fields = (_Pycs_FieldEntry *)PyMem_RawCalloc(2 * (size_t)count + 1, sizeof(_Pycs_FieldEntry));
    if (layer->block == NULL || layer->fields == NULL) goto no_memory;
    if (_Pycs_DivideLayer(api, layer, fields, count) < 0) goto done;
    result = layer;
    layer = NULL;
    goto done;
no_memory:
    PyErr_NoMemory();
done:
    if (layer != NULL) _Pycs_FreeLayer(layer);
    return result;
}
