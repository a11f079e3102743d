# SPDX-License-Identifier: MIT
"""Typed functions for languages that cannot use typedmethod.h: by signature text, through ctypes."""
import ctypes
import struct
from ctypes import (CFUNCTYPE, PYFUNCTYPE, byref, c_char_p, c_double, c_int, c_int64, c_uint32,
                    c_uint64, c_void_p, py_object)

import pytest
from foreign_api import NULL, typed

RAISES_MAYBE, RAISES_ANY, NOGIL, CTX_FIRST, SELF = 2, 3, 4, 8, 32


class MethodDef(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("function", c_void_p), ("flags", c_int), ("doc", c_char_p)]


kept = []           # PyMethodDefs and functions stay as long as the process


@PYFUNCTYPE(py_object, c_void_p, py_object)
def in_python(_, argument):
    return argument


def c_function(result, *arguments):
    def decorate(function):
        kept.append(CFUNCTYPE(result, *arguments)(function))
        return ctypes.cast(kept[-1], c_void_p).value
    return decorate


@c_function(c_double, c_double)
def half(x):
    return x / 2


@c_function(c_int64, c_int64)
def inc(x):
    return x + 1


@c_function(c_double, c_void_p, c_double)
def with_receiver(receiver, x):
    return x + ctypes.cast(receiver, py_object).value


def builtin(receiver=None):
    """(a builtin function, the address of its PyMethodDef)."""
    definition = MethodDef(b"foreign", ctypes.cast(in_python, c_void_p), 0x0008, None)
    kept.append(definition)
    make = ctypes.pythonapi.PyCFunction_NewEx
    make.restype, make.argtypes = py_object, [c_void_p, c_void_p, c_void_p]
    kept.append(receiver)
    address = ctypes.addressof(definition)
    return make(address, id(receiver) if receiver is not None else None, None), address


def error_of(value):
    return struct.unpack("Q", struct.pack("d" if isinstance(value, float) else "q", value))[0]


def register(definition, *entries):
    """entries: (signature, function, flags, error value)."""
    texts, functions, flags, errors = zip(*entries) if entries else ((),) * 4
    n = len(entries)
    return typed("register_functions")(
        definition, n, (c_char_p * n)(*texts), (c_void_p * n)(*functions), (c_uint32 * n)(*flags),
        (c_uint64 * n)(*map(error_of, errors)))


def find(callable_, text):
    """(function, context, flags, error as bits), or None."""
    function, context, flags, error = c_void_p(1), c_void_p(1), c_uint32(1), c_uint64(1)
    found = typed("find")(callable_, text, byref(function), byref(context), byref(flags), byref(error))
    answer = function.value, context.value, flags.value, error.value
    if not found:
        assert answer == (None, None, 0, 0)
        return None
    return answer


def test_functions_are_registered_and_found_by_the_text_of_their_signatures():
    function, definition = builtin()
    assert find(function, b"f8(f8)") is None
    assert register(definition, (b"f8(f8)", half, RAISES_MAYBE, -1.0),
                    (b"i8( i8 )", inc, RAISES_MAYBE | NOGIL, -1)) == 0
    assert find(function, b"f8(f8)") == (half, None, RAISES_MAYBE, error_of(-1.0))
    assert find(function, b"i8(i8)") == (inc, None, RAISES_MAYBE | NOGIL, error_of(-1))
    assert find(function, b"f4(f4)") is None
    assert CFUNCTYPE(c_double, c_double)(find(function, b"d->d")[0])(5.0) == 2.5
    assert typed("signatures")(function) == ("f8(f8)", "i8(i8)")


def test_the_receiver_of_a_bound_function_is_the_context():
    function, definition = builtin(receiver := 4.5)
    register(definition, (b"f8(object, f8)", with_receiver, RAISES_ANY | SELF, 0))
    address, context, flags, _ = find(function, b"f8(f8)")
    assert context == id(receiver) and flags & CTX_FIRST
    assert CFUNCTYPE(c_double, c_void_p, c_double)(address)(context, 1.0) == 5.5


