# SPDX-License-Identifier: MIT
"""What is handed to other libraries: what one finder finds, arrays, errors, what capsules say, constants."""
import ctypes
import functools
import inspect
import itertools
import math
import pickle
import sys
import weakref

import pytest
from cython_customslots import typed
from cython_customslots.typed import _typed, export, search
from support import need

pytestmark = pytest.mark.interop


# ----------------------------------------------------------------------------- one finder for all

FORM = "f8(f8)"


def twice_and_one(x):
    return 2 * x + 1


#: Callables that compute 2 x + 1, by what they are; `needs`: what they are given.
KINDS = {
    "a ctypes function": lambda c: ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(twice_and_one),
    "a cached one": lambda c: functools.lru_cache(KINDS["a ctypes function"](c)),
    "a partial": lambda c: functools.partial(
        ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double, ctypes.c_double)(lambda k, x: k * x + 1), 2.0),
    "a capsule": lambda c: typed.capsule(KINDS["a ctypes function"](c)),
}
OF_NUMBA = {
    "njit": lambda numba: numba.njit(twice_and_one),
    "njit with a signature": lambda numba: numba.njit("float64(float64)")(twice_and_one),
    "cfunc": lambda numba: numba.cfunc("float64(float64)")(twice_and_one),
    "vectorize": lambda numba: numba.vectorize(twice_and_one),
    "vectorize with a signature": lambda numba: numba.vectorize(["float64(float64)", "int64(int64)"])(twice_and_one),
    "a ufunc": lambda numba: typed.as_ufunc(numba.cfunc("float64(float64)")(twice_and_one)),
    "a partial of a ufunc": lambda numba: functools.partial(
        numba.vectorize(["float64(float64, float64)"])(lambda k, x: k * x + 1), 2.0),
    "a cached njit": lambda numba: functools.lru_cache(numba.njit(twice_and_one)),
}


def check_doors(c, made):
    """Callbacks, and every door to another library, find a C function in *made*."""
    found = search.find(made, ((FORM, None),))
    assert c.call(made, 3.0, True) == c.call(found, 3.0, True) == (True, 7.0)
    assert "can be called unboxed as\n  f8(f8)" in typed.explain(made, FORM)
    assert c.call(typed.resolve(made, FORM), 3.0, True) == (True, 7.0)
    assert c.call(typed.capsule(made, FORM), 3.0, True) == (True, 7.0)
    if type(found) is typed.TypedFunction and "context" in typed.explain(made, FORM):
        for door in typed.as_ctypes, typed.address:
            with pytest.raises(TypeError, match=r"from a '.*(partial|ufunc|DUFunc)' object>.* takes a context"):
                door(made, FORM)
    else:
        assert typed.as_ctypes(made, FORM)(3.0) == 7.0
        assert c.call(typed.resolve((typed.address(made, FORM), FORM)), 3.0, True) == (True, 7.0)


@pytest.mark.parametrize("kind", KINDS)
def test_every_door_finds_what_callbacks_find(c, kind):
    check_doors(c, KINDS[kind](c))
    assert typed.signatures(KINDS[kind](c)) == [FORM]


@pytest.mark.parametrize("kind", OF_NUMBA)
def test_every_door_finds_what_callbacks_find_in_what_numba_makes(c, numba, scipy, lost, kind):
    made = OF_NUMBA[kind](numba)
    check_doors(c, made)
    assert typed.as_ufunc(made, FORM)([1.0, 2.0]).tolist() == [3.0, 5.0]
    assert numba.njit(lambda f, x: f(x))(typed.as_numba(made, FORM, unraisable=True), 3.0) == 7.0
    low = typed.as_lowlevelcallable(made, FORM, unraisable=True)
    assert scipy.integrate.quad(low, 0, 1)[0] == pytest.approx(2.0)
    assert type(low.function).__name__ == "PyCapsule" and not lost      # and no wrapper of ctypes'


