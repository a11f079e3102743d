# SPDX-License-Identifier: MIT
"""PyExtensibleType_SetSlots(): slots for types that are finished; and slots of C types with names as IDs."""
import re

import pytest
import support
from support import A, B, C, static_type


@pytest.fixture
def cls(probe, extensibletype):
    return extensibletype("Cls", (), {})


def test_slots_are_given_replaced_and_taken_away(probe, cls):
    assert probe.table_type(cls) == []
    probe.set_slots(cls, [(A, 1)])
    assert probe.table_type(cls) == [(A, 1)]
    probe.set_slots(cls, [(B, 2), (C, 3)])
    assert probe.table_type(cls) == [(B, 2), (C, 3)]
    probe.set_slots(cls, [])
    assert probe.table_type(cls) == [] and probe.check_type(cls)


def test_bad_table_is_refused_and_changes_nothing(probe, extensibletype, cls):
    """test_ready.py has all that makes one bad."""
    probe.set_slots(cls, [(C, 3)])
    sub = extensibletype("Sub", (cls,), {})
    before = [probe.address(cls), probe.address(sub)]
    with pytest.raises(ValueError, match="Cls.*at position 0 and again at 1"):
        probe.set_slots(cls, [(A, 1), (A, 2)])
    assert [probe.address(cls), probe.address(sub)] == before
    assert probe.table_type(sub) == [(C, 3)]


def test_type_without_the_metaclass_is_refused_by_name(probe, extensibletype):
    shared = re.escape(f"_extensibletype.{extensibletype.__name__}")
    for plain, name in (int, "int"), (type("Plain", (), {}), "Plain"), (extensibletype, shared):
        with pytest.raises(TypeError, match=f"'{name}': found .* metaclass '.*type.*'.*expected a finished type whose "
                                            f"metaclass derives from {shared}"):
            probe.set_slots(plain, [(A, 1)])


def test_static_type_of_somebody_else_is_refused(probe):
    base = static_type(probe, "SetBase", (), [(A, 1)])
    foreign = probe.foreign_static("foreign.SetSub", (base,))
    with pytest.raises(TypeError, match="static and was made without this library"):
        probe.set_slots(foreign, [(B, 1)])
    assert probe.table_type(foreign) == [(A, 1)]


def test_same_slots_again_keep_the_table_and_switching_to_and_fro_keeps_memory_flat(probe, cls):
    probe.set_slots(cls, [(A, 1)])
    before = probe.address(cls)
    probe.set_slots(cls, [(A, 1)])
    assert probe.address(cls) == before and probe.retired(cls) == 0
    for _ in range(2000):
        probe.set_slots(cls, [(A, 1)])
        probe.set_slots(cls, [(B, 1)])
    assert probe.retired(cls) <= 2


# ------------------------------------------------- names as IDs, which need no check of their own --

@pytest.fixture(scope="module")
def named(_cache_exists):
    source = support.TESTS / "core" / "named_module.c"
    return support.load(support.build_c("named", source, cflags=("-std=c99", *support.STRICT_FLAGS)))


def given_later(named, probe, *names):
    cls = probe.import_metaclass()("Cls", (), {})
    named.set_slots(cls, *names)
    return cls


#: What takes a table of slots from C.
WAYS = {"from_spec": lambda named, probe, *names: named.from_spec(*names),
        "ready": lambda named, probe, *names: named.ready(*names), "set_slots": given_later}


@pytest.mark.parametrize("take", WAYS.values(), ids=WAYS)
@pytest.mark.parametrize("names", [("", "named.b"), ("named.a", ""), ("", "")], ids=["first", "second", "both"])
def test_a_name_that_could_not_be_interned_is_the_error_of_who_takes_the_slots(named, probe, take, names):
    for _ in range(3):
        with pytest.raises(ValueError, match="PyCustomSlots_Intern: found an empty string"):
            take(named, probe, *names)
    made = take(named, probe, "named.a", "named.b")         # nothing is left of the failure
    assert [i for i, _ in probe.table_type(made)] == [probe.intern(b"named.a"), probe.intern(b"named.b")]
    assert made().__class__ is made


def test_registering_under_a_name_that_could_not_be_interned_is_that_error(named, probe):
    class Plain: pass
    with pytest.raises(ValueError, match="PyCustomSlots_Intern: found an empty string"):
        named.register(Plain, "")
    assert named.register(Plain, "named.c") is None
    with pytest.raises(TypeError, match="an extensible type"):
        named.register(support.with_slots(probe, probe.import_metaclass()("Cls", (), {})), "named.c")
