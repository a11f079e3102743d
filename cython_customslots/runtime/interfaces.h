/* SPDX-License-Identifier: MIT
 *
 * runtime/interfaces.h - Python's view of interfaces: a class for each declaration, in each interpreter.
 *
 *     extensibletype            the metaclass of extensible types
 *      +-- interface            that of classes which stand for an interface, and of the classes of
 *           |                   Python that derive from those; made with the first of them
 *           +-- geometry.Shape  for what was declared under this name and ID
 *                +-- Poly       a class of Python: implements it
 *
 * Modules declare interfaces when they are imported, which makes no class.  The classes are in a
 * dictionary of the rendezvous module, {ID: class}, where the collector sees them; that of another
 * declaration of an ID than the first one is under the address of what is known of it.  What
 * `isinstance()` and the like go by is the slot and the hash of the whole declared layout, as for a
 * consumer in C.
 *
 * Such a class has the slot itself if a module supplied a "default" table for it, one whose functions
 * raise unless a class of Python has something to call.  That table counts after all others in the
 * MRO, and functions of it are overridden like those of any other (overriding.h).  The class of an
 * older declaration has the table of a newer one, too, so that its subclasses serve everybody.
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_INTERFACES_H
#define Py_CUSTOMSLOTS_RUNTIME_INTERFACES_H

#include "runtime/overriding.h"
#include "runtime/state.h"

/* [known.begin] */
/* A declaration of an interface, made in this interpreter by those who say the same; in a list that
   only grows, at its end. */
typedef struct _PyExtensibleType_Known {
    struct _PyExtensibleType_Known *next;
    void *extension;                /* NULL */
    const PyExtensibleType_InterfaceSpec *spec;     /* the one with the most texts for people */
    const PyExtensibleType_InterfaceSpec *tabled;   /* whose table its class has; NULL: none */
    const PyExtensibleType_InterfaceSpec *other;    /* not used (0.1.0: one that contradicts) */
} _PyExtensibleType_Known;
/* [known.end] */

#define _PyExtensibleType_INTERFACE "__interface__"     /* in the dict of such a class: a capsule */

/* The specs of a declared interface, which others may be exchanging. */
#define _PyExtensibleType_SPEC(known, which) \
    _PyCustomSlots_LOAD(const PyExtensibleType_InterfaceSpec *, &(known)->which)

/* The first one from here on in the list that declares this ID, or NULL; and the next one. */
static inline _PyExtensibleType_Known *
_PyExtensibleType_KnownFrom(_PyExtensibleType_Known *known, uintptr_t id)
{
    while (known != NULL && _PyExtensibleType_SPEC(known, spec)->id != id) {
        known = _PyCustomSlots_LOAD(_PyExtensibleType_Known *, &known->next);
    }
    return known;
}

static inline _PyExtensibleType_Known *
_PyExtensibleType_FirstKnown(const _PyExtensibleType_API *api, uintptr_t id)
{
    return _PyExtensibleType_KnownFrom(
        _PyCustomSlots_LOAD(_PyExtensibleType_Known *, &api->state->interfaces), id);
}

static inline _PyExtensibleType_Known *
_PyExtensibleType_NextKnown(_PyExtensibleType_Known *known, uintptr_t id)
{
    return _PyExtensibleType_KnownFrom(
        _PyCustomSlots_LOAD(_PyExtensibleType_Known *, &known->next), id);
}

/* core.c */
_PyExtensibleType_PRIVATE PyTypeObject *_PyExtensibleType_NewInterfaceMetaclass(
    _PyExtensibleType_API *api);

/* explaining.c */
_PyExtensibleType_PRIVATE PyObject *_PyExtensibleType_SignatureOf(
    const PyExtensibleType_InterfaceSpec *spec, size_t place);
_PyExtensibleType_PRIVATE PyObject *_PyExtensibleType_MethodDoc(
    const PyExtensibleType_InterfaceSpec *spec, size_t place);
_PyExtensibleType_PRIVATE PyObject *_PyExtensibleType_TextSignature(PyObject *signature);
_PyExtensibleType_PRIVATE PyObject *_PyExtensibleType_WhyNot(
    const PyExtensibleType_InterfaceSpec *spec, const PyCustomSlot *slot);
_PyExtensibleType_PRIVATE PyObject *_PyExtensibleType_Explain(
    const _PyExtensibleType_API *api, const _PyExtensibleType_Known *known, PyTypeObject *type,
    const PyCustomSlot *slot);

/* interfaces.c */
_PyExtensibleType_PRIVATE PyObject *_PyExtensibleType_TheModule(void);
_PyExtensibleType_PRIVATE PyObject *_PyExtensibleType_KeepInModule(
    PyObject *module, const char *name, PyObject *made);
_PyExtensibleType_PRIVATE int _PyExtensibleType_declare_interface(
    _PyExtensibleType_API *api, const PyExtensibleType_InterfaceSpec *spec);
_PyExtensibleType_PRIVATE PyObject *_PyExtensibleType_interface_class(
    _PyExtensibleType_API *api, uintptr_t id);
_PyExtensibleType_PRIVATE PyObject *_PyExtensibleType_interface_class_of(
    _PyExtensibleType_API *api, const PyExtensibleType_InterfaceSpec *spec);
_PyExtensibleType_PRIVATE _PyExtensibleType_Known *_PyExtensibleType_StandsFor(
    _PyExtensibleType_API *api, PyTypeObject *type);

/* answering.c */
_PyExtensibleType_PRIVATE PyObject *_PyExtensibleType_interface_do(
    _PyExtensibleType_API *api, int what, PyObject *self, PyObject *args, PyObject *kwargs);

#endif /* Py_CUSTOMSLOTS_RUNTIME_INTERFACES_H */
