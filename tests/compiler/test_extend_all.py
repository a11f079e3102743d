# SPDX-License-Identifier: MIT
"""--extend-all: classes that know nothing of us become extensible and work as before."""
import re
import subprocess
import sys

import pytest
import support
from compiling import CYTHON, compile_all, compile_each
from cython_customslots.tools import building


def test_classes_of_all_kinds_become_extensible(automatic, base):
    extensible = type(base.Slots)
    for name in "Plain", "Derived", "Error":        # test_class_kinds.py has more
        assert type(getattr(automatic, name)) is extensible, name
    assert type(type(automatic.internal())) is extensible
    assert not isinstance(type(automatic.generator(3)), extensible), "a class of Cython's own"


def test_metaclasses_and_what_has_a_foreign_metaclass_stay_plain(automatic):
    assert type(automatic.Meta) is type
    for cls in automatic.UnderForeign, automatic.PublicUnderForeign:
        assert type(cls).__name__ == "ForeignMeta"
        assert cls.__basicsize__ > cls.__base__.__basicsize__ and type(cls()) is cls


def test_they_have_a_vtable_slot(automatic, reader):
    _, n, _, layout, *_ = reader.vtable(automatic.Derived, "layer_automatic.Derived")
    assert (n, layout) == (1, "i4 c_method(object) except *\n")


NO_ROOM = """
# cython: language_level=3
# customslots: extend_all=True
cdef class A:
    cdef public int x
    cdef int c_method(self): return self.x + 1
    def method(self): return self.c_method()
cdef class B(A):
    cdef int c_method(self): return 100 + self.x
    cpdef double both(self, double x): return x / 2
cdef class Other:
    cdef public object what
cdef class Shown(B): pass
"""

USE = """
    import no_room
    class Sub(no_room.Shown): pass
    b, other = Sub(), no_room.Other()
    b.x, other.what = 7, "that"
    print(b.method(), b.both(3), no_room.A().method(), other.what)
    print(*{type(cls).__name__ for cls in (no_room.A, no_room.B, no_room.Other, no_room.Shown, Sub)})
    """


def build_no_room(tmp_path, cflags=(), change=lambda c: c):
    compiled = compile_all({"case": {"no_room.pyx": NO_ROOM.lstrip()}})["case"]
    assert compiled.errors == [], compiled.messages
    path = tmp_path / "no_room.c"
    path.write_text(change(compiled.c))
    return support.build_c("no_room", path, cflags=("-O0", *cflags))


def outcome(path):
    return support.check_child(USE, modules=[path]).splitlines()


WORKS = "107 1.5 1 that"


@pytest.mark.thorough
@pytest.mark.skipif(support.FREE_THREADED, reason="free-threaded CPython has no Limited API before 3.15")
@pytest.mark.skipif(CYTHON < (3, 1), reason="Cython 3.0 generates no C for the Limited API")
def test_in_the_limited_api_classes_stay_plain(tmp_path):
    """Only the C compiler knows; with plain Cython the module compiles."""
    limited = f"-DPy_LIMITED_API=0x03{max(sys.version_info.minor, 11):02X}0000"
    path = build_no_room(tmp_path, [limited])
    assert outcome(path) == [WORKS, "type"]


@pytest.mark.thorough
def test_heap_types_are_extensible_from_3_12_on_and_stay_plain_before(tmp_path):
    path = build_no_room(tmp_path, ["-DCYTHON_USE_TYPE_SPECS=1"])
    expected = "extensibletype_v4" if sys.version_info >= (3, 12) else "type"
    assert outcome(path) == [WORKS, expected]


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="heap types are extensible there")
def test_the_c_compiler_tells_of_heap_types_that_stay_plain(tmp_path):
    compiled = compile_all({"case": {"no_room.pyx": "# customslots: extend_all=True\ncdef class A: pass\n"}})["case"]
    path = tmp_path / "no_room.c"
    path.write_text(compiled.c)
    tools = support.toolchain()
    done = subprocess.run(
        [*tools.cc, "-fsyntax-only", "-DCYTHON_USE_TYPE_SPECS=1", *(f"-I{path}" for path in tools.include_dirs), path],
        stderr=subprocess.PIPE, encoding="utf-8", check=True)
    assert ("--extend-all has no effect in this module: extensible heap types need CPython 3.12 or later; compile it "
            "without CYTHON_USE_TYPE_SPECS") in done.stderr


