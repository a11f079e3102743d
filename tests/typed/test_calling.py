# SPDX-License-Identifier: MIT
"""PyTypedCallable: C values in, C values out, whatever the callable is."""
import contextlib
import gc
import math
import struct
import sys
import types
import weakref

import pytest
import support
from typed_support import entry, new_function, probe_path, sig

pytestmark = pytest.mark.on_pypy

LONG = f"i{struct.calcsize('l')}"
L_L, D_D, V_I4, O_O = f"{LONG}({LONG})", "f8(f8)", "void(i4)", "object(object)"
#: How a caller may come: with the GIL, without it, in a thread that Python does not know.
HOW = ["gil", "nogil"]


def held(typed, text, function, flags=0, error=0, **more):
    holder = typed.Held(new_function(entry(text, function, flags, error), **more), sig(text))
    assert typed.is_typed(holder)
    return holder


def in_python(typed, text, function):
    holder = typed.Held(function, sig(text))
    assert not typed.is_typed(holder)
    return holder


# ------------------------------------------------------------- how errors are reported --

#: (caller, signature, C function, convention, error value, answers that are no errors)
CONVENTIONS = [
    ("l_l", L_L, "long_7", "VALUE", -7, [0, -1, 5, 7]),
    ("l_l", L_L, "long_1", "MAYBE", -1, [-1, 0, -7]),
    ("l_l", L_L, "long_1", "ANY", 0, [-1, 0]),
    ("l_l_gil", L_L, "long_7", "VALUE", -7, [0, -1]),
    ("l_l_gil", L_L, "long_1", "MAYBE", -1, [-1, 0]),
    ("d_d", D_D, "double_0", "MAYBE", 0.0, [0.0, -0.0, -1.0, 1.5]),
    ("d_d", D_D, "double_nan", "MAYBE", math.nan, [0.0, -1.0, math.inf]),
    ("d_d", D_D, "double_nan", "VALUE", math.nan, [-1.0, 2.0]),
    ("d_d", D_D, "double_any", "ANY", 0.0, [0.0, -1.0]),
    ("f4", "f4(f4)", "float_1", "MAYBE", -0.1, [-1.0, 0.5]),
    ("f16", "f16(f16)", "wide_1", "MAYBE", -1.0, [-1.0, 0.5]),
    ("u1", "u1(u1)", "byte_255", "MAYBE", -1, [255, 0]),
    ("u1", "u1(u1)", "byte_255", "MAYBE", 255, [255, 0]),
    ("u8", "u8(u8)", "word_max", "MAYBE", -1, [2 ** 64 - 1, 0]),
    ("c16", "c16(c16)", "complex_any", "ANY", 0, [-1 + 0j, 2 + 3j, 0j]),
    ("v_i4", V_I4, "nothing", "ANY", 0, []),
]


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("caller, text, function, convention, error, answers", CONVENTIONS)
def test_error_is_raised_and_an_answer_like_it_is_not(
        typed, how, caller, text, function, convention, error, answers):
    how = "gil" if caller.endswith("_gil") else how        # which that one always has
    for flags in getattr(typed, convention), getattr(typed, convention) | typed.NOGIL:
        holder = held(typed, text, function, flags, error)
        for answer in answers:
            result = typed.call(how, caller, holder, answer)
            assert result == answer and str(result) == str(answer)
        with pytest.raises(RuntimeError, match="got 123"):
            typed.call(how, caller, holder, 123)


@pytest.mark.parametrize("how", HOW)
def test_object_that_is_null_is_an_error(typed, how):
    holder = held(typed, O_O, "object_null", typed.VALUE)
    thing = object()
    assert typed.call(how, "o_o", holder, thing) is thing
    with pytest.raises(RuntimeError, match="got None"):
        typed.call(how, "o_o", holder, None)


def test_void_is_called_once_each_time(typed):
    holder = held(typed, V_I4, "nothing", typed.ANY)
    before = typed.calls_of_nothing()
    assert typed.call("gil", "v_i4", holder, 5) == 0 == typed.call("nogil", "v_i4", holder, 5)
    assert typed.calls_of_nothing() == before + 2


# ------------------------------------------------------------------- the GIL, threads --

@pytest.mark.parametrize("how", [*HOW, "thread"])
def test_only_functions_that_need_no_gil_are_called_without_it(typed, how):
    needs = held(typed, L_L, "attached", typed.MAYBE, -1)
    free = held(typed, L_L, "attached", typed.MAYBE | typed.NOGIL, -1)
    asked = typed.call(how, "l_l", needs, 0)
    assert (asked[0] if how == "thread" else asked) == 1
    asked = typed.call(how, "l_l", free, 0)
    assert (asked[0] if how == "thread" else asked) == (1 if how == "gil" else 0)


