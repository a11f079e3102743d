# SPDX-License-Identifier: MIT
"""C fields in the type object: inherited by value, layer by layer, never zero by accident."""

import pytest
import support
from support import A, B

pytestmark = pytest.mark.processors


@pytest.fixture(scope="module")
def metas(probe):
    """NumberMeta, RealMeta (derives from NumberMeta) and OtherMeta."""
    return probe.metaclasses()


@pytest.fixture
def greet(probe, metas):
    """A dynamic provider with fields of its own."""
    cls = metas[0]("Greet", (), {})
    probe.set_fields(cls, 10, b"hello")
    return cls


def fields(probe, cls):
    return probe.number(cls), probe.text(cls)


def test_fields_lie_behind_the_slots_in_the_type_object(probe, metas, greet):
    number_meta, real_meta, other_meta = metas
    size = probe.constants()["type_size"]
    assert number_meta.__base__.__basicsize__ == size
    assert number_meta.__basicsize__ > size
    assert real_meta.__basicsize__ > number_meta.__basicsize__
    assert other_meta.__basicsize__ > size
    from cython_customslots import layout
    assert layout(greet)["owner_fields"] == [("probe.NumberMeta", size, number_meta.__basicsize__ - size)]


def test_values_are_copied_when_a_class_is_made(probe, greet):
    child = type("Child", (greet,), {})
    assert fields(probe, child) == (10, b"hello")
    probe.set_fields(child, 11, b"bye")
    assert fields(probe, greet) == (10, b"hello")
    assert fields(probe, type("Grandchild", (child,), {})) == (11, b"bye")
    probe.set_fields(greet, 12, b"later")          # by value: existing classes keep theirs
    assert fields(probe, child) == (11, b"bye")


def test_layers_of_derived_metaclasses_are_inherited_one_by_one(probe, metas, greet):
    _, real_meta, _ = metas
    first = real_meta("First", (greet,), {})
    assert fields(probe, first) == (10, b"hello")
    probe.set_real(first, 2.5)
    second = real_meta("Second", (), {})
    probe.set_fields(second, 20, b"second")
    probe.set_real(second, 9.5)
    child = type("Child", (first,), {})
    assert (*fields(probe, child), probe.real(child)) == (10, b"hello", 2.5)
    mixed = type("Mixed", (greet, second), {})     # number from Greet, real from Second
    assert type(mixed) is real_meta
    assert (*fields(probe, mixed), probe.real(mixed)) == (10, b"hello", 9.5)


def test_no_class_has_the_value_of_a_class_that_is_not_in_its_mro(probe):
    """Not that of the first with the metaclass's fields either: a process may import it before or afterwards."""
    support.check_child("""
        from probe import *
        number_meta, real_meta, other_meta = metaclasses()
        fields = lambda cls: (number(cls), text(cls))
        first = emitted("t.First", number_meta, (), [])
        set_fields(first, 1, b"one"); publish(first)
        class Skips(number_meta):
            def __init__(cls, *args): pass
        for cls in (number_meta("New", (), {}), type.__new__(number_meta, "Bare", (), {}), Skips("S", (), {}),
                    type.__new__(number_meta, "Bare2", (first,), {}), emitted("t.Third", number_meta, (), [])):
            assert fields(cls) == (0, None), cls
        assert fields(Skips("S", (first,), {})) == (1, b"one")
        """, modules=[support.probe_path()])


def test_generated_static_types_inherit_and_keep_what_they_set(probe, metas):
    number_meta, real_meta, _ = metas
    base = probe.emitted("fields.Base", number_meta, (), [(A, 1)])
    probe.set_fields(base, 5, b"five")
    child = probe.emitted("fields.Child", real_meta, (base,), [(B, 2)])
    probe.set_real(child, 0.5)
    assert type(child) is real_meta and child.__mro__ == (child, base, object)
    assert fields(probe, child) == (5, b"five")
    assert fields(probe, probe.emitted("fields.Leaf", None, (child,), [])) == (5, b"five")
    sub = type("Sub", (child,), {})
    assert (*fields(probe, sub), probe.real(sub)) == (5, b"five", 0.5)


def test_value_written_by_a_metaclass_new_is_kept(probe, metas, greet):
    class Meta(metas[0]):
        def __new__(meta, name, bases, namespace):
            cls = super().__new__(meta, name, bases, namespace)
            probe.set_fields(cls, 99, b"own")
            return cls
    assert fields(probe, Meta("Cls", (greet,), {})) == (99, b"own")
    assert fields(probe, Meta("Bare", (), {})) == (99, b"own")