@pytest.mark.thorough
def test_where_python_is_not_cpython_classes_stay_plain(tmp_path):
    """Of what customslots.h says of PyPy, all but the Python itself."""
    def unsupported(c):
        assert c.count("define _Pycs_SUPPORTED 1\n") >= 1
        return c.replace("define _Pycs_SUPPORTED 1\n", "define _Pycs_SUPPORTED 0\n")

    assert outcome(build_no_room(tmp_path, change=unsupported)) == [WORKS, "type"]


def test_what_somebody_asked_for_is_an_error_there(tmp_path):
    text = NO_ROOM.lstrip() + "cimport cython_customslots as cs\n@cs.extensible\ncdef class Asked: pass\n"
    compiled = compile_all({"case": {"asked.pyx": text}})["case"]
    assert compiled.errors == [], compiled.messages
    path = tmp_path / "asked.c"
    path.write_text(compiled.c.replace("define _Pycs_SUPPORTED 1\n", "define _Pycs_SUPPORTED 0\n"))
    with pytest.raises(building.BuildError, match="extensible types need CPython"):
        support.build_c("asked", path, cflags=("-O0",))


CLASSES = """
cdef class A:
    cdef int c_method(self): return 1
    cpdef double both(self, double x): return x
cdef class B(A):
    pass
cpdef double f(double x): return x
"""

OFF, ON = "# customslots: extend_all=False\n", "# customslots: extend_all=True\n"


def made(result):
    """The classes that a module makes extensible, and whether it makes typed records."""
    assert result.errors == [], result.messages
    extensible = re.findall(r"= __Pyx_CustomSlots_NewStatic\(&__pyx_type_3mod_(\w+),", result.c)
    return extensible, "static const PyTypedMethodRecord " in result.c


BOTH = ["A", "B"]
COMMENTS = {
    "a comment extends all of a module": (ON + CLASSES, {}, (BOTH, True)),
    "a comment takes a module out": (OFF + CLASSES, {"extend_all": True}, ([], False)),
    "extended without records": ("# customslots: extend_all=True, typed=False\n" + CLASSES, {}, (BOTH, False)),
    "out of --extend-all is not out of --typed": (OFF + CLASSES, {"extend_all": True, "typed": True}, ([], True)),
    "two comments": ("# cython: binding=True\n\n#customslots:typed=False\n" + ON + CLASSES, {}, (BOTH, False)),
    "the later of two comments counts": (ON + OFF + CLASSES, {}, ([], False)),
    "a comment behind the first line of code counts for nothing": ("import sys\n" + ON + CLASSES, {}, ([], False)),
    "a decorator is stronger than the comment": (
        OFF + "cimport cython_customslots as cs\n"
        + CLASSES.replace("cdef class A", "@cs.extensible\ncdef class A"), {}, (BOTH, True)),
    "a class that the .pxd declares": (
        {"mod.pyx": ON + "cdef class A:\n    pass\n", "mod.pxd": "cdef class A:\n    cdef int x\n"},
        {}, (["A"], False)),
    "the comment of a .pxd counts for nothing": (
        {"mod.pyx": "cdef class A:\n    pass\n", "mod.pxd": ON + "cdef class A:\n    cdef int x\n"},
        {}, ([], False)),
    "pure Python": (
        {"mod.py": ON + "import cython\n@cython.cclass\nclass A:\n    x: cython.int\n"},
        {}, (["A"], False)),
}


@pytest.fixture(scope="module")
def commented():
    return compile_each({what: row[:2] for what, row in COMMENTS.items()})


@pytest.mark.parametrize("what", COMMENTS)
def test_comments_decide_for_their_module(commented, what):
    assert made(commented[what]) == COMMENTS[what][2]
