# SPDX-License-Identifier: MIT
"""Functions for languages that cannot use the headers: called through the table, by ctypes."""
import ctypes
import weakref

import pytest
import support
from foreign_api import HEAD, NULL, W, as_class, call, fill, find, function, slot_id, slots, table

A, B, C = slot_id(0xF1), slot_id(0xF2), slot_id(0xF3)


@pytest.fixture
def cls():
    return call("new_class", NULL, b"somewhere", b"Shape", NULL, *slots((A, 1), (B, 2)))


def test_readers_need_no_gil(cls):
    find, count, entries = (function(name, holding_gil=False) for name in ("find", "slot_count", "slot_table"))
    assert (find(cls, A, 0).contents.data, count(cls), entries(cls)[1].id) == (1, 2, B)


# ------------------------------------------------------------------------------ new classes

def test_a_new_class_is_like_that_of_a_class_statement(cls):
    namespace = {"__name__": "somewhere", "Base": cls}
    exec("class Shape(metaclass=type(Base)): pass", namespace)
    stated = namespace["Shape"]
    for name in "__name__", "__qualname__", "__module__", "__bases__", "__doc__", "__basicsize__", \
            "__dictoffset__", "__weakrefoffset__":
        assert getattr(cls, name) == getattr(stated, name), name
    assert not (cls.__flags__ ^ stated.__flags__) & 0xFFFFFFFF      # the stamps differ
    assert type(cls) is type(stated) and type(cls).__base__ is type
    ignored = {"__static_attributes__", "__firstlineno__"}      # of the statement's own text
    assert set(vars(cls)) == set(vars(stated)) - ignored
    instance = cls()
    instance.attribute = 1
    assert repr(cls) == "<class 'somewhere.Shape'>" and weakref.ref(instance)() is instance


def test_a_qualified_name_gives_the_name_behind_its_last_dot():
    made = call("new_class", NULL, "môd.ule".encode(), "Outer.Ünner".encode(), NULL, None, 0)
    assert (made.__module__, made.__qualname__, made.__name__) == ("môd.ule", "Outer.Ünner", "Ünner")
    assert table(made) == []
    assert call("new_class", NULL, None, b"Here", NULL, None, 0).__module__ == "foreign_api"    # the running code's


def test_bases_give_the_metaclass_and_the_hooks_run(cls):
    seen = []

    class Meta(type(cls)):
        @classmethod
        def __prepare__(mcs, name, bases):
            seen.append((name, bases))
            return {"prepared": 1}

    class Base(cls, metaclass=Meta):
        def __init_subclass__(cls):
            seen.append((cls.__name__, find(cls, A)))

    made = call("new_class", NULL, b"m", b"Made", (Base,), *slots((A, 5)))
    assert type(made) is Meta and made.__mro__[1:3] == (Base, cls) and made.prepared == 1
    assert seen[-2:] == [("Made", (Base,)), ("Made", 1)]
    assert table(made) == [(A, 5), (B, 2)]
    wished = call("new_class", Meta, b"m", b"Wished", (cls,), None, 0)
    assert type(wished) is Meta and table(wished) == table(cls)


@pytest.mark.parametrize("prepared, returned, words", [
    (7, None, r"Meta.__prepare__\(\) returned an object of type 'int', expected a mapping"),
    ({}, "no class", "metaclass '.*Meta' returned an object of type 'str', expected a class")])
def test_a_metaclass_that_makes_no_class_is_named(cls, prepared, returned, words):
    class Meta(type(cls)):
        @classmethod
        def __prepare__(mcs, name, bases):
            return prepared

        def __new__(mcs, *arguments):
            return returned

    with pytest.raises(TypeError, match=words):
        call("new_class", Meta, b"m", b"Made", NULL, None, 0)


# ----------------------------------------------------------------------------- static types

def static(name, base=None, *own, metaclass=NULL, **more):
    block = fill(call("static_block", metaclass), name, base, **more)
    assert call("ready_block", block, *slots(*own)) == 0
    return as_class(block)


