# SPDX-License-Identifier: MIT
"""slots(), fields(), interfaces(), signatures(), explain(): what a class carries, in this process.

Looking changes nothing: no class is finished, nothing is imported, and no code of what is looked at
is run, except the conversions and ``__repr__`` of values of C fields.  ``notes`` tell what is wrong
with a class; no exception does.
"""
from __future__ import annotations

import os
import re
import struct
import sys
import types as _types
from typing import Any
from collections.abc import Callable, Iterable

from ..python.showing import cut, show
from . import _classes
from .records import (Field, Fields, Function, Implemented, Interfaces, Slot, Slots, STATIC_IDS, Typed, TypeReport,
                      kind_of)

IS_CPYTHON = sys.implementation.name == "cpython"
_HEAP = 1 << 9                          # Py_TPFLAGS_HEAPTYPE
_OBJECT, _READABLE, _WRITABLE = 16, 1, 2
#: What Py_T_* codes are in C, and for struct.unpack().
_CODES = {
    0: ("short", "h"), 1: ("int", "i"), 2: ("long", "l"), 3: ("float", "f"), 4: ("double", "d"),
    7: ("char", ""), 8: ("signed char", "b"), 9: ("unsigned char", "B"), 10: ("unsigned short", "H"),
    11: ("unsigned int", "I"), 12: ("unsigned long", "L"), 14: ("bool", "?"),
    16: ("object", "P"), 17: ("long long", "q"), 18: ("unsigned long long", "Q"),
    19: ("Py_ssize_t", "n"),
}
#: {id(class): (class, {ID: data})} of the finished classes of an MRO, nearest first; a class may have no hash
_Tables = dict[int, tuple[type, dict[int, int]]]

def _get(name: str, cls: type) -> Any:
    """What `type` itself says of a class, whatever its metaclass overrides."""
    try:
        return type.__dict__[name].__get__(cls)
    except Exception:                   # a class in the making may have none yet
        return None


def namespace_of(cls: type) -> dict[str, Any]:
    """A copy of the class's dict."""
    return copied(_get("__dict__", cls))


def copied(namespace: Any) -> dict[str, Any]:
    """A copy of a class's or module's dict; keys that are no str are left out."""
    for _ in range(3):
        try:
            return {key: value for key, value in namespace.items() if type(key) is str}
        except Exception:               # another thread changed it
            continue
    return {}


def mro_of(cls: type) -> tuple[type, ...]:
    """The classes of the MRO; of a class in the making, the classes along __base__."""
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
    """Is *obj* a class, whatever its __class__ says?"""
    return issubclass(type(obj), type)


def name_of(cls: type) -> str:
    """module.qualname, where the class has both: never what a metaclass makes of them."""
    name = _get("__qualname__", cls)
    module = _get("__module__", cls)
    if type(name) is not str or type(module) is not str:    # or a descriptor, as of metaclasses
        return _printable(_classes.name(cls))
    return _printable(cut(name if module == "builtins" else f"{module}.{name}", 200))


def _printable(text: str) -> str:
    """The text without characters that a terminal would obey."""
    return text if text.isprintable() else text.encode("unicode_escape").decode()


