# SPDX-License-Identifier: MIT
"""python -m cython_customslots, as a newcomer meets it."""
import os
import platform
import re
import sys
from pathlib import Path

import pytest
from examples_support import run_python

import cython_customslots
from cython_customslots import demo as demo_module
from cython_customslots.demo import meeting
from cython_customslots.demo.claims import CLAIMS

pytestmark = pytest.mark.once


# ---------------------------------------------------------------- two libraries that meet --

@pytest.mark.thorough
def test_demo_shows_two_libraries_that_meet_in_at_most_seventy_lines(tmp_path):
    first, again = (run_python("-m", "cython_customslots", "demo", "--directory", tmp_path / "d", cwd=tmp_path)
                    for _ in range(2))
    assert (first.returncode, first.stderr) == (0, ""), first.stdout
    assert len(first.stdout.splitlines()) <= 70
    assert first.stdout.isascii() and "\033" not in first.stdout
    assert len(re.findall(r"^  \w+ +[\d.]+ s$", first.stdout, re.M)) == 3
    for part in meeting.PARTS:
        for statement, _ in part.statements:
            assert f">>>   {statement}\n" in first.stdout
    for claim in CLAIMS.values():
        assert re.search(rf"^ +\d+\.\d\d  {re.escape(f'{claim.costs:<6}  {claim.what}')} +: {claim.against}$",
                         first.stdout, re.M), claim
    assert again.returncode == 0 and again.stdout.count(" was up to date\n") == 3


def test_each_part_of_the_demo_shows_lines_of_its_sources_without_their_marks():
    libraries = Path(demo_module.__file__).parent / "libraries"
    for part in meeting.PARTS:
        for source in part.sources:
            lines = meeting.lines_of(libraries / source, part.marker)
            assert lines and "[" + part.marker not in "".join(lines), (part, source)


def test_a_value_that_is_not_the_one_of_readme_has_a_reason_below_it():
    assert "\n" not in meeting.compared("capsule", 3.1)
    assert re.fullmatch(r" +5\.10  4 +asking .*\n +differs, as each version .*", meeting.compared("capsule", 5.1))


def test_a_part_that_does_something_else_than_it_says_is_a_complaint():
    part = meeting.Part("Sums", "", (), (("1 + 1", "2"), ("1 + 2", "4"), ("1 / 0", "")))
    assert meeting.show(1, part, {}) == [
        "1 + 2: found '3', expected '4'", "1 / 0: found 'ZeroDivisionError: division by zero', expected ''"]


# --------------------------------------------------------------------- what can be missing --

def test_demo_without_a_compiler_says_so(tmp_path):
    env = {key: value for key, value in os.environ.items() if key not in ("CC", "CXX")}
    done = run_python("-m", "cython_customslots", "demo", "--directory", tmp_path / "d", cwd=tmp_path, env=env, PATH="")
    assert done.returncode == 1
    assert "The C compiler is missing: none of " in done.stderr
    assert "on the PATH" in done.stderr
    assert "apt install gcc" in done.stderr or sys.platform != "linux"
    assert "Traceback" not in done.stderr


def test_demo_with_a_wrong_cc_names_it(tmp_path):
    done = run_python("-m", "cython_customslots", "demo", "--directory", tmp_path / "d",
                      cwd=tmp_path, CC="no-such-compiler -x")
    assert done.returncode == 1
    assert "CC says 'no-such-compiler'" in done.stderr
    assert "Traceback" not in done.stderr


def test_demo_without_headers_says_so(tmp_path):
    empty = tmp_path / "nothing"
    empty.mkdir()
    code = (
        "import runpy, sys, sysconfig\n"
        "real = sysconfig.get_path\n"
        f"sysconfig.get_path = lambda key, *a, **k: {str(empty)!r} if 'include' in key "
        "else real(key, *a, **k)\n"
        f"sys.argv[1:] = ['demo', '--directory', {str(tmp_path / 'd')!r}]\n"
        "runpy.run_module('cython_customslots', run_name='__main__', alter_sys=True)\n")
    done = run_python("-c", code, cwd=tmp_path)
    assert done.returncode == 1
    assert f"Python's C headers are missing: there is no Python.h in {empty}" in done.stderr
    assert f"Python {platform.python_version()} (" in done.stderr
    assert "Traceback" not in done.stderr


def test_demo_in_a_place_that_cannot_be_written_says_so(tmp_path):
    blocker = tmp_path / "file"
    blocker.write_text("")
    done = run_python("-m", "cython_customslots", "demo", "--directory", blocker / "d", cwd=tmp_path)
    assert done.returncode == 1
    assert "Cannot write to" in done.stderr and "--directory" in done.stderr


# --------------------------------------------------------------------------- the commands --

def command(*arguments, cwd):
    done = run_python("-m", "cython_customslots", *arguments, cwd=cwd)
    return done.returncode, done.stdout, done.stderr


def test_version_and_include_and_help_answer(tmp_path):
    assert command("--version", cwd=tmp_path) == (0, f"cython-customslots {cython_customslots.__version__}\n", "")
    code, out, _ = command("--include", cwd=tmp_path)
    assert code == 0 and (Path(out.strip()) / "customslots.h").is_file()
    code, out, _ = command("--help", cwd=tmp_path)
    assert code == 0 and "demo" in out
    code, out, _ = command("demo", "--help", cwd=tmp_path)
    assert code == 0 and "--directory" in out


def test_unknown_command_is_refused_with_the_list(tmp_path):
    code, out, err = command("dmeo", cwd=tmp_path)
    assert (code, out) == (2, "") and "  demo " in err
    assert err.endswith("\ncython_customslots: unknown command 'dmeo'\n")
    code, out, err = command(cwd=tmp_path)
    assert (code, out) == (2, "") and err.endswith("\ncython_customslots: a command is missing\n")


@pytest.mark.thorough
def test_demo_works_in_a_checkout(tmp_path):
    """The source tree in the current directory must not stand before the installed
    package: `pip install '.[cython]' && python -m cython_customslots demo`."""
    checkout = Path(__file__).resolve().parents[2]
    assert (checkout / "cython_customslots" / "__init__.py").is_file()
    here = run_python("-m", "cython_customslots", "--include", cwd=checkout)
    elsewhere = run_python("-m", "cython_customslots", "--include", cwd=tmp_path)
    assert (here.returncode, here.stderr) == (0, "")
    assert here.stdout == elsewhere.stdout
