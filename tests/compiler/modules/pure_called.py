# SPDX-License-Identifier: MIT
# cython: freethreading_compatible=True
# What decorators of functions, of methods and of finished classes mean in pure-Python mode.
import cython
from cython.cimports import cython_customslots as customslots
from cython.cimports.cython_customslots import typed


@customslots.interface(b"tests.Measured")
@cython.cclass
class Measured:
    @cython.ccall
    def size(self, factor: cython.double) -> cython.double:
        """How large it is.

        Times the factor.
        """

    @cython.cfunc
    def name(self): ...


@customslots.implements(Measured)
@cython.cclass
class Line:
    """A line."""
    factor: cython.double

    def __init__(self, factor):
        self.factor = factor

    @customslots.callable
    @cython.cfunc
    @cython.exceptval(check=False)
    def at(self, x: cython.double) -> cython.double:
        return self.factor * x

    @cython.ccall
    def size(self, factor: cython.double) -> cython.double:
        return factor * self.factor

    @cython.cfunc
    def name(self):
        return "line"


@cython.cclass
class Shifted(Line):
    @cython.cfunc
    @cython.exceptval(check=False)
    def at(self, x: cython.double) -> cython.double:
        return self.factor * x + 1


def size(thing: Measured):
    return thing.size(2), thing.name()


def is_measured(obj):
    return isinstance(obj, Measured)


@cython.ccall
def triple(x: cython.double) -> cython.double:
    return 3 * x


@cython.ccall
@typed(False)
def silent(x: cython.double) -> cython.double:
    return x


@customslots.typed(False)
@cython.cclass
class Silent:
    @cython.ccall
    def get(self) -> cython.int:
        return 1

    @customslots.typed(True)
    @cython.ccall
    def heard(self) -> cython.int:
        return 2


@cython.cclass
class Counter:
    count: cython.int

    @cython.ccall
    @cython.returns(cython.int)
    @cython.locals(by=cython.int)
    @cython.exceptval(-1)
    def add(self, by=1):
        self.count += by
        return self.count
