# SPDX-License-Identifier: MIT
# cython: language_level=3, freethreading_compatible=True
"""mytypedmod in Cython: the compiler layer writes the lines, since this module cimports
cython_customslots."""
cimport cython_customslots
from libc.limits cimport LONG_MIN


cpdef long inc(long arg) noexcept nogil:
    return arg + 1


# -1 is an answer, too: Cython asks whether it is an error.
cpdef long dec(long arg) except? -1:
    if arg == LONG_MIN:
        raise OverflowError("dec: there is nothing below this number")
    return arg - 1
