# SPDX-License-Identifier: MIT
"""What is kept of a release is what its wheels carry, and is one text that compiles alone."""
import freeze
import pytest
import support
from texts import THIS, all_ages


def test_what_is_kept_is_what_wheels_of_this_tree_carry():
    assert freeze.of_this_tree() == (THIS, all_ages()["this"].text)


@pytest.mark.parametrize("dialect", support.thoroughly(["c99", "c++11"], plain=0, thorough=1))
@pytest.mark.parametrize("name", ["this", "break"])
def test_an_age_is_one_text_that_needs_no_other(name, dialect, tmp_path):
    (tmp_path / "extensibletype.h").write_text(all_ages()[name].text)
    (tmp_path / "alone.c").write_text('#include <Python.h>\n#include "extensibletype.h"\n')
    support.compile_all_strictly([tmp_path / "alone.c"], dialect, tmp_path, "-Wno-unused-function",
                                 include_dirs=[tmp_path], headers=False)
