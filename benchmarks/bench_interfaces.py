# SPDX-License-Identifier: MIT
"""What a call through an interface costs, beside everything else that people use for the purpose.

In natural loops: one object that is called many times, the sum kept or one call's result the next
one's argument; and lists of objects of one class or of eight in turn, each of which is tested
and called.  By gcc and by clang if they are there.
"""
from __future__ import annotations

import abc
import functools
import random
import sys
import tempfile
from pathlib import Path

from bench_natural import compilers, found
from common import HERE, SMOKE, Case, Loop, Module, Variant, get_include, load, main

OBJECTS = 256
CLASSES = 8
PLACES = (0,) if SMOKE else (0, 1, 2)

_sources = tempfile.TemporaryDirectory(prefix="customslots-bench-source-")

HEAD = """\
cimport cython_customslots as customslots
from cpython.pycapsule cimport PyCapsule_New
from interface_shapes cimport Other, Shape

"""

BASE = '''\
cdef class Base(Shape):
    def __init__(self, radius):
        self.radius = radius
        self.capsule = PyCapsule_New(&base_functions, b"functions", NULL)
    cdef double area(self) noexcept nogil:
        return self.radius
    cdef double twice_method(self) noexcept nogil:
        return 2 * self.area()
    cdef double step(self, double x) except? -1:
        return x * 0.5 + self.radius
    cpdef double weight(self) except? -1:
        return self.radius
    cpdef double height(self) except? -1:
        return self.radius
    def py_area(self):
        return self.radius

cdef class Unlike(Other):
    cdef double other(self) noexcept nogil:
        return 1.0
'''

ONE = '''
cdef Functions functions{n}
cdef double area{n}(object self) noexcept:
    return (<Base>self).radius + {n}
functions{n}.area = area{n}

@customslots.slot(ID, pointer=&functions{n}, position=1)
cdef class C{n}(Base):
    def __init__(self, radius):
        self.radius = radius
        self.capsule = PyCapsule_New(&functions{n}, b"functions", NULL)
    cdef double area(self) noexcept nogil:
        return self.radius + {n}
    def py_area(self):
        return self.radius + {n}
'''


def sources() -> Path:
    """Base, and the classes that derive from it."""
    folder = Path(_sources.name)
    (folder / "interface_classes.pxd").write_text(
        HEAD + "from libc.stdint cimport uintptr_t\n"
        "cdef uintptr_t ID\n"
        "ctypedef struct Functions:\n    double (*area)(object) noexcept\n"
        "cdef class Base(Shape):\n    cdef public double radius\n    cdef readonly object capsule\n"
        "    cdef double area(self) noexcept nogil\n    cdef double twice_method(self) noexcept nogil\n"
        "    cdef double step(self, double x) except? -1\n"
        "    cpdef double weight(self) except? -1\n    cpdef double height(self) except? -1\n")
    (folder / "interface_classes.pyx").write_text(
        HEAD + "ID = customslots.PyCustomSlots_ID(1, 91, 0)\ncdef Functions base_functions\n" + BASE
        + "".join(ONE.format(n=n) for n in range(CLASSES)).replace(
            "slot(ID,", "slot(customslots.PyCustomSlots_ID(1, 91, 0),"))
    return folder


def modules() -> list[Module | Variant]:
    folder = sources()
    options = {"layer": True, "include_dirs": [get_include(), HERE, folder], "cflags": ["-O2"]}
    return [Module("interface_classes", [folder / "interface_classes.pyx"], **options)] + [
        Variant(Module("interfaces", [HERE / "interfaces.pyx"], **options), f"{compiler}-{place}",
                commands)
        for compiler, commands in found().items() for place in PLACES] + [
        Variant(Module("interface_objects", [HERE / "interface_objects.cpp"], layer=False,
                       cflags=["-O2"]), f"{compiler}-0", commands)
        for compiler, commands in found().items()]


@functools.cache
def shapes() -> dict[str, list]:
    import interface_classes

    classes = [getattr(interface_classes, f"C{n}") for n in range(CLASSES)]
    one = [classes[3](1.0) for _ in range(OBJECTS)]
    eight = [classes[i % CLASSES](1.0) for i in range(OBJECTS)]
    random.Random(1).shuffle(one)
    return {"one class": one, f"{CLASSES} classes": eight}