class Look:
    """What looking at many types of this process needs."""

    def __init__(self) -> None:
        self.notes: tuple[str, ...] = ()
        self.names: dict[int, str] = {}
        try:
            self.names = _classes.names()
        except Exception as error:
            self.notes = (f"names of IDs and registered slots cannot be told: {error}",)

    # ------------------------------------------------------------------------------ slots --

    def id_name(self, number: int) -> str | None:
        return self.names.get(number) if kind_of(number) == "pointer" else STATIC_IDS.get(number)

    def _made_of(self, number: int, data: int) -> int:
        """The table that the provider gave: a class of Python that overrides functions has a table that was made
        from it."""
        found = _classes.interface(number, data)
        return found[3] if found and len(found) == 4 and found[3] else data

    def _tables(self, cls: type) -> _Tables:
        found = [(base, *_classes.table(base)) for base in mro_of(cls)]
        return {id(base): (base, {number: self._made_of(number, data) for number, data in rows})
                for base, state, rows in found if state == "finished"}

    def _declarer(self, number: int, data: int, tables: _Tables) -> type | None:
        """The nearest class that has the slot with this data where no base of its own has the same."""
        made = self._made_of(number, data)
        having = {place for place, (_, own) in tables.items() if own.get(number) == made}
        return next((tables[place][0] for place in tables if place in having and having.isdisjoint(
            id(base) for base in _get("__bases__", tables[place][0]) or ())), None)

    def _slot(self, cls: type, position: int | None, number: int, data: int, by: type | None,
              registered: bool = False) -> Slot:
        kind = kind_of(number)
        found = _classes.interface(number, data) if kind in ("static", "pointer") else None
        return Slot(position, number, self.id_name(number), kind, data, None if by is None else name_of(by), by is cls,
                    found[1] if found and len(found) == 4 else None, registered)

    def slots(self, cls: type) -> Slots:
        state, entries = _classes.table(cls)
        tables, notes = self._tables(cls), list(self.notes)
        places: list[tuple[int | None, int, int]] = [(place, *entry) for place, entry in enumerate(entries)]
        if state == "unfinished":
            notes.append("it is not finished, and has no table yet: look-ups go by what the "
                         "classes of its MRO declare")
            found = {number: _classes.find(cls, number) for _, own in tables.values() for number in own}
            places = [(None, number, data) for number, data in found.items() if data is not None]
        rows = [self._slot(cls, place, number, data, self._declarer(number, data, tables))
                for place, number, data in places]
        known = {row.id for row in rows}
        for base in mro_of(cls):
            for number, data in sorted(_classes.registered(base)):
                if number not in known:
                    rows.append(self._slot(cls, None, number, data, base, True))
                    known.add(number)
        bridged, wrong = self._bridged(cls, {slot.name: slot for slot in rows})
        if state == "answered":                         # by a class that a metaclass's mro() may have left out
            state += f" by {next((name_of(base) for base, _ in tables.values()), 'a base')}"
        return Slots(name_of(cls), bool(state), state or "none", len(entries), tuple(rows + bridged),
                     tuple(notes + wrong))

    def _bridged(self, cls: type, known: dict[str | None, Slot]) -> tuple[list[Slot], list[str]]:
        """The capsules in class attributes that are also slots, and why other attributes are not."""
        rows: list[Slot] = []
        notes: list[str] = []
        for key in sorted(self.names.values()) if IS_CPYTHON else ():
            if not key.startswith("customslots.bridge "):
                continue
            name, attribute, wanted = key.split(" ", 3)[1:]
            by = next((base for base in mro_of(cls) if attribute in namespace_of(base)), None)
            if name not in known and by is not None:
                value = namespace_of(by).get(attribute)
                capsule = _classes.capsule(value)
                if capsule is None or capsule[1] != wanted:
                    found = f"a capsule named {capsule[1]!r}" if capsule else f"{name_of(type(value))!r}"
                    notes.append(f"its attribute {attribute} is no slot {name!r}: found {found}, expected a capsule "
                                 f"named {wanted!r}")
                    continue
                number = next(number for number, text in self.names.items() if text == name)
                known[name] = Slot(None, number, name, "pointer", capsule[0], name_of(by), by is cls, None, False,
                                   attribute)
                rows.append(known[name])
            if name == "dlpack.exchange_api" and name in known:
                versions = _classes.dlpack_versions(known[name].data)
                if not any(major == 1 for major, _ in versions):
                    said = ", and of ".join(f"{major}.{minor}" for major, minor in versions)
                    notes.append(f"slot {name!r}: found a table of DLPack {said}, expected 1")
        return rows, notes

    def has_slots_of(self, cls: type, file: str) -> bool:
        """Was a slot registered for this very class whose data lies in the module with this file?"""
        return any(_is_file(_classes.file_of(data), file) for _, data in _classes.registered(cls))

    # ----------------------------------------------------------------------------- fields --

    def python_value(self, cls: type, metaclass: type, name: str) -> tuple[Any, str] | None:
        """The value that Python sees, and its text; None: the field is not asked."""
        descriptor = namespace_of(metaclass).get(name)
        if type(descriptor) is not _types.GetSetDescriptorType:
            return None
        try:
            value = descriptor.__get__(cls, type(cls))
            return value, _shown(value)
        except (KeyboardInterrupt, MemoryError):
            raise
        except BaseException as error:
            return None, f"reading it raises {type(error).__name__}"

    def fields(self, cls: type) -> Fields:
        name, (state, _) = name_of(cls), _classes.table(cls)
        try:
            facts = sorted(_classes.fields(cls), key=lambda row: row[2])
            others = [(base, {(id(row[0]), row[2]) for row in _classes.fields(base) if row[-1]})
                      for base in mro_of(cls)[1:]] if facts else []
        except NotImplementedError as error:
            return Fields(name, (), (str(error),))
        found = []
        for metaclass, label, offset, size, code, flags, hooked, doc, data, own in facts:
            source = None if own else next((base for base, set_ in others if (id(metaclass), offset) in set_), None)
            value = self.python_value(cls, metaclass, label) if (
                label and flags & _READABLE and state == "finished") else None
            access = ", ".join(word for bit, word in ((_READABLE, "read"), (_WRITABLE, "write")) if flags & bit)
            shown, text = value or (None, _text_of(code if label else -1, data))
            found.append(Field(
                label or "", name_of(metaclass), offset, size, _type_of(label, size, code, hooked, doc), access,
                shown, text, data.hex(),
                "own" if own else "inherited" if source else "default", name_of(source) if source else None, doc))
        notes = ("the class is not finished: its values may still change",) if found and state == "unfinished" else ()
        return Fields(name, tuple(found), notes)

    # ------------------------------------------------------------------------- interfaces --

    def interfaces(self, cls: type) -> Interfaces:
        return self.interfaces_of(self.slots(cls))

    def interfaces_of(self, slots: Slots) -> Interfaces:
        found, notes = [], []
        for slot in slots:
            facts = _classes.interface(slot.id, slot.data) if slot.kind in ("static", "pointer") else None
            if facts is None:
                continue
            if len(facts) == 1:
                notes.append(f"the slot of interface {slot.what()} has no functions with a description")
                continue
            position, name, functions, _ = facts
            found.append(Implemented(slot.name or name, slot.id, position, slot.declared_by, slot.registered,
                                     tuple(Function(*row) for row in functions)))
        return Interfaces(slots.type, tuple(found), tuple(notes))

    # ------------------------------------------------------------------------- signatures --

    def signatures(self, obj: object) -> tuple[tuple[str, ...], str]:
        """The signatures of a callable, without asking it anything; and what is wrong, or ""."""
        try:
            return _classes.signatures(obj), ""
        except Exception as error:
            return (), f"its signatures cannot be told: {error}"

    def typed(self, namespace: Iterable[tuple[str, Any]]) -> tuple[list[Typed], list[str]]:
        """The values of a namespace that are typed.  Classes are left out: only their instances may be typed."""
        found, notes = [], []
        for name, value in namespace:
            if type(value) in (staticmethod, classmethod):
                value = value.__func__
            # PyPy cannot show C every descriptor of its own; an object that cannot be called is not typed there.
            if is_class(value) or not (IS_CPYTHON or callable(value)):
                continue
            signatures, why = self.signatures(value)
            if signatures:
                found.append(Typed(name, signatures))
            if why:
                notes.append(f"{name}: {why}")
        return found, notes

    # ------------------------------------------------------------------------ all of a type --

    def report(self, cls: type) -> TypeReport:
        slots = self.slots(cls)
        methods, notes = self.typed(namespace_of(cls).items())
        static = IS_CPYTHON and not _get("__flags__", cls) & _HEAP
        # Another library's static type ends with its PyTypeObject, whose size no Python code knows.
        own = IS_CPYTHON and (not static or _classes.table(cls)[0] == "finished")
        return TypeReport(
            name_of(cls), name_of(type(cls)), "static type" if static else "heap type", id(cls),
            _get("__basicsize__", type(cls)) if own else 0, _get("__basicsize__", type) if IS_CPYTHON else 0,
            struct.calcsize("P"),
            _classes.serving(type(cls)) if slots.extensible else None,
            slots, self.fields(cls), self.interfaces_of(slots), tuple(methods), tuple(notes))


