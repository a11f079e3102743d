# SPDX-License-Identifier: MIT
"""Callers in Cython: those that a line declares, and those that are not asked for the GIL."""
import ctypes
import re

import pytest
from compiling import compile_all
from layer_modules import MODULES, module_of

LONG = f"i{ctypes.sizeof(ctypes.c_long)}"
SIZE = ctypes.sizeof(ctypes.c_size_t)


module = module_of("typed_own_callers.pyx")


@pytest.fixture(scope="session")
def c_source():
    """The C of the same module."""
    text = (MODULES / "typed_own_callers.pyx").read_text(encoding="utf-8")
    return compile_all({"own": {"typed_own_callers.pyx": text}})["own"].c


@pytest.mark.parametrize("name, text, given, answer, expected", [
    ("mixed", f"f8(f8, {LONG})", (1.5, 2), -1.0, -1.0), ("nothing", "void(i4)", (5,), "x", 0),
    ("object", "object(object, bool)", ("a", True), "x", "x"),
    ("bool", f"bool(u8, i{SIZE})", (2 ** 64 - 1, -5), [], False),
    ("none", "i8()", (), -1, -1)])
def test_a_caller_that_a_line_declares_calls_with_its_types(module, name, text, given, answer, expected):
    seen = []

    def function(*args):
        seen.append(args)
        return answer
    assert getattr(module.Holder(function, text), name)(*given) == expected
    assert repr(seen) == repr([given])

    def boom(*args):
        raise KeyError("boom")
    with pytest.raises(KeyError, match="boom"):
        getattr(module.Holder(boom, text), name)(*given)


def test_a_declared_caller_takes_as_many_arguments_as_there_may_be(module):
    text = f"f4(i1, i2, i4, i8, u1, u2, u4, u8, f4, f16, u{SIZE})"
    holder = module.Holder(lambda *args: sum(args), text)
    assert holder.eleven() == 66.0


def test_a_declared_caller_works_without_the_gil(module):
    holder = module.Holder(lambda x, n: x * n, f"f8(f8, {LONG})")
    assert holder.mixed_without_gil(1.5, 4) == 6.0
    with pytest.raises(ZeroDivisionError):
        module.Holder(lambda x, n: x / 0, f"f8(f8, {LONG})").mixed_without_gil(1, 1)


def test_a_holder_of_another_signature_is_an_error(module):
    with pytest.raises(TypeError, match=r"found a PyTypedCallable for f8\(f8\), expected one"):
        module.Holder(abs, "f8(f8)").mixed(1, 2)


def test_the_line_is_a_declaration_and_leaves_nothing_in_the_module(module):
    assert not [name for name in vars(module) if name.startswith("call_")]


def test_each_place_that_has_the_gil_calls_the_one_that_does_not_ask(module, c_source):
    holder = module.Holder(lambda x: x + 1, "f8(f8)")
    assert module.everywhere(holder, 1.0) == (2.0, 2.0, 2.0, 3.0, 2.0)
    bodies = dict(re.findall(r"^static double __pyx_f_\w+?_(in_\w+)\([^;{]*\{\n(.*?)^\}", c_source,
                             re.DOTALL | re.MULTILINE))
    asked = {name: set(re.findall(r"= (PyTypedCallable_call_f8_f8\w*)\(", body)) for name, body in bodies.items()}
    without = {"PyTypedCallable_call_f8_f8_with_gil"}
    assert asked == {"in_nogil": {"PyTypedCallable_call_f8_f8"}, "in_with_gil_block": without,
                     "in_with_gil_function": without, "in_function": without}
    assert "__pyx_caller_call_mixed(" in c_source and "__pyx_caller_call_mixed_with_gil(" in c_source


def test_plain_cython_calls_what_is_written():
    text = (MODULES / "typed_own_callers.pyx").read_text(encoding="utf-8")
    kept = text[:text.index("call_mixed =")] + text[text.index("cdef double in_nogil"):]
    kept = re.sub(r"def everywhere.*", "", kept, flags=re.DOTALL)
    result = compile_all({"plain": {"mod.pyx": kept}}, layer=False)["plain"]
    assert not result.errors, result.messages
    assert not re.search(r"= PyTypedCallable_call_f8_f8_with_gil\(", result.c)


def test_the_one_that_does_not_ask_is_refused_in_nogil_code():
    text = """\
# cython: language_level=3
from cython_customslots.typedmethod cimport PyTypedCallable, PyTypedCallable_call_i4_with_gil
cdef int f(PyTypedCallable *held) except? -1 nogil:
    return PyTypedCallable_call_i4_with_gil(held)
"""
    for layer in False, True:
        result = compile_all({"nogil": {"mod.pyx": text}}, layer=layer)["nogil"]
        assert [error[3] for error in result.errors] == ["Calling gil-requiring function not allowed without gil"]
