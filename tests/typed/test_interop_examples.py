# SPDX-License-Identifier: MIT
"""examples/integrate, with what is installed here."""
import pytest
import support
from cython_customslots import typed

pytestmark = pytest.mark.interop

EXAMPLE = support.ROOT / "examples" / "integrate"


@pytest.fixture(scope="module")
def built():
    return [support.build_cython(EXAMPLE / f"{name}.pyx") for name in ("integrate", "functions")]


@pytest.fixture(scope="module")
def integrate(built):
    return support.load(built[0]).integrate


@pytest.fixture(scope="module")
def functions(built):
    return support.load(built[1])


def test_the_example_prints_the_integrals_and_how_it_got_them(built):
    done = support.run_child(
        """
        import runpy, warnings
        warnings.simplefilter("ignore")         # those of numba and SciPy are theirs
        runpy.run_path(sys.argv[1], run_name="__main__")
        """, EXAMPLE / "example.py", modules=built)
    assert (done.returncode, done.stderr) == (0, "")
    lines = {line[:28].strip(): line[28:].split()
             for line in done.stdout.partition("\n\n")[0].splitlines()}
    for text, through in ("lambda x: math.exp(-x * x)", "Python"), ("bell, a cpdef function", "C"):
        value, *_, how = lines[text]
        assert (value, how) == ("0.882081391", through)
    assert lines["Polynomial(1, 2, 3), a slot"] == ["14.000000000", "15", "calls", "of", "C"]
    assert "ValueError: careful() takes no negative numbers" in done.stdout


def test_an_integral_is_the_same_by_python_and_by_c(integrate, functions):
    for function in functions.bell, functions.Damped(0.5).value, functions.Polynomial(1, 2, 3):
        assert typed.signatures(function) == ["f8(f8)"]
        by_c = integrate(function, -1, 3)
        by_python = integrate(lambda x: function(x), -1, 3)
        assert by_c[:3] == by_python[:3] and (by_c[3], by_python[3]) == ("C", "Python")


@pytest.mark.thorough
def test_the_cython_variant_of_mytypedmod_is_called_as_c(collected):
    folder = support.ROOT / "examples" / "mytypedmod"
    built = [support.build_cython(folder / "inc_cython.pyx"), support.build_c("counting", folder / "counting.c")]
    assert support.check_child(
        "import runpy; runpy.run_path(sys.argv[1], run_name='__main__')",
        folder / "example_cython.py", modules=built) == (
            "inc    10000000 times from 0: 10000000, called as C\n"
            "dec           4 times from 2:       -2, called as C")
