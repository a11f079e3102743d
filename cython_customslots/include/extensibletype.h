/* SPDX-License-Identifier: MIT
 *
 * extensibletype.h - give types C-level slots and C fields.
 *
 * For providers.  Code that only looks slots up includes customslots.h, and needs none
 * of this.
 *
 * THE DOMAIN
 *
 * A provider is a type that answers to C protocols: it carries a table of slots behind
 * CPython's own part of the type object, and code that knows an ID finds its slot (see
 * customslots.h).  The memory for the table must exist in every subclass, too, however the
 * subclass is made, so a provider has a metaclass, `extensibletype`, shared by all providers of
 * an interpreter.  The provider that is imported first creates it, the others find it in
 * sys.modules['_extensibletype'] (SEP 200's "rendezvous").
 *
 * A metaclass that derives from extensibletype may add C fields of its own.  They lie
 * behind the slots (the picture in customslots.h), are read with one load (Py_TYPE(obj)->field), and
 * are inherited by value (runtime/fields.h).
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
 * The functions below call an implementation, which this module carries or another module
 * provides.  Choose before this header is included, by defining one of the first four macros:
 *
 *   (none)                                      this C file carries a copy: works alone
 *   PyExtensibleType_RUNTIME_LINKED             this module carries a copy, which is compiled apart from
 *                                               this file: customslots_runtime.c, one object for all
 *                                               modules that link it; needs PyExtensibleType_MODULE_NAME
 *   PyExtensibleType_RUNTIME_INSTALLED          the module _customslots_runtime provides it, which
 *                                               pip install cython-customslots installs
 *   PyExtensibleType_RUNTIME_MODULE "pkg.mod"   that module provides it
 *   PyExtensibleType_RUNTIME_ELSEWHERE          another C file of this module carries it, and calls
 *                                               one of these functions before this file does
 *   PyExtensibleType_MODULE_NAME "pkg.mod"      the name of this module, for runtime_info()
 *
 * Another module is imported only if the interpreter has no implementation yet.  If there are
 * several, the newest serves all, whichever came first (_extensibletype/api.h).
 *
 * CONTRACT OF EVERYTHING BELOW, unless a function says otherwise
 *
 *   - Needs the GIL or, on free-threaded builds, an attached thread state.
 *   - Fails with -1 or NULL and a Python exception; after a failure the types that
 *     were passed in, their bases and the rendezvous are as they were.
 *   - Any function may create the rendezvous, and may therefore raise ImportError.
 *   - CPython 3.10 and later, not the limited API (the layout of PyHeapTypeObject is
 *     not part of it), not PyPy.
 */
#ifndef Py_EXTENSIBLETYPE_H
#define Py_EXTENSIBLETYPE_H

#include "customslots.h"

/* Generated code that can do without this header defines _Pycs_OPTIONAL, or
   _Pycs_REGISTERED if it can do without only where type objects have no room.  The header then
   declares nothing where it cannot be used, instead of an #error.

   Compilers go on behind an #error, and a hundred errors about missing declarations would bury it. They stop
   at an #include of a file that does not exist. */
#if !_Pycs_SUPPORTED && !defined(_Pycs_OPTIONAL) \
    && !defined(_Pycs_REGISTERED)
#  error "extensible types need CPython: PyPy has no room in its type objects; there, PyCustomSlots_Register() of customslots.h gives a type slots, and a Cython module whose classes have interfaces, and no other slots, fields or metaclasses, can be compiled"
#  include <extensible_types_need_CPython>
#endif
#if defined(Py_LIMITED_API) && !defined(_Pycs_OPTIONAL)
#  error "extensibletype.h cannot be used with Py_LIMITED_API: it needs the layout of PyHeapTypeObject; consumers may use customslots.h"
#  include <extensible_types_need_more_than_the_limited_API>
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

#if _Pycs_SUPPORTED && !defined(Py_LIMITED_API)

/** What the consumer's test rests on: CPython allocates heap types with one spare
   PyMemberDef, and our words fit into it. */
_Pycs_ASSERT(words_fit_a_spare_member,
             sizeof(PyHeapExtensibleTypeObject) - sizeof(PyHeapTypeObject) <= sizeof(PyMemberDef));

#if defined(PyExtensibleType_RUNTIME_INSTALLED) && !defined(PyExtensibleType_RUNTIME_MODULE)
#  define PyExtensibleType_RUNTIME_MODULE "_customslots_runtime"
#  define _Pycs_RUNTIME_ADVICE "install it: pip install cython-customslots"
#elif defined(PyExtensibleType_RUNTIME_MODULE)
#  define _Pycs_RUNTIME_ADVICE \
       "that module carries it for its whole package: install it with the others, compiled with " \
       "cython-customslots --runtime=" PyExtensibleType_RUNTIME_MODULE ", or written in C and " \
       "calling PyExtensibleType_Import()"
