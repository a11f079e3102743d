# SPDX-License-Identifier: MIT
"""``python -m cython_customslots new provider|consumer NAME``: a small project that builds, to begin with.

The modules are the tutorial's, docs/first-protocol.md: a provider and a consumer that were begun with the same
``--slot`` meet at once.
"""
from __future__ import annotations

import argparse
import keyword
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

_USAGE = """\
usage: python -m cython_customslots new provider|consumer NAME [--build SYSTEM] [--slot SLOT] [--abi3]

Writes the folder NAME: a module, what builds it, and a GitHub workflow that makes wheels of it with cibuildwheel.

  provider         a cdef class with a slot
  consumer         a function that asks any object for that slot, in plain Cython
  --build SYSTEM   setuptools (the default), meson-python or scikit-build-core
  --slot SLOT      the name on which both agree, with a dot; default: shapes.area
  --abi3           of a consumer: one wheel for CPython 3.11 and all later ones with a GIL
"""


class _System(NamedTuple):
    requires: str
    backend: str
    file: str
    provider: str       # what is in that file
    consumer: str
    abi3: str           # ... of a consumer for the stable ABI
    settings: str       # ... and what is then in pyproject.toml


_MESON = """\
project('{name}', 'c', version: '1.0', meson_version: '>= 1.1')

py = import('python').find_installation(pure: false)
cython = generator(find_program('{command}'),
  arguments: ['-M', '@EXTRA_ARGS@', '@INPUT@', '-o', '@OUTPUT@'], output: '@BASENAME@.c', depfile: '@BASENAME@.c.dep')
py.extension_module('{name}', cython.process('{name}.pyx'), install: true)
"""

_SETUP = """\
from {module} import cythonize
from setuptools import setup

setup(ext_modules=cythonize("{name}.pyx"), py_modules=[])
"""

_SETUP_ABI3 = """\
from Cython.Build import cythonize
from setuptools import Extension, setup

setup(ext_modules=cythonize(Extension("{name}", ["{name}.pyx"], py_limited_api=True,
                                      define_macros=[("Py_LIMITED_API", "0x030B0000")])),
      options={{"bdist_wheel": {{"py_limited_api": "cp311"}}}}, py_modules=[])
"""

_CMAKE = """\
cmake_minimum_required(VERSION 3.20...3.31)
project({name} LANGUAGES C)

find_package(Python REQUIRED COMPONENTS Interpreter Development.Module)
find_package(CythonCustomslots REQUIRED)         # the package tells scikit-build-core where

cython_customslots_transpile({name}.pyx OUTPUT_VARIABLE {name}_c)
Python_add_library({name} MODULE WITH_SOABI ${{{name}_c}})
install(TARGETS {name} DESTINATION .)
"""

_PLAIN_MESON = _MESON.replace("{command}", "cython")

_SYSTEMS = {
    "setuptools": _System(
        "setuptools", "setuptools.build_meta", "setup.py", _SETUP.replace("{module}", "cython_customslots"),
        _SETUP.replace("{module}", "Cython.Build"), _SETUP_ABI3, ""),
    "meson-python": _System(
        "meson-python", "mesonpy", "meson.build", _MESON.replace("{command}", "cython-customslots"), _PLAIN_MESON,
        _PLAIN_MESON.replace(">= 1.1", ">= 1.3").replace("install:", "limited_api: '3.11', install:"),
        "\n[tool.meson-python]\nlimited-api = true\n"),
    "scikit-build-core": _System(
        "scikit-build-core", "scikit_build_core.build", "CMakeLists.txt", _CMAKE, _CMAKE,
        _CMAKE.replace("3.20.", "3.26.").replace(".Module", ".SABIModule").replace("WITH", "USE_SABI 3.11 WITH"),
        '\n[tool.scikit-build]\nwheel.py-api = "cp311"\n'),
}

_PYPROJECT = """\
[build-system]
requires = ["{requires}", "cython-customslots[cython]"]
build-backend = "{backend}"

[project]
name = "{name}"
version = "1.0"
requires-python = ">=3.10"

[tool.cibuildwheel]
test-command = 'python -c "import {name}"'
"""

