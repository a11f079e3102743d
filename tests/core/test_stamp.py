# SPDX-License-Identifier: MIT
"""A finished class is recognised by a stamp in the upper half of its tp_flags.

CPython may overwrite it, and then the rest of the test answers: so nobody can be told anything
else because a stamp is there or not.
"""
import abc
import collections.abc
import ctypes
import struct
import sys

import pytest
import support
from support import A, B, C, stamp_place, static_type, with_slots, write_stamp

STAMPS = struct.calcsize("L") == 8 and not support.PYPY and (3, 10) <= sys.version_info < (3, 16)
needs_stamps = pytest.mark.skipif(not STAMPS, reason="this Python has no room for stamps")


def stamp(cls):
    return cls.__flags__ >> 32


def expected(cls):
    return id(cls) + 0x5E92050B & 0xFFFFFFFF        # 05: the table ABI


def answers(probe, cls):
    return (probe.check_type(cls), probe.count_type(cls), probe.table_type(cls),
            [probe.find_type(cls, slot, place) for slot in (A, B, C) for place in (0, 1, 7, -1)],
            probe.find_any_type(cls, A))


@pytest.fixture
def classes(probe, extensibletype):
    static = static_type(probe, "Static", (), [(A, 1)])
    cls = with_slots(probe, extensibletype("Cls", (), {}), (A, 2), (B, 3))
    return [static, cls, extensibletype("Empty", (), {}), type("Sub", (static,), {}),
            type("Both", (cls, static), {"__slots__": ()}), probe.metaclasses()[0]("Fields", (), {})]


@needs_stamps
def test_every_finished_class_has_its_own(probe, classes, extensibletype):
    unfinished = [type.__new__(extensibletype, "Bare", (classes[0],), {})]
    if sys.version_info >= (3, 12):
        unfinished.append(probe.from_spec("stamps.Spec", (classes[0],), None))
    for cls in unfinished:
        assert stamp(cls) == 0
        probe.finish(cls)
    for cls in classes + unfinished:
        assert stamp(cls) == expected(cls), cls


def test_no_other_class_has_one(probe, classes, extensibletype):
    foreign = probe.foreign_static("stamps.Foreign", (classes[0],))
    others = [extensibletype, type(extensibletype), probe.metaclasses()[0], int, type, object,
              type("Plain", (), {}), foreign]
    assert [stamp(cls) for cls in others] == [0] * len(others)
    assert probe.find_type(foreign, A) == 1


@needs_stamps
def test_a_lost_or_foreign_stamp_changes_no_answer(probe, classes, extensibletype):
    plain, bare = type("Plain", (), {}), type.__new__(extensibletype, "Bare", (classes[0],), {})
    abstract = abc.ABCMeta("Abstract", (), {})
    for cls in [*classes, plain, abstract, bare]:
        before = answers(probe, cls)
        own = expected(cls)
        for value in {0, 1, 0xFFFFFFFF, own ^ 1, own ^ 1 << 31, *map(expected, classes)} - {own}:
            write_stamp(cls, value)
            assert answers(probe, cls) == before, (cls, hex(value))
        write_stamp(cls, 0)


def test_a_copy_of_a_type_object_is_not_taken_for_the_original(probe, classes):
    """The stamp and etp_check hold the type's own address."""
    for cls in classes:
        size = type(cls).__basicsize__
        copy = ctypes.create_string_buffer(ctypes.string_at(id(cls), size), size + 64)
        assert not STAMPS or ctypes.c_uint32.from_buffer(copy, stamp_place()).value == expected(cls)
        assert not probe.check_type(ctypes.cast(copy, ctypes.py_object).value), cls


def test_what_cpython_does_to_flags_keeps_answers_right(probe, extensibletype):
    base = with_slots(probe, extensibletype("Base", (), {}), (A, 1))
    sub = type("Sub", (base,), {})
    for step, parent in enumerate([collections.abc.Sequence, collections.abc.Sized]):
        parent.register(base)                           # is a flag of both,
        base.attribute = sub.attribute = step           # takes version tags away,
        assert base.attribute == sub.attribute          # gives them again
        sub.__abstractmethods__ = ["method"][step:]
        for cls in base, sub:
            assert stamp(cls) in (0, expected(cls)) and probe.find_type(cls, A) == 1


@needs_stamps
def test_new_slots_and_bases_keep_it(probe, classes, extensibletype):
    cls = extensibletype("Cls", (), {})
    sub = type("Sub", (cls,), {})
    probe.set_slots(cls, [(A, 7), (B, 8), (C, 9)])
    assert answers(probe, sub)[1] == 3
    sub.__bases__ = (classes[1],)
    assert [stamp(each) for each in (cls, sub)] == [expected(cls), expected(sub)]
    assert probe.find_type(sub, A) == 2 and probe.find_type(sub, C) is None
    write_stamp(sub, 0)
    probe.set_slots(sub, [(C, 5)])
    assert stamp(sub) == expected(sub) and probe.find_type(sub, C) == 5


def test_a_class_in_the_memory_of_a_dead_one_has_none_of_its_stamp(probe, extensibletype):
    support.need_mortal_classes()
    support.check_child("""
        import gc, sys
        from probe import *
        extensibletype, reused = import_metaclass(), 0
        base = extensibletype("Base", (), {})
        set_slots(base, [(257, 1)])
        for _ in range(300):
            dead = id(extensibletype("Dead", (base,), {}))
            gc.collect(0)
            made = [type.__new__(extensibletype, "Unfinished", (), {}) for _ in range(8)]       # of the same size
            reused += dead in map(id, made)
            assert not any(cls.__flags__ >> 32 or find_type(cls, 257) for cls in made)
            del made
            gc.collect(0)
        assert reused or sys.argv[1] == "True", "no address was used twice: this shows nothing"
        """, support.SANITIZE, modules=[support.probe_path()])       # the sanitizer keeps freed memory away from others
