# cython: language_level=3
# SPDX-License-Identifier: MIT
"""Typed memoryview arguments in all kinds of uses.

Compiled with --borrow-views, those of functions called borrows_* borrow, those of keeps_* until they need an object, and
those of refuses_* do not.  Each function is called by test_borrowed_views.py with many kinds of arguments, and does what it does with plain Cython.
"""
cimport cython
import numpy as np
cdef double[:] glob
cdef struct S:
    int a
cdef class Holder:
    cdef double[:] kept
    def hold(self, double[:] x): self.kept = x
    cdef double m(self, double[:] x): return x[0]
    cpdef double cm(self, double[:] x): return x[0]
    @cython.final
    cdef double fm(self, double[:] x): return x[0]
    def calls_m(self, double[:] x): return self.m(x)
    def calls_fm(self, double[:] x): return self.fm(x)
    def calls_cm(self, double[:] x): return self.cm(x)
    def __call__(self, double[:] x, double[:] y=None): return x[0] + (0 if y is None else y[0])
    @staticmethod
    def st(double[:] x): return x[0]
@cython.final
cdef class FinalHolder:
    cpdef double cpm(self, double[:] borrows_x): return borrows_x[0]
    def calls_cpm(self, double[:] borrows_x): return self.cpm(borrows_x)
cdef class Sub(Holder):
    cpdef double cm(self, double[:] x):
        global glob
        glob = x
        return x[0]
def keeps_object(double[:] x): return x
def keeps_slice(double[:] x): return x[1:]
def keeps_base(double[:] x): return x.base
def borrows_nbytes(double[:] x): return x.nbytes
def borrows_none_measures(double[:, :] x, double[:, :] y): return y.size, y.nbytes, y.itemsize, y.ndim, x.size, x.ndim
def borrows_measures(double[:, :] x):
    cdef Py_ssize_t n = x.size
    cdef double[:] y = x[0]
    y = y[::2]
    return n, x.nbytes, x.itemsize, x.ndim, y.size, y.nbytes, y.itemsize, y.ndim, len({x.size: y.ndim})
def borrows_measures_unbound(double[:] x, int n):
    cdef double[:] y
    if n > 5: y = x
    return y.size
def borrows_measure_handed(double[:] x, o): return o.get(x.size, x.ndim), x.size in {3: 1}, str(x.nbytes)
def borrows_len(double[:] x): return len(x)
def borrows_shape(double[:, :] x): return x.shape[0], x.strides[1], x.suboffsets[0]
def borrows_shape_obj(double[:, :] x): return x.shape
def borrows_T(double[:, :] x): return x.T[0, 1]
def borrows_copyinto(double[:] x, double[:] y): x[:] = y
def borrows_fill(double[:] x): x[:] = 0.5
def keeps_copy(double[:] x):
    cdef double[:] y = x.copy()
    return np.asarray(y)
def borrows_notnone(double[:] x not None): return x[0]
def borrows_none_or_not(double[:] x, double[:] y=None, bint c=True):
    if None is not x and x != None and y is None: return x[0] if c else x.size
    return x is not None, None == y, 1 if x is None else 2
def keeps_none_cascaded(double[:] x, y): return x is None is y
def keeps_global(double[:] x):
    global glob
    glob = x
def keeps_alias_global(double[:] x):
    global glob
    cdef double[:] y = x
    cdef double[:] z
    z = y[1:]
    glob = z
def borrows_alias(double[:] x):
    cdef double[:] y = x
    cdef double[:] z = y[::2]
    return z[0]
def borrows_alias_own(double[:] x):
    cdef double[:] y = np.zeros(3)
    y[0] = x[0]
    return np.asarray(y)
def keeps_alias_mixed(double[:] x, bint c):
    cdef double[:] y = np.zeros(3)
    if c: y = x
    return np.asarray(y)
def borrows_reassign(double[:] x, double[:] y):
    x = y
    y = y[1:]
    return x[0] + y[0]
