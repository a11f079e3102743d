# SPDX-License-Identifier: MIT
cimport cython_customslots as cs
from cython_customslots.provider cimport extensibletype
cdef class M(extensibletype):
    cdef const char *sentence
    cdef long counter
    cdef double (*func)(double) noexcept
@cs.slot
cdef class A: pass
@cs.slot(5)
cdef class A2: pass
@cs.slot(5, flags=5, objoffset=3)
cdef class A4: pass
@cs.slot(5, flag=5)
cdef class A5: pass
@cs.slot(0, flags=5)
cdef class A6: pass
@cs.slot(cs.PyCustomSlots_SKIP, flags=5)
cdef class A7: pass
@cs.slot(0x1000301, flags=5)
@cs.slot(cs.PyCustomSlots_ID(1, 3, 0), flags=6)
cdef class A9: pass
cdef enum:
    ID = 77
@cs.slot(ID, flags=5)
@cs.slot(77, flags=6)
cdef class A10: pass
ID2 = 5
@cs.slot(ID2, flags=5)
cdef class A11: pass
@cs.slot(5, flags=5, position=-1)
cdef class A12: pass
@cs.slot(5, flags=5, position=256)
cdef class A13: pass
@cs.slot(5, flags=5, position=len('abc'))
cdef class A14: pass
@cs.slot(5, flags=5, position=1)
@cs.slot(7, flags=5, position=1)
cdef class A15: pass
@cs.slot(5, pointer=5)
cdef class A16: pass
@cs.slot(5, flags='abc')
cdef class A18: pass
@cs.slot(5, objoffset='abc')
cdef class A19: pass
@cs.slot(5, objoffset=nope)
cdef class A20: pass
ctypedef fused T:
    int
    double
cdef T g(T x): return x
@cs.slot(5, pointer=&g)
cdef class A21: pass
def f():
    @cs.slot(5, flags=1)
    class A: pass
@cs.slot(5, flags=1)
cdef extern class somewhere.A22 [object AO]:
    cdef int x
cdef T f2(T x): return x
@cs.slot(5, pointer=f2[str])
cdef class A23: pass
@cs.slot(5, pointer=method)
cdef class A24:
    cdef int method(self): return 1
@cs.slot(5, pointer=&A26.method)
cdef class A26:
    def method(self): return 1
cdef object thing = 1
@cs.slot(5, pointer=&thing)
cdef class A27: pass
@cs.slot(5, pointer=M)
cdef class A29: pass
arguments = ()
@cs.slot(*arguments, flags=1)
cdef class A30: pass
@cs.slot(-5, flags=1)
cdef class A31: pass
@cs.slot(True, flags=1)
cdef class A32: pass
@cs.slot(99999999999999999999999999999, flags=1)
cdef class A34: pass
cdef int f3() noexcept: return 99
@cs.slot(f3(), flags=1)
cdef class A35: pass
@cs.slot(5, flags=1, position=1.5)
cdef class A37: pass
@cs.slot(5, flags=1, position=nowhere)
cdef class A39: pass
from libc.stdint cimport uintptr_t
cdef uintptr_t LENGTH = cs.PyCustomSlots_Intern(b"mylib.length")
@cs.slot(LENGTH, flags=1)
cdef class A42: pass
@cs.slot(b"mylib.table", pointer=NULL, capsule="__mylib__")
cdef class A43: pass
NAME = "__mylib__"
@cs.slot(b"mylib.table", pointer=NULL, capsule=(NAME, "mylib"))
cdef class A44: pass
@cs.slot(b"mylib.table", flags=5, capsule=("__mylib__", "mylib"))
cdef class A45: pass
@cs.slot(5, pointer=NULL, capsule=("__mylib__", "mylib"))
cdef class A46: pass
LENGTH2 = cs.PyCustomSlots_Intern("mylib.length")
@cs.slot(LENGTH2, flags=1)
cdef class A47: pass
NAME2 = b"mylib.length"
@cs.slot(NAME2, flags=1)
cdef class A48: pass
cdef size_t SHORT = cs.PyCustomSlots_Intern(b"length")
@cs.slot(SHORT, flags=1)
cdef class A49: pass
@cs.slot("length", flags=1)
cdef class A51: pass
@cs.slot("mylib.", flags=1)
cdef class A52: pass
@cs.slot(b"mylib.a\0b", flags=1)
cdef class A53: pass
@cs.slot(b"mylib.\xff", flags=1)
cdef class A54: pass
@cs.slot("mylib.\ud800", flags=1)
cdef class A55: pass
@cs.slot(b"mylib.a", flags=1)
@cs.slot("mylib.a", flags=1)
cdef class A56: pass
@cs.slot(b"mylib.a", flags=1)
@cs.slot(cs.PyCustomSlots_Intern("mylib.a"), flags=1)
cdef class A57: pass
@cs.interface(b"mylib.Shape")
cdef class Shape:
    cdef double area(self) noexcept
@cs.slot(b"mylib.Shape", flags=1)
cdef class A59(Shape):
    cdef double area(self) noexcept: return 1
cdef class A60(Shape):
    cdef double area(self) noexcept: return 1
