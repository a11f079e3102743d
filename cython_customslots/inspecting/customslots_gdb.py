# SPDX-License-Identifier: MIT
# mypy: ignore-errors
"""Slots, C fields and typed records in gdb: of a living process and of a core file.

    (gdb) source /path/that/--gdb/printed
    (gdb) customslots types            every extensible type that is found in memory
    (gdb) customslots show EXPRESSION  a type, an object, or a type by its name
    (gdb) customslots runtime          which implementation serves

It knows the layouts (docs/abi.md), so neither the interpreter nor the modules need debug symbols; only
names that every interpreter exports for its extension modules (PyType_Type and the like) must be there.
"""
import importlib.util
import os
import re
import sys
import unicodedata

import gdb

_NAME = "_customslots_inspecting"


def _package():
    """The modules beside this file, without the package that they belong to: gdb's Python may be
    another one than the one that it was installed for."""
    folder = os.path.dirname(os.path.abspath(__file__))
    spec = importlib.util.spec_from_file_location(
        _NAME, os.path.join(folder, "__init__.py"), submodule_search_locations=[folder])
    sys.modules[_NAME] = importlib.util.module_from_spec(spec)
    names = ("identifiers", "layout", "memory", "records", "seeing")
    for name in names:
        sys.modules.pop(f"{_NAME}.{name}", None)        # of another installation, sourced before
    return [importlib.import_module(f"{_NAME}.{name}") for name in names]


identifiers, layout, memory, records, seeing = _package()
_CHUNK = 1 << 24


def _symbol(name):
    """The address of a variable of the interpreter's; 0: it is not there."""
    try:
        return int(gdb.parse_and_eval(f"(unsigned long)&{name}")) & (1 << 64) - 1
    except gdb.error:
        return 0


def _read(address, size):
    try:
        return bytes(gdb.selected_inferior().read_memory(address, size))
    except (gdb.MemoryError, gdb.error, OverflowError, ValueError):
        return None


def _regions():
    """(begin, end) of memory that may be written to: in a core file what was saved."""
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
    """(address, bytes) of all of it, in pieces that overlap by no word."""
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


class _Gdb(seeing.Seeing):
    """The stopped process, or the core file, as it is at this moment."""

    def __init__(self):
        type_object = _symbol("PyType_Type")
        if not type_object:
            raise gdb.GdbError("customslots: found no symbol PyType_Type, expected a process or core "
                               "file of CPython; load its program with `file PROGRAM`")
        word = gdb.lookup_type("char").pointer().sizeof
        order = "big" if "big endian" in gdb.execute("show endian", to_string=True) else "little"
        try:
            found = memory.Memory(_read, type_object, 0, word, order)
        except ValueError as error:
            raise gdb.GdbError(f"customslots: {error}; is it a core file without the program's memory?") from error
        super().__init__(found)
        found.process_table = self._process_table()
        if not found.process_table:
            self.notes = ("names of IDs and registered slots cannot be told: the table of the process "
                          "was not found",)

    def _process_table(self):
        """By the capsule that holds its address (docs/abi-process.md), wherever it lies."""
        capsule_type = _symbol("PyCapsule_Type")
        if not capsule_type:
            return 0
        size = self.memory.word
        wanted = capsule_type.to_bytes(size, self.memory.order)
        for begin, data in _chunks():
            at = data.find(wanted)
            while at >= 0:
                if (begin + at) % size == 0:
                    words = self.memory.words(begin + at + size, 2)
                    name = self.memory.string(words[1], 64) if words else None
                    if name == layout.TABLE_KEY.decode():
                        table = self.memory.struct("ProcessTable", words[0])
                        if table is not None and not table["closed"]:
                            return words[0]
                at = data.find(wanted, at + 1)
        return 0

    def mro(self, cls):
        tuple_object = self.memory.type_member(cls, layout.TYPE_MRO) or 0
        items = self.memory.items(tuple_object) if tuple_object else []
        return items or self.memory.bases_of(cls)

    def types(self):
        """The addresses of all types with the five words of an extensible type, and the state of each."""
        size = self.memory.word
        back = self.memory.heaptype_size + 2 * size
        known = {layout.READY[size]: "finished", layout.UNFINISHED[size]: "unfinished",
                 layout.ROOT[size]: "root"}
        top = (0x5E92).to_bytes(2, self.memory.order)
        for begin, data in _chunks():
            if size == 8:
                # The highest bytes of the check word are those of the constant: no address has any.
                shift = 6 if self.memory.order == "little" else 0
                places, at = [], data.find(top)
                while at >= 0:
                    places.append(at - shift)
                    at = data.find(top, at + 1)
            else:
                places = range(0, len(data) - 3, 4)
            for at in places:
                if at < 0 or (begin + at) % size or at + size > len(data):
                    continue
                check = int.from_bytes(data[at:at + size], self.memory.order)
                cls = begin + at - back
                if check ^ cls in known and self.memory.state(cls):
                    yield cls, known[check ^ cls]

    # ---------------------------------------------------------------------------- showing --

    def show_type(self, cls):
        found = self.memory
        kind = "heap type" if found.is_heap(cls) else "static type"
        slots = self.slots_at(cls)
        print(f"{self.name(cls)} at {cls:#x}: "
              f"{'extensible' if slots.extensible else 'not extensible'}, state {slots.state}, "
              f"a {kind}, metaclass {self.name(found.type_of(cls))}")
        words = found.words_of(cls)
        if words and found.state(cls):
            print("  " + "  ".join(f"{name} {words[name]:#x}" for name in (
                "slots", "check", "private", "extension")))
        api = found.api(found.type_of(cls))
        if api is not None:
            print(f"  implemented by {found.serving(api)}")
        for part in (slots, self.fields_at(cls), self.interfaces_of(slots)):
            if len(part) or part.notes:
                print("\n".join("  " + line for line in str(part).splitlines()))
        for field in self.fields_at(cls):
            if field.is_padding:
                continue
            more = "..." if len(field.bytes) > 64 else ""
            print(f"  {field.label()}: bytes {field.bytes[:64]}{more}")

    def show(self, obj):
        found = self.memory
        if not found.type_of(obj) or found.string(found.type_member(
                found.type_of(obj), layout.TYPE_NAME) or 0) is None:
            raise gdb.GdbError(f"customslots: found no Python object at {obj:#x}")
        if found.is_type(obj):
            self.show_type(obj)
            return
        cls = found.type_of(obj)
        print(f"an object at {obj:#x} of type {self.name(cls)}")
        self.show_record(obj)
        self.show_type(cls)

    def show_record(self, obj):
        found = self.memory
        if found.type_of(obj) == _symbol("PyMethod_Type"):
            obj = found.pointer(obj + found.head + found.word) or obj
        address, why = found.record_of(obj, _symbol("PyCFunction_Type"), _symbol("PyMethodDescr_Type"))
        record = found.record(address)
        if why or (address and record is None):
            print(f"  ! {why or 'damaged: its record cannot be read'}")
        for signature, function, flags in record or ():
            print(f"  typed: {signature}, C function {_where(function)}, flags {flags:#x}")


