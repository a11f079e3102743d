# SPDX-License-Identifier: MIT
"""A wheel for CPython 3.11 and later; with STABLE_ABI=abi3t, for 3.15 and later with and without a GIL."""
import os
import re

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_ext import build_ext

from cython_customslots import get_include


class NameOfABI(build_ext):
    """That of abi3t is setuptools' own in builds without a GIL only; and that of abi3 has the platform in it where 3.15
    builds, and then CPython before 3.14 does not look for it."""

    def get_ext_filename(self, name):
        return re.sub(r"\.abi3[\w-]*", abi, super().get_ext_filename(name))


class TagOfABI3T(bdist_wheel):
    def get_tag(self):
        python, _, platform = super().get_tag()
        return python, "abi3.abi3t", platform


if os.environ.get("STABLE_ABI") == "abi3t":         # for which Cython 3.3 cannot make modules
    abi, tag, macro, cython = ".abi3t", "cp315", ("Py_TARGET_ABI3T", "0x030F0000"), []
    commands = {"build_ext": NameOfABI, "bdist_wheel": TagOfABI3T}
else:
    abi, tag, macro, commands = ".abi3", "cp311", ("Py_LIMITED_API", "0x030B0000"), {"build_ext": NameOfABI}
    cython = cythonize(Extension("sums_cython", ["sums_cython.pyx"], define_macros=[macro], py_limited_api=True))

setup(ext_modules=[Extension("sums_c", ["sums_c.c"], include_dirs=[get_include()], define_macros=[macro],
                             py_limited_api=True), *cython],
      options={"bdist_wheel": {"py_limited_api": tag}}, cmdclass=commands, py_modules=[])
