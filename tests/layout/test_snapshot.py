# SPDX-License-Identifier: MIT
"""What modules of different ages share stands where it stood when it was recorded: layout.txt."""

import cython_customslots
import pytest
import snapshot
import support

pytestmark = pytest.mark.processors

INCLUDE = cython_customslots.get_include()


def test_nothing_that_modules_share_has_changed_its_place():
    changed = snapshot.changes(INCLUDE)
    assert not changed, changed


@pytest.mark.parametrize("dialect", support.DIALECTS)
def test_the_compiler_puts_everything_where_it_is_recorded(dialect, tmp_path):
    """With the headers of this interpreter: with or without a GIL, debug or release, 32 or 64 bit."""
    places = tmp_path / "places.c"
    places.write_text(snapshot.program(snapshot.recorded()))
    assert places.read_text().count("IS(") > 500
    support.compile_all_strictly([places, snapshot.HERE / "numbers.c"], dialect, tmp_path, include_dirs=[snapshot.HERE])


def test_every_struct_of_the_headers_is_recorded_or_said_to_be_private():
    unexplained = snapshot.unexplained(INCLUDE)
    assert not unexplained, (
        f"found {', '.join(unexplained)} in the headers, where no recorded struct leads to; if "
        "modules of different ages share it, name it in GROUPS of snapshot.py, else in PRIVATE")
