# SPDX-License-Identifier: MIT
from setuptools import Extension, setup

from cython_customslots import cythonize

setup(ext_modules=cythonize([Extension(name, [f"{name}.pyx"]) for name in (
    "old_host", "new_host", "old_plugin", "new_plugin")]), py_modules=[])
