# cython: language_level=3, freethreading_compatible=True
# long inc(long), in the ways that Cython has it.
cimport cython_customslots

cpdef long inc(long x): return x + 1                    # needs the GIL, may raise
cpdef long inc_nogil(long x) noexcept nogil: return x + 1
cpdef long inc_raises(long x) except? -1 nogil: return x + 1
