# SPDX-License-Identifier: MIT
"""The process's table among threads, interpreters, junk, and without memory."""
import textwrap

import pytest
import support
from changing_classes import run_together
from support import slot_id
from test_allocation_failures import MODULES
from test_allocation_failures import PROLOGUE as MEMORY
from test_rendezvous import PROLOGUE as JUNK
from test_sub_interpreters import check

pytestmark = [pytest.mark.msvc, pytest.mark.usefixtures("switch_often")]

OWN = slot_id(0x5002)


def plain(name, *bases):
    return type(name, bases, {})


# ---------------------------------------------------------------------------- threads --


def test_threads_that_register_the_same_type_agree_on_one_winner(probe):
    for _ in range(100):
        cls, refused = plain("Wanted"), []

        def work(data, cls=cls, refused=refused):
            try:
                probe.register_slot(cls, OWN, data)
            except ValueError:
                refused.append(data)

        run_together(*[lambda data=data: work(data) for data in (1, 2, 1, 2)])
        winner = probe.find_any_type(cls, OWN)
        assert winner in (1, 2) and refused == [3 - winner] * 2


# --------------------------------------------------------------------- no memory, junk --


@pytest.mark.parametrize("heap", [True, False], ids=["heap type", "static type"])
def test_registering_with_every_failure(heap):
    """malloc() itself, which holds the entries, is not hooked here."""
    make = "type('Cls', (), {})" if heap else "list"
    support.check_child(MEMORY + textwrap.dedent(f"""
        import itertools
        ids = itertools.count(1025, 256)
        register_slot(set, 257, 1)               # the table exists
        # (A static type takes no memory of Python's; what converts the arguments may.)
        for attempt in attempts(call_failing, least=4 * {heap}):
            cls, i = {make}, next(ids)
            count = table_state()["count"]
            result = attempt(lambda: register_slot(cls, i, 5))
            if result is MemoryError:
                assert find_any_type(cls, i) is None
                assert table_state()["count"] == count
                register_slot(cls, i, 6)
                assert find_any_type(cls, i) == 6
            else:
                assert result is None and find_any_type(cls, i) == 5
        """), modules=MODULES)


def test_first_use_of_the_table_with_every_failure():
    """A look-up answers NULL, without an exception, and finds it later."""
    support.check_child("""
        from functools import partial
        from failing import in_processes
        from probe import *
        # Arguments of the call itself come from where Python keeps freed tuples, which is full
        # then, and partial() needs no frame.
        del [(n, n) for n in range(100)][:]
        def finding(attempt):
            assert attempt(partial(find_any, [], 257)) is None
            attempt.failed = attempt.reached
            after()
        def registering(attempt):
            if attempt(partial(register_slot, list, 257, 1)) is None: assert find_any([], 257) == 1
            after()
        def after():
            register_slot(list, 257, 1)
            assert find_any([], 257) == 1
        for work in finding, registering: in_processes(call_failing, work, least=2)
        """, modules=MODULES)


def test_lookup_during_the_death_of_classes_without_memory():
    support.check_child("""
        import gc
        from probe import *
        for n in range(60):
            cls = type("Cls", (), {})
            register_slot(cls, 257, n)
            sub = type("Sub", (cls,), {})
            del cls, sub
            call_failing(gc.collect, n, True)
            for _ in range(20): assert find_any_type(type("New", (), {}), 257) is None
            gc.collect()
        """, modules=[support.probe_path()])


@pytest.mark.parametrize("junk", ["5", "None", "{}", "object()", "capsule(256, b'another.name')"])
def test_junk_in_the_place_of_the_table_is_refused_and_nothing_is_found(junk):
    support.check_child(JUNK + textwrap.dedent(f"""
        import probe
        junk = state()["_customslots_table_v3"] = {junk}
        for _ in range(3):
            assert probe.leaves_exceptions_alone([], KeyError("mine"), 257)
            assert probe.find_any([], 257) is None
            for cls in list, type("Cls", (), {{}}):
                message = str(refused(RuntimeError, probe.register_slot, cls, 257, 1))
                assert repr(junk) in message and "expected a capsule" in message, message
                assert "PyCustomSlots_Register" in message and "remove it" in message
        assert state()["_customslots_table_v3"] is junk
        del state()["_customslots_table_v3"]
        probe.register_slot(list, 257, 1)
        assert probe.find_any([], 257) == 1
        """), modules=[support.probe_path()])


