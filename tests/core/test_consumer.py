# SPDX-License-Identifier: MIT
"""customslots.h: a look-up answers for every object and type there is."""
import inspect
import sys
import textwrap
import types

import pytest
import support
from support import EMPTY, SKIP, A, B, C, static_type

pytestmark = [pytest.mark.msvc, pytest.mark.processors]

STDLIB = ("array ast asyncio collections.abc concurrent.futures contextvars csv ctypes curses dataclasses datetime dbm "
          "decimal email.message enum fractions functools hashlib html.parser http.client inspect io json logging lzma "
          "mmap multiprocessing pathlib pickle re select selectors socket sqlite3 ssl statistics struct symtable "
          "tarfile threading tokenize typing unicodedata unittest.mock uuid weakref xml.etree.ElementTree zipfile zlib "
          "zoneinfo _testcapi").split()


def function():
    yield


class Plain:
    __slots__ = ("member",)


PLAIN_OBJECTS = [
    5, None, NotImplemented, "text", (), [], object(), Plain(), function, function(), len, str.join, Plain.member,
    sys, types.SimpleNamespace(), memoryview(b""), Exception(), sys.flags, int, type, object, Plain, type(sys),
]


@pytest.fixture(scope="module")
def provider(probe):
    return static_type(probe, "Provider", (), [(A, 11), (B, 12)])


def all_types():
    """Every type that object.__subclasses__ leads to; by address, as some define __eq__."""
    found, stack = {id(object): object}, [object]
    while stack:
        for cls in type.__subclasses__(stack.pop()):
            if id(cls) not in found:
                found[id(cls)] = cls
                stack.append(cls)
    return list(found.values())


@pytest.mark.parametrize("obj", PLAIN_OBJECTS, ids=lambda obj: type(obj).__name__)
def test_plain_object_has_no_table_and_no_slot(probe, obj):
    assert probe.check(obj) is False
    assert probe.count(obj) == 0
    assert probe.table(obj) is None
    for position in (0, 1, 3, 4, 100, -1, sys.maxsize, -sys.maxsize - 1):
        assert probe.find(obj, A, position) is None


def test_no_type_of_the_running_interpreter_is_taken_for_extensible():
    """In a child: other tests make classes that no hook of ours sees, and 3.13t keeps them."""
    support.check_child(inspect.getsource(all_types) + textwrap.dedent(f"""
        import importlib, probe, pytest, hypothesis, warnings
        A, extensibletype = {A}, probe.import_metaclass()
        provider = probe.draft_ready(probe.draft("static.Provider", (), [(A, 1)], 4, None), 4)
        warnings.simplefilter("ignore")
        for name in {STDLIB}:
            try:
                importlib.import_module(name)
            except ImportError:      # not built in this interpreter
                pass
        seen, providers = all_types(), 0
        assert len(seen) > 1000, len(seen)
        for cls in seen:
            if isinstance(cls, extensibletype):
                assert probe.check_type(cls)
                providers += 1
            else:
                assert not probe.check_type(cls), cls
                assert probe.count_type(cls) == 0 and probe.table_type(cls) is None
                assert probe.find_type(cls, A) is None
            # The type as an object: its metaclass is looked at.
            assert not probe.check(cls) and probe.find(cls, A) is None
        assert providers
        """), modules=[support.probe_path()])


def test_slots_of_a_provider_are_found_through_instance_and_type(probe, provider):
    obj = provider()
    assert probe.check(obj) and probe.check_type(provider)
    assert probe.count(obj) == probe.count_type(provider) == 2
    assert probe.table(obj) == probe.table_type(provider) == [(A, 11), (B, 12)]
    assert (probe.find(obj, A), probe.find_type(provider, A)) == (11, 11)
    assert (probe.find(obj, B), probe.find_type(provider, B)) == (12, 12)
    assert probe.find(obj, C) is None and probe.find_type(provider, C) is None
    assert not probe.check(provider)         # its own type is a metaclass, no provider


def test_special_ids_are_never_found(probe):
    cls = static_type(probe, "Padded", (), [(SKIP, 0), (A, 1), (EMPTY, 0), (SKIP, 0), (B, 2)])
    for special in (EMPTY, SKIP):
        for position in (*range(-1, 9), sys.maxsize):
            assert probe.find_type(cls, special, position) is None
            assert probe.find(cls(), special, position) is None
    assert (probe.find_type(cls, A), probe.find_type(cls, B)) == (1, 2)


def test_published_table_has_the_guaranteed_entries_in_memory(probe, extensibletype, provider):
    least = probe.constants()["min_capacity"]
    assert least == 4
    empty = extensibletype("Empty", (), {})
    assert probe.count_type(empty) == 0
    assert probe.first_entries(empty) == [(EMPTY, 0)] * least
    assert probe.first_entries(provider) == [(A, 11), (B, 12), (EMPTY, 0), (EMPTY, 0)]


@pytest.mark.parametrize("pending", [KeyError("mine"), StopIteration(), SystemExit(3)],
                         ids=repr)
def test_lookup_leaves_a_pending_exception_and_sets_none(probe, provider, pending):
    for obj in [*PLAIN_OBJECTS, provider, provider()]:
        assert probe.leaves_exceptions_alone(obj, pending, A)


def test_lookup_needs_no_thread_state(probe, provider):
    assert probe.find_without_gil(provider, B, 1000) == 1000
    assert probe.find_without_gil(int, B, 1000) == 0


def test_foreign_static_subclass_answers_with_its_bases_table(probe):
    """It owns sizeof(PyTypeObject) bytes: reading beyond is a crash, so in a child."""
    support.check_child("""
        from probe import *
        A, B = 257, 513
        base = draft_ready(draft("static.Base", (), [(A, 1), (B, 2)], 8, None), 8)
        foreign = foreign_static("foreign.Sub", (base,))
        deeper = foreign_static("foreign.Deeper", (foreign,))
        for cls in foreign, deeper:
            assert type(cls) is type(base)
            assert check_type(cls) and check(cls())
            assert address(cls) == address(base)
            assert find_type(cls, A) == 1 and find(cls(), B, 1) == 2
            assert count_type(cls) == 2 and find_type(cls, 99) is None
            assert state(cls) == "none"
        plain = foreign_static("foreign.Plain", ())
        assert not check_type(plain) and find_type(plain, A) is None
        class Sub(deeper): pass
        assert find_type(Sub, B) == 2 and state(Sub) == "ready"
        """, modules=[support.probe_path()])


def test_static_type_of_somebody_else_with_a_used_ob_size_is_no_provider(probe):
    """A wrong mark must not make the test read behind a static type."""
    support.check_child("""
        import ctypes
        from probe import *
        base = draft_ready(draft("static.Base", (), [(257, 1)], 8, None), 8)
        foreign = foreign_static("foreign.Sub", (base,))
        word = ctypes.c_ssize_t.from_address(
            id(foreign) + object.__basicsize__)      # ob_size
        for value in 1, -1, constants()["static_mark"] + 1, -constants()["static_mark"]:
            word.value = value
            assert find_type(foreign, 257) == 1
        """, modules=[support.probe_path()])
