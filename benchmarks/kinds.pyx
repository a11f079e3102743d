# SPDX-License-Identifier: MIT
# cython: language_level=3, freethreading_compatible=True
"""For bench_kinds.py: x * x + 1 in the ways that Cython has it, and the loop of a consumer that calls any callable."""
cimport cython_customslots as customslots
from cython_customslots.typedmethod cimport (
    PyTypedCallable, PyTypedCallable_Clear, PyTypedCallable_Init, PyTypedCallable_call_f8_f8,
    PyTypedMethod_F8, PyTypedMethod_SIG)
from libc.stdint cimport int64_t

cdef extern from "natural.h":
    double items[512]
    int64_t bench_now() noexcept nogil


def in_def(double x): return x * x + 1
cpdef double raising(double x): return x * x + 1                # needs the GIL, may raise
cpdef double quiet(double x) noexcept nogil: return x * x + 1

cdef class Parabola:
    cdef readonly double height

    def __init__(self):
        self.height = 1

    @customslots.callable
    cdef double at(self, double x) noexcept nogil:
        return x * x + self.height


def summed(function, Py_ssize_t repetitions):
    """Nanoseconds of as many sums of the results for 512 items."""
    cdef PyTypedCallable f
    cdef double sum = 0
    cdef Py_ssize_t i
    PyTypedCallable_Init(&f, function, PyTypedMethod_SIG(PyTypedMethod_F8, PyTypedMethod_F8))
    cdef int64_t start = bench_now()
    for _ in range(repetitions):
        for i in range(512):
            sum += PyTypedCallable_call_f8_f8(&f, items[i])
    cdef int64_t took = bench_now() - start
    PyTypedCallable_Clear(&f)
    if sum == 0:                    # so that it is computed
        raise ValueError("found a sum of 0, expected 512 at least, once for each item")
    return took
