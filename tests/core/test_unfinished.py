# SPDX-License-Identifier: MIT
"""Whoever asks a class that nobody has finished yet gets what the finished class will have.

Unfinished is a class inside its own __set_name__ and __init_subclass__, and for good one of
type.__new__(Meta, ...) or, by somebody who knows nothing of us, of PyType_FromMetaclass().  What cannot
be had then is said here, too.  Random hierarchies are in test_merge_rules.py.
"""
import sys
import types

import cython_customslots
import foreign_api
import pytest
import support
from cython_customslots import table
from interfaces import AREA, DRAW, SCALE, Interface
from support import A, B, C, with_slots


class Named:
    """A descriptor whose __set_name__ looks."""

    def __init__(self, look):
        self.look = look

    def __set_name__(self, owner, name):
        self.look(owner)


def with_mro(metaclass, look=lambda cls: None):
    class Ordered(metaclass):
        def mro(cls):
            look(cls)
            return super().mro()
    return Ordered


def in_a_slots_generator(make):
    def made(metaclass, bases, namespace):
        def members():
            make(metaclass, bases, namespace)
            yield from ()
        metaclass("Outer", (), {"__slots__": members()})
    return made


def by_metaclass(metaclass, bases, namespace):
    return metaclass("Cls", bases, namespace)


def by_type(metaclass, bases, namespace):
    return type("Cls", bases, namespace)


def with_other_bases(metaclass, bases, namespace):
    class Replacing(metaclass):
        def __new__(mcs, name, declared, namespace):
            return super().__new__(mcs, name, bases, namespace)
    return Replacing("Cls", (metaclass("Declared", (), {}),), namespace)


def behind_a_helper(metaclass, bases, namespace):
    class Helping(metaclass):
        def __new__(mcs, name, bases, namespace):
            type.__new__(metaclass, "Helper", bases[1:], {})
            return super().__new__(mcs, name, bases, namespace)
    return Helping("Cls", bases, namespace)


#: What a class statement comes to.
STATEMENTS = {"the metaclass": by_metaclass, "type()": by_type,
              "a metaclass with mro()": lambda metaclass, *more: with_mro(metaclass)("Cls", *more),
              "a metaclass that replaces the bases": with_other_bases,
              "a metaclass that makes another class first": behind_a_helper,
              "a __slots__ generator": in_a_slots_generator(by_metaclass),
              "type() in a __slots__ generator": in_a_slots_generator(by_type)}


def inside_init_subclass(statement):
    def way(metaclass, bases, look):
        bases[0].__init_subclass__ = classmethod(look)
        statement(metaclass, bases, {})
        del bases[0].__init_subclass__
    return way


def inside_set_name(statement):
    return lambda metaclass, bases, look: statement(metaclass, bases, {"named": Named(look)})


def bare(metaclass, *bases):
    return type.__new__(metaclass, "Unfinished", bases, {})


def foreign(*bases):
    """As a library makes classes that has never heard of extensibletype."""
    if sys.version_info < (3, 12):
        pytest.skip("before CPython 3.12 PyType_FromSpec() makes classes without the metaclass")
    return support.probe().from_spec("foreign.Cls", bases, None)


#: How a class with these bases is made and looked at before it is finished.
WAYS = {f"{hook.__name__}, {name}": hook(statement) for hook in (inside_init_subclass, inside_set_name)
        for name, statement in STATEMENTS.items()}
WAYS["type.__new__"] = lambda metaclass, bases, look: look(bare(metaclass, *bases))
WAYS["PyType_FromMetaclass()"] = lambda metaclass, bases, look: look(foreign(*bases))
by_way = pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)


@pytest.fixture
def families(probe, extensibletype):
    """name: (bases, what a class with these bases has)"""
    root = with_slots(probe, extensibletype("Root", (), {}), (A, 1))
    one = with_slots(probe, extensibletype("One", (root,), {}), (B, 2))
    same = with_slots(probe, extensibletype("Same", (root,), {}), (A, 1))
    other = with_slots(probe, extensibletype("Other", (root,), {}), (A, 9), (C, 3))
    second = type("Second", (type("Silent", (root,), {}), same), {})
    deep = extensibletype("Deep", (extensibletype("Between", (one,), {}),), {})
    plain = type("Plain", (), {})
    return {"one base": ((deep,), {A: 1, B: 2}),
            "a plain class in front": ((plain, one), {A: 1, B: 2}),
            "two bases": ((one, with_slots(probe, extensibletype("Two", (), {}), (C, 33))), {A: 1, B: 2, C: 33}),
            "a diamond": ((one, other), {A: 9, B: 2, C: 3}),
            "a base that says the same again": ((same, other), {A: 1, C: 3}),
            "another slot from the second base of the base in front":
                ((second, with_slots(probe, type("Below", (same,), {}), (A, 8))), {A: 8}),
            "no slots": ((plain, extensibletype("Bare", (), {})), {})}


