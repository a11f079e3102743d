# SPDX-License-Identifier: MIT
"""PyTypedCallable_InitAny() and what runs a library's C code: forms, hooks, errors, trampolines."""
import ctypes
import functools
import math
import os
import re
import sys
import threading
import types
import weakref
from pathlib import Path

import pytest
import support
from cython_customslots import typed

pytestmark = pytest.mark.msvc

NUMBER, POINT = 0, 1


@functools.lru_cache(maxsize=None)
def callbacks_path(abi=""):
    name = "_".join(filter(None, ["callbacks", abi]))
    return support.build_c(name, Path(__file__).with_name("callbacks.c"),
                           cflags=("-std=gnu99", *support.STRICT_FLAGS, "-Wno-unused-function", f"-DNAME={name}",
                                   *[f"-D{abi.upper()}"] * bool(abi)),
                           ldflags=() if os.name == "nt" else ("-lm", "-lpthread"))


#: What takes callbacks, in a module for a stable ABI, too; the other functions have records.
CONSUMER = "chosen", "call", "sum", "each", "obtained", "enter_twice", "made"


@pytest.fixture(scope="module", params=[
    "", pytest.param("abi3", marks=support.has_abi3), pytest.param("abi3t", marks=support.has_abi3t)])
def c(request):
    provider, consumer = support.load(callbacks_path()), support.load(callbacks_path(request.param))
    return types.SimpleNamespace(**{**vars(provider), **{name: getattr(consumer, name) for name in CONSUMER}})


def ctypes_norm(c):
    kind = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_int, ctypes.POINTER(ctypes.c_double))
    return kind(c.norm)


# ----------------------------------------------------------------------------------- choosing

def test_first_form_that_the_callable_has_is_chosen(c):
    assert c.chosen(c.square) == (NUMBER, True, "")
    assert c.chosen(ctypes_norm(c)) == (POINT, True, "")
    assert c.chosen(ctypes_norm(c), "reversed") == (0, True, "")
    assert c.chosen(c.square, "reversed") == (1, True, "")


def test_of_two_overloads_the_library_prefers(c):
    both = typed.resolve((c.norm, "f8(i4, pointer)"))
    assert c.chosen(both) == (POINT, True, "")


def test_python_function_is_called_in_the_first_form_without_pointers(c):
    for name, index in ("forms", 0), ("reversed", 1):
        chosen, is_typed, why = c.chosen(abs, name)
        assert (chosen, is_typed) == (index, False) and "is a builtin of Python's module builtins" in why


def test_python_function_gets_an_array_from_the_hook(c):
    def double_it(point):
        point[0] *= 2
        return sum(point)
    assert c.chosen(double_it, "points")[:2] == (0, False)
    assert c.call(double_it, (1.5, 4.0)) == (7.0, 3.0)


def test_hook_gets_the_data_of_the_library(c):
    assert c.call(lambda point, more: len(point) + more, (0.0, 0.0, 0.0), 4) == (7.0, 0.0)


def test_error_in_a_hook_is_raised(c):
    with pytest.raises(ZeroDivisionError):
        c.call(lambda point: 1 / 0, (1.0, 2.0))
    assert c.call(lambda point: -1.0, (1.0, 2.0)) == (-1.0, 1.0)
    with pytest.raises(TypeError):
        c.call(lambda point: "text", (1.0, 2.0))


def test_python_cannot_be_given_a_pointer_without_a_hook(c):
    with pytest.raises(ValueError, match=r"f8\(i4, pointer\), in C 'double \(int, double \*\)'"):
        c.chosen(lambda n, x: 0.0, "unhooked")


@pytest.mark.parametrize("thing", [None, 3, "text", [1], object()])
def test_what_is_not_callable_is_a_type_error(c, thing):
    with pytest.raises(TypeError, match="found an object of type .*expected a callable"):
        c.chosen(thing)


def test_forms_that_are_none_are_refused(c):
    with pytest.raises(ValueError, match="found no forms"):
        c.chosen(abs, "empty")
    with pytest.raises(ValueError, match="found 99 as form 0"):
        c.chosen(abs, "wrong")


def test_held_callable_lives_as_long_as_it_is_held(c):
    class Callable:
        def __call__(self, x):
            return x
    held = Callable()
    seen = weakref.ref(held)
    before = sys.getrefcount(held)
    assert c.sum(held, 4, "last") == 6.0
    assert sys.getrefcount(held) == before
    del held
    assert seen() is None


