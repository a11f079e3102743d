import cython_customslots
from setuptools import Extension, setup

setup(ext_modules=[Extension("totals_c", ["totals_c.c"], include_dirs=[cython_customslots.get_include()])],
      py_modules=[])
