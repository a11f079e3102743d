# SPDX-License-Identifier: MIT
"""Functions for languages that cannot use the headers: called through the table, by ctypes."""
import abc
import ctypes
import gc
import threading
import types
import weakref

import foreign_api
import pytest
import support
from foreign_api import (HEAD, NULL, W, api_address, as_class, call, fill, find, function, slot_id,
                         slots, table)

A, B, C = slot_id(0xF1), slot_id(0xF2), slot_id(0xF3)


@pytest.fixture
def cls():
    return call("new_class", NULL, b"somewhere", b"Shape", NULL, *slots((A, 1), (B, 2)))


def test_the_table_has_the_functions_and_the_api_its_versions():
    api = foreign_api.Api.from_address(api_address())
    head = foreign_api.Head.from_address(api.impl)
    assert api.rendezvous_version == 3 and api.type_size > api.heaptype_size == type.__basicsize__
    assert head.count >= foreign_api.TARGETS + len(foreign_api.NAMES)


# -------------------------------------------------------------------------------- readers

def test_slots_are_found_counted_and_listed(cls):
    assert [find(cls, i) for i in (A, B, C)] == [1, 2, None]
    assert [find(cls, B, position) for position in (0, 1, 3, 1000, -1)] == [2] * 5
    assert table(cls) == [(A, 1), (B, 2)]
    sub = type("Sub", (cls,), {})
    assert find(sub, A) == 1 and table(sub) == table(cls)


@pytest.mark.parametrize("thing", [NULL, int, type, type("Plain", (), {}), abc.ABC])
def test_readers_find_nothing_where_there_is_nothing(thing):
    assert find(thing, A) is None and find(thing, A, name="find_any") is None
    assert call("slot_count", thing) == 0 and not call("slot_table", thing)


@pytest.mark.parametrize("number", [0, 1])
def test_ids_that_are_none_are_never_found(cls, number):
    assert find(cls, number) is None and find(cls, number, name="find_any") is None


def test_find_needs_no_gil(cls):
    """Called by threads that have let go of it, while others change the class."""
    unlocked = function("find", holding_gil=False)
    count = function("slot_count", holding_gil=False)
    entries = function("slot_table", holding_gil=False)
    stop, wrong = threading.Event(), []

    def read():
        while not stop.is_set():
            found = unlocked(cls, A, 0)
            if not found or found.contents.data not in (1, 7):
                wrong.append(found)
            known = count(cls)
            if entries(cls)[known - 1].id not in (0, A, B, C):      # 0: a shorter table by now
                wrong.append(known)

    readers = [threading.Thread(target=read) for _ in range(2)]
    for thread in readers:
        thread.start()
    for i in range(200):
        array = slots((A, 7)) if i % 2 else slots((A, 1), (B, 2), (C, 3))
        assert call("set_slots", cls, *array) == 0
    stop.set()
    for thread in readers:
        thread.join()
    assert not wrong


# ----------------------------------------------------------------- names and registration

def test_a_name_has_one_id_in_all_threads():
    found = []
    threads = [threading.Thread(target=lambda: found.append(call("intern", b"foreign.protocol")))
               for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(found)) == 1 and found[0] > 1 and found[0] % 2 == 0
    assert call("intern", b"foreign.another") not in found


@pytest.mark.parametrize("name, words", [(None, "found NULL"), (b"", "found an empty string")])
def test_a_name_that_is_none_is_refused(name, words):
    with pytest.raises(ValueError, match=f"{words}, expected a non-empty name"):
        call("intern", name)


def test_a_registered_slot_is_found_by_find_any_only(cls):
    class Plain:
        pass

    class Sub(Plain):
        pass

    assert call("register_slot", Plain, slots((A, 11))[0]) == 0
    assert find(Sub, A) is None and find(Sub, A, name="find_any") == 11
    assert find(cls, A, name="find_any") == 1
    with pytest.raises(ValueError, match="Plain.*registered already"):
        call("register_slot", Plain, slots((A, 12))[0])
    assert find(Sub, A, name="find_any") == 11


