# SPDX-License-Identifier: MIT
"""The real numba, SciPy and cffi, both ways."""
import ctypes
import functools
import sys
import warnings

import pytest
import support
from cython_customslots import typed
from support import need

pytestmark = [pytest.mark.interop, pytest.mark.on_pypy]


def boom(x):
    raise RuntimeError("boom")


@pytest.mark.parametrize("make, module", [
    (typed.as_ufunc, "numpy"), (typed.as_lowlevelcallable, "scipy"), (typed.as_numba, "numba.core.types")])
def test_a_library_that_is_not_installed_is_named_with_what_to_do(monkeypatch, make, module):
    library = module.partition(".")[0]
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ModuleNotFoundError, match=rf"{make.__name__}\(.*: found no {library} .*, expected .*: "
                       f"pip install {library}") as caught:
        make(len)
    assert caught.value.name == library


# ------------------------------------------------------------------------------------ cffi --

@pytest.fixture(scope="module")
def compiled(cffi, tmp_path_factory):
    """A library in API mode."""
    maker = cffi.FFI()
    maker.cdef("""
        enum colour { RED, GREEN };
        struct pair { int a, b; };
        double triple(double);
        float _Complex turned(float _Complex);
        long double long_half(long double);
        unsigned char low(long, enum colour, _Bool, char *);
        int first(struct pair);
        int sum(int, ...);
        extern double (*pointer)(double);
    """)
    maker.set_source("_interop_cffi", """
        #include <complex.h>
        enum colour { RED, GREEN };
        struct pair { int a, b; };
        static double triple(double x) { return 3 * x; }
        static float _Complex turned(float _Complex z) { return z * I; }
        static long double long_half(long double x) { return x / 2; }
        static unsigned char low(long n, enum colour k, _Bool b, char *s) { return n & 255; }
        static int first(struct pair p) { return p.a; }
        static int sum(int n, ...) { return n; }
        double (*pointer)(double) = triple;
    """)
    directory = tmp_path_factory.mktemp("cffi")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return support.load(maker.compile(tmpdir=str(directory)), "_interop_cffi")


def test_a_cffi_function_of_an_open_library_is_found(c, cffi):
    ffi = cffi.FFI()
    ffi.cdef("int abs(int);")
    assert typed.signatures(ffi.dlopen(None).abs) == ["i4(i4)"]
    pointer = ffi.cast("double (*)(double)", typed.address(c.square))
    found = typed.resolve(pointer)
    assert c.call(found, 3.0) == (True, 9.0) and found(3.0) == 9.0
    assert typed.explain(pointer).endswith("f8(f8): needs no GIL, raises nothing")


def test_a_cffi_function_of_a_compiled_library_is_found(c, compiled):
    lib = compiled.lib
    assert c.call(typed.resolve(lib.triple), 2.0) == (True, 6.0)
    assert typed.resolve(lib.triple)(2.0) == 6.0
    assert typed.resolve(lib.triple).__name__ == "triple"
    assert c.call(typed.resolve(lib.pointer), 2.0) == (True, 6.0)
    assert c.call(typed.resolve(compiled.ffi.addressof(lib, "triple")), 2.0) == (True, 6.0)
    long = f"i{ctypes.sizeof(ctypes.c_long)}"
    assert typed.signatures(lib.low) == [f"u1({long}, u4, bool, pointer)"]
    assert typed.signatures(lib.turned) == ["c8(c8)"]
    assert typed.signatures(lib.long_half) == [typed.canonical("g->g")]


def test_cffi_objects_that_c_cannot_call_are_refused_with_words(cffi, compiled):
    ffi, lib = compiled.ffi, compiled.lib
    for wrong, words in [
            (lib.first, "'struct pair', a struct by value"),
            (lib.sum, "found variable arguments"),
            (ffi.new("int *"), "found a pointer, expected a pointer to a function"),
            (ffi.NULL, "with resolve(f, signature) it is taken for one"),
            (ffi.cast("double (*)(double)", 0), "found a NULL pointer"),
            (ffi.new("struct pair *")[0], "found a struct, expected a pointer")]:
        with pytest.raises(TypeError) as caught:
            typed.resolve(wrong)
        assert words in str(caught.value)
        assert words in typed.explain(wrong)
    with pytest.raises(TypeError, match=r"found f8\(f8\), expected i4\(\)"):
        typed.resolve(lib.triple, "i4()")


