# SPDX-License-Identifier: MIT
"""The C functions that typed records lead to do what the Python functions do."""
import ctypes
import gc
import sys

import pytest
import support
from layer_modules import build, module_of, written
from typed_calls import ANY, MAYBE, NOGIL, SELF, VALUE, flags, integer, typed

pytestmark = pytest.mark.interpreters

LONG, LONG_LONG = integer(ctypes.c_long), integer(ctypes.c_longlong)
LONG_DOUBLE = "f8" if ctypes.sizeof(ctypes.c_longdouble) == 8 else "f16"
SIZE = integer(ctypes.c_size_t, signed=False)


caller = module_of("typed_caller.pyx")


@pytest.fixture(scope="session", params=["typed_binding", pytest.param("typed_builtin", marks=pytest.mark.thorough)])
def module(request):
    """The same functions: objects of Cython's own, and builtin functions."""
    return support.load(build(f"{request.param}.pyx"))


def outcome(function, *args):
    try:
        return function(*args)
    except Exception as failure:
        return type(failure), str(failure)


WIDTHS = [
    ("same_i1", "i1(i1)", [-128, 127]), ("same_i4", "i4(i4)", [-2**31, 2**31 - 1]),
    ("same_u2", "u2(u2)", [2**16 - 1]), ("same_u8", "u8(u8)", [2**64 - 2]),
    ("same_f4", "f4(f4)", [0.5]), ("same_f8", "f8(f8)", [0.1, -0.0]),
    ("same_long_double", f"{LONG_DOUBLE}({LONG_DOUBLE})", [0.1]),
    ("same_long_long", f"{LONG_LONG}({LONG_LONG})", [-5]),
    ("same_unsigned_long", "u{0}(u{0})".format(LONG[1:]), [5]),
    ("same_size", f"{SIZE}({SIZE})", [5]),
    ("same_ssize", "i{0}(i{0})".format(SIZE[1:]), [-5]), ("same_alias", "i8(i8)", [-2**40]),
    ("same_hidden", "i2(i2)", [-300]), ("same_hidden_float", "f4(f4)", [0.5]),
    ("negated", "i4(i4)", [0, 1]), ("negated_bool", "bool(bool)", [True, False]),
]


@pytest.mark.parametrize("name, text, values", WIDTHS)
def test_a_signature_goes_by_the_width_of_the_c_types(module, caller, name, text, values):
    function = getattr(module, name)
    assert caller.signatures(function) == (text,)
    for value in values:
        assert typed(caller, function, text)(value) == function(value)


def test_chars_and_enums_are_integers_as_the_compiler_has_them(module, caller):
    text, = caller.signatures(module.same_char)
    assert text in ("i1(i1)", "u1(u1)") and typed(caller, module.same_char, text)(65) == 65
    text, = caller.signatures(module.same_colour)
    assert text in ("i4(i4)", "u4(u4)")
    assert typed(caller, module.same_colour, text)(2) == module.same_colour(2)


def test_pointers_are_passed_as_they_are(module, caller):
    assert caller.signatures(module.shortened) == ("pointer(pointer)",)
    assert typed(caller, module.shortened, "pointer(pointer)")(b"abc") == b"bc"


def test_complex_numbers_are_passed_as_the_compiler_passes_its_own(module, caller):
    assert caller.signatures(module.turned_c8) == ("c8(c8)",)
    assert caller.call_c8(module.turned_c8, 1 + 2j) == module.turned_c8(1 + 2j) == -2 + 1j
    assert caller.call_c16(module.turned_c16, 1 + 2j) == module.turned_c16(1 + 2j) == -2 + 1j


