# SPDX-License-Identifier: MIT
"""A reader, an interner and a finder written from the pages of the ABI alone, in another language.

Constants and offsets are taken from these pages.  No header of ours is involved, and nothing of
the package but its capsules.  Addresses are plain integers; loads are those of ctypes, so
this is for one thread.
"""
import ctypes
import re
import sys
from ctypes import c_size_t, c_ssize_t, c_void_p
from pathlib import Path

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = "abi.md", "abi-rendezvous.md", "abi-runtime.md", "abi-process.md", "abi-typed.md"
PAGE = "".join((DOCS / name).read_text("utf-8") for name in PAGES)
W = ctypes.sizeof(c_void_p)
MASK = (1 << 8 * W) - 1

# ------------------------------------------------------------------- what the pages say


def constant(name):
    """The value of a #define on the pages; of the two, the one for words of this size."""
    values = [int(text, 0) for text in re.findall(
        rf"# *define {name}\s+\(*(?:\((?:uintptr_t|Py_ssize_t)\))?(-?(?:0x[0-9A-Fa-f]+|\d+))u?", PAGE)]
    return values[0] if W == 8 or len(values) == 1 else values[1]


def string(name):
    return re.search(rf'# *define {name} +"([^"]+)"', PAGE)[1].encode()


def offsets(last):
    """{member: offset} of the one table that ends with this member."""
    found = []
    for table in re.findall(r"^\|[^\n]*, 64-bit \| 32-bit \|[^\n]*\n\|[-| ]+\n((?:\|[^\n]*\n)+)", PAGE, re.MULTILINE):
        rows = [[cell.strip(" `") for cell in line.strip("|").split("|")] for line in table.splitlines()]
        if rows[-1][2] == last:
            found.append({row[2]: int(row[0 if W == 8 else 1]) for row in rows})
    assert len(found) == 1, f"the pages have {len(found)} tables of offsets that end with {last!r}"
    return found[0]


READY, UNFINISHED = constant("_Pycs_READY"), constant("_Pycs_UNFINISHED")
ROOT, MARK = constant("_Pycs_ROOT"), constant("_Pycs_STATIC_MARK")
STAMP = int(re.search(r"_Pycs_STAMP\(type\) .* \+ (0x\w+)u\)", PAGE)[1], 16)
MIN_CAPACITY = constant("PyCustomSlots_MIN_CAPACITY")
WORDS = offsets("C fields of derived metaclasses")
API, IMPL = offsets("met"), offsets("what is added later")

# ------------------------------------------------------------------- what CPython says

H = type.__basicsize__
HEAD = object.__basicsize__                      # PyObject; ob_size follows, then tp_name
HEAPTYPE = 1 << 9


def word(address):
    return c_size_t.from_address(address).value


def signed(address):
    return c_ssize_t.from_address(address).value


def member(type_, index):
    """The address of the index-th word behind ob_size in a type object."""
    return type_ + HEAD + W * (1 + index)


def flags(type_):
    return word(member(type_, 18))


def base_of(type_):
    return word(member(type_, 29))


def metaclass_of(type_):
    return id(type(ctypes.cast(type_, ctypes.py_object).value))


# ---------------------------------------------------------------------------- the reader

def may_be_read(type_):
    return bool(flags(type_) & HEAPTYPE) or signed(type_ + HEAD) == MARK


def own(type_, name):
    return word(type_ + H + WORDS[name])


def answering(type_):
    """The type whose table answers, or 0: "The test"."""
    while type_:
        if flags(type_) >> 32 == type_ + STAMP & 0xFFFFFFFF:
            return type_
        if metaclass_of(type_) == id(type):
            return 0
        if may_be_read(type_):
            check = own(type_, "etp_check")
            return type_ if check in (type_ ^ READY, type_ ^ UNFINISHED) else 0
        type_ = base_of(type_)
    return 0


FRONT = offsets("absent")


def front_of(table, name):
    return word(table - FRONT[name])


def find(cls, wanted, position=0):
    """The address of the slot, or 0: "The look-up"."""
    type_ = answering(id(cls)) if wanted > 1 else 0
    if not type_:
        return 0
    table = own(type_, "etp_custom_slots")
    if 0 <= position < MIN_CAPACITY and word(table + 2 * W * position) == wanted:
        return table + 2 * W * position
    hashed = (wanted >> 1) * 0x9E3779B1 & 0xFFFFFFFF
    hashed ^= hashed >> 15
    if front_of(table, "absent") >> hashed % (8 * W) & 1:
        return 0
    return ctypes.CFUNCTYPE(c_size_t, c_size_t, c_size_t, c_size_t)(
        word(word(front_of(table, "looks"))))(type_, table, wanted)


