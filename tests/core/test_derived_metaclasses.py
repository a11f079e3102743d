# SPDX-License-Identifier: MIT
"""A metaclass below one whose fields are objects: they are visited and released once.

Cython's functions for the metaclass above would do it a second time.
"""
import sys
import weakref
from pathlib import Path

import pytest
import support

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def module():
    return support.load(support.build_cython(HERE / "derived_fields.pyx"))


@pytest.fixture(params=["Objects", "Plain", "Same", "More", "Far", "below Same", "below Far"])
def metaclass(module, request):
    """One of Cython, or one of Python below it."""
    *below, name = request.param.split()
    return type("Python", (getattr(module, name),), {}) if below else getattr(module, name)


class Thing:
    pass


@pytest.mark.usefixtures("mortal_classes")
def test_a_live_object_is_left_alone_by_the_collector(module, metaclass, collected):
    items = [Thing(), Thing(), Thing()]
    before = sys.getrefcount(items)
    cls = type("Cls", (metaclass("Base", (), {}),), {})
    module.set(cls, items, items)
    cls.cycle = cls
    collected()
    assert len(items) == 3 and module.get(cls) == (items, items)
    del cls
    collected()
    assert len(items) == 3 and sys.getrefcount(items) == before


@pytest.mark.usefixtures("mortal_classes")
def test_objects_are_inherited_and_counted(module, metaclass, collected):
    thing = Thing()
    before = sys.getrefcount(thing)
    base = metaclass("Base", (), {})
    assert module.get(base) == (None, None)
    module.set(base, thing, [1])
    classes = [base, type("Child", (base,), {}), metaclass("Called", (base,), {}),
               type.__new__(metaclass, "Bare", (base,), {})]
    classes.append(type("Below", (classes[1],), {}))
    for cls in classes:
        assert module.get(cls)[0] is (None if cls.__name__ == "Bare" else thing), cls
    assert sys.getrefcount(thing) == before + 4
    del base, cls, classes
    collected()
    assert sys.getrefcount(thing) == before


@pytest.mark.usefixtures("mortal_classes")
def test_cycles_through_the_fields_are_collected(module, metaclass, collected):
    cls = metaclass("Cls", (), {})
    thing = Thing()
    thing.cls = cls
    module.set(cls, thing, [cls])
    watch = weakref.ref(thing), weakref.ref(cls)
    del cls, thing
    collected()
    assert [ref() for ref in watch] == [None, None]


@pytest.mark.parametrize("call", ["m.__new__(m, *args)", "type.__call__(m, *args)",
                                  "type(*args[:1], (m('Base', (), {}),), {})"])
def test_a_first_class_that_is_made_past_the_metaclasss_call_is_safe(module, call):
    support.check_child(f"""
        import gc, derived_fields as module
        args = ("Cls", (), {{}})
        for m in module.Same, module.Far, module.More:
            for _ in range(3):
                cls = {call}
                module.set(cls, [1], [2])
                child = type("Child", (cls,), {{}})
                del cls
                gc.collect()
                assert module.get(child) == ([1], [2])
                del child
                gc.collect()
        """, modules=[module.__file__])
