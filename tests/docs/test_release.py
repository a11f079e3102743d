# SPDX-License-Identifier: MIT
"""What stands between a tree and a release: packaging/ready.py, classifiers, the check-list."""
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import cython_customslots
import pytest
import support

ROOT = support.ROOT
VERSION = cython_customslots.__version__

needs_tomllib = pytest.mark.skipif(sys.version_info < (3, 11), reason="tomllib came with Python 3.11")


def git(tree, *arguments):
    environment = dict(os.environ, GIT_CONFIG_GLOBAL=os.devnull, GIT_CONFIG_NOSYSTEM="1")
    subprocess.run(["git", "-c", "user.name=Nobody", "-c", "user.email=nobody@example.invalid", *arguments],
                   cwd=tree, check=True, env=environment, capture_output=True)


@pytest.fixture
def tree(tmp_path):
    """A tree that may be released, and the directory of its files."""
    if not shutil.which("git"):
        pytest.skip("git is not on this machine")
    tree, dist = tmp_path / "tree", tmp_path / "dist"
    for part in "cython_customslots", "packaging":
        shutil.copytree(ROOT / part, tree / part, ignore=shutil.ignore_patterns("__pycache__", "build"))
    (tree / "tests" / "ages").mkdir(parents=True)
    shutil.copy(ROOT / "tests" / "ages" / "freeze.py", tree / "tests" / "ages")
    (tree / ".gitignore").write_text("__pycache__/\n")
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    (tree / "CHANGELOG.md").write_text(re.sub(r"\n## \S+ \(.*\)\n", f"\n## {VERSION} (2030-01-31)\n", changelog,
                                              count=1), encoding="utf-8")
    urls = "".join(f'{name} = "https://example.org/{name}"\n'
                   for name in ("Documentation", "Source", "Issues", "Changelog"))
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    if "[project.urls]\n" not in project:
        project += f"\n[project.urls]\n{urls}"
    (tree / "pyproject.toml").write_text(project, encoding="utf-8")
    subprocess.run([sys.executable, "tests/ages/freeze.py"], cwd=tree, check=True, capture_output=True)
    dist.mkdir()
    (dist / f"cython_customslots-{VERSION}.tar.gz").write_bytes(b"")
    (dist / f"cython_customslots-{VERSION}-cp311-cp311-manylinux_2_28_x86_64.whl").write_bytes(b"")
    git(tree, "init", "-q")
    git(tree, "add", "-A")
    git(tree, "commit", "-q", "-m", "Release")
    git(tree, "tag", f"v{VERSION}")
    return tree, dist


def ready(tree, dist):
    done = subprocess.run([sys.executable, tree / "packaging" / "ready.py", dist], cwd=tree.parent,
                          capture_output=True, encoding="utf-8",
                          env=dict(os.environ, PYTHONDONTWRITEBYTECODE="1"))
    return done.returncode, done.stderr


@needs_tomllib
def test_a_tree_that_has_everything_may_be_released(tree):
    assert ready(*tree) == (0, "")


def replace(path, old, new):
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


WRONG = {
    "the changelog has no date": (
        lambda tree, dist: replace(tree / "CHANGELOG.md", "(2030-01-31)", "(unreleased)"),
        f"found '{VERSION} (unreleased)' on top of CHANGELOG.md"),
    "an address is missing": (
        lambda tree, dist: replace(tree / "pyproject.toml", "Issues = ", "Bugs = "),
        "found None as 'Issues' in [project.urls]"),
    "an address is none": (
        lambda tree, dist: replace(tree / "pyproject.toml", 'Source = "https://example.org/', 'Source = "to come'),
        "as 'Source' in [project.urls]"),
    "a header has another version": (
        lambda tree, dist: replace(tree / "cython_customslots" / "include" / "customslots.h",
                                   f'_VERSION     "{VERSION}"', '_VERSION     "9.9.9"'),
        f"found 9.9.9 in customslots.h, expected {VERSION}"),
    "the kept text is another": (
        lambda tree, dist: replace(tree / "tests" / "ages" / VERSION / "typedmethod.h", "long", "short"),
        "python tests/ages/freeze.py"),
    "something is not committed": (
        lambda tree, dist: (tree / "more").write_text(""), "found changes that are not committed"),
    "there is no tag": (
        lambda tree, dist: git(tree, "tag", "-d", f"v{VERSION}"), f"found no tag v{VERSION}"),
    "the tag is on another commit": (
        lambda tree, dist: git(tree, "commit", "-q", "--allow-empty", "-m", "More"), f"found no tag v{VERSION}"),
    "there is no sdist": (
        lambda tree, dist: (dist / f"cython_customslots-{VERSION}.tar.gz").unlink(), "found no sdist"),
    "there is a wheel of another version": (
        lambda tree, dist: (dist / "cython_customslots-0.0.9-py3-none-any.whl").write_bytes(b""),
        f"which is no file of {VERSION}"),
    "there is a wheel for this machine only": (
        lambda tree, dist: (dist / f"cython_customslots-{VERSION}-cp311-cp311-linux_x86_64.whl").write_bytes(b""),
        "which PyPI takes from nobody"),
}


@needs_tomllib
@pytest.mark.parametrize("what", WRONG)
def test_a_tree_is_not_released_when(what, tree):
    change, words = WRONG[what]
    change(*tree)
    code, said = ready(*tree)
    assert code == 1 and words in said, said


@needs_tomllib
def test_nothing_to_upload_is_not_ready(tree, tmp_path):
    code, said = ready(tree[0], tmp_path / "nowhere")
    assert code == 1 and "found no sdist" in said


def test_classifiers_name_the_versions_that_are_tested():
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    named = set(re.findall(r'"Programming Language :: Python :: (3\.\d+)"', text))
    nox = (ROOT / "noxfile.py").read_text(encoding="utf-8")
    tested = {version for name in ("GCC", "CLANG")
              for version in re.findall(r'"(3\.\d+)(?:t|d|td)?"', re.search(rf"(?m)^{name} = \((.*)\)$", nox)[1])}
    assert named == tested
    assert ("Free Threading" in text) == bool(re.search(r'"3\.\d+t"', nox))


def test_no_address_is_promised_that_is_not_there():
    """The release check-list fills them in; until then pyproject.toml says that it does not know."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert ("\n[project.urls]\n" in text) != ("[project.urls] is not known yet" in text)


def test_every_step_of_the_check_list_is_a_command_that_is_there():
    text = (ROOT / "docs" / "releasing.md").read_text(encoding="utf-8")
    steps = re.split(r"(?m)^\d+\. ", text.partition("\n## ")[0])[1:]
    assert len(steps) >= 10
    for step in steps:
        assert re.search(r"(?m)^ {7,8}\S", step), f"a step without a command: {step}"
    paths = re.findall(r"(?m)^ {7,8}(?:python |pytest )?(\.?[\w./]+/[\w./]*)", text)
    assert len(paths) >= 8
    for path in paths:
        assert (ROOT / path).exists(), path


def test_dist_does_not_write_into_a_directory_that_is_there(tmp_path):
    if sys.version_info < (3, 11):
        pytest.skip("tomllib came with Python 3.11")
    for arguments in [tmp_path], []:
        done = subprocess.run([sys.executable, ROOT / "packaging" / "dist.py", *arguments], capture_output=True,
                              encoding="utf-8")
        assert done.returncode == 2 and "expected a directory that is not there yet" in done.stderr
    assert not list(Path(tmp_path).iterdir())
