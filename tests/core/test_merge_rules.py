# SPDX-License-Identifier: MIT
"""Which slots a class has: its own over those of its MRO, nearest first."""
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import EMPTY, SKIP, A, B, C, D, E, static_type, with_slots


def make(probe, metaclass, name, bases=(), *slots):
    cls = metaclass(name, tuple(bases), {})
    return with_slots(probe, cls, *slots) if slots else cls


@pytest.fixture
def new(probe, extensibletype):
    """new(name, bases, *slots): a Python class with these slots of its own."""
    return lambda name, bases=(), *slots: make(probe, extensibletype, name, bases, *slots)


def test_override_stays_in_place_and_new_slot_is_appended(probe, new):
    for make in (lambda name, bases, slots: new(name, bases, *slots),
                 lambda name, bases, slots: static_type(probe, name, bases, slots),
                 lambda name, bases, slots: probe.emitted(f"emitted.{name}", None, bases, slots)):
        parent = make("Parent", (), [(A, 1), (B, 2)])
        child = make("Child", (parent,), [(A, 10), (C, 3)])
        assert probe.table_type(child) == [(A, 10), (B, 2), (C, 3)]
        assert probe.table_type(parent) == [(A, 1), (B, 2)]


def test_own_slot_takes_its_own_position_where_that_is_free(probe, new):
    parent = new("Parent", (), (SKIP, 0), (SKIP, 0), (A, 1))
    child = new("Child", [parent], (SKIP, 0), (B, 2))
    assert probe.table_type(child) == [(SKIP, 0), (B, 2), (A, 1)]


def test_own_slot_is_appended_where_its_position_is_taken(probe, new):
    parent = new("Parent", (), (A, 1))
    assert probe.table_type(new("Child", [parent], (B, 2))) == [(A, 1), (B, 2)]


def test_positions_that_are_passed_over_are_padded_with_skip(probe, new):
    parent = new("Parent", (), (A, 1))
    child = new("Child", [parent], (SKIP, 0), (EMPTY, 0), (SKIP, 0), (B, 2))
    assert probe.table_type(child) == [(A, 1), (SKIP, 0), (SKIP, 0), (B, 2)]
    assert probe.find_position(child, B, 3) == 3


def test_padding_that_was_asked_for_behind_the_last_slot_stays(probe, new):
    cls = new("Padded", (), (A, 1), (SKIP, 0), (SKIP, 0))
    assert probe.table_type(cls) == [(A, 1), (SKIP, 0), (SKIP, 0)]


def test_class_without_slots_shares_its_bases_table(probe, new, extensibletype):
    static = static_type(probe, "Base", (), [(A, 1)])
    for parent in static, new("Parent", (), (A, 1), (B, 2)):
        child = new("Child", [parent])
        grandchild = extensibletype("Grandchild", (child,), {"__slots__": ()})
        assert probe.address(child) == probe.address(grandchild) == probe.address(parent)


def test_mixins_without_slots_cost_no_table(probe, new):
    parent = new("Parent", (), (A, 1))
    mixin, plain = new("Mixin"), type("Plain", (), {})
    assert probe.address(new("One", [mixin, parent])) == probe.address(parent)
    assert probe.address(new("Two", [plain, parent])) == probe.address(parent)
    assert probe.address(new("Three", [parent, plain, mixin])) == probe.address(parent)


def test_second_bases_slot_keeps_its_position_where_that_is_free(probe, new):
    left, right = new("Left", (), (A, 1)), new("Right", (), (SKIP, 0), (SKIP, 0), (B, 2))
    assert probe.table_type(new("Both", [left, right])) == [(A, 1), (SKIP, 0), (B, 2)]


def test_generated_static_type_with_several_bases(probe, new):
    top = probe.emitted("emitted.Top", None, (), [(A, 1)])
    mixin = new("Mixin", (), (B, 2))
    both = probe.emitted("emitted.Both", None, (top, mixin), [(C, 3)])
    assert both.__mro__ == (both, top, mixin, object)
    assert dict(probe.table_type(both)) == {A: 1, B: 2, C: 3}
    assert probe.find_position(both, A) == 0


def test_primary_base_is_the_one_with_the_layout_not_the_first_named(probe, new):
    """Its C code knows its positions; a mixin in front must not move them."""
    solid = new("Solid", (), (A, 1), (B, 2))
    solid = type(solid)("WithMember", (solid,), {"__slots__": ("x",)})
    mixin = new("Mixin", (), (C, 3), (D, 4))
    mixed = new("Mixed", [mixin, solid])
    assert mixed.__base__ is solid
    assert [probe.find_position(mixed, i) for i in (A, B)] == [0, 1]
    assert dict(probe.table_type(mixed)) == {A: 1, B: 2, C: 3, D: 4}


# ------------------------------------------------------------ against the rules --

IDS = [A, B, C, D, E]


@st.composite
def hierarchies(draw):
    """A list of (indices of bases, own slots); bases come before what derives."""
    result = []
    for index in range(draw(st.integers(1, 7))):
        bases = draw(st.lists(st.integers(0, index - 1), unique=True, max_size=3)
                     if index else st.just([]))
        ids = draw(st.lists(st.sampled_from([*IDS, SKIP]), max_size=4))
        ids = [i for n, i in enumerate(ids) if i == SKIP or i not in ids[:n]]
        result.append((bases, [(i, 0 if i == SKIP else draw(st.integers(1, 9))) for i in ids]))
    return result


@settings(deadline=None, max_examples=150)
@given(hierarchies())
def test_any_hierarchy_obeys_the_rules(probe, extensibletype, hierarchy):
    classes, own = [], {}
    for number, (bases, slots) in enumerate(hierarchy):
        bases = tuple(classes[i] for i in bases)
        try:
            cls = make(probe, extensibletype, f"H{number}", bases, *slots)
        except TypeError:                # no consistent MRO
            cls = make(probe, extensibletype, f"H{number}", bases[:1], *slots)
        own[cls] = {i: value for i, value in slots if i > SKIP}
        classes.append(cls)
    for cls in classes:
        above = {}
        for base in reversed(cls.__mro__[1:]):
            above.update(own.get(base, {}))
        expected = above | own[cls]
        unfinished = type.__new__(extensibletype, "Unfinished", cls.__bases__, {})
        assert {i: probe.find_type(unfinished, i) for i in IDS} == {i: above.get(i) for i in IDS}
        table = probe.table_type(cls)
        found = [(i, value) for i, value in table if i > SKIP]
        assert len(found) == len(dict(found)) and dict(found) == expected
        assert {i: probe.find_type(cls, i) for i in expected} == expected
        if cls.__base__ in own:
            for position, (i, _) in enumerate(probe.table_type(cls.__base__)):
                assert i <= SKIP or table[position][0] == i
        if not hierarchy[classes.index(cls)][1] and len(cls.__bases__) == 1 \
                and cls.__base__ in own:
            assert probe.address(cls) == probe.address(cls.__base__)
