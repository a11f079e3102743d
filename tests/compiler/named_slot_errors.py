# SPDX-License-Identifier: MIT
"""Wrong names of slots, and what the compiler says: (line, column, text)."""

_NAME = "the ID of a slot is a name with a dot, such as b'package.Name', found "

_CAPSULE = ("customslots.slot takes capsule=('attribute', 'name of the capsule') beside an ID that is a name and a "
            "pointer")

#: {what is wrong: (source behind the header of error_cases.py, [(line in it, column, text)])}
NAMES = {
    "a name in a variable": (r"""
from libc.stdint cimport uintptr_t
cdef uintptr_t LENGTH = cs.PyCustomSlots_Intern(b"mylib.length")
@cs.slot(LENGTH, flags=1)
cdef class A: pass
""", [
        (4, 9,
         "a slot's ID is set before the module body runs, and 'LENGTH' gets its value there; "
         "write the name itself in the decorator, as in slot(b'mylib.length', ...)"),
    ]),
    "a capsule that is no pair": ("""\
@cs.slot(b"mylib.table", pointer=NULL, capsule="__mylib__")
cdef class A: pass
""", [(1, 47, _CAPSULE)]),
    "a capsule of a variable": ("""\
NAME = "__mylib__"
@cs.slot(b"mylib.table", pointer=NULL, capsule=(NAME, "mylib"))
cdef class A: pass
""", [(2, 48, _CAPSULE)]),
    "a capsule for a number": ("""\
@cs.slot(b"mylib.table", flags=5, capsule=("__mylib__", "mylib"))
cdef class A: pass
""", [(1, 43, _CAPSULE)]),
    "a capsule of an ID without a name": ("""\
@cs.slot(5, pointer=NULL, capsule=("__mylib__", "mylib"))
cdef class A: pass
""", [(1, 35, _CAPSULE)]),
    "a name in a Python variable": (r"""
LENGTH = cs.PyCustomSlots_Intern("mylib.length")
@cs.slot(LENGTH, flags=1)
cdef class A: pass
""", [
        (3, 9,
         "a slot's ID is set before the module body runs, and 'LENGTH' gets its value there; "
         "write the name itself in the decorator, as in slot(b'mylib.length', ...)"),
    ]),
    "a text in a variable": (r"""
NAME = b"mylib.length"
@cs.slot(NAME, flags=1)
cdef class A: pass
""", [
        (3, 9,
         "a slot's ID is set before the module body runs, and 'NAME' gets its value there; "
         "write the name itself in the decorator, as in slot(b'package.Name', ...)"),
    ]),
    "a name without a dot in a variable": (r"""
cdef size_t LENGTH = cs.PyCustomSlots_Intern(b"length")
@cs.slot(LENGTH, flags=1)
cdef class A: pass
""", [
        (3, 9,
         "a slot's ID is set before the module body runs, and 'LENGTH' gets its value there; "
         "write the name itself in the decorator, as in slot(b'package.Name', ...)"),
    ]),
    "an empty name": (r"""
@cs.slot(b"", flags=1)
cdef class A: pass
""", [(2, 9, _NAME + "b''")]),
    "a name without a dot": (r"""
@cs.slot("length", flags=1)
cdef class A: pass
""", [(2, 9, _NAME + "b'length'")]),
    "a dot without a name": (r"""
@cs.slot("mylib.", flags=1)
cdef class A: pass
""", [(2, 9, _NAME + "b'mylib.'")]),
    "a name with NUL": (r"""
@cs.slot(b"mylib.a\0b", flags=1)
cdef class A: pass
""", [(2, 9, _NAME + r"b'mylib.a\x00b'")]),
    "a name that is not UTF-8": (r"""
@cs.slot(b"mylib.\xff", flags=1)
cdef class A: pass
""", [(2, 9, _NAME + r"b'mylib.\xff'")]),
    "a name that cannot be UTF-8": (r"""
@cs.slot("mylib.\ud800", flags=1)
cdef class A: pass
""", [(2, 9, _NAME + r"b'mylib.\xed\xa0\x80'")]),
    "a name twice": (r"""
@cs.slot(b"mylib.a", flags=1)
@cs.slot("mylib.a", flags=1)
cdef class A: pass
""", [
        (3, 9,
         "slot ID b'mylib.a' stands in this class twice; each ID names one slot (first in line 8)"),
    ]),
    "a name and its number": (r"""
@cs.slot(b"mylib.a", flags=1)
@cs.slot(cs.PyCustomSlots_Intern("mylib.a"), flags=1)
cdef class A: pass
""", [
        (3, 32,
         "slot ID b'mylib.a' stands in this class twice; each ID names one slot (first in line 8)"),
    ]),
    "a name that is known at run time": (r"""
NAME = b"length"
@cs.slot(b"mylib." + NAME, flags=1)
cdef class A: pass
""", [
        (3, 21,
         "a slot's ID is set before the module body runs, and 'NAME' gets its value there; "
         "write the name itself in the decorator, as in slot(b'package.Name', ...)"),
    ]),
    "the name of an interface that the class implements": (r"""
@cs.interface(b"mylib.Shape")
cdef class Shape:
    cdef double area(self) noexcept
@cs.slot(b"mylib.Shape", flags=1)
cdef class A(Shape):
    cdef double area(self) noexcept: return 1
""", [
        (5, 9,
         "slot ID b'mylib.Shape' is that of interface 'Shape', which the class implements; leave the "
         "slot out, or give it a name of its own"),
    ]),
    "the name of an interface that a base class implements": (r"""
@cs.interface(b"mylib.Shape")
cdef class Shape:
    cdef double area(self) noexcept
cdef class A(Shape):
    cdef double area(self) noexcept: return 1
@cs.slot(b"mylib.Shape", flags=1)
cdef class B(A): pass
""", [
        (7, 9,
         "slot ID b'mylib.Shape' is that of interface 'Shape', which the class implements; leave the "
         "slot out, or give it a name of its own"),
    ]),
}
