# SPDX-License-Identifier: MIT
"""PyTypedCallable_InitAny() with the real SciPy, numba, NumPy, cffi, pybind11 and nanobind."""
import ctypes
import pickle
from pathlib import Path

import pytest
import support
from cython_customslots import typed
from support import need
from test_callbacks import NUMBER, POINT, callbacks_path

pytestmark = pytest.mark.interop


@pytest.fixture(scope="module")
def c():
    return support.load(callbacks_path())


def data(number):
    box = ctypes.c_double(number)
    pointer = ctypes.cast(ctypes.pointer(box), ctypes.c_void_p)
    pointer.keep = box
    return pointer


# ---------------------------------------------------------------------------------- SciPy

@pytest.fixture(scope="module")
def low():
    return need("scipy").LowLevelCallable


def function(address, *kinds):
    return ctypes.CFUNCTYPE(ctypes.c_double, *kinds)(address)


NUMBER_DATA = (ctypes.c_double, ctypes.c_void_p)
POINTER = ctypes.POINTER(ctypes.c_double)


def test_low_level_callable_is_called_with_its_user_data(c, low):
    behind = low(function(c.with_data_last, *NUMBER_DATA), data(10.0))
    assert c.chosen(behind) == (NUMBER, True, "")
    for way in "last", "gil", "alone", "target":
        assert c.sum(behind, 3, way) == 33.0
    front = low(function(c.with_data_first, ctypes.c_void_p, ctypes.c_double), data(10.0))
    assert c.sum(front, 3, "last") == -27.0
    point = low(function(c.norm_data, ctypes.c_int, POINTER, ctypes.c_void_p), data(1.0))
    assert c.chosen(point) == (POINT, True, "") and c.call(point, (3.0, 4.0))[0] == 6.0


def test_user_data_for_a_function_that_takes_none_is_an_error(c, low):
    with pytest.raises(ValueError, match="found user_data, for which the function has no argument"):
        c.chosen(low(function(c.square_impl, ctypes.c_double), data(1.0)))


def test_low_level_callable_with_other_types_says_what_is_expected(c, low):
    wrong = low(function(c.square_impl, ctypes.c_float))
    with pytest.raises(ValueError, match=r"f8\(f8\), in C 'double \(double\)'.*'double \(float\)': found"):
        c.chosen(wrong)


# ---------------------------------------------------------------------------------- numba

@pytest.mark.usefixtures("unraisable")      # the second thread's
def test_njit_function_is_compiled_for_the_form_and_raises(c, numba):
    @numba.njit
    def cube(x):
        if x > 100.0:
            raise ValueError("too much")
        return x ** 3
    assert c.chosen(cube) == (NUMBER, True, "")
    for way in "gil", "last", "alone", "threads":
        assert c.sum(cube, 4, way) == 36.0 * (4 if way == "threads" else 1)
        with pytest.raises(ValueError, match="too much"):
            c.sum(cube, 200, way)


def test_a_typed_function_is_pickled_with_what_it_was_made_of(c, numba):
    numpy = need("numpy")
    made = typed.adapt_any(numpy.sin, (("f8(f8)", None),))
    again = pickle.loads(pickle.dumps(made))
    assert type(again) is typed.TypedFunction and again.original[0] is numpy.sin and again.signatures == made.signatures
    handed = pickle.loads(pickle.dumps(typed.as_numba(made, unraisable=True)))
    assert numba.njit(lambda f, x: f(x))(handed, 0.5) == numpy.sin(0.5)
    with pytest.raises(TypeError, match="known by its address alone"):
        pickle.dumps(typed.resolve((c.norm, "f8(i4, pointer)")))


def test_what_pointers_of_a_cfunc_point_to_is_compared(c, numba):
    signature = numba.types.float64(numba.types.CPointer(numba.types.int8))

    @numba.cfunc(signature)
    def first(x):
        return x[0]
    assert typed.adapt_any(first, [("f8(pointer)", "double (const void *x)")]) is not None
    for same in "signed char *", "int8_t const *x", "char signed*":
        assert typed.adapt_any(first, [("f8(pointer)", f"double ({same})")]) is not None
    for other in "long long *", "unsigned char *", "double *", "struct point *":
        form = [("f8(pointer)", f"double ({other})")]
        assert typed.adapt_any(first, form) is None
        assert "found argument 1 that points to i1, expected" in typed.why_not_any(first, form)


def test_njit_function_does_not_write_into_an_array_that_is_lent_as_const(numba):
    form = [("f8(const f8[::1])", None)]
    assert "fill(readonly array(float64" in typed.why_not_any(numba.njit(lambda a: a.fill(1.0)), form)
    assert typed.adapt_any(numba.njit(lambda a: a.sum()), form) is not None