def test_an_untyped_cffi_pointer_is_taken_at_the_callers_word(c, cffi):
    pointer = cffi.FFI().cast("void *", typed.address(c.square))
    assert c.call(typed.resolve(pointer, "f8(f8)"), 3.0) == (True, 9.0)


# ----------------------------------------------------------------------------------- numba --

def test_a_numba_cfunc_is_found(c, numba):
    @numba.cfunc("float64(float64)")
    def cube(x):
        return x ** 3
    found = typed.resolve(cube)
    assert c.call(found, 2.0) == (True, 8.0) and found(2.0) == 8.0
    assert found.__name__ == "cube"
    many = numba.cfunc("uint8(int64, float32, complex128, boolean, voidptr, CPointer(int32))")
    assert typed.signatures(many(lambda a, b, c, d, e, f: 1)) \
        == ["u1(i8, f4, c16, bool, pointer, pointer)"]
    assert typed.signatures(numba.cfunc("void(int32)")(lambda n: None)) == ["void(i4)"]
    assert typed.as_ufunc(cube)([1.0, 2]).tolist() == [1, 8]


def test_a_numba_function_without_a_c_signature_is_compiled_for_those_who_have_one(c, numba):
    @numba.njit
    def f(x):
        return x

    @numba.njit
    def other(x):
        return x.lower()
    with pytest.raises(TypeError, match="found no signature of its own.*say which one is meant"):
        typed.resolve(f)
    assert c.call(f, 3.0, True) == (True, 3.0)
    assert typed.adapt(f) is typed.adapt(other, "f8(f8)") is None
    assert "can be called unboxed as\n  f8(f8)" in typed.explain(f, "f8(f8)")
    with pytest.raises(TypeError, match="it cannot be compiled for f8.f8.: Unknown attribute 'lower'"):
        c.call(other, 3.0, True)


def test_a_consumer_says_why_an_object_with_numbas_protocol_will_not_do(c, numba):
    """Python cannot call such a thing, so there is nothing to fall back to."""
    import numba.experimental.function_type  # noqa: F401 (teaches numba the protocol)
    from numba.core import types

    class Wrapper(types.WrapperAddressProtocol):
        def __init__(self, signature):
            self._signature = signature

        def __wrapper_address__(self):
            return typed.address(c.square)

        def signature(self):
            return self._signature
    assert c.call(Wrapper(types.float64(types.float64)), 3.0) == (True, 9.0)
    with pytest.raises(TypeError, match=r"found an object of type 'Wrapper', expected a callable for "
                                        r"f8\(f8\): .*found i4\(i4\), expected f8\(f8\)"):
        c.call(Wrapper(types.int32(types.int32)), 3.0)


def test_a_numba_type_that_c_does_not_have_is_refused(numba):
    @numba.cfunc(numba.types.float64(numba.types.UniTuple(numba.float64, 2)))
    def f(pair):
        return pair[0]
    with pytest.raises(TypeError, match="found type UniTuple.*expected numbers and pointers"):
        typed.resolve(f)


def test_a_jitted_function_calls_what_is_handed_to_it(c, numba, lost):
    @numba.njit
    def apply(f, x):
        return f(x) + 1
    square = typed.as_numba(c.square)
    assert apply(square, 3.0) == 10 and square(3.0) == 9
    assert "NumbaFunction f8(f8) of" in repr(square)

    @numba.njit
    def with_global(x):
        return square(x)
    assert with_global(4.0) == 16
    twice = typed.as_numba(c.twice, "f8(f8)")
    assert apply(twice, 3.0) == 7
    # and back
    assert c.call(typed.resolve(square), 3.0) == (True, 9.0)
    assert lost == []


def test_a_jitted_function_calls_what_takes_a_context(c, numba):
    apply = numba.njit(nogil=True)(lambda f, x: f(x))
    for function, expected in (c.Power(2.0), 9), (c.Power(3.0, 1), 27), (c.Power(4.0).scaled, 12):
        for lost in False, True:
            assert apply(typed.as_numba(function, unraisable=lost), 3.0) == expected


def test_what_may_raise_reaches_numba_only_where_errors_may_get_lost(c, numba, lost):
    @numba.njit
    def apply(f, x):
        return f(x)
    for function in c.root, c.counted, c.Power(2.0).picky:
        with pytest.raises(TypeError, match="noexcept and nogil; or unraisable=True"):
            typed.as_numba(function)
    assert apply(typed.as_numba(c.root, unraisable=True), 9.0) == 3
    assert apply(typed.as_numba(c.Power(2.0).picky, unraisable=True), 1.0) == 3
    assert apply(typed.as_numba(lambda x: x / 2, "d->d", unraisable=True), 3.0) == 1.5
    assert lost == []                                   # what C gets after an error: test_export.py


