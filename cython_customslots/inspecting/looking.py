# SPDX-License-Identifier: MIT
"""slots(), fields(), interfaces(), signatures(), explain(): what a class carries, in this process.

To look changes nothing: no class is finished, nothing is imported, and no code of what is looked at
is run, but for the conversions and ``__repr__`` of values of C fields.  What is wrong with a class is
told in ``notes``; it is no exception.
"""
from __future__ import annotations

import sys
import types as _types
from typing import Any, Iterable

from ..showing import cut, show
from . import _memory, identifiers, layout
from ._memory import address, process_table, read
from .memory import FieldFacts, Memory
from .records import (
    Field, Fields, Function, Implemented, Interfaces, Slot, Slots, Typed, TypeReport)

IS_CPYTHON = sys.implementation.name == "cpython"



def _get(name: str, cls: type) -> Any:
    """What `type` itself says of a class, past all that its metaclass may have put before it."""
    try:
        return type.__dict__[name].__get__(cls)
    except Exception:                   # a class in the making may have none yet
        return None


def namespace_of(cls: type) -> dict[str, Any]:
    """A copy of the class's dict; keys that are no str are left out."""
    found = _get("__dict__", cls)
    for _ in range(3):
        try:
            return {key: value for key, value in found.items() if type(key) is str}
        except Exception:               # changed by another thread meanwhile
            continue
    return {}


def mro_of(cls: type) -> tuple[type, ...]:
    """The classes of the MRO; in the making, those along __base__."""
    found = _get("__mro__", cls)
    if type(found) is tuple:
        return tuple(item for item in found if is_class(item))
    chain: list[type] = []
    here: Any = cls
    while here is not None and here not in chain:
        chain.append(here)
        here = _get("__base__", here)
    return tuple(chain)


def is_class(obj: object) -> bool:
    """Whatever the object says that its __class__ is."""
    return issubclass(type(obj), type)


def name_of(cls: type) -> str:
    """module.qualname, where it has both; never what a metaclass makes of them."""
    name = _get("__qualname__", cls)
    module = _get("__module__", cls)
    if type(name) is not str or type(module) is not str:    # or a descriptor, as of metaclasses
        return _PLAIN.name(address(cls)) if IS_CPYTHON else "?"
    return cut(name if module == "builtins" else f"{module}.{name}", 200)


_PLAIN = Memory(read, address(type)) if IS_CPYTHON else Memory(read, 0)


