# SPDX-License-Identifier: MIT
"""__customslots__: slots that a Python class declares, with the metaclass Slotted."""
import abc
import copy
import ctypes
import datetime
import enum
import pickle
import pydoc
import sys
import types
import typing

import cloudpickle
import cython_customslots
import pytest
import support
from cython_customslots import Slotted, combine, provider, table
from foreign_api import capsule_pointer
from support import SKIP, A, B, C, D, static_type, with_slots

WORD = cython_customslots.layout(object)["word_size"]
CAPSULE = datetime.datetime_CAPI           # of the standard library; its name is its own


def slots(cls):
    return [(number, data) for _, number, data in table(cls)]


def declaring(slots, *bases):
    return Slotted("Cls", bases, {"__customslots__": slots})


def object_at(obj, offset):
    """The object that a field of *obj* holds."""
    return ctypes.py_object.from_address(id(obj) + offset).value


def test_int_is_stored_as_flags_and_a_capsule_as_its_pointer_whatever_its_name(probe):
    Flags = declaring({A: 5, B: 0, C: 2 ** (8 * WORD) - 1, D: True})
    assert slots(Flags) == [(A, 5), (B, 0), (C, 2 ** (8 * WORD) - 1), (D, 1)]
    assert probe.find(Flags(), A) == 5 and type(Flags) is Slotted
    pointer = capsule_pointer(CAPSULE, b"datetime.datetime_CAPI")
    assert probe.find(declaring({A: CAPSULE})(), A) == pointer


def test_capsule_lives_at_least_as_long_as_the_class_and_its_subclasses(probe, collected):
    new = ctypes.pythonapi.PyCapsule_New
    new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p] * 3
    capsule = new(1, None, None)
    before = sys.getrefcount(capsule)
    Pointer = declaring({A: capsule})
    del Pointer.__customslots__
    sub = type("Sub", (Pointer,), {})
    del Pointer
    collected()
    assert sys.getrefcount(capsule) > before and probe.find_type(sub, A) == 1


def test_member_is_stored_as_its_offset_by_name_and_by_descriptor(probe):
    class Point(metaclass=Slotted):
        __slots__ = ("x", "_y", "__z")
        __customslots__ = {A: "x", B: "_y", C: "__z"}

    Sub = declaring({D: Point.x}, Point)
    point = Sub()
    point.x, point._y, point._Point__z = first, second, third = object(), object(), object()
    for number, value in (A, first), (B, second), (C, third), (D, first):
        assert object_at(point, probe.find(point, number)) is value


def test_c_member_of_a_base_has_an_offset(probe):
    class Property(property, metaclass=Slotted):
        __customslots__ = {A: "fget", B: property.fset}

    def getter(self): ...
    def setter(self, value): ...
    made = Property(getter, setter)
    assert object_at(made, probe.find(made, A)) is getter
    assert object_at(made, probe.find(made, B)) is setter


def test_name_is_interned_as_in_c(probe):
    Named = declaring({"numpy.protocol": 5, "é": 6})
    assert probe.find(Named(), probe.intern(b"numpy.protocol")) == 5
    assert probe.find(Named(), probe.intern("é".encode())) == 6


def test_position_is_kept_and_gaps_are_filled_or_skipped(probe):
    Placed = declaring({A: (1, 3), B: 2, C: (3, 0)})
    assert slots(Placed) == [(C, 3), (B, 2), (SKIP, 0), (A, 1)]
    assert [probe.find_position(Placed, i, 0) for i in (A, B, C)] == [3, 1, 0]

    Empty = declaring({})
    assert slots(Empty) == [] and probe.check_type(Empty)


def test_slots_are_there_in_init_subclass_and_set_name(probe):
    """With all that is inherited: the class is finished then."""
    seen = []

    class Base(metaclass=Slotted):
        __customslots__ = {C: 3}

        def __init_subclass__(cls):
            seen.append((probe.state(cls), dict(slots(cls))))

    class Sub(Base, with_slots(probe, Slotted("Other", (), {}), (D, 4))):
        __slots__ = ("x",)
        __customslots__ = {A: 1, B: "x"}

    assert seen == [("ready", dict(slots(Sub)))] and seen[0][1].keys() == {A, B, C, D}


