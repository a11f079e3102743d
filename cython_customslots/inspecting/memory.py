# SPDX-License-Identifier: MIT
"""Reads what types carry out of memory: of this process, of another one, of a core file.

Everything goes through one function, read(address, size), which gives bytes or None.  What is found
is believed as far as docs/abi.md says that it may be; what cannot be right is a note, never an
exception.  Nothing but the standard library is needed: gdb runs this, too.
"""
from __future__ import annotations

import struct
import sys
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Set, Tuple

from . import layout

Read = Callable[[int, int], Optional[bytes]]
_MANY = 1 << 16                 # entries of a table, nodes of a list


@dataclass(frozen=True)
class Table:
    """A slot table: entries up to the first EMPTY one, and what is wrong with it."""

    entries: Tuple[Tuple[int, int], ...]
    count: int
    notes: Tuple[str, ...]


class FieldFacts(NamedTuple):
    entry: int                  # address of the runtime's entry
    name: str                   # "": bytes without a description
    metaclass: int
    layer: int
    offset: int
    size: int
    code: int
    flags: int
    hooked: bool
    doc: Optional[str]


@dataclass(frozen=True)
class Interface:
    """The description in front of a table of functions."""

    name: str
    count: int
    hashes: Tuple[int, ...]
    signatures: Tuple[str, ...]
    names: Tuple[str, ...]
    overridden: Tuple[bool, ...]        # which functions look for an override in Python
    base: int