def _type_of(name: str | None, size: int, code: int, hooked: bool, doc: str | None) -> str:
    """The type in C, as far as it is described."""
    if name and code in _CODES:
        return _CODES[code][0]
    # The compiler layer converts numbers itself, and writes their type into the docstring.
    said = re.match(r"\w+: .* \(C: (.{1,60})\)(?:\n|$)", doc or "")
    if said is not None and name:
        return said[1]
    return f"{size} bytes" + (" (C++)" if hooked else "")


def _text_of(code: int, data: bytes) -> str:
    """The value of a field that Python does not see, from its bytes."""
    letter = _CODES.get(code, ("", ""))[1]
    if letter and struct.calcsize(letter) == len(data):
        number, = struct.unpack(letter, data)
        return repr(number) if code != _OBJECT else f"an object at {number:#x}" if number else "NULL (None)"
    if len(data) in (1, 2, 4, 8):
        return hex(int.from_bytes(data, sys.byteorder))
    return f"{len(data)} bytes" if any(data) else f"{len(data)} bytes, all 0"


def _is_file(path: str | None, file: str) -> bool:
    try:
        return path is not None and os.path.samefile(path, file)
    except (OSError, ValueError):       # one of them is gone, or was never a path
        return False


def _said(ask: Callable[[Any], str], obj: object, what: str) -> str:
    """What *ask* says of an object, or that *what* raises, whatever the exception is; but Ctrl-C is raised."""
    try:
        return ask(obj)
    except (KeyboardInterrupt, MemoryError):
        raise
    except BaseException as error:
        return f"{what} raises {type(error).__name__}"


