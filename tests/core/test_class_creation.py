# SPDX-License-Identifier: MIT
"""Every way a class can come to be gives it the right table and the right C fields."""
import sys
import types

import pytest
from support import A, B, C, with_slots


@pytest.fixture(scope="module")
def number_meta(probe):
    return probe.metaclasses()[0]


@pytest.fixture(scope="module")
def first(probe, number_meta):
    """A provider with slots and fields, made as generated code makes one."""
    cls = probe.emitted("creation.First", number_meta, (), [(A, 1), (B, 2)])
    probe.set_fields(cls, 41, b"first")
    probe.publish(cls)
    return cls


@pytest.fixture(scope="module")
def second(probe, number_meta, first):
    """A provider with other values than the metaclass's defaults."""
    cls = number_meta("Second", (), {})
    probe.set_slots(cls, [(C, 3)])
    probe.set_fields(cls, 42, b"second")
    return cls


def right(probe, cls, slots, number):
    """The class has these slots, and this number; it is finished."""
    assert dict(probe.table_type(cls)) == slots
    assert {i: probe.find_type(cls, i) for i in slots} == slots
    assert probe.number(cls) == number
    return cls


def class_statement(bases, metaclass):
    class Made(*bases, metaclass=metaclass): pass
    return Made


WAYS = {"class statement": class_statement, "metaclass": lambda bases, metaclass: metaclass("Made", bases, {}),
        "type()": lambda bases, metaclass: type("Made", bases, {}),
        "new_class()": lambda bases, metaclass: types.new_class("Made", bases, {"metaclass": metaclass})}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_subclass_is_right(probe, way, first, second, number_meta):
    heir = number_meta("Heir", (second,), {})
    for bases, slots, number in (((first,), {A: 1, B: 2}, 41), ((second,), {C: 3}, 42), ((heir,), {C: 3}, 42)):
        cls = way(bases, number_meta)
        assert probe.state(cls) == "ready" and type(cls) is number_meta
        right(probe, cls, slots, number)
        right(probe, way((cls,), number_meta), slots, number)


@pytest.mark.usefixtures("mortal_classes")
def test_a_subclass_from_a_spec_has_slots_and_fields_and_leaves_nothing(probe, rich, collected):
    provider = rich("Provider", (), {"level": 4, "label": "four", "motto": b"quattro", "box": 44})
    with_slots(probe, provider, (A, 1), (B, 2))
    collected()
    boxes = probe.alive_boxes()
    sub = probe.from_spec("foreign.Sub", (provider,), None)
    if sys.version_info < (3, 12):
        assert type(sub) is type and probe.find(sub(), A) is None     # a documented limit
        with pytest.raises(TypeError, match="has no memory"):
            probe.raw(sub)
        return
    assert probe.state(sub) == "unfinished"
    assert probe.raw(sub)[:4] == (4, "four", b"quattro", 44)          # the checked accessor finishes it
    assert probe.state(sub) == "ready"
    provider.level = 5
    assert sub.level == 5
    assert (probe.find(sub(), A), probe.find(sub(), B)) == (1, 2)
    below = type("Below", (sub,), {"box": 3})
    assert probe.find(below(), B) == 2 and probe.raw(below)[:4] == (5, "four", b"quattro", 3)
    del sub, below
    collected()
    assert probe.alive_boxes() == boxes and not type.__subclasses__(provider)


def test_class_below_one_by_from_spec_is_right(probe, second, number_meta):
    """Also before 3.12, where the class between has neither slots nor fields."""
    between = probe.from_spec("creation.Between", (second,), None)
    for name, way in WAYS.items():
        if name != "type()":
            cls = right(probe, way((between,), number_meta), {C: 3}, 42)
            right(probe, type("SubSub", (cls,), {}), {C: 3}, 42)


def test_fields_inside_init_subclass_of_three_argument_type_are_the_defaults(probe, second):
    """type(n, b, d) calls no hook of ours before __init_subclass__: a documented limit."""
    seen = []

    class Base(second):
        def __init_subclass__(cls):
            seen.append(probe.number(cls))
    sub = type("Sub", (Base,), {})
    assert seen == [0] and probe.number(sub) == 42


def test_class_that_cannot_be_made_leaves_nothing_behind(probe, first, second, number_meta):
    """A failed creation must not hand its bases to the next class."""
    class Refusing(second):
        def __init_subclass__(cls):
            raise LookupError("no")
    for bases, namespace, error in (
            ((Refusing,), {}, LookupError), ((first, object, second), {}, TypeError),
            ((first,), {"__slots__": "1"}, TypeError), ((bool, first), {}, TypeError),
            ((first, int, str), {}, TypeError)):
        with pytest.raises(error):
            number_meta("Failed", bases, dict(namespace))
        with pytest.raises(error):
            type("Failed", bases, dict(namespace))
        right(probe, type("Next", (second,), {}), {C: 3}, 42)
        right(probe, number_meta("Next", (first,), {}), {A: 1, B: 2}, 41)


def test_metaclass_with_wrong_arguments_raises_as_type_does(number_meta, extensibletype):
    for metaclass in number_meta, extensibletype:
        for args in ((), ("X",), ("X", ()), (1, (), {}), ("X", [], {}), ("X", (), [])):
            with pytest.raises(TypeError):
                metaclass(*args)
        with pytest.raises(TypeError, match="bases|base"):
            metaclass("X", (1,), {})
