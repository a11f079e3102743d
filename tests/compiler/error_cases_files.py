# SPDX-License-Identifier: MIT
"""Wrong uses in pure-Python mode, in a .pxd, and without a cimport."""

#: Without a header.
IMPORTED = {
    "an import in place of a cimport": ("""\
import cython_customslots
@cython_customslots.extensible
cdef class A: pass
""", [
        (2, 0,
         "'cython_customslots' is imported, and the compiler knows only what is "
         "cimported: write 'cimport cython_customslots', or 'import "
         "cython.cimports.cython_customslots' in pure-Python mode"),
    ]),
    "an import of a name in place of a cimport": ("""\
from cython_customslots import slot
@slot(5, flags=1)
cdef class A: pass
""", [
        (2, 0,
         "'slot' is imported, and the compiler knows only what is cimported: write "
         "'cimport cython_customslots', or 'import cython.cimports.cython_customslots' "
         "in pure-Python mode"),
    ]),
    "a metaclass from a module without a .pxd": ("""\
from cython_customslots cimport metaclass
from nowhere cimport X
@metaclass(X)
cdef class A: pass
""", [
        (2, 0,
         "'nowhere.pxd' not found"),
        (2, 0,
         "'nowhere/X.pxd' not found"),
        (3, 11,
         "customslots.metaclass takes an extension type that derives from "
         "extensibletype, found an expression that is not a type"),
    ]),
}

# [pure.begin]
PURE_HEADER = """\
import cython
import cython.cimports.cython_customslots as cs
from cython.cimports.cython_customslots.provider import extensibletype

@cython.cclass
class M(extensibletype):
    counter = cython.declare(cython.long)
"""
# [pure.end]

#: In a .py file, behind PURE_HEADER.
PURE = {
    "extensible on a function in pure-Python mode": ("""\
@cs.extensible
@cython.cfunc
def f(): pass
""", [
        (1, 0,
         "customslots.extensible is for cdef classes, but stands on function 'f'"),
    ]),
    "a Python class in pure-Python mode": ("""\
@cs.extensible
class A: pass
""", [
        (1, 0,
         "customslots.extensible is for cdef classes, but stands on class 'A'; write "
         "'cdef class'"),
    ]),
    "a field that does not exist in pure-Python mode": ("""\
@cs.metaclass(M, nope=1)
@cython.cclass
class A: pass
""", [
        (1, 22,
         "metaclass 'M' has no field 'nope'; it has counter"),
    ]),
    "a cdef class in a function": ("""\
def f():
    @cs.metaclass(M, counter=1)
    @cython.cclass
    class A: pass
""", [
        (4, 4,
         "cdef class 'A' is not at the top level of the module; move it there"),
    ]),
    "a cdef class in a cdef class": ("""\
@cython.cclass
class A:
    @cs.extensible
    @cython.cclass
    class B: pass
""", [
        (5, 4,
         "cdef class 'B' is not at the top level of the module; move it there"),
    ]),
}

#: {what is wrong: ({file: source}, [(file, line, column, text)])}
PXD = {
    # Modules that cimport the class would not know that its type object is larger.
    "metaclass_in_the_pyx_only": ({
        "mod.pxd": """
            from cython_customslots.provider cimport extensibletype
            cdef class M(extensibletype):
                cdef long counter
            cdef class A:
                cdef int x
            """,
        "mod.pyx": """
            from cython_customslots cimport metaclass
            cdef class M(extensibletype): pass
            @metaclass(M, counter=1)
            cdef class A: pass
            """},
        [("mod.pyx", 3, 11, "'A' is defined in the .pxd; put customslots.metaclass, with "
                            "all values, there, so that modules that cimport the class know its "
                            "metaclass")]),
    "a_value_in_the_body_in_the_pyx": ({
        "mod.pxd": """
            from cython_customslots cimport metaclass
            from cython_customslots.provider cimport extensibletype
            cdef class M(extensibletype):
                cdef public long counter
            @metaclass(M)
            cdef class A:
                cdef int x
            """,
        "mod.pyx": """
            cdef class M(extensibletype): pass
            cdef class A:
                counter = 5
            """},
        [("mod.pyx", 3, 14, "'A' is defined in the .pxd; put 'counter', a field of its metaclass, into "
                            "customslots.metaclass there")]),
    "metaclass_in_the_pxd_only": ({
        "mod.pxd": """
            from cython_customslots.provider cimport extensibletype
            cdef class M(extensibletype):
                cdef long counter
                cdef public int level
            """,
        "mod.pyx": """
            cimport cython_customslots
            @cython_customslots.metaclass(M, level=3)
            cdef class A: pass
            """},
        [("mod.pxd", 4, 20, "field 'level' of metaclass 'M', which Python sees, needs a definition of the class: "
                            "write 'cdef class M: pass' in the .pyx")]),
    "metaclass_in_both": ({
        "mod.pxd": """
            from cython_customslots cimport metaclass
            from cython_customslots.provider cimport extensibletype
            cdef class M(extensibletype):
                cdef long counter
            @metaclass(M)
            cdef class A:
                cdef int x
            """,
        "mod.pyx": """
            cdef class M(extensibletype): pass
            @metaclass(M)
            cdef class A: pass
            """},
        [("mod.pyx", 2, 11, "customslots.metaclass is given here and in the .pxd; "
                            "leave it, with all values, in the .pxd")]),
    "a_lambda_in_the_pxd": ({
        "mod.pxd": """
            from cython_customslots cimport metaclass
            from cython_customslots.provider cimport extensibletype
            cdef class M(extensibletype):
                cdef object call
            @metaclass(M, call=lambda x: x)
            cdef class A:
                cdef int x
            """,
        "mod.pyx": """
            cdef class M(extensibletype): pass
            cdef class A: pass
            """},
        [("mod.pxd", 5, 19, "function definition in pxd file must be declared 'cdef inline'")]),
    "wrong_field_in_the_pxd": ({
        "mod.pxd": """
            from cython_customslots cimport metaclass
            from cython_customslots.provider cimport extensibletype
            cdef class M(extensibletype):
                cdef long counter
            @metaclass(M, number=1)
            cdef class A:
                cdef int x
            """,
        "mod.pyx": """
            cdef class M(extensibletype): pass
            cdef class A: pass
            """},
        [("mod.pxd", 5, 21, "metaclass 'M' has no field 'number'; it has counter")]),
    "a_memoryview_field_in_the_pxd": ({
        "mod.pxd": """
            from cython_customslots.provider cimport extensibletype
            cdef class M(extensibletype):
                cdef int[:] view
            """,
        "mod.pyx": """
            cdef class M(extensibletype): pass
            """},
        [("mod.pxd", 3, 16, "field 'view' of metaclass 'M' is a memoryview, which cannot be "
                            "inherited by value; declare it 'object' and take the memoryview "
                            "where it is used")]),
    "slots_in_both_with_one_id": ({
        "mod.pxd": """
            from cython_customslots cimport slot
            @slot(0x55, flags=1)
            cdef class A:
                cdef int x
            """,
        "mod.pyx": """
            @slot(0x55, flags=2)
            cdef class A: pass
            """},
        [("mod.pyx", 1, 6, "slot ID 0x55 stands in this class twice; each ID names one slot "
                           "(first in line 2)")]),
}
