# SPDX-License-Identifier: MIT
"""Wrong interfaces and wrong uses of them are compile errors at line and column."""
import re

import pytest
from compiling import as_cython_says, compile_all, source
from interface_error_cases import DECLARING, HEADER, IMPLEMENTING
from interface_use_error_cases import USING

ALL = {**IMPLEMENTING, **DECLARING, **USING}

#: What of it needs C++: the only method of an interface.
CPLUSPLUS = {
    "a C++ object": ("cdef int f(self, vector[int] x)", [
        (6, 14,
         "argument 'x' of method 'f' of an interface cannot be a C++ object, 'vector[int]': pass a "
         "pointer"),
    ]),
    "a C++ reference": ("cdef int f(self, vector[int] &x)", [
        (6, 14,
         "argument 'x' of method 'f' of an interface cannot be a C++ reference, 'vector[int] &': "
         "pass a pointer"),
    ]),
    "except +": ("cdef int f(self) except +", [
        (6, 14,
         "method 'f' of an interface cannot be 'except +': C++ exceptions do not cross libraries; "
         "catch them in the method and raise"),
    ]),
}


def case_name(what):
    return re.sub(r"\W", "_", what)


@pytest.fixture(scope="module")
def compiled():
    return compile_all({case_name(what): {"mod.pyx": HEADER + text}
                        for what, (text, _) in ALL.items()})


@pytest.mark.parametrize("what", ALL)
def test_a_wrong_interface_is_an_error_at_line_and_column(compiled, what):
    text, errors = ALL[what]
    result = compiled[case_name(what)]
    expected = [("mod.pyx", line + HEADER.count("\n"), column, message)
                for line, column, message in errors]
    assert result.errors == as_cython_says(expected, HEADER + text), result.messages
    assert "Compiler crash" not in result.messages


@pytest.mark.parametrize("what", CPLUSPLUS)
def test_a_method_with_something_of_cplusplus_is_an_error(what):
    method, errors = CPLUSPLUS[what]
    text = source(f"""
        # distutils: language = c++
        cimport cython_customslots as cs
        from libcpp.vector cimport vector
        @cs.interface(b"tests.Cpp")
        cdef class Cpp:
            {method}
        """)
    result, = compile_all({"cpp": {"mod.pyx": text}}).values()
    assert result.errors == [("mod.pyx", *error) for error in errors]