def cases(compiler: str) -> list[Case]:
    import interface_classes

    copies = [load("interfaces", f"{compiler}-{place}") for place in PLACES]
    native = load("interface_objects", f"{compiler}-0")
    shape = shapes()["one class"][0]

    class Overriding(interface_classes.Base):
        def height(self):
            return 1.0

    strangers = {
        "an int": 10**6, "an instance of a class": type("Plain", (), {})(),
        "one of another interface": interface_classes.Unlike(),
        "an extensible class written in Python": type(interface_classes.Base)("Bare", (), {})()}

    def calls(name: str, obj: object = shape) -> Loop:
        return Loop([functools.partial(getattr(copy, name), obj) for copy in copies], 1)

    def listed(name: str, objects: list, *more: object) -> Loop:
        def run(copy: object, n: int) -> float:
            return getattr(copy, name)(objects, n, *more)
        return Loop([functools.partial(run, copy) for copy in copies], len(objects))

    holders = [copy.Holder(shape) for copy in copies]
    rows = [
        Case("call, sum kept", calls("sum_interface"), "cdef method", calls("sum_method"), 1.05),
        Case("call of a body, which calls a method", calls("twice_interface"), "cdef method",
             calls("twice_method")),
        Case("call, chained", calls("chained_interface"), "cdef method", calls("chained_method"), 1.05),
        Case("call of an attribute", Loop([holder.interface for holder in holders], 1), "cdef method",
             Loop([holder.method for holder in holders], 1), 1.2, unit="ns"),
        Case("isinstance()", calls("check"), "empty loop", calls("nothing"), 2.0, unit="ns"),
        *(Case(f"isinstance() of {what}", calls("check", obj), "empty loop", calls("nothing"), 3.0,
               unit="ns") for what, obj in strangers.items()),
        Case("cpdef method that a Python subclass does not override",
             calls("weight_interface", Overriding(1.0)), "empty loop", calls("nothing"), 4.5, unit="ns"),
        Case("Cython's own cpdef call of it", calls("weight_method", Overriding(1.0)), "empty loop",
             calls("nothing"), unit="ns"),
    ]
    limit = 1.45 if compiler == "clang" else 1.3
    single = functools.singledispatch(lambda obj: 0.0)
    for n in range(CLASSES):
        single.register(getattr(interface_classes, f"C{n}"), lambda obj: obj.py_area())
    single.register(interface_classes.Base, lambda obj: obj.py_area())

    class Abstract(abc.ABC):
        pass

    Abstract.register(interface_classes.Base)
    for which, objects in shapes().items():
        many = which != "one class"
        through = listed("list_interface", objects)
        rows += [
            Case(f"for s in list, {which}", through, "cdef method", listed("list_method", objects),
                 limit if many else None),
            Case(f"if isinstance(), {which}", listed("list_if", objects), "cdef method",
                 listed("list_method", objects)),
            Case(f"for s in list, {which}", through, "def method", listed("list_def", objects),
                 1 / 3 if many else 1 / 8),
            Case(f"for s in list, {which}", through, "capsule attribute",
                 listed("list_capsule", objects), 1 / 1.3 if many else 1 / 2.5),
            Case(f"for s in list, {which}", through, "slot by hand", listed("list_slot", objects)),
            Case(f"for s in list, {which}", through, "singledispatch",
                 listed("list_call", objects, single)),
            Case(f"for s in list, {which}", through, "isinstance(ABC), def method",
                 listed("list_abc", objects, Abstract)),
        ]
        classes = CLASSES if many else 1
        for name, what in (("virtual_call", "C++ virtual call"), ("dynamic", "C++ dynamic_cast and call")):
            rows.append(Case(
                f"for s in list, {which}", through, what,
                Loop([functools.partial(getattr(native, name), classes, OBJECTS)], OBJECTS)))
    return rows


if __name__ == "__main__":
    sys.exit(main(__file__, __doc__, modules, {
        compiler: functools.partial(cases, compiler) for compiler in found()}, compilers=compilers))
