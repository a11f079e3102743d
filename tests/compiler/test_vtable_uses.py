# SPDX-License-Identifier: MIT
"""Which of the classes that a module imports are checked: those whose C methods it needs."""
import re

import pytest
from compiling import compile_all

pytestmark = pytest.mark.interpreters

PXD = """
cimport cython_customslots as cs
cimport cython
ctypedef fused number:
    int
    double
@cs.extensible
cdef class Base:
    cdef int base(self) noexcept
@cs.extensible
cdef class Shape(Base):
    cdef int sides(self) noexcept
    cdef number fused(self, number x) noexcept
    @staticmethod
    cdef int static(int x) noexcept
    cpdef int both(self, int x)
    @cython.final
    cdef int final(self) noexcept
    cdef inline int inlined(self) noexcept: return 1
@cs.extensible
@cython.final
cdef class Final:
    cdef int method(self) noexcept
"""

INLINE = """
cdef inline int twice(Shape s): return 2 * s.sides()
cdef inline number times(Shape s, number n): return n * s.sides()
"""

MODULE = """
cimport cython_customslots
from provider cimport Base, Final, Shape
"""

#: What a module does, and the classes that are checked when it is imported.
USES = {
    "nothing": ("", []),
    "a variable": ("cdef Shape kept", []),
    "isinstance": ("def f(o): return isinstance(o, Shape)", []),
    "an instance": ("def f(): return Shape()", []),
    "an inline method with a body of its own": ("def f(Shape s): return s.inlined()", []),
    "a call through Python": ("def f(s): return s.both(3)", []),
    "a call": ("def f(Shape s): return s.sides()", ["Shape"]),
    "a method of the base": ("def f(Shape s): return Base.base(s)", ["Base"]),
    "a fused method": ("def f(Shape s): return s.fused(1)", ["Shape"]),
    "a static method": ("def f(): return Shape.static(3)", ["Shape"]),
    "a cpdef method": ("def f(Shape s): return s.both(3)", ["Shape"]),
    "a cpdef method as an object": ("def f(Shape s): return s.both", ["Shape"]),
    "a method of the class": ("def f(Shape s): return Shape.sides(s)", ["Shape"]),
    "a final method": ("def f(Shape s): return s.final()", ["Shape"]),
    "a final class": ("def f(Final x): return x.method()", ["Final"]),
    "an address": ("cdef int (*p)(Shape) noexcept\np = Shape.sides", ["Shape"]),
    "a derived class": ("cdef class Derived(Shape): pass", ["Shape"]),
    "an inline function that is not used": (INLINE, []),
    "one that is": (INLINE + "from provider cimport twice\ndef f(Shape s): return twice(s)", ["Shape"]),
    "a fused one that is": (INLINE + "from provider cimport times\ndef f(Shape s): return times(s, 2)", ["Shape"]),
}


@pytest.fixture(scope="module")
def compiled():
    cases = {what: {"mod.pyx": MODULE + text.replace(INLINE, ""),
                    "provider.pxd": PXD + (INLINE if INLINE in text else "")}
             for what, (text, _) in USES.items()}
    return compile_all(cases)


@pytest.mark.parametrize("what", USES)
def test_a_class_is_checked_if_its_methods_are_needed(compiled, what):
    result = compiled[what]
    assert result.errors == [], result.messages
    checked = re.findall(r'if \(__Pyx_CustomSlots_CheckVtable\(.*?"cython.vtable:provider.(\w+)"', result.c)
    assert checked == USES[what][1]
    # Nor is there any code for a check that is not made.
    assert ("__Pyx_CustomSlots_VtableError" in result.c) == bool(checked)
