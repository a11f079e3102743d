# SPDX-License-Identifier: MIT
"""Tools that building the examples takes, as they were installed for this interpreter.

They come with the extra `thorough`.  Where they are not, a test says so and is skipped, unless
CUSTOMSLOTS_ALL_TOOLS is set, as CI does where it has installed them: there it fails.
"""
import importlib.util
import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from examples_support import cflags

SCRIPTS = Path(sysconfig.get_path("scripts"))

#: Package on PyPI -> the module that tells whether it is installed.
MODULES = {"meson": "mesonbuild", "meson-python": "mesonpy", "ninja": "ninja", "cmake": "cmake",
           "scikit-build-core": "scikit_build_core", "ipython": "IPython", "pkgconf": "pkgconf",
           "nanobind": "nanobind", "pybind11": "pybind11", "setuptools": "setuptools", "abi3audit": "abi3audit"}


def need(*packages):
    """Skip the test, with the reason, unless all of them are installed."""
    missing = [name for name in packages if importlib.util.find_spec(MODULES[name]) is None]
    if missing:
        words = (f"not installed for this interpreter: {', '.join(missing)} "
                 "(the extra 'thorough' has them: pip install '.[thorough]')")
        if os.environ.get("CUSTOMSLOTS_ALL_TOOLS"):
            pytest.fail(words)
        pytest.skip(words)


def environment(**more):
    """Like that of an activated virtual environment, and with quick C compilers."""
    result = dict(os.environ, PYTHONIOENCODING="utf-8", PIP_DISABLE_PIP_VERSION_CHECK="1",
                  PATH=f"{SCRIPTS}{os.pathsep}{os.environ['PATH']}",
                  CFLAGS=cflags(os.environ), **more)
    result.pop("PYTHONWARNINGS", None)
    return result


def run(*command, cwd, expect=0, **more_env):
    """The output, stdout and stderr together, of a command that must end with *expect*."""
    done = subprocess.run([str(word) for word in command], cwd=cwd, env=environment(**more_env),
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8",
                          errors="backslashreplace", timeout=600)
    assert done.returncode == expect, f"{command} ended with {done.returncode}\n{done.stdout}"
    return done.stdout


def python(*arguments, **options):
    return run(sys.executable, *arguments, **options)


def install(project, target):
    """Let pip install a project into the folder *target*, with what this environment has."""
    python("-m", "pip", "install", "--no-build-isolation", "--no-deps", "--no-input", "--target", target, project,
           cwd=target.parent)


def run_checks(code, *modules, directory, cwd):
    """Run code, which can import consumers.py and what is in *directory*; the modules' names are its
    arguments, and it ends by saying how many shapes it made: three of each."""
    (cwd / "checks.py").write_text(code, encoding="utf-8")
    path = os.pathsep.join(map(str, (Path(__file__).parent, directory)))
    assert python("checks.py", *modules, cwd=cwd, PYTHONPATH=path) == f"checked {3 * len(modules)}\n"


def build_nanobind(directory):
    """What a README says of the folder nanobind/, whose modules get into *directory*."""
    need("nanobind", "cmake", "ninja")
    # nanobind's own sources are most of it; unoptimised, they take a third of the time.
    run("cmake", "-G", "Ninja", "-S", "nanobind", "-B", "build", "-DCMAKE_BUILD_TYPE=Debug",
        f"-DPython_EXECUTABLE={sys.executable}", cwd=directory)
    run("cmake", "--build", "build", cwd=directory)
    run("cmake", "--install", "build", "--prefix", ".", cwd=directory)
