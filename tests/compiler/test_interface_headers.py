# SPDX-License-Identifier: MIT
"""Interfaces in C, C++ and plain Cython, by the files that are written from their declaration."""
import sys

import cython_customslots
import pytest
import support
import warm_cython
from compiling import source
from layer_modules import MODULES, build, module_of

SOURCES = MODULES.with_name("languages_of_interfaces")
DIALECTS = ["c99", "c17", "c++11", "c++20"]


def interface(*arguments, cwd):
    """What `python -m cython_customslots interface ARGUMENTS...` does; a CompletedProcess."""
    return warm_cython.run_module("cython_customslots", "interface", *arguments, cwd=cwd)


@pytest.fixture(scope="module")
def headers():
    """A directory with what the command writes."""
    directory = support.cache_directory("interface_headers", cython_customslots.__version__)
    directory.mkdir(parents=True, exist_ok=True)
    for name in ("interface_shapes", "interface_kinds", "interface_bodies"):
        done = interface(str(MODULES / f"{name}.pxd"), "-o", f"{name}.h", "--pxd", f"{name}_plain.pxd", cwd=directory)
        assert support.output_of(done) == ""
    return directory


@pytest.fixture(scope="module")
def in_c(headers):
    return support.load(support.build_c("interface_side", SOURCES / "interface_side.c", include_dirs=[headers]))


@pytest.fixture(scope="module")
def in_cpp(headers):
    return support.load(support.build_c(
        "interface_side_cpp", SOURCES / "interface_side_cpp.cpp", include_dirs=[headers]))


@pytest.fixture(scope="module")
def in_plain_cython(headers):
    return support.load(support.build_cython(
        SOURCES / "interface_plain.pyx", False, cython_args=("-I", str(headers)),
        include_dirs=[headers, cython_customslots.get_include()]))


provider = module_of("interface_provider.pyx")
consumer = module_of("interface_consumer.pyx", "interface_provider.pyx")


WRONG = "expected an object that implements interface 'tests.{}', found '{}', which {}"


def test_the_header_is_strict_c_and_cplusplus(headers, tmp_path):
    for dialect in DIALECTS:
        suffix = "cpp" if "+" in dialect else "c"
        file = tmp_path / f"{dialect.replace('+', 'x')}.{suffix}"
        file.write_text("".join(f'#include "interface_{name}.h"\n' for name in ("shapes", "kinds", "bodies")))
        done = support.compile_strictly(file, dialect, tmp_path / "out.o", include_dirs=[headers], check_only=True)
        assert done.returncode == 0, (dialect, done.stdout)


@pytest.mark.thorough
def test_everything_that_a_method_can_take_has_its_layout_in_the_header(headers):
    """Of structs with arrays and of enums with expressions, too; with the types of others cimported."""
    plain = support.load(support.build_cython(
        SOURCES / "interface_kinds_plain.pyx", False, cython_args=("-I", str(headers)),
        include_dirs=[headers, cython_customslots.get_include()]))
    everything = support.load(build("interface_kinds.pyx")).Everything()
    assert plain.call(everything) == (
        True, 6, 1, chr(ord("a") + ord("b") + ord("c")), True, True, 3, b"b", True, 7, 2.5, 3.5, 5, 99, True,
        [1, 2, 3, 4, 5, [6]])
    with pytest.raises(ValueError, match="one"):
        plain.fail(everything)


@pytest.mark.parametrize("method, message", [
    ("cdef (int, double) f(self) except *", "a C tuple, '(int, double)', has no name in C; declare a struct"),
    ("cdef int f(self, double[:] x)",
     "a memoryview, 'double[:]', is Cython's own; of C, methods take a pointer and a length"),
    ("cdef int f(self, double[2][3] x)",
     "an array of arrays, 'double (*)[3]', has no name in C; give it one with ctypedef in a cdef extern block"),
    ("cdef int f(self, int (*x)(int) noexcept)",
     "a pointer to a function, 'int (*)(int) noexcept', has no name in C; give it one with ctypedef"),
    ("cdef int delete(self)",
     "'delete' is a word of C or C++, and so no name of a method or field in a header for them; choose another one"),
    *((f"cdef int {name}(self)", f"a header for interface 'tests.Odd' has a function '{name}' of its own, which a "
       f"method cannot be named as; choose another name") for name in ("object", "ref", "Odd", "Init")),
])
def test_what_c_has_no_name_for_is_refused(tmp_path, method, message):
    (tmp_path / "odd.pxd").write_text(source(f"""
        cimport cython_customslots as customslots
        @customslots.interface(b"tests.Odd")
        cdef class Odd:
            {method}
        """))
    done = interface("odd.pxd", "-o", "odd.h", cwd=tmp_path)
    assert done.returncode == 1 and done.stderr.strip() == f"interface: odd.pxd: {message}"
    assert not (tmp_path / "odd.h").exists()


