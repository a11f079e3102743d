# SPDX-License-Identifier: MIT
"""What is kept of a release is what its wheels carry, and is one text that compiles alone."""
import zipfile

import pytest
import support
from deriving import freeze
from texts import THIS, all_ages


def test_a_release_is_kept_as_its_wheels_carry_it_once_and_not_before(tmp_path):
    with pytest.raises(RuntimeError, match="unreleased"):
        freeze.freeze(tmp_path, f"{THIS} (unreleased)")
    assert not any(tmp_path.iterdir())
    for _ in range(2):
        path = freeze.freeze(tmp_path, f"{THIS} (2030-01-31)")
        assert path == tmp_path / f"{THIS}.zip" and freeze.kept(path)["extensibletype.h"] == all_ages()["this"].text
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("extensibletype.h", "another")
    with pytest.raises(RuntimeError, match="with other texts, expected none or the same"):
        freeze.freeze(tmp_path, f"{THIS} (2030-01-31)")


@pytest.mark.parametrize("dialect", support.thoroughly(["c99", "c++11"], plain=0, thorough=1))
@pytest.mark.parametrize("name", ["this", "state"])
def test_an_age_is_one_text_that_needs_no_other(name, dialect, tmp_path):
    (tmp_path / "extensibletype.h").write_text(all_ages()[name].text)
    (tmp_path / "alone.c").write_text('#include <Python.h>\n#include "extensibletype.h"\n')
    support.compile_all_strictly([tmp_path / "alone.c"], dialect, tmp_path, "-Wno-unused-function",
                                 include_dirs=[tmp_path], headers=False)
