# SPDX-License-Identifier: MIT
"""Records of modules in C: functions, methods, native calls, and what has none.  Run on PyPy."""
import functools
import gc
import operator
import sys
import types

import pypy_cases as cases
import typed_here as here


def refused(kind, words, function, *arguments):
    try:
        function(*arguments)
    except kind as error:
        assert words in str(error), error
    else:
        raise AssertionError(arguments)


assert sys.implementation.name == "pypy"

# The package, which has the reasons, need not be there.
assert "nothing is known about C functions of" in here.why_not(here.call, "f8(f8)")

# Methods: of the class, bound, of a subclass, class and static ones, bound by Python.
Number = here.Number
three = Number(3)
assert here.signatures(Number.times) == ("f8(object, f8)",)
assert here.signatures(three.times) == ("f8(f8)",)
assert here.call(three.times, 2.0) == (1, 6.0)
assert here.signatures(Number.half) == ("f8(f8)",) and here.call(three.half, 3.0) == (1, 1.5)
assert here.signatures(Number.kind) == ("f8()",) == here.signatures(three.kind)
assert here.call(Number.kind) == (1, 1.0) == here.call(three.kind)


class More(Number):
    def half(self, x):
        return 8.0


assert here.call(More(4).times, 2.0) == (1, 8.0) and here.call(More.kind) == (1, 2.0)
assert here.call(More(4).half, 2.0) == (0, 8.0)
assert here.call(types.MethodType(Number.times, three), 2.0) == (1, 6.0)
refused(TypeError, "found 'int', expected a Number", here.call, types.MethodType(Number.times, 5), 2.0)
assert here.signatures(types.MethodType(cases.inc, 5)) == ()

# The native call of an instance, which on PyPy is a registered slot.
refused(TypeError, "expected a callable", here.call, three, 2.0)
assert "nothing is known about C functions of" in here.why_not(three, "f8(f8)")
three.give_native()
assert here.call(three, 2.0) == (1, 5.0)
more = More(4)
more.give_native()
assert here.call(more, 2.0) == (1, 6.0) and here.signatures(more) == ("f8(f8)",)


class Callable:
    def __call__(self, x):
        return x + 1

    def method(self, x):
        return x + 2


# Until a class overrides __call__, at birth, later or in a base.
class Called(More):
    def __call__(self, x):
        return -x


class Below(Called):
    pass


for cls, expected in (Called, -2.0), (Below, -2.0), (type("Before", (Callable, More), {}), 3.0):
    called = cls(4)
    called.give_native()
    assert here.call(called, 2.0) == (0, expected) and here.signatures(called) == (), cls
assert here.call(more, 2.0) == (1, 6.0)
below = Below(4)
below.give_native()
Below.__call__ = lambda self, x: 7.0
assert here.call(below, 2.0) == (0, 7.0)
del Below.__call__, Called.__call__
assert here.call(below, 2.0) == (1, 6.0)
More.__call__ = None
refused(TypeError, "callable", here.call, below, 2.0)
del More.__call__
below.__call__ = lambda x: 8.0
assert here.call(below, 2.0) == (1, 6.0)


# Nothing stands behind the others, which are called through Python.
Joke = type("builtin method", (), {"__call__": lambda self, x: x + 3, "__func__": cases.inc,
                                   "__self__": property(lambda self: 1 / 0)})
nothing = {
    lambda x: 2 * x: 4.0, abs: 2.0, Callable(): 3.0, Callable().method: 4.0, Joke(): 5.0, float: 2.0,
    functools.partial(operator.add, 5): 7.0, (2.5).__add__: 4.5, operator.neg: -2.0,
}
for callable_, result in nothing.items():
    assert here.signatures(callable_) == () and here.why_not(callable_, "f8(f8)"), callable_
    assert here.call(callable_, 2.0) == (0, result), callable_
refused(TypeError, "expected a callable", here.call, None, 2.0)
refused(ZeroDivisionError, "", here.call, lambda x: 1 / 0, 2.0)
for junk in (None, 1, "x", [].append, list.append, type, object(), gc, dict.fromkeys):
    assert here.signatures(junk) == ()

print("typed")