@pytest.mark.thorough
def test_every_language_calls_every_other(in_c, in_cpp, in_plain_cython, provider, consumer):
    shapes = (provider.Circle(1), [1, 2], in_cpp.Tile(3), in_plain_cython.Triangle(4))
    for consuming in (in_c, in_cpp, in_plain_cython):
        assert consuming.total(shapes) == 12
    assert consumer.total(list(shapes)) == 12
    assert [consumer.label_of(shape) for shape in shapes] == ["circle 1.0", "list of 2", "tile", "triangle"]
    assert [consumer.is_shape(shape)[0] for shape in shapes] == [True] * 4


def test_structs_enums_and_exceptions_come_through(in_c, in_plain_cython, provider):
    ball = provider.Ball(2)
    assert in_c.centre(ball) == (2, -2) and in_c.colour(ball) == 1
    assert in_c.check(ball) == (1, 1) and in_c.check(provider.Circle(1)) == (1, 0)
    assert in_c.check(3) == (0, 0)
    with pytest.raises(ValueError, match="no ball"):
        in_c.centre(provider.Ball(0))
    with pytest.raises(ValueError, match="negative"):
        in_plain_cython.scaled(provider.Circle(1), -1)
    assert in_plain_cython.scaled([1], 2) == 2


def test_a_header_says_which_functions_have_a_body(tmp_path):
    done = interface(str(MODULES / "interface_bodies.pxd"), "-o", "bodies.h", cwd=tmp_path)
    assert support.output_of(done) == ""
    text = (tmp_path / "bodies.h").read_text(encoding="utf-8")
    assert text.count("These have bodies, for what a class does not have") == 4
    assert "*   side, check, both, fill, label\n" in text


def test_a_wrong_object_is_the_same_type_error_everywhere(in_c, in_cpp, in_plain_cython, provider):
    for consuming in (in_c, in_cpp, in_plain_cython):
        with pytest.raises(TypeError) as caught:
            consuming.total((3,))
        assert str(caught.value) == WRONG.format("Shape", "int", "does not implement it")
    with pytest.raises(TypeError) as caught:
        in_c.centre(provider.Circle(1))
    assert str(caught.value) == WRONG.format("Solid", "Circle", "does not implement it")


def test_no_reference_is_lost_or_left(in_c, in_cpp, in_plain_cython, provider):
    circle = provider.Circle(1)
    before = sys.getrefcount(circle)
    for _ in range(20):
        for consuming in (in_c, in_cpp, in_plain_cython):
            consuming.total((circle, circle))
            with pytest.raises(TypeError):
                consuming.total((circle, 3))
    assert sys.getrefcount(circle) == before


def said(text, tmp_path, *arguments):
    (tmp_path / "shapes.pxd").write_text(source(text))
    return interface(*arguments, cwd=tmp_path)


GOOD = """
    cimport cython_customslots as cs
    @cs.interface(b"tests.Small")
    cdef class Small:
        cdef int size(self) except -1
    """


def test_what_is_missing_is_named(tmp_path):
    for arguments, missing in ((("-o", "x.h"), "FILE.pxd"), (("shapes.pxd",), "-o HEADER.h")):
        done = said(GOOD, tmp_path, *arguments)
        assert done.returncode == 2
        assert done.stderr.startswith("usage: ") and done.stderr.endswith(f"\ninterface: {missing} is missing\n")


