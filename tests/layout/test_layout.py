# SPDX-License-Identifier: MIT
"""The layouts that separately built binaries rely on are pinned."""
from pathlib import Path

import pytest
import support

pytestmark = pytest.mark.processors

SOURCE = Path(__file__).resolve().parent / "abi_layout.c"
SOURCES = [SOURCE, SOURCE.with_name("typed_layout.c")]


@pytest.mark.parametrize("dialect", support.DIALECTS)
def test_no_pinned_layout_has_changed(dialect, tmp_path):
    support.compile_all_strictly(SOURCES, dialect, tmp_path)
