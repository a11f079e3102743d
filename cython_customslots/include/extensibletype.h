/* SPDX-License-Identifier: MIT
 *
 * extensibletype.h - give types C-level slots and C fields.
 *
 * For providers.  Who only looks slots up includes customslots.h, which needs none of
 * this.
 *
 * THE DOMAIN
 *
 * A provider is a type that answers to C protocols: it carries a table of slots behind
 * CPython's own part of the type object, and whoever knows an ID finds it (see
 * customslots.h).  That memory must exist in every subclass, too, whoever makes it, so
 * a provider has a metaclass, `extensibletype`, shared by all providers of an
 * interpreter.  Whoever is imported first creates it, the others find it in
 * sys.modules['_extensibletype'] (SEP 200's "rendezvous").
 *
 * A metaclass that derives from extensibletype may add C fields of its own.  They lie
 * behind the slots, are read with one load (Py_TYPE(obj)->field), and are inherited by
 * value (runtime/fields.h).
 *
 * THE PICTURE
 *
 *     type object of class C                        type object of class Sub(C)
 *     +------------------------------+              +------------------------------+
 *     | PyHeapTypeObject             |              | PyHeapTypeObject             |
 *     +------------------------------+              +------------------------------+
 *     | count slots check private    |--> record <--| count slots check private    |
 *     | extension                    |  (shared)    | extension                    |
 *     +------------------------------+              +------------------------------+
 *     | C fields of the metaclass    | -- copied -> | C fields of the metaclass    |
 *     +------------------------------+              +------------------------------+
 *
 * AN EXAMPLE (tests/c/example_provider.c holds this text and is compiled and run)
 *
 *   // [example.begin]
 *   #include "extensibletype.h"
 *
 *   typedef struct { double (*call)(PyObject *self, double x); } FuncDD;
 *
 *   static double twice(PyObject *self, double x) { (void)self; return 2 * x; }
 *   static FuncDD twice_vtable = {twice};
 *
 *   static PyHeapExtensibleTypeObject Twice_Type;
 *   static PyCustomSlot twice_slots[] = {{0, {&twice_vtable}}};
 *
 *   static int
 *   init_twice(void)
 *   {
 *       PyTypeObject *type = (PyTypeObject *)&Twice_Type;
 *       type->tp_name = "example.Twice";
 *       type->tp_basicsize = sizeof(PyObject);
 *       type->tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE;
 *       type->tp_new = PyType_GenericNew;
 *       twice_slots[0].id = PyCustomSlots_Intern("example.func_d_d");
 *       Twice_Type.etp_custom_slot_count = 1;
 *       Twice_Type.etp_custom_slots = twice_slots;
 *       return PyExtensibleType_Ready(&Twice_Type, 1);   // fails without the name, too
 *   }
 *   // [example.end]
 *
 * WHO IMPLEMENTS
 *
 * What the functions below do is done by an implementation, which a module carries or another
 * one brings along.  To be said before this header is included:
 *
 *   (nothing)                                   this C file carries one: works alone
 *   PyExtensibleType_RUNTIME_INSTALLED          the module _customslots_runtime brings it, which
 *                                               pip install cython-customslots installs
 *   PyExtensibleType_RUNTIME_MODULE "pkg.mod"   that module brings it
 *   PyExtensibleType_RUNTIME_ELSEWHERE          another C file of this module carries it, in which
 *                                               one of these functions is called first
 *   PyExtensibleType_MODULE_NAME "pkg.mod"      who carries it, for runtime_info()
 *
 * A module is imported only if there is no implementation in the interpreter yet.  If several
 * are, the newest serves all, whoever was first (_extensibletype/api.h).
 *
 * CONTRACT OF EVERYTHING BELOW, unless a function says otherwise
 *
 *   - Needs the GIL or, on free-threaded builds, an attached thread state.
 *   - Fails with -1 or NULL and a Python exception; after a failure the types that
 *     were passed in, their bases and the rendezvous are as they were.
 *   - Any of them may create the rendezvous, and may therefore raise ImportError.
 *   - CPython 3.10 and later, not the limited API (the layout of PyHeapTypeObject is
 *     not part of it), not PyPy or GraalPy.
 */
#ifndef Py_EXTENSIBLETYPE_H
#define Py_EXTENSIBLETYPE_H

#include "customslots.h"

/* Generated code that can do without this header where it cannot be used defines
   _PyExtensibleType_OPTIONAL, or _PyExtensibleType_REGISTERED if it can only where type objects have
   no room; it gets nothing there, and must not ask for anything. */
