# SPDX-License-Identifier: MIT
"""Interfaces of modules from the compiler layer.  Run on PyPy."""
import gc
import sys

import interface_consumer as consumer
import interface_other as other
import interface_provider as provider

NOT = "expected an object that implements interface 'tests.{}', found '{}', which does not implement it"


def refused(words, function, *arguments, kind=TypeError):
    try:
        function(*arguments)
    except kind as error:
        assert words in str(error), error
    else:
        raise AssertionError((function, arguments))


assert sys.implementation.name == "pypy"
circle, ball, named, grown = provider.Circle(1), provider.Ball(2), provider.Named(3), provider.Grown(4)
square, cube = other.Square(2), other.Cube(3)
shapes = [circle, ball, named, grown, square, cube]

# Classes of two libraries, inherited implementations, extended interfaces, structs, enumerations.
assert [consumer.area_of(shape) for shape in shapes] == [3, 12, 27, 48, 4, 9]
assert consumer.total(shapes) == 103 and consumer.elements(shapes) == [3, 12, 27, 48, 4, 9]
assert [consumer.label_of(shape) for shape in shapes] == [
    "circle 1.0", "circle 2.0", "named", "circle 4.0", "square 2.0", "square 3.0"]
assert [consumer.is_shape(shape) for shape in shapes] == [
    (True, False), (True, True), (True, False), (True, False), (True, False), (True, True)]
assert consumer.solid(ball) == (12, 12, 8, {"x": 2, "y": -2}, "circle 2.0")
assert consumer.solid(cube)[:3] == (9, 9, 27) and consumer.down(ball) == 8
assert consumer.paint(ball, 4) == (5, 1) and consumer.larger(ball, circle, 100)
assert other.area_of(circle) == 3 and other.corners_of(cube) == 8
assert provider.known(circle) == 3 and consumer.from_class(ball) == (8, 2)

# Exceptions.
refused("negative", consumer.scaled, circle, -1, kind=ValueError)
refused("no ball", consumer.solid, provider.Ball(0), kind=ValueError)
refused("no colour", consumer.paint, ball, -1, kind=ValueError)

# A table is held, found anew, or missed.
for hold in consumer.Box(circle).area, consumer.closure(circle), lambda: next(consumer.generator(circle)):
    assert hold() in (3, 6)
assert consumer.exchanged(circle, ball) == (12, 3) and consumer.with_optional(circle) == (2, 6)
assert consumer.of(3) is None and consumer.of(circle) is circle is consumer.cast(circle)
refused("was called on None", consumer.label_of, None)
for wrong, name in (3, "int"), ("text", "str"), (object(), "object"), (provider.Circle, "type"):
    assert consumer.is_shape(wrong) == (False, False)
    for function in consumer.area_of, consumer.cast, consumer.checked_cast:
        refused(NOT.format("Shape", name), function, wrong)
    refused(NOT.format("Shape", name), consumer.total, [circle, wrong])
refused(NOT.format("Solid", "interface_provider.Circle"), consumer.solid, circle)
refused("with 'f8 area(object) nogil noexcept', where this module was compiled for 'f4 area(", other.changed,
        provider.Odd())


# Python subclasses override what is cpdef, when their class is made and later.
class Mixin:
    def label(self):
        return "mixin"


class Disc(provider.Circle):
    def area(self):
        return 1 / 0


class Own(provider.Circle):
    def label(self):
        return "own"


class Mixed(Mixin, provider.Circle):
    pass


assert consumer.area_of(Disc(1)) == 3 and consumer.label_of(Disc(1)) == "circle 1.0"
assert consumer.label_of(Own(1)) == "own" and consumer.label_of(Mixed(1)) == "mixin"
disc = Disc(1)
Disc.label = lambda self: "later"
assert consumer.label_of(disc) == "later"
del Disc.label
assert consumer.label_of(disc) == "circle 1.0"
Own.label = lambda self: 1 / 0
refused("", consumer.label_of, Own(1), kind=ZeroDivisionError)


# Whatever happens to the class after the check: the old table, or an error.
class Tile(provider.Circle):
    pass


tile = Tile(2)


def change():
    Tile.__bases__ = (Disc,)


assert consumer.changing(tile, change) == (12, 12)

held = [provider.Circle(i) for i in range(1000)]
for _ in range(20):
    consumer.total(held)
    gc.collect()
print("interfaces")
