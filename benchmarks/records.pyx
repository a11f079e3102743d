# cython: language_level=3, boundscheck=False, wraparound=False
# SPDX-License-Identifier: MIT
"""For bench_arrays.py: functions with typed records."""
cimport cython_customslots

cpdef double first_record(const double[::1] x) noexcept nogil:
    return x[0]

cpdef double sum_record(const double[::1] x) noexcept nogil:
    cdef double sum = 0
    cdef Py_ssize_t i
    for i in range(x.shape[0]):
        sum += x[i]
    return sum
