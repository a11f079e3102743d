# SPDX-License-Identifier: MIT
"""Many classes, deep lines, wide tables; and all of it goes away again."""
import pytest
import support
from changing_classes import run_together
from support import A, B, slot_id, with_slots


@pytest.mark.usefixtures("mortal_classes")
def test_ten_thousand_classes(probe, extensibletype, collected):
    base = with_slots(probe, extensibletype("Base", (), {}), (A, 1))
    classes = [extensibletype(f"C{i}", (base,), {}) for i in range(10_000)]
    assert {probe.address(cls) for cls in classes} == {probe.address(base)}
    probe.set_slots(base, [(A, 2), (B, 3)])
    assert all(probe.find_type(cls, B) == 3 for cls in classes)
    assert {probe.table_type(cls) == [(A, 2), (B, 3)] for cls in classes} == {True}
    del classes
    collected()
    assert type.__subclasses__(base) == []


@pytest.mark.usefixtures("switch_often")
def test_ten_thousand_registered_types_and_names_and_a_thousand_ids_on_one_from_four_threads(probe, collected):
    collected()
    before = probe.table_state()
    ids = [slot_id(0x10000 + i) for i in range(1000)]
    one, kept = [type("One", (), {})], [[] for _ in range(4)]

    def work(part):
        for i in range(part, 10_000, 4):
            number = probe.intern(b"scale.%d" % i)
            cls = type(f"C{i}", (one[0],), {})
            probe.register_slot(cls, number, i)
            if i < 1000:
                probe.register_slot(one[0], ids[i], i)
            assert probe.find_any_type(type("Sub", (cls,), {}), number) == i
            assert probe.find_any_type(cls, ids[i % 1000]) == i % 1000
            if i % 3:
                kept[part].append((cls, number, i))         # the other ones die

    run_together(*[lambda part=part: work(part) for part in range(4)])
    collected()
    state = probe.table_state()
    alive = 10_000 if support.THREADS_MAKE_IMMORTAL else sum(map(len, kept))
    assert state["count"] - before["count"] == 1000 + alive and 4 * state["used"] <= state["cells"]
    for part in kept:
        assert all(probe.find_any_type(cls, number) == i for cls, number, i in part)
        assert all(probe.find_any_type(part[0][0], number) == i for i, number in enumerate(ids))
        assert probe.find_any_type(part[0][0], part[1][1]) is None
    del part, kept[:], one[:]
    collected()
    assert probe.table_state()["count"] - before["count"] == (11_000 if support.THREADS_MAKE_IMMORTAL else 0)


def test_two_hundred_levels(probe, extensibletype):
    number_meta = probe.metaclasses()[0]
    cls = first = number_meta("L0", (), {})
    probe.set_fields(first, 7, b"deep")
    probe.set_slots(first, [(A, 1)])
    line = [cls]
    for level in range(1, 200):
        cls = (number_meta if level % 2 else type)(f"L{level}", (cls,), {})
        line.append(cls)
    assert len(cls.__mro__) == 201
    assert (probe.number(cls), probe.find(cls(), A)) == (7, 1)
    assert probe.address(cls) == probe.address(first)
    other = with_slots(probe, number_meta("Other", (), {}), (B, 2))
    line[1].__bases__ = (other,)
    assert dict(probe.table_type(cls)) == {B: 2}
    line[1].__bases__ = (first, other)
    assert dict(probe.table_type(cls)) == {A: 1, B: 2}
