/* SPDX-License-Identifier: MIT
 *
 * runtime/fields.h - C fields in the type object, inherited by value.
 *
 * A read is one load behind ob_type, with no check.  So the memory must be right before
 * user code can see a class: tp_alloc copies each field from the nearest class in the
 * MRO that set it, or else fills in the default (the first provider's value).  Later
 * changes are pushed into the subclasses: of bases (change.c), of values (setter.c).
 *
 * Plain bytes and references cannot fail to be copied.  Values with hooks (C++) can, and
 * their copies are made before anything is changed: see FieldWork.
 *
 * All of this is under the lock (change.h), but for EndFieldWork() and ReleaseFields().
 *
 * (The idea of the fields: "Adding Class Attributes to Dynamic Cython Extension Types
 * Using Metaclasses", Intersec; what was missing there is the inheritance.)
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_FIELDS_H
#define Py_CUSTOMSLOTS_RUNTIME_FIELDS_H

#include "runtime/layers.h"
#include "runtime/slots.h"

/* ------------------------------------------- what can fail, and what must wait -- */

/* Copies of values with hooks, for fields that are about to change; and what is replaced
   and may run any code when it goes, and so must wait until everything is as it should be
   and the lock is released. */
typedef struct {
    _PyExtensibleType_FieldEntry *field;
    PyTypeObject *type;               /* whom it is for, borrowed: a type, the metaclass of
                                         one to come, or NULL for the defaults */
    char         *block;              /* room for two values */
    int           state;              /* what is in the block: */
} _PyExtensibleType_Copy;

#define _PyExtensibleType_COPY_NEW   1     /* the copy, in front */
#define _PyExtensibleType_COPY_OLD   2     /* what it replaced, behind */
#define _PyExtensibleType_COPY_TAKEN 3     /* nothing any more */

typedef struct {
    _PyExtensibleType_Copy *copies;
    Py_ssize_t   count, room;
    PyObject   **dropped;             /* counted */
    Py_ssize_t   dropped_count, dropped_room;
} _PyExtensibleType_FieldWork;

#define _PyExtensibleType_FIELD_WORK_INIT {NULL, 0, 0, NULL, 0, 0}

/* Where in the block of a copy the second value is, aligned for any type. */
static inline size_t
_PyExtensibleType_BehindCopy(const _PyExtensibleType_FieldEntry *field)
{
    return ((size_t)field->def.size + 15) / 16 * 16;
}

_PyExtensibleType_PRIVATE PyTypeObject *_PyExtensibleType_SourceOfField(
    _PyExtensibleType_API *api, const _PyExtensibleType_Mro *mro,
    const _PyExtensibleType_FieldEntry *field);
_PyExtensibleType_PRIVATE void _PyExtensibleType_EndFieldWork(_PyExtensibleType_FieldWork *work);
_PyExtensibleType_PRIVATE void _PyExtensibleType_ForgetCopies(_PyExtensibleType_FieldWork *work);
_PyExtensibleType_PRIVATE int _PyExtensibleType_ReserveDrops(
    _PyExtensibleType_API *api, PyTypeObject *metaclass, _PyExtensibleType_FieldWork *work);
_PyExtensibleType_PRIVATE int _PyExtensibleType_MakeCopy(
    _PyExtensibleType_FieldWork *work, PyTypeObject *type, _PyExtensibleType_FieldEntry *field,
    const void *from);
_PyExtensibleType_PRIVATE const char *_PyExtensibleType_ValueFor(
    _PyExtensibleType_API *api, const _PyExtensibleType_Mro *mro,
    const _PyExtensibleType_FieldEntry *field);
_PyExtensibleType_PRIVATE int _PyExtensibleType_CopyInherited(
    _PyExtensibleType_API *api, PyTypeObject *type, PyTypeObject *metaclass,
    const _PyExtensibleType_Mro *mro, _PyExtensibleType_FieldWork *work);
_PyExtensibleType_PRIVATE void _PyExtensibleType_Replace(
    _PyExtensibleType_API *api, _PyExtensibleType_FieldWork *work, PyTypeObject *type,
    const _PyExtensibleType_FieldEntry *field, char *to, const char *from);
_PyExtensibleType_PRIVATE int _PyExtensibleType_GivesDefault(
    PyTypeObject *type, const _PyExtensibleType_FieldEntry *field);
_PyExtensibleType_PRIVATE void _PyExtensibleType_SetLayerDefaults(
    _PyExtensibleType_API *api, _PyExtensibleType_Layer *layer, PyTypeObject *type,
    _PyExtensibleType_FieldWork *work);
_PyExtensibleType_PRIVATE int _PyExtensibleType_SetDefaults(
    _PyExtensibleType_API *api, PyTypeObject *type);
_PyExtensibleType_PRIVATE void _PyExtensibleType_FirstDefaults(
    _PyExtensibleType_API *api, PyTypeObject *metaclass, const _PyExtensibleType_Mro *mro,
    _PyExtensibleType_FieldWork *work);
_PyExtensibleType_PRIVATE void _PyExtensibleType_FillFields(
    _PyExtensibleType_API *api, PyTypeObject *type, PyTypeObject *metaclass,
    const _PyExtensibleType_Mro *mro, int only_untouched, _PyExtensibleType_FieldWork *work);
_PyExtensibleType_PRIVATE void _PyExtensibleType_ReleaseFields(
    _PyExtensibleType_API *api, PyTypeObject *type);

#endif /* Py_CUSTOMSLOTS_RUNTIME_FIELDS_H */
