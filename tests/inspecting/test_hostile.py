# SPDX-License-Identifier: MIT
"""To look at anything that Python can make tells something true, raises nothing, and ends no process."""
import textwrap

import pytest
import support
from support import only_on_cpython

pytestmark = only_on_cpython("types of PyPy carry nothing")

PRELUDE = """
    import sys, types
    import probe
    from cython_customslots import explain, fields, interfaces, slots
    from cython_customslots.inspecting.classes import Look
    from cython_customslots.inspecting.picture import svg
    from cython_customslots.inspecting.targets import inspect_all, inspect_object
    from cython_customslots.inspecting.records import to_json
    E = probe.import_metaclass()
    def all_of(obj):
        'Everything that there is to look at it with; the text.'
        report = Look().report(obj if issubclass(type(obj), type) else type(obj))
        import json
        json.dumps(to_json(report))
        return "\\n".join(map(str, [slots(obj), fields(obj), interfaces(obj), explain(obj), report,
                                   inspect_object(obj), svg(report)]))

    def cls(*own):
        made = E("Made", (), {})
        probe.set_slots(made, list(own))
        return made
    A, B = 0x01000101, 0x01000201
"""


def child(code, **options):
    return support.check_child(textwrap.dedent(PRELUDE) + textwrap.dedent(code),
                               modules=[support.TESTS / "support.py", support.probe_path()], **options)


def test_ids_and_data_of_every_kind():
    child("""
        import random
        chance = random.Random(7)
        for _ in range(300):
            ids = list({chance.choice([2, 4, 8, id(E), 1 << 46, 3, 0xFFFFFFFF, chance.getrandbits(63),
                                       chance.getrandbits(31)]) for _ in range(4)})
            c = cls(*((number, chance.getrandbits(63)) for number in ids))
            assert sorted(slot.id for slot in slots(c)) == sorted(ids)
            all_of(c)""")


# ------------------------------------------------------------------- half-made classes --

def test_classes_inside_their_own_making():
    child("""
        seen = []
        class Hook:
            def __set_name__(self, owner, name): seen.append(all_of(owner))
        metaclass = probe.rich_metaclasses()[0]
        class Base(metaclass=metaclass):
            def __init_subclass__(cls, **kw): seen.append(all_of(cls)); super().__init_subclass__()
        probe.set_slots(Base, [(A, 1)])
        class Sub(Base): hook = Hook()
        class Meta(metaclass):
            def __new__(meta, *args):
                made = super().__new__(meta, *args); seen.append(all_of(made)); return made
            def __init__(cls, *args): seen.append(all_of(cls)); super().__init__(*args)
            def mro(cls): seen.append(all_of(cls)); return super().mro()
        class Third(Base, metaclass=Meta, level=3): hook = Hook()
        type("Fourth", (Third,), {"hook": Hook()})
        class Odd(type):
            def mro(cls): inspect_all(); return (cls, object)
        class D(metaclass=Odd): pass
        all_of(D)
        assert len(seen) > 9 and all("Traceback" not in text for text in seen)
        assert slots(Third).state == "finished" and fields(Third).fields[0].value == 3
        """)


# ------------------------------------------------------------------- objects that fight --

def test_objects_that_raise_whatever_they_are_asked():
    child("""
        class Angry:
            def __getattribute__(self, name): raise SystemExit(name)
            __repr__ = __str__ = __eq__ = __hash__ = __bool__ = __len__ = __call__ = __getattribute__
            @property
            def __class__(self): raise SystemExit("class")
        class Meta(type):
            def __getattribute__(cls, name): raise SystemExit(name)
            def __repr__(cls): raise SystemExit("repr")
            def __eq__(cls, other): raise SystemExit("eq")
            __hash__ = lambda cls: 1 / 0
            def __subclasscheck__(cls, other): raise SystemExit("sub")
            def __instancecheck__(cls, other): raise SystemExit("inst")
            def __dir__(cls): raise SystemExit("dir")
        class Worse(metaclass=Meta): pass
        class EMeta(E):
            def __getattribute__(cls, name): raise SystemExit(name)
            __hash__ = None
        class Carrying(metaclass=EMeta): pass
        for obj in Angry(), Worse, Worse(), Carrying, Carrying(), Meta, E, type, object, None, NotImplemented, \\
                (), len, str.join, print, types, sys, lambda: 1, (1).__add__, type(E), iter([]), 1.5, 10 ** 5000:
            text = all_of(obj)
            assert text
        assert "whose repr raises SystemExit" in explain(Angry())""")