def test_a_block_becomes_a_static_type_with_slots(extensibletype):
    base = static(b"foreign.Base", None, (A, 1), (B, 2))
    made = static(b"foreign.Static", base, (B, 20), (C, 30))
    assert repr(made) == "<class 'foreign.Static'>" and type(made) is extensibletype
    assert not made.__flags__ & 1 << 9 and made.__base__ is base
    assert table(base) == [(A, 1), (B, 2)] and table(made) == [(A, 1), (B, 20), (C, 30)]
    assert call("ready_block", id(made), *slots((B, 21))) == 0, "for a finished one nothing is done"
    sub = type("Sub", (made,), {})
    assert table(sub) == table(made) and type(sub) is extensibletype
    assert call("set_slots", made, *slots((A, 100))) == 0 and find(sub, A) == 100


def test_a_block_that_is_too_short_for_the_bases_metaclass_or_whose_instances_are_says_so(probe):
    meta = probe.metaclasses()[0]
    size = object.__basicsize__ + W
    base = static(b"foreign.Long", metaclass=meta, basicsize=size)
    block = fill(call("static_block", NULL), b"foreign.Short", base, size)
    with pytest.raises(TypeError, match="foreign.Short.*metaclass '.*Meta'.*this one.*extensibletype.* static_block"):
        call("ready_block", block, None, 0)
    assert type(static(b"foreign.Right", base, metaclass=meta, basicsize=size)) is meta
    below = type(meta)("Below", (meta,), {})            # needs no more room
    base = static(b"foreign.Below", metaclass=below, basicsize=size)
    assert type(static(b"foreign.Above", base, metaclass=meta, basicsize=size)) is below
    block = fill(call("static_block", meta), b"foreign.Bare")
    with pytest.raises(ValueError, match="foreign.Bare.*has C fields, but its instances"):
        call("ready_block", block, None, 0)


def test_a_block_that_failed_can_be_readied_when_the_cause_is_gone():
    block = call("static_block", NULL)
    with pytest.raises(ValueError, match="found NULL as tp_name, expected 'module.name'"):
        call("ready_block", block, None, 0)
    fill(block, b"foreign.Again")
    for given, words in [(slots((A, 1), (A, 1)), "position 0 and again at 1"),
                         ((None, -1), "found -1 slots"), ((None, 1), "found 1 slots at address")]:
        with pytest.raises(ValueError, match=words):
            call("ready_block", block, *given)
    assert call("ready_block", block, *slots((A, 1))) == 0 and find(as_class(block), A) == 1


def test_what_cpython_refuses_and_a_block_whose_head_was_written_to_are_refused(cls):
    block = fill(call("static_block", NULL), b"foreign.OfHeap", cls, cls.__basicsize__)
    with pytest.raises(TypeError, match="foreign.OfHeap.*its base type 'Shape' is dynamically all"):
        call("ready_block", block, *slots((C, 3)))
    assert cls.__subclasses__() == []
    block = fill(call("static_block", NULL), b"foreign.Head")
    ctypes.memset(block, 0, HEAD)
    with pytest.raises(ValueError, match="or whose head was written to"):
        call("ready_block", block, None, 0)


@pytest.mark.skipif(not support.TYPE_SURVIVES_NO_MEMORY,
                    reason="type() itself corrupts the heap of this CPython when memory runs out")
def test_a_new_class_without_memory_is_a_memory_error_and_nothing_else():
    support.check_child("""
    import ctypes, gc
    from failing import attempts
    from foreign_api import NULL, function, slots, table
    from probe import call_failing
    new_class = function("new_class")
    base = new_class(NULL, b"m", b"Base", NULL, *slots((257, 1)))
    own, count = slots((257, 2), (513, 3))
    make = lambda: new_class(NULL, b"m", b"Outer.Made", (base,), own, count)
    before = lambda: (table(base), base.__subclasses__())
    was = before()
    for attempt in attempts(call_failing):
        made = attempt(make)
        if attempt.failed:
            # The second is what ctypes makes of it, before it calls.
            assert made in (MemoryError, ctypes.ArgumentError), made
            gc.collect()
            assert before() == was, attempt
            made = make()
        assert table(made) == [(257, 2), (513, 3)], attempt
        del made
        gc.collect()
    """, modules=[__file__, support.TESTS / "hostile" / "failing.py", support.probe_path()])
