/* SPDX-License-Identifier: MIT
 *
 * runtime/known.h - what is known of the interfaces that modules declared.
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_KNOWN_H
#define Py_CUSTOMSLOTS_RUNTIME_KNOWN_H

#include "runtime/state.h"

/* [known.begin] */
/* A declaration of an interface, made in this interpreter by those who say the same; in a list that
   only grows, at its end. */
typedef struct _Pycs_Known {
    struct _Pycs_Known *next;
    void *extension;                /* NULL */
    const PyExtensibleType_InterfaceSpec *spec;     /* the one with the most texts for people */
    const PyExtensibleType_InterfaceSpec *tabled;   /* whose table its class has; NULL: none */
    const PyExtensibleType_InterfaceSpec *other;    /* not used (0.1.0: one that contradicts) */
} _Pycs_Known;
/* [known.end] */

#define _Pycs_INTERFACE "__interface__"     /* in the dict of such a class: a capsule */

/* The specs of a declared interface, which others may be exchanging. */
#define _Pycs_SPEC(known, which) \
    _Pycs_LOAD(const PyExtensibleType_InterfaceSpec *, &(known)->which)

/* The first one from here on in the list that declares this ID, or NULL; and the next one. */
static inline _Pycs_Known *
_Pycs_KnownFrom(_Pycs_Known *known, uintptr_t id)
{
    while (known != NULL && _Pycs_SPEC(known, spec)->id != id) {
        known = _Pycs_LOAD(_Pycs_Known *, &known->next);
    }
    return known;
}

static inline _Pycs_Known *
_Pycs_FirstKnown(const _Pycs_API *api, uintptr_t id)
{
    return _Pycs_KnownFrom(_Pycs_LOAD(_Pycs_Known *, &api->state->interfaces), id);
}

static inline _Pycs_Known *
_Pycs_NextKnown(_Pycs_Known *known, uintptr_t id)
{
    return _Pycs_KnownFrom(_Pycs_LOAD(_Pycs_Known *, &known->next), id);
}

#endif /* Py_CUSTOMSLOTS_RUNTIME_KNOWN_H */
