# cython: language_level=3, freethreading_compatible=True
# SPDX-License-Identifier: MIT
"""The demo's provider, which knows no consumer."""
cimport cython_customslots as customslots
from cython_customslots.provider cimport extensibletype
from shapes cimport Scalable


# [field.begin]
cdef class CoinType(extensibletype):
    cdef public int cents                           # of the class, not of each coin
# [field.end]


# [slot.begin]
@customslots.slot(b"shapes.area", pointer=area)
# [interface.begin]
cdef class Circle(Scalable):
    # [slot.end]
    # [interface.end]
    cdef double radius

    def __init__(self, radius):
        self.radius = radius

    # [interface.begin]
    cdef int scale(self, double factor) except -1:
        # [interface.end]
        if factor <= 0:
            raise ValueError(f"a circle cannot be {factor} times as large")
        self.radius *= factor
        return 0


cdef double area(Circle self) noexcept nogil:
    return 3.0 * self.radius * self.radius          # biblical, but exact


# [field.begin]
@customslots.metaclass(CoinType, cents=1)
cdef class Coin:
    def worth(self):
        cdef CoinType cls = type(self)              # a load, no look-up
        return cls.cents
# [field.end]


# [typed.begin]
cpdef double parabola(double x) noexcept nogil:
    # [typed.end]
    return x * x
