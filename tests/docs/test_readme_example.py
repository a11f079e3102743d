# SPDX-License-Identifier: MIT
"""The two libraries of README meet as it says."""
import re

import pytest
import support

pytestmark = pytest.mark.once

README = (support.ROOT / "README.md").read_text(encoding="utf-8")


def block(mark):
    found, = re.findall(rf"<!-- {re.escape(mark)} -->\n```\w+\n(.*?)```", README, re.DOTALL)
    return found


@pytest.fixture(scope="module")
def built():
    modules = []
    for name, layer in [("circles", True), ("totals", False)]:
        directory = support.cache_directory("readme", name)
        source = support.write_source(directory / f"{name}.pyx",
                                      block(f"quote: examples/first_protocol/{name}/{name}.pyx"))
        modules.append(support.build_cython(source, directory=directory / "built", layer=layer, carries=layer))
    return modules


def test_provider_and_consumer_of_the_readme_print_what_it_says_without_the_package(built):
    blocked = 'import sys; sys.modules["cython_customslots"] = None\n'     # an import of it would fail
    printed = support.check_child(blocked + block("quote: examples/first_protocol/first.py"), modules=built)
    assert f"{printed}\n" == block("output: first.py")