#elif !defined(PyExtensibleType_RUNTIME_ELSEWHERE)
#  define _Pycs_CARRIES
#  ifdef PyExtensibleType_RUNTIME_LINKED
#    ifndef PyExtensibleType_MODULE_NAME
#      error "found no PyExtensibleType_MODULE_NAME, expected the name of this module, \"pkg.mod\"; define it before"
#    endif
#    ifndef _Pycs_SEPARATE
#      define _Pycs_SEPARATE
#    endif
#  endif
#endif
#ifndef _Pycs_PRIVATE
#  define _Pycs_PRIVATE static
#endif
#ifndef _Pycs_ENTRY
#  if defined(_Pycs_SEPARATE) || defined(_Pycs_LINKABLE)
#    define _Pycs_ENTRY _Pycs_HIDDEN
#  else
#    define _Pycs_ENTRY _Pycs_PRIVATE
#  endif
#endif

#include "_extensibletype/api.h"
#include "_extensibletype/find.h"

/* -------------------------------------------------------------- provider API -- */

/* The end of a function: returns the result of this function of the implementation that serves; if none
   serves, `failed`, with an exception. */
#define _Pycs_SERVE(failed, function, ...)                                                  \
    do {                                                                                    \
        _Pycs_API *api_ = _Pycs_GetAPI();                                                   \
        return api_ != NULL ? _Pycs_IMPL(api_)->function(api_, __VA_ARGS__) : (failed);     \
    } while (0)

/** The shared metaclass, created if this is the first provider of the interpreter.
   Borrowed; lives as long as the interpreter.  Only who makes a metaclass of his own calls it (docs/fields.md).
   NULL with an ImportError if sys.modules['_extensibletype'] holds something else. */
_Pycs_UNUSED static PyTypeObject *
PyExtensibleType_Import(void)
{
    _Pycs_API *api = _Pycs_GetAPI();
    return api != NULL ? api->metaclass : NULL;
}

/** Readies a static type object that carries slots, in place of PyType_Ready().

   Before the call, etp_custom_slots and etp_custom_slot_count hold the slots that the
   type itself declares (NULL and 0: none); `slot_table_size` is the number of entries
   that the array has room for, EMPTY behind its own slots.  Leave ob_type NULL; or, if the type
   object has the struct of a metaclass derived from extensibletype, set it to that metaclass
   before the type is ready.  The base may be any type, extensible or not.

   Afterwards the array holds the inherited slots, too: each at its position in the base's
   table, replaced there if the type overrides it, with new slots behind them.  What is
   published is a copy of the array: writing to it later has no effect.  Type and
   array must live as long as the process.  If PyCustomSlots_Intern() failed to give an ID
   (0, with its exception), this function fails with that exception, as do all functions
   below that take slots.

   0, or -1 with ValueError (the table does not fit: names both numbers; a negative count, or
   one above 65536; an ID twice; data under ID 0 or 1; no tp_name), TypeError (not a type, or
   one of its bases is not; metaclass conflict),
   ImportError (rendezvous; the type is another interpreter's, even if that has ended), or what
   PyType_Ready() raises.  Calling it again for a ready type is fine and does nothing.
   (SEP 200; in its implementation subclassing raised NotImplementedError.) */
_Pycs_UNUSED static int
PyExtensibleType_Ready(PyHeapExtensibleTypeObject *type, Py_ssize_t slot_table_size)
{
    if (type != NULL && _Pycs_NameFailed(type->etp_custom_slots, type->etp_custom_slot_count)) return -1;
    _Pycs_SERVE(-1, ready, type, slot_table_size);
}

/** Gives a finished type these slots of its own in place of those it had, and updates
   the tables of its subclasses.  `own` is copied.  For heap types, made by a class statement or
   PyType_FromMetaclass(); the type must have a metaclass that derives from
   extensibletype.  Slots that it inherits stay.

   0, or -1 with TypeError (not such a type), ValueError (as PyExtensibleType_Ready()) or
   MemoryError.  Readers in other threads see the old table or the new one. */
_Pycs_UNUSED static int
PyExtensibleType_SetSlots(PyTypeObject *type, const PyCustomSlot *own, Py_ssize_t count)
{
    _Pycs_API *api = type != NULL && Py_TYPE((PyObject *)type) != NULL ? _Pycs_APIOf(Py_TYPE((PyObject *)type)) : NULL;
    if (PyErr_Occurred() && _Pycs_NameFailed(own, count)) return -1;
    if (api == NULL) _Pycs_SERVE(-1, set_slots, type, own, count);      /* which says what is wrong with the type */
#ifdef _Pycs_CARRIES
    if (_Pycs_Meet(api) < 0) return -1;
#endif
    return _Pycs_IMPL(api)->set_slots(api, type, own, count);
}

