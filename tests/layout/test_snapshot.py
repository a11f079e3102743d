# SPDX-License-Identifier: MIT
"""What modules of different ages share stands where it stood when it was recorded: layout.txt."""
import re

import cython_customslots
import pytest
import snapshot
import support

pytestmark = pytest.mark.processors

INCLUDE = cython_customslots.get_include()


def test_nothing_that_modules_share_has_changed_its_place():
    changed = snapshot.changes(INCLUDE)
    assert not changed, changed


def test_the_compiler_puts_everything_where_it_is_recorded():
    """With the headers of this interpreter: with or without a GIL, debug or release, 32 or 64 bit."""
    lines = snapshot.recorded()
    source = support.write_source(support.CACHE / "abi_snapshot.c",
                                  snapshot.program("abi_snapshot", lines))
    told = support.load(support.build_c("abi_snapshot", source, carries=True)).layout()
    wanted = snapshot.expected(lines)
    assert [row[:2] for row in told] == [row[:2] for row in wanted]
    assert [(name, size) for name, _, size in told if size] == [
        (name, size) for name, _, size in wanted if size]
    assert len(told) > 300


def test_every_struct_of_the_headers_is_recorded_or_said_to_be_private():
    unexplained = snapshot.unexplained(INCLUDE)
    assert not unexplained, (
        f"found {', '.join(unexplained)} in the headers, where no recorded struct leads to; if "
        "modules of different ages share it, name it in GROUPS of snapshot.py, else in PRIVATE")


#: Structs of the state that are there for as long as a class, a metaclass, a thread or the API.
LASTING = {"State", "Thread", "Sidecar", "FieldEntry", "Layer", "Record", "Declaration"}
#: Those that end with the call that made them; and a part of FieldEntry.
PASSING = {"Value", "Refresh", "Change", "Pending", "Handover", "Made", "Overrides", "Override"}
PARTS = {"FieldDef"}


def test_what_is_reached_from_the_state_is_recorded():
    names = {re.match(r"\w+ _Pycs_(\w+):", line)[1]
             for line in snapshot.recorded()["state"] if line.startswith("struct")}
    assert names == LASTING | PASSING | PARTS


def test_whatever_stays_has_a_pointer_for_what_a_later_implementation_wants_to_keep():
    """A table's record, which is replaced as a whole, has none."""
    known = snapshot.structs(INCLUDE)
    lacking = [name for name in sorted(LASTING)
               if not any("void *extension" in declaration for declaration, *_ in
                          known[f"_Pycs_{name}"].members)]
    assert lacking == ["Record"]
    assert any(declaration == "void *etp_extension" for declaration, *_ in
               known["PyHeapExtensibleTypeObject"].members)
