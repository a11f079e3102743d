# SPDX-License-Identifier: MIT
"""Everything that includes our headers compiles under every standard, without a warning."""
import re
import subprocess
import sys
from pathlib import Path

import cython_customslots
import pytest
import support
from cython_customslots.tools import headers
from support import A, B, slot_id, static_type

pytestmark = pytest.mark.compilers

HERE = Path(__file__).resolve().parent
CORE = HERE.parent / "core"
C_TESTS = [path for folder in (CORE, HERE.parent / "layout", HERE.parent / "typed")
           for path in sorted(folder.glob("*.c"))]
LIMITED = HERE / "limited_consumer.c"

#: One of each header, which are most of their text; the others are tested thoroughly.
MOST_TELLING = {"probe_interface.c", "typed_probe.c"}

by_dialect = pytest.mark.parametrize("dialect", support.DIALECTS)


def by_header(*plain):
    """All of our headers, these in every run."""
    return pytest.mark.parametrize("header", [
        header if header in plain else pytest.param(header, marks=pytest.mark.thorough)
        for header in headers.PUBLIC_HEADERS])


def check_all(sources, dialect, directory, *extra, **options):
    support.compile_all_strictly(sources, dialect, directory, *extra, check_only=True, **options)


def test_checking_without_an_object_finds_what_compiling_finds(tmp_path):
    """The functions are unused, end without a value, fall through; the variables may be unset."""
    source = tmp_path / "wrong.c"
    source.write_text("""
static int unused_function(int x) { return x; }
int without_value(int x);
int without_value(int x) { if (x) return 1; }
int falls(int x);
int falls(int x) { switch (x) { case 1: x++; case 2: return x; } return 0; }
int unset(int x);
int unset(int x) { int never; return x + never; }
int compared(int x, unsigned y, int unused_parameter);
int compared(int x, unsigned y, int unused_parameter) { return x < y; }
static int unused_variable;
""")
    for dialect in "c99", "c++11":
        found = [set(re.findall(r"-W(?:error=)?([\w-]+)=?\]", support.compile_strictly(
            source, dialect, tmp_path / "wrong.o", check_only=check_only).stdout))
            for check_only in (True, False)]
        assert found[0] == found[1] >= {"return-type", "sign-compare", "unused-parameter"}
        assert found[0] & {"uninitialized", "maybe-uninitialized"}


@by_dialect
def test_c_tests_compile_without_a_warning(dialect, tmp_path):
    telling = [path for path in C_TESTS if path.name in MOST_TELLING]
    assert len(telling) == len(MOST_TELLING)
    check_all(telling, dialect, tmp_path)


@pytest.mark.nightly
@by_dialect
def test_every_other_c_test_compiles_without_a_warning(dialect, tmp_path):
    assert len(C_TESTS) >= 6
    check_all([path for path in C_TESTS if path.name not in MOST_TELLING], dialect, tmp_path)


@by_dialect
@by_header("extensibletype.h", "typedmethod.h")
def test_header_stands_alone_and_may_be_unused(header, dialect, tmp_path):
    """Nothing of it is called: no 'defined but not used', no empty translation unit."""
    source = tmp_path / "alone.c"
    source.write_text(f'#include "{header}"\n#include "{header}"\nint probe_unused;\n')
    check_all([source], dialect, tmp_path)


@by_dialect
@by_header("extensibletype.h")
def test_flattened_text_compiles_without_an_include_path(header, dialect, tmp_path):
    """Generated C carries this text; twice, when two .pxd files embed the same header."""
    text = headers.header_text(header)
    assert not re.search(r'^\s*#\s*include\s*"', text, re.MULTILINE)
    source = tmp_path / "flat.c"
    source.write_text(text + text + headers.header_text("customslots.h")
                      + "\nint probe_flat(PyObject *o);\nint probe_flat(PyObject *o)\n"
                        "{ return PyCustomSlots_Check(o); }\n", encoding="ascii")
    check_all([source], dialect, tmp_path, headers=False)


def test_unknown_header_has_no_text():
    with pytest.raises(ValueError, match="found header 'Python.h', expected one of customslots.h"):
        headers.header_text("Python.h")


@pytest.mark.thorough
@by_dialect
def test_flattened_and_included_header_may_meet_in_one_file(dialect, tmp_path):
    source = tmp_path / "mixed.c"
    source.write_text(headers.header_text("customslots.h") + '\n#include "extensibletype.h"\n'
                      "PyObject *probe_mixed(void);\nPyObject *probe_mixed(void)\n"
                      "{ return (PyObject *)PyExtensibleType_Import(); }\n")
    check_all([source], dialect, tmp_path)


