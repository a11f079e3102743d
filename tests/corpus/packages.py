# SPDX-License-Identifier: MIT
"""The packages that are built from their sdists through the compiler layer."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Package:
    name: str
    version: str
    requires: tuple      #: what building and testing it needs, besides Cython
    modules: tuple       #: compiled modules, whose classes are counted
    tests: tuple         #: arguments of pytest, in the unpacked sdist
    selections: tuple    #: which selections it belongs to
    build: tuple = ("setup.py", "build_ext", "--inplace")


PACKAGES = (
    Package(
        "cytoolz", "1.2.0",
        requires=("toolz", "pytest", "setuptools>=77", "setuptools-git-versioning>=2.0"),
        modules=("cytoolz.dicttoolz", "cytoolz.functoolz", "cytoolz.itertoolz",
                 "cytoolz.recipes", "cytoolz.utils"),
        tests=("cytoolz/tests",),
        selections=("ci", "all"),
    ),
)
