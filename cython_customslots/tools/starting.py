# SPDX-License-Identifier: MIT
"""``python -m cython_customslots new provider|consumer NAME``: a small project that builds, to begin with.

The modules are the tutorial's, docs/first-protocol.md, under other names: those that were begun with the same
``--slot`` meet at once, in whatever language they are.
"""
from __future__ import annotations

import argparse
import keyword
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

_USAGE = """\
usage: python -m cython_customslots new provider|consumer NAME [--slot SLOT] [--language LANGUAGE] [--build SYSTEM]
                                        [--abi3]

Writes the folder NAME: a module, what builds it, and a GitHub workflow that makes wheels of it with cibuildwheel.

  provider             a class with a slot
  consumer             a function that asks any object for that slot
  --slot SLOT          the name on which both agree, with a dot; a consumer's is that of a provider;
                       default of a provider: NAME.size
  --language LANGUAGE  cython (the default), c, pybind11 or nanobind
  --build SYSTEM       of Cython: setuptools (the default), meson-python or scikit-build-core; the others have one each
  --abi3               of a consumer in Cython or C: one wheel for CPython 3.11 and all later ones with a GIL
"""

_PACKAGE = Path(__file__).parent.parent
_TUTORIAL = _PACKAGE / "examples" / "first_protocol"


class _Language(NamedTuple):
    provider: str       # files of the tutorial
    consumer: str       # ... beside what builds it
    requires: tuple[str, ...]
    builds: tuple[str, ...]


_LANGUAGES = {
    "cython": _Language("circles/circles.pyx", "totals/totals.pyx", ("cython-customslots[cython]",),
                        ("setuptools", "meson-python", "scikit-build-core")),
    "c": _Language("squares/squares.c", "totals_c/totals_c.c", ("cython-customslots",), ("setuptools",)),
    "pybind11": _Language("blobs/blobs.cpp", "totals_pybind11/totals_pybind11.cpp",
                          ("cython-customslots", "pybind11 >= 2.13"), ("setuptools",)),
    "nanobind": _Language("blobs/blobs.cpp", "totals_nanobind/totals_nanobind.cpp",
                          ("cython-customslots", "nanobind >= 2.2"), ("scikit-build-core",)),
}

#: What of the tutorial's provider with pybind11 is different with nanobind.
_NANOBIND = {
    "pybind11::handle(self).cast<Blob *>()": "nanobind::inst_ptr<{type}>(self)", "pybind11": "nanobind",
    "PYBIND11_MODULE": "NB_MODULE", ", pybind11::mod_gil_not_used()": "", "error_already_set": "python_error",
}


class _System(NamedTuple):
    requires: str       # the first version that takes a licence in SPDX
    tools: tuple[str, ...]      # what isolated builds get from it
    backend: str
    file: str
    provider: str       # what is in that file, for Cython
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
        "setuptools >= 77", (), "setuptools.build_meta", "setup.py", _SETUP.replace("{module}", "cython_customslots"),
        _SETUP.replace("{module}", "Cython.Build"), _SETUP_ABI3, ""),
    "meson-python": _System(
        "meson-python >= 0.18", ("ninja",), "mesonpy", "meson.build",
        _MESON.replace("{command}", "cython-customslots"), _PLAIN_MESON,
        _PLAIN_MESON.replace(">= 1.1", ">= 1.3").replace("install:", "limited_api: '3.11', install:"),
        "\n[tool.meson-python]\nlimited-api = true\n"),
    "scikit-build-core": _System(
        "scikit-build-core >= 0.11", ("cmake", "ninja"), "scikit_build_core.build", "CMakeLists.txt",
        _CMAKE, _CMAKE,
        _CMAKE.replace("3.20.", "3.26.").replace(".Module", ".SABIModule").replace("WITH", "USE_SABI 3.11 WITH"),
        '\n[tool.scikit-build]\nwheel.py-api = "cp311"\n'),
}

