# SPDX-License-Identifier: MIT
"""To look at anything at all tells something true, and ends no process.

What is forged here is forged in children: an interpreter that goes on with such classes may crash
later, and the test is that looking at them does not.
"""
import ctypes
import textwrap

import pytest
import support
from support import FREE_THREADED, only_on_cpython

pytestmark = only_on_cpython("types of PyPy carry nothing")

PRELUDE = """
    import abc, ctypes, gc, os, sys, types
    import probe
    gc.disable()                # which would follow what is forged, as CPython's own code does
    kept = []
    from cython_customslots import explain, fields, interfaces, slots
    from cython_customslots.inspecting.looking import Look
    from cython_customslots.inspecting.memory_picture import svg
    from cython_customslots.inspecting.scanning import inspect_all, inspect_object
    from cython_customslots.inspecting.records import to_json
    E = probe.import_metaclass()
    H, W = type.__basicsize__, ctypes.sizeof(ctypes.c_void_p)

    def word(cls, place, value=None):
        'One of the five words of a type.'
        found = ctypes.c_size_t.from_address(id(cls) + H + place * W)
        if value is not None:
            found.value = value % (1 << 8 * W)
        return found.value

    def all_of(obj):
        'Everything that there is to look at it with; the text.'
        report = Look().report(obj if issubclass(type(obj), type) else type(obj))
        import json
        json.dumps(to_json(report))
        return "\\n".join(map(str, [slots(obj), fields(obj), interfaces(obj), explain(obj), report,
                                   inspect_object(obj), svg(report)]))

    def end():
        'Without taking down what was forged.'
        sys.stdout.flush()
        os._exit(0)

    COUNT, SLOTS, CHECK, PRIVATE, EXTENSION = range(5)
    READY = word(E("Any", (), {}), CHECK) ^ 0
    def cls(*own):
        kept.append(made := E("Forged", (), {}))
        probe.set_slots(made, list(own))
        return made
    A, B = 0x01000101, 0x01000201
"""


def child(code, **options):
    return support.check_child(textwrap.dedent(PRELUDE) + textwrap.dedent(code),
                               modules=[support.TESTS / "support.py", support.probe_path()], **options)


# ---------------------------------------------------------------------- forged tables --

def test_a_table_that_is_null():
    assert "damaged: the address of its table is NULL" in child("""
        c = cls((A, 1)); word(c, SLOTS, 0); print(all_of(c)); end()""")


@pytest.mark.parametrize("address", ["8", "-8", "1 << 46", "(1 << 8 * W - 1)", "id(c) ^ 1 << 45"])
def test_a_table_where_no_memory_is(address):
    said = child(f"c = cls((A, 1)); word(c, SLOTS, {address}); print(all_of(c)); end()")
    assert "damaged" in said


@pytest.mark.parametrize("count", ["-1", "0", "1", "3", "70000", "1 << 40", "-1 << 8 * W - 1"])
def test_a_count_that_is_wrong(count):
    said = child(f"""
        c = cls((A, 1), (B, 2)); word(c, COUNT, {count})
        found = slots(c)
        assert [slot.id for slot in found] == [A, B] and "damaged: its count is" in str(found), found
        print(all_of(c)); end()""")
    assert "its table has 2 entries" in said


def test_a_table_without_an_end():
    said = child("""
        import mmap
        page = mmap.mmap(-1, mmap.PAGESIZE)
        ones = (ctypes.c_char * mmap.PAGESIZE).from_buffer(page)
        ctypes.memset(ones, 0xFF, mmap.PAGESIZE)
        last = ctypes.addressof(ones) + mmap.PAGESIZE - 2 * W
        c = cls((A, 1))
        for count in 1, 5, 1 << 20:
            word(c, SLOTS, last); word(c, COUNT, count)
            all_of(c)
        print(slots(c)); end()""")
    assert "damaged" in said


def test_a_check_word_that_lies_of_an_ordinary_class():
    child("""
        any_ = E("Any", (), {})
        for metaclass in type, abc.ABCMeta:
            Plain = metaclass("Plain", (), {})
            for place in range(5): word(Plain, place, 12345 * 8)
            word(Plain, CHECK, id(Plain) ^ word(any_, CHECK) ^ id(any_))
            # Of a class whose metaclass is `type` itself nobody believes it.
            assert probe.check_type(Plain) == (metaclass is not type)
            said = all_of(Plain)
            for words in "it is forged", "damaged":
                assert (words in said) == probe.check_type(Plain), said
        end()""")


def test_another_abi_and_a_dying_class_have_no_table():
    child("""
        c = cls((A, 1))
        for lie in 0, 1, word(c, CHECK) ^ 1, word(c, CHECK) ^ 0xFF, id(c):
            word(c, CHECK, lie)
            assert not slots(c).extensible and not len(slots(c)), lie
            all_of(c)
        end()""")


