# SPDX-License-Identifier: MIT
"""Interfaces: classes of several libraries implement them, and a consumer calls what it is given."""
import asyncio
import gc
import pydoc
import sys

import cython_customslots
import pytest
import support
from compiling import CYTHON
from layer_modules import ANYWHERE, HEAP, MODULES, NEEDS_HEAP_TYPES, build, in_interpreters, module_of, written

WRONG = "expected an object that implements interface '{}', found '{}', which {}"
NOT = "does not implement it"
OTHER = "implements it, but without the '{}' that this module was compiled for; see cython_customslots.explain()"
FORM = ("implements it, but with 'f8 area(object) nogil noexcept', where this module was compiled for "
        "'f4 area(object) nogil noexcept'")


provider = module_of("interface_provider.pyx")
consumer = module_of("interface_consumer.pyx", "interface_provider.pyx")
other = module_of("interface_other.pyx")


@pytest.fixture
def shapes(provider, other):
    return [provider.Circle(1), provider.Ball(2), provider.Named(3), provider.Grown(4), other.Square(5), other.Cube(6)]


def refused(function, *arguments):
    with pytest.raises(TypeError) as caught:
        function(*arguments)
    return str(caught.value)


def test_isinstance_goes_by_the_slot(consumer, provider, other):
    assert consumer.is_shape(provider.Circle(1)) == (True, False)
    assert consumer.is_shape(provider.Ball(1)) == (True, True)
    assert consumer.is_shape(other.Cube(1)) == (True, True)
    for thing in (None, 3, object, provider, provider.Circle):
        assert consumer.is_shape(thing) == (False, False)


def test_of_is_the_object_or_none(consumer, provider):
    circle = provider.Circle(1)
    assert consumer.of(circle) is circle
    assert consumer.of(3) is None and consumer.of(None) is None
    assert consumer.inferred(circle) == 3 and consumer.inferred(3) is None


def test_a_checked_cast_names_what_was_found_and_what_was_expected(consumer, provider):
    circle = provider.Circle(1)
    for cast in (consumer.cast, consumer.checked_cast):
        assert cast(circle) is circle
        assert refused(cast, 3) == WRONG.format("tests.Shape", "int", NOT)
        assert refused(cast, None) == WRONG.format("tests.Shape", "NoneType", NOT)
    assert refused(consumer.down, circle) == WRONG.format("tests.Solid", "interface_provider.Circle", NOT)
    assert refused(consumer.area_of, 3) == "argument 'shape': " + WRONG.format("tests.Shape", "int", NOT)
    assert refused(consumer.not_none, None, 1) == "argument 'shape': " + WRONG.format("tests.Shape", "NoneType", NOT)


def test_an_unchecked_cast_is_safe_all_the_same(consumer, provider):
    assert consumer.unchecked(provider.Circle(1)) == "circle 1.0"
    assert refused(consumer.unchecked, 3) == (
        "'label' of interface 'tests.Shape' was called on an object of 'int', which does not "
        "implement it any more")


def test_methods_of_every_class_are_called(consumer, shapes):
    areas = [3, 12, 27, 48, 25, 36]
    assert [consumer.area_of(shape) for shape in shapes] == areas == consumer.elements(shapes)
    assert consumer.total(shapes) == sum(areas)
    assert [consumer.label_of(shape) for shape in shapes] == [
        "circle 1.0", "circle 2.0", "named", "circle 4.0", "square 5.0", "square 6.0"]
    assert [consumer.not_none(shape, 2)[0] for shape in shapes] == areas
    assert [consumer.area_of(shape) for shape in shapes] == [4 * area for area in areas]


def test_an_interface_that_extends_another_one_is_one(consumer, provider, other):
    assert consumer.solid(provider.Ball(2)) == (12, 12, 8, {"x": 2, "y": -2}, "circle 2.0")
    assert consumer.solid(other.Cube(2)) == (4, 4, 8, {"x": 1, "y": 2}, "square 2.0")
    assert consumer.down(other.Cube(2)) == 8
    assert consumer.from_class(provider.Ball(2)) == (8, 2)


