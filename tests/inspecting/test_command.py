# SPDX-License-Identifier: MIT
"""python -m cython_customslots inspect: every kind of target, and what is none."""
import json
import os
import shlex
import subprocess
import sys
import xml.etree.ElementTree
from pathlib import Path

import pytest
import support
from support import only_on_cpython

pytestmark = only_on_cpython("types of PyPy carry nothing")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Modules, packages and things that raise, for children that run here."""
    folder = tmp_path_factory.mktemp("targets")
    (folder / "plain.py").write_text("class Plain:\n    class Inner: pass\nthing = Plain()\n")
    (folder / "raising.py").write_text("1 / 0\n")
    (folder / "leaving.py").write_text("import sys\nsys.exit(3)\n")
    (folder / "broken.py").write_text("def (\n")
    (folder / "lazy.py").write_text("def __getattr__(name):\n    raise SystemExit(name)\nclass There: pass\n")
    package = folder / "package"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "sub.py").write_text("class Sub: pass\n")
    (folder / "carrying.py").write_text(
        f"import sys\nsys.path.insert(0, {str(support.probe_path().parent)!r})\nimport probe\n"
        "E = probe.import_metaclass()\n"
        "class Base(metaclass=probe.rich_metaclasses()[0], level=3): pass\n"
        "probe.set_slots(Base, [(probe.intern(b'carrying.protocol'), 7)])\n"
        "class Sub(Base): pass\n")
    (folder / "text.txt").write_text("no module")
    return folder


def run(folder, *arguments, path=""):
    return subprocess.run([sys.executable, "-W", "error", "-m", "cython_customslots", "inspect", *arguments],
                          cwd=folder, env=os.environ | {"PYTHONPATH": str(path)}, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, encoding="utf-8", timeout=300)


def test_a_module_with_everything(folder, probe):
    done = run(folder, "carrying")
    assert done.returncode == 0 and not done.stderr, done
    assert "carrying.Sub: extensible" in done.stdout and "'carrying.protocol'" in done.stdout
    assert "from carrying.Base" in done.stdout and "extensible types: serving:" in done.stdout


def test_a_module_shows_what_it_registered_for_types_of_others(tmp_path):
    module = support.build_cython(Path(__file__).parent / "registering.pyx", layer=False)
    for target in ("registering", str(module)):
        done = run(tmp_path, target, path=module.parent)
        assert done.returncode == 0 and not done.stderr, done
        assert "list: not extensible" in done.stdout and "'registering.length'" in done.stdout, done
        assert "registered: found by FindAny only, own" in done.stdout, done
        assert "\nset" not in done.stdout          # a number tells nobody whose it is
    assert "list: not extensible" not in run(tmp_path, "_bisect", path=module.parent).stdout


@pytest.mark.parametrize("target, what", [
    ("carrying:Sub", "class"), ("carrying.Sub", "class"), ("carrying.Sub()", "object"),
    ("type('X', (carrying.Base,), {})", "class"), ("package.sub", "module"), ("package.sub.Sub", "class"),
    ("package.sub.Sub()", "object"), ("plain:Plain.Inner", "class"), ("plain.thing", "object"),
    ("plain.py", "file"), ("./carrying.py", "file"), ("dict", "class"), ("[1, 2]", "object"), ("len", "object"),
    ("json", "module"), ("lambda: 1", "object"), ("lazy", "module"), ("5", "object"), ("None", "object")])
def test_targets_of_every_kind(folder, probe, target, what):
    done = run(folder, "--json", target)
    assert done.returncode == 0 and not done.stderr, done
    found, = json.loads(done.stdout)["inspections"]
    assert (found["what"], found["target"]) == (what, target)


WRONG = {
    "nothing_of_this_name": "found no module 'nothing_of_this_name', expected a module",
    "raising": "raises ZeroDivisionError", "leaving": "raises SystemExit: 3", "leaving.py": "raises SystemExit",
    "broken": "SyntaxError", "broken.py": "SyntaxError", "plain:Missing": "has no attribute 'Missing'",
    "plain.Missing": "has no attribute 'Missing'", "lazy.Anything": "SystemExit",
    "text.txt": "expected one of a module of this interpreter",
    "1 +": "expected a module, module:Class, an expression or a file", "1 / 0": "ZeroDivisionError",
    "no/such/file.py": "found", "": "expected a module", "package.nothing": "no attribute 'nothing'",
    "(" * 3000: "expected", "exit(4)": "SystemExit", ".": "expected", "..": "expected", ":": "expected",
    "plain:": "expected"}


def test_what_is_none_is_said_in_one_line_and_does_not_hide_the_others(folder, probe):
    done = run(folder, *WRONG, "carrying:Sub", "dict")
    assert done.returncode == 1 and "carrying.Sub: extensible" in done.stdout and "class dict" in done.stdout
    lines = done.stderr.splitlines()
    assert len(lines) == len(WRONG), lines
    for words, line in zip(WRONG.values(), lines):
        assert line.startswith("cython_customslots inspect: ") and words in line


def test_nothing_is_all_that_is_imported_and_brings_no_implementation(folder):
    done = run(folder)
    assert done.returncode == 0 and "extensible types: none was needed" in done.stdout, done
    assert not done.stderr and "no slots, C fields or typed methods" in done.stdout


def test_all_that_is_imported_by_a_target(folder, probe):
    done = run(folder, "--all", "carrying")
    assert done.returncode == 0 and "carrying.Sub: extensible" in done.stdout, done
    assert "all that is imported" in done.stdout and "probe.RichMeta" in done.stdout


def test_a_picture_overwrites_another_and_nothing_that_is_none(folder, probe, tmp_path):
    for name in "Sub", "Base":
        assert run(folder, f"carrying:{name}", "--svg", str(tmp_path / "sub.svg")).returncode == 0
        root = xml.etree.ElementTree.parse(tmp_path / "sub.svg").getroot()
        assert f"carrying.{name}" in "".join(root.itertext())
    mine = tmp_path / "mine.svg"
    mine.write_text("<svg>mine</svg>")
    for path, words in ((mine, "which this command did not write"), (tmp_path, "expected a file"),
                        (tmp_path / "no" / "such.svg", "No such file")):
        done = run(folder, "carrying:Sub", "--svg", str(path))
        assert done.returncode == 1 and words in done.stderr and "Traceback" not in done.stderr, done
    assert mine.read_text() == "<svg>mine</svg>"
    done = run(folder, "carrying", "--svg", str(tmp_path / "two.svg"))
    assert done.returncode == 1 and "--svg draws one type, and found 2" in done.stderr


def test_progress_comes_on_a_terminal_after_a_while_and_goes_away(monkeypatch, capsys):
    from cython_customslots.inspecting import command
    now = [0.0]
    monkeypatch.setattr(command.time, "monotonic", lambda: now[0])
    quiet = command._Progress()
    for now[0] in 0.0, 4.0, 6.0:
        assert capsys.readouterr().err == ""
        quiet(3, 10)
    quiet.end()
    assert capsys.readouterr().err == "inspect: 3 of 10 types\n"
    loud = command._Progress()
    loud.terminal = True
    now[0] = 7.0
    loud(4, 10)
    loud.end()
    said = capsys.readouterr().err
    assert said.startswith("\rinspect: 4 of 10") and said.endswith("\r\033[K")


def test_a_reader_that_goes_away_is_no_traceback(folder):
    code = ("import subprocess, sys; p = subprocess.Popen([sys.executable, '-m', 'cython_customslots', "
            "'inspect', '--json'], stdout=subprocess.PIPE, stderr=subprocess.PIPE); p.stdout.close(); "
            "print(p.stderr.read().decode()); p.wait()")
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, stdout=subprocess.PIPE, encoding="utf-8")
    assert "Traceback" not in done.stdout, done.stdout


@pytest.mark.skipif(os.name == "nt", reason="a shell of POSIX closes it")
@pytest.mark.parametrize("option", ["", "--json"])
def test_without_standard_output_there_is_no_traceback(folder, option):
    command = f"{shlex.quote(sys.executable)} -m cython_customslots inspect {option} dict >&-"
    done = subprocess.run(["sh", "-c", command], cwd=folder, stderr=subprocess.PIPE, encoding="utf-8")
    assert done.returncode == 0 and done.stderr == ""