def test_what_is_known_to_be_quiet_is_handed_to_numba_when_somebody_says_so(c, numba, scipy):
    for function in typed.capsule(c.square), scipy.LowLevelCallable(typed.capsule(c.square)):
        with pytest.raises(TypeError, match=r"noexcept and nogil: if this one is, say so, typed.resolve\(f, nogil=True"
                                            r", noexcept=True\); or unraisable=True: then it is called with the GIL"):
            typed.as_numba(function)
        assert typed.as_numba(typed.resolve(function, nogil=True, noexcept=True))(3.0) == 9


def test_an_array_in_jitted_code_is_passed_as_its_ctypes_and_not_as_their_data(numba):
    numpy = need("numpy")
    strlen = ctypes.CDLL(None).strlen
    strlen.argtypes, strlen.restype = [ctypes.c_void_p], ctypes.c_size_t
    length, text = typed.as_numba(strlen), numpy.frombuffer(b"three\0", numpy.uint8)
    assert numba.njit(lambda f, a: f(a.ctypes))(length, text) == 5
    with pytest.raises(ValueError, match=r"uint64 vs void\*"):
        numba.njit(lambda f, a: f(a.ctypes.data))(length, text)


def test_a_jitted_function_is_kept_in_a_cache_if_ours_is_its_argument_and_not_its_global(numba, tmp_path):
    (tmp_path / "cached.py").write_text("""
import ctypes, sys, warnings
import numba
from cython_customslots import typed
made = typed.as_numba(ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(float(sys.argv[1]).__mul__))
@numba.njit(cache=True)
def apply(f, x): return f(x)
print(apply(made, 5.0), sum(apply.stats.cache_hits.values()))
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    numba.njit(cache=True)(lambda x: made(x))(1.0)
print(*[warning.category.__name__ for warning in caught])
""")
    for factor, said in (3, "15.0 0"), (4, "20.0 1"):
        assert support.check_child("import cached", factor, cwd=tmp_path).split("\n") == [said, "NumbaWarning"]


def test_what_numba_cannot_take_is_refused_with_words(c, numba):
    with pytest.raises(TypeError, match="found 5 signatures|found 4 signatures"):
        typed.as_numba(c.twice)
    with pytest.raises(TypeError, match="found no C function"):
        typed.as_numba(boom, "d->d")
    with pytest.raises(TypeError, match="numba's functions take no object as C passes it"):
        typed.as_numba((typed.address(c.square), "object(object)"))
    with pytest.raises(TypeError):
        typed.as_numba(3, "d->d", unraisable=True)


# ----------------------------------------------------------------------------------- SciPy --

def integral(scipy, function):
    return scipy.integrate.quad(function, 0, 2)[0]


def test_quad_calls_the_c_functions(c, scipy):
    quiet = [(c.square, 8 / 3), (c.Power(3.0), 4), (c.Power(3.0, True), 4), (c.Power(3.0).scaled, 6)]
    for function, expected in quiet:
        assert integral(scipy, typed.as_lowlevelcallable(function)) == pytest.approx(expected)
    assert typed.as_lowlevelcallable(c.square).signature == "double (double)"
    assert typed.as_lowlevelcallable(c.Power(3.0)).signature == "double (double, void *)"
    assert typed.as_lowlevelcallable(c.twice, "f8(f8)").signature == "double (double)"
    assert typed.as_lowlevelcallable(c.square, "double(double)").signature == "double (double)"
    ctypes_function = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(lambda x: x * x)
    assert integral(scipy, typed.as_lowlevelcallable(ctypes_function)) == pytest.approx(8 / 3)


def test_user_data_reaches_the_function(c, scipy):
    factor = ctypes.c_double(3)
    data = ctypes.cast(ctypes.pointer(factor), ctypes.c_void_p)
    made = typed.as_lowlevelcallable(c.with_data, user_data=data)
    assert integral(scipy, made) == pytest.approx(6)
    with pytest.raises(TypeError, match="found user_data, which this function's wrapper needs"):
        typed.as_lowlevelcallable(c.Power(3.0), user_data=data)
    python = typed.as_lowlevelcallable(lambda x, data: x, "double (double, void *)",
                                       user_data=data, unraisable=True)
    assert integral(scipy, python) == pytest.approx(2)


