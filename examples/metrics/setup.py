# SPDX-License-Identifier: MIT
from setuptools import Extension, setup

from cython_customslots import cythonize

setup(packages=["measures", "neighbours"],
      ext_modules=cythonize([Extension("measures.measures", ["measures/measures.pyx"]),
                             Extension("neighbours.tree", ["neighbours/tree.pyx"])]))