def test_arguments_of_all_kinds_keep_their_places(module, caller):
    text = f"f8(i1, f8, u2, f4, object, {LONG})"
    arguments = (-3, 0.25, 50000, 0.5, "four", -7)
    assert caller.signatures(module.mixed) == (text,)
    assert typed(caller, module.mixed, text)(*arguments) == module.mixed(*arguments)
    eleven = f"i8({', '.join(['i4'] * 11)})"
    assert typed(caller, module.eleven, eleven)(*range(11)) == module.eleven(*range(11))
    assert typed(caller, module.nothing_at_all, "i4()")() == 42
    more = f"f8({'i4, f8, ' * 6}object)"         # than a number has room for
    assert caller.signatures(module.thirteen) == (more,)
    assert typed(caller, module.thirteen, more)(*range(12), "object") == module.thirteen(*range(12), "object") == 72


def test_there_is_an_entry_for_each_number_of_arguments(module, caller):
    texts = ("f8(f8, i4, object)", "f8(f8, i4)", "f8(f8)")
    arguments = (0.5, 7, "seven")
    assert caller.signatures(module.optional) == texts
    for count, text in zip((3, 2, 1), texts):
        given = arguments[:count]
        assert typed(caller, module.optional, text)(*given) == module.optional(*given)
    assert outcome(caller.find, module.optional, "f8()")[0] is LookupError


def test_objects_are_borrowed_and_results_are_new_references(module, caller):
    item = object()
    before = sys.getrefcount(item)
    append = typed(caller, module.append, "void(object)")
    assert append(item) is None
    assert module.store.pop() is item
    typed(caller, module.length, "i4(object)")([item])
    typed(caller, module.pair, "object(object, object)")({}, "x")
    gc.collect()
    assert sys.getrefcount(item) == before


CONVENTIONS = [
    ("noexcept_int", "i4(i4)", 0, 5), ("except_value", "i4(i4)", VALUE, 5),
    ("except_maybe", "i4(i4)", MAYBE, 5), ("except_default", "i4(i4)", MAYBE, 5),
    # Cython itself gives it an error value.
    ("except_always", "i4(i4)", MAYBE, 5), ("except_double", "f8(f8)", MAYBE, 5),
    ("except_float", "f4(f4)", MAYBE, 5), ("except_unsigned", "u4(u4)", MAYBE, 5),
    ("except_void", "void(i4)", ANY, 5), ("except_bool", "bool(i4)", MAYBE, -5),
    ("except_complex", "c16(i4)", ANY, 5), ("except_pointer", "pointer(i4)", VALUE, 5),
    # These raise nothing themselves, but their arguments are tested.
    ("length_noexcept", "i4(object)", MAYBE, [1, 2]), ("length_void", "void(object)", ANY, [1]),
    ("length", "i4(object)", MAYBE, [1, 2]),
]


@pytest.mark.parametrize("name, text, raises, good", CONVENTIONS)
def test_an_error_is_reported_as_the_flags_say(module, caller, name, text, raises, good):
    function = getattr(module, name)
    assert flags(caller, function, text) & 3 == raises
    is_error, raised = caller.outcome(function, text, good)
    assert raised is None and not (is_error and raises == VALUE)
    is_error, raised = caller.outcome(function, text, 0)
    if raises == 0:
        assert raised is None
    else:
        assert raised == "raised" and (is_error or raises == ANY)


def test_a_value_that_may_be_an_error_can_be_legitimate(module, caller):
    assert caller.outcome(module.except_maybe, "i4(i4)", -7) == (True, None)
    assert caller.outcome(module.except_double, "f8(f8)", 0.1) == (True, None)
    assert caller.outcome(module.length, "i4(object)", None) == (True, None)


def test_an_object_result_is_null_for_an_error(module, caller):
    call = typed(caller, module.except_object, "object(i4)")
    assert flags(caller, module.except_object, "object(i4)") & 3 == VALUE
    assert call(5) == 5
    assert outcome(call, 0) == (ValueError, "zero")


