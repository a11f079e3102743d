# SPDX-License-Identifier: MIT
"""What plain Cython gets from `inherit_fields` and the setters of provider.pxd."""
from pathlib import Path

import pytest
import support


@pytest.fixture(scope="module")
def notes():
    path = Path(__file__).with_name("plain_fields.pyx")
    return support.load(support.build_cython(path, layer=False))


class Thing:
    pass


def test_a_python_object_is_refused_with_the_call_to_write(notes):
    """Its fields are not inherited then, and what Cython wrote fills and releases them."""
    for _ in range(2):
        with pytest.raises(TypeError, match=r"(?s)'plain_fields.Objects': found a Python object at offset (\d+), which "
                           r"nobody described, expected C data; .*PyExtensibleType_RegisterFields\(Objects, fields, 1\)"
                           r".*\{\"NAME\", \1, sizeof"):
            notes.register()
    base = notes.Objects("Base", (), {})
    notes.text(base, "text")
    assert notes.text(type("Child", (base,), {})) is None


@pytest.mark.parametrize("call", ["m(*args)", "m.__new__(m, *args)", "type.__call__(m, *args)",
                                  "type('Sub', (m,), {})(*args)"])
def test_a_metaclass_that_nobody_registered_below_one_that_is_makes_no_class(notes, call):
    for _ in range(2):
        with pytest.raises(TypeError, match=r"'plain_fields.Forgotten': found that its fields were not registered, and "
                           r"it derives from 'plain_fields.NoteMeta', .*expected inherit_fields\(Forgotten\)"):
            eval(call, {"m": notes.Forgotten, "args": ("Cls", (notes.NoteMeta("Base", (), {}),), {})})


def test_the_setter_reaches_subclasses_and_deleting_inherits_again(notes):
    base = notes.NoteMeta("Base", (), {})
    child = type("Child", (base,), {})
    grandchild = type("Grandchild", (child,), {})
    notes.set_ratio(base, 1.5)
    assert notes.fields(grandchild)[1] == 1.5
    notes.set_ratio(child, 2.5)
    notes.set_ratio(base, 3.5)
    assert [notes.fields(c)[1] for c in (base, child, grandchild)] == [3.5, 2.5, 2.5]
    notes.delete_ratio(child)
    assert [notes.fields(c)[1] for c in (base, child, grandchild)] == [3.5, 3.5, 3.5]
    with pytest.raises(AttributeError, match="no value of its own"):
        notes.delete_ratio(child)


def test_an_address_that_is_no_field_is_refused_and_code_can_ask_whether_a_class_has_the_memory(notes):
    base = notes.NoteMeta("Base", (), {})
    assert notes.fields(base) is not None
    for other in int, Thing, 5, None, notes.NoteMeta:
        assert notes.fields(other) is None
    with pytest.raises(ValueError, match="no field of metaclass"):
        notes.set_elsewhere(base, 1.0)
    with pytest.raises(TypeError, match="no class|a class"):
        notes.set_elsewhere(int, 1.0)
    with pytest.raises(TypeError, match="found an object of type 'int', expected a class"):
        notes.set_elsewhere(5, 1.0)
