# SPDX-License-Identifier: MIT
"""Consumers under the limited API: one binary for CPython 3.10 and later, and one for 3.15 and later with and without a
GIL (abi3t).  They find what consumers with the full API find, also on a CPython whose layouts nobody has looked at."""
import sys
from pathlib import Path

import pytest
import support
from support import A, B, slot_id, static_type

pytestmark = pytest.mark.compilers

LIMITED = Path(__file__).resolve().parent / "limited_consumer.c"

limited_api = pytest.mark.skipif(
    support.FREE_THREADED, reason="free-threaded CPython refuses Py_LIMITED_API with an #error of its own")

ABIS = {"abi3": "-DPy_LIMITED_API=0x030A0000", "abi3t": "-DPy_TARGET_ABI3T=0x030F0000"}
by_abi = pytest.mark.parametrize("abi", [
    pytest.param("abi3", marks=limited_api), pytest.param("abi3t", marks=support.has_abi3t)])

#: There are later ones than the oldest, 3.10's, from 3.11 on.
LATER = range(11, sys.version_info.minor + 1) or [pytest.param(
    11, marks=pytest.mark.skip(reason="before CPython 3.11 there is no later limited API"))]


def consumer(abi, unknown=False, name="limited_consumer"):
    """The path of the consumer; unknown: it takes this CPython for one whose layouts nobody has looked at."""
    return support.build_c(name, LIMITED, cflags=(
        *support.STRICT_FLAGS, ABIS[abi], f"-DNAME={name}", *["-DUNKNOWN"] * unknown))


@pytest.fixture(scope="module", params=[
    pytest.param(("abi3", False), marks=limited_api, id="abi3"),
    pytest.param(("abi3", True), marks=limited_api, id="abi3, unknown CPython"),
    pytest.param(("abi3t", False), marks=support.has_abi3t, id="abi3t"),
    pytest.param(("abi3t", True), marks=support.has_abi3t, id="abi3t, unknown CPython")])
def limited(request):
    abi, unknown = request.param
    return support.load(consumer(abi, unknown, f"limited_{abi}{'_unknown' * unknown}"))


@by_abi
@pytest.mark.parametrize("dialect", support.DIALECTS)
def test_limited_consumer_compiles_without_a_warning(abi, dialect, tmp_path):
    support.compile_all_strictly([LIMITED], dialect, tmp_path, ABIS[abi], check_only=True)


@limited_api
@pytest.mark.parametrize("dialect", ["c99", "c++11"])
@pytest.mark.parametrize("minor", LATER)
def test_limited_consumer_may_ask_for_a_later_limited_api(dialect, minor, tmp_path):
    """From 3.11 on Py_TYPE() and the like take nothing but PyObject *."""
    support.compile_all_strictly([LIMITED], dialect, tmp_path, f"-DPy_LIMITED_API=0x03{minor:02X}0000", check_only=True)


@limited_api
@pytest.mark.skipif(sys.version_info >= (3, 12), reason="the module is one for the main interpreter there")
def test_limited_consumer_may_look_for_the_first_time_in_a_sub_interpreter():
    """Which waits for ever, before CPython 3.12, if it takes the main interpreter's thread state."""
    path = consumer("abi3")
    support.check_child("""
        import sys, support
        support.run_in_new_interpreter(*sys.argv[1:])
        """, """
        import sys
        sys.path.insert(0, target)
        import limited_consumer
        class Plain: pass
        assert limited_consumer.find(Plain(), 0x1000000) is None, "a slot"
        """, path.parent, timeout=60, modules=[support.TESTS / "support.py"])


def test_limited_consumer_finds_the_same(limited, probe, extensibletype):
    static = static_type(probe, "ForLimited", (), [(A, 1), (B, 2)])
    heap = extensibletype("Heap", (static,), {})
    probe.set_slots(heap, [(A, 10)])
    foreign = probe.foreign_static("limited.Foreign", (static,))
    for cls in static, heap, foreign, extensibletype("None_", (), {}), int, object, type:
        assert limited.look(cls) == (probe.check_type(cls), probe.count_type(cls),
                                     probe.address(cls))
    for cls in static, heap, foreign:
        for position in 0, 1, 3, 9, -1:
            assert limited.find(cls(), A, position) == probe.find(cls(), A, position)
    for obj in 5, None, "x", object(), type, heap:
        assert limited.find(obj, A) is None


