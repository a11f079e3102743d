# SPDX-License-Identifier: MIT
cdef class M(extensibletype): pass
@metaclass(M, counter=1)
cdef class A: pass
cdef class B:
    counter = 5
@metaclass(M)
cdef class C: pass
cdef class D: pass
@slot(0x55, flags=2)
cdef class E: pass
cdef class F: pass
cdef class N(extensibletype): pass

_ERRORS = u"""
3:11: 'A' is defined in the .pxd; put customslots.metaclass, with all values, there, so that modules that cimport the class know its metaclass
6:14: 'B' is defined in the .pxd; put 'counter', a field of its metaclass, into customslots.metaclass there
7:11: customslots.metaclass is given here and in the .pxd; leave it, with all values, in the .pxd
10:6: slot ID 0x55 stands in this class twice; each ID names one slot (first in line 17)
fields_in_pxd.pxd:14:21: metaclass 'M' has no field 'number'; it has counter
fields_in_pxd.pxd:20:0: 'F' is declared here, and customslots.array says how its objects are made arrays; write it where the class is defined, in the .pyx
fields_in_pxd.pxd:24:16: field 'view' of metaclass 'N' is a memoryview, which cannot be inherited by value; declare it 'object' and take the memoryview where it is used
fields_in_pxd.pxd:26:20: field 'level' of metaclass 'O', which Python sees, needs a definition of the class: write 'cdef class O: pass' in the .pyx
"""