@pytest.mark.parametrize("thing, slot, error, words", [
    (NULL, (A, 1), ValueError, "found NULL as the type"),
    (42, (A, 1), TypeError, "found an object of type 'int', expected a class"),
    (int, None, ValueError, "found NULL as the slot"),
    (type("Plain", (), {}), (0, 1), ValueError, "found slot ID 0, which is never found"),
    (type("Plain", (), {}), (1, 1), ValueError, "found slot ID 1, which is never found"),
])
def test_a_bad_registration_is_refused(thing, slot, error, words):
    with pytest.raises(error, match=words):
        call("register_slot", thing, slots(slot)[0] if slot else None)


def test_an_extensible_type_is_given_slots_and_not_registered(cls):
    with pytest.raises(TypeError, match="found an extensible type.*SetSlots"):
        call("register_slot", cls, slots((C, 1))[0])
    assert find(cls, C, name="find_any") is None


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
    assert (made.__module__, made.__qualname__, made.__name__) == (
        "môd.ule", "Outer.Ünner", "Ünner")
    assert table(made) == []


def test_without_a_module_a_class_is_that_of_the_running_code():
    assert call("new_class", NULL, None, b"Here", NULL, None, 0).__module__ == "foreign_api"


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


def test_a_new_class_dies_with_its_last_reference(cls):
    made = call("new_class", NULL, b"m", b"Made", (cls,), *slots((C, 5)))
    gone = weakref.ref(made)
    del made
    gc.collect()
    if not support.THREADS_MAKE_IMMORTAL:
        assert gone() is None


class Refusing:
    def __init_subclass__(cls):
        raise RuntimeError("no subclasses")


@pytest.mark.parametrize("given, error, words", [
    ((42, b"m", b"X", NULL, None, 0), TypeError, "'int' as the metaclass, expected a class that"),
    ((int, b"m", b"X", NULL, None, 0), TypeError, "metaclass 'int', expected one that derives"),
    ((type, b"m", b"X", NULL, None, 0), TypeError, "metaclass 'type', expected one that derives"),
    ((NULL, b"m", None, NULL, None, 0), ValueError, "found 'NULL' as the name, expected that of a"),
    ((NULL, b"m", b"", NULL, None, 0), ValueError, "found '' as the name"),
    ((NULL, b"m", b"Outer.", NULL, None, 0), ValueError, "found 'Outer.' as the name"),
    ((NULL, b"m", b"\xff", NULL, None, 0), UnicodeDecodeError, "utf-8"),
    ((NULL, b"\xff", b"X", NULL, None, 0), UnicodeDecodeError, "utf-8"),
    ((NULL, b"m", b"X", [int], None, 0), TypeError, "'list' as the bases, expected a tuple"),
    ((NULL, b"m", b"X", (int, 3), None, 0), TypeError, "'int' as base 1, expected a class"),
    ((NULL, b"m", b"X", (bool,), None, 0), TypeError, "not an acceptable base type"),
    ((NULL, b"m", b"X", (abc.ABC,), None, 0), TypeError, "metaclass conflict"),
    ((NULL, b"m", b"X", (Refusing,), None, 0), RuntimeError, "no subclasses"),
    ((NULL, b"m", b"X", NULL, None, -1), ValueError, "found -1 slots"),
    ((NULL, b"m", b"X", NULL, None, 2), ValueError, "found 2 slots at address"),
    ((NULL, b"m", b"X", NULL, *slots((A, 1), (A, 2))), ValueError, "stands at position 0"),
    ((NULL, b"m", b"X", NULL, *slots((1, 1))), ValueError, "position 0 has ID 1"),
])
def test_a_class_that_cannot_be_is_refused_and_none_is_left(given, error, words):
    bases = given[3] if isinstance(given[3], tuple) else ()
    before = [kind.__subclasses__() for kind in bases if isinstance(kind, type)]
    with pytest.raises(error, match=words):
        call("new_class", *given)
    gc.collect()
    if not support.THREADS_MAKE_IMMORTAL:
        assert before == [kind.__subclasses__() for kind in bases if isinstance(kind, type)]


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