def test_functions_without_the_gil_say_so(module, caller):
    assert flags(caller, module.nogil_noexcept, "i4(i4)") == NOGIL
    assert flags(caller, module.nogil_raises, "i4(i4)") == NOGIL | MAYBE
    assert caller.call_without_gil(module.nogil_noexcept, 4) == 5
    assert caller.call_without_gil(module.nogil_raises, 4) == 4
    assert flags(caller, module.same_i4, "i4(i4)") & NOGIL == 0


@pytest.mark.parametrize("name", ["nogil_method", "with_gil"])
def test_a_nogil_method_of_a_final_class_needs_no_gil(module, caller, name):
    function = getattr(module.Final, name)
    assert flags(caller, function, "i4(object, i4)") & (NOGIL | 3) == NOGIL | MAYBE
    assert flags(caller, getattr(module.Final(), name), "i4(i4)") & NOGIL
    for call in (typed(caller, function, "i4(object, i4)"),
                 lambda *args: caller.call_method_without_gil(function, *args)):
        assert call(module.Final(), 4) == 5 and call(module.Final(), -2) == -1
        for wrong in 3, None, module.Shape():           # to raise it is taken
            kind, text = outcome(call, wrong, 4)
            assert kind is TypeError and "incorrect type" in text


def test_arguments_of_a_nogil_method_that_are_not_of_their_very_type_are_tested_with_the_gil(module, caller):
    text = "i4(object, object, object, object)"
    function = module.Final.nogil_with
    call = typed(caller, function, text)
    assert flags(caller, function, text) & NOGIL
    assert flags(caller, module.Final.nogil_nothing, "void(object)") & NOGIL
    final, shape = module.Final(), module.Shape()
    for good in (final, shape, []), (None, None, None), (None, module.Square(), [1]):
        assert call(final, *good) == 5
    for wrong in ((shape, final, shape, []), (final, 5, shape, []), (final, None, final, []),
                  (final, None, None, ()), (None, None, None, None)):
        kind, text = outcome(call, *wrong)
        assert kind is TypeError and "incorrect type" in text
    assert typed(caller, module.Final.nogil_nothing, "void(object)")(final) is None


class List(list):
    pass


@pytest.mark.parametrize("value", [[1, 2], None, 5, (1,), List("ab"), list])
@pytest.mark.parametrize("name", ["length", "length_noexcept"])
def test_a_builtin_type_is_tested_as_by_the_python_function(module, caller, name, value):
    function = getattr(module, name)
    assert outcome(typed(caller, function, "i4(object)"), value) == outcome(function, value)


def test_an_argument_error_has_a_traceback_entry(module, caller):
    call = typed(caller, module.length, "i4(object)")
    with pytest.raises(TypeError) as caught:
        call(5)
    last = caught.traceback[-1]
    assert last.name.endswith("length") and str(last.path).endswith("typed_functions.pxi")


def test_a_method_takes_its_receiver_as_an_object(module, caller):
    shape = module.Shape(3)
    assert caller.signatures(module.Shape.scaled) == ("f8(object, f8, f8)", "f8(object, f8)")
    assert flags(caller, module.Shape.area, "f8(object)") & SELF
    assert typed(caller, module.Shape.scaled, "f8(object, f8, f8)")(shape, 2, 1) == 7
    assert typed(caller, module.Shape.area, "f8(object)")(shape) == 9


def test_a_bound_method_has_its_receiver(module, caller):
    shape = module.Shape(3)
    assert typed(caller, shape.area, "f8()")() == 9
    assert typed(caller, shape.scaled, "f8(f8, f8)")(2, 1) == shape.scaled(2, 1)
    assert typed(caller, shape.scaled, "f8(f8)")(2) == shape.scaled(2)


@pytest.mark.parametrize("receiver", [5, None, "text", object()])
def test_a_wrong_receiver_is_a_type_error(module, caller, receiver):
    for name in ("area", "noexcept_area"):
        call = typed(caller, getattr(module.Shape, name), "f8(object)")
        kind, text = outcome(call, receiver)
        assert kind is TypeError
        assert text == (f"Argument 'self' has incorrect type (expected {module.__name__}.Shape, "
                        f"got {type(receiver).__name__})")