def keeps_tuple(double[:] x): return (x, 1)
def keeps_cond_item(double[:] x, double[:] y, bint c): return (x if c else y)[0]
def refuses_closure(double[:] x):
    def g(): return x[0]
    return g
def refuses_genexpr(double[:] x): return sum(x[i] for i in range(3))
def borrows_listcomp(double[:] x): return [x[i] for i in range(3)]
def borrows_inner_unrelated(double[:] x):
    def g(): return 1
    return x[0] + g()
def refuses_gen(double[:] x):
    yield x[0]
async def refuses_async(double[:] x): return x[0]
def keeps_locals(double[:] x): return locals()
def keeps_eval(double[:] x): return eval("x")
def borrows_for(double[:] x):
    s = 0.0
    for v in x: s += v
    return s
def borrows_inplace(double[:] x): x[1] += 2
def keeps_eq(double[:] x, y): return x == y
def keeps_bool(double[:] x): return bool(x)
def keeps_memview(double[:] x): return cython.view.memoryview(x) if 0 else x.memview
def borrows_ptr(double[::1] x):
    cdef double *p = &x[0]
    return p[1]
def borrows_raise(double[:] x): raise ValueError(x[0])
def keeps_cascade_item(double[:] x):
    cdef double[:] y, z
    y = z = x
    return y[0] + z[0]
def borrows_tuple_assign(double[:] x, double[:] w):
    cdef double[:] y, z
    y, z = x, w
    x, w = w, x
    return y[0] + z[0] + x[0]
cdef double[:] ident(double[:] x): return x
cdef double use(double[:] x, int n) except? -1: return x[n]
cdef double sets(double[:] x):
    global glob
    glob = x
    return 0
cdef double opt(double[:] x, double[:] y=None): return x[0] + (0 if y is None else y[0])
def keeps_ident(double[:] x): return np.asarray(ident(x))
def borrows_use(double[:] x): return use(x, 1)
def keeps_sets(double[:] x): return sets(x)
def borrows_opt_none(double[:] x): return opt(x)
def borrows_opt(double[:] x): return opt(x, x)
cdef double (*fp)(double[:], int) except? -1
fp = use
def keeps_fp(double[:] x): return fp(x, 1)
cpdef double borrows_cp(double[:] x, double[:] y=None): return x[0]
cpdef keeps_cpo(double[:] x): return np.asarray(x)
def borrows_by_cpdef(double[:] x): return borrows_cp(x)
def refuses_object_dtype(object[:] x): return x[0]
cdef packed struct P:
    int a
    double b
def refuses_struct(P[:] x): return x[0].b
def refuses_indirect(double[::cython.view.generic] x): return x[0]
def borrows_char(char[:] x): return x[0]
def borrows_const_char(const char[:] x): return x[0]
def borrows_signed_char(signed char[:] x): return x[0]
def borrows_uchar(const unsigned char[::1] x): return x[0]
@cython.nonecheck(True)
def borrows_nonecheck(double[:] x): return x[0]
def borrows_star(double[:] x, *args, double[:] k=None, **kw): return x[0]
def borrows_nogil(double[:] x):
    cdef double s = 0
    cdef Py_ssize_t i
    with nogil:
        for i in range(x.shape[0]): s += x[i:][0]
    return s
from cython.parallel import prange
def borrows_prange(double[:] x):
    cdef double s = 0
    cdef Py_ssize_t i
    for i in prange(x.shape[0], nogil=True): s += x[i:][0]
    return s
def keeps_with_obj(double[:] x, o):
    o.attr = x
def keeps_attr_slice(Holder h, double[:, :] x):
    h.kept = x[0]
def keeps_assert(double[:] x):
    assert x[0] > 100, x
def borrows_annotated(x: cython.double[:]): return x[0]
def borrows_calling(double[:] x, function):
    function()
    return x[0], x.shape[0]
def borrows_const_calling(const double[:] x, function):
    function()
    return x[0], x.shape[0]
