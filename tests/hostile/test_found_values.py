# SPDX-License-Identifier: MIT
"""Messages say what was found, whatever that is: an object that cannot be shown, or not in
reasonable time, never takes the place of the error that is meant.

CPython refuses to write integers of more than 4,300 digits, and writes shorter ones in a
time that grows with the square of their length.
"""
import ctypes
import enum
import functools
import types

import pytest
import typed_support
from cython_customslots import Slotted, combine, provider, typed

HUGE = 10 ** 5000


class Mute:
    """Its repr raises; what it raises must not be seen by anybody."""

    def __repr__(self):
        raise ArithmeticError("repr was asked")

    __str__ = __format__ = __repr__


class MuteInt(int):
    __repr__ = __str__ = __format__ = Mute.__repr__


class MuteStr(str):
    __repr__ = __str__ = Mute.__repr__


class Color(enum.IntEnum):
    TOO_MUCH = 2 ** 70


class Index:
    """An integer for those who ask for one; its own repr raises."""

    def __init__(self, value):
        self.value = value

    def __index__(self):
        return self.value

    __repr__ = Mute.__repr__


class Endless:
    """Its repr is longer than a message should be."""

    def __repr__(self):
        return "x" * 100_000


def said(caught):
    """The message, which is one that people can read."""
    message = str(caught.value)
    assert len(message) < 1000 and "repr was asked" not in message, message
    return message


# ---------------------------------------------------------------------------- C fields --

@pytest.mark.parametrize("value, shown", [
    (HUGE, "0x" + f"{HUGE:x}"[:50]), (-HUGE, "-0x" + f"{HUGE:x}"[:50]), (2 ** 40, str(2 ** 40)),
    (-2 ** 200, str(-2 ** 200)), (MuteInt(2 ** 40), "MuteInt object at"),
    (MuteInt(HUGE), "0x" + f"{HUGE:x}"[:50]), (Color.TOO_MUCH, repr(Color.TOO_MUCH)),
    (Index(HUGE), "Index object at"), (Index(-2 ** 31 - 1), "Index object at"),
], ids=["huge", "huge negative", "two words", "long", "int that is mute", "huge int that is mute",
        "enumeration", "index", "index, just too small"])
def test_an_integer_that_no_field_holds_is_an_overflow_error(rich, value, shown):
    base = rich("Base", (), {"level": 1})
    for attempt in (lambda: setattr(base, "level", value),
                    lambda: provider.set_field(base, "level", value),
                    lambda: rich("Child", (base,), {"level": value}),
                    lambda: rich("Child", (base,), {}, level=value)):
        with pytest.raises(OverflowError) as caught:
            attempt()
        assert f"found {shown}" in said(caught) or shown in said(caught)
        assert "expected a signed integer of 4 bytes" in said(caught)
    assert base.level == 1 and type(base).__subclasses__(base) == []


@pytest.mark.parametrize("name", [MuteStr("nothing"), "n" * 100_000])
def test_a_field_that_does_not_exist_is_an_attribute_error(rich, name):
    cls = rich("Cls", (), {})
    for attempt in (lambda: provider.set_field(cls, name, 1), lambda: provider.delete_field(cls, name)):
        with pytest.raises(AttributeError, match="has no C field") as caught:
            attempt()
        said(caught)


def test_a_metaclass_whose_module_is_no_text_has_a_repr(rich):
    class Meta(rich):
        __module__ = Mute()

    class Plain(type):
        __module__ = Mute()
    assert repr(Meta) == repr(Plain).replace("Plain", "Meta")


# -------------------------------------------------------------------------- typed calls --

@pytest.fixture(scope="module")
def calls():
    return typed_support.typed_probe()


@pytest.mark.parametrize("kind", ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8",
                                  "f16", "c8", "c16", "c32"])
@pytest.mark.parametrize("result", [HUGE, -HUGE, MuteInt(HUGE), Index(HUGE)], ids=["huge", "negative", "mute", "index"])
def test_a_result_that_does_not_fit_is_an_overflow_error(calls, kind, result):
    holder = calls.Held(lambda x: result, calls.parse(f"{kind}({kind})"))
    for how in "gil", "nogil":
        with pytest.raises(OverflowError) as caught:
            calls.call(how, kind, holder, 0)
        said(caught)


