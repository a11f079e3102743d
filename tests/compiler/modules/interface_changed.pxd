# SPDX-License-Identifier: MIT
# An interface under the same ID as that of interface_copy, with another method.
cimport cython_customslots as customslots

@customslots.interface(b"tests.Changed")
cdef class Changed:
    cdef double area(self) noexcept nogil