class Look:
    """What is needed to look at many types: the memory, and where the table of the process is."""

    def __init__(self) -> None:
        self.notes: tuple[str, ...] = ()
        table = 0
        try:
            table = process_table()
        except Exception as error:
            self.notes = (f"names of IDs and registered slots cannot be told: {error}",)
        self.memory = Memory(read, address(type) if IS_CPYTHON else 0, table)
        self._names: dict[int, str | None] = {}

    def id_name(self, number: int) -> str | None:
        if number not in self._names:
            self._names[number] = (self.memory.name_of(number)
                                   if identifiers.kind_of(number) == "pointer"
                                   else identifiers.STATIC.get(number))
        return self._names[number]

    # ------------------------------------------------------------------------------ slots --

    def _answering(self, cls: type) -> tuple[int, str]:
        """The address of the type that answers, and the state of *cls* in words."""
        if not IS_CPYTHON:
            return 0, "none"
        here = address(cls)
        state, owner = self.memory.state(here), self.memory.owner(here)
        if owner and owner != here:
            base = next((base for base in mro_of(cls) if address(base) == owner), None)
            state = (state and f"{state}, ") + "answered by " + (
                name_of(base) if base is not None else self.memory.name(owner))
        return owner, state or "none"

    def declarations(self, cls: type) -> list[tuple[type, dict[int, int]]]:
        """What each class of the MRO declares, nearest first."""
        if not IS_CPYTHON:
            return []
        return [(base, declared) for base in mro_of(cls)
                if (declared := dict(self.memory.declared(address(base))))]

    def _declarer(self, number: int, data: int, declared: list[tuple[type, dict[int, int]]]
                  ) -> type | None:
        """The nearest class that declares the slot with this data, or with the data that it was made
        of; else the nearest that declares it."""
        found = [(cls, own[number]) for cls, own in declared if number in own]
        # A class of Python that overrides functions of an interface has a table made of another.
        described = self.memory.described(data) if self.memory.position_of(number) is not None else None
        wanted = {data, described.base} if described and described.base else {data}
        return next((cls for cls, word in found if word in wanted), found[0][0] if found else None)

    def slot(self, cls: type, position: int | None, number: int, data: int, by: type | None,
             registered: bool = False) -> Slot:
        kind = identifiers.kind_of(number)
        described = (self.memory.described(data)
                     if kind in ("static", "pointer") and self.memory.position_of(number) is not None
                     else None)
        return Slot(position, number, self.id_name(number), kind, data,
                    name_of(by) if by is not None else None, by is cls,
                    described.name if described is not None else None, registered)

    def registered(self, cls: type) -> list[tuple[type, int, int]]:
        """(class, ID, data) of what FindAny() finds besides the table, nearest class first."""
        found: dict[int, tuple[type, int, int]] = {}
        for base in mro_of(cls):
            for number, data in reversed(self.memory.registered(address(base))):
                found.setdefault(number, (base, number, data))
        return list(found.values())

    def slots(self, cls: type) -> Slots:
        owner, state = self._answering(cls)
        notes: tuple[str, ...] = self.notes
        rows, count = [], 0
        entries: tuple[tuple[int, int], ...] = ()
        if owner:
            table = self.memory.table(owner)
            entries, count, notes = table.entries, table.count, notes + table.notes
            if self.memory.api(self.memory.type_of(owner)) is None:
                notes += ("its check word says that it has a table, and its metaclass does not derive "
                          "from extensibletype: somebody forged it",)
        declared = self.declarations(cls) if owner or state != "none" else []
        if state.startswith("unfinished") and owner != address(cls):
            notes += ("it is not finished, and nobody knows its table yet: look-ups go by what the "
                      "classes of its MRO declare",)
            nearest: dict[int, tuple[int, type | None]] = {}
            for base, own in declared:
                for number, data in own.items():
                    nearest.setdefault(number, (data, base))
            for number, data in entries:
                nearest.setdefault(number, (data, None))
            rows = [self.slot(cls, None, number, data, base)
                    for number, (data, base) in nearest.items() if number > layout.SKIP]
        else:
            rows = [self.slot(cls, position, number, data, self._declarer(number, data, declared))
                    for position, (number, data) in enumerate(entries)]
        known = {row.id for row in rows}
        rows += [self.slot(cls, None, number, data, base, True)
                 for base, number, data in self.registered(cls) if number not in known]
        return Slots(name_of(cls), bool(owner) or state.startswith("unfinished"), state, count,
                     tuple(rows), notes)

    # ----------------------------------------------------------------------------- fields --

    def _value(self, cls: type, field: FieldFacts, data: bytes, finished: bool) -> tuple[Any, str]:
        """The value as Python sees it, and a text of it."""
        plain = self.memory.value(data, field)
        if field.name and field.flags & layout.READABLE and finished:
            meta = next((base for base in mro_of(type(cls)) if address(base) == field.metaclass), None)
            descriptor = namespace_of(meta).get(field.name) if meta is not None else None
            if type(descriptor) is _types.GetSetDescriptorType:
                try:
                    value = descriptor.__get__(cls, type(cls))
                    return value, _shown(value)
                except (KeyboardInterrupt, MemoryError):
                    raise
                except BaseException as error:
                    return None, f"reading it raises {type(error).__name__}"
        if field.code == layout.OBJECT:
            if not plain:
                return None, "NULL (None)"
            kind = self.memory.name(self.memory.type_of(plain))
            return None, f"an object of type {kind!r} at {plain:#x}"
        if isinstance(plain, bytes):
            if len(plain) == self.memory.word:
                return None, hex(int.from_bytes(plain, self.memory.order))  # type: ignore[arg-type]
            return None, f"{len(plain)} bytes" if any(plain) else f"{len(plain)} bytes, all 0"
        return plain, repr(plain)

    def fields(self, cls: type) -> Fields:
        if not IS_CPYTHON:
            return Fields(name_of(cls), (), ())
        here = address(cls)
        state = self.memory.state(here)
        if state not in ("finished", "unfinished"):
            return Fields(name_of(cls), (), ())
        facts, why = self.memory.fields(address(type(cls)))
        notes = [why] if why else []
        mro = mro_of(cls)
        names = {address(base): name_of(base) for base in mro}
        places = [address(base) for base in mro]
        metaclasses = {address(meta): name_of(meta) for meta in mro_of(type(cls))}
        found = []
        for field in facts:
            data = self.memory.read(here + field.offset, min(max(field.size, 0), 1 << 16))
            if data is None:
                notes.append(f"the bytes of field {field.name!r} cannot be read")
                continue
            whose, source = self._whose(here, field, places)
            believable = whose != "unknown"
            value, text = self._value(cls, field, data, state == "finished" and believable)
            access = ", ".join(word for bit, word in ((layout.READABLE, "read"),
                                                      (layout.WRITABLE, "write")) if field.flags & bit)
            found.append(Field(
                field.name, metaclasses.get(field.metaclass, "?"), field.offset, field.size,
                self._type(field), access, value, text, data.hex(), whose,
                (names.get(source) or self.memory.name(source)) if source and whose != "own" else None,
                field.doc))
        if any(field.whose == "unknown" for field in found):
            notes.append("damaged: what says whose the values are cannot be read")
        if found and state == "unfinished":
            notes.append("the class is not finished: its values may still change")
        return Fields(name_of(cls), tuple(found), tuple(notes))

    def _whose(self, here: int, field: FieldFacts, mro: list[int]) -> tuple[str, int]:
        """As long as another thread changes it, once more."""
        before = None
        for _ in range(4):
            found = self.memory.source(here, field, mro)
            if found == before:
                break
            before = found
        return found

    @staticmethod
    def _type(field: FieldFacts) -> str:
        if not field.name:
            return f"{field.size} bytes"
        if field.code in layout.CODES:
            return layout.CODES[field.code][0]
        return f"C++ value, {field.size} bytes" if field.hooked else f"{field.size} bytes"

    # ------------------------------------------------------------------------- interfaces --

    def interfaces(self, cls: type, slots: Slots | None = None) -> Interfaces:
        slots = self.slots(cls) if slots is None else slots
        found, notes = [], []
        for slot in slots:
            if slot.kind not in ("static", "pointer"):
                continue
            position = self.memory.position_of(slot.id)
            if position is None:
                continue
            described = self.memory.described(slot.data)
            if described is None:
                notes.append(f"the slot of interface {slot.what()} has no functions with a description")
                continue
            found.append(Implemented(
                slot.name or described.name, slot.id, position, slot.declared_by,
                slot.registered,
                tuple(Function(*row) for row in zip(
                    described.names, described.signatures, described.overridden))))
        return Interfaces(name_of(cls), tuple(found), tuple(notes))

    # ------------------------------------------------------------------------- signatures --

    def signatures(self, obj: object) -> tuple[tuple[str, ...], str]:
        """The signatures of a callable, without asking it anything; and what is wrong, or ""."""
        inner = obj.__func__ if type(obj) is _types.MethodType else obj
        if IS_CPYTHON:
            _, why = self.memory.record_of(address(inner), address(_types.BuiltinFunctionType),
                                             address(_types.MethodDescriptorType))
            if why:
                return (), why
        try:
            return _memory.signatures(obj), ""
        except Exception as error:
            return (), f"its signatures cannot be told: {error}"

    def typed(self, namespace: Iterable[tuple[str, Any]]) -> tuple[list[Typed], list[str]]:
        """Those of a namespace's values that are typed: classes are none, whose instances may be."""
        found, notes = [], []
        for name, value in namespace:
            if type(value) in (staticmethod, classmethod):
                value = value.__func__
            if is_class(value):
                continue
            signatures, why = self.signatures(value)
            if signatures:
                found.append(Typed(name, signatures))
            if why:
                notes.append(f"{name}: {why}")
        return found, notes

    # ------------------------------------------------------------------------ all of a type --

    def report(self, cls: type) -> TypeReport:
        slots, memory = self.slots(cls), self.memory
        methods, notes = self.typed(namespace_of(cls).items())
        api = memory.api(address(type(cls))) if IS_CPYTHON else None
        static = IS_CPYTHON and not memory.is_heap(address(cls))
        own = not static or (IS_CPYTHON and memory.has_words(address(cls)))
        # A static type of somebody else ends with its PyTypeObject, whose size no Python code knows.
        size = type.__dict__["__basicsize__"].__get__(type(cls)) if own and IS_CPYTHON else 0
        return TypeReport(
            name_of(cls), name_of(type(cls)), "static type" if static else "heap type", address(cls),
            size, memory.heaptype_size, memory.word,
            memory.serving(api) if api is not None and slots.extensible else None,
            slots, self.fields(cls), self.interfaces(cls, slots), tuple(methods), tuple(notes))


