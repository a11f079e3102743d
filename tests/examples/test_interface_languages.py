# SPDX-License-Identifier: MIT
"""One declaration in Cython, plain Cython, C and nanobind, built as the README of the example says."""
import pytest
from build_tools import build_nanobind, need, python, run_checks

pytestmark = [pytest.mark.once, pytest.mark.nightly]

LANGUAGES = ("cython", "c", "plain", "nanobind")
REFUSED = "expected an object that implements interface 'geometry.Shape', found 'str', which does not implement it"
PRINTED = f"""\
circle of 2, around the origin
dot, around the origin
Rectangle, around the origin
Triangle
Square
Tile

shapes_cython    73.692034
shapes_c         73.692034
shapes_plain     73.692034
shapes_nanobind  73.692034

shapes_cython    {REFUSED}
shapes_c         {REFUSED}
shapes_plain     {REFUSED}
shapes_nanobind  {REFUSED}

['Circle', 'Rectangle', 'Square', 'Triangle']
"""


@pytest.fixture(scope="module")
def in_cython_and_c(examples_copy):
    """Where all modules but nanobind's are."""
    directory = examples_copy / "geometry"
    need("setuptools")
    python("-m", "cython_customslots", "interface", "geometry.pxd", "-o", "geometry.h",
           "--pxd", "geometry_plain.pxd", cwd=directory)
    python("setup.py", "-q", "build_ext", "--inplace", cwd=directory)
    return directory


@pytest.fixture(scope="module")
def in_all(in_cython_and_c):
    """Where all modules are."""
    build_nanobind(in_cython_and_c)
    return in_cython_and_c


def test_the_example_prints_what_it_promises(in_all):
    assert python("example.py", cwd=in_all) == PRINTED


CHECKS = """\
import importlib, math, sys

import consumers

KINDS = {"cython": ("Circle", (1.0,), math.pi), "c": ("Rectangle", (2.0, 3.0), 6.0),
         "plain": ("Triangle", (1.0, 4.0), 2.0), "nanobind": ("Square", (3.0,), 9.0)}
modules = {name: importlib.import_module(f"shapes_{name}") for name in sys.argv[1:]}
shapes, expected = consumers.make(modules, KINDS, other=5)
consumers.check(modules.values(), shapes, expected,
                lambda wrong: "implements interface 'geometry.Shape', found")

if "cython" in modules:
    scale, describe = modules["cython"].scale, modules["cython"].describe
    for shape in shapes:
        scale(shape, 2)
    for module in modules.values():
        assert math.isclose(module.total_area(shapes), 4 * expected)
    try:
        scale(next(shape for shape in shapes if "Circle" in str(type(shape).__mro__)), -1)
    except ValueError as error:
        assert "-1" in str(error)
    else:
        raise AssertionError
    assert describe(3) == "int" and describe(describe) == type(describe).__name__
if "nanobind" in modules:
    consumers.check_forgetful(modules["nanobind"])
print("checked", len(shapes))
"""


@pytest.mark.parametrize("languages", [
    ("c",), ("plain",), ("c", "plain"), ("cython", "plain", "c"), ("plain", "c", "cython")], ids="-".join)
def test_modules_understand_one_another_in_any_order_of_import(in_cython_and_c, languages, tmp_path):
    run_checks(CHECKS, *languages, directory=in_cython_and_c, cwd=tmp_path)


@pytest.mark.parametrize("languages", [("nanobind",), ("nanobind", "cython"), LANGUAGES], ids="-".join)
def test_nanobind_and_they_understand_one_another(in_all, languages, tmp_path):
    run_checks(CHECKS, *languages, directory=in_all, cwd=tmp_path)
