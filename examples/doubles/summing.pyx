# cython: language_level=3
"""Adds up any sequence of doubles, without a Python float for each of them."""
from doubles cimport Doubles


def total(Doubles numbers not None):
    cdef double[512] chunk
    cdef double sum = 0
    cdef Py_ssize_t start = 0, found, i
    while True:
        found = numbers.read(start, chunk, 512)
        for i in range(found):
            sum += chunk[i]
        if found < 512:
            return sum
        start += found
