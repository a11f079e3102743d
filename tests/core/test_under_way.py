# SPDX-License-Identifier: MIT
"""Whoever asks a class that is being made gets what the finished class will have, by every door.

A class is unfinished while its __set_name__ and __init_subclass__ run: nobody has merged its table
yet.  Readers go by what the classes of its MRO declare; what they cannot have then is said here, too.
"""
import cython_customslots
import foreign_api
import pytest
import support
from interfaces import AREA, DRAW, SCALE, Interface
from support import A, B, C, with_slots


@pytest.fixture(scope="module")
def limited():
    """A reader under the limited API, which cannot see an MRO; None where there is none."""
    if support.FREE_THREADED:
        return None
    return support.load(support.build_c("limited_consumer", support.TESTS / "c" / "limited_consumer.c",
                                        cflags=support.STRICT_FLAGS))


@pytest.fixture
def families(probe, extensibletype):
    """name: (bases, what a class with these bases has)"""
    root = with_slots(probe, extensibletype("Root", (), {}), (A, 1))
    one = with_slots(probe, extensibletype("One", (root,), {}), (B, 2))
    same = with_slots(probe, extensibletype("Same", (root,), {}), (A, 1))
    other = with_slots(probe, extensibletype("Other", (root,), {}), (A, 9), (C, 3))
    deep = extensibletype("Deep", (extensibletype("Between", (one,), {}),), {})
    plain = type("Plain", (), {})
    return {"one base": ((deep,), {A: 1, B: 2}),
            "a plain class in front": ((plain, one), {A: 1, B: 2}),
            "two bases": ((one, with_slots(probe, extensibletype("Two", (), {}), (C, 33))),
                          {A: 1, B: 2, C: 33}),
            "a diamond": ((one, other), {A: 9, B: 2, C: 3}),
            "a base that says the same again": ((same, other), {A: 1, C: 3}),
            "no slots": ((plain, extensibletype("Bare", (), {})), {})}


def doors(probe, cls):
    """The same three IDs, by each door that sees the MRO."""
    shown = {slot.id: slot.data for slot in cython_customslots.slots(cls)}      # gdb's reader, too
    obj = cls.__new__(cls)
    yield from ({i: probe.find_type(cls, i, position) for i in (A, B, C)} for position in (0, 1, 7, -1))
    yield {i: probe.find(obj, i) for i in (A, B, C)}
    yield {i: foreign_api.find(cls, i) for i in (A, B, C)}              # Rust's, nanobind's
    yield {i: shown.get(i) for i in (A, B, C)}


class Named:
    """A descriptor whose __set_name__ looks."""

    def __init__(self, look):
        self.look = look

    def __set_name__(self, owner, name):
        self.look(owner)


def metaclass_with_mro(extensibletype, look=lambda cls: None):
    class Ordered(extensibletype):
        def mro(cls):
            look(cls)
            return super().mro()
    return Ordered


def in_a_slots_generator(metaclass, bases, make):
    def members():
        make("Inner", bases, {})
        yield from ()
    metaclass("Outer", (), {"__slots__": members()})


#: How a class with these bases is made.
WAYS = {"a call of the metaclass": lambda metaclass, bases: metaclass("Cls", bases, {}),
        "type()": lambda metaclass, bases: type("Cls", bases, {}),
        "a metaclass with mro()": lambda metaclass, bases: metaclass_with_mro(metaclass)("Cls", bases, {}),
        "a call in a __slots__ generator":
            lambda metaclass, bases: in_a_slots_generator(metaclass, bases, metaclass),
        "type() in a __slots__ generator":
            lambda metaclass, bases: in_a_slots_generator(metaclass, bases, type)}
by_way = pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)


@by_way
def test_every_slot_is_found_by_every_door(probe, extensibletype, families, way):
    for name, (bases, wanted) in families.items():
        seen = []
        bases[0].__init_subclass__ = classmethod(
            lambda cls: seen.append((probe.state(cls), list(doors(probe, cls)))))
        way(extensibletype, bases)
        (state, found), = seen
        assert state == "unfinished" and found == [
            {i: wanted.get(i) for i in (A, B, C)}] * len(found), name


