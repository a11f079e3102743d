# SPDX-License-Identifier: MIT
"""Wrong uses of the decorators are compile errors at line and column, in Cython's style."""
import re

import pytest
from compiling import as_cython_says, compile_all, source
from error_cases import CASES, HEADER

HEADER_LINES = HEADER.count("\n")


def case_name(what):
    return re.sub(r"\W", "_", what)


@pytest.fixture(scope="module")
def compiled():
    return compile_all({case_name(what): {"mod.pyx": HEADER + text}
                        for what, (text, _) in CASES.items()})


@pytest.mark.parametrize("what", CASES)
def test_wrong_use_is_an_error_at_line_and_column(compiled, what):
    result = compiled[case_name(what)]
    text, errors = CASES[what]
    expected = [("mod.pyx", line + HEADER_LINES, column, message)
                for line, column, message in errors]
    assert result.errors == as_cython_says(expected, HEADER + text), result.messages
    assert "Error compiling Cython file" in result.messages


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
        [("mod.pyx", 3, 11, "'A' is defined in the .pxd; put customslots.metaclass there, so "
                            "that modules that cimport the class know its metaclass")]),
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
                            "one of them must go")]),
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


def written(files):
    return {name: source(text) for name, text in files.items()}


@pytest.fixture(scope="module")
def compiled_with_pxd():
    return compile_all({what: written(files) for what, (files, _) in PXD.items()})


@pytest.mark.parametrize("what", PXD)
def test_wrong_use_in_a_pxd_is_an_error_where_it_stands(compiled_with_pxd, what):
    result = compiled_with_pxd[what]
    assert result.errors == PXD[what][1], result.messages


def test_plain_cython_refuses_to_cimport_a_decorated_class():
    """It would build subclasses whose type objects are too small."""
    files = {
        "decorated.pxd": """
            cimport cython_customslots as customslots
            @customslots.extensible
            cdef class A:
                cdef int x
            """,
        "mod.pyx": """
            from decorated cimport A
            cdef class B(A): pass
            """}
    cases = {"cimport": written(files)}
    assert compile_all(cases)["cimport"].errors == []
    assert compile_all(cases, layer=False)["cimport"].errors == [
        ("decorated.pxd", 2, 0, "Cdef functions/classes cannot take arbitrary decorators.")]


def test_names_are_resolved_and_not_compared():
    """Any alias of the module, and functions of the same name that are not ours."""
    files = {"mod.pyx": """
        cimport cython_customslots as anything
        from cython_customslots cimport slot as hook, extensible
        from cython_customslots.provider cimport extensibletype as Root

        def slot(*args): return lambda f: f

        cdef class Meta(Root):
            cdef int level

        @hook(0x55, flags=1)
        @anything.metaclass(Meta, level=1)
        cdef class A: pass

        @slot(1, 2, 3)
        def function(): pass

        def scope():
            @slot(1)
            class Local: pass
            return Local
        """}
    result = compile_all({"aliases": written(files)})["aliases"]
    assert result.errors == [], result.messages
    assert result.c.count("__Pyx_CustomSlots_NewStatic(&") == 1
