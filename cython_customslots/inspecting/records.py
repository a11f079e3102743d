# SPDX-License-Identifier: MIT
"""What was seen: plain frozen records, whose str() is a text for people.

``to_json()`` turns each into what the json module takes: values that json does not know become their texts.
"""
from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

#: The registrars of static IDs, and the IDs in use; a test compares both with docs/abi.md.
REGISTRARS = {0x01: "private", 0x02: "Cython", 0x03: "NumPy", 0x04: "NumFOCUS", 0x05: "examples"}

STATIC_IDS = {0x02 << 24 | 1 << 8 | 1 << 1 | 1: "PyTypedMethod_NATIVE_CALL",
              0x02 << 24 | 1 << 8 | 2 << 1 | 1: "PyTypedMethod_CLASS_CALL",
              0x02 << 24 | 2 << 8 | 1 << 1 | 1: "PyTypedArray_STABLE_BUFFER"}


def kind_of(number: int) -> str:
    """"empty", "skip", "static" or "pointer"; "invalid": no code makes such an ID."""
    if number == 0:
        return "empty"
    if number == 1:
        return "skip"
    if number & 1:
        return "static" if number < 1 << 32 else "invalid"
    return "pointer"


def describe(number: int, name: str | None = None) -> str:
    """One line for people.  *name*: the name of an interned ID, if it is one."""
    if name:
        return f"{number:#x} = {name!r}"
    kind = kind_of(number)
    if kind == "static":
        registrar, idea, version = number >> 24 & 0xFF, number >> 8 & 0xFFFF, number >> 1 & 0x7F
        who = REGISTRARS.get(registrar, f"registrar {registrar:#04x}")
        text = f"{number:#010x} = {who}, idea {idea:#x}, version {version}"
        return f"{text}, {STATIC_IDS[number]}" if number in STATIC_IDS else text
    return {"empty": "EMPTY", "skip": "SKIP: left free",
            "invalid": f"{number:#x} = no ID: odd, and longer than 32 bits"}.get(kind, f"{number:#x}")