def _shown(value: object) -> str:
    """Its repr."""
    return _said(lambda obj: _printable(show(obj)), value, f"an object of type {name_of(type(value))}, whose repr")


def _class_of(obj: object) -> Any:
    return obj if is_class(obj) else type(obj)


def slots(cls: object, /) -> Slots:
    """Return the slots that answer for instances of *cls*; or, if it is no class, for the object.

    Names of IDs, positions, data words, who declared them, and behind the table what was registered
    for types that are not extensible.  str() makes a table of it.
    """
    return Look().slots(_class_of(cls))


def fields(cls: object, /) -> Fields:
    """Return the C fields of a class (or of the object's class), with values and the classes that
    the values belong to."""
    return Look().fields(_class_of(cls))


def interfaces(cls: object, /) -> Interfaces:
    """Return the interfaces that a class (or the object's class) implements, in C or in Python."""
    return Look().interfaces(_class_of(cls))


def explain(obj: Any, /) -> str:
    """Return as text what *obj* is: its type's slots, C fields, interfaces; its signatures."""
    look = Look()
    cls = _class_of(obj)
    lines = []
    if not is_class(obj):
        signatures, why = look.signatures(obj)
        shown = _shown(obj)
        lines.append(f"{shown} is an object of type {name_of(cls)}")
        if signatures:
            lines.append(f"C can call it as {', '.join(signatures)}")
        elif why:
            lines.append(f"C cannot call it: {why}")
        elif callable(obj):             # by its type alone
            reason = _said(_classes.why_not, obj, "to look behind it")
            if reason.startswith(f"{shown} "):          # the text above has it
                reason = "it" + reason.removeprefix(shown)
            if reason.startswith("nothing is known"):
                lines.append(f"its type alone leads C to no function: {reason}; cython_customslots.typed.explain() "
                             "also knows ctypes, cffi, numba, SciPy and NumPy")
            else:
                lines.append(f"C cannot call it unboxed: {reason}")
        lines.append("")
    return "\n".join(lines + [str(look.report(cls))])