_PYPROJECT = """\
[build-system]
requires = [{requires}]
build-backend = "{backend}"

[project]
name = "{name}"
version = "1.0"
readme = "README.md"
requires-python = ">=3.10"
license = "MIT"
license-files = ["LICENSE"]

[tool.cibuildwheel]
test-command = 'python -c "import {name}"'
"""

#: (what is in some file, what is in that place for the stable ABI).  cibuildwheel tests the wheel that 3.11 has built
#: with later Pythons.
_ABI3 = [('[cython]"', '[cython]", "Cython >= 3.1"'), ("3.10", "3.11"),
         ("[tool.cibuildwheel]", '[tool.cibuildwheel]\nskip = "cp3*t-*"'),
         ("get_include()])],\n      ", """get_include()],
                             py_limited_api=True, define_macros=[("Py_LIMITED_API", "0x030B0000")])],
      options={"bdist_wheel": {"py_limited_api": "cp311"}}, """)]

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

_README = """\
# {name}

{about} the name
`{slot}`. Compiled code finds it by that name, without an import. It is a
`double (*)(PyObject *self)`, cannot fail, and is called with the GIL.

## Build it

    {install}
    {build}

The build takes the cython-customslots that is installed; what is built runs without it. The workflow in `.github`
makes wheels, and gets cython-customslots from PyPI.

## Try it

    {try_it}
    python -m cython_customslots new {other} NAME --slot {slot}

The second line begins a project that meets this one.

## Licence

MIT. Put the year and your name into `LICENSE`.
"""

#: kind -> (what it is, how to try it)
_SAID = {
    "provider": ("Objects of the class `{name}.{type}` carry a C function under",
                 "python -m cython_customslots inspect {name}"),
    "consumer": ("The function `{name}.total(objects)` adds up the results of the C function that objects carry under",
                 """python -c "import {name}; print({name}.total(['no {what}']))\""""),
}
_OTHER = {"provider": "consumer", "consumer": "provider"}

#: For TOML, and for all shells.
_QUOTED = '"{}"'.format


def _type(name: str) -> str:
    """The class's name: MyShapes for my_shapes."""
    return "".join(word[:1].upper() + word[1:] for word in name.split("_"))


def _commands(name: str, language: str, build: str) -> tuple[str, str]:
    """What builds it without isolation, so with the package that has written it."""
    system = _SYSTEMS[build]
    needed = system.requires, *system.tools, *_LANGUAGES[language].requires
    return f"pip install {' '.join(map(_QUOTED, needed))}", f"pip install --no-build-isolation ./{name}"


def _rename(text: str, name: str, language: str, slot: str) -> str:
    """A file of the tutorial, which then speaks of what the user has named."""
    what, type_ = slot.rpartition(".")[2], _type(name)
    nanobind = {found: instead.format(type=type_) for found, instead in _NANOBIND.items()}
    words = {
        **(nanobind if language == "nanobind" else {}),
        "3.0 * self.radius * self.radius          # biblical, but exact": "self.size",
        "->side * ((Square *)self)->side": "->size", "radius": "size", "side": "size",
        "shapes.area": slot, "area_": f"{what}_", "area": f"{what}_of_{name}", "AREA": f"{what.upper()}_ID",
        "Circle": type_, "Square": type_, "Blob": type_,
        "square_": "class_",            # beside squares_slots
        "totals_c": name, "totals_pybind11": name, "totals_nanobind": name,
        "circles": name, "squares": name, "blobs": name, "totals": name,
    }
    return re.sub("|".join(map(re.escape, words)), lambda found: words[found.group()], text)


