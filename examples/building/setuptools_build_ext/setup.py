# SPDX-License-Identifier: MIT
from setuptools import Extension, setup

from cython_customslots import build_ext, get_include

setup(
    # .pyx files are sources like any other, .pxd files and the layer itself are looked
    # after, and only what has changed is compiled again.
    cmdclass={"build_ext": build_ext},
    ext_modules=[
        Extension("circle", ["circle.pyx"], depends=["area.h"]),
        Extension("total", ["total.c"], depends=["area.h"], include_dirs=[get_include()]),
    ],
    py_modules=[],
)