def test_an_interface_with_a_static_id_is_one(consumer, provider):
    ball = provider.Ball(2)
    assert consumer.paint(ball, 3) == (4, 1) and ball.painted == 3
    consumer.wipe(ball)
    with pytest.raises(ValueError, match="not painted"):
        consumer.wipe(ball)
    with pytest.raises(ValueError, match="no colour"):
        consumer.paint(ball, -1)
    assert "interface 'interface_shapes.Painted'" in refused(consumer.wipe, 3)


def test_exceptions_come_through_and_error_values_are_values(consumer, provider):
    with pytest.raises(ValueError, match="negative"):
        consumer.scaled(provider.Circle(1), -1)
    with pytest.raises(ValueError, match="no ball"):
        consumer.solid(provider.Ball(0))


def test_an_interface_is_an_argument_of_its_own_methods(consumer, provider, other):
    small, large = provider.Circle(1), other.Square(9)
    assert consumer.larger(large, small, 0) and not consumer.larger(small, large, 100)
    assert not consumer.larger(provider.Circle(3), small, 5)


def test_a_call_on_none_raises(consumer, capsys):
    assert refused(consumer.label_of, None) == "'label' of interface 'tests.Shape' was called on None"
    assert refused(consumer.label_of) == "'label' of interface 'tests.Shape' was called on None"
    assert refused(consumer.scaled, None, 2) == "'scale' of interface 'tests.Shape' was called on None"
    assert refused(consumer.wipe, None) == ("'wipe' of interface 'interface_shapes.Painted' was called on None")


def test_a_noexcept_call_on_none_is_told_to_the_unraisable_hook(consumer, monkeypatch):
    seen = []
    monkeypatch.setattr(sys, "unraisablehook", lambda args: seen.append(str(args.exc_value)))
    assert consumer.area_of(None) == 0
    assert seen == ["'area' of interface 'tests.Shape' was called on None"]


def test_variables_of_all_kinds_hold_one(consumer, provider):
    circle = provider.Circle(2)
    assert consumer.Box(circle).area() == 24
    assert consumer.closure(circle)() == 12
    assert list(consumer.generator(circle)) == [12, 13, 14]
    assert asyncio.run(consumer.coroutine(circle)) == 12
    assert consumer.keep(circle) == 12 and consumer.keep(provider.Circle(1)) == 3
    assert consumer.with_optional(circle) == (2, 24)
    assert consumer.label_method(circle)() == "circle 2.0"
    assert consumer.python_view(circle) == (True, True, False, True, 2)


def test_a_public_attribute_takes_nothing_else(consumer, provider):
    box, circle = consumer.Box(None), provider.Circle(1)
    box.shown = circle
    assert box.shown is circle
    box.shown = None
    assert refused(setattr, box, "shown", 3) == WRONG.format("tests.Shape", "int", NOT)
    assert box.shown is None


def test_a_variable_gets_another_table_with_another_object(consumer, provider, other):
    circle, square = provider.Circle(1), other.Square(2)
    assert consumer.reassigned(circle, square) == (3, 4)
    assert consumer.reassigned(circle, 5) == (3, 3, "kept")
    assert consumer.exchanged(circle, square) == (4, 3)


def test_values_that_are_assigned_together_are_tested_before_the_first_is_assigned(consumer, provider, other):
    circle, square = provider.Circle(1), other.Square(2)
    assert consumer.half_assigned(circle, square) == ("circle 1.0", "circle 1.0")
    assert consumer.assigned_beside_a_call(circle, square) == ("circle 1.0", "square 2.0")


def test_an_argument_that_replaces_the_object_leaves_the_call_alone(consumer, provider, other):
    circle, square = provider.Circle(1), other.Square(2)
    before = sys.getrefcount(circle)
    box = consumer.Box(circle)
    assert box.scaled_by_replacing(square) == (2, square)
    assert circle.radius == 2 and sys.getrefcount(circle) == before
    assert consumer.area_of(square) == 4


def test_an_unbound_variable_is_an_error(consumer, provider):
    circle = provider.Circle(1)
    assert consumer.unbound(circle) == 3 and consumer.deleted(circle, 0) == 3
    with pytest.raises(UnboundLocalError):
        consumer.unbound(None)
    with pytest.raises(UnboundLocalError):
        consumer.deleted(circle, 1)