def files(kind: str, name: str, language: str, build: str, slot: str, abi3: bool) -> dict[str, str]:
    """{path in the folder: text} of a new project."""
    of, system = _LANGUAGES[language], _SYSTEMS[build]
    module = _TUTORIAL / getattr(of, kind)
    words = {"name": name, "type": _type(name), "slot": slot, "what": slot.rpartition(".")[2], "other": _OTHER[kind]}
    words["about"], words["try_it"] = (said.format(**words) for said in _SAID[kind])
    words["install"], words["build"] = _commands(name, language, build)

    def renamed(path: Path) -> str:
        return _rename(path.read_text(encoding="utf-8"), name, language, slot)
    result = {
        f"{name}{module.suffix}": renamed(module),
        system.file: (getattr(system, "abi3" if abi3 else kind).format(name=name) if language == "cython"
                      else renamed((_TUTORIAL / of.consumer).parent / system.file)),
        "pyproject.toml": _PYPROJECT.format(
            name=name, requires=", ".join(map(_QUOTED, (system.requires, *of.requires))), backend=system.backend)
            + (system.settings if abi3 else ""),
        "README.md": _README.format(**words),
        "LICENSE": re.sub("(?<=Copyright ).*", "(c) [YEAR] [COPYRIGHT HOLDER]",
                          (_PACKAGE / "LICENSE").read_text(encoding="utf-8")),
        ".github/workflows/wheels.yml": _WORKFLOW,
    }
    for found, instead in _ABI3 if abi3 else ():
        result = {path: text.replace(found, instead) for path, text in result.items()}
    return result


#: CMake's own targets.
_TARGETS = {"all", "clean", "edit_cache", "help", "install", "package", "package_source", "preinstall", "rebuild_cache"}


def _problem(kind: str, name: str, language: str, build: str, slot: str, abi3: bool) -> str:
    """Why no project can be begun with these; or ""."""
    if abi3 and kind == "provider":
        return ("found --abi3 for a provider, expected it for a consumer: classes with slots need the layout of "
                "CPython's types, which no stable ABI has; leave it out, and build a wheel for each version of Python")
    if abi3 and language not in ("cython", "c"):
        return (f"found --abi3 with --language {language}, expected cython or c; leave it out, and build a wheel for "
                "each version of Python")
    if build not in (builds := _LANGUAGES[language].builds):
        return f"found --build {build} with --language {language}, expected {' or '.join(builds)}; leave it out"
    if not slot:
        return ("found no --slot for a consumer, expected the name that providers have given their slot, such as "
                "--slot circles.size; python -m cython_customslots inspect MODULE prints those of a module")
    if not re.fullmatch(r"[a-z](\w*[a-z0-9])?", name, re.ASCII | re.IGNORECASE) or keyword.iskeyword(name):
        return (f"found the name {name!r}, expected one that Python can import and pip can install: a letter, then "
                "letters and digits, with _ between them, no keyword")
    if name in sys.stdlib_module_names or name.lower() in ("cython", "cython_customslots", "pybind11", "nanobind"):
        return f"found the name {name!r}, which is that of another module; take one of your own"
    if build == "scikit-build-core" and name in _TARGETS:
        return f"found the name {name!r}, which CMake keeps for itself; take another one"
    if not re.fullmatch(r"\w[\w.-]*\.[a-z]\w*", slot, re.ASCII | re.IGNORECASE):
        return f"found the slot {slot!r}, expected a name with a dot in it, 'package.what', of letters, digits and _"
    if Path(name).exists():
        return f"found {name} here already, which is left as it is; take another name or folder"
    return ""


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="new", usage=_USAGE.removeprefix("usage: "), add_help=False,
                                     allow_abbrev=False)
    parser.add_argument("kind", choices=["provider", "consumer"])
    parser.add_argument("name")
    parser.add_argument("--slot", default="")
    parser.add_argument("--language", choices=_LANGUAGES, default="cython")
    parser.add_argument("--build", choices=_SYSTEMS)
    parser.add_argument("--abi3", action="store_true")
    if {"-h", "--help"} & set(arguments):
        print(_USAGE, end="")
        return 0
    options = parser.parse_args(arguments)
    options.build = options.build or _LANGUAGES[options.language].builds[0]
    if options.kind == "provider":
        options.slot = options.slot or f"{options.name}.size"
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
    other = _OTHER[options.kind]
    print(f"\nA {other} that meets it: python -m cython_customslots new {other} NAME --slot {options.slot}",
          "To build it with the cython-customslots that is installed here:\n",
          *_commands(options.name, options.language, options.build), sep="\n")
    return 0
