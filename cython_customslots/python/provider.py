# SPDX-License-Identifier: MIT
"""What stands for the compiled module where there are no extensible types: one ImportError for all
that needs them. Installed on PyPy (meson.build)."""
import sys

raise ImportError(
    f"cython_customslots: extensible types need CPython, found {sys.implementation.name}, whose type "
    "objects have no room for slots and fields. What works here: typed callables "
    "(cython_customslots.typed, typedmethod.h), interfaces between compiled modules (Python does not see "
    "them), and slots that are registered (PyCustomSlots_Register() of customslots.h)", name=__name__)
