# SPDX-License-Identifier: MIT
# Arguments that are handed to C functions of views_taken.pyx.
cimport views_taken
from views_taken cimport calls, keeps, real, scales

def gives_takes(double[:, ::1] x): return views_taken.takes(x[0], x)
def gives_calls(double[:] x, o): return calls(x[1:], o)
def gives_scales(real[:] x): return scales(x, 2), scales[real](x[1:], 3)
def gives_both(double[:] x, int n): return views_taken.both(x, n), views_taken.both(x[::-1], n)
def gives_keeps(double[:] x): return keeps(x[::2])
def gives_mixed(double[:] x, double[:] y): return views_taken.mixed(x, y)
def gives_perhaps(double[:] x, int n): return views_taken.perhaps(x, n), views_taken.perhaps(x, not n), x.base
def gives_unlocked(double[:] x, int n):
    cdef int found
    with nogil: found = views_taken.unlocked(x, n)
    return found
def gives_rebinds(double[:] x): return views_taken.rebinds(x), x[0]
def gives_closes(double[:] x): return views_taken.closes(x)()
def gives_in_a_loop(double[:] x, int n):
    cdef double[:] y = x[1:]
    found = []
    for i in range(n + 3): found.append(keeps(y) is not None), views_taken.both(y, 0)
    return found
def gives_within(double[:] x, o): return within(x, o)
cdef within(double[:] x, o):
    calls(x, o)
    return x[0]
def gives_of_array(o):
    cdef double[:] v = o
    return views_taken.both(v, 1)