@cs.slot(b"mylib.Shape", flags=1)
cdef class B(A60): pass
def area(self): return 1.0
@cs.slot(b"mylib.area", pointer=area)
cdef class A61: pass

_ERRORS = u"""
8:0: customslots.slot takes one ID and then its value by keyword, found 0 positional arguments
10:0: customslots.slot takes exactly one of pointer, objoffset, flags, found 0
12:0: customslots.slot takes exactly one of pointer, objoffset, flags, found 2
14:17: customslots.slot has no argument 'flag'; there are pointer, objoffset, flags, position and capsule
16:9: slot ID 0 is reserved for empty entries; write a name, as b'package.Name', or PyCustomSlots_ID()
18:11: slot ID 1 is reserved for skipped entries; write a name, as b'package.Name', or PyCustomSlots_ID()
21:28: slot ID 0x1000301 stands in this class twice; each ID names one slot (first in line 20)
26:9: slot ID 0x4d stands in this class twice; each ID names one slot (first in line 25)
29:9: a slot's ID is set before the module body runs, and 'ID2' gets its value there; write the name itself in the decorator, as in slot(b'package.Name', ...)
31:31: a slot's position is an integer constant from 0 to 255, found -1
33:30: a slot's position is an integer constant from 0 to 255, found 256
35:33: a slot's position is an integer constant from 0 to 255, found an expression that is not constant
38:30: position 1 is given to two slots of this class (first in line 37)
40:20: the pointer of a slot must be a C pointer, a C array or a C function, found 'long'
42:18: the flags of a slot must be a C integer, found 'str object'
44:22: the objoffset of a slot must be a C integer or the name of a C attribute of the class, found 'str object'
46:22: undeclared name not builtin: nope
52:20: the pointer of a slot is a fused function; cast it to the type of the specialisation that is meant
55:4: customslots.slot is for cdef classes, but stands on class 'A'; write 'cdef class'
57:0: 'A22' is declared extern: only the module that defines a class can make it extensible
61:23: Type not in fused type
63:20: 'method' is a C method of this class; write A24.method
66:20: Cannot take address of Python object attribute 'method'
70:20: Cannot take address of Python variable 'thing'
72:20: the pointer of a slot must be a C pointer, a C array or a C function, found 'type object'
75:0: customslots.slot takes its arguments one by one, not from * or **
77:10: a slot's ID is not negative, found -5; write a name, as b'package.Name', or PyCustomSlots_ID()
79:9: a slot's ID is a name, as b'package.Name', or a constant, as PyCustomSlots_ID(0x04, 5, 0), found 'bint'
81:9: a slot's ID is a name, as b'package.Name', or a constant, as PyCustomSlots_ID(0x04, 5, 0), found 'int object'
84:11: a slot's ID is needed before C functions of other modules are imported; write a name, as b'package.Name', or PyCustomSlots_ID()
86:30: a slot's position is an integer constant from 0 to 255, found 'double'
88:30: undeclared name not builtin: nowhere
92:9: a slot's ID is set before the module body runs, and 'LENGTH' gets its value there; write the name itself in the decorator, as in slot(b'mylib.length', ...)
94:47: customslots.slot takes capsule=('attribute', 'name of the capsule') beside an ID that is a name and a pointer
97:48: customslots.slot takes capsule=('attribute', 'name of the capsule') beside an ID that is a name and a pointer
99:43: customslots.slot takes capsule=('attribute', 'name of the capsule') beside an ID that is a name and a pointer
101:35: customslots.slot takes capsule=('attribute', 'name of the capsule') beside an ID that is a name and a pointer
104:9: a slot's ID is set before the module body runs, and 'LENGTH2' gets its value there; write the name itself in the decorator, as in slot(b'mylib.length', ...)
107:9: a slot's ID is set before the module body runs, and 'NAME2' gets its value there; write the name itself in the decorator, as in slot(b'package.Name', ...)
110:9: a slot's ID is set before the module body runs, and 'SHORT' gets its value there; write the name itself in the decorator, as in slot(b'package.Name', ...)
112:9: the ID of a slot is a name with a dot, such as b'package.Name', found b'length'
114:9: the ID of a slot is a name with a dot, such as b'package.Name', found b'mylib.'
116:9: the ID of a slot is a name with a dot, such as b'package.Name', found b'mylib.a\x00b'
118:9: the ID of a slot is a name with a dot, such as b'package.Name', found b'mylib.\xff'
120:9: the ID of a slot is a name with a dot, such as b'package.Name', found b'mylib.\xed\xa0\x80'
123:9: slot ID b'mylib.a' stands in this class twice; each ID names one slot (first in line 122)
126:32: slot ID b'mylib.a' stands in this class twice; each ID names one slot (first in line 125)
131:9: slot ID b'mylib.Shape' is that of interface 'Shape', which the class implements; leave the slot out, or give it a name of its own
136:9: slot ID b'mylib.Shape' is that of interface 'Shape', which the class implements; leave the slot out, or give it a name of its own
139:32: the pointer of a slot is set before the module body runs, and 'area' is a Python function, which is made there; write 'cdef' in the place of its 'def'
"""
