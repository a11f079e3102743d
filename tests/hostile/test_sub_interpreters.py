# SPDX-License-Identifier: MIT
"""Each interpreter has a metaclass of its own; static types are those of the first one that readies them."""
import ctypes
import sys
import textwrap

import pytest
import support

def check(code, *arguments, **options):
    """In a child, whose run() is support.run_in_new_interpreter() where probe can be imported."""
    support.check_child(f"""
import functools, pathlib, support, sys, textwrap
run = functools.partial(support.run_in_new_interpreter, modules=[{str(support.probe_path())!r}])
{textwrap.dedent(code)}""", *arguments, modules=[support.TESTS / "support.py", support.probe_path()], **options)


#: What makes static types in any interpreter, and what another one says to them.
STATIC_TYPES = """
    import gc, probe
    E = probe.import_metaclass()
    number = probe.draft("static.One", (), [(257, 1)], 4, None)
    one = probe.draft_ready(number, 4)
    assert probe.draft_ready(number, 4) is one                      # here it is fine to ask again
    two = probe.draft_ready(probe.draft("static.Two", (one,), [(513, 2)], 4, None), 4)
    emitted = probe.emitted("static.Emitted", None, (), [(769, 3)])
    class Sub(two): pass
    assert type(Sub) is type(one) is type(emitted) is E
    assert [probe.find_type(Sub, id) for id in (257, 513, 769)] == [1, 2, None]
    if target: open(target, "w").write(f"{number} {id(one)}")
    """

REFUSED = """
    import probe
    E = probe.import_metaclass()
    probe.draft_change({number}, [(1025, 9)], 1)                    # as a module that is imported
    try: probe.draft_ready({number}, 4)
    except ImportError as error: found = str(error)
    else: found = "accepted"
    if target: open(target, "a").write(found + chr(10))
    """


def test_static_types_belong_to_the_first_interpreter(tmp_path):
    """Also when it has ended, and for the main interpreter as for any other."""
    check(f"""
        target, texts = map(pathlib.Path, sys.argv[1:])
        run({STATIC_TYPES!r}, target)      # it ends
        number, address = map(int, target.read_text().split())
        refused = textwrap.dedent({REFUSED!r}.format(number=number))
        for turn in range(3):
            exec(refused, {{"target": str(texts)}})
            run(refused, texts)
        first = [line for line in texts.read_text().splitlines()]
        for line, asks in zip(first, (0, 2, 0, 3, 0, 4), strict=True):
            assert "the static type 'static.One' belongs to interpreter 1, but this is" in line, line
            assert f"but this is interpreter {{asks}}: " in line, line
            assert "import the module in one interpreter only" in line, line
        import ctypes, probe
        one = ctypes.cast(address, ctypes.py_object).value     # slots, and what tables lead to, are there as long as
        assert [probe.find_type(one, 257, place) for place in (0, 3, 9)] == [1] * 3                     # the process
        assert probe.find_type(one, 1025) is None and dict(probe.table_type(one))[257] == 1
        exec(textwrap.dedent({STATIC_TYPES!r}), {{"target": None}})       # types of its own
        """, tmp_path / "types", tmp_path / "texts")


@pytest.mark.skipif(sys.version_info[:2] == (3, 12), reason="there every interpreter that can be "
                    "made has a GIL of its own, and shares no objects")
def test_a_class_of_another_interpreters_type_is_refused(tmp_path):
    """Modules with single-phase initialisation are shared by interpreters that share the GIL."""
    elsewhere = """
        import ctypes, probe
        other = ctypes.cast({address}, ctypes.py_object).value
        E = probe.import_metaclass()
        class Mine(metaclass=E): pass
        class Below(Mine): pass
        found = []
        for attempt in (lambda: type("Sub", (other,), {{}}), lambda: type(other)("Sub", (), {{}}),
                        lambda: type.__new__(type(other), "Sub", (other,), {{}}),
                        lambda: setattr(Below, "__bases__", (Mine, other))):
            try: attempt()
            except TypeError as error: found.append(str(error))
        with open(target, "w") as file: file.write("|".join(found))
        """
    check(f"""
        import probe
        target = pathlib.Path(sys.argv[1])
        E = probe.import_metaclass()
        static = probe.draft_ready(probe.draft("static.Shared", (), [(257, 1)], 4, None), 4)
        run({elsewhere!r}.format(address=id(static)), target, legacy=True)
        texts = target.read_text().split("|")
        assert len(texts) == 4, texts
        for text in texts:
            assert "belongs to interpreter 0, but this is interpreter 1: " in text, text
        assert probe.find_type(type("Sub", (static,), {{}}), 257) == 1
        """, tmp_path / "messages")


