# SPDX-License-Identifier: MIT
"""Which functions of an interface a class of Python overrides."""

import pytest
from interfaces import AREA, DRAW, SCALE, Interface


@pytest.fixture
def shape(probe):
    return Interface(probe)


def draw(self, canvas):
    return "python", canvas


def scale(self, factor):
    return "scaled", factor


def below(base, **members):
    """A class of Python that derives from it."""
    return type(base)("Below", (base,), members)


def test_only_functions_that_python_overrides_and_may_override_call_python(shape):
    Cls = below(shape.provider, draw=draw, area=draw)
    assert shape.calls(Cls) == ["first", "first", "python"]
    table, base = shape.found(Cls)
    assert base == shape.table != table
    for members in {"other": 1}, {"area": draw}:           # which only C can have
        assert shape.found(below(shape.provider, **members)) == (shape.table, 0)
    static = shape.probe.emitted("probe.StaticShape", None, (), [(shape.id, shape.table)])
    assert shape.calls(below(static, draw=draw)) == ["first", "first", "python"]


def test_classes_that_override_the_same_share_one_table(shape):
    one = type(shape.provider)("One", (shape.provider,), {"draw": draw})
    two = type("Two", (shape.provider,), {"draw": lambda self, canvas: 2})
    three = type("Three", (two,), {"draw": lambda self, canvas: 3})
    other = type("Other", (two,), {"scale": scale})
    assert shape.found(one) == shape.found(two) == shape.found(three) != shape.found(other)
    assert shape.call(three(), DRAW) == 3
    assert shape.call(other(), SCALE) == ("scaled", "x") and shape.call(other(), DRAW) == 2


def test_mixin_before_the_provider_counts_and_one_behind_it_does_not(shape):
    class Mixin:
        draw = draw

    class Before(Mixin, shape.provider): pass
    class Behind(shape.provider, Mixin): pass

    assert shape.call(Before(), DRAW) == ("python", "x")
    assert shape.found(Behind) == (shape.table, 0)


def test_attribute_that_is_set_or_deleted_later_counts(shape):
    class Name(str):
        __slots__ = ()

    Cls = below(shape.provider)
    Below = below(Cls)
    setattr(Cls, Name("draw"), draw)
    assert shape.call(Cls(), DRAW) == shape.call(Below(), DRAW) == ("python", "x")
    Below.draw = lambda self, canvas: "below"
    assert (shape.call(Cls(), DRAW), shape.call(Below(), DRAW)) == (("python", "x"), "below")
    del Cls.draw
    assert shape.found(Cls) == (shape.table, 0)
    assert shape.call(Below(), DRAW) == "below"
    del Below.draw
    assert shape.found(Below) == (shape.table, 0)
    with pytest.raises(AttributeError):
        del Cls.draw
    Cls.other = 1
    assert shape.found(Cls) == (shape.table, 0)


def test_attribute_of_a_mixin_that_is_ours_counts(shape, extensibletype):
    class Mixin(metaclass=extensibletype): pass
    class Cls(Mixin, shape.provider): pass

    assert shape.found(Cls) == (shape.table, 0)
    Mixin.draw = draw
    assert shape.call(Cls(), DRAW) == ("python", "x")
    del Mixin.draw
    assert shape.found(Cls) == (shape.table, 0)


def test_attribute_of_a_class_that_has_lost_its_table_counts(shape, extensibletype):
    plain = extensibletype("Plain", (), {})
    above = type(plain)("Above", (type(plain)("One", (plain, shape.provider), {}),), {})
    made = type(plain)("Made", (above, shape.provider), {})
    above.__bases__ = (type(plain)("Two", (plain,), {}),)
    above.draw = draw
    assert shape.call(made(), DRAW) == ("python", "x")


def test_what_the_provider_itself_has_is_what_its_functions_are(probe):
    shape = Interface(probe)
    Cls = below(shape.provider)
    Overriding = below(shape.provider, draw=draw)
    shape.provider.draw = draw
    assert shape.found(Cls) == (shape.table, 0)
    assert shape.found(Overriding) == (shape.table, 0), "it is the same object now"
    shape.provider.draw = scale
    assert shape.found(Overriding)[1] == shape.table


def test_assigned_bases_decide_again(shape):
    Overriding = below(shape.provider, draw=draw)
    Plain = below(shape.provider)
    Cls = below(Plain)
    Below = below(Cls, scale=scale)
    Cls.__bases__ = (Overriding,)
    assert shape.call(Cls(), DRAW) == shape.call(Below(), DRAW) == ("python", "x")
    assert shape.call(Below(), SCALE) == ("scaled", "x")
    Cls.__bases__ = (Plain,)
    assert shape.found(Cls) == (shape.table, 0)
    assert shape.call(Below(), SCALE) == ("scaled", "x")
    assert shape.call(Below(), DRAW) == ("first", DRAW, "x")