def test_function_freed_by_its_own_call_is_called_to_the_end(c):
    box = []
    kind = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)

    def drop(x):
        box.clear()
        return x
    box.append(kind(drop))
    assert c.sum(box[0], 5, "last") == 10.0 and not box


# ------------------------------------------------------------------- wrappers around functions

def test_constants_of_a_partial_are_bound(c):
    assert c.chosen(functools.partial(c.scaled, 3.0)) == (NUMBER, True, "")
    assert c.sum(functools.partial(c.scaled, 3.0), 5, "last") == 30.0
    assert c.sum(functools.partial(c.scaled, 3), 5, "gil") == 30.0
    assert c.call(functools.partial(c.pick, 7, 2.0), (0.5,)) == (720.5, 0.5)


@pytest.mark.parametrize("make, words", [
    (lambda c: functools.partial(c.scaled, 1.0, 2.0), "with 2 of its arguments bound"),
    (lambda c: functools.partial(c.pick, 1.5, 2.0), "the constants .* are no i4, f8"),
    (lambda c: functools.partial(c.pick, 1 << 40, 2.0), "the constants .* are no i4, f8"),
    (lambda c: functools.partial(c.scaled, 10 ** 400), "the constants .* are no f8"),
    (lambda c: functools.partial(c.scaled, factor=2.0), "constants by name, 'factor'"),
])
def test_partial_that_cannot_be_bound_says_why(c, make, words):
    made = make(c)
    index, is_typed, why = c.chosen(made)
    assert (index, is_typed) == (NUMBER, False) and re.search(words, why), why


def test_cached_function_is_called_without_the_cache(c):
    cached = functools.lru_cache(maxsize=None)(c.square)
    assert c.chosen(cached) == (NUMBER, True, "")
    assert c.sum(cached, 4, "last") == 14.0
    assert cached.cache_info()[:2] == (0, 0)
    assert c.chosen(functools.lru_cache(functools.partial(c.scaled, 2.0)))[1] is True


def test_cached_python_function_is_called_through_its_cache(c):
    cached = functools.lru_cache(maxsize=None)(lambda x: x)
    assert c.sum(cached, 4, "last") == 6.0 and cached.cache_info().currsize == 4
    assert "functools.lru_cache around" in c.chosen(cached)[2]


def test_address_is_called_with_the_users_word_only(c):
    pair = (c.square_impl, "f8(f8)")
    with pytest.raises(ValueError, match=r"typed.resolve\(pair\)"):
        c.chosen(pair)
    assert c.sum(typed.resolve(pair), 4, "last") == 14.0
    untyped = ctypes.CDLL(None).labs if os.name != "nt" else None
    if untyped is not None:
        assert c.chosen(untyped)[1] is False


def test_pointer_to_something_else_is_another_type(c):
    kind = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_int, ctypes.POINTER(ctypes.c_int))
    with pytest.raises(ValueError, match=r"points to i4, expected f8 as in 'double \(int, double"):
        c.chosen(kind(c.norm), "unhooked")
    untold = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_int, ctypes.c_void_p)
    assert c.chosen(untold(c.norm), "unhooked") == (0, True, "")


# --------------------------------------------------------------------------- running and errors

@pytest.mark.parametrize("way", ["gil", "last", "first", "alone", "target"])
def test_every_trampoline_calls_c_and_python(c, way):
    assert c.sum(c.square, 5, way) == 30.0
    assert c.sum(lambda x: x * x, 5, way) == 30.0
    assert c.sum(c.minus_one, 5, way) == -5.0


@pytest.mark.parametrize("way", ["gil", "last", "first", "alone", "target"])
def test_first_error_is_kept_and_raised_and_nothing_is_called_after_it(c, way):
    seen = []

    def fail(x):
        seen.append(x)
        if x == 2.0:
            raise KeyError("two")
        return x
    c.made()
    with pytest.raises(KeyError, match="two"):
        c.sum(fail, 100, way)
    assert seen == [0.0, 1.0, 2.0]
    assert way != "alone" or c.made() == 100        # the C code came to its end
    for function, words in (c.until_three, "three$"), (c.free_until_three, "three without the GIL"):
        with pytest.raises(ValueError, match=words):
            c.sum(function, 100, way)


