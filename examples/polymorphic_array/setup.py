# SPDX-License-Identifier: MIT
from setuptools import Extension, setup

import cython_customslots
from cython_customslots import cythonize

modules = cythonize([
    Extension(name, [f"{name}.pyx"], depends=["array_protocol.h"], include_dirs=["."])
    for name in ("arrays", "summing")
])
try:
    import numpy
except ImportError:
    pass                # then there are no arrays of NumPy to be served
else:
    modules.append(Extension(
        "numpy_arrays", ["numpy_arrays.c"], depends=["array_protocol.h"],
        include_dirs=[".", cython_customslots.get_include(), numpy.get_include()]))

setup(ext_modules=modules, py_modules=[])
