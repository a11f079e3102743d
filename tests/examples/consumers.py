# SPDX-License-Identifier: MIT
"""What any language's total_area() must bear.  Imported by children of the tests of two examples."""
import math
import sys
import threading


def make(modules, kinds, **more):
    """Shapes of classes of the modules {language: module} and of Python's below them, and the area of all.

    kinds   {language: (name of the class, its arguments, the area)}
    """
    shapes, expected = [], 0.0
    for name, module in modules.items():
        kind, arguments, area = kinds[name]
        kind = getattr(module, kind)
        sub = type("Sub", (kind,), {"area": lambda self: 1 / 0, **more})
        shapes += [kind(*arguments), sub(*arguments), type("Subsub", (sub,), {})(*arguments)]
        expected += 3 * area
    return shapes, expected


def check_forgetful(module):
    """A subclass of nanobind's that makes nothing of C++."""
    class Forgetful(module.Square):
        def __init__(self):
            pass
    try:
        forgetful = Forgetful()
    except TypeError:
        return                          # nanobind does not let it be made
    assert math.isnan(module.total_area([forgetful]))


def check(modules, shapes, expected, refusal, *, also=()):
    """Ask the consumers of all *modules* for the area of *shapes*; refusal(wrong): what they say of
    what is none, and of *also*."""
    for module in modules:
        total = module.total_area
        assert math.isclose(total(shapes), expected), module
        assert math.isclose(total(iter(shapes)), expected) and total([]) == total(()) == 0.0
        for wrong in 3, "text", object(), int, type(shapes[0]), *also:
            check_refused(total, shapes, wrong, refusal(wrong))
        for wrong, kind in (3, TypeError), (None, TypeError), (raising(shapes[0]), KeyError):
            try:
                total(wrong)
            except kind:
                pass
            else:
                raise AssertionError((module, wrong))
    check_threads(modules, shapes, expected)


def check_refused(total, shapes, wrong, words):
    held = [*shapes, wrong, *shapes]
    before = [sys.getrefcount(shape) for shape in shapes]
    for _ in range(10):
        try:
            total(held)
        except TypeError as error:
            assert words in str(error), error
        else:
            raise AssertionError(wrong)
    assert [sys.getrefcount(shape) for shape in shapes] == before, wrong


def raising(shape):
    yield shape
    raise KeyError("from the iterator")


def check_threads(modules, shapes, expected):
    failed = []

    def many():
        for _ in range(200):
            for module in modules:
                if not math.isclose(module.total_area(shapes), expected):
                    failed.append(module)

    threads = [threading.Thread(target=many) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed
