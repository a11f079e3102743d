# SPDX-License-Identifier: MIT
"""direct(): on PyPy the JIT calls the C function, on CPython it is the function; either way nobody
who calls it sees a difference."""
import functools
import gc
import inspect
import threading
import types

import pytest
import support
from cython_customslots import typed
from typed_support import HERE

pytestmark = pytest.mark.on_pypy

ON_PYPY = pytest.mark.skipif(not support.PYPY, reason="on CPython direct(f) is f")


@pytest.fixture(scope="module")
def m(_cache_exists):
    return support.load(support.build_cython(HERE / "direct_functions.pyx"))


@pytest.fixture(scope="module")
def c(_cache_exists):
    return support.load(support.build_c("pypy_cases", HERE / "pypy_cases.c",
                                        cflags=("-std=c99", *support.STRICT_FLAGS)))


def outcome(function, *args, **kwargs):
    try:
        result = function(*args, **kwargs)
        return type(result), result
    except Exception as error:
        return type(error), str(error)


DIRECT = ["inc", "inc_with_gil", "half", "narrow", "byte", "word", "no_arguments", "nothing", "ratio",
          "checked", "always", "named", "outside"]
NOT_DIRECT = ["negated", "append", "turned", "raising_void", "ordinary", "doubled", "calling"]


def test_python_functions_and_classes_stay_what_they_are(m):
    for something in len, abs, dict, int, m.Sum, lambda x: x, [].append:
        assert typed.direct(something) is something
    for nothing in None, 5, "text":
        with pytest.raises(TypeError, match="^direct: found an object of type .*expected a callable$"):
            typed.direct(nothing)


VALUES = [0, 1, -1, 5, 127, 128, -128, -129, 2**31, 2**63 - 1, 2**63, 2**64 - 1, 2**64, -2**63, -2**63 - 1,
          2**200, True, False, 1.0, 2.5, -0.0, float("inf"), 1e308, "text", None, 1j, [], b"a"]


@pytest.mark.parametrize("name", ["inc", "inc_with_gil", "half", "narrow", "byte", "word", "checked", "always",
                                  "ratio"])
def test_results_and_errors_are_the_functions_own(m, name):
    function = getattr(m, name)
    made = typed.direct(function)
    for value in VALUES:
        for _ in range(3):
            assert outcome(made, value) == outcome(function, value), value

    class Index:
        def __index__(self):
            return 3

        def __float__(self):
            return 3.5

    class Wrong(int):
        def __index__(self):
            raise ZeroDivisionError("asked")

    for value in Index(), Wrong(4):
        assert outcome(made, value) == outcome(function, value)


def test_a_function_in_c_is_asked_about_what_it_may_not_take(c):
    """Cython's functions take an int for a double; this one does not."""
    for name in "inc", "add", "raise_long", "raise_double", "muladd":
        function = getattr(c, name)
        made = typed.direct(function)
        assert (made is not function) == support.PYPY
        for arguments in [(4,), (4, 5), (4.0, 5.0), (1.0, 2.0, 3.0), (123,), (0.0,), (1.0,), (True,), (), (-2,)]:
            assert outcome(made, *arguments) == outcome(function, *arguments), (name, arguments)


def test_keywords_defaults_and_their_errors_are_the_functions_own(m):
    calls = [((1,), {}), ((1, 2), {}), ((1, 2, 3), {}), ((), {"type": 1}), ((1,), {"keywords": 2}),
             ((1,), {"int_": 2, "keywords": 3}), ((), {}), ((1, 2, 3, 4), {}), ((1,), {"wrong": 2}),
             ((), {"int_": 2}), ((1, 2), {"_rest": 3}), (("x",), {}), ((1,), {"int_": None})]
    made = typed.direct(m.named)
    for args, kwargs in calls:
        assert outcome(made, *args, **kwargs) == outcome(m.named, *args, **kwargs), (args, kwargs)
    made = typed.direct(m.ratio)
    for args, kwargs in [((1,), {}), ((1, 4), {}), ((), {"a": 1.0, "b": 8.0}), ((), {"b": 1}), ((1.0,), {"b": 0.0})]:
        assert outcome(made, *args, **kwargs) == outcome(m.ratio, *args, **kwargs), (args, kwargs)
    assert outcome(typed.direct(m.no_arguments)) == (int, 42)
    assert outcome(typed.direct(m.no_arguments), 1) == outcome(m.no_arguments, 1)
    with pytest.raises(TypeError, match="multiple values|got an unexpected|at most"):
        made(1.0, a=2.0)


def test_name_docstring_module_and_signature_are_the_functions_own(m):
    for function in m.inc, m.ratio, m.named:
        made = typed.direct(function)
        for attribute in "__name__", "__qualname__", "__doc__", "__module__":
            assert getattr(made, attribute) == getattr(function, attribute)
        assert inspect.signature(made) == inspect.signature(function)
        assert inspect.unwrap(made) is inspect.unwrap(function)


def test_consumers_in_c_find_the_c_function_in_it(m, c):
    made = typed.direct(m.inc)
    assert typed.direct(made) is made and outcome(m.calling, made, 4) == (int, 5)
    assert typed.signatures(made) == typed.signatures(m.inc)
    assert typed.address(made) == typed.address(m.inc)
    assert c.typed(made, "l->l", 4) == 5
    total = m.Sum()
    assert c.typed(typed.direct(total.add), "d->d", 4.0) == 4.0 and c.typed(typed.direct(total.add), "d->d", 1.0) == 5.0


