# SPDX-License-Identifier: MIT
"""`python -m cython_customslots demo` builds two libraries that meet, and shows what they do."""
from __future__ import annotations

import argparse
import contextlib
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from .. import __version__
from ..tools.building import BuildError, Module, Result, build_all, find_toolchain


def _fail(message: str) -> int:
    print(f"cython_customslots demo: {message}", file=sys.stderr)
    return 1


def _build(root: Path) -> None:
    find_toolchain()  # complains before anything is announced
    shutil.copytree(Path(__file__).parent / "libraries", root, dirs_exist_ok=True)
    modules = [Module(name, [root / f"{name}.pyx"], cython_args=["--runtime=installed"], cflags=[optimized, "-g0"])
               for name, optimized in (("circles", "-O1"), ("totals", "-O1"), ("measured", "-O2"))]
    print(f"Building {len(modules)} extension modules in {root}", flush=True)

    def report(index: int, result: Result) -> None:
        said = f"{result.seconds:5.1f} s" if result.built else "was up to date"
        print(f"  {modules[index].name:<10} {said}", flush=True)

    build_all([(module, root) for module in modules], report=report)


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m cython_customslots demo",
        description="Builds a provider and a consumer with the compiler layer, shows what they "
                    "do with each other, and measures it.")
    parser.add_argument("--directory", type=Path, metavar="DIR",
                        help="where to build, and to leave sources and modules, the generated C in .build (default: a "
                             "temporary directory, which goes at the end)")
    options = parser.parse_args(arguments)
    if hasattr(sys.stdout, "reconfigure"):  # a path may hold what a terminal cannot show
        sys.stdout.reconfigure(errors="backslashreplace")
    if platform.python_implementation() != "CPython":
        return _fail(f"The demo is about CPython's type objects, and this is "
                     f"{platform.python_implementation()}.")
    print(f"cython-customslots {__version__} on CPython {platform.python_version()}: circles.pyx provides, totals.pyx\n"
          "consumes, and neither imports the other.")
    place = contextlib.nullcontext(options.directory) if options.directory else \
        tempfile.TemporaryDirectory(prefix="cython-customslots-", ignore_cleanup_errors=True)
    with place as root:
        root = Path(root).absolute()
        try:
            _build(root)
        except BuildError as error:
            return _fail(str(error))
        except OSError as error:
            return _fail(f"Cannot write to {root}: {error.strerror}.\nChoose another place with --directory.")
        return subprocess.run([sys.executable, "-m", "cython_customslots.demo.meeting"], cwd=root).returncode