/** Makes the C fields that `metaclass` adds to its base inherited by value, from now
   on, by every class that is made with it.  Call it when the metaclass is ready, before
   it makes its first class.  `fields` (copied; the names are not) describes
   `count` of them, in any order; the bytes that none of them covers are plain C data.

   A field of type OBJECT is a counted reference, never NULL, that the collector
   visits and clears.  If there is one, or a value with hooks, the metaclass's tp_traverse,
   tp_clear and tp_dealloc are replaced.  Fields that Python may see become attributes of
   the classes.  The metaclass also gets type's own tp_new (with Cython's, it could not be
   used by PyType_FromSpec()).

   Hooks and conversions are called with the GIL or an attached thread state.  If a copy fails,
   the operation that needed it fails, too: a class is not made, an assignment changes nothing.
   move and destroy cannot fail.

   0, or -1 with TypeError (not derived from extensibletype), ValueError (an impossible
   description: names the field) or MemoryError.  Calling it again for the same
   metaclass is fine and does nothing. */
_Pycs_UNUSED static int
PyExtensibleType_RegisterFields(PyTypeObject *metaclass, const PyExtensibleType_Field *fields, Py_ssize_t count)
{
    _Pycs_SERVE(-1, register_fields, metaclass, fields, count, (Py_ssize_t)sizeof(PyExtensibleType_Field));
}

/** PyExtensibleType_RegisterFields() for a metaclass without descriptions of its fields: they are plain
   C data, set and inherited together like one field.  TypeError if a Cython class adds Python objects,
   which must be described.  (Its tp_new is called once to find them: it sets them to None.) */
_Pycs_UNUSED static int
PyExtensibleType_InheritFields(PyTypeObject *metaclass)
{
    _Pycs_SERVE(-1, inherit_fields, metaclass);
}

/** Gives the class a value of its own for the C field of `size` bytes at `offset`.  `value`
   is the address of these bytes; for an OBJECT field, of a reference (borrowed); for a field with hooks,
   of a value (copied).  Subclasses that inherit the field get the new value, as with a class attribute.
   If `type` is the metaclass that adds the field, this sets its default, for all classes in whose MRO no
   class has a value; the default is at first zero bytes, None, or what `create` makes.

   0, or -1 with TypeError (not a class with C fields), ValueError (no such field, another
   size, or NULL), or what copying raised.

   Readers that hold the GIL see the old value or the new one.  Others see, for a field
   that is an aligned word, the old or the new one; a pointer or object that is replaced
   may be gone while they use it, as with any C struct. */
_Pycs_UNUSED static int
PyExtensibleType_SetField(PyTypeObject *type, Py_ssize_t offset, const void *value, Py_ssize_t size)
{
    _Pycs_SERVE(-1, set_field, type, offset, value, size);
}

/** Deletes the class's own value: the class inherits the field again, and so do its
   subclasses; where no base has a value, the field holds the metaclass's default.
   0, or -1 with AttributeError (it has no value of its own), or as PyExtensibleType_SetField(). */
