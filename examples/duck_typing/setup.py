# SPDX-License-Identifier: MIT
import os

from setuptools import Extension, setup

import cython_customslots
from cython_customslots import cythonize

# What Cython writes carries our headers in itself; C written by hand includes them.
by_hand = [Extension("sine_wave", ["sine_wave.c"], depends=["double_function.h"],
                     include_dirs=[".", cython_customslots.get_include()],
                     libraries=[] if os.name == "nt" else ["m"])]
by_cython = cythonize([
    Extension(name, [f"{name}.pyx"], depends=["double_function.h"], include_dirs=["."])
    for name in ("polynomial", "summing")
])

setup(ext_modules=by_cython + by_hand, py_modules=[])
