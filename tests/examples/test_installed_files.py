# SPDX-License-Identifier: MIT
"""The wheel is whole: folders and files are listed in meson.build; and its modules show nothing to each other."""
import re
import shutil
import subprocess
from pathlib import Path

import cython_customslots
import pytest
import support

pytestmark = pytest.mark.once


def test_every_file_of_the_package_that_is_read_by_somebody_is_installed():
    source, installed = support.ROOT / "cython_customslots", Path(cython_customslots.__file__).parent
    names = {path.relative_to(source) for path in source.rglob("*")
             if path.suffix in {".cmake", ".h", ".hpp", ".pxd", ".py", ".pyi", ".typed"}}
    compiled = {name for name in names if name.parts[0] == "runtime" or name == Path("python/provider.py")
                or name.parts[0] == "typed" and name.suffix == ".h"}        # into modules, or for PyPy
    assert len(names - compiled) > 100 and compiled
    assert {name for name in names - compiled if not (installed / name).exists()} == set()


@pytest.mark.skipif(not shutil.which("nm"), reason="nm is not on this machine")
def test_the_modules_of_the_package_show_nothing_of_it_to_the_linker():
    package = Path(cython_customslots.__file__).parent
    modules = [*package.rglob("*.so"), *package.parent.glob("_customslots_runtime*.so")]
    assert len(modules) >= 4 or support.PYPY
    for path in modules:
        shown = subprocess.run(["nm", "-D", path], stdout=subprocess.PIPE, text=True, check=True).stdout
        assert not re.search("_Pycs_|PyExtensibleType|PyCustomSlots|PyTypedMethod|CustomSlots", shown), path
