# SPDX-License-Identifier: MIT
from setuptools import Extension, setup

import cython_customslots
from cython_customslots import cythonize

setup(ext_modules=[Extension(name, [f"{name}.c"], include_dirs=[cython_customslots.get_include()])
                   for name in ("mytypedmod", "counting")] + cythonize("inc_cython.pyx"),
      py_modules=[])
