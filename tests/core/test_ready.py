# SPDX-License-Identifier: MIT
"""PyExtensibleType_Ready(): static types, as SEP 200 has them."""
import abc

import pytest
from support import EMPTY, SKIP, A, B, C, D, static_type


@pytest.fixture(scope="module")
def parent(probe):
    return static_type(probe, "Parent", (), [(A, 1), (B, 2)])


def draft(probe, name, bases=(), slots=(), room=0, metaclass=None):
    return probe.draft(f"draft.{name}", tuple(bases), slots if slots is None else list(slots), room, metaclass)


def refused(probe, number, size, error, message):
    """The draft is refused with this message, and nothing of it has changed."""
    before = probe.draft_bytes(number)
    with pytest.raises(error, match=message):
        probe.draft_ready(number, size)
    assert probe.draft_bytes(number) == before


def test_static_type_becomes_a_provider_with_the_shared_metaclass(probe, extensibletype):
    cls = static_type(probe, "First", (), [(A, 1)])
    assert type(cls) is extensibletype
    assert probe.state(cls) == "ready" and probe.find(cls(), A) == 1
    with pytest.raises(TypeError, match="immutable"):
        cls.attribute = 1


def test_given_array_is_patched_with_the_inherited_slots(probe, parent):
    number = draft(probe, "Patched", [parent], [(A, 10), (C, 3)], room=6)
    cls = probe.draft_ready(number, 6)
    assert probe.draft_array(number, 6) == [(A, 10), (B, 2), (C, 3), (EMPTY, 0), (EMPTY, 0), (EMPTY, 0)]
    assert probe.table_type(cls) == probe.draft_array(number, 3)


def test_table_that_does_not_fit_is_refused_naming_both_numbers_and_then_usable(probe, parent):
    number = draft(probe, "TooSmall", [parent], [(C, 3), (D, 4)], room=3)
    refused(probe, number, 3, ValueError, r"draft\.TooSmall.*has 4 entries.*room for 3")
    assert probe.draft_array(number, 3) == [(C, 3), (D, 4), (EMPTY, 0)]
    assert not any(sub.__name__ == "TooSmall" for sub in type.__subclasses__(parent))
    probe.draft_change(number, [(C, 3), (D, 4)], 4)
    cls = probe.draft_ready(number, 4)
    assert probe.table_type(cls) == [(A, 1), (B, 2), (C, 3), (D, 4)]
    assert cls in type.__subclasses__(parent) and cls.__mro__ == (cls, parent, object)


@pytest.mark.parametrize("slots, size, message", [
    ([(A, 1), (B, 2), (A, 3)], 5, "at position 0 and again at 2"),
    ([(B, 2), (B, 2)], 5, "at position 0 and again at 1"),
    ([(A, 1), (EMPTY, 5)], 5, "position 1 has ID 0, which is reserved for empty"),
    ([(SKIP, 5), (A, 1)], 5, "position 0 has ID 1, which is reserved for skipped"),
    ([(A, 1), (B, 2)], 1, "room for 1 slots, but .* is 2"), ([(A, 1), (B, 2)], -5, "room for -5 slots, but .* is 2"),
], ids=["twice", "same twice", "data under EMPTY", "data under SKIP", "small", "negative"])
def test_bad_table_is_refused_and_the_corrected_one_accepted(probe, slots, size, message):
    number = draft(probe, "Bad", (), slots, room=5)
    refused(probe, number, size, ValueError, message)
    assert probe.draft_array(number, len(slots)) == slots
    probe.draft_change(number, [(A, 1)], 5)
    assert probe.table_type(probe.draft_ready(number, 5)) == [(A, 1)]


def test_subclass_without_an_array_shares_its_bases_table(probe, parent):
    cls = probe.draft_ready(draft(probe, "NoArray", [parent], None), 0)
    assert probe.address(cls) == probe.address(parent) and probe.find(cls(), B) == 2
    assert probe.table_type(probe.draft_ready(draft(probe, "NoSlots", (), None), 0)) == []


