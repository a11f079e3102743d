# cython: freethreading_compatible=True
# A consumer: knows IDs, imports nothing of ours, and takes any class as `type`.
from libc.stdint cimport uintptr_t
from cython_customslots cimport (PyCustomSlots_CountType, PyCustomSlots_Find,
                                 PyCustomSlots_FindType, PyCustomSlots_Intern,
                                 PyCustomSlots_TableType)

cdef extern from "customslots.h":
    uintptr_t PyCustomSlots_ID(int registrar, int idea, int version) nogil

cdef struct VtableData:
    size_t size
    void *vtable
    size_t n
    const unsigned long long *hashes
    const char *layout
    const unsigned int *numbers

def slot_id(int idea):
    return PyCustomSlots_ID(1, idea, 0)

def intern(name):
    return PyCustomSlots_Intern(name.encode())

def find(obj, uintptr_t id, Py_ssize_t expected=0):
    """The slot's data as an integer; None: there is no such slot."""
    slot = PyCustomSlots_Find(obj, id, expected)
    return None if slot is NULL else slot.data.flags

def ids(cls):
    table = PyCustomSlots_TableType(cls)
    return [table[i].id for i in range(PyCustomSlots_CountType(cls))]

def vtable(cls, name):
    """(size, n, hashes, layout with its numbers written out, layout, numbers)."""
    slot = PyCustomSlots_FindType(cls, PyCustomSlots_Intern(f"cython.vtable:{name}".encode()), 0)
    if slot is NULL:
        return None
    data = <VtableData *>slot.data.pointer
    layout = data.layout.decode()
    numbers = [data.numbers[i] for i in range(layout.count("%"))]
    text = layout
    for number in numbers:
        letter = chr(number >> 24) if number >> 24 else ""
        text = text.replace("%", f"{letter}{number & 0xFFFFFF}", 1)
    return (data.size, data.n, [data.hashes[i] for i in range(data.n)], text, layout, numbers)

def name_of(type t):
    return t.__name__