# ------------------------------------------------------------------------- unfinished types

@pytest.mark.parametrize("name", ["publish", "set_slots"])
@pytest.mark.parametrize("place", ["__init_subclass__", "__set_name__", "before type.__init__",
                                   "type.__new__"])
def test_unfinished_classes_get_slots_and_so_do_their_subclasses(cls, name, place):
    made = []

    def give(unfinished):
        made.append(types.new_class("Early", (unfinished,)))
        made.append(type.__new__(type(unfinished), "Unfinished", (unfinished,), {}))
        assert call(name, unfinished, *slots((A, 9), (C, 3))) == 0
        made.extend([unfinished, types.new_class("Late", (unfinished,))])
        for each in made:
            assert [find(each, i) for i in (A, B, C)] == [9, 2, 3], each

    class Giving:
        def __set_name__(self, owner, name):
            give(owner)

    class Meta(type(cls)):
        def __init__(self, *arguments):
            if arguments[0] == "Now":
                give(self)
            super().__init__(*arguments)

    base = cls
    if place == "__init_subclass__":
        class Base(cls):
            def __init_subclass__(cls):
                if cls.__name__ == "Now":
                    give(cls)
        base = Base
    namespace = {"member": Giving()} if place == "__set_name__" else {}
    if place == "type.__new__":
        give(type.__new__(type(cls), "Now", (base,), namespace))
    else:
        meta = Meta if place == "before type.__init__" else type(base)
        now = meta("Now", (base,), namespace)
        assert now in made
    assert len(made) == 4
    for each in made:
        assert table(each) == [(A, 9), (B, 2), (C, 3)], each


@pytest.mark.parametrize("name", ["publish", "set_slots"])
@pytest.mark.parametrize("thing, words", [
    (NULL, "found NULL, expected a class"), (3, "found an object of type 'int', expected a class"),
    (int, "slots cannot be given to 'int': found a type with metaclass 'type'")])
def test_what_is_no_type_of_ours_gets_no_slots(name, thing, words):
    with pytest.raises(TypeError, match=words):
        call(name, thing, *slots((A, 1)))


@pytest.mark.parametrize("name, more", [
    ("inherit_fields", ()), ("register_fields", (None, 0, 88)), ("set_field", (0, None, 0)),
    ("delete_field", (0,)), ("mark_fields", ((ctypes.c_ssize_t * 1)(), 1)),
    ("set_field_object", ("name", 1))])
@pytest.mark.parametrize("thing, words", [
    (NULL, "found NULL, expected a class"), (3, "found an object of type 'int', expected a class"),
    (int, "found|cannot be")])
def test_what_is_no_class_has_no_fields(name, more, thing, words):
    with pytest.raises(TypeError, match=words):
        call(name, thing, *more)


@pytest.mark.parametrize("name", [NULL, 3])
def test_a_field_is_named_by_a_str(cls, name):
    with pytest.raises(TypeError, match="found (NULL|int) as the name, expected a str"):
        call("set_field_object", cls, name, 1)


@pytest.mark.parametrize("metaclass, bases, words", [
    (3, NULL, "metaclass: found an object of type 'int', expected a class"),
    (NULL, [int], "found an object of type 'list' as the bases, expected a tuple of classes")])
def test_what_is_no_metaclass_or_no_bases_is_named(metaclass, bases, words):
    with pytest.raises(TypeError, match=words):
        call("calculate_metaclass", metaclass, NULL, bases)


NAME = ctypes.create_string_buffer(b"foreign.Spec")


@pytest.mark.parametrize("words, what", [
    (None, "spec"), ([0] * 6, "name in it"),
    ([ctypes.addressof(NAME), 0, 0, 0, 0, 0], "slots in it")])
