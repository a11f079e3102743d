# SPDX-License-Identifier: MIT
"""The table of functions as another language sees it: capsules, pointers and their order.

No header of ours is involved.  Functions are called with the GIL held and raise what they set;
the readers that need no GIL are called without it.
"""
import ctypes
import sys
from ctypes import (POINTER, PYFUNCTYPE, Structure, c_char_p, c_int, c_size_t, c_ssize_t,
                    c_uint32, c_uint64, c_void_p, py_object)

import _customslots_runtime                          # after which there is an API

REGISTRAR_INTERNAL = 0x01


def slot_id(idea, version=0):
    return REGISTRAR_INTERNAL << 24 | idea << 8 | version << 1 | 1


class Slot(Structure):
    _fields_ = [("id", c_size_t), ("data", c_size_t)]


class Api(Structure):
    _fields_ = [("rendezvous_version", c_uint32), ("table_abi", c_uint32),
                ("state_version", c_uint32), ("reserved", c_uint32),
                ("heaptype_size", c_ssize_t), ("type_size", c_ssize_t), ("metaclass", c_void_p),
                ("state", c_void_p), ("impl", c_void_p), ("met", c_void_p)]


class Head(Structure):
    """Of the table; `count` pointers follow."""
    _fields_ = [("find", c_void_p), ("whole", c_void_p), ("number", c_uint32), ("state_version", c_uint32),
                ("count", c_uint32), ("module", c_char_p)]


#: Behind the sixteen that the metaclasses' own slots jump to.
TARGETS = 16
NAMES = """ready inherit_fields set_slots finish calculate_metaclass new_static publish from_spec
register_fields set_field delete_field mark_fields set_field_object combine find
find_any slot_count slot_table intern register_slot new_class static_block ready_block""".split()

#: Result and arguments behind the API.
PROTOTYPES = {
    "ready": (c_int, py_object, c_ssize_t),
    "inherit_fields": (c_int, py_object),
    "finish": (c_int, py_object),
    "calculate_metaclass": (c_void_p, py_object, py_object, py_object),
    "new_static": (c_void_p, py_object, py_object, py_object, py_object),
    "from_spec": (py_object, py_object, py_object, c_void_p, py_object, POINTER(Slot), c_ssize_t),
    "register_fields": (c_int, py_object, c_void_p, c_ssize_t, c_ssize_t),
    "set_field": (c_int, py_object, c_ssize_t, c_void_p, c_ssize_t),
    "delete_field": (c_int, py_object, c_ssize_t),
    "mark_fields": (c_int, py_object, POINTER(c_ssize_t), c_ssize_t),
    "set_field_object": (c_int, py_object, py_object, py_object),
    "combine": (py_object, py_object, c_char_p),
    "set_slots": (c_int, py_object, POINTER(Slot), c_ssize_t),
    "publish": (c_int, py_object, POINTER(Slot), c_ssize_t),
    "find": (POINTER(Slot), py_object, c_size_t, c_ssize_t),
    "find_any": (POINTER(Slot), py_object, c_size_t, c_ssize_t),
    "slot_count": (c_ssize_t, py_object),
    "slot_table": (POINTER(Slot), py_object),
    "intern": (c_size_t, c_char_p),
    "register_slot": (c_int, py_object, POINTER(Slot)),
    "new_class": (py_object, py_object, c_char_p, c_char_p, py_object, POINTER(Slot), c_ssize_t),
    "static_block": (c_void_p, py_object),
    "ready_block": (c_int, c_void_p, POINTER(Slot), c_ssize_t),
}

#: What stands for NULL where an object is expected: py_object() is an error of ctypes' own.
NULL = object()


class At(int):
    """An address that stands for an object which is none yet: a type that is not ready."""


def address_of(thing):
    """What is passed for an object."""
    return None if thing is NULL else thing if isinstance(thing, At) else id(thing)


def capsule_pointer(capsule, name):
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = c_void_p, [py_object, c_char_p]
    return get(capsule, name)


def api_address():
    return capsule_pointer(sys.modules["_extensibletype"]._api, b"_extensibletype._api_v4")


