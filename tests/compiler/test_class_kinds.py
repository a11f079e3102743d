# SPDX-License-Identifier: MIT
"""Every kind of cdef class: extensible, it behaves as it does without (class_kinds.py)."""
import copy
import datetime
import gc
import inspect
import pickle
import weakref

import pytest
import support
from class_kinds import CPP, CYTHON, DECORATED, ID, alike, by_way, module, raised, values

pytestmark = pytest.mark.cythons


def classes(m):
    found = {name: getattr(m, name) for name in values() if hasattr(m, name)}
    return {**found, "Internal": type(m.internal())}


@by_way(DECORATED)
def test_every_kind_of_class_has_its_fields_and_slots(name, probe):
    m = module(name)
    seen = classes(m)
    assert len(seen) >= 23
    for name, cls in seen.items():
        value = values()[name]
        assert (cls.level, cls.note) == (value, f"note {value}"), name
        assert probe.find_type(cls, ID) == 1000 + value, name


@by_way(DECORATED)
def test_python_subclasses_of_every_kind_of_class_inherit_them_and_set_their_own(name, probe):
    m = module(name)
    for name, cls in classes(m).items():
        if name in ("Final", "Internal"):
            continue
        sub = type(cls)("Sub", (cls,), {})
        assert (sub.level, sub.note) == (cls.level, cls.note), name
        assert probe.find_type(sub, ID) == 1000 + values()[name], name
        own = type(cls)("Own", (sub,), {"level": 77})
        assert (own.level, own.note, sub.level) == (77, cls.note, cls.level), name


@pytest.mark.nightly
def test_extend_all_makes_every_kind_of_class_extensible(extensibletype):
    for name, cls in classes(module("kinds_all")).items():
        assert isinstance(cls, extensibletype), name


@alike
def test_pooled_instances_are_recycled(m):
    Sub = type("Sub", (m.Pooled,), {})
    if not support.FREE_THREADED:                # Cython keeps no free lists there
        assert len({id(m.Pooled(i)) for i in range(50)}) < 50
    return [[cls(5).it for _ in range(20)][-1] for cls in (m.Pooled, m.UnderPooled, Sub)]


@alike
def test_the_collector_sees_what_it_may(m):
    def cycle(cls, name):
        it = cls()
        setattr(it, name, [it])
        return gc.is_tracked(it)

    tracked = (cycle(m.NoClear, "it"), cycle(m.NoCollector, "it"), cycle(m.Life, "it"), gc.is_tracked(m.Empty()))
    gc.collect()
    assert tracked[:3] == (True, False, True)
    assert ("NoClear", True) in m.log
    return tracked, m.log


@alike
def test_final_and_internal_classes_are_what_they_were(m):
    it = m.Final()
    it.x = 5
    return (it.call(), raised(type, "Sub", (m.Final,), {}), hasattr(m, "Internal"), type(m.internal()).__name__)


@alike
def test_collections_match_patterns(m):
    """A flag of the type object says that they are collections; subclasses inherit it."""
    def kind(it):
        match it:
            case [a, b]:
                return "sequence", a, b
        return None

    found = [kind(it) for cls in (m.Sequence, m.Empty) for it in (cls(), type("Sub", (cls,), {})())]
    if CYTHON >= (3, 2):                         # before, Cython keeps the directive to itself
        assert found == [("sequence", 10, 11)] * 2 + [None] * 2
    it = m.Sequence()
    return found, len(it), it[1], it[-1], it[0:1], raised(lambda: it[2]), 10 in it, list(it)


def copies(it):
    protocols = range(2, pickle.HIGHEST_PROTOCOL + 1)
    return [pickle.loads(pickle.dumps(it, protocol)) for protocol in protocols] + [copy.copy(it), copy.deepcopy(it)]


