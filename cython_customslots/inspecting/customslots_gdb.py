# SPDX-License-Identifier: MIT
# mypy: ignore-errors
"""Slots and C fields in gdb: of a living process and of a core file.

    (gdb) source /path/that/--gdb/printed
    (gdb) customslots types            every extensible type that is found in memory
    (gdb) customslots show EXPRESSION  a type, an object, or a type by its name
    (gdb) customslots runtime          which implementation serves

It knows the layouts (docs/abi.md), so neither the interpreter nor the modules need debug symbols; only
names that every interpreter exports for its extension modules (PyType_Type and the like) must be there.
gdb's own Python runs it; that may be older than the package needs, and finds no package.
"""
import re
import struct
import unicodedata

import gdb

# Members of structs: a word, or 4 bytes behind a colon; a test compares them with what the compiler sees.
STRUCTS = {
    "Words": "count slots check private extension",
    "API": "rendezvous_version:4 table_abi:4 state_version:4 reserved:4 heaptype_size type_size metaclass state impl",
    "Impl": "looks_find looks_whole number:4 state_version:4 count:4 module",
    "State": "thread field_get field_set lock lock_owner generation refreshes interpreter field_lists",
    "FieldList": "next metaclass offset size hooked:4 named:4 block defaults count fields",
    "FieldEntry": "api name offset size type:4 flags:4 doc create copy move destroy from_object to_object kind:4 next "
                  "list name_object getset_name getset_get getset_set getset_doc getset_closure",
    "Sidecar": "marks kept filled_at",
    "ProcessTable": "cells ids0 ids1 ids2 ids3 generation types closed",
    "Cells": "former mask used",
    "Name": "next length",
    "Entry": "id data type referent next",
}
READY = {8: 0x5E9200C5A17B3D05, 4: 0x5E92A105}
UNFINISHED = {8: 0x5E9200C5A17B2D05, 4: 0x5E92B105}
ROOT = {8: 0x5E9200C573D19604, 4: 0x5E927304}
STATIC_MARK = -0x5E9202
RENDEZVOUS, STATE_VERSION = 4, 1
TABLE_KEY = "_customslots_table_v3"

# Words of a PyTypeObject behind ob_type.
NAME, BASICSIZE, FLAGS, BASE, BASES, MRO = 2, 3, 20, 31, 41, 42
HEAPTYPE, TYPE_SUBCLASS = 1 << 9, 1 << 31
OBJECT = 16
# Codes of types whose size is the same everywhere, for struct.unpack().
NUMBERS = {0: "h", 1: "i", 3: "f", 4: "d", 8: "b", 9: "B", 10: "H", 11: "I", 14: "?", 17: "q", 18: "Q"}
_CHUNK, _LONGEST = 1 << 24, 1 << 28
_MANY = 1 << 16                 # entries of a table, nodes of a list


def _symbol(name):
    """The address of a variable of the interpreter's; 0: it is not there."""
    try:
        return int(gdb.parse_and_eval("(unsigned long)&" + name)) & (1 << 64) - 1
    except gdb.error:
        return 0


def _read(address, size):
    try:
        return bytes(gdb.selected_inferior().read_memory(address, size)) if address and 0 <= size < _LONGEST else None
    except (gdb.MemoryError, gdb.error, OverflowError, ValueError):
        return None


def _regions():
    """(begin, end) of memory that may be written to: in a core file, memory that was saved."""
    text = gdb.execute("info files", to_string=True)
    found = [(int(begin, 16), int(end, 16)) for begin, end in re.findall(
        r"^\s*(0x[0-9a-f]+) - (0x[0-9a-f]+) is load\w*$", text, re.M)]
    if not found:
        text = gdb.execute("info proc mappings", to_string=True)
        found = [(int(begin, 16), int(end, 16)) for begin, end, rest in re.findall(
            r"^\s*(0x[0-9a-f]+)\s+(0x[0-9a-f]+)\s+(.*)$", text, re.M)
            if "rw" in rest or not re.search(r"\b[r-][w-][x-][ps-]\b", rest)]
    return sorted(found)