#: Files of which the .pxd and the .pyx do not agree: ({name: text}, errors)
FILES = {
    "a class whose pxd does not list an interface": ({
        "mod.pxd": """
            cimport cython_customslots as cs
            @cs.interface(b"tests.Shape")
            cdef class Shape:
                cdef double area(self) noexcept
            cdef class A:
                cdef double area(self) noexcept
            """,
        "mod.pyx": """
            cdef class A(Shape):
                cdef double area(self) noexcept: return 1
            """}, [
        ("mod.pyx", 1, 13,
         "'A' is defined in the .pxd, which does not list interface 'Shape' among its bases; add it "
         "there, so that modules that cimport the class know, or write implements(Shape) above the class")]),
    "a pxd that has implements": ({
        "mod.pxd": """
            cimport cython_customslots as cs
            @cs.interface(b"tests.Shape")
            cdef class Shape:
                cdef double area(self) noexcept
            @cs.implements(Shape)
            cdef class A:
                cdef double area(self) noexcept
            """,
        "mod.pyx": """
            cdef class A:
                cdef double area(self) noexcept: return 1
            """}, [
        ("mod.pxd", 5, 0,
         "customslots.implements is for the .pyx; here name the interface among the bases of 'A'")]),
    "wrong bodies in the pyx": ({
        "mod.pxd": """
            cimport cython_customslots as cs
            @cs.interface(b"tests.Shape")
            cdef class Shape:
                cdef double area(self) noexcept
                cdef int check(self) except -1
                cpdef int size(self) except -1
                cdef inline double twice(self) noexcept: return 2 * self.area()
            """,
        "mod.pyx": """
            cimport cython_customslots as cs
            @cs.extensible
            cdef class Shape:
                cdef double area(self, int k) noexcept: return 1
                cdef int check(self) except? -2: return 1
                cdef int size(self) except -1: return 1
                cdef double twice(self) noexcept: return 1
                cdef int other(self): return 1
                def f(self): pass
            """}, [
        ("mod.pyx", 2, 0, "interface 'Shape' is declared in the .pxd, where its decorators stand; remove this one"),
        ("mod.pyx", 4, 4,
         "'area' of interface 'Shape' is declared in another way in the .pxd: it takes 1 argument beside self, and "
         "not none; expected 'cdef double area(self) noexcept'"),
        ("mod.pyx", 5, 4,
         "'check' of interface 'Shape' is declared in another way in the .pxd: it reports exceptions in another way; "
         "expected 'cdef int check(self) except -1'"),
        ("mod.pyx", 6, 4,
         "'size' of interface 'Shape' is declared in another way in the .pxd: one of the two is cpdef; expected 'cpdef "
         "int size(self) except -1'"),
        ("mod.pyx", 7, 4, "'twice' of interface 'Shape' has a body in the .pxd already; remove one of them"),
        ("mod.pyx", 8, 4,
         "interface 'Shape' is declared in the .pxd, and has bodies for methods of that here, and nothing else; "
         "declare 'other' there"),
        ("mod.pyx", 9, 4,
         "interface 'Shape' is declared in the .pxd, and has bodies for methods of that here, and nothing else; "
         "declare methods there"),
    ]),
    "wrong uses of implements": ({
        "mod.pyx": """
            cimport cython_customslots as cs
            @cs.interface(b"tests.Shape")
            cdef class Shape:
                cdef double area(self) noexcept
            @cs.implements
            cdef class A: pass
            @cs.implements(A, 5)
            cdef class B: pass
            @cs.implements(Shape)
            cdef class C(Shape):
                cdef double area(self) noexcept: return 1
            @cs.implements(Shape)
            cdef class D: pass
            @cs.implements(Shape)
            def f(): pass
            """}, [
        ("mod.pyx", 5, 0, "customslots.implements takes interfaces; write implements(Shape)"),
        ("mod.pyx", 7, 15, "customslots.implements takes interfaces, found 'A'"),
        ("mod.pyx", 7, 18, "customslots.implements takes interfaces, found an expression that is not a type"),
        ("mod.pyx", 10, 13, "'C' names interface 'Shape' twice"),
        ("mod.pyx", 12, 15,
         "'D' names interface 'Shape', but has no C method 'area'; expected 'cdef double area(self) noexcept'"),
        ("mod.pyx", 14, 0, "customslots.implements is for cdef classes, but stands on function 'f'")]),
    "an interface that is declared and never written": ({
        "mod.pyx": """
            cimport cython_customslots as cs
            @cs.interface(b"tests.Shape")
            cdef class Shape
            """}, [
        ("mod.pyx", 2, 0, "C class 'Shape' is declared but not defined")]),
    "the ID of an interface in the pxd": ({
        "mod.pxd": """
            cimport cython_customslots as cs
            @cs.interface(b"tests.Shape")
            cdef class Shape:
                cdef double area(self) noexcept
            """,
        "mod.pyx": """
            cimport cython_customslots as cs
            @cs.interface(b"tests.Shape")
            cdef class Form:
                cdef double area(self) noexcept
            """}, [
        ("mod.pyx", 2, 0,
         "interface 'Form' has the ID of interface 'Shape' in the .pxd; each has an ID of its own, so "
         "give it another one")]),
    "the ID of an interface that it extends": ({
        "other.pxd": """
            cimport cython_customslots as cs
            @cs.interface(b"tests.Shape")
            cdef class Shape:
                cdef double area(self) noexcept
            """,
        "mod.pyx": """
            cimport cython_customslots as cs
            from other cimport Shape
            @cs.interface(b"tests.Shape")
            cdef class Form(Shape):
                cdef double length(self) noexcept
            """}, [
        ("mod.pyx", 3, 0,
         "interface 'Form' has the ID of interface 'Shape', which it extends; each has an ID of its "
         "own, so give it another one")]),
    "a copy of a cimported interface with another method": ({
        "other.pxd": """
            cimport cython_customslots as cs
            @cs.interface(b"tests.Shape")
            cdef class Shape:
                cdef double area(self) noexcept
            """,
        "mod.pyx": """
            cimport cython_customslots as cs
            from other cimport Shape as Other
            @cs.interface(b"tests.Shape")
            cdef class Shape:
                cdef float area(self) noexcept
            """}, [
        ("mod.pyx", 5, 19,
         "interface 'Shape' has the ID of 'other.Shape', which is cimported, but another method 'area': "
         "found 'cdef float area(self) noexcept', expected 'cdef double area(self) noexcept'; give it "
         "another ID, or change one of the two")]),
    "a final interface in pure-Python mode": ({
        "mod.py": """
            import cython
            from cython.cimports import cython_customslots as cs
            @cs.interface(b"tests.Shape")
            @cython.final
            @cython.cclass
            class Shape:
                @cython.cfunc
                def area(self) -> cython.double: ...
            """}, [
        ("mod.py", 4, 0,
         "cython.final makes no sense for interface 'Shape', which has no objects of its own; decorate "
         "the classes that implement it")]),
    "copies of an interface that contradict each other": ({
        "one.pxd": """
            cimport cython_customslots as cs
            @cs.interface(b"tests.Shape")
            cdef class Shape:
                cdef double area(self) noexcept
            """,
        "two.pxd": """
            cimport cython_customslots as cs
            @cs.interface(b"tests.Shape")
            cdef class Shape:
                cdef float area(self) noexcept
            """,
        "mod.pyx": """
            cimport one, two
            cdef class Both(one.Shape, two.Shape):
                cdef double area(self) noexcept: return 1
            """}, [
        ("mod.pyx", 2, 30,
         "'Both' cannot implement interface 'two.Shape' and 'one.Shape', which have one ID, but are no copies: "
         "found 'cdef float area(self) noexcept', expected 'cdef double area(self) noexcept'; name one of them, "
         "or give them two IDs")]),
    "a body in a pxd": ({
        "other.pxd": """
            cimport cython_customslots as cs
            @cs.interface(b"tests.Shape")
            cdef class Shape:
                cdef inline double area(Shape shape) noexcept: return shape.side
            """,
        "mod.pyx": "from other cimport Shape\n"}, [
        ("other.pxd", 4, 63,
         "the body of 'area' takes 'side' of its object, of which interface 'Shape' knows the methods only; "
         "declare a method that gets it, or write '(<object>shape).side' for an attribute that Python sees")]),
    "a class with a public pxd that does not declare the method of a body": ({
        "shapes.pxd": """
            cimport cython_customslots as cs
            @cs.interface(b"tests.Shape")
            cdef class Shape:
                cdef inline double area(self) noexcept: return 1
            """,
        "mod.pxd": """
            cdef class A:
                pass
            """,
        "mod.pyx": """
            cimport cython_customslots as cs
            from shapes cimport Shape
            @cs.implements(Shape)
            cdef class A:
                pass
            """}, [
        ("mod.pyx", 3, 15,
         "'A' names interface 'Shape', but has no C method 'area'; expected 'cdef double area(self) noexcept'")]),
}


@pytest.mark.parametrize("what", FILES)
def test_a_wrong_interface_in_a_pxd_is_an_error_where_it_stands(what):
    files = {name: source(text) for name, text in FILES[what][0].items()}
    result, = compile_all({"files": files}).values()
    expected = [found for error in FILES[what][1] for found in as_cython_says([error], files[error[0]])]
    assert result.errors == expected, result.messages
    assert "Compiler crash" not in result.messages


#: A copy of an interface that is cimported under another name: the same, or a newer version.
COPIES = {
    "the same": "cdef double area(self) noexcept",
    "one that appends": "cdef double area(self) noexcept\n    cdef int more(self) except -1",
}


@pytest.mark.parametrize("what", COPIES)
def test_a_module_may_know_copies_of_its_interfaces_that_say_the_same_or_append(what):
    head = 'cimport cython_customslots as cs\n'
    shape = '@cs.interface(b"tests.Shape")\ncdef class Shape:\n    cdef double area(self) noexcept\n'
    mine = shape.replace("cdef double area(self) noexcept", COPIES[what])
    result, = compile_all({"files": {
        "other.pxd": head + shape,
        "mod.pyx": f"{head}from other cimport Shape as Other\n{mine}"}}).values()
    assert result.errors == [], result.messages
