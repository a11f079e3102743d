import cython_customslots
from pybind11.setup_helpers import Pybind11Extension
from setuptools import setup

setup(ext_modules=[Pybind11Extension("blobs", ["blobs.cpp"], include_dirs=[cython_customslots.get_include()])],
      py_modules=[])
