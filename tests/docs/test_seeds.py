# SPDX-License-Identifier: MIT
"""docs/seeds.md has each name of the four texts, and what it calls ours is in our headers."""
import re

import pytest
import support

PAGE = (support.ROOT / "docs" / "seeds.md").read_text(encoding="utf-8")
PACKAGE = support.ROOT / "cython_customslots"

#: What the texts call by name.
NAMES = {
    "SEP 200": """extensibletype _extensibletype extensibletype_v1 PyExtensibleType_TPFLAGS_IS_EXTENSIBLE
        tp_flags PyCustomSlot id data pointer objoffset flags PyCustomSlots_Init PyCustomSlots_Check
        PyCustomSlots_Count PyCustomSlots_Table PyCustomSlots_Find expected_pos customslots.h extensibletype.h
        PyHeapExtensibleTypeObject etp_heaptype etp_count etp_custom_slots etp_custom_slot_count
        etp_custom_slot_table PyExtensibleType_Ready slot_table_size PyExtensibleType_Import __customslots__
        0x00000000 0x00000001 0x00 0x01 0x02 0x03 0x04 0x05 provider_c_code.h 0.54""",
    "CEP 1001": """Py_TPFLAGS_HAS_EXTENSIONS PyTypeObjectExtensionEntry PyTypeExtensionEntry tpe_extension_id
        tpe_data PyTypeObjectExtensionList tpe_count tpe_entries PyExtendedTypeObject tp_main tp_extensions""",
    "per-class fields": """GreetType sentence _greet_map GreetHolder Greet FriendlyHello _get_sentence
        GreetMetaType _InternalStructUnionType iop_struct_t""",
    "typed methods": """PyPyTypedMethodMetadata arg_type ret_type underlying_func ml_name METH_TYPED ml_flags
        T_C_LONG GetTypedSignature PyMethodDef _PyPyTyped_foo mytypedmod inc""",
}
OURS = re.compile(r"(?:PyCustomSlots?_?|PyExtensibleType_|PyHeapExtensibleTypeObject|PyTypedMethod|PyTypedCallable"
                  r"|etp_|extensibletype)\w*")


def rows():
    return [tuple(cell.strip() for cell in line.strip("|").split(" | "))
            for line in PAGE.splitlines() if line.startswith("| ")]


def in_code(text):
    return set(re.findall(r"[\w.]+", " ".join(re.findall(r"`([^`]+)`", text))))


@pytest.mark.parametrize("text", NAMES)
def test_each_name_of_the_text_is_on_the_page(text):
    there = set().union(*(in_code(row[0]) for row in rows())) | set(re.findall(r"0\.54", PAGE))
    there |= {name.rpartition(".")[2] for name in there} | {name.partition(".")[0] for name in there}
    assert [name for name in NAMES[text].split() if name not in there] == []


@pytest.fixture(scope="module")
def declared():
    """All names in public headers and .pxd files."""
    files = [*PACKAGE.glob("include/**/*.h"), *PACKAGE.glob("*.pxd")]
    assert len(files) > 20
    return set().union(*(re.findall(r"\w+", path.read_text(encoding="utf-8")) for path in files))


def test_each_name_that_the_page_calls_ours_is_in_our_headers(declared):
    ours = {name for row in rows() for name in in_code(row[-1]) if OURS.fullmatch(name)}
    assert len(ours) > 40 and ours - declared <= {"extensibletype.h"}, ours - declared


def test_names_that_are_gone_are_in_no_header_of_ours(declared):
    gone = {"PyExtensibleType_TPFLAGS_IS_EXTENSIBLE", "METH_TYPED", "PyPyTypedMethodMetadata", "extensibletype_v1"}
    assert gone & declared == set() and gone <= set(re.findall(r"\w+", PAGE))
