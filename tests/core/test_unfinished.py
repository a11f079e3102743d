# SPDX-License-Identifier: MIT
"""Look-ups in a class that is not finished are exact: what its MRO declares, wherever it stands.

Unfinished is a class inside its own __init_subclass__, if type(name, bases, ns) makes it, and
for good one of type.__new__(Meta, ...) or, by somebody who knows nothing of us, of
PyType_FromMetaclass().
"""
import sys

import pytest
import support
from cython_customslots import table
from hypothesis import given, settings
from hypothesis import strategies as st
from support import A, B, C, with_slots


def unfinished(metaclass, *bases):
    return type.__new__(metaclass, "Unfinished", bases, {})


def foreign(probe, *bases):
    """As a library makes classes that has never heard of extensibletype."""
    if sys.version_info < (3, 12):
        pytest.skip("before CPython 3.12 PyType_FromSpec() makes classes without the metaclass")
    return probe.from_spec("foreign.Cls", bases, None)


@pytest.fixture
def behind(probe, extensibletype):
    """T(C, D) finds D's slot, although C, in front, has another one from its second base."""
    root = extensibletype("Root", (), {})
    a = type("A", (root,), {})
    b = with_slots(probe, type("B", (root,), {}), (A, 1))
    return type("C", (a, b), {}), with_slots(probe, type("D", (b,), {}), (A, 9))


@pytest.fixture
def equal(probe, extensibletype):
    """A declares what its base has, too; B, behind it, something else."""
    root = with_slots(probe, extensibletype("Root", (), {}), (A, 1))
    return (with_slots(probe, type("A", (root,), {}), (A, 1)),
            with_slots(probe, type("B", (root,), {}), (A, 2)))


@pytest.mark.parametrize("bases, expected", [("behind", 9), ("equal", 1)])
def test_the_nearest_declaration_counts_in_every_unfinished_class(probe, extensibletype, request,
                                                                  bases, expected):
    bases = request.getfixturevalue(bases)
    cls = unfinished(extensibletype, *bases)
    assert probe.state(cls) == "unfinished"
    for position in 0, 1, 7, -1:
        assert probe.find_type(cls, A, position) == expected
    assert probe.find(cls(), A) == expected and probe.find_type(cls, B) is None
    assert table(cls) == [(0, A, expected)]             # which finishes it
    assert probe.state(cls) == "ready" and probe.find_type(cls, A) == expected


@pytest.mark.parametrize("bases, expected", [("behind", 9), ("equal", 1)])
def test_it_counts_inside_init_subclass(probe, request, bases, expected):
    bases = request.getfixturevalue(bases)
    seen = []
    bases[0].__init_subclass__ = classmethod(lambda cls: seen.append(probe.find_type(cls, A)))
    type("T", bases, {})
    type(bases[0])("T", bases, {})
    assert seen == [expected] * 2


@pytest.mark.parametrize("bases, expected", [("behind", 9), ("equal", 1)])
def test_it_counts_in_classes_of_people_who_know_nothing_of_us(probe, request, bases, expected):
    cls = foreign(probe, *request.getfixturevalue(bases))
    assert probe.state(cls) == "unfinished" and probe.find_type(cls, A) == expected
    sub = type.__new__(type(cls), "Sub", (cls,), {})
    assert probe.find_type(sub, A) == expected
    probe.finish(sub)
    assert [probe.find_type(c, A) for c in (cls, sub)] == [expected] * 2


def test_what_a_class_declared_before_it_got_other_slots_does_not_count(probe, extensibletype):
    one = with_slots(probe, extensibletype("One", (), {}), (A, 1), (B, 2))
    two = with_slots(probe, extensibletype("Two", (), {}), (B, 20), (C, 30))
    cls = unfinished(extensibletype, one, two)
    for slots in ((A, 3),), ((C, 4), (A, 5)), ():
        probe.set_slots(one, list(slots))
        probe.set_slots(two, [(B, 20), (C, 30)])
        fresh = unfinished(extensibletype, one, two)
        expected = {B: 20, C: 30, **dict(slots)}
        for checked in cls, fresh:
            assert {i: probe.find_type(checked, i) for i in (A, B, C)} == {
                i: expected.get(i) for i in (A, B, C)}


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
        cls = unfinished(extensibletype, fresh, sharing)
        assert probe.find_type(cls, A) is None and probe.find_type(sharing, A) is None


#: A class of a hierarchy: numbers of its bases, and its own slots.
CLASS = st.tuples(st.lists(st.integers(0, 9), max_size=3, unique=True),
                  st.lists(st.tuples(st.sampled_from([A, B, C]), st.integers(1, 4)), max_size=3,
                           unique_by=lambda slot: slot[0]))


@settings(max_examples=300, deadline=None)
@given(st.lists(CLASS, min_size=1, max_size=9), st.lists(st.integers(0, 9), min_size=1, max_size=3,
                                                         unique=True), st.booleans())