def borrows_bytes(const unsigned char[::1] x, function):
    function()
    return x[0]
ctypedef fused number:
    signed char
    unsigned char
    short
    unsigned int
    long
    long long
    float
    double
    long double
    float complex
    double complex
def borrows_number(const number[:] x):
    return [x[i] for i in range(x.shape[0])], x.strides[0]
def borrows_writable(number[::1] x):
    x[0] = 3
def borrows_matrix(const double[:, :] x):
    return x.shape, x.strides, x.suboffsets, [[x[i, j] for j in range(x.shape[1])] for i in range(x.shape[0])]
def borrows_c_matrix(const double[:, ::1] x):
    return x.shape, x.strides, x.suboffsets, [[x[i, j] for j in range(x.shape[1])] for i in range(x.shape[0])]
def borrows_f_matrix(const double[::1, :] x):
    return x.shape, x.strides, x.suboffsets, [[x[i, j] for j in range(x.shape[1])] for i in range(x.shape[0])]
def borrows_seven(double[:, :, :, :, :, :, ::1] x): return x[0, 0, 0, 0, 0, 0, 0], x.strides
ctypedef double[:] doubles
def borrows_typedef(doubles x): return x[0]
ctypedef fused some_view:
    double[:]
    float[:]
def borrows_fused_view(some_view x): return x[0]


# ------------------------------------------------------------------ attempts to keep a slice

START = np.arange(5.0)
def borrows_del_alias(double[:] x):
    cdef double[:] y = x
    del y
    return x[0]
def borrows_rebind(double[:] x):
    cdef double s = 0
    while x.shape[0]:
        s += x[0]
        x = x[1:]
    return s
def borrows_rebind_own(double[:] x, int n):
    for i in range(n + 1):
        x = np.ones(3) * x[0]
        x = x[1:]
    return x[0], np.asarray(START)
def keeps_three_names(double[:] x, int n):
    cdef double[:] a = None, b = None, c = None
    for i in range(n + 3):
        c = b
        b = a
        a = x
    return np.asarray(c)
def keeps_finally(double[:] x):
    global glob
    try: return x[100]
    except IndexError: return 1
    finally: glob = x
def keeps_return_in_finally(double[:] x):
    try: return 1
    finally: return x
def borrows_caught(double[:] x):
    cdef double[:] y
    for i in range(3):
        try:
            y = x[i:]
            if i: raise ValueError(y[0])
        except ValueError as error:
            x = y
            continue
    return x[0]
def keeps_nogil_global(double[:] x):
    global glob
    with nogil: glob = x
def keeps_inner_default(double[:] x):
    def g(y=x): return y
    return g
def borrows_strided(double[::1] x):
    cdef double[:] y = x
    cdef const double[:] z = y
    return z[0]
def borrows_default(double[:] x=START): return x[0]
def borrows_new_axis(double[:] x): return x[None, :][0, 1]
def borrows_rows(double[:, :] x):
    cdef double s = 0
    for row in x: s += row[0]
    return s
def keeps_rows(double[:, :] x):
    global glob
    for row in x: glob = row
def borrows_row_fill(double[:, :] x): x[1, :] = 0.5
def borrows_wrong_step(double[:] x, int n): return x[::n - 1][0]
def borrows_unbound(double[:] x, int n):
    cdef double[:] y
    if n > 5: y = x
    return y[0]
def borrows_int(double[:] x, int n): return x[n]
cdef double reads(double[:] x): return 0 if x.shape[0] == 0 else x[0]
cdef double even(double[:] x): return 0 if x.shape[0] == 0 else odd(x[1:])
cdef double odd(double[:] x): return 1 if x.shape[0] == 0 else even(x[1:])
cdef double deep_sets(double[:] x): return reads(x) + sets(x[1:])
cdef double rebinds(double[:] x):
    x = x[1:]
    return reads(x)
