# SPDX-License-Identifier: MIT
# cython: freethreading_compatible=True
# Compiled with --extend-all: classes below one of plain Cython, which describes no C methods.
from diamonds cimport Base

cdef class Above(Base):
    cdef double at(self, double x): return 3 * x
    def twice(self): return 2 * self.at(1)
