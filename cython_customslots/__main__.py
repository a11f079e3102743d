# SPDX-License-Identifier: MIT
"""python -m cython_customslots"""
from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Sequence

from . import __version__
from .tools import configuration

_HELP = """\
usage: python -m cython_customslots COMMAND

  demo                 build two libraries that meet, show what they do, measure it
  new provider NAME, new consumer NAME --slot SLOT
                       write a small project that builds, in Cython, C, or C++ with pybind11
                       or nanobind, to begin with
  cython [ARGUMENT ...]  compile .pyx to C: `cython` with the compiler layer,
                       the same as the command cython-customslots,
                       which takes the names of these commands, too
  cythonize -i FILE.pyx ...
                       compile .pyx to a module beside it: `cythonize` with the compiler layer
  interface FILE.pxd -o HEADER.h
                       write the interfaces of a .pxd for C, C++ and plain Cython
  inspect [TARGET ...] print what modules, classes and objects carry: slots, C fields,
                       interfaces, typed signatures
  runtime [MODULE ...] import the modules and print which implementation serves
  stub MODULE [-o DIR] write what type checkers read of a compiled module, C fields included
  vendor DIR           write the headers as single files, to be kept in another project
  --include            print the directory of customslots.h and extensibletype.h
  --cflags, --cmakedir, --pkgconfigdir, --runtime-source
                       print what else build systems need, as cython-customslots-config
  --gdb                print the path of a script for gdb, which shows types in a living
                       process or a core file
  --version            print the version
  --help               print this

`COMMAND --help` says more.
"""


#: What takes the arguments behind a command.
_COMMANDS = {
    "demo": "demo:main",
    "new": "tools.starting:main",
    "inspect": "inspecting.command:main",
    "runtime": "implementations:main",
    "stub": "stubbing:main",
    "interface": "compiler.commands.interface_headers:write_interface_headers",
    "vendor": "tools.vendoring:main",
}
#: What reads sys.argv itself, as Cython does.
_CYTHONS = {"cython": "compiler.commands.cli:main", "cythonize": "compiler.commands.cli:cythonize_main"}


def _call(function: str, *arguments: Sequence[str]) -> int:
    module, name = function.split(":")
    try:
        called: Callable[..., int | None] = getattr(importlib.import_module(f".{module}", __package__), name)
    except ModuleNotFoundError as error:
        if error.name != "Cython":
            raise
        print(error, file=sys.stderr)
        return 2
    return called(*arguments) or 0


def main(arguments: Sequence[str]) -> int:
    command, rest = (arguments[0], list(arguments[1:])) if arguments else ("", [])
    if command in ("-h", "--help"):
        print(_HELP, end="")
        return 0
    if command in ("-V", "--version"):
        print("cython-customslots", __version__)
        return 0
    if command in configuration.ANSWERS:
        return configuration.main(arguments)
    if command in _COMMANDS:
        return _call(_COMMANDS[command], rest)
    if command in _CYTHONS:
        sys.argv = ["cython-customslots" if command == "cython" else "python -m cython_customslots cythonize", *rest]
        return _call(_CYTHONS[command])
    found = f"unknown command {command!r}" if command else "a command is missing"
    print(f"{_HELP}\ncython_customslots: {found}", file=sys.stderr)
    return 2


def script() -> int:
    """The command cython-customslots: that of Cython, unless another command is named (sources have suffixes)."""
    words = sys.argv[1:]
    return main(words) if words and words[0] in {**_COMMANDS, **_CYTHONS} else _call(_CYTHONS["cython"])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
