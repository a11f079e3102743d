# SPDX-License-Identifier: MIT
"""What a page of the documents says that can be tried: its examples and what they print.

Above a block of code stands a comment, which a reader does not see:

    <!-- example: FILE [plain] [c++] [compiled] [module] -->
        All examples of a page are files of one folder.  .pyx, .c and .cpp are extension modules:
        .pyx is compiled through the compiler layer, or, if it says so, by plain Cython; `c++` lets
        Cython write C++.  .py is a script, which is run, unless it is compiled, too, or is a `module`
        that others import.  Any other file is there to be included or cimported.
    <!-- output: FILE -->
        What the script prints, all of it.
    <!-- fails: FILE -->
        With what the script ends, or what the compiler says of the .pyx: LINE:COLUMN: TEXT.

Quotes of sources are marked, too (docs/quote.py), and docs/check.py finds code without a mark.
"""
import dataclasses
import os
import re
import shutil
import subprocess
import sys
import sysconfig

import support

DOCS = support.ROOT / "docs"
OPTIONS = {"plain", "c++", "compiled", "module"}
_BLOCK = re.compile(r"(?:^<!-- ([\w-]+):? ?([^\n]*) -->\n)?^```(\S*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


@dataclasses.dataclass
class Block:
    """A block of code with the mark above it; *mark* is "" where there is none."""

    mark: str
    name: str
    options: frozenset
    language: str
    text: str


def blocks(page):
    """The Blocks of a page of docs/, in their order."""
    found = []
    for mark, words, language, text in _BLOCK.findall((DOCS / page).read_text(encoding="utf-8")):
        name, *options = words.split() or [""]
        found.append(Block(mark, name, frozenset(options), language, text))
    return found


def marked(page, mark):
    """{file: Block} of one kind of mark; a file stands once."""
    found = {}
    for block in blocks(page):
        if block.mark == mark:
            assert block.name and block.name not in found, f"{page}: {mark} '{block.name}' stands twice"
            assert mark != "example" or block.options <= OPTIONS, f"{page}: {block}"
            found[block.name] = block
    return found


def block(page, mark):
    """The text of the one block of a page of docs/ with this whole mark."""
    found, = re.findall(rf"<!-- {re.escape(mark)} -->\n```\w+\n(.*?)```",
                        (DOCS / page).read_text(encoding="utf-8"), re.DOTALL)
    return found


class Examples:
    """The examples of a page, written and built when they are first asked for."""

    def __init__(self, page):
        self.page = page
        self.files = marked(page, "example")
        self.output, self.failure = marked(page, "output"), marked(page, "fails")
        self.scripts = [name for name, block in self.files.items()
                        if name.endswith(".py") and not block.options & {"compiled", "module"}]
        self.modules = [name for name in self.files
                        if name.endswith((".pyx", ".c", ".cpp")) or "compiled" in self.files[name].options]
        unknown = {*self.output, *self.failure} - {*self.scripts, *self.modules}
        assert not unknown, f"{page}: no script or module {sorted(unknown)}"

    def write(self, directory):
        for name, block in self.files.items():
            support.write_source(directory / name, block.text)
        return directory

    def build(self, directory):
        """Build what has to be built; what must fail is left out.  The modules' paths."""
        built = []
        for name in self.modules:
            if name not in self.failure:
                built.append(build_module(directory / name, self.files[name].options))
        return built


def build_module(source, options):
    """Build one example into the folder `built` beside it."""
    directory = source.parent / "built"
    if source.suffix in {".c", ".cpp"}:
        return support.build_c(source.stem, source, include_dirs=[source.parent], directory=directory)
    arguments = ["-X", "freethreading_compatible=True"] if support.FREE_THREADED else []
    return support.build_cython(source, layer="plain" not in options, cplus="c++" in options,
                                cython_args=arguments, include_dirs=[source.parent], directory=directory)


def run(*command, cwd, expect=0, **env):
    """The output, stdout and stderr together, of a command of this environment that must end with *expect*."""
    path = os.pathsep.join([sysconfig.get_path("scripts"), os.environ["PATH"]])
    done = subprocess.run([str(word) for word in command], cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          env=dict(os.environ, PATH=path, PIP_DISABLE_PIP_VERSION_CHECK="1", **env),
                          encoding="utf-8", timeout=600)
    assert done.returncode == expect, f"{command}\n{done.stdout}"
    return done.stdout


def copy_of_the_tree(directory):
    """What building the package takes, in this new folder."""
    directory.mkdir()
    for part in ("cython_customslots", "examples", "packaging", "utility", "LICENSE", "README.md", "meson.build",
                 "pyproject.toml"):
        source = support.ROOT / part
        if source.is_dir():
            shutil.copytree(source, directory / part, ignore=shutil.ignore_patterns("__pycache__", "build"))
        else:
            shutil.copy(source, directory)
    return directory


def install(directory, expect=0):
    """Let pip install the project in a folder into its folder `site`; what pip says."""
    return run(sys.executable, "-m", "pip", "install", "--no-build-isolation", "--no-deps", "--no-input",
               "--target", "site", ".", cwd=directory, expect=expect)
