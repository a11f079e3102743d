# SPDX-License-Identifier: MIT
"""PyExtensibleType_FromSpec(): heap types from C, with slots and C fields, from 3.10 on."""
import abc

import pytest
import support
from cython_customslots import layout, table
from support import A, B, C


def ids(cls):
    return [i for _, i, _ in table(cls)]


@pytest.mark.parametrize("with_members", [False, True], ids=["bare", "with members"])
def test_type_has_metaclass_slots_fields_and_what_the_spec_says(fromspec, with_members):
    cls = fromspec.make(None, with_members, 42, (A, B), True)
    assert type(cls) is fromspec.AnswerType and ids(cls) == [A, B]
    assert layout(cls)["resolved"] and fromspec.fields(cls) == (42, 8.5)
    assert cls().answer() == 42
    assert sorted(n for n in vars(cls) if not n.startswith("__")) == (
        ["answer", "number", "object"] if with_members else ["answer"])
    if with_members:            # before 3.12 both lie in memory that CPython allocated for members
        obj = cls()
        obj.number, obj.object = 7, "text"
        assert (obj.number, obj.object, obj.answer()) == (7, "text", 42)
        assert fromspec.fields(cls) == (42, 8.5)


def test_subclasses_of_every_kind_inherit(fromspec):
    cls = fromspec.make(None, True, 42, (A,), True)

    class Sub(cls):
        __slots__ = ("mine",)

    below = fromspec.make((Sub,), False, None, (B,), False)
    for heir, expected in (Sub, [A]), (below, [A, B]), (type("T", (below,), {}), [A, B]):
        assert ids(heir) == expected and fromspec.fields(heir) == (42, 8.5)
        assert type(heir) is fromspec.AnswerType
        obj = heir()
        obj.mine = obj.number = 3
        assert (obj.mine, obj.number, obj.answer()) == (3, 3, 42)


def test_bases_may_be_none_or_one_class_and_the_metaclass_that_of_the_base(fromspec):
    cls = fromspec.make((), False, None, (A,), False)       # where CPython 3.11 fails without an exception
    assert cls.__bases__ == (object,) and ids(cls) == [A]
    base = fromspec.make(None, True, 5, (A,), True)
    cls = fromspec.make(base, False, None, (A, C), False)
    assert cls.__bases__ == (base,) and ids(cls) == [A, C]
    assert fromspec.fields(cls) == (5, 8.5)


def test_bad_tables_and_conflicts_are_refused_before_anything_is_made(fromspec):
    with pytest.raises(ValueError, match="again at 1"):
        fromspec.make(None, True, None, (A, A), True)
    with pytest.raises(ValueError, match="found -1 slots"):
        fromspec.make(None, True, None, (), True, -1)

    class Abstract(abc.ABC): pass

    with pytest.raises(TypeError, match="metaclass conflict: .*ABCMeta"):
        fromspec.make((Abstract,), True, None, (A,), True)


def test_types_are_collected_with_their_instances(fromspec):
    """In a process of its own: 3.13t makes all classes immortal once a thread ran."""
    support.check_child(f"""
        import gc, weakref, fromspec
        references = []
        for i in range(200):
            cls = fromspec.make(None, i % 2, i, ({A},), True)
            cls.instance = type("Sub", (cls,), {{}})()
            references.append(weakref.ref(cls))
            del cls
        gc.collect()
        assert not any(reference() for reference in references)
        """, modules=[fromspec.__file__])


def test_checked_accessor_says_no_where_there_is_no_memory(fromspec):
    for other in (int, object, type, fromspec.AnswerType, type("Plain", (), {}), 5):
        assert fromspec.fields(other) is None


def test_type_that_a_class_without_the_fields_could_take_as_a_base_is_refused(fromspec, collected):
    before = len(type.__subclasses__(object))
    with pytest.raises(ValueError, match=r"PyExtensibleType_FromSpec\(fromspec.Bare\): its metaclass "
                       r"'.*AnswerType' has C fields, but its instances have the layout of "
                       r"its base 'object', .* add a pointer to the struct of its instances"):
        fromspec.make_bare()
    collected()
    assert len(type.__subclasses__(object)) <= before or support.FREE_THREADED
