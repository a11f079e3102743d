# SPDX-License-Identifier: MIT
"""@array: a cdef class whose objects are arrays."""
import pytest
import support
from compiling import compile_all

MODULES = support.TESTS / "compiler" / "modules"


@pytest.fixture(scope="module", params=["C", "C++"])
def provided(request):
    name = f"provided_{request.param.count('+')}"
    return support.load(support.build_cython(MODULES / "provided.pyx", name=name, cplus=request.param == "C++"))


@pytest.fixture(scope="module")
def consumer():
    return support.load(support.build_cython(support.TESTS / "arrays" / "array_consumer.pyx"))


def test_expressions_over_self_are_the_array_each_time(provided, consumer):
    x = provided.Matrix(2, 3)
    view = memoryview(x)
    view[1, 2] = 5
    assert (view.format, view.shape, view.strides, view.readonly) == ("d", (2, 3), (24, 8), False)
    consumer.scale(x, 2)
    assert view.tolist() == [[0, 0, 0], [0, 0, 10]] and x.__dlpack_device__() == (1, 0)
    assert type(x).__dlpack_c_exchange_api__ is not None
    column = provided.Column(x, 2)
    assert consumer.total(column) == 10 and memoryview(column).strides == (24,)
    column.__init__(provided.Matrix(4, 1), 0)
    assert memoryview(column).shape == (4,)


def test_classes_below_are_arrays_too(provided, consumer):
    for cls in provided.Below, provided.FromPython, type("More", (provided.FromPython,), {}):
        x = cls(1, 2)
        memoryview(x)[0, 1] = 3
        consumer.scale(x, 2)
        assert memoryview(x).tolist() == [[0, 6]]


def test_types_shapes_strides_and_what_may_be_written_are_said_by_expressions(provided):
    x = provided.Halves(2, 3, -3, 1)
    view = memoryview(x)
    assert (view.format, view.shape, view.strides, view.readonly) == ("e", (2, 3), (-6, 2), False)
    x.fixed = 1
    assert memoryview(x).readonly and not view.readonly
    number = memoryview(provided.Number(7))
    assert (number.format, number.shape, number.tolist(), number.readonly) == ("i", (), 7, True)


def raise_cause(ask, x):
    """What the class raised: a consumer of arrays raises TypeError, and that is its cause."""
    try:
        ask(x)
    except TypeError as raised:
        error = raised.__cause__ or raised
        raise error from None


@pytest.mark.parametrize("number, error, words", [
    (KeyError("not today"), KeyError, "not today"), ("x", TypeError, "integer"), (1 << 80, OverflowError, "int"),
    (-1, BufferError, "found a '.*Raising' with a shape that is missing, negative or too large"),
    (1 << 60, BufferError, "reaches further than there are addresses")])
def test_expressions_that_raise_or_lie_are_exceptions(provided, consumer, number, error, words):
    for ask in memoryview, consumer.total, lambda x: x.__dlpack__(), lambda x: x.__dlpack_device__():
        with pytest.raises(error, match=words):
            raise_cause(ask, provided.Raising(number))
    with pytest.raises(BufferError, match="of 1 times 63 bits, which are no bytes"):
        memoryview(provided.Raising(1, 63))
    assert memoryview(provided.Raising(1)).nbytes == 8


def test_an_object_that_is_not_made_yet_is_an_exception(provided, consumer):
    x = provided.Filled(-1)
    with pytest.raises(BufferError, match="of 0 times 0 bits"):
        memoryview(x)
    for ask in memoryview, consumer.total, lambda x: x.__dlpack__():
        with pytest.raises(AttributeError, match="'NoneType' object has no attribute 'items'"):
            raise_cause(ask, provided.Column.__new__(provided.Column))


def test_a_c_function_fills_the_tensor_and_that_of_a_subclass_another_one(provided):
    assert memoryview(provided.Filled(0)).tolist() == 0
    with pytest.raises(BufferError, match="on a device of type 0, number 0, expected an array; what its class says"):
        memoryview(provided.Filled(-2))
    with pytest.raises(BufferError, match="with a shape that is missing"):
        memoryview(provided.Filled(2))
    for ask in memoryview, lambda x: x.__dlpack__(), lambda x: x.__dlpack_device__():
        with pytest.raises(RuntimeError, match="not today"):
            ask(provided.Other(0))


def test_a_class_that_others_know_from_its_pxd_has_the_struct_that_they_know():
    pxd = "cdef class A:\n    cdef double x[3]\n"
    pyx = ("cimport cython_customslots as cs\n@cs.array(data=self.x, shape=3)\ncdef class A:\n"
           "    def __init__(self):\n        self.x[2] = 5\n")
    done = compile_all({"pxd": {"mod.pxd": pxd, "mod.pyx": pyx},
                        "none": {"mod.pyx": pyx.replace("class A:\n", "class A:\n    cdef double x[3]\n")}})
    for name, member, provider in ("pxd", 0, "PROVIDER_WITH_ROOM(__pyx"), ("none", 1, "PROVIDER(__pyx"):
        assert done[name].errors == [], done[name].messages
        assert done[name].c.count("int64_t __pyx_customslots_numbers[2];") == member
        assert done[name].c.count(provider) == 1