def test_no_reference_is_lost_or_left(consumer, provider):
    circle = provider.Circle(1)
    consumer.total([circle])
    before = sys.getrefcount(circle)
    for _ in range(50):
        consumer.of(circle), consumer.cast(circle), consumer.total([circle, circle])
        consumer.reassigned(circle, circle), consumer.exchanged(circle, circle)
        consumer.closure(circle)(), list(consumer.generator(circle)), consumer.not_none(circle, 1)
        refused(consumer.reassigned, 5, circle)
    gc.collect()
    assert sys.getrefcount(circle) == before


def test_the_docstring_of_a_method_is_in_the_help_of_its_interface():
    measured = support.load(build("pure_called.py")).Measured
    size = "cpdef double size(self, double factor) except *"
    assert measured.signatures == (size, "cdef object name(self)")
    assert measured.size.__doc__ == f"{size}\n\nHow large it is.\n\nTimes the factor."
    assert measured.name.__doc__ == "cdef object name(self)"
    lines = [line.strip(" |") for line in pydoc.plain(pydoc.render_doc(measured)).splitlines()]
    start = lines.index("size(self, factor)") + 1
    assert lines[start:start + 5] == [size, "", "How large it is.", "", "Times the factor."]
    assert "How large" not in measured.explain(3) and size in measured.explain(3)


@pytest.mark.thorough
def test_no_function_is_generated_for_nothing():
    """What a class has for PyPy, too."""
    for name in ("interface_provider.pyx", "interface_consumer.pyx"):
        support.build_cython(MODULES / name, cflags=("-Wunused-function", "-Werror"), include_dirs=[MODULES])


@pytest.mark.thorough
def test_declarations_that_a_module_does_not_use_bring_no_warning(tmp_path):
    source = tmp_path / "unused.pyx"
    source.write_text("".join(f"from {name} cimport *\n" for name in (
        "cython_customslots", *(f"cython_customslots.{name}" for name in (
            "provider", "typedarray", "typedcallback", "typedmethod")))))
    support.build_cython(source, cflags=("-Wall", "-Werror"))


def test_what_a_class_implements_needs_no_test(provider):
    assert provider.known(provider.Circle(2)) == 12


def test_copies_of_a_declaration_are_one_interface(consumer, other, provider):
    assert other.area_of(provider.Circle(1)) == 3
    assert consumer.area_of(other.Square(3)) == 9
    assert other.corners_of(other.Cube(1)) == 8
    assert other.grade_of(provider.Poor()) == 0                 # `except UNKNOWN` is one of an enum of its own
    signature, = cython_customslots.interface("tests.Rated").signatures
    assert signature.endswith(" grade(self) except UNKNOWN")


def test_a_newer_provider_serves_an_older_consumer_and_neither_the_reverse_nor_another_signature(
        consumer, other, provider):
    assert consumer.solid(other.Cube(2))[0] == 4
    assert refused(other.corners_of, provider.Ball(1)) == "argument 'body': " + WRONG.format(
        "tests.Solid", "interface_provider.Ball", OTHER.format("corners"))
    assert refused(other.changed, provider.Odd()) == "argument 'thing': " + WRONG.format(
        "tests.Changed", "interface_provider.Odd", FORM)


def test_an_object_whose_class_is_changed_meanwhile_is_safe(consumer, provider):
    one, two = type("One", (provider.Circle,), {})(1), type("Two", (provider.Circle,), {})
    assert consumer.changing(one, lambda: setattr(one, "__class__", two)) == (3, 3)


IN_EACH = """
    import interface_consumer as consumer, interface_provider as provider
    import interface_drawing as drawing, interface_shapes as shapes

    class Own(provider.Circle):
        def label(self):
            return "own"

    class Line(shapes.Drawable):
        def draw(self, canvas):
            canvas.append("line")
            return 1

    canvas = []
    assert drawing.draw(Line(), canvas) == 1 and canvas == ["line"]
    text = repr([consumer.area_of(provider.Circle(2)), consumer.solid(provider.Ball(2))[2],
                 consumer.label_of(Own(1)), consumer.area_of(Own(1)), consumer.is_shape(3)])
    with open(target, "a") as file:
        file.write(text + chr(10))
    """


