# SPDX-License-Identifier: MIT
"""The pictures of type objects show what was recorded, and that is what type objects have."""

import importlib.util
import json
import pathlib
import re
import struct

import pytest
import support

PICTURES = pathlib.Path(__file__).resolve().parents[2] / "docs" / "pictures"
NAMES = ["inherited.svg", "memory.svg"]


def load(name):
    spec = importlib.util.spec_from_file_location(name, PICTURES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_pictures_that_are_committed_show_what_was_recorded():
    assert sorted(path.name for path in PICTURES.glob("*.svg")) == NAMES
    for name, text in load("draw").pictures().items():
        assert (PICTURES / name).read_text(encoding="utf-8") == text, f"{name}: run 'python docs/pictures/draw.py'"


def luminance(colour):
    parts = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear))


def contrast(one, other):
    dark, light = sorted(map(luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("name", [f"docs/pictures/{name}" for name in NAMES] + ["benchmarks/plots/asking.svg"])
@pytest.mark.parametrize("page", ["#ffffff", "#0d1117"])
def test_what_a_picture_shows_can_be_seen_on_light_pages_and_on_dark_ones(name, page):
    text = (PICTURES.parents[1] / name).read_text(encoding="utf-8")
    colours = set(re.findall(r"#[0-9a-f]{6}\b", text)) - {"#ffffff"}       # white is inside of bars
    assert len(colours) >= 3
    for colour in colours:
        assert contrast(colour, page) >= 3, f"{colour} on {page}"


def test_black_on_black_would_be_noticed():
    assert contrast("#000000", "#0d1117") < 3 < contrast("#000000", "#ffffff")


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