# ---------------------------------------------------------------------------------- ufuncs

@pytest.mark.thorough
def test_loop_of_a_ufunc_is_called(c):
    numpy = need("numpy")
    assert c.chosen(numpy.sqrt) == (NUMBER, True, "")
    assert c.sum(numpy.square, 5, "last") == c.sum(numpy.square, 5, "gil") == 30.0
    scipy_special = need("scipy.special")
    assert c.sum(scipy_special.gamma, 1, "gil") == float(scipy_special.gamma(0.0))


@pytest.mark.thorough
def test_loop_of_scipy_does_not_see_what_others_did_wrong(c):
    special, libm = need("scipy.special"), ctypes.CDLL(None)
    libm.feraiseexcept.argtypes = [ctypes.c_int]
    with special.errstate(all="raise"):
        libm.feraiseexcept(1)                   # FE_INVALID on x86
        assert c.sum(special.gamma, 3, "gil") == pytest.approx(float("inf"))


@pytest.mark.thorough
def test_ufunc_without_such_a_loop_says_so(c):
    numpy = need("numpy")
    assert "found loops" in c.chosen(numpy.add)[2]
    boxed = numpy.frompyfunc(lambda x: x, 1, 1)
    index, is_typed, why = c.chosen(boxed)
    assert not is_typed and "found loops O->O, expected one for f8(f8)" in why


# ------------------------------------------------------------------------------- others

@pytest.mark.thorough
def test_cffi_function_is_called_and_its_pointers_are_compared(c):
    ffi = need("cffi").FFI()
    assert c.sum(ffi.cast("double (*)(double)", c.square_impl), 4, "last") == 14.0
    assert c.call(ffi.cast("double (*)(int, double *)", c.norm), (3.0, 4.0))[0] == 5.0
    with pytest.raises(ValueError, match="points to f4, expected f8"):
        c.chosen(ffi.cast("double (*)(int, float *)", c.norm), "unhooked")


PYBIND11 = """
#include <pybind11/pybind11.h>
namespace py = pybind11;
static double twice(double x) { return 2 * x; }
PYBIND11_MODULE(callbacks_pybind11, m) {
    m.def("twice", &twice);
    m.attr("address") = (unsigned long long)(uintptr_t)&twice;
    m.def("hand_to_scipy", [m] {
        // [low_level.begin]
        m.attr("twice_in_c") = py::module_::import("scipy").attr("LowLevelCallable")(
            py::capsule((void *)&twice, "double (double)"));
        // [low_level.end]
    });
}
"""
NANOBIND = """
#include <nanobind/nanobind.h>
static double twice(double x) { return 2 * x; }
NB_MODULE(callbacks_nanobind, m) {
    m.def("twice", &twice);
    m.attr("address") = (unsigned long long)(uintptr_t)&twice;
}
"""


def binding(library):
    """A module with a function twice(), and that's address."""
    package = need(library)
    directory = support.CACHE / "bindings"
    if library == "pybind11":
        path = support.write_source(directory / "callbacks_pybind11.cpp", PYBIND11)
        sources, includes = [path], [package.get_include()]
    else:
        path = support.write_source(directory / "callbacks_nanobind.cpp", NANOBIND)
        source = Path(package.source_dir())
        sources = [path, source / "nb_combined.cpp"]
        includes = [package.include_dir(), source, source.parent / "ext" / "robin_map" / "include"]
    return support.load(support.build_c(
        path.stem, *sources, include_dirs=[str(each) for each in includes],
        cflags=("-std=c++17", "-fvisibility=hidden", "-w", "-DNDEBUG", "-DNB_COMPACT_ASSERTIONS",
                "-fno-strict-aliasing")))


@pytest.mark.thorough
@pytest.mark.parametrize("library", ["pybind11", "nanobind"])
def test_function_of_a_binding_library_is_called_by_address_and_says_so(c, library):
    module = binding(library)
    index, is_typed, why = c.chosen(module.twice)
    assert (index, is_typed) == (NUMBER, False)
    assert f"{library} does not say at run time which C types" in why and "typed.resolve((address" in why
    assert c.sum(module.twice, 4, "last") == 12.0
    resolved = typed.resolve((module.address, "f8(f8)"))
    assert c.chosen(resolved) == (NUMBER, True, "") and c.sum(resolved, 4, "last") == 12.0


@pytest.mark.thorough
def test_function_of_pybind11_is_found_in_the_low_level_callable_that_its_module_makes(c, low):
    module = binding("pybind11")
    module.hand_to_scipy()
    assert isinstance(module.twice_in_c, low)
    assert c.chosen(module.twice_in_c) == (NUMBER, True, "") and c.sum(module.twice_in_c, 4, "last") == 12.0
