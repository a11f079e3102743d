# SPDX-License-Identifier: MIT
from setuptools import Extension, setup

from cython_customslots import cythonize

setup(ext_modules=cythonize([Extension("shapes_cython", ["shapes_cython.pyx"])]), py_modules=[])