def test_an_extension_type_is_tested_as_by_the_python_method(module, caller):
    small, large = module.Shape(1), module.Square(2)
    call = typed(caller, small.larger, "object(object)")
    assert call(large) is large and call(None) is small
    assert outcome(call, 5) == outcome(small.larger, 5)
    area_of = typed(caller, module.area_of, "f8(object)")
    assert area_of(large) == module.area_of(large) == 1004
    assert outcome(area_of, 5) == outcome(module.area_of, 5)


def test_an_override_is_found_by_resolving_the_bound_method(module, caller):
    square = type("Python", (module.Square,), {})(2)
    assert typed(caller, square.area, "f8()")() == square.area() == 1004
    # The method of the base is that of the base, as in Python.
    assert typed(caller, module.Shape.area, "f8(object)")(square) == module.Shape.area(square) == 4
    assert caller.signatures(square.scaled) == ("f8(f8, f8, i4)", "f8(f8, f8)", "f8(f8)")
    # And what a C function calls itself is dispatched.
    assert typed(caller, square.twice, "f8()")() == 2008


def test_a_fused_function_has_all_its_overloads(module, caller):
    assert caller.signatures(module.doubled) == ("i4(i4)", "f8(f8)")
    assert typed(caller, module.doubled, "i4(i4)")(21) == 42
    assert typed(caller, module.doubled, "f8(f8)")(0.25) == 0.5
    assert caller.signatures(module.added) == ("i4(i4, i4)", "i4(i4)", "f8(f8, i4)", "f8(f8)")
    assert typed(caller, module.added, "f8(f8)")(0.5) == module.added(0.5) == 1.5


def test_overloads_that_only_python_types_tell_apart_are_left_out(module, caller):
    assert caller.signatures(module.entries_of) == ()
    count = typed(caller, module.entries_of["list"], "i4(object)")
    assert count([1, 2]) == 2 and outcome(count, {1: 2})[0] is TypeError
    assert typed(caller, module.entries_of["dict"], "i4(object)")({1: 2}) == 1


def test_a_fused_method_is_found_bound_and_unbound(module, caller):
    fused = module.Fused()
    fused.base = 40
    assert caller.signatures(module.Fused.plus) == ("i4(object, i4)", "f8(object, f8)")
    assert typed(caller, module.Fused.plus, "i4(object, i4)")(fused, 2) == 42
    assert caller.signatures(fused.plus) == ("i4(i4)", "f8(f8)")
    assert typed(caller, fused.plus, "i4(i4)")(2) == 42
    assert typed(caller, fused.plus, "f8(f8)")(0.5) == 40.5
    bound = fused.plus["double"]
    assert typed(caller, bound, "f8(f8)")(0.5) == bound(0.5) == 40.5
    assert outcome(typed(caller, module.Fused.plus, "i4(object, i4)"), 3, 2)[0] is TypeError


def test_functions_that_no_signature_can_express_have_none(module, caller):
    for function in (module.first, module.ordinary):
        assert caller.signatures(function) == ()
        assert outcome(caller.find, function, "f8(f8)")[0] is LookupError


@pytest.mark.parametrize("binding", [True, pytest.param(False, marks=pytest.mark.thorough)])
def test_why_not_tells_how_a_function_of_plain_cython_gets_a_record(tmp_path, binding):
    """Also where no module with records was imported, so that Cython's functions are of an unknown type."""
    text = f"# cython: binding={binding}, freethreading_compatible=True\ncpdef double f(double x): return x\n"
    words = support.check_child("import plain; from cython_customslots import typed; print(typed.explain(plain.f))",
                                modules=[written(tmp_path, "plain", text, layer=False)])
    assert "has no record: its module registers none" in words, words
    assert "cimport cython_customslots" in words and "cython-customslots, not by plain cython" in words