#if !_PyCustomSlots_SUPPORTED && !defined(_PyExtensibleType_OPTIONAL) \
    && !defined(_PyExtensibleType_REGISTERED)
#  error "extensible types need CPython: PyPy and GraalPy have no room in their type objects; on PyPy, PyCustomSlots_Register() of customslots.h gives a type slots, and a Cython module whose classes have interfaces, and no other slots, fields or metaclasses, can be compiled"
#endif
#if defined(Py_LIMITED_API) && !defined(_PyExtensibleType_OPTIONAL)
#  error "extensibletype.h cannot be used with Py_LIMITED_API: it needs the layout of PyHeapTypeObject; consumers may use customslots.h"
#endif
#if PY_VERSION_HEX < 0x030A0000
#  error "extensibletype.h needs CPython 3.10 or later"
#endif

#if PY_VERSION_HEX < 0x030C0000
#  include <structmember.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

#if _PyCustomSlots_SUPPORTED && !defined(Py_LIMITED_API)

/** What the consumer's test rests on: CPython allocates heap types with one spare
   PyMemberDef, and our words fit into it. */
typedef char _PyExtensibleType_assert_words_fit_a_spare_member
    [sizeof(PyHeapExtensibleTypeObject) - sizeof(PyHeapTypeObject)
         <= sizeof(PyMemberDef) ? 1 : -1];

#if defined(PyExtensibleType_RUNTIME_INSTALLED) && !defined(PyExtensibleType_RUNTIME_MODULE)
#  define PyExtensibleType_RUNTIME_MODULE "_customslots_runtime"
#  define _PyExtensibleType_RUNTIME_ADVICE "install it: pip install cython-customslots"
#elif defined(PyExtensibleType_RUNTIME_MODULE)
#  define _PyExtensibleType_RUNTIME_ADVICE \
       "that module carries it for its whole package: install it with the others, compiled with " \
       "cython-customslots --runtime=" PyExtensibleType_RUNTIME_MODULE ", or written in C and " \
       "calling PyExtensibleType_Import()"
#elif !defined(PyExtensibleType_RUNTIME_ELSEWHERE)
#  define _PyExtensibleType_CARRIES
#endif
#ifndef _PyExtensibleType_PRIVATE
#  define _PyExtensibleType_PRIVATE static
#endif

#include "_extensibletype/field.h"
#include "_extensibletype/interface.h"
#include "_extensibletype/api.h"
#include "_extensibletype/find.h"

/* -------------------------------------------------------------- provider API -- */

/** The shared metaclass, created if this is the first provider of the interpreter.
   Borrowed; lives as long as the interpreter.  There is normally no need to call it.
   NULL with an ImportError if sys.modules['_extensibletype'] holds something else. */
_PyCustomSlots_UNUSED static PyTypeObject *
PyExtensibleType_Import(void)
{
    _PyExtensibleType_API *api = _PyExtensibleType_GetAPI();
    return api != NULL ? api->metaclass : NULL;
}

/** Readies a static type object that carries slots, in place of PyType_Ready().

   Before the call, etp_custom_slots and etp_custom_slot_count hold the slots that the
   type itself declares (NULL and 0: none); `slot_table_size` is the number of entries
   that the array has room for, EMPTY behind its own slots.  Leave ob_type NULL, or set
   it to a metaclass derived from extensibletype if the type object is one of its
   struct.  The base may be any type, extensible or not.

   Afterwards the array holds the inherited slots, too: an inherited slot where it
   stands in the base's table, an overridden one in place, new ones behind.  What is
   published is a copy of it: writing to the array later has no effect.  Type and
   array must live as long as the process.  An ID that PyCustomSlots_Intern() failed to give
   (0, with its exception) makes this fail with that exception; so it is with all functions
   below that take slots.

   0, or -1 with ValueError (the table does not fit, names both numbers; a negative count, or
   one above 65536; an ID twice; data under ID 0 or 1; no tp_name), TypeError (no type, or its
   bases are none; metaclass conflict),
   ImportError (rendezvous; a sub-interpreter, where static types cannot live), or what
   PyType_Ready() raises.  Calling it again for a ready type is fine and does nothing.
   (SEP 200; in its implementation subclassing raised NotImplementedError.) */
_PyCustomSlots_UNUSED static int
PyExtensibleType_Ready(PyHeapExtensibleTypeObject *type, Py_ssize_t slot_table_size)
{
    _PyExtensibleType_API *api = NULL;
    if (type == NULL || !_PyCustomSlots_NameFailed(type->etp_custom_slots,
                                                   type->etp_custom_slot_count)) {
        api = _PyExtensibleType_GetAPI();
    }
    return api != NULL ? _PyExtensibleType_IMPL(api)->ready(api, type, slot_table_size) : -1;
}

