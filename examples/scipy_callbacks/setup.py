# SPDX-License-Identifier: MIT
import os

import numpy
import sources
from setuptools import Extension, setup

import cython_customslots
from cython_customslots import cythonize

SCIPY = sources.prepare("build/scipy", os.environ.get("SCIPY_SDIST_CACHE", "build/sdist"))
INCLUDES = [cython_customslots.get_include(), numpy.get_include(), f"{SCIPY}/scipy/_build_utils/src"]
FLAGS = [] if os.name == "nt" else ["-O3", "-Wno-unused-function"]


def extension(name, *files):
    return Extension(f"scipy_callbacks.{name}", [f"{SCIPY}/scipy/{file}" for file in files],
                     include_dirs=INCLUDES, extra_compile_args=FLAGS)


setup(
    packages=["scipy_callbacks"],
    ext_modules=[
        extension("_quadpack", "integrate/__quadpack.c"),
        extension("_nd_image", *(f"ndimage/src/{name}.c" for name in (
            "nd_image", "ni_filters", "ni_fourier", "ni_interpolation", "ni_measure", "ni_morphology",
            "ni_splines", "ni_support"))),
        extension("_test_ccallback", "_lib/src/_test_ccallback.c"),
        *cythonize("functions.pyx"),
    ],
)
