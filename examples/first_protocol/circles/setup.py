from cython_customslots import cythonize
from setuptools import setup

setup(ext_modules=cythonize("circles.pyx"), py_modules=[])
