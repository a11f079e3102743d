# SPDX-License-Identifier: MIT
"""Newer implementations are imported while other threads make, change and read classes."""
import ages
import pytest
import support
import typed_ages

pytestmark = pytest.mark.thorough


@pytest.mark.parametrize("order", ["old-this-new-function-field", "old-field", "this-state-field", "state-field-old"])
@pytest.mark.parametrize("seed", [1, 2])
def test_threads_do_not_notice_who_serves(order, seed):
    order = order.split("-")
    rows, serving = ages.verdicts(order)
    ages.check(f"""
        import racing
        modules = racing.race({[f"age_{age}" for age in order]!r}, seed={seed})
        E = modules[0].import_metaclass()
        assert modules[0].met(E) == {rows!r}, modules[0].met(E)
        assert {{module.serving() for module in modules}} == {{{ages.named(serving)!r}}}
        """, *order, modules=[ages.HERE / "racing.py"])


@pytest.mark.parametrize("seed", [1, 2])
def test_typed_functions_are_registered_and_found_meanwhile(seed):
    order = ["old", "this", "function", "field"]
    typed = ["this", "layout", "record", "flags"]
    rows, serving = ages.verdicts(order)
    typed_ages.check(f"""
        import typed_racing
        modules = typed_racing.race({[f"age_{age}" for age in order]!r},
                                    {[f"typed_{age}" for age in typed]!r}, seed={seed}, steps=600)
        E = modules[0].import_metaclass()
        rows = [row for row in modules[0].met(E) if row[0].startswith("age_")]
        assert [row[0] for row in rows] == {[row[0] for row in rows]!r}, rows
        assert {{module.serving() for module in modules}} == {{{ages.named(serving)!r}}}
        """, *typed, modules=[ages.HERE / "typed_racing.py", ages.HERE / "exercise.py",
                              support.TESTS / "core" / "interfaces.py",
                              support.TESTS / "hostile" / "changing_classes.py",
                              *(ages.build(age) for age in order)])


def test_threads_that_bring_implementations_at_once_agree():
    """Whoever is faster: the newest serves in the end, and each came by once."""
    names = [f"age_{age}" for age in ("old", "this", "new", "function", "field")]
    lazy = [ages.build(name[4:], f"lazy_{name[4:]}", more=("-DAGE_LAZY",)) for name in names]
    ages.check(f"""
        import os, threading, traceback
        modules = [__import__(name.replace("age_", "lazy_")) for name in {names!r}]

        def meet():
            barrier, failures = threading.Barrier(len(modules) * 2), []
            def work(module):
                try:
                    barrier.wait()
                    E = module.import_metaclass()
                    # Who came by is served by itself or by a newer one.
                    number = lambda who: tuple(map(int, who.split()[1].split(".")))
                    mine = [who for who, _, _ in module.met(E) if who.startswith(module.__name__)]
                    if mine:        # another thread may be about to write it down
                        assert number(module.serving()) >= number(mine[0]), (mine, module.serving())
                    if hasattr(module, "answer"):
                        assert module.answer() == 42
                except BaseException as error:
                    failures.append(error)
            threads = [threading.Thread(target=work, args=(module,)) for module in modules * 2]
            for thread in threads: thread.start()
            for thread in threads: thread.join()
            if failures: raise failures[0]
            E = modules[0].import_metaclass()
            came = modules[0].met(E)
            assert sorted(who.split()[0] for who, _, _ in came) == sorted(
                module.__name__ for module in modules), came
            assert modules[0].serving() == "lazy_field 9.4.0" and came[0][2] == {ages.CREATED}, came
            # Each that took over is the one that somebody found, or that serves.
            took = [who for who, _, verdict in came if verdict in ({ages.CREATED}, {ages.TOOK})]
            found = {{found for _, found, _ in came}} - {{None}}
            assert found <= set(took), came
            class S(metaclass=modules[0].rich_metaclasses()[0], level=5):
                pass
            assert S.level == 5

        if not hasattr(os, "fork"): raise SystemExit(meet())
        for _ in range(60):
            pid = os.fork()
            if pid == 0:
                try:
                    meet()
                except BaseException:
                    traceback.print_exc()
                    os._exit(1)
                os._exit(0)
            assert os.waitpid(pid, 0)[1] == 0
        """, modules=lazy)
