# SPDX-License-Identifier: MIT
"""Who implements extensible types for a module: --runtime and its kin, and what is in the C."""
import re

import pytest
from compiling import check, command, compile_each
from cython_customslots.compiler.switches import runtime

pytestmark = pytest.mark.once

CLASS = "cimport cython_customslots as cs\n@cs.extensible\ncdef class Thing:\n    cdef int x\n"
EMPTY = "x = 1\n"
META = ("from cython_customslots.provider cimport extensibletype\n"
        "cdef class Meta(extensibletype):\n    cdef int level\n")

#: What stands for each, behind `#define `.
LINKED = "PyExtensibleType_RUNTIME_LINKED"
INSTALLED = "PyExtensibleType_RUNTIME_INSTALLED"
SHARED = 'PyExtensibleType_RUNTIME_MODULE "parts._runtime"'
NAME = "PyExtensibleType_MODULE_NAME {}"


def implementations(c):
    return len(re.findall("^#define Py_CUSTOMSLOTS_RUNTIME_H$", c, re.MULTILINE))


def said(c):
    """What generated C says to extensibletype.h: the macros in front of its text."""
    before, text, _ = c.partition("#define Py_EXTENSIBLETYPE_H\n")
    assert text, "extensibletype.h is not in it"
    return re.findall(r"^#define (PyExtensibleType_(?:RUNTIME|MODULE_NAME).*)$", before, re.MULTILINE)


#: {what: (source of module `mod`, switch, what is said, copies of the implementation)}
SWITCHED = {
    "nothing is said": (CLASS, None, [NAME.format('"mod"')], 1),
    "embedded": (CLASS, "embedded", [NAME.format('"mod"')], 1),
    "linked": (CLASS, "linked", [NAME.format('"mod"'), LINKED], 0),
    "installed": (CLASS, "installed", [INSTALLED], 0),
    "a module": (CLASS, "parts._runtime", [SHARED], 0),
    "a metaclass, nothing said": (META, None, [NAME.format('"mod"')], 1),
    "a cimport of the provider's side, installed": (
        "from cython_customslots.provider cimport set_slots\n", "installed", [INSTALLED], 0),
    "our header by name, installed": (
        'cdef extern from "extensibletype.h":\n    object PyExtensibleType_Import()\n', "installed", [INSTALLED], 0),
    "the implementation by name": (
        'cdef extern from "customslots_runtime.h":\n    object PyExtensibleType_Import()\n', None,
        [NAME.format('"mod"')], 1),
    "the comment against it": ("# customslots: runtime=embedded\n" + CLASS, "installed", [NAME.format('"mod"')], 1),
    "the comment names a module": (
        "# customslots: typed=False, runtime=parts._runtime\n" + CLASS, "installed", [SHARED], 0),
    "the comment, and nothing to implement": (
        "# customslots: runtime=embedded\n" + EMPTY, None, [NAME.format('"mod"')], 1),
    "C++": ("# distutils: language = c++\n" + CLASS, "installed", [INSTALLED], 0),
}


@pytest.fixture(scope="module")
def switched():
    return compile_each({what: (text, {"runtime": value}) for what, (text, value, _, _) in SWITCHED.items()})


@pytest.mark.parametrize("what", SWITCHED)
def test_the_switch_decides_whether_the_implementation_is_in_the_c(switched, what):
    _, _, expected, copies = SWITCHED[what]
    result = switched[what]
    assert result.errors == [], result.messages
    assert said(result.c) == expected
    assert implementations(result.c) == copies
    assert result.c.count("#define Py_EXTENSIBLETYPE_H\n") == 1


READERS = {
    "a cimport of readers": "cimport cython_customslots\ndef f(x): return x\n",
    "a call of an imported class's C method":
        "cimport cython_customslots\nfrom shape cimport Shape\ndef f(Shape s): return s.sides()\n",
    "a typed record": "cimport cython_customslots\ncpdef double half(double x): return x / 2\n",
}
SHAPE = "cimport cython_customslots as cs\n@cs.extensible\ncdef class Shape:\n    cdef int sides(self)\n"