def test_what_has_several_signatures_is_asked_which_one_is_meant(c, numba):
    several = numba.vectorize(["float64(float64)", "int64(int64)"])(twice_and_one)
    for made in several, functools.lru_cache(several):
        assert sorted(typed.signatures(made)) == [FORM, "i8(i8)"]
    assert typed.signatures(numba.njit("float64(float64, int32)")(lambda a, b: a)) == ["f8(f8, i4)"]
    assert typed.signatures(numba.njit("float64(float64[::1])")(lambda a: a[0])) == ["f8(f8[::1])"]
    assert typed.as_ufunc(several).types == ["l->l", "d->d"]
    for door in typed.resolve, typed.address, typed.capsule, typed.as_ctypes, typed.as_numba, typed.as_lowlevelcallable:
        with pytest.raises(TypeError, match="found 2 signatures, .*; say which one is meant, signature="):
            door(several)
        for asked in numba.njit(twice_and_one), numba.vectorize(twice_and_one):
            with pytest.raises(TypeError, match="found no signature of its own, .* say which one is meant, 'f8.f8.'"):
                door(asked)


def test_a_function_of_numba_that_raises_nothing_needs_no_word_of_the_user(c, numba, scipy):
    """LLVM knows whether it does."""
    assert typed.explain(numba.njit(twice_and_one), FORM).endswith("needs no GIL, raises nothing")
    low = typed.as_lowlevelcallable(numba.njit(twice_and_one), FORM)
    assert low.signature == "double (double)" and scipy.integrate.quad(low, 0, 1)[0] == pytest.approx(2.0)
    inverse = numba.njit(lambda x: 1 / x)
    with pytest.raises(TypeError, match="f8.f8. needs no GIL, may return a certain value when it raises; SciPy calls "
                                        r".*if this one is, say so, typed.resolve\(f, nogil=True, noexcept=True\)"):
        typed.as_lowlevelcallable(inverse, FORM)
    said = typed.resolve(inverse, FORM, noexcept=True)
    assert scipy.integrate.quad(typed.as_lowlevelcallable(said), 1, math.e)[0] == pytest.approx(1.0)
    with pytest.raises(ZeroDivisionError):
        c.call(inverse, 0.0)


def test_numbas_ufunc_gets_no_loop_that_would_change_its_results(c, numba):
    made = numba.vectorize(twice_and_one)
    assert c.call(made, 3.0, True) == (True, 7.0)
    assert made.types == [] and made(3).dtype.kind == "i"


def test_complex_numbers_that_numba_passes_otherwise_than_c_are_refused(c, numba):
    """Two floats are in one register of x86-64, and in two of numba's: the imaginary part was lost."""
    made = numba.cfunc("complex64(complex64)")(twice_and_one)
    for asked in lambda: typed.resolve(made), lambda: typed.as_ufunc(made):
        with pytest.raises(TypeError, match="found complex64, which numba passes otherwise than C does here"):
            asked()
    with pytest.raises(TypeError, match="take no c8 as C passes it"):
        typed.as_numba((typed.address(c.square), "c8(c8)"))
    with pytest.raises(TypeError, match="take no c8 as C passes it"):
        typed.resolve(numba.njit(lambda z: z.real), "f8(c8)")
    real = numba.njit(lambda z: 10 * z.real + z.imag)
    if need("numpy") and sys.maxsize > 1 << 32 and sys.platform != "win32":
        assert typed.as_ufunc(numba.cfunc("complex128(complex128)")(twice_and_one))(3 + 4j) == 7 + 8j
        assert typed.as_ufunc(real, "f8(c16)")(3 + 4j) == 34


def test_an_object_that_says_nothing_of_its_arguments_is_called(numba):
    class Silent:
        @property
        def __class__(self):
            raise AssertionError("asked for its class")

        def __call__(self, x):
            return 2 * x
    assert numba.njit(lambda f, x: f(x))(typed.as_numba(Silent(), FORM, unraisable=True), 3.0) == 6.0


# ------------------------------------------------------------------------------------------ arrays

QUAD = "double (int, double *)"


def first_two(x):
    return x[0] + x[1]


