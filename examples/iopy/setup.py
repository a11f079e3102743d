# SPDX-License-Identifier: MIT
from setuptools import Extension, setup

from cython_customslots import cythonize

setup(ext_modules=cythonize([Extension("iopy", ["iopy.pyx", "messages.c"], depends=["messages.h"])]),
      py_modules=[])
