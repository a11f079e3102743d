cdef class Foreign:
    cdef int x
