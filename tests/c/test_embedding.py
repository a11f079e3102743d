# SPDX-License-Identifier: MIT
"""A program that embeds CPython, and finalizes it several times."""
import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import cython_customslots
import pytest
import support

LIBRARY = Path(sysconfig.get_config_var("LIBDIR") or "", f"libpython{sysconfig.get_config_var('LDVERSION')}.so")
PROGRAM = r"""
#include <Python.h>

int main(int argc, char **argv)
{
    int i, failed = argc != 2;
    for (i = 0; i < 3 && !failed; i++) {
        Py_Initialize();
        failed = PyRun_SimpleString(argv[1]);
        if (Py_FinalizeEx() < 0) failed = 1;
    }
    return failed;
}
"""
WORK = """
import sys
sys.path.insert(0, PATH)
import cython_customslots
class Point(metaclass=cython_customslots.Slotted):
    __customslots__ = {"embedding.x": 1}
class Below(Point): __customslots__ = {"embedding.y": 2}
assert [slot.name for slot in cython_customslots.slots(Below)] == ["embedding.x", "embedding.y"]
kept = [Below()]
"""


@pytest.mark.compilers
@support.only_on_cpython("PyPy is embedded in another way")
@pytest.mark.skipif(not LIBRARY.is_file(), reason="this CPython is no shared library, or came without it")
def test_an_interpreter_after_another_finds_slots(tmp_path):
    (tmp_path / "embedding.c").write_text(PROGRAM)
    command = [*support.toolchain().cc, f"-I{sysconfig.get_path('include')}", "embedding.c", "-o", "embedding", LIBRARY,
               f"-Wl,-rpath,{LIBRARY.parent}"]
    if subprocess.run(command, cwd=tmp_path).returncode:        # there is nothing of ours in it
        pytest.skip("no program can be linked with this CPython's library here")
    installed = Path(cython_customslots.__file__).parents[1]
    subprocess.run([tmp_path / "embedding", WORK.replace("PATH", repr(str(installed)))], check=True, timeout=300,
                   env={**os.environ, "PYTHONHOME": sys.base_prefix})