def test_junk_in_the_place_of_the_weak_references_is_refused():
    """Entries of types that died meanwhile cannot be taken out, and are not found, even
    by new types at the same addresses."""
    support.check_child(JUNK + textwrap.dedent("""
        import gc, probe
        mortal = sys.getrefcount(type("Mortal", (), {})) < 1 << 30
        # A living class between any two: what dies leaves holes of a class's size.
        old, between = zip(*((type("Old", (), {}), type("Kept", (), {})) for _ in range(100)))
        for cls in old: probe.register_slot(cls, 257, 1)
        entries = state()["_customslots_registered_v1"]
        state()["_customslots_registered_v1"] = 5
        cls = type("Cls", (), {})
        message = str(refused(RuntimeError, probe.register_slot, cls, 257, 1))
        assert "found 5" in message and "a dict" in message
        assert probe.find_any_type(cls, 257) is None and probe.find_any_type(old[0], 257) == 1
        addresses = set(map(id, old))
        del old, cls
        gc.collect()                              # their callbacks find junk
        assert probe.table_state()["count"] == 100
        new = [type("New", (), {}) for _ in range(400)]
        sanitized = sys.argv[1] == "True"         # freed memory is kept away from others
        assert not mortal or sanitized or addresses & set(map(id, new))
        assert not any(probe.find_any_type(cls, 257) for cls in new)
        state()["_customslots_registered_v1"] = entries
        for cls in new: probe.register_slot(cls, 257, id(cls))
        assert all(probe.find_any_type(cls, 257) == id(cls) for cls in new)
        del new, cls
        gc.collect()
        assert not mortal or probe.table_state()["count"] == 100
        entries.clear()
        assert probe.table_state()["count"] == 0
        """), support.SANITIZE, modules=[support.probe_path()])


# ----------------------------------------------------------------------- interpreters --

#: What runs in a sub-interpreter.
IN_SUB = """
    import gc, probe
    class Cls: pass
    class Sub(Cls, list): pass
    assert probe.find_any([], 257) == {expected}
    probe.register_slot(Cls, 513, 7)
    assert probe.find_any(Sub(), 513) == 7 and probe.find_any(Sub(), 257) == {expected}
    probe.register_slot(list, 257, 5)
    try: probe.register_slot(list, 257, 6)
    except ValueError: pass
    else: raise SystemExit("two data for one type")
    Cls.cycle = [Cls, Sub]
    with open(target, "a") as file:
        file.write(f"{{probe.table_state()['address']}}\\n")
    """


def test_interpreters_share_static_types_and_leave_nothing_when_they_end(tmp_path):
    check(f"""
        import gc, probe
        target = pathlib.Path(sys.argv[1])
        probe.register_slot(list, 257, 5)
        before = probe.table_state()
        for _ in range(10):
            run({IN_SUB!r}.format(expected=5), target)
            for _ in range(30): assert probe.find_any_type(type("New", (), {{}}), 513) is None
        gc.collect()
        after = probe.table_state()
        assert after["count"] == before["count"], (before, after)
        rows = target.read_text().split()
        assert len(rows) == 10 and set(map(int, rows)) == {{after["address"]}}
        """, tmp_path / "rows")


@pytest.mark.skipif(support.sys.version_info < (3, 12), reason="versions belong to the process")
def test_an_interpreter_does_not_believe_another_ones_answer():
    """Two interpreters may give one version to two types that had one address."""
    check("""
        import probe
        code = '''
            import probe
            cls = type("Cls", (), {})
            probe.register_slot(cls, 513, 7)
            probe.register_slot(list, 257, 5)
            assert probe.find_any_type(cls, 513) == 7
            if probe.forge_answer(cls, 513, "main"):
                assert probe.find_any_type(cls, 513) == 7
                probe.forge_answer(list, 257, "nothing")
                assert probe.find_any([], 257) is None      # of a static type it may
            '''
        run(code)
        cls = type("Cls", (), {})
        probe.register_slot(cls, 513, 7)
        if probe.forge_answer(cls, 513, "main"): assert probe.find_any_type(cls, 513) is None
        """)


def test_sub_interpreter_may_be_the_first_of_all_to_look_and_to_register(tmp_path):
    check(f"""
        target = pathlib.Path(sys.argv[1])
        run({IN_SUB!r}.format(expected=None), target)
        import probe
        assert probe.find_any([], 257) == 5       # list belongs to the process
        assert probe.find_any(type("New", (), {{}})(), 513) is None
        assert probe.table_state()["count"] == 1
        assert int(target.read_text()) == probe.table_state()["address"]
        """, tmp_path / "rows")


def test_interpreters_in_parallel_register_and_end(tmp_path):
    check("""
        import probe, threading
        code = '''
            import gc, probe
            for i in range(300):
                cls = type("Cls", (), {})
                assert probe.find_any_type(cls, 513) is None
                probe.register_slot(cls, 513, i)
                assert probe.find_any_type(type("Sub", (cls,), {}), 513) == i
                assert probe.find_any([], 257) == 5
                if i % 40 == 0: gc.collect()
            '''
        probe.register_slot(list, 257, 5)
        failures = []
        def work():
            try:
                for _ in range(3): run(code)
            except BaseException as error: failures.append(error)
        threads = [threading.Thread(target=work) for _ in range(3)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
        if failures: raise failures[0]
        assert probe.table_state()["count"] == 1, probe.table_state()
        """)


def test_lookups_while_the_program_ends_are_quiet():
    support.check_child("""
        import probe
        class Last:
            def __del__(self, find=probe.find_any):
                assert find(self, 257) in (1, None) and find([], 513) in (2, None)
        probe.register_slot(Last, 257, 1)
        probe.register_slot(list, 513, 2)
        import sys
        sys.last = Last()
        sys.last.me = sys.last
        probe.last = Last()
        """, modules=[support.probe_path()])
