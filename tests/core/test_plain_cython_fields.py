# SPDX-License-Identifier: MIT
"""What plain Cython gets from `inherit_fields` and the setters of provider.pxd."""
import gc
import sys
import weakref
from pathlib import Path

import pytest
import support


@pytest.fixture(scope="module")
def notes():
    path = Path(__file__).with_name("plain_fields.pyx")
    return support.load(support.build_cython(path, layer=False))


class Thing:
    pass


@pytest.mark.usefixtures("mortal_classes")
def test_python_objects_among_the_fields_are_found_and_counted(notes, collected):
    thing = Thing()
    count = sys.getrefcount(thing)
    base = notes.NoteMeta("Base", (), {})
    assert notes.fields(base) == (0, None, 0.0, None)
    notes.write(base, 3, thing, [thing])
    child = type("Child", (base,), {})
    assert notes.fields(child) == (3, thing, 0.0, [thing])
    assert sys.getrefcount(thing) == count + 3
    del base, child
    collected()
    assert sys.getrefcount(thing) == count


@pytest.mark.usefixtures("mortal_classes")
def test_a_cycle_through_a_field_is_collected(notes, collected):
    cls = notes.NoteMeta("Cycle", (), {})
    thing = Thing()
    thing.cls = cls
    notes.write(cls, 0, thing, [cls])
    watch = weakref.ref(thing), weakref.ref(cls)
    del cls, thing
    collected()
    assert [ref() for ref in watch] == [None, None]


def test_a_metaclass_below_has_objects_of_its_own(notes):
    base = notes.SubMeta("Base", (), {})
    assert notes.comment(base) is None
    notes.comment(base, "remark")
    notes.write(base, 1, "note", None)
    child = type("Child", (base,), {})
    assert notes.comment(child) == "remark" and notes.fields(child)[:2] == (1, "note")
    del base, child
    gc.collect()


def test_the_setter_reaches_subclasses_and_deleting_inherits_again(notes):
    base = notes.NoteMeta("Base", (), {})
    child = type("Child", (base,), {})
    grandchild = type("Grandchild", (child,), {})
    notes.set_ratio(base, 1.5)
    assert notes.fields(grandchild)[2] == 1.5
    notes.set_ratio(child, 2.5)
    notes.set_ratio(base, 3.5)
    assert [notes.fields(c)[2] for c in (base, child, grandchild)] == [3.5, 2.5, 2.5]
    notes.delete_ratio(child)
    assert [notes.fields(c)[2] for c in (base, child, grandchild)] == [3.5, 3.5, 3.5]
    with pytest.raises(AttributeError, match="no value of its own"):
        notes.delete_ratio(child)


def test_an_address_that_is_no_field_is_refused(notes):
    base = notes.NoteMeta("Base", (), {})
    with pytest.raises(ValueError, match="no field of metaclass"):
        notes.set_elsewhere(base, 1.0)
    with pytest.raises(TypeError, match="no class|a class"):
        notes.set_elsewhere(int, 1.0)
    with pytest.raises(TypeError, match="found an object of type 'int', expected a class"):
        notes.set_elsewhere(5, 1.0)


def test_code_can_ask_whether_a_class_has_the_memory(notes):
    assert notes.fields(notes.NoteMeta("Base", (), {})) is not None
    for other in int, Thing, 5, None, notes.NoteMeta:
        assert notes.fields(other) is None
