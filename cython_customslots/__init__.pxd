# SPDX-License-Identifier: MIT
"""The consumer's side: look slots up.  Cimporting this imports nothing at run time.

    cimport cython_customslots as customslots

    cdef double call(object obj, double x):
        slot = customslots.PyCustomSlots_Find(obj, MY_ID, 0)
        if slot is NULL:
            ...                       # absent is not an error

An installed copy of this file carries the text of customslots.h, so that the generated
C needs no include path.  Every function is described there.
"""

from libc.stdint cimport uintptr_t


cdef extern from "customslots.h" nogil:

    const int PyCustomSlots_ABI_VERSION

    # The slot's ID says which member is used.
    ctypedef union PyCustomSlotData:
        void *pointer
        Py_ssize_t objoffset
        uintptr_t flags

    ctypedef struct PyCustomSlot:
        uintptr_t id
        PyCustomSlotData data

    const uintptr_t PyCustomSlots_EMPTY
    const uintptr_t PyCustomSlots_SKIP
    const int PyCustomSlots_REGISTRAR_INTERNAL
    const int PyCustomSlots_REGISTRAR_CYTHON
    const int PyCustomSlots_REGISTRAR_NUMPY
    const int PyCustomSlots_REGISTRAR_NUMFOCUS

    # A macro: a C constant expression if its arguments are.
    uintptr_t PyCustomSlots_ID(int registrar, int idea, int version) noexcept nogil

    # What the type of `obj` offers.  NULL, 0 and False mean "no"; nothing raises.
    # The slot is borrowed from the type of `obj`: keep `obj` alive, do not write to it.
    bint PyCustomSlots_Check(object obj) noexcept nogil
    Py_ssize_t PyCustomSlots_Count(object obj) noexcept nogil
    const PyCustomSlot *PyCustomSlots_Table(object obj) noexcept nogil
    const PyCustomSlot *PyCustomSlots_Find(object obj, uintptr_t id, Py_ssize_t expected_pos) noexcept nogil


# Two things that C leaves to the caller: a type may come as any object (Cython's own test for
# arguments declared `type` is exact and refuses every class with a metaclass, so these take `object`;
# an object that is no type has no slots), and nogil code may hold plain pointers in an array.
cdef extern from *:
    """
    #ifndef __PYX_CUSTOMSLOTS_CONSUMER
    #define __PYX_CUSTOMSLOTS_CONSUMER
    _Pycs_FAST int __Pyx_CustomSlots_CheckType(PyObject *cls) {
        return PyType_Check(cls) && PyCustomSlots_CheckType((PyTypeObject *)cls);
    }
    _Pycs_FAST Py_ssize_t __Pyx_CustomSlots_CountType(PyObject *cls) {
        return PyType_Check(cls) ? PyCustomSlots_CountType((PyTypeObject *)cls) : 0;
    }
    _Pycs_FAST PyCustomSlot *__Pyx_CustomSlots_TableType(PyObject *cls) {
        return PyType_Check(cls) ? PyCustomSlots_TableType((PyTypeObject *)cls) : NULL;
    }
    _Pycs_FAST PyCustomSlot *__Pyx_CustomSlots_FindType(PyObject *cls, uintptr_t id, Py_ssize_t pos) {
        return PyType_Check(cls) ? PyCustomSlots_FindType((PyTypeObject *)cls, id, pos) : NULL;
    }
    _Pycs_FAST const PyCustomSlot *__Pyx_CustomSlots_FindAnyType(PyObject *cls, uintptr_t id, Py_ssize_t pos) {
        return PyType_Check(cls) ? PyCustomSlots_FindAnyType((PyTypeObject *)cls, id, pos) : NULL;
    }
    static CYTHON_INLINE int __Pyx_CustomSlots_Register(PyObject *cls, const PyCustomSlot *slot) {
        return PyCustomSlots_Register((PyTypeObject *)cls, slot);
    }
    #define __Pyx_CustomSlots_FindBridged(cls, bridge) \
        (PyType_Check(cls) ? PyCustomSlots_FindBridged((PyTypeObject *)(cls), (bridge)) : NULL)
    #define __Pyx_CustomSlots_PublishCapsule(cls, bridge) PyCustomSlots_PublishCapsule((PyTypeObject *)(cls), (bridge))
    _Pycs_FAST PyCustomSlot *__Pyx_CustomSlots_FindPtr(void *obj, uintptr_t id, Py_ssize_t pos) {
        return PyCustomSlots_Find((PyObject *)obj, id, pos);
    }
    #endif
    """
    # The same for the type of such objects.
    bint PyCustomSlots_CheckType "__Pyx_CustomSlots_CheckType" (object cls) noexcept nogil
    Py_ssize_t PyCustomSlots_CountType "__Pyx_CustomSlots_CountType" (object cls) noexcept nogil
    const PyCustomSlot *PyCustomSlots_TableType "__Pyx_CustomSlots_TableType" (object cls) noexcept nogil
    const PyCustomSlot *PyCustomSlots_FindType "__Pyx_CustomSlots_FindType" (object cls, uintptr_t id, Py_ssize_t expected_pos) noexcept nogil

    # For an object known by address, a PyObject * that is kept alive elsewhere.
    const PyCustomSlot *PyCustomSlots_FindPtr "__Pyx_CustomSlots_FindPtr" (void *obj, uintptr_t id, Py_ssize_t expected_pos) noexcept nogil


cdef extern from *:

    # A process-wide ID for a name; needs the GIL, 0 stands for an exception.  Decorators take the name
    # itself, slot(b"package.name", ...): an ID that is interned in the module body comes too late.
    uintptr_t PyCustomSlots_Intern(const char *name) except 0

    # Also finds slots that were registered for types which are not extensible, such as
    # `list`, and for their bases: slower if the type's own table does not have the slot, and
    # needs the GIL.  The slot is borrowed from the class it was registered for.
    const PyCustomSlot *PyCustomSlots_FindAny(object obj, uintptr_t id, Py_ssize_t expected_pos) noexcept
    const PyCustomSlot *PyCustomSlots_FindAnyType "__Pyx_CustomSlots_FindAnyType" (object cls, uintptr_t id, Py_ssize_t expected_pos) noexcept

    # Registers a slot, which is copied, for a class that is not extensible.  TypeError for
    # an extensible class or what is not a class, ValueError for ID 0 or 1 and if the class has
    # other data for this ID.
    int PyCustomSlots_Register "__Pyx_CustomSlots_Register" (object cls, const PyCustomSlot *slot) except -1

    # A slot that is also a class attribute.  Make it a global variable, set its three members in the
    # module body, and do not change it once it is used.
    ctypedef struct PyCustomSlots_Bridge:
        const char *name
        const char *attribute
        const char *capsule

    # The pointer of the slot, or else of the capsule in the attribute, or NULL.
    void *PyCustomSlots_FindBridged "__Pyx_CustomSlots_FindBridged" (object cls, PyCustomSlots_Bridge *bridge) except? NULL

    # Gives a class the attribute, with the pointer of its slot.  TypeError if it has no such slot.
    int PyCustomSlots_PublishCapsule "__Pyx_CustomSlots_PublishCapsule" (object cls, PyCustomSlots_Bridge *bridge) except -1

    # Decorators of cdef classes and functions.  They mean something to the compiler layer.  They are
    # declared here so that their names resolve, and plain Cython compiles consumers that cimport them.
    int array "0"
    int borrow_views "0"
    int callable "0"
    int extensible "0"
    int implements "0"
    int interface "0"
    int metaclass "0"
    int slot "0"
    int typed "0"