#: Who looks, at one ID.
READERS = {
    **{f"at {position}": lambda probe, cls, number, position=position: probe.find_type(cls, number, position)
       for position in (0, 1, 7, -1)},
    "of an object": lambda probe, cls, number: probe.find(cls.__new__(cls), number),
    "another language": lambda probe, cls, number: foreign_api.find(cls, number),
    "gdb": lambda probe, cls, number: {
        slot.id: slot.data for slot in cython_customslots.slots(cls)}.get(number)}


@by_way
def test_every_reader_finds_every_slot_and_the_whole_table_is_that_of_the_first_base(
        probe, extensibletype, families, limited, way):
    """(The whole table is merged when the class is finished.)"""
    for name, (bases, wanted) in families.items():
        seen = []

        def look(cls):
            seen.append((probe.state(cls), cls.__flags__ >> 32))        # no stamp yet: test_stamp.py
            each = {i: wanted.get(i) for i in (A, B, C)}
            for reader, find in READERS.items():
                assert {i: find(probe, cls, i) for i in (A, B, C)} == each, (name, reader)
            whole = next(filter(is_there, map(probe.table_type, bases)))
            assert probe.check_type(cls) and probe.table_type(cls) == whole == foreign_api.table(cls)
            assert probe.count_type(cls) == len(whole) == foreign_api.call("slot_count", cls)
            if limited is not None:
                assert limited.look(cls) == next(filter(lambda found: found[0], map(limited.look, bases)))
                assert {i: limited.find(cls.__new__(cls), i) for i in (A, B, C)} == each
            if way is WAYS["type.__new__"]:
                assert {number: value for _, number, value in table(cls)} == wanted     # which finishes it
                assert probe.state(cls) == "ready" and probe.find_type(cls, A) == wanted.get(A)

        way(extensibletype, bases, look)
        assert seen == [("unfinished", 0)], name


def is_there(found):
    return found is not None


def first_with(look, bases, wanted):
    """What is found without an MRO: of the first base that has it."""
    found = {i: next(filter(is_there, (look(base, i) for base in bases)), None) for i in (A, B, C)}
    assert {i for i in found if found[i] is not None} == set(wanted), "a slot is missing"
    return found


def test_inside_mro_each_slot_is_that_of_the_first_base_that_has_it(probe, extensibletype, families):
    """No MRO is there yet: not even CPython knows more."""
    for name, (bases, wanted) in families.items():
        seen = []
        ordered = with_mro(extensibletype, lambda cls: seen.append(
            ({i: probe.find_type(cls, i) for i in (A, B, C)}, probe.check_type(cls), probe.table_type(cls))))
        ordered("Cls", bases, {})
        assert seen[0] == (first_with(probe.find_type, bases, wanted), True,
                           next(filter(is_there, map(probe.table_type, bases)))), name


@pytest.mark.parametrize("way", [name for name in WAYS if "replaces" not in name])      # those of subclasses, too
@pytest.mark.parametrize("name", ["publish", "set_slots"])
def test_slots_are_given_to_an_unfinished_class_and_so_to_its_subclasses(probe, extensibletype, way, name):
    base, made = with_slots(probe, extensibletype("Base", (), {}), (A, 1), (B, 2)), []

    def give(cls):
        if made:                                    # for a subclass of the first one
            return
        made.append(cls)
        made.extend([types.new_class("Early", (cls,)), bare(type(cls), cls)])
        assert foreign_api.call(name, cls, *foreign_api.slots((A, 9), (C, 3))) == 0
        made.append(types.new_class("Late", (cls,)))
        for each in made:
            assert [probe.find_type(each, i) for i in (A, B, C)] == [9, 2, 3], each

    WAYS[way](extensibletype, (base,), give)
    assert len(made) == 4
    for each in made:
        assert foreign_api.table(each) == [(A, 9), (B, 2), (C, 3)], each


def test_a_class_of_somebody_else_is_finished_with_its_subclass(probe, extensibletype, families):
    for name, (bases, wanted) in families.items():
        cls = foreign(*bases)
        sub = bare(type(cls), cls)
        probe.finish(sub)
        assert dict(probe.table_type(cls)) == dict(probe.table_type(sub)) == wanted, name


