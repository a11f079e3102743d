# SPDX-License-Identifier: MIT
"""What slot IDs mean: the ID registry of docs/abi.md, and what the number itself tells."""
from __future__ import annotations

REGISTRARS = {0x01: "private", 0x02: "Cython", 0x03: "NumPy", 0x04: "NumFOCUS", 0x05: "examples"}

#: The static IDs in use; a test compares with docs/abi.md.
STATIC = {0x02 << 24 | 1 << 8 | 1 << 1 | 1: "PyTypedMethod_NATIVE_CALL",
          0x02 << 24 | 1 << 8 | 2 << 1 | 1: "PyTypedMethod_CLASS_CALL"}

#: Which member of the slot's data an ID of these uses.
MEMBERS = {"PyTypedMethod_NATIVE_CALL": "objoffset", "PyTypedMethod_CLASS_CALL": "pointer"}


def kind_of(number: int) -> str:
    """"empty", "skip", "static" or "pointer"; "invalid": no code makes such an ID."""
    if number == 0:
        return "empty"
    if number == 1:
        return "skip"
    if number & 1:
        return "static" if number < 1 << 32 else "invalid"
    return "pointer"


def parts_of(number: int) -> tuple[int, int, int]:
    """Registrar, idea and version of a static ID."""
    return number >> 24 & 0xFF, number >> 8 & 0xFFFF, number >> 1 & 0x7F


def describe(number: int, name: str | None = None) -> str:
    """One line for people.  *name*: that of an interned ID, if it is one."""
    if name:
        return f"{number:#x} = {name!r}"
    kind = kind_of(number)
    if kind in ("empty", "skip"):
        return "EMPTY" if kind == "empty" else "SKIP: left free"
    if kind == "static":
        registrar, idea, version = parts_of(number)
        who = REGISTRARS.get(registrar, f"registrar {registrar:#04x}")
        text = f"{number:#010x} = {who}, idea {idea:#x}, version {version}"
        return f"{text}, {STATIC[number]}" if number in STATIC else text
    if kind == "invalid":
        return f"{number:#x} = no ID: odd, and longer than 32 bits"
    return f"{number:#x}"
