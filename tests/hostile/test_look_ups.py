# SPDX-License-Identifier: MIT
"""Look-ups that go through the word in front of a table, while everything behind it changes."""
import support


def test_they_are_right_while_classes_are_finished_and_implementations_take_over():
    """Three threads without a GIL; classes come to them unfinished, from __init_subclass__."""
    swapping = support.build_c("swapping", support.TESTS / "hostile/swapping.c", carries=True)
    support.check_child("""
        import sys, threading
        import cython_customslots, probe, swapping
        from support import A, B, C, D, FREE_THREADED, slot_id, with_slots
        sys.setswitchinterval(1e-6)
        E, shared, served, done, failures = cython_customslots.ExtensibleType, [], set(), threading.Event(), []

        class Base(metaclass=E):
            def __init_subclass__(cls):
                shared[:] = [*shared[-9:], cls]
        with_slots(probe, Base, (A, 1), (B, 2))
        others = [with_slots(probe, E(f"Other{n}", (), {}), *((slot_id(500 + i), i) for i in range(n)), (C, 3))
                  for n in (0, 20)]

        def read():
            try:
                while not done.is_set():
                    for cls in list(shared):
                        assert [probe.find_without_gil(cls, i, 200) for i in (A, B, C, D)] == [200, 200, 200, 0], cls
                        probe.table_type(cls)           # (count and table may be of two moments)
            except BaseException as error:
                failures.append(error)

        threads = [threading.Thread(target=read) for _ in range(3)]
        for thread in threads: thread.start()
        for n in range(60 if FREE_THREADED else 600):    # (where all threads have to be stopped for it)
            made = type("Made", (Base, others[n % 2]), {})
            below = E("Below", (made,), {})
            served.add(swapping.swap(E))
            made.__bases__ = (others[n // 2 % 2], Base)
            probe.set_slots(below, [(slot_id(600 + n), n)])
        done.set()
        for thread in threads: thread.join()
        if failures: raise failures[0]
        assert len(served) == 2, served
        """, modules=[support.TESTS / "support.py", support.probe_path(), swapping])
