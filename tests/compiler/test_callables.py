# SPDX-License-Identifier: MIT
"""`@callable` above a C method: the C function behind an object's `__call__`, until a class overrides that."""
from pathlib import Path

import pytest
import support
from compiling import uncompiled
from layer_modules import MODULES, build, module_of
from typed_calls import NOGIL, flags, typed

import cython_customslots.typed

pytestmark = [pytest.mark.cythons, pytest.mark.interpreters,
              support.only_on_cpython("PyPy's types have no room for the slot")]


called = module_of("called.pyx")
caller = module_of("typed_caller.pyx")


def sums(called, function):
    """What a consumer gets from f(0) to f(3), which is what Python gets."""
    result = called.total(function, 4)
    assert result == sum(function(float(i)) for i in range(4))
    return result


@pytest.mark.parametrize(("name", "expected"), [
    ("Line", 12), ("Shifted", 16), ("Again", 20), ("OwnCall", -4), ("Declared", 12),
    ("Wider", 14), ("Deeper", 18), ("FinalLine", 26)])
def test_an_object_is_called_by_c_and_by_python_alike(called, name, expected):
    assert sums(called, getattr(called, name)(2)) == expected


def test_the_call_runs_the_method_without_python(called, caller):
    for cls in (called.Line, called.Shifted, called.Again, called.Declared):
        assert caller.signatures(cls(2)) == ("f8(f8)",)
        assert flags(caller, cls(2), "f8(f8)") & NOGIL
        assert typed(caller, cls(2), "f8(f8)")(3) == cls(2)(3)
    assert caller.signatures(called.OwnCall(2)) == ()


def test_the_c_is_c_plus_plus_too():
    path = support.build_cython(MODULES / "called.pyx", cplus=True)
    assert support.check_child("import called; print([called.total(getattr(called, name)(2), 4) for name in "
                               "('Line', 'Shifted', 'Again', 'Deeper')])", modules=[path]) == "[12.0, 16.0, 20.0, 18.0]"


def test_pure_python_mode_has_callables_and_runs_uncompiled():
    calls = """
        import pure_called as pure
        line = pure.Line(2)
        print(line(3) == 6, pure.Shifted(2)(3) == 7, pure.size(line) == (4, "line"), pure.is_measured(line),
              pure.is_measured(3), pure.Measured.of(line) is line, pure.Measured.of(3), pure.Line.__doc__,
              pure.triple(2.0), pure.silent(2.0), pure.Silent().heard())
        """
    expected = "True True True True False True None A line. 6.0 2.0 2"
    assert support.check_child(calls, modules=[build("pure_called.py")]) == expected
    assert uncompiled(calls, MODULES) == expected


def test_exceptions_arrive(called, caller):
    final = called.Final()
    assert typed(caller, final, "f8(f8)")(3) == final(3) == 1.5
    with pytest.raises(ValueError, match="found -1.0, expected 0 or more"):
        called.total(lambda x: final(x - 1), 3)
    with pytest.raises(ValueError, match="found -3.0"):
        typed(caller, final, "f8(f8)")(-3)


def test_objects_and_optional_arguments_arrive(called, caller):
    objects, line = called.Objects(), called.Line()
    assert caller.signatures(objects) == ("void(object, object)", "void(object)")
    typed(caller, objects, "void(object)")("one")
    typed(caller, objects, "void(object, object)")("two", line)
    objects("three")
    objects("four", line)
    with pytest.raises(TypeError, match="Argument 'line' has incorrect type"):
        typed(caller, objects, "void(object, object)")("five", 5)
    assert objects.notes() == [("one", None), ("two", line), ("three", None), ("four", line)]


def test_a_cpdef_method_is_dispatched(called):
    class Python(called.Dispatched):
        def at(self, x):
            return 10.0 + x

    assert sums(called, called.Dispatched()) == 6 and sums(called, Python()) == 46


def test_an_override_in_python_is_called(called):
    class Python(called.Line):
        def __call__(self, x):
            return 0.5

    Below = type("Below", (Python,), {})

    class Back(Python):
        __call__ = called.Line.__call__

    assert sums(called, Python(2)) == 2.0 == sums(called, Below(2))
    assert sums(called, Back(2)) == 12
    assert "overrides the __call__" in cython_customslots.typed.explain(Python(2))


def test_call_none_is_an_error_and_no_crash(called):
    class Python(called.Line):
        __call__ = None

    with pytest.raises(TypeError, match="not callable"):
        called.total(Python(2), 3)


@pytest.mark.parametrize("seed", range(support.SEED, support.SEED + 2))
def test_random_classes_are_called_by_c_as_by_python(called, seed):
    support.check_child("import runpy; runpy.run_path(sys.argv.pop(1), None, '__main__')",
                        Path(__file__).with_name("callable_program.py"), seed, 300, modules=[build("called.pyx")])


def test_who_has_room_for_a_function_alone_says_so_as_for_bound_methods(called):
    with pytest.raises(TypeError, match="takes a context .* or use as_lowlevelcallable"):
        cython_customslots.typed.as_ctypes(called.Line(2), "f8(f8)")
