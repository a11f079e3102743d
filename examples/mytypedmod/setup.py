# SPDX-License-Identifier: MIT
from setuptools import Extension, setup

import cython_customslots

setup(ext_modules=[Extension(name, [f"{name}.c"], include_dirs=[cython_customslots.get_include()])
                   for name in ("mytypedmod", "counting")],
      py_modules=[])
