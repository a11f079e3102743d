# SPDX-License-Identifier: MIT
"""Methods of interfaces that take and return typed memoryviews."""
import array
import sys

import pytest
from layer_modules import MODULES, module_of

from compiling import compile_all

pytestmark = pytest.mark.cythons


owner = module_of("interface_arrays.pyx")
consumer = module_of("interface_array_consumer.pyx", "interface_arrays.pyx")


def doubles():
    return array.array("d", [1, 2, 4])


def matrix():
    return memoryview(array.array("d", range(6))).cast("B").cast("d", (3, 2))


def test_methods_take_memoryviews_from_other_modules_and_return_them(owner, consumer):
    x = doubles()
    assert consumer.apply(owner.Sum(), x) == 7.0
    assert consumer.scale(owner.Sum(), memoryview(x), 10) == 2 and list(x) == [1, 20, 40]
    found = consumer.pairs(owner.Sum(), matrix())
    assert memoryview(found).tolist() == [[2, 3], [4, 5]]
    with pytest.raises(ValueError, match="empty"):
        consumer.apply(owner.Sum(), array.array("d"))


def test_a_class_of_another_module_has_the_body_of_a_method_with_a_memoryview(consumer):
    assert consumer.apply(consumer.Third(), doubles()) == 1.0
    assert consumer.scale(consumer.Third(), memoryview(doubles()), 1) == 3


def test_python_classes_implement_methods_with_memoryviews(owner, consumer):
    class Double(owner.Filter):
        def scale(self, x, factor):
            x[0] = factor
            return len(x)

        def pairs(self, x):
            return x
    x = doubles()
    assert consumer.scale(Double(), memoryview(x), 10) == 2 and list(x) == [1, 10, 4]
    assert memoryview(consumer.pairs(Double(), matrix())).shape == (3, 2)

    class Wrong(owner.Filter):
        def scale(self, x, factor):
            raise KeyError("boom")

        def pairs(self, x):
            return array.array("d", [1])
    with pytest.raises(KeyError, match="boom"):
        consumer.scale(Wrong(), memoryview(x), 10)
    with pytest.raises(ValueError, match="wrong number of dimensions"):
        consumer.pairs(Wrong(), matrix())


OTHERS = ["double[::1] x", "const float[::1] x", "const double[:] x", "const double[:, ::1] x"]


@pytest.mark.thorough
@pytest.mark.parametrize("other", OTHERS)
def test_copies_whose_memoryviews_differ_are_no_copies(other):
    declaration = ('cimport cython_customslots as cs\n@cs.interface(b"t.Copied")\ncdef class {}:\n'
                   "    cdef double apply(self, {}) except? -1\n")
    found = compile_all({"copies": {
        "mod.pyx": "from a cimport A\nfrom b cimport B\ncdef class X(A, B):\n"
                   "    cdef double apply(self, const double[::1] x) except? -1: return 1\n",
        "a.pxd": declaration.format("A", "const double[::1] x"), "b.pxd": declaration.format("B", other)}})["copies"]
    assert any("have one ID, but are no copies" in error[3] for error in found.errors), found.errors


def test_the_layout_of_memoryviews_is_part_of_the_signature(owner):
    source = (MODULES / "interface_arrays.pxd").read_text(encoding="utf-8")
    c = compile_all({"mod": {"mod.pyx": "from shapes cimport Filter\ndef f(Filter x): return x.scale(None, 1)\n",
                             "shapes.pxd": source}})["mod"].c
    assert c.count("offsetof(struct __pyx_memoryview_obj, acquisition_count)") == 4


def test_nothing_of_a_memoryview_leaks(owner, consumer):
    x = matrix()
    before = sys.getrefcount(x) if hasattr(sys, "getrefcount") else 0
    for _ in range(50):
        consumer.pairs(owner.Sum(), x)
    assert not before or sys.getrefcount(x) == before
