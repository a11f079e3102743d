# SPDX-License-Identifier: MIT
"""The modules under modules/ and language/, and how they are built."""
from pathlib import Path

import support

MODULES = Path(__file__).parent / "modules"
LANGUAGE = MODULES.with_name("language")


def build(name, *cython_args, layer=True):
    return support.build_cython(MODULES / name, layer, include_dirs=[MODULES],
                                cython_args=cython_args)
