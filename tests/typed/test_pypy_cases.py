# SPDX-License-Identifier: MIT
"""The cases that PyPy's prototype of typed functions is tested with, on CPython.

There a call from Python is made typed by the JIT; here a C caller makes it, and a call from
Python stays what it was.  So each case is asked both ways; and unlike there, a result that
equals the error value is an answer.
"""
import pytest
import support
from typed_support import HERE

pytestmark = pytest.mark.on_pypy


@pytest.fixture(scope="module")
def m():
    return support.load(support.build_c("pypy_cases", HERE / "pypy_cases.c",
                                        cflags=("-std=c99", *support.STRICT_FLAGS)))


# ------------------------------------------------------------------------ long -> long --

def test_inc(m):
    assert m.inc(4) == 5 == m.typed(m.inc, "l->l", 4)


def test_inc_of_minus_two_is_minus_one_and_no_error(m):
    assert m.inc(-2) == -1 == m.typed(m.inc, "l->l", -2)


def test_too_many_arguments_for_inc_are_a_type_error(m):
    with pytest.raises(TypeError, match=r"inc\(\) takes exactly one argument \(2 given\)"):
        m.inc(4, 5)


def test_wrong_type_for_inc_is_cpythons_type_error(m):
    with pytest.raises(TypeError, match="'float' object cannot be interpreted as an integer"):
        m.inc(4.5)


@pytest.mark.parametrize("x", [8, -1, 0])
def test_long_that_does_not_raise(m, x):
    assert m.raise_long(x) == x == m.typed(m.raise_long, "l->l", x)


def test_long_that_raises(m):
    for call in m.raise_long, lambda x: m.typed(m.raise_long, "l->l", x):
        with pytest.raises(RuntimeError, match="^got 123. raising$"):
            call(123)


# ------------------------------------------------------------ doubles, one to three --

def test_add(m):
    assert m.add(1.0, 2.0) == 3.0 == m.typed(m.add, "dd->d", 1.0, 2.0)


def test_too_many_arguments_for_add_are_its_own_type_error(m):
    with pytest.raises(TypeError, match="^add expected 2 arguments but got 3$"):
        m.add(4.0, 5.0, 6.0)


def test_wrong_types_for_add_are_its_own_type_error(m):
    with pytest.raises(TypeError, match="^add expected float but got int$"):
        m.add(4, 5)


def test_double_that_does_not_raise(m):
    assert m.raise_double(2.0) == 2.0 == m.typed(m.raise_double, "d->d", 2.0)


def test_double_whose_answer_is_the_error_value_does_not_raise(m):
    assert m.raise_double(1.0) == 0.0 == m.typed(m.raise_double, "d->d", 1.0)


def test_double_that_raises(m):
    for call in m.raise_double, lambda x: m.typed(m.raise_double, "d->d", x):
        with pytest.raises(RuntimeError, match="^got 0. raising$"):
            call(0.0)


def test_muladd(m):
    assert m.muladd(1.0, 2.0, 3.0) == 7.0 == m.typed(m.muladd, "ddd->d", 1.0, 2.0, 3.0)


# ---------------------------------------------------------------------------- objects --

@pytest.mark.parametrize("arguments", [(1,), (1, 2, 3)])
def test_wrong_number_of_arguments_for_takes_object(m, arguments):
    with pytest.raises(TypeError, match=f"^takes_object expected 2 arguments but got "
                       f"{len(arguments)}$"):
        m.takes_object(*arguments)


def test_takes_object_returns_an_int(m):
    thing = object()
    assert m.takes_object(thing, 8) == 9 == m.typed(m.takes_object, "Ol->l", thing, 8)


@pytest.mark.parametrize("arguments", [(), (1, 2)])
def test_wrong_number_of_arguments_for_takes_only_object(m, arguments):
    with pytest.raises(TypeError, match=r"takes_only_object\(\) takes exactly one argument "
                       rf"\({len(arguments)} given\)"):
        m.takes_only_object(*arguments)


def test_same_object_comes_back(m):
    thing = object()
    assert m.takes_only_object(thing) is thing
    assert m.typed(m.takes_only_object, "O->O", thing) is thing


# --------------------------------------------------------------------------------- rest --

def test_function_that_needs_the_gil_has_it_although_the_caller_has_not(m):
    assert m.does_have_gil() == 1 == m.typed(m.does_have_gil, "->l")


def test_wrong_signature_is_not_found(m):
    """There: a RuntimeError of the JIT's, or worse."""
    for function, letters in (m.inc, "d->d"), (m.add, "d->d"), (m.takes_object, "O->O"):
        with pytest.raises(LookupError):
            m.typed(function, letters, 1)


def test_subclass_of_int_is_converted_by_the_python_function_as_ever(m):
    class Sub(int):
        def __index__(self):
            raise AssertionError("not asked")
    assert m.inc(Sub(4)) == 5
