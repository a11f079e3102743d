# SPDX-License-Identifier: MIT
"""Wrong source is an error at line and column, in Cython's style.

The files in errors/ have the form of Cython's own tests: below _ERRORS, which is not compiled, stands all that the
compiler says of the file, as LINE:COLUMN: TEXT, with the name of another file in front.
"""
import re
from pathlib import Path

import pytest
from compiling import as_cython_says, compile_all, source

pytestmark = [pytest.mark.once, pytest.mark.cythons]

ERRORS = Path(__file__).parent / "errors"
PXD = {path.name: path.read_text(encoding="utf-8") for path in ERRORS.glob("*.pxd")}
FILES = {path.name: path.read_text(encoding="utf-8").partition("\n_ERRORS = ") for path in sorted(ERRORS.glob("*.py*"))}


@pytest.fixture(scope="module")
def compiled():
    return compile_all({name: {name: text} | PXD for name, (text, _, _) in FILES.items()})


@pytest.mark.parametrize("name", FILES)
def test_the_compiler_says_what_stands_at_the_end(compiled, name):
    text, _, said = FILES[name]
    expected = []
    for error in said.splitlines()[1:-1]:
        place, message = error.split(": ", 1)
        *file, line, column = place.split(":")
        file = file[0] if file else name
        expected += as_cython_says([(file, int(line), int(column), message)], PXD.get(file, text))
    assert expected and sorted(compiled[name].errors) == sorted(expected), compiled[name].messages
    assert "Error compiling Cython file" in compiled[name].messages
    assert "Compiler crash" not in compiled[name].messages


def test_a_number_that_cpython_does_not_write_in_decimal_is_shown():
    text = f"cimport cython_customslots as cs\n@cs.slot(5, flags=5, position={16 ** 5000:#x})\ncdef class A: pass\n"
    result, = compile_all({"huge": {"mod.pyx": text}}).values()
    (_, line, column, message), = result.errors
    assert (line, column) == (2, 30)
    assert message.startswith("a slot's position is an integer constant from 0 to 255, found 0x1000")
    assert len(message) < 200


@pytest.mark.parametrize("more", ["", "\n    cdef int more(self) except -1"])
def test_a_module_may_know_copies_of_its_interfaces_that_say_the_same_or_append(more):
    head = 'cimport cython_customslots as cs\n'
    shape = '@cs.interface(b"tests.Shape")\ncdef class Shape:\n    cdef double area(self) noexcept'
    result, = compile_all({"files": {
        "other.pxd": head + shape, "mod.pyx": f"{head}from other cimport Shape as Other\n{shape}{more}\n"}}).values()
    assert result.errors == [], result.messages


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
    cases = {"cimport": {name: source(text) for name, text in files.items()}}
    assert compile_all(cases)["cimport"].errors == []
    assert compile_all(cases, layer=False)["cimport"].errors == [
        ("decorated.pxd", 2, 0, "Cdef functions/classes cannot take arbitrary decorators.")]


def test_names_are_resolved_and_not_compared():
    """Any alias of the module, each decorator by its name, and functions of the same name that are not ours."""
    text = source("""
        cimport cython_customslots as anything
        from cython_customslots cimport (
            array, borrow_views, callable, extensible, implements, interface, metaclass, slot as hook, typed)
        from cython_customslots.provider cimport extensibletype as Root

        def slot(*args): return lambda f: f

        cdef class Meta(Root):
            cdef int level

        @interface(b"tests.Sized")
        cdef class Sized:
            cdef double area(self) noexcept nogil

        @array(data=&self.value, shape=(1,))
        @extensible
        @implements(Sized)
        @anything.metaclass(Meta, level=1)
        @hook(0x55, flags=1)
        cdef class A:
            cdef double value
            cdef double area(self) noexcept nogil: return self.value
            @callable
            cdef double at(self, double x) noexcept nogil: return self.value * x

        @metaclass(Meta)
        cdef class B: pass

        @typed(True)
        @borrow_views
        cpdef double twice(double[:] x): return 2 * x[0]

        @slot(1, 2, 3)
        def function(): pass

        def scope():
            @slot(1)
            class Local: pass
            return Local
        """)
    result = compile_all({"names": {"mod.pyx": text}})["names"]
    assert result.errors == [], result.messages
    assert re.findall(r"__Pyx_CustomSlots_NewStatic\(&__pyx_type_3mod_(\w+),", result.c) == ["A", "B"]
