# SPDX-License-Identifier: MIT
"""python -m cython_customslots, as a newcomer meets it."""
import os
import platform
import re
import shutil
import stat
import struct
import sys
import tempfile
from pathlib import Path

import pytest
from examples_support import run_python

import cython_customslots
from cython_customslots import demo as demo_module
from cython_customslots.demo import meeting, picture
from cython_customslots.demo.scenes import SCENES

pytestmark = pytest.mark.once


def state_of_build(root):
    """Everything that building writes: path -> (time of last change, size)."""
    return {path: (path.stat().st_mtime_ns, path.stat().st_size)
            for path in root.rglob("*")
            if path.is_file() and "__pycache__" not in path.parts}


def without_paths(text):
    return [line for line in text.splitlines() if os.sep not in line]


# ---------------------------------------------------------------- two libraries that meet --

@pytest.mark.thorough
def test_demo_shows_two_libraries_that_meet_in_at_most_seventy_lines(tmp_path):
    first, again = (run_python("-m", "cython_customslots", "demo", "--directory", tmp_path / "d", cwd=tmp_path)
                    for _ in range(2))
    assert (first.returncode, first.stderr) == (0, ""), first.stdout
    assert len(first.stdout.splitlines()) <= 70
    assert first.stdout.isascii() and "\033" not in first.stdout
    assert len(re.findall(r"^  \[ \d/3\] \w+ +[\d.]+ s$", first.stdout, re.M)) == 3
    for part in meeting.PARTS:
        for statement, _ in part.statements:
            assert f">>>   {statement}\n" in first.stdout
    assert len(re.findall(r"^ +\d+\.\d\d  .* : a ", first.stdout, re.M)) == len(meeting.PARTS) == 5
    assert again.returncode == 0 and "3 of them were up to date." in again.stdout


def test_each_part_of_the_demo_shows_lines_of_its_sources_without_their_marks():
    libraries = Path(demo_module.__file__).parent / "libraries"
    for part in meeting.PARTS:
        for source in part.sources:
            lines = meeting.lines_of(libraries / source, part.marker)
            assert lines and "[" + part.marker not in "".join(lines), (part, source)


def test_a_part_that_does_something_else_than_it_says_is_a_complaint(capsys, monkeypatch):
    part = meeting.Part("Sums", "", (), (("1 + 1", "2"), ("1 + 2", "4"), ("1 / 0", "")))
    assert meeting.show(1, part, {}) == [
        "1 + 2: found '3', expected '4'", "1 / 0: found 'ZeroDivisionError: division by zero', expected ''"]
    assert "\033" not in capsys.readouterr().out
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert picture.coloured("x", picture.BOLD) == "\033[1mx\033[0m"
    monkeypatch.setenv("NO_COLOR", "1")
    assert picture.coloured("x", picture.BOLD) == "x"


# ---------------------------------------------------------------------------- all examples --

def test_demo_succeeds_and_says_nothing_on_stderr(demo):
    _, done = demo
    assert (done.returncode, done.stderr) == (0, ""), done.stdout


def test_demo_shows_every_example_in_order(demo):
    _, done = demo
    places = [done.stdout.index(f"{number}. {scene.title}")
              for number, scene in enumerate(SCENES, 1)]
    assert places == sorted(places)
    assert [scene.name for scene in SCENES[:8]] == ["greetings/" + name for name in (
        "simple_cdef_class", "static_attribute", "dictionary_map", "simple_metaclass",
        "metaclass_crash", "mro_metaclass", "meta_metaclass", "customslots")]


def test_demo_shows_progress_for_each_module(demo):
    _, done = demo
    assert len(re.findall(r"^  \[[ \d]\d/13\] \S+ +[\d.]+ s$", done.stdout, re.M)) == 13


def test_demo_fits_a_terminal_and_is_ascii(demo):
    _, done = demo
    assert done.stdout.isascii()
    assert max(map(len, without_paths(done.stdout))) <= 90


def test_demo_shows_the_crash_and_the_null_behind_it(demo):
    _, done = demo
    assert "The child process died: SIGSEGV (Segmentation fault)" in done.stdout
    assert re.search(r"^ +FriendlyHello +greetings.GreetType +FriendlyHello \+ \d+ +NULL$",
                     done.stdout, re.M)
    assert re.search(r"^metaclass_crash .* crashes: SIGSEGV$", done.stdout, re.M)
    assert re.search(r"^customslots .* yes +Hello you!$", done.stdout, re.M)


def test_demo_calls_the_c_functions_behind_python_callables(demo):
    _, done = demo
    through = dict(re.findall(r"^  \| (\w+).*  +[\d.]+ +\d+ calls of (\w+)$", done.stdout, re.M))
    assert through.pop("lambda") == "Python"
    assert {"bell", "careful", "Damped", "Polynomial"} <= set(through)
    assert set(through.values()) == {"C"}


def test_demo_draws_the_offsets_of_this_very_interpreter(demo):
    """The field of ours lies behind PyHeapTypeObject and five words."""
    _, done = demo
    offset = type.__basicsize__
    word = struct.calcsize("P")
    picture = done.stdout[done.stdout.index("type object of FriendlyHello"):]
    assert picture.startswith(
        f"type object of FriendlyHello (made at run time), {offset + 6 * word} bytes\n")
    assert re.search(rf"^ +{offset} \| etp_custom_slot_count  0 ", picture, re.M)
    assert re.search(rf'^ +{offset + 5 * word} \| sentence  -+>\|  "Hello"$', picture, re.M)


