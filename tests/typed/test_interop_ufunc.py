# SPDX-License-Identifier: MIT
"""NumPy ufuncs over typed functions."""
import ctypes
import sys

import pytest
import support
from cython_customslots import typed

pytestmark = [pytest.mark.thorough, pytest.mark.interop]


def test_a_ufunc_has_a_loop_for_each_overload_of_numbers(c, np):
    twice = typed.as_ufunc(c.twice)
    long_double = "g->g" if np.dtype("g").itemsize > 8 else None
    integer = "l->l" if np.dtype("l").itemsize == 8 else "q->q"
    assert twice.types == [text for text in (integer, "f->f", "d->d", long_double, "D->D") if text]
    assert twice(np.float32(1.5)).dtype == np.float32
    assert twice(np.int64(3)).dtype == np.int64 and twice(3j) == 6j
    assert twice(np.longdouble(1) / 3) == 2 * (np.longdouble(1) / 3)
    assert twice(np.int8(4)) == 8
    assert isinstance(twice, np.ufunc) and twice.__name__ == "twice"


def test_a_ufunc_computes_what_the_function_computes(c, np):
    square = typed.as_ufunc(c.square)
    for values in (np.linspace(-3, 3, 100_001), np.arange(24.0).reshape(2, 3, 4)[:, ::-1, ::2],
                   np.float64(3), np.zeros(0), np.arange(10), [1, 2.5]):
        assert np.array_equal(square(values), np.square(np.asarray(values, float)))
    out = np.zeros(3)
    assert square([1, 2, 3], out=out) is out and list(out) == [1, 4, 9]
    assert "The square of a number." in square.__doc__


def test_a_ufunc_of_two_arguments_reduces_and_broadcasts(c, np):
    minus = typed.as_ufunc(c.optional, nin=2, identity=None, name="minus", doc="x - y")
    assert minus(5, 3) == 2 and minus.nin == 2 and minus.identity is None
    assert minus.reduce([10.0, 2, 3]) == 5
    assert minus.outer([1.0, 2], [3, 4]).tolist() == [[-2, -3], [-1, -2]]
    assert minus.accumulate([10.0, 2, 3]).tolist() == [10, 8, 5]
    assert minus.__name__ == "minus" and minus.__doc__.endswith("x - y")
    assert typed.as_ufunc(c.optional, nin=2, identity=0).identity == 0
    assert typed.as_ufunc(c.optional, nin=2, identity=-1).identity == -1


def test_an_error_value_is_that_of_the_result_however_many_bytes_it_has(np):
    length = ctypes.cast(ctypes.pythonapi.PyObject_Length, ctypes.c_void_p).value       # -1 with an exception for NULL
    signature, minus_one = typed._typed.parse("u4(u4)"), (1 << 64) - 1
    function = typed._typed.make("length", len, ((signature, length, typed._typed.RAISES_MAYBE, minus_one, False),), 0)
    out = np.zeros(3, "u4")
    with pytest.raises(SystemError):
        typed.as_ufunc(function)(np.zeros(3, "u4"), out=out)
    assert out.tolist() == [2**32 - 1, 0, 0]    # nothing is called after the first error


@pytest.mark.parametrize("length", [1, 10, 100_000])
def test_the_first_error_stops_the_loop_and_is_raised(c, np, length):
    """Above 500 elements or so, NumPy has let the GIL go."""
    counted = typed.as_ufunc(c.counted)
    values = np.zeros(length)
    assert counted(values).tolist() == [1.0] * length
    place = length // 2
    values[place] = 13
    for view in values, values[:, None], np.repeat(values, 2)[::2]:
        c.calls()
        with pytest.raises(LookupError, match="thirteen"):
            counted(view)
        assert c.calls() == place + 1


def test_no_further_chunk_is_computed_after_an_error(c, np):
    """A cast makes NumPy call the loop for one buffer after the other."""
    counted = typed.as_ufunc(c.counted)
    values = np.zeros(50_000, dtype="f4")
    values[3] = 13
    c.calls()
    with pytest.raises(LookupError):
        counted(values)
    assert c.calls() == 4


def test_an_error_of_a_function_without_the_gil_is_raised(c, np):
    root = typed.as_ufunc(c.root)
    values = np.arange(100_000.0)
    assert np.array_equal(root(values), np.sqrt(values))
    values[70_000] = -9
    with pytest.raises(ValueError, match="root of -9"):
        root(values)
    with pytest.raises(ValueError, match="root of -9"):
        root(values[::-1])


