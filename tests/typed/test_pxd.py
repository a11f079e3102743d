# SPDX-License-Identifier: MIT
"""typedmethod.pxd: for plain Cython and for the compiler layer, with nothing to import."""
import re
import struct
from pathlib import Path

import cython_customslots
import pytest
import support
from cython_customslots.tools import headers
from typed_support import HERE, entry, new_function

pytestmark = pytest.mark.on_pypy

PXD = Path(cython_customslots.__file__).with_name("typedmethod.pxd")


def consumer_path(way):
    return support.build_consumer(HERE / "typed_consumer.pyx", way)


@pytest.fixture(scope="module", params=support.CONSUMERS)
def consumer(request):
    return support.load(consumer_path(request.param))


def test_c_functions_and_python_functions_are_called(consumer, typed):
    function = consumer.Function(new_function(entry("f8(f8)", "double_0", typed.MAYBE, 0.0)), "d->d")
    assert function.typed and [function.f8_f8(x) for x in (0.0, -1.0)] == [0.0, -1.0]
    with pytest.raises(RuntimeError, match="got 123"):
        function.f8_f8(123)
    function = consumer.Function(lambda x: 1 / x, "f8(f8)")
    assert not function.typed and function.f8_f8(-1) == -1.0
    with pytest.raises(ZeroDivisionError):
        function.f8_f8(0)


def test_a_consumer_may_insist_on_a_c_function_and_ask_why_there_is_none(consumer, typed):
    function = new_function(entry("f8(f8)", "double_0"))
    assert consumer.Function(function, "f8(f8)", True).why_not == ""
    with pytest.raises(TypeError, match=r"found .*, which has no C function with signature i4\(i4\)"
                                        r".*found f8\(f8\), expected i4\(i4\)"):
        consumer.Function(function, "i4(i4)", True)
    assert "expected i4(i4)" in consumer.Function(function, "i4(i4)").why_not
    assert "is written in Python" in consumer.Function(lambda x: x, "f8(f8)").why_not


@pytest.mark.parametrize("which, given", [
    ("void", ()), ("f8", ()), ("f8_f8", (1.0,)), ("f8_f8_f8", (1.0, 2.0)), ("f8_f8_f8_f8", (1.0, 2.0, 3.0)),
    ("f8_i4", (1,)), ("f8_i8", (1,)), ("i4", ()), ("i4_i4", (1,)), ("i4_i4_i4", (1, 2)),
    ("i8", ()), ("i8_i8", (1,)), ("i8_i8_i8", (1, 2)), ("object", ()), ("object_object", ("a",)),
    ("object_object_object", ("a", "b"))])
def test_each_caller_that_is_declared_works(consumer, which, given):
    result, *arguments = which.split("_")
    seen = []

    def function(*args):
        seen.append(args)
        return -1
    made = consumer.Function(function, f"{result}({', '.join(arguments)})")
    assert made.others(which) == (0 if which == "void" else -1)
    assert seen == [given] and repr(seen) == repr([given])
    if result != "object":                  # which has the GIL anyhow
        seen.clear()
        assert made.others_with_gil(which) == (0 if which == "void" else -1)
        assert seen == [given] and repr(seen) == repr([given])


def test_a_caller_of_ones_own_takes_three_lines_of_plain_cython(consumer, typed):
    text = f"f8(f8, i{struct.calcsize('l')})"
    assert consumer.Function(lambda x, n: x * n, text).mixed(1.5, 4) == 6.0
    with pytest.raises(ZeroDivisionError):
        consumer.Function(lambda x, n: x / 0, text).mixed(1.5, 4)


def test_errors_of_parsing_and_holding_are_raised(consumer):
    with pytest.raises(ValueError, match="at column 3"):
        consumer.Function(abs, "f8(x)")
    with pytest.raises(TypeError, match="expected a callable"):
        consumer.Function(5, "f8(f8)")


def test_a_layout_is_registered_from_cython():
    registrar = support.load(support.build_cython(HERE / "typed_registrar.pyx", False))
    with pytest.raises(TypeError, match="expected a type of functions"):
        registrar.layout(5, 16, -1)


def test_what_is_found_and_why_not(consumer, typed):
    function = new_function(entry("f8(f8)", "double_0"))
    assert consumer.find(function, "f8(f8)") == (True, 1, ("f8(f8)",), "")
    found, count, signatures, why = consumer.find(len, "f8(f8)")
    assert (found, count, signatures) == (False, 0, ())
    assert "is a builtin of Python's module builtins" in why
    assert consumer.f8_i4() == "f8(i4)"
    assert consumer.NUMBERS == (1, 0x54504D31, 0x02000103, 24)


@pytest.mark.parametrize("way", support.CONSUMERS)
def test_module_that_cimports_it_imports_nothing_of_ours(way):
    path = consumer_path(way)
    name = path.name.partition(".")[0]
    assert support.check_child(f"""
        import sys
        import {name}
        {name}.Function(abs, "f8(f8)").f8_f8(1.0)
        print([m for m in sys.modules if "customslots" in m or "extensible" in m])
        """, modules=[path]) == "[]"


def test_installed_pxd_carries_the_header_and_never_cimports_the_provider():
    text = PXD.read_text(encoding="utf-8")
    assert 'cdef extern from "typedmethod.h"' not in text
    own = headers.once(headers.header_text("typedmethod.h"), {"customslots.h"})
    assert "define Py_CUSTOMSLOTS_H" not in own and own.replace("\\", "\\\\") in text
    assert not re.search(r"^\s*(from|cimport).*provider", text, re.MULTILINE)
