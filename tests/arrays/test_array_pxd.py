# SPDX-License-Identifier: MIT
"""typedarray.pxd: for plain Cython and for the compiler layer, with nothing to import or to include."""
import array
import re
from pathlib import Path

import cython_customslots
import pytest
import support
from array_support import HERE
from cython_customslots.tools import headers

PXD = Path(cython_customslots.__file__).with_name("typedarray.pxd")


@pytest.fixture(scope="module", params=support.CONSUMERS)
def consumer(request):
    return support.load(support.build_consumer(HERE / "array_consumer.pyx", request.param))


def test_any_array_is_read_and_written(consumer):
    x = array.array("d", [1, 2, 3, 4])
    assert consumer.total(x) == 10 and consumer.total(memoryview(x)[::-2]) == 6
    consumer.scale(x, 2)
    consumer.scale(memoryview(x).cast("B").cast("d", (2, 2)), 2)
    assert list(x) == [4, 8, 12, 16]
    with pytest.raises(TypeError, match="found an object of type 'list'"):
        consumer.total([1.0])
    with pytest.raises(TypeError, match="that is read-only, expected an array of float64, writable"):
        consumer.scale(memoryview(x).toreadonly(), 2)


def test_an_array_may_be_kept_in_an_object(consumer):
    x = array.array("d", range(6))
    table = consumer.Table(memoryview(x).cast("B").cast("d", (2, 3)))
    del x
    assert list(table) == [[0, 1, 2], [3, 4, 5]]
    with pytest.raises(TypeError, match="with 1 dimension, expected an array of float64 with 2 dimensions"):
        table.__init__(array.array("d", [1]))
    assert list(table) == []
    table.__init__(memoryview(bytes(8)).cast("d", (1, 1)))
    assert list(table) == [[0]]


def test_the_installed_file_carries_the_header_and_declares_what_is_in_it():
    text = PXD.read_text(encoding="utf-8")
    assert headers.has_header(text) and "#define Py_TYPEDARRAY_H" in text
    header = headers.whole_text("typedarray.h")
    for name in set(re.findall(r"\b(?:PyTypedArray|kDL|DL)\w*", text.rpartition('"""')[2])):
        assert re.search(rf"\b{name}\b", header), name
    assert int(re.search(r"define PyTypedArray_MAX_NDIM +(\d+)", header)[1]) == 8 and "shape[8]" in text