def _where(address):
    """An address with the function there, as far as gdb knows."""
    text = gdb.execute(f"info symbol {address:#x}", to_string=True).strip()
    return f"{address:#x}" + ("" if text.startswith("No symbol") else f" <{text}>")


class _Customslots(gdb.Command):
    """Slots, C fields and typed functions of Python types (cython-customslots).

customslots types             every extensible type that is found in memory
customslots show EXPRESSION   a type or an object: an address, a variable, or a type's name
customslots runtime           which implementation of extensible types serves"""

    def __init__(self):
        super().__init__("customslots", gdb.COMMAND_DATA, prefix=True)

    def invoke(self, argument, from_tty):
        print(self.__doc__)


class _Types(gdb.Command):
    """customslots types: every extensible type that is found in memory."""

    def __init__(self):
        super().__init__("customslots types", gdb.COMMAND_DATA)

    def invoke(self, argument, from_tty):
        process, rows = _Gdb(), []
        for cls, state in process.types():
            count = len(process.memory.table(cls).entries) if state == "finished" else 0
            rows.append((f"{cls:#x}", process.name(cls), state, str(count),
                         process.name(process.memory.type_of(cls))))
        if not rows:
            print("no extensible types")
            return
        rows.sort(key=lambda row: row[1])
        print("\n".join(records.columns(("address", "type", "state", "slots", "metaclass"), rows)))


class _Show(gdb.Command):
    """customslots show EXPRESSION: a type or an object, by address, variable or type's name."""

    def __init__(self):
        super().__init__("customslots show", gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)

    def invoke(self, argument, from_tty):
        if not argument.strip():
            raise gdb.GdbError("customslots show: found nothing, expected an expression or the name of "
                               "a type")
        process = _Gdb()
        wanted = unicodedata.normalize("NFKC", argument.strip())        # as Python does with names
        named = [cls for cls, state in process.types()
                 if process.name(cls) in (wanted, wanted.rpartition(".")[2])] \
            if re.fullmatch(r"[^\W\d][\w.]*", wanted) else []
        if named:
            for cls in named:
                process.show_type(cls)
            return
        try:
            value = gdb.parse_and_eval(wanted)
            obj = int(value.cast(gdb.lookup_type("unsigned long")))
        except gdb.error as error:
            raise gdb.GdbError(f"customslots show: found {wanted!r}, expected an address, a variable or "
                               f"the name of an extensible type: {error}") from error
        process.show(obj & (1 << 8 * process.memory.word) - 1)


class _Runtime(gdb.Command):
    """customslots runtime: which implementation of extensible types serves."""

    def __init__(self):
        super().__init__("customslots runtime", gdb.COMMAND_DATA)

    def invoke(self, argument, from_tty):
        process = _Gdb()
        found = False
        for cls, state in process.types():
            api = process.memory.api(cls) if state == "root" else None
            if api is not None:
                found = True
                print(f"serving: {process.memory.serving(api)}; rendezvous "
                      f"{api['rendezvous_version']}, table ABI {api['table_abi']}, state "
                      f"{api['state_version']}; metaclass {process.name(cls)} at {cls:#x}")
        if not found:
            print("extensible types: no implementation serves in this process")


_Customslots()
_Types()
_Show()
_Runtime()
