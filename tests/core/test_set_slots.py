# SPDX-License-Identifier: MIT
"""PyExtensibleType_SetSlots(): slots for types that are finished."""
import re

import pytest
from support import A, B, C, static_type


@pytest.fixture
def cls(probe, extensibletype):
    return extensibletype("Cls", (), {})


def test_slots_are_given_replaced_and_taken_away(probe, cls):
    assert probe.table_type(cls) == []
    probe.set_slots(cls, [(A, 1)])
    assert probe.table_type(cls) == [(A, 1)]
    probe.set_slots(cls, [(B, 2), (C, 3)])
    assert probe.table_type(cls) == [(B, 2), (C, 3)]
    probe.set_slots(cls, [])
    assert probe.table_type(cls) == [] and probe.check_type(cls)


def test_bad_table_is_refused_and_changes_nothing(probe, extensibletype, cls):
    """test_ready.py has all that makes one bad."""
    probe.set_slots(cls, [(C, 3)])
    sub = extensibletype("Sub", (cls,), {})
    before = [probe.address(cls), probe.address(sub)]
    with pytest.raises(ValueError, match="Cls.*at position 0 and again at 1"):
        probe.set_slots(cls, [(A, 1), (A, 2)])
    assert [probe.address(cls), probe.address(sub)] == before
    assert probe.table_type(sub) == [(C, 3)]


def test_type_without_the_metaclass_is_refused_by_name(probe, extensibletype):
    shared = re.escape(f"_extensibletype.{extensibletype.__name__}")
    for plain, name in (int, "int"), (type("Plain", (), {}), "Plain"), (extensibletype, shared):
        with pytest.raises(TypeError, match=f"'{name}': found .* metaclass '.*type.*'.*expected a finished type whose "
                                            f"metaclass derives from {shared}"):
            probe.set_slots(plain, [(A, 1)])


def test_static_type_of_somebody_else_is_refused(probe):
    base = static_type(probe, "SetBase", (), [(A, 1)])
    foreign = probe.foreign_static("foreign.SetSub", (base,))
    with pytest.raises(TypeError, match="static and was made without this library"):
        probe.set_slots(foreign, [(B, 1)])
    assert probe.table_type(foreign) == [(A, 1)]


def test_same_slots_again_keep_the_table_and_switching_to_and_fro_keeps_memory_flat(probe, cls):
    probe.set_slots(cls, [(A, 1)])
    before = probe.address(cls)
    probe.set_slots(cls, [(A, 1)])
    assert probe.address(cls) == before and probe.retired(cls) == 0
    for _ in range(2000):
        probe.set_slots(cls, [(A, 1)])
        probe.set_slots(cls, [(B, 1)])
    assert probe.retired(cls) <= 2
