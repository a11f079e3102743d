# SPDX-License-Identifier: MIT
# Interfaces whose methods are declared here, and have their bodies in the .pyx.
cimport cython_customslots as customslots

@customslots.interface(b"tests.Counted")
cdef class Counted:
    cpdef int size(self) except -1
    cdef double twice(self) except? -1
    cpdef str describe(self, str before)

@customslots.interface(b"tests.CountedMore")
cdef class CountedMore(Counted):
    cdef inline double four(self) except? -1:
        return 2 * self.twice()