def test_a_result_that_just_does_not_fit_is_shown(calls):
    holder = calls.Held(lambda x: MuteInt(128), calls.parse("i1(i1)"))
    with pytest.raises(OverflowError, match="expected one that fits into i1") as caught:
        calls.call("gil", "i1", holder, 0)
    said(caught)


class MuteCallable(Mute):
    def __call__(self, *arguments):
        return 0

    def method(self):
        return 0


class EndlessCallable(Endless):
    def __call__(self, *arguments):
        return 0


@pytest.mark.parametrize("function", [
    MuteCallable(), MuteCallable().method, EndlessCallable(), functools.partial(len, Mute()),
], ids=["mute", "method of a mute object", "endless", "partial"])
def test_a_callable_that_cannot_take_a_pointer_is_a_value_error(calls, function):
    with pytest.raises(ValueError, match=r"signature i4\(pointer\), expected one that has") as caught:
        calls.Held(function, calls.parse("i4(pointer)"))
    said(caught)


def test_what_is_not_found_in_a_bound_method_is_told(calls):
    """The repr of a bound method asks its object, too."""
    words = calls.why_not(types.MethodType(len, Mute()), calls.parse("i4(i4)"))
    assert "has no record" in words
    bound = types.MethodType(calls.function(calls.method("f", 0), None), Mute())
    assert "repr was asked" not in calls.why_not(bound, calls.parse("i4(i4)"))


# ------------------------------------------------------------------------ Python's side --

@pytest.mark.parametrize("junk", [
    HUGE, Mute(), MuteInt(1), Endless(), [HUGE], [Mute()], list(range(100_000)), "x" * 100_000,
], ids=["huge", "mute", "mute int", "endless", "list with huge", "list with mute", "long list",
        "long text"])
def test_junk_in_the_place_of_anything_is_named(junk):
    function = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)(lambda n: n)
    calls = {
        "source": lambda: combine(junk), "value": lambda: Slotted("S", (), {"__customslots__": {5: (junk, 0, 0)}}),
        "data": lambda: Slotted("S", (), {"__customslots__": {5: [junk]}}),
        "declaration": lambda: Slotted("S", (), {"__customslots__": [junk]}),
        "position": lambda: Slotted("S", (), {"__customslots__": {5: (1, [junk])}}),
        "name": lambda: typed.capsule(function, name=[junk]),
        "unknown": lambda: typed.resolve(junk),
        "signature": lambda: typed.resolve(function, [junk]),
    }
    for what, call in calls.items():
        with pytest.raises((TypeError, ValueError), match="found") as caught:
            call()
        assert said(caught), what
    assert len(typed.explain(junk)) < 500


def test_a_restype_that_cannot_be_shown_is_refused_with_words():
    class Restype(Mute):
        def __call__(self, value):
            return value
    function = ctypes.CFUNCTYPE(ctypes.c_int)(lambda: 1)
    function.restype = Restype()
    with pytest.raises(TypeError, match="which is no ctypes type") as caught:
        typed.resolve(function)
    said(caught)


def test_a_huge_number_in_a_pair_is_no_address():
    for number in HUGE, -HUGE:
        with pytest.raises(ValueError, match="expected the address of a C function") as caught:
            typed.resolve((number, "f8(f8)"))
        said(caught)


@pytest.mark.parametrize("text", ["double (" + "x" * 100_000 + ")", "x" * 100_000, "f8(" + "f8, " * 100_000 + "?)"])
def test_a_signature_that_nobody_wants_to_read_whole_is_cut_off(text):
    with pytest.raises(ValueError) as caught:
        typed.canonical(text)
    said(caught)


def test_what_is_no_error_is_not_taken_for_one():
    """KeyboardInterrupt goes through, wherever it comes."""
    class Interrupted(int):
        def __repr__(self):
            raise KeyboardInterrupt
    with pytest.raises(KeyboardInterrupt):
        combine(Interrupted(3))
