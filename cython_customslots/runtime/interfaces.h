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

#include "runtime/known.h"

_Pycs_PRIVATE PyObject *_Pycs_interface_class(_Pycs_API *api, uintptr_t id);
_Pycs_PRIVATE _Pycs_Known *_Pycs_StandsFor(_Pycs_API *api, PyTypeObject *type);

#endif /* Py_CUSTOMSLOTS_RUNTIME_INTERFACES_H */
