# SPDX-License-Identifier: MIT
"""counting.c, which was written for nobody in particular, calls the C functions of Cython's
functions, too."""
import counting
import inc_cython

for function, start, times in (inc_cython.inc, 0, 10_000_000), (inc_cython.dec, 2, 4):
    result, through = counting.count(function, start, times)
    print(f"{function.__name__:6} {times:8} times from {start}: {result:8}, called as {through}")