def test_functions_of_an_array_are_handed_to_scipy_as_such(numba, scipy, lost):
    for function in numba.njit(first_two), first_two, functools.lru_cache(numba.njit(first_two)), len:
        low = typed.as_lowlevelcallable(function, QUAD, unraisable=True)
        assert scipy.integrate.quad(low, 0, 1, args=(2.0,))[0] == pytest.approx(2.0 if function is len else 2.5)
    by_address = numba.njit(lambda n, x: x[0] + x[1])           # as the text has it
    low = typed.as_lowlevelcallable(by_address, QUAD, unraisable=True)
    assert scipy.integrate.quad(low, 0, 1, args=(2.0,))[0] == pytest.approx(2.5)
    line = [0.0, 1, 2, 3]

    def mean(x):
        return sum(x) / len(x)

    def twice(x, result):
        for i in range(len(result)):
            result[i] = 2 * x[i]

    def shifted(indices, x):
        x[0] = indices[0] - 1
    filters = scipy.ndimage
    for wrap in numba.njit, lambda function: function:
        low = typed.as_lowlevelcallable(wrap(mean), "int (double *, npy_intp, double *, void *)", unraisable=True)
        assert filters.generic_filter(line, low, 3)[1:3] == pytest.approx([1, 2])
        low = typed.as_lowlevelcallable(
            wrap(twice), "int (double *, npy_intp, double *, npy_intp, void *)", unraisable=True)
        assert filters.generic_filter1d(line, low, 3).tolist() == [0, 0, 2, 4]
        low = typed.as_lowlevelcallable(wrap(shifted), "int (npy_intp *, double *, int, int, void *)", unraisable=True)
        assert filters.geometric_transform(line, low) == pytest.approx([0, 0, 1, 2])
    assert lost == []


def test_a_python_function_that_keeps_its_array_or_writes_to_it_is_told(scipy, lost):
    kept = []
    for function, words in ((lambda x: kept.append(x[1:]) or 1.0, "has kept a view"),
                            (lambda x: x.__setitem__(0, 1.0), "cannot modify read-only memory")):
        low = typed.as_lowlevelcallable(function, QUAD, unraisable=True)
        with pytest.warns(scipy.integrate.IntegrationWarning):
            assert math.isnan(scipy.integrate.quad(low, 0, 1)[0])
        assert words in lost.pop()
    with pytest.raises(ValueError, match="released"):
        kept[0][0]


def test_python_functions_of_arrays_are_called_in_jitted_code_if_their_errors_may_be_lost(numba, lost):
    numpy = need("numpy")
    handed = typed.as_numba(first_two, "f8(const f8[::1])", unraisable=True)
    call = numba.njit(nogil=True)(lambda f, x: f(x))
    assert call(handed, numpy.arange(3.0)) == 1.0 and lost == []
    assert math.isnan(call(handed, numpy.arange(1.0))) and lost == ["IndexError('index out of bounds on dimension 1')"]
    again = pickle.loads(pickle.dumps(handed))
    assert call(again, numpy.arange(3.0)) == handed(numpy.arange(3.0)) == 1.0
    for text in FORM, "f8(const f8[::1])":
        with pytest.raises(TypeError, match="does not take its arguments"):
            typed.as_numba(lambda: 0.0, text, unraisable=True)


@pytest.mark.parametrize("function, signature, words", [
    (lambda n, x: 0.0, QUAD, r"does not take its arguments \(missing a required argument: 'x'\), "
                             r"expected one of f8\(const f8\[::1\]\)"),
    (lambda x: 0.0, "double (double *)", r"found 'double \(double \*\)', and Python cannot be given a pointer to "
                                         "numbers; expected a C function, or a text of which the lengths are known"),
    (lambda: 0.0, "double (double)", r"does not take its arguments \(too many positional arguments\), expected one"),
    (lambda x: 0.0, "double (int, float *)", "expected pointers to the same as in 'double .int, double"),
], ids=["arguments", "length", "numbers", "items"])
def test_python_functions_that_cannot_be_given_an_array_are_refused(scipy, function, signature, words):
    with pytest.raises(TypeError, match=words):
        typed.as_lowlevelcallable(function, signature, unraisable=True)


# ------------------------------------------------------------------------ what C gets after an error

def fails(*arguments):
    raise KeyError("mine")


@pytest.mark.parametrize("function, error", [
    (fails, "KeyError('mine')"), (lambda *given: "text", "TypeError("), (lambda *given: 1 << 70, "OverflowError(")],
    ids=["raises", "no number", "too large"])
@pytest.mark.parametrize("result, expected", [
    ("f8", "nan"), ("f4", "nan"), ("f16", "nan"), ("i4", "0"), ("u8", "0"), ("i1", "0"), ("bool", "False"),
    ("pointer", "None"), ("void", "None")])
