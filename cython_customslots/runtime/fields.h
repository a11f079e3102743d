/* SPDX-License-Identifier: MIT
 *
 * runtime/fields.h - C fields in the type object, inherited by value.
 *
 * A read is one load behind ob_type, with no check.  So the memory must be right before
 * user code can see a class: tp_alloc copies each field from the nearest class in the
 * MRO that set it, or else fills in the default (the first provider's value).  Later
 * changes are pushed into the subclasses: of bases (change.c), of values (setter.c).
 *
 * A value that is in no class is a Value: what a class statement or a setter gives, a copy for a
 * class that follows, or what was replaced and waits for the lock to be released.  Making one can
 * fail, and putting one into a class cannot; so all are made before anything is changed.
 *
 * All of this is under the lock (change.h), but for FreeValues() and ReleaseFields().
 *
 * (The idea of the fields: "Adding Class Attributes to Dynamic Cython Extension Types
 * Using Metaclasses", Intersec; what was missing there is the inheritance.)
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_FIELDS_H
#define Py_CUSTOMSLOTS_RUNTIME_FIELDS_H

#include "runtime/layers.h"
#include "runtime/slots.h"

typedef struct _PyExtensibleType_Value {
    struct _PyExtensibleType_Value *next;
    const _PyExtensibleType_FieldEntry *field;
    PyObject     *object;             /* counted: what it was converted from; or NULL */
} _PyExtensibleType_Value;            /* the value follows, and room for another one */

/* The bytes of a value, aligned for any type. */
static inline char *
_PyExtensibleType_BytesOf(_PyExtensibleType_Value *value)
{
    return (char *)value + (sizeof(*value) + 15) / 16 * 16;
}

_PyExtensibleType_PRIVATE PyTypeObject *_PyExtensibleType_SourceOfField(
    _PyExtensibleType_API *api, const _PyExtensibleType_Mro *mro,
    const _PyExtensibleType_FieldEntry *field);
_PyExtensibleType_PRIVATE _PyExtensibleType_Value *_PyExtensibleType_NewValue(
    const _PyExtensibleType_FieldEntry *field);
_PyExtensibleType_PRIVATE _PyExtensibleType_Value *_PyExtensibleType_NewSet(
    const _PyExtensibleType_FieldEntry *field, PyObject *object);
_PyExtensibleType_PRIVATE void _PyExtensibleType_FreeRaw(_PyExtensibleType_Value *value);
_PyExtensibleType_PRIVATE void _PyExtensibleType_FreeValues(_PyExtensibleType_Value **values);
_PyExtensibleType_PRIVATE int _PyExtensibleType_CopyValue(
    const _PyExtensibleType_FieldEntry *field, char *to, const char *from);
_PyExtensibleType_PRIVATE int _PyExtensibleType_AddCopy(
    _PyExtensibleType_Value **values, const _PyExtensibleType_FieldEntry *field, const char *from);
_PyExtensibleType_PRIVATE int _PyExtensibleType_AddInherited(
    _PyExtensibleType_Value **values, PyTypeObject *type, const _PyExtensibleType_FieldEntry *field,
    const char *from);
_PyExtensibleType_PRIVATE void _PyExtensibleType_SwapValue(_PyExtensibleType_Value *value, char *to);
_PyExtensibleType_PRIVATE void _PyExtensibleType_PutValues(
    _PyExtensibleType_API *api, PyTypeObject *type, _PyExtensibleType_Value *value);
_PyExtensibleType_PRIVATE const char *_PyExtensibleType_ValueFor(
    _PyExtensibleType_API *api, const _PyExtensibleType_Mro *mro,
    const _PyExtensibleType_FieldEntry *field);
_PyExtensibleType_PRIVATE int _PyExtensibleType_GivesDefault(
    PyTypeObject *type, const _PyExtensibleType_FieldEntry *field);
_PyExtensibleType_PRIVATE int _PyExtensibleType_SetDefaults(
    _PyExtensibleType_API *api, PyTypeObject *type);
_PyExtensibleType_PRIVATE void _PyExtensibleType_FirstDefaults(
    _PyExtensibleType_API *api, PyTypeObject *metaclass, const _PyExtensibleType_Mro *mro);
_PyExtensibleType_PRIVATE void _PyExtensibleType_FillFields(
    _PyExtensibleType_API *api, PyTypeObject *type, PyTypeObject *metaclass,
    const _PyExtensibleType_Mro *mro, int only_untouched, _PyExtensibleType_Value **values);
_PyExtensibleType_PRIVATE void _PyExtensibleType_ReleaseFields(
    _PyExtensibleType_API *api, PyTypeObject *type);

#endif /* Py_CUSTOMSLOTS_RUNTIME_FIELDS_H */