def test_user_data_that_no_argument_takes_is_refused(c, scipy):
    """SciPy drops it without a word."""
    data = ctypes.c_void_p(5)
    for function, *signature in [(c.square,), (c.sum_all,), (c.is_positive, "int (double)"),
                                 (lambda x: x, "f8(f8)"), (lambda n, x: 1, "double (int, double *)")]:
        with pytest.raises(TypeError, match="found user_data, for which 'int|double .* has no argument"):
            typed.as_lowlevelcallable(function, *signature, user_data=data, unraisable=True)


def test_errors_go_to_the_unraisable_hook_where_the_caller_says_so(c, scipy, lost):
    for function in c.root, c.counted, c.Power(2.0).picky:
        with pytest.raises(TypeError, match="noexcept and nogil; or unraisable=True"):
            typed.as_lowlevelcallable(function)

    def quad(function, *signature):
        return integral(scipy, typed.as_lowlevelcallable(function, *signature, unraisable=True))
    assert quad(c.root) == pytest.approx(2 ** 2.5 / 3)
    assert quad(c.counted) == pytest.approx(4)
    assert quad(c.Power(2.0).picky) == pytest.approx(6)
    assert quad(lambda x: x * x, "f8(f8)") == pytest.approx(8 / 3)
    assert lost == []
    made = typed.as_lowlevelcallable(c.root, unraisable=True)
    assert scipy.integrate.quad(made, -9, -8, epsabs=1, epsrel=1)[0] == pytest.approx(-1)
    assert lost and all("root of -8" in text for text in lost)


def test_a_partial_is_handed_to_scipy_as_a_library_with_callbacks_gets_it(c, scipy, lost):
    ldexp = ctypes.CDLL(None).ldexp
    ldexp.argtypes, ldexp.restype = [ctypes.c_double, ctypes.c_int], ctypes.c_double
    sum_of = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double, ctypes.c_double)(lambda a, b: a + b)
    for made in (typed.as_lowlevelcallable(functools.partial(sum_of, 2)),
                 typed.as_lowlevelcallable(functools.partial(sum_of, 2.0), "double (double)"),
                 typed.as_lowlevelcallable(functools.partial(sum_of, 2.0), "f8(f8)", unraisable=True)):
        assert made.signature == "double (double, void *)" and integral(scipy, made) == pytest.approx(6)
    assert typed.as_lowlevelcallable(functools.partial(c.square)).signature == "double (double)"
    for function, *signature, words in [
            (functools.partial(sum_of, b=2.0), "found constants by name, 'b'; expected them by position"),
            (functools.partial(sum_of, "2"), "the constants \\('2',\\) are no f8"),
            (functools.partial(ldexp, 2.0), "f8(i4)", "for f8\\(f8, i4\\) with 1 bound no code is built in"),
            (functools.partial(c.root), "noexcept and nogil; or unraisable=True"),
            (functools.partial(boom), "^functools.partial around <function boom .* is written in Python")]:
        with pytest.raises(TypeError, match=words):
            typed.as_lowlevelcallable(function, *signature)
    for function in functools.partial(boom), functools.partial(c.root), functools.partial(lambda x, y: x + y, y=2.0):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", scipy.integrate.IntegrationWarning)         # of NaN
            integral(scipy, typed.as_lowlevelcallable(function, "f8(f8)", unraisable=True))


def test_after_an_error_that_gets_lost_c_gets_nothing(scipy, lost):
    api = ctypes.PyDLL(None)
    api.PyErr_BadArgument.argtypes, api.PyErr_BadArgument.restype = [ctypes.c_int], ctypes.c_int
    for name in "PyCapsule_GetPointer", "PyCapsule_GetContext":
        getattr(api, name).argtypes, getattr(api, name).restype = [ctypes.py_object, ctypes.c_char_p], ctypes.c_void_p
    text = "int (int, void *)"
    handed = typed.as_lowlevelcallable(api.PyErr_BadArgument, text, unraisable=True)
    capsule = tuple.__getitem__(handed, 0)
    function = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_void_p)(
        api.PyCapsule_GetPointer(capsule, text.encode()))
    assert function(1, api.PyCapsule_GetContext(capsule, None)) == 0 and "bad argument" in lost[0]