cdef double swaps(double[:] x, double[:] y):
    x, y = y, x
    return sets(y)
cdef double in_nogil(double[:] x) except? -1 nogil: return x[0]
cdef double sets_nogil(double[:] x) noexcept nogil:
    global glob
    glob = x
    return 0
cdef generates(double[:] x): return sum(x[i] for i in range(2))
def borrows_even(double[:] x): return even(x)
def keeps_deep_sets(double[:] x): return deep_sets(x)
def borrows_rebinds(double[:] x): return rebinds(x)
def keeps_swaps(double[:] x, double[:] y): return swaps(x, y)
def borrows_in_nogil(double[:] x):
    cdef double y
    with nogil: y = in_nogil(x)
    return y
def keeps_sets_nogil(double[:] x):
    with nogil: sets_nogil(x)
def keeps_generates(double[:] x): return generates(x)
def keeps_by_cpdef(double[:] x): return keeps_cpo(x)
cdef class Keeper:
    cdef double[:] kept
    def __cinit__(self, double[:] borrows_x): self.kept = np.ones(2) * borrows_x[0]
    def __init__(self, double[:] keeps_x): self.kept = keeps_x
    def __getitem__(self, double[:] borrows_x): return borrows_x[0]
    def __setitem__(self, i, double[:] keeps_x): self.kept = keeps_x
    def __contains__(self, double[:] borrows_x): return borrows_x[0] == 1.5
    def __call__(self, double[:] keeps_x):
        self.stores(keeps_x)
        return np.asarray(self.kept)
    @property
    def view(self): return np.asarray(self.kept)
    @view.setter
    def view(self, double[:] keeps_x): self.kept = keeps_x
    @classmethod
    def of(cls, double[:] borrows_x): return borrows_x[0]
    @cython.final
    cdef double stores(self, double[:] x):
        self.kept = x
        return 0
    cpdef double asks(self, double[:] borrows_x): return borrows_x[0]
    def asked(self, double[:] keeps_x): return self.asks(keeps_x)
    def asked_bound(self, double[:] borrows_x): return Keeper.asks(self, borrows_x)
def has_inner():
    def inner(double[:] borrows_x): return borrows_x[0]
    return inner
class Plain:
    def method(self, double[:] borrows_x, double[:] keeps_y): return borrows_x[0], keeps_y


# ------------------------------------------------------------------ objects that some paths need

cdef double perhaps(double[:] x, bint really) except? -1 nogil:
    global glob
    if really: glob = x
    return x[0]
cdef double perhaps_on(double[:] x, int really) except? -1 nogil:
    return perhaps(x[1:], really == 1) + (perhaps_on(x[1:], really - 1) if really > 1 else 0)
cdef double[:] one_of(double[:] x, double[:] y, bint first) noexcept nogil: return x if first else y
cdef double stores_second(double[:] x, double[:] y=None) except? -1:
    global glob
    if y is not None: glob = y
    return x[0]
cdef give(some_view x, bint really): return x if really else None
def keeps_rarely(double[:] x, int really): return perhaps(x, really), perhaps_on(x, really)
def keeps_rarely_nogil(double[:] x, bint really):
    cdef double y
    with nogil:
        y = perhaps(x, really) + perhaps(x[::-1], really)
    return y
cdef double asked(double[:] x, bint really) except? -1 nogil:
    if not really: return x[0]
    with gil: return np.asarray(x)[0]
def keeps_asked_nogil(double[:] x, bint really):
    cdef double y
    with nogil: y = asked(x[::-1], really)
    return y
def keeps_for_generator(double[:] x, bint really): return any(value < 0 for value in x) if really else x[0]
def borrows_beside_generator(double[:] x, o): return any(value is None for value in (o, o)) or x[0]
def keeps_one(double[:] x, double[:] y, bint first): return np.asarray(one_of(x, y, first)[1:])
def keeps_second(double[:] x, bint really): return stores_second(x, x[1:] if really else None)
def keeps_fused_given(some_view x, bint really): return give(x, really)
def keeps_raised_and_caught(double[:] x, bint really):
    try:
        if really: raise ValueError(x)
        return x[0]
    except ValueError as error:
        return error.args[0][0], x
    finally:
        x = None
