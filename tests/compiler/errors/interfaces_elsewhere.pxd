# SPDX-License-Identifier: MIT
cdef class A:
    pass
