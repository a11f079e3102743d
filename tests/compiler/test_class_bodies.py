# SPDX-License-Identifier: MIT
"""`weight = 8` in the body of a cdef class is the value of its metaclass's field."""
import pytest
from layer_modules import module_of

pytestmark = pytest.mark.cythons


body = module_of("class_body.pyx")


@pytest.mark.parametrize(("name", "weight", "label"), [
    ("Plain", 8, "plain"), ("Typed", 9, "typed"), ("Inheriting", 9, "typed"), ("Constant", 31, "typed"),
    ("Decorated", 10, "decorated"), ("Several", 11, "plain"), ("Drawn", 12, "plain"),
    ("Final", 13, "plain")])
def test_a_value_in_the_body_is_that_of_the_field(body, name, weight, label):
    cls = getattr(body, name)
    assert (cls.weight, cls.name, cls().read()) == (weight, label, (weight, 0))


def test_instances_have_no_attribute_of_that_name(body):
    for cls in (body.Plain, body.Typed, body.Several):
        for name in ("weight", "name", "call", "names"):
            assert not hasattr(cls(), name)


def test_values_are_python_objects_too(body):
    assert body.Inheriting.call(3) == 4 and body.Typed.names == ["0", "1", "2"]
    assert (body.Decorated.call, body.Plain.call) == (None, None)


def test_what_is_no_field_that_python_sees_stays_an_attribute(body):
    assert (body.Plain.half, body.Plain().hidden) == (4, 3)


def test_python_classes_inherit_the_value_and_set_their_own(body):
    class Own(body.Typed):
        weight = 1

    class Both(body.Several, Own):
        pass

    assert (Own.weight, Both.weight, Both.name) == (1, 11, "typed")


def test_a_value_is_the_class_s_own(body):
    assert vars(body.Typed)["weight"] == 9 and "weight" not in vars(body.Inheriting)