@by_dialect
def test_all_headers_may_meet_in_one_file_in_any_order(dialect, tmp_path):
    """Their private names are of one name space."""
    sources = []
    for order in headers.PUBLIC_HEADERS, headers.PUBLIC_HEADERS[::-1]:
        sources.append(tmp_path / f"of_{order[0]}.c")
        sources[-1].write_text("".join(f'#include "{header}"\n' for header in order) + "int probe_unused;\n")
    check_all(sources, dialect, tmp_path)


@pytest.mark.parametrize("header, defined, words", [
    ("extensibletype.h", "Py_LIMITED_API 0x030A0000", "cannot be used with Py_LIMITED_API"),
    ("customslots.h", "GRAALVM_PYTHON", "works on CPython and PyPy, not on GraalPy")])
def test_headers_refuse_in_words_where_they_do_not_work(header, defined, words, tmp_path):
    source = tmp_path / "refused.c"
    source.write_text(f'#define {defined}\n#include "{header}"\n')
    done = support.compile_strictly(source, "c11", tmp_path / "refused.o")
    assert done.returncode != 0
    if "LIMITED" not in words or not support.FREE_THREADED:     # there CPython's own #error comes first
        assert words in done.stdout


def test_c_s_own_formatting_is_not_asked_for_what_windows_lacks():
    """%zd and its like: PyErr_Format() and PyUnicode_FromFormat() know them everywhere, the
    functions of C do not, with MinGW's compiler as the one that says so."""
    calls = 0
    for folder in "cython_customslots", "utility", "examples":
        for path in sorted((support.ROOT / folder).rglob("*")):
            if path.suffix not in (".c", ".h", ".pyx", ".pxd", ".py"):
                continue
            text = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
            for call in re.findall(r"\b(?:PyOS_)?v?s?n?printf\s*\(.*?;", text, re.DOTALL):
                calls += 1
                assert not re.search(r"%[-+ #0-9.*]*[zjt]", call), f"{path}: {call}"
    assert calls >= 5


# ----------------------------------------------------------------- the limited API --

limited_api = pytest.mark.skipif(
    support.FREE_THREADED,
    reason="free-threaded CPython refuses Py_LIMITED_API with an #error of its own")


#: There are later ones than the oldest, 3.10's, from 3.11 on.
LATER = range(11, sys.version_info.minor + 1) or [pytest.param(
    11, marks=pytest.mark.skip(reason="before CPython 3.11 there is no later limited API"))]


@pytest.fixture(scope="module")
def limited():
    return support.limited_consumer()


@limited_api
@by_dialect
def test_limited_consumer_compiles_without_a_warning(dialect, tmp_path):
    check_all([LIMITED], dialect, tmp_path)


@limited_api
@pytest.mark.parametrize("dialect", ["c99", "c++11"])
@pytest.mark.parametrize("minor", LATER)
def test_limited_consumer_may_ask_for_a_later_limited_api(dialect, minor, tmp_path):
    """From 3.11 on Py_TYPE() and the like take nothing but PyObject *."""
    check_all([LIMITED], dialect, tmp_path,
              f"-DPy_LIMITED_API=0x03{minor:02X}0000")


@limited_api
@pytest.mark.skipif(sys.version_info >= (3, 12), reason="the module is one for the main interpreter there")
def test_limited_consumer_may_look_for_the_first_time_in_a_sub_interpreter(limited):
    """Which waits for ever, before CPython 3.12, if it takes the main interpreter's thread state."""
    support.check_child("""
        import support
        support.run_in_new_interpreter('''
            import limited_consumer
            class Plain: pass
            assert limited_consumer.find(Plain(), 0x1000000) is None, "a slot"
            ''', modules=sys.argv[1:])
        """, limited.__file__, timeout=60, modules=[support.__file__])


