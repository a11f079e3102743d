# SPDX-License-Identifier: MIT
"""Methods of an interface that have a body, which classes use that bring no method of their own."""
import inspect
import os
import sys
from pathlib import Path

import pytest
import support
from layer_modules import MODULES, build, module_of

pytestmark = pytest.mark.cythons
PROGRAM = Path(__file__).with_name("interface_mro_program.py")
#: .ci/nightly asks for 200.
PROGRAMS = max(2, int(os.environ.get("CUSTOMSLOTS_TEST_PROGRAMS", "20")) // 10)


owner = module_of("interface_bodies.pyx")
classes = module_of("interface_bodies_classes.pyx", "interface_bodies.pyx")
above = module_of("interface_bodies_above.pyx", "interface_bodies.pyx", "interface_bodies_classes.pyx")


BOTH = {"x": 18.0, "y": 9.0}


def test_a_class_has_the_bodies_of_the_methods_that_it_does_not_bring(owner, classes):
    assert owner.measure(classes.Square(3)) == (9, 3, 0, BOTH, 3, "this is 3.0")
    assert classes.directly(classes.Square(3)) == (3, "square 3.0", 0)
    assert owner.measure(classes.Decorated())[:2] == (1, 1)


def test_a_cdef_class_overrides_a_body_in_its_module_and_in_others(owner, classes, above):
    assert owner.measure(classes.Named(3))[-1] == "this is the 3.0"
    assert owner.measure(above.Round(3)) == (9, -3, 0, {"x": 18, "y": -9}, -3, "this is -3.0")
    assert classes.directly(above.Round(3)) == (-3, "square -3.0", 0)


def test_an_exception_comes_out_of_a_body_as_its_clause_says(owner, classes, monkeypatch):
    with pytest.raises(ValueError, match="found 3.0, expected 2.0 or less"):
        owner.measure(classes.Square(3), 2)
    seen = []
    monkeypatch.setattr(sys, "unraisablehook", lambda event: seen.append(str(event.exc_value)))
    assert owner.measure(classes.Square(200))[1:3] == (200, 0) and seen == ["too large"]


def test_a_class_has_the_bodies_of_all_its_interfaces_and_of_those_that_they_extend(owner, classes, above):
    assert owner.weigh(classes.Brick(2)) == (20, 2, "heavy 2.0")
    assert owner.measure(classes.Brick(2))[:3] == (4, 2, 0)
    assert owner.shout(classes.Loud()) == ("HO, PERSON", "ho, person", 6)
    assert owner.measure(classes.Estate())[:2] == (16, 4) and owner.greet(classes.Estate(), "hi") == ("hi, estate", 6)
    assert above.scaled(above.Scale(2)) == (-6, "scaled -2.0")


def test_registered_methods_have_the_bodies_too(owner, classes):
    assert owner.measure([])[:2] == (4, 2)


def test_python_sees_the_cpdef_methods_of_a_class(classes):
    assert classes.Square(3).label("python's") == "python's 3.0"
    assert classes.Square.label.__doc__ == "What it is called."
    assert not hasattr(classes.Square, "side")


def test_a_python_class_that_implements_the_interface_has_the_bodies(owner):
    class Own(owner.Greeter):
        def name(self):
            return "own"

    assert owner.greet(Own(), "hi") == ("hi, own", 3) and Own().greet("py") == "py, own"
    assert owner.Greeter.greet(Own(), "a") == "a, own"
    assert owner.Greeter.explain(Own()).startswith("'Own' implements tests.Greeter\n")


def test_explain_says_which_methods_a_python_class_lacks_and_counts_bodies(owner):
    class Half(owner.LoudGreeter):
        pass

    assert owner.LoudGreeter.explain(Half()).startswith(
        "'Half' does not implement all of tests.LoudGreeter: found no methods in Python for name, so calls of these ")
    with pytest.raises(NotImplementedError, match="'Half' has no method 'name'"):
        owner.greet(Half(), "hi")


@pytest.mark.parametrize("seed", range(support.SEED, support.SEED + PROGRAMS))
def test_random_classes_call_what_they_call_if_the_module_is_not_compiled(seed):
    support.check_child("import runpy; runpy.run_path(sys.argv.pop(1), None, '__main__')",
                        PROGRAM, MODULES, seed, 500, modules=[build("interface_mro.py")])


def test_bodies_do_not_depend_on_whether_methods_are_bound_as_those_of_python():
    here = support.load(build("interface_bodies_here.pyx", "-X", "binding=False"), "interface_bodies_here")

    class Own(here.counted()):
        def size(self):
            return 5

    assert here.measure(Own()) == (11, "of 11.0") and Own().describe("py") == "py 11.0"


def test_help_says_what_the_body_takes(owner):
    assert inspect.getdoc(owner.Greeter.greet) == "cpdef str greet(self, str word)\n\nGreets."
    assert list(inspect.signature(owner.Greeter.greet).parameters) == ["self", "word"]
    assert "That of a square" in inspect.getdoc(owner.Measured.side)


def test_the_module_that_declares_the_interface_need_not_be_there(owner):
    support.check_child("""
        import sys
        sys.modules["interface_bodies"] = None
        import interface_bodies_classes as classes
        assert classes.directly(classes.Square(3)) == (3, "square 3.0", 0)
        """, modules=[build("interface_bodies_classes.pyx")])


def test_bodies_of_a_pxd_are_in_its_module():
    here = support.load(build("interface_bodies_here.pyx"))

    class Own(here.counted()):
        def size(self):
            return 5

    class Overrides(here.Three):
        def describe(self, before):
            return super().describe(before) + "!"

    assert here.measure(here.Three()) == (7, "of 7.0") and here.four(here.Three()) == 14
    assert here.measure(Own()) == (11, "of 11.0") and Own().describe("py") == "py 11.0"
    assert here.measure(Overrides()) == (7, "of 7.0!")
    assert here.measure(here.Early()) == (7, "of 7.0") and here.Early().describe("py") == "py 7.0"
    assert here.measure(here.Louder()) == (7, "OF")
    assert here.Three.describe.__doc__ == "Says it." and here.counted().__doc__ == "Counts."
