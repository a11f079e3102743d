# SPDX-License-Identifier: MIT
# customslots: A.metaclass=settings_of_classes.Meta, B.metaclass=abc.ABCMeta, M.metaclass=abc.ABCMeta
# customslots: D.metaclass=abc.ABCMeta
cimport cython_customslots as cs
cdef class A: pass
class B: pass
cdef class M(type): pass
@cs.extensible
cdef class D: pass

_ERRORS = u"""
2:53: the comment names a metaclass for 'B', and there is no such cdef class in 'settings_of_classes'; there are A, D, M
2:78: the comment names a metaclass for 'M', but it is a metaclass, and those cannot be extensible themselves
3:15: the comment names a metaclass for 'D', which has a decorator; write customslots.extensible(metaclass=...) there
5:0: metaclass 'settings_of_classes.Meta' of class 'A' is in the same module, whose body has not run when the class is made; put it into another one
"""
