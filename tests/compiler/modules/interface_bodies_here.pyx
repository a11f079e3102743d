# SPDX-License-Identifier: MIT
# cython: freethreading_compatible=True
# Bodies that use what only this module knows.
cdef int added = 1

cdef class Counted:
    """Counts."""
    cdef double twice(self) except? -1:
        return 2 * self.size() + added

    cpdef str describe(Counted this, str before):
        """Says it."""
        return f"{before} {this.twice()}"

cdef class Three(CountedMore):
    cpdef int size(self) except -1:
        return 3

def measure(Counted thing not None):
    return thing.twice(), thing.describe("of")

def four(CountedMore thing not None):
    return thing.four()

def counted():
    return Counted

cdef class Louder(Three):
    cpdef str describe(self, str before):
        return before.upper()

class Early(Counted, Louder):
    """It is made while the module is imported."""
