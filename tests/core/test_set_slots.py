# SPDX-License-Identifier: MIT
"""PyExtensibleType_SetSlots(): slots for types that are finished."""
import re

import pytest
from support import EMPTY, SKIP, A, B, C, static_type


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


@pytest.mark.parametrize("slots, claimed, message", [
    ([(A, 1), (A, 2)], None, "Cls.*at position 0 and again at 1"),
    ([(EMPTY, 3)], None, "Cls.*position 0 has ID 0"),
    ([(B, 1), (SKIP, 3)], None, "Cls.*position 1 has ID 1"),
    ([(A, 1)], -1, "Cls.*found -1 slots"),
], ids=["twice", "EMPTY", "SKIP", "negative"])
def test_bad_table_is_refused_and_changes_nothing(probe, extensibletype, cls, slots, claimed, message):
    probe.set_slots(cls, [(C, 3)])
    sub = extensibletype("Sub", (cls,), {})
    before = [probe.address(cls), probe.address(sub)]
    with pytest.raises(ValueError, match=message):
        probe.set_slots(cls, slots, *[] if claimed is None else [claimed])
    assert [probe.address(cls), probe.address(sub)] == before
    assert probe.table_type(sub) == [(C, 3)]


@pytest.mark.parametrize("plain", [int, object, type, type("Plain", (), {})],
                         ids=lambda cls: cls.__name__)
def test_type_without_the_metaclass_is_refused_by_name(probe, extensibletype, plain):
    with pytest.raises(TypeError, match=f"'{plain.__name__}': found .* metaclass 'type'.*expected "
                                        "a finished type whose metaclass derives from "
                                        rf"_extensibletype\.{extensibletype.__name__}"):
        probe.set_slots(plain, [(A, 1)])


def test_metaclass_itself_is_refused(probe, extensibletype):
    with pytest.raises(TypeError, match=re.escape(f"'_extensibletype.{extensibletype.__name__}'")):
        probe.set_slots(extensibletype, [(A, 1)])


def test_static_type_of_somebody_else_is_refused(probe):
    base = static_type(probe, "SetBase", (), [(A, 1)])
    foreign = probe.foreign_static("foreign.SetSub", (base,))
    with pytest.raises(TypeError, match="static and was made without this library"):
        probe.set_slots(foreign, [(B, 1)])
    assert probe.table_type(foreign) == [(A, 1)]


def test_same_slots_again_keep_the_table(probe, cls):
    probe.set_slots(cls, [(A, 1)])
    before = probe.address(cls)
    probe.set_slots(cls, [(A, 1)])
    assert probe.address(cls) == before and probe.retired(cls) == 0


def test_switching_to_and_fro_keeps_memory_flat(probe, cls):
    for _ in range(2000):
        probe.set_slots(cls, [(A, 1)])
        probe.set_slots(cls, [(B, 1)])
    assert probe.retired(cls) <= 2
