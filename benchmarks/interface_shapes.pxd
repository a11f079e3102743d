# SPDX-License-Identifier: MIT
cimport cython_customslots as customslots

@customslots.interface(b"benchmarks.Shape")
cdef class Shape:
    cdef double area(self) noexcept nogil
    cdef double step(self, double x) except? -1
    cpdef double weight(self) except? -1
    cpdef double height(self) except? -1
    cdef inline double twice(self) noexcept nogil:
        return 2 * self.area()

@customslots.interface(b"benchmarks.Other")
cdef class Other:
    cdef double other(self) noexcept nogil