def data(slot):
    return word(slot + W) if slot else None


# ------------------------------------------------------------------- process-wide memory

_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype, _pointer.argtypes = c_void_p, [ctypes.py_object, ctypes.c_char_p]
_interpreter = ctypes.pythonapi.PyInterpreterState_Get
_interpreter.restype = c_void_p
_dict = ctypes.pythonapi.PyInterpreterState_GetDict
_dict.restype, _dict.argtypes = c_void_p, [c_void_p]


def state():
    """The state dictionary of this interpreter, which the function lends."""
    return ctypes.cast(_dict(_interpreter()), ctypes.py_object).value


def shared(name):
    return _pointer(state()[name.decode()], name)


def value_of(key):
    """What the process's table has for a key, or 0: "What belongs to the process"."""
    cells = word(shared(string("_Pycs_TABLE_KEY")))
    mask = word(cells + W) if cells else 0
    value = (key >> 4) * 0x9E3779B1 & MASK
    place = (value ^ value >> 15) & mask
    while cells and (there := word(cells + W * (3 + 2 * place))):
        if there == key:
            return word(cells + W * (4 + 2 * place))
        place = place + 1 & mask
    return 0


def interned(name):
    """The ID of a name that somebody has interned, or 0: "Interned IDs"."""
    fnv = 2166136261
    for byte in name:
        fnv = (fnv ^ byte) * 16777619 & 0xFFFFFFFF
    there = value_of(fnv << 4 & MASK | constant("_Pycs_KEY_NAME"))
    while there:
        if word(there + W) == len(name) and ctypes.string_at(there + 2 * W, len(name)) == name:
            assert ctypes.string_at(there + 2 * W) == name       # the final NUL
            return there
        there = word(there)
    return 0


def registered(cls, wanted):
    """The address of the slot, or 0: "Registered slots"."""
    def key(type_):
        value = (type_ >> 4) * 0x9E3779B1 + wanted * 0x85EBCA77 & MASK
        return (value ^ value >> 15) << 4 & MASK | constant("_Pycs_KEY_SLOTS")

    note = wanted * 0x85EBCA77 & MASK
    note ^= note >> 16
    if not word(shared(string("_Pycs_TABLE_KEY")) + W * (1 + note // (8 * W) % 4)) & 1 << note % (8 * W):
        return 0
    for type_ in map(id, cls.__mro__):
        entry = value_of(key(type_))
        while entry:
            referent = word(entry + 3 * W)
            if word(entry) == wanted and word(entry + 2 * W) == type_ and referent and word(referent) == type_:
                return entry
            entry = word(entry + 4 * W)
    return 0


# ---------------------------------------------------------------------------- the finder

class Finder:
    """The rendezvous, validated as the page says, and its functions."""

    def __init__(self):
        module = sys.modules[string("_Pycs_MODULE").decode()]
        assert module is state()["_extensibletype"]
        self.metaclass = getattr(module, string("_Pycs_ATTRIBUTE").decode())
        self.api = _pointer(module._api, string("_Pycs_CAPSULE"))
        root = id(self.metaclass)
        assert own(root, "etp_check") == root ^ ROOT and base_of(root) == id(type)
        assert own(root, "etp_private") == self.api
        numbers = ctypes.c_uint32 * 2
        assert list(numbers.from_address(self.api)) == [
            constant("_Pycs_RENDEZVOUS_VERSION"), constant("PyCustomSlots_ABI_VERSION")]
        assert self._word("heaptype_size") == H
        assert self._word("type_size") == H + 5 * W == self.metaclass.__basicsize__
        assert self._word("metaclass") == root and self._word("state")
        assert self.count() >= int(re.search(r"`impl->count` is (\d+) or more", PAGE)[1])

    def _word(self, name):
        return word(self.api + API[name])

    def count(self):
        """How many pointers there are behind `module`, at this moment."""
        return ctypes.c_uint32.from_address(self._word("impl") + IMPL["count"]).value

    def has(self, name):
        return IMPL[name] < IMPL["alloc"] + W * self.count()

    def call(self, name, result, *arguments):
        """Call a function of whoever serves, with (ctypes type, value) pairs."""
        if not self.has(name):
            raise NotImplementedError(name)
        function = ctypes.PYFUNCTYPE(result, c_void_p, *(kind for kind, _ in arguments))(
            word(self._word("impl") + IMPL[name]))
        return function(self.api, *(value for _, value in arguments))

    def set_slots(self, cls, *slots):
        array = (c_size_t * (2 * len(slots)))(*(number for slot in slots for number in slot))
        return self.call("set_slots", ctypes.c_int, (ctypes.py_object, cls), (c_void_p,
                         ctypes.addressof(array)), (c_ssize_t, len(slots)))
