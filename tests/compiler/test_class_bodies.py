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


def test_a_value_is_the_class_s_own_and_no_attribute_of_instances(body):
    for cls in (body.Plain, body.Typed, body.Several):
        assert not [name for name in ("weight", "name", "call", "names") if hasattr(cls(), name)]
    assert body.Inheriting.call(3) == 4 and body.Typed.names == ["0", "1", "2"]
    assert (body.Decorated.call, body.Plain.call) == (None, None)
    assert vars(body.Typed)["weight"] == 9 and "weight" not in vars(body.Inheriting)
    assert (body.Plain.half, body.Plain().hidden) == (4, 3)      # no fields that Python sees
