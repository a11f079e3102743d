# SPDX-License-Identifier: MIT
"""The two libraries of README meet as it says."""
import pytest
import support
from pages import block

pytestmark = pytest.mark.once

README = "../README.md"

REGISTERING = """\
from libc.stdint cimport uintptr_t
cimport cython_customslots as customslots
cdef double area(object square) noexcept:
    return len(<list>square) ** 2
cdef customslots.PyCustomSlot slot
slot.id = customslots.PyCustomSlots_Intern(b"shapes.area")
slot.data.pointer = <void *>area
customslots.PyCustomSlots_Register(list, &slot)
"""


@pytest.fixture(scope="module")
def built():
    modules = []
    for name, layer in [("circles", True), ("totals", False)]:
        directory = support.cache_directory("readme", name)
        source = support.write_source(directory / f"{name}.pyx",
                                      block(README, f"quote: examples/first_protocol/{name}/{name}.pyx"))
        modules.append(support.build_cython(source, directory=directory / "built", layer=layer, carries=layer))
    return modules


def test_provider_and_consumer_of_the_readme_print_what_it_says_without_the_package(built):
    blocked = 'import sys; sys.modules["cython_customslots"] = None\n'     # an import of it would fail
    printed = support.check_child(blocked + block(README, "quote: examples/first_protocol/first.py"), modules=built)
    assert f"{printed}\n" == block(README, "output: first.py")


def test_the_consumer_takes_any_object_at_all_whatever_its_class_has_room_for(built):
    source = support.write_source(support.cache_directory("readme", "registering") / "registering.pyx", REGISTERING)
    registering = support.build_cython(source, directory=source.parent / "built", layer=False)
    assert support.check_child("import registering, totals; print(totals.total([[1, 2, 3], (4,)]))",
                               modules=[*built, registering]) == "9.0"