@pytest.mark.thorough
def test_others_go_on_while_interpreters_come_and_go(tmp_path):
    """Providers in the main interpreter and in two others; a third comes and goes."""
    made = """
        import probe
        E = probe.import_metaclass()
        class Base(metaclass=E): pass
        probe.set_slots(Base, [(257, 1)])
        class Sub(Base): pass
        """
    check(f"""
        try: import _interpreters as interpreters
        except ImportError: import _xxsubinterpreters as interpreters
        def run_in(number, code):
            failure = interpreters.run_string(number, code)
            assert failure is None, failure
        made = textwrap.dedent({made!r})
        others = [interpreters.create(*(["isolated"] if sys.version_info >= (3, 13) else [])) for _ in range(2)]
        for number in others: run_in(number, {support.finding([support.probe_path()])!r} + made)
        exec(made)
        for turn in range(30):
            run(made)
            for number in others:
                run_in(number, "probe.set_slots(Base, [(257, 1), (513, %d)])" % turn)
                run_in(number, "assert probe.find_type(type('New', (Sub,), {{}}), 513) == %d" % turn)
            probe.set_slots(Base, [(257, 1), (769, turn)])
            assert probe.find_type(Sub, 769) == turn and probe.find_type(Sub, 513) is None
        interpreters.destroy(others[0])
        run_in(others[1], "Sub.__bases__ = (E('Other', (Base,), {{}}),); assert probe.find_type(Sub, 257)")
        interpreters.destroy(others[1])
        assert probe.find_type(type("Late", (Sub,), {{}}), 257) == 1
        """)


@pytest.mark.skipif(support.FREE_THREADED, reason="no PYTHONMALLOC=malloc on free-threaded builds")
@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "mallinfo2"),
                    reason="the C library cannot say how much memory is in use")
def test_memory_is_freed_when_an_interpreter_ends(tmp_path):
    """As much as after interpreters that do the same with plain classes.

    What is ours for an interpreter (two metaclasses, the API, layers, records) is more
    than five kilobytes.  CPython's own leaks differ between versions, hence the comparison.
    """
    plain = """
        import probe                            # 3.12 keeps some of any module that is imported
        class Base: pass
        class Sub(Base): pass
        class Other(Base): pass
        Sub.__bases__ = (Other,)
        Base.cycle = [Base, Sub]
        """
    ours = """
        import probe
        E = probe.import_metaclass()
        class Base(metaclass=E): pass
        probe.set_slots(Base, [(257, 1), (513, 2)])
        class Sub(Base): pass
        class Other(Base): pass
        probe.set_slots(Other, [(769, 3)])
        Sub.__bases__ = (Other,)
        bare = type.__new__(E, "Bare", (Base,), {{}})
        bare.__bases__ = (Other,)
        Base.cycle = [Base, Sub, bare, E]
        probe.intern(b"in.every.interpreter")
        Base.shape = probe.interface_class_of({spec})
        """
    figures = support.check_child(f"""
        import ctypes, interfaces, probe, support
        names = "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost"
        class Info(ctypes.Structure):
            _fields_ = [(name, ctypes.c_size_t) for name in names.split()]
        mallinfo2 = ctypes.CDLL(None).mallinfo2
        mallinfo2.restype = Info
        spec = interfaces.Interface(probe).spec()
        def measure(code):
            for turn in range(40):
                if turn == 10: before = mallinfo2()
                support.run_in_new_interpreter(code.format(spec=spec), modules=[probe.__file__])
            after = mallinfo2()
            return (after.uordblks + after.hblkhd - before.uordblks - before.hblkhd) / 30
        measure({ours!r})
        print(measure({plain!r}), measure({ours!r}))
        """, modules=[support.TESTS / "support.py", support.probe_path(), support.TESTS / "core" / "interfaces.py"],
        env={"PYTHONMALLOC": "malloc"})
    with_plain_classes, with_ours = map(float, figures.split())
    assert with_ours - with_plain_classes < 2048, figures
