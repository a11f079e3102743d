# SPDX-License-Identifier: MIT
"""A slot and a capsule in a class attribute are the same, whichever of them a class has."""
import ctypes
import sys
import types

import cython_customslots
import pytest
import support
from test_dlpack import NAME

ATTRIBUTE = "__dlpack_c_exchange_api__"


@pytest.fixture(scope="module")
def tables(arrays):
    """Three capsules with tables."""
    return [arrays.api(NAME, 1, 3, 3) for _ in range(3)]


def test_what_a_class_or_a_base_gets_loses_and_replaces_is_followed(arrays, tables):
    class Base: pass
    class Middle(Base): pass
    class Below(Middle): pass
    classes = Below, Middle, Base
    for _ in range(3):
        assert [arrays.bridged(cls) for cls in classes] == [None] * 3
        Base.__dlpack_c_exchange_api__ = tables[0]
        assert [arrays.bridged(cls) for cls in classes] == [arrays.address(tables[0])] * 3
        Middle.__dlpack_c_exchange_api__ = tables[1]
        assert [arrays.bridged(cls) for cls in classes] == [arrays.address(tables[i]) for i in (1, 1, 0)]
        Middle.__dlpack_c_exchange_api__ = None
        assert [arrays.bridged(cls) for cls in classes] == [None, None, arrays.address(tables[0])]
        del Base.__dlpack_c_exchange_api__, Middle.__dlpack_c_exchange_api__


def test_a_class_that_changes_more_often_than_cpython_counts_is_followed(arrays, tables):
    bases = [type(f"Base{i}", (), {ATTRIBUTE: table}) for i, table in enumerate(tables)]
    cls = type("Changing", (bases[0],), {})
    for i in 0, 1, 2, 1, 0:
        cls.__bases__ = (bases[i],)
        assert arrays.bridged(cls) == arrays.address(tables[i])
    for i in range(3000):
        setattr(cls, ATTRIBUTE, tables[i % 3])
        assert arrays.bridged(cls) == arrays.address(tables[i % 3])


def test_a_slot_comes_before_the_attribute_and_may_come_later(arrays, tables):
    cls = type("Both", (), {ATTRIBUTE: tables[0]})
    assert arrays.bridged(cls) == arrays.address(tables[0])
    arrays.register_slot(cls, tables[1])
    below = type("Below", (cls,), {ATTRIBUTE: tables[2]})
    assert arrays.bridged(cls) == arrays.bridged(below) == arrays.address(tables[1])


@support.only_on_cpython("there are no consumers with the limited API")
def test_where_nobody_has_brought_services_the_same_is_found(arrays, tables):
    """Consumers with the limited API do for themselves what else those with the full API do for them."""
    import foreign
    services = ctypes.c_size_t.from_address(foreign.shared(foreign.string("_Pycs_TABLE_KEY")) + 10 * foreign.W)
    for brought in services.value, 0, services.value:
        cls = type("Both", (), {ATTRIBUTE: tables[0]})
        below, plain = type("Below", (cls,), {}), type("Plain", (), {})
        services.value = brought
        assert [arrays.bridged(each) for each in (cls, below, plain)] == [arrays.address(tables[0])] * 2 + [None]
        arrays.register_slot(cls, tables[1])
        services.value = brought
        assert [arrays.bridged(each) for each in (cls, below, plain)] == [arrays.address(tables[1])] * 2 + [None]


@pytest.mark.parametrize("wrong", [None, 5, "capsule of another name", "capsule without a name", property()])
def test_an_attribute_that_is_something_else_is_none(arrays, tables, wrong):
    if isinstance(wrong, str):
        wrong = arrays.api("dlpack_exchange_api_v2" if "another" in wrong else None, 1, 3, 3)
    cls = type("Lying", (), {ATTRIBUTE: wrong})
    for _ in range(2):
        assert arrays.bridged(cls) is None
        setattr(cls, ATTRIBUTE, tables[0])
        assert arrays.bridged(cls) == arrays.address(tables[0])
        setattr(cls, ATTRIBUTE, wrong)


def test_classes_at_the_address_of_dead_ones_are_new(arrays, tables):
    for i in range(500):
        cls = type("Short", (), {ATTRIBUTE: tables[i % 3]} if i % 2 else {})
        assert arrays.bridged(cls) == (arrays.address(tables[i % 3]) if i % 2 else None)
        del cls


