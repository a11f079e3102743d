# SPDX-License-Identifier: MIT
"""Something else stands where names are kept.  Run on PyPy."""
import sys

sys._customslots_table_v3 = "junk"

import registered_one  # noqa: E402

try:
    registered_one.intern("tests.pypy")
except RuntimeError as error:
    print(error)
assert registered_one.find([], 4) is None
del sys._customslots_table_v3
assert registered_one.intern("tests.pypy")
