# SPDX-License-Identifier: MIT
# cython: language_level=3
# A consumer of everything that a method can take and give, which knows only what the command wrote.
from interface_kinds_plain cimport *

cdef int handled = 0

cdef void handle(int number) noexcept:
    global handled
    handled = number

cdef interface_kinds_Level choose(int number, const char *text) except interface_kinds_MIDDLE:
    return interface_kinds_LOW

def call(obj):
    cdef tests_Kinds_Ref ref
    cdef char *text = "b"
    cdef const char *other = "c"
    cdef interface_kinds_Inner inner
    cdef interface_kinds_Outer outer, found
    cdef interface_kinds_Either either
    cdef int[3] numbers = [1, 2, 3]
    cdef double[6] reals = [0, 0, 0, 0, 0, 0.5]
    cdef double into
    cdef tm t
    tests_Kinds_Init()
    tests_Kinds_Cast(obj, &ref)
    try:
        inner.values = numbers
        inner.name = text
        outer.next = &found
        outer.matrix[0][1] = 7
        either.d = 2.5
        t.tm_year = 99
        found = tests_Kinds_structs(ref, inner, &outer, either)
        tests_Kinds_arrays(ref, numbers, reals, &into)
        return (tests_Kinds_integers(ref, True, 1, 255, 65535, -1), tests_Kinds_wide(ref, 1, 2, 3),
                tests_Kinds_complexes(ref, 1j, 2j, 3), tests_Kinds_texts(ref, b"a", &text, &other),
                tests_Kinds_pointers(ref, &t, NULL, NULL) == &t,
                tests_Kinds_enums(ref, interface_kinds_FIVE) == interface_kinds_MIDDLE,
                found.inner.values[2], found.inner.name, found.next == &found, found.matrix[0][1],
                found.matrix[1][2], into, tests_Kinds_others(ref, &t, 0, NULL, handle), handled,
                tests_Kinds_choosers(ref, choose, NULL) == choose,
                tests_Kinds_words(ref, 1, 2, 3, 4, 5, [6]))
    finally:
        tests_Kinds_Release(&ref)

def fail(obj):
    cdef tests_Kinds_Ref ref
    tests_Kinds_Init()
    tests_Kinds_Cast(obj, &ref)
    try:
        return tests_Kinds_enums(ref, interface_kinds_ONE)
    finally:
        tests_Kinds_Release(&ref)