def test_a_slot_is_published_inherited_and_overridden(arrays, tables):
    cls = type("Registered", (), {})
    with pytest.raises(TypeError, match=f"found no pointer in slot 'dlpack.exchange_api' of .* attribute {ATTRIBUTE}"):
        arrays.publish(cls)
    arrays.register_slot(cls, tables[0])
    arrays.publish(cls)
    below = type("Below", (cls,), {})
    assert arrays.address(below.__dlpack_c_exchange_api__) == arrays.address(tables[0])
    arrays.register_slot(below, tables[1])
    arrays.publish(below)
    assert arrays.address(below.__dlpack_c_exchange_api__) == arrays.address(tables[1]) == arrays.bridged(below)
    assert arrays.address(cls.__dlpack_c_exchange_api__) == arrays.address(tables[0])


@pytest.mark.skipif(sys.version_info < (3, 12), reason="before 3.12 builtin types are as others are")
def test_a_builtin_type_gets_no_attribute(arrays, tables):
    cls = {"": types.AsyncGeneratorType, "abi3": types.CoroutineType, "abi3t": types.GeneratorType}[
        arrays.__name__.removeprefix("array_probe").lstrip("_")]        # a registration stays
    arrays.register_slot(cls, tables[0])
    refused = pytest.raises(TypeError, match=f"found the builtin type {cls}, expected one that may")
    with refused:
        arrays.publish(cls)
    with refused:
        arrays.provide(cls, False)
    assert arrays.bridged(cls) == arrays.address(tables[0])


@support.only_on_cpython("Slotted needs room in type objects")
def test_a_class_of_python_says_both_and_they_are_inherited_and_overridden_alike(arrays, tables):
    from cython_customslots import Slotted

    capsule = tables[0]

    # [both.begin]
    class Base(metaclass=Slotted):
        __dlpack_c_exchange_api__ = capsule
        __customslots__ = {"dlpack.exchange_api": __dlpack_c_exchange_api__}
    # [both.end]

    class Below(Base):
        __dlpack_c_exchange_api__ = tables[1]
        __customslots__ = {"dlpack.exchange_api": __dlpack_c_exchange_api__}
    for cls, table in (Base, 0), (Below, 1), (type("Lowest", (Below,), {}), 1):
        assert arrays.address(cls.__dlpack_c_exchange_api__) == arrays.address(tables[table]) == arrays.bridged(cls)


@support.only_on_cpython("PyPy asks as Python does")
def test_no_code_of_a_class_runs_and_an_attribute_of_its_metaclass_is_not_its_own(arrays, tables):
    class Hostile(type):
        __dlpack_c_exchange_api__ = tables[0]

        def __getattribute__(cls, name):
            raise KeyboardInterrupt

        __getattr__ = __getattribute__

    class Without(metaclass=Hostile):
        __getattr__ = __getattribute__ = None

    class With(metaclass=Hostile):
        __dlpack_c_exchange_api__ = tables[1]
    assert [arrays.bridged(cls) for cls in (Without, With)] == [None, arrays.address(tables[1])]


@support.only_on_cpython("explain() reads the memory of CPython's capsules")
def test_explain_says_where_a_table_is_and_why_another_is_none(arrays, tables):
    cls = type("Explained", (), {})
    arrays.bridged(cls)

    def explained(attribute):
        cls.__dlpack_c_exchange_api__ = attribute
        return cython_customslots.explain(type("Below", (cls,), {}))
    row, = (slot for slot in cython_customslots.slots(type("Own", (), {ATTRIBUTE: tables[0]})) if slot.attribute)
    assert (row.data, row.attribute, row.own) == (arrays.address(tables[0]), ATTRIBUTE, True)
    assert "__dlpack_c_exchange_api__, from test_bridges." in explained(tables[0])
    no = f"! its attribute {ATTRIBUTE} is no slot 'dlpack.exchange_api': found "
    assert f"{no}'NoneType', expected a capsule named '{NAME}'" in explained(None)
    assert f"{no}a capsule named 'dlpack', expected a" in explained(arrays.api("dlpack", 1, 3, 3))
    assert f"{no}a capsule named None" in explained(arrays.api(None, 1, 3, 3))
    newest = arrays.api(NAME, 3, 1, 3, arrays.api(NAME, 2, 0, 3))
    assert "! slot 'dlpack.exchange_api': found a table of DLPack 3.1, and of 2.0, expected 1" in explained(newest)
    for good in arrays.api(NAME, 2, 0, 3, tables[0]), arrays.api(NAME, 1, 99, 3):
        assert "expected" not in explained(good)
    arrays.register_slot(cls, newest)
    assert "DLPack 3.1, and of 2.0, expected 1" in explained(None) and no not in explained(None)
