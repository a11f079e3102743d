# SPDX-License-Identifier: MIT
"""What the tests of cython_customslots.typed share: the C module interop, and libraries that
may not be installed.
"""
import functools
import os
from pathlib import Path

import support


@functools.lru_cache(maxsize=None)
def interop():
    path = support.build_c("interop", Path(__file__).with_name("interop.c"),
                           cflags=("-std=c99", *support.STRICT_FLAGS, "-Wno-unused-function"),
                           ldflags=() if os.name == "nt" else ("-lm",))
    return support.load(path)