/** Gives a finished type these slots of its own in place of those it had, and lets all
   its subclasses follow.  `own` is copied.  For heap types, as the class statement or
   PyType_FromMetaclass() makes; the type must have a metaclass that derives from
   extensibletype.  Slots that it inherits stay.

   0, or -1 with TypeError (no such type), ValueError (as PyExtensibleType_Ready()) or
   MemoryError.  Readers in other threads see the old table or the new one. */
_PyCustomSlots_UNUSED static int
PyExtensibleType_SetSlots(PyTypeObject *type, const PyCustomSlot *own, Py_ssize_t count)
{
    _PyExtensibleType_API *api = NULL;
    if (!_PyCustomSlots_NameFailed(own, count)) api = _PyExtensibleType_GetAPI();
    return api != NULL ? _PyExtensibleType_IMPL(api)->set_slots(api, type, own, count) : -1;
}

/** Lets the C fields that `metaclass` adds to its base be inherited by value from now
   on, by every class that is made with it.  To be called once the metaclass is ready
   and before it makes its first class.  `fields` (copied; the names are not) describes
   `count` of them, in any order; the bytes that none of them covers are plain C data.

   What is described as OBJECT is a counted reference, never NULL, that the collector
   visits and clears: tp_traverse, tp_clear and tp_dealloc of the metaclass are replaced
   then, and for values with hooks.  Fields that Python may see become attributes of the
   classes.  Also gives the metaclass type's own tp_new (Cython's would lock out classes
   made by PyType_FromSpec).

   Hooks and conversions are called with the GIL or an attached thread state.  A copy
   that fails makes the operation fail that needed it: a class is not made, an
   assignment changes nothing.  move and destroy cannot fail.

   0, or -1 with TypeError (not derived from extensibletype), ValueError (a description
   that cannot be right: names the field) or MemoryError.  Calling it again for the same
   metaclass is fine and does nothing. */
_PyCustomSlots_UNUSED static int
PyExtensibleType_RegisterFields(PyTypeObject *metaclass, const PyExtensibleType_Field *fields,
                                Py_ssize_t count)
{
    _PyExtensibleType_API *api = _PyExtensibleType_GetAPI();
    return api == NULL ? -1
           : _PyExtensibleType_IMPL(api)->register_fields(api, metaclass, fields, count,
                                  (Py_ssize_t)sizeof(PyExtensibleType_Field));
}

/** PyExtensibleType_RegisterFields() for a metaclass whose fields nobody describes: they are plain C data, but for
   the Python objects of a Cython class, which are found (its tp_new sets them to None,
   so it is called once).  The whole is set and inherited as if it was one field. */
_PyCustomSlots_UNUSED static int
PyExtensibleType_InheritFields(PyTypeObject *metaclass)
{
    _PyExtensibleType_API *api = _PyExtensibleType_GetAPI();
    return api != NULL ? _PyExtensibleType_IMPL(api)->inherit_fields(api, metaclass) : -1;
}

/** Gives the class a value of its own for the C field at `offset`, of `size` bytes: those
   at `value`; for an OBJECT field the address of a reference (borrowed); for one with
   hooks the address of a value (copied).  Subclasses that inherit the field follow, as
   they would for a class attribute.

   0, or -1 with TypeError (no class with C fields), ValueError (no such field, or not
   its size, or NULL), or what copying raised.

   Readers that hold the GIL see the old value or the new one.  Others see, for a field
   that is an aligned word, the old or the new one; a pointer or object that is replaced
   may be gone while they use it, as with any C struct. */
_PyCustomSlots_UNUSED static int
PyExtensibleType_SetField(PyTypeObject *type, Py_ssize_t offset, const void *value,
                          Py_ssize_t size)
{
    _PyExtensibleType_API *api = _PyExtensibleType_GetAPI();
    return api != NULL
           ? _PyExtensibleType_IMPL(api)->set_field(api, type, offset, value, size) : -1;
}

/** Takes the class's own value away: it inherits the field again, and its subclasses with
   it; a class that inherits from nobody holds the metaclass's default.  0, or -1 with
   AttributeError (it has no value of its own), or as PyExtensibleType_SetField(). */
_PyCustomSlots_UNUSED static int
PyExtensibleType_DeleteField(PyTypeObject *type, Py_ssize_t offset)
{
    _PyExtensibleType_API *api = _PyExtensibleType_GetAPI();
    return api != NULL ? _PyExtensibleType_IMPL(api)->delete_field(api, type, offset) : -1;
}

