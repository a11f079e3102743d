# SPDX-License-Identifier: MIT
"""The error that no source brings about; docs/errors.md has it with the others."""

import pytest

pytestmark = pytest.mark.once

#: What stops the compilation where Cython's C is unknown; VERSION is that of Cython.
UNKNOWN = {
    "a class whose C has no place for ours": ("cdef class A: pass", [
        (1, 0, "customslots: Cython VERSION generates code for PyType_Ready that this version of "
               "cython-customslots does not know: found 0 places to change, expected 1. Use a "
               "Cython version that it supports, or upgrade it.")]),
}


def test_c_that_is_not_known_stops_the_compilation():
    from Cython import __version__
    from Cython.Compiler.Errors import CompileError
    from cython_customslots.compiler.shared import writing
    texts = [case[1][0][-1].replace("VERSION", __version__) for case in UNKNOWN.values()]
    with pytest.raises(CompileError) as raised:
        writing.substitute("nowhere", "", "text", "PyType_Ready", None)
    assert raised.value.message_only == texts[0]
