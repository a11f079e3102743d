# SPDX-License-Identifier: MIT
"""The C of the tests' Cython modules, generated once for all interpreters and flags.

Cython's output does not depend on the interpreter that runs it (test_same_c.py
compares), so it is kept under a hash of all that it does depend on.  Environment:

CUSTOMSLOTS_TEST_GENERATED   the directory, for several sessions that share one; otherwise it
                             is beside the test modules
CUSTOMSLOTS_TEST_CYTHON      the interpreter that generates what is not there, when Cython
                             and this package are installed for it in the same versions; for
                             interpreters that are slow at it
"""
import functools
import os
import shutil
import sys
import tempfile
from pathlib import Path

import filelock
import warm_cython
from cython_customslots.tools import building

FINGERPRINT = "from cython_customslots.tools.building import fingerprint_of_tools as f; print(f())"


def cythonize(directory, module, source, output):
    """What building.run_cython() does; from *directory* if the same C is there."""
    kept = Path(directory) / f"{building.fingerprint_of_sources(module)[:24]}-{output.name}"
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        with filelock.FileLock(f"{kept}.lock"):
            if not kept.exists():
                generate(module, source, output)
                with tempfile.NamedTemporaryFile(dir=kept.parent, delete=False) as copy:
                    copy.write(output.read_bytes())
                os.replace(copy.name, kept)
    shutil.copyfile(kept, output)


def generate(module, source, output, python=None, **options):
    """The same, anew, by an interpreter; the options are those of warm_cython.run()."""
    command = building.cython_command(module, source, output)
    # From there the names of included files, which Cython writes into the C, are the same.
    done = warm_cython.run_module(*command, cwd=source.parent, python=python or generator(), **options)
    if done.returncode != 0:
        building.run_cython(module, source, output)        # says it as users see it
    print(done.stderr, end="", file=sys.stderr)


@functools.lru_cache(maxsize=None)
def generator():
    python = os.environ.get("CUSTOMSLOTS_TEST_CYTHON")
    if not python:
        return sys.executable
    theirs = warm_cython.run(FINGERPRINT, cwd=tempfile.gettempdir(), python=python).stdout.strip()
    return python if theirs == building.fingerprint_of_tools() else sys.executable
