# SPDX-License-Identifier: MIT
"""The provider's side: the metaclass, and C fields in the type object.

    from cython_customslots.provider cimport extensibletype, inherit_fields

    cdef class GreetType(extensibletype):
        cdef const char *sentence

    inherit_fields(GreetType)         # plain Cython; the compiler layer does it itself

Plain Cython imports extensibletype from the installed package when the module is
imported; with the compiler layer it comes from the rendezvous, with no such import.
Providers with slots on cdef classes need the compiler layer; dynamic classes, made by
`GreetType(name, bases, namespace)`, do not.
"""

from libc.stdint cimport uintptr_t
from cython_customslots cimport PyCustomSlot


# Not extern: Cython refuses to derive from an extern type with tp_itemsize, which
# every metaclass has.  The layout is PyHeapExtensibleTypeObject's.
cdef class extensibletype(type):
    cdef Py_ssize_t etp_custom_slot_count
    cdef PyCustomSlot *etp_custom_slots
    cdef uintptr_t etp_check
    cdef void *etp_private
    cdef void *etp_extension


cdef extern from "extensibletype.h":
    pass

# Types come as `object`: Cython's test for arguments declared `type` is exact and
# refuses every class with a metaclass.
cdef extern from *:
    """
    #ifndef __PYX_CUSTOMSLOTS_PROVIDER
    #define __PYX_CUSTOMSLOTS_PROVIDER
    static CYTHON_INLINE int __Pyx_CustomSlots_ExpectType(const char *function, PyObject *cls) {
        if (PyType_Check(cls)) return 0;
        PyErr_Format(PyExc_TypeError, "%s: found an object of type '%.200s', expected a class", function, Py_TYPE(cls)->tp_name);
        return -1;
    }
    static CYTHON_INLINE int __Pyx_CustomSlots_InheritFields(PyObject *metaclass) {
        if (__Pyx_CustomSlots_ExpectType("inherit_fields", metaclass) < 0) return -1;
        return PyExtensibleType_InheritFields((PyTypeObject *)metaclass);
    }
    static CYTHON_INLINE int __Pyx_CustomSlots_SetField(PyObject *cls, const void *field, const void *value, Py_ssize_t size) {
        if (__Pyx_CustomSlots_ExpectType("set_c_field", cls) < 0) return -1;
        return PyExtensibleType_SetField((PyTypeObject *)cls, (Py_ssize_t)((const char *)field - (const char *)cls), value, size);
    }
    static CYTHON_INLINE int __Pyx_CustomSlots_DeleteField(PyObject *cls, const void *field) {
        if (__Pyx_CustomSlots_ExpectType("delete_c_field", cls) < 0) return -1;
        return PyExtensibleType_DeleteField((PyTypeObject *)cls, (Py_ssize_t)((const char *)field - (const char *)cls));
    }
    static CYTHON_INLINE int __Pyx_CustomSlots_HasFields(PyObject *cls, PyObject *metaclass) {
        return PyType_Check(cls) && PyType_Check(metaclass)
            && PyExtensibleType_Fields((PyTypeObject *)cls, (PyTypeObject *)metaclass) != NULL;
    }
    static CYTHON_INLINE int __Pyx_CustomSlots_SetSlots(PyObject *cls, const PyCustomSlot *own, Py_ssize_t count) {
        if (__Pyx_CustomSlots_ExpectType("set_slots", cls) < 0) return -1;
        return PyExtensibleType_SetSlots((PyTypeObject *)cls, own, count);
    }
    #endif
    """
    # Makes the C fields of `metaclass` inherited by value from now on: call it once,
    # after the class statement of the metaclass and before the metaclass makes its first class.
    # Fields must be plain C data (Python and C++ objects need the compiler layer).
    # TypeError if `metaclass` does not derive from extensibletype, or has a Python object.
    int inherit_fields "__Pyx_CustomSlots_InheritFields" (object metaclass) except -1

    # Give a class a value of its own for a C field, known by its address in the class:
    #     set_c_field(Greet, &(<GreetType>Greet).level, &level, sizeof(level))
    # Subclasses that inherit the field follow, as with a class attribute.  (A plain assignment sets the class alone.)
    # Given the metaclass that has the field in place of a class, it sets the value for all classes in whose MRO no
    # class has one.  With plain Cython the C fields of a metaclass that stand together are inherited together.
    # ValueError for an address that is no field of the class's metaclass, TypeError for a class without C fields.
    int set_c_field "__Pyx_CustomSlots_SetField" (object cls, const void *field, const void *value, Py_ssize_t size) except -1

    # Delete the class's own value: it inherits again.  AttributeError if it has none.
    int delete_c_field "__Pyx_CustomSlots_DeleteField" (object cls, const void *field) except -1

    # Does the class have memory for the C fields of `metaclass`, so that the cast
    # <GreetType>cls may be read?  For code that cannot know how a class was made.
    bint has_fields "__Pyx_CustomSlots_HasFields" (object cls, object metaclass) noexcept

    # Give a class these slots of its own, in place of those it had; subclasses follow.
    # TypeError if its metaclass does not derive from extensibletype, ValueError for a
    # bad table (an ID twice, data under ID 0 or 1, a negative count).
    int set_slots "__Pyx_CustomSlots_SetSlots" (object cls, const PyCustomSlot *own, Py_ssize_t count) except -1