def test_random_hierarchies_answer_unfinished_as_they_do_finished(classes, last, slotless):
    probe = support.probe()
    metaclass = probe.import_metaclass()
    made = []
    for bases, slots in classes:
        chosen = tuple(made[i] for i in bases if i < len(made))
        try:
            cls = metaclass("Cls", chosen, {})
        except TypeError:                                # no consistent MRO
            cls = metaclass("Cls", (), {})
        if slots or not slotless:
            probe.set_slots(cls, slots)
        made.append(cls)
    try:
        cls = unfinished(metaclass, *(made[i] for i in last if i < len(made)))
    except TypeError:
        return
    before = {i: probe.find_type(cls, i) for i in (A, B, C)}
    probe.finish(cls)
    assert before == {i: probe.find_type(cls, i) for i in (A, B, C)}


# ------------------------------------------------------------- a metaclass with mro() --

@pytest.fixture
def levels(probe):
    """RichMeta, and A(level 1), B(level 2) and P(A, B) of it, which have slots, too."""
    rich = probe.rich_metaclasses()[0]
    a = with_slots(probe, rich("A", (), {"level": 1, "label": "a", "box": 1}), (A, 1))
    b = with_slots(probe, rich("B", (), {"level": 2, "label": "b", "box": 2}), (A, 2), (B, 20))
    return rich, a, b, rich("P", (a, b), {})


def ordered(rich, order, before=lambda: None):
    """A metaclass whose classes have this MRO behind them."""
    class Ordered(rich):
        def mro(cls):
            before()
            return [cls, *order, object]
    return Ordered


def values(probe, cls):
    return (cls.level, cls.label, cls.box, probe.raw(cls)[0], probe.find_type(cls, A),
            dict(probe.table_type(cls)))


B_FIRST = (2, "b", 2, 2, 2, {A: 2, B: 20})


def test_fields_and_slots_follow_the_mro_of_a_metaclass_with_its_own(probe, levels):
    rich, a, b, p = levels
    assert values(probe, ordered(rich, [b, a])("T", (a, b), {})) == B_FIRST
    assert values(probe, ordered(rich, [p, b, a])("S", (p,), {})) == B_FIRST
    assert values(probe, type("T", (ordered(rich, [b, a])("R", (a, b), {}),), {})) == B_FIRST
    assert values(probe, ordered(rich, [b])("Less", (a, b), {})) == B_FIRST


def test_a_class_without_bases_inherits_by_such_an_mro_too(probe, levels):
    rich, a, b, _ = levels
    assert values(probe, ordered(rich, [b, a])("Rootless", (), {})) == B_FIRST
    own = ordered(rich, [b, a])("Rootless", (), {"level": 7})
    assert (own.level, own.box) == (7, 2)


def test_values_of_the_body_stay_under_such_an_mro(probe, levels):
    rich, a, b, _ = levels
    cls = ordered(rich, [b, a])("T", (a, b), {"level": 7, "label": "own"}, box=77)
    assert values(probe, cls)[:4] == (7, "own", 77, 7)
    b.level = b.box = 5
    assert values(probe, cls)[:4] == (7, "own", 77, 7)
    del cls.level, cls.box
    assert (cls.level, cls.box) == (5, 5)


def test_look_ups_inside_init_subclass_go_by_such_an_mro(probe, levels):
    rich, a, b, _ = levels
    seen = []
    a.__init_subclass__ = classmethod(
        lambda cls: seen.append((probe.state(cls), probe.find_type(cls, A))))
    for make in ordered(rich, [b, a]), lambda *args: type("T", (unrelated,), {}):
        make("T", (a, b), {})
        unrelated = ordered(rich, [b, a])("R", (a, b), {})
    assert seen[0] == ("unfinished", 2) and {found for _, found in seen} == {2}


def test_a_parent_that_changes_inside_mro_is_seen(probe, levels):
    rich, a, b, _ = levels

    def change():
        probe.set_slots(b, [(A, 5)])
        b.level, b.box = 50, 500
    seen = []
    a.__init_subclass__ = classmethod(
        lambda cls: seen.append((probe.find_type(cls, A), cls.level, cls.box)))
    cls = ordered(rich, [b, a], change)("T", (a, b), {})
    assert seen == [(5, 50, 500)]
    assert values(probe, cls)[:5] == (50, "b", 500, 50, 5)


def test_a_class_follows_bases_that_are_assigned_under_such_an_mro(probe, levels):
    rich, a, b, p = levels
    cls = ordered(rich, [b, a])("T", (p,), {})
    sub = type("Sub", (cls,), {})
    cls.__bases__ = (a, b)
    for checked in cls, sub:
        assert values(probe, checked) == B_FIRST


def test_static_types_have_slots_by_the_mro_of_their_metaclass(probe, extensibletype):
    one = support.static_type(probe, "One", (), [(A, 1)])
    two = support.static_type(probe, "Two", (), [(A, 2), (B, 20)])
    metaclass = ordered(extensibletype, [two, one])
    cls = support.static_type(probe, "Both", (one, two), [(C, 3)], metaclass=metaclass)
    assert dict(probe.table_type(cls)) == {A: 2, B: 20, C: 3}
    emitted = probe.emitted("emitted.Both", metaclass, (one, two), [(C, 3)])
    assert dict(probe.table_type(emitted)) == {A: 2, B: 20, C: 3}
