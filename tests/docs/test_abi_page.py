# SPDX-License-Identifier: MIT
"""The pages of the ABI are complete and right: what is ABI is quoted, and their figures are those of
the compiler."""
import ctypes
import re
import sys

import pytest
import support
from cython_customslots.compiler import vtables
from foreign import PAGE

HEADERS = {path: path.read_text("ascii") for path in sorted(
    (support.ROOT / "cython_customslots" / "include").rglob("*.h"))}

#: What a foreign implementation must know to the byte.
REQUIRED = {
    "version", "PyCustomSlot", "PyCustomSlotsDeclared", "ids", "PyHeapExtensibleTypeObject",
    "check", "root", "capacity", "field", "rendezvous", "implementation", "state", "sidecar",
    "table", "table_hash", "intern", "intern_key", "registered", "registered_note", "typed",
    "interface", "signature", "interface_node", "interface_spec", "overriding",
    "CustomSlotsVtableData.proto", "codes", "PyTypedMethodError", "flags", "PyTypedMethodEntry",
    "PyTypedMethodRecord", "PyTypedMethodNative", "PyTypedMethodReach", "functions", "functions_bit",
}

#: What is said to the compiler, and no other module sees.
SWITCHES = ("PyExtensibleType_RUNTIME_", "PyExtensibleType_MODULE_NAME")

NAME = r"_?Py(?:HeapExtensible|CustomSlot|Extensible)\w*"


def quoted():
    return "".join(re.findall(r"<!-- quote: [^\n]+ -->\n```c\n(.*?)```", PAGE, re.DOTALL))


