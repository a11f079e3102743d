# SPDX-License-Identifier: MIT
"""What is made goes away: references on debug builds, memory and blocks on all."""
import textwrap

import pytest
import support
from test_callback_failures import library

#: name: a function body; whatever it makes must be gone when it has run.
ACTIONS = {
    "class statement": """
        class Cls(base): pass
        class Sub(Cls): pass
        """,
    "metaclass called": "E('Cls', (base, other), {})",
    "type called": "type('Cls', (base, other), {})",
    "type.__new__": "type.__new__(E, 'Cls', (base, other), {})",
    "C fields": "type('Sub', (NumberMeta('Cls', (numbered,), {}),), {})",
    "metaclass in Python": """
        Meta = type('Meta', (abc.ABCMeta, E), {})
        Cls = Meta('Cls', (base,), {})
        Meta.cls = Cls
        """,
    "metaclass in Python over C fields": """
        Meta = type('Meta', (abc.ABCMeta, NumberMeta), {})
        Cls = Meta('Cls', (numbered,), {})
        Meta.cls = Cls
        """,
    "failed class": """
        for bases in (base, int, str), (base, 5), (base, base):
            try: E('Cls', bases, {})
            except TypeError: pass
        """,
    "failed init_subclass": """
        try: E('Cls', (refusing,), {})
        except LookupError: pass
        """,
    "slots set": """
        Cls = E('Cls', (base,), {})
        Sub = E('Sub', (Cls,), {})
        for i in range(5): probe.set_slots(Cls, [(A, i), (C + 256 * i, i)])
        probe.set_slots(Cls, [])
        """,
    "bad slots": """
        Cls = E('Cls', (base,), {})
        for slots in [(A, 1), (A, 2)], [(0, 1)], [(1, 1)]:
            try: probe.set_slots(Cls, slots)
            except ValueError: pass
        """,
    "bases assigned": """
        Cls = E('Cls', (heap,), {})
        Sub = type('Sub', (Cls,), {})
        for bases in (other,), (heap, other), (other, heap), (heap,):
            Cls.__bases__ = bases
        """,
    "bases refused": """
        Cls = E('Cls', (base,), {})
        for bases in (), (int,), (Cls,), None:
            try: Cls.__bases__ = bases
            except TypeError: pass
        """,
    "look-ups": """
        obj = type('Cls', (base,), {})()
        probe.find(obj, A), probe.table(obj), probe.find(5, A), probe.check(obj)
        """,
    "names": """
        Cls = E('Cls', (base,), {'__doc__': 'doc'})
        Cls.__module__, Cls.__doc__, repr(Cls), E.__module__, E.__doc__, repr(E)
        Cls.__module__ = 'other'
        """,
    "described fields": """
        Cls = RichMeta("Cls", (rich,), {"level": 2, "label": [1]}, motto=bytes(b"text" * 20), box=3)
        Sub = type("Sub", (Cls,), {"box": 4})
        Cls.label, Cls.box, Cls.motto = {}, 5, bytes(b"other" * 20)
        del Sub.box, Cls.level
        Sub.__bases__ = (rich,)
        Cls.label = Cls
        """,
    "classes made again": """
        Cls = RichMeta("Cls", (rich,), {"level": 2, "motto": bytes(b"text" * 20), "box": 3})
        probe.set_c_field(Cls, "ratio", 0.5)
        Hid = Hidden("Hid", (), {"motto": bytes(b"text" * 20)})
        probe.set_hidden(Hid, [Hid], 3)
        for cls in Cls, Hid:
            given = {**vars(cls)["__customslots_fields__"]}
            for _ in range(2):
                for make in type(cls), type:
                    try: make("Cls", cls.__bases__, {**vars(cls), "__customslots_fields__": given})
                    except TypeError: pass
                again = type(cls)("Again", cls.__bases__, {})
                try: setattr(again, "__customslots_fields__", given)
                except TypeError: pass
                dir(again), vars(again)
                del given["(set by C)"]; given["(set by C)"] = ()
        """,
    "refused fields": """
        for bad in {"level": "x"}, {"label": 1, "box": None}, {"level": 10**30}:
            try: RichMeta("Cls", (rich,), bad)
            except (TypeError, OverflowError): pass
        try: rich.motto = 5
        except TypeError: pass
        """,
    "overridden functions of an interface": """
        Cls = type('Cls', (shape.provider,), {'draw': draw})
        Sub = type('Sub', (Cls,), {'scale': draw})
        assert shape.call(Sub(), 2, 'x')[0] == 'python'
        Cls.scale = draw
        del Cls.draw, Cls.scale
        Sub.__bases__ = (type('Other', (shape.provider,), {}),)
        """,
    "the class of an interface": """
        assert Shape(obj := shape.provider()) is obj is Shape.of(obj) and isinstance(obj, Shape)
        for wrong in Shape, lambda cls: shape.call(cls, 2):
            try: wrong(5)
            except (TypeError, LookupError): pass
        class Poly(Shape): area = scale = draw = draw
        assert shape.call(Poly(), 2, 'x')[0] == 'python'
        try: type(Shape)('Few', (Shape,), {})
        except TypeError: pass
        Shape.explain(5), Shape.explain(Poly()), Shape.implementers()
        """,
    "from a spec": "probe.finish(probe.from_spec('leaks.Spec', (base,), None))",
    "import": "probe.import_metaclass(), probe.calculate_metaclass(None, (base,))",
    "callables explained": """
        repr(function), typed.explain(function), typed.explain(draw), repr(typed.signatures(function))
        for callable in function, draw, 5:
            try: typed.resolve(callable, "f8(f8)")
            except TypeError: pass
        """,
    "callbacks of a library": """
        for way in "gil", "last", "alone":
            callbacks.sum(callbacks.square, 3, way), callbacks.sum(square, 3, way)
            for bad in draw, callbacks.until_three:
                try: callbacks.sum(bad, 10, way)
                except (TypeError, ValueError): pass
        for thing in 3, (3, "f8(f8)"):
            try: callbacks.chosen(thing)
            except (TypeError, ValueError): pass
        callbacks.call(sum, (1.0, 2.0)), callbacks.obtained(callbacks.square)
        """,
    "copy": "copy.deepcopy([base, E]), pickle.loads(pickle.dumps(E))",
}

