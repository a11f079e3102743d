# SPDX-License-Identifier: MIT
# What is done with arguments that another module gives: some keep a slice, and need its memoryview.
cdef double[:] last

cdef double takes(const double[::1] x, double[:, :] y) noexcept nogil:
    return x[0] + y.T[1, 0] + x.shape[0]
cdef object calls(double[:] x, o):
    o()
    return x[1]
cdef real scales(real[:] x, real by) except *:
    x[0] *= by
    return x[1]
cpdef double both(double[:] x, int n) except? -1:
    if n < 0: raise ValueError(n)
    return x[n]
cdef object keeps(double[:] x): return x
cdef object mixed(double[:] kept, double[:] read):
    kept[:] = read
    return kept, read[0]
cdef object perhaps(double[:] x, bint really):
    if really: return x[1:]
cdef int unlocked(double[:] x, bint really) except -1 nogil:
    global last
    if really:
        with gil: last = x
    return 1
cdef object rebinds(double[:] x):
    cdef double[:] y = x
    x = x[::-1]
    y = x[1:]
    return x[0], y[0]
cdef object closes(double[:] x): return lambda: x[0]
def forget():
    global last
    cdef double[1] nothing
    last = nothing
    last = last.copy()
