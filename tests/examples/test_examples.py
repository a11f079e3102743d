# SPDX-License-Identifier: MIT
"""The examples print what they promise, however they are built."""
import os
import re
import shutil
import subprocess
import sys

import pytest
from examples_support import EXAMPLES, cflags, run_python
from expected_output import DUCK_TYPING, GREETINGS

import cython_customslots
from cython_customslots.tools.building import Module, build


def assert_prints(done, text):
    assert (done.returncode, done.stderr, done.stdout) == (0, "", text)


# ---------------------------------------------------------------- as projects of their own --

def install(project, target):
    done = subprocess.run(
        [sys.executable, "-m", "pip", "install", "--no-build-isolation", "--no-deps",
         "--no-input", "--disable-pip-version-check", "--target", str(target), str(project)],
        cwd=target.parent, env=dict(os.environ, CFLAGS=cflags(os.environ)),
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600)
    assert done.returncode == 0, done.stdout


@pytest.mark.nightly
def test_greetings_is_a_project_that_pip_installs(examples_copy, tmp_path):
    install(examples_copy / "greetings", tmp_path / "site")
    installed = tmp_path / "site" / "greetings_examples"
    for pattern, text in GREETINGS.items():
        assert_prints(run_python(installed / pattern / "example.py", cwd=tmp_path), text)


@pytest.mark.nightly
def test_duck_typing_is_a_project_that_pip_installs(examples_copy, tmp_path):
    install(examples_copy / "duck_typing", tmp_path / "site")
    shutil.copy(EXAMPLES / "duck_typing" / "example.py", tmp_path)
    assert_prints(run_python("example.py", cwd=tmp_path,
                             PYTHONPATH=str(tmp_path / "site")), DUCK_TYPING)


# -------------------------------------------------------------------- who depends on whom --

@pytest.fixture
def built(site):
    return site("duck_typing")


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["polynomial", "summing"])
def test_what_the_layer_generates_does_not_need_the_package(built, name):
    """Built modules work where cython_customslots is not installed."""
    code = (
        "import sys\n"
        "class Refuse:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.split('.')[0] == 'cython_customslots':\n"
        "            raise ImportError('the test hides ' + name)\n"
        "sys.meta_path.insert(0, Refuse())\n"
        f"import {name}\n"
        "print([m for m in sys.modules if m.startswith('cython_customslots')])\n")
    assert_prints(run_python("-c", code, cwd=built), "[]\n")
    # As a directive: the headers' own comments show how to include them.
    assert not re.search(r'^\s*#\s*include\s+["<].*(customslots|extensibletype)',
                         (built / f"{name}.c").read_text(encoding="utf-8"), re.M)


@pytest.mark.thorough
def test_consumer_imports_no_provider_and_no_metaclass(built):
    code = ("import sys\nbefore = set(sys.modules)\nimport summing\n"
            "print(sorted(set(sys.modules) - before))\n")
    done = run_python("-c", code, cwd=built)
    assert done.returncode == 0, done.stderr
    new = eval(done.stdout)
    assert "summing" in new
    assert not {"polynomial", "sine_wave", "_extensibletype"} & set(new)


@pytest.mark.thorough
def test_consumer_works_compiled_by_plain_cython(built, tmp_path):
    """What plain Cython built works on providers that the layer and C built."""
    source = EXAMPLES / "duck_typing"
    build(Module("summing", [source / "summing.pyx"], layer=False, cflags=["-O1"]), tmp_path)
    code = ("import sys\n"
            "import summing\n"
            f"sys.path.append({str(built)!r})\n"
            "from polynomial import Polynomial\nfrom sine_wave import SineWave\n"
            "print(summing.__file__)\n"
            "print(summing.sum_at([Polynomial(1, 1), SineWave(0.0), abs, None], 3.0))\n")
    done = run_python("-c", code, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    where, result = done.stdout.splitlines()
    assert where.startswith(str(tmp_path))
    assert result == "(7.0, {'slot': 2, 'python': 1, 'skipped': 1})"


@pytest.mark.thorough
def test_consumer_survives_anything_in_the_list(built):
    code = (
        "import abc, enum, types, summing\n"
        "from polynomial import Polynomial\nfrom sine_wave import SineWave\n"
        "class Abstract(abc.ABC): pass\n"
        "class Colour(enum.Enum): RED = 1\n"
        "junk = [None, 1, 1.5, 'x', b'x', (), [], {}, set(), object(), types, Ellipsis,\n"
        "        Abstract(), Colour.RED, slice(1), memoryview(b'a')]\n"
        "print(summing.sum_at(junk, 1.0))\n"
        "print(summing.sum_at([], 1.0)[0])\n"
        "for bad in ([lambda x: 1 / 0], [Polynomial]):\n"
        "    try: summing.sum_at(bad, 1.0)\n"
        "    except Exception as error: print(type(error).__name__)\n"
        "    else: print('no error')\n"
        "for f in Polynomial(0, 2), SineWave(1.0, 0.0):\n"
        "    print(f(2.0), summing.sum_at([f] * 1000, 2.0))\n")
    assert_prints(run_python("-c", code, cwd=built), (
        "(0.0, {'slot': 0, 'python': 0, 'skipped': 16})\n0.0\n"
        "ZeroDivisionError\nTypeError\n"
        "4.0 (4000.0, {'slot': 1000, 'python': 0, 'skipped': 0})\n"
        "0.0 (0.0, {'slot': 1000, 'python': 0, 'skipped': 0})\n"))


def test_installed_package_carries_the_example_that_new_projects_are_made_of():
    """Otherwise they are made of something else than what is tested: install again."""
    installed = os.path.join(os.path.dirname(cython_customslots.__file__), "examples")
    for path in (EXAMPLES / "first_protocol").rglob("*"):
        relative = path.relative_to(EXAMPLES)
        if path.suffix in {".pyx", ".py", ".c", ".h", ".md", ".toml"} and "build" not in relative.parts:
            with open(os.path.join(installed, relative), "rb") as file:
                assert file.read() == path.read_bytes(), relative
