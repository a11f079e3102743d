# SPDX-License-Identifier: MIT
"""PyCustomSlots_Intern() and _Position(): one number for one string or ID in the whole process."""

import pytest
import support
from support import EMPTY, SKIP, slot_id

pytestmark = pytest.mark.processors


def test_equal_strings_have_equal_ids_and_different_ones_different(probe):
    assert probe.intern(b"numpy.ndarray") == probe.intern(bytes(bytearray(b"numpy.ndarray")))
    assert probe.intern(b"numpy.ndarray") != probe.intern(b"numpy.ndarray2")
    assert probe.intern(b"a") != probe.intern(b"b")
    assert probe.intern(b"ab") != probe.intern(b"a") and probe.intern("é".encode()) != SKIP
    for one, two in (b"costarring", b"liquid"), (b"declinate", b"macallums"):     # of one hash: FNV-1a of 32 bits
        ids = [probe.intern(one), probe.intern(two)]
        assert ids[0] != ids[1] and ids == [probe.intern(one), probe.intern(two)]


def test_ten_thousand_names_have_ids_of_their_own_and_keep_them(probe):
    names = [b"pkg.module.Class%d" % i for i in range(10_000)]
    ids = [probe.intern(name) for name in names]
    assert len(set(ids)) == len(names)
    assert all(i % 2 == 0 and i not in (EMPTY, SKIP) for i in ids)
    assert [probe.intern(name) for name in names] == ids


def test_separately_built_modules_and_the_package_agree(probe, probe_twin):
    from cython_customslots import provider
    assert probe is not probe_twin
    for name in ("x", "a.b.c", "scipy.f"):
        ids = {probe.intern(name.encode()), probe_twin.intern(name.encode()), provider.intern(name)}
        assert len(ids) == 1


@pytest.mark.parametrize("name, found", [(None, "NULL"), (b"", "an empty string")])
def test_missing_name_is_refused_and_says_what_was_found(probe, name, found):
    with pytest.raises(ValueError, match=f'found {found}, expected a name, such as "package.name"'):
        probe.intern(name)


# ------------------------------- where the slot of an interface should stand, in the whole process --

def test_positions_are_dealt_out_in_turn_and_stay():
    assert support.check_child("""
        import probe, probe_twin
        ids = [probe.intern(b"turn.%d" % i) for i in range(12)]
        first = [(probe, probe_twin)[i % 2].interface_position(id) for i, id in enumerate(ids)]
        assert first[:3] == [0, 1, 2], first
        period = max(first) + 1
        assert period <= 4 and first == [i % period for i in range(12)], first
        for module in probe_twin, probe:
            assert [module.interface_position(id) for id in ids] == first
        print("done")
        """, modules=[support.probe_path(), support.probe_path("probe_twin")]) == "done"


def test_static_ids_have_positions_too(probe, probe_twin):
    id = slot_id(901)                           # of nobody else: it is that of an interface from now on
    assert probe.interface_position(id) == probe_twin.interface_position(id) in range(4)


@pytest.mark.parametrize("id", [0, 1])
def test_id_that_is_never_found_has_none(probe, id):
    with pytest.raises(ValueError, match=f"PyCustomSlots_Position: found slot ID {id}, which is never found"):
        probe.interface_position(id)


def test_a_table_is_completed_once_however_many_others_are(probe):
    older = tuple(probe.interface_table("tests.Longer", 1, 0) for _ in range(3))
    mine = probe.interface_table("tests.Longer", 2, 0)
    completed = probe.interface_completed((*older, *older, mine), mine)
    assert completed == [*completed[:3], *completed[:3], mine]
    assert len({*completed, *older}) == 7 and all(completed)
