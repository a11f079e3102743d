# SPDX-License-Identifier: MIT
"""Libraries with copies of one declaration, of different age, or of which one contradicts, in one process."""
import itertools
import os
from pathlib import Path

import pytest
import support
from compiling import source
from layer_modules import from_texts

PROGRAM = Path(__file__).with_name("interface_program.py")
#: .ci/nightly asks for 200.
PROGRAMS = max(2, int(os.environ.get("CUSTOMSLOTS_TEST_PROGRAMS", "20")) // 10)

V1 = """
    cimport cython_customslots as customslots

    @customslots.interface(b"copies.Shape")
    cdef class Shape:
        cpdef double area(self) except? -1
        cpdef str name(self)
    """
V2 = V1 + """
        cpdef int corners(self, int more) except -1
    """
OTHER = V1.replace("double area(self) except? -1", "int area(self, int k) except -1")

BELOW = """
    @customslots.interface(b"copies.{0}")
    cdef class {0}(Shape):
        cpdef double area(self) except? -1
    """

AREA = "cpdef double area(self) except? -1: return 2.5"
NAME = "cpdef str name(self): return 'own'"
CORNERS = "cpdef int corners(self, int more) except -1: return more + 3"

GROWN = """
    cdef class Base(Shape):
        cpdef double area(self) except? -1
        cpdef str name(self)
        cpdef int corners(self, int more) except -1
    """
USES = """
def implements(o): return isinstance(o, Shape)
def area(Shape s not None): return s.area()
def name(Shape s not None): return s.name()
"""
SOURCES = {
    "copy_old.pxd": V1 + BELOW.format("Round"), "copy_old.pyx": USES,
    "copy_new.pxd": V2 + BELOW.format("Solid"),
    "copy_new.pyx": USES + "def corners(Shape s not None): return s.corners(1)\n",
    "copy_other.pxd": OTHER, "copy_other.pyx": USES.replace("s.area()", "s.area(1)"),
    "copy_users.pyx": f"""
cimport copy_old, copy_new
cdef class New(copy_new.Shape):
    {AREA}
    {NAME}
    {CORNERS}
cdef class Below(New, copy_old.Shape): pass
cdef class Overrides(New, copy_old.Shape):
    cpdef double area(self) except? -1: return 7.5
cdef class Both(copy_old.Shape, copy_new.Shape):
    {AREA}
    {NAME}
    {CORNERS}
cdef class RoundSolid(copy_old.Round, copy_new.Solid):
    {AREA}
    {NAME}
    {CORNERS}
cdef class SolidRound(copy_new.Solid, copy_old.Round):
    {AREA}
    {NAME}
    {CORNERS}
cdef class Older(copy_old.Shape):
    {AREA}
    {NAME}
cdef class Foreign(copy_old.Shape):
    cpdef double area(self) except? -1: return 100
    cpdef str name(self): return 'foreign'
cdef class Stranger(copy_old.Shape):
    cpdef double area(self) except? -1: return 200
    cpdef str name(self): return 'stranger'
def register_foreign(cls): copy_old.Shape.register(cls, Foreign)
def register_stranger(cls): copy_old.Shape.register(cls, Stranger)
def virtual_area(New o): return o.area()
def old_shape(): return copy_old.Shape
""",
    # Compiled against a base whose interface was shorter then.
    "older/grown.pxd": V1 + GROWN, "grown.pxd": V2 + GROWN,
    "grown.pyx": f"""
cdef class Base(Shape):
    {AREA}
    {NAME}
    {CORNERS}
""",
    "older/grown_below.pyx": """
from grown cimport Base
cdef class Below(Base):
    cpdef double area(self) except? -1: return 7.5
cdef class Again(Below):
    cpdef str name(self): return 'again'
cdef class Knows(Base):
    cpdef double area(self) except? -1: return 8.5
    cpdef int corners(self, int more) except -1: return 1000
""",
    "takes_over.pyx": """
    cimport cython_customslots as customslots
    @customslots.extensible
    cdef class Plain: pass
    """}


@pytest.fixture(scope="module")
def modules():
    """One of the modules, which are side by side and each carry the runtime."""
    return from_texts("copies of an interface", SOURCES, carries=True)


def check(modules, code, **environment):
    support.check_child(source(code), modules=[modules], env=environment)


@pytest.mark.parametrize("newer", ["copy_new", ""])
def test_who_contradicts_those_that_were_there_harms_itself_only(modules, newer):
    check(modules, f"""
        import copy_old, {newer or "sys"}
        class Mine(copy_old.Shape):
            def area(self): return 3.0
        mine = Mine()
        import copy_other
        class Other(copy_other.Shape):
            def area(self, k): return 4 + k
        class Later(copy_old.Shape):
            def area(self): return 5.0
        assert copy_other.area(Other()) == 5 and [copy_old.area(o) for o in (mine, Later())] == [3, 5]
        for module, wrong in (copy_old, Other()), (copy_other, mine):
            try: module.area(wrong)
            except TypeError as error:
                assert "area(object" in str(error) and "where this module was compiled for" in str(error), error
            else: assert False
        try: type("Both", (copy_old.Shape, copy_other.Shape), {{}})
        except TypeError as error: assert "expected 'cpdef int area(self, int k) except -1'" in str(error), error
        else: assert False
        text = copy_old.Shape.explain(mine)
        for words in ("expected 2 functions, declared by module 'copy_old':\\n  = 0  cpdef double area(self)",
                      "the same ID 2 functions, declared by module 'copy_other':\\n  ! 0  cpdef int area(self"):
            assert words in text, text
        """)


@pytest.mark.parametrize("order", [*itertools.permutations(["copy_old", "copy_new", "copy_other"])], ids="-".join)
def test_python_and_c_say_the_same_of_the_same_declaration(modules, order):
    check(modules, f"""
        import cython_customslots, importlib
        def agree():
            for module in met:
                for o in [cls() for cls in made] + [1]:
                    said = {{isinstance(o, module.Shape), issubclass(type(o), module.Shape),
                             module.Shape.of(o) is o, module.implements(o)}}
                    assert len(said) == 1, (module, type(o), said)
        met, made = [], []
        for name in {order!r}:
            met.append(module := importlib.import_module(name))
            made.append(type("Below_" + name, (module.Shape,), {{}}))
            agree()
        import copy_users as users
        made += users.New, users.Older, type("Python", (users.Older,), {{}})
        agree()
        import copy_old, copy_new, copy_other
        assert isinstance(users.Older(), copy_old.Shape) and not isinstance(users.Older(), copy_new.Shape)
        assert isinstance(users.New(), copy_old.Shape) and isinstance(users.New(), copy_new.Shape)
        assert not any(isinstance(cls(), copy_other.Shape) for cls in (users.New, users.Older))
        assert users.old_shape() is copy_old.Shape is not copy_new.Shape
        assert cython_customslots.interface("copies.Shape") is importlib.import_module({order[0]!r}).Shape
        """)


def test_a_class_has_what_its_base_implements_of_a_longer_interface_than_it_was_compiled_for(modules):
    check(modules, """
        import copy_new, copy_old, grown_below
        class Python(grown_below.Again):
            def corners(self, more): return more + 9
        for cls, area, name, corners in ((grown_below.Below, 7.5, "own", 4), (grown_below.Again, 7.5, "again", 4),
                                         (Python, 7.5, "again", 10)):
            o = cls()
            assert copy_old.area(o) == copy_new.area(o) == area and copy_new.name(o) == name, cls
            assert copy_new.corners(o) == corners, cls
        # Nobody knows whether what it has under that name is what the interface says.
        assert copy_old.area(grown_below.Knows()) == 8.5 and not copy_new.implements(grown_below.Knows())
        """)


@pytest.mark.parametrize("who", ["takes_over", "_customslots_runtime"])
def test_a_runtime_that_takes_over_sees_the_interfaces_that_others_declared(modules, who):
    check(modules, f"""
        import copy_new, copy_users as users
        class Before(users.New): pass
        class Mine(copy_new.Shape):
            def area(self): return 1.0
        import {who}, cython_customslots
        assert {who!r} in str(cython_customslots.runtime_info().serving)
        class After(users.New):
            def area(self): return 3.0
        class Under(Mine): pass
        class Other(copy_new.Shape):
            def area(self): return 4.0
        Before.area = lambda self: 5.0
        assert [copy_new.area(cls()) for cls in (Before, After, Mine, Under, Other)] == [5, 3, 1, 1, 4]
        """, CUSTOMSLOTS_RUNTIME=who)


def test_an_override_in_the_middle_is_seen_after_a_virtual_call(modules):
    """Cython remembers for 3.10 and 3.11 that a class overrides nothing."""
    check(modules, """
        import copy_new, copy_users as users
        class Middle(users.New): pass
        class Under(Middle): pass
        class Mixin: pass
        o = Under()
        assert users.virtual_area(o) == copy_new.area(o) == 2.5
        Middle.area = lambda self: 9.0
        assert copy_new.area(o) == users.virtual_area(o) == 9
        del Middle.area
        assert copy_new.area(o) == 2.5
        Mixin.area = lambda self: 8.0
        Middle.__bases__ = Mixin, users.New
        assert copy_new.area(o) == 8
        """)


def test_it_is_seen_if_there_was_no_memory_to_plan_for_it_too(modules):
    if not support.TYPE_SURVIVES_NO_MEMORY:
        pytest.skip("type() itself corrupts the heap of this CPython when memory runs out")
    support.check_child(source("""
        import copy_new, copy_users as users, probe
        nine = lambda self: 9.0                     # making one without memory ends 3.13.0
        for n in range(500):
            class Middle(users.New): pass
            class Under(Middle): pass
            o = Under()
            assert users.virtual_area(o) == 2.5
            result, reached = probe.call_failing(lambda: setattr(Middle, "area", nine), n, True)
            assert copy_new.area(o) == Middle.area(o), (n, result)
            if not reached:
                break
        """), modules=[modules, support.probe_path()])


@pytest.mark.parametrize("seed", range(support.SEED, support.SEED + PROGRAMS))
def test_random_classes_are_called_as_python_calls_them(modules, seed):
    support.check_child("import runpy; runpy.run_path(sys.argv.pop(1), None, '__main__')", PROGRAM, seed, 2500,
                        modules=[modules], env={"CUSTOMSLOTS_RUNTIME": "takes_over"})


@pytest.fixture(scope="module")
def bodies():
    """Copies of one interface: with bodies that differ, without a body, longer."""
    body = "cpdef int body(self) except -1"
    return from_texts("copies with bodies", {f"bodies_{name}.pyx": f"""
# cython: freethreading_compatible=True
cimport cython_customslots as customslots
@customslots.interface(b"bodies.Shape")
cdef class Shape:
    cpdef int need(self) except -1
    {text}
@customslots.interface(b"bodies.Solid")
cdef class Solid(Shape):
    cpdef int more(self) except -1: return self.body() + 7
def call(Shape o): return o.body()
""" for name, text in (("one", f"{body}: return self.need() + 1000"), ("two", f"{body}: return self.need() + 2000"),
                       ("none", body), ("long", f"""{body}: return self.need() + 4000
    cpdef int later(self) except -1: return 5"""))})


@pytest.mark.parametrize("order", [("one", "two", "none", "long"), ("long", "none", "two", "one"),
                                   ("none", "one", "long", "two"), ("two", "long", "one", "none")], ids="-".join)
def test_a_python_class_has_the_bodies_of_the_copy_that_it_derives_from(bodies, order):
    check(bodies, f"""
        import importlib
        modules = {{name: importlib.import_module("bodies_" + name) for name in {order!r}}}
        def outcome(function, *arguments):
            try: return function(*arguments)
            except (AttributeError, NotImplementedError): return None
        for name, expected in ("one", 1001), ("two", 2001), ("none", None), ("long", 4001):
            class Own(modules[name].Shape):
                def need(self): return 1
            class Extends(modules[name].Solid):
                def need(self): return 1
            for made in Own(), Extends():
                seen = [outcome(lambda: made.body()), *(outcome(module.call, made) for module in modules.values())]
                assert seen == [expected] * 5, (name, made, seen)
            assert outcome(lambda: Extends().more()) == (expected and expected + 7)
            assert all(isinstance(Own(), module.Shape) for module in modules.values() if module is not modules["long"])
        """)


@pytest.mark.parametrize("name", ["RoundSolid", "SolidRound"])
def test_the_longest_copy_serves_whichever_of_them_the_interfaces_of_a_class_extend(modules, name):
    check(modules, f"""
        import copy_old, copy_new, copy_users
        obj = copy_users.{name}()
        assert (copy_old.area(obj), copy_new.area(obj), copy_new.corners(obj)) == (2.5, 2.5, 4)
        """)
