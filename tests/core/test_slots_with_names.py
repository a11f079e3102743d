# SPDX-License-Identifier: MIT
"""Slots of C types with names as IDs, which need no check of their own."""
import pytest
import support


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
