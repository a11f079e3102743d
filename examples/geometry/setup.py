# SPDX-License-Identifier: MIT
from Cython.Build import cythonize as cythonize_plain
from setuptools import Extension, setup

from cython_customslots import cythonize, get_include

include = [".", get_include()]
in_c = Extension("shapes_c", ["shapes_c.c"], include_dirs=include)
plain = [Extension("shapes_plain", ["shapes_plain.pyx"], include_dirs=include)]
with_layer = [Extension("geometry", ["geometry.pyx"]),
              Extension("shapes_cython", ["shapes_cython.pyx"])]

setup(py_modules=[], ext_modules=[in_c, *cythonize_plain(plain), *cythonize(with_layer)])