@NEEDS_HEAP_TYPES
def test_every_interpreter_has_them(tmp_path):
    paths = [support.build_cython(MODULES / name, cflags=HEAP, include_dirs=[MODULES],
                                  cython_args=("-X", ANYWHERE))
             for name in ("interface_provider.pyx", "interface_consumer.pyx", "interface_drawing.pyx",
                          "interface_shapes.pyx")]
    assert in_interpreters(IN_EACH, paths, tmp_path / "rows", 3) == ["[12.0, 8.0, 'own', 3.0, (False, False)]"] * 4


NEEDS_LIMITED_API = pytest.mark.skipif(
    CYTHON < (3, 1) or sys.version_info < (3, 11) or support.FREE_THREADED,
    reason="Cython's C for the limited API takes Cython 3.1, CPython 3.11 and the GIL")


@pytest.fixture(scope="module")
def limited_reader(tmp_path_factory):
    limited = f"-DPy_LIMITED_API=0x03{sys.version_info.minor:02X}0000"
    return support.build_cython(MODULES / "interface_reader.pyx", include_dirs=[MODULES], cflags=(limited,),
                                directory=tmp_path_factory.mktemp("limited"))


@pytest.mark.thorough
@NEEDS_LIMITED_API
def test_a_consumer_may_be_built_for_the_limited_api(limited_reader):
    output = support.check_child("""
        import interface_provider as provider, interface_reader as reader
        for thing in provider.Circle(2), provider.Named(2), provider.Ball(2):
            print(reader.is_form(thing), reader.label(thing), reader.area_unchecked(thing))
        try: reader.label(3)
        except TypeError as error: print(reader.is_form(3), error)
        """, modules=[build("interface_provider.pyx"), limited_reader])
    wrong = "argument 'form': " + WRONG.format("tests.Shape", "int", NOT)
    assert output.split("\n") == ["True circle 2.0 12.0", "True named 12.0", "True circle 2.0 12.0", f"False {wrong}"]


IN_A_SUB_INTERPRETER = """
    import sys
    import interface_shapes                      # the limited API cannot reach the table of IDs
    import interface_reader as reader
    for function in reader.is_form, reader.label, reader.label_unchecked:
        for thing in 3, None:
            try: print(function(thing))
            except TypeError as error: print(error)
    print(reader.area_unchecked(None))           # the hook of which interpreter is told is CPython's affair
    sys.stdout.flush()
    """


@pytest.mark.thorough
@pytest.mark.skipif(sys.version_info >= (3, 12), reason="test_every_interpreter_has_them is that of newer ones")
@pytest.mark.parametrize("limited", [False, pytest.param(True, marks=NEEDS_LIMITED_API)])
def test_objects_without_an_interface_are_refused_in_a_sub_interpreter_that_shares_the_gil(request, limited):
    reader = request.getfixturevalue("limited_reader") if limited else build("interface_reader.pyx")
    output = support.check_child(f"""
        import support
        support.run_in_new_interpreter({IN_A_SUB_INTERPRETER!r}, modules=sys.argv[1:])
        """, reader, build("interface_shapes.pyx"), timeout=60, modules=[support.TESTS / "support.py"])
    none = "'label' of interface 'tests.Shape' was called on None"
    gone = "'label' of interface 'tests.Shape' was called on an object of 'int', which does not implement it any more"
    assert output.split("\n") == [
        "False", "False", "argument 'form': " + WRONG.format("tests.Shape", "int", NOT), none, gone, none, "0.0"]


plain = module_of("implements_plain.pyx")


def test_a_class_implements_interfaces_of_which_its_pxd_does_not_tell(plain):
    disc = plain.Disc(2)
    assert (plain.area_of(disc), plain.label_of(disc), plain.scaled(disc, 2)) == (12, "disc 2.0", 4)
    for name in "Sized", "Scaled":
        assert isinstance(disc, cython_customslots.interface(f"tests.{name}"))


PLAIN_USER = """\
# cython: freethreading_compatible=True
from implements_plain cimport Disc

cdef class Ring(Disc):
    cdef double area(self) noexcept nogil:
        return 1

def area(Disc disc):
    return disc.area()
"""


def test_plain_cython_cimports_such_a_class_and_derives_from_it(plain, tmp_path):
    user = support.load(written(tmp_path, "implements_user", PLAIN_USER, layer=False, include_dirs=[MODULES]))
    assert user.area(plain.Disc(2)) == 12 == plain.area_of(plain.Disc(2))
    assert user.area(user.Ring(2)) == 1
