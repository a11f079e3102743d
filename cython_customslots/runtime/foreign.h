/* SPDX-License-Identifier: MIT
 *
 * runtime/foreign.h - functions for languages that cannot use the headers.
 *
 * C code uses inline functions of customslots.h, and the layout of type objects.  Other languages
 * call these functions through the table of functions (api.h) instead.  The first argument of
 * each is the API whose table the function was found in; it is left out below.
 *
 * Unless a function says otherwise: it needs the GIL or, on free-threaded builds, an attached
 * thread state; it fails with -1, 0 or NULL and an exception, and has then changed nothing;
 * slots that are passed in are copied, and what their data points to must live as long as the
 * type.
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_FOREIGN_H
#define Py_CUSTOMSLOTS_RUNTIME_FOREIGN_H

#include "runtime/runtime.h"

/* The slot with this ID in the table of a type, or NULL: PyCustomSlots_FindType().  `position`
   is where to look first; any number is allowed.  Borrowed: it lives as long as the type, which
   the caller keeps alive.  Sets no exception, and needs neither the GIL nor a thread state.
   NULL, and what is no class, has nothing. */
_Pycs_PRIVATE const PyCustomSlot *_Pycs_find(
    _Pycs_API *api, PyTypeObject *type, uintptr_t id, Py_ssize_t position);

/* The same, and if the table has none what was registered for the type or one of its bases:
   PyCustomSlots_FindAnyType().  Sets no exception, but needs the GIL. */
_Pycs_PRIVATE const PyCustomSlot *_Pycs_find_any(
    _Pycs_API *api, PyTypeObject *type, uintptr_t id, Py_ssize_t position);

/* How many entries the table of a type has, those without a slot included; 0 for a type
   without one, NULL, or what is no class.  As `find` otherwise. */
_Pycs_PRIVATE Py_ssize_t _Pycs_slot_count(_Pycs_API *api, PyTypeObject *type);

/* Those entries; NULL for a type without a table, NULL, or what is no class.  A caller that asks
   for the count first, and for the table afterwards, may read that many entries, whatever other
   threads do.  As `find` otherwise. */
_Pycs_PRIVATE const PyCustomSlot *_Pycs_slot_table(_Pycs_API *api, PyTypeObject *type);

/* The ID that belongs to a name (UTF-8 or any other bytes, ended by NUL; copied) in this
   process: PyCustomSlots_Intern().  0 with ValueError (NULL, no name), MemoryError,
   RuntimeError. */
_Pycs_PRIVATE uintptr_t _Pycs_intern(_Pycs_API *api, const char *name);

/* Gives a type that is not extensible a slot, which `find_any` finds: PyCustomSlots_Register().
   0, or -1 with TypeError (no class, not ready, extensible), ValueError (NULL, ID 0 or 1, other
   data for this ID), MemoryError, RuntimeError. */
_Pycs_PRIVATE int _Pycs_register_slot(_Pycs_API *api, PyTypeObject *type, const PyCustomSlot *slot);

/* Makes a class as a class statement with an empty body does, and gives it slots.

   `metaclass`: NULL, or one that derives from extensibletype; the class gets the most derived
   one of that, extensibletype and those of the bases.  `module`: the name that becomes
   __module__; NULL: that of the Python code which is running.  `name`: what becomes
   __qualname__, of which __name__ is what stands behind the last dot.  Both UTF-8.  `bases`: a
   tuple of classes, or NULL for none.  __prepare__, __set_name__ and __init_subclass__ run as
   ever; the slots are there afterwards.

   A new reference, or NULL with ValueError (no name; bad slots, as set_slots says), TypeError
   (metaclass or bases are none, or conflict), UnicodeDecodeError, MemoryError, or what the class
   statement raises. */
_Pycs_PRIVATE PyObject *_Pycs_new_class(
    _Pycs_API *api, PyTypeObject *metaclass, const char *module, const char *name,
    PyObject *bases, const PyCustomSlot *own, Py_ssize_t count);

/* Memory for a static type with this metaclass (NULL: extensibletype), so that the caller need not compute
   its size or an offset in it: zeroed but for the head, and there as long as the process.
   Write the members of PyTypeObject that a static type needs into it, tp_name first of all,
   leave the head as it is, and call `ready_block`.

   Borrowed, or NULL with TypeError (the metaclass does not derive from extensibletype),
   ImportError (a sub-interpreter, where static types cannot live) or MemoryError. */
_Pycs_PRIVATE PyTypeObject *_Pycs_static_block(_Pycs_API *api, PyTypeObject *metaclass);

/* Readies the type in a block, in place of PyType_Ready(), and publishes it with these slots of
   its own.  0, also for one that is finished, or -1 with ValueError (NULL; no block, or one
   whose head was written to; no tp_name; bad slots; the instance layout of a base without the
   C fields that the metaclass brings), TypeError (metaclasses conflict, or the bases' one needs
   a longer block), ImportError (a sub-interpreter), or what PyType_Ready() raises.  What was
   refused before that may be mended in the block and readied again; after a failure of
   PyType_Ready(), which does not undo its own work, take a new block. */
_Pycs_PRIVATE int _Pycs_ready_block(
    _Pycs_API *api, PyTypeObject *type, const PyCustomSlot *own, Py_ssize_t count);

#endif /* Py_CUSTOMSLOTS_RUNTIME_FOREIGN_H */
