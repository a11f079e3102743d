# SPDX-License-Identifier: MIT
"""Classes of __main__ that cloudpickle and dill write by value, in a process that has imported nothing."""
import pytest
import support
from layer_modules import build

#: kind: (the class C, what is then True where it arrives; its bases are imported by then)
CLASSES = {
    "a class that --extend-all extended": ("""
        import layer_base, layer_automatic      # the same metaclass; the other process lacks the first
        class C(layer_automatic.Plain):
            def twice(self): return 2 * self.x
        """, "C(3).twice() == 6 and type(C) is type(C.__base__)"),
    "an abstract base class": ("""
        import layer_abc
        class C(layer_abc.Abstract):
            def must(self): return "C"
        """, "C().must() == 'C' and type('D', (C, sys.modules['layer_abc'].Shape), {}).__base__ is C"),
    "own values of fields": ("""
        import layer_abc
        class C(layer_abc.Both, level=7): label = ["own"]
        """, "sys.modules['layer_abc'].level(C) == 7 and C.label == ['own'] and type(C) is type(C.__base__)"),
    "an overridden method of an interface": ("""
        import interface_drawing
        class C(interface_drawing.Line):
            def draw(self, canvas): return 100
        """, "sys.modules['interface_drawing'].draw(C(), []) == 100"),
    "a combination that no library has": ("""
        import abc, layer_automatic
        from cython_customslots import combine
        class C(layer_automatic.Plain, metaclass=combine(layer_automatic.Plain, abc.ABC)):
            @abc.abstractmethod
            def area(self): pass
        """, "C.__abstractmethods__ == {'area'} and type(C) is cython_customslots.combine(C.__base__, abc.ABC)"),
    "slots of Python": ("""
        import abc
        from cython_customslots import Slotted, combine
        class C(metaclass=Slotted):
            __customslots__ = {"travelling.a": (5, 1)}
            called = combine(Slotted, abc.ABC)("Called", (), {"__customslots__": {"travelling.a": 6}})
        """, "[(p, data) for c in (C, C.called) for p, _, data in cython_customslots.table(c)]"
             " == [(0, 0), (1, 5), (0, 6)]"),
}
#: What needs the package where it is made does so where it arrives.
NEED_THE_PACKAGE = "a combination that no library has", "slots of Python"


@pytest.fixture(scope="module")
def modules():
    return [build("layer_automatic_foreign.pyx", layer=False), build("layer_automatic.pyx", "--extend-all"),
            *(build(f"{name}.pyx") for name in ("layer_base", "layer_abc", "interface_shapes", "interface_drawing"))]


@pytest.mark.parametrize("pickler", ["cloudpickle", pytest.param("dill", marks=pytest.mark.thorough)])
@pytest.mark.parametrize("kind", CLASSES)
def test_it_arrives_with_the_metaclass_of_the_process(modules, kind, pickler):
    made, arrived = CLASSES[kind]
    sent = support.check_child(f"{made}\n        import {pickler}; print({pickler}.dumps(C).hex())", modules=modules)
    absent = ["layer_base"]
    if kind not in NEED_THE_PACKAGE:
        absent += ["cython_customslots", "_customslots_runtime"]
    assert support.check_child(f"""
        import {pickler}
        sys.modules.update(dict.fromkeys({absent}))
        C = {pickler}.loads(bytes.fromhex("{sent}"))
        import abc
        if {kind in NEED_THE_PACKAGE}: import cython_customslots
        print({arrived})
        """, modules=modules) == "True"


@pytest.mark.thorough
def test_joblib_sends_them_to_its_workers(modules):
    assert support.check_child("""
        import joblib, layer_abc
        class C(layer_abc.Abstract):
            def must(self): return "C"
        class D(C, layer_abc.Shape): pass
        print(joblib.Parallel(n_jobs=2)(joblib.delayed(lambda: cls().must())() for cls in (C, D)))
        """, modules=modules) == "['C', 'C']"
