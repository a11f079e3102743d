# SPDX-License-Identifier: MIT
"""The traps of a metaclass in C that design.md tells of: each was stepped into once.

What is not here: tables that get shorter in memory (test_bases_assignment.py), names and
docstrings (test_names.py), arguments declared `type` (the compiler layer's tests).
"""
import abc
import sys
import types

import pytest
import support
from support import A, B, with_slots


def test_metaclass_defines_no_mro_and_has_the_tp_new_of_type(probe, extensibletype):
    """With a mro(), attribute access on all its classes is 2.3 times slower from 3.13t on.  PyType_FromSpec()
    refuses any other tp_new."""
    for metaclass in extensibletype, type(extensibletype), *probe.metaclasses():
        assert not any("mro" in vars(cls) and cls is not type for cls in metaclass.__mro__), metaclass
        assert probe.same_slots(metaclass, type)["tp_new"], metaclass


def test_allocator_is_put_back_in_every_metaclass_made_in_python(probe, extensibletype):
    """type.__new__ replaces it; without ours a class gets no table in time.

    Of a metaclass made by type.__new__() alone, the meta-metaclass's tp_init never ran.
    """
    made = [type(extensibletype)("Called", (extensibletype,), {}),
            type.__new__(type(extensibletype), "Bare", (extensibletype,), {}),
            types.new_class("New", (abc.ABCMeta, extensibletype))]
    made.append(type("Deeper", (made[2],), {}))
    seen = []
    for metaclass in made:
        assert metaclass is made[1] or probe.same_slots(metaclass, extensibletype)["tp_alloc"], metaclass

        class Base(metaclass=metaclass):
            def __init_subclass__(cls):
                seen.append((probe.state(cls), probe.find_type(cls, A)))
        with_slots(probe, Base, (A, 1))
        metaclass("Sub", (Base,), {})
        type("Sub", (Base,), {})
        assert probe.same_slots(metaclass, extensibletype)["tp_alloc"], metaclass
    assert seen == [("unfinished", 1)] * 2 * len(made)


def test_classes_die_without_endless_recursion():
    """The default dealloc and one that Cython chains behind it call each other."""
    support.check_child("""
        import gc, weakref, abc
        from probe import *
        E = import_metaclass()
        number_meta, real_meta, other_meta = metaclasses()   # other_meta has a chained one
        class Python(other_meta): pass
        class Deeper(Python): pass
        class Combined(abc.ABCMeta, real_meta): pass
        for metaclass in E, number_meta, real_meta, other_meta, Python, Deeper, Combined:
            cls = metaclass("Cls", (), {})
            set_slots(cls, [(257, 1)])
            sub = type("Sub", (cls,), {})
            refs = [weakref.ref(cls), weakref.ref(sub)]
            del cls, sub
            gc.collect()
            assert [r() for r in refs] == [None, None], metaclass
        """, modules=[support.probe_path()])


def test_separately_built_modules_share_one_metaclass_and_see_each_others_slots(probe, probe_twin):
    """Statics of a header exist once for each module; only the creator may use its own."""
    assert probe.import_metaclass() is probe_twin.import_metaclass()
    base = probe_twin.emitted("twin.Base", None, (), [(A, 1)])
    child = probe.emitted("probe.Child", None, (base,), [(B, 2)])
    assert probe.table_type(child) == probe_twin.table_type(child) == [(A, 1), (B, 2)]
    sub = type("Sub", (child,), {})
    probe_twin.set_slots(sub, [(B, 20)])
    assert probe.find(sub(), B) == 20
    for module in probe, probe_twin:             # finishing what nobody has finished
        bare = type.__new__(module.import_metaclass(), "Bare", (), {})
        assert probe.state(bare) == "unfinished"
        module.finish(bare)
        assert probe.state(bare) == "ready" and probe.table_type(bare) == []
        # No slots is one table in the creator's module, whoever asked for it.
        assert probe.address(bare) == probe.address(type(bare)("Empty", (), {}))
    with pytest.raises(TypeError):       # NumberMeta of the one is not that of the other
        probe.number(probe_twin.metaclasses()[0]("Provider", (), {}))


@pytest.mark.usefixtures("mortal_classes")
def test_hidden_metaclass_cycle_that_clears_instances_first_reads_a_valid_table(probe, extensibletype, collected):
    """tp_clear leaves the table alone: finalisers of instances may still look."""
    seen = []

    class Cls(metaclass=extensibletype):
        def __del__(self):
            seen.append(probe.find(self, A))
    with_slots(probe, Cls, (A, 1))
    obj = Cls()
    obj.cls, obj.me = Cls, obj
    Cls.instance = obj
    del obj, Cls
    collected()
    assert seen == [1]


@pytest.mark.parametrize("kind", ["extensibletype", "NumberMeta", "RealMeta", "OtherMeta"])
@pytest.mark.usefixtures("mortal_classes")
def test_classes_hold_and_release_their_metaclass_exactly_once(probe, extensibletype, collected, kind):
    """Over a static metaclass subtype_dealloc releases it, over a heap one we do."""
    below = dict(zip(("extensibletype", "NumberMeta", "RealMeta", "OtherMeta"),
                     (extensibletype, *probe.metaclasses())))[kind]
    metaclass = type("Meta", (below,), {})
    deeper = type("Deeper", (metaclass,), {})
    for meta in metaclass, deeper:
        collected()
        before = sys.getrefcount(meta)
        classes = [meta(f"C{i}", (), {}) for i in range(20)]
        assert sys.getrefcount(meta) == before + 20
        classes.clear()
        collected()
        assert sys.getrefcount(meta) == before