def test_what_a_class_declared_before_it_got_other_slots_does_not_count(probe, extensibletype):
    one = with_slots(probe, extensibletype("One", (), {}), (A, 1), (B, 2))
    two = with_slots(probe, extensibletype("Two", (), {}), (B, 20), (C, 30))
    cls = bare(extensibletype, one, two)
    for slots in ((A, 3),), ((C, 4), (A, 5)), ():
        probe.set_slots(one, list(slots))
        probe.set_slots(two, [(B, 20), (C, 30)])
        fresh = bare(extensibletype, one, two)
        expected = {B: 20, C: 30, **dict(slots)}
        for checked in cls, fresh:
            assert {i: probe.find_type(checked, i) for i in (A, B, C)} == {i: expected.get(i) for i in (A, B, C)}


@pytest.mark.usefixtures("mortal_classes")
def test_a_declaration_dies_with_its_class(probe, extensibletype, collected):
    """The next class at that address has declared nothing, though it shares the table."""
    root = extensibletype("Root", (), {})
    for _ in range(50):
        declaring = with_slots(probe, type("Declaring", (root,), {}), (A, 1))
        sharing = type("Sharing", (declaring,), {})
        sharing.__bases__ = (root,)
        del declaring
        collected()
        fresh = type("Fresh", (root,), {})
        cls = bare(extensibletype, fresh, sharing)
        assert probe.find_type(cls, A) is None and probe.find_type(sharing, A) is None


# ------------------------------------------------------------------------------ interfaces --

def draw(self, canvas):
    return "python", canvas


@by_way
def test_a_function_that_python_overrides_is_the_one_that_is_called(probe, extensibletype, way):
    """By the class itself, by a class above it, by a mixin; and what nobody overrides stays."""
    shape = Interface(probe)
    other = with_slots(probe, extensibletype("Other", (), {}), (A, 1))
    overriding = extensibletype("Overriding", (shape.provider,), {"draw": draw})
    silent = extensibletype("Silent", (shape.provider,), {})
    mixin = type("Mixin", (), {"draw": draw})
    for bases in ((overriding,), (overriding, silent), (silent, overriding), (other, overriding),
                  (overriding, other), (mixin, shape.provider), (mixin, silent)):
        seen = []
        way(extensibletype, bases, lambda cls: seen.append(
            [shape.call(cls(), place) for place in (AREA, SCALE, DRAW)]))
        assert seen == [[("first", AREA, "x"), ("first", SCALE, "x"), ("python", "x")]], bases


def test_what_the_body_overrides_counts_at_once(probe, extensibletype):
    """Even if nobody ever finishes the class; and what was overridden when it was not finished."""
    seen = []
    shape = Interface(probe)
    shape.provider.__init_subclass__ = classmethod(lambda cls: seen.append(shape.call(cls(), DRAW)))
    for make in extensibletype, type:
        make("Cls", (shape.provider,), {"draw": draw, "named": Named(
            lambda cls: seen.append(shape.call(cls(), DRAW)))})
        make("Cls", (shape.declare(),), {"draw": draw, "named": Named(
            lambda cls: seen.append(shape.call(cls(), DRAW)))})
    assert seen == [("python", "x")] * 6
    del shape.provider.__init_subclass__
    bare = type.__new__(extensibletype, "Bare", (shape.provider,), {"draw": draw})
    type.__setattr__(bare, "scale", draw)
    assert probe.state(bare) == "unfinished"
    assert [shape.call(bare(), place) for place in (AREA, SCALE, DRAW)] == [
        ("first", AREA, "x"), ("python", "x"), ("python", "x")]


# ------------------------------------------------------------- a metaclass with mro() --

def ordered(rich, order):
    """A metaclass whose classes have this MRO behind them."""
    class Ordered(rich):
        def mro(cls):
            return [cls, *order, object]
    return Ordered


def test_fields_and_slots_follow_the_mro_of_a_metaclass_with_its_own(probe, rich):
    a = with_slots(probe, rich("A", (), {"level": 1}), (A, 1))
    b = with_slots(probe, rich("B", (), {"level": 2}), (A, 2), (B, 20))
    for order, bases in ([b, a], (a, b)), ([b], (a, b)), ([b, a], ()):
        cls = ordered(rich, order)("Cls", bases, {})
        assert (cls.level, probe.raw(cls)[0], dict(probe.table_type(cls))) == (2, 2, {A: 2, B: 20})


def test_static_types_have_slots_by_the_mro_of_their_metaclass(probe, extensibletype):
    one = support.static_type(probe, "One", (), [(A, 1)])
    two = support.static_type(probe, "Two", (), [(A, 2), (B, 20)])
    metaclass = ordered(extensibletype, [two, one])
    cls = support.static_type(probe, "Both", (one, two), [(C, 3)], metaclass=metaclass)
    assert dict(probe.table_type(cls)) == {A: 2, B: 20, C: 3}
    emitted = probe.emitted("emitted.Both", metaclass, (one, two), [(C, 3)])
    assert dict(probe.table_type(emitted)) == {A: 2, B: 20, C: 3}