def test_thread_that_python_does_not_know_reports_what_it_cannot_raise(typed, unraisable):
    function = new_function(entry(L_L, "attached", typed.MAYBE, -1))
    for callable_ in function, lambda x: 1 // 0:
        assert typed.call("thread", "l_l", typed.Held(callable_, sig(L_L)), 2) == (-1, 1)
        (error, where), = unraisable
        assert isinstance(error, (RuntimeError, ZeroDivisionError)) and where is (None if support.PYPY else callable_)
        unraisable.clear()


@support.only_on_cpython("there a thread keeps the state that it was given once")
def test_what_a_nogil_function_raises_goes_with_the_thread_state_that_it_made(typed, unraisable):
    """So the caller has its error value for a result, in a thread that Python does not know."""
    free = held(typed, L_L, "long_1", typed.MAYBE | typed.NOGIL, -1)
    assert typed.call("thread", "l_l", free, 123)[0] == -1 and not unraisable
    with pytest.raises(RuntimeError, match="got 123"):
        typed.call("nogil", "l_l", free, 123)


def test_thread_that_python_does_not_know_gets_answers(typed):
    assert typed.call("thread", "d_d", held(typed, D_D, "double_0", typed.MAYBE, 0.0), 0.0) == (0.0, 0)
    assert typed.call("thread", "d_d", in_python(typed, D_D, lambda x: 2 * x), 4.0) == (8.0, 0)
    assert typed.call("thread", "o_o", held(typed, O_O, "same"), "x") == ("x", 0)


@support.only_on_cpython("PyPy has one interpreter")
@pytest.mark.parametrize("how", HOW)
def test_who_has_the_gil_is_known_after_there_was_a_sub_interpreter(how):
    """PyGILState_Check() says yes to everybody then, before CPython 3.12."""
    support.check_child("""
        import sys
        sys.path.insert(0, sys.argv[1])
        import support, typed_probe as p
        support.run_in_new_interpreter("")
        signature = p.parse("l->l")
        method = p.method("f")
        p.register([(method, p.record([(signature, "attached", p.MAYBE, -1)]))])
        holder = p.Held(p.function(method, None), signature)
        assert p.call(sys.argv[2], "l_l", holder, 0) == 1
        """, support.TESTS, how, modules=[probe_path()])


# ---------------------------------------------------------------------- forms of calls --

def test_context_goes_first_or_last(typed):
    for flag, function in (typed.FIRST, "first"), (typed.LAST, "last"):
        native = typed.Native(typed.record([entry(D_D, function, flag | typed.NOGIL)]), 2.5)
        holder = typed.Held(native, sig(D_D))
        assert typed.is_typed(holder)
        assert [typed.call(how, "d_d", holder, 4.0) for how in HOW] == [10.0, 10.0]


def test_bound_method_gets_its_receiver(typed):
    scale = entry("f8(object, f8)", "scale", typed.MAYBE, -1.0)
    for callable_ in (types.MethodType(new_function(scale), 2.5),
                      new_function((*scale[:2], typed.MAYBE | typed.SELF, -1.0), self=2.5)):
        holder = typed.Held(callable_, sig(D_D))
        assert typed.is_typed(holder)
        assert typed.call("nogil", "d_d", holder, 4.0) == 10.0
    holder = typed.Held(types.MethodType(new_function(scale), "no number"), sig(D_D))
    with pytest.raises(TypeError, match="must be real number, not str"):
        typed.call("gil", "d_d", holder, 4.0)


def test_as_many_arguments_as_there_may_be(typed):
    eleven, expected = f"f8({', '.join(['f8'] * 11)})", float(sum(n * n for n in range(1, 12)))
    assert typed.call("gil", "f8_11", held(typed, eleven, "eleven"), 0) == expected
    python = in_python(typed, eleven, lambda *args: sum(n * x for n, x in enumerate(args, 1)))
    assert typed.call("nogil", "f8_11", python, 0) == expected


def test_no_arguments(typed):
    assert typed.call("gil", "d", held(typed, "f8()", "no_arguments"), 0) == 42.0
    assert typed.call("nogil", "d", in_python(typed, "f8()", lambda: 43), 0) == 43.0


def test_pointers_pass_through_and_are_not_for_python(typed):
    holder = held(typed, "pointer(pointer)", "pointer")
    assert typed.call("gil", "p_p", holder, 12345) == 12345
    with pytest.raises(ValueError, match=r"found <built-in function len>, which has no C "
                       r"function with signature pointer\(pointer\).*cannot be given a pointer"):
        typed.Held(len, sig("pointer(pointer)"))


