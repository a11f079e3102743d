/* SPDX-License-Identifier: MIT
 *
 * runtime/prototypes.h - the functions that one file defines for others, from the lowest floor up (README.md).
 * docs/check.py keeps the order, and that no file calls a function of a higher one.
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_PROTOTYPES_H
#define Py_CUSTOMSLOTS_RUNTIME_PROTOTYPES_H

#include "runtime/fields.h"

/* The functions of the table, each in a file of its own floor. */
#define _Pycs_PROTOTYPE(result, name, arguments) _Pycs_PRIVATE result _Pycs_##name arguments;
_Pycs_FUNCTIONS(_Pycs_PROTOTYPE)

/* -------------------------------------------------------------------------------- fields -- */

/* adopt.c */
_Pycs_PRIVATE void _Pycs_FreeFieldList(_Pycs_FieldList *list);
_Pycs_PRIVATE int _Pycs_Adopt(_Pycs_API *api, PyTypeObject *metaclass);
_Pycs_PRIVATE void _Pycs_MendMetaclass(PyTypeObject *metaclass);
_Pycs_PRIVATE int _Pycs_AdoptNames(_Pycs_API *api, PyTypeObject *metaclass);

/* ------------------------------------------------------------------------------ changing -- */

/* set_field.c */
_Pycs_PRIVATE int _Pycs_ChangeField(
    _Pycs_API *api, PyTypeObject *type, const _Pycs_FieldEntry *field, _Pycs_Value *value);
_Pycs_PRIVATE int _Pycs_SetEntry(_Pycs_API *api, PyTypeObject *type, _Pycs_FieldEntry *field, PyObject *value);

/* attributes.c */
_Pycs_PRIVATE int _Pycs_WarnOfMembers(_Pycs_API *api, PyTypeObject *type, PyObject *members);

/* -------------------------------------------------------------------------------- making -- */

/* classdict.c */
_Pycs_PRIVATE PyObject *_Pycs_ValuesOfClass(_Pycs_API *api, PyTypeObject *type);
_Pycs_PRIVATE int _Pycs_ExpectOwn(_Pycs_API *api, PyTypeObject *type, PyObject *values);
_Pycs_PRIVATE int _Pycs_ExpectNamed(_Pycs_API *api, PyTypeObject *type, PyObject *values);
_Pycs_PRIVATE int _Pycs_set_values_of_class(_Pycs_API *api, PyObject *self, PyObject *values);
_Pycs_PRIVATE PyObject *_Pycs_get_dir(_Pycs_API *api, PyObject *self);
_Pycs_PRIVATE PyObject *_Pycs_get_dict(_Pycs_API *api, PyObject *self);
_Pycs_PRIVATE PyObject *_Pycs_CarriedValue(_Pycs_API *api, PyObject *ns, PyObject *values, PyObject *name);

/* vtables.c */
_Pycs_PRIVATE int _Pycs_ChooseVtable(_Pycs_API *api, PyTypeObject *type);

/* statics.c */
_Pycs_PRIVATE int _Pycs_CheckInstances(
    _Pycs_API *api, const char *function, PyTypeObject *type, PyTypeObject *metaclass,
    PyTypeObject *base, PyObject *bases);
_Pycs_PRIVATE int _Pycs_ReadyWith(
    _Pycs_API *api, const char *function, PyTypeObject *type, const PyCustomSlot *own, Py_ssize_t count,
    Py_ssize_t room);

/* --------------------------------------------------------------------------- metaclasses -- */

/* api.c */
_Pycs_PRIVATE PyObject *_Pycs_OwnAttribute(_Pycs_API *api, PyObject *self, PyObject *name);
_Pycs_PRIVATE int _Pycs_GetObjects(_Pycs_State *state);
_Pycs_PRIVATE PyObject *_Pycs_KeepInModule(const char *name, PyObject *made);
_Pycs_PRIVATE void _Pycs_FreeAPI(_Pycs_API *api);

/* combine.c */
_Pycs_PRIVATE PyObject *_Pycs_PlaceOfCombination(PyObject *metaclass, int is_module);

/* core.c */
_Pycs_PRIVATE PyTypeObject *_Pycs_NewMetaclass(void);
_Pycs_PRIVATE PyTypeObject *_Pycs_NewMetaMetaclass(void);
_Pycs_PRIVATE int _Pycs_AddNames(PyTypeObject *metaclass);
_Pycs_PRIVATE void _Pycs_InitCore(_Pycs_State *state);
_Pycs_PRIVATE PyTypeObject *_Pycs_NewInterfaceMetaclass(_Pycs_API *api);

/* ---------------------------------------------------------------------------- interfaces -- */

/* interface_text.c */
_Pycs_PRIVATE PyObject *_Pycs_SignatureOf(const PyExtensibleType_InterfaceSpec *spec, size_t place, int whole);
_Pycs_PRIVATE PyObject *_Pycs_TextSignature(PyObject *signature);
_Pycs_PRIVATE PyObject *_Pycs_WhyNot(const PyExtensibleType_InterfaceSpec *spec, const PyCustomSlot *slot);
_Pycs_PRIVATE PyObject *_Pycs_Explain(
    const _Pycs_API *api, const _Pycs_Declaration *declaration, PyTypeObject *type,
    const PyCustomSlot *slot, PyObject *missing);

/* interfaces.c */
_Pycs_PRIVATE _Pycs_Declaration *_Pycs_StandsFor(_Pycs_API *api, PyTypeObject *type);

/* ------------------------------------------------------------------------------- serving -- */

/* implementation.c */
_Pycs_ENTRY int _Pycs_Meet(_Pycs_API *api);
_Pycs_ENTRY PyObject *_Pycs_CreateModule(void);

#endif /* Py_CUSTOMSLOTS_RUNTIME_PROTOTYPES_H */
