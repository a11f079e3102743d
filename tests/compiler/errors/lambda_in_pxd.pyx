# SPDX-License-Identifier: MIT
cdef class M(extensibletype): pass
cdef class A: pass

_ERRORS = u"""
lambda_in_pxd.pxd:6:19: function definition in pxd file must be declared 'cdef inline'
"""