def test_a_file_that_is_no_pxd_is_refused(tmp_path):
    (tmp_path / "folder.pxd").mkdir()
    for name, found in ("shapes.pyx", "no file "), ("nowhere.pxd", "no file "), ("folder.pxd", ""), (".", ""):
        done = said(GOOD, tmp_path, name, "-o", "x.h")
        assert (done.returncode, done.stderr) == (1, f"interface: found {found}'{name}', expected a .pxd file\n")
    assert not (tmp_path / "x.h").exists()
    nowhere = str(tmp_path / "nowhere" / "x.h")
    done = said(GOOD, tmp_path, "shapes.pxd", "-o", nowhere)
    assert (done.returncode, done.stderr) == (1, f"interface: found '{nowhere}': No such file or directory; expected a "
                                                 "file that can be read or written\n")


@pytest.mark.parametrize("clause", ["except *", "except -1", "except? -1", "noexcept", "noexcept nogil"])
def test_the_pxd_says_how_a_method_raises(tmp_path, clause):
    """Whoever calls it from plain Cython would miss the exception."""
    done = said(GOOD.replace("except -1", clause), tmp_path, "shapes.pxd", "-o", "x.h", "--pxd", "plain.pxd")
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "plain.pxd").read_text(encoding="utf-8")
    assert f"int (*size)(object self) {clause}\n" in text and f"(tests_Small_Ref ref) {clause}\n" in text


def test_what_cannot_be_a_name_is_refused(tmp_path):
    assert said(GOOD, tmp_path, "shapes.pxd", "-o", "x.h", "--pxd", "./x.h").stderr == (
        "interface: found ./x.h for -o and for --pxd, expected two files\n")
    (tmp_path / "sp ace.pxd").write_text(GOOD)
    assert said(GOOD, tmp_path, "sp ace.pxd", "-o", "x.h").stderr == (
        "interface: found 'sp ace.pxd', expected a file that is named as a module can be; rename it\n")
    for part in "class", "9th":
        text = GOOD.replace("tests.Small", f"{part}.Small")
        assert said(text, tmp_path, "shapes.pxd", "-o", "x.h").stderr == (
            f"interface: shapes.pxd: found '{part}' in the name of interface '{part}.Small', which a header makes "
            f"names of C and C++ of; expected parts that begin with a letter and are no words of theirs\n")
    assert not (tmp_path / "x.h").exists()


def test_a_pxd_without_an_interface_is_refused(tmp_path):
    done = said("cdef class A: pass", tmp_path, "shapes.pxd", "-o", "x.h")
    assert done.returncode == 1
    assert done.stderr == ("interface: shapes.pxd declares no interface; write "
                           "@customslots.interface(b\"package.Name\") above a cdef class\n")


def test_errors_are_those_of_cython(tmp_path):
    done = said(GOOD + "    cdef int x\n", tmp_path, "shapes.pxd", "-o", "x.h")
    assert done.returncode == 1
    assert "shapes.pxd:5:13: interface 'Small' cannot have data, found 'x'" in done.stderr
    assert not (tmp_path / "x.h").exists()


@pytest.mark.parametrize("foreign", ["shapes.h", "shapes.pxd"])
@pytest.mark.parametrize("there", [b"", b"/* mine */\n", b"\xff\x00\n" * 9])
def test_what_the_command_did_not_write_stays_as_it_is(foreign, there, tmp_path):
    (tmp_path / foreign).write_bytes(there)
    arguments = [str(MODULES / "interface_shapes.pxd"), "-o", "shapes.h", "--pxd", "shapes.pxd"]
    done = interface(*arguments, cwd=tmp_path)
    assert done.returncode == 1
    assert f"interface: found {foreign}, which this command did not write" in done.stderr
    assert (tmp_path / foreign).read_bytes() == there
    assert [path.name for path in tmp_path.iterdir()] == [foreign]     # and nothing else was begun
    (tmp_path / foreign).unlink()
    for _ in range(2):                                                # its own it writes again
        assert support.output_of(interface(*arguments, cwd=tmp_path)) == ""
    assert (tmp_path / "shapes.h").exists() and (tmp_path / "shapes.pxd").exists()