def function(name, *, holding_gil=True):
    """A function of the table as it is now, its first argument bound."""
    address = api_address()
    impl = Api.from_address(address).impl
    position = TARGETS + NAMES.index(name)
    assert Head.from_address(impl).count > position, "this implementation has no such function"
    pointer = c_void_p.from_address(impl + ctypes.sizeof(Head) + position * ctypes.sizeof(c_void_p)).value
    result, *arguments = PROTOTYPES[name]
    # As addresses: so NULL can be passed.
    plain = [c_void_p if kind is py_object else kind for kind in arguments]
    make = PYFUNCTYPE if holding_gil else ctypes.CFUNCTYPE
    call = make(result, c_void_p, *plain)(pointer)

    def bound(*given):
        assert len(given) == len(arguments)
        # A loop: a generator that runs out of memory is decremented once too often by CPython 3.12.
        values = [address]
        for kind, value in zip(arguments, given):
            values.append(address_of(value) if kind is py_object else value)
        return call(*values)
    return bound


def call(name, *given):
    return function(name)(*given)


def slots(*pairs):
    """(array, count) to be passed for slots."""
    return (Slot * len(pairs))(*pairs), len(pairs)


def find(cls, number, position=0, name="find"):
    """The data of a slot, or None."""
    found = call(name, cls, number, position)
    return found.contents.data if found else None


def table(cls):
    count, entries = call("slot_count", cls), call("slot_table", cls)
    return [(entries[i].id, entries[i].data) for i in range(count)]


# ------------------------------------------------------------------ static types, as memory --

W = ctypes.sizeof(c_void_p)
HEAD = object.__basicsize__ + W                 # PyVarObject
BASETYPE = 1 << 10
#: Of members of PyTypeObject, in words behind the head.
PLACES = {"tp_name": 0, "tp_basicsize": 1, "tp_flags": 18, "tp_base": 29, "tp_bases": 39}


def forever(size, text=b""):
    """Memory of zeros, and this text in it, that outlives the interpreter: static types and their
    names are looked at when it ends."""
    get = ctypes.pythonapi.PyMem_RawCalloc
    get.restype, get.argtypes = c_void_p, [c_size_t, c_size_t]
    address = get(1, size)
    ctypes.memmove(address, text, len(text))
    return address


def write(block, **members):
    for name, value in members.items():
        c_size_t.from_address(block + HEAD + PLACES[name] * W).value = value
    return block


def fill(block, name, base=None, basicsize=object.__basicsize__):
    """Writes members of PyTypeObject: words behind the head, in its own order."""
    return write(block, tp_name=forever(len(name) + 1, name), tp_basicsize=basicsize,
                 tp_flags=BASETYPE, tp_base=id(base) if base else 0)


def unready(name=b"foreign.Unready", kind=None, size=5 * W):
    """A static type that nobody has readied, with room for our words: its address."""
    block = At(forever(type.__basicsize__ + size))
    head = (c_size_t * 2).from_address(block + object.__basicsize__ - 2 * W)
    head[:] = 1, id(kind) if kind else 0        # as PyVarObject_HEAD_INIT(kind, 0)
    return fill(block, name) if name else block


def as_class(block):
    return ctypes.cast(block, py_object).value


# ------------------------------------------------------- typed functions: a table of its own --

class Typed(Structure):
    _fields_ = [("version", c_uint32), ("count", c_uint32)]


TYPED_NAMES = ["find", "register_functions", "signatures", "why_not"]
TYPED = {
    "find": (c_int, py_object, c_char_p, POINTER(c_void_p), POINTER(c_void_p), POINTER(c_uint32),
             POINTER(c_uint64)),
    "register_functions": (c_int, c_void_p, c_ssize_t, POINTER(c_char_p), POINTER(c_void_p),
                           POINTER(c_uint32), POINTER(c_uint64)),
    "signatures": (py_object, py_object),
    "why_not": (py_object, py_object, c_char_p),
}


def typed(name):
    """A function of the second table."""
    address = capsule_pointer(_customslots_runtime._typed_v1, b"_customslots_runtime._typed_v1")
    head = Typed.from_address(address)
    assert head.version == 1 and head.count > TYPED_NAMES.index(name)
    pointer = c_void_p.from_address(address + ctypes.sizeof(Typed)
                                    + TYPED_NAMES.index(name) * ctypes.sizeof(c_void_p)).value
    result, *arguments = TYPED[name]
    plain = [c_void_p if kind is py_object else kind for kind in arguments]
    call = PYFUNCTYPE(result, *plain)(pointer)

    def bound(*given):
        return call(*(address_of(value) if kind is py_object else value
                      for kind, value in zip(arguments, given)))
    return bound
