# SPDX-License-Identifier: MIT
"""Compilers for other platforms, and Python's headers as they are there.

Found on PATH, or named by the environment; what is not there is a test skipped, unless
CUSTOMSLOTS_PLATFORMS is set, as the sessions `platforms(...)` of noxfile.py do: there it fails.

CUSTOMSLOTS_WINDOWS_PYCONFIG   CPython's PC/pyconfig.h: python3 .ci/machine.py windows
CUSTOMSLOTS_MORE_HEADERS       include directories of other CPythons, for what depends on them
"""
import importlib.util
import os
import shutil
import subprocess
from pathlib import Path

import cython_customslots
import pytest
import support

HERE = Path(__file__).resolve().parent
TESTS = HERE.parent
PACKAGE = support.ROOT / "cython_customslots"
RUNTIME = sorted((PACKAGE / "runtime").glob("*.c"))

#: What a module of the user's has: the implementation, typed callables, names, interfaces.
CARRIER = HERE / "carrier.c"
CPP_CARRIER = HERE / "carrier.cpp"

#: No -Wpedantic where the system's own headers are C with extensions.
WARNINGS = ("-Wall", "-Wextra", "-Wformat", "-Werror")

#: clang reads what is for MSVC, see msvc/words.h.
AS_MSVC = ("-fms-extensions", f"-I{HERE / 'msvc'}", "-include", str(HERE / "msvc" / "words.h"))

#: All C files of the tests that are for every platform.
TEST_FILES = [path for folder in ("core", "typed", "layout", "c")
              for path in sorted((TESTS / folder).glob("*.c")) if path.name != "pypy_cases.c"]


def lacking(what):
    """There is no such tool here."""
    if os.environ.get("CUSTOMSLOTS_PLATFORMS"):
        pytest.fail(what)
    pytest.skip(what)


def compiler(name):
    """The command of a compiler that is on PATH."""
    path = shutil.which(name)
    if not path:
        lacking(f"{name} is not on this machine")
    return [path]


def zig():
    """zig's clang, which has the headers of many systems with it: PyPI's ziglang."""
    spec = importlib.util.find_spec("ziglang")
    if spec is None:
        lacking("ziglang is not installed")
    return [str(Path(spec.origin).with_name("zig")), "cc"]


def headers(directory, pyconfig, of):
    """CPython's headers in *directory*, those of the include directory *of*, with another
    pyconfig.h.  A copy: gcc follows links where the path behind them is shorter, and then finds the other one."""
    shutil.copytree(of, directory)
    (directory / "pyconfig.h").write_text(pyconfig)
    assert (directory / "Python.h").exists() and (directory / "cpython").is_dir(), of
    return directory


def running():
    """The include directory of the running interpreter."""
    return next(path for path in support.toolchain().include_dirs if Path(path, "Python.h").exists())


def other_headers():
    return [path for path in os.environ.get("CUSTOMSLOTS_MORE_HEADERS", "").split(os.pathsep) if path]


def windows_pyconfig():
    path = os.environ.get("CUSTOMSLOTS_WINDOWS_PYCONFIG")
    if not path:
        lacking("CUSTOMSLOTS_WINDOWS_PYCONFIG does not say where CPython's PC/pyconfig.h is")
    return Path(path).read_text()


def compile_one(command, source, include, output, *flags):
    """Compile a file; Python's headers are the system's.  It must succeed in silence."""
    done = subprocess.run(
        [*command, *WARNINGS, *flags, "-DPROBE_NAME=probe", f"-I{cython_customslots.get_include()}",
         f"-I{PACKAGE}", "-isystem", str(include), "-c", str(source), "-o", str(output)],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", timeout=300)
    assert done.returncode == 0 and not done.stdout, f"{source} by {command}:\n{done.stdout}"
    return output


def link(command, objects, output, *flags):
    done = subprocess.run([*command, "-shared", *map(str, objects), "-o", str(output), *flags],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", timeout=300)
    assert done.returncode == 0, done.stdout
    return output
