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

typedef struct _Pycs_Value {
    struct _Pycs_Value *next;
    const _Pycs_FieldEntry *field;
    PyObject     *object;             /* counted: what it was converted from; or NULL */
} _Pycs_Value;                        /* the value follows, and room for another one */

/* The bytes of a value, aligned for any type. */
static inline char *
_Pycs_BytesOf(_Pycs_Value *value)
{
    return (char *)value + (sizeof(*value) + 15) / 16 * 16;
}

_Pycs_PRIVATE PyTypeObject *_Pycs_SourceOfField(
    _Pycs_API *api, const _Pycs_Mro *mro,
    const _Pycs_FieldEntry *field);
_Pycs_PRIVATE _Pycs_Value *_Pycs_NewValue(const _Pycs_FieldEntry *field);
_Pycs_PRIVATE _Pycs_Value *_Pycs_NewSet(const _Pycs_FieldEntry *field, PyObject *object);
_Pycs_PRIVATE void _Pycs_FreeRaw(_Pycs_Value *value);
_Pycs_PRIVATE void _Pycs_FreeValues(_Pycs_Value **values);
_Pycs_PRIVATE int _Pycs_CopyValue(const _Pycs_FieldEntry *field, char *to, const char *from);
_Pycs_PRIVATE int _Pycs_AddCopy(_Pycs_Value **values, const _Pycs_FieldEntry *field, const char *from);
_Pycs_PRIVATE int _Pycs_AddInherited(
    _Pycs_Value **values, PyTypeObject *type, const _Pycs_FieldEntry *field,
    const char *from);
_Pycs_PRIVATE void _Pycs_SwapValue(_Pycs_Value *value, char *to);
_Pycs_PRIVATE void _Pycs_PutValues(_Pycs_API *api, PyTypeObject *type, _Pycs_Value *value);
_Pycs_PRIVATE const char *_Pycs_ValueFor(_Pycs_API *api, const _Pycs_Mro *mro, const _Pycs_FieldEntry *field);
_Pycs_PRIVATE int _Pycs_GivesDefault(PyTypeObject *type, const _Pycs_FieldEntry *field);
_Pycs_PRIVATE int _Pycs_SetDefaults(_Pycs_API *api, PyTypeObject *type);
_Pycs_PRIVATE void _Pycs_FirstDefaults(_Pycs_API *api, PyTypeObject *metaclass, const _Pycs_Mro *mro);
_Pycs_PRIVATE void _Pycs_FillFields(
    _Pycs_API *api, PyTypeObject *type, PyTypeObject *metaclass,
    const _Pycs_Mro *mro, int only_untouched, _Pycs_Value **values);
_Pycs_PRIVATE void _Pycs_ReleaseFields(_Pycs_API *api, PyTypeObject *type);

#endif /* Py_CUSTOMSLOTS_RUNTIME_FIELDS_H */