PROLOGUE = """
import abc, copy, ctypes, gc, pickle, sys
import callbacks, interfaces, probe
from cython_customslots import typed
A, B, C = 257, 513, 769
E = probe.import_metaclass()
NumberMeta = probe.metaclasses()[0]
base = probe.emitted("leaks.Base", None, (), [(A, 1)])
heap, other = E("Heap", (), {}), E("Other", (), {})
probe.set_slots(heap, [(A, 1), (B, 1)])
probe.set_slots(other, [(B, 2)])
numbered = NumberMeta("Numbered", (), {})
RichMeta = probe.rich_metaclasses()[0]
rich = RichMeta("Rich", (), {"level": 1, "label": "one", "motto": b"uno", "box": 11})
Hidden = probe.hidden_metaclass()
Hidden("First", (), {})
shape = interfaces.Interface(probe)
Shape = shape.declare()
def draw(self, canvas): return "python", canvas
function = typed.adapt(ctypes.CFUNCTYPE(ctypes.c_long, ctypes.c_long)(draw))
square = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(callbacks.square_impl)
class refusing(base):
    def __init_subclass__(cls): raise LookupError
# CPython's cache of attributes keeps every name that it was asked for, by its address.
clear_caches = getattr(sys, "_clear_internal_caches", None) or sys._clear_type_cache
def collect():
    clear_caches()
    while gc.collect(): pass
"""


def action(name):
    return "def act():\n" + textwrap.indent(textwrap.dedent(ACTIONS[name]), "    ") + "\n"


MODULES = [support.TESTS / "core" / "interfaces.py", support.probe_path(), library()]

#: from_spec() of the probe keeps the name of each type for ever, as C code does.
LEAKING_PROBE = {"from a spec"}


@pytest.mark.skipif(not support.DEBUG_BUILD, reason="counts references: debug builds only")
@pytest.mark.parametrize("name", ACTIONS)
def test_no_reference_is_leaked(name):
    support.check_child(PROLOGUE + action(name) + textwrap.dedent("""
        for _ in range(50): act()
        deltas = []
        for _ in range(8):
            collect()
            before = sys.gettotalrefcount()
            for _ in range(100): act()
            collect()
            deltas.append(sys.gettotalrefcount() - before)
        # A leak shows each time, in every round; caches of CPython settle.
        assert min(deltas) < 100, deltas
        """), modules=MODULES)


@pytest.mark.parametrize("name", sorted(set(ACTIONS) - LEAKING_PROBE))
def test_no_block_of_memory_is_leaked(name):
    support.check_child(PROLOGUE + action(name) + textwrap.dedent("""
        import tracemalloc
        for _ in range(20): act()
        tracemalloc.start()              # sees PyMem_RawMalloc, where the tables live
        def grown(rounds):
            collect()
            before = tracemalloc.get_traced_memory()[0]
            for _ in range(rounds): act()
            collect()
            return tracemalloc.get_traced_memory()[0] - before
        grown(100)
        # The smallest thing that could leak has more than 24 bytes; caches settle.
        results = [grown(300) for _ in range(3)]
        assert min(results) < 300 * 24, results
        """), modules=MODULES)
