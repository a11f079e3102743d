# SPDX-License-Identifier: MIT
"""Tables of any length: what stands in front of one answers for it, whatever the IDs are."""
import ctypes
import itertools
import sys

import pytest
import support
from support import slot_id, with_slots

WORD = ctypes.sizeof(ctypes.c_void_p)
LENGTHS = (1, 4, 5, 64, 1000)


def hashed(number):
    number = (number >> 1) * 0x9E3779B1 & 0xFFFFFFFF
    return number ^ number >> 15


def bit(number):
    return hashed(number) % (8 * WORD)


NUMBERS = [slot_id(20000 + i) for i in range(1000)]
OTHERS = [slot_id(30000 + i) for i in range(200)]


@pytest.fixture(scope="module")
def doors(probe, limited):
    """Every way to find a slot of a type: {name: function(type, ID, position)}."""
    ways = {"FindType": probe.find_type,
            "Find": lambda cls, *more: probe.find(cls(), *more),
            "FindAnyType": lambda cls, number, _: probe.find_any_type(cls, number),
            "Cython": support.load(support.build_cython(
                support.TESTS / "core" / "table_reader.pyx", layer=False)).find}
    if limited is not None:
        ways["limited API"] = lambda cls, number, _: limited.find(cls(), number)
    return ways


def agree(doors, cls, expected):
    """Every door finds these slots of a class, and nothing else."""
    some = dict(itertools.islice(expected.items(), 0, None, 1 + len(expected) // 50))
    for name, find in doors.items():
        for number, data in some.items():
            for position in (0, 3, len(expected) - 1, 10**6, -1):
                assert find(cls, number, position) == data, (name, number, position)
        assert all(find(cls, number, 0) is None for number in OTHERS), name


@pytest.mark.parametrize("length", LENGTHS)
def test_every_door_finds_every_slot_and_no_other(probe, extensibletype, doors, length):
    slots = [(number, i + 1) for i, number in enumerate(NUMBERS[:length])]
    cls = with_slots(probe, extensibletype("Cls", (), {}), *slots)
    agree(doors, cls, dict(slots))
    assert [probe.find_position(cls, number) for number, _ in slots] == list(range(length))
    agree(doors, type("Below", (cls,), {}), dict(slots))


def test_ids_that_share_a_bit_or_a_cell_or_the_whole_hash_are_told_apart(probe, extensibletype, doors):
    first = NUMBERS[0]
    same_bit = [n for n in map(slot_id, range(1, 60000)) if bit(n) == bit(first) and n != first]
    cls = with_slots(probe, extensibletype("Bit", (), {}), (first, 1))
    assert all(probe.find_type(cls, number) is None for number in same_bit)
    same_cell = [n for n in map(slot_id, range(1, 60000))
                 if hashed(n) % 256 == hashed(first) % 256][:80]
    here, absent = same_cell[::2], same_cell[1::2]
    cls = with_slots(probe, extensibletype("Cell", (), {}), *[(n, i) for i, n in enumerate(here)])
    assert [probe.find_type(cls, n) for n in here] == list(range(len(here)))
    assert all(find(cls, n, 0) is None for n in absent for find in doors.values())
    if WORD > 4:                    # else an ID has one word, all of which is hashed
        here = [0x1000 + (i << 33) for i in range(300)]
        cls = with_slots(probe, extensibletype("Hash", (), {}), *[(n, i) for i, n in enumerate(here)])
        assert {hashed(n) for n in here} == {hashed(0x1000)}
        assert [probe.find_type(cls, n) for n in here] == list(range(300))
        assert probe.find_type(cls, 0x1000 + (300 << 33)) is None


def test_merged_and_overriding_classes_have_places_of_their_own(probe, extensibletype, doors):
    def provider(name, bases, numbers, first):
        return with_slots(probe, extensibletype(name, bases, {}), *[(n, first + i) for i, n in enumerate(numbers)])
    left = provider("Left", (), NUMBERS[:40], 100)
    right = provider("Right", (), NUMBERS[30:70], 200)
    both = extensibletype("Both", (left, right), {})
    over = provider("Over", (both,), NUMBERS[69:72], 300)
    expected = {n: 200 + i for i, n in enumerate(NUMBERS[30:70])}
    expected |= {n: 100 + i for i, n in enumerate(NUMBERS[:40])}
    agree(doors, both, expected)
    agree(doors, over, expected | {n: 300 + i for i, n in enumerate(NUMBERS[69:72])})
    both.__bases__ = (right,)
    agree(doors, both, {n: 200 + i for i, n in enumerate(NUMBERS[30:70])})
    assert probe.find_type(over, NUMBERS[0]) is None
    assert [probe.find_type(over, n) for n in NUMBERS[69:72]] == [300, 301, 302]


def test_table_of_another_abi_is_not_read(probe, extensibletype):
    """Nothing of ours stands in front of it."""
    cls = with_slots(probe, extensibletype("Old", (), {}), *[(n, 1) for n in NUMBERS[:9]])
    words = (ctypes.c_size_t * 3).from_address(id(cls) + type.__basicsize__)
    published = list(words)
    if cls.__flags__ >> 32:                         # the stamp, which is another one in each table ABI
        support.write_stamp(cls, 0)
    for number in (0, 1, 2, 3, 5, 255):
        words[2] = published[2] ^ 4 ^ number    # the lowest byte is the number of the table ABI
        words[1] = 16                           # an address that nobody may read
        assert all(probe.find_type(cls, n, p) is None for n in NUMBERS[:9] for p in (0, 3, 8))
        assert probe.find_any_type(cls, NUMBERS[0]) is None and probe.count_type(cls) == 0
    for number in range(8 * WORD):
        words[2] = published[2] ^ 1 << number
        if number != 12:                        # the bit that says that a class is not finished
            assert probe.find_type(cls, NUMBERS[0]) is None and not probe.check_type(cls), number
    words[:] = published
    assert probe.find_type(cls, NUMBERS[8]) == 1


@pytest.mark.skipif(sys.implementation.name != "cpython", reason="reads memory of CPython")
def test_absent_bits_answer_for_a_small_table(probe, extensibletype):
    cls = with_slots(probe, extensibletype("Small", (), {}), (NUMBERS[0], 1), (NUMBERS[1], 2))
    table = ctypes.c_size_t.from_address(id(cls) + type.__basicsize__ + WORD).value
    absent = ctypes.c_size_t.from_address(table - WORD).value
    assert absent == (1 << 8 * WORD) - 1 & ~(1 << bit(NUMBERS[0])) & ~(1 << bit(NUMBERS[1]))
