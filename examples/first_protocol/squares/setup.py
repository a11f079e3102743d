import cython_customslots
from setuptools import Extension, setup

setup(ext_modules=[Extension("squares", ["squares.c"], include_dirs=[cython_customslots.get_include()])],
      py_modules=[])
