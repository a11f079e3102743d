# SPDX-License-Identifier: MIT
"""What is said about f2py functions is followed to the letter, and nothing crashes.

f2py writes the module; the Fortran behind it is written in C as a Fortran compiler passes
things, so none is needed.
"""
import ctypes
import re
import subprocess
import sys

import pytest
import support
from cython_customslots import typed
from support import need

pytestmark = pytest.mark.interop

INTERFACE = """
python module f2py_wrapped
  interface
    subroutine cube(x, y)
      double precision, intent(in) :: x
      double precision, intent(out) :: y
    end subroutine cube
    function square(x)
      double precision :: square
      double precision, intent(in) :: x
    end function square
    function half(x)
      intent(c) half
      double precision :: half
      double precision, intent(c) :: x
    end function half
  end interface
end python module f2py_wrapped
"""

#: f2py makes a subroutine of a function, with the result in front.
FORTRAN = """
void cube_(double *x, double *y) { *y = *x * *x * *x; }
void f2pywrapsquare_(double *y, double *x) { *y = *x * *x; }
double half(double x) { return x / 2; }
"""


@pytest.fixture(scope="module")
def wrapped(tmp_path_factory):
    numpy, f2py = need("numpy"), need("numpy.f2py")
    folder = tmp_path_factory.mktemp("f2py")
    (folder / "f2py_wrapped.pyf").write_text(INTERFACE)
    (folder / "fortran.c").write_text(FORTRAN)
    subprocess.run([sys.executable, "-m", "numpy.f2py", "f2py_wrapped.pyf", "--quiet"],
                   cwd=folder, check=True, capture_output=True)
    sources = [folder / "f2py_wrappedmodule.c", folder / "fortran.c", f"{f2py.get_include()}/fortranobject.c"]
    return support.load(support.build_c(
        "f2py_wrapped", *sources, cflags=("-Wno-error", "-w"), directory=folder,
        include_dirs=[numpy.get_include(), f2py.get_include()]))


def advice(words):
    """The signature in the call that is advised."""
    return re.search(r"as in resolve\(f, '([^']+)'\)", words)[1]


@pytest.mark.parametrize("name, given, expected", [
    ("cube", (3.0, 0.0), (3.0, 27.0)), ("square", (0.0, 3.0), (9.0, 3.0))])
def test_the_advice_for_an_f2py_function_works(wrapped, name, given, expected):
    function = getattr(wrapped, name)
    words = typed.explain(function)
    assert "may be a subroutine with a pointer to the result in front" in words
    resolved = typed.resolve(function, advice(words))
    numbers = [ctypes.c_double(x) for x in given]
    resolved(*map(ctypes.byref, numbers))
    assert tuple(number.value for number in numbers) == expected


def test_a_consumer_that_has_numbers_calls_f2py_functions_through_python_and_knows_why(c, wrapped):
    for function, result in (wrapped.square, 9.0), (wrapped.cube, 27.0), (wrapped.half, 1.5):
        assert c.call(function, 3.0) == (False, result)
        assert "its arguments are pointers" in c.why_not(function, "f8(f8)")
        with pytest.raises(TypeError, match="expected pointers"):
            typed.resolve(function, "f8(f8)")


def test_lengths_of_texts_come_by_value_behind_the_pointers(wrapped):
    for text in "void(pointer, pointer, i8)", "void(pointer, pointer, i8, i8)":
        assert typed.resolve(wrapped.cube, text).signatures == (text,)
    for text in "void(i8)", "void(pointer, i8, i8)", "void(pointer, i8, pointer)", "f8(pointer, i2)", "object(object)":
        with pytest.raises(TypeError, match="behind them at most the lengths of texts") as caught:
            typed.resolve(wrapped.cube, text)
        assert f"resolve(f._cpointer, '{text}')" in str(caught.value)


def test_the_advice_for_a_c_function_that_f2py_wrapped_works(c, wrapped):
    with pytest.raises(TypeError) as refused:
        typed.resolve(wrapped.half, "f8(f8)")
    assert "resolve(f._cpointer, 'f8(f8)')" in str(refused.value)
    assert c.call(typed.resolve(wrapped.half._cpointer, "f8(f8)"), 3.0) == (True, 1.5)


def test_a_capsule_without_a_name_may_be_f2pys_and_says_so(wrapped):
    assert "as f2py's `_cpointer` has none, where all arguments are pointers" in typed.explain(
        wrapped.square._cpointer)