def _chunks():
    """(address, bytes) of all of it."""
    for begin, end in _regions():
        while begin < end:
            data = _read(begin, min(_CHUNK, end - begin))
            if data is None:                            # not all of it is there: page by page
                for page in range(begin, min(begin + _CHUNK, end), 4096):
                    data = _read(page, min(4096, end - page))
                    if data is not None:
                        yield page, data
            else:
                yield begin, data
            begin += _CHUNK


def _columns(rows):
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    rows.insert(1, ["-" * width for width in widths])
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]


class _Process:
    """The stopped process, or the core file, as it is at this moment."""

    def __init__(self):
        self.type_object = _symbol("PyType_Type")
        if not self.type_object:
            raise gdb.GdbError("customslots: found no symbol PyType_Type, expected a process or core "
                               "file of CPython; load its program with `file PROGRAM`")
        self.word = gdb.lookup_type("char").pointer().sizeof
        self.order = "big" if "big endian" in gdb.execute("show endian", to_string=True) else "little"
        self.format = "<" if self.order == "little" else ">"
        words = self.words(self.type_object, 6)
        self.head = self.word * words.index(self.type_object) if self.type_object in words else 0
        self.heaptype_size = self.member(self.type_object, BASICSIZE)
        if not self.head or self.name(self.type_object) != "type":
            raise gdb.GdbError(f"customslots: found no type object of Python at {self.type_object:#x}, expected "
                               "`type`; is it a core file without the program's memory?")
        self.cells = self._cells()

    # ---------------------------------------------------------------------------- memory --

    def number(self, address, size):
        return int.from_bytes(_read(address, size) or b"", self.order)

    def words(self, address, count):
        """So many words; () if they cannot be read."""
        data = _read(address, count * self.word)
        return () if data is None else struct.unpack(f"{self.format}{count}{'Q' if self.word == 8 else 'I'}", data)

    def struct(self, name, address):
        """The members of a struct, and its length; None if they cannot be read."""
        found, end = {}, 0
        for member in STRUCTS[name].split():
            member, _, size = member.partition(":")
            size = int(size or self.word)
            at = (end + size - 1) // size * size
            found[member], end = (at, size), at + size
        end = (end + self.word - 1) // self.word * self.word
        data = _read(address, end)
        return data and {"sizeof": end, **{member: int.from_bytes(data[at:at + size], self.order)
                                           for member, (at, size) in found.items()}}

    def string(self, address, limit=400):
        """A text that ends with NUL, cut off; None if it cannot be read."""
        found = b""
        while len(found) < limit:
            step = 64 - address % 64                # never across the end of a page
            data = _read(address, step)
            if data is None:
                return None
            found += data.partition(b"\0")[0]
            if b"\0" in data:
                break
            address += step
        return found[:limit].decode("utf-8", "replace")

    # ----------------------------------------------------------------------------- types --

    def type_of(self, obj):
        return self.number(obj + self.head, self.word)

    def member(self, cls, place):
        return self.number(cls + self.head + place * self.word, self.word)

    def name(self, cls):
        return self.string(self.member(cls, NAME)) or f"type at {cls:#x}"

    def items(self, tuple_object):
        count = self.number(tuple_object + self.head + self.word, self.word)
        return list(self.words(tuple_object + self.member(self.type_of(tuple_object), BASICSIZE), count))

    def chain(self, cls):
        """tp_base after tp_base, *cls* itself first."""
        found = []
        while cls and cls not in found and len(found) < 1000:
            found.append(cls)
            cls = self.member(cls, BASE)
        return found

    def mro(self, cls):
        return self.items(self.member(cls, MRO)) or self.chain(cls)

    def is_heap(self, cls):
        return self.member(cls, FLAGS) & HEAPTYPE

    def words_of(self, cls):
        mark = STATIC_MARK & (1 << 8 * self.word) - 1
        has_words = self.is_heap(cls) or self.number(cls + self.head + self.word, self.word) == mark
        return self.struct("Words", cls + self.heaptype_size) if has_words else None

    def state(self, cls):
        words = self.words_of(cls)
        return {READY[self.word]: "finished", UNFINISHED[self.word]: "unfinished",
                ROOT[self.word]: "root"}.get(words["check"] ^ cls, "") if words else ""

    def types(self):
        """(address, state) of all types with the five words of an extensible type."""
        back = self.heaptype_size + 2 * self.word
        # The highest bytes of the check word are the constant's, because they are 0 in an address of 64 bits.
        shift = 6 if self.order == "little" and self.word == 8 else 0
        top = (0x5E92).to_bytes(2, self.order)
        for begin, data in _chunks():
            places = range(0, len(data), 4) if self.word == 4 else (
                found.start() - shift for found in re.finditer(re.escape(top), data))
            for at in places:
                if at >= 0 and (begin + at) % self.word == 0:
                    state = self.state(begin + at - back)
                    if state:
                        yield begin + at - back, state

    def table(self, cls):
        """The entries of a finished type's table, and what is wrong with it."""
        words, entries = self.words_of(cls), []
        for place in range(2 * _MANY):
            entry = self.words(words["slots"] + place * 2 * self.word, 2)
            if not entry:
                return entries, f"damaged: its table at {words['slots']:#x} cannot be read behind entry {place - 1}"
            if entry[0] == 0:
                break
            entries.append(entry)
        return entries, "" if len(entries) == words["count"] else (
            f"damaged: its count is {words['count']}, and its table has {len(entries)} entries")

    # --------------------------------------------------------------- the process's table --

    def _cells(self):
        """{key: value} of the table of the process, found by the capsule that holds its address
        (docs/abi-process.md), wherever the capsule lies; None if it is not found."""
        capsule_type = _symbol("PyCapsule_Type")
        for begin, data in _chunks() if capsule_type else ():
            for found in re.finditer(re.escape(capsule_type.to_bytes(self.word, self.order)), data):
                words = self.words(begin + found.start() + self.word, 2)
                if (begin + found.start()) % self.word or not words or self.string(words[1]) != TABLE_KEY:
                    continue
                table = self.struct("ProcessTable", words[0])
                cells = self.struct("Cells", table["cells"]) if table and not table["closed"] else None
                if cells:
                    words = self.words(table["cells"] + cells["sizeof"], 2 * (cells["mask"] + 1))
                    return dict(zip(words[::2], words[1::2]))
        return None

    def nodes(self, kind, form):
        """(address, struct) of the entries under keys of this kind."""
        for key, node in (self.cells or {}).items():
            yield from self.listed(node if key & 15 == kind else 0, form)

    def listed(self, node, form):
        """(address, struct) of the nodes of a list, as far as they can be read."""
        seen = set()
        while node and node not in seen:
            seen.add(node)
            found = self.struct(form, node)
            if found is None:
                break
            yield node, found
            node = found["next"]

    def names(self):
        return {node: (_read(node + 2 * self.word, name["length"]) or b"?").decode("utf-8", "replace")
                for node, name in self.nodes(3, "Name")}

    # ---------------------------------------------------------------------------- fields --

    def api(self, metaclass):
        """The API that a metaclass leads to; None: it does not derive from extensibletype."""
        chain = self.chain(metaclass)
        root = chain[chain.index(self.type_object) - 1] if self.type_object in chain[1:] else 0
        return self.struct("API", self.words_of(root)["private"]) if root and self.state(root) == "root" else None

    def serving(self, api):
        impl = self.struct("Impl", api["impl"])
        if impl is None:
            return "an implementation that cannot be read"
        number = impl["number"]
        module = self.string(impl["module"]) or "a module that does not say its name"
        return f"{number >> 24}.{number >> 12 & 0xFFF}.{number & 0xFFF} of {module}"

    def fields(self, cls, api):
        """(list, field) of the C fields that the class has."""
        if (api["rendezvous_version"], api["state_version"]) != (RENDEZVOUS, STATE_VERSION):
            print(f"  ! C fields cannot be told: found rendezvous {api['rendezvous_version']}, state "
                  f"{api['state_version']}, expected {RENDEZVOUS}, {STATE_VERSION}; use the script of another "
                  "cython-customslots")
            return
        state, metaclasses = self.struct("State", api["state"]), self.chain(self.type_of(cls))
        for _, fields in self.listed(state["field_lists"] if state else 0, "FieldList"):
            at = fields["fields"]
            for _ in range(min(fields["count"], _MANY) if fields["metaclass"] in metaclasses else 0):
                field = self.struct("FieldEntry", at)
                if field is None:
                    break
                at += field["sizeof"]
                yield fields, field

    def whose(self, cls, api, fields, field):
        """Whose value the class has: as docs/abi-runtime.md says."""
        for base in [cls] + [base for base in self.mro(cls) if base != cls]:
            own = fields["metaclass"] in self.chain(self.type_of(base)) and self.is_own(base, api, fields, field)
            if own or own is None:
                return "unknown" if own is None else "own" if base == cls else f"from {self.name(base)}"
        return "default"

    def is_own(self, cls, api, fields, field):
        words, place, size = self.words_of(cls), field["offset"] - api["type_size"], field["size"]
        sidecar = self.struct("Sidecar", words["extension"]) if words["extension"] else None
        value = _read(cls + field["offset"], size) or b""
        if words["extension"] and sidecar is None:
            return None
        if sidecar is None:
            return any(value) and value != _read(fields["defaults"] + field["offset"] - fields["offset"], size)
        return self.number(sidecar["marks"] + place, 1) != 0 or (
            not field["copy"] and value != _read(words["extension"] + sidecar["sizeof"] + place, size))

    def value(self, cls, field):
        data = _read(cls + field["offset"], field["size"]) or b""
        number = int.from_bytes(data, self.order)
        if field["type"] == OBJECT:
            return f"an object of type {self.name(self.type_of(number))!r} at {number:#x}" if number else "NULL"
        letter = NUMBERS.get(field["type"], "")
        if field["name"] and letter and struct.calcsize(letter) == len(data):
            return str(struct.unpack(self.format + letter, data)[0])
        return f"{data[:32].hex()}{'...' if len(data) > 32 else ''}"

    # --------------------------------------------------------------------------- showing --

    def show_type(self, cls):
        state, owner = self.state(cls), next((base for base in self.mro(cls) if self.state(base) == "finished"), 0)
        print(f"{self.name(cls)} at {cls:#x}: {'' if state or owner else 'not '}extensible, state {state or 'none'}, "
              f"a {'heap' if self.is_heap(cls) else 'static'} type, metaclass {self.name(self.type_of(cls))}")
        if state:
            print("  " + "  ".join(
                f"{name} {word:#x}" for name, word in self.words_of(cls).items() if name != "sizeof"))
        api = self.api(self.type_of(cls))
        if api is not None:
            print("  implemented by cython-customslots " + self.serving(api))
        self.show_slots(cls, owner)
        rows = [("field", "place", "size", "value", "whose")]
        found = self.fields(cls, api) if api and state in ("finished", "unfinished") else ()
        for fields, field in sorted(found, key=lambda pair: pair[1]["offset"]):
            rows.append((self.string(field["name"]) or "?" if field["name"] else "(not described)",
                         f"{self.name(fields['metaclass'])} + {field['offset']}", str(field["size"]),
                         self.value(cls, field), self.whose(cls, api, fields, field)))
        if rows[1:]:
            print("\n".join("  " + line for line in _columns(rows)))

    def show_slots(self, cls, owner):
        """The table that answers, and what was registered."""
        entries, wrong = self.table(owner) if owner else ((), "")
        tables = {base: dict(self.table(base)[0]) for base in self.mro(cls) if self.state(base) == "finished"}
        names, rows = self.names(), [("position", "slot ID", "data", "whose")]
        for place, (number, data) in enumerate(entries):
            by = next((base for base, own in tables.items() if own.get(number) == data and not any(
                tables.get(above, {}).get(number) == data for above in self.items(self.member(base, BASES)))), 0)
            rows.append((str(place), _id(number, names), _where(data),
                         "own" if by == cls else "from " + self.name(by) if by else "unknown"))
        mro = self.mro(cls)
        rows += [("-", _id(entry["id"], names), _where(entry["data"]),
                  "registered, for " + self.name(entry["type"])) for _, entry in self.nodes(7, "Entry")
                 if entry["type"] in mro and self.number(entry["referent"], self.word) == entry["type"]]
        if rows[1:]:
            print("\n".join("  " + line for line in _columns(rows)))
        if wrong:
            print("  ! " + wrong)
        if self.cells is None:
            print("  ! names of IDs and registered slots cannot be told: the table of the process was not found")

    def show(self, obj):
        if not self.type_of(obj) or self.string(self.member(self.type_of(obj), NAME)) is None:
            raise gdb.GdbError(f"customslots: found no Python object at {obj:#x}")
        cls = self.type_of(obj)
        if self.member(cls, FLAGS) & TYPE_SUBCLASS:
            self.show_type(obj)
            return
        print(f"an object at {obj:#x} of type {self.name(cls)}")
        self.show_type(cls)


