# SPDX-License-Identifier: MIT
# cython: freethreading_compatible=True
# An interface, a class that implements it, and calls, in pure-Python mode and in one module.
import cython
from cython.cimports import cython_customslots as customslots


@customslots.interface(b"tests.Pure")
@cython.cclass
class Pure:
    """An interface in pure Python."""

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def area(self) -> cython.double:
        """The area."""

    @cython.ccall
    @cython.exceptval(-1)
    def draw(self, canvas: list) -> cython.int:
        """Draw it.

        The canvas gets what was drawn.
        """

    @cython.ccall
    def name(self): ...

    @cython.cfunc
    @cython.exceptval(-1)
    def twice(self) -> cython.double:
        return 2 * self.area()

    @cython.ccall
    def label(self, before: str) -> str:
        """What it is called."""
        return f"{before} {self.twice()}"


@cython.cclass
class Circle(Pure):
    radius: cython.double

    def __init__(self, radius):
        self.radius = radius

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def area(self) -> cython.double:
        return 3 * self.radius * self.radius

    @cython.ccall
    @cython.exceptval(-1)
    def draw(self, canvas: list) -> cython.int:
        canvas.append(self.radius)
        return len(canvas)

    @cython.ccall
    def name(self):
        return "circle"


def total(shapes: list):
    shape: Pure
    sum: cython.double = 0
    for shape in shapes:
        sum += shape.area()
    return sum


def draw(shape: Pure, canvas: list):
    return shape.draw(canvas)


def labels(shape: Pure):
    return shape.label("of"), shape.twice()


def is_one(obj):
    return isinstance(obj, Pure)
