/* SPDX-License-Identifier: MIT
 *
 * runtime/declarations.h - the interfaces that modules declared.
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_DECLARATIONS_H
#define Py_CUSTOMSLOTS_RUNTIME_DECLARATIONS_H

#include "runtime/state.h"

/* [declarations.begin] */
/* A declaration of an interface in this interpreter, one for all modules that declare the same; in a
   list that only grows, at its end. */
typedef struct _Pycs_Declaration {
    struct _Pycs_Declaration *next;
    const PyExtensibleType_InterfaceSpec *spec;     /* the one with the most texts for people */
    const PyExtensibleType_InterfaceSpec *tabled;   /* whose table its class has; NULL: none */
    uintptr_t changes, completed;   /* how often that changed; which change its class has */
} _Pycs_Declaration;
/* [declarations.end] */

#define _Pycs_INTERFACE "__interface__"     /* in the dict of such a class: a capsule */

/* The specs of a declared interface, which others may be exchanging. */
#define _Pycs_SPEC(declaration, which) \
    _Pycs_LOAD(const PyExtensibleType_InterfaceSpec *, &(declaration)->which)

/* The first one from here on in the list that declares this ID, or NULL. */
static inline _Pycs_Declaration *
_Pycs_DeclarationFrom(_Pycs_Declaration *declaration, uintptr_t id)
{
    while (declaration != NULL && _Pycs_SPEC(declaration, spec)->id != id) {
        declaration = _Pycs_LOAD(_Pycs_Declaration *, &declaration->next);
    }
    return declaration;
}

static inline _Pycs_Declaration *
_Pycs_FirstDeclaration(const _Pycs_API *api, uintptr_t id)
{
    return _Pycs_DeclarationFrom(_Pycs_LOAD(_Pycs_Declaration *, &api->state->interfaces), id);
}

/* A loop over all that declare it. */
#define _Pycs_EACH_DECLARATION(declaration, api, declared) \
    for (declaration = _Pycs_FirstDeclaration(api, declared); declaration != NULL; \
         declaration = _Pycs_DeclarationFrom(_Pycs_LOAD(_Pycs_Declaration *, &declaration->next), declared))

#endif /* Py_CUSTOMSLOTS_RUNTIME_DECLARATIONS_H */
