# SPDX-License-Identifier: MIT
from setuptools import Extension, setup

from cython_customslots import cythonize

PATTERNS = [
    "simple_cdef_class",
    "static_attribute",
    "dictionary_map",
    "simple_metaclass",
    "metaclass_crash",
    "mro_metaclass",
    "meta_metaclass",
    "customslots",
]

extensions = []
for pattern in PATTERNS:
    # Each pattern is a module called `greetings`, so each is compiled under that
    # name; only afterwards is it given the place where it is to be installed.
    [extension] = cythonize(
        [Extension(
            "greetings",
            sources=[f"{pattern}/greetings.pyx", "common/greetings.c"],
            include_dirs=["common"],
            depends=["common/greetings.h"],
        )],
    )
    extension.name = f"greetings_examples.{pattern}.greetings"
    extensions.append(extension)

setup(
    packages=[f"greetings_examples.{pattern}" for pattern in PATTERNS],
    package_dir={"greetings_examples": "."},
    ext_modules=extensions,
)
