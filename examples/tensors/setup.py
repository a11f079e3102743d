# SPDX-License-Identifier: MIT
from setuptools import Extension, setup

from cython_customslots import cythonize

setup(ext_modules=cythonize([Extension("signals", ["signals.pyx"])]), py_modules=[])
