# SPDX-License-Identifier: MIT
"""Records: which are registered, and what is said about those that are not."""
import pytest
from typed_support import entry, found, new_function, sig

pytestmark = [pytest.mark.msvc, pytest.mark.processors, pytest.mark.on_pypy]


def refused(typed, words, record, method=None):
    method = method or typed.method("f")
    before = typed.table_state()["live"]
    with pytest.raises(ValueError) as caught:
        typed.register([(method, record)])
    message = str(caught.value)
    assert "PyTypedMethod_Register('f')" in message and words in message, message
    assert "found" in message
    assert typed.table_state()["live"] == before and not typed.is_registered(method)


@pytest.fixture
def fine(typed):
    return [entry("f8(f8)", "double_0", typed.MAYBE, 0.0)]


def test_the_same_pair_again_is_fine(typed, fine):
    method, record = typed.method("f"), typed.record(fine, name=None)       # which is for messages
    typed.register([(method, record)])
    live = typed.table_state()["live"]
    typed.register([(method, record)])
    typed.register([(method, record), (method, record)])
    assert typed.table_state()["live"] == live


def test_another_record_for_the_same_method_is_an_error(typed, fine):
    method, first, second = typed.method("f"), typed.record(fine), typed.record(fine)
    typed.register([(method, first)])
    other = typed.method("g")
    with pytest.raises(ValueError, match=r"\('f'\): found a second record for this"):
        typed.register([(other, first), (method, second)])
    assert not typed.is_registered(other) and typed.is_registered(method)
    assert found(typed.function(method, None), "f8(f8)") == "double_0"


def test_pairs_that_are_refused_were_never_in_the_table(typed, fine):
    before, method, other, record = typed.method("before"), typed.method("f"), typed.method("g"), typed.record(fine)
    typed.register([(before, record)])
    state = typed.table_state()
    with pytest.raises(ValueError, match=r"\('f'\): found a second record"):
        typed.register([(before, record), (other, record), (method, record), (method, typed.record(fine))])
    assert typed.table_state() == state         # a cell that was used once stays so
    assert typed.is_registered(before)


def test_many_are_registered_all_or_none(typed, fine):
    methods = [typed.method("f") for _ in range(300)]
    pairs = [(method, typed.record(fine)) for method in methods]
    with pytest.raises(ValueError, match="magic"):
        typed.register([*pairs, (typed.method("bad"), typed.record(fine, magic=1))])
    assert not any(map(typed.is_registered, methods))
    typed.register(pairs)
    assert all(map(typed.is_registered, methods))
    typed.register([])


def test_null_and_odd_addresses_are_refused(typed, fine):
    with pytest.raises(ValueError, match="found NULL, expected a PyMethodDef"):
        typed.register([(None, typed.record(fine))])
    for odd in 1, 2, 3:                             # the other kinds of keys
        with pytest.raises(ValueError, match="found an address that is no multiple of four, expected a PyMethodDef"):
            typed.register([(typed.method("f") + odd, typed.record(fine))])
    refused(typed, "found NULL, expected a record", None)


@pytest.mark.parametrize("change, words", [
    ({"magic": 0}, "found magic number 0, expected PyTypedMethod_MAGIC"),
    ({"magic": 0x314D5054}, "it is damaged"),
    ({"abi": 2}, "found a record of ABI 2, expected 1; rebuild"),
    ({"entry_size": 24}, "found entries of 24 bytes, expected 32 or a larger multiple of 8"),
    ({"entry_size": 36}, "found entries of 36 bytes"),
    ({"count": 0}, "found 0 entries, expected 1 to 4096"),
    ({"count": 4097}, "found 4097 entries"),
    ({"flags": 4}, "found flags 4 of the record, expected 0"),
    ({"no_entries": True}, "found NULL as the entries"),
    ({"shift_record": 1}, "expected one aligned as its struct is"),
    ({"shift_entries": 2}, "expected them aligned as their struct is"),
], ids=lambda value: "-".join(f"{k}={v}" for k, v in value.items())
    if isinstance(value, dict) else "")
def test_forged_record_is_refused(typed, fine, change, words):
    refused(typed, words, typed.record(fine, **change))


@pytest.mark.parametrize("signature, function, flags, reserved, words", [
    (0, "double_0", 0, 0, "found signature 0, which is none"),
    (1 | 19 << 1, "double_0", 0, 0, "which is none; expected one made by PyTypedMethod_SIG()"),
    ("f8(f8)", None, 0, 0, "found NULL as the function"),
    ("f8(f8)", "double_0", 1 << 31, 0, "found flags 2147483648, which are unknown"),
    ("f8(f8)", "double_0", 8 | 16, 0, "at most one of CTX_FIRST, CTX_LAST and SELF"),
    ("f8(f8)", "double_0", 32, 0, "found flag SELF, expected an `object` as the first"),
    ("f8()", "double_0", 32, 0, "found flag SELF"),
    ("f8(f8)", "double_0", 0, 1, "found 1 as `reserved`, expected 0"),
    ("void(f8)", "double_0", 1, 0, "expected RAISES_ANY"),
    ("c16(f8)", "double_0", 2, 0, "expected RAISES_ANY"),
])
def test_forged_entry_is_refused(typed, fine, signature, function, flags, reserved, words):
    number = sig(signature) if isinstance(signature, str) else signature
    record = typed.record([*fine, (number, function, flags, 0, reserved)])
    refused(typed, words, record)
    with pytest.raises(ValueError, match="entry 1: "):
        typed.register([(typed.method("f"), record)])


def test_larger_entries_of_a_later_version_are_walked_by_their_size(typed):
    record = typed.record([entry("f8(f8)", "double_0"), entry("i8(i8)", "long_1"),
                           entry("f8()", "no_arguments")], entry_size=48)
    method = typed.method("f")
    typed.register([(method, record)])
    function = typed.function(method, None)
    assert [found(function, text) for text in ("f8(f8)", "i8(i8)", "f8()", "i4(i4)")] == [
        "double_0", "long_1", "no_arguments", None]
    assert typed.signatures(function) == ("f8(f8)", "i8(i8)", "f8()")


def test_as_many_entries_as_are_allowed(typed):
    record = typed.record([entry("f8(f8)", "double_0")] * 4095 + [entry("f8()", "no_arguments")])
    method = typed.method("f")
    typed.register([(method, record)])
    assert found(typed.function(method, None), "f8()") == "no_arguments"
    assert typed.signatures(typed.function(method, None)) == ("f8(f8)", "f8()")


def test_first_of_two_overloads_with_one_signature_answers(typed):
    function = new_function(entry("i8(i8)", "long_1"), entry("i8(i8)", "long_7"))
    assert found(function, "i8(i8)") == "long_1"
    assert typed.signatures(function) == ("i8(i8)",)


def test_address_that_is_no_long_signature_is_refused(typed):
    number = typed.intern("f8(f8)")
    refused(typed, f"found signature {number}, which is none", typed.record([(number, "double_0", 0, 0)]))


# ------------------------------------------------------------------------- by name --

def test_records_are_registered_for_methods_of_their_name(typed, fine):
    typed.register_methods(["a", "b"], [typed.record(fine, name="b")])
    for name in "c", "", None:
        with pytest.raises(ValueError, match="expected one of a method in this PyMethodDef array"):
            typed.register_methods(["a", "b"], [typed.record(fine, name=name)])