def test_more_arguments_than_a_number_holds():
    function, definition = builtin()
    text = b"void(" + b", ".join([b"i4"] * 20) + b")"
    register(definition, (text, half, 0, 0))
    assert find(function, text)[0] == half and find(function, text[:-5] + b")") is None


def test_the_same_once_more_is_fine_and_anything_else_is_not():
    function, definition = builtin()
    entry = (b"f8(f8)", half, RAISES_MAYBE, -1.0)
    assert register(definition, entry) == 0 and register(definition, entry) == 0
    for other in (entry[:1] + (inc,) + entry[2:], entry[:2] + (RAISES_ANY, -1.0),
                  entry[:3] + (-2.0,), (b"f8(f8, f8)",) + entry[1:]):
        with pytest.raises(ValueError, match="'foreign'.*found a second record"):
            register(definition, other)
    with pytest.raises(ValueError, match="found a second record"):
        register(definition, entry, entry)
    assert find(function, b"f8(f8)")[0] == half and find(function, b"f8(f8, f8)") is None


@pytest.mark.parametrize("entry, words", [
    ((b"f8(f9)", half, 0, 0), "f8.f9.*at column 3, expected"),
    ((None, half, 0, 0), "found NULL, expected the text of a signature"),
    ((b"f8(f8)", None, 0, 0), "'foreign'.*entry 1: found NULL as the function"),
    ((b"f8(f8)", half, 1024, 0), "found flags 1024, which are unknown"),
    ((b"f8(f8)", half, SELF, 0), "expected an `object` as the first argument"),
    ((b"void(f8)", half, RAISES_MAYBE, 0), "expected RAISES_ANY"),
])
def test_a_bad_entry_is_refused_and_nothing_is_registered(entry, words):
    function, definition = builtin()
    with pytest.raises(ValueError, match=words):
        register(definition, (b"i8(i8)", inc, 0, 0), entry)
    assert typed("signatures")(function) == ()


def test_null_and_a_count_that_cannot_be_are_refused():
    good = [len, b"f8(f8)", byref(c_void_p()), byref(c_void_p()), byref(c_uint32()), byref(c_uint64())]
    for i in range(len(good)):
        given = list(good)
        given[i] = NULL if i == 0 else None
        with pytest.raises(ValueError, match="typed find: found NULL, expected (a|the) "):
            typed("find")(*given)
    definition = builtin()[1]
    arrays = [(c_char_p * 1)(), (c_void_p * 1)(), (c_uint32 * 1)(), (c_uint64 * 1)()]
    nameless = (c_void_p * 4)()
    for given, count, words in [(definition, count, f"found {count} functions, expected 1 to 4096")
                                for count in (0, -1, 4097)] + [(nameless, 1, "found NULL as ml_name, expected the")]:
        with pytest.raises(ValueError, match=f"register_functions.*: {words}"):
            typed("register_functions")(given, count, *arrays)
    for i in range(5):
        given = [definition, 1, *arrays]
        given[i + (i > 0)] = None
        with pytest.raises(ValueError, match="register_functions: found NULL, expected a"):
            typed("register_functions")(*given)
    for name, more in ("signatures", ()), ("why_not", (b"f8(f8)",)):
        with pytest.raises(ValueError, match=f"{name}: found NULL, expected a callable"):
            typed(name)(NULL, *more)


@pytest.mark.parametrize("thing", [len, int, 3, None, print, lambda: 0, [].append])
def test_any_object_has_an_answer(thing):
    assert find(thing, b"f8(f8)") is None and typed("signatures")(thing) == ()
    assert typed("why_not")(thing, b"f8(f8)")
    with pytest.raises(ValueError, match="at column 0, expected"):
        find(thing, b"?")
    with pytest.raises(ValueError, match="at column 0, expected"):
        typed("why_not")(thing, b"?")


def test_why_not_names_what_there_is():
    function, definition = builtin()
    register(definition, (b"f8(f8)", half, 0, 0.0))
    assert typed("why_not")(function, b"f8(f8)") == ""
    assert "f8(f8)" in typed("why_not")(function, b"f4(f4)")
