# SPDX-License-Identifier: MIT
"""What docs/inspecting.md and docs/debugging-a-crash.md show is what is printed.

The files in shown/ are quoted there.  Addresses, sizes and paths are those of one interpreter.
"""
import re
import subprocess
import sys
from pathlib import Path

import pytest
import support
from support import only_on_cpython

pytestmark = only_on_cpython("types of PyPy carry nothing")
SHOWN = Path(__file__).parent / "shown"


def alike(text):
    """Without what differs between two interpreters, or two runs."""
    text = re.sub(r"0x[0-9a-f]+", "0x", text)
    text = re.sub(r"of \d+ bytes", "of N bytes", re.sub(r"\+ \d+", "+ N", text))
    text = re.sub(r"^ +/.*$", "PATH", text, flags=re.M)
    return re.sub(r"-{2,}", "--", re.sub(r" +", " ", text)).strip()


@pytest.fixture(scope="module")
def plugins():
    return support.build_cython(
        Path(__file__).parent / "plugins.pyx", carries=True,
        cython_args=["-X", "freethreading_compatible=True"] if support.FREE_THREADED else [])


def test_the_command_prints_what_is_shown(plugins):
    said = support.output_of(subprocess.run(
        [sys.executable, "-m", "cython_customslots", "inspect", "plugins"], cwd=plugins.parent,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"))
    assert alike(said) == alike((SHOWN / "inspect.txt").read_text(encoding="utf-8")), said


def test_the_program_prints_what_is_shown(plugins):
    said = support.check_child((SHOWN / "program.py").read_text(encoding="utf-8"), modules=[plugins])
    assert alike(said) == alike((SHOWN / "program.txt").read_text(encoding="utf-8")), said


def test_the_picture_is_of_that_module(plugins, tmp_path):
    done = subprocess.run([sys.executable, "-m", "cython_customslots", "inspect", "plugins:Plugin", "--svg",
                           str(tmp_path / "x.svg")], cwd=plugins.parent, stdout=subprocess.PIPE)
    assert done.returncode == 0
    texts = [re.sub(r"<[^>]*>", "", line).strip()
             for line in (tmp_path / "x.svg").read_text(encoding="utf-8").splitlines()]
    shown = (support.ROOT / "docs" / "inspecting.svg").read_text(encoding="utf-8")
    for text in filter(None, texts[2:]):
        if not re.search(r"\d", text) and "{" not in text:
            assert text in shown, text
