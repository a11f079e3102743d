# SPDX-License-Identifier: MIT
"""What docs/metaclass-conflicts.md says of other people's classes, with those that are installed."""
import os

import partners
import pytest
import support

pytestmark = [pytest.mark.thorough, pytest.mark.interop, support.only_on_cpython("extensible types")]
#: Large, or in each other's way.
BY_HAND = {"Boost.Python", "PyQt5", "PyQt6", "PySide6", "Sage, `ClasscallMetaclass`"}
INSTALLED = [partner for partner in partners.PARTNERS if partners.is_installed(partner)]


@pytest.fixture(scope="module")
def shapes(_cache_exists):
    return partners.build_shapes()


@pytest.mark.parametrize("partner", support.thoroughly(INSTALLED, plain=4, thorough=0),
                         ids=lambda partner: partner.name)
def test_a_class_beside_a_provider_is_what_the_page_says(partner, shapes):
    assert partners.row(partner, shapes) == partners.written()[partner.name][:-1]


def test_those_that_the_extras_install_are_tried():
    expected = {partner.name for partner in partners.PARTNERS if not partner.package}
    if os.environ.get("CUSTOMSLOTS_INTEROP"):
        expected |= {partner.name for partner in partners.PARTNERS} - BY_HAND
    assert len(expected) >= 8 and expected <= {partner.name for partner in INSTALLED}


def test_the_page_has_the_message_of_combine_for_two_metaclasses_with_c_data(shapes):
    import ctypes

    from cython_customslots import combine
    with pytest.raises(TypeError) as raised:
        combine(shapes.Shape, ctypes.Structure)
    found = partners.IN_C.search(" ".join(partners.PAGE.read_text(encoding="utf-8").split()))
    assert partners.IN_C.fullmatch(str(raised.value)) and found