def _id(number, names):
    if number <= 1:
        return "SKIP: left free"
    return f"{number:#x} = {names[number]!r}" if number in names else f"{number:#x}"


def _where(address):
    """An address with the function or variable there, as far as gdb knows."""
    text = gdb.execute(f"info symbol {address:#x}", to_string=True).strip()
    return f"{address:#x}" + ("" if text.startswith("No symbol") else f" <{text}>")


def show_types():
    process = _Process()
    rows = [(f"{cls:#x}", process.name(cls), state,
             str(len(process.table(cls)[0]) if state == "finished" else 0), process.name(process.type_of(cls)))
            for cls, state in process.types()]
    rows.sort(key=lambda row: row[1])
    print("\n".join(_columns([("address", "type", "state", "slots", "metaclass")] + rows)) if rows
          else "no extensible types")


def show_one(wanted):
    process = _Process()
    named = [cls for cls, state in process.types() if process.name(cls) in (wanted, wanted.rpartition(".")[2])] \
        if re.match(r"[^\W\d][\w.]*\Z", wanted) else []
    for cls in named:
        process.show_type(cls)
    if named:
        return
    try:
        obj = int(gdb.parse_and_eval(wanted).cast(gdb.lookup_type("unsigned long")))
    except gdb.error as error:
        raise gdb.GdbError(f"customslots show: found {wanted!r}, expected an address, a variable or the name of an "
                           f"extensible type: {error}") from error
    process.show(obj & (1 << 8 * process.word) - 1)


def show_runtime():
    process = _Process()
    roots = [(cls, process.api(cls)) for cls, state in process.types() if state == "root" and process.api(cls)]
    for cls, api in roots:
        print(f"serving: {process.serving(api)}; rendezvous {api['rendezvous_version']}, table ABI "
              f"{api['table_abi']}, state {api['state_version']}; metaclass {process.name(cls)} at {cls:#x}")
    if not roots:
        print("extensible types: no implementation serves in this process")


class _Customslots(gdb.Command):
    """Slots and C fields of Python types (cython-customslots).

customslots types             every extensible type that is found in memory
customslots show EXPRESSION   a type or an object: an address, a variable, or a type's name
customslots runtime           which implementation of extensible types serves"""

    def __init__(self):
        super().__init__("customslots", gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)

    def invoke(self, argument, from_tty):
        what, _, wanted = unicodedata.normalize("NFKC", argument.strip()).partition(" ")   # as Python does with names
        if what == "types":
            show_types()
        elif what == "runtime":
            show_runtime()
        elif what == "show" and wanted.strip():
            show_one(wanted.strip())
        else:
            print(self.__doc__)


_Customslots()
