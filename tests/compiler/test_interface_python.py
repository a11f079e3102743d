# SPDX-License-Identifier: MIT
"""Classes of Python override methods of an interface, and implement one wholly.

When an attribute overrides, core/test_interface_overriding.py asks, and random programs of test_interface_copies.py.
"""
import gc
import threading

import cython_customslots
import pytest
import support
from layer_modules import build, module_of


owner = module_of("interface_shapes.pyx")
drawing = module_of("interface_drawing.pyx", "interface_shapes.pyx")
circles = module_of("interface_provider.pyx")


# ------------------------------------------------------------------------- overriding

def test_a_cpdef_method_is_overridden_from_python(drawing):
    class Own(drawing.Line):
        def draw(self, canvas):
            return super().draw(canvas) + 100

        def weight(self, factor, at):
            return at["y"] * factor

    assert drawing.draw(Own(), []) == 101 and drawing.draw(drawing.Line(), []) == 1
    assert drawing.weigh(Own(), 2) == 6 and drawing.weigh(drawing.Line(), 2) == 4
    assert drawing.Holder(Own()).draw([]) == 101


def test_a_cdef_method_is_not_overridden_from_python(circles):
    consumer = support.load(build("interface_consumer.pyx"))

    class Own(circles.Circle):
        def area(self):
            return -1

        def label(self):
            return "own"

    assert consumer.area_of(Own(1)) == 3 and consumer.label_of(Own(1)) == "own"


def test_types_own_setattr_can_be_called_past_ours(drawing):
    class Own(drawing.Line):
        pass

    type.__setattr__(Own, "colour", 3)           # as other people's metaclasses do
    assert Own.colour == 3
    type.__delattr__(Own, "colour")
    assert not hasattr(Own, "colour")


def test_attributes_of_instances_do_not_override_whatever_the_class_overrides(owner, drawing):
    class Own(drawing.Line):
        def draw(self, canvas):
            return 3

    class Descriptors(drawing.Line):
        @staticmethod
        def draw(canvas):
            return 4

        @property
        def weight(self):
            return lambda factor, at: 5

    class Half(owner.Drawable):
        def draw(self, canvas):
            return 6

    for cls, expected in (type("Plain", (drawing.Line,), {}), 1), (Own, 3), (Descriptors, 4), (Half, 6):
        thing = cls()
        thing.draw = lambda canvas: 100
        assert drawing.draw(thing, []) == expected and thing.draw([]) == 100, cls
    assert drawing.weigh(Descriptors(), 1) == 5


def test_what_changes_between_two_calls_is_safe(drawing):
    class Own(drawing.Line):
        pass

    def change():
        Own.draw = lambda self, canvas: 9

    first, second = drawing.draw_twice(Own(), [], change)
    assert first == 1 and second in (2, 9)


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


# ------------------------------------------------------------- wholly in Python

def make(owner, drawing):
    class Text(owner.Drawable):
        def draw(self, canvas):
            canvas.append("text")
            return 40

        def weight(self, factor, at):
            return factor * 2

        def next(self):
            return drawing.Line()
    return Text


def test_a_class_of_python_implements_an_interface(owner, drawing):
    canvas, text = [], make(owner, drawing)()
    assert drawing.draw(text, canvas) == 40 and canvas == ["text"]
    assert drawing.weigh(text, 5) == 10
    assert type(drawing.following(text)) is drawing.Line
    assert isinstance(text, owner.Drawable) and not isinstance(text, owner.Animated)


def test_an_interface_that_extends_another_one_is_implemented_in_python(owner, drawing):
    class Film(owner.Animated):
        def draw(self, canvas):
            return 2

        def move(self, steps):
            return steps + 1

    assert drawing.draw(Film(), []) == 2 and drawing.move(Film(), 4) == 5
    assert issubclass(Film, owner.Drawable) and issubclass(owner.Animated, owner.Drawable)


def test_a_class_statement_in_cython_derives_from_the_interface(drawing):
    made = drawing.made(None, None, None)
    assert drawing.draw(made(), []) == 17


# ------------------------------------------------------------------------ what Python sees

def test_there_is_one_class_for_an_interface(owner, drawing, circles):
    assert drawing.value() is owner.Shape
    assert cython_customslots.interface("tests.Shape") is owner.Shape
    assert cython_customslots.interface("tests.Solid") is owner.Solid
    assert repr(owner.Shape) == "<interface 'tests.Shape'>"
    assert owner.Shape.__doc__ == "What has an area."


def test_isinstance_issubclass_and_casts_work(owner, drawing, circles):
    circle, ball = circles.Circle(1), circles.Ball(1)
    assert isinstance(circle, owner.Shape) and not isinstance(circle, owner.Solid)
    assert isinstance(ball, owner.Solid) and issubclass(circles.Ball, owner.Solid)
    assert not isinstance(3, owner.Shape) and not issubclass(int, owner.Shape)
    assert owner.Shape(circle) is circle and owner.Shape.of(circle) is circle
    assert owner.Shape.of(3) is None
    with pytest.raises(TypeError, match="tests.Shape: found an object of type 'int'"):
        owner.Shape(3)
    assert drawing.one_of(circle) == (True, False) and drawing.one_of(3) == (True, False)
    assert drawing.one_of(ball) == (True, True) and drawing.one_of("") == (False, True)


def test_what_another_library_registers_later_is_seen_by_the_next_isinstance(probe):
    """A module asks nobody as long as nothing was ever registered for the interface."""
    late = support.load(build("interface_late.pyx"))
    table = probe.find_type(late.Early, late.Late.id)
    classes = [type(f"Foreign{i}", (), {}) for i in range(50)]
    objects = [cls() for cls in classes]
    others = [3, None, probe, late.Early, type(late.Early)("Bare", (), {})()]
    assert late.seen([*objects, *others]) == 0 and late.is_late(late.Early())
    done, wrong = threading.Event(), []

    def ask():
        before = 0
        while not done.is_set():
            now = late.seen(objects)
            if now < before:
                wrong.append((before, now))
            before = now

    threads = [threading.Thread(target=ask) for _ in range(3)]
    with support.running(threads, done):
        for i, (cls, obj) in enumerate(zip(classes, objects, strict=True)):
            assert not late.is_late(obj)
            probe.register_slot(cls, late.Late.id, table)
            assert late.is_late(obj) and isinstance(obj, late.Late) and late.number(obj) == 5
            assert late.seen([*objects, *others]) == i + 1
    assert not wrong
    assert late.is_late(type("Below", (classes[0],), {})())


def test_classes_that_override_can_die(drawing):
    support.need_mortal_classes()

    def alive():
        gc.collect()
        return len(drawing.Line.__subclasses__())

    before = alive()
    for _ in range(10):
        class Own(drawing.Line):
            def draw(self, canvas):
                return 2
        assert drawing.draw(Own(), []) == 2
        del Own
    assert alive() <= before
