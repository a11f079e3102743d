# SPDX-License-Identifier: MIT
from setuptools import setup

from cython_customslots import cythonize

# The guard is for nthreads: worker processes may import this file once more.
if __name__ == "__main__":
    setup(
        # Like Cython's, which it takes the place of; no include path is needed.
        ext_modules=cythonize(["circle.pyx", "total.pyx"], nthreads=2),
        py_modules=[],
    )
