# SPDX-License-Identifier: MIT
"""docs/arrays.md, "Switching it on", followed to the letter."""
import re

import pages
import pytest
import support

pytestmark = pytest.mark.once

PAGE = (support.ROOT / "docs" / "arrays.md").read_text(encoding="utf-8")

PYPROJECT = """[build-system]
requires = []
build-backend = "setuptools.build_meta"

[project]
name = "filters"
version = "1.0"

[tool.setuptools]
py-modules = []
ext-modules = [{name = "filters", sources = ["filters.pyx"]}]
cmdclass = {build_ext = "cython_customslots.build_ext"}

"""
MESON = """project('filters', 'c', version: '1.0', meson_version: '>= 1.1')
py = import('python').find_installation(pure: false)
"""
CMAKE = """cmake_minimum_required(VERSION 3.20...3.31)
project(filters LANGUAGES C)
find_package(Python REQUIRED COMPONENTS Interpreter Development.Module)
"""


def backend(name):
    return f'[build-system]\nrequires = []\nbuild-backend = "{name}"\n[project]\nname = "filters"\nversion = "1.0"\n'


#: {mark of a block: (modules that build it, its file, what the page leaves out before it and behind it, other files)}.
PROJECTS = {
    "borrowing in pyproject.toml": (("setuptools",), "pyproject.toml", PYPROJECT, "", {}),
    "borrowing in setup.py": (("setuptools",), "setup.py", "", "",
                              {"pyproject.toml": backend("setuptools.build_meta")}),
    "borrowing with Meson": (("mesonpy", "mesonbuild", "ninja"), "meson.build", MESON, "",
                             {"pyproject.toml": backend("mesonpy")}),
    "borrowing with CMake": (("scikit_build_core", "cmake", "ninja"), "CMakeLists.txt", CMAKE,
                             "install(TARGETS filters DESTINATION .)\n",
                             {"pyproject.toml": backend("scikit_build_core.build")}),
}


def test_each_block_of_the_page_is_built():
    assert set(re.findall(r"<!-- project: (borrowing .*) -->", PAGE)) == set(PROJECTS)


@pytest.mark.parametrize("mark", support.thoroughly(list(PROJECTS), plain=0, thorough=2))
def test_a_module_borrows_when_its_build_system_has_the_switch(mark, tmp_path):
    tools, name, before, behind, others = PROJECTS[mark]
    for tool in tools:
        pytest.importorskip(tool, reason=f"{tool} is not installed (the extra 'thorough' has it)")
    text = pages.block("arrays.md", f"project: {mark}")
    (tmp_path / "filters.pyx").write_text("# cython: language_level=3\ndef first(double[::1] x): return x[0]\n")
    for path, content in {name: before + text + behind, **others}.items():
        (tmp_path / path).write_text(content)
    pages.install(tmp_path)
    module, = (tmp_path / "site").glob("filters.*")
    assert b"numpy" in module.read_bytes()