def test_what_only_has_the_attributes_of_such_a_function_is_another_one(m, c):
    @functools.wraps(typed.direct(m.inc))
    def decorated(x):
        return 1000 + x

    assert typed.signatures(decorated) == []
    with pytest.raises(LookupError):
        c.typed(decorated, "l->l", 4)


def test_one_overload_of_several_may_be_meant(m):
    assert typed.direct(m.doubled, "f8(f8)")(2.5) == 5.0 and typed.direct(m.doubled, "i4(i4)")(4) == 8
    assert outcome(typed.direct(m.doubled, "i4(i4)"), 2.5) == (float, 5.0)
    with pytest.raises(TypeError, match=r"^direct: found i4\(i4\); f8\(f8\), expected f4\(f4\)"):
        typed.direct(m.doubled, "f4(f4)")
    with pytest.raises(ValueError):
        typed.direct(m.doubled, "f4(")


def test_a_bound_method_keeps_its_receiver(m):
    total = m.Sum()
    add = typed.direct(total.add)
    assert (add is total.add) == False                  # noqa: E712 (a new one each time, either way)
    assert [add(1.5), add(2), add(x=3.0)] == [1.5, 3.5, 6.5] and total.total == 6.5
    del total
    for _ in range(3):
        gc.collect()
    assert add(1.0) == 7.5


def test_errors_reach_who_called_in_every_thread(m):
    checked, ratio = typed.direct(m.checked), typed.direct(m.ratio)
    wrong = []

    def many(number):
        for _ in range(3000):
            for function, arguments, expected in [
                    (checked, (-number - 2,), (ValueError, f"{-number - 2} is negative")),
                    (checked, (-1,), (int, -1)), (ratio, (1.0, 0.0), (ZeroDivisionError, "no ratio")),
                    (ratio, (-2.0, 2.0), (float, -1.0))]:
                if outcome(function, *arguments) != expected:
                    wrong.append(outcome(function, *arguments))

    support.run_all(threading.Thread(target=many, args=(n,)) for n in range(4))
    assert wrong == []


def test_an_error_has_the_traceback_of_its_caller(m):
    checked = typed.direct(m.checked)
    with pytest.raises(ValueError) as raised:
        checked(-5)
    assert "test_an_error_has_the_traceback_of_its_caller" in [entry.name for entry in raised.traceback]
    assert raised.value.__context__ is None
    try:
        raise KeyError("before")
    except KeyError as error:
        with pytest.raises(ValueError) as raised:
            checked(-5)
        assert raised.value.__context__ is error


@pytest.mark.skipif(support.FREE_THREADED, reason="builds without a GIL")
def test_no_two_threads_are_in_a_function_that_needs_the_gil(m):
    """cffi lets the GIL go around its calls."""
    outside = typed.direct(m.outside)
    met = []
    threads = [threading.Thread(target=lambda: met.append(max(outside(2000) for _ in range(500)))) for _ in range(4)]
    support.run_all(threads)
    assert met == [0] * 4


def test_who_needs_the_gil_has_it(c):
    assert typed.direct(c.does_have_gil)() == 1


def test_functions_may_call_one_another_while_an_error_is_on_its_way(m):
    checked = typed.direct(m.checked)

    def inner(x):
        try:
            checked(-7)
        except ValueError:
            return checked(x)

    assert m.calling(inner, 4) == 4
    with pytest.raises(ValueError, match="-9 is negative"):
        m.calling(inner, -9)


def test_a_module_opts_in_as_a_whole(m):
    module = types.ModuleType("direct_functions")
    vars(module).update({name: value for name, value in vars(m).items() if not name.startswith("__")})
    foreign = module.foreign = len
    count = typed.direct_module(module)
    assert count == (len(DIRECT) if support.PYPY else 0)
    for name in DIRECT:                                 # which are called in C on PyPy
        made = getattr(module, name)
        assert type(made) is types.FunctionType if support.PYPY else made is getattr(m, name)
    for name in [*NOT_DIRECT, "Sum"]:
        assert getattr(module, name) is getattr(m, name)
    assert module.foreign is foreign and typed.direct_module(module) == 0
    assert module.inc(41) == 42 == module.inc(x=41)
    with pytest.raises(ValueError, match="no imported module 'nowhere'; expected a module, or the name"):
        typed.direct_module("nowhere")


def test_without_checks_only_quiet_functions_of_one_signature_are_the_pointer_itself(m, c):
    made = typed.direct(m.inc, checks=False)
    assert [made(4), made(-2)] == [5, -1] and made.__name__ == "inc" and made.__doc__ == m.inc.__doc__
    assert typed.signatures(made) == typed.signatures(m.inc) and typed.address(made) == typed.address(m.inc)
    assert c.typed(made, "l->l", 4) == 5 and typed.direct(made) is made
    assert outcome(made, "text")[0] is TypeError and outcome(made, 2**64)[0] is OverflowError
    assert (type(made) is type(typed.direct(m.half, checks=False))) != support.PYPY
    for name in "inc_with_gil", "checked", "ratio", "named":
        made = typed.direct(getattr(m, name), checks=False)
        for value in 3, "text", -5:
            assert outcome(made, value) == outcome(getattr(m, name), value)


@ON_PYPY
def test_pypys_ctypes_is_handed_nothing_that_needs_the_gil_or_raises(m):
    assert typed.as_ctypes(m.inc)(4) == 5
    for function in m.inc_with_gil, m.ratio, m.append:
        signature = typed.signatures(function)[0]
        with pytest.raises(TypeError, match="PyPy's ctypes calls without the GIL"):
            typed.as_ctypes(function, signature)
