# SPDX-License-Identifier: MIT
"""What docs/why-not.md says of CPython is so; its figures are those that were recorded."""
import re
import sys
import sysconfig
from pathlib import Path

import pytest
import support

PAGE = (support.ROOT / "docs" / "why-not.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def quote():
    sys.path.insert(0, str(support.ROOT / "docs"))
    try:
        import quote
    finally:
        sys.path.pop(0)
    return quote


@support.only_on_cpython("PyPy has its own headers")
def test_the_bit_of_sep_200_is_one_of_cpythons():
    header = Path(sysconfig.get_path("include"), "object.h").read_text(encoding="utf-8")
    name = re.search(r"#define (\w+) \(1UL << 22\)", header)[1]
    assert f"`{name}`" in PAGE and type.__flags__ & 1 << 22 == 0 and int.__flags__ & 1 << 22


@support.only_on_cpython("a bit of CPython's")
def test_flags_are_handed_down_to_types_that_were_never_told():
    assert type("Sub", (list,), {}).__flags__ & 1 << 22


def test_rows_are_quoted_as_they_were_recorded(quote):
    rows = quote.recorded("benchmarks/README.md", "bench_lookup.py")
    name = "attribute + capsule + call, static type"
    assert f"| {name} | vtable call | {rows[name]['3.11.7']} | {rows[name]['3.14.10']} |" in PAGE


@pytest.mark.parametrize("what, message", [
    (("bench_lookup.py", ["no such row"]), "no row"), (("bench_nothing.py", ["x"]), "found 0 sections")])
def test_a_row_that_is_not_there_is_an_error(quote, what, message):
    with pytest.raises(ValueError, match=message):
        quote.figures("benchmarks/README.md", *what)


def test_no_figure_on_the_page_was_typed_by_hand():
    """Outside the quoted tables there is no number with a decimal point but versions."""
    text = re.sub(r"<!-- rows:.*?<!-- end -->", "", PAGE, flags=re.DOTALL)
    numbers = set(re.findall(r"(?<![\d.])\d+\.\d+(?!\.?\d)", text))
    assert numbers <= {"3.10", "3.12", "3.14", "3.1"}, numbers
