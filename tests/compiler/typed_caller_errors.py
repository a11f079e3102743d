# SPDX-License-Identifier: MIT
"""Wrong uses of PyTypedMethod_CALLER, and what the compiler says: (line, column, text)."""

HEADER = """\
# cython: language_level=3
from cython_customslots.typedmethod cimport PyTypedMethod_CALLER
"""

PLACE = ("PyTypedMethod_CALLER declares a C function: write 'name = PyTypedMethod_CALLER(\"f8(f8)\")' "
         "at module level")
LITERAL = "PyTypedMethod_CALLER takes one literal, a signature such as 'double(double, long)'"
WORDS = ("void bool i1 i2 i4 i8 u1 u2 u4 u8 f4 f8 f16 pointer object char short int long float "
         "double size_t Py_ssize_t (complex numbers: in a 'cdef extern from *' block)")

#: {what is wrong: (source behind the cimport, [(line in it, column, text)])}
ERRORS = {
    "a caller that is declared in a function": (
        'def f():\n    call = PyTypedMethod_CALLER("f8(f8)")\n', [(2, 31, PLACE)]),
    "a caller whose name is an attribute": (
        'class A: pass\nA.call = PyTypedMethod_CALLER("f8(f8)")\n', [(2, 29, PLACE)]),
    "a caller without a signature": ("call = PyTypedMethod_CALLER()\n", [(1, 27, LITERAL)]),
    "a caller of a signature that is no literal": (
        'text = "f8(f8)"\ncall = PyTypedMethod_CALLER(text)\n', [(2, 27, LITERAL)]),
    "a caller of two signatures": (
        'call = PyTypedMethod_CALLER("f8(f8)", "f8(f8)")\n', [(1, 27, LITERAL)]),
    "a caller of a text that is no signature": (
        'call = PyTypedMethod_CALLER("f8")\n',
        [(1, 28, "PyTypedMethod_CALLER: found 'f8', expected a signature such as 'double(double, long)'")]),
    "a caller with a type that has no word": (
        'call = PyTypedMethod_CALLER("f8(number)")\n',
        [(1, 28, f"PyTypedMethod_CALLER: found 'number' in 'f8(number)', expected types among {WORDS}")]),
    "a caller with an argument that is void": (
        'call = PyTypedMethod_CALLER("f8(void)")\n',
        [(1, 28, f"PyTypedMethod_CALLER: found 'void' in 'f8(void)', expected types among {WORDS}")]),
    "a caller with an array of objects": (
        'call = PyTypedMethod_CALLER("f8(const object[:])")\n',
        [(1, 28, "PyTypedMethod_CALLER: found 'const object[:]' in 'f8(const object[:])', expected types among "
                 f"{WORDS}")]),
    "a caller with an array of two dimensions": (
        'call = PyTypedMethod_CALLER("f8(f8[:, :])")\n',
        [(1, 28, "PyTypedMethod_CALLER: found 'f8(f8[:, :])', expected a signature such as 'double(double, long)'")]),
    "a caller with too many arrays": (
        f'call = PyTypedMethod_CALLER("f8({", ".join(["f8[::1]"] * 6)})")\n',
        [(1, 28, "PyTypedMethod_CALLER: found 12 arguments, expected at most 11 (an array counts as two)")]),
    "a caller with too many arguments": (
        f'call = PyTypedMethod_CALLER("f8({", ".join(["f8"] * 12)})")\n',
        [(1, 28, "PyTypedMethod_CALLER: found 12 arguments, expected at most 11 (an array counts as two)")]),
    "a caller of a name that is taken": (
        'cdef int call\ncall = PyTypedMethod_CALLER("f8(f8)")\n',
        [(2, 27, "PyTypedMethod_CALLER: found 'call', which is declared already; expected a new name")]),
}
