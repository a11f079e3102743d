# SPDX-License-Identifier: MIT
"""``cython-customslots-config``: where things are, for build systems.

    --cflags         -I and the directory of customslots.h and extensibletype.h
    --include        that directory
    --cmakedir       directory for CMAKE_PREFIX_PATH: find_package(CythonCustomslots)
    --pkgconfigdir   directory for PKG_CONFIG_PATH: pkg-config cython-customslots
    --runtime-source customslots_runtime.c, for modules that were compiled with --runtime=linked
    --gdb            a script for gdb: `source` it, then `customslots` shows types
    --version        the version

One answer a line, in the order asked.  ``python -m cython_customslots`` takes the same.
"""
from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from .. import __version__, get_cmake_dir, get_include, get_pkgconfig_dir, get_runtime_source

ANSWERS = {
    "--cflags": lambda: shlex.join([f"-I{get_include()}"]),
    "--include": get_include,
    "--cmakedir": get_cmake_dir,
    "--pkgconfigdir": get_pkgconfig_dir,
    "--runtime-source": get_runtime_source,
    "--gdb": lambda: str(Path(__file__).resolve().parent.parent / "inspecting" / "customslots_gdb.py"),
    "--version": lambda: __version__,
}


def main(arguments: Sequence[str] | None = None) -> int:
    arguments = sys.argv[1:] if arguments is None else arguments
    if any(argument in ("-h", "--help") for argument in arguments):
        print(__doc__.strip())
        return 0
    unknown = [argument for argument in arguments if argument not in ANSWERS]
    if unknown or not arguments:
        found = f"unknown option {unknown[0]!r}" if unknown else "an option is missing"
        print(f"cython-customslots-config: {found}, expected one of {', '.join(ANSWERS)}",
              file=sys.stderr)
        return 2
    for argument in arguments:
        print(ANSWERS[argument]())
    return 0