def test_slots_that_come_after_the_subclass_are_followed(probe, extensibletype):
    shape = Interface(probe)
    Cls = below(shape.provider, draw=draw)
    fresh = probe.interface_table(shape.name, 3, 0b100, 1)
    probe.set_slots(shape.provider, [(shape.id, fresh)])
    assert shape.found(Cls)[1] == fresh
    assert shape.call(Cls(), DRAW) == ("python", "x")
    assert shape.call(Cls(), SCALE) == ("second", SCALE, "x")
    probe.set_slots(shape.provider, [])
    assert probe.interface_found(Cls, shape.id) is None
    base = extensibletype("Base", (), {"draw": lambda self, canvas: "base"})
    Cls = below(base, draw=draw)
    Same = below(base)
    probe.set_slots(base, [(shape.id, shape.table)])
    assert shape.call(Cls(), DRAW) == ("python", "x")
    assert shape.found(Same) == (shape.table, 0)


def test_c_subclass_with_a_table_of_its_own_is_the_provider_below(probe):
    shape = Interface(probe)
    table = probe.interface_table(shape.name, 3, 0b110, 1)
    lower = probe.interface_heap("probe.Lower", (shape.provider,), [(shape.id, table)], 1, 0b110)
    Cls = below(lower, scale=scale)
    assert shape.calls(lower) == ["second"] * 3
    assert shape.calls(Cls) == ["second", "scaled", "second"]
    assert shape.found(Cls)[1] == table
    # One without a table overrides as a class of Python does.
    lower = probe.interface_heap("probe.Lower", (shape.provider,), [], 1, 0b100)
    assert shape.calls(lower) == ["first", "first", "second"]


def test_table_under_two_ids_is_replaced_by_one(probe):
    shape = Interface(probe, count=2)
    solid = Interface(probe)
    both = probe.interface_heap("probe.Both", (), [(shape.id, solid.table), (solid.id, solid.table)], 0, 0b110)
    Cls = below(both, draw=draw)
    assert shape.found(Cls) == solid.found(Cls)
    assert solid.call(Cls(), DRAW) == ("python", "x")


def test_several_interfaces_in_one_class_do_not_mix(probe):
    shapes = [Interface(probe, chosen=i % 2) for i in range(6)]
    cls = type(shapes[0].provider)("Cls", tuple(shape.provider for shape in shapes), {})
    for shape in shapes:
        assert shape.call(cls(), AREA)[0] == ("first", "second")[shapes.index(shape) % 2]
    # All have a `draw`; Python finds that of the first.
    assert shapes[0].found(cls) == (shapes[0].table, 0)
    assert all(shape.found(cls)[1] == shape.table for shape in shapes[1:])
    assert [shape.call(cls(), DRAW)[0] for shape in shapes] == ["first"] * 6
    cls.draw = draw
    assert [shape.call(cls(), DRAW)[0] for shape in shapes] == ["python"] * 6


def test_conflicting_providers_follow_the_mro_whole_tables(probe):
    shape = Interface(probe)
    table = probe.interface_table(shape.name, 3, 0b110, 1)
    other = probe.interface_heap("probe.Other", (), [(shape.id, table)], 1, 0b110)
    assert shape.calls(type(other)("A", (other, shape.provider), {})) == ["second"] * 3
    cls = type(other)("B", (shape.provider, other), {})
    assert shape.calls(cls) == ["first"] * 3 and shape.found(cls) == (shape.table, 0)


@pytest.mark.parametrize("how", ["no description", "no names", "no count", "short"])
def test_junk_in_a_table_overrides_nothing(probe, how):
    shape = Interface(probe)
    table = probe.interface_table(shape.name, 3, 0b110)
    probe.interface_spoil(table, how)
    junk = probe.interface_heap("probe.Junk", (), [(shape.id, table)], 0, 0b110)
    cls = type(junk)("Cls", (junk,), {"draw": draw})
    assert probe.interface_found(cls, shape.id)[0] == table
    for number in 0, 1, 16, 4095:                # flags or an offset, perhaps
        null = probe.interface_heap("probe.Null", (), [(shape.id, number)], 0, 0b110)
        cls = type(null)("Cls", (null,), {"draw": draw})
        assert probe.interface_found(cls, shape.id)[:2] == (number, 0)
        with pytest.raises(LookupError):
            shape.call(cls(), DRAW)


def test_metaclass_behind_ours_that_sets_attributes_is_asked(shape, extensibletype):
    class Behind(type):
        def __setattr__(cls, name, value):
            if name.isupper():
                raise TypeError("constant")
            super().__setattr__(name, value)

        def __delattr__(cls, name):
            raise TypeError("kept")

    class Meta(extensibletype, Behind): pass

    class Cls(shape.provider, metaclass=Meta):
        CONSTANT = 1

    with pytest.raises(TypeError, match="constant"):
        Cls.CONSTANT = 2
    with pytest.raises(TypeError, match="kept"):
        del Cls.CONSTANT
    Cls.draw = draw
    assert Cls.CONSTANT == 1 and shape.call(Cls(), DRAW) == ("python", "x")


def test_a_mixin_that_meets_an_interface_while_an_attribute_is_set_overrides_its_function(shape, extensibletype):
    made = []

    class Behind(type):
        def __setattr__(cls, name, value):
            if name == "draw":
                made.append(type(cls)("Met", (cls, shape.provider), {}))
            super().__setattr__(name, value)

    class Meta(extensibletype, Behind):
        pass

    class Mixin(metaclass=Meta):
        pass

    class First(shape.provider, metaclass=Meta):
        """Attributes are watched from now on."""

    Mixin.draw = draw
    assert shape.call(made[0](), DRAW) == ("python", "x")