def test_every_slot_is_found_inside_set_name(probe, extensibletype, families):
    for name, (bases, wanted) in families.items():
        seen = []
        namespace = {"named": Named(lambda cls: seen.append(list(doors(probe, cls))))}
        for make in extensibletype, type, metaclass_with_mro(extensibletype):
            make("Cls", bases, dict(namespace))
        assert seen == [[{i: wanted.get(i) for i in (A, B, C)}] * 7] * 3, name


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
        ordered = metaclass_with_mro(extensibletype, lambda cls: seen.append(
            ({i: probe.find_type(cls, i) for i in (A, B, C)}, probe.check_type(cls), probe.table_type(cls))))
        ordered("Cls", bases, {})
        assert seen[0] == (first_with(probe.find_type, bases, wanted), True,
                           next(filter(is_there, map(probe.table_type, bases)))), name


@by_way
def test_the_limited_api_sees_the_same_and_the_whole_table_is_that_of_the_first_base(
        probe, extensibletype, families, limited, way):
    """(The whole table is merged when the class is finished.)"""
    for name, (bases, wanted) in families.items():
        seen = []

        def look(cls):
            whole = next(filter(is_there, map(probe.table_type, bases)))
            assert probe.check_type(cls) and probe.table_type(cls) == whole == foreign_api.table(cls)
            assert probe.count_type(cls) == len(whole) == foreign_api.call("slot_count", cls)
            if limited is not None:
                obj = cls.__new__(cls)
                assert limited.look(cls) == next(filter(lambda found: found[0], map(limited.look, bases)))
                assert {i: limited.find(obj, i) for i in (A, B, C)} == {i: wanted.get(i) for i in (A, B, C)}
            seen.append(cls)

        bases[0].__init_subclass__ = classmethod(look)
        way(extensibletype, bases)
        assert len(seen) == 1, name


# ------------------------------------------------------------------------------ interfaces --

def draw(self, canvas):
    return "python", canvas


@pytest.mark.parametrize("static", [False, True], ids=["heap", "static"])
@by_way
def test_a_function_that_python_overrides_is_the_one_that_is_called(probe, extensibletype, static, way):
    """By the class itself, by a class above it, by a mixin; and what nobody overrides stays."""
    shape = Interface(probe, static=static)
    other = with_slots(probe, extensibletype("Other", (), {}), (A, 1))
    overriding = extensibletype("Overriding", (shape.provider,), {"draw": draw})
    silent = extensibletype("Silent", (shape.provider,), {})
    mixin = type("Mixin", (), {"draw": draw})
    for bases in ((overriding,), (overriding, silent), (silent, overriding), (other, overriding),
                  (overriding, other), (mixin, shape.provider), (mixin, silent)):
        seen = []

        def look(cls):
            seen.append([shape.call(cls(), place) for place in (AREA, SCALE, DRAW)])

        bases[0].__init_subclass__ = classmethod(look)
        way(extensibletype, bases)
        del bases[0].__init_subclass__
        assert seen == [[("first", AREA, "x"), ("first", SCALE, "x"), ("python", "x")]], bases


def test_what_the_body_overrides_counts_at_once(probe, extensibletype):
    """Even if nobody ever finishes the class; and what was overridden when it was not finished."""
    seen = []
    shape = Interface(probe)
    shape.provider.__init_subclass__ = classmethod(
        lambda cls: seen.append(shape.call(cls(), DRAW)))
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


def test_one_slot_of_several_that_a_class_declares_in_set_name_makes_it_finished(probe, extensibletype):
    """As Slotted does: from then on it has all that is its own."""
    seen = []
    base = with_slots(probe, extensibletype("Base", (), {"__init_subclass__": classmethod(
        lambda cls: seen.append((probe.state(cls), dict(probe.table_type(cls)))))}), (A, 1))
    two = with_slots(probe, extensibletype("Two", (), {}), (B, 2))
    extensibletype("Cls", (base, two), {"named": Named(lambda cls: probe.set_slots(cls, [(C, 3)]))})
    assert seen == [("ready", {A: 1, B: 2, C: 3})]
