# SPDX-License-Identifier: MIT
"""Fields that are Python or C++ objects, and fields that Python sees as attributes."""
import dataclasses
import gc

import pytest
import support
from layer_modules import MODULES, module_of

pytestmark = pytest.mark.interpreters


objects = module_of("layer_objects.pyx")


@pytest.fixture(scope="module")
def cpp():
    return support.load(support.build_cython(MODULES / "layer_cpp.pyx", cplus=True))


INHERITED = (["a", "b"], (1, 2), None, None)


def test_a_provider_has_the_objects_that_its_decorator_sets(objects):
    assert objects.all_of(objects.Base) == ("first", *INHERITED, 7, b"literal", 1, [0, 0, 0], 0.5, 3)


def test_derived_classes_inherit_the_objects_that_they_do_not_set(objects):
    assert objects.all_of(objects.Second)[:6] == ("second", *INHERITED, 8)
    assert objects.all_of(objects.Inheriting)[:6] == ("second", *INHERITED, 8)
    assert objects.all_of(objects.Several)[:6] == ("several", *INHERITED, 9)
    assert objects.Inheriting.names is objects.Base.names


def test_a_derived_metaclass_adds_objects_to_those_of_its_base(objects):
    assert objects.all_of(objects.Deep)[:6] == ("deep", *INHERITED, 7)
    assert objects.Deep.extra == {"k": 1} and objects.Deep.small == 5

    class Python(objects.Deep, extra=1, label="both"):
        small = 6

    assert (Python.extra, Python.small, Python.label) == (1, 6, "both")


def test_fields_show_the_names_that_the_metaclass_makes_public(objects):
    assert objects.Base.label == "first" and objects.Base.ratio == 0.5
    assert objects.Base.point == {"x": 1, "y": 2.5} and objects.Base.array == [0, 0, 0]
    for name in ("hidden", "secret"):
        with pytest.raises(AttributeError):
            getattr(objects.Base, name)


@pytest.mark.parametrize("name, value", [
    ("label", "new"), ("names", []), ("number", -4), ("text", b"bytes"),
    ("point", {"x": 3, "y": 4.0}), ("array", [3, 2, 1]), ("tag", None)])
def test_a_public_field_is_set_inherited_and_deleted_like_a_class_attribute(objects, name, value):
    Top = type("Top", (objects.Base,), {})
    Below = type("Below", (Top,), {})
    before = getattr(Below, name)
    setattr(Top, name, value)
    assert getattr(Top, name) == getattr(Below, name) == value
    delattr(Top, name)
    assert getattr(Top, name) == getattr(Below, name) == before


@pytest.mark.parametrize("name, value, error, message", [
    ("label", 5, TypeError, "[Ee]xpected (str|unicode), got int"),
    ("names", (), TypeError, "[Ee]xpected list, got tuple"),
    ("tag", "text", TypeError, "Cannot convert str to layer_objects.Tag"),
    ("number", "text", TypeError, "an integer is required"),
    ("number", 1 << 80, OverflowError, "too large"),
    ("text", 5, TypeError, "expected bytes, int found"),
    ("point", {"x": 1}, ValueError, "No value specified for struct attribute 'y'"),
    ("array", [1], IndexError, "not enough values"),
    ("token", 1, AttributeError, "read-only"),
    ("ratio", 1.5, AttributeError, "read-only")])
def test_a_value_is_checked_like_a_function_argument(objects, name, value, error, message):
    Python = type("Python", (objects.Base,), {})
    before = objects.all_of(Python)
    with pytest.raises(error, match=message):
        setattr(Python, name, value)
    if error is not AttributeError:
        with pytest.raises(error, match=message):
            type(objects.Base)("Bad", (objects.Base,), {name: value})
    assert objects.all_of(Python) == before


@pytest.mark.parametrize("value", [None, lambda self: 1, property(lambda self: 1), int, dataclasses.field(default=5)],
                         ids=["None", "method", "property", "class", "dataclass field"])
def test_a_value_that_is_none_is_said_with_what_is_expected_and_of_which_field(objects, value):
    Python = type("Python", (objects.Base,), {})
    for name, make in (("Bad", lambda: type(objects.Base)("Bad", (objects.Base,), {"number": value})),
                       ("Bad", lambda: type(objects.Base)("Bad", (objects.Base,), {}, number=value)),
                       (f"{Python.__name__}", lambda: setattr(Python, "number", value))):
        with pytest.raises(TypeError) as caught:
            make()
        metaclass = f"layer_objects.{type(objects.Base).__name__}"
        begin, found, end = (f"field 'number' of class '{name}' (metaclass '{metaclass}'): found ", repr(value)[:200],
                             "; what is no value of the field needs another name")
        text = str(caught.value)
        assert text.startswith(begin + found) and ", expected int (C: " in text and text.endswith(end), text


LONG = b"a text that is too long to be stored in place"


@pytest.mark.thorough
def test_cpp_objects_are_inherited_by_value(cpp):
    assert cpp.fields(cpp.Base) == cpp.fields(cpp.Under) == (LONG, [1, 2, 3], 5, "label")
    assert cpp.fields(cpp.Other) == (b"short", [1, 2, 3], 5, "label")

    Python = type("Python", (cpp.Base,), {})
    cpp.push(Python, 4)
    assert cpp.fields(Python)[1] == [1, 2, 3, 4]
    assert cpp.fields(cpp.Base)[1] == [1, 2, 3]


@pytest.mark.thorough
def test_cpp_objects_are_set_from_python(cpp):
    class Top(cpp.Base, numbers=[9]):
        text = LONG * 2

    Below = type("Below", (Top,), {})
    assert cpp.fields(Below)[:2] == (LONG * 2, [9])
    Top.text = b"set"
    assert Below.text == b"set" and Top.numbers == [9]
    del Top.text
    assert Below.text == LONG
    for name, wrong in (("text", 5), ("numbers", ["x"])):
        with pytest.raises(TypeError):
            setattr(Top, name, wrong)
    assert cpp.fields(Below)[:2] == (LONG, [9])


@pytest.mark.thorough
@pytest.mark.usefixtures("mortal_classes")
@pytest.mark.parametrize("how, error, message", [
    (1, MemoryError, "bad_alloc"), (2, RuntimeError, "layer_counted is told to fail")])
def test_a_copy_that_throws_is_a_python_exception_and_no_class(cpp, how, error, message):
    gc.collect()
    before = cpp.alive()
    cpp.fail(how)
    try:
        with pytest.raises(error, match=message):
            type("Failing", (cpp.Base,), {})
    finally:
        cpp.fail(0)
    type("Temporary", (cpp.Base,), {"text": b"text", "me": None})
    gc.collect()
    assert cpp.alive() == before
