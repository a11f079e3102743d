# SPDX-License-Identifier: MIT
"""Classes of Python override methods of an interface, and implement one wholly.

When an attribute overrides, core/test_interface_overriding.py asks, and random programs of test_interface_copies.py.
"""
import cython_customslots
import pytest
from layer_modules import module_of


owner = module_of("interface_shapes.pyx")
drawing = module_of("interface_drawing.pyx", "interface_shapes.pyx")
circles = module_of("interface_provider.pyx")


def test_a_cpdef_method_is_overridden_from_python(drawing):
    class Own(drawing.Line):
        def draw(self, canvas):
            return super().draw(canvas) + 100

        def weight(self, factor, at):
            return at["y"] * factor

    assert drawing.draw(Own(), []) == 101 and drawing.draw(drawing.Line(), []) == 1
    assert drawing.weigh(Own(), 2) == 6 and drawing.weigh(drawing.Line(), 2) == 4
    assert drawing.Holder(Own()).draw([]) == 101


def test_attributes_of_instances_do_not_override_whatever_the_class_overrides(owner, drawing):
    class Descriptors(drawing.Line):
        draw = staticmethod(lambda canvas: 4)
        weight = property(lambda self: lambda factor, at: 5)

    for cls, expected in (type("Plain", (drawing.Line,), {}), 1), (Descriptors, 4):
        thing = cls()
        thing.draw = lambda canvas: 100
        assert drawing.draw(thing, []) == expected and thing.draw([]) == 100, cls
    assert drawing.weigh(Descriptors(), 1) == 5


def test_an_exception_of_python_comes_through(drawing):
    class Bad(drawing.Line):
        def draw(self, canvas):
            raise KeyError("no")

        def weight(self, factor, at):
            return "text"

        def next(self):
            return 3

    with pytest.raises(KeyError):
        drawing.draw(Bad(), [])
    with pytest.raises(TypeError, match="real number|float"):
        drawing.weigh(Bad(), 1)
    with pytest.raises(TypeError, match="expected an object that implements interface 'tests.Drawable'"):
        drawing.following(Bad())


def test_a_class_of_python_implements_an_interface(owner, drawing):
    class Text(owner.Drawable):
        def draw(self, canvas):
            canvas.append("text")
            return 40

        def weight(self, factor, at):
            return factor * 2

        def next(self):
            return drawing.Line()

    canvas, text = [], Text()
    assert drawing.draw(text, canvas) == 40 and canvas == ["text"]
    assert drawing.weigh(text, 5) == 10
    assert type(drawing.following(text)) is drawing.Line
    assert isinstance(text, owner.Drawable) and not isinstance(text, owner.Animated)


def test_a_class_statement_in_cython_derives_from_the_interface(drawing):
    made = drawing.made(None, None, None)
    assert drawing.draw(made(), []) == 17


def test_there_is_one_class_for_an_interface(owner, drawing, circles):
    assert drawing.value() is owner.Shape
    assert cython_customslots.interface("tests.Shape") is owner.Shape
    assert cython_customslots.interface("tests.Solid") is owner.Solid
    assert repr(owner.Shape) == "<interface 'tests.Shape'>"
    assert owner.Shape.__doc__ == "What has an area."


def test_isinstance_takes_it_among_other_classes(owner, drawing, circles):
    circle, ball = circles.Circle(1), circles.Ball(1)
    assert isinstance(ball, owner.Solid) and issubclass(circles.Ball, owner.Solid)
    assert drawing.one_of(circle) == (True, False) and drawing.one_of(3) == (True, False)
    assert drawing.one_of(ball) == (True, True) and drawing.one_of("") == (False, True)


def test_what_another_library_registers_later_is_seen_by_the_next_isinstance(probe, drawing):
    """A module asks nobody as long as nothing was ever registered for the interface."""
    late, table = drawing, probe.find_type(drawing.Early, drawing.Late.id)
    classes = [type(f"Foreign{i}", (), {}) for i in range(9)]
    objects = [cls() for cls in classes]
    others = [3, None, probe, late.Early, type(late.Early)("Bare", (), {})()]
    assert late.seen([*objects, *others]) == 0 and late.is_late(late.Early())
    for i, (cls, obj) in enumerate(zip(classes, objects, strict=True)):
        assert not late.is_late(obj)
        probe.register_slot(cls, late.Late.id, table)
        assert late.is_late(obj) and isinstance(obj, late.Late) and late.number(obj) == 5
        assert late.seen([*objects, *others]) == i + 1
    assert late.is_late(type("Below", (classes[0],), {})())
