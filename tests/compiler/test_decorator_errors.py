# SPDX-License-Identifier: MIT
"""Wrong uses of the decorators are compile errors at line and column, in Cython's style."""
import functools
import re

import pytest
from compiling import as_cython_says, compile_all, source
from error_cases import CASES, HEADER
from error_cases_bodies import BODIES
from error_cases_files import IMPORTED, PURE, PURE_HEADER, PXD
from error_cases_more import MORE

pytestmark = [pytest.mark.once, pytest.mark.cythons]

#: {what: (file name, header, text, errors)}
ALL = {what: (name, header, *case) for name, header, cases in (
    ("mod.pyx", HEADER, {**CASES, **MORE, **BODIES}), ("mod.pyx", "", IMPORTED),
    ("mod.py", PURE_HEADER, PURE)) for what, case in cases.items()}


def case_name(what):
    return re.sub(r"\W", "_", what)


#: A third of them.
PLAIN = [*ALL][::3]


@pytest.fixture(scope="module")
def compiled():
    """A function that compiles all cases of which the answer to `what in PLAIN` is the same."""
    @functools.lru_cache(maxsize=None)
    def compile_part(plain):
        return compile_all({case_name(what): {name: header + text}
                            for what, (name, header, text, _) in ALL.items() if (what in PLAIN) == plain})

    return compile_part


@pytest.mark.parametrize("what", [
    pytest.param(what, marks=[] if what in PLAIN else [pytest.mark.thorough]) for what in ALL])
def test_wrong_use_is_an_error_at_line_and_column(compiled, what):
    name, header, text, errors = ALL[what]
    result = compiled(what in PLAIN)[case_name(what)]
    expected = [(name, line + header.count("\n"), column, message)
                for line, column, message in errors]
    assert result.errors == as_cython_says(expected, header + text), result.messages
    assert "Error compiling Cython file" in result.messages
    assert "Compiler crash" not in result.messages


def test_a_number_that_cpython_does_not_write_in_decimal_is_shown():
    text = HEADER + f"@cs.slot(5, flags=5, position={16 ** 5000:#x})\ncdef class A: pass\n"
    result, = compile_all({"huge": {"mod.pyx": text}}).values()
    (_, line, column, message), = result.errors
    assert (line, column) == (HEADER.count("\n") + 1, 30)
    assert message.startswith("a slot's position is an integer constant from 0 to 255, found 0x1000")
    assert len(message) < 200


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


def test_each_decorator_can_be_cimported_by_its_name():
    files = {"mod.pyx": """
        from cython_customslots cimport (
            array, borrow_views, callable, extensible, implements, interface, metaclass, slot, typed)
        from cython_customslots.provider cimport extensibletype

        cdef class Meta(extensibletype):
            cdef int level

        @interface(b"tests.Sized")
        cdef class Sized:
            cdef double area(self) noexcept nogil

        @array(data=&self.value, shape=(1,))
        @extensible
        @implements(Sized)
        @metaclass(Meta, level=1)
        @slot(0x55, flags=1)
        cdef class A:
            cdef double value

            cdef double area(self) noexcept nogil: return self.value

            @callable
            cdef double at(self, double x) noexcept nogil: return self.value * x

        @typed(True)
        cpdef double twice(double x): return 2 * x
        """}
    result = compile_all({"names": written(files)})["names"]
    assert result.errors == [], result.messages