def test_after_an_error_in_a_wrapper_of_ctypes_c_gets_a_defined_value(lost, function, error, result, expected):
    """ctypes alone would give it what happens to lie there."""
    wrapper = export._callback(function, f"{typed.canonical(f'{result}()')[:-1]}f8)")
    found = wrapper(1.0)
    if (function is fails or result not in ("bool", "void")) and not (error == "OverflowError(" and result[0] == "f"):
        assert repr(found) == expected and lost[0].startswith((error, "TypeError")), (found, lost)
    else:
        assert found in (None, True, float(1 << 70)) and not lost


def test_c_gets_a_defined_value_at_the_limit_of_recursion(c):
    """The call of the wrapper itself must not raise."""
    found, values = typed.resolve(export._callback(lambda x: 2 * x, FORM)), []

    def deeper():
        values.append(c.call(found, 1.0)[1])
        deeper()
    limit = sys.getrecursionlimit()
    for more in range(5):
        sys.setrecursionlimit(len(inspect.stack(0)) + 60 + more)
        try:
            with pytest.raises(RecursionError):
                deeper()
        finally:
            sys.setrecursionlimit(limit)
    assert {value for value in values if not math.isnan(value)} == {2.0}


def test_a_wrapper_that_its_own_function_keeps_is_collected(collected):
    def function(x):
        return x
    function.wrapper = export._callback(function, FORM)
    alive = weakref.ref(function)
    del function
    collected()
    assert alive() is None


def test_the_error_value_of_a_c_function_is_what_c_gets(c, lost):
    for function, expected in (c.seven, -99), (c.counted, None):        # that one has none
        entry = export._entry(function, None, "test")
        found = export._callback(export._boxed(entry), entry.text, entry)(7 if expected else 13.0)
        assert found == expected if expected else math.isnan(found)
    assert lost == ["ArithmeticError('seven')", "LookupError('thirteen')"]


def test_libraries_get_nan_after_an_error(c, numba, scipy, lost):
    apply = numba.njit(lambda f, x: f(x))
    handed = [typed.as_numba(fails, FORM, unraisable=True), typed.as_numba(c.counted, unraisable=True),
              typed.as_numba(numba.vectorize([FORM.replace("f8", "float64")])(lambda x: x), FORM, unraisable=True)]
    assert [str(apply(function, 13.0)) for function in handed] == ["nan", "nan", "13.0"]
    assert apply(typed.as_numba(c.seven, unraisable=True), 7) == -99
    assert lost == ["KeyError('mine')", "LookupError('thirteen')", "ArithmeticError('seven')"]
    for function, signature in (fails, FORM), (c.counted, FORM), (fails, QUAD):
        low = typed.as_lowlevelcallable(function, signature, unraisable=True)
        with pytest.warns(scipy.integrate.IntegrationWarning):
            assert math.isnan(scipy.integrate.quad(low, 13, 13 + 1e-13)[0])
        assert lost and lost[-1] in ("KeyError('mine')", "LookupError('thirteen')")


# --------------------------------------------------------------------------- what capsules say

@pytest.mark.parametrize("name, signature, words", [
    ("__pyx_t_double_complex (double, double, double, int __pyx_skip_dispatch)", "f8(f8)",
     r"found 3 arguments, expected 1 as in f8\(f8\)"),
    ("__pyx_t_double_complex (double)", "f8(f8)", r"found that the result is c16, expected f8 as in f8\(f8\)"),
    ("thing (double, int)", "f8(f8, f8)", "found that argument 2 is i4, expected f8"),
    ("double (struct s)", "f8(f8)", "found that argument 1 is a struct, expected f8"),
    ("double (struct s *)", "f8(f8)", "found that argument 1 is pointer, expected f8"),
    ("PyObject *(PyObject *)", "f8(f8)", "found that the result is object, expected f8"),
    ("int (int, ...)", "i4(i4)", "found 2 arguments, expected 1"),
    ("int (int, ...)", "i4(i4, f8)", "found that argument 2 is variable, expected f8"),
    ("double (double &)", "f8(f8)", "found that argument 1 is pointer, expected f8"),
    ("double (thing, void *)", "f8(f8)", "found 2 arguments, expected 1"),
    ("double (double)", "f8(f8, f8)", r"found f8\(f8\), expected f8\(f8, f8\)"),
])
def test_nobodys_word_counts_against_what_the_name_of_a_capsule_shows(c, name, signature, words):
    with pytest.raises(TypeError, match=words):
        typed.resolve(c.named_capsule(name, 0), signature)