# ------------------------------------------------------------------------ through Python --

ECHO = {"bool": [True, False], "i1": [-128, 127, 0], "i2": [-2 ** 15, 2 ** 15 - 1],
        "i4": [-2 ** 31, 2 ** 31 - 1], "i8": [-2 ** 63, 2 ** 63 - 1], "u1": [0, 255],
        "u2": [0, 2 ** 16 - 1], "u4": [0, 2 ** 32 - 1], "u8": [0, 2 ** 64 - 1],
        "f4": [0.5, -math.inf, 2.0 ** 100], "f8": [0.1, 1e308, -0.0],
        "f16": [0.1, -1e308], "c8": [1.5 - 2j], "c16": [0.1 + 0.2j], "c32": [0.1 - 0.2j]}


@pytest.mark.parametrize("kind", ECHO)
def test_values_of_every_type_survive_both_ways(typed, kind):
    text = f"{kind}({kind})"
    native, seen = held(typed, text, f"echo_{kind}", typed.NOGIL), []

    def same(x):
        seen.append(x)
        return x
    python = in_python(typed, text, same)
    for value in ECHO[kind]:
        for how in HOW:
            for holder in native, python:
                result = typed.call(how, kind, holder, value)
                assert type(result) is type(value) and repr(result) == repr(value)
    assert [repr(x) for x in seen[::2]] == [repr(x) for x in ECHO[kind]]


@pytest.mark.parametrize("kind", [kind for kind in ECHO if kind[0] in "iu"])
def test_integer_that_does_not_fit_is_an_overflow_error(typed, kind):
    low, high = sorted(ECHO[kind])[0], sorted(ECHO[kind])[-1]
    for value in low - 1, high + 1, -2 ** 70, 2 ** 70:
        holder = in_python(typed, f"{kind}({kind})", lambda x, value=value: value)
        with pytest.raises(OverflowError, match=f"found the result {value}, expected one that "
                           f"fits into {kind}"):
            typed.call("nogil", kind, holder, 0)


class Index:
    def __index__(self):
        return 7


class Broken:
    def __index__(self):
        raise KeyError("index")
    __float__ = __bool__ = __complex__ = __index__


@pytest.mark.parametrize("kind, result, error", [
    ("i4", 1.0, TypeError), ("u8", "x", TypeError), ("i8", None, TypeError),
    ("f8", "x", TypeError), ("f4", None, TypeError), ("f16", [], TypeError),
    ("c16", "x", TypeError), ("c8", None, TypeError), ("f8", 10 ** 400, OverflowError),
    ("i1", Broken(), KeyError), ("f8", Broken(), KeyError), ("bool", Broken(), KeyError),
    ("c32", Broken(), KeyError),
])
@pytest.mark.parametrize("how", HOW)
def test_result_that_cannot_be_converted_is_an_error(typed, how, kind, result, error):
    holder = in_python(typed, f"{kind}({kind})", lambda x: result)
    with pytest.raises(error):
        typed.call(how, kind, holder, 0)


@pytest.mark.parametrize("kind, result, value", [
    ("i4", True, 1), ("u1", Index(), 7), ("f8", 3, 3.0), ("f8", Index(), 7.0), ("bool", [], False),
    ("bool", "x", True), ("c16", 2.5, 2.5 + 0j),
    ("f4", 0.1, struct.unpack("f", struct.pack("f", 0.1))[0]),
])
def test_results_are_converted_as_cpython_does(typed, kind, result, value):
    holder = in_python(typed, f"{kind}({kind})", lambda x: result)
    assert typed.call("gil", kind, holder, 0) == value