def defined(text):
    """The constants and struct types that a header defines; include guards have no value."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    constants = re.findall(rf"^# *define +({NAME})(?= +\S|\()", text, re.MULTILINE)
    structs = re.findall(rf"^}} ({NAME});|^struct ({NAME}) {{", text, re.MULTILINE)
    return set(constants) | {a or b for a, b in structs}


def test_the_pages_quote_everything_that_is_abi():
    markers = re.findall(r"<!-- quote: \S+ \[(.+?)\] -->", PAGE)
    assert sorted(markers) == sorted(REQUIRED)


def test_every_public_constant_and_struct_of_the_headers_is_quoted():
    public = {name for text in HEADERS.values() for name in defined(text)
              if not name.startswith(("_", *SWITCHES))}
    assert {"PyCustomSlot", "PyCustomSlots_EMPTY", "PyExtensibleType_Field"} <= public
    missing = sorted(name for name in public if not re.search(rf"\b{name}\b", quoted()))
    assert not missing, f"the pages quote no definition of {', '.join(missing)}"


def test_every_constant_and_struct_that_the_pages_name_is_quoted():
    known = {name for text in HEADERS.values() for name in defined(text)}
    prose = re.sub(r"```c\n.*?```", "", PAGE, flags=re.DOTALL)
    named = set(re.findall(rf"\b{NAME}", prose)) & known
    assert {"PyCustomSlots_MIN_CAPACITY", "_PyCustomSlots_STATIC_MARK"} <= named
    missing = sorted(name for name in named if not re.search(rf"\b{name}\b", quoted()))
    assert not missing, f"the pages name {', '.join(missing)}, but do not quote it"


def test_every_name_that_the_process_shares_stands_on_the_pages():
    names = {name for text in HEADERS.values()
             for name in re.findall(r'"(_(?:customslots|extensibletype)[\w.]*)"', text)}
    assert {"_customslots_table_v1", "_extensibletype._api_v3"} <= names
    assert not [name for name in names - {"_customslots_type_died"} if name not in PAGE]


def test_the_pages_name_the_vtable_slot_as_the_compiler_layer_does():
    name = vtables.SLOT_NAME.format(name="{module}.{name}")
    assert f"`{name}`" in PAGE


def test_every_function_of_the_api_has_a_contract():
    contracts = re.search(r"### The functions\n(.*?)\n### Static types", PAGE, re.DOTALL)[1]
    functions = implementation()
    assert re.findall(r"^\| `(\w+)` \|", contracts, re.MULTILINE) == (
        functions[functions.index("ready"):])
    assert len(functions) >= 40


def implementation():
    """The functions and hooks of an implementation, in their order, as the header has them."""
    struct = re.search(r"struct _PyExtensibleType_Impl \{(.*?)\n\};", PAGE, re.DOTALL)[1]
    return re.findall(r"\(\*(\w+)\)\(", struct)


def test_every_function_has_its_place_and_count_on_the_pages():
    *rows, _ = offset_table("what is added later")
    assert [name for _, name in rows][-len(implementation()):] == implementation()
    counts = re.findall(r"^\| \d+ \| \d+ \| `(\w+)` \| (\d+) \|$", PAGE, re.MULTILINE)
    assert counts == [(name, str(i)) for i, name in enumerate(implementation(), 1)]
    first = re.search(r"`impl->count` is (\d+) or more", PAGE)[1]
    assert ("interface_class", first) in counts  # the last one when the number was fixed


def test_the_size_of_the_struct_on_the_pages_is_that_of_this_interpreter():
    build = f"{sys.version_info[0]}.{sys.version_info[1]}"
    build += ", free-threaded" * support.FREE_THREADED
    row = re.search(rf"^\| {build} \| (\d+) \| (\d+) \| (\d+), (\d+) \|$", PAGE, re.MULTILINE)
    if row is None:
        pytest.skip(f"the pages have no figure for CPython {build}")
    words = 5 * ctypes.sizeof(ctypes.c_void_p)
    column = 0 if sys.maxsize > 2**32 else 1
    assert int(row[1 + column]) == type.__basicsize__
    assert int(row[3 + column]) == type.__basicsize__ + words


def offset_table(last):
    """Rows [(offset on this platform, member)] of the one table of offsets that ends so."""
    column = 0 if ctypes.sizeof(ctypes.c_void_p) == 8 else 1
    found = []
    for table in re.findall(r"^\| [^\n]*, 64-bit \| 32-bit \|[^\n]*\n\|[-| ]+\n((?:\|[^\n]*\n)+)",
                            PAGE, re.MULTILINE):
        rows = [[cell.strip() for cell in line.strip("|").split("|")]
                for line in table.splitlines()]
        if rows[-1][2].strip("`") == last:
            found.append([(int(row[column]), row[2].strip("`")) for row in rows])
    assert len(found) == 1, f"the pages have {len(found)} tables of offsets that end with {last!r}"
    return found[0]


@pytest.mark.parametrize("dialect", ["c11", "c++11"])
def test_the_offsets_on_the_pages_are_those_of_the_compiler(dialect, tmp_path):
    *words, (end, _) = offset_table("C fields of derived metaclasses")
    *members, (size, _) = offset_table("(size)")
    head = offset_table("met")
    *functions, (end_of_functions, _) = offset_table("what is added later")
    claims = [f"offsetof(PyHeapExtensibleTypeObject, {member}) == sizeof(PyHeapTypeObject) + {offset}"
              for offset, member in words]
    claims += [f"sizeof(PyHeapExtensibleTypeObject) == sizeof(PyHeapTypeObject) + {end}"]
    claims += [f"offsetof(PyExtensibleType_Field, {member}) == {offset}"
               for offset, member in members]
    claims += [f"sizeof(PyExtensibleType_Field) == {size}"]
    claims += [f"offsetof(_PyExtensibleType_API, {member}) == {offset}"
               for offset, member in head]
    claims += [f"offsetof(_PyExtensibleType_Impl, {member}) == {offset}"
               for offset, member in functions]
    claims += [f"sizeof(_PyExtensibleType_Impl) == {end_of_functions}"]
    assert len(claims) >= 6 + 13 + 10 + 36
    source = tmp_path / "offsets.c"
    source.write_text('#include "extensibletype.h"\n' + "".join(
        f"extern char claim_{i}[({claim}) ? 1 : -1];    /* {claim} */\n"
        for i, claim in enumerate(claims)))
    done = support.compile_strictly(source, dialect, tmp_path / "offsets.o")
    assert done.returncode == 0, done.stdout


def test_the_example_adds_up():
    text = re.search(r"### An example\n(.*?)\n## ", PAGE, re.DOTALL)[1]
    address = int(re.search(r"`T` = `(0x[0-9A-F]{16})`", text)[1], 16)
    ready = int(re.search(r"_PyCustomSlots_READY +\(\(uintptr_t\)(0x[0-9A-F]{16})u\)", PAGE)[1], 16)
    shown = {name: (raw, int(value, 0)) for raw, name, value in re.findall(
        r"^    T \+ \d+ +((?:[0-9A-F]{2} ){8}) *(etp_\w+) *= (\w+)$", text, re.MULTILINE)}
    for raw, value in shown.values():
        assert int.from_bytes(bytes.fromhex(raw), "little") == value
    assert shown["etp_check"][1] == address ^ ready
    assert f"`etp_check ^ T` = `{ready:#018X}`".replace("0X", "0x") in text
    ids = re.findall(r"`PyCustomSlots_ID\((\w+), (\w+), (\w+)\)` = `(0x\w+)`", text)
    table = shown["etp_custom_slots"][1]
    assert shown["etp_custom_slot_count"][1] == len(ids) == 2
    for i, (registrar, idea, version, number) in enumerate(ids):
        assert int(number, 16) == (
            int(registrar, 0) << 24 | int(idea, 0) << 8 | int(version, 0) << 1 | 1)
        raw = int(number, 16).to_bytes(8, "little").hex(" ").upper()
        assert f"    {table + 16 * i:#X}   {raw} ".replace("0X", "0x") in text