/** Makes a heap type from a spec, as PyType_FromMetaclass() does, with slots of its own.

   `metaclass`: one that derives from extensibletype, or NULL for the most derived one
   of extensibletype and the bases' metaclasses.  `module`, `spec` and `bases` (a class,
   a tuple of classes, or NULL for those in the spec) are as for
   PyType_FromModuleAndSpec(); `own` (copied) and `count` as for
   PyExtensibleType_SetSlots().  C fields are inherited.  Works from 3.10 on, also where
   there is no PyType_FromMetaclass() yet.

   A new reference, or NULL with TypeError (metaclass conflict), ValueError (as
   PyExtensibleType_Ready()), or what PyType_FromModuleAndSpec() raises. */
_PyCustomSlots_UNUSED static PyObject *
PyExtensibleType_FromSpec(PyTypeObject *metaclass, PyObject *module, PyType_Spec *spec,
                          PyObject *bases, const PyCustomSlot *own, Py_ssize_t count)
{
    _PyExtensibleType_API *api = NULL;
    if (!_PyCustomSlots_NameFailed(own, count)) api = _PyExtensibleType_GetAPI();
    return api != NULL
           ? _PyExtensibleType_IMPL(api)->from_spec(api, metaclass, module, spec, bases, own,
                                                    count) : NULL;
}

/** The type object of `type`, to be cast to the struct of `metaclass`, if it really has
   memory for that metaclass's C fields; NULL if not.  For code that cannot know how a
   class was made: a static type that was compiled without this library inherits the
   metaclass, but not the memory; one that C code made with PyType_FromSpec() holds the
   metaclass's defaults until somebody finishes it, which this does.  Sets no exception
   and leaves a pending one alone. */
_PyCustomSlots_UNUSED static void *
PyExtensibleType_Fields(PyTypeObject *type, PyTypeObject *metaclass)
{
    _PyExtensibleType_API *api = _PyExtensibleType_APIOf(metaclass);
    if (api == NULL || !_PyCustomSlots_HasMemory(type)
            || !PyType_IsSubtype(Py_TYPE(type), metaclass)) return NULL;
    if (!_PyExtensibleType_IsReady(type)) {
        PyObject *error, *value, *traceback;
        PyErr_Fetch(&error, &value, &traceback);
        /* No memory: the defaults. */
        if (_PyExtensibleType_IMPL(api)->resolve(api, type) < 0) PyErr_Clear();
        PyErr_Restore(error, value, traceback);
    }
    return (void *)type;
}

/** Tells Python of an interface: what is in `spec`, which lives as long as the process, as does what
   it leads to.  Makes no class, so every module that has the interface may call it when it is
   imported.  Of several declarations of one ID the longest counts, and the longest table.

   0, or -1 with ValueError (the ID is 0 or 1, the name has no dot, or something that must be there is
   NULL), MemoryError or RuntimeError (as PyCustomSlots_Position()). */
_PyCustomSlots_UNUSED static int
PyExtensibleType_DeclareInterface(const PyExtensibleType_InterfaceSpec *spec)
{
    _PyExtensibleType_API *api = _PyExtensibleType_GetAPI();
    return api != NULL ? _PyExtensibleType_IMPL(api)->declare_interface(api, spec) : -1;
}

/** The class that stands for an interface in this interpreter, made if need be.  A new reference;
   NULL with LookupError (nobody declared it), or an exception of class creation. */
_PyCustomSlots_UNUSED static PyObject *
PyExtensibleType_InterfaceClass(uintptr_t id)
{
    _PyExtensibleType_API *api = _PyExtensibleType_GetAPI();
    return api != NULL ? _PyExtensibleType_IMPL(api)->interface_class(api, id) : NULL;
}

/* ------------------------------------------------ for generated code, not public -- */

/* The metaclass for a type with these bases: the most derived of `wanted` (NULL: no
   wish), extensibletype and the metaclasses of `base` or `bases`.  Borrowed; NULL with
   a TypeError that names both sides of a conflict. */
_PyCustomSlots_UNUSED static PyTypeObject *
_PyExtensibleType_CalculateMetaclass(PyTypeObject *wanted, PyTypeObject *base, PyObject *bases)
{
    _PyExtensibleType_API *api = _PyExtensibleType_GetAPI();
    return api != NULL
           ? _PyExtensibleType_IMPL(api)->calculate_metaclass(api, wanted, base, bases) : NULL;
}

