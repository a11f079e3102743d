# SPDX-License-Identifier: MIT
"""The examples of the pages in docs/ are what a reader gets: built and run; see pages.py."""
import re

import pages
import pytest
import support
from cython_customslots.tools import building

pytestmark = pytest.mark.once

#: Whose examples are commands, too, and have a test of their own.
WALKED = {"first-protocol.md"}

ALL = sorted(path.name for path in pages.DOCS.glob("*.md"))
PAGES = [page for page in ALL if page not in WALKED and pages.marked(page, "example")]


@pytest.mark.parametrize("page", support.thoroughly(sorted(PAGES, key="interfaces.md".__ne__)))
def test_examples_of_a_page_do_what_it_says(page):
    examples = pages.Examples(page)
    directory = examples.write(support.cache_directory("pages", page))
    for name in examples.modules:
        if name in examples.failure:
            assert examples.failure[name].text in compile_errors(directory / name), f"{page}: {name}"
    built = examples.build(directory)
    built += [directory / "modules.py"]                     # so that scripts import what is no script
    for name in examples.scripts:
        done = support.run_child((directory / name).read_text(encoding="utf-8"), cwd=directory, modules=built)
        if name in examples.failure:
            assert done.returncode == 1, f"{page}: {name} ended with {done.returncode}\n{done.stderr}"
            assert done.stderr.endswith(examples.failure[name].text), f"{page}: {name}\n{done.stderr}"
            continue
        printed = support.output_of(done)
        if name in examples.output:
            assert printed == examples.output[name].text.rstrip("\n"), f"{page}: {name}"


def compile_errors(source):
    """What the compiler layer says of a .pyx that is wrong, a line for each error."""
    module = support.cython_module(source, include_dirs=[source.parent])
    with pytest.raises(building.BuildError) as raised:
        building.run_cython(module, source, source.with_suffix(".failed.c"))
    return "".join(re.findall(rf"{re.escape(source.name)}:(\d+:\d+: .*\n?)", str(raised.value)))
