# SPDX-License-Identifier: MIT
"""`C.__bases__ = ...`: slots and C fields follow, in the class and what derives from it."""
import pytest
import support
from support import A, B, C, D, slot_id, with_slots

pytestmark = pytest.mark.msvc


@pytest.fixture
def family(probe, extensibletype):
    """Two providers, a class below the first, and a line of subclasses below that."""
    class Family:
        one = with_slots(probe, extensibletype("One", (), {}), (A, 1), (B, 1))
        two = with_slots(probe, extensibletype("Two", (), {}), (B, 2), (C, 2))
        child = extensibletype("Child", (one,), {})
        own = with_slots(probe, extensibletype("Own", (child,), {}), (D, 4))
        leaf = extensibletype("Leaf", (own,), {})
        lines = (child, own, leaf)
    return Family


def tables(probe, *classes):
    return [dict(probe.table_type(cls)) for cls in classes]


def test_class_and_all_its_subclasses_follow(probe, family):
    family.child.__bases__ = (family.two,)
    assert tables(probe, *family.lines) == [{B: 2, C: 2}, {B: 2, C: 2, D: 4}, {B: 2, C: 2, D: 4}]
    bases = family.two, family.one
    family.child.__bases__ = bases
    assert family.child.__bases__ is bases
    assert tables(probe, *family.lines) == [{A: 1, B: 2, C: 2}, {A: 1, B: 2, C: 2, D: 4}, {A: 1, B: 2, C: 2, D: 4}]
    family.child.__bases__ = (family.one,)
    assert tables(probe, *family.lines) == [{A: 1, B: 1}, {A: 1, B: 1, D: 4}, {A: 1, B: 1, D: 4}]


@pytest.mark.parametrize("value", [
    lambda f: (), lambda f: (int,), lambda f: (5,), lambda f: None, lambda f: [f.two],
    lambda f: (f.leaf,), lambda f: (f.child,), lambda f: (f.two, f.two),
    lambda f: (object, f.two), lambda f: (bool,), lambda f: (f.two, f.two.__mro__[-1], f.one),
], ids=["empty", "other layout", "no type", "None", "list", "cycle", "itself", "twice",
        "inconsistent", "final", "object in front"])
def test_failed_assignment_changes_nothing(probe, family, value):
    before = [(probe.address(cls), probe.table_type(cls), cls.__mro__, cls.__bases__)
              for cls in family.lines]
    with pytest.raises((TypeError, ValueError)):
        family.child.__bases__ = value(family)
    assert before == [(probe.address(cls), probe.table_type(cls), cls.__mro__, cls.__bases__)
                      for cls in family.lines]
    assert family.child in type.__subclasses__(family.one)


def test_toggling_keeps_memory_flat(probe, family):
    """Replaced tables are kept for readers, but the same table is not kept twice."""
    child, one, two = family.child, (family.one,), (family.two,)
    for _ in range(10):
        child.__bases__ = two
        child.__bases__ = one
    blocks = [probe.retired(cls) for cls in family.lines]
    addresses = {probe.address(child)}
    for _ in range(2000):
        child.__bases__ = two
        child.__bases__ = one
        addresses.add(probe.address(child))
    assert [probe.retired(cls) for cls in family.lines] == blocks
    assert max(blocks) <= 4 and len(addresses) <= 2


def test_replaced_table_is_never_shorter_in_memory(probe, extensibletype):
    """A reader may hold the old count and then load the new table."""
    long = with_slots(probe, extensibletype("Long", (), {}), *[(slot_id(300 + i), i) for i in range(40)])
    short = with_slots(probe, extensibletype("Short", (), {}), (A, 1))
    child = extensibletype("Child", (long,), {})
    child.__bases__ = (short,)
    assert probe.table_type(child) == [(A, 1)] and probe.capacity(child) >= 40
    for slots in [], [(B, 1)]:
        probe.set_slots(long, slots)
        assert probe.table_type(long) == slots and probe.capacity(long) >= 40


def test_replaced_table_stays_readable_as_long_as_the_type_lives():
    support.check_child("""
        import ctypes, gc
        from probe import *
        E = import_metaclass()
        one, two = E("One", (), {}), E("Two", (), {})
        set_slots(one, [(257, 1)]); set_slots(two, [(513, 2)])
        child, shared = E("Child", (one,), {}), E("Shared", (one,), {})
        set_slots(child, [(769, 3)])
        own, table = address(child), address(shared)
        assert table == address(one)
        def read():             # PYTHONMALLOC=debug scribbles over freed memory
            size = constants()["slot_size"]
            return ctypes.string_at(own, 2 * size), ctypes.string_at(table, size)
        before = read()
        for i in range(50):
            child.__bases__ = (two,)
            set_slots(child, [(1025 + 256 * i, i)])
            child.__bases__ = (one,)
            gc.collect()
            assert read() == before
        shared.__bases__ = child.__bases__ = (two,)
        set_slots(one, [])
        one = None; gc.collect()
        assert read() == before              # one of them shared with a class that is gone
        """, modules=[support.probe_path()], env={"PYTHONMALLOC": "debug"})


def test_fields_follow_like_slots_where_they_were_inherited(probe):
    """An own value stays, an inherited one is that of the new bases."""
    meta = probe.metaclasses()[0]
    one, two = meta("One", (), {}), meta("Two", (), {})
    probe.set_fields(one, 1, b"one")
    probe.set_fields(two, 2, b"two")
    child = type("Child", (one,), {})
    own = type("Own", (child,), {})
    probe.set_fields(own, 9, b"own")
    other = type("Other", (child,), {})
    child.__bases__ = (two,)
    assert [probe.number(c) for c in (child, other, own)] == [2, 2, 9] and probe.text(other) == b"two"
    own.__bases__ = (two,)
    assert probe.number(own) == 9


def test_a_class_without_the_memory_cannot_get_a_base_with_c_fields(probe, extensibletype):
    number_meta = probe.metaclasses()[0]
    greet = number_meta("Greet", (), {})
    probe.set_fields(greet, 5, b"five")
    between = type("Between", (greet,), {})
    other = extensibletype("Other", (extensibletype("Base", (), {}),), {})
    before = other.__bases__
    with pytest.raises(TypeError, match="'Other' .metaclass .* has no memory"):
        other.__bases__ = (between,)
    assert other.__bases__ == before


def test_going_round_the_setter_leaves_a_stale_but_valid_table_and_defaults(probe, family):
    """A documented limit."""
    number_meta, other = probe.metaclasses()[0], family.child
    greet = with_slots(probe, number_meta("Greet", (), {}), (C, 2))
    probe.set_fields(greet, 5, b"five")
    type.__dict__["__bases__"].__set__(other, (greet,))
    assert other.__mro__[1] is greet and probe.table_type(other) == [(A, 1), (B, 1)]
    with pytest.raises(TypeError, match="has no memory"):
        probe.number(other)
    below = probe.number(number_meta("Below", (other,), {}))
    assert below == 5 or support.FREE_THREADED      # there nobody looks behind `other`