@pytest.mark.parametrize("address", ["8", "-8", "1 << 46", "id(c)", "id(c) + 4"])
def test_words_of_the_runtime_that_lead_nowhere(address):
    child(f"""
        metaclass = probe.rich_metaclasses()[0]
        c = metaclass("Base", (), {{"level": 3, "label": "x"}})
        word(c, PRIVATE, {address}); word(c, EXTENSION, {address})
        print(all_of(c)); end()""")


def test_ids_and_data_of_every_kind():
    child("""
        import random
        chance = random.Random(7)
        for _ in range(300):
            ids = list({chance.choice([2, 4, 8, id(E), 1 << 46, 3, 0xFFFFFFFF, chance.getrandbits(63),
                                       chance.getrandbits(31)]) for _ in range(4)})
            c = cls(*((number, chance.getrandbits(63)) for number in ids))
            assert sorted(slot.id for slot in slots(c)) == sorted(ids)
            all_of(c)
        end()""")


@pytest.mark.parametrize("data", ["8", "4096", "1 << 46", "id(E)", "id(E) + 3", "-1"])
def test_the_table_of_an_interface_that_is_none(data):
    child(f"""
        number = probe.intern(b"hostile.Shape"); probe.interface_position(number)
        class Foreign: pass
        probe.register_slot(Foreign, number, ({data}) % (1 << 8 * W))
        print(all_of(Foreign)); end()""")


@pytest.mark.parametrize("offset", ["8", "1 << 20", "-1", "1 << 60", "16", "24"])
def test_a_native_call_slot_that_leads_out_of_the_instance(offset):
    child(f"""
        c = E("Callable", (), {{"__call__": lambda self: 1, "__slots__": ("a", "b")}})
        probe.set_slots(c, [(0x02000103, ({offset}) % (1 << 8 * W))])
        obj = c()
        obj.a = obj.b = "not a record"
        print(all_of(obj), inspect_object(obj)); end()""")


def test_the_types_of_many_random_words():
    child("""
        import random
        chance = random.Random(3)
        pick = lambda: chance.choice([0, 1, 8, -8, id(E), id(E) + 4, chance.getrandbits(64), 1 << 46])
        for round in range(400):
            c = cls((A, 1))
            for place in range(5):
                if place != CHECK and chance.random() < .5: word(c, place, pick())
            all_of(c)
        end()""")


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
        assert len(seen) > 9 and all("Traceback" not in text for text in seen)
        assert slots(Third).state == "finished" and fields(Third).fields[0].value == 3
        """)


def test_an_mro_that_is_being_made_has_none_yet():
    child("""
        class Meta(E):
            def mro(cls):
                all_of(cls)
                for _ in range(3): inspect_all()
                return super().mro()
        class C(metaclass=Meta): pass
        all_of(C)
        class Odd(type):
            def mro(cls): return (cls, object)
        class D(metaclass=Odd): pass
        all_of(D)""")


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
        assert slots(here).slots[0].declared_by.endswith("Forged")
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


def test_all_that_is_imported_is_looked_at(probe):
    said = child("c = cls((A, 1)); print(inspect_all())")
    assert "__main__.Forged: extensible" in said and "types have no slots" in said


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
            from cython_customslots.inspecting import looking, scanning
            number = {probe.intern(b"hostile.shared")}
            assert looking.Look().id_name(number) == "hostile.shared"
            str(scanning.inspect_all()); str(looking.slots(int)); str(looking.explain(5))
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


# ------------------------------------------------------------------------------ memory --

def test_memory_that_is_not_there_is_none():
    from cython_customslots.inspecting import _memory
    here = ctypes.create_string_buffer(b"here")
    reads = [_memory.read] + [_memory._read_by_pipe] * hasattr(_memory, "_read_by_pipe")
    for read in reads:
        assert read(ctypes.addressof(here), 4) == b"here" and read(id(read), 0) == b""
        big = ctypes.create_string_buffer(bytes(range(256)) * 300)
        assert read(ctypes.addressof(big), 70000) == big.raw[:70000]
        for address in (8, -8, 1 << 46, (1 << 64) - 4, 1 << 64, 1 << 200, -1 << 70):
            assert read(address, 8) is None
        with pytest.raises(ValueError, match="found a size of -1 bytes, expected"):
            read(8, -1)
        with pytest.raises(ValueError):
            read(8, 1 << 40)
        with pytest.raises(TypeError):
            read("8", 4)


@pytest.mark.skipif(not FREE_THREADED, reason="with a GIL nothing can turn it on")
def test_the_gil_stays_off():
    support.check_child("""
        import cython_customslots.inspecting.looking
        assert not sys._is_gil_enabled()""")
