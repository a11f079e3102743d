# SPDX-License-Identifier: MIT
"""From memory to records: the same in a living process and in a debugger, for classes by address.

A subclass says what is better known than from memory: a debugger nothing, this process the MRO, names
and values as Python sees them.  Nothing but the standard library is needed.
"""
from __future__ import annotations

import re
import struct
from typing import Any, Dict, List, Optional, Sequence, Tuple

from . import identifiers, layout
from .memory import FieldFacts, Memory
from .records import Field, Fields, Function, Implemented, Interfaces, Slot, Slots

#: {class: {ID: data}}
_Tables = Dict[int, Dict[int, int]]


class Seeing:
    def __init__(self, memory: Memory, notes: Sequence[str] = ()) -> None:
        self.memory = memory
        self.notes = tuple(notes)
        self._names: Dict[int, Optional[str]] = {}

    # ---------------------------------------------------- what a subclass knows better --

    def mro(self, cls: int) -> List[int]:
        """The classes of the MRO, *cls* first."""
        raise NotImplementedError

    def name(self, cls: int) -> str:
        return self.memory.name(cls)

    def python_value(self, cls: int, field: FieldFacts) -> Optional[Tuple[Any, str]]:
        """The value that Python sees, and its text; None: it is not asked."""
        return None

    # ------------------------------------------------------------------------------ slots --

    def id_name(self, number: int) -> Optional[str]:
        if number not in self._names:
            self._names[number] = (self.memory.name_of(number)
                                   if identifiers.kind_of(number) == "pointer"
                                   else identifiers.STATIC.get(number))
        return self._names[number]

    def state(self, cls: int) -> Tuple[int, str]:
        """The type whose table answers, or 0; and the state of *cls* as text."""
        state, owner = self.memory.state(cls), self.memory.owner(cls)
        if owner and owner != cls:
            state = (state and f"{state}, ") + f"answered by {self.name(owner)}"
        return owner, state or "none"

    def _tables(self, cls: int) -> _Tables:
        """The tables of the MRO's finished classes, nearest first."""
        return {base: {number: self._made_of(number, data) for number, data in self.memory.table(base).entries}
                for base in self.mro(cls) if self.memory.state(base) == "finished"}

    def _made_of(self, number: int, data: int) -> int:
        """A class of Python that overrides functions of an interface has a table made of another, which it gives."""
        described = self.memory.described(data) if self.memory.position_of(number) is not None else None
        return described.base if described and described.base else data

    def _declares(self, cls: int, number: int, tables: _Tables, data: Optional[int] = None) -> bool:
        """Has it the slot (with this data), and none of its bases the same one?"""
        found = tables[cls].get(number)
        return found is not None and data in (None, found) and not any(
            tables.get(base, {}).get(number) == found for base in self.memory.bases(cls))

    def _declarer(self, number: int, data: int, tables: _Tables) -> Optional[int]:
        made = self._made_of(number, data)
        return next((base for base in tables if self._declares(base, number, tables, made)), None)

    def _slot(self, cls: int, position: Optional[int], number: int, data: int, by: Optional[int],
              registered: bool = False) -> Slot:
        kind = identifiers.kind_of(number)
        described = (self.memory.described(data)
                     if kind in ("static", "pointer") and self.memory.position_of(number) is not None
                     else None)
        return Slot(position, number, self.id_name(number), kind, data,
                    None if by is None else self.name(by), by == cls,
                    described.name if described is not None else None, registered)

    def _registered(self, cls: int) -> List[Tuple[int, int, int]]:
        """(class, ID, data) of what FindAny() finds besides the table, nearest class first."""
        found: Dict[int, Tuple[int, int, int]] = {}
        for base in self.mro(cls):
            for number, data in self.memory.registered(base):
                found.setdefault(number, (base, number, data))
        return list(found.values())

    def slots_at(self, cls: int) -> Slots:
        owner, state = self.state(cls)
        notes = list(self.notes)
        count = 0
        entries: Tuple[Tuple[int, int], ...] = ()
        if owner:
            table = self.memory.table(owner)
            entries, count = table.entries, table.count
            notes += table.notes
            if self.memory.api(self.memory.type_of(owner)) is None:
                notes.append("its check word says that it has a table, and its metaclass does not "
                             "derive from extensibletype: it is forged")
        tables = self._tables(cls) if owner or state != "none" else {}
        places: List[Tuple[Optional[int], int, int]] = [(place, *entry) for place, entry in enumerate(entries)]
        if state.startswith("unfinished") and owner != cls:
            notes.append("it is not finished, and has no table yet: look-ups go by what the "
                         "classes of its MRO declare")
            nearest: Dict[int, int] = {}
            for base, own in tables.items():
                for number, data in own.items():
                    if number > layout.SKIP and self._declares(base, number, tables):
                        nearest.setdefault(number, data)
            places = [(None, number, data) for number, data in nearest.items()]
        rows = [self._slot(cls, place, number, data, self._declarer(number, data, tables))
                for place, number, data in places]
        known = {row.id for row in rows}
        rows += [self._slot(cls, None, number, data, base, True)
                 for base, number, data in self._registered(cls) if number not in known]
        return Slots(self.name(cls), bool(owner) or state.startswith("unfinished"), state, count,
                     tuple(rows), tuple(notes))

    # ----------------------------------------------------------------------------- fields --

    def _value(self, cls: int, field: FieldFacts, data: bytes, asked: bool) -> Tuple[Any, str]:
        """The value as Python sees it, if it may be asked, and a text of it."""
        if asked and field.name and field.flags & layout.READABLE:
            found = self.python_value(cls, field)
            if found is not None:
                return found
        plain = self.memory.value(data, field)
        if field.code == layout.OBJECT:
            if not plain:
                return None, "NULL (None)"
            kind = self.memory.name(self.memory.type_of(plain))
            return None, "None" if kind == "NoneType" else f"an object of type {kind!r} at {plain:#x}"
        if isinstance(plain, bytes):
            kind = self._type(field)
            if kind == "bool":                          # Cython's bint has the size of an int
                return None, repr(any(plain))
            for known, letter in layout.CODES.values():
                if letter and kind == known and struct.calcsize(letter) == len(plain):
                    return None, repr(struct.unpack(letter, plain)[0])
            half = {"float complex": "2f", "double complex": "2d"}.get(kind)
            if half and struct.calcsize(half) == len(plain):
                return None, repr(complex(*struct.unpack(half, plain)))
            if len(plain) in (1, 2, 4, 8):
                return None, hex(int.from_bytes(plain, self.memory.order))  # type: ignore[arg-type]
            return None, f"{len(plain)} bytes" if any(plain) else f"{len(plain)} bytes, all 0"
        return plain, repr(plain)

    def fields_at(self, cls: int) -> Fields:
        state, name = self.memory.state(cls), self.name(cls)
        if state not in ("finished", "unfinished"):
            return Fields(name, (), ())
        facts, why = self.memory.fields(self.memory.type_of(cls))
        notes = [why] if why else []
        mro, found = self.mro(cls), []
        for field in facts:
            data = self.memory.read(cls + field.offset, min(max(field.size, 0), 1 << 16))
            if data is None:
                notes.append(f"the bytes of field {field.name!r} cannot be read")
                continue
            whose, source = self._whose(cls, field, mro)
            value, text = self._value(cls, field, data, state == "finished" and whose != "unknown")
            access = ", ".join(word for bit, word in ((layout.READABLE, "read"),
                                                      (layout.WRITABLE, "write")) if field.flags & bit)
            found.append(Field(
                field.name, self.name(field.metaclass), field.offset, field.size, self._type(field),
                access, value, text, data.hex(), whose,
                self.name(source) if source and whose != "own" else None, field.doc))
        if any(field.whose == "unknown" for field in found):
            notes.append("damaged: what says whose the values are cannot be read")
        if found and state == "unfinished":
            notes.append("the class is not finished: its values may still change")
        return Fields(name, tuple(found), tuple(notes))

    def _whose(self, cls: int, field: FieldFacts, mro: List[int]) -> Tuple[str, int]:
        """Once more as long as another thread changes it."""
        before = None
        for _ in range(4):
            found = self.memory.source(cls, field, mro)
            if found == before:
                break
            before = found
        return found

    @staticmethod
    def _type(field: FieldFacts) -> str:
        if field.name and field.code in layout.CODES:
            return layout.CODES[field.code][0]
        # The compiler layer converts numbers itself, and writes their type into the docstring.
        said = re.match(r"\w+: .* \(C: (.{1,60})\)(?:\n|$)", field.doc or "")
        if said is not None and field.name:
            return said[1]
        return f"{field.size} bytes" + (" (C++)" if field.hooked else "")

    # ------------------------------------------------------------------------- interfaces --

    def interfaces_of(self, slots: Slots) -> Interfaces:
        found, notes = [], []
        for slot in slots:
            position = (self.memory.position_of(slot.id)
                        if slot.kind in ("static", "pointer") else None)
            if position is None:
                continue
            described = self.memory.described(slot.data)
            if described is None:
                notes.append(f"the slot of interface {slot.what()} has no functions with a description")
                continue
            found.append(Implemented(
                slot.name or described.name, slot.id, position, slot.declared_by, slot.registered,
                tuple(Function(*row) for row in zip(
                    described.names, described.signatures, described.overridden))))
        return Interfaces(slots.type, tuple(found), tuple(notes))