def test_a_spec_without_what_it_needs_is_refused(words, what):
    kept = (ctypes.c_size_t * 6)(*words) if words else None
    spec = ctypes.addressof(kept) if words else None
    with pytest.raises(ValueError, match=f"from_spec: found NULL as the {what}, expected a PyType_Spec"):
        call("from_spec", NULL, NULL, spec, NULL, None, 0)


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


def test_a_block_has_room_for_the_fields_of_its_metaclass(probe):
    meta = probe.metaclasses()[0]
    made = static(b"foreign.Fields", None, (A, 1), metaclass=meta,
                  basicsize=object.__basicsize__ + W)
    probe.set_fields(made, 10, b"hello")
    sub = type("Sub", (made,), {})
    assert type(made) is type(sub) is meta and (probe.number(sub), find(sub, A)) == (10, 1)


def test_a_block_that_is_too_short_for_the_bases_metaclass_says_so(probe):
    meta = probe.metaclasses()[0]
    size = object.__basicsize__ + W
    base = static(b"foreign.Long", metaclass=meta, basicsize=size)
    block = fill(call("static_block", NULL), b"foreign.Short", base, size)
    with pytest.raises(TypeError, match="foreign.Short.*metaclass '.*Meta'.*this one.*extensibletype.* static_block"):
        call("ready_block", block, None, 0)
    assert type(static(b"foreign.Right", base, metaclass=meta, basicsize=size)) is meta


def test_a_block_serves_a_metaclass_of_its_bases_that_needs_no_more_room(probe):
    meta = probe.metaclasses()[0]
    below = type(meta)("Below", (meta,), {})
    base = static(b"foreign.Below", metaclass=below, basicsize=object.__basicsize__ + W)
    assert type(static(b"foreign.Above", base, metaclass=meta, basicsize=base.__basicsize__)) is below


def test_instances_that_may_lose_their_fields_are_refused(probe):
    block = fill(call("static_block", probe.metaclasses()[0]), b"foreign.Bare")
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


def test_what_cpython_refuses_is_refused(cls):
    block = fill(call("static_block", NULL), b"foreign.OfHeap", cls, cls.__basicsize__)
    with pytest.raises(TypeError, match="foreign.OfHeap.*its base type 'Shape' is dynamically all"):
        call("ready_block", block, *slots((C, 3)))
    assert cls.__subclasses__() == []


@pytest.mark.parametrize("make, words", [
    (lambda: None, "found NULL, expected what static_block"),
    (lambda: id(int), "that is no such block"),
    (lambda: id(type("Heap", (), {})), "that is no such block"),
])
def test_what_is_no_block_is_refused(make, words):
    with pytest.raises(ValueError, match=words):
        call("ready_block", make(), None, 0)


def test_a_block_whose_head_was_written_to_is_refused():
    block = fill(call("static_block", NULL), b"foreign.Head")
    ctypes.memset(block, 0, HEAD)
    with pytest.raises(ValueError, match="or whose head was written to"):
        call("ready_block", block, None, 0)


@pytest.mark.parametrize("metaclass, words", [(type, "metaclass 'type', expected one that derives"),
                                              (3, "'int' as the metaclass")])
def test_no_block_for_a_metaclass_that_is_not_ours(metaclass, words):
    with pytest.raises(TypeError, match=words):
        call("static_block", metaclass)


def test_blocks_and_classes_are_made_in_a_sub_interpreter():
    # ctypes itself is single-phase on some versions, and its module may not be shared.
    support.check_child("""
        import sys, support
        support.run_in_new_interpreter('''
            import sys
            sys.path[:0] = target.split(chr(10))
            try:
                from foreign_api import NULL, call, find, slots, table
            except ImportError as error:
                assert "_ctypes" in str(error), error
            else:
                cls = call("new_class", NULL, b"m", b"Here", NULL, *slots((257, 1)))
                assert table(cls) == [(257, 1)] and find(type("Sub", (cls,), {}), 257) == 1
                assert call("static_block", NULL)
        ''', chr(10).join(sys.path))
        """, modules=[__file__, support.__file__])


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