def keeps_early(double[:, :] x, int really):
    cdef double[:] y = x[1]
    if really == 0: return y[0]
    if really == 1: return y
    if really == 2: return np.asarray(x.T), y
    x = x[1:]
    return x, y.base is x.base
def keeps_in_loop(double[:] x, int n):
    found = []
    for i in range(n + 4):
        if i > n: found.append(x)
        x = x[:]
    return found
def keeps_rows_of(double[:, :] x, int n):
    rows = []
    for row in x:
        if n: rows.append(row)
    return rows
def keeps_swapped(double[:] x, double[:] y, int n):
    found = []
    for i in range(n + 3):
        x, y = y, x
        if i == n: found.append(x)
    return found, x, y[0]
def keeps_and_deletes(double[:] x, bint really):
    found = x if really else None
    del x
    return found
def keeps_and_rebinds(double[:] x, o):
    found = [x]
    x = np.ones(2)
    found.append(x)
    return found
def keeps_a_slice_of_slices(double[:, :] x):
    cdef double[:, :] y = x[1:]
    cdef double[:] z = y[0][::2]
    return y[:, 1:][::-1], z[1:]
def borrows_overlapping(double[:] x):
    x[1:] = x[:-1]
    return x[0]
def borrows_broadcast(double[:, :] x, double[:] y):
    x[:] = y
    x[1:] = x[:1]
    x[0] = y[::-1]
def borrows_copied_from_object(double[:, :] x, o):
    cdef double[:, :] y = np.ones((3, 3)) * 7
    x[1:] = y[1:]
    y[:] = x
    return np.asarray(y)
def borrows_copied_across(double[:, :] x, const double[:, :] y):
    x[...] = y.T
    cdef double[:, :] z = x.T
    z[1:] = x[1:]
def borrows_copied_in_parallel(double[:, :] x, double[:, :] y):
    cdef Py_ssize_t i, n = min(x.shape[0], y.shape[0])
    for i in prange(n, nogil=True): x[i] = y[i]
def borrows_turned(double[:, :] x, int n):
    cdef double[:, :] y = x.T
    with nogil: x = x[1:].T
    y[0, 1] = 40 + x[1, 0]
    return x.shape, y.T.strides, x.T[0, 1]
def keeps_turned(double[:, :] x, bint really):
    cdef double[:, :] y = x.T[1:]
    if really: return y, y.T, x.T.base is x.base
    return y[0, 0]
def borrows_contiguous(double[:, :] x): return x.is_c_contig(), x.is_f_contig(), x.T.is_f_contig(), x[:, :2].is_c_contig()
def keeps_copies(double[:, :] x): return x.copy(), x.copy_fortran(), x[1].copy(), x.T.copy()
def keeps_unbound(double[:] x, int n):
    cdef double[:] y
    if n > 5: y = x
    return y
def refuses_prange(double[:, :] x):
    cdef double s = 0
    cdef Py_ssize_t i
    for i in prange(x.shape[0], nogil=True): s += sets_nogil(x[i])
    return s
def keeps_beside_prange(double[:] x):
    cdef double s = 0
    cdef Py_ssize_t i
    for i in prange(x.shape[0], nogil=True): s += x[i]
    return x, s
def keeps_after(double[:] x, function):
    function()
    return x
def keeps_const_after(const double[:] x, function):
    function()
    return x, x[1:]
def keeps_matrix_after(double[:, :] x, function):
    function()
    return x.T, x[:1], x.copy()
def keeps_number_after(number[:] x, function):
    function()
    return x
def keeps_none_given(double[:] x): return x
def keeps_none_stored(double[:] x, double[:] y):
    global glob
    glob = x
    return (y if x is None else x), x.base