@pytest.mark.parametrize("name, signature", [
    ("thing (double)", FORM), ("double (enum e, thing *)", "f8(i4, pointer)"), ("double (struct s *)", "f8(object)"),
    ("__pyx_t_double_complex (float)", "c16(f4)"), ("double (double &)", "f8(pointer)"), ("no prototype", FORM),
    ("double (const PyTypedMethodArray *)", "f8(f8[::1])"), ("double (double, void *)", FORM)])
def test_the_users_word_counts_where_the_name_of_a_capsule_does_not_tell(c, name, signature):
    found = typed.resolve(c.named_capsule(name, 0), signature)
    assert signature in found.signatures
    assert ("caller's word" in typed.explain(found)) == ("void *)" not in name)         # which may be user data


# ------------------------------------------------------------------------------ constants

KIND_OF = {"f8": ctypes.c_double, "f4": ctypes.c_float, "i4": ctypes.c_int32, "i8": ctypes.c_int64,
           "pointer": ctypes.c_void_p}
VALUE_OF = {"f8": 1.0625, "f4": 2.25, "i4": 300, "i8": 1 << 40, "pointer": 5000}
CONTEXTS = {"none": 0, "first": _typed.CTX_FIRST, "last": _typed.CTX_LAST}


def recorder(text, flags, seen):
    """A typed function that keeps what it gets, with a context of 77."""
    result, *words = typed.canonical(text).rstrip(")").replace("(", ", ").split(", ")
    kinds = [KIND_OF[word] for word in words]
    kinds = [ctypes.c_void_p, *kinds] if flags & _typed.CTX_FIRST else kinds
    kinds = [*kinds, ctypes.c_void_p] if flags & _typed.CTX_LAST else kinds
    function = ctypes.CFUNCTYPE(KIND_OF[result], *kinds)(lambda *given: seen.append(given) or 8)
    address = ctypes.cast(function, ctypes.c_void_p).value
    return _typed.make("f", function, ((_typed.parse(text), address, flags | _typed.NOGIL, 0, False),), 77)


@pytest.mark.parametrize("context", CONTEXTS)
def test_every_constant_of_a_partial_is_bound_in_its_place(context):
    bound, seen = 0, []
    for count in 2, 3, 4:
        for result, *words in itertools.product(*[["f8", "f4", "i4", "i8"]] * count, KIND_OF):
            text = f"{result}({', '.join(words)})"
            values = [VALUE_OF[word] + place for place, word in enumerate(words)]
            owner = recorder(text, CONTEXTS[context], seen)
            for first in range(1, len(words)):
                left = f"{result}({', '.join(words[first:])})"
                made = typed.adapt(functools.partial(owner, *values[:first]), left)
                if made is None:
                    continue
                bound += 1
                assert export._boxed(export._Entry(made, left))(*values[first:]) == 8
                expected = {"none": values, "first": [77, *values], "last": [*values, 77]}[context]
                assert seen.pop() == tuple(expected), (text, first)
    assert bound == 6 + 6 + 1 + 7 + 1 + 1       # what _bound.h has


class Array(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("length", ctypes.c_ssize_t), ("stride", ctypes.c_ssize_t)]


@pytest.mark.parametrize("context", CONTEXTS)
@pytest.mark.parametrize("two", [f"pointer, {typed.canonical('void (Py_ssize_t)')[5:-1]}", "i4, pointer"])
def test_an_array_is_passed_as_address_and_length_in_their_places(context, two):
    seen = []
    made = search._bind(None, "f", recorder(f"f8({two})", CONTEXTS[context], seen), f"f8({two})", (), "f8(f8[::1])")
    entry = export._Entry(made, "f8(f8[::1])")
    call = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.POINTER(Array), ctypes.c_void_p)(entry.address)
    assert call(Array(4000, 3, 8), entry.context) == 8.0
    values = (4000, 3) if two.startswith("pointer") else (3, 4000)
    assert seen == [{"none": values, "first": (77, *values), "last": (*values, 77)}[context]]
