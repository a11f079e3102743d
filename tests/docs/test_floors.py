# SPDX-License-Identifier: MIT
"""docs/check.py finds what does not keep to the floors of the runtime."""
import shutil
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.once

DOCS = Path(__file__).resolve().parents[2] / "docs"
RUNTIME = "cython_customslots/runtime"
FREE = "_Pycs_PRIVATE void _Pycs_FreeAPI(_Pycs_API *api);\n"

PLANTS = {
    "a call of a higher floor": ("finish.c", "", "\nint f(void) { return _Pycs_Adopt(0, 0) + _Pycs_Meet(0); }\n",
                                 "finish.c: found _Pycs_Meet() used, which implementation.c defines, higher in"),
    "a higher header": ("slots.h", "", '\n#include "runtime/change.h"\n',
                        "slots.h: found change.h included, which is higher in"),
    "a section in the wrong place": ("prototypes.h", FREE, "", "prototypes.h: found functions of a higher file before"),
    "what nothing defines": ("prototypes.h", "", "\n_Pycs_PRIVATE int _Pycs_Nowhere(void);\n",
                             "prototypes.h: found _Pycs_Nowhere() declared, which prototypes.c does not define"),
}


@pytest.fixture
def check(monkeypatch):
    if not shutil.which("git") or not (DOCS.parent / ".git").exists():
        pytest.skip("docs/check.py asks git which files there are: in a clone")
    monkeypatch.syspath_prepend(str(DOCS))
    import check
    yield check
    for name in "check", "quote":
        sys.modules.pop(name, None)


@pytest.mark.parametrize("file, before, behind, complaint", PLANTS.values(), ids=PLANTS)
def test_what_is_planted_is_found(check, monkeypatch, file, before, behind, complaint):
    read = check.read

    def planted(path):
        return before + read(path) + behind if path == f"{RUNTIME}/{file}" else read(path)

    assert list(check.floors()) == []
    monkeypatch.setattr(check, "read", planted)
    assert [found for found in check.floors() if found.startswith(f"{RUNTIME}/{complaint}")], list(check.floors())
