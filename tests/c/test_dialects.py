# SPDX-License-Identifier: MIT
"""Everything that includes our headers compiles under every standard, without a warning."""
import re
import sys
from pathlib import Path

import pytest
import support
from cython_customslots import headers
from support import A, B, static_type

HERE = Path(__file__).resolve().parent
CORE = HERE.parent / "core"
C_TESTS = [path for folder in (CORE, HERE.parent / "layout", HERE.parent / "typed")
           for path in sorted(folder.glob("*.c"))]
LIMITED = HERE / "limited_consumer.c"

by_dialect = pytest.mark.parametrize("dialect", support.DIALECTS)


@by_dialect
def test_every_c_test_compiles_without_a_warning(dialect, tmp_path):
    assert len(C_TESTS) >= 6
    support.compile_all_strictly(C_TESTS, dialect, tmp_path)


@by_dialect
@pytest.mark.parametrize("header", headers.PUBLIC_HEADERS)
def test_header_stands_alone_and_may_be_unused(header, dialect, tmp_path):
    """Nothing of it is called: no 'defined but not used', no empty translation unit."""
    source = tmp_path / "alone.c"
    source.write_text(f'#include "{header}"\n#include "{header}"\nint probe_unused;\n')
    support.compile_all_strictly([source], dialect, tmp_path)


@by_dialect
@pytest.mark.parametrize("name", headers.PUBLIC_HEADERS)
def test_flattened_text_compiles_without_an_include_path(name, dialect, tmp_path):
    """Generated C carries this text; twice, when two .pxd files embed the same header."""
    text = headers.header_text(name)
    assert not re.search(r'^\s*#\s*include\s*"', text, re.MULTILINE)
    source = tmp_path / "flat.c"
    source.write_text(text + text + headers.header_text("customslots.h")
                      + "\nint probe_flat(PyObject *o);\nint probe_flat(PyObject *o)\n"
                        "{ return PyCustomSlots_Check(o); }\n", encoding="ascii")
    support.compile_all_strictly([source], dialect, tmp_path, ours=False)


def test_unknown_header_has_no_text():
    with pytest.raises(ValueError, match="found header 'Python.h', expected one of customslots.h"):
        headers.header_text("Python.h")


@by_dialect
def test_flattened_and_included_header_may_meet_in_one_file(dialect, tmp_path):
    source = tmp_path / "mixed.c"
    source.write_text(headers.header_text("customslots.h") + '\n#include "extensibletype.h"\n'
                      "PyObject *probe_mixed(void);\nPyObject *probe_mixed(void)\n"
                      "{ return (PyObject *)PyExtensibleType_Import(); }\n")
    support.compile_all_strictly([source], dialect, tmp_path)


def test_provider_refuses_the_limited_api_in_words(tmp_path):
    source = tmp_path / "limited.c"
    source.write_text('#define Py_LIMITED_API 0x030A0000\n#include "extensibletype.h"\n')
    done = support.compile_strictly(source, "c11", tmp_path / "limited.o")
    assert done.returncode != 0
    if not support.FREE_THREADED:       # there CPython's own #error comes first
        assert "cannot be used with Py_LIMITED_API" in done.stdout


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
    return support.load(support.build_c("limited_consumer", LIMITED,
                                        cflags=support.STRICT_FLAGS))


@limited_api
@by_dialect
def test_limited_consumer_compiles_without_a_warning(dialect, tmp_path):
    support.compile_all_strictly([LIMITED], dialect, tmp_path)


@limited_api
@pytest.mark.parametrize("dialect", ["c99", "c++11"])
@pytest.mark.parametrize("minor", LATER)
def test_limited_consumer_may_ask_for_a_later_limited_api(dialect, minor, tmp_path):
    """From 3.11 on Py_TYPE() and the like take nothing but PyObject *."""
    support.compile_all_strictly([LIMITED], dialect, tmp_path,
                                 f"-DPy_LIMITED_API=0x03{minor:02X}0000")


@limited_api
@pytest.mark.skipif(sys.version_info >= (3, 12), reason="the module is one for the main interpreter there")
def test_limited_consumer_may_look_for_the_first_time_in_a_sub_interpreter():
    """Which waits for ever, before CPython 3.12, if it takes the main interpreter's thread state."""
    path = support.build_c("limited_consumer", LIMITED, cflags=support.STRICT_FLAGS)
    support.check_child("""
        import sys, support
        support.run_in_new_interpreter(*sys.argv[1:])
        """, """
        import sys
        sys.path.insert(0, target)
        import limited_consumer
        class Plain: pass
        assert limited_consumer.find(Plain(), 0x1000000) is None, "a slot"
        """, path.parent, timeout=60, modules=[support.TESTS / "support.py"])


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
def test_limited_consumer_finds_in_unfinished_classes(limited, probe, extensibletype):
    seen = []

    class Base(metaclass=extensibletype):
        def __init_subclass__(cls):
            seen.append((probe.state(cls), limited.find(cls(), A)))
    probe.set_slots(Base, [(A, 1)])
    extensibletype("Sub", (Base,), {})
    type("Sub", (Base,), {})
    assert seen == [("unresolved", 1)] * 2


@limited_api
def test_first_limited_lookup_needs_no_gil_and_leaves_exceptions_alone(limited):
    """It reads the size of PyHeapTypeObject from type.__basicsize__, once."""
    support.check_child("""
        import limited_consumer, probe
        cls = probe.draft_ready(probe.draft("x.First", (), [(257, 1)], 4, None), 4)
        assert limited_consumer.find_quietly(cls(), KeyError("mine"), 257)
        """, modules=[support.build_c("limited_consumer", LIMITED,
                                      cflags=support.STRICT_FLAGS), support.probe_path()])


@limited_api
def test_limited_consumer_interns_the_same_ids(limited, probe):
    assert limited.intern(b"some.name") == probe.intern(b"some.name")
    with pytest.raises(ValueError, match="found an empty string"):
        limited.intern(b"")
