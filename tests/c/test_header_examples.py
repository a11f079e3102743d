# SPDX-License-Identifier: MIT
"""The examples in the heads of the headers are real: same text, compiled and run."""
import array
import math
import re
import subprocess
from pathlib import Path

import cython_customslots
import pytest
import support

pytestmark = pytest.mark.compilers

HERE = Path(__file__).resolve().parent
EXAMPLES = {"customslots.h": "example.c", "extensibletype.h": "example_provider.c",
            "typedarray.h": "example_array.c", "typedmethod.h": "example_typed.c"}
SOURCES = [HERE / name for name in (*EXAMPLES.values(), "example_module.c")]


def example_of_header(name):
    text = (Path(cython_customslots.get_include()) / name).read_text(encoding="utf-8")
    found = re.findall(r"// \[example\.begin\]\n(.*?) \* +// \[example\.end\]", text, re.DOTALL)
    assert len(found) == 1, f"{name}: expected one pair of [example.begin] and [example.end]"
    return [re.sub(r"^ \*(   )?", "", line) for line in found[0].splitlines()]


def example_of_file(name):
    text = (HERE / name).read_text(encoding="utf-8")
    begin, end = "/* [example.begin] */\n", "/* [example.end] */\n"
    assert text.count(begin) == text.count(end) == 1
    return text[text.index(begin) + len(begin):text.index(end)].splitlines()


@pytest.mark.parametrize("header", EXAMPLES)
def test_example_in_the_header_is_the_text_that_is_compiled(header):
    assert example_of_file(EXAMPLES[header]) == example_of_header(header)
    assert len(example_of_header(header)) > 8
    text = (Path(cython_customslots.get_include()) / header).read_text(encoding="utf-8")
    assert f"(tests/c/{EXAMPLES[header]} holds this text and is compiled and run)" in text


@pytest.fixture(scope="module", params=support.thoroughly([*dict.fromkeys(["c11", *support.DIALECTS])]))
def examples(request, tmp_path_factory):
    """The examples as one module, compiled under one standard."""
    dialect = request.param
    name = "example_" + dialect.replace("+", "p")
    directory = tmp_path_factory.mktemp(name)
    objects = support.compile_all_strictly(SOURCES, dialect, directory,
                                           f"-DEXAMPLE_NAME={name}", include_dirs=[HERE])
    tools = support.toolchain()
    target = directory / (name + tools.suffix)
    linker = tools.cxx if dialect.startswith("c++") else tools.cc
    subprocess.run([*linker, *map(str, objects), *tools.link_flags, "-o", str(target)], check=True)
    return support.load(target, name)


def test_examples_run_under_every_standard(examples, probe):
    """Four translation units include the headers; the last one twice."""
    twice = examples.twice_type()
    assert examples.call_or_zero(twice(), 21.0) == 42.0
    assert [examples.call_or_zero(obj, 21.0) for obj in (5, None, twice, "x")] == [0.0] * 4

    class Sub(twice): pass
    assert examples.call_or_zero(Sub(), 1.5) == 3.0
    assert examples.twice_type() is twice
    assert probe.count_type(twice) == 1 and repr(twice) == "<class 'example.Twice'>"
    assert abs(examples.integrate(math.exp, 0.0, 1.0, 1000) - (math.e - 1)) < 1e-6
    assert abs(examples.integrate(lambda x: x * x, 0, 3, 1000) - 9) < 1e-4
    with pytest.raises(ZeroDivisionError):
        examples.integrate(lambda x: 1 / 0, 0.0, 1.0, 1000)
    with pytest.raises(TypeError, match=r"expected a callable for f8\(f8\)"):
        examples.integrate(5, 0.0, 1.0, 1000)
    x, y = array.array("d", [1, 2, 3]), memoryview(array.array("d", [4, 5, 6]))[::-1]
    assert examples.dot(x, y) == 1 * 6 + 2 * 5 + 3 * 4
    with pytest.raises(ValueError, match="found two lengths"):
        examples.dot(x, x[:2])
    with pytest.raises(TypeError, match="found a 'bytes' of uint8, expected an array of float64 with 1 dimension"):
        examples.dot(x, b"abc")