@by_abi
@pytest.mark.parametrize("unknown", [False, True])
def test_first_limited_lookup_needs_no_gil_and_leaves_exceptions_alone(abi, unknown):
    """It reads the head of objects and the size of PyHeapTypeObject, once."""
    support.check_child("""
        import limited_consumer, probe
        cls = probe.draft_ready(probe.draft("x.First", (), [(257, 1)], 4, None), 4)
        assert limited_consumer.find_quietly(cls(), KeyError("mine"), 257)
        """, modules=[consumer(abi, unknown), support.probe_path()])


def test_limited_consumer_interns_the_same_ids(limited, probe):
    assert limited.intern(b"some.name") == probe.intern(b"some.name")
    with pytest.raises(ValueError, match="found an empty string"):
        limited.intern(b"")


# What is registered, by whom, for which kind of class.  IDs of their own: static types keep them.
REGISTERED = [slot_id(0x3F00), slot_id(0x3F01)]


def test_limited_consumer_registers_what_all_others_find(limited, probe):
    class Plain:
        pass

    class Sub(Plain):
        pass
    one, two = REGISTERED
    limited.register_slot(Plain, one, 5)
    limited.register_slot(bytearray, two, 6)            # static
    for module in limited, probe:
        assert module.find_any(Sub(), one) == 5 and module.find_any(bytearray(), two) == 6
        assert module.find_any([], one) is None
    limited.register_slot(Plain, one, 5)                # the same again is fine
    for module in limited, probe:
        with pytest.raises(ValueError, match=r"\((.*\.)?Plain\): found data 0x7 for slot ID"):
            module.register_slot(Plain, one, 7)


def test_limited_consumer_names_classes_of_any_name(limited):
    """(What is refused, and what goes with a class: core/test_registered.py.)"""
    class Nameless(type):
        def __getattribute__(cls, name):
            raise AssertionError(name)
    with pytest.raises(ValueError, match=r"\(\?\): found slot ID 0"):
        limited.register_slot(Nameless("Joke", (), {}), 0, 1)
    long = type("\u20ac" * 500, (), {})                  # whose 200th byte is in the midst of a character
    with pytest.raises(ValueError, match="\\(\u20ac{66}.?.?\\): found slot ID 0"):
        limited.register_slot(long, 0, 1)


@by_abi
def test_a_head_of_objects_that_is_not_the_one_is_noticed(abi):
    """What a later CPython may have: look-ups stay right, and registering is refused in words."""
    support.check_child("""
        import ctypes, gc, struct, limited_consumer, probe
        slotted = probe.draft_ready(probe.draft("x.First", (), [(257, 1)], 4, None), 4)
        word = struct.calcsize("P")
        size = ctypes.c_ssize_t.from_address(id(object) + object.__basicsize__ + 2 * word)
        assert size.value == object.__basicsize__
        class Plain: pass
        size.value += word
        try:
            assert limited_consumer.find(slotted(), 257) == 1 and limited_consumer.find(5, 257) is None
            for number in range(20):
                try:
                    limited_consumer.register_slot(Plain, 257, 1)
                except RuntimeError as error:
                    assert "in another place than CPython 3.10 to 3.15; build this module for this" in str(error)
                else:
                    raise AssertionError("no error")
                assert limited_consumer.find_any(Plain(), 257) is None
                gc.collect()
            limited_consumer.register_slot(list, 257, 1)        # needs no reference
            assert limited_consumer.find_any([], 257) == 1
        finally:
            size.value -= word
        """, modules=[consumer(abi), support.probe_path()])


@by_abi
@pytest.mark.skipif(sys.version_info < (3, 11), reason="the limited API with buffers begins with CPython 3.11")
def test_registering_typed_functions_is_an_error_that_names_the_api(abi, tmp_path):
    source = tmp_path / "registers.c"
    source.write_text("""
        #include "typedmethod.h"
        int add(PyMethodDef *def, const PyTypedMethodRecord *record);
        int add(PyMethodDef *def, const PyTypedMethodRecord *record) { return PyTypedMethod_Register(def, record); }
        """)
    done = support.compile_strictly(source, "c99", tmp_path / "x.o", ABIS[abi].replace("30A", "30B"), check_only=True)
    assert done.returncode and "registering_needs_the_full_API_without_Py_LIMITED_API" in done.stdout