class Memory:
    """*type_object*: the address of `type`; 0 where types have no room (PyPy).  *process_table*: that
    of the table of the process, or 0."""

    def __init__(self, read: Read, type_object: int, process_table: int = 0,
                 word: int = struct.calcsize("P"), order: str = sys.byteorder) -> None:
        self._read = read
        self.word, self.order = word, order
        self._format = ("<" if order == "little" else ">") + ("Q" if word == 8 else "I")
        self._mask = (1 << 8 * word) - 1
        self.structs = layout.structs(word)
        self.process_table = process_table
        self.type_object = type_object
        self._generation = 0
        self.kept_names: Dict[Tuple[int, int], Dict[str, int]] = {}     #: by the keys that there were
        self._by_type: Dict[int, List[Dict[str, int]]] = {}     #: what is registered, in that generation
        #: offset of ob_type, and the size of a PyHeapTypeObject
        self.head = self.heaptype_size = 0
        if type_object:
            words = self.words(type_object, 6) or ()
            self.head = word * words.index(type_object) if type_object in words else 0
            self.heaptype_size = self.type_member(type_object, layout.TYPE_BASICSIZE) or 0
            name = self.string(self.type_member(type_object, layout.TYPE_NAME) or 0)
            if not self.head or name != "type" or not 200 < self.heaptype_size < 4096:
                raise ValueError(f"found no type object of Python at {type_object:#x}, expected `type`")

    # ------------------------------------------------------------------------ plain reading --

    def read(self, address: int, size: int) -> Optional[bytes]:
        if address <= 0 or size < 0 or address + size > self._mask:
            return None
        return self._read(address, size)

    def number(self, address: int, size: int, signed: bool = False) -> Optional[int]:
        data = self.read(address, size)
        return None if data is None else int.from_bytes(data, self.order, signed=signed)  # type: ignore[arg-type]

    def pointer(self, address: int) -> Optional[int]:
        return self.number(address, self.word)

    def words(self, address: int, count: int) -> Optional[Tuple[int, ...]]:
        data = self.read(address, count * self.word)
        if data is None:
            return None
        return struct.unpack(f"{self._format[0]}{count}{self._format[1]}", data)

    def struct(self, name: str, address: int) -> Optional[Dict[str, int]]:
        """The members of one of layout.structs(); None if it cannot be read."""
        form = self.structs[name]
        data = self.read(address, form.size)
        if data is None:
            return None
        return {member: int.from_bytes(data[at:at + size], self.order, signed=signed)  # type: ignore[arg-type]
                for member, (at, size, signed) in form.members.items()}

    def string(self, address: int, limit: int = 4096) -> Optional[str]:
        """A text that ends with NUL; cut off at *limit* bytes."""
        found = b""
        while len(found) < limit:
            step = 64 - address % 64                # never over the end of a page
            data = self.read(address, step)
            if data is None:
                return None
            head, nul, _ = data.partition(b"\0")
            found += head
            if nul:
                break
            address += step
        return found[:limit].decode("utf-8", "replace")

    # ------------------------------------------------------------------------------- types --

    def type_of(self, obj: int) -> int:
        return self.pointer(obj + self.head) or 0

    def type_member(self, cls: int, place: int) -> Optional[int]:
        """The word of a PyTypeObject that is so many words behind ob_type."""
        return self.pointer(cls + self.head + place * self.word)

    def name(self, cls: int) -> str:
        return self.string(self.type_member(cls, layout.TYPE_NAME) or 0, 200) or f"type at {cls:#x}"

    def is_heap(self, cls: int) -> bool:
        return bool((self.type_member(cls, layout.TYPE_FLAGS) or 0) & layout.HEAPTYPE)

    def base(self, cls: int) -> int:
        return self.type_member(cls, layout.TYPE_BASE) or 0

    def bases_of(self, cls: int) -> List[int]:
        """tp_base after tp_base, *cls* itself first."""
        chain: List[int] = []
        while cls and cls not in chain and len(chain) < 1000:
            chain.append(cls)
            cls = self.base(cls)
        return chain

    def is_type(self, obj: int) -> bool:
        """Is the object a class, by the flags of its type?"""
        flags = self.type_member(self.type_of(obj), layout.TYPE_FLAGS)
        return bool((flags or 0) & layout.TYPE_SUBCLASS)

    def items(self, tuple_object: int) -> List[int]:
        """The items of a tuple, which begin behind what every tuple has."""
        first = self.type_member(self.type_of(tuple_object), layout.TYPE_BASICSIZE) or 0
        count = self.number(tuple_object + self.head + self.word, self.word, True) or 0
        words = self.words(tuple_object + first, count) if 0 < count < _MANY else None
        return list(words or ())

    def has_words(self, cls: int) -> bool:
        """Step 1 of the test: may the five words behind PyHeapTypeObject be read?"""
        if not self.type_object:
            return False
        return self.is_heap(cls) or self.number(
            cls + self.head + self.word, self.word, True) == layout.STATIC_MARK

    def words_of(self, cls: int) -> Optional[Dict[str, int]]:
        return self.struct("Words", cls + self.heaptype_size) if self.has_words(cls) else None

    def state(self, cls: int) -> str:
        """"finished", "unfinished", "root", or "" for a type without a table of its own."""
        words = self.words_of(cls)
        if words is None:
            return ""
        return {layout.READY[self.word]: "finished", layout.UNFINISHED[self.word]: "unfinished",
                layout.ROOT[self.word]: "root"}.get(words["check"] ^ cls, "")

    def owner(self, cls: int, depth: int = 0) -> int:
        """The type whose table answers for *cls*, found by the test; 0: none."""
        for here in self.bases_of(cls) if self.type_object else ():
            if self.type_of(here) == self.type_object:
                return 0
            if self.has_words(here):
                state = self.state(here)
                if state == "unfinished" and depth < 1000:
                    bases = self.items(self.type_member(here, layout.TYPE_BASES) or 0)
                    return next(filter(None, (self.owner(base, depth + 1) for base in bases)), 0)
                return here if state == "finished" else 0
        return 0

    # ------------------------------------------------------------------------------ tables --

    def _entries(self, table: int, count: int) -> List[Tuple[int, int]]:
        size = 2 * self.word
        words = self.words(table, 2 * (count + 1)) if 0 <= count < _MANY else None
        found: List[Tuple[int, int]] = []
        while len(found) < 2 * _MANY:
            if words is None:                   # to where the memory ends, one after the other
                words = self.words(table + len(found) * size, 2)
                if words is None:
                    return found + [(-1, 0)]
            for place in range(0, len(words), 2):
                if words[place] == layout.EMPTY:
                    return found
                found.append((words[place], words[place + 1]))
            words = None
        return found + [(-1, 0)]

    def table(self, owner: int) -> Table:
        """The table of a type that owner() answered."""
        for _ in range(3):                      # another thread may be exchanging it
            words = self.words_of(owner)
            if words is None:
                return Table((), 0, ("its words cannot be read",))
            count, table = words["count"], words["slots"]
            if not table:
                return Table((), count, ("damaged: the address of its table is NULL",))
            entries = self._entries(table, count)
            if len(entries) == count and (not entries or entries[-1][0] != -1):
                return Table(tuple(entries), count, ())
        if entries and entries[-1][0] == -1:
            return Table(tuple(entries[:-1]), count,
                         (f"damaged: its table at {table:#x} cannot be read behind entry "
                          f"{len(entries) - 1}, and none says that it is the last",))
        return Table(tuple(entries), count, (f"damaged: its count is {count}, and its table has "
                                             f"{len(entries)} entries",))

    def declared(self, cls: int, part: int = 2) -> Tuple[Tuple[int, int], ...]:
        """The slots that a finished class declared itself; or the *part* 0 or 1, as they count in
        classes below it that are not finished."""
        words = self.words_of(cls) if self.state(cls) == "finished" else None
        table = words["slots"] if words else 0
        head = self.struct("Declared", table - self.structs["Declared"].size) if table else None
        if head is None or head["owner"] != cls or not 0 < head["own_count"] <= _MANY:
            return ()
        count = 2 * head["own_count"]
        own = self.words(head["own"] + part * count * self.word, count) or ()
        return tuple(zip(own[::2], own[1::2]))

    # ------------------------------------------------------------- what the process shares --

    def _cells(self) -> Optional[Dict[str, int]]:
        """The cells of the table of the process, with the address of the first one, if there are any."""
        table = self.struct("ProcessTable", self.process_table) if self.process_table else None
        cells = self.struct("Cells", table["cells"]) if table and not table["closed"] else None
        if table is None or cells is None or cells["mask"] >> 40 or cells["mask"] & cells["mask"] + 1:
            return None
        return {**cells, "first": table["cells"] + self.structs["Cells"].size,
                "generation": table["generation"]}

    def value_of(self, key: int) -> int:
        """The value for a key in the table of the process; 0: there is none."""
        cells = self._cells()
        if cells is None:
            return 0
        key &= self._mask
        # The product wraps around as a word of that process does.
        place = (key >> 4) * 0x9E3779B1 & self._mask
        place = (place ^ place >> 15) & cells["mask"]
        for _ in range(min(cells["mask"] + 1, _MANY)):
            cell = self.words(cells["first"] + place * 2 * self.word, 2)
            if cell is None or cell[0] == 0:
                return 0
            if cell[0] == key:
                return cell[1]
            place = place + 1 & cells["mask"]
        return 0

    def name_of(self, number: int) -> Optional[str]:
        """The name that an ID was interned for, proved by the table of names; None: it is none."""
        if not number or number & 1 or number % self.word:
            return None
        text = self._text_of(number)
        if text is None:
            return None
        hashed = 2166136261
        for byte in text:
            hashed = (hashed ^ byte) * 16777619 & 0xFFFFFFFF
        node, steps = self.value_of(hashed << 4 | layout.KEY_NAME), 0
        while node and node != number and steps < _MANY:
            node, steps = self.pointer(node) or 0, steps + 1
        return text.decode("utf-8", "replace") if node == number else None

    def _text_of(self, node: int) -> Optional[bytes]:
        head = self.struct("Name", node)
        if head is None or not 0 < head["length"] < 1 << 16:
            return None
        text = self.read(node + 2 * self.word, head["length"] + 1)
        return None if text is None or text[-1] != 0 else text[:-1]

    def names(self) -> Dict[str, int]:
        """All names that were interned, and their IDs; read again when there are more keys, since none goes."""
        cells = self._cells()
        count = (cells["first"], cells["used"]) if cells is not None else (0, 0)
        found = self.kept_names.get(count)
        if found is None:
            found = {}
            for node in self._nodes(layout.KEY_NAME):
                text = self._text_of(node)
                if text is not None:
                    found[text.decode("utf-8", "replace")] = node
            self.kept_names.clear()
            self.kept_names[count] = found
        return found

    def _nodes(self, kind: int) -> Set[int]:
        """All entries of the table of the process under keys of this kind."""
        cells = self._cells()
        words = self.words(cells["first"], 2 * (cells["mask"] + 1)) if cells is not None else None
        pairs = zip(words[::2], words[1::2]) if words else ()
        waiting = [value for key, value in pairs if key & layout.KEY_KIND == kind]
        form, seen = {layout.KEY_NAME: "Name", layout.KEY_SLOTS: "Entry"}[kind], set()
        while waiting:
            node = waiting.pop()
            head = self.struct(form, node) if node and node not in seen else None
            if head is not None:
                seen.add(node)
                waiting.append(head["next"])
        return seen

    def capsule(self, obj: int) -> Optional[Tuple[int, Optional[str]]]:
        """What a capsule points to, and its name; None: it is something else."""
        cls = self.type_of(obj)
        words = self.words(obj + self.head + self.word, 2)
        if words is None or self.is_heap(cls) or self.name(cls) != "PyCapsule":
            return None
        return words[0], self.string(words[1]) if words[1] else None

    def registered(self, cls: int) -> Tuple[Tuple[int, int], ...]:
        """(ID, data) of the slots that were registered for just this type, by ID."""
        cells = self._cells()
        if cells is None:
            return ()
        if cells["generation"] != self._generation:
            self._generation, self._by_type = cells["generation"], self._all_entries()
        return tuple(sorted((entry["id"], entry["data"]) for entry in self._by_type.get(cls, ())
                            if self.pointer(entry["referent"]) == cls))

    def _all_entries(self) -> Dict[int, List[Dict[str, int]]]:
        """What is registered, by type."""
        found: Dict[int, List[Dict[str, int]]] = {}
        for node in self._nodes(layout.KEY_SLOTS):
            entry = self.struct("Entry", node)
            if entry is not None and entry["referent"]:
                found.setdefault(entry["type"], []).append(entry)
        return found

    def position_of(self, number: int) -> Optional[int]:
        """The position that was dealt out to the interface with this ID; None: it is no interface."""
        key = ((number >> 1 & 0xFFFFFFFF) * 0x9E3779B1 & 0xFFFFFFFF) << 4 | layout.KEY_INTERFACE
        node, steps = self.value_of(key), 0
        while node and steps < _MANY:
            found = self.struct("Node", node)
            if found is None:
                break
            if found["id"] == number:
                return found["position"]
            node, steps = found["next"], steps + 1
        return None

    # -------------------------------------------------------------------------- interfaces --

    def described(self, data: int) -> Optional[Interface]:
        """The description in front of a table of functions; None: it has none."""
        place = self.pointer(data - self.word) if data >= 4096 else None
        return self.interface(place, data) if place else None

    def interface(self, place: int, data: int = 0) -> Optional[Interface]:
        found = self.struct("Interface", place)
        if found is None or not 0 < found["count"] <= 4096:
            return None
        count = found["count"]
        hashes = self.read(found["hashes"], 8 * count)
        if hashes is None:
            return None
        names = self.words(found["names"], count) or (0,) * count
        table = self.words(data, count) if data else None
        base = self.words(found["base"], count) if found["base"] else None
        return Interface(
            self.string(found["name"], 400) or "?", count,
            tuple(int.from_bytes(hashes[at:at + 8], self.order)  # type: ignore[arg-type]
                  for at in range(0, 8 * count, 8)),
            self._lines(found["layout"], found["numbers"], count),
            tuple((self.string(name, 200) if name else None) or "?" for name in names),
            tuple(base is not None and table is not None and base[i] != table[i] for i in range(count)),
            found["base"])

    def _lines(self, text: int, numbers: int, count: int) -> Tuple[str, ...]:
        lines = (self.string(text, 1 << 16) or "").split("\n")[:count]
        result = []
        for line in lines:
            parts = line.split("%")
            for place in range(len(parts) - 1):
                value = self.number(numbers, 4) if numbers else None
                numbers += 4
                letter = chr(value >> 24) if value and value >> 24 else ""
                parts[place] += "?" if value is None else f"{letter}{value & 0xFFFFFF}"
            result.append("".join(parts))
        return tuple(result + ["?"] * (count - len(result)))

    # ---------------------------------------------------------------------------- C fields --

    def api(self, metaclass: int) -> Optional[Dict[str, int]]:
        """The API that a metaclass leads to; None: it does not derive from extensibletype."""
        chain = self.bases_of(metaclass) if self.type_object else []
        if self.type_object not in chain or chain.index(self.type_object) == 0:
            return None
        root = chain[chain.index(self.type_object) - 1]
        words = self.words_of(root) if self.state(root) == "root" else None
        api = self.struct("API", words["private"]) if words else None
        return api if api is not None and api["metaclass"] == root else None

    def _state(self, api: Dict[str, int]) -> Optional[Dict[str, int]]:
        known = (api["rendezvous_version"], api["state_version"]) == (
            layout.RENDEZVOUS, layout.STATE_VERSION)
        return self.struct("State", api["state"]) if known else None

    def serving(self, api: Dict[str, int]) -> str:
        """The implementation, as text."""
        impl = self.struct("Impl", api["impl"])
        if impl is None:
            return "an implementation that cannot be read"
        number = impl["number"]
        return (f"{number >> 24}.{number >> 12 & 0xFFF}.{number & 0xFFF} of "
                f"{self.string(impl['module']) or '?'}")

    def layers(self, metaclass: int) -> Tuple[List[Dict[str, int]], str]:
        """The layers that a metaclass's type objects have, that of its base first; and what hinders
        one from knowing them, or ""."""
        api = self.api(metaclass)
        if api is None:
            return [], ""
        state = self._state(api)
        if state is None:
            return [], (f"C fields cannot be told: found rendezvous {api['rendezvous_version']}, state "
                        f"version {api['state_version']}, expected {layout.RENDEZVOUS} and "
                        f"{layout.STATE_VERSION}; use a later cython-customslots")
        known: Dict[int, int] = {}
        node = state["layers"]
        while node and node not in known.values() and len(known) < _MANY:
            layer = self.struct("Layer", node)
            if layer is None:
                break
            layer["at"] = node
            known[layer["metaclass"]] = node
            node = layer["next"]
        found = []
        for here in reversed(self.bases_of(metaclass)):
            layer = self.struct("Layer", known[here]) if here in known else None
            if layer is not None:
                layer["at"] = known[here]
                found.append(layer)
        return found, ""

    def fields(self, metaclass: int) -> Tuple[List[FieldFacts], str]:
        found: List[FieldFacts] = []
        layers, why = self.layers(metaclass)
        size = self.structs["FieldEntry"].size
        for layer in layers:
            for place in range(min(max(layer["count"], 0), 4096)):
                at = layer["fields"] + place * size
                entry = self.struct("FieldEntry", at)
                if entry is None:
                    why = "the descriptions of C fields cannot be read"
                    break
                found.append(FieldFacts(
                    at, (self.string(entry["name"], 200) if entry["name"] else None) or "",
                    layer["metaclass"], layer["at"], entry["offset"], entry["size"], entry["type"],
                    entry["flags"], entry["copy"] != 0,
                    self.string(entry["doc"]) if entry["doc"] else None))
        return found, why

    def has_bytes_of(self, cls: int, field: FieldFacts) -> bool:
        return self.has_words(cls) and field.metaclass in self.bases_of(self.type_of(cls))

    def sets(self, cls: int, field: FieldFacts) -> Optional[bool]:
        """Has the class set the field itself, as docs/abi-runtime.md says that it counts?  None: its sidecar
        cannot be read."""
        api, words = self.api(self.type_of(cls)), self.words_of(cls)
        if api is None or words is None or self.state(cls) not in ("finished", "unfinished"):
            return None
        sidecar = self.struct("Sidecar", words["extension"]) if words["extension"] else None
        if words["extension"] and sidecar is None:
            return None
        if sidecar is not None:
            mark = self.read(sidecar["marks"] + field.offset - api["type_size"], 1)
            if mark is None or any(mark):
                return None if mark is None else True
        if field.hooked:
            return False
        value = self.read(cls + field.offset, field.size)
        if sidecar is not None:
            known = self.read(words["extension"] + self.structs["Sidecar"].size
                              + field.offset - api["type_size"], field.size)
            return None if value is None or known is None else value != known
        default = self.default(field)
        return value is not None and value != default and any(value)

    def default(self, field: FieldFacts) -> Optional[bytes]:
        layer = self.struct("Layer", field.layer)
        if layer is None:
            return None
        return self.read(layer["defaults"] + field.offset - layer["offset"], field.size)

    def source(self, cls: int, field: FieldFacts, mro: List[int]) -> Tuple[str, int]:
        """Whose value it is: ("own", cls), ("inherited", class), ("default", 0), or
        ("unknown", 0)."""
        own = self.sets(cls, field)
        if own is None:
            return "unknown", 0
        if own:
            return "own", cls
        for here in mro:
            if here != cls and self.has_bytes_of(here, field) and self.sets(here, field):
                return "inherited", here
        return "default", 0

    def value(self, data: bytes, field: FieldFacts) -> Any:
        """What the bytes of a field say: a number, the address of an object, or the bytes."""
        _, code = layout.CODES.get(field.code, ("", ""))
        if field.code == layout.OBJECT and len(data) == self.word:
            return int.from_bytes(data, self.order)  # type: ignore[arg-type]
        if code in ("f", "d") and len(data) == struct.calcsize(f"={code}"):
            return struct.unpack(self._format[0] + code, data)[0]
        if code == "c":
            return data
        if code == "?":
            return any(data)
        if code:
            return int.from_bytes(data, self.order, signed=code in "hilbqn")  # type: ignore[arg-type]
        return data

    # ----------------------------------------------------------------------- typed records --

    def signature(self, number: int) -> Optional[str]:
        """The text of a signature's number; None: it is none."""
        if not number & 1:
            return self.name_of(number)
        codes = []
        number >>= 1
        while number:
            codes.append(number & 31)
            number >>= 5
        if not codes or any(not 0 < code < len(layout.TYPES) for code in codes):
            return None
        names = [layout.TYPES[code] for code in codes]
        return f"{names[0]}({', '.join(names[1:])})"

    def record(self, address: int) -> Optional[List[Tuple[str, int, int]]]:
        """(signature, function, flags) of each entry; None: it is no record, or damaged."""
        head = self.struct("Record", address) if address else None
        if (head is None or head["magic"] != layout.MAGIC or head["abi"] != layout.RECORD_ABI
                or head["entry_size"] < 32 or head["entry_size"] % 8
                or not 0 < head["count"] <= layout.MAX_ENTRIES):
            return None
        found = []
        for place in range(head["count"]):
            at = head["entries"] + place * head["entry_size"]
            number, flags = self.number(at, 8), self.number(at + 16, 4)
            function = self.pointer(at + 8)
            if number is None or flags is None or function is None:
                return None
            found.append((self.signature(number) or f"? (number {number:#x})", function, flags))
        return found

    def record_of(self, obj: int, builtin: int, descriptor: int) -> Tuple[int, str]:
        """The address of the record that a callable leads to, 0 if there is none; and what hinders
        one from knowing, or "".  *builtin*, *descriptor*: PyCFunction_Type and PyMethodDescr_Type."""
        cls, word = self.type_of(obj), self.word
        if builtin in (cls, self.base(cls)):            # PyCMethod_Type derives from it
            at = obj + self.head + word
        elif cls == descriptor:
            at = obj + self.head + 4 * word
        else:
            owner = self.owner(cls)
            for number, data in self.table(owner).entries if owner else ():
                if number == layout.NATIVE_CALL:
                    size = self.type_member(cls, layout.TYPE_BASICSIZE) or 0
                    if data + 2 * word > size:
                        return 0, (f"damaged: its native-call slot leads to offset {data}, and its "
                                   f"instances have {size} bytes")
                    record = self.pointer(obj + data) or 0
                    return record, ("damaged: its record cannot be read"
                                    if record and self.record(record) is None else "")
                if number == layout.CLASS_CALL:
                    record = self.pointer(data + 8) or 0             # behind two numbers
                    return record, "damaged: its record cannot be read" if self.record(record) is None else ""
            value = self.value_of(cls + layout.KEY_LAYOUT)
            found = self.struct("Layout", value) if value else None
            if found is None:
                return 0, ""
            at = obj + found["def_offset"]
        definition = self.pointer(at)
        return (self.value_of(definition) if definition else 0), ""
