# SPDX-License-Identifier: MIT
"""python -m cython_customslots"""
from __future__ import annotations

import sys
from collections.abc import Sequence

from . import __version__
from .tools import configuration

_HELP = """\
usage: python -m cython_customslots COMMAND

  demo                 build two libraries that meet, show what they do, measure it;
                       --all: build and run the examples, with pictures of their memory
  new provider|consumer NAME
                       write a small project that builds, to begin with
  cython [ARGUMENT ...]  compile .pyx to C: `cython` with the compiler layer,
                       the same as the command cython-customslots
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


def compile_pyx(name: str = "main") -> int:
    """The command cython-customslots, or what else of this *name* takes its options."""
    try:
        from .compiler.commands import cli
    except ModuleNotFoundError as error:
        if error.name != "Cython":
            raise
        print(error, file=sys.stderr)
        return 2
    return getattr(cli, name)() or 0


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
    if command == "demo":
        from .demo import main as demo

        return demo(rest)
    if command == "new":
        from .tools.starting import main as new

        return new(rest)
    if command == "inspect":
        from .inspecting.command import main as inspect

        return inspect(rest)
    if command == "runtime":
        from .implementations import main as runtime

        return runtime(rest)
    if command == "stub":
        from .stubbing import main as stub

        return stub(rest)
    if command == "interface":
        from .compiler.commands.interface_headers import write_interface_headers as interface

        return interface(rest)
    if command == "vendor":
        from .tools.vendoring import main as vendor

        return vendor(rest)
    if command == "cython":
        # Cython reads sys.argv itself.
        sys.argv = ["cython-customslots", *rest]
        return compile_pyx()
    if command == "cythonize":
        sys.argv = ["python -m cython_customslots cythonize", *rest]
        return compile_pyx("cythonize_main")
    found = f"unknown command {command!r}" if command else "a command is missing"
    print(f"cython_customslots: {found}\n\n{_HELP}", end="", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