def test_second_call_does_nothing_and_neither_does_writing_to_the_array(probe, parent):
    """What is published is a copy: readers take no lock."""
    number = draft(probe, "Twice", [parent], [(C, 3)], room=4)
    cls = probe.draft_ready(number, 4)
    before, address = probe.draft_bytes(number)[64:], probe.address(cls)
    assert probe.draft_ready(number, 4) is cls
    assert probe.draft_ready(number, 0) is cls       # also where it would not fit now
    assert probe.draft_bytes(number)[64:] == before and probe.address(cls) == address
    probe.draft_change(number, None, 0)        # the type's own words, as a program might
    assert probe.draft_ready(number, 4) is cls and probe.state(cls) == "ready" and probe.find_type(cls, C) == 3
    probe.draft_change(number, [(C, 3)], 1)    # a module that is imported again fills its array in again
    assert probe.draft_ready(number, 1) is cls and probe.count_type(cls) == 3
    assert [probe.find_type(cls, number) for number in (A, B, C, D)] == [1, 2, 3, None]
    assert probe.table_type(type("Below", (cls,), {})) == probe.table_type(cls)


def test_conflict_with_the_bases_metaclass_names_both(probe, extensibletype):
    class Abstract(metaclass=abc.ABCMeta): pass
    number = draft(probe, "Conflict", [Abstract], [(A, 1)], room=4)
    refused(probe, number, 4, TypeError,
            rf"'_extensibletype\.{extensibletype.__name__}' is wanted, but base 'Abstract' has "
            r"metaclass '(abc\.)?ABCMeta'")


def test_base_on_the_heap_is_refused_as_cpython_does_and_nothing_changes(probe, extensibletype, collected):
    """PyType_Ready() fails half-way; the collector visits what it left behind."""
    class Heap(metaclass=extensibletype): pass
    number = draft(probe, "OnHeap", [Heap], [(A, 1)], room=4)
    words = slice(-4 * 8, None)
    before = probe.draft_bytes(number)
    with pytest.raises(TypeError, match="not dynamically allocated but its base type"):
        probe.draft_ready(number, 4)
    after = probe.draft_bytes(number)
    assert after[words] == before[words]       # count, table, check and private word
    assert probe.draft_array(number, 1) == [(A, 1)]
    collected()


def test_base_whose_metaclass_has_fields_needs_a_type_object_with_room(probe):
    number_meta, _, _ = probe.metaclasses()
    base = probe.emitted("emitted.Fields", number_meta, (), [(A, 1)])
    number = draft(probe, "NoRoom", [base], [(B, 2)], room=4)
    sizes = (number_meta.__basicsize__, probe.constants()["type_size"])
    refused(probe, number, 4, TypeError, "metaclass 'probe.NumberMeta'.*{}.*{}.*set its ob_type".format(*sizes))
    fitting = draft(probe, "Room", [base], [(B, 2)], room=4, metaclass=number_meta)
    cls = probe.draft_ready(fitting, 4)
    assert type(cls) is number_meta and dict(probe.table_type(cls)) == {A: 1, B: 2}


def test_fields_of_a_static_base_are_inherited_by_a_static_type(probe):
    base = probe.ready_with_fields("ready.Base", (), 7, b"seven")
    number_meta = type(base)
    cls = probe.draft_ready(draft(probe, "Heir", [base], (), metaclass=number_meta), 0)
    assert (probe.number(cls), probe.text(cls)) == (7, b"seven")
    own = probe.ready_with_fields("ready.Own", (base,), 8, b"eight")
    assert (probe.number(own), probe.text(own)) == (8, b"eight")


def test_metaclass_of_a_generated_type_is_that_of_its_bases_or_a_conflict_that_names_both_sides(probe):
    number_meta, real_meta, other_meta = probe.metaclasses()
    base = probe.emitted("emitted.Clash", number_meta, (), [])
    heir = probe.emitted("emitted.Real", real_meta, (base,), [])
    assert probe.calculate_metaclass(None, (base,)) is number_meta
    assert probe.calculate_metaclass(number_meta, (heir,)) is real_meta
    assert probe.calculate_metaclass(None, ()) is probe.import_metaclass()
    with pytest.raises(TypeError, match="'probe.OtherMeta' is wanted, but base 'emitted.Clash' "
                                        "has metaclass 'probe.NumberMeta'"):
        probe.calculate_metaclass(other_meta, (base,))
    with pytest.raises(TypeError, match="'ABCMeta' does not derive from"):
        probe.calculate_metaclass(abc.ABCMeta, ())