def test_names_that_are_no_names():
    child("""
        for name in "", "a\\0b", "\\ud800", "x" * 10000, "<&>", "\\n\\x1b[31m":
            try:
                c = type(name, (), {"__module__": name})
            except (ValueError, UnicodeEncodeError):
                continue
            text = all_of(c)
            assert "\\x1b" not in text and "\\0" not in text, text
        for module in None, 5, property(lambda s: 1 / 0), object(), "\\ud800", "":
            c = E("C", (), {"__module__": module, "__qualname__": "q"})
            all_of(c)
        c = type("C", (), {1: 2, (): None, "ok": 3}) if sys.version_info < (3, 11) else type("C", (), {})
        all_of(c)""")


@pytest.mark.thorough
def test_deep_and_wide_hierarchies():
    child("""
        here = cls((A, 1))
        for depth in range(80): here = type("Deep", (here,), {})
        assert slots(here).slots[0].declared_by.endswith("Made")
        all_of(here)
        for _ in range(500): type("Wide", (here,), {})
        assert any(report.name.endswith("Wide") for report in inspect_all().types)
        def deeper(n):
            return all_of(here) if not n else deeper(n - 1)
        try: deeper(10 ** 6)
        except RecursionError: pass
        all_of(here)""")


def test_modules_full_of_junk():
    child("""
        class Lazy(types.ModuleType):
            def __getattr__(self, name): raise SystemExit(name)
            def __getattribute__(self, name): raise SystemExit(name)
            __dict__ = property(lambda self: 1 / 0)
        lazy = Lazy("lazy")
        sys.modules.update({"lazy": lazy, "none": None, "number": 5, "angry": type("X", (), {
            "__getattr__": lambda self, name: 1 / 0})()})
        sys.modules[5] = lazy
        types.ModuleType.__dict__["__dict__"].__get__(lazy)[7] = cls
        types.ModuleType.__dict__["__dict__"].__get__(lazy)["__name__"] = 7
        str(inspect_all()); str(inspect_object(lazy)); str(inspect_object(sys.modules["angry"]))
        del sys.modules[5]""")


# ------------------------------------------------------------------------ dying and threads --

def test_a_dying_interpreter():
    child("""
        import atexit
        keep = cls((probe.intern(b"hostile.dying"), 1))
        class Last:
            def __del__(self, look=all_of, keep=keep, every=inspect_all):
                for _ in range(2):
                    try: look(keep); every()
                    except (ImportError, TypeError, AttributeError, NameError): pass   # what is gone is gone
        atexit.register(lambda: all_of(keep) and inspect_all())
        sys.last = Last(); keep.circle = Last(); builtins = __import__("builtins"); builtins.last = Last()
        """)


@pytest.mark.thorough
def test_a_sub_interpreter_sees_names_and_its_own_classes():
    """In a child, because all that the tests have imported is a lot to look at."""
    child("""
        import support
        support.run_in_new_interpreter(f'''
            import sys
            sys.path[:0] = {[p for p in sys.path if p]!r}
            from cython_customslots.inspecting import classes, targets
            number = {probe.intern(b"hostile.shared")}
            assert classes.Look().id_name(number) == "hostile.shared"
            str(targets.inspect_all()); str(classes.slots(int)); str(classes.explain(5))
            ''')""")


@pytest.mark.thorough
def test_other_threads_change_classes_meanwhile():
    child("""
        import threading
        from cython_customslots import provider
        metaclass = probe.rich_metaclasses()[0]
        top = metaclass("Top", (), {"level": 0, "label": "0"})
        one, two = type("One", (top,), {"level": 1}), type("Two", (top,), {"label": "two"})
        bottom = type("Bottom", (one,), {})
        stop, failed = threading.Event(), []
        def change():
            n = 0
            while not stop.is_set() and n < 100:        # 3.13t keeps all these classes
                n += 1
                try:
                    probe.set_slots(one, [(A, n)] * (n % 2) + [(B, n)])
                    top.label = str(n); top.level = n
                    type("Gone", (bottom,), {"box": 3})
                    if n % 3: bottom.level = 5
                    else:
                        try: del bottom.level
                        except AttributeError: pass
                except BaseException as error: failed.append(error); raise
        threads = [threading.Thread(target=change) for _ in range(2)]
        for thread in threads: thread.start()
        try:
            for _ in range(4):
                all_of(bottom)
                assert {slot.id for slot in slots(bottom)} - {0, 1} <= {A, B}
            inspect_all()
        finally:
            stop.set()
            for thread in threads: thread.join()
        assert not failed, failed""", timeout=600)
