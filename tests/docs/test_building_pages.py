# SPDX-License-Identifier: MIT
"""docs/building.md and docs/vendoring.md, followed to the letter."""
import importlib.metadata
import os
import re
import shutil
import sys

import cython_customslots
import pages
import pytest
import support
from pages import block, run

pytestmark = pytest.mark.once

ROOT = support.ROOT
BUILDING = (ROOT / "docs" / "building.md").read_text(encoding="utf-8")

PYX = "# cython: language_level=3, freethreading_compatible=True\ncdef class Shape:\n    cdef int x\n"


def setuptools_reads_modules():
    try:
        version = importlib.metadata.version("setuptools")
    except importlib.metadata.PackageNotFoundError:
        return False
    return tuple(map(int, version.split(".")[:2])) >= (74, 1)


#: The switches of the table, in the place of `extend-all = true`, and the type of Shape then.
SWITCHES = {
    "extend-all = true": "extensibletype",
    "typed = true": "type",
    "borrow-views = true": "type",
    'metaclass = "abc.ABCMeta"': "ABCMeta",
    'metaclass = "shapes.Shape=abc.ABCMeta"': "ABCMeta",
    'extend-all = true\nruntime = "installed"': "extensibletype",
}


@pytest.mark.nightly
@pytest.mark.skipif(not setuptools_reads_modules(), reason="setuptools reads ext-modules since 74.1")
@pytest.mark.parametrize("switch", SWITCHES)
def test_a_project_without_setup_py_is_built_with_the_switch(switch, tmp_path):
    text = block("building.md", "project: pyproject.toml")
    assert text.endswith("[tool.distutils.build_ext]\nextend-all = true\n")
    (tmp_path / "pyproject.toml").write_text(text.replace("extend-all = true", switch))
    (tmp_path / "shapes.pyx").write_text(PYX)
    pages.install(tmp_path)
    said = run(sys.executable, "-c", "import shapes; print(*[t.__name__ for t in type(shapes.Shape).__mro__])",
               cwd=tmp_path / "site")
    assert SWITCHES[switch] in said, said
    for line in switch.splitlines():
        assert re.search(rf"(?m)^\| `{line.split(' = ')[0]} = ", BUILDING)


@pytest.mark.thorough
@pytest.mark.skipif(not setuptools_reads_modules(), reason="setuptools reads ext-modules since 74.1")
def test_a_switch_that_is_said_wrongly_ends_the_build_with_our_words(tmp_path):
    text = block("building.md", "project: pyproject.toml")
    (tmp_path / "pyproject.toml").write_text(text.replace("extend-all = true", 'runtime = "in stalled"'))
    (tmp_path / "shapes.pyx").write_text(PYX)
    assert "embedded, linked, installed or" in pages.install(tmp_path, expect=1)


@pytest.mark.nightly
def test_pip_finds_the_package_before_the_first_release_as_the_page_says(tmp_path):
    """Without any index: what is not found in the wheel's directory is not found."""
    for tool in "mesonpy", "mesonbuild", "ninja":
        pytest.importorskip(tool, reason=f"{tool} is not installed (the extra 'thorough' has it)")
    clone = pages.copy_of_the_tree(tmp_path / "clone")
    script = block("building.md", "command: before the first release") + (
        "pip install --no-build-isolation --target site cython-customslots\n")
    # "No build isolation" is what pip reads in a false value: the build tools are those of this environment.
    run("sh", "-ec", script, cwd=clone, PIP_NO_INDEX="1", PIP_NO_BUILD_ISOLATION="0")
    wheel, = (clone / "dist").iterdir()
    assert wheel.name.startswith(f"cython_customslots-{cython_customslots.__version__}-")
    said = run(sys.executable, "-c", "import cython_customslots as c; print(c.get_include())",
               cwd=clone / "site", PYTHONPATH=str(clone / "site"))
    assert said.strip() == str(clone / "site" / "cython_customslots" / "include")


READER = """
#include <Python.h>
#include "customslots.h"
static struct PyModuleDef def = {PyModuleDef_HEAD_INIT, "module", NULL, 0, NULL, NULL, NULL, NULL, NULL};
PyMODINIT_FUNC PyInit_module(void)
{
    return PyCustomSlots_Check(Py_None) ? NULL : PyModule_Create(&def);
}
"""


def test_the_commands_for_vendoring_do_what_the_page_says(tmp_path):
    if not shutil.which("strings"):
        pytest.skip("strings (binutils) is not on this machine")
    said = run("sh", "-ec", block("vendoring.md", "command: vendor"), cwd=tmp_path)
    folder = tmp_path / "third_party" / "customslots"
    assert said == "wrote: third_party/customslots/customslots.h\n" and os.listdir(folder) == ["customslots.h"]
    said = run("sh", "-ec", block("vendoring.md", "command: update"), cwd=tmp_path)
    assert said == "is current: third_party/customslots/customslots.h\n" * 2
    tools = support.toolchain()
    (tmp_path / "module.c").write_text(READER)
    run(*tools.cc, "-shared", "-fPIC", f"-I{folder}", *(f"-I{path}" for path in tools.include_dirs), "module.c",
        "-o", "module.so", cwd=tmp_path)
    run("strip", "module.so", cwd=tmp_path)
    said = run("sh", "-ec", block("vendoring.md", "command: strings"), cwd=tmp_path)
    assert said == f"customslots.h of cython-customslots {cython_customslots.__version__}: table ABI 5\n"