def test_what_scipy_cannot_be_handed_is_refused_with_words(c, scipy):
    power = ctypes.CFUNCTYPE(*[ctypes.c_double] * 3)(pow)
    for arguments, words in [
            ((power, "f8( f8,f8 )"), "several names"),
            ((c.twice,), "say which one is meant"), ((len,), "found no C function"),
            ((boom, "f8(f8)"), "found no C function"), ((3,), "not callable"),
            ((c.seven,), "needs the GIL"), ((c.is_positive,), "several names.*'int \\(double\\)'"),
            ((c.square, "f4(f4)"), r"found f8\(f8\), expected f4\(f4\)")]:
        with pytest.raises(TypeError, match=words):
            typed.as_lowlevelcallable(*arguments)
    made = typed.as_lowlevelcallable(c.is_positive, "int (double)")
    assert made.signature == "int (double)"


def test_a_low_level_callable_is_found(c, scipy):
    LowLevelCallable = scipy.LowLevelCallable
    plain = LowLevelCallable(typed.capsule(c.square))
    found = typed.resolve(plain)
    assert c.call(found, 3.0) == c.call(plain, 3.0) == (True, 9.0) and found(3.0) == 9.0
    factor = ctypes.c_double(5)
    data = ctypes.cast(ctypes.pointer(factor), ctypes.c_void_p)
    with_data = LowLevelCallable(typed.capsule(c.with_data), data)
    assert c.call(with_data, 3.0) == (True, 15.0)
    found = typed.resolve(with_data)
    assert found.signatures == ("f8(f8)",) and found(3.0) == 15.0
    # without user data the caller may have some
    assert typed.signatures(LowLevelCallable(typed.capsule(c.with_data))) \
        == ["f8(f8)", "f8(f8, pointer)"]
    function = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(typed.address(c.square))
    assert typed.explain(LowLevelCallable(function)).endswith("needs no GIL, raises nothing")
    with pytest.raises(TypeError, match="found 'thing'"):
        typed.resolve(LowLevelCallable(function, signature="double (thing)"))


def test_a_consumer_says_why_a_low_level_callable_will_not_do(c, scipy):
    """Python cannot call it, so there is nothing to fall back to."""
    for made, words in [
            (typed.as_lowlevelcallable(c.sum_all), r"found f8\(i4, pointer\), expected f8\(f8\)"),
            (scipy.LowLevelCallable(typed.capsule(c.square, name="double (thing)")),
             r"found 'thing', whose width its name does not tell.*resolve\(f, 'f8\(f8\)'\)")]:
        with pytest.raises(TypeError, match=r"found an object of type 'LowLevelCallable', expected a "
                                            r"callable for f8\(f8\): .*" + words):
            c.call(made, 3.0)


def test_functions_of_cython_special_are_found(c, scipy):
    from scipy.special import cython_special
    capsules = cython_special.__pyx_capi__
    found = typed.resolve(capsules["__pyx_fuse_1gamma"])
    assert c.call(found, 5.0) == (True, 24.0) and found(5.0) == 24.0
    ufunc = typed.as_ufunc(typed.resolve(capsules["__pyx_fuse_1gamma"], nogil=True, noexcept=True))
    assert ufunc([1.0, 2, 3, 4]) == pytest.approx([1, 1, 2, 6])
    known, asked = 0, 0
    for capsule in capsules.values():
        words = typed.explain(capsule)
        known += "can be called unboxed" in words
        asked += "resolve(f, 'f8(f8)')" in words or "optional arguments" in words
    assert known + asked == len(capsules) and known > len(capsules) / 2


def test_an_f2py_function_needs_the_callers_word(scipy):
    from scipy.linalg import blas
    with pytest.raises(TypeError, match="f2py function 'ddot': Fortran's types are not known.*"
                                        r"resolve\(f, 'void\(pointer, pointer\)'\)"):
        typed.resolve(blas.ddot)
    dot = typed.resolve(blas.ddot, "f8(pointer, pointer, pointer, pointer, pointer)")
    values = ctypes.c_int(3), ctypes.c_int(1), (ctypes.c_double * 3)(1, 2, 3)
    n, step, x = map(ctypes.addressof, values)
    assert dot(n, x, step, x, step) == 14.0
    assert "caller's word" in typed.explain(dot)


def test_all_of_them_keep_what_they_call(c, scipy, collected):
    power = c.Power(3.0)
    before = sys.getrefcount(power)
    handed = [typed.as_lowlevelcallable(power), typed.as_lowlevelcallable(power.scaled),
              typed.as_lowlevelcallable(power.picky, unraisable=True)]
    assert sys.getrefcount(power) == before + 3
    assert integral(scipy, handed[1]) == pytest.approx(6)
    handed.clear()
    collected()
    assert sys.getrefcount(power) == before