/* The metaclass that derives from all those in a tuple: one of them if that is so, else one
   that is made once for each combination (runtime/combine.h says how).  `who` stands in front of
   error messages.  A new reference; NULL with TypeError: not a metaclass, more than one
   that lays out type objects in C, or MROs that do not agree. */
_PyCustomSlots_UNUSED static PyObject *
_PyExtensibleType_Combine(PyObject *metaclasses, const char *who)
{
    _PyExtensibleType_API *api = _PyExtensibleType_GetAPI();
    return api != NULL ? _PyExtensibleType_IMPL(api)->combine(api, metaclasses, who) : NULL;
}

/* The API for somebody with a metaclass that came from _PyExtensibleType_CalculateMetaclass(),
   which has checked it: checking it again for each class took half of what a class
   adds to the time of an import. */
_PyCustomSlots_UNUSED static _PyExtensibleType_API *
_PyExtensibleType_CheckedAPI(PyTypeObject *metaclass)
{
    _PyExtensibleType_API *api = _PyExtensibleType_APIOf(metaclass);
    return api != NULL ? api : _PyExtensibleType_GetAPI();
}

/* An immortal copy of a static type object with what `metaclass` adds behind it, C fields
   inherited, to be readied with PyType_Ready() and then published.  Not shared with anybody
   until then.  `memory`: a block of the metaclass's tp_basicsize, which holds no type that was
   readied and is there as long as the process; NULL: the runtime finds some, and of that
   only the PyTypeObject is the caller's.  NULL with an exception. */
_PyCustomSlots_UNUSED static PyTypeObject *
_PyExtensibleType_NewStatic(PyTypeObject *tmpl, PyTypeObject *metaclass,
                            PyTypeObject *base, PyObject *bases, void *memory)
{
    _PyExtensibleType_API *api = _PyExtensibleType_CheckedAPI(metaclass);
    return api != NULL
           ? _PyExtensibleType_IMPL(api)->new_static(api, tmpl, metaclass, base, bases, memory)
           : NULL;
}

/* The instances of `type` differ from those of its base by one pointer that nobody uses: lets
   classes have several such types as bases (runtime/layouts.h).  For a static type
   before PyType_Ready(), its base being set, and for a heap type before anything derives from it.
   0, or -1 with an exception. */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_ShareLayout(PyTypeObject *type)
{
    _PyExtensibleType_API *api = _PyExtensibleType_CheckedAPI(Py_TYPE(type));
    return api != NULL ? _PyExtensibleType_IMPL(api)->share_layout(api, type) : -1;
}

/* Finishes a type that was made by C code: table and, where nobody set them, fields
   from its MRO.  Does nothing for a finished one.  0, or -1 with an exception. */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_Finish(PyTypeObject *type)
{
    _PyExtensibleType_API *api = _PyExtensibleType_GetAPI();
    return api != NULL ? _PyExtensibleType_IMPL(api)->resolve(api, type) : -1;
}

/* The fields at these offsets hold values that the class set, even where they equal what it
   inherits.  0, or -1 as PyExtensibleType_SetField(). */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_MarkFields(PyTypeObject *type, const Py_ssize_t *offsets, Py_ssize_t count)
{
    _PyExtensibleType_API *api = _PyExtensibleType_GetAPI();
    return api != NULL ? _PyExtensibleType_IMPL(api)->mark_fields(api, type, offsets, count) : -1;
}

/* Sets, or with NULL deletes, a field as Python code does: by name, with conversion. */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_SetFieldObject(PyTypeObject *type, PyObject *name, PyObject *value)
{
    _PyExtensibleType_API *api = _PyExtensibleType_GetAPI();
    return api != NULL ? _PyExtensibleType_IMPL(api)->set_field_object(api, type, name, value) : -1;
}

/* Finish, own slots, and, for the first type of a metaclass, its fields as the
   metaclass's defaults.  0, or -1 with an exception. */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_Publish(PyTypeObject *type, const PyCustomSlot *own, Py_ssize_t count)
{
    _PyExtensibleType_API *api = _PyExtensibleType_CheckedAPI(Py_TYPE(type));
    return api != NULL ? _PyExtensibleType_IMPL(api)->publish(api, type, own, count) : -1;
}

#endif /* _PyCustomSlots_SUPPORTED && !Py_LIMITED_API */

#ifdef __cplusplus
}
#endif

#if defined(_PyExtensibleType_CARRIES) && !defined(_PyExtensibleType_SEPARATE)
#  include "customslots_runtime.h"
#endif

#endif /* Py_EXTENSIBLETYPE_H */
