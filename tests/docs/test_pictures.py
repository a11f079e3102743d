# SPDX-License-Identifier: MIT
"""What the pictures of type objects show is what type objects have."""

import importlib.util
import json
import pathlib
import struct

import pytest
import support

pytestmark = pytest.mark.once

PICTURES = pathlib.Path(__file__).resolve().parents[2] / "docs" / "pictures"


def load(name):
    spec = importlib.util.spec_from_file_location(name, PICTURES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def plain(fact):
    """What does not depend on the interpreter: places behind CPython's own part."""
    start = fact["heaptype_size"]
    return {**fact, "heaptype_size": 0, "size": fact["size"] - start,
            "fields": [{**field, "offset": field["offset"] - start} for field in fact["fields"]]}


@pytest.mark.skipif(struct.calcsize("P") != 8, reason="the places that are recorded are those of 64 bits")
def test_what_was_recorded_is_what_the_type_objects_have():
    module = support.load(support.build_cython(PICTURES / "plugins.pyx", name="pictured_plugins"))
    recorded = json.loads((PICTURES / "classes.json").read_text(encoding="utf-8"))["classes"]
    found = load("record").recorded(module.Plugin)["classes"]
    assert [plain(fact) for fact in found] == [plain(fact) for fact in recorded]
    # Not by chance: what the pictures are about.
    assert {fact["table_of"] for fact in found} == {"Plugin"}
    assert [[field["own"] for field in fact["fields"]] for fact in found] == [
        [True, True], [True, False], [False, True]]