@limited_api
def test_limited_consumer_finds_the_same(limited, probe, extensibletype):
    static = static_type(probe, "ForLimited", (), [(A, 1), (B, 2)])
    heap = extensibletype("Heap", (static,), {})
    probe.set_slots(heap, [(A, 10)])
    foreign = probe.foreign_static("limited.Foreign", (static,))
    for cls in static, heap, foreign, extensibletype("None_", (), {}), int, object, type:
        assert limited.look(cls) == (probe.check_type(cls), probe.count_type(cls),
                                     probe.address(cls))
    for cls in static, heap, foreign:
        for position in 0, 1, 3, 9, -1:
            assert limited.find(cls(), A, position) == probe.find(cls(), A, position)
    for obj in 5, None, "x", object(), type, heap:
        assert limited.find(obj, A) is None


@limited_api
def test_first_limited_lookup_needs_no_gil_and_leaves_exceptions_alone(limited):
    """It reads the size of PyHeapTypeObject from type.__basicsize__, once."""
    support.check_child("""
        import limited_consumer, probe
        cls = probe.draft_ready(probe.draft("x.First", (), [(257, 1)], 4, None), 4)
        assert limited_consumer.find_quietly(cls(), KeyError("mine"), 257)
        """, modules=[limited.__file__, support.probe_path()])


@limited_api
def test_limited_consumer_interns_the_same_ids(limited, probe):
    assert limited.intern(b"some.name") == probe.intern(b"some.name")
    with pytest.raises(ValueError, match="found an empty string"):
        limited.intern(b"")


# What is registered, by whom, for which kind of class.  IDs of their own: static types keep them.
REGISTERED = [slot_id(0x3F00), slot_id(0x3F01)]


@limited_api
def test_limited_consumer_registers_what_all_others_find(limited, probe):
    class Plain:
        pass

    class Sub(Plain):
        pass
    one, two = REGISTERED
    limited.register_slot(Plain, one, 5)
    limited.register_slot(bytearray, two, 6)            # static
    for module in limited, probe:
        assert module.find_any(Sub(), one) == 5 and module.find_any(bytearray(), two) == 6
        assert module.find_any([], one) is None
    limited.register_slot(Plain, one, 5)                # the same again is fine
    for module in limited, probe:
        with pytest.raises(ValueError, match=r"\((.*\.)?Plain\): found data 0x7 for slot ID"):
            module.register_slot(Plain, one, 7)


@limited_api
def test_limited_consumer_names_classes_of_any_name(limited):
    """(What is refused, and what goes with a class: core/test_registered.py.)"""
    class Nameless(type):
        def __getattribute__(cls, name):
            raise AssertionError(name)
    with pytest.raises(ValueError, match=r"\(\?\): found slot ID 0"):
        limited.register_slot(Nameless("Joke", (), {}), 0, 1)
    long = type("\u20ac" * 500, (), {})                  # whose 200th byte is in the midst of a character
    with pytest.raises(ValueError, match="\\(\u20ac{66}.?.?\\): found slot ID 0"):
        limited.register_slot(long, 0, 1)


@limited_api
def test_a_weak_reference_of_another_layout_is_refused_in_words(tmp_path):
    """What a later CPython may have: tried with a place that is not the one."""
    text = Path(cython_customslots.get_include(), "_customslots", "register.h").read_text()
    (tmp_path / "_customslots").mkdir()
    for path in Path(cython_customslots.get_include(), "_customslots").glob("*.h"):
        (tmp_path / "_customslots" / path.name).write_text(path.read_text())
    changed = text.replace("(char *)reference + sizeof(PyObject))", "(char *)reference)")
    assert changed != text
    (tmp_path / "_customslots" / "register.h").write_text(changed)
    header = Path(cython_customslots.get_include(), "customslots.h").read_text()
    (tmp_path / "customslots.h").write_text(header)
    tools = support.toolchain()
    subprocess.run([*tools.cc, "-O0", "-fPIC", "-std=c99", f"-I{tmp_path}",
                    *(f"-I{path}" for path in tools.include_dirs), str(LIMITED), *tools.link_flags,
                    "-o", str(tmp_path / f"limited_consumer{tools.suffix}")], check=True)
    support.check_child("""
        import gc, limited_consumer
        for number in range(20):
            class Plain: pass
            try:
                limited_consumer.register_slot(Plain, 257, 1)
            except RuntimeError as error:
                assert "in another place than CPython 3.10 to 3.15; build this module for this" in str(error)
            else:
                raise AssertionError("no error")
            assert limited_consumer.find_any(Plain(), 257) is None
            gc.collect()
        limited_consumer.register_slot(list, 257, 1)        # needs no reference
        assert limited_consumer.find_any([], 257) == 1
        """, modules=[tmp_path / f"limited_consumer{tools.suffix}"])