@alike
def test_instances_are_pickled_and_copied(m):
    Sub = type("Sub", (m.UnderPickled,), {})
    m.Sub, Sub.__qualname__, Sub.__module__ = Sub, "Sub", m.__name__
    seen = []
    for cls in (m.Pickled, m.UnderPickled, Sub):
        it = cls(3, [4])
        it.attribute = 5
        for other in copies(it):
            assert type(other) is cls and other.values() == (3, [4], 3.0, 4.0)
            seen.append((other.attribute, getattr(other, "more", None)))
    return seen, raised(pickle.dumps, m.Unpicklable())


@alike
def test_dataclasses_are_dataclasses(m):
    import dataclasses

    Sub = type("Sub", (m.Data,), {})
    a, b = m.Data(1, c=[1]), m.Data(1, c=[2])
    assert a == b and a < m.Data(2) and a != m.Data(1, "c")
    return (a, dataclasses.fields(a)[0].name, dataclasses.asdict(a), m.Frozen(1), Sub(4).a,
            raised(setattr, m.Frozen(1), "a", 2), raised(m.Data), copies(a), getattr(m.Data, "__match_args__", None),
            str(inspect.signature(m.Data.__init__)))


@alike
def test_instances_are_made_and_die_in_order(m):
    class Sub(m.Longer):
        def __init__(self, *args):
            m.log.append("Sub.__init__")
            super().__init__(*args)

        def __del__(self):
            m.log.append("Sub.__del__")
            super().__del__()

    for cls in (m.Life, m.Longer, Sub):
        cls(1)
        m.log.append("-")
    cls = None
    assert m.log[-9:] == [
        "Life.__cinit__", "Longer.__cinit__", "Sub.__init__", "Life.__init__", "Sub.__del__",
        "Longer.__del__", "Longer.__dealloc__", "Life.__dealloc__", "-"]
    return m.log, raised(m.Longer, "fail"), m.log


@alike
def test_members_dict_and_weakref_work(m):
    it = m.Referenced()
    gone, other = [], m.Other()
    reference = weakref.ref(it, lambda _: gone.append(1))
    it.other, other.back, it.items = other, it, [1]
    seen = it.items, other.back is it, reference() is it
    del it, other
    gc.collect()
    assert gone == [1] and reference() is None
    return seen, raised(weakref.ref, m.Empty()), raised(setattr, m.Empty(), "x", 1), \
        raised(setattr, m.Referenced(), "items", 5), raised(setattr, m.Other(), "back", m.Empty())


@alike
def test_builtin_types_can_be_bases(m):
    """(Those from which Cython can derive: not int, tuple, bytes, array.array.)"""
    Sub = type("Sub", (m.List,), {})
    it, d, b = m.List([3, 4]), m.Dict(a=1), m.Bytes(b"text")
    it.extra, d.extra, b.extra = 5, [6], 9
    b += b"more"
    it.append(it.extra)
    assert it == [3, 4, 5] and it.first() == 3 and Sub([1]).first() == 1
    return it, d, d["missing"], it.extra, d.extra, [copy.copy(x) for x in (it, d, b)], b, b.extra, bytes(b)


@alike
def test_classes_of_other_modules_can_be_bases(m):
    from kinds_foreign import call_doubled

    class Sub(m.Deeper):
        def tripled(self):
            return -1

    foreign, deeper = m.UnderForeign(5), m.Deeper(6)
    assert call_doubled(foreign) == 205 and m.call_doubled(deeper) == (12, 206, 506)
    return foreign.tripled(), deeper.tripled(), m.call_doubled(Sub(7)), foreign.number, deeper.extra


@alike
def test_types_written_in_c_can_be_bases(m):
    Sub = type("Sub", (m.Date,), {})
    day = m.Date(2020, 2, 28)
    day.extra = 3
    return day, day + datetime.timedelta(2), Sub(2020, 1, 1).year, day.extra, day < datetime.date(2021, 1, 1)


@by_way(CPP)
def test_members_can_be_objects_of_cpp_classes(name):
    cls = module(name).Cpp
    it = cls()
    it.text += b"!"
    assert (it.total(), it.text, cls.level) == ((1, 5), b"text!", 47)