@pytest.mark.usefixtures("unraisable")      # of threads that fail at the same time
def test_error_of_a_thread_that_python_has_not_seen_is_raised(c):
    if os.name == "nt":
        pytest.skip("the C test uses POSIX threads")
    assert c.sum(c.square, 100, "threads") == 4 * sum(x * x for x in range(100))
    assert c.sum(lambda x: x, 100, "threads") == 4 * 4950.0

    def fail(x):
        raise KeyError("first")
    with pytest.raises(ValueError, match="three without the GIL"):      # not called at once there
        c.sum(c.free_until_three, 100, "threads")
    with pytest.raises(KeyError, match="first"):
        c.sum(fail, 100, "threads")


def test_callback_without_a_result_raises_too(c):
    seen = []
    c.each(seen.append, 3)
    assert seen == [0, 1, 2]
    with pytest.raises(ZeroDivisionError):
        c.each(lambda i: 1 // (i - 1), 5)


def test_callback_of_a_thread_is_the_one_entered_last(c):
    assert c.obtained(c.square) == (1, 1, 1, 1)


def test_nested_runs_get_each_their_own_callable(c):
    def outer(x):
        return c.sum(lambda y: x * y, 3, "alone")
    assert c.sum(outer, 3, "alone") == 9.0

    def failing(x):
        try:
            return c.sum(lambda y: 1 / 0, 3, "alone")
        except ZeroDivisionError:
            return x
    assert c.sum(failing, 4, "alone") == 6.0


def test_threads_have_each_their_own_callback(c):
    results = {}

    def run(k):
        results[k] = c.sum(lambda x: x * k, 200, "alone")
    support.run_all(threading.Thread(target=run, args=(k,)) for k in range(8))
    assert results == {k: 19900.0 * k for k in range(8)}


def test_callback_that_is_entered_cannot_be_entered_again(c):
    with pytest.raises(RuntimeError, match="entered already"):
        c.enter_twice(c.square)


def test_result_that_looks_like_an_error_is_a_result(c):
    assert c.sum(lambda x: -1.0, 4, "last") == -4.0
    assert math.isnan(c.sum(lambda x: math.nan, 4, "gil"))


# ---------------------------------------------------------------------------- what never ends

def test_recursion_in_c_without_end_is_a_recursion_error(c):
    with pytest.raises(RecursionError, match="deep|recursion"):
        c.again(1.0)
    assert c.sum(c.square, 3, "alone") == 5.0


def test_recursion_through_python_without_end_is_a_recursion_error(c):
    def deeper(x):
        return c.sum(deeper, 1, "alone")
    with pytest.raises(RecursionError):
        deeper(0.0)
    assert c.sum(c.square, 3, "alone") == 5.0


_LOOP = """
import signal, sys
sys.path.insert(0, sys.argv[1])
import callbacks
signal.signal(signal.SIGALRM, signal.default_int_handler)
signal.setitimer(signal.ITIMER_REAL, 0.2)
try:
    callbacks.sum(callbacks.square, -1, sys.argv[2])
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.thorough
@pytest.mark.skipif(os.name == "nt", reason="needs a timer that sends signals")
@pytest.mark.parametrize("way", ["gil", "last", "alone"])
def test_endless_loop_of_c_functions_can_be_interrupted(c, way):
    done = support.run_child(_LOOP, str(Path(callbacks_path()).parent), way)
    assert (done.returncode, done.stdout) == (0, "interrupted\n"), done.stderr


@pytest.mark.thorough
@pytest.mark.parametrize("way", support.CONSUMERS)
def test_library_in_cython_uses_the_declarations(c, way):
    consumer = support.load(support.build_consumer(Path(__file__).with_name("callback_consumer.pyx"), way))
    assert consumer.sum_of(c.square, 4) == (14.0, "")
    total, why = consumer.sum_of(lambda x: x, 4)
    assert total == 6.0 and "is written in Python, so it has no C function" in why
    with pytest.raises(ZeroDivisionError):
        consumer.sum_of(lambda x: 1 / (x - 2), 4)
    pydll = ctypes.PYFUNCTYPE(ctypes.c_double, ctypes.c_double)(float)
    assert list(map(consumer.needs_gil, [c.square, lambda x: x, pydll])) == [False, True, True]
    assert consumer.value_at(max, 1.5, 2.0) == 2.0 and consumer.value_at(ctypes_norm(c), 3.0, 4.0) == 5.0
    with pytest.raises(ZeroDivisionError):
        consumer.value_at(lambda point: 1 / (point[0] - 1), 1, 2)
