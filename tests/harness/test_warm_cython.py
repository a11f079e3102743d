# SPDX-License-Identifier: MIT
"""The processes that the tests themselves rely on: warm_cython.py and generated_c.py."""
import subprocess
import sys

import generated_c
import pytest
import support
import warm_cython
from cython_customslots import building

PROGRAMS = {
    "output": "import sys; print('out', sys.argv); print('err', file=sys.stderr)",
    "text without a final newline": "import sys; sys.stdout.write('x'); sys.stderr.write('y')",
    "input": "import sys; print(sys.stdin.read()[::-1])",
    "where it runs": "import os, sys; print(os.getcwd(), sys.path[0] == '', __name__)",
    "an exit status": "import sys; sys.exit(3)",
    "words at the exit": "import sys; sys.exit('no')",
    "an ordinary end": "import sys; sys.exit()",
    "a signal": "import os, signal; os.kill(os.getpid(), signal.SIGTERM)",
    "a module of Cython's that is there": "import Cython; print(Cython.__version__)",
}


@pytest.mark.parametrize("what", PROGRAMS)
def test_a_fork_does_what_a_new_process_does(what, tmp_path):
    text = "some text \N{EURO SIGN}"
    new = subprocess.run([sys.executable, "-X", "utf8", "-c", PROGRAMS[what], "one", "two words"],
                         cwd=tmp_path, input=text, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, encoding="utf-8")
    fork = warm_cython.run(PROGRAMS[what], "one", "two words", cwd=tmp_path, stdin=text)
    assert ((fork.returncode, fork.stdout, fork.stderr)
            == (new.returncode, new.stdout, new.stderr))


def test_an_exception_is_told_and_is_status_1(tmp_path):
    done = warm_cython.run("raise KeyError('mine')", cwd=tmp_path)
    assert done.returncode == 1 and done.stderr.endswith("KeyError: 'mine'\n")


def test_nothing_is_left_behind_for_the_next(tmp_path):
    change = "import os, Cython; Cython.__version__ = '1'; os.environ['MINE'] = 'x'"
    assert warm_cython.run(change, cwd=tmp_path).returncode == 0
    look = "import os, Cython; print(Cython.__version__ != '1', 'MINE' in os.environ)"
    assert warm_cython.run(look, cwd=tmp_path).stdout == "True False\n"


def test_c_is_kept_under_all_that_it_depends_on(tmp_path):
    source = tmp_path / "tiny.pyx"
    (tmp_path / "tiny.pxi").write_text("x = 1\n")
    source.write_text('include "tiny.pxi"\n')
    kept = tmp_path / "kept"

    def generated(**options):
        output = tmp_path / "tiny.c"
        module = support.cython_module(source, **options)
        generated_c.cythonize(kept, module, source, output)
        return output.read_text(encoding="utf-8"), len(list(kept.glob("*.c")))

    first, number = generated()
    assert number == 1 and generated() == (first, 1)
    assert generated(cflags=["-O2"]) == (first, 1)            # Cython does not see those
    assert generated(layer=False)[1] == 2
    assert generated(cython_args=["--extend-all"])[1] == 3
    assert generated(name="package.tiny")[1] == 4
    (tmp_path / "tiny.pxi").write_text("x = 2\n")
    assert generated()[1] == 5


def test_what_does_not_compile_is_told_as_users_see_it_and_not_kept(tmp_path):
    source = tmp_path / "wrong.pyx"
    source.write_text("cdef int f(:\n")
    with pytest.raises(building.BuildError, match=r"wrong\.pyx:1:11: .*(?s:.)*The command was: "):
        generated_c.cythonize(tmp_path / "kept", support.cython_module(source), source,
                              tmp_path / "wrong.c")
    assert list((tmp_path / "kept").glob("*.c")) == []
