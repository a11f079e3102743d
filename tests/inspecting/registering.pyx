# SPDX-License-Identifier: MIT
# Plain Cython that registers slots for a type of somebody else.
from libc.stdint cimport uintptr_t
cimport cython_customslots as customslots

cdef Py_ssize_t length(object obj) noexcept:
    return len(<list>obj)

cdef customslots.PyCustomSlot slot
slot.id = customslots.PyCustomSlots_Intern(b"registering.length")
slot.data.pointer = <void *>length
customslots.PyCustomSlots_Register(list, &slot)
slot.id = customslots.PyCustomSlots_Intern(b"registering.number")
slot.data.flags = 5                     # which tells nobody whose it is
customslots.PyCustomSlots_Register(set, &slot)