def columns(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Left-aligned columns under a ruled header."""
    widths = [max(len(row[column]) for row in [header, *rows]) for column in range(len(header))]
    lines = [header, ["-" * width for width in widths], *rows]
    return ["  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip()
            for line in lines]


def _indent(text: str, by: int = 2) -> list[str]:
    return [" " * by + line if line else "" for line in text.splitlines()]


def to_json(record: Any) -> Any:
    """Dicts, lists and plain values in place of records."""
    if dataclasses.is_dataclass(record) and not isinstance(record, type):
        return {field.name: to_json(getattr(record, field.name))
                for field in dataclasses.fields(record) if field.name not in ("value", "cls")}
    if type(record) in (tuple, list):
        return [to_json(item) for item in record]
    return record


@dataclass(frozen=True)
class Slot:
    """One entry of a slot table, or one that was registered for a type."""

    position: int | None            #: in the table; None: it has none, because it is registered
    id: int
    name: str | None                #: of the ID: interned, or that of docs/abi.md's registry
    kind: str                       #: "static", "pointer", "empty", "skip" or "invalid"
    data: int                       #: the word beside the ID
    declared_by: str | None         #: the class that brought it; None: no class of the MRO says so
    own: bool                       #: it is the class itself
    interface: str | None           #: the interface whose functions the data leads to
    registered: bool                #: from outside, for a type that is not extensible
    attribute: str | None = None    #: the class attribute whose capsule it is, for FindBridged() only

    def what(self) -> str:
        """The ID as text."""
        interned = self.name if self.kind == "pointer" else None
        return describe(self.id, interned)

    def whose(self) -> str:
        if self.kind in ("empty", "skip"):
            return ""
        if self.declared_by is None:
            return "unknown"
        whose = "own" if self.own else f"from {self.declared_by}"
        how = "registered: found by FindAny only" if self.registered else self.attribute
        return f"{how}, {whose}" if how else whose

    def row(self) -> tuple[str, str, str, str]:
        place = "-" if self.position is None else str(self.position)
        data = "" if self.kind in ("empty", "skip") else f"{self.data:#x}"
        if self.interface is not None:
            data += f" (functions of {self.interface})"
        return place, self.what(), data, self.whose()


@dataclass(frozen=True)
class Slots:
    """What slots() returns: the slots, and what kind of type they belong to."""

    type: str                       #: its qualified name
    extensible: bool                #: it answers with a table, its own or a base's
    state: str                      #: "finished", "unfinished", "answered by BASE" or "none"
    count: int                      #: what the table says that it has
    slots: tuple[Slot, ...]
    notes: tuple[str, ...]

    def __iter__(self) -> Iterator[Slot]:
        return iter(self.slots)

    def __len__(self) -> int:
        return len(self.slots)

    def __str__(self) -> str:
        if not self.slots:
            lines = [f"{self.type}: no slots"]
        else:
            lines = columns(("position", "slot ID", "data", "whose"),
                            [slot.row() for slot in self.slots])
        return "\n".join(lines + [f"! {note}" for note in self.notes])


@dataclass(frozen=True)
class Field:
    """A C field of a class."""

    name: str                       #: "": bytes that the metaclass's author did not describe
    metaclass: str                  #: the metaclass that added it
    offset: int                     #: bytes from the start of the type object
    size: int                       #: in bytes
    type: str                       #: in C, as far as it is described
    access: str                     #: of Python: "read, write", "read", "write" or ""
    value: Any                      #: as Python sees it; None where it cannot
    text: str                       #: the value, for people
    bytes: str                      #: as they are in memory, in hexadecimal
    whose: str                      #: "own", "inherited" or "default"
    source: str | None              #: the class that it is inherited from
    doc: str | None

    def origin(self) -> str:
        return f"from {self.source}" if self.whose == "inherited" else self.whose

    @property
    def is_padding(self) -> bool:
        """A gap without a name, in front of a field that is aligned to 4 or 8 bytes."""
        return not self.name and self.size < 8 and (self.offset + self.size) % (4 if self.size < 4 else 8) == 0

    def label(self) -> str:
        return self.name or ("(padding)" if self.is_padding else "(not described)")

    def row(self) -> tuple[str, ...]:
        value = ("", "") if self.is_padding else (self.text, self.origin())
        return (self.label(), self.type, f"{self.metaclass} + {self.offset}", *value)


@dataclass(frozen=True)
class Fields:
    """What fields() returns."""

    type: str
    fields: tuple[Field, ...]
    notes: tuple[str, ...]

    def __iter__(self) -> Iterator[Field]:
        return iter(self.fields)

    def __len__(self) -> int:
        return len(self.fields)

    def __str__(self) -> str:
        lines = [f"{self.type}: no C fields"]
        if self.fields:
            lines = columns(("field", "C type", "place", "value", "whose"),
                            [field.row() for field in self.fields])
        return "\n".join(lines + [f"! {note}" for note in self.notes])


@dataclass(frozen=True)
class Function:
    """One function of an interface."""

    name: str
    signature: str                  #: as its hash sees it
    overridden: bool                #: a class of Python has its own


@dataclass(frozen=True)
class Implemented:
    """An interface that a class implements."""

    name: str
    id: int
    position: int | None            #: where slots of this interface stand, in the whole process
    declared_by: str | None         #: the class that brought the functions
    registered: bool                #: from outside, for a type that is not extensible
    functions: tuple[Function, ...]

    def __str__(self) -> str:
        by = f", by {self.declared_by}" if self.declared_by else ""
        lines = [f"{self.name}{by}{', registered' if self.registered else ''}"]
        for function in self.functions:
            where = "    (overridden in Python)" if function.overridden else ""
            lines.append(f"  {function.signature}{where}")
        return "\n".join(lines)


@dataclass(frozen=True)
class Interfaces:
    """What interfaces() returns."""

    type: str
    interfaces: tuple[Implemented, ...]
    notes: tuple[str, ...]

    def __iter__(self) -> Iterator[Implemented]:
        return iter(self.interfaces)

    def __len__(self) -> int:
        return len(self.interfaces)

    def __str__(self) -> str:
        lines = [str(interface) for interface in self.interfaces]
        return "\n".join((lines or [f"{self.type}: no interfaces"])
                         + [f"! {note}" for note in self.notes])


@dataclass(frozen=True)
class Typed:
    """A function or method that C can call unboxed."""

    name: str
    signatures: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.name}: {', '.join(self.signatures)}"


@dataclass(frozen=True)
class TypeReport:
    """All of one type."""

    name: str
    metaclass: str
    kind: str                       #: "static type", "heap type"
    address: int
    size: int                       #: bytes of the type object
    heaptype_size: int              #: bytes of CPython's own part; 0: not known
    word: int                       #: bytes of a pointer
    serving: str | None             #: the implementation that serves, if the type is extensible
    slots: Slots
    fields: Fields
    interfaces: Interfaces
    methods: tuple[Typed, ...]
    notes: tuple[str, ...]

    @property
    def tells(self) -> bool:
        """Does it have slots, fields, interfaces or typed methods?"""
        return bool(self.slots.extensible or self.slots.slots or self.fields.fields or self.methods
                    or self.interfaces.interfaces or self.slots.notes or self.fields.notes)

    def summary(self) -> str:
        kind = "extensible" if self.slots.extensible else "not extensible"
        state = "" if self.slots.state in ("finished", "none") else f" ({self.slots.state})"
        size = f" of {self.size} bytes" if self.size else ""
        return f"{self.name}: {kind}{state}, a {self.kind}{size}, metaclass {self.metaclass}"

    def __str__(self) -> str:
        lines = [self.summary()]
        if self.serving:
            lines.append(f"  implemented by cython-customslots {self.serving}")
        if self.slots.slots or self.slots.notes:
            lines += _indent(str(self.slots))
        if self.fields.fields or self.fields.notes:
            lines += ["  C fields", *_indent(str(self.fields), 4)]
        if self.interfaces.interfaces or self.interfaces.notes:
            lines += ["  interfaces", *_indent(str(self.interfaces), 4)]
        if self.methods:
            lines += ["  typed methods", *(f"    {method}" for method in self.methods)]
        return "\n".join(lines + [f"  ! {note}" for note in self.notes])


@dataclass(frozen=True)
class Inspection:
    """What inspect() found for one target."""

    target: str
    what: str                       #: "module", "class", "object", "file" or "all that is imported"
    text: str | None                #: what an object is
    signatures: tuple[str, ...]     #: of an object that can be called
    types: tuple[TypeReport, ...]   #: those that carry something
    functions: tuple[Typed, ...]    #: of modules
    others: int                     #: types that were looked at and have nothing
    notes: tuple[str, ...]

    def __str__(self) -> str:
        lines = [f"{self.what} {self.target}" + (f" is {self.text}" if self.text else "")
                 if self.target else self.what]
        if self.signatures:
            lines.append(f"  typed: {', '.join(self.signatures)}")
        for report in self.types:
            lines += ["", str(report)]
        if self.functions:
            lines += ["", "typed functions", *(f"  {function}" for function in self.functions)]
        if self.others:
            word = "type has" if self.others == 1 else "types have"
            lines += ["", f"{self.others} {'other ' if self.types else ''}{word} no slots, C fields "
                          "or typed methods"]
        elif not self.types and not self.functions and not self.signatures:
            lines += ["", "no types and no typed functions"]
        return "\n".join(lines + [f"! {note}" for note in self.notes])