_Pycs_UNUSED static int
PyExtensibleType_DeleteField(PyTypeObject *type, Py_ssize_t offset)
{
    _Pycs_SERVE(-1, delete_field, type, offset);
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
_Pycs_UNUSED static PyObject *
PyExtensibleType_FromSpec(PyTypeObject *metaclass, PyObject *module, PyType_Spec *spec,
                          PyObject *bases, const PyCustomSlot *own, Py_ssize_t count)
{
    if (_Pycs_NameFailed(own, count)) return NULL;
    _Pycs_SERVE(NULL, from_spec, metaclass, module, spec, bases, own, count);
}

/** `type` itself, to be cast to the struct of `metaclass`, if its type object really has
   memory for that metaclass's C fields; NULL if not.  For code that cannot know how a
   class was made: a static type that was compiled without this library inherits the
   metaclass, but not the memory; a class that C code made with PyType_FromSpec() holds the
   metaclass's defaults until it is finished, which this function does.  Sets no exception
   and leaves a pending one alone. */
_Pycs_UNUSED static void *
PyExtensibleType_Fields(PyTypeObject *type, PyTypeObject *metaclass)
{
    _Pycs_API *api = _Pycs_APIOf(metaclass);
    if (api == NULL || !_Pycs_HasMemory(type) || !PyType_IsSubtype(Py_TYPE(type), metaclass)) return NULL;
    if (!_Pycs_HasTable(type)) {
        PyObject *error, *value, *traceback;
        PyErr_Fetch(&error, &value, &traceback);
        /* No memory: the defaults. */
        if (_Pycs_IMPL(api)->finish(api, type) < 0) PyErr_Clear();
        PyErr_Restore(error, value, traceback);
    }
    return (void *)type;
}

/** Makes an interface known to Python.  `spec` and all that it points to must live as long as the
   process.  Makes no class, so every module that has the interface may call it when it is
   imported.  Declarations of one ID with the same functions count as one; a declaration with
   other functions stands beside it.

   0, or -1 with ValueError (the ID is 0 or 1, the name has no dot, or a required pointer is
   NULL), MemoryError or RuntimeError (as PyCustomSlots_Position()). */
_Pycs_UNUSED static int
PyExtensibleType_DeclareInterface(const PyExtensibleType_InterfaceSpec *spec)
{
    _Pycs_SERVE(-1, declare_interface, spec);
}

/** The class that stands for an interface in this interpreter, made on the first call.  If this ID has
   several declarations, the class of the first one from which Python classes can derive.
   A new reference; NULL with LookupError (no module declared it), or an exception of class creation. */
_Pycs_UNUSED static PyObject *
PyExtensibleType_InterfaceClass(uintptr_t id)
{
    _Pycs_SERVE(NULL, interface_class, id);
}

/** The class that stands for this declaration of an interface, or for another one with the same
   functions; otherwise as PyExtensibleType_InterfaceClass(). */
_Pycs_UNUSED static PyObject *
PyExtensibleType_InterfaceClassOf(const PyExtensibleType_InterfaceSpec *spec)
{
    _Pycs_SERVE(NULL, interface_class_of, spec);
}

/* ------------------------------------------------ for generated code, not public -- */

/* The metaclass for a type with these bases: the most derived of `wanted` (NULL: no
   wish), extensibletype and the metaclasses of `base` or `bases`.  Borrowed; NULL with
   a TypeError that names both sides of a conflict. */
_Pycs_UNUSED static PyTypeObject *
_Pycs_CalculateMetaclass(PyTypeObject *wanted, PyTypeObject *base, PyObject *bases)
{
    _Pycs_SERVE(NULL, calculate_metaclass, wanted, base, bases);
}

/* The metaclass that derives from all metaclasses of a tuple: one of them if it derives from the
   others, else a new one, made once for each combination (by runtime/combine.c).  `who` begins
   error messages.  A new reference; NULL with TypeError: not a metaclass, more than one
   that lays out type objects in C, or MROs that do not agree. */
_Pycs_UNUSED static PyObject *
_Pycs_Combine(PyObject *metaclasses, const char *who)
{
    _Pycs_SERVE(NULL, combine, metaclasses, who);
}

/* An immortal copy of a static type object, followed by what `metaclass` adds, C fields
   inherited, to be readied with PyType_Ready() and then published.  No other code sees it
   until then, and its memory lives as long as the process.  NULL with an exception. */
_Pycs_UNUSED static PyTypeObject *
_Pycs_NewStatic(PyTypeObject *tmpl, PyTypeObject *metaclass, PyTypeObject *base, PyObject *bases)
{
    /* A metaclass that came from _Pycs_CalculateMetaclass() is checked already: checking it again for each
       class took half of the time that a class adds to an import. */
    _Pycs_API *api = _Pycs_APIOf(metaclass);
    if (api == NULL) api = _Pycs_GetAPI();
    return api != NULL ? _Pycs_IMPL(api)->new_static(api, tmpl, metaclass, base, bases) : NULL;
}

/* Finishes a type that was made by C code: its table, and the fields that were not set, are
   taken from its MRO.  Does nothing for a finished type.  0, or -1 with an exception. */
_Pycs_UNUSED static int
_Pycs_Finish(PyTypeObject *type)
{
    _Pycs_SERVE(-1, finish, type);
}

/* Says that the values of the fields at these offsets are the class's own, even where they equal
   the inherited ones.  0, or -1 as PyExtensibleType_SetField(). */
_Pycs_UNUSED static int
_Pycs_MarkFields(PyTypeObject *type, const Py_ssize_t *offsets, Py_ssize_t count)
{
    _Pycs_SERVE(-1, mark_fields, type, offsets, count);
}

#endif /* _Pycs_SUPPORTED && !Py_LIMITED_API */

#ifdef __cplusplus
}
#endif

#if defined(_Pycs_CARRIES) && !defined(_Pycs_SEPARATE)
#  include "customslots_runtime.h"
#endif

#endif /* Py_EXTENSIBLETYPE_H */