#: (what is in it, what is in that place for the stable ABI).  cibuildwheel tests the wheel that 3.11 has built with
#: later Pythons.
_ABI3 = [('[cython]"', '[cython]", "Cython >= 3.1"'), ("3.10", "3.11"),
         ("[tool.cibuildwheel]", '[tool.cibuildwheel]\nskip = "cp3*t-*"')]

_WORKFLOW = """\
name: wheels
on: [push, pull_request]
jobs:
  wheels:
    strategy:
      matrix:
        os: [ubuntu-latest, ubuntu-24.04-arm, windows-latest, macos-latest]
    runs-on: ${{ matrix.os }}
    steps:
      - uses: actions/checkout@v4
      - run: pipx run cibuildwheel
      - uses: actions/upload-artifact@v4
        with:
          name: wheels-${{ matrix.os }}
          path: wheelhouse/*.whl
"""


def files(kind: str, name: str, build: str, slot: str, abi3: bool) -> dict[str, str]:
    """{path in the folder: text} of a new project."""
    system, tutorial = _SYSTEMS[build], Path(__file__).parent.parent / "examples" / "first_protocol"
    module = {"provider": "circles/circles.pyx", "consumer": "totals/totals.pyx"}[kind]
    settings = _PYPROJECT.format(name=name, requires=system.requires, backend=system.backend)
    if abi3:
        for found, instead in _ABI3:
            settings = settings.replace(found, instead)
        settings += system.settings
    return {
        f"{name}.pyx": (tutorial / module).read_text(encoding="utf-8").replace("shapes.area", slot),
        system.file: getattr(system, "abi3" if abi3 else kind).format(name=name),
        "pyproject.toml": settings,
        ".github/workflows/wheels.yml": _WORKFLOW,
    }


#: CMake's own targets.
_TARGETS = {"all", "clean", "edit_cache", "help", "install", "package", "package_source", "preinstall", "rebuild_cache"}


def _problem(kind: str, name: str, build: str, slot: str, abi3: bool) -> str:
    """Why no project can be begun with these; or ""."""
    if abi3 and kind == "provider":
        return ("found --abi3 for a provider, expected it for a consumer: classes with slots need the layout of "
                "CPython's types, which no stable ABI has; leave it out, and build a wheel for each version of Python")
    if not name.isascii() or not name.isidentifier() or keyword.iskeyword(name):
        return f"found the name {name!r}, expected one that Python can import: letters, digits and _, no keyword"
    if name in sys.stdlib_module_names or name.lower() in ("cython", "cython_customslots"):
        return f"found the name {name!r}, which is that of another module; take one of your own"
    if build == "scikit-build-core" and name in _TARGETS:
        return f"found the name {name!r}, which CMake keeps for itself; take another one"
    if not slot.isascii() or not slot.isprintable() or '"' in slot or "\\" in slot or "." not in slot.strip("."):
        return f"found the slot {slot!r}, expected a name with a dot in it, 'package.what', in ASCII"
    if Path(name).exists():
        return f"found {name} here already, which is left as it is; take another name or folder"
    return ""


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="new", usage=_USAGE.removeprefix("usage: "), add_help=False,
                                     allow_abbrev=False)
    parser.add_argument("kind", choices=["provider", "consumer"])
    parser.add_argument("name")
    parser.add_argument("--build", choices=_SYSTEMS, default="setuptools")
    parser.add_argument("--slot", default="shapes.area")
    parser.add_argument("--abi3", action="store_true")
    if {"-h", "--help"} & set(arguments):
        print(_USAGE, end="")
        return 0
    options = parser.parse_args(arguments)
    try:
        if problem := _problem(**vars(options)):
            print(f"new: error: {problem}", file=sys.stderr)
            return 2
        for path, text in files(**vars(options)).items():
            target = Path(options.name, path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
            print(target)
    except OSError as error:
        print(f"new: error: {error}", file=sys.stderr)
        return 2
    print(f"\npip install ./{options.name}")
    return 0