def test_a_legitimate_error_value_is_no_error(c, np):
    assert typed.as_ufunc(c.root)(np.full(10_000, -4.0)).tolist() == [-1.0] * 10_000
    assert typed.as_ufunc(c.seven)(np.arange(5)).tolist() == [0, 2, 4, 6, 8]
    with pytest.raises(ArithmeticError, match="seven"):
        typed.as_ufunc(c.seven)(np.arange(10_000))


def test_contexts_and_receivers_reach_the_loops(c, np):
    values = np.arange(1000.0)
    for last in False, True:
        assert np.allclose(typed.as_ufunc(c.Power(3.0, last))(values), values ** 3, rtol=1e-15)
    assert np.array_equal(typed.as_ufunc(c.Power(3.0).scaled)(values), values * 3)
    with pytest.raises(ValueError, match="too much for interop.Power"):
        typed.as_ufunc(c.Power(3.0).picky)(values)


def test_a_rare_signature_is_called_through_python(c, np):
    rare = typed.as_ufunc(c.rare)
    assert rare.types == ["hBf->d"]
    a, b = np.arange(-5, 5, dtype="i2"), np.uint8(200)
    assert rare(a, b, np.float32(0.5)).tolist() == [x + 200.5 for x in range(-5, 5)]
    with pytest.raises(KeyError, match="rare"):
        rare(a, np.uint8(13), np.float32(0.5))


# --------------------------------------------------------------------------- what is refused --

@pytest.mark.parametrize("name, options, words", [
    ("optional", {}, "with 1 and 2 arguments; a ufunc has one number of arguments"),
    ("optional", {"nin": 3}, "expected one with 3 arguments"),
    ("sink", {}, r"found void\(f8\), expected a signature of numbers"),
    ("nothing", {}, "at least one argument and a result"),
    ("sum_all", {}, r"found f8\(i4, pointer\), expected a signature of numbers"),
    ("sum_all", {"signatures": "f8(i4, pointer)"}, "expected numbers only"),
    ("square", {"signatures": "f4(f4)"}, r"found f8\(f8\), expected f4\(f4\)"),
    ("square", {"signatures": ["dd->d"]}, r"found f8\(f8\), expected f8\(f8, f8\)"),
    ("square", {"name": "a\0b"}, "expected a str without NUL"),
    ("square", {"doc": 3}, "expected a str without NUL"),
    ("calls", {}, "found no C function"),
])
def test_what_makes_no_ufunc_is_refused_with_words(c, np, name, options, words):
    with pytest.raises(TypeError, match=words):
        typed.as_ufunc(getattr(c, name), **options)


def test_a_long_double_without_a_loop_is_refused(c, np):
    if np.dtype("g").itemsize == 8:
        pytest.skip("long double is double here, which is passed")
    with pytest.raises(TypeError, match=r"no loop for f16\(i1, f16\) is built in"):
        typed.as_ufunc(c.rare_long)


class Mute:
    def __repr__(self):
        raise ArithmeticError("repr was asked")


@pytest.mark.parametrize("junk", [10 ** 5000, Mute(), [Mute()], list(range(100_000))],
                         ids=["huge", "mute", "list with mute", "long list"])
def test_junk_for_a_ufunc_is_shown_or_not(c, np, junk):
    for option in "identity", "doc", "name":
        with pytest.raises((TypeError, ValueError), match="found .*expected") as caught:
            typed.as_ufunc(c.square, **{option: junk})
        assert len(str(caught.value)) < 500


# --------------------------------------------------------------------------- life and death --

def test_a_ufunc_keeps_its_function_and_frees_it(c, np, collected):
    power = c.Power(3.0)
    before = sys.getrefcount(power)
    ufunc = typed.as_ufunc(power)
    assert sys.getrefcount(power) > before
    assert ufunc(2.0) == 8
    del ufunc
    collected()
    assert sys.getrefcount(power) == before


def test_making_ufuncs_leaks_nothing(c, np, collected):
    resource = pytest.importorskip("resource")
    if support.SANITIZE:
        pytest.skip("the sanitizers' allocator keeps what is freed")
    power = c.Power(2.0)

    def work(count):
        for _ in range(count):
            typed.as_ufunc(power.scaled)
        collected()
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    work(2000)
    before = work(2000)
    assert work(20_000) - before < 4000        # 20000 leaked ones would be some 10 MB
