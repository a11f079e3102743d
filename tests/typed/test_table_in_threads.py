# SPDX-License-Identifier: MIT
"""The process's table while threads fill it (and under ThreadSanitizer: tests/hostile/tsan.sh)."""
import pytest
import support
from typed_support import HERE, probe_path

pytestmark = pytest.mark.msvc


def test_threads_that_fill_the_table_find_what_each_of_them_put_in():
    """In a process of its own: so the table begins empty, and is replaced while it is read."""
    support.check_child("""
        import filling_the_table, probe, sys, typed_probe
        sys.setswitchinterval(1e-5)
        assert probe.table_state()["cells"] == 0
        filling_the_table.run(probe, typed_probe)
        assert probe.table_state()["cells"] >= 4096
        """, modules=[support.probe_path(), probe_path(), HERE / "filling_the_table.py"])
