# SPDX-License-Identifier: MIT
"""--extend-all: classes that know nothing of us become extensible and work as before."""
import array
import pickle

import pytest
import support


def test_classes_of_all_kinds_become_extensible(automatic, base):
    extensible = type(base.Slots)
    for name in ("Plain", "Derived", "Pooled", "Data", "Error", "Dictionary", "List",
                 "Iterator", "Buffer"):
        assert type(getattr(automatic, name)) is extensible, name
    assert type(type(automatic.internal())) is extensible


def test_metaclasses_exported_types_and_what_has_a_foreign_metaclass_stay_plain(automatic):
    assert type(automatic.Meta) is type
    assert type(automatic.Public) is automatic.ForeignMeta
    assert type(automatic.UnderForeign) is automatic.ForeignMeta
    assert automatic.UnderForeign.__basicsize__ > automatic.Public.__basicsize__


def test_they_have_a_vtable_slot(automatic, reader):
    size, n, _, layout = reader.vtable(automatic.Derived, "layer_automatic.Derived")
    assert (n, layout) == (1, "i4 c_method(object) except *\n")


def test_classes_of_cythons_own_stay_as_they_are(automatic, base):
    assert automatic.total(array.array("d", [1, 2])) == 3.0
    assert automatic.closure(3)(4) == 7
    assert list(automatic.generator(3)) == [0, 1, 2]
    assert not isinstance(type(automatic.generator(3)), type(base.Slots))


def test_instances_behave_as_before(automatic):
    plain = automatic.Plain(3) + automatic.Plain(4)
    assert plain.x == automatic.call_c_method(plain) == 7
    assert pickle.loads(pickle.dumps(plain)).x == 7
    derived = automatic.Derived(1)
    derived.anything = 5
    assert derived.anything == 5
    assert automatic.Data(5) == automatic.Data(5, b="b") != automatic.Data(6)
    assert list(automatic.Iterator(3)) == [2, 1, 0]
    assert bytes(memoryview(automatic.Buffer())) == bytes(4)
    assert automatic.Dictionary(x=1) == {"x": 1} and automatic.List([1]) == [1]
    with pytest.raises(automatic.Error) as caught:
        raise automatic.Error("text")
    assert caught.value.code == 0


def test_pooled_instances_are_recycled_and_subclasses_work(automatic):
    class Sub(automatic.Pooled):
        def it(self):
            return 5

    assert Sub(5).it() == 5
    if support.FREE_THREADED:
        return                                   # Cython keeps no free lists there
    # Memory of Sub goes back to Python, and AddressSanitizer hands out none twice.
    for cls in (automatic.Pooled,) if support.SANITIZE else (automatic.Pooled, Sub):
        assert len({id(cls(i)) for i in range(50)}) < 50


def test_arguments_declared_type_take_them(automatic):
    assert automatic.name_of(automatic.Plain) == "Plain"
