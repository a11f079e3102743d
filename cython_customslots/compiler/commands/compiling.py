# SPDX-License-Identifier: MIT
"""How the command ``cythonize`` compiles C: as Cython's does, with our build_ext."""
import functools

from Cython.Build.Cythonize import run_distutils as _plain_run_distutils

from ..shared.replacing import replaced


def run_distutils(directory, arguments):
    """What Cython's ``cythonize`` calls for extensions, maybe in several processes; *directory* has the runtime's
    object."""
    from .build_ext import build_ext

    class Command(build_ext):
        pyproject, _runtime_directory = None, directory

    from distutils import core                   # setuptools' core, which is imported by now
    with replaced(core, setup=functools.partial(core.setup, cmdclass={"build_ext": Command})):
        _plain_run_distutils(arguments)
