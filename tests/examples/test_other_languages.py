# SPDX-License-Identifier: MIT
"""The same provider and consumer in Rust, C++ and Cython, built as their README says."""
import os
import shutil
import sys

import pytest
import support
from build_tools import build_nanobind, need, python, run, run_checks
from examples_support import EXAMPLES

pytestmark = pytest.mark.nightly

EXAMPLE = EXAMPLES / "other_languages"
PRINTED = """\
shapes_rust      30.207963
shapes_nanobind  30.207963
shapes_cython    30.207963

shapes_rust      {0}
shapes_nanobind  {0}
shapes_cython    {0}
""".format("total_area: found an object of <class 'str'>, which has no slot "
           "'other_languages.shape', expected shapes only")


def build_rust(directory):
    if not shutil.which("rustc"):
        pytest.skip("found no rustc on PATH: on Debian it is in the package rustc, elsewhere rustup installs it")
    if sys.maxsize < 2**32 or os.name == "nt":
        pytest.skip("rust/python.rs declares CPython for 64-bit systems with a Unix linker")
    options = ["--cfg", "Py_GIL_DISABLED"] if support.FREE_THREADED else []
    if sys.platform == "darwin":
        options += ["-C", "link-arg=-undefined", "-C", "link-arg=dynamic_lookup"]
    said = run("rustc", "--crate-type=cdylib", "--edition=2021", "-O", "-C", "panic=abort", *options,
               "-o", "shapes_rust.so", "rust/shapes_rust.rs", cwd=directory)
    assert said == "", "rustc has nothing to say"


def build_cython(directory):
    need("setuptools")
    python("setup.py", "-q", "build_ext", "--inplace", cwd=directory)


BUILD = {"rust": build_rust, "nanobind": build_nanobind, "cython": build_cython}


@pytest.fixture(scope="module")
def built(examples_copy):
    """Builds modules, each when it is first asked for; the directory where they are."""
    directory, done = examples_copy / "other_languages", set()

    def build(*languages):
        for language in languages:
            if language not in done:
                BUILD[language](directory)
                done.add(language)
        return directory
    return build


CHECKS = """\
import importlib, math, sys

import consumers

modules = {name: importlib.import_module(f"shapes_{name}") for name in sys.argv[1:]}
KINDS = {"rust": ("Circle", (1.0,), math.pi), "nanobind": ("Square", (3.0,), 9.0),
         "cython": ("Rectangle", (2.0, 3.5), 7.0)}

shapes, expected = consumers.make(modules, KINDS)
assert all(getattr(module, KINDS[name][0]).__module__ == module.__name__ for name, module in modules.items())
consumers.check(modules.values(), shapes, expected,
                lambda wrong: f"found an object of {type(wrong)}, which has no slot", also=[None])

if "nanobind" in modules:
    consumers.check_forgetful(modules["nanobind"])
print("checked", len(shapes))
"""


@pytest.mark.parametrize("languages", [
    ("rust",), ("nanobind",), ("rust", "cython"), ("cython", "rust"), ("nanobind", "cython"),
    ("rust", "nanobind", "cython"), ("cython", "nanobind", "rust")], ids="-".join)
def test_modules_understand_one_another_in_any_order_of_import(built, languages, tmp_path):
    run_checks(CHECKS, *languages, directory=built(*languages), cwd=tmp_path)


def test_the_example_prints_what_its_readme_says(built):
    assert python("example.py", cwd=built(*BUILD)) == PRINTED
    readme = (EXAMPLE / "README.md").read_text(encoding="utf-8")
    assert all(f"    {line}\n" in readme for line in PRINTED.splitlines()[:3])


def test_rust_says_what_to_install_where_there_is_no_runtime(built, tmp_path):
    said = python("-c", "import sys; sys.modules['_customslots_runtime'] = None\n"
                  "try:\n    import shapes_rust\nexcept ImportError as error:\n    print(error)",
                  cwd=tmp_path, PYTHONPATH=str(built("rust")))
    assert "_customslots_runtime" in said
