# SPDX-License-Identifier: MIT
"""PyPy has no room in its type objects: names and registered slots work there, and interfaces by
these; what cannot be is an error of the compiler that says so."""
import textwrap

import cython_customslots
import pypy_support as pypy
import pytest
import support
import warm_cython

pytestmark = [pytest.mark.pypy, pytest.mark.once]

LAYER = support.TESTS / "compiler"
MODULES, LANGUAGES = LAYER / "modules", LAYER / "languages_of_interfaces"
STRICT = (*support.STRICT_FLAGS, "-Wno-pedantic")      # of PyPy's headers, whose macros are ours then


@pytest.fixture(scope="module")
def registered():
    """The names of two modules from one source."""
    names = ["registered_one", "registered_two"]
    for name in names:
        pypy.build(pypy.HERE / "registered.c", *STRICT, "-std=c99", f"-DNAME={name}", name=name,
                   include_dirs=[cython_customslots.get_include()])
    return names


@pytest.fixture(scope="module")
def interfaces():
    for name in ("interface_provider", "interface_other", "interface_consumer"):
        pypy.build(pypy.generate(MODULES / f"{name}.pyx", include_dirs=[MODULES]), "-w")


def test_names_and_registered_slots_are_those_of_the_process(registered):
    assert pypy.run(pypy.HERE / "on_pypy_registered.py") == "registered"


def test_inspect_says_what_is_there(registered):
    """Needs the package on that PyPy, where its own modules in C are compiled (.ci/run does it)."""
    python = pypy.find()[0]
    if pypy.subprocess.run([python, "-c", "import cython_customslots"], cwd=pypy.directory(),
                           stderr=pypy.subprocess.DEVNULL).returncode:
        pytest.skip("the package is not installed on that PyPy")
    assert pypy.run(pypy.HERE / "on_pypy_inspecting.py") == "inspecting"


def test_what_stands_in_their_place_is_named(registered):
    assert pypy.run(pypy.HERE / "on_pypy_occupied.py") == (
        "PyCustomSlots_Intern: found 'junk' under '_customslots_table_v3' in the module sys, expected "
        "a capsule of that name; something else took this entry, remove it")


def test_interfaces_are_implemented_and_used(interfaces):
    assert pypy.run(pypy.HERE / "on_pypy_interfaces.py") == "interfaces"


def test_classes_have_the_bodies_of_methods(tmp_path):
    for name in ("interface_bodies", "interface_bodies_classes", "interface_bodies_above"):
        pypy.build(pypy.generate(MODULES / f"{name}.pyx", include_dirs=[MODULES]), "-w")
    script = tmp_path / "script.py"
    script.write_text(textwrap.dedent("""
        import interface_bodies, interface_bodies_above as above, interface_bodies_classes as classes
        class Own(classes.Square):
            def label(self, before):
                return super().label(before) + "!"
        print(*interface_bodies.measure(Own(3))[1::4], *above.scaled(above.Scale(2)))
        """), encoding="utf-8")
    assert pypy.run(script) == "3.0 this is 3.0! -6.0 scaled -2.0"


def test_c_and_plain_cython_use_the_generated_header(interfaces, tmp_path):
    done = warm_cython.run_module(
        "cython_customslots", "interface", str(MODULES / "interface_shapes.pxd"),
        "-o", "interface_shapes.h", "--pxd", "interface_shapes_plain.pxd", cwd=tmp_path)
    assert support.output_of(done) == ""
    include = [tmp_path, cython_customslots.get_include()]
    pypy.build(LANGUAGES / "interface_side.c", *STRICT, include_dirs=include)
    pypy.build(pypy.generate(LANGUAGES / "interface_plain.pyx", False, include_dirs=[tmp_path]), "-w",
               include_dirs=include)
    script = tmp_path / "script.py"
    script.write_text(textwrap.dedent("""
        import interface_consumer, interface_plain, interface_provider, interface_side
        shapes = (interface_provider.Circle(1), [1, 2], interface_plain.Triangle(4))
        for module in interface_side, interface_plain:
            assert module.total(shapes) == 9
            try:
                module.total((3,))
            except TypeError as error:
                assert "implements interface 'tests.Shape', found 'int'" in str(error), error
            else:
                raise AssertionError
        assert interface_consumer.total(list(shapes)) == 9
        assert interface_side.centre(interface_provider.Ball(2)) == (2, -2)
        print("languages")
        """))
    assert pypy.run(script) == "languages"


def build_typed():
    include = [cython_customslots.get_include()]
    pypy.build(support.TESTS / "typed" / "pypy_cases.c", *STRICT, "-std=c99", include_dirs=include)
    pypy.build(pypy.HERE / "typed_here.c", *STRICT, "-std=c99", include_dirs=include)


def test_records_of_functions_methods_and_native_calls_are_found_and_called():
    build_typed()
    assert pypy.run(pypy.HERE / "on_pypy_typed.py") == "typed"


@pytest.mark.parametrize("name", ["typed_binding", "typed_builtin"])
def test_the_layers_records_are_found(name):
    for module in name, "typed_caller":
        pypy.build(pypy.generate(MODULES / f"{module}.pyx", include_dirs=[MODULES]), "-w")
    assert pypy.run(pypy.HERE / "on_pypy_typed_cython.py", name) == "typed Cython"


WRONG = {
    "fields": ("""
        cimport cython_customslots as cs
        from interface_shapes cimport Drawable
        @cs.slot(0x55, flags=1)
        cdef class A:
            pass
        """, "extensible types need CPython: PyPy has no room in its type objects; there, "
             "PyCustomSlots_Register() of customslots.h gives a type slots, and a Cython module whose "
             "classes have interfaces, and no other slots, fields or metaclasses, can be compiled"),
    "the class of Python": ("""
        from interface_shapes cimport Shape
        def interface():
            return Shape
        """, "interface tests.Shape is used as a Python object here, which only CPython "
             "without Py_LIMITED_API has of it"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_cannot_be_is_one_error_of_the_compiler(case, tmp_path):
    text, words = WRONG[case]
    path = tmp_path / "wrong.pyx"
    path.write_text(textwrap.dedent(text))
    done = pypy.compile_c(pypy.generate(path, include_dirs=[MODULES]), "-w")
    errors = [line for line in done.stdout.splitlines() if "#error" in line and ": error:" in line]
    assert done.returncode != 0 and len(errors) == 1 and words in errors[0], done.stdout
    # "fields" would have dozens more, about everything that is not declared.
    assert done.stdout.count(": error:") < 5, done.stdout


def test_the_header_for_providers_says_what_there_is_instead(tmp_path):
    path = tmp_path / "provider.c"
    path.write_text('#include "extensibletype.h"\n')
    done = pypy.compile_c(path, include_dirs=[cython_customslots.get_include()])
    errors = [line for line in done.stdout.splitlines() if ": error:" in line]
    assert done.returncode != 0 and len(errors) == 1, done.stdout
    assert "extensible types need CPython" in errors[0] and "PyCustomSlots_Register()" in errors[0]