@pytest.mark.parametrize("fill", [
    lambda ns: ns.update(__customslots__={A: 2}), lambda ns: ns.update({"__customslots__": {A: 2}}),
    lambda ns: ns.__setitem__("__customslots__", {A: 2})], ids=["names", "update", "item"])
def test_a_metaclass_that_does_not_call_our_init_loses_nothing(fill):
    """As SQLAlchemy's declarative one, which calls type.__init__()."""
    class Meta(type):
        def __init__(cls, name, bases, namespace):
            type.__init__(cls, name, bases, namespace)

    class Base(metaclass=Meta): pass

    cls = types.new_class("New", (Base,), {"metaclass": combine(Slotted, Base)}, fill)
    assert table(cls) == [(0, A, 2)]


def test_declaration_of_a_base_may_be_extended(probe):
    Base = declaring({A: 1})
    Same = declaring(Base.__customslots__, Base)
    More = declaring({**Base.__customslots__, B: 2}, Base)
    assert slots(Same) == [(A, 1)] and slots(More) == [(A, 1), (B, 2)]
    assert Base.__customslots__ == {A: 1} and Base.__dict__["__customslots__"] == {A: 1}
    Base.__customslots__ = {A: 2}                           # it is too late
    assert slots(Base) == [(A, 1)] and slots(type("Sub", (Base,), {})) == [(A, 1)]


def test_providers_of_all_kinds_can_be_bases(probe):
    static = static_type(probe, "SlottedBase", (), [(A, 1), (B, 1)])
    fields = probe.metaclasses()[0]("Provider", (), {})
    probe.set_fields(fields, 42, b"text")

    class OfStatic(static, metaclass=Slotted):
        __customslots__ = {B: 2}

    class OfFields(fields, metaclass=combine(Slotted, fields)):
        __customslots__ = {C: 3}

    class Both(OfStatic, OfFields): pass

    assert dict(slots(Both)) == {A: 1, B: 2, C: 3} and probe.find(Both(), B) == 2
    assert probe.number(Both) == 42 and probe.text(Both) == b"text"


def test_abstract_classes_and_enumerations_can_declare_slots(probe):
    seen = []

    class Shape(abc.ABC, metaclass=combine(Slotted, abc.ABC)):
        __customslots__ = {A: 1}

        def __init_subclass__(cls):
            seen.append(slots(cls))

    class Square(Shape):
        __customslots__ = {B: 2}

    Shape.register(int)
    assert isinstance(5, Shape) and seen == [[(A, 1), (B, 2)]]

    class Colour(enum.Enum, metaclass=combine(Slotted, enum.Enum)):
        __customslots__ = {A: 1}
        RED = 1

    assert slots(Colour) == [(A, 1)] and list(Colour) == [Colour.RED]


def test_generic_classes_can_declare_slots(probe):
    class Box(typing.Generic[typing.TypeVar("T")], metaclass=Slotted):
        __customslots__ = {A: 1}

    assert Box[int] and probe.find(Box(), A) == 1 and "class Box" in pydoc.render_doc(Box, renderer=pydoc.plaintext)


def test_a_pickle_by_value_refuses_what_only_this_process_has():
    class Member(metaclass=Slotted):
        __slots__ = "x"
        __customslots__ = {A: "x"}

    with pytest.raises(ValueError, match=r"Copy\..*'x', which no class in the MRO has, .*cloudpickle leaves out"):
        Slotted("Copy", (), {}).__customslots__ = copy.copy(Member.__customslots__)
    for declared, message in (
            ({A: CAPSULE}, r"Cls\.__customslots__\[0x1000101\]: found <capsule .*expected what a pickle can hold"),
            ({B: 1, A: (CAPSULE, 0)}, r"\[0x1000101\]: found <capsule"),
            ({provider.intern("travelling.b"): 1}, "found an interned ID, .*expected its name")):
        cls = Slotted("Cls", (), {"__customslots__": declared})
        with pytest.raises(TypeError, match=message):
            cloudpickle.dumps(cls)


def test_subclasses_from_a_spec_are_not_locked_out(probe):
    assert Slotted.__new__ is type.__new__ and "mro" not in vars(Slotted)


