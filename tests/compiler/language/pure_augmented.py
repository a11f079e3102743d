# cython: freethreading_compatible=True
# cython: language_level=3
# A Python module that its .pxd makes a module of cdef classes.
import cython
from cython.cimports import cython_customslots

if cython.compiled:
    from cython.cimports.cython_customslots.provider import extensibletype
else:
    from cython_customslots.provider import extensibletype


def negative(x):
    return -x


# Slots may be added here.
@cython_customslots.slot(0x7F000405, flags=5)
class Augmented:
    def __init__(self):
        self.second = 2

    def method(self):
        return self.second


class Meta(extensibletype):
    def describe(cls):
        return cls.number, cls.other


class Other:
    pass


def fields(cls):
    return cls.number