@pytest.mark.parametrize("value", [None, "embedded", "linked", "installed", "parts._runtime"])
def test_who_only_reads_carries_nothing_and_imports_nothing(value):
    cases = {what: ({"mod.pyx": text, "shape.pxd": SHAPE}, {"runtime": value}) for what, text in READERS.items()}
    for what, result in compile_each(cases).items():
        assert result.errors == [], (what, result.messages)
        assert not re.search("Py_(EXTENSIBLETYPE|CUSTOMSLOTS_RUNTIME)_H|_RUNTIME_MODULE|_LINKED|_customslots_runtime",
                             result.c), what


@pytest.mark.parametrize("text", [EMPTY, "", CLASS, META], ids=["no class", "empty", "class", "metaclass"])
def test_the_module_that_is_named_carries_the_implementation_whatever_is_in_it(tmp_path, text):
    (tmp_path / "mod.pyx").write_text(text)
    for name, copies in {"parts._runtime": 1, "parts.other": 0, "_runtime": 0}.items():
        done = command("-3", "--runtime=parts._runtime", "--module-name", name, "mod.pyx", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        c = (tmp_path / "mod.c").read_text()
        assert implementations(c) == copies, name
        if copies:
            assert said(c) == [NAME.format('"parts._runtime"')]
        elif text in (CLASS, META):
            assert said(c) == [SHARED]
        else:
            assert "CustomSlots" not in c


@pytest.mark.parametrize("value, expected", [
    ("embedded", None), ("linked", [NAME.format('"linked"'), LINKED]), ("installed", [INSTALLED])])
def test_a_module_that_is_called_as_a_value_is_like_any_other(tmp_path, value, expected):
    (tmp_path / f"{value}.pyx").write_text(CLASS if expected else EMPTY)
    done = command("-3", f"--runtime={value}", f"{value}.pyx", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    c = (tmp_path / f"{value}.c").read_text()
    assert implementations(c) == 0 and (expected is None or said(c) == expected)


def test_a_comment_takes_the_implementation_out_of_the_module_that_is_named(tmp_path):
    (tmp_path / "mod.pyx").write_text("# customslots: runtime=installed\n" + CLASS)
    done = command("-3", "--runtime=parts._runtime", "--module-name", "parts._runtime", "mod.pyx", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert said((tmp_path / "mod.c").read_text()) == [INSTALLED]


EXPECTED = "expected embedded, linked, installed or the full name of a module, such as package._runtime"
WRONG = ["", "Embedded", "not a name", "_customslots_runtime", "package.", "package..runtime", "package.1", "a.b,c.d"]


@pytest.mark.parametrize("value", [*WRONG, 5, True, b"installed", ["installed"]], ids=repr)
def test_what_is_no_value_is_a_value_error_that_says_what_is(value):
    with pytest.raises(ValueError) as raised:
        runtime.parse(value)
    assert str(raised.value) == f"runtime: found {value!r}, {EXPECTED}"


@pytest.mark.parametrize("value", [None, "embedded", "linked", "package._runtime", "bücher.läufer"])
def test_what_is_a_value_is_taken_as_it_is(value):
    assert runtime.parse(value) == (value or "embedded")


def test_install_sets_it_and_a_wrong_value_changes_nothing():
    check("""
        from cython_customslots import compiler
        from cython_customslots.compiler.switches import in_force
        compiler.install(extend_all=True, runtime="installed")
        for arguments in ({"runtime": "nothing"}, {"runtime": "embedded", "metaclass": "nothing"}):
            try:
                compiler.install(**arguments)
            except ValueError:
                pass
            assert (in_force.runtime, in_force.extend_all) == ("installed", True)
        compiler.install()
        assert (in_force.runtime, in_force.extend_all) == ("embedded", False)
        """)