WRONG = [
    (5, TypeError, r"Cls\.__customslots__: found 0x5 of type 'int', expected a dict"),
    ({2.5: 1}, TypeError, r"__customslots__\[2.5\]: found the key 2.5 of type 'float', "),
    ({True: 1}, TypeError, "found the key True of type 'bool', expected an int"),
    ({b"x": 1}, TypeError, "found the key b'x' of type 'bytes', expected an int .* or a str"),
    ({0: 1}, ValueError, "found the slot ID 0x0, expected one from 0x2"),
    ({1: 1}, ValueError, "found the slot ID 0x1, expected one from 0x2"),
    ({2 ** 64: 1}, ValueError, "found the slot ID 0x1"),
    ({"": 1}, ValueError, "found an empty name"),
    ({"a\0b": 1}, ValueError, r"Cls\..*found a name that C cannot hold .*NUL"),
    ({"\ud800": 1}, ValueError, r"Cls\..*found a name that C cannot hold .*surrogates"),
    ({A: -1}, ValueError, r"Cls\.__customslots__\[0x1000101\]: found the number -0x1, expected one"),
    ({A: 2 ** 64}, ValueError, "found the number 0x1"),
    ({A: 10 ** 5000}, ValueError, r"found the number 0x[0-9a-f]+\.\.\., expected one"),
    ({A: "nowhere"}, ValueError, "found the name 'nowhere', which no class in the MRO has"),
    ({A: "method"}, TypeError, "found the name 'method', which is .* 'function' in .*Cls, exp"),
    ({A: "__dict__"}, TypeError, "'getset_descriptor'"),
    ({A: None}, TypeError, "found None of type 'NoneType', expected a capsule .* an int"),
    ({A: list.append}, TypeError, "of type 'method_descriptor'"),
    ({A: types.FunctionType.__dict__["__closure__"]}, TypeError, "a member of function, which"),
    ({A: ()}, TypeError, r"found \(\) of type 'tuple', expected a value, or a tuple"),
    ({A: (1, "x")}, TypeError, "found the position 'x' of type 'str', expected an int"),
    ({A: (1, -1)}, ValueError, "found the position -0x1, expected one from 0x0"),
    ({A: (1, 10 ** 9)}, ValueError, "found the position 0x3b9aca00"),
    ({A: (1, 0), B: (2, 0)}, ValueError, "found the position 0, which 0x1000101 has, expected a free"),
    ({A: ((1, 0), 0)}, TypeError, r"found \(1, 0\) of type 'tuple'"),
    ({"twice.declared": 1, provider.intern("twice.declared"): 2}, ValueError, "time .first as 'twice.declared'"),
]


@pytest.mark.parametrize("declaration, kind, message", WRONG)
@pytest.mark.parametrize("by_call", [False, True], ids=["statement", "call"])
@pytest.mark.usefixtures("mortal_classes")
def test_wrong_declaration_is_an_error_that_leaves_no_class_behind(declaration, kind, message, by_call, collected):
    Base = declaring({C: 3})
    namespace = {"__customslots__": declaration, "method": lambda self: 1}
    with pytest.raises(kind, match=message):
        if by_call:
            Slotted("Cls", (Base,), namespace)
        else:
            class Cls(Base):
                __customslots__, method = namespace.values()
    collected()
    assert Base.__subclasses__() == [] and slots(Base) == [(C, 3)]


@pytest.mark.skipif(sys.version_info < (3, 12),
                    reason="__set_name__ cannot raise cleanly before 3.12")
def test_init_subclass_never_sees_a_class_with_a_wrong_declaration():
    class Base(metaclass=Slotted):
        def __init_subclass__(cls):
            raise AssertionError("called")

    with pytest.raises(TypeError, match="found None"):
        class Cls(Base):
            __customslots__ = {A: None}


def test_metaclass_is_imported_late_and_pickled_as_users_import_it():
    assert "Slotted" in cython_customslots.__all__ and "Slotted" in dir(cython_customslots)
    support.check_child("""
        import sys, cython_customslots as c
        assert 'cython_customslots.python.slotted' not in sys.modules
        assert c.Slotted is c.Slotted and 'cython_customslots.python.slotted' in sys.modules
        """)
    for pickler in pickle, cloudpickle:
        assert pickler.loads(pickler.dumps(Slotted)) is Slotted and b"python.slotted" not in pickler.dumps(Slotted)
