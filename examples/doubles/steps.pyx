# cython: language_level=3
"""A sequence that keeps no numbers at all: first, first + step, ..."""
from doubles cimport Doubles


cdef class Steps(Doubles):
    cdef double first, step
    cdef Py_ssize_t count

    def __init__(self, first, step, count):
        self.first, self.step, self.count = first, step, count

    def __len__(self):
        return self.count

    def __iter__(self):
        return (self.first + i * self.step for i in range(self.count))

    cdef Py_ssize_t size(self) except -1:
        return self.count

    cdef Py_ssize_t read(self, Py_ssize_t start, double *into, Py_ssize_t count) except -1:
        cdef Py_ssize_t i
        count = max(0, min(count, self.count - start))
        for i in range(count):
            into[i] = self.first + (start + i) * self.step
        return count
