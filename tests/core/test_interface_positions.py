# SPDX-License-Identifier: MIT
"""What the process keeps for interfaces: where a slot should stand, and tables that older providers lack."""
import pytest
import support
from support import slot_id


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
