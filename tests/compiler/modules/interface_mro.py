# SPDX-License-Identifier: MIT
# cython: freethreading_compatible=True
# Interfaces with bodies, and classes that leave methods to these: interface_mro_program.py runs it compiled and not.
import cython
from cython.cimports import cython_customslots as customslots


@customslots.interface(b"mro.First")
@cython.cclass
class First:
    @cython.ccall
    def need(self, x: cython.longlong) -> cython.longlong: ...

    @cython.ccall
    def body(self, x: cython.longlong) -> cython.longlong:
        return self.need(x) + 1000

    @cython.ccall
    def twice(self, x: cython.longlong) -> cython.longlong:
        return 2 * self.body(x)


@customslots.interface(b"mro.Extending")
@cython.cclass
class Extending(First):
    @cython.ccall
    def more(self, x: cython.longlong) -> cython.longlong:
        return self.twice(x) + 7


@customslots.interface(b"mro.Other")
@cython.cclass
class Other:
    @cython.ccall
    def other(self, x: cython.longlong) -> cython.longlong: ...

    @cython.ccall
    def body(self, x: cython.longlong) -> cython.longlong:
        return -x


@customslots.interface(b"mro.Again")
@cython.cclass
class Again(First):
    """It has another body for a method of the interface that it extends."""
    @cython.ccall
    def twice(self, x: cython.longlong) -> cython.longlong:
        return 3 * self.body(x)


@cython.cclass
class Plain(First):
    @cython.ccall
    def need(self, x: cython.longlong) -> cython.longlong:
        return x + 1


@cython.cclass
class Below(Plain):
    @cython.ccall
    def body(self, x: cython.longlong) -> cython.longlong:
        return x + 2000


@cython.cclass
class More(Extending):
    @cython.ccall
    def need(self, x: cython.longlong) -> cython.longlong:
        return x + 3

    @cython.ccall
    def twice(self, x: cython.longlong) -> cython.longlong:
        return 5 * x


@cython.cclass
class PlainAgain(Plain, Again):
    pass


@cython.cclass
class Unaware:
    @cython.ccall
    def body(self, x: cython.longlong) -> cython.longlong:
        return x + 4000

    @cython.ccall
    def other(self, x: cython.longlong) -> cython.longlong:
        return x + 5000


@cython.cclass
class Before(Other, Unaware):
    """The interface comes before the base."""


@cython.cclass
class Behind(Unaware, Other):
    pass


def need(o: First, x: cython.longlong):
    return o.need(x)


def body(o: First, x: cython.longlong):
    return o.body(x)


def twice(o: First, x: cython.longlong):
    return o.twice(x)


def more(o: Extending, x: cython.longlong):
    return o.more(x)


def other(o: Other, x: cython.longlong):
    return o.other(x)


def body_of_other(o: Other, x: cython.longlong):
    return o.body(x)