def test_demo_names_the_slots(demo):
    _, done = demo
    assert re.search(r"etp_custom_slots  -+>\|  \[0\] 'functions.double'$", done.stdout, re.M)
    for name in "Polynomial", "SineWave", "Line":
        assert re.search(rf"^ +{name} +0 +0x[0-9a-f]+ = 'functions.double' +0x[0-9a-f]+$", done.stdout,
                         re.M), done.stdout
    assert re.search(r"^ +int +- +no slots$", done.stdout, re.M)


# ------------------------------------------------------------------------------- re-runs --

def test_second_run_compiles_nothing(demo):
    root, first = demo
    before = state_of_build(root)
    done = run_python("-m", "cython_customslots", "demo", "--all", "--directory", root,
                      cwd=root.parent)
    assert (done.returncode, done.stderr) == (0, "")
    assert "13 of them were up to date." in done.stdout
    assert state_of_build(root) == before
    def shown(text):  # addresses (not the ID of the examples) and pairs of microseconds differ from run to run
        return re.sub(r"0x(?!010d0d01)[0-9a-f]{8,}|( +\d+\.\d){2}$", "",
                      text[text.index("\n1. "):text.rindex("\n\n")], flags=re.M)
    assert shown(done.stdout) == shown(first.stdout)


@pytest.mark.thorough
def test_only_what_has_changed_is_compiled_again(demo, tmp_path):
    root, _ = demo
    copy = tmp_path / "moved"  # moved trees stay valid: no path is part of the hash
    shutil.copytree(root, copy)
    pattern = copy / "greetings" / "simple_cdef_class"
    next((pattern / ".build").rglob("fingerprint*")).write_text("of something else")
    done = run_python("-m", "cython_customslots", "demo", "--directory", copy,
                      "simple_cdef_class", "static_attribute", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert re.search(r"^  \[.*greetings/simple_cdef_class", done.stdout, re.M)
    assert "1 of them was up to date." in done.stdout
    assert "2. Class data" in done.stdout and "3. " not in done.stdout


def test_examples_of_a_newer_package_replace_those_of_the_last_run(demo, tmp_path):
    root, _ = demo
    copy = tmp_path / "old"
    shutil.copytree(root, copy)
    example = copy / "greetings" / "simple_cdef_class" / "example.py"
    example.write_text("print('from the last release')\n")
    done = run_python("-m", "cython_customslots", "demo", "--directory", copy,
                      "simple_cdef_class", cwd=tmp_path)
    assert "  | Hello you!" in done.stdout and "last release" not in done.stdout


# --------------------------------------------------------------------- what can be missing --

def test_demo_without_a_compiler_says_so(tmp_path):
    env = {key: value for key, value in os.environ.items() if key not in ("CC", "CXX")}
    done = run_python("-m", "cython_customslots", "demo", "--directory", tmp_path / "d",
                      cwd=tmp_path, env=env, PATH="")
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
    done = run_python("-m", "cython_customslots", "demo", "--directory", blocker / "d",
                      cwd=tmp_path)
    assert done.returncode == 1
    assert "Cannot write to" in done.stderr and "--directory" in done.stderr


@pytest.mark.skipif(os.name != "posix", reason="owners and modes are POSIX")
def test_demo_does_not_run_what_others_could_have_put_there(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    first = demo_module._default_directory()
    top = first.parent
    assert top.parent == tmp_path and stat.S_IMODE(top.stat().st_mode) == 0o700
    assert demo_module._default_directory() == first
    top.chmod(0o777)
    other = demo_module._default_directory()
    assert top not in (other, *other.parents)
    top.rmdir()
    top.symlink_to(tmp_path)
    other = demo_module._default_directory()
    assert top not in (other, *other.parents)


# --------------------------------------------------------------------------- the commands --

def command(*arguments, cwd):
    done = run_python("-m", "cython_customslots", *arguments, cwd=cwd)
    return done.returncode, done.stdout, done.stderr


def test_version_and_include_and_help_answer(tmp_path):
    assert command("--version", cwd=tmp_path) == (
        0, f"cython-customslots {cython_customslots.__version__}\n", "")
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


def test_unknown_example_is_refused_with_the_list(tmp_path):
    code, out, err = command("demo", "greetings/nosuch", cwd=tmp_path)
    assert (code, out) == (2, "")
    assert "no example 'greetings/nosuch'" in err and "  duck_typing" in err


@pytest.mark.thorough
def test_cython_command_is_the_layer_and_gives_its_exit_code(tmp_path):
    (tmp_path / "good.pyx").write_text(
        "cimport cython_customslots as cs\n@cs.extensible\ncdef class A: pass\n")
    (tmp_path / "bad.pyx").write_text("cdef class A(:\n")
    code, _, err = command("cython", "-3", "good.pyx", cwd=tmp_path)
    assert code == 0, err
    assert "PyCustomSlots" in (tmp_path / "good.c").read_text()
    code, _, err = command("cython", "-3", "bad.pyx", cwd=tmp_path)
    assert code == 1 and "bad.pyx:1:" in err


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