def _shown(value: object) -> str:
    """Its repr, whatever that raises; but Ctrl-C stays what it is."""
    try:
        return show(value)
    except (KeyboardInterrupt, MemoryError):
        raise
    except BaseException as error:
        return f"an object of type {name_of(type(value))}, whose repr raises {type(error).__name__}"


def _why_not(obj: object) -> str:
    """Why C finds no function; asks the object for __wrapped__ and the like."""
    try:
        return _memory.why_not(obj)
    except (KeyboardInterrupt, MemoryError):
        raise
    except BaseException as error:
        return f"to look behind it raises {type(error).__name__}"


def _class_of(obj: object) -> Any:
    return obj if is_class(obj) else type(obj)


def slots(cls: object, /) -> Slots:
    """Return the slots that answer for instances of *cls*; or, if it is no class, for the object.

    Names of IDs, positions, data words, who declared them, and behind the table what was registered
    for types that are not extensible.  str() makes a table of it.
    """
    return Look().slots(_class_of(cls))


def fields(cls: object, /) -> Fields:
    """Return the C fields of a class (or of the object's class), with values and whose they are."""
    return Look().fields(_class_of(cls))


def interfaces(cls: object, /) -> Interfaces:
    """Return the interfaces that a class (or the object's class) implements, in C or in Python."""
    return Look().interfaces(_class_of(cls))


def explain(obj: object, /) -> str:
    """Return in words what *obj* is: its type's slots, C fields, interfaces; its signatures."""
    look = Look()
    cls = _class_of(obj)
    lines = []
    if not is_class(obj):
        signatures, why = look.signatures(obj)
        lines.append(f"{_shown(obj)} is an object of type {name_of(cls)}")
        if signatures:
            lines.append(f"C can call it as {', '.join(signatures)}")
        elif why:
            lines.append(f"C cannot call it: {why}")
        elif callable(obj):             # by its type alone
            lines.append(f"C cannot call it unboxed: {_why_not(obj)}")
        lines.append("")
    return "\n".join(lines + [str(look.report(cls))])