@pytest.mark.parametrize("how", HOW)
def test_exceptions_of_python_come_through(typed, how):
    for caller, text in ("l_l", L_L), ("d_d", D_D), ("v_i4", V_I4), ("o_o", O_O):
        with pytest.raises(ZeroDivisionError):
            typed.call(how, caller, in_python(typed, text, lambda x: 1 // 0), 1)
        with pytest.raises(TypeError, match="positional argument"):
            typed.call(how, caller, in_python(typed, text, lambda: 5), 1)


def test_result_is_ignored_where_none_is_wanted(typed):
    seen = []
    assert typed.call("gil", "v_i4", in_python(typed, V_I4, seen.append), 5) == 0
    assert typed.call("gil", "v_i4", in_python(typed, V_I4, lambda x: "anything"), 5) == 0
    assert seen == [5]


def test_python_is_called_where_only_another_signature_is_typed(typed):
    function = new_function(entry("f4(f4)", "float_1"))
    holder = in_python(typed, "object(object)", function)
    assert typed.call("gil", "o_o", holder, "x") == (None, ("x",))


# -------------------------------------------------------------------------- refusals --

def test_what_cannot_be_called_is_refused(typed):
    for thing in 5, "x", None, object():
        with pytest.raises(TypeError, match=rf"found an object of type '{type(thing).__name__}'"
                           r", expected a callable for f8\(f8\)"):
            typed.Held(thing, sig(D_D))


def test_number_that_is_no_signature_is_refused(typed):
    for number in 0, 1, 2, 2 ** 64 - 1:
        with pytest.raises(ValueError, match=f"found {number}, which is no signature"):
            typed.Held(len, number)


@pytest.mark.parametrize("how", HOW)
def test_holder_for_another_signature_is_an_error_not_a_wrong_call(typed, how):
    for holder in held(typed, D_D, "double_0"), in_python(typed, D_D, abs):
        with pytest.raises(TypeError, match=r"found a PyTypedCallable for f8\(f8\), expected one "
                           r"that was initialised for void\(i4\)"):
            typed.call(how, "v_i4", holder, 5)


def test_empty_holder_is_an_error(typed):
    holder = in_python(typed, D_D, abs)
    typed.forget(holder)
    assert not typed.is_typed(holder)
    with pytest.raises(TypeError, match="found an empty PyTypedCallable, expected one"):
        typed.call("gil", "d_d", holder, 5)


# ------------------------------------------------------------------------- references --

def test_holder_keeps_the_callable_and_its_receiver_alive(typed):
    class Number(float): pass
    receiver = Number(2.5)
    weak = weakref.ref(receiver)
    function = new_function(entry("f8(object, f8)", "scale", typed.MAYBE, -1.0))
    holder = typed.Held(types.MethodType(function, receiver), sig(D_D))
    del receiver, function
    gc.collect()
    assert weak() is not None and typed.call("nogil", "d_d", holder, 4.0) == 10.0
    typed.forget(holder)
    gc.collect()
    assert weak() is None


@support.only_on_cpython("PyPy collects no cycles through objects of C")
def test_holder_in_a_cycle_is_collected(typed):
    def function(x):
        return x
    function.holder = typed.Held(function, sig(D_D))
    weak = weakref.ref(function)
    del function
    gc.collect()
    assert weak() is None


def test_python_function_may_let_go_the_holder_that_calls_it(typed):
    """The call through Python holds what it calls."""
    class Call:
        def __call__(self, x):
            typed.forget(holder)
            gc.collect()
            return self.factor * x
    call = Call()
    call.factor = 2.0
    holder = in_python(typed, D_D, call)
    del call
    assert typed.call("gil", "d_d", holder, 4.0) == 8.0


@support.only_on_cpython("PyPy counts no references")
def test_calls_leak_no_references(typed):
    def big(x):
        return 10 ** 6 + x
    things = [object() for _ in range(3)]
    function = new_function(entry(O_O, "same"))
    holders = [in_python(typed, L_L, big), in_python(typed, L_L, lambda x: "wrong"),
               in_python(typed, L_L, lambda x: 10 ** 30), in_python(typed, L_L, lambda x: 1 // 0)]

    def work():
        for holder in holders * 50:
            with contextlib.suppress(TypeError, OverflowError, ZeroDivisionError):
                typed.call("nogil", "l_l", holder, 10 ** 6)
        for thing in things:
            for holder in typed.Held(function, sig(O_O)), typed.Held(lambda x: x, sig(O_O)):
                for how in HOW:
                    assert typed.call(how, "o_o", holder, thing) is thing
        for wrong in 5, "x":
            with pytest.raises(TypeError):
                typed.Held(wrong, sig(D_D))
    work()
    gc.collect()
    before = [sys.getrefcount(thing) for thing in (*things, function, big)]
    # The cache of attributes holds the name of each look-up, by the name's address.
    forget = getattr(sys, "_clear_internal_caches", None) or sys._clear_type_cache
    grown = []
    for _ in range(12):
        blocks = sys.getallocatedblocks()
        for _ in range(20):
            work()
        gc.collect()
        forget()
        grown.append(sys.getallocatedblocks() - blocks)
        if grown[-1] < 20:
            break
    assert [sys.getrefcount(thing) for thing in (*things, function, big)] == before
    # Other caches fill for a few rounds; a leak never stops.
    if not support.FREE_THREADED:
        assert grown[-1] < 20, grown
