# SPDX-License-Identifier: MIT
# What the demo's two libraries share, as text: each has a copy, and neither imports the other.
cimport cython_customslots as customslots


# [interface.begin]
@customslots.interface(b"shapes.Scalable")
cdef class Scalable:
    cdef int scale(self, double factor) except -1
# [interface.end]
