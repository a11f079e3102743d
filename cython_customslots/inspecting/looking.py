# SPDX-License-Identifier: MIT
"""slots(), fields(), interfaces(), signatures(), explain(): what a class carries, in this process.

To look changes nothing: no class is finished, nothing is imported, and no code of what is looked at
is run, but for the conversions and ``__repr__`` of values of C fields.  What is wrong with a class is
told in ``notes``; it is no exception.
"""
from __future__ import annotations

import dataclasses
import os
import sys
import types as _types
from typing import Any
from collections.abc import Iterable

from ..python.showing import cut, show
from . import _memory
from ._memory import address, file_of, process_table, read
from .memory import FieldFacts, Memory
from .records import Fields, Interfaces, Slot, Slots, Typed, TypeReport
from .seeing import Seeing

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
        except Exception:               # another thread changed it
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
    """module.qualname, where it has both: never what a metaclass makes of them."""
    name = _get("__qualname__", cls)
    module = _get("__module__", cls)
    if type(name) is not str or type(module) is not str:    # or a descriptor, as of metaclasses
        return _PLAIN.name(address(cls)) if IS_CPYTHON else "?"
    return _printable(cut(name if module == "builtins" else f"{module}.{name}", 200))


def _printable(text: str) -> str:
    """A terminal must not obey what a class is called."""
    return text if text.isprintable() else text.encode("unicode_escape").decode()


_PLAIN = Memory(read, address(type)) if IS_CPYTHON else Memory(read, 0)
_NAMES: dict[tuple[int, int], dict[str, int]] = {}      #: of this process, see Memory.names()


class Look(Seeing):
    """What is needed to look at many types of this process."""

    def __init__(self) -> None:
        notes, table = [], 0
        try:
            table = process_table()
        except Exception as error:
            notes.append(f"names of IDs and registered slots cannot be told: {error}")
        super().__init__(Memory(read, address(type) if IS_CPYTHON else 0, table), notes)
        self.memory.kept_names = _NAMES
        #: What was met, by address: so it stays alive as long as it is looked at.
        self._alive: dict[int, type] = {}

    def _meet(self, cls: type) -> int:
        here = address(cls)
        self._alive[here] = cls
        return here

    def mro(self, cls: int) -> list[int]:
        return [self._meet(base) for base in mro_of(self._alive[cls])]

    def name(self, cls: int) -> str:
        return name_of(self._alive[cls]) if cls in self._alive else self.memory.name(cls)

    def python_value(self, cls: int, field: FieldFacts) -> tuple[Any, str] | None:
        metaclass = self._alive.get(field.metaclass)
        descriptor = namespace_of(metaclass).get(field.name) if metaclass is not None else None
        if type(descriptor) is not _types.GetSetDescriptorType:
            return None
        try:
            value = descriptor.__get__(self._alive[cls], type(self._alive[cls]))
            return value, _shown(value)
        except (KeyboardInterrupt, MemoryError):
            raise
        except BaseException as error:
            return None, f"reading it raises {type(error).__name__}"

    def slots(self, cls: type) -> Slots:
        found = self.slots_at(self._meet(cls))
        rows, notes = self._bridged(cls, {slot.name: slot for slot in found})
        return dataclasses.replace(found, slots=found.slots + tuple(rows), notes=found.notes + tuple(notes))

    def _bridged(self, cls: type, known: dict[str | None, Slot]) -> tuple[list[Slot], list[str]]:
        """The capsules in class attributes that are slots, too, and why others are none."""
        rows: list[Slot] = []
        notes: list[str] = []
        names = self.memory.names() if IS_CPYTHON else {}
        for key in sorted(names):
            if not key.startswith("customslots.bridge "):
                continue
            name, attribute, wanted = key.split(" ", 3)[1:]
            by = next((base for base in mro_of(cls) if attribute in namespace_of(base)), None)
            if name not in known and by is not None:
                value = namespace_of(by).get(attribute)
                capsule = self.memory.capsule(address(value))
                if capsule is None or capsule[1] != wanted:
                    found = f"a capsule named {capsule[1]!r}" if capsule else f"{name_of(type(value))!r}"
                    notes.append(f"its attribute {attribute} is no slot {name!r}: found {found}, expected a capsule "
                                 f"named {wanted!r}")
                    continue
                known[name] = Slot(None, names[name], name, "pointer", capsule[0], name_of(by), by is cls, None, False,
                                   attribute)
                rows.append(known[name])
            why = self._why_other_version(name, known[name].data) if name in known else ""
            notes += [f"slot {name!r}: {why}"] if why else []
        return rows, notes

    def _why_other_version(self, name: str, table: int) -> str:
        """Why a table of DLPack is not used: it begins with its version, and with an older table."""
        found: list[str] = []
        while name == "dlpack.exchange_api" and table and len(found) < 17:
            major, minor = (self.memory.number(table + place, 4) for place in (0, 4))
            if major == 1:
                return ""
            found.append(f"{major}.{minor}")
            table = self.memory.pointer(table + 8) or 0
        return f"found a table of DLPack {', and of '.join(found)}, expected 1" if found else ""

    def fields(self, cls: type) -> Fields:
        for metaclass in mro_of(type(cls)):
            self._meet(metaclass)
        return self.fields_at(self._meet(cls))

    def interfaces(self, cls: type) -> Interfaces:
        return self.interfaces_of(self.slots(cls))

    def has_slots_of(self, cls: type, file: str) -> bool:
        """Was a slot registered for this very class whose data lies in the module with this file?"""
        return any(_is_file(file_of(data), file) for _, data in self.memory.registered(address(cls)))

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
            # PyPy cannot show C every descriptor of its own; what cannot be called is not typed there.
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
            slots, self.fields(cls), self.interfaces_of(slots), tuple(methods), tuple(notes))


def _is_file(path: str | None, file: str) -> bool:
    try:
        return path is not None and os.path.samefile(path, file)
    except (OSError, ValueError):       # one of them is gone, or was never a path
        return False


def _shown(value: object) -> str:
    """Its repr, whatever that raises; but Ctrl-C stays what it is."""
    try:
        return _printable(show(value))
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
            reason = _why_not(obj)
            if reason.startswith(f"{shown} "):          # which stands above
                reason = "it" + reason.removeprefix(shown)
            lines.append(f"C cannot call it unboxed: {reason}")
        lines.append("")
    return "\n".join(lines + [str(look.report(cls))])
